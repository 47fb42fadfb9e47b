//! Small plots: a bar from one end of an interval to the other, a dot for what happened, a line to compare with.

use std::fmt::Write as _;

use super::super::report::Row;
use super::super::wording::{percent, points};

/// The numbers that a plot shows, from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    line: Option<f64>,
    unit: Unit,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Percent,
    Points,
    Number,
}

/// What a plot shows.
pub struct Mark {
    /// What happened.
    pub value: f64,
    /// Where it would be after very many games.
    pub interval: Option<[f64; 2]>,
}

/// The width and the height of a plot in its own units.
const SIZE: (f64, f64) = (200.0, 16.0);
/// The space to the left and to the right of the scale.
const MARGIN: f64 = 5.0;

impl Scale {
    /// From nothing to everything.
    pub const WHOLE: Scale = Scale { low: 0.0, high: 1.0, line: None, unit: Unit::Percent };

    /// From 0 to the largest share, in steps of 10 %.
    pub fn of<'r>(rows: impl Iterator<Item = &'r Row>, line: Option<f64>) -> Scale {
        let most = rows.map(|row| row.interval.map_or(row.value, |[_, high]| high)).fold(line.unwrap_or(0.0), f64::max);
        Scale { low: 0.0, high: ((most * 10.0).ceil() / 10.0).clamp(0.1, 1.0), line, unit: Unit::Percent }
    }

    /// As far to the left of 0 as to the right, in steps of 5 points.
    pub fn around_zero<'r>(rows: impl Iterator<Item = &'r Row>) -> Scale {
        Scale::points(rows.filter_map(|row| row.interval).flatten())
    }

    /// The same for the ends of intervals.
    pub fn points(ends: impl Iterator<Item = f64>) -> Scale {
        let most = ends.map(f64::abs).fold(0.0, f64::max);
        let reach = ((most * 20.0).ceil() / 20.0).max(0.05);
        Scale { low: -reach, high: reach, line: Some(0.0), unit: Unit::Points }
    }

    /// The same for numbers that are not shares.
    pub fn numbers(ends: impl Iterator<Item = f64>) -> Scale {
        let reach = ends.map(f64::abs).fold(0.0, f64::max).ceil().max(1.0);
        Scale { low: -reach, high: reach, line: Some(0.0), unit: Unit::Number }
    }

    /// What the left end, the line and the right end stand for.
    pub fn legend(self) -> String {
        let number = |value: f64| match self.unit {
            Unit::Percent => percent(value),
            Unit::Points if value == 0.0 => "no change".to_owned(),
            Unit::Points => format!("{} points", points(value)),
            Unit::Number if value == 0.0 => "no change".to_owned(),
            Unit::Number => format!("{value:+.0}"),
        };
        let line = self.line.map_or_else(String::new, |line| {
            format!("<span class=\"at\" style=\"left:{:.1}%\">{}</span>", 100.0 * self.x(line) / SIZE.0, number(line))
        });
        format!(
            "<p class=\"scale\"><span></span><span class=\"axis\"><span>{}</span>{line}<span>{}</span></span></p>",
            number(self.low),
            number(self.high)
        )
    }

    fn x(self, value: f64) -> f64 {
        let part = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        MARGIN + part * (SIZE.0 - 2.0 * MARGIN)
    }
}

/// A plot as SVG. The sentence beside it says the same.
pub fn plot(mark: &Mark, scale: Scale) -> String {
    let (width, height) = SIZE;
    let middle = height / 2.0;
    let mut svg = format!("<svg viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\">");
    let (from, to) = (scale.x(scale.low), scale.x(scale.high));
    let _ = write!(svg, "<path class=\"base\" d=\"M{from:.1} {middle}H{to:.1}\"/>");
    if let Some(line) = scale.line {
        let _ = write!(svg, "<path class=\"line\" d=\"M{:.1} 0V{height}\"/>", scale.x(line));
    }
    let side = match (mark.interval, scale.line) {
        (Some([low, _]), Some(line)) if low > line => " above",
        (Some([_, high]), Some(line)) if high < line => " below",
        _ => "",
    };
    if let Some([low, high]) = mark.interval {
        let (low, high) = (scale.x(low), scale.x(high));
        let _ = write!(
            svg,
            "<rect class=\"bar{side}\" x=\"{low:.1}\" y=\"4\" width=\"{:.1}\" height=\"8\" rx=\"2\"/>",
            (high - low).max(1.0)
        );
    }
    let _ = write!(svg, "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{middle}\" r=\"3\"/></svg>", scale.x(mark.value));
    svg
}
