//! Fonts: the built-in one and those of looks. Turns letters into positioned glyphs.

use std::sync::Arc;

use kurbo::BezPath;
use principes_draw::font::{FAMILY, FILES};
use principes_model::Looks;
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// A font file.
struct Font {
    data: Arc<[u8]>,
    family: String,
    is_bold: bool,
    is_italic: bool,
}

/// All fonts that a drawing may use.
pub struct Fonts(Vec<Font>);

/// The style of letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Families in the order of preference, as CSS writes them.
    pub families: String,
    /// Whether the letters are bold.
    pub is_bold: bool,
    /// Whether the letters are italic.
    pub is_italic: bool,
}

/// A glyph of a font.
#[derive(Clone, Debug, PartialEq)]
pub struct Glyph {
    /// Its number in the font.
    pub id: u16,
    /// The letter that it shows.
    pub letter: char,
    /// The distance from its start to that of the next glyph, as a fraction of the font size.
    pub advance: f64,
}

/// Letters of one font.
pub struct GlyphRun {
    /// The index of the font.
    pub font: usize,
    /// In reading order.
    pub glyphs: Vec<Glyph>,
}

impl Fonts {
    /// The built-in font and those of a look.
    pub fn of(look: &Looks) -> Fonts {
        let own = FILES.iter().map(|file| Arc::from(*file));
        Fonts(own.chain(look.fonts.iter().cloned()).filter_map(Font::read).collect())
    }

    /// The file of a font.
    pub fn data(&self, font: usize) -> &[u8] {
        &self.0[font].data
    }

    /// A font, ready to be read.
    pub fn face(&self, font: usize) -> Face<'_> {
        // Fonts that cannot be read have been left out.
        #[allow(clippy::unwrap_used)]
        Face::parse(&self.0[font].data, 0).unwrap()
    }

    /// The fonts for a style, best first.
    fn ranked(&self, style: &Style) -> Vec<usize> {
        let wanted: Vec<&str> = style.families.split(',').map(|name| name.trim().trim_matches(['\'', '"'])).collect();
        let rank = |at: &usize| {
            let font = &self.0[*at];
            let family = wanted.iter().position(|name| *name == font.family).unwrap_or(wanted.len());
            (family, font.is_italic != style.is_italic, font.is_bold != style.is_bold)
        };
        let mut ranked: Vec<usize> = (0..self.0.len()).collect();
        ranked.sort_by_key(rank);
        ranked
    }

    /// The glyphs of a text. A letter that no font has becomes the replacement glyph.
    pub fn shape(&self, text: &str, style: &Style) -> Vec<GlyphRun> {
        let ranked = self.ranked(style);
        let faces: Vec<Face<'_>> = ranked.iter().map(|font| self.face(*font)).collect();
        let mut runs: Vec<GlyphRun> = Vec::new();
        for letter in text.chars() {
            let found = faces.iter().enumerate().find_map(|(at, face)| Some((at, face.glyph_index(letter)?)));
            let Some((at, id)) = found.or_else(|| (!faces.is_empty()).then_some((0, GlyphId(0)))) else { break };
            let (font, face) = (ranked[at], &faces[at]);
            let units = f64::from(face.units_per_em());
            let advance = f64::from(face.glyph_hor_advance(id).unwrap_or(0)) / units;
            let glyph = Glyph { id: id.0, letter, advance };
            match runs.last_mut().filter(|run| run.font == font) {
                Some(run) => {
                    if let Some(before) = run.glyphs.last_mut() {
                        before.advance += f64::from(kerning(face, GlyphId(before.id), id)) / units;
                    }
                    run.glyphs.push(glyph);
                }
                None => runs.push(GlyphRun { font, glyphs: vec![glyph] }),
            }
        }
        runs
    }

    /// The outline of a glyph in units of its font, upward.
    pub fn outline(&self, font: usize, glyph: u16) -> BezPath {
        let mut pen = Pen(BezPath::new());
        self.face(font).outline_glyph(GlyphId(glyph), &mut pen);
        pen.0
    }
}

impl Font {
    fn read(data: Arc<[u8]>) -> Option<Font> {
        let face = Face::parse(&data, 0).ok()?;
        let name = |wanted: u16| {
            let names = face.names();
            names
                .into_iter()
                .filter(|name| name.name_id == wanted && name.is_unicode())
                .find_map(|name| name.to_string())
        };
        let family = name(ttf_parser::name_id::TYPOGRAPHIC_FAMILY).or_else(|| name(ttf_parser::name_id::FAMILY));
        let (is_bold, is_italic) = (face.is_bold(), face.is_italic());
        Some(Font { family: family.unwrap_or_else(|| FAMILY.to_owned()), is_bold, is_italic, data })
    }
}

/// The kerning of two glyphs, in units of the font.
fn kerning(face: &Face<'_>, left: GlyphId, right: GlyphId) -> i16 {
    let Some(table) = face.tables().gpos else { return 0 };
    let kern = table.features.into_iter().filter(|feature| feature.tag == ttf_parser::Tag::from_bytes(b"kern"));
    let lookups = kern.take(1).flat_map(|feature| feature.lookup_indices);
    let subtables = lookups.filter_map(|at| table.lookups.get(at));
    for lookup in subtables {
        for subtable in lookup.subtables.into_iter::<PositioningSubtable<'_>>() {
            let PositioningSubtable::Pair(pair) = subtable else { continue };
            // The first subtable that knows the pair decides.
            if let Some(by) = pair_kerning(&pair, left, right) {
                return by;
            }
        }
    }
    0
}

fn pair_kerning(pair: &PairAdjustment<'_>, left: GlyphId, right: GlyphId) -> Option<i16> {
    let at = pair.coverage().get(left)?;
    let (first, _) = match pair {
        PairAdjustment::Format1 { sets, .. } => sets.get(at)?.get(right)?,
        PairAdjustment::Format2 { classes, matrix, .. } => matrix.get((classes.0.get(left), classes.1.get(right)))?,
    };
    Some(first.x_advance)
}

struct Pen(BezPath);

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to((f64::from(x), f64::from(y)));
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to((f64::from(x), f64::from(y)));
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to((f64::from(x1), f64::from(y1)), (f64::from(x), f64::from(y)));
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let [a, b, c] = [(x1, y1), (x2, y2), (x, y)].map(|(x, y)| (f64::from(x), f64::from(y)));
        self.0.curve_to(a, b, c);
    }
    fn close(&mut self) {
        self.0.close_path();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(is_bold: bool, is_italic: bool) -> Style {
        Style { families: "'No such font', Vollkorn, serif".to_owned(), is_bold, is_italic }
    }

    #[test]
    fn letters_have_glyphs_and_kerning() {
        let fonts = Fonts::of(&Looks::default());
        let fonts_of = |bold, italic| fonts.shape("a", &style(bold, italic))[0].font;
        assert_eq!([fonts_of(false, false), fonts_of(true, false), fonts_of(false, true)], [0, 1, 2]);
        let polish = fonts.shape("Zażółć gęślą jaźń: „Ó”", &style(false, false));
        assert!(polish.len() == 1 && polish[0].glyphs.iter().all(|glyph| glyph.id != 0));
        let wide =
            |text| fonts.shape(text, &style(false, false))[0].glyphs.iter().map(|glyph| glyph.advance).sum::<f64>();
        assert!(wide("AV") < wide("A") + wide("V") - 0.02, "A and V stand close together");
        assert_eq!(fonts.shape("\u{4e16}", &style(false, false))[0].glyphs[0].id, 0);
        assert!(!fonts.outline(0, polish[0].glyphs[0].id).is_empty());
    }
}
