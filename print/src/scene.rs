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
    /// The path.
    pub path: BezPath,
    /// Where it goes.
    pub at: Affine,
    /// How its inside is painted.
    pub fill: Option<Fill>,
    /// How its line is painted.
    pub stroke: Option<Stroke>,
}

/// A color, and how much of what is below it is hidden: 1 is all.
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
    /// How it ends.
    pub cap: Cap,
    /// How its corners are.
    pub join: Join,
    /// Lengths of dashes and gaps; none for a line without gaps.
    pub dashes: Vec<f64>,
}

/// How lines end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cap {
    /// At the end.
    #[default]
    Butt,
    /// In half a circle.
    Round,
    /// In half a square.
    Square,
}

/// How corners of lines are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Sharp.
    #[default]
    Miter,
    /// Round.
    Round,
    /// Cut.
    Bevel,
}

/// Letters in one line.
#[derive(Clone, Debug)]
pub struct Text {
    /// The font, by its place.
    pub font: usize,
    /// The size.
    pub size: f64,
    /// Where they go: the base line begins at 0, 0.
    pub at: Affine,
    /// The glyphs; advances are in parts of the size.
    pub glyphs: Vec<Glyph>,
    /// The color.
    pub paint: Paint,
    /// A line around the letters, below them.
    pub halo: Option<Stroke>,
}

/// A picture of pixels.
#[derive(Clone, Debug)]
pub struct Pixels {
    /// A PNG or JPEG file.
    pub bytes: Arc<[u8]>,
    /// Where its box of 1 by 1 goes.
    pub at: Affine,
}

/// Several things as one.
#[derive(Clone, Debug)]
pub struct Group {
    /// What is painted.
    pub items: Vec<Item>,
    /// From 0 to 1.
    pub opacity: f64,
    /// The path outside of which nothing is painted.
    pub clip: Option<BezPath>,
}

impl Item {
    /// A rectangle that holds all that is painted.
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
    /// A rectangle that holds all that is painted.
    pub fn bounds(&self) -> Rect {
        let line = self.stroke.as_ref().map_or(0.0, |stroke| stroke.width);
        self.at.transform_rect_bbox(self.path.bounding_box().inflate(line, line))
    }
}

impl Text {
    /// How wide the letters are.
    pub fn width(&self) -> f64 {
        self.glyphs.iter().map(|glyph| glyph.advance * self.size).sum()
    }

    /// A rectangle that holds all that is painted.
    pub fn bounds(&self) -> Rect {
        self.at.transform_rect_bbox(Rect::new(-self.size, -self.size * 1.5, self.width() + self.size, self.size))
    }

    /// The letters as paths, and the line around them as such below.
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
