//! Names that were probably meant.

use std::cell::Cell;

use crate::finding::Misspelling;

/// How many names one check compares to find suggestions.
pub const MOST_COMPARISONS: usize = 200_000;

thread_local! {
    /// The comparisons left on this thread.
    static COMPARISONS: Cell<usize> = const { Cell::new(MOST_COMPARISONS) };
}

/// Starts to count the comparisons on this thread.
pub fn begin_comparing() {
    COMPARISONS.set(MOST_COMPARISONS);
}

/// Whether the comparisons on this thread are used up.
pub(crate) fn are_comparisons_used_up() -> bool {
    COMPARISONS.get() == 0
}

/// The pairs of letters that count as one more name.
const LETTERS_OF_A_NAME: usize = 512;

/// The edit distance to one more name, if it is at most `limit`. Counts as a comparison. Long names that are unlike each
/// other count as several, because they take as long.
fn compare(letters: &[char], candidate: &str, limit: usize) -> Option<usize> {
    let (distance, pairs) = distance(letters, candidate, limit);
    COMPARISONS.set(COMPARISONS.get().saturating_sub(1 + pairs / LETTERS_OF_A_NAME));
    distance
}

/// A name that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The known name that is most similar.
    pub name: String,
    /// The text to write instead.
    pub text: String,
    /// Whether no other name is as close.
    pub only: bool,
    /// Whether the program declares it, and no pack. Such a name is never misspelled where it is declared.
    pub of_program: bool,
}

impl Suggestion {
    /// The suggestion with another text, for names inside a longer one.
    #[must_use]
    pub fn write(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// The suggestion of a name that the program declares.
    #[must_use]
    pub fn of_program(self) -> Self {
        Suggestion { of_program: true, ..self }
    }

    /// The misspelling, if the text that this one replaces has another name in its place.
    pub(crate) fn instead_of(&self, old: &str) -> Option<Misspelling> {
        let old = old.trim_matches(['"', '\'']);
        let (before, after) = self.text.split_once(self.name.as_str()).unwrap_or_default();
        let written = old.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).unwrap_or(old);
        let is_one = !self.of_program && !written.is_empty() && written != self.name;
        is_one.then(|| Misspelling { written: written.to_owned(), near: self.name.clone(), agree: 1 })
    }

    /// Advice in the usual words.
    pub fn help(&self) -> String {
        question(&self.name)
    }
}

/// The candidate closest to `wrong`, if one is close enough.
pub fn suggestion<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Suggestion> {
    let length = wrong.chars().count();
    // A name of one letter is as close to any other.
    let limit = (length / 3).max(1).min(length.saturating_sub(1));
    if length > LONGEST {
        return None;
    }
    let letters: Vec<char> = wrong.chars().collect();
    // The closest so far, and the next different one.
    let mut best: Option<(usize, &str)> = None;
    let mut second: Option<(usize, &str)> = None;
    for candidate in candidates {
        // Each extra or missing character is a difference and takes at most four bytes.
        let shortest = length.saturating_sub(limit);
        if candidate.len() < shortest || candidate.len() > 4 * (length + limit) || candidate == wrong {
            continue;
        }
        // What is further away than the second is of no use.
        let limit = second.map_or(limit, |(distance, _)| distance);
        if are_comparisons_used_up() {
            break;
        }
        let Some(distance) = compare(&letters, candidate, limit) else { continue };
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
    Some(Suggestion { name: name.to_owned(), text: name.to_owned(), only, of_program: false })
}

/// The name nearest to `wrong`, if one is near enough.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggestion(wrong, candidates).map(|near| near.name)
}

/// Advice in the usual words.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggestion(wrong, candidates).map(|near| near.help())
}

/// `; did you mean …?` to follow a name in a message; nothing without a similar name.
pub fn hint(near: Option<&str>) -> String {
    near.map(|near| format!("; {}", question(near))).unwrap_or_default()
}

/// [`hint`] for an unknown name.
pub fn hint_for<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    hint(nearest(wrong, known).as_deref())
}

fn question(near: &str) -> String {
    format!("did you mean `{near}`?")
}

/// Names that are longer are not compared.
const LONGEST: usize = 100;

/// The edit distance, if it is at most `limit`, and how many pairs of letters were compared. Two swapped neighbors count
/// once.
fn distance(a: &[char], b: &str, limit: usize) -> (Option<usize>, usize) {
    let b: Vec<char> = b.chars().take(a.len() + limit + 1).collect();
    if a.len().abs_diff(b.len()) > limit.min(8) {
        return (None, 0);
    }
    // What both begin or end with makes no difference.
    let same = a.iter().zip(&b).take_while(|(one, other)| one == other).count();
    let (a, b) = (&a[same..], &b[same..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(one, other)| one == other).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    let far = usize::MAX / 2;
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (vec![far; b.len() + 1], (0..=b.len()).collect());
    let mut row = vec![far; b.len() + 1];
    let mut pairs = 0;
    for i in 1..=a.len() {
        // Cells further from the diagonal exceed the limit.
        let (from, to) = (i.saturating_sub(limit).max(1), (i + limit).min(b.len()));
        row[from - 1] = if from > 1 { far } else { i };
        let mut least = row[from - 1];
        for j in from..=to {
            // Outside of the band, the row before has no values.
            let above = if j < i + limit { last[j] + 1 } else { far };
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(above).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
            least = least.min(best);
        }
        pairs += (to + 1).saturating_sub(from);
        // Swapped neighbors look two rows back, and cost one.
        if least > limit + 1 {
            return (None, pairs);
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    (Some(last[b.len()]).filter(|distance| *distance <= limit), pairs)
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
    #[test]
    fn a_long_comparison_counts_as_several() {
        let used = |wrong: &str, candidate: &str| {
            begin_comparing();
            let found = nearest(wrong, [candidate]).is_some();
            (found, MOST_COMPARISONS - COMPARISONS.get())
        };
        let long = "x".repeat(90);
        assert_eq!(used(&format!("{long}1"), &format!("{long}2")), (true, 1), "alike up to the last letter");
        assert_eq!(used(&long, &"y".repeat(90)), (false, 3), "unlike from the beginning");
        // Every third letter is another one: as unlike as a name that is still near enough.
        let other = "xxy".repeat(30);
        assert_eq!(used(&long, &other), (true, 9));
        assert_eq!(used("harbor", "harbour"), (true, 1));
    }

    #[test]
    fn the_distance_is_that_of_the_whole_table() {
        // Without bounds, on all short words of two letters.
        let whole = |a: &[char], b: &[char]| {
            let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
            for i in 0..=a.len() {
                for j in 0..=b.len() {
                    d[i][j] = match (i, j) {
                        (0, _) | (_, 0) => i + j,
                        _ => {
                            let change = d[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                            change.min(d[i - 1][j] + 1).min(d[i][j - 1] + 1)
                        }
                    };
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        d[i][j] = d[i][j].min(d[i - 2][j - 2] + 1);
                    }
                }
            }
            d[a.len()][b.len()]
        };
        let word =
            |number: usize, length: usize| (0..length).map(move |at| if number >> at & 1 == 0 { 'a' } else { 'b' });
        let words: Vec<Vec<char>> =
            (0..=6).flat_map(|length| (0..1 << length).map(move |number| word(number, length).collect())).collect();
        for a in &words {
            for b in &words {
                let (true_one, text) = (whole(a, b), b.iter().collect::<String>());
                for limit in 0..5 {
                    let found = distance(a, &text, limit).0;
                    assert_eq!(found, Some(true_one).filter(|one| *one <= limit), "{a:?} {b:?} {limit}");
                }
            }
        }
    }
}
