//! Colors: those of the drawings, for light and dark themes, and those in content.

use principes_model::Looks;
use principes_schemas::Shade;

/// The theme of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light, as on paper.
    Light,
    /// Light on dark.
    Dark,
    /// As the reader's system prefers.
    Auto,
}

/// Classes with their properties and colors: light, dark.
pub(crate) const COLORS: &[(&str, &str, &str, &str)] = &[
    ("paper", "fill", "#f7f1e3", "#141210"),
    ("card", "fill", "#fdf9ef", "#282520"),
    ("sea", "fill", "#ccd9d8", "#182024"),
    ("land", "fill", "#eee3c8", "#35312a"),
    ("abroad", "fill", "#ddd3bd", "#242220"),
    ("fog", "fill", "#c9c6bd", "#3b3a37"),
    ("ink", "fill", "#2a241b", "#f1e9d8"),
    ("quiet", "fill", "#6b604d", "#b3a993"),
    ("number", "fill", "#8a2a17", "#f2b45c"),
    ("gilt", "fill", "#a67c1e", "#d8ad4a"),
    ("halo", "stroke", "#fbf7ec", "#1d1a17"),
    ("line", "stroke", "#7d7059", "#918672"),
    ("border", "stroke", "#3f3526", "#d9ceb7"),
    ("wave", "stroke", "#8fa8a8", "#3c4f56"),
    ("coast", "stroke", "#faf5e6", "#0c0f11"),
    ("edge", "stroke", "#2a241b", "#0d0c0a"),
    ("rule", "stroke", "#a67c1e", "#d8ad4a"),
];

/// The ground and the ink of badges. They are the same in all themes, because they lie on the color of a card or a tile.
pub(crate) const BADGE: (&str, &str) = ("#fffaf0", "#2a2118");

/// The styles that are the same in all themes.
const FIXED: &str = "\
.drawing text{font-family:TEXT}\
.drawing .line,.drawing .border,.drawing .coast,.drawing .wave,.drawing .rule{fill:none;stroke-linejoin:round;stroke-linecap:round}\
.drawing .halo{paint-order:stroke;stroke-width:3;stroke-linejoin:round}\
.drawing .caps{letter-spacing:.08em}\
.drawing .quiet-line{stroke-opacity:.5}";

/// The class of a keyword of the look's terrain.
pub(crate) fn class_of(keyword: &str) -> String {
    format!("t-{}", keyword.replace('.', "_"))
}

fn colors(look: &Looks, dark: bool) -> String {
    let shade = |shade: &Shade| if dark { shade.dark.0.clone() } else { shade.light.0.clone() };
    let rule = |class: &str, what: &str, color: &str| {
        format!(".drawing .{class}{{{what}:{color}}}.drawing .area.{class}{{stroke:{color}}}")
    };
    let all = COLORS.iter().map(|(class, what, light, night)| {
        let usual = if dark { night } else { light };
        let color = look.colors.get(*class).map_or_else(|| (*usual).to_owned(), shade);
        rule(class, what, &color)
    });
    let terrain = look.terrain.iter().filter_map(|(keyword, terrain)| {
        let color = shade(terrain.color.as_ref()?);
        Some(rule(&class_of(keyword), "fill", &color))
    });
    all.chain(terrain).collect()
}

/// The style sheet of drawings.
pub fn style(look: &Looks, theme: Theme) -> String {
    let fixed = FIXED.replace("TEXT", &family(look.text_font.as_ref()));
    let titles = look.title_font.as_ref().map(|font| format!(".drawing .title{{font-family:{}}}", family(Some(font))));
    let fixed = fixed + &titles.unwrap_or_default();
    match theme {
        Theme::Light => colors(look, false) + &fixed,
        Theme::Dark => colors(look, true) + &fixed,
        Theme::Auto => {
            let (day, night) = (colors(look, false), colors(look, true));
            format!("{day}{fixed}@media (prefers-color-scheme:dark){{{night}}}")
        }
    }
}

/// The font families of a text; the first available one is used. The schema forbids quotes in the names.
fn family(own: Option<&String>) -> String {
    let own = own.map(|own| format!("'{own}',")).unwrap_or_default();
    format!("{own}Vollkorn,Georgia,'Libertinus Serif','DejaVu Serif',serif")
}

/// Color words, with colors that differ in lightness, so that people who confuse red and green can distinguish them.
const WORDS: &[(&str, &str)] = &[
    ("black", "#262626"),
    ("blue", "#2a66ad"),
    ("brown", "#7a4b23"),
    ("crimson", "#a3122c"),
    ("cyan", "#3fa9c4"),
    ("gold", "#d9a514"),
    ("gray", "#85857f"),
    ("green", "#2c7d53"),
    ("grey", "#85857f"),
    ("maroon", "#6b1f3a"),
    ("orange", "#dd7420"),
    ("pink", "#e58fb0"),
    ("purple", "#70479a"),
    ("red", "#bf3027"),
    ("rose", "#cf6b85"),
    ("silver", "#aab4be"),
    ("teal", "#17807e"),
    ("white", "#f7f4ec"),
    ("yellow", "#ecbf2b"),
];

/// The color of a word. An unknown word gets a color that is always the same.
pub fn color(word: &str) -> String {
    match WORDS.iter().find(|(known, _)| *known == word) {
        Some((_, color)) => (*color).to_owned(),
        None => tint(word),
    }
}

/// Whether a word names a color.
pub fn is_color(word: &str) -> bool {
    WORDS.iter().any(|(known, _)| *known == word)
}

/// A muted color for a word that is not a color, always the same.
pub fn tint(word: &str) -> String {
    const TINTS: [&str; 10] =
        ["#7a3b2e", "#2e5f7a", "#55702f", "#6a4a86", "#8a6a1f", "#1f6f68", "#8b3f63", "#3f4f8f", "#6b5a4a", "#4a6b4f"];
    TINTS[hash(word) as usize % TINTS.len()].to_owned()
}

/// The three components of a color such as `#c8352b`, each from 0 to 255.
fn parts(color: &str) -> [u32; 3] {
    [1, 3, 5].map(|at| color.get(at..at + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0))
}

/// The lightness of a color such as `#c8352b`, from 0 to 255.
fn lightness(color: &str) -> u32 {
    let [red, green, blue] = parts(color);
    (red * 299 + green * 587 + blue * 114) / 1000
}

/// Whether a color is hard to see on paper.
pub fn is_pale(color: &str) -> bool {
    lightness(color) > 215
}

/// Black or white, whichever is more legible on a color such as `#c8352b`.
pub fn ink_on(color: &str) -> &'static str {
    if lightness(color) > 140 { "#1c1812" } else { "#ffffff" }
}

/// A mixture of two colors: 0 is the first, 1 the second.
pub fn mix(color: &str, other: &str, part: f64) -> String {
    let (from, to) = (parts(color), parts(other));
    let mut text = "#".to_owned();
    for at in 0..3 {
        let value = f64::from(from[at]) * (1.0 - part) + f64::from(to[at]) * part;
        text.push_str(&format!("{:02x}", value.round() as u8));
    }
    text
}

/// FNV-1a: a hash of a text that is the same on every machine.
pub fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_legible_on_every_color() {
        assert_eq!(ink_on(&color("white")), "#1c1812");
        assert_eq!(ink_on(&color("black")), "#ffffff");
        assert_eq!(ink_on("nonsense"), "#ffffff");
        assert_eq!(color("mauve-ish"), color("mauve-ish"));
        assert_eq!(mix("#000000", "#ff8000", 0.5), "#804000");
    }

    #[test]
    fn both_themes_color_the_same_classes() {
        let auto = style(&Looks::default(), Theme::Auto);
        for (class, what, ..) in COLORS {
            assert_eq!(auto.matches(&format!(".drawing .{class}{{{what}:#")).count(), 2, "{class}");
        }
    }
}
