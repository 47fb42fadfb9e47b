//! The [`Table`]: a world with its catalog and its event log, and every operation that rules are made of.
//!
//! Operations keep the derived state true (control, points for control, live hooks) and write events. They never ask:
//! asking is the flow's business.

use std::sync::Arc;

use crate::catalog::{Board, Catalog, ControlScore, Derived, Holds, PointKind, Scope};
use crate::decision::{Ask, Choice};
use crate::event::Event;
use crate::flow::Frame;
use crate::ids::*;
use crate::world::{Gain, Outcome, Piece, Trigger, World};

/// An operation that makes no sense; the fault of the script that asked for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleError(pub String);

impl RuleError {
    /// An error with a message.
    pub fn new(message: impl Into<String>) -> Self {
        RuleError(message.into())
    }
}

/// A hook that is live now, with whom it works for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveHook {
    /// What to call.
    pub hook: HookId,
    /// The seat that owns the card or the rule.
    pub owner: Option<FactionId>,
    /// The card, where the hook belongs to one.
    pub card: Option<CardId>,
    /// Lower runs first.
    pub priority: i16,
}

/// Which pieces a filter picks; every field that is set must fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceFilter {
    /// On this space.
    pub at: Option<SpaceId>,
    /// Of this owner.
    pub owner: Option<FactionId>,
    /// Of this kind.
    pub kind: Option<KindId>,
    /// Of this class.
    pub class: Option<SymbolId>,
    /// Only pieces that occupy, or only those that do not.
    pub occupying: Option<bool>,
    /// On any space, or in the pool.
    pub on_map: Option<bool>,
}

/// Whether a space that is so many steps away can be reached in `most`.
fn is_near(steps: u16, most: u16) -> bool {
    steps <= most && steps != Board::NO_WAY
}

/// A kind of piece, or all kinds of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// This kind.
    Kind(KindId),
    /// Every kind of this class.
    Class(SymbolId),
}

/// Which spaces a filter picks; every field that is set must fit.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SpaceFilter {
    /// Of this kind.
    pub kind: Option<SymbolId>,
    /// Inside these borders.
    pub home: Option<FactionId>,
    /// Controlled by this seat.
    pub controller: Option<SeatId>,
    /// Not controlled by this seat.
    pub uncontrolled_by: Option<SeatId>,
    /// Controlled by nobody.
    pub neutral: bool,
    /// Whose property is not 0.
    pub prop: Option<SymbolId>,
    /// Without occupying pieces.
    pub empty: bool,
    /// Without pieces of this sort.
    pub without: Option<Sort>,
    /// With fewer pieces of this sort than a property says.
    pub fewer: Option<(Sort, SymbolId)>,
    /// Of those that have this property, and there the same value, only the first in id order.
    pub first_of: Option<SymbolId>,
    /// Beside this space: one can go there from it and come back.
    pub beside: Option<SpaceId>,
}

/// A space that changes hands.
#[derive(Clone, Copy)]
struct ControlChange {
    space: SpaceId,
    from: Option<SeatId>,
    to: Option<SeatId>,
}

/// A world with its catalog and its event log.
#[derive(Clone, Debug)]
pub struct Table {
    /// The catalog.
    pub catalog: Arc<Catalog>,
    /// The world, in a place of its own: tables change hands whenever a script runs.
    pub world: Box<World>,
    /// What happened since the log was last taken.
    pub events: Vec<Event>,
    /// Whether events are kept. Simulations do without.
    pub record_events: bool,
    /// What the dice have shown since the last pause between scripts: 0 is the first face.
    pub(crate) rolled: Vec<u32>,
}

impl Table {
    /// Writes an event.
    #[inline]
    pub fn emit(&mut self, event: Event) {
        if self.record_events {
            self.events.push(event);
        }
    }

    // Counters ----------------------------------------------------------------------------------------------------

    fn slot(&self, counter: CounterId, owner: Value) -> Result<usize, RuleError> {
        let spec = &self.catalog.counters[counter.index()];
        let index = match (spec.scope, owner) {
            (Scope::Game, Value::Nil) => 0,
            (Scope::Faction, Value::Faction(f)) if f.index() < self.catalog.playable => f.index(),
            (Scope::Space, Value::Space(s)) => s.index(),
            (Scope::Card, Value::Card(c)) => c.index(),
            (scope, owner) => {
                let wants = match scope {
                    Scope::Game => "no owner",
                    Scope::Faction => "a playable faction as owner",
                    Scope::Space => "a space as owner",
                    Scope::Card => "a card as owner",
                };
                return Err(RuleError(format!(
                    "counter `{}` needs {wants}, got {} `{}`",
                    spec.id,
                    owner.type_name(),
                    self.catalog.id_of(owner)
                )));
            }
        };
        Ok(spec.offset + index)
    }

    /// What is kept in a counter's slot, or follows from the map.
    fn number(&self, counter: CounterId, slot: usize, owner: Value) -> i32 {
        match (self.catalog.counters[counter.index()].derived, owner) {
            (Some(derived), Value::Faction(seat)) => self.derive(derived, seat),
            _ => self.world.counters[slot],
        }
    }

    /// What the spaces of a seat and the pieces on them add up to.
    fn derive(&self, derived: Derived, seat: SeatId) -> i32 {
        let mut sum = 0i32;
        for (at, space) in self.catalog.spaces.iter().enumerate() {
            if self.world.control[at] != seat.0 {
                continue;
            }
            if let Some(prop) = derived.space {
                sum = sum.saturating_add(space.props.int(prop));
            }
            if let Some(stat) = derived.piece {
                for piece in self.world.on_space(SpaceId::at(at)) {
                    sum = sum.saturating_add(self.kind_of(piece).stats.int(stat));
                }
            }
        }
        sum
    }

    /// The value of a counter without its upper and lower bound.
    pub fn raw(&self, counter: CounterId, owner: Value) -> Result<i32, RuleError> {
        Ok(self.number(counter, self.slot(counter, owner)?, owner))
    }

    /// The value of a counter.
    pub fn get(&self, counter: CounterId, owner: Value) -> Result<i32, RuleError> {
        let spec = &self.catalog.counters[counter.index()];
        Ok(self.raw(counter, owner)?.clamp(spec.min, spec.max))
    }

    /// What is left in the bank of a counter with a limited supply.
    pub fn bank(&self, counter: CounterId) -> Result<i32, RuleError> {
        let spec = &self.catalog.counters[counter.index()];
        let supply = spec.supply.ok_or_else(|| RuleError(format!("counter `{}` has no supply", spec.id)))?;
        let values = if spec.scope == Scope::Game { 1 } else { self.catalog.playable };
        Ok(supply - self.world.counters[spec.offset..spec.offset + values].iter().sum::<i32>())
    }

    /// Sets a counter; values beyond its bounds are an error.
    pub fn set(&mut self, counter: CounterId, value: i32, owner: Value) -> Result<(), RuleError> {
        let slot = self.slot(counter, owner)?;
        let spec = &self.catalog.counters[counter.index()];
        if spec.derived.is_some() {
            return Err(RuleError(format!("counter `{}` is derived from the map and cannot be set", spec.id)));
        }
        if spec.holds != Holds::Number {
            return Err(RuleError(format!("counter `{}` holds a handle, not a number", spec.id)));
        }
        if !(spec.min..=spec.max).contains(&value) {
            return Err(RuleError(format!(
                "counter `{}` goes from {} to {}, got {value}",
                spec.id, spec.min, spec.max
            )));
        }
        let from = self.world.counters[slot];
        if let Some(supply) = spec.supply
            && value - from > self.bank(counter)?
        {
            return Err(RuleError(format!(
                "counter `{}`: only {supply} exist, the bank has {}",
                spec.id,
                self.bank(counter)?
            )));
        }
        self.write(counter, slot, owner, value);
        Ok(())
    }

    fn write(&mut self, counter: CounterId, slot: usize, owner: Value, value: i32) {
        let from = std::mem::replace(&mut self.world.counters[slot], value);
        if from != value && self.record_events {
            let to_value = self.held(counter, value);
            let seen = match owner {
                Value::Space(space) => self.seen_by(space),
                _ => u32::MAX,
            };
            self.emit(Event::Counter { counter, owner, from, to: value, to_value, seen });
        }
    }

    /// Adds to a counter within its bounds and supply, and says how much it really was.
    pub fn add(&mut self, counter: CounterId, amount: i32, owner: Value) -> Result<i32, RuleError> {
        let slot = self.slot(counter, owner)?;
        let spec = &self.catalog.counters[counter.index()];
        if spec.derived.is_some() || spec.holds != Holds::Number {
            return Err(RuleError(format!("counter `{}` cannot be added to", spec.id)));
        }
        let mut amount = amount;
        if spec.supply.is_some() && amount > 0 {
            amount = amount.min(self.bank(counter)?.max(0));
        }
        let from = self.world.counters[slot];
        let to = from.saturating_add(amount).clamp(spec.min, spec.max);
        self.write(counter, slot, owner, to);
        Ok(to - from)
    }

    /// Moves points from one owner to another, as far as there are any, and says how many it were.
    pub fn transfer(&mut self, counter: CounterId, amount: i32, from: Value, to: Value) -> Result<i32, RuleError> {
        let (source, target) = (self.slot(counter, from)?, self.slot(counter, to)?);
        let spec = &self.catalog.counters[counter.index()];
        if spec.derived.is_some() || spec.holds != Holds::Number {
            return Err(RuleError(format!("counter `{}` cannot be transferred", spec.id)));
        }
        let room = spec.max.saturating_sub(self.world.counters[target]);
        let moved = amount.min(self.world.counters[source].saturating_sub(spec.min)).min(room).max(0);
        if source != target && moved > 0 {
            let (source_value, target_value) =
                (self.world.counters[source] - moved, self.world.counters[target] + moved);
            self.write(counter, source, from, source_value);
            self.write(counter, target, to, target_value);
        }
        Ok(moved)
    }

    /// The handle that a number of a handle counter stands for.
    fn held(&self, counter: CounterId, number: i32) -> Value {
        let holds = self.catalog.counters[counter.index()].holds;
        if holds == Holds::Number {
            return Value::Int(number);
        }
        let Ok(index) = usize::try_from(number - 1) else { return Value::Nil };
        match holds {
            Holds::Number => Value::Int(number),
            Holds::Space => Value::Space(SpaceId::at(index)),
            Holds::Faction => Value::Faction(FactionId::at(index)),
            Holds::Card => Value::Card(CardId::at(index)),
            Holds::Design => Value::Design(DesignId::at(index)),
        }
    }

    /// What a counter keeps: a number, or the handle it holds.
    pub fn value(&self, counter: CounterId, owner: Value) -> Result<Value, RuleError> {
        let slot = self.slot(counter, owner)?;
        let spec = &self.catalog.counters[counter.index()];
        Ok(match spec.holds {
            Holds::Number => Value::Int(self.number(counter, slot, owner).clamp(spec.min, spec.max)),
            _ => self.held(counter, self.world.counters[slot]),
        })
    }

    /// Sets a counter to a number or, where it holds handles, to a handle or nothing.
    pub fn set_value(&mut self, counter: CounterId, value: Value, owner: Value) -> Result<(), RuleError> {
        let holds = self.catalog.counters[counter.index()].holds;
        let index = match (holds, value) {
            (Holds::Number, Value::Int(n)) => return self.set(counter, n, owner),
            (Holds::Space | Holds::Faction | Holds::Card | Holds::Design, Value::Nil) => 0,
            (Holds::Space, Value::Space(id)) => id.index() + 1,
            (Holds::Faction, Value::Faction(id)) => id.index() + 1,
            (Holds::Card, Value::Card(id)) => id.index() + 1,
            (Holds::Design, Value::Design(id)) => id.index() + 1,
            (_, value) => {
                let id = &self.catalog.counters[counter.index()].id;
                return Err(RuleError(format!("counter `{id}` cannot hold {}", value.type_name())));
            }
        };
        let slot = self.slot(counter, owner)?;
        self.write(counter, slot, owner, index as i32);
        Ok(())
    }

    // Spaces and control ------------------------------------------------------------------------------------------

    /// The kind of a piece.
    pub fn kind_of(&self, piece: PieceId) -> &crate::catalog::Kind {
        &self.catalog.kinds[self.catalog.pieces[piece.index()].kind.index()]
    }

    /// The spaces that fit a filter, in id order.
    pub fn find_spaces<'a>(&'a self, filter: &'a SpaceFilter) -> impl Iterator<Item = SpaceId> + 'a {
        // Most ask for what a seat controls, and for nothing else.
        let controller = filter.controller.map(|seat| seat.0);
        let asks_more = *filter != SpaceFilter { controller: filter.controller, ..SpaceFilter::default() };
        let fits = move |id: &SpaceId| {
            controller.is_none_or(|seat| self.world.control[id.index()] == seat)
                && (!asks_more || self.fits_more(*id, filter))
        };
        let spaces = &self.catalog.spaces;
        let alike = filter.first_of.map(|prop| spaces.alike(prop));
        let firsts = alike.unwrap_or_default().iter().filter_map(|group| group.iter().copied().find(fits));
        let mut firsts: Vec<SpaceId> = firsts.collect();
        firsts.sort_unstable();
        // What lies elsewhere need not be looked at.
        let near = filter.beside.map(|space| spaces.neighbors(space));
        let others = if alike.is_some() { 0 } else { near.map_or(spaces.len(), <[SpaceId]>::len) };
        let other = move |at: usize| near.map_or_else(|| SpaceId::at(at), |near| near[at]);
        firsts.into_iter().chain((0..others).map(other).filter(fits))
    }

    /// Whether a space fits the fields of a filter other than `controller` and `first_of`.
    fn fits_more(&self, id: SpaceId, filter: &SpaceFilter) -> bool {
        let (space, controller) = (&self.catalog.spaces[id.index()], self.world.controller(id));
        (!filter.empty || self.world.occupant_mask(&self.catalog, id) == 0)
            && filter.kind.is_none_or(|kind| space.kind == kind)
            && filter.home.is_none_or(|home| space.home == Some(home))
            && filter.beside.is_none_or(|beside| self.catalog.spaces.neighbors(beside).contains(&id))
            && (!filter.neutral || controller.is_none())
            && filter.prop.is_none_or(|prop| !matches!(space.props.get(prop), None | Some(Value::Int(0))))
            && filter.without.is_none_or(|sort| self.of_sort(id, sort).next().is_none())
            && filter.uncontrolled_by.is_none_or(|seat| controller != Some(seat))
            && filter.fewer.is_none_or(|(sort, prop)| {
                usize::try_from(space.props.int(prop))
                    .is_ok_and(|most| self.of_sort(id, sort).take(most).count() < most)
            })
    }

    /// How many spaces the longest straight row has that goes through a space and that a seat controls without a gap. A row
    /// is straight where each space is drawn as far from the last one, and in the same direction, and can be entered from it.
    /// 0 where the seat does not control the space.
    pub fn row(&self, space: SpaceId, seat: SeatId) -> usize {
        let spaces = &self.catalog.spaces;
        let holds = |space: SpaceId| self.world.controller(space) == Some(seat);
        if !holds(space) {
            return 0;
        }
        let step = |from: SpaceId, to: SpaceId| {
            let ((x, y), (to_x, to_y)) = (spaces[from.index()].at, spaces[to.index()].at);
            (i64::from(to_x) - i64::from(x), i64::from(to_y) - i64::from(y))
        };
        let run = |way: (i64, i64)| {
            let next = |from: SpaceId| {
                let mut exits = spaces[from.index()].exits.iter().copied();
                exits.find(|to| step(from, *to) == way && holds(*to))
            };
            std::iter::successors(next(space), |at| next(*at)).count()
        };
        let exits = spaces[space.index()].exits.iter().filter(|to| holds(**to));
        // Spaces that are drawn at one place lie in no direction from each other.
        let ways = exits.map(|to| step(space, *to)).filter(|way| *way != (0, 0));
        1 + ways.map(|(x, y)| run((x, y)) + run((-x, -y))).max().unwrap_or_default()
    }

    /// Steps from one space to another; `None` where there is no way.
    pub fn distance(&self, from: SpaceId, to: SpaceId) -> Option<u16> {
        Some(self.catalog.spaces.steps(from)[to.index()]).filter(|steps| *steps != Board::NO_WAY)
    }

    /// The spaces at most so many steps from a space, itself included, in id order.
    pub fn within(&self, from: SpaceId, most: u16) -> impl Iterator<Item = SpaceId> + '_ {
        let steps = self.catalog.spaces.steps(from);
        (0..steps.len()).map(SpaceId::at).filter(move |space| is_near(steps[space.index()], most))
    }

    /// The factions that see a space, as a bit mask; all, where there is no fog.
    pub fn seen_by(&self, space: SpaceId) -> u32 {
        match self.catalog.fog {
            Some(fog) => self.get(fog, Value::Space(space)).unwrap_or(0) as u32,
            None => u32::MAX,
        }
    }

    /// The factions that see a piece on a space (or in the pool).
    pub fn piece_seen_by(&self, piece: PieceId, at: Option<SpaceId>) -> u32 {
        let own = self.world.piece(piece).owner().map_or(0, |owner| 1u32 << owner.0.min(31));
        match at {
            Some(space) if self.kind_of(piece).fogged => self.seen_by(space) | own,
            _ => u32::MAX,
        }
    }

    /// Who should control a space, from the pieces on it.
    fn rightful(&self, space: SpaceId) -> Option<SeatId> {
        let mask = self.world.occupant_mask(&self.catalog, space);
        let players = self.world.playing;
        if mask == 0 {
            let home = self.catalog.spaces[space.index()].home.filter(|home| self.world.is_led(*home))?;
            let blocked = self.catalog.control.blocked_by.is_some_and(|kind| {
                self.world.on_space(space).any(|piece| self.catalog.pieces[piece.index()].kind == kind)
            });
            return (!blocked).then_some(home);
        }
        if mask.is_power_of_two() {
            let sole = FactionId(mask.trailing_zeros() as u8);
            return (players & mask != 0).then_some(sole);
        }
        // Units of several factions: the space waits for a battle and stays with its controller while he has units there.
        self.world.controller(space).filter(|seat| mask >> seat.0 & 1 == 1)
    }

    /// Makes the control of some spaces true again: all losses first, then all gains.
    pub fn settle_control(&mut self, spaces: &[SpaceId]) {
        // Most that happens happens in one space, for which no list is made.
        if let [space] = spaces {
            if let Some(change) = self.control_change(*space) {
                self.lose_control(change);
                self.take_control(change);
            }
            return;
        }
        let mut changes: Vec<ControlChange> = Vec::new();
        for space in spaces {
            if !changes.iter().any(|change| change.space == *space) {
                changes.extend(self.control_change(*space));
            }
        }
        for change in &changes {
            self.lose_control(*change);
        }
        for change in changes {
            self.take_control(change);
        }
    }

    fn control_change(&self, space: SpaceId) -> Option<ControlChange> {
        let (from, to) = (self.world.controller(space), self.rightful(space));
        (from != to).then_some(ControlChange { space, from, to })
    }

    fn lose_control(&mut self, ControlChange { space, from, .. }: ControlChange) {
        self.world.control[space.index()] = u8::MAX;
        if let Some(seat) = from {
            self.score_control(space, seat, -1);
        }
    }

    fn take_control(&mut self, ControlChange { space, from, to }: ControlChange) {
        self.world.control[space.index()] = to.map_or(u8::MAX, |seat| seat.0);
        self.world.gains.retain(|gain| gain.space != space);
        if let Some(seat) = to {
            self.score_control(space, seat, 1);
        }
        let seen = self.seen_by(space);
        self.emit(Event::Control { space, from, to, seen });
        let value = |seat: Option<SeatId>| seat.map_or(Value::Nil, Value::Faction);
        self.queue(self.catalog.kernel.control_changed, Args::new(&[Value::Space(space), value(from), value(to)]));
    }

    fn score_control(&mut self, space: SpaceId, seat: SeatId, sign: i32) {
        let mut scores: Vec<ControlScore> = self.catalog.spaces[space.index()].on_control.clone();
        for piece in self.world.on_space(space) {
            scores.extend_from_slice(&self.kind_of(piece).on_control);
        }
        for score in scores {
            self.score(space, seat, score, sign);
        }
    }

    fn score(&mut self, space: SpaceId, seat: SeatId, score: ControlScore, sign: i32) {
        // The loader has checked that the counter belongs to seats and is not derived.
        let applied = self.add(score.counter, sign * score.amount, Value::Faction(seat)).unwrap_or(0);
        if sign > 0 {
            self.world.gains.push(Gain { space, counter: score.counter, amount: applied });
        }
    }

    /// What the present controller of a space really gained at the last takeover or since from what stands there.
    pub fn gained(&self, space: SpaceId, counter: CounterId) -> i32 {
        self.world.gains.iter().filter(|g| g.space == space && g.counter == counter).map(|g| g.amount).sum()
    }

    // Pieces ------------------------------------------------------------------------------------------------------

    /// The pieces that fit a filter, in id order.
    pub fn find_pieces(&self, filter: &PieceFilter) -> impl Iterator<Item = PieceId> + '_ {
        let PieceFilter { at, owner, kind, class, occupying, on_map } = *filter;
        let asks_kind = class.is_some() || occupying.is_some();
        // What costs least to look at comes first: most pieces fall out there.
        let fits = move |(id, piece): &(PieceId, Piece)| {
            on_map.is_none_or(|on| piece.space().is_some() == on)
                && owner.is_none_or(|owner| piece.owner() == Some(owner))
                && kind.is_none_or(|kind| self.catalog.pieces[id.index()].kind == kind)
                && (!asks_kind || {
                    let kind = self.kind_of(*id);
                    class.is_none_or(|class| kind.class == class)
                        && occupying.is_none_or(|occupying| kind.occupies == occupying)
                })
        };
        let there = at.into_iter().flat_map(|space| self.world.on_space(space));
        let there = there.map(|id| (id, self.world.piece(id)));
        let anywhere = if at.is_none() { self.catalog.pieces.span(kind) } else { 0..0 };
        there.filter(fits).chain(self.world.pieces_in(anywhere).filter(fits)).map(|(id, _)| id)
    }

    /// The pieces that a filter picks, of those at most so many steps from a space.
    pub fn find_pieces_near(
        &self,
        filter: &PieceFilter,
        from: SpaceId,
        most: u16,
    ) -> impl Iterator<Item = PieceId> + '_ {
        let steps = self.catalog.spaces.steps(from);
        self.find_pieces(filter).filter(move |piece| {
            self.world.piece(*piece).space().is_some_and(|space| is_near(steps[space.index()], most))
        })
    }

    /// The pieces of a sort on a space.
    fn of_sort(&self, space: SpaceId, sort: Sort) -> impl Iterator<Item = PieceId> + '_ {
        self.world.on_space(space).filter(move |piece| {
            let kind = self.catalog.pieces[piece.index()].kind;
            match sort {
                Sort::Kind(wanted) => kind == wanted,
                Sort::Class(wanted) => self.catalog.kinds[kind.index()].class == wanted,
            }
        })
    }

    /// Moves a piece to a space or into the pool, with all consequences for control.
    pub fn move_piece(&mut self, piece: PieceId, to: Option<SpaceId>) {
        match self.shift(piece, to) {
            Some([Some(from), Some(to)]) => self.settle_control(&[from.min(to), from.max(to)]),
            Some([Some(space), None] | [None, Some(space)]) => self.settle_control(&[space]),
            Some([None, None]) | None => {}
        }
    }

    /// Moves several pieces in one step.
    pub fn move_pieces(&mut self, moves: &[(PieceId, Option<SpaceId>)]) {
        let mut touched: Vec<SpaceId> = Vec::with_capacity(2 * moves.len());
        for (piece, to) in moves {
            touched.extend(self.shift(*piece, *to).into_iter().flatten().flatten());
        }
        touched.sort_unstable();
        touched.dedup();
        self.settle_control(&touched);
    }

    /// Moves a piece without settling control. Gives the spaces that it left and came to; `None` where it stays.
    fn shift(&mut self, piece: PieceId, to: Option<SpaceId>) -> Option<[Option<SpaceId>; 2]> {
        let old = self.world.piece(piece);
        let from = old.space();
        if from == to {
            return None;
        }
        let scores = self.kind_of(piece).on_control.clone();
        if let Some(space) = from
            && let Some(seat) = self.world.controller(space)
        {
            for score in &scores {
                self.score(space, seat, *score, -1);
            }
        }
        self.world.set_piece(piece, to);
        if self.record_events {
            let seen = (self.piece_seen_by(piece, from), self.piece_seen_by(piece, to));
            self.emit(Event::Piece { piece, owner: old.owner(), from, to, seen });
        }
        if let Some(space) = to
            && let Some(seat) = self.world.controller(space)
        {
            for score in &scores {
                self.score(space, seat, *score, 1);
            }
        }
        if let (Some(space), Some(owner)) = (from, old.owner()) {
            self.note_vacated(piece, space, owner);
        }
        Some([from, to])
    }

    /// Puts a piece of the pool on a space; `None` where the pool has none.
    pub fn place(&mut self, kind: KindId, owner: Option<FactionId>, space: SpaceId) -> Option<PieceId> {
        let piece = self.world.pooled(&self.catalog, kind, owner)?;
        self.move_piece(piece, Some(space));
        Some(piece)
    }

    /// Gives a piece to another owner, where it is, with all consequences for control.
    pub fn give_piece(&mut self, piece: PieceId, owner: Option<FactionId>) {
        let old = self.world.piece(piece);
        let (from, space) = (old.owner(), old.space());
        if from == owner {
            return;
        }
        let seen = self.piece_seen_by(piece, space);
        self.world.set_owner(piece, owner);
        if self.record_events {
            let seen = seen | self.piece_seen_by(piece, space);
            self.emit(Event::Given { piece, from, to: owner, space, seen });
        }
        let Some(space) = space else { return };
        if let Some(from) = from {
            self.note_vacated(piece, space, from);
        }
        self.settle_control(&[space]);
    }

    /// Has the rules hear of it where the last occupying piece of a faction has just left a space.
    fn note_vacated(&mut self, piece: PieceId, space: SpaceId, owner: FactionId) {
        if self.kind_of(piece).occupies && self.world.occupant_mask(&self.catalog, space) >> owner.0 & 1 == 0 {
            self.queue(self.catalog.kernel.space_vacated, Args::new(&[Value::Space(space), Value::Faction(owner)]));
        }
    }

    // Cards -------------------------------------------------------------------------------------------------------

    /// Puts a card on the top or under the bottom of a zone.
    pub fn put_card(&mut self, card: CardId, zone: ZoneId, top: bool, face: bool) {
        let from = self.world.card_zone(card);
        self.world.detach_card(&self.catalog, card);
        self.world.attach_card(&self.catalog, card, zone, top);
        self.emit(Event::Card { card, from, to: zone, face });
    }

    /// Moves the top card of a zone under the bottom of another.
    pub fn draw(&mut self, from: ZoneId, to: ZoneId) -> Option<CardId> {
        let card = self.world.top(from)?;
        self.put_card(card, to, false, false);
        Some(card)
    }

    /// Puts the cards of a zone into a random order.
    pub fn shuffle(&mut self, zone: ZoneId) {
        let mut cards: Vec<CardId> = self.world.in_zone(zone).collect();
        self.world.rng.shuffle(&mut cards);
        for card in cards {
            self.world.detach_card(&self.catalog, card);
            self.world.attach_card(&self.catalog, card, zone, false);
        }
        self.emit(Event::Shuffled { zone });
    }

    // Hooks -------------------------------------------------------------------------------------------------------

    /// Whether anything listens to a hook point now. Cheap where nothing does.
    #[inline]
    pub fn anyone_listens(&self, point: PointId) -> bool {
        self.world.live[point.index()] != 0 || !self.catalog.rule_listeners[point.index()].is_empty()
    }

    /// The hooks that listen to a point now: by priority, then what belongs to nobody, then in turn order, and within a
    /// seat rules before cards, cards in order of acquisition.
    pub fn live_hooks(&self, point: PointId, out: &mut Vec<LiveHook>) {
        out.clear();
        let rules = &self.catalog.rule_listeners[point.index()];
        let mut cards = self.world.live[point.index()];
        self.collect(point, None, rules, &mut cards, out);
        // Most often nothing else listens than rules that belong to nobody.
        if cards > 0 || out.len() < rules.len() {
            for seat in self.world.seats() {
                self.collect(point, Some(seat), rules, &mut cards, out);
            }
        }
        if out.iter().any(|hook| hook.priority != 0) {
            out.sort_by_key(|hook| hook.priority);
        }
    }

    fn collect(
        &self,
        point: PointId,
        owner: Option<FactionId>,
        rules: &[(RuleId, crate::catalog::Listener)],
        // How many of the cards that listen have not been met yet.
        cards: &mut u16,
        out: &mut Vec<LiveHook>,
    ) {
        for (rule, listener) in rules {
            if self.catalog.rules[rule.index()].faction == owner {
                out.push(LiveHook { hook: listener.hook, owner, card: None, priority: listener.priority });
            }
        }
        if *cards == 0 {
            return;
        }
        for kind in self.catalog.zones.active() {
            let zone = match (kind.scope, owner) {
                (Scope::Game, None) => ZoneId::at(kind.offset),
                (Scope::Faction, Some(seat)) => ZoneId::at(kind.offset + seat.index()),
                _ => continue,
            };
            for card in self.world.in_zone(zone) {
                for listener in &self.catalog.design_of(card).listeners {
                    if listener.point == point {
                        let (hook, priority) = (listener.hook, listener.priority);
                        out.push(LiveHook { hook, owner, card: Some(card), priority });
                        *cards -= 1;
                        if *cards == 0 {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Leaves an effect hook point for the next pause, where anything listens.
    pub fn queue(&mut self, point: PointId, args: Args) {
        debug_assert_eq!(self.catalog.points[point.index()].kind, PointKind::Effect);
        if self.anyone_listens(point) {
            self.world.triggers.push(Trigger { point, args });
        }
    }

    /// The hook of an entity for a point, whether live or not.
    pub fn own_hook(&self, entity: Value, point: PointId) -> Option<HookId> {
        let listeners = match entity {
            Value::Card(card) => &self.catalog.design_of(card).listeners,
            Value::Design(design) => &self.catalog.designs[design.index()].listeners,
            Value::Rule(rule) => &self.catalog.rules[rule.index()].listeners,
            _ => return None,
        };
        listeners.iter().find(|listener| listener.point == point).map(|listener| listener.hook)
    }

    // Game --------------------------------------------------------------------------------------------------------

    /// Dice with `n` faces: 0 to `n - 1` each.
    pub(crate) fn dice<const N: usize>(&mut self, n: u32) -> [u32; N] {
        let faces = self.world.rng.dice(n);
        self.rolled.extend(faces);
        faces
    }

    /// A die with `sides` faces, 1 to `sides`.
    pub fn roll(&mut self, sides: i32) -> i32 {
        let [face] = self.dice(u32::try_from(sides).unwrap_or(1));
        let result = face as i32 + 1;
        self.emit(Event::Rolled { sides, result });
        result
    }

    /// Fixes the next results of dice, as scenarios do: 0 is the first face.
    pub fn script_dice(&mut self, results: &[u32]) {
        self.world.rng.script(results);
    }

    /// Scripted dice that nobody has rolled yet.
    pub fn scripted_dice_left(&self) -> usize {
        self.world.rng.scripted_left()
    }

    /// Ends the game.
    pub fn end(&mut self, winner: Option<SeatId>, cause: SymbolId) {
        if self.world.outcome.is_none() {
            self.world.outcome = Some(Outcome { winner, cause });
            self.emit(Event::Over { winner, cause });
        }
    }

    /// Takes a seat out of the game. Its pieces stay and belong to a faction that nobody leads.
    pub fn eliminate(&mut self, seat: SeatId) {
        if !self.world.is_led(seat) {
            return;
        }
        self.world.playing &= !(1 << seat.0);
        self.emit(Event::Eliminated { seat });
        let all: Vec<SpaceId> = (0..self.catalog.spaces.len()).map(SpaceId::at).collect();
        self.settle_control(&all);
    }

    /// Sets the turn order: every led faction exactly once.
    pub fn set_order(&mut self, order: &[SeatId]) -> Result<(), RuleError> {
        let mask = order.iter().fold(0u32, |mask, seat| mask | 1 << seat.0.min(31));
        if mask & self.world.playing != self.world.playing
            || mask & !self.world.led != 0
            || mask.count_ones() as usize != order.len()
        {
            return Err(RuleError::new("the turn order must name every playing seat exactly once"));
        }
        self.world.order = order.to_vec();
        Ok(())
    }

    /// Sets whose turn it is.
    pub fn set_active(&mut self, seat: Option<SeatId>) {
        self.world.active = seat;
    }

    /// The decisions that are open now.
    pub fn pending(&self) -> Vec<&Ask> {
        self.asks().collect()
    }

    /// The decisions that are open now, one after the other.
    pub(crate) fn asks(&self) -> impl Iterator<Item = &Ask> {
        self.world.flow.last().into_iter().flat_map(Frame::asks)
    }

    /// The open decision of a seat that offers a choice.
    pub(crate) fn offered(&self, seat: SeatId, choice: &Choice) -> Option<DecisionId> {
        self.asks().find(|ask| ask.seat == seat && ask.options.contains(choice)).map(|ask| ask.decision)
    }
}
