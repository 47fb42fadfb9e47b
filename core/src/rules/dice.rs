//! Dice, and results that scenarios fix in advance.

use crate::state::{Event, Table};

impl Table {
    /// Rolls dice with `n` faces: 0 to `n - 1` each.
    pub(crate) fn dice<const N: usize>(&mut self, n: u32) -> [u32; N] {
        let faces = self.world.rng.dice(n);
        self.rolled.extend(faces);
        faces
    }

    /// Rolls a die: 1 to `sides`; always 1 if `sides` is less than 1.
    pub fn roll(&mut self, sides: i32) -> i32 {
        let [face] = self.dice(u32::try_from(sides).unwrap_or(1));
        let result = face as i32 + 1;
        self.emit(Event::Rolled { sides, result });
        result
    }

    /// Fixes the next results of dice, 0 for the first face, as scenarios do.
    pub fn script_dice(&mut self, results: &[u32]) {
        self.world.rng.script(results);
    }

    /// The number of fixed results that have not been rolled.
    pub fn scripted_dice_left(&self) -> usize {
        self.world.rng.scripted_left()
    }
}
