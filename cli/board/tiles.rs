//! The grid of laid tiles, drawn with characters: three lines for each row of cells.

use anstyle::Style;
use principes_app::board::{GridOnBoard, SpaceOnBoard, TileOnBoard};

use super::{Drawing, bounds};
use crate::style::{self, Line};

/// The most and the fewest columns of a cell.
const WIDEST: usize = 8;
const NARROWEST: usize = 6;

impl Drawing<'_> {
    /// The laid tiles and the empty cells beside them. If they do not fit side by side, they are split into parts from
    /// west to east. `None` if not even one cell fits.
    pub(super) fn grid(&self, grid: &GridOnBoard) -> Option<Vec<Line>> {
        let cells: Vec<&SpaceOnBoard> = self.board.spaces[grid.cells.clone()].iter().collect();
        let lies = |space: usize| self.board.spaces[space].tile.is_some();
        let shown = |space: &&&SpaceOnBoard| {
            space.tile.is_some() || !space.pieces.is_empty() || space.exits.iter().any(|exit| lies(*exit))
        };
        let shown: Vec<&SpaceOnBoard> = cells.iter().filter(shown).copied().collect();
        if shown.is_empty() {
            return Some(Vec::new());
        }
        let (left, right) = bounds(shown.iter().map(|space| space.at.0));
        // Rows of hexagons are shifted by half a cell.
        let halves = if grid.sides == 6 { 2 } else { 1 };
        let across = usize::try_from(right - left).ok()?;
        // The name of a cell needs space between two edges.
        let longest = shown.iter().map(|space| space.name.chars().count()).max().unwrap_or(0);
        let least = WIDEST.min(NARROWEST.max(longest + 4));
        let wide = (least..=WIDEST)
            .rev()
            .filter(|width| width % 2 == 0)
            .find(|width| across * width / halves + width <= self.width);
        let width = wide.unwrap_or(WIDEST);
        // The number of west-to-east steps that fit side by side, the same in each part.
        let most = self.width.checked_sub(width)? * halves / width + 1;
        let parts = across / most + 1;
        let span = across / parts + 1;
        let mut lines = Vec::new();
        for part in 0..parts {
            let from = left + i32::try_from(part * span).ok()?;
            let is_here = |space: &&&SpaceOnBoard| usize::try_from(space.at.0 - from).is_ok_and(|step| step < span);
            let part_cells: Vec<&SpaceOnBoard> = shown.iter().filter(is_here).copied().collect();
            if parts > 1 {
                let title = self.words.own("board.part", &[&(part + 1).to_string(), &parts.to_string()]);
                lines.push(Line::styled(style::dim(), title));
            }
            lines.extend(self.rows_of(grid, &part_cells, width, from)?);
        }
        lines.extend(self.signs(grid));
        lines.extend(self.kept_apart(grid, &shown));
        Some(lines)
    }

    /// The rows of the given cells, drawn from the column `left`.
    fn rows_of(&self, grid: &GridOnBoard, cells: &[&SpaceOnBoard], width: usize, left: i32) -> Option<Vec<Line>> {
        let halves = if grid.sides == 6 { 2 } else { 1 };
        let (top, bottom) = bounds(cells.iter().map(|space| space.at.1));
        let mut lines = Vec::new();
        for y in top..=bottom {
            let mut row: Vec<&SpaceOnBoard> = cells.iter().filter(|space| space.at.1 == y).copied().collect();
            row.sort_by_key(|space| space.at.0);
            let mut drawn = [Line::new(), Line::new(), Line::new()];
            for space in row {
                let column = usize::try_from(space.at.0 - left).ok()? * width / halves;
                for (line, part) in drawn.iter_mut().zip(self.cell(grid, space, width)) {
                    line.pad(column);
                    line.append(part);
                }
            }
            lines.extend(drawn);
        }
        Some(lines)
    }

    /// The three lines of a cell: its edges around its name, and in the middle its pieces or its owner.
    fn cell(&self, grid: &GridOnBoard, space: &SpaceOnBoard, width: usize) -> [Line; 3] {
        let name = style::cut(&space.name, width - 2);
        let Some(tile) = &space.tile else {
            let mut middle = Line::new();
            middle.push(style::dim(), format!("{name:^width$}"));
            return [Line::new(), middle, self.pieces_line(space).cut(width)];
        };
        let owner = tile.owner.map_or(style::dim(), |owner| self.color(owner).bold());
        let pieces = self.pieces_line(space);
        let inside = match (pieces.width(), tile.owner) {
            (0, Some(owner)) => Line::styled(self.color(owner).bold(), self.tags[owner].clone()),
            (0, None) => Line::styled(style::dim(), "·"),
            _ => pieces,
        };
        let inside = centered(inside.cut(width - 2), width - 2);
        let sign = |side: usize| {
            let is_way = tile.links.get(side).is_some_and(|link| !link.is_empty());
            let style = if is_way { owner } else { style::dim() };
            Line::styled(style, tile.edges.get(side).copied().unwrap_or(' ').to_string())
        };
        let mut name = Line::styled(style::dim(), name);
        if let Some(seat) = tile.owner.filter(|_| grid.sides == 4 && name.width() + 3 <= width - 2) {
            name.push(self.color(seat).bold(), format!(" {}", self.tags[seat]));
        }
        let (first, second, third) = match grid.sides {
            6 => (
                // Sides of a hexagon: 5 and 0 are above, 4 and 1 at the sides, 3 and 2 below.
                vec![Line::plain(" "), sign(5), centered(name.cut(width - 4), width - 4), sign(0)],
                vec![sign(4), inside, sign(1)],
                vec![Line::plain(" "), sign(3), centered(Line::new(), width - 4), sign(2)],
            ),
            _ => (
                vec![centered(sign(0), width)],
                vec![sign(3), if space.pieces.is_empty() { centered(name, width - 2) } else { inside }, sign(1)],
                vec![centered(sign(2), width)],
            ),
        };
        [joined(first), joined(second), joined(third)]
    }

    /// What the signs of edges mean.
    fn signs(&self, grid: &GridOnBoard) -> Vec<Line> {
        let sign = |(sign, name): &(char, String)| {
            Line::styled(style::bold(), sign.to_string()).with(Style::new(), format!(" {name}"))
        };
        self.flowed(&self.words.own("board.edges", &[]), grid.edges.iter().map(sign).collect())
    }

    /// The tiles on which paths of one network do not meet.
    fn kept_apart(&self, grid: &GridOnBoard, shown: &[&SpaceOnBoard]) -> Vec<Line> {
        let names: &[&str] = if grid.sides == 6 { &["NE", "E", "SE", "SW", "W", "NW"] } else { &["N", "E", "S", "W"] };
        let links_text = |tile: &TileOnBoard| {
            let mut parts: Vec<String> = Vec::new();
            for (side, link) in tile.links.iter().enumerate().filter(|(side, link)| link.first() == Some(side)) {
                let named = |side: &usize| names.get(*side).copied().unwrap_or("?");
                let sides: Vec<&str> = link.iter().map(named).collect();
                parts.push(format!("{}{}", tile.edges[side], sides.join("–")));
            }
            parts.join(" ")
        };
        let item = |space: &&SpaceOnBoard| {
            let tile = space.tile.as_ref().filter(|tile| tile.is_split)?;
            Some(Line::styled(style::bold(), space.name.clone()).with(Style::new(), format!(" {}", links_text(tile))))
        };
        self.flowed(&self.words.own("board.links", &[]), shown.iter().filter_map(item).collect())
    }
}

fn joined(parts: Vec<Line>) -> Line {
    let mut line = Line::new();
    parts.into_iter().for_each(|part| line.append(part));
    line
}

/// Centers a line in the given number of columns.
fn centered(line: Line, width: usize) -> Line {
    let left = width.saturating_sub(line.width()) / 2;
    let mut all = Line::new();
    all.pad(left);
    all.append(line);
    all.pad(width);
    all
}
