//! Suggestions for misspelled names.

/// The candidate that is closest to `wrong`, if one is close enough.
pub fn nearest<'a>(wrong: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // No name is this long, and a hostile script could look up very long names very often.
    if wrong.len() > 320 {
        return None;
    }
    let limit = (wrong.chars().count() / 3).clamp(1, 4);
    candidates.map(|name| (distance(wrong, name, limit), name)).filter(|(d, _)| *d <= limit).min().map(|(_, name)| name)
}

/// A suggestion, displayed as `` ; did you mean `x`? `` or as nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hint(pub Option<String>);

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|name| write!(f, "; did you mean `{name}`?"))
    }
}

/// The suggestion for a name that does not exist.
pub fn hint<'a>(wrong: &str, candidates: impl Iterator<Item = &'a str>) -> Hint {
    Hint(nearest(wrong, candidates).map(str::to_owned))
}

/// The number of characters to insert, delete, replace or swap with their neighbor, if it is at most `limit`;
/// otherwise any greater number. Only cells near the diagonal are computed.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    const FAR: usize = usize::MAX / 2;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit || a.len().max(b.len()) > 80 {
        return FAR;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![FAR; b.len() + 1];
        if i <= limit {
            row[0] = i;
        }
        for j in i.saturating_sub(limit).max(1)..=(i + limit).min(b.len()) {
            let mut best = (last[j - 1] + usize::from(a[i - 1] != b[j - 1])).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_names_that_are_close() {
        let names = ["cracovia", "masovia", "plocium"];
        assert_eq!(nearest("cracvoia", names.into_iter()), Some("cracovia"));
        assert_eq!(nearest("plocum", names.into_iter()), Some("plocium"));
        assert_eq!(nearest("gnezna", names.into_iter()), None);
        assert_eq!(hint("massovia", names.into_iter()).to_string(), "; did you mean `masovia`?");
        assert_eq!(hint("gnezna", names.into_iter()).to_string(), "");
    }
}
