//! Colors: those of the drawing, light and dark, and those that content names.

/// Which colors a drawing has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light, as on paper.
    Light,
    /// Light on dark.
    Dark,
    /// As the reader's system prefers.
    Auto,
}

/// Classes with what they set, and their colors: light, dark.
const COLORS: &[(&str, &str, &str, &str)] = &[
    ("paper", "fill", "#faf6ec", "#151311"),
    ("card", "fill", "#fdfaf2", "#2b2823"),
    ("land", "fill", "#ebe1c9", "#2f2c27"),
    ("abroad", "fill", "#d5cab0", "#201e1a"),
    ("fog", "fill", "#cfc9ba", "#3a3731"),
    ("ink", "fill", "#2a241b", "#efe7d6"),
    ("quiet", "fill", "#6f6553", "#aea48f"),
    ("halo", "stroke", "#fbf7ec", "#211e1a"),
    ("line", "stroke", "#7d7059", "#8f846f"),
    ("border", "stroke", "#3f3526", "#e0d5bd"),
    ("coast", "stroke", "#d9cdb0", "#3d372d"),
    ("edge", "stroke", "#2a241b", "#0d0c0a"),
];

/// What no theme changes.
const FIXED: &str = "\
.drawing text{font-family:Georgia,'Libertinus Serif','DejaVu Serif',serif}\
.drawing .sans{font-family:system-ui,'DejaVu Sans',sans-serif}\
.drawing .line,.drawing .border,.drawing .coast{fill:none;stroke-linejoin:round;stroke-linecap:round}\
.drawing .halo{paint-order:stroke;stroke-width:3;stroke-linejoin:round}\
.drawing .quiet-line{stroke-opacity:.45}";

fn colors(dark: bool) -> String {
    let rule = |(class, what, light, night): &(&str, &str, &str, &str)| {
        let color = if dark { night } else { light };
        format!(".drawing .{class}{{{what}:{color}}}.drawing .area.{class}{{stroke:{color}}}")
    };
    COLORS.iter().map(rule).collect()
}

/// The style sheet of drawings.
pub fn style(theme: Theme) -> String {
    match theme {
        Theme::Light => format!("{}{FIXED}", colors(false)),
        Theme::Dark => format!("{}{FIXED}", colors(true)),
        Theme::Auto => {
            format!("{}{FIXED}@media (prefers-color-scheme:dark){{{}}}", colors(false), colors(true))
        }
    }
}

/// Color words with colors that stay apart for eyes that mix up red and green, too: they differ in lightness.
const WORDS: &[(&str, &str)] = &[
    ("black", "#262626"),
    ("blue", "#2f6fb7"),
    ("brown", "#7a4b23"),
    ("crimson", "#a3122c"),
    ("cyan", "#3fb3c9"),
    ("gold", "#d9a514"),
    ("gray", "#8b8b86"),
    ("green", "#2f8f5b"),
    ("grey", "#8b8b86"),
    ("maroon", "#6b1f3a"),
    ("orange", "#e2761b"),
    ("pink", "#e58fb0"),
    ("purple", "#7b4fa3"),
    ("red", "#c8352b"),
    ("rose", "#d4738c"),
    ("silver", "#b9c0c7"),
    ("teal", "#17807e"),
    ("white", "#f7f4ec"),
    ("yellow", "#f0c52e"),
];

/// The color that a word names. Words that name none get one that is always the same.
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

/// A color for a word that is not a color: muted, and always the same.
pub fn tint(word: &str) -> String {
    const TINTS: [&str; 10] =
        ["#7a3b2e", "#2e5f7a", "#55702f", "#6a4a86", "#8a6a1f", "#1f6f68", "#8b3f63", "#3f4f8f", "#6b5a4a", "#4a6b4f"];
    TINTS[hash(word) as usize % TINTS.len()].to_owned()
}

/// Black or white, whichever is legible on a color such as `#c8352b`.
pub fn ink_on(color: &str) -> &'static str {
    let part = |at: usize| color.get(at..at + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0);
    let light = part(1) * 299 + part(3) * 587 + part(5) * 114;
    if light > 140_000 { "#1c1812" } else { "#ffffff" }
}

/// FNV-1a: a number for a text that is the same on every machine.
pub fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_be_read_on_every_color() {
        assert_eq!(ink_on(&color("white")), "#1c1812");
        assert_eq!(ink_on(&color("black")), "#ffffff");
        assert_eq!(ink_on("nonsense"), "#ffffff");
        assert_eq!(color("mauve-ish"), color("mauve-ish"));
    }

    #[test]
    fn both_themes_color_the_same_classes() {
        let auto = style(Theme::Auto);
        for (class, what, ..) in COLORS {
            assert_eq!(auto.matches(&format!(".drawing .{class}{{{what}:#")).count(), 2, "{class}");
        }
    }
}
