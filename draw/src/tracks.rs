//! Draws tracks with the markers of all seats.

use principes_app::board::{SeenBoard, Track};
use principes_model::Looks;

use crate::look::{Paint, symbol, symbol_of};
use crate::piece::{Face, marker};
use crate::svg::{Svg, attrs};
use crate::text::{fit, width};

/// The width of a position on a track.
const PLACE: f64 = 34.0;
/// The width of the names of tracks.
const NAMES: f64 = 158.0;
/// The height of a position on a track.
const HIGH: f64 = 46.0;
/// The margin around the positions.
const ROOM: f64 = 9.0;

/// A track with the positions of the seats.
struct Row<'a> {
    id: &'a str,
    name: &'a str,
    track: Track,
    /// The position of each faction.
    at: Vec<(usize, i32)>,
}

/// Draws the tracks of all seats; `None` if the game has none.
pub fn draw(look: &Looks, board: &SeenBoard, title: &str) -> Option<String> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for seat in &board.seats {
        for counter in &seat.counters {
            let Some(track) = counter.track else { continue };
            let at = (seat.faction, track.value);
            match rows.iter_mut().find(|row| row.id == counter.id) {
                Some(row) => row.at.push(at),
                None => rows.push(Row { id: &counter.id, name: &counter.name, track, at: vec![at] }),
            }
        }
    }
    let longest = rows.iter().map(|row| row.track.max - row.track.min + 1).max()?;
    let mut svg = Svg::default();
    let wide = NAMES + f64::from(longest) * PLACE + ROOM;
    let high = rows.len() as f64 * (HIGH + ROOM) + ROOM;
    svg.put("rect", attrs!["width" = wide, "height" = high, "class" = "paper", "rx" = 8.0]);
    for (down, row) in rows.iter().enumerate() {
        row.draw(&mut svg, look, board, ROOM + down as f64 * (HIGH + ROOM));
    }
    Some(svg.finish((0.0, 0.0, wide, high), "tracks", title))
}

impl Row<'_> {
    fn draw(&self, svg: &mut Svg, look: &Looks, board: &SeenBoard, top: f64) {
        let own = look.counters.get(self.id);
        let left = match symbol_of(look, own) {
            Some(path) => {
                let color = own.and_then(|own| own.color.as_ref()).map(|color| color.0.as_str());
                let paint = color.map_or(Paint::Class("gilt"), Paint::Fill);
                symbol(svg, path, (24.0, top + HIGH / 2.0), 24.0, paint);
                42.0
            }
            None => 14.0,
        };
        let room = NAMES - left - 6.0;
        let size = (room / width(self.name).max(1.0)).clamp(10.0, 15.0);
        let name = fit(self.name, room / size + 0.2);
        svg.write(
            "text",
            attrs!["x" = left, "y" = top + HIGH / 2.0 + 5.0, "font-size" = size, "class" = "ink title"],
            &name,
        );
        for place in self.track.min..=self.track.max {
            let x = NAMES + f64::from(place - self.track.min) * PLACE;
            svg.put(
                "rect",
                attrs!["x" = x + 1.0, "y" = top, "width" = PLACE - 2.0, "height" = HIGH, "rx" = 5.0, "class" = "land"],
            );
            let is_fifth = place % 5 == 0;
            svg.write(
                "text",
                attrs![
                    "x" = x + PLACE / 2.0,
                    "y" = top + HIGH - 4.5,
                    "font-size" = if is_fifth { 12.0 } else { 10.5 },
                    "font-weight" = if is_fifth { "700" } else { "400" },
                    "text-anchor" = "middle",
                    "class" = if is_fifth { "ink" } else { "quiet" },
                ],
                &place.to_string(),
            );
            self.markers(svg, look, board, place, (x + PLACE / 2.0, top + 15.5));
        }
    }

    fn markers(&self, svg: &mut Svg, look: &Looks, board: &SeenBoard, place: i32, heart: (f64, f64)) {
        let here: Vec<usize> = self.at.iter().filter(|(_, at)| *at == place).map(|(faction, _)| *faction).collect();
        let (radius, apart) = match here.len() {
            0 | 1 => (9.5, 0.0),
            2..=4 => (6.0, 7.6),
            _ => (4.6, 5.0),
        };
        let columns = if here.len() > 4 { 3 } else { 2 };
        let rows = here.len().div_ceil(columns);
        for (index, faction) in here.iter().enumerate() {
            let (row, column) = (index / columns, index % columns);
            let in_row = columns.min(here.len() - row * columns);
            let right = column as f64 - (in_row as f64 - 1.0) / 2.0;
            let down = row as f64 - (rows as f64 - 1.0) / 2.0;
            let at = (heart.0 + right * 2.0 * apart, heart.1 + down * 1.9 * apart);
            let spec = &board.factions[*faction];
            let own = look.factions.get(&spec.id).and_then(|own| look.symbol(own.symbol.as_ref()));
            let face = own.map_or(Face::Letters(""), Face::Symbol);
            marker(svg, look, at, radius, Some((*faction, &spec.id, &spec.color)), None, face);
        }
    }
}
