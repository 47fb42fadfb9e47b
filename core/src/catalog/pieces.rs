//! Kinds of pieces, and the box that holds them all.

use std::ops::{Deref, Range};
use std::sync::OnceLock;

use super::control::ControlScore;
use super::props::Props;
use crate::ids::*;

/// A kind of piece: a unit, a building, a token.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The id that the pack gives it.
    pub id: String,
    /// Keyword of its class: a named set of kinds (`cavalry`, `building`, …).
    pub class: SymbolId,
    /// Whether pieces of this kind occupy a space: they count for control, stop movement and fight.
    pub occupies: bool,
    /// Numbers that procedures and scripts read and hooks may change, by name.
    pub stats: Props,
    /// Points for the seat that controls the space of such a piece.
    pub on_control: Vec<ControlScore>,
    /// Properties that the pack declares.
    pub props: Props,
    /// Whether only its owner and the factions that see its space see it (see
    /// [`CatalogParts::fog`](super::CatalogParts::fog)).
    pub fogged: bool,
}

/// A piece in the box.
#[derive(Clone, Copy, Debug)]
pub struct PieceSpec {
    /// Which kind of piece it is, forever.
    pub kind: KindId,
    /// The initial owner; `None` if nobody owns it.
    pub owner: Option<FactionId>,
}

/// All pieces of the game, on the board or not, by [`PieceId`].
#[derive(Clone, Debug, Default)]
pub struct PieceBox {
    list: Vec<PieceSpec>,
    /// For each kind, the range of the list that contains its pieces. The range may contain other pieces too.
    spans: Vec<Range<usize>>,
    /// The same for each class, from the first question on.
    classes: OnceLock<Vec<(SymbolId, Range<usize>)>>,
}

impl From<Vec<PieceSpec>> for PieceBox {
    fn from(list: Vec<PieceSpec>) -> Self {
        let kinds = list.iter().map(|piece| piece.kind.index() + 1).max().unwrap_or(0);
        let mut spans = vec![0..0; kinds];
        for (at, piece) in list.iter().enumerate() {
            let span = &mut spans[piece.kind.index()];
            *span = (if span.end == 0 { at } else { span.start })..at + 1;
        }
        PieceBox { list, spans, classes: OnceLock::new() }
    }
}

impl Deref for PieceBox {
    type Target = [PieceSpec];
    fn deref(&self) -> &[PieceSpec] {
        &self.list
    }
}

impl PieceBox {
    /// The range that contains the pieces of a kind, or all pieces. It may contain other pieces too.
    pub fn span(&self, kind: Option<KindId>) -> Range<usize> {
        match kind {
            Some(kind) => self.spans.get(kind.index()).cloned().unwrap_or_default(),
            None => 0..self.list.len(),
        }
    }

    /// The range that contains the pieces of a class of these kinds. It may contain other pieces too.
    pub fn span_of_class(&self, class: SymbolId, kinds: &[Kind]) -> Range<usize> {
        let classes = self.classes.get_or_init(|| {
            let mut classes: Vec<(SymbolId, Range<usize>)> = Vec::new();
            for (kind, span) in kinds.iter().zip(&self.spans).filter(|(_, span)| !span.is_empty()) {
                match classes.iter_mut().find(|(known, _)| *known == kind.class) {
                    Some((_, whole)) => *whole = whole.start.min(span.start)..whole.end.max(span.end),
                    None => classes.push((kind.class, span.clone())),
                }
            }
            classes
        });
        classes.iter().find(|(known, _)| *known == class).map_or(0..0, |(_, span)| span.clone())
    }

    /// The pieces of a kind in id order.
    pub fn of_kind(&self, kind: KindId) -> impl Iterator<Item = PieceId> + '_ {
        self.span(Some(kind)).filter(move |at| self.list[*at].kind == kind).map(PieceId::at)
    }
}
