//! A drawing as a list of things to paint, in order.

use std::sync::Arc;

use kurbo::{Affine, BezPath, Rect, Shape as _};

use crate::font::{Fonts, Glyph};

/// A drawing.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Its width and height.
    pub size: (f64, f64),
    /// What is painted.
    pub items: Vec<Item>,
}

/// Something that is painted.
#[derive(Clone, Debug)]
pub enum Item {
    /// A path.
    Shape(Shape),
    /// Letters in one line.
    Text(Text),
    /// A picture of pixels in a box of 1 by 1.
    Pixels(Pixels),
    /// Several things as one.
    Group(Group),
}

/// A path.
#[derive(Clone, Debug)]
pub struct Shape {
    /// In the units of the drawing.
    pub path: BezPath,
    /// Its transformation.
    pub at: Affine,
    /// How its inside is painted.
    pub fill: Option<Fill>,
    /// How its line is painted.
    pub stroke: Option<Stroke>,
}

/// A color with an opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// Red, green and blue.
    pub color: [u8; 3],
    /// From 0 to 1.
    pub opacity: f64,
}

/// How the inside of a path is painted.
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// The color.
    pub paint: Paint,
    /// Whether what is enclosed twice is outside.
    pub is_even_odd: bool,
}

/// How a line is painted.
#[derive(Clone, Debug)]
pub struct Stroke {
    /// The color.
    pub paint: Paint,
    /// How thick it is.
    pub width: f64,
    /// The shape of its ends.
    pub cap: Cap,
    /// The shape of its corners.
    pub join: Join,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub dashes: Vec<f64>,
}

/// The ends of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cap {
    /// Flat.
    #[default]
    Butt,
    /// A half circle.
    Round,
    /// A half square.
    Square,
}

/// The corners of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Sharp.
    #[default]
    Miter,
    /// An arc around the corner.
    Round,
    /// Cut.
    Bevel,
}

/// Letters in one line.
#[derive(Clone, Debug)]
pub struct Text {
    /// The index of the font.
    pub font: usize,
    /// The font size, in the units of the drawing.
    pub size: f64,
    /// The transformation. The baseline begins at 0, 0.
    pub at: Affine,
    /// The glyphs. Advances are fractions of the size.
    pub glyphs: Vec<Glyph>,
    /// The color.
    pub paint: Paint,
    /// An outline that is painted below the letters.
    pub halo: Option<Stroke>,
}

/// A picture of pixels.
#[derive(Clone, Debug)]
pub struct Pixels {
    /// A PNG or JPEG file.
    pub bytes: Arc<[u8]>,
    /// The transformation of its box of 1 by 1.
    pub at: Affine,
}

/// Several things as one.
#[derive(Clone, Debug)]
pub struct Group {
    /// What is painted.
    pub items: Vec<Item>,
    /// From 0 to 1.
    pub opacity: f64,
    /// The clip path.
    pub clip: Option<BezPath>,
}

impl Item {
    /// A rectangle around everything that is painted.
    pub fn bounds(&self) -> Rect {
        match self {
            Item::Shape(shape) => shape.bounds(),
            Item::Text(text) => text.bounds(),
            Item::Pixels(pixels) => pixels.at.transform_rect_bbox(Rect::new(0.0, 0.0, 1.0, 1.0)),
            Item::Group(group) => match &group.clip {
                Some(clip) => clip.bounding_box(),
                None => group.items.iter().map(Item::bounds).reduce(|all, one| all.union(one)).unwrap_or_default(),
            },
        }
    }
}

impl Shape {
    /// A rectangle around everything that is painted.
    pub fn bounds(&self) -> Rect {
        let line = self.stroke.as_ref().map_or(0.0, |stroke| stroke.width);
        self.at.transform_rect_bbox(self.path.bounding_box().inflate(line, line))
    }
}

impl Text {
    /// The width of the letters.
    pub fn width(&self) -> f64 {
        self.glyphs.iter().map(|glyph| glyph.advance * self.size).sum()
    }

    /// A rectangle around everything that is painted.
    pub fn bounds(&self) -> Rect {
        self.at.transform_rect_bbox(Rect::new(-self.size, -self.size * 1.5, self.width() + self.size, self.size))
    }

    /// The outline and the letters as paths, in the order of painting.
    pub fn shapes(&self, fonts: &Fonts) -> Vec<Shape> {
        let mut path = BezPath::new();
        let scale = self.size / f64::from(fonts.face(self.font).units_per_em());
        let mut x = 0.0;
        for glyph in &self.glyphs {
            let at = Affine::translate((x, 0.0)) * Affine::scale_non_uniform(scale, -scale);
            path.extend(at * fonts.outline(self.font, glyph.id));
            x += glyph.advance * self.size;
        }
        let halo =
            self.halo.clone().map(|stroke| Shape { path: path.clone(), at: self.at, fill: None, stroke: Some(stroke) });
        let fill = Fill { paint: self.paint, is_even_odd: false };
        halo.into_iter().chain([Shape { path, at: self.at, fill: Some(fill), stroke: None }]).collect()
    }
}
