//! Shares and their differences as people read them.

/// A share as a percentage: `24.6 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A difference of two shares in points of a percentage: `+8.2`.
pub fn points(difference: f64) -> String {
    let text = format!("{:+.1}", 100.0 * difference);
    // Nobody asks which side of nothing a number is on.
    if text == "-0.0" { "+0.0".to_owned() } else { text }
}
