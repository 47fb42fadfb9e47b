//! The table drawn with characters, for any game: it knows spaces, pieces, counters and zones, and no rules.

use std::collections::BTreeMap;

use anstyle::Style;
use principes_core::catalog::{Scope, Visible};
use principes_core::*;
use unicode_width::UnicodeWidthStr as _;

use crate::ink::{self, Line};
use crate::words::Words;

/// Narrower terminals get a list instead of a map.
const MAP_WIDTH: usize = 76;
/// A cell of the map is never wider.
const CELL_MOST: usize = 16;
const CELL_LEAST: usize = 4;

/// The table as one seat sees it.
pub struct Board<'a> {
    catalog: &'a Catalog,
    words: &'a Words,
    view: &'a View,
    width: usize,
    kinds: BTreeMap<KindId, String>,
    factions: Vec<String>,
    /// What stands beside the name of each space; empty where nothing does.
    marks: Vec<String>,
}

impl<'a> Board<'a> {
    /// A board that is at most `width` columns wide.
    pub fn new(catalog: &'a Catalog, words: &'a Words, view: &'a View, width: usize) -> Self {
        let factions = tags((0..catalog.factions.len()).map(|f| words.named("faction", &catalog.factions[f].id)));
        // Only kinds that have a name in the messages are for players' eyes.
        let named: Vec<KindId> = (0..catalog.kinds.len())
            .map(KindId::at)
            .filter(|k| words.is_named("kind", &catalog.kinds[k.index()].id))
            .collect();
        let codes = codes(named.iter().map(|k| words.value(Value::Kind(*k), None)));
        let kinds = named.into_iter().zip(codes).collect();
        let marks = marks(catalog, words, view);
        Board { catalog, words, view, width, kinds, factions, marks }
    }

    fn faction_style(&self, faction: FactionId) -> Style {
        ink::colour(&self.catalog.factions[faction.index()].colour)
    }

    fn faction_name(&self, faction: FactionId) -> String {
        self.words.value(Value::Faction(faction), None)
    }

    /// The pieces on a space: owner, kind, how many; occupying kinds first.
    fn pieces_on(&self, space: SpaceId) -> Vec<(Option<FactionId>, KindId, usize)> {
        let mut counts: BTreeMap<(bool, Option<FactionId>, KindId), usize> = BTreeMap::new();
        for (id, piece) in self.view.seen_pieces() {
            let kind = self.catalog.pieces[id.index()].kind;
            if piece.space() == Some(space) && self.kinds.contains_key(&kind) {
                let occupies = self.catalog.kinds[kind.index()].occupies;
                *counts.entry((!occupies, piece.owner(), kind)).or_default() += 1;
            }
        }
        counts.into_iter().map(|((_, owner, kind), n)| (owner, kind, n)).collect()
    }

    /// Short codes of the pieces on a space, in their owners' colours. An owner who is not the controller is named.
    fn pieces_line(&self, space: SpaceId) -> Line {
        let controller = self.view.control[space.index()];
        let mut line = Line::new();
        let mut last = None;
        for (owner, kind, count) in self.pieces_on(space) {
            if last.is_some_and(|last| last != owner) {
                line.push(Style::new(), " ");
            }
            let style = owner.map_or(Style::new(), |owner| self.faction_style(owner));
            if let Some(owner) = owner
                && Some(owner) != controller
                && last != Some(Some(owner))
            {
                line.push(style, format!("{}:", self.factions[owner.index()]));
            }
            last = Some(owner);
            let code = self.kinds.get(&kind).map_or("?", String::as_str);
            line.push(style, if count > 1 { format!("{code}{count}") } else { code.to_owned() });
        }
        line
    }

    /// The head of a space: who controls it, its name, its mark.
    fn head(&self, space: SpaceId, width: usize) -> Line {
        let controller = self.view.control[space.index()];
        let style = controller.map_or(ink::dim(), |seat| self.faction_style(seat).bold());
        let mark = match self.marks[space.index()].as_str() {
            "" => String::new(),
            mark => format!(" {mark}"),
        };
        let name = self.words.value(Value::Space(space), None);
        let tag = match controller {
            Some(seat) => format!("{} ", self.factions[seat.index()]),
            None if width < 2 + name.width() + mark.width() => String::new(),
            None => "· ".to_owned(),
        };
        let room = width.saturating_sub(tag.width() + mark.width());
        Line::styled(style, format!("{tag}{}", ink::cut(&name, room))).with(ink::bold(), mark)
    }

    /// The map, or the list of spaces where a map would not be readable.
    pub fn map(&self) -> Vec<Line> {
        let mut lines = match self.width < MAP_WIDTH {
            true => self.list(),
            false => self.drawn().unwrap_or_else(|| self.list()),
        };
        lines.extend(self.legend());
        lines
    }

    fn drawn(&self) -> Option<Vec<Line>> {
        let catalog = self.catalog;
        if catalog.spaces.is_empty() {
            return Some(Vec::new());
        }
        let widest = (0..catalog.spaces.len())
            .map(SpaceId::at)
            .map(|space| self.head(space, 200).width().max(self.pieces_line(space).width()))
            .max()?;
        let widest = widest.clamp(CELL_LEAST, CELL_MOST);
        let (cell, rows) = (CELL_LEAST..=widest).rev().find_map(|cell| Some((cell, self.rows(cell)?)))?;
        let (left, right) = bounds(catalog.spaces.iter().map(|space| space.at.0));
        let span = self.width.saturating_sub(cell);
        let mut lines = Vec::new();
        for row in rows {
            let mut columns: Vec<usize> = Vec::with_capacity(row.len());
            for space in &row {
                let x = i64::from(catalog.spaces[space.index()].at.0 - left);
                let wanted = x * span as i64 / i64::from((right - left).max(1));
                let free = columns.last().map_or(0, |last| last + cell + 1);
                columns.push(usize::try_from(wanted).unwrap_or(0).max(free));
            }
            // What was pushed over the right edge goes back, and pushes its neighbours.
            let mut edge = span;
            for column in columns.iter_mut().rev() {
                *column = (*column).min(edge);
                edge = column.saturating_sub(cell + 1);
            }
            let (mut heads, mut pieces) = (Line::new(), Line::new());
            for (space, column) in row.iter().zip(columns) {
                heads.pad(column);
                heads.append(self.head(*space, cell));
                pieces.pad(column);
                pieces.append(self.pieces_line(*space).cut(cell));
            }
            lines.push(heads);
            lines.push(pieces);
        }
        Some(lines)
    }

    /// Spaces in rows from north to south, each from west to east: as few rows as show them near to where they lie.
    fn rows(&self, cell: usize) -> Option<Vec<Vec<SpaceId>>> {
        let catalog = self.catalog;
        let fitting = (self.width + 1) / (cell + 1);
        let (top, bottom) = bounds(catalog.spaces.iter().map(|space| space.at.1));
        // A map that is a grid already keeps its rows.
        let mut levels: Vec<i32> = catalog.spaces.iter().map(|space| space.at.1).collect();
        levels.sort_unstable();
        levels.dedup();
        let least = (catalog.spaces.len() as f64).sqrt().ceil() as usize * 3 / 2;
        let counts: Vec<usize> = if levels.len() <= 12 { vec![levels.len()] } else { (least.max(2)..=40).collect() };
        for count in counts {
            let mut rows: Vec<Vec<SpaceId>> = vec![Vec::new(); count];
            for (at, space) in catalog.spaces.iter().enumerate() {
                let row = if levels.len() <= 12 {
                    levels.binary_search(&space.at.1).unwrap_or(0)
                } else {
                    let y = i64::from(space.at.1 - top) * count as i64 / i64::from((bottom - top + 1).max(1));
                    usize::try_from(y).unwrap_or(0).min(count - 1)
                };
                rows[row].push(SpaceId::at(at));
            }
            if rows.iter().all(|row| row.len() <= fitting) {
                for row in &mut rows {
                    row.sort_by_key(|space| (catalog.spaces[space.index()].at.0, *space));
                }
                rows.retain(|row| !row.is_empty());
                return Some(rows);
            }
        }
        None
    }

    /// The spaces as a list, those of one home together.
    fn list(&self) -> Vec<Line> {
        let catalog = self.catalog;
        let mut homes: Vec<Option<FactionId>> = catalog.spaces.iter().map(|space| space.home).collect();
        homes.sort_by_key(|home| home.map_or(u8::MAX, |f| f.0));
        homes.dedup();
        let width = (0..catalog.spaces.len()).map(|s| self.head(SpaceId::at(s), 200).width()).max().unwrap_or(0);
        let width = width.min(self.width / 2);
        let mut lines = Vec::new();
        for home in homes {
            if let Some(home) = home {
                lines.push(Line::styled(ink::bold(), self.faction_name(home)));
            } else if !lines.is_empty() {
                lines.push(Line::plain("—"));
            }
            for (at, _) in catalog.spaces.iter().enumerate().filter(|(_, space)| space.home == home) {
                let space = SpaceId::at(at);
                let mut line = Line::plain("  ");
                line.append(self.head(space, width));
                line.pad(width + 4);
                line.append(self.pieces_line(space));
                lines.push(line.cut(self.width));
            }
        }
        lines
    }

    fn legend(&self) -> Vec<Line> {
        let on_board = |kind: KindId| {
            self.view
                .seen_pieces()
                .any(|(id, piece)| self.catalog.pieces[id.index()].kind == kind && piece.space().is_some())
        };
        let kinds: Vec<Line> = self
            .kinds
            .iter()
            .filter(|(kind, _)| on_board(**kind))
            .map(|(kind, code)| {
                Line::styled(ink::bold(), code.clone())
                    .with(Style::new(), format!(" {}", self.words.value(Value::Kind(*kind), None)))
            })
            .collect();
        let owns = |faction: FactionId| {
            self.view.control.contains(&Some(faction))
                || self.view.seen_pieces().any(|(_, piece)| piece.owner() == Some(faction) && piece.space().is_some())
        };
        let factions: Vec<Line> = (0..self.catalog.factions.len())
            .map(FactionId::at)
            .filter(|faction| owns(*faction))
            .map(|faction| {
                Line::styled(self.faction_style(faction).bold(), self.factions[faction.index()].clone())
                    .with(Style::new(), format!(" {}", self.faction_name(faction)))
            })
            .collect();
        let mut lines = self.flowed(&self.words.own("board.legend", &[]), kinds);
        lines.extend(self.flowed(&self.words.own("board.factions", &[]), factions));
        lines.extend(self.mark_legend());
        lines
    }

    /// What the marks beside the names of spaces mean, where they do not say it themselves.
    fn mark_legend(&self) -> Vec<Line> {
        let Some(counter) = self.catalog.counters.iter().position(|counter| counter.derived.is_some()) else {
            let Some(counter) = space_track(self.catalog) else { return Vec::new() };
            let title = self.words.value(Value::Counter(counter), None);
            let mut items: Vec<(String, String)> = self
                .view
                .counters
                .iter()
                .filter(|(of, _, value)| *of == counter && *value != Value::Nil)
                .map(|(_, _, value)| (self.words.mark(counter, *value), self.words.counter_value(counter, *value)))
                .filter(|(mark, name)| mark != name)
                .collect();
            items.sort_unstable();
            items.dedup();
            let line =
                |(mark, name): (String, String)| Line::styled(ink::bold(), mark).with(Style::new(), format!(" {name}"));
            return self.flowed(&title, items.into_iter().map(line).collect());
        };
        let name = self.words.value(Value::Counter(CounterId::at(counter)), None);
        vec![Line::styled(ink::dim(), self.words.own("board.value", &[&name]))]
    }

    /// A title and items, as many on a line as fit.
    fn flowed(&self, title: &str, items: Vec<Line>) -> Vec<Line> {
        if items.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![Line::styled(ink::dim(), format!("{title}: "))];
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
                    line.push(ink::dim(), ", ");
                }
                line.append(item);
                first = false;
            }
        }
        lines
    }

    /// Items with gaps between them, as many on a line as fit beside an indent.
    fn packed(&self, items: Vec<Line>, indent: usize) -> Vec<Line> {
        let room = self.width.saturating_sub(indent).max(20);
        let mut lines: Vec<Line> = Vec::new();
        for item in items {
            // A list goes on after its comma.
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

    /// What belongs to everybody: counters and open zones of the game.
    pub fn middle(&self) -> Vec<Line> {
        let counters: Vec<Line> = self
            .view
            .counters
            .iter()
            .filter(|(counter, owner, value)| {
                let spec = &self.catalog.counters[counter.index()];
                *owner == Value::Nil
                    && !spec.option
                    && self.words.is_named("counter", &spec.id)
                    && !matches!(value, Value::Nil | Value::Int(0))
            })
            .map(|(counter, _, value)| {
                Line::plain(format!("{} ", self.words.value(Value::Counter(*counter), None)))
                    .with(ink::bold(), self.words.counter_value(*counter, *value))
            })
            .collect();
        let mut lines = Vec::new();
        if let Some(phase) = self.view.phase {
            lines.extend(self.flowed(&self.words.named("phase", &self.catalog.phases[phase.index()].id), counters));
        } else {
            lines.extend(self.flowed("—", counters));
        }
        let mut zones = Vec::new();
        for zone in &self.view.zones {
            let id = &self.catalog.zones[zone.zone.index()].id;
            let faces: Vec<String> =
                zone.cards.iter().flatten().map(|card| self.words.value(Value::Card(*card), None)).collect();
            if zone.owner.is_none() && !faces.is_empty() && self.words.is_named("zone", id) {
                let name = self.words.value(Value::Zone(zone.zone), None);
                zones.extend(named_cards(&name, &faces));
            }
        }
        lines.extend(self.packed(zones, 0));
        lines
    }

    /// The seats: tracks, public counters, cards.
    pub fn seats(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let seats: Vec<SeatId> = self.seated();
        let name_width = seats.iter().map(|seat| self.faction_name(*seat).width()).max().unwrap_or(0);
        for seat in seats {
            let playing = self.view.order.contains(&seat);
            let marker = if self.view.active == Some(seat) { "▸ " } else { "  " };
            let mut line =
                Line::styled(ink::bold(), marker).with(self.faction_style(seat).bold(), self.faction_name(seat));
            line.pad(name_width + 3);
            if !playing {
                line.push(ink::dim(), format!(" {}", self.words.own("table.out", &[])));
                lines.push(line);
                continue;
            }
            let controlled = self.view.control.iter().filter(|owner| **owner == Some(seat)).count();
            let mut items = vec![
                Line::plain(format!("{} ", self.words.own("board.controlled", &[])))
                    .with(ink::bold(), controlled.to_string()),
            ];
            let mut counters: Vec<&(CounterId, Value, Value)> =
                self.view.counters.iter().filter(|(_, owner, _)| *owner == Value::Faction(seat)).collect();
            counters.sort_by_key(|(counter, ..)| !self.catalog.counters[counter.index()].track);
            for (counter, _, value) in counters {
                let spec = &self.catalog.counters[counter.index()];
                let shown = spec.track || spec.supply.is_some() || !matches!(value, Value::Nil | Value::Int(0));
                if !shown || !self.words.is_named("counter", &spec.id) {
                    continue;
                }
                let mut item = Line::plain(format!("{} ", self.words.value(Value::Counter(*counter), None)));
                match value {
                    Value::Int(n) if spec.track && spec.max <= 20 => {
                        item.push(self.faction_style(seat), bar(*n, spec.min, spec.max));
                        item.push(ink::bold(), format!(" {n}"));
                    }
                    other => item.push(ink::bold(), self.words.counter_value(*counter, *other)),
                }
                items.push(item);
            }
            let indent = name_width + 4;
            line.pad(indent);
            for (at, packed) in
                self.packed(items, indent).into_iter().chain(self.packed(self.seat_zones(seat), indent)).enumerate()
            {
                let mut row = if at == 0 { std::mem::take(&mut line) } else { Line::new() };
                row.pad(indent);
                row.append(packed);
                lines.push(row);
            }
        }
        lines
    }

    /// Everybody who ever had a seat, in turn order, then those who are out.
    fn seated(&self) -> Vec<SeatId> {
        let mut seats = self.view.order.clone();
        for f in 0..self.catalog.playable {
            let seat = FactionId::at(f);
            let has_pieces = self.view.zones.iter().any(|zone| zone.owner == Some(seat) && !zone.cards.is_empty());
            if !seats.contains(&seat) && has_pieces {
                seats.push(seat);
            }
        }
        seats
    }

    fn seat_zones(&self, seat: SeatId) -> Vec<Line> {
        let mut items = Vec::new();
        for zone in self.view.zones.iter().filter(|zone| zone.owner == Some(seat) && !zone.cards.is_empty()) {
            let spec = &self.catalog.zones[zone.zone.index()];
            if spec.scope != Scope::Faction || !self.words.is_named("zone", &spec.id) {
                continue;
            }
            let name = self.words.value(Value::Zone(zone.zone), None);
            let names: Vec<String> =
                zone.cards.iter().flatten().map(|card| self.words.value(Value::Card(*card), None)).collect();
            // Zones that are live or short are read; heaps are counted.
            if spec.visible == Visible::Everyone && (spec.active || names.len() <= 2) {
                items.extend(named_cards(&name, &names));
            } else {
                items.push(
                    Line::styled(ink::dim(), format!("{name}: ")).with(ink::bold(), zone.cards.len().to_string()),
                );
            }
        }
        items
    }

    /// The cards that only the viewer sees, with their texts; and those of the game that are live now.
    pub fn hand(&self) -> Vec<Line> {
        let Some(seat) = self.view.seat else { return Vec::new() };
        let mut lines = Vec::new();
        for zone in &self.view.zones {
            let spec = &self.catalog.zones[zone.zone.index()];
            let mine = zone.owner == Some(seat) && (spec.visible == Visible::Owner || spec.active);
            let everyones = zone.owner.is_none() && spec.active;
            if !(mine || everyones) || zone.cards.is_empty() {
                continue;
            }
            lines.push(Line::styled(ink::bold(), self.words.value(Value::Zone(zone.zone), None)));
            let mut designs: Vec<(DesignId, usize)> = Vec::new();
            for card in zone.cards.iter().flatten() {
                let design = self.catalog.cards[card.index()];
                match designs.iter_mut().find(|(known, _)| *known == design) {
                    Some((_, count)) => *count += 1,
                    None => designs.push((design, 1)),
                }
            }
            for (design, count) in designs {
                lines.extend(self.card_lines(design, count));
            }
        }
        if lines.is_empty() {
            lines.push(Line::styled(ink::dim(), self.words.own("hand.empty", &[])));
        }
        lines
    }

    fn card_lines(&self, design: DesignId, count: usize) -> Vec<Line> {
        let title = self.words.value(Value::Design(design), None);
        let times = if count > 1 { format!(" ×{count}") } else { String::new() };
        let mut lines = Vec::new();
        let mut head = Line::plain("  ").with(ink::key(), title).with(ink::bold(), times);
        match self.words.card_text(design) {
            Some(text) => {
                head.push(Style::new(), " – ");
                let room = self.width.saturating_sub(4).max(20);
                let first = room.saturating_sub(head.width()).max(10);
                // The text goes on under the title.
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
                        ink::wrap(&rest.join(" "), room).into_iter().map(|line| Line::plain(format!("    {line}"))),
                    );
                }
            }
            None => lines.push(head),
        }
        lines
    }
}

/// What lies in the fog.
const FOG: &str = "░░";

/// What stands beside the name of each space: what it adds to the first derived counter of its controller, or else what
/// a track of spaces says of it.
fn marks(catalog: &Catalog, words: &Words, view: &View) -> Vec<String> {
    let mut marks = vec![String::new(); catalog.spaces.len()];
    let Some(derived) = catalog.counters.iter().find_map(|counter| counter.derived) else {
        let Some(track) = space_track(catalog) else { return marks };
        if catalog.counters[track.index()].visible == Visible::Fog {
            marks.fill(FOG.to_owned());
        }
        for (counter, owner, value) in &view.counters {
            if let (Value::Space(space), true) = (*owner, *counter == track) {
                marks[space.index()] = if *value == Value::Nil { String::new() } else { words.mark(track, *value) };
            }
        }
        return marks;
    };
    let mut values = vec![0; catalog.spaces.len()];
    for (at, space) in catalog.spaces.iter().enumerate() {
        values[at] = derived.space.map_or(0, |prop| space.props.int(prop));
    }
    if let Some(stat) = derived.piece {
        for (id, piece) in view.seen_pieces() {
            if let Some(space) = piece.space() {
                values[space.index()] += catalog.kinds[catalog.pieces[id.index()].kind.index()].stats.int(stat);
            }
        }
    }
    for (mark, value) in marks.iter_mut().zip(values).filter(|(_, value)| *value != 0) {
        *mark = value.to_string();
    }
    marks
}

/// A counter of spaces that displays show as a track.
fn space_track(catalog: &Catalog) -> Option<CounterId> {
    catalog.counters.iter().position(|counter| counter.track && counter.scope == Scope::Space).map(CounterId::at)
}

/// A zone and its cards as items that may stand on several lines; cards of one name are counted.
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
        let first = if at == 0 { Line::styled(ink::dim(), format!("{zone}: ")) } else { Line::new() };
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
        taken.push(code.unwrap_or_else(|| ink::cut(&name, 3)));
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
            [Line::styled(ink::dim(), "Grove: ").with(Style::new(), "Elm ×2,"), Line::new().with(Style::new(), "Oak"),]
        );
    }
}
