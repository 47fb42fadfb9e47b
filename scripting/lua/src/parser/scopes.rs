//! What names mean at a position of the text.

use std::collections::HashMap;

/// The local variables that can be seen.
#[derive(Default)]
pub struct Scopes<'t> {
    /// All of them, the innermost last: name and number.
    seen: Vec<(&'t str, usize)>,
    /// What each name represents, the innermost last.
    by_name: HashMap<&'t str, Vec<usize>>,
}

impl<'t> Scopes<'t> {
    /// How many can be seen now, for [`Scopes::leave`].
    pub fn enter(&self) -> usize {
        self.seen.len()
    }

    /// Forgets what has been declared since.
    pub fn leave(&mut self, before: usize) {
        for (name, _) in self.seen.drain(before.min(self.seen.len())..) {
            if let Some(list) = self.by_name.get_mut(name) {
                list.pop();
            }
        }
    }

    pub fn show(&mut self, name: &'t str, local: usize) {
        self.seen.push((name, local));
        self.by_name.entry(name).or_default().push(local);
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name)?.last().copied()
    }
}
