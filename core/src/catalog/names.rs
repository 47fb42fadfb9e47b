//! Keywords: text that packs write and the kernel numbers.

use std::collections::BTreeMap;

use crate::ids::SymbolId;

/// A list of distinct names that is also searched by name.
#[derive(Clone, Debug, Default)]
pub struct Names {
    list: Vec<String>,
    index: BTreeMap<String, usize>,
}

impl Names {
    /// The position of `name`, which is appended if it is new.
    pub fn intern(&mut self, name: &str) -> usize {
        if let Some(&at) = self.index.get(name) {
            return at;
        }
        self.list.push(name.to_owned());
        self.index.insert(name.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
    /// The position of `name`, if it was interned.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }
    /// The name at a position; `?` beyond the end.
    pub fn name(&self, at: usize) -> &str {
        self.list.get(at).map_or("?", String::as_str)
    }
    /// All names in the order in which they were interned.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }
    /// How many names there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }
    /// Whether it has no names.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The keywords that the kernel itself uses, in every catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keywords {
    /// `yes`: consent given.
    pub yes: SymbolId,
    /// `no`: consent refused.
    pub no: SymbolId,
    /// `done`: ends a movement: the draft is carried out.
    pub done: SymbolId,
    /// `undo`: takes the last drafted move back.
    pub undo: SymbolId,
    /// `back`: picks another piece after all.
    pub back: SymbolId,
    /// `move`: picks a piece to move.
    pub r#move: SymbolId,
    /// `to`: sends the picked piece to a space.
    pub to: SymbolId,
    /// `withdraw-consent`: takes back every consent that a seat has given to the movement under way.
    pub withdraw_consent: SymbolId,
    /// `attacker`: the side of a battle that moved in.
    pub attacker: SymbolId,
    /// `defender`: the side of a battle that was there.
    pub defender: SymbolId,
}

impl Keywords {
    /// Interns all of them.
    pub fn intern(names: &mut Names) -> Self {
        let mut word = |name: &str| SymbolId::at(names.intern(name));
        Keywords {
            yes: word("yes"),
            no: word("no"),
            done: word("done"),
            undo: word("undo"),
            back: word("back"),
            r#move: word("move"),
            to: word("to"),
            withdraw_consent: word("withdraw-consent"),
            attacker: word("attacker"),
            defender: word("defender"),
        }
    }
}
