//! Decisions: who must choose, why, and every legal option.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::ids::*;

/// One option: a verb with values, or a bare value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// What is done; none where the option is just a thing to pick.
    pub verb: Option<SymbolId>,
    /// With what.
    pub args: Args,
}

impl Choice {
    /// A bare value.
    pub fn value(value: Value) -> Self {
        Choice { verb: None, args: Args::new(&[value]) }
    }
    /// A verb with values.
    pub fn verb(verb: SymbolId, args: &[Value]) -> Self {
        Choice { verb: Some(verb), args: Args::new(args) }
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
    fn face(&self, catalog: &Catalog) -> (Option<SymbolId>, usize, u128) {
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

/// An open decision.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Ask {
    /// Who must choose.
    pub seat: SeatId,
    /// What kind of decision.
    pub decision: DecisionId,
    /// The card, design or rule that asks.
    pub source: Value,
    /// What the prompt speaks of.
    pub about: Args,
    /// Every legal option, in a stable order.
    pub options: Vec<Choice>,
    /// Whether a single option is asked for too, because its being the only one is a secret.
    pub always: bool,
}

// By hand, as of worlds: a derived `clone_from` would throw the target's list away.
impl Clone for Ask {
    fn clone(&self) -> Self {
        Ask { options: self.options.clone(), ..*self }
    }
    fn clone_from(&mut self, source: &Self) {
        let mut options = std::mem::take(&mut self.options);
        options.clone_from(&source.options);
        *self = Ask { options, ..*source };
    }
}

/// Options of which each is compared with all others.
const SHORT: usize = 32;

/// Keeps one of several options that look the same to the player.
pub(crate) fn merge_equal(options: &mut Vec<Choice>, catalog: &Catalog) {
    let has_twins = |choice: &Choice| choice.args.iter().any(|v| matches!(v, Value::Card(_) | Value::Piece(_)));
    let count = options.iter().filter(|choice| has_twins(choice)).count();
    if count == 0 {
        return;
    }
    let (mut few, mut many) = (Vec::with_capacity(count.min(SHORT)), BTreeSet::new());
    options.retain(|choice| {
        if !has_twins(choice) {
            return true;
        }
        let face = choice.face(catalog);
        // Looking through a short list costs less than keeping a set.
        if count > SHORT {
            return many.insert(face);
        }
        let is_new = !few.contains(&face);
        if is_new {
            few.push(face);
        }
        is_new
    });
}

/// One answer of the record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Who answered.
    pub seat: SeatId,
    /// What was chosen.
    pub choice: Choice,
    /// Whether it was a play at any time rather than the answer to a decision.
    pub aside: bool,
}
