//! Draws the board of any game with characters.

mod tiles;

use anstyle::Style;
use principes_app::board::{
    CardFace, CounterOnBoard, FactionOnBoard, Marks, SeatOnBoard, SeenBoard, SpaceOnBoard, ZoneOnBoard,
};
use principes_app::session::Session;
use principes_app::words::Words;
use principes_core::{SeatId, View};
use unicode_width::UnicodeWidthStr as _;

use crate::style::{self, Line};

/// On a narrower terminal, a list replaces the map.
const MAP_WIDTH: usize = 76;
/// The most columns that a cell of the map takes.
const CELL_MOST: usize = 16;
const CELL_LEAST: usize = 4;
/// A map whose spaces lie at this many heights or fewer is already a grid and keeps its rows.
const GRID_ROWS: usize = 12;

/// Everything that is needed to draw one board.
pub struct Drawing<'a> {
    board: SeenBoard,
    words: &'a Words,
    width: usize,
    /// One to three letters for each kind of piece.
    codes: Vec<String>,
    /// Two letters for each faction.
    tags: Vec<String>,
}

impl<'a> Drawing<'a> {
    /// A drawing that is at most `width` columns wide.
    pub fn new(session: &'a Session, view: &View, width: usize) -> Self {
        let words = session.words();
        let board = SeenBoard::new(words, view);
        let tags = tags(board.factions.iter().map(|faction| faction.name.clone()));
        let codes = codes(board.kinds.iter().map(|kind| kind.name.clone()));
        Drawing { board, words, width, codes, tags }
    }

    fn color(&self, faction: usize) -> Style {
        style::color(&self.board.factions[faction].color)
    }

    /// Short codes of the pieces on a space, in their owners' colors. The owner is named if it does not control the
    /// space.
    fn pieces_line(&self, space: &SpaceOnBoard) -> Line {
        let mut line = Line::new();
        let mut last = None;
        for group in &space.pieces {
            if last.is_some_and(|last| last != group.owner) {
                line.push(Style::new(), " ");
            }
            let style = group.owner.map_or(Style::new(), |owner| self.color(owner));
            if let Some(owner) = group.owner
                && group.owner != space.controller
                && last != Some(group.owner)
            {
                line.push(style, format!("{}:", self.tags[owner]));
            }
            last = Some(group.owner);
            let code = &self.codes[group.kind];
            line.push(style, if group.count > 1 { format!("{code}{}", group.count) } else { code.clone() });
        }
        line
    }

    /// The first line of a space: its controller, its name, its mark.
    fn head(&self, space: &SpaceOnBoard, width: usize) -> Line {
        let style = space.controller.map_or(style::dim(), |seat| self.color(seat).bold());
        let mark = if space.mark.is_empty() { String::new() } else { format!(" {}", space.mark) };
        let tag = match space.controller {
            Some(seat) => format!("{} ", self.tags[seat]),
            None if width < 2 + space.name.width() + mark.width() => String::new(),
            None => "· ".to_owned(),
        };
        let room = width.saturating_sub(tag.width() + mark.width());
        Line::styled(style, format!("{tag}{}", style::cut(&space.name, room))).with(style::bold(), mark)
    }

    /// The map, or the list of spaces if a map would not be readable.
    pub fn map(&self) -> Vec<Line> {
        let mut lines = match self.width < MAP_WIDTH {
            true => self.list(),
            false => self.drawn().unwrap_or_else(|| self.list()),
        };
        lines.extend(self.legend());
        lines
    }

    fn drawn(&self) -> Option<Vec<Line>> {
        let spaces = &self.board.spaces;
        if spaces.is_empty() {
            return Some(Vec::new());
        }
        if let Some(grid) = &self.board.grid {
            return self.grid(grid);
        }
        let widest = spaces.iter().map(|space| self.head(space, 200).width().max(self.pieces_line(space).width()));
        let widest = widest.max()?.clamp(CELL_LEAST, CELL_MOST);
        let (cell, rows) = (CELL_LEAST..=widest).rev().find_map(|cell| Some((cell, self.rows(cell)?)))?;
        let (left, right) = bounds(spaces.iter().map(|space| space.at.0));
        let span = self.width.saturating_sub(cell);
        let mut lines = Vec::new();
        for row in rows {
            let mut columns: Vec<usize> = Vec::with_capacity(row.len());
            for space in &row {
                let x = i64::from(space.at.0) - i64::from(left);
                let wanted = x * span as i64 / (i64::from(right) - i64::from(left)).max(1);
                let free = columns.last().map_or(0, |last| last + cell + 1);
                columns.push(usize::try_from(wanted).unwrap_or(0).max(free));
            }
            // A space that was pushed beyond the right edge moves back and pushes its neighbors.
            let mut edge = span;
            for column in columns.iter_mut().rev() {
                *column = (*column).min(edge);
                edge = column.saturating_sub(cell + 1);
            }
            let (mut heads, mut pieces) = (Line::new(), Line::new());
            for (space, column) in row.into_iter().zip(columns) {
                heads.pad(column);
                heads.append(self.head(space, cell));
                pieces.pad(column);
                pieces.append(self.pieces_line(space).cut(cell));
            }
            lines.push(heads);
            lines.push(pieces);
        }
        Some(lines)
    }

    /// Sorts spaces into rows from north to south, each from west to east. Uses as few rows as possible while spaces
    /// stay near their real positions.
    fn rows(&self, cell: usize) -> Option<Vec<Vec<&SpaceOnBoard>>> {
        let spaces = &self.board.spaces;
        let fitting = (self.width + 1) / (cell + 1);
        let (top, bottom) = bounds(spaces.iter().map(|space| space.at.1));
        let mut levels: Vec<i32> = spaces.iter().map(|space| space.at.1).collect();
        levels.sort_unstable();
        levels.dedup();
        let is_grid = levels.len() <= GRID_ROWS;
        let least = (spaces.len() as f64).sqrt().ceil() as usize * 3 / 2;
        let counts: Vec<usize> = if is_grid { vec![levels.len()] } else { (least.max(2)..=40).collect() };
        for count in counts {
            let mut rows: Vec<Vec<&SpaceOnBoard>> = vec![Vec::new(); count];
            for space in spaces {
                let row = if is_grid {
                    levels.binary_search(&space.at.1).unwrap_or(0)
                } else {
                    let height = (i64::from(bottom) - i64::from(top) + 1).max(1);
                    let y = (i64::from(space.at.1) - i64::from(top)) * count as i64 / height;
                    usize::try_from(y).unwrap_or(0).min(count - 1)
                };
                rows[row].push(space);
            }
            if rows.iter().all(|row| row.len() <= fitting) {
                // A stable sort: spaces at the same position keep their order.
                rows.iter_mut().for_each(|row| row.sort_by_key(|space| space.at.0));
                rows.retain(|row| !row.is_empty());
                return Some(rows);
            }
        }
        None
    }

    /// The spaces as a list, grouped by home faction.
    fn list(&self) -> Vec<Line> {
        let spaces = &self.board.spaces;
        let mut homes: Vec<Option<usize>> = spaces.iter().map(|space| space.home).collect();
        homes.sort_by_key(|home| home.unwrap_or(usize::MAX));
        homes.dedup();
        let width = spaces.iter().map(|space| self.head(space, 200).width()).max().unwrap_or(0);
        let width = width.min(self.width / 2);
        let mut lines = Vec::new();
        for home in homes {
            if let Some(home) = home {
                lines.push(Line::styled(style::bold(), self.board.factions[home].name.clone()));
            } else if !lines.is_empty() {
                lines.push(Line::plain("—"));
            }
            for space in spaces.iter().filter(|space| space.home == home && self.is_listed(space)) {
                let mut line = Line::plain("  ");
                line.append(self.head(space, width));
                line.pad(width + 4);
                line.append(self.pieces_line(space));
                lines.push(line.cut(self.width));
            }
        }
        lines
    }

    /// Cells of a grid are listed only if something is on them.
    fn is_listed(&self, space: &SpaceOnBoard) -> bool {
        self.board.grid.is_none() || space.tile.is_some() || !space.pieces.is_empty()
    }

    fn legend(&self) -> Vec<Line> {
        let kinds = self.board.kinds.iter().zip(&self.codes).filter(|(kind, _)| kind.is_on_board);
        let kinds = kinds.map(|(kind, code)| {
            Line::styled(style::bold(), code.clone()).with(Style::new(), format!(" {}", kind.name))
        });
        let factions = self.board.factions.iter().zip(&self.tags).filter(|(faction, _)| faction.is_on_board);
        let factions = factions.map(|(FactionOnBoard { name, color, .. }, tag)| {
            Line::styled(style::color(color).bold(), tag.clone()).with(Style::new(), format!(" {name}"))
        });
        let mut lines = self.flowed(&self.words.own("board.legend", &[]), kinds.collect());
        lines.extend(self.flowed(&self.words.own("board.factions", &[]), factions.collect()));
        lines.extend(self.mark_legend());
        lines
    }

    /// What the marks beside the names of spaces mean, if that is not obvious.
    fn mark_legend(&self) -> Vec<Line> {
        match &self.board.marks {
            Marks::None => Vec::new(),
            Marks::Points(name) => vec![Line::styled(style::dim(), self.words.own("board.value", &[name]))],
            Marks::Track { name, items } => {
                let line = |(mark, name): &(String, String)| {
                    Line::styled(style::bold(), mark.clone()).with(Style::new(), format!(" {name}"))
                };
                self.flowed(name, items.iter().map(line).collect())
            }
        }
    }

    /// A title, then as many items on each line as fit.
    fn flowed(&self, title: &str, items: Vec<Line>) -> Vec<Line> {
        if items.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![Line::styled(style::dim(), format!("{title}: "))];
        let mut first = true;
        for item in items {
            if let Some(line) = lines.last_mut() {
                if !first && line.width() + 2 + item.width() > self.width {
                    let mut next = Line::plain("  ");
                    next.append(item);
                    lines.push(next);
                    continue;
                }
                if !first {
                    line.push(style::dim(), ", ");
                }
                line.append(item);
                first = false;
            }
        }
        lines
    }

    /// As many items on each line as fit beside an indent, with gaps between them.
    fn packed(&self, items: Vec<Line>, indent: usize) -> Vec<Line> {
        let room = self.width.saturating_sub(indent).max(20);
        let mut lines: Vec<Line> = Vec::new();
        for item in items {
            // A list of cards continues after its comma.
            let gap = if lines.last().is_some_and(|line| line.ends_with(',')) { " " } else { "  " };
            match lines.last_mut() {
                Some(line) if line.width() + gap.len() + item.width() <= room => {
                    line.push(Style::new(), gap);
                    line.append(item);
                }
                _ => lines.push(item.cut(room)),
            }
        }
        lines
    }

    /// What belongs to all seats: counters and open zones of the game.
    pub fn middle(&self) -> Vec<Line> {
        let counters = self
            .board
            .counters
            .iter()
            .map(|counter| Line::plain(format!("{} ", counter.name)).with(style::bold(), counter.value.clone()));
        let title = self.board.phase.as_ref().map_or("—", |phase| phase.name.as_str());
        let mut lines = self.flowed(title, counters.collect());
        let zones = self.board.zones.iter().flat_map(zone_items).collect();
        lines.extend(self.packed(zones, 0));
        lines
    }

    /// The seats: tracks, public counters, cards.
    pub fn seats(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let name = |faction: usize| &self.board.factions[faction].name;
        let name_width = self.board.seats.iter().map(|seat| name(seat.faction).width()).max().unwrap_or(0);
        for seat in &self.board.seats {
            let style = self.color(seat.faction);
            let marker = if seat.is_active { "▸ " } else { "  " };
            let mut line = Line::styled(style::bold(), marker).with(style.bold(), name(seat.faction).clone());
            line.pad(name_width + 3);
            if !seat.is_playing {
                line.push(style::dim(), format!(" {}", self.words.own("table.out", &[])));
                lines.push(line);
                continue;
            }
            let mut items = vec![
                Line::plain(format!("{} ", self.words.own("board.controlled", &[])))
                    .with(style::bold(), seat.controlled.to_string()),
            ];
            items.extend(seat.counters.iter().map(|counter| counter_item(counter, style)));
            let zones = seat.zones.iter().flat_map(zone_items).collect();
            let indent = name_width + 4;
            line.pad(indent);
            let rows = self.packed(items, indent).into_iter().chain(self.packed(zones, indent));
            for (at, packed) in rows.enumerate() {
                let mut row = if at == 0 { std::mem::take(&mut line) } else { Line::new() };
                row.pad(indent);
                row.append(packed);
                lines.push(row);
            }
        }
        lines
    }

    /// The table in brief: a line for what belongs to all seats, and one for each seat.
    pub fn summary(&self) -> Vec<Line> {
        let mut lines = vec![Line::new()];
        lines.extend(self.middle().into_iter().next().map(|line| line.cut(self.width)));
        let seats: Vec<&SeatOnBoard> = self.board.seats.iter().collect();
        lines.extend(self.seat_lines(&seats, |seat| seat.is_active));
        lines
    }

    /// A line for each seat at the end of the game: the winner first, eliminated seats last.
    pub fn standings(&self, winner: Option<SeatId>) -> Vec<Line> {
        let wins = |seat: &SeatOnBoard| winner.is_some_and(|winner| winner.index() == seat.faction);
        let mut seats: Vec<&SeatOnBoard> = self.board.seats.iter().collect();
        seats.sort_by_key(|seat| (!wins(seat), !seat.is_playing));
        self.seat_lines(&seats, wins)
    }

    /// A line for each of the given seats; `▸` marks those for which `is_marked` is true.
    fn seat_lines(&self, seats: &[&SeatOnBoard], is_marked: impl Fn(&SeatOnBoard) -> bool) -> Vec<Line> {
        let name = |faction: usize| &self.board.factions[faction].name;
        let name_width = seats.iter().map(|seat| name(seat.faction).width()).max().unwrap_or(0);
        let line = |seat: &&SeatOnBoard| {
            let style = self.color(seat.faction);
            let marker = if is_marked(seat) { "▸ " } else { "  " };
            let mut line = Line::styled(style::bold(), marker).with(style.bold(), name(seat.faction).clone());
            line.pad(name_width + 3);
            if !seat.is_playing {
                line.push(style::dim(), format!(" {}", self.words.own("table.out", &[])));
                return line;
            }
            let counters = seat.counters.iter().filter(|counter| counter.is_number);
            for counter in counters {
                line.push(style::dim(), format!(" {} ", counter.name));
                line.push(style::bold(), counter.value.clone());
            }
            line.push(style::dim(), format!(" {} ", self.words.own("board.controlled", &[])));
            line.push(style::bold(), seat.controlled.to_string());
            line.cut(self.width)
        };
        seats.iter().map(line).collect()
    }

    /// The cards that only the viewer sees, with their texts, and the cards of the game that are live.
    pub fn hand(&self) -> Vec<Line> {
        let Some(hand) = &self.board.hand else { return Vec::new() };
        let mut lines = Vec::new();
        for zone in hand {
            lines.push(Line::styled(style::bold(), zone.name.clone()));
            lines.extend(zone.cards.iter().flat_map(|card| self.card_lines(card)));
        }
        if lines.is_empty() {
            lines.push(Line::styled(style::dim(), self.words.own("hand.empty", &[])));
        }
        lines
    }

    fn card_lines(&self, card: &CardFace) -> Vec<Line> {
        let CardFace { title, text, count, .. } = card;
        let times = if *count > 1 { format!(" ×{count}") } else { String::new() };
        let mut lines = Vec::new();
        let mut head = Line::plain("  ").with(style::key(), title.clone()).with(style::bold(), times);
        match text {
            Some(text) => {
                head.push(Style::new(), " – ");
                let room = self.width.saturating_sub(4).max(20);
                let first = room.saturating_sub(head.width()).max(10);
                // The text continues under the title.
                let mut words = String::new();
                let mut rest = Vec::new();
                for word in text.split_whitespace() {
                    if rest.is_empty() && words.width() + word.width() < first {
                        if !words.is_empty() {
                            words.push(' ');
                        }
                        words.push_str(word);
                    } else {
                        rest.push(word);
                    }
                }
                head.push(Style::new(), words);
                lines.push(head);
                if !rest.is_empty() {
                    lines.extend(
                        style::wrap(&rest.join(" "), room).into_iter().map(|line| Line::plain(format!("    {line}"))),
                    );
                }
            }
            None => lines.push(head),
        }
        lines
    }
}

/// The name and value of a counter, or its place on its track.
fn counter_item(counter: &CounterOnBoard, style: Style) -> Line {
    let mut item = Line::plain(format!("{} ", counter.name));
    match counter.track {
        Some(track) => {
            item.push(style, bar(track.value, track.min, track.max));
            item.push(style::bold(), format!(" {}", counter.value));
        }
        None => item.push(style::bold(), counter.value.clone()),
    }
    item
}

/// A zone as items: its cards, or their number.
fn zone_items(zone: &ZoneOnBoard) -> Vec<Line> {
    match &zone.cards {
        Some(cards) => named_cards(&zone.name, cards),
        None => {
            vec![Line::styled(style::dim(), format!("{}: ", zone.name)).with(style::bold(), zone.count.to_string())]
        }
    }
}

/// A zone and its cards as items that may take several lines. Cards with the same name are counted.
fn named_cards(zone: &str, cards: &[String]) -> Vec<Line> {
    let mut names: Vec<(&String, usize)> = Vec::new();
    for card in cards {
        match names.iter_mut().find(|(name, _)| *name == card) {
            Some((_, count)) => *count += 1,
            None => names.push((card, 1)),
        }
    }
    let item = |(at, (name, count)): (usize, &(&String, usize))| {
        let times = if *count > 1 { format!(" ×{count}") } else { String::new() };
        let comma = if at + 1 < names.len() { "," } else { "" };
        let first = if at == 0 { Line::styled(style::dim(), format!("{zone}: ")) } else { Line::new() };
        first.with(Style::new(), format!("{name}{times}{comma}"))
    };
    names.iter().enumerate().map(item).collect()
}

fn bar(n: i32, min: i32, max: i32) -> String {
    let full = usize::try_from(n.clamp(min, max) - min).unwrap_or(0);
    let all = usize::try_from(max - min).unwrap_or(0);
    format!("{}{}", "▰".repeat(full), "▱".repeat(all - full))
}

fn bounds(values: impl Iterator<Item = i32>) -> (i32, i32) {
    values.fold((i32::MAX, i32::MIN), |(low, high), value| (low.min(value), high.max(value)))
}

/// Two letters for each name, all different.
fn tags(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let letters: Vec<char> = name.chars().filter(|c| c.is_alphanumeric()).collect();
        let initials: String = name.split_whitespace().filter_map(|word| word.chars().next()).take(2).collect();
        let first = letters.first().copied().unwrap_or('?');
        let pairs = letters.iter().skip(1).map(|second| format!("{first}{second}"));
        let several = (initials.chars().count() == 2).then_some(initials);
        let numbered = (2..100).map(|n| format!("{first}{n}"));
        let tag = several.into_iter().chain(pairs).chain(numbered).find(|tag| !taken.contains(tag));
        taken.push(tag.unwrap_or_else(|| "??".to_owned()));
    }
    taken
}

/// One to three letters for each name, all different.
fn codes(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let letters: Vec<char> = name.chars().filter(|c| c.is_alphanumeric()).collect();
        let prefixes = (1..=3.min(letters.len())).map(|n| letters[..n].iter().collect::<String>());
        let skipping = letters.iter().skip(2).map(|second| format!("{}{second}", letters[0]));
        let code = prefixes.chain(skipping).find(|code| !taken.contains(code));
        taken.push(code.unwrap_or_else(|| style::cut(&name, 3)));
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(names: &[&str]) -> impl Iterator<Item = String> {
        names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>().into_iter()
    }

    #[test]
    fn short_names_differ() {
        assert_eq!(tags(list(&["North Ward", "North West", "Nor"])), ["NW", "No", "Nr"]);
        assert_eq!(codes(list(&["Prince", "Princess", "Castle"])), ["P", "Pr", "C"]);
        assert_eq!(bar(3, 0, 5), "▰▰▰▱▱");
    }

    #[test]
    fn cards_of_one_name_are_counted() {
        let cards: Vec<String> = list(&["Elm", "Oak", "Elm"]).collect();
        assert_eq!(
            named_cards("Grove", &cards),
            [
                Line::styled(style::dim(), "Grove: ").with(Style::new(), "Elm ×2,"),
                Line::new().with(Style::new(), "Oak"),
            ]
        );
    }
}
