//! Suggestions for misspelled names.

/// The candidate that is closest to `wrong`, if one is close enough.
pub fn nearest<'a>(wrong: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // No name is this long, and a hostile script could look up very long names very often.
    if wrong.len() > 320 {
        return None;
    }
    let limit = (wrong.chars().count() / 3).clamp(1, 4);
    candidates.map(|name| (distance(wrong, name), name)).filter(|(d, _)| *d <= limit).min().map(|(_, name)| name)
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

/// The number of characters to insert, delete, replace or swap with their neighbor.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 4 || a.len().max(b.len()) > 80 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut best = (last[j] + usize::from(a[i] != b[j])).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
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
