//! Follows one game and keeps what the figures need.

use std::collections::BTreeMap;

use principes_app::setup::Setup;
use principes_core::catalog::Visible;
use principes_core::scripts::Scripts;
use principes_core::*;

use super::decks::{Decks, Draw};
use super::record::{CardLine, GameRecord};
use crate::simulation::game::{Played, Watch};

/// What is known of a game so far.
pub struct Observer<'c> {
    catalog: &'c Catalog,
    seats: Vec<SeatId>,
    tracks: Vec<CounterId>,
    decks: Decks<'c>,
    order: Option<Vec<SeatId>>,
    lines: BTreeMap<(DesignId, SeatId), CardLine>,
    /// The points of the seats, with the number of answers after which they became that.
    standings: Vec<(usize, Vec<i32>)>,
}

impl<'c> Observer<'c> {
    /// An observer of a game that has not begun.
    pub fn new(catalog: &'c Catalog, table: &Setup) -> Self {
        let tracks = (0..catalog.counters.len()).map(CounterId::at);
        Observer {
            catalog,
            seats: table.players.iter().map(|(seat, _)| *seat).collect(),
            tracks: tracks.filter(|counter| catalog.counters[counter.index()].track).collect(),
            decks: Decks::new(catalog),
            order: None,
            lines: BTreeMap::new(),
            standings: Vec::new(),
        }
    }

    /// The record of the game; `None` if it has no outcome.
    pub fn record(self, played: &Played) -> Option<GameRecord> {
        let outcome = played.outcome?;
        let standing = |quarter: usize| {
            let answers = played.decisions * quarter / 4;
            let after = self.standings.partition_point(|(at, _)| *at <= answers);
            after.checked_sub(1).map_or_else(Vec::new, |last| self.standings[last].1.clone())
        };
        Some(GameRecord {
            number: played.game,
            winner: outcome.winner,
            cause: outcome.cause,
            rounds: played.rounds,
            answers: u32::try_from(played.decisions).unwrap_or(u32::MAX),
            standings: [1, 2, 3].map(standing),
            order: self.order.unwrap_or_default(),
            cards: self.lines.into_values().collect(),
        })
    }

    fn line(&mut self, design: DesignId, seat: SeatId) -> &mut CardLine {
        self.lines.entry((design, seat)).or_insert_with(|| CardLine::new(design, seat))
    }

    fn follow(&mut self, event: &Event) {
        if let Some(draw) = self.decks.follow(event) {
            self.count(&draw);
        }
        if let Event::Card { card, from, to, face, .. } = *event
            && let Some(seat) = player_of(self.catalog, from, to, face)
        {
            self.line(self.catalog.cards[card.index()], seat).played = true;
        }
    }

    /// Counts a draw for every design that it could have been.
    fn count(&mut self, draw: &Draw) {
        let all = f64::from(draw.among.values().sum::<u32>());
        for (design, copies) in &draw.among {
            let chance = f64::from(*copies) / all;
            let is_it = *design == draw.design;
            let line = self.line(*design, draw.seat);
            line.draws = line.draws.saturating_add(u16::from(is_it));
            line.misses = line.misses.saturating_add(u16::from(!is_it));
            line.surplus += if is_it { 1.0 - chance } else { -chance };
            line.spread += chance * (1.0 - chance);
        }
    }

    fn note_standings(&mut self, table: &Table, answers: usize) {
        if self.tracks.is_empty() {
            return;
        }
        let points = |seat: &SeatId| -> i32 {
            let values = self.tracks.iter().filter_map(|track| table.get(*track, Value::Faction(*seat)).ok());
            values.sum()
        };
        let now: Vec<i32> = self.seats.iter().map(points).collect();
        if self.standings.last().is_none_or(|(_, last)| *last != now) {
            self.standings.push((answers, now));
        }
    }

    /// Notes the cards in hands and in play.
    fn note_held(&mut self, table: &Table) {
        for (at, design) in self.catalog.cards.iter().enumerate() {
            let (kind, owner) = self.catalog.zone_list[table.world.card_zone(CardId::at(at)).index()];
            let zone = &self.catalog.zones[kind.index()];
            if let Some(seat) = owner.filter(|_| zone.active || zone.visible == Visible::Owner) {
                self.line(*design, seat).held = true;
            }
        }
    }
}

impl<S: Scripts> Watch<S> for Observer<'_> {
    fn look(&mut self, game: &Game<S>) {
        let table = game.table();
        self.order.get_or_insert_with(|| table.world.order().to_vec());
        for event in game.events() {
            self.follow(event);
        }
        // A seat that can choose a hidden card knows it.
        for option in table.pending().into_iter().flat_map(|decision| &decision.options) {
            for value in option.args.as_slice() {
                if let Value::Card(card) = *value {
                    self.decks.see(card);
                }
            }
        }
        self.note_standings(table, game.record().len());
        if game.outcome().is_some() {
            self.note_held(table);
        }
    }
}

/// The seat that puts a card into play by moving it: the card leaves its hand face up, enters a zone before it in which
/// its hooks are live, or is laid as a tile.
fn player_of(catalog: &Catalog, from: ZoneId, to: ZoneId, face: bool) -> Option<SeatId> {
    let spec = |zone: ZoneId| {
        let (kind, owner) = catalog.zone_list[zone.index()];
        (kind, &catalog.zones[kind.index()], owner)
    };
    let ((_, before, from_owner), (to_kind, after, to_owner)) = (spec(from), spec(to));
    let is_shown = before.visible == Visible::Owner && (face || after.visible == Visible::Everyone);
    let is_laid = catalog.tiles.as_ref().is_some_and(|tiles| tiles.zones.contains(&to_kind));
    let enters = after.active && !(before.active && from_owner == to_owner);
    from_owner.filter(|_| is_shown || is_laid).or(to_owner.filter(|_| enters))
}
