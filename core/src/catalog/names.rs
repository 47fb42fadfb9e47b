//! Keywords: texts in packs that the kernel numbers.

use std::collections::BTreeMap;

use crate::ids::SymbolId;

/// A list of distinct names with an index.
#[derive(Clone, Debug, Default)]
pub struct Names {
    list: Vec<String>,
    index: BTreeMap<String, usize>,
}

impl Names {
    /// The index of `name`. A new name is appended.
    pub fn intern(&mut self, name: &str) -> usize {
        if let Some(&at) = self.index.get(name) {
            return at;
        }
        self.list.push(name.to_owned());
        self.index.insert(name.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
    /// The index of `name`, if it was interned.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }
    /// The name at an index; `?` beyond the end.
    pub fn name(&self, at: usize) -> &str {
        self.list.get(at).map_or("?", String::as_str)
    }
    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }
    /// The number of names.
    pub fn len(&self) -> usize {
        self.list.len()
    }
    /// Whether it has no names.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The kernel's own keywords, which every catalog has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keywords {
    /// `yes`: consent given.
    pub yes: SymbolId,
    /// `no`: consent refused.
    pub no: SymbolId,
    /// `done`: ends a movement and carries out the draft.
    pub done: SymbolId,
    /// `undo`: takes back the last drafted move.
    pub undo: SymbolId,
    /// `back`: picks another piece instead.
    pub back: SymbolId,
    /// `move`: picks a piece to move.
    pub r#move: SymbolId,
    /// `to`: sends the picked piece to a space.
    pub to: SymbolId,
    /// `withdraw-consent`: takes back every consent that a seat has given to the current movement.
    pub withdraw_consent: SymbolId,
    /// `attacker`: the side that moved in.
    pub attacker: SymbolId,
    /// `defender`: the side that was there before.
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
