//! Tracks with the marker of each seat.

use principes_app::board::{Board, Track};

use crate::piece::marker;
use crate::svg::Svg;
use crate::text::fit;

/// Width of a place on a track.
const PLACE: f64 = 30.0;
/// Width of the names of tracks.
const NAMES: f64 = 150.0;
/// Height of a place on a track.
const HIGH: f64 = 34.0;

/// A track with the seats on it.
struct Row<'a> {
    name: &'a str,
    track: Track,
    /// The place of each faction.
    at: Vec<(usize, i32)>,
}

/// Draws the tracks of all seats; none if the game has none.
pub fn draw(board: &Board, title: &str) -> Option<String> {
    let mut rows: Vec<(&str, Row<'_>)> = Vec::new();
    for seat in &board.seats {
        for counter in &seat.counters {
            let Some(track) = counter.track else { continue };
            let at = (seat.faction, track.value);
            match rows.iter_mut().find(|(id, _)| *id == counter.id) {
                Some((_, row)) => row.at.push(at),
                None => rows.push((&counter.id, Row { name: &counter.name, track, at: vec![at] })),
            }
        }
    }
    let longest = rows.iter().map(|(_, row)| row.track.max - row.track.min + 1).max()?;
    let mut svg = Svg::default();
    let (wide, high) = (NAMES + f64::from(longest) * PLACE + 8.0, rows.len() as f64 * (HIGH + 8.0) + 8.0);
    svg.put("rect", &[("width", wide.into()), ("height", high.into()), ("class", "paper".into()), ("rx", 6.0.into())]);
    for (down, (_, row)) in rows.iter().enumerate() {
        row.draw(&mut svg, board, 8.0 + down as f64 * (HIGH + 8.0));
    }
    Some(svg.finish((0.0, 0.0, wide, high), "tracks", title))
}

impl Row<'_> {
    fn draw(&self, svg: &mut Svg, board: &Board, top: f64) {
        let name = fit(self.name, (NAMES - 14.0) / 14.0);
        svg.write(
            "text",
            &[
                ("x", 10.0.into()),
                ("y", (top + HIGH / 2.0 + 5.0).into()),
                ("font-size", 14.0.into()),
                ("class", "ink".into()),
            ],
            &name,
        );
        for place in self.track.min..=self.track.max {
            let x = NAMES + f64::from(place - self.track.min) * PLACE;
            let here: Vec<usize> = self.at.iter().filter(|(_, at)| *at == place).map(|(faction, _)| *faction).collect();
            let (left, wide) = ((x + 1.0).into(), (PLACE - 2.0).into());
            svg.put(
                "rect",
                &[
                    ("x", left),
                    ("y", top.into()),
                    ("width", wide),
                    ("height", HIGH.into()),
                    ("rx", 4.0.into()),
                    ("class", "land".into()),
                ],
            );
            let (y, class) = (top + HIGH - 4.0, "quiet sans".into());
            svg.write(
                "text",
                &[
                    ("x", (x + PLACE / 2.0).into()),
                    ("y", y.into()),
                    ("font-size", 9.0.into()),
                    ("text-anchor", "middle".into()),
                    ("class", class),
                ],
                &place.to_string(),
            );
            let radius = if here.len() > 1 { 5.4 } else { 8.0 };
            for (index, faction) in here.iter().enumerate() {
                let (right, down) = ((index % 2) as f64, (index / 2) as f64);
                let heart = if here.len() > 1 {
                    (x + PLACE / 2.0 - 6.5 + right * 13.0, top + 7.5 + down * 12.5)
                } else {
                    (x + PLACE / 2.0, top + 13.0)
                };
                marker(svg, heart, radius, Some((*faction, &board.factions[*faction].color)), "");
            }
        }
    }
}
