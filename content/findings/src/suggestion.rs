//! Names that were probably meant.

use std::cell::Cell;

/// How many names a check compares to find those that were probably meant.
pub const MOST_COMPARISONS: usize = 200_000;

thread_local! {
    /// Names that may still be compared on this thread.
    static COMPARISONS: Cell<usize> = const { Cell::new(MOST_COMPARISONS) };
}

/// Begins to count the names that are compared on this thread.
pub fn begin_comparing() {
    COMPARISONS.set(MOST_COMPARISONS);
}

/// Whether no more names are compared on this thread.
pub(crate) fn are_comparisons_used_up() -> bool {
    COMPARISONS.get() == 0
}

/// Whether one more name may be compared on this thread.
fn may_compare() -> bool {
    let left = COMPARISONS.get();
    COMPARISONS.set(left.saturating_sub(1));
    left > 0
}

/// A name that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The name.
    pub name: String,
    /// What to write in the place of the wrong text.
    pub text: String,
    /// Whether no other name is as close.
    pub only: bool,
}

impl Suggestion {
    /// The suggestion with another text, for names inside a longer one.
    #[must_use]
    pub fn write(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// Advice in the usual words.
    pub fn help(&self) -> String {
        format!("did you mean `{}`?", self.name)
    }
}

/// The candidate closest to `wrong`, if one is close enough.
pub fn suggestion<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Suggestion> {
    let length = wrong.chars().count();
    // Of a single letter nothing would be left.
    let limit = (length / 3).max(1).min(length.saturating_sub(1));
    if length > LONGEST {
        return None;
    }
    let letters: Vec<char> = wrong.chars().collect();
    // The closest so far, and the next different one.
    let mut best: Option<(usize, &str)> = None;
    let mut second: Option<(usize, &str)> = None;
    for candidate in candidates {
        // Each character that is too many or too few is a difference; it takes at most four bytes.
        let shortest = length.saturating_sub(limit);
        if candidate.len() < shortest || candidate.len() > 4 * (length + limit) || candidate == wrong {
            continue;
        }
        if !may_compare() {
            break;
        }
        let Some(distance) = distance(&letters, candidate, limit) else { continue };
        let found = (distance, candidate);
        if best.is_none_or(|best| found < best) {
            second = best;
            best = Some(found);
        } else if best != Some(found) && second.is_none_or(|second| found < second) {
            second = Some(found);
        }
    }
    let (distance, name) = best?;
    let only = second.is_none_or(|(next, _)| next > distance);
    Some(Suggestion { name: name.to_owned(), text: name.to_owned(), only })
}

/// The name nearest to `wrong`, if one is near enough.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggestion(wrong, candidates).map(|near| near.name)
}

/// Advice in the usual words.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggestion(wrong, candidates).map(|near| near.help())
}

/// Names that are longer are not compared.
const LONGEST: usize = 100;

/// The edit distance, if it is at most `limit`. Two swapped neighbors count once.
fn distance(a: &[char], b: &str, limit: usize) -> Option<usize> {
    let b: Vec<char> = b.chars().take(a.len() + limit + 1).collect();
    if a.len().abs_diff(b.len()) > limit.min(8) {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        // Further from the diagonal than this, nothing is near enough.
        let (from, to) = (i.saturating_sub(limit).max(1), (i + limit).min(b.len()));
        if from > 1 {
            row[from - 1] = usize::MAX / 2;
        }
        for j in from..=to {
            // Beyond the diagonal the row before has not been worked out.
            let above = if j < i + limit { last[j] + 1 } else { usize::MAX / 2 };
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(above).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        assert_eq!(nearest("plocuim", ["plocium", "cracovia"]), Some("plocium".to_owned()));
        assert_eq!(nearest("x", ["plocium", "cracovia"]), None);
        assert_eq!([nearest("y", ["n", "x"]), nearest("ny", ["n", "xyz"])], [None, Some("n".to_owned())]);
        let near = |wrong| suggestion(wrong, ["ford", "fort"]).map(|near| near.only);
        assert_eq!((near("fordd"), near("forx")), (Some(true), Some(false)));
        assert_eq!(nearest("abcdefghi", ["bacdegfhi"]), Some("bacdegfhi".to_owned()), "neighbors changed places");
        assert_eq!(nearest("harbor-of-cracovia", ["arbor-of-kracoviax"]), Some("arbor-of-kracoviax".to_owned()));
        assert_eq!(nearest("abcdef", ["defabc", "abcxyz"]), None);
        assert_eq!(did_you_mean("cards", ["card", "kind"]).as_deref(), Some("did you mean `card`?"));
    }
}
