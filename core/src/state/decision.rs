//! Decisions: who must choose, for what reason, and all legal options.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::ids::*;

/// A legal option: a verb with values, or only a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct DecisionOption {
    /// The keyword of the action; `None` if the option is only a value to pick.
    pub verb: Option<SymbolId>,
    /// The values of the verb, or the value to pick.
    pub args: Args,
}

impl DecisionOption {
    /// An option that is only a value.
    pub fn value(value: Value) -> Self {
        DecisionOption { verb: None, args: Args::new(&[value]) }
    }
    /// A verb with values. Only the first [`Args::MOST`] values are kept.
    pub fn verb(verb: SymbolId, args: &[Value]) -> Self {
        DecisionOption { verb: Some(verb), args: Args::new(args) }
    }

    /// The stable key of this option in saves, scenarios and input of players: `move guard hill`. Copies of a card and
    /// equal pieces share a key; a decision offers only one of them.
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

    /// A key in numbers: two options look the same to a player exactly if it is equal.
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

/// An open decision: what a seat must choose.
#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// The seat that must choose.
    pub seat: SeatId,
    /// The kind of the decision.
    pub kind: DecisionId,
    /// The card, design or rule that asks for it; [`Value::Nil`] if there is none.
    pub source: Value,
    /// Values for the prompt.
    pub about: Args,
    /// All legal options, in a stable order. Equal cards and pieces are offered once.
    pub options: Vec<DecisionOption>,
    /// Whether the seat is asked even if there is only one option, because that is a secret.
    pub always: bool,
}

// Written by hand, because a derived `clone_from` would drop the target's list.
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

/// The length up to which options are compared pairwise.
const SHORT: usize = 32;

/// Keeps the first of several options that look the same to the player.
pub(crate) fn merge_equal(options: &mut Vec<DecisionOption>, catalog: &Catalog) {
    let has_twins = |option: &DecisionOption| option.args.iter().any(|v| matches!(v, Value::Card(_) | Value::Piece(_)));
    let count = options.iter().filter(|option| has_twins(option)).count();
    if count == 0 || (count > SHORT && are_different_cards(options, catalog)) {
        return;
    }
    let (mut few, mut many) = (Vec::with_capacity(count.min(SHORT)), BTreeSet::new());
    options.retain(|option| {
        if !has_twins(option) {
            return true;
        }
        let look = option.look(catalog);
        // Searching a short list costs less than a set.
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

/// Whether no two values of the options are copies of a card, or pieces. This costs less than comparing long lists.
fn are_different_cards(options: &[DecisionOption], catalog: &Catalog) -> bool {
    let mut seen = vec![false; catalog.designs.len()];
    options.iter().flat_map(|option| option.args.iter()).all(|value| match *value {
        Value::Card(card) => !std::mem::replace(&mut seen[catalog.cards[card.index()].index()], true),
        Value::Piece(_) => false,
        _ => true,
    })
}

/// An answer in the record of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The seat that answered.
    pub seat: SeatId,
    /// The option it took.
    pub option: DecisionOption,
    /// Whether it was an aside rather than the answer to an open decision.
    pub aside: bool,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::catalog::{CatalogParts, Design, Props, Scope, Visible, ZoneKind};

    #[test]
    fn copies_of_a_card_are_offered_once_in_short_and_long_lists() {
        for (designs, copies) in [(10_usize, 1), (10, 2), (50, 1), (50, 2)] {
            let mut catalog = CatalogParts::new("cards");
            for at in 0..designs {
                catalog.designs.push(Design {
                    id: format!("card-{at}"),
                    card_type: SymbolId(0),
                    faction: None,
                    start: ZoneId(0),
                    copies,
                    props: Props::default(),
                    params: BTreeMap::new(),
                    listeners: Vec::new(),
                });
            }
            let visible = Visible::Everyone;
            let zone = ZoneKind { id: "deck".to_owned(), scope: Scope::Game, visible, active: false, offset: 0 };
            catalog.zones = vec![zone].into();
            catalog.zone_list = vec![(ZoneKindId(0), None)];
            catalog.cards = (0..copies).flat_map(|_| (0..designs).map(DesignId::at)).collect();
            let catalog = catalog.build().unwrap();
            let one = |at: usize| DecisionOption::value(Value::Card(CardId::at(at)));
            let mut options: Vec<DecisionOption> = (0..catalog.cards.len()).map(one).collect();
            options.push(DecisionOption::value(Value::Int(1)));
            merge_equal(&mut options, &catalog);
            let wanted: Vec<DecisionOption> = (0..designs).map(one).collect();
            assert_eq!((&options[..options.len() - 1], options.len()), (&*wanted, wanted.len() + 1));
        }
    }
}
