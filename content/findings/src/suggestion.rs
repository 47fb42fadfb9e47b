//! Names that were probably meant.

/// A name that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The name.
    pub name: String,
    /// What to write in the place of the wrong text.
    pub text: String,
    /// Whether no other name is as near.
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

/// The candidate nearest to `wrong`, if one is near enough.
pub fn suggestion<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Suggestion> {
    let length = wrong.chars().count();
    // Of a single letter nothing would be left.
    let limit = (length / 3).max(1).min(length.saturating_sub(1));
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|candidate| (distance(wrong, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *candidate != wrong)
        .collect();
    near.sort_unstable();
    near.dedup();
    let (distance, name) = *near.first()?;
    let only = near.get(1).is_none_or(|(next, _)| *next > distance);
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

/// Edit distance in which two neighbors that changed places count once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 8 {
        return usize::MAX;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
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
        assert_eq!(did_you_mean("cards", ["card", "kind"]).as_deref(), Some("did you mean `card`?"));
    }
}
