//! Grids: the cells on which tiles are laid, and their neighbors.

use std::collections::BTreeMap;

/// The most sides that a cell has.
pub const MOST_SIDES: usize = 6;

/// A bounded grid of cells. A cell is identified by its column and row, counted from 0 in the west and the north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Hexagons with a corner at the top: all cells within a number of steps from the middle one.
    Hexagons {
        /// The number of steps.
        radius: u16,
    },
    /// Cells with four sides, in columns and rows.
    Squares {
        /// The number of cells from west to east.
        columns: u16,
        /// The number of cells from north to south.
        rows: u16,
    },
}

/// The offsets of the neighbors of a hexagon, as columns and rows, clockwise from the north-east.
const HEXAGON: [(i32, i32); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];
/// The offsets of the neighbors of a square, clockwise from the north.
const SQUARE: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

impl Grid {
    /// The number of sides of a cell. Sides are numbered clockwise: from the north-east for hexagons, from the north
    /// for squares.
    pub fn sides(self) -> usize {
        self.steps().len()
    }

    fn steps(self) -> &'static [(i32, i32)] {
        match self {
            Grid::Hexagons { .. } => &HEXAGON,
            Grid::Squares { .. } => &SQUARE,
        }
    }

    /// All cells by column and row, from north to south and then from west to east.
    pub fn cells(self) -> Vec<(i32, i32)> {
        match self {
            Grid::Hexagons { radius } => {
                let radius = i32::from(radius);
                let row = |r: i32| {
                    let (west, east) = ((-radius).max(-r - radius), radius.min(radius - r));
                    (west..=east).map(move |q| (q + radius, r + radius))
                };
                (-radius..=radius).flat_map(row).collect()
            }
            Grid::Squares { columns, rows } => {
                let row = |y: i32| (0..i32::from(columns)).map(move |x| (x, y));
                (0..i32::from(rows)).flat_map(row).collect()
            }
        }
    }

    /// The position for drawing a cell: x to the east, y to the south. Hexagons are two units wide, and rows are one
    /// unit apart.
    pub fn place(self, (column, row): (i32, i32)) -> (i32, i32) {
        match self {
            Grid::Hexagons { .. } => (2 * column + row, row),
            Grid::Squares { .. } => (column, row),
        }
    }

    /// For each cell, in the order of [`Grid::cells`], the indices of the cells beyond its sides; `None` at the border.
    pub fn across(self) -> Vec<[Option<usize>; MOST_SIDES]> {
        let cells = self.cells();
        let at: BTreeMap<(i32, i32), usize> = cells.iter().enumerate().map(|(at, cell)| (*cell, at)).collect();
        let beyond = |(column, row): &(i32, i32)| {
            let mut beyond = [None; MOST_SIDES];
            for (there, (x, y)) in beyond.iter_mut().zip(self.steps()) {
                *there = at.get(&(column + x, row + y)).copied();
            }
            beyond
        };
        cells.iter().map(beyond).collect()
    }

    /// The id of a cell: the letters of its column and the number of its row, such as `a1` or `ab12`.
    pub fn id((column, row): (i32, i32)) -> String {
        let mut letters = Vec::new();
        let mut rest = column;
        while rest >= 0 {
            letters.push(b'a' + (rest % 26) as u8);
            rest = rest / 26 - 1;
        }
        let name: String = letters.iter().rev().map(|letter| char::from(*letter)).collect();
        format!("{name}{}", row + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_in_a_spreadsheet() {
        assert_eq!([(0, 0), (25, 1), (26, 2), (53, 9)].map(Grid::id), ["a1", "z2", "aa3", "bb10"]);
    }

    #[test]
    fn crossing_a_side_and_then_the_opposite_one_leads_back() {
        let grids = [Grid::Hexagons { radius: 0 }, Grid::Hexagons { radius: 3 }, Grid::Squares { columns: 4, rows: 2 }];
        for (grid, count) in grids.into_iter().zip([1, 37, 8]) {
            let (cells, across) = (grid.cells(), grid.across());
            assert_eq!(cells.len(), count);
            for (cell, beyond) in across.iter().enumerate() {
                for (side, there) in beyond.iter().enumerate() {
                    let back = (side + grid.sides() / 2) % grid.sides();
                    assert!(there.is_none_or(|there| across[there][back] == Some(cell)), "{grid:?} {cell} {side}");
                }
            }
        }
    }
}
