//! The symbols that the program brings, for looks to name. Their source and their license are in `content/symbols/`.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::OnceLock;

use flate2::read::GzDecoder;

/// Lines of name, author and path, sorted by name.
const PACKED: &[u8] = include_bytes!("../symbols/game-icons.tsv.gz");

/// A symbol of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltInSymbol {
    /// Who drew it.
    pub author: &'static str,
    /// The data of its path, in a box of 24 by 24.
    pub path: &'static str,
}

/// The author whose symbols are in the public domain.
const FREE: &str = "Zeromancer";

impl BuiltInSymbol {
    /// Whether its license wants its author named wherever it is shown.
    pub fn needs_credit(&self) -> bool {
        self.author != FREE
    }
}

/// The symbol with a name.
pub fn find(name: &str) -> Option<BuiltInSymbol> {
    all().get(name).copied()
}

/// The names of all symbols, in order.
pub fn names<'a>() -> impl Iterator<Item = &'a str> {
    all().keys().map(|name| -> &'a str { name })
}

/// All symbols by name. They are unpacked when the first of them is needed.
fn all() -> &'static BTreeMap<&'static str, BuiltInSymbol> {
    static ALL: OnceLock<BTreeMap<&str, BuiltInSymbol>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut text = String::new();
        // The bytes are part of the program, and a test unpacks them. If they were damaged, no name would be known.
        let _ = GzDecoder::new(PACKED).read_to_string(&mut text);
        let text: &'static str = text.leak();
        let symbol = |line: &'static str| {
            let (name, rest) = line.split_once('\t')?;
            let (author, path) = rest.split_once('\t')?;
            Some((name, BuiltInSymbol { author, path }))
        };
        text.lines().filter_map(symbol).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::path;

    #[test]
    fn every_symbol_can_be_drawn_and_has_an_author_who_is_thanked() {
        let thanks = include_str!("../symbols/README.md").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            thanks.contains(&format!("{},{:03} symbols", all().len() / 1000, all().len() % 1000)),
            "{}",
            all().len()
        );
        assert!(thanks.contains(&format!("Those of {FREE} are in the public domain")));
        assert!(all().values().any(|symbol| !symbol.needs_credit()));
        for (name, symbol) in all() {
            assert!(thanks.contains(symbol.author), "{name}: {}", symbol.author);
            assert!(
                name.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-')
            );
            let clean = path::clean(symbol.path);
            assert!(clean.is_ok(), "{name}: {clean:?}");
            let numbers = |letter: char| letter.is_ascii_digit() || " ,.-MmLlHhVvCcSsQqTtZz".contains(letter);
            assert!(symbol.path.chars().all(numbers), "{name}: {}", symbol.path);
        }
    }
}
