//! The scopes of names.

use std::collections::HashMap;

/// The visible local variables.
#[derive(Default)]
pub struct Scopes<'t> {
    /// All of them, the innermost last: name and number.
    seen: Vec<(&'t str, usize)>,
    /// The locals of each name, the innermost last.
    by_name: HashMap<&'t str, Vec<usize>>,
}

impl<'t> Scopes<'t> {
    /// The number of visible locals, for [`Scopes::leave`].
    pub fn enter(&self) -> usize {
        self.seen.len()
    }

    /// Removes the locals that were declared since.
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
