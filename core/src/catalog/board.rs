//! The spaces of the board and their connections.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::OnceLock;

use super::control::ControlScore;
use super::props::Props;
use crate::ids::*;

/// In which games a starting piece is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartWhen {
    /// In every game.
    Always,
    /// If somebody leads its faction.
    Led,
    /// If nobody leads its faction.
    Unled,
}

/// Pieces of one kind and owner that are on a space when the game begins.
#[derive(Clone, Debug)]
pub struct StartPieces {
    /// The kind of piece.
    pub kind: KindId,
    /// The owner.
    pub faction: Option<FactionId>,
    /// The number. If the box has fewer, all of them are placed.
    pub count: u16,
    /// The games in which they are placed.
    pub when: StartWhen,
}

/// A space of the board.
#[derive(Clone, Debug)]
pub struct Space {
    /// The id that the pack gives it.
    pub id: String,
    /// Keyword of its kind (`land`, `area`, `hex`, …).
    pub kind: SymbolId,
    /// The faction whose borders contain it.
    pub home: Option<FactionId>,
    /// The position for drawing: x to the east, y to the south, in units of the pack's choice.
    pub at: (i32, i32),
    /// Spaces that can be entered from here, in id order. The connection is one-way if the other space does not list
    /// this one.
    pub exits: Vec<SpaceId>,
    /// Points for its controller.
    pub on_control: Vec<ControlScore>,
    /// Pieces at the start.
    pub pieces: Vec<StartPieces>,
    /// Properties that the pack declares.
    pub props: Props,
}

/// All spaces by [`SpaceId`], with derived data that never changes.
#[derive(Clone, Debug, Default)]
pub struct Board {
    list: Vec<Space>,
    /// For each property, the spaces that have it, grouped by value.
    alike: BTreeMap<SymbolId, Vec<Vec<SpaceId>>>,
    /// For each space, the neighbors with a connection in both directions.
    neighbors: Vec<Vec<SpaceId>>,
    /// For each space, the number of steps to all others, counted on first use; empty on large boards.
    steps: Vec<OnceLock<Box<[u16]>>>,
}

/// On boards with more spaces, steps are counted each time, because keeping them would take megabytes.
const MOST_KEPT: usize = 1024;

impl From<Vec<Space>> for Board {
    fn from(list: Vec<Space>) -> Self {
        let mut alike: BTreeMap<SymbolId, BTreeMap<Value, Vec<SpaceId>>> = BTreeMap::new();
        for (at, space) in list.iter().enumerate() {
            for (property, value) in &space.props.0 {
                alike.entry(*property).or_default().entry(*value).or_default().push(SpaceId::at(at));
            }
        }
        let alike = alike.into_iter().map(|(property, groups)| (property, groups.into_values().collect())).collect();
        let leads_back = |here: usize, there: &&SpaceId| {
            list.get(there.index()).is_some_and(|there| there.exits.contains(&SpaceId::at(here)))
        };
        let around =
            |(at, space): (usize, &Space)| space.exits.iter().filter(|there| leads_back(at, there)).copied().collect();
        let neighbors = list.iter().enumerate().map(around).collect();
        let steps = if list.len() <= MOST_KEPT { vec![OnceLock::new(); list.len()] } else { Vec::new() };
        Board { list, alike, neighbors, steps }
    }
}

impl Deref for Board {
    type Target = [Space];
    fn deref(&self) -> &[Space] {
        &self.list
    }
}

impl<'a> IntoIterator for &'a Board {
    type Item = &'a Space;
    type IntoIter = std::slice::Iter<'a, Space>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl Board {
    /// The spaces that have a property, grouped by its value; in id order within a group.
    pub fn alike(&self, prop: SymbolId) -> &[Vec<SpaceId>] {
        self.alike.get(&prop).map_or(&[], Vec::as_slice)
    }
    /// The neighbors with a connection in both directions, in id order.
    pub fn neighbors(&self, space: SpaceId) -> &[SpaceId] {
        &self.neighbors[space.index()]
    }

    /// The value of [`Board::steps`] for a space that cannot be reached.
    pub const NO_WAY: u16 = u16::MAX;

    /// The number of steps from `from` to each space, in id order; [`Board::NO_WAY`] for spaces that cannot be reached.
    pub fn steps(&self, from: SpaceId) -> Cow<'_, [u16]> {
        match self.steps.get(from.index()) {
            Some(known) => Cow::Borrowed(known.get_or_init(|| self.count_steps(from).into())),
            None => Cow::Owned(self.count_steps(from)),
        }
    }

    fn count_steps(&self, from: SpaceId) -> Vec<u16> {
        let mut steps = vec![Self::NO_WAY; self.len()];
        steps[from.index()] = 0;
        let (mut ring, mut far) = (vec![from], 0);
        while !ring.is_empty() && far + 1 < Self::NO_WAY {
            far += 1;
            let mut next = Vec::new();
            for exit in ring.iter().flat_map(|space| &self[space.index()].exits) {
                let known = &mut steps[exit.index()];
                if *known == Self::NO_WAY {
                    *known = far;
                    next.push(*exit);
                }
            }
            ring = next;
        }
        steps
    }
}
