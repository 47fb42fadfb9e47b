//! Expectations of scenarios.

use std::collections::BTreeSet;
use std::sync::Arc;

use principes_core::PieceFilter;
use principes_core::catalog::Catalog;
use principes_core::scripts::Scripts;
use principes_core::*;
use principes_schemas as schemas;
use principes_schemas::{Expect, Position, Sight};

use crate::lookup;
use crate::play::ScenarioRun;
use crate::step_error::{StepResult, list, script_error};
use crate::transcript;

impl<S: Scripts> ScenarioRun<'_, S> {
    pub(crate) fn expect(&mut self, expect: &Expect) -> StepResult<()> {
        self.out.line(format!("  {}", transcript::expect(expect)));
        let reworded = |is: &str| format!("expected: {}; {is}", transcript::expect(expect));
        self.check(expect).map_err(|is| is.reworded(reworded))
    }

    fn check(&mut self, expect: &Expect) -> StepResult<()> {
        let table = self.game.table();
        let catalog = &table.catalog;
        match expect {
            Expect::Counter(e) => {
                let counter = lookup::counter(catalog, e.counter.as_str())?;
                let owner = lookup::counter_owner(catalog, counter, e.of.as_ref().map(|of| of.as_str()))?;
                let wanted = lookup::counter_value(catalog, counter, &e.is)?;
                let value = table.value(counter, owner).map_err(|error| error.0)?;
                holds(value == wanted, || format!("it is {}", catalog.id_of(value)))
            }
            Expect::Control(e) => {
                let space = lookup::space(catalog, e.control.as_str())?;
                let wanted = e.is.as_ref().map(|id| lookup::faction(catalog, id.as_str())).transpose()?;
                let controller = table.world.controller(space);
                let name = controller.map_or_else(|| "nobody".to_owned(), |seat| catalog.id_of(Value::Faction(seat)));
                holds(controller == wanted, || format!("{name} does"))
            }
            Expect::Pieces(e) => {
                let filter = piece_filter(catalog, &e.pieces)?;
                let found = table.find_pieces(&filter).count();
                holds(i32::try_from(found) == Ok(e.is), || format!("there are {found}"))
            }
            Expect::Zone(e) => {
                let zone = lookup::table_zone(catalog, e.zone.as_str(), e.of.as_ref().map(|of| of.as_str()))?;
                let cards: Vec<String> =
                    table.world.in_zone(zone).map(|card| catalog.id_of(Value::Card(card))).collect();
                let shown = if cards.len() <= 12 { format!(": {}", cards.join(", ")) } else { String::new() };
                holds(i32::try_from(cards.len()) == Ok(e.is), || format!("there are {}{shown}", cards.len()))
            }
            Expect::Card(e) => self.check_card(e),
            Expect::Pending(e) => self.check_pending(e),
            Expect::Offered(e) => {
                let keys = self.offered(e.seat.as_ref())?;
                holds(keys.contains(&e.offered), || format!("the options are {}", list(&keys)))
            }
            Expect::Refused(e) => {
                lookup::check_key(catalog, &e.refused)?;
                let keys = self.offered(e.seat.as_ref())?;
                holds(!keys.contains(&e.refused), || format!("the options are {}", list(&keys)))
            }
            Expect::Sees(e) => {
                let seen = self.sees(e.seat.as_ref(), &e.sees)?;
                holds(seen, || "it is hidden".to_owned())
            }
            Expect::Hides(e) => {
                let seen = self.sees(e.seat.as_ref(), &e.hides)?;
                holds(!seen, || "it is visible".to_owned())
            }
            Expect::Logged(e) => holds(self.logged.contains(&e.logged), || {
                let logged: Vec<String> = self.logged.iter().cloned().collect();
                format!("the log has {}", list(&logged))
            }),
            Expect::Outcome(e) => self.check_outcome(e),
            Expect::Error(e) => match self.error.take() {
                Some(error) if error.message.contains(&e.error) => Ok(()),
                Some(error) => Err(error.reworded(|error| format!("the script failed: {error}"))),
                None => Err("no script failed".into()),
            },
        }
    }

    /// Whether a seat or a spectator sees something.
    fn sees(&self, seat: Option<&schemas::FactionRef>, sight: &Sight) -> StepResult<bool> {
        let table = self.game.table();
        let catalog = &table.catalog;
        let view = table.view(seat.map(|id| lookup::seat(table, id.as_str())).transpose()?);
        let faces = |zone: ZoneId| {
            let (kind, owner) = catalog.zone_list[zone.index()];
            let zone = view.zones.iter().find(|it| (it.zone, it.owner) == (kind, owner));
            zone.map_or(Vec::new(), |zone| zone.cards.clone())
        };
        Ok(match sight {
            Sight::Counter(it) => {
                let counter = lookup::counter(catalog, it.counter.as_str())?;
                let owner = lookup::counter_owner(catalog, counter, it.of.as_ref().map(|of| of.as_str()))?;
                view.counters.iter().any(|(seen, of, _)| (*seen, *of) == (counter, owner))
            }
            Sight::Card(it) => {
                let zone = lookup::table_zone(catalog, it.r#in.as_str(), it.of.as_ref().map(|of| of.as_str()))?;
                let design = lookup::design(catalog, it.card.as_str())?;
                let is_it = |card: &CardId| catalog.cards[card.index()] == design;
                if !table.world.in_zone(zone).any(|card| is_it(&card)) {
                    return Err(format!("`{}` is not in that zone", it.card).into());
                }
                faces(zone).iter().flatten().any(is_it)
            }
            Sight::Zone(it) => {
                let zone = lookup::table_zone(catalog, it.zone.as_str(), it.of.as_ref().map(|of| of.as_str()))?;
                let cards = faces(zone);
                if cards.is_empty() {
                    return Err(format!("`{}` has no cards", it.zone).into());
                }
                cards.iter().all(Option::is_some)
            }
            Sight::Space(it) => {
                let space = lookup::space(catalog, it.space.as_str())?;
                let mut pieces = table.world.on_space(space).peekable();
                if pieces.peek().is_none() {
                    return Err(format!("`{}` has no pieces", it.space).into());
                }
                pieces.all(|piece| view.pieces[piece.index()].is_some())
            }
        })
    }

    fn check_outcome(&self, e: &schemas::ExpectOutcome) -> StepResult<()> {
        let catalog = self.catalog();
        let outcome = self.game.outcome();
        let winner = e.winner.as_ref().map(|id| lookup::faction(catalog, id.as_str())).transpose()?;
        let cause = outcome.map(|outcome| catalog.symbols.name(outcome.cause.index()));
        let right = cause == e.outcome.as_ref().map(|cause| cause.as_str())
            && (winner.is_none() || outcome.and_then(|outcome| outcome.winner) == winner);
        holds(right, || match outcome {
            None => "the game is not over".to_owned(),
            Some(outcome) => format!(
                "the game is over: {}, won by {}",
                cause.unwrap_or_default(),
                outcome.winner.map_or_else(|| "nobody".to_owned(), |seat| catalog.id_of(Value::Faction(seat)))
            ),
        })
    }

    fn check_card(&self, e: &schemas::ExpectCard) -> StepResult<()> {
        let table = self.game.table();
        let catalog = self.catalog();
        let zone = lookup::table_zone(catalog, e.r#in.as_str(), e.of.as_ref().map(|of| of.as_str()))?;
        let design = lookup::design(catalog, e.card.as_str())?;
        let cards: Vec<CardId> = table.world.in_zone(zone).collect();
        let at = e.at.as_ref().map(|id| lookup::space(catalog, id.as_str())).transpose()?;
        let lies = |card: &CardId| {
            let laid = table.laid_at(*card).and_then(|space| Some((space, table.laid(space)?.rotation)));
            at.is_none_or(|space| laid.is_some_and(|laid| laid.0 == space))
                && e.rotation.is_none_or(|rotation| laid.is_some_and(|laid| laid.1 == rotation))
        };
        let is_it = |card: &CardId| catalog.cards[card.index()] == design && lies(card);
        let found = match e.position {
            None => cards.iter().any(is_it),
            Some(Position::Top) => cards.first().is_some_and(is_it),
            Some(Position::Bottom) => cards.last().is_some_and(is_it),
        };
        holds(found, || {
            let name = |card: &CardId| {
                let laid = table.laid_at(*card).and_then(|space| Some((space, table.laid(space)?)));
                let lies = laid.map_or_else(String::new, |(space, laid)| {
                    format!(" on {}, rotation {}", catalog.id_of(Value::Space(space)), laid.rotation)
                });
                format!("{}{lies}", catalog.id_of(Value::Card(*card)))
            };
            let names: Vec<String> = cards.iter().map(name).collect();
            format!(
                "the cards from the top are: {}",
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            )
        })
    }

    fn check_pending(&self, e: &schemas::ExpectPending) -> StepResult<()> {
        let table = self.game.table();
        let catalog = self.catalog();
        let pending = self.game.pending();
        let right = match &e.pending {
            None => pending.is_empty(),
            Some(filter) => {
                let seat = lookup::seat(table, filter.seat.as_str())?;
                let decision = filter.decision.as_ref().map(|id| lookup::decision(catalog, id.as_str())).transpose()?;
                pending.iter().any(|open| open.seat == seat && decision.is_none_or(|id| open.kind == id))
            }
        };
        holds(right, || self.who_is_asked())
    }

    /// Keys of everything that a seat (or any seat) can do now.
    fn offered(&mut self, seat: Option<&schemas::FactionRef>) -> StepResult<Vec<String>> {
        let catalog = Arc::clone(self.game.catalog());
        let seat = seat.map(|id| lookup::seat(self.game.table(), id.as_str())).transpose()?;
        let asks = self.game.pending();
        let mut keys: Vec<String> = asks
            .iter()
            .filter(|open| seat.is_none_or(|seat| open.seat == seat))
            .flat_map(|open| open.options.iter().map(|option| option.key(&catalog)))
            .collect();
        let seats: Vec<SeatId> = match seat {
            Some(seat) => vec![seat],
            None => self.game.table().world.seats().collect(),
        };
        for seat in seats {
            let asides = self.game.asides(seat).map_err(|error| script_error(&catalog, error))?;
            keys.extend(asides.iter().map(|option| option.key(&catalog)));
        }
        let mut seen = BTreeSet::new();
        keys.retain(|key| seen.insert(key.clone()));
        Ok(keys)
    }
}

fn holds(right: bool, is: impl FnOnce() -> String) -> StepResult<()> {
    if right { Ok(()) } else { Err(is().into()) }
}

fn piece_filter(catalog: &Catalog, filter: &schemas::PieceFilter) -> StepResult<PieceFilter> {
    Ok(PieceFilter {
        at: filter.at.as_ref().map(|id| lookup::space(catalog, id.as_str())).transpose()?,
        owner: filter.faction.as_ref().map(|id| lookup::faction(catalog, id.as_str())).transpose()?,
        kind: filter.kind.as_ref().map(|id| lookup::kind(catalog, id.as_str())).transpose()?,
        on_map: filter.on.map(|area| area == schemas::PieceArea::Map),
        ..PieceFilter::default()
    })
}
