//! Decisions: who must choose, why, and every legal option.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::ids::*;

/// One legal option: a verb with values, or a bare value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct DecisionOption {
    /// The keyword of what is done; `None` if the option is just a thing to pick.
    pub verb: Option<SymbolId>,
    /// What it is done with; for a bare value that one.
    pub args: Args,
}

impl DecisionOption {
    /// An option that is a bare value.
    pub fn value(value: Value) -> Self {
        DecisionOption { verb: None, args: Args::new(&[value]) }
    }
    /// A verb with values, of which the first [`Args::MOST`] are kept.
    pub fn verb(verb: SymbolId, args: &[Value]) -> Self {
        DecisionOption { verb: Some(verb), args: Args::new(args) }
    }

    /// The stable name of this option, as saves, scenarios and players write it: `move guard hill`. Copies of a
    /// card and equal pieces share one name; a decision offers only one of them.
    pub fn key(&self, catalog: &Catalog) -> String {
        let mut key = String::new();
        if let Some(verb) = self.verb {
            key.push_str(catalog.symbols.name(verb.index()));
        }
        for value in self.args.iter() {
            if !key.is_empty() {
                key.push(' ');
            }
            key.push_str(&catalog.id_of(*value));
        }
        key
    }

    /// What makes two options the same to a player, in numbers: two that look the same have the same.
    fn look(&self, catalog: &Catalog) -> (Option<SymbolId>, usize, u128) {
        let values = self.args.iter().fold(0, |values, value| {
            let shown = match *value {
                Value::Card(card) => Value::Design(catalog.cards[card.index()]),
                Value::Piece(piece) => Value::Kind(catalog.pieces[piece.index()].kind),
                other => other,
            };
            values << u32::BITS | u128::from(shown.to_bits() as u32)
        });
        (self.verb, self.args.len(), values)
    }
}

/// An open decision: what a seat must choose now.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// The seat that must choose.
    pub seat: SeatId,
    /// The kind of the decision.
    pub kind: DecisionId,
    /// The card, design or rule that asks; [`Value::Nil`] if there is none.
    pub source: Value,
    /// Values that the prompt shows.
    pub about: Args,
    /// Every legal option, in a stable order; equal cards and pieces are offered once.
    pub options: Vec<DecisionOption>,
    /// Whether the seat is asked even if there is a single option, because that is a secret.
    pub always: bool,
}

// By hand, as for worlds: a derived `clone_from` would throw the target's list away.
impl Clone for Decision {
    fn clone(&self) -> Self {
        Decision { options: self.options.clone(), ..*self }
    }
    fn clone_from(&mut self, source: &Self) {
        let mut options = std::mem::take(&mut self.options);
        options.clone_from(&source.options);
        *self = Decision { options, ..*source };
    }
}

/// Up to this many options are compared with each other one by one.
const SHORT: usize = 32;

/// Keeps the first of several options that look the same to the player.
pub(crate) fn merge_equal(options: &mut Vec<DecisionOption>, catalog: &Catalog) {
    let has_twins = |option: &DecisionOption| option.args.iter().any(|v| matches!(v, Value::Card(_) | Value::Piece(_)));
    let count = options.iter().filter(|option| has_twins(option)).count();
    if count == 0 {
        return;
    }
    let (mut few, mut many) = (Vec::with_capacity(count.min(SHORT)), BTreeSet::new());
    options.retain(|option| {
        if !has_twins(option) {
            return true;
        }
        let look = option.look(catalog);
        // Looking through a short list costs less than keeping a set.
        if count > SHORT {
            return many.insert(look);
        }
        let is_new = !few.contains(&look);
        if is_new {
            few.push(look);
        }
        is_new
    });
}

/// One answer, as the record of a game keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The seat that answered.
    pub seat: SeatId,
    /// The option it took.
    pub option: DecisionOption,
    /// Whether it was an aside rather than the answer to an open decision.
    pub aside: bool,
}
