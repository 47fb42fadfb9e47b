//! Where the parts of a face are: how high the picture is, and how large the letters are.

use principes_schemas::{CardFrame, CardSize};

use super::face::{EDGE, Face, INSET, SIZE, Shown};
use super::prop::Arranged;
use crate::look::{Paint, on, symbol};
use crate::svg::{Svg, attrs};
use crate::text::{fit, width, wrap};
use crate::theme::{ink_on, mix};

/// The height of the ribbon.
const RIBBON: f64 = 24.0;
/// The height of the foot, if something is in it.
const FOOT: f64 = 21.0;
/// The size of the letters of props.
const PROP: f64 = 13.0;
/// The height of a row of props.
const ROW: f64 = 23.0;
/// The size of figures, and the height of their row.
const FIGURE: (f64, f64) = (18.0, 33.0);
/// The sizes of titles that are tried.
const TITLES: [f64; 6] = [22.5, 21.0, 19.5, 18.0, 16.5, 15.0];
/// Heights of the picture and sizes of the text, the best first. 12.6 units are 9 points on a poker card.
const POKER: [(f64, f64); 13] = [
    (150.0, 17.0),
    (150.0, 16.0),
    (150.0, 15.0),
    (136.0, 15.0),
    (124.0, 15.0),
    (124.0, 14.0),
    (118.0, 13.5),
    (118.0, 12.7),
    (100.0, 12.7),
    (84.0, 12.7),
    (84.0, 11.0),
    (84.0, 9.5),
    (84.0, 8.5),
];
/// The same for small cards, on which all letters are printed smaller.
const SMALL: [(f64, f64); 8] = [
    (150.0, 19.0),
    (150.0, 18.0),
    (136.0, 18.0),
    (118.0, 18.0),
    (100.0, 18.0),
    (84.0, 17.0),
    (84.0, 13.0),
    (84.0, 8.5),
];

/// The parts of a face with their places.
pub(super) struct Layout<'f> {
    face: &'f Face,
    props: Arranged<'f>,
    /// The height of the picture.
    pub art: f64,
    title: (f64, Vec<String>),
    size: f64,
    lines: Vec<String>,
    flavor: Vec<String>,
    rows: Vec<Vec<&'f Shown>>,
}

impl<'f> Layout<'f> {
    pub(super) fn of(face: &'f Face) -> Layout<'f> {
        let props = Arranged::of(face);
        let rows = rows(&props.below);
        let mut layout =
            Layout { face, props, art: 0.0, title: title(&face.title), size: 0.0, lines: vec![], flavor: vec![], rows };
        let choices: &[(f64, f64)] = if face.size == CardSize::Small { &SMALL } else { &POKER };
        // Without a text, there is room for a larger picture.
        let larger = [(190.0, 17.0), (170.0, 17.0)];
        let larger = larger.iter().filter(|_| face.text.is_empty() && face.flavor.is_empty());
        for (art, size) in larger.chain(choices) {
            (layout.art, layout.size) = (*art, *size);
            layout.lines = balanced(&face.text, (SIZE.0 - 2.0 * INSET) / size);
            layout.flavor = wrap(&face.flavor, (SIZE.0 - 2.0 * INSET) / (size * 0.8));
            if layout.text_top() + layout.text_height() <= layout.text_low() {
                break;
            }
        }
        layout
    }

    fn ribbon(&self) -> f64 {
        EDGE + self.art
    }

    fn text_top(&self) -> f64 {
        self.ribbon() + RIBBON + 8.0 + self.title.0 * 1.1 * self.title.1.len() as f64
    }

    fn text_height(&self) -> f64 {
        let flavor = self.flavor.len() as f64 * self.size * 0.95;
        self.size * 1.24 * self.lines.len() as f64 + if flavor > 0.0 { flavor + 6.0 } else { 0.0 }
    }

    fn has_foot(&self) -> bool {
        self.face.copies > 1 || !self.props.foot.is_empty()
    }

    /// The lower end of the room for props.
    fn low(&self) -> f64 {
        SIZE.1 - EDGE - 4.0 - if self.has_foot() { FOOT } else { 2.0 }
    }

    /// The lower end of the room for text.
    fn text_low(&self) -> f64 {
        let figures = if self.props.figures.is_empty() { 0.0 } else { FIGURE.1 };
        self.low() - ROW * self.rows.len() as f64 - figures
    }

    pub(super) fn draw(&self, svg: &mut Svg) {
        self.draw_ribbon(svg);
        for (corner, x) in self.props.corners.iter().zip([EDGE + 26.0, SIZE.0 - EDGE - 26.0]) {
            corner.badge(svg, (x, EDGE + 26.0), &self.face.strong());
        }
        self.draw_title(svg);
        self.draw_text(svg);
        self.draw_props(svg);
        self.draw_foot(svg);
        if self.face.frame == CardFrame::Ornate {
            draw_rule(svg, self.ribbon() + RIBBON + 4.0);
        }
    }

    fn draw_ribbon(&self, svg: &mut Svg) {
        let ground = mix(&self.face.strong(), "#000000", 0.2);
        let wide = SIZE.0 - 2.0 * EDGE;
        let place = attrs!["x" = EDGE, "y" = self.ribbon(), "width" = wide, "height" = RIBBON, "fill" = &ground];
        svg.put("rect", place);
        let y = self.ribbon() + RIBBON * 0.68;
        let alone = (wide - 18.0) / width(&self.face.card_type).max(1.0);
        let size = self.props.ribbon.map_or_else(|| alone.clamp(9.5, 13.5), |(_, size)| size);
        let (ink, left, right) = (ink_on(&ground), EDGE + 9.0, SIZE.0 - EDGE - 9.0);
        let name = fit(&self.face.card_type, (wide - 18.0) / size + 0.3);
        svg.write("text", attrs!["x" = left, "y" = y, "font-size" = size, "fill" = ink], &name);
        if let Some((shown, _)) = self.props.ribbon {
            let word = shown.word();
            let place = attrs!["x" = right, "y" = y, "font-size" = size, "text-anchor" = "end", "fill" = ink];
            svg.write("text", place, word);
            if let Some((path, _)) = &shown.symbol {
                let x = right - (width(word) + 0.9) * size;
                symbol(svg, path, (x, self.ribbon() + RIBBON / 2.0), size * 1.2, on(&ground));
            }
        }
    }

    fn draw_title(&self, svg: &mut Svg) {
        let (size, lines) = &self.title;
        for (down, line) in lines.iter().enumerate() {
            let place = attrs![
                "x" = SIZE.0 / 2.0,
                "y" = self.ribbon() + RIBBON + 6.0 + size * (0.86 + 1.1 * down as f64),
                "font-size" = *size,
                "text-anchor" = "middle",
                "font-weight" = "700",
                "class" = "ink title",
            ];
            svg.write("text", place, line);
        }
    }

    /// Draws the text and the flavor.
    fn draw_text(&self, svg: &mut Svg) {
        let size = self.size;
        let spare = self.text_low() - self.text_top() - self.text_height();
        let mut y = self.text_top() + size * 0.92 + (spare * 0.36).clamp(0.0, 26.0);
        for line in &self.lines {
            let place =
                attrs!["x" = SIZE.0 / 2.0, "y" = y, "font-size" = size, "text-anchor" = "middle", "class" = "ink",];
            svg.open("text", place);
            for (is_number, part) in numbers(line) {
                match is_number {
                    true => svg.write("tspan", attrs!["font-weight" = "700", "class" = "number"], part),
                    false => svg.write("tspan", &[], part),
                }
            }
            svg.close("text");
            y += size * 1.24;
        }
        y += 6.0 - size * 0.2;
        for line in &self.flavor {
            let place = attrs![
                "x" = SIZE.0 / 2.0,
                "y" = y,
                "font-size" = size * 0.76,
                "text-anchor" = "middle",
                "font-style" = "italic",
                "class" = "quiet",
            ];
            svg.write("text", place, line);
            y += size * 0.95;
        }
    }

    /// Draws figures and, below them, other props.
    fn draw_props(&self, svg: &mut Svg) {
        let tint = self.face.strong();
        // Without a text, they are in the middle of its room.
        let spare = self.text_low() - self.text_top() - self.text_height();
        let mut y = self.text_low() - if self.lines.is_empty() { spare.max(0.0) * 0.45 } else { 0.0 };
        if !self.props.figures.is_empty() {
            draw_row(svg, &self.props.figures, y + FIGURE.1 / 2.0, FIGURE.0, &tint);
            y += FIGURE.1;
        }
        for row in &self.rows {
            draw_row(svg, row, y + ROW / 2.0, PROP, &tint);
            y += ROW;
        }
    }

    /// Draws what the card is worth and, at the right, a dot for each copy.
    fn draw_foot(&self, svg: &mut Svg) {
        let y = SIZE.1 - EDGE - 14.0;
        let mut x = EDGE + 11.0;
        for shown in &self.props.foot {
            if let Some((path, color)) = &shown.symbol {
                let paint = color.as_ref().map_or(Paint::Class("gilt"), |color| Paint::Fill(color));
                symbol(svg, path, (x + 7.0, y), 15.0, paint);
                x += 17.0;
            }
            let place = attrs!["x" = x, "y" = y + 5.0, "font-size" = 14.0, "font-weight" = "700", "class" = "ink"];
            svg.write("text", place, shown.word());
            x += width(shown.word()) * 14.0 + 10.0;
        }
        let right = SIZE.0 - EDGE - 12.0;
        match self.face.copies {
            0 | 1 => {}
            few @ 2..=5 => {
                for dot in 0..few {
                    let x = right - 8.0 * f64::from(dot);
                    svg.put("circle", attrs!["cx" = x, "cy" = y, "r" = 2.3, "class" = "quiet"]);
                }
            }
            many => {
                let place =
                    attrs!["x" = right, "y" = y + 4.5, "font-size" = 13.0, "text-anchor" = "end", "class" = "quiet"];
                svg.write("text", place, &format!("×{many}"));
            }
        }
    }
}

/// Draws the line of an ornate frame around the paper below the ribbon.
fn draw_rule(svg: &mut Svg, top: f64) {
    let (left, right, low) = (EDGE + 4.0, SIZE.0 - EDGE - 4.0, SIZE.1 - EDGE - 4.0);
    let path = format!("M{left} {top}V{low}H{right}V{top}");
    svg.put("path", attrs!["d" = &path, "class" = "rule", "stroke-width" = 0.8]);
}

/// Draws props beside each other.
fn draw_row(svg: &mut Svg, row: &[&Shown], y: f64, size: f64, tint: &str) {
    const GAP: f64 = 6.0;
    let room = SIZE.0 - 2.0 * EDGE - 12.0 - GAP * (row.len() as f64 - 1.0);
    let total: f64 = row.iter().map(|shown| shown.wide(size)).sum();
    // One that is too long for a row has smaller letters.
    let shrunk = (room / total).min(1.0);
    let size = size * shrunk;
    let mut x = SIZE.0 / 2.0 - (total * shrunk + GAP * (row.len() as f64 - 1.0)) / 2.0;
    for shown in row {
        let wide = shown.wide(size);
        shown.chip(svg, (x + wide / 2.0, y), wide, size, tint);
        x += wide + GAP;
    }
}

/// As many props in a row as fit.
fn rows<'f>(below: &[&'f Shown]) -> Vec<Vec<&'f Shown>> {
    let room = SIZE.0 - 2.0 * EDGE - 12.0;
    let mut rows: Vec<(Vec<&Shown>, f64)> = Vec::new();
    for shown in below {
        let wide = shown.wide(PROP) + 6.0;
        match rows.last_mut() {
            Some((row, used)) if *used + wide <= room + 6.0 => {
                row.push(shown);
                *used += wide;
            }
            _ => rows.push((vec![shown], wide)),
        }
    }
    rows.into_iter().map(|(row, _)| row).collect()
}

/// The size and the lines of a title: at most two, shortened if they are still too long.
fn title(text: &str) -> (f64, Vec<String>) {
    let room = SIZE.0 - 2.0 * EDGE - 12.0;
    let is_good = |lines: &[String], size: f64| lines.len() <= 2 && lines.iter().all(|line| width(line) * size <= room);
    for size in TITLES {
        let lines = balanced(text, room / size);
        if is_good(&lines, size) {
            return (size, lines);
        }
    }
    let size = TITLES[TITLES.len() - 1];
    let lines = wrap(text, room / size);
    let short = |(at, line): (usize, &String)| {
        // The last line says that there is more.
        let line = if at == 1 && lines.len() > 2 { format!("{line} {}", lines[2]) } else { line.clone() };
        fit(&line, room / size)
    };
    (size, lines.iter().enumerate().take(2).map(short).collect())
}

/// Breaks a text into as few lines as possible, which are about equally long.
fn balanced(text: &str, most: f64) -> Vec<String> {
    let lines = wrap(text, most);
    let mut best = lines.clone();
    let mut room = most;
    while lines.len() > 1 && room > most * 0.55 {
        room -= most * 0.03;
        let tried = wrap(text, room);
        if tried.len() > lines.len() || tried.iter().any(|line| width(line) > room) {
            break;
        }
        best = tried;
    }
    best
}

/// Splits a line into numbers and the text between them.
fn numbers(line: &str) -> Vec<(bool, &str)> {
    let mut parts = Vec::new();
    let mut from = 0;
    let letters: Vec<(usize, char)> = line.char_indices().collect();
    for pair in letters.windows(2) {
        let [(_, before), (at, after)] = pair else { continue };
        if before.is_ascii_digit() != after.is_ascii_digit() {
            parts.push((before.is_ascii_digit(), &line[from..*at]));
            from = *at;
        }
    }
    if let Some((_, last)) = letters.last() {
        parts.push((last.is_ascii_digit(), &line[from..]));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_emphasized() {
        assert_eq!(numbers("Gain 12 gold."), [(false, "Gain "), (true, "12"), (false, " gold.")]);
        assert_eq!(numbers(""), []);
    }

    #[test]
    fn lines_are_about_equally_long() {
        let lines = balanced("Remove one of your Knights: gain 1 People and 1 Clergy Support.", 14.0);
        let (least, most) =
            lines.iter().map(|line| width(line)).fold((99.0_f64, 0.0_f64), |(a, b), w| (a.min(w), b.max(w)));
        assert!(lines.len() == wrap(&lines.join(" "), 14.0).len() && least > most * 0.6, "{lines:?}");
    }
}
