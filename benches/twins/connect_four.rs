//! Connect four in plain Rust: the rules of the pack `connect-four` without packs, scripts, events or saves.

/// Columns and rows of the board.
pub const COLUMNS: usize = 7;
/// Rows of the board.
pub const ROWS: usize = 6;
/// Cells of the board, column by column from below: a1, a2, … g6.
pub const CELLS: usize = COLUMNS * ROWS;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// A side has four in a row.
    Won(u8),
    /// The board is full.
    Full,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The owner of the disc in each cell.
    pub cells: [Option<u8>; CELLS],
    heights: [u8; COLUMNS],
    discs: u8,
    /// How it ended.
    pub end: Option<End>,
}

impl Game {
    /// An empty board.
    pub fn new() -> Self {
        Game { cells: [None; CELLS], heights: [0; COLUMNS], discs: 0, end: None }
    }

    /// Whose turn it is.
    pub fn turn(&self) -> u8 {
        self.discs % 2
    }

    /// The cells into which a disc can fall.
    pub fn options(&self, out: &mut Vec<usize>) {
        out.clear();
        if self.end.is_some() {
            return;
        }
        for (column, height) in self.heights.iter().enumerate() {
            if usize::from(*height) < ROWS {
                out.push(column * ROWS + usize::from(*height));
            }
        }
    }

    /// Drops a disc into one of the cells of [`Game::options`].
    pub fn play(&mut self, cell: usize) {
        let side = self.turn();
        self.cells[cell] = Some(side);
        self.heights[cell / ROWS] += 1;
        self.discs += 1;
        if self.has_row(cell, side) {
            self.end = Some(End::Won(side));
        } else if usize::from(self.discs) == CELLS {
            self.end = Some(End::Full);
        }
    }

    fn has_row(&self, cell: usize, side: u8) -> bool {
        let (column, row) = ((cell / ROWS) as i32, (cell % ROWS) as i32);
        let run = |dx: i32, dy: i32| {
            let (mut x, mut y, mut length) = (column + dx, row + dy, 0);
            while (0..COLUMNS as i32).contains(&x)
                && (0..ROWS as i32).contains(&y)
                && self.cells[x as usize * ROWS + y as usize] == Some(side)
            {
                (x, y, length) = (x + dx, y + dy, length + 1);
            }
            length
        };
        [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|(dx, dy)| 1 + run(*dx, *dy) + run(-dx, -dy) >= 4)
    }
}
