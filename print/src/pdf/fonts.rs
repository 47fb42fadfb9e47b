//! The fonts of a PDF file: only the used glyphs, and the letters that they stand for.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;
use ttf_parser::GlyphId;

use super::packed;
use crate::font::{Fonts, Glyph};

const SYSTEM: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A font of which some glyphs are used.
pub struct UsedFont {
    glyphs: GlyphRemapper,
    /// For each code, its letter, and its width as a fraction of the size.
    codes: BTreeMap<u16, (char, f64)>,
    /// The widths of glyphs, as fractions of the size.
    widths: Vec<f64>,
}

impl UsedFont {
    /// A font without used glyphs.
    pub fn new(fonts: &Fonts, font: usize) -> UsedFont {
        let face = fonts.face(font);
        let units = f64::from(face.units_per_em());
        let width = |id: u16| f64::from(face.glyph_hor_advance(GlyphId(id)).unwrap_or(0)) / units;
        let widths = (0..face.number_of_glyphs()).map(width).collect();
        UsedFont { glyphs: GlyphRemapper::new(), codes: BTreeMap::new(), widths }
    }

    /// The code of a glyph, and its width as a fraction of the size.
    pub fn code(&mut self, glyph: &Glyph) -> (u16, f64) {
        let code = self.glyphs.remap(glyph.id);
        let width = self.widths.get(usize::from(glyph.id)).copied().unwrap_or(0.0);
        self.codes.entry(code).or_insert((glyph.letter, width));
        (code, width)
    }

    /// Writes the used part of the font, and returns its reference.
    pub fn write(&self, pdf: &mut Pdf, next: &mut Ref, fonts: &Fonts, font: usize) -> Ref {
        let [id, descendant, descriptor, unicode, file] = [(); 5].map(|()| next.bump());
        let face = fonts.face(font);
        let own = face.names().into_iter().filter(|name| name.name_id == ttf_parser::name_id::POST_SCRIPT_NAME);
        let own = own.filter_map(|name| name.to_string()).next().unwrap_or_else(|| "Font".to_owned());
        let plain: String = own.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
        let name = format!("{}+{plain}", self.tag());
        let data = subsetter::subset(fonts.data(font), 0, &self.glyphs);
        let data = data.unwrap_or_else(|_| fonts.data(font).to_vec());
        let outlines = ttf_parser::RawFace::parse(&data, 0).ok();
        let cff = outlines.and_then(|face| face.table(ttf_parser::Tag::from_bytes(b"CFF "))).map(<[u8]>::to_vec);

        let mut type0 = pdf.type0_font(id);
        type0.base_font(Name(name.as_bytes())).encoding_predefined(Name(b"Identity-H"));
        type0.descendant_font(descendant).to_unicode(unicode);
        type0.finish();

        let mut cid = pdf.cid_font(descendant);
        cid.subtype(if cff.is_some() { CidFontType::Type0 } else { CidFontType::Type2 });
        cid.base_font(Name(name.as_bytes())).system_info(SYSTEM).font_descriptor(descriptor).default_width(0.0);
        if cff.is_none() {
            cid.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        let mut widths = cid.widths();
        for (code, (_, width)) in &self.codes {
            widths.consecutive(*code, [(width * 1000.0) as f32]);
        }
        widths.finish();
        cid.finish();

        let scale = 1000.0 / f32::from(face.units_per_em());
        let scaled = |number: i16| f32::from(number) * scale;
        let bounds = face.global_bounding_box();
        let mut about = pdf.font_descriptor(descriptor);
        about.name(Name(name.as_bytes())).flags(FontFlags::SYMBOLIC | FontFlags::SERIF);
        about.bbox(Rect::new(scaled(bounds.x_min), scaled(bounds.y_min), scaled(bounds.x_max), scaled(bounds.y_max)));
        about.italic_angle(face.italic_angle()).ascent(scaled(face.ascender())).descent(scaled(face.descender()));
        about.cap_height(scaled(face.capital_height().unwrap_or(face.ascender()))).stem_v(95.0);
        match cff {
            Some(_) => about.font_file3(file),
            None => about.font_file2(file),
        };
        about.finish();

        let mut map = UnicodeCmap::new(Name(b"Letters"), SYSTEM);
        for (code, (letter, _)) in &self.codes {
            map.pair(*code, *letter);
        }
        let bytes = packed(&map.finish());
        pdf.cmap(unicode, &bytes).filter(Filter::FlateDecode);

        let bytes = packed(cff.as_deref().unwrap_or(&data));
        let mut stream = pdf.stream(file, &bytes);
        stream.filter(Filter::FlateDecode);
        if cff.is_some() {
            stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        }
        stream.finish();
        id
    }

    /// A tag of six letters that depends on the subset of the font.
    fn tag(&self) -> String {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for glyph in self.glyphs.remapped_gids() {
            hash = (hash ^ u64::from(glyph)).wrapping_mul(0x0100_0000_01b3);
        }
        (0..6).map(|at| char::from(b'A' + (hash >> (at * 8) & 0xff) as u8 % 26)).collect()
    }
}
