//! The movement procedure: a draft that its mover may change freely, consent of those whose pieces stand in the way, and
//! one commit.

use serde::{Deserialize, Serialize};

use crate::decision::{Ask, Choice};
use crate::ids::*;
use crate::table::Table;

/// What a script asks for when it starts a movement.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct MoveOrder {
    /// The seat that moves the pieces; they need not be its own.
    pub mover: FactionId,
    /// The pieces that may be moved.
    pub pieces: Vec<PieceId>,
    /// At most so many of a kind.
    pub limits: Vec<(KindId, u32)>,
    /// Spaces on which no move may end.
    pub forbid: Vec<SpaceId>,
    /// What asks.
    pub source: Value,
}

impl MoveOrder {
    /// A movement without limits and forbidden spaces.
    pub fn new(mover: SeatId, pieces: Vec<PieceId>) -> Self {
        MoveOrder { mover, pieces, limits: Vec::new(), forbid: Vec::new(), source: Value::Nil }
    }
}

/// Runs all live query hooks of a point over a value.
pub(crate) type Query<'a, E> = dyn FnMut(&mut Table, PointId, i32, &[Value]) -> Result<i32, E> + 'a;

/// What a movement did.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct MoveResult {
    /// Each moved piece, from where to where.
    pub moved: Vec<(PieceId, SpaceId, SpaceId)>,
    /// The spaces on which moves ended, in id order.
    pub ended: Vec<SpaceId>,
    /// Who controlled each of them before.
    pub before: Vec<Option<SeatId>>,
}

/// One move of the draft.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Draft {
    piece: PieceId,
    to: SpaceId,
    /// Consents that its way rests on.
    needs: Vec<(SeatId, SpaceId)>,
}

/// Where the draft stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Stage {
    /// The mover picks a piece, takes a move back or finishes.
    Pick,
    /// The mover picks a destination.
    To(PieceId),
    /// Others are asked for consent, one after the other.
    Consent { piece: PieceId, to: SpaceId, needs: Vec<(SeatId, SpaceId)>, next: usize },
}

/// A movement that is under way.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Movement {
    order: MoveOrder,
    /// Movement points by faction and kind.
    points: Vec<(Option<FactionId>, KindId, i32)>,
    /// Factions whose empty lands stop movement too.
    guards: u32,
    drafts: Vec<Draft>,
    /// Consents given (true) and refused (false).
    consents: Vec<(SeatId, SpaceId, bool)>,
    stage: Stage,
    pub(crate) ask: Option<Ask>,
    pub(crate) stale: bool,
    started: bool,
}

/// How a space on the way stops a piece.
enum Passage {
    Free,
    Stop,
    Consent(SeatId),
}

/// A space to which a piece may come, as the last step of a way.
struct Reached {
    space: SpaceId,
    /// Consents still to be given on the way there.
    cost: u32,
    /// Where the step before it lies in the list.
    from: usize,
}

/// The ways of a piece that are worth going: a longer one only where it needs fewer new consents.
struct Ways {
    /// The place where it stands, then all steps, the first ones of the ways before the second ones.
    reached: Vec<Reached>,
    /// For each space where in the list its best way ends: the fewest new consents, of those the fewest steps.
    best: Vec<usize>,
}

/// No way leads to a space.
const NEVER: usize = usize::MAX;

impl Ways {
    /// Where they lead, in id order.
    fn ends(&self) -> impl Iterator<Item = SpaceId> + '_ {
        let ends = self.best.iter().enumerate().filter(|(_, place)| !matches!(**place, 0 | NEVER));
        ends.map(|(space, _)| SpaceId::at(space))
    }

    /// The spaces over which the best way to one of its ends goes, the last first.
    fn over(&self, to: SpaceId) -> impl Iterator<Item = SpaceId> + '_ {
        let before = |at: usize| Some(self.reached[at].from).filter(|at| *at != 0);
        std::iter::successors(before(self.best[to.index()]), move |at| before(*at)).map(|at| self.reached[at].space)
    }
}

impl Movement {
    pub(crate) fn new(order: MoveOrder) -> Self {
        Movement {
            order,
            points: Vec::new(),
            guards: 0,
            drafts: Vec::new(),
            consents: Vec::new(),
            stage: Stage::Pick,
            ask: None,
            stale: false,
            started: false,
        }
    }

    /// The seat that moves.
    pub fn mover(&self) -> SeatId {
        self.order.mover
    }

    /// The moves drafted so far: piece, from, to.
    pub fn drafts<'a>(&'a self, table: &'a Table) -> impl Iterator<Item = (PieceId, Option<SpaceId>, SpaceId)> + 'a {
        self.drafts.iter().map(|draft| (draft.piece, table.world.piece(draft.piece).space(), draft.to))
    }

    /// Reads the movement points of all pieces and the guards through `query`, once.
    pub(crate) fn prepare<E>(&mut self, table: &mut Table, query: &mut Query<'_, E>) -> Result<bool, E> {
        if self.started {
            return Ok(false);
        }
        self.started = true;
        let catalog = table.catalog.clone();
        let Some(rule) = &catalog.movement else { return Ok(true) };
        for piece in &self.order.pieces {
            let kind = catalog.pieces[piece.index()].kind;
            let owner = table.world.piece(*piece).owner();
            if self.points.iter().any(|(f, k, _)| (*f, *k) == (owner, kind)) {
                continue;
            }
            let base = catalog.kinds[kind.index()].stats.int(rule.stat);
            let args = [owner.map_or(Value::Nil, Value::Faction), Value::Kind(kind)];
            let points = query(table, catalog.kernel.movement_points, base, &args)?;
            self.points.push((owner, kind, points.clamp(0, 99)));
        }
        if table.anyone_listens(catalog.kernel.movement_guarded) {
            let seats: Vec<SeatId> = table.world.seats().collect();
            for seat in seats {
                let args = [Value::Faction(seat), Value::Faction(self.order.mover)];
                if query(table, catalog.kernel.movement_guarded, 0, &args)? != 0 {
                    self.guards |= 1 << seat.0;
                }
            }
        }
        Ok(true)
    }

    fn passage(&self, table: &Table, owner: Option<FactionId>, space: SpaceId) -> Passage {
        let world = &table.world;
        let own = owner.map_or(0, |f| 1u32 << f.0) | 1 << self.order.mover.0;
        let mut foreign = world.occupant_mask(&table.catalog, space) & !own;
        if foreign == 0
            && let Some(seat) = world.controller(space)
            && self.guards >> seat.0 & 1 == 1
        {
            foreign = (1 << seat.0) & !own;
        }
        if foreign == 0 {
            return Passage::Free;
        }
        let seat = FactionId(foreign.trailing_zeros() as u8);
        if foreign.is_power_of_two() && world.is_led(seat) { Passage::Consent(seat) } else { Passage::Stop }
    }

    /// Where a piece stands, and how many steps it may go; nothing in the pool.
    fn reach(&self, table: &Table, piece: PieceId) -> Option<(SpaceId, i32)> {
        let state = table.world.piece(piece);
        let kind = table.catalog.pieces[piece.index()].kind;
        let points = self.points.iter().find(|(f, k, _)| (*f, *k) == (state.owner(), kind)).map_or(0, |p| p.2);
        Some((state.space()?, points))
    }

    /// Whether a piece has any destination.
    fn may_go(&self, table: &Table, piece: PieceId) -> bool {
        let Some((from, points)) = self.reach(table, piece) else { return false };
        let ends = |exit: &SpaceId| *exit != from && !self.order.forbid.contains(exit);
        // The first step needs no passage.
        points > 0
            && (table.catalog.spaces[from.index()].exits.iter().any(ends)
                || self.ways(table, piece).is_some_and(|ways| self.ends(&ways).next().is_some()))
    }

    /// What a step from a space onwards adds to the cost; `None` where there is no going on.
    fn toll(&self, table: &Table, owner: Option<FactionId>, space: SpaceId) -> Option<u32> {
        match self.passage(table, owner, space) {
            Passage::Free => Some(0),
            Passage::Stop => None,
            Passage::Consent(seat) => match self.consent(seat, space) {
                Some(given) => given.then_some(0),
                None => Some(1),
            },
        }
    }

    /// The ways of a piece; `None` in the pool.
    fn ways(&self, table: &Table, piece: PieceId) -> Option<Ways> {
        let (start, points) = self.reach(table, piece)?;
        let owner = table.world.piece(piece).owner();
        let spaces = &table.catalog.spaces;
        let mut reached = Vec::with_capacity(spaces.len());
        reached.push(Reached { space: start, cost: 0, from: 0 });
        let mut best = vec![NEVER; spaces.len()];
        best[start.index()] = 0;
        // What was reached with the last step.
        let mut ring = 0..1;
        for step in 0..points {
            for at in ring.clone() {
                let Reached { space, cost, .. } = reached[at];
                // The first step needs no passage.
                let toll = if step == 0 { Some(0) } else { self.toll(table, owner, space) };
                let Some(cost) = toll.map(|toll| cost + toll) else { continue };
                for exit in &spaces[space.index()].exits {
                    let place = &mut best[exit.index()];
                    let as_short = *place >= ring.end;
                    // Of ways that cost the same the shortest counts, then the one over the first space in id order.
                    let is_better = reached.get(*place).is_none_or(|known| {
                        cost < known.cost || as_short && cost == known.cost && space < reached[known.from].space
                    });
                    let found = Reached { space: *exit, cost, from: at };
                    match reached.get_mut(*place) {
                        _ if !is_better => {}
                        Some(known) if as_short => *known = found,
                        _ => {
                            *place = reached.len();
                            reached.push(found);
                        }
                    }
                }
            }
            ring = ring.end..reached.len();
            if ring.is_empty() {
                break;
            }
        }
        Some(Ways { reached, best })
    }

    /// Where ways may end.
    fn ends(&self, ways: &Ways) -> impl Iterator<Item = SpaceId> {
        ways.ends().filter(|to| !self.order.forbid.contains(to))
    }

    /// The way of a piece to a destination that needs the fewest new consents, of those the shortest: what consents it
    /// rests on. `None` where it cannot go there.
    fn way(&self, table: &Table, piece: PieceId, to: SpaceId) -> Option<Vec<(SeatId, SpaceId)>> {
        let ways = self.ways(table, piece)?;
        self.ends(&ways).find(|end| *end == to)?;
        let owner = table.world.piece(piece).owner();
        let consent = |space| match self.passage(table, owner, space) {
            Passage::Consent(seat) => Some((seat, space)),
            _ => None,
        };
        let mut needs: Vec<(SeatId, SpaceId)> = ways.over(to).filter_map(consent).collect();
        needs.reverse();
        Some(needs)
    }

    fn consent(&self, seat: SeatId, space: SpaceId) -> Option<bool> {
        self.consents.iter().find(|(s, at, _)| (*s, *at) == (seat, space)).map(|(.., given)| *given)
    }

    /// Opens the next decision; `None` where the movement is over (see [`Movement::commit`]).
    pub(crate) fn open(&mut self, table: &Table) {
        self.stale = false;
        let catalog = &table.catalog;
        let Some(rule) = &catalog.movement else { return };
        let words = &catalog.words;
        let mover = self.order.mover;
        let source = self.order.source;
        // The last list makes room for the next one.
        let mut options = self.ask.take().map(|ask| ask.options).unwrap_or_default();
        options.clear();
        let ask = |seat, decision, about: &[Value], options, always| {
            Some(Ask { seat, decision, source, about: Args::new(about), options, always })
        };
        self.ask = match &self.stage {
            Stage::Pick => {
                let mut picks: Vec<(KindId, SpaceId)> = Vec::with_capacity(self.order.pieces.len());
                for piece in &self.order.pieces {
                    if self.is_drafted(*piece) {
                        continue;
                    }
                    let kind = catalog.pieces[piece.index()].kind;
                    let Some(from) = table.world.piece(*piece).space() else { continue };
                    if picks.contains(&(kind, from)) || self.limit_reached(table, kind) {
                        continue;
                    }
                    if self.may_go(table, *piece) {
                        picks.push((kind, from));
                    }
                }
                let moves = picks.iter().map(|(kind, from)| [Value::Kind(*kind), Value::Space(*from)]);
                options.extend(moves.map(|pick| Choice::verb(words.r#move, &pick)));
                if !self.drafts.is_empty() {
                    options.push(Choice::verb(words.undo, &[]));
                }
                options.push(Choice::verb(words.done, &[]));
                ask(mover, rule.pick, &[], options, false)
            }
            Stage::To(piece) => {
                let ways = self.ways(table, *piece);
                let ends = ways.iter().flat_map(|ways| self.ends(ways));
                options.extend(ends.map(|to| Choice::verb(words.to, &[Value::Space(to)])));
                options.push(Choice::verb(words.back, &[]));
                let kind = catalog.pieces[piece.index()].kind;
                let from = table.world.piece(*piece).space().map_or(Value::Nil, Value::Space);
                ask(mover, rule.to, &[Value::Kind(kind), from], options, true)
            }
            Stage::Consent { piece, needs, next, .. } => match needs.get(*next) {
                Some((seat, space)) => {
                    options.extend([words.yes, words.no].map(|word| Choice::verb(word, &[])));
                    let kind = catalog.pieces[piece.index()].kind;
                    let about = [Value::Faction(mover), Value::Kind(kind), Value::Space(*space)];
                    ask(*seat, rule.consent, &about, options, true)
                }
                None => None,
            },
        };
    }

    fn is_drafted(&self, piece: PieceId) -> bool {
        self.drafts.iter().any(|draft| draft.piece == piece)
    }

    fn limit_reached(&self, table: &Table, kind: KindId) -> bool {
        let Some((_, limit)) = self.order.limits.iter().find(|(k, _)| *k == kind) else { return false };
        let used = self.drafts.iter().filter(|d| table.catalog.pieces[d.piece.index()].kind == kind).count();
        used >= *limit as usize
    }

    /// Takes an answer to the open decision. Returns the result where the movement is committed.
    pub(crate) fn answer(&mut self, table: &mut Table, choice: &Choice) -> Option<MoveResult> {
        let words = table.catalog.words;
        self.stale = true;
        match std::mem::replace(&mut self.stage, Stage::Pick) {
            Stage::Pick => {
                if choice.verb == Some(words.done) {
                    return Some(self.commit(table));
                }
                if choice.verb == Some(words.undo) {
                    self.drafts.pop();
                    return None;
                }
                if let [Value::Kind(kind), Value::Space(from)] = *choice.args.as_slice() {
                    let picked = self.order.pieces.iter().copied().find(|piece| {
                        table.world.piece(*piece).space() == Some(from)
                            && table.catalog.pieces[piece.index()].kind == kind
                            && !self.is_drafted(*piece)
                    });
                    self.stage = picked.map_or(Stage::Pick, Stage::To);
                }
            }
            Stage::To(piece) => {
                let target = match choice.args.as_slice() {
                    [Value::Space(to)] => self.way(table, piece, *to).map(|needs| (*to, needs)),
                    _ => None,
                };
                if let Some((to, needs)) = target {
                    let open: Vec<(SeatId, SpaceId)> =
                        needs.iter().copied().filter(|(seat, at)| self.consent(*seat, *at).is_none()).collect();
                    if open.is_empty() {
                        self.drafts.push(Draft { piece, to, needs });
                    } else {
                        self.stage = Stage::Consent { piece, to, needs: open, next: 0 };
                    }
                }
            }
            Stage::Consent { piece, to, needs, next } => {
                let given = choice.verb == Some(words.yes);
                if let Some((seat, space)) = needs.get(next).copied() {
                    self.consents.push((seat, space, given));
                }
                if given && next + 1 < needs.len() {
                    self.stage = Stage::Consent { piece, to, needs, next: next + 1 };
                } else if given {
                    // Every consent is there; the way is looked up again, since others may have been withdrawn meanwhile.
                    if let Some(needs) = self.way(table, piece, to)
                        && needs.iter().all(|(seat, at)| self.consent(*seat, *at) == Some(true))
                    {
                        self.drafts.push(Draft { piece, to, needs });
                    }
                }
            }
        }
        None
    }

    /// Whether a seat has given a consent that it may still withdraw.
    pub(crate) fn may_withdraw(&self, seat: SeatId) -> bool {
        self.consents.iter().any(|(s, _, given)| *s == seat && *given)
    }

    /// Takes all consents of a seat back: moves that rest on them are off the draft.
    pub(crate) fn withdraw(&mut self, seat: SeatId) {
        for (s, _, given) in &mut self.consents {
            if *s == seat {
                *given = false;
            }
        }
        self.drafts.retain(|draft| draft.needs.iter().all(|(s, _)| *s != seat));
        self.stale = true;
    }

    fn commit(&mut self, table: &mut Table) -> MoveResult {
        let mut result = MoveResult::default();
        let mut moves = Vec::with_capacity(self.drafts.len());
        for draft in &self.drafts {
            if let Some(from) = table.world.piece(draft.piece).space() {
                result.moved.push((draft.piece, from, draft.to));
                result.ended.push(draft.to);
                moves.push((draft.piece, Some(draft.to)));
            }
        }
        result.ended.sort_unstable();
        result.ended.dedup();
        result.before = result.ended.iter().map(|space| table.world.controller(*space)).collect();
        table.move_pieces(&moves);
        result
    }
}
