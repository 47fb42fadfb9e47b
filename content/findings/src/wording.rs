//! Phrases that findings share.

/// A noun with its article: `a card`, `an option`.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// The number of names that a list in a sentence shows.
const MOST_LISTED: usize = 40;

/// Names in backticks, separated by commas. A long list is cut.
pub fn listing<T: AsRef<str>>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().take(MOST_LISTED).map(|name| format!("`{}`", name.as_ref())).collect();
    let list = quoted.join(", ");
    match names.len().checked_sub(MOST_LISTED) {
        Some(more) if more > 0 => format!("{list} and {more} more"),
        _ => list,
    }
}
