//! Cards as printed, and the zones they are in.

use std::collections::BTreeMap;
use std::ops::Deref;

use super::counters::Scope;
use super::hooks::Listener;
use super::props::Props;
use super::visibility::Visible;
use crate::ids::*;

/// A declared zone: one zone of the table, or one for each playable faction.
#[derive(Clone, Debug)]
pub struct ZoneKind {
    /// The id that the pack gives it.
    pub id: String,
    /// [`Scope::Game`] or [`Scope::Faction`].
    pub scope: Scope,
    /// Who sees the faces of its cards.
    pub visible: Visible,
    /// Whether hooks of its cards are live.
    pub active: bool,
    /// Its first [`ZoneId`]; the zones of the other factions follow in id order.
    pub offset: usize,
}

/// All declared zones in order.
#[derive(Clone, Debug, Default)]
pub struct ZoneKinds {
    list: Vec<ZoneKind>,
    /// The indices of zones in which hooks are live.
    active: Vec<usize>,
}

impl From<Vec<ZoneKind>> for ZoneKinds {
    fn from(list: Vec<ZoneKind>) -> Self {
        let active = list.iter().enumerate().filter(|(_, zone)| zone.active).map(|(at, _)| at).collect();
        ZoneKinds { list, active }
    }
}

impl Deref for ZoneKinds {
    type Target = [ZoneKind];
    fn deref(&self) -> &[ZoneKind] {
        &self.list
    }
}

impl ZoneKinds {
    /// The zones in which hooks of cards are live, in declaration order.
    pub fn active(&self) -> impl Iterator<Item = &ZoneKind> {
        self.active.iter().map(|at| &self.list[*at])
    }
}

/// A card design: a card as printed.
#[derive(Clone, Debug)]
pub struct Design {
    /// The id that the pack gives it.
    pub id: String,
    /// Keyword of its card type (`court`, `history`, …).
    pub card_type: SymbolId,
    /// The faction it belongs to, if any.
    pub faction: Option<FactionId>,
    /// The zone that holds its copies when the game begins.
    pub start: ZoneId,
    /// How many copies the box holds.
    pub copies: u16,
    /// Properties that the pack declares.
    pub props: Props,
    /// Numbers that its text and its hooks share, by name.
    pub params: BTreeMap<String, i32>,
    /// Its hooks, at most one for each hook point.
    pub listeners: Vec<Listener>,
}
