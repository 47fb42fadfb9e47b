//! Games as a seat may imagine them, for bots that look ahead.
//!
//! Cards that the seat cannot see are shuffled within their type, and so are spaces that it has never seen. Secret
//! answers of other seats are drawn again, the random generator gets a new seed, and the pack redraws the rest in the
//! hook point `bot.imagine`. A copy whose view differs from the real one is discarded.

use std::sync::Arc;

use super::base::copy_world;
use super::game::Game;
use crate::catalog::{Catalog, Visible};
use crate::ids::*;
use crate::rng::Rng;
use crate::scripts::{ScriptError, ScriptErrorKind, Scripts, Step};
use crate::state::{DecisionOption, Frame, View, World};

impl<S: Scripts> Game<S> {
    /// A clone of the game as `seat` may imagine it: what the seat cannot see is dealt again, the current secret
    /// choices of others are made again, and chance is new. The seat's view and everything it has seen since the last
    /// pause between scripts stay the same, so dice keep their faces. `None` if none of a few deals fits what the seat
    /// has seen. The clone has no events, and its record begins here.
    pub fn imagine(&self, seat: SeatId, rng: &mut Rng) -> Option<Game<S>> {
        let seen = self.table.view(Some(seat));
        for _ in 0..8 {
            let chance = rng.clone();
            let mut deal = self.imagine_once(seat, &seen, rng);
            if matches!(&deal, Err(error) if error.kind == ScriptErrorKind::Memory) && self.scripts.seclude(true) {
                *rng = chance;
                deal = self.imagine_once(seat, &seen, rng);
                self.scripts.seclude(false);
            }
            if let Ok(Some(copy)) = deal {
                return Some(copy);
            }
        }
        None
    }

    /// One deal; `None` if it does not fit what the seat has seen.
    fn imagine_once(&self, seat: SeatId, seen: &View, rng: &mut Rng) -> Result<Option<Game<S>>, ScriptError> {
        let mut copy = self.clone();
        copy.table.record_events = false;
        copy.record = Arc::default();
        let base = Arc::make_mut(&mut copy.base);
        base.rng.reseed(rng);
        base.deal_unseen(&self.table.catalog, &self.table.world, seat, rng);
        base.shuffle_fog(&self.table.catalog, &self.table.world, seat, rng);
        // The options of others can depend on the deal.
        base.flow.last_mut().into_iter().for_each(Frame::mark_stale);
        copy.imagine_by_scripts(seat)?;
        // Dice that are on the table must be the same in every imagined world.
        Arc::make_mut(&mut copy.base).rng.script(&self.table.rolled);
        copy.rebuild_imagined(seat, rng)?;
        Ok((copy.table.view(Some(seat)) == *seen).then_some(copy))
    }

    /// Lets the packs deal again, in the base, what the kernel does not know.
    fn imagine_by_scripts(&mut self, seat: SeatId) -> Result<(), ScriptError> {
        let point = self.table.catalog.kernel.bot_imagine;
        if !self.table.anyone_listens(point) {
            return Ok(());
        }
        (*self.table.world).clone_from(&self.base);
        let mut hooks = Vec::new();
        self.table.live_hooks(point, &mut hooks);
        for hook in hooks {
            let step = self.scripts.start(&mut self.live, 0, hook, &[Value::Faction(seat)], &mut self.table)?;
            if !matches!(step, Step::Done) {
                return Err(ScriptError::flow("a `bot.imagine` hook must not ask for decisions, move or fight"));
            }
        }
        copy_world(&mut self.base, &self.table.world);
        Ok(())
    }

    /// Replays the answers since the base, but makes the secret choices of others again.
    fn rebuild_imagined(&mut self, seat: SeatId, rng: &mut Rng) -> Result<(), ScriptError> {
        let since = std::mem::take(&mut self.since);
        self.live = S::Live::default();
        (*self.table.world).clone_from(&self.base);
        self.table.rolled.clear();
        self.advance()?;
        for mut answer in since {
            let is_secret = matches!(self.table.world.flow.last(), Some(Frame::Simultaneous(_)));
            if is_secret && !answer.aside && answer.seat != seat {
                // With other choices, the other seat may have finished earlier.
                let Some(option) = self.any_choice(answer.seat, rng) else { continue };
                answer.option = option;
            }
            self.apply(&answer)?;
            self.advance()?;
            self.since.push(answer);
        }
        (self.has_next_base, self.between_phases) = (false, false);
        self.dormant = false;
        Ok(())
    }

    /// A random option of a seat that does not take something back.
    fn any_choice(&self, seat: SeatId, rng: &mut Rng) -> Option<DecisionOption> {
        let words = &self.table.catalog.words;
        let decision = self.pending().into_iter().find(|decision| decision.seat == seat)?;
        let goes_on = |option: &&DecisionOption| option.verb != Some(words.undo) && option.verb != Some(words.back);
        let options: Vec<&DecisionOption> = decision.options.iter().filter(goes_on).collect();
        options.get(rng.below(options.len().max(1) as u32) as usize).map(|option| **option)
    }
}

impl World {
    /// Deals again the cards that `seat` can see neither here nor in the later world `now`: cards of the same type swap
    /// places.
    pub(crate) fn deal_unseen(&mut self, catalog: &Catalog, now: &World, seat: SeatId, rng: &mut Rng) {
        let unseen = |world: &World, card: CardId| {
            let zone = world.card_zone(card);
            let (kind, owner) = catalog.zone_list[zone.index()];
            match catalog.zones[kind.index()].visible {
                Visible::Everyone => false,
                Visible::Owner => owner != Some(seat),
                Visible::Nobody | Visible::Fog => true,
            }
        };
        let cards: Vec<CardId> =
            (0..catalog.cards.len()).map(CardId::at).filter(|card| unseen(self, *card) && unseen(now, *card)).collect();
        let mut types: Vec<SymbolId> = cards.iter().map(|card| catalog.design_of(*card).card_type).collect();
        types.sort_unstable();
        types.dedup();
        // The card that replaces each card.
        let mut swap: Vec<CardId> = (0..catalog.cards.len()).map(CardId::at).collect();
        for card_type in types {
            let group: Vec<CardId> =
                cards.iter().copied().filter(|card| catalog.design_of(*card).card_type == card_type).collect();
            let mut dealt = group.clone();
            rng.shuffle(&mut dealt);
            for (place, card) in group.iter().zip(dealt) {
                swap[place.index()] = card;
            }
        }
        let zones: Vec<Vec<CardId>> =
            (0..catalog.zone_list.len()).map(|zone| self.in_zone(ZoneId::at(zone)).collect()).collect();
        for zone in &zones {
            for card in zone {
                self.detach_card(catalog, *card);
            }
        }
        for (at, zone) in zones.iter().enumerate() {
            for card in zone {
                self.attach_card(catalog, swap[card.index()], ZoneId::at(at), false);
            }
        }
    }

    /// Swaps spaces that `seat` has seen neither here nor in the later world `now` under the fog. All counters of a
    /// space move together.
    pub(crate) fn shuffle_fog(&mut self, catalog: &Catalog, now: &World, seat: SeatId, rng: &mut Rng) {
        let Some(fog) = catalog.fog.map(|fog| catalog.counters[fog.index()].offset) else { return };
        let unseen = |world: &World, space: usize| world.counters[fog + space] >> seat.0.min(31) & 1 == 0;
        let spaces: Vec<usize> =
            (0..catalog.spaces.len()).filter(|space| unseen(self, *space) && unseen(now, *space)).collect();
        let mut from = spaces.clone();
        rng.shuffle(&mut from);
        for counter in catalog.counters.iter().filter(|counter| counter.visible == Visible::Fog) {
            let old: Vec<i32> = from.iter().map(|space| self.counters[counter.offset + space]).collect();
            for (space, value) in spaces.iter().zip(old) {
                self.counters[counter.offset + space] = value;
            }
        }
    }
}
