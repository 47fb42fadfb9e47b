//! The lines of a text.

/// Where the lines of a text begin.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub fn of(text: &str) -> Self {
        Lines(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The line that has a byte, from 1.
    pub fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte)
    }

    /// The first byte of the line that has a byte.
    pub fn start_at(&self, byte: usize) -> usize {
        // The first line begins at 0, so a byte is always in a line.
        self.0[self.at(byte) - 1]
    }
}
