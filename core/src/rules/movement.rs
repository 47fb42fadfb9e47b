//! The movement procedure: a draft that its mover may change freely, the consent of seats whose pieces are in the way,
//! and one commit.
//!
//! If a route needs consent (`paths.rs`), the other seat is asked, and may withdraw its consent until the move is
//! committed. Ranges, guards and stops come from stats and query hooks.

use crate::catalog::MovementRule;
use crate::ids::*;
use crate::state::{
    Consent, ConsentReply, Decision, DecisionOption, DraftedMove, MoveResult, Movement, Range, Stage, Table,
};

/// Runs all live query hooks of a point over a value.
pub(crate) type Query<'a, E> = dyn FnMut(&mut Table, HookPointId, i32, &[Value]) -> Result<i32, E> + 'a;

impl Movement {
    /// The drafted moves: the piece, its space, and its destination.
    pub fn drafts<'a>(&'a self, table: &'a Table) -> impl Iterator<Item = (PieceId, Option<SpaceId>, SpaceId)> + 'a {
        self.draft.iter().map(|draft| (draft.piece, table.world.piece(draft.piece).space(), draft.to))
    }

    /// Reads the movement points of all pieces and the guards with `query`. Returns false if that was done before.
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
            if self.ranges.iter().any(|range| (range.owner, range.kind) == (owner, kind)) {
                continue;
            }
            let base = catalog.kinds[kind.index()].stats.int(rule.stat);
            let args = [owner.map_or(Value::Nil, Value::Faction), Value::Kind(kind)];
            let points = query(table, catalog.kernel.movement_points, base, &args)?;
            self.ranges.push(Range { owner, kind, points: points.clamp(0, 99) });
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

    /// Opens the next decision.
    pub(crate) fn open(&mut self, table: &Table) {
        self.stale = false;
        let Some(rule) = &table.catalog.movement else { return };
        // Reuses the last list.
        let mut options = self.decision.take().map(|decision| decision.options).unwrap_or_default();
        options.clear();
        self.decision = match &self.stage {
            Stage::Pick => Some(self.ask_for_piece(table, rule, options)),
            Stage::To(piece) => Some(self.ask_for_destination(table, rule, *piece, options)),
            Stage::Consent { piece, needs, next, .. } => {
                needs.get(*next).map(|consent| self.ask_for_consent(table, rule, *piece, *consent, options))
            }
        };
    }

    fn ask_for_piece(&self, table: &Table, rule: &MovementRule, mut options: Vec<DecisionOption>) -> Decision {
        let (catalog, words) = (&table.catalog, &table.catalog.words);
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
            if self.has_destination(table, *piece) {
                picks.push((kind, from));
            }
        }
        let moves = picks.iter().map(|(kind, from)| [Value::Kind(*kind), Value::Space(*from)]);
        options.extend(moves.map(|pick| DecisionOption::verb(words.r#move, &pick)));
        if !self.draft.is_empty() {
            options.push(DecisionOption::verb(words.undo, &[]));
        }
        options.push(DecisionOption::verb(words.done, &[]));
        self.decision(self.order.mover, rule.pick, &[], options)
    }

    fn ask_for_destination(
        &self,
        table: &Table,
        rule: &MovementRule,
        piece: PieceId,
        mut options: Vec<DecisionOption>,
    ) -> Decision {
        let words = &table.catalog.words;
        let destinations = self.destinations(table, piece).into_iter();
        options.extend(destinations.map(|to| DecisionOption::verb(words.to, &[Value::Space(to)])));
        options.push(DecisionOption::verb(words.back, &[]));
        let kind = table.catalog.pieces[piece.index()].kind;
        let from = table.world.piece(piece).space().map_or(Value::Nil, Value::Space);
        let decision = self.decision(self.order.mover, rule.to, &[Value::Kind(kind), from], options);
        Decision { always: true, ..decision }
    }

    fn ask_for_consent(
        &self,
        table: &Table,
        rule: &MovementRule,
        piece: PieceId,
        Consent { seat, space }: Consent,
        mut options: Vec<DecisionOption>,
    ) -> Decision {
        let words = &table.catalog.words;
        options.extend([words.yes, words.no].map(|word| DecisionOption::verb(word, &[])));
        let kind = table.catalog.pieces[piece.index()].kind;
        let about = [Value::Faction(self.order.mover), Value::Kind(kind), Value::Space(space)];
        Decision { always: true, ..self.decision(seat, rule.consent, &about, options) }
    }

    fn decision(&self, seat: SeatId, decision: DecisionId, about: &[Value], options: Vec<DecisionOption>) -> Decision {
        Decision { seat, kind: decision, source: self.order.source, about: Args::new(about), options, always: false }
    }

    fn is_drafted(&self, piece: PieceId) -> bool {
        self.draft.iter().any(|draft| draft.piece == piece)
    }

    fn limit_reached(&self, table: &Table, kind: KindId) -> bool {
        let Some((_, limit)) = self.order.limits.iter().find(|(k, _)| *k == kind) else { return false };
        let used = self.draft.iter().filter(|d| table.catalog.pieces[d.piece.index()].kind == kind).count();
        used >= *limit as usize
    }

    /// Takes an answer to the open decision. Returns the result if the answer commits the movement.
    pub(crate) fn answer(&mut self, table: &mut Table, option: &DecisionOption) -> Option<MoveResult> {
        let words = table.catalog.words;
        self.stale = true;
        match std::mem::replace(&mut self.stage, Stage::Pick) {
            Stage::Pick => {
                if option.verb == Some(words.done) {
                    return Some(self.commit(table));
                }
                if option.verb == Some(words.undo) {
                    self.draft.pop();
                    return None;
                }
                if let [Value::Kind(kind), Value::Space(from)] = *option.args.as_slice() {
                    let picked = self.order.pieces.iter().copied().find(|piece| {
                        table.world.piece(*piece).space() == Some(from)
                            && table.catalog.pieces[piece.index()].kind == kind
                            && !self.is_drafted(*piece)
                    });
                    self.stage = picked.map_or(Stage::Pick, Stage::To);
                }
            }
            Stage::To(piece) => {
                let target = match option.args.as_slice() {
                    [Value::Space(to)] => self.consents_on_path(table, piece, *to).map(|needs| (*to, needs)),
                    _ => None,
                };
                if let Some((to, needs)) = target {
                    let is_open = |consent: &Consent| self.reply(*consent).is_none();
                    let open: Vec<Consent> = needs.iter().copied().filter(is_open).collect();
                    if open.is_empty() {
                        self.draft.push(DraftedMove { piece, to, needs });
                    } else {
                        self.stage = Stage::Consent { piece, to, needs: open, next: 0 };
                    }
                }
            }
            Stage::Consent { piece, to, needs, next } => {
                let given = option.verb == Some(words.yes);
                if let Some(consent) = needs.get(next).copied() {
                    self.replies.push(ConsentReply { consent, given });
                }
                if given && next + 1 < needs.len() {
                    self.stage = Stage::Consent { piece, to, needs, next: next + 1 };
                } else if given {
                    // Every consent has been given. The path is computed again, because other consents may have been
                    // withdrawn in the meantime.
                    if let Some(needs) = self.consents_on_path(table, piece, to)
                        && needs.iter().all(|consent| self.reply(*consent) == Some(true))
                    {
                        self.draft.push(DraftedMove { piece, to, needs });
                    }
                }
            }
        }
        None
    }

    /// Whether a seat has given a consent that it may still withdraw.
    pub(crate) fn may_withdraw(&self, seat: SeatId) -> bool {
        self.replies.iter().any(|reply| reply.consent.seat == seat && reply.given)
    }

    /// Takes back all consents of a seat. Moves that depend on them are removed from the draft.
    pub(crate) fn withdraw(&mut self, seat: SeatId) {
        for reply in self.replies.iter_mut().filter(|reply| reply.consent.seat == seat) {
            reply.given = false;
        }
        self.draft.retain(|draft| draft.needs.iter().all(|consent| consent.seat != seat));
        self.stale = true;
    }

    fn commit(&mut self, table: &mut Table) -> MoveResult {
        let mut result = MoveResult::default();
        let mut moves = Vec::with_capacity(self.draft.len());
        for draft in &self.draft {
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
