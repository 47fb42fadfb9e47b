//! Texts that do not have the form that a schema requires, and how to write them.

use principes_schemas::{FUNCTION_PATTERN, ID_PATTERN, NAME_PATTERN, PACK_ID_PATTERN, VERSION_PATTERN};

/// Advice on writing a text of this form. Also the corrected text, unless other places may name the wrong one.
pub(crate) fn advice(pattern: &str, text: &str) -> (String, Option<String>) {
    let with = |better: Option<String>, rule: &str| match better {
        Some(better) => format!("write `{better}`: {rule}"),
        None => rule.to_owned(),
    };
    match pattern {
        ID_PATTERN if text.contains('{') => {
            ("placeholders need `each`, which lists their values; see `principes explain P0110`".to_owned(), None)
        }
        ID_PATTERN => {
            let rule = "ids are lower-case letters, digits and `-`, with `.` between parts";
            (with(words(text, &['-', '.']), rule), None)
        }
        PACK_ID_PATTERN => (with(words(text, &['-']), "ids of packs are lower-case letters, digits and `-`"), None),
        NAME_PATTERN => {
            let better = words(text, &['-', '_']).filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
            let rule = "names are lower-case letters, digits, `-` and `_`, and begin with a letter";
            (with(better, rule), None)
        }
        FUNCTION_PATTERN => (function(text), None),
        VERSION_PATTERN => {
            let better = version(text);
            (with(better.clone(), "a version is three numbers with dots between them"), better)
        }
        _ => (format!("it must match {pattern}"), None),
    }
}

/// A text in lower case. Everything but letters, digits and the allowed signs becomes `-`.
fn words(text: &str, signs: &[char]) -> Option<String> {
    let plain = |c: char| match c {
        _ if c.is_ascii_alphanumeric() || signs.contains(&c) => c.to_ascii_lowercase(),
        _ => '-',
    };
    let joined: String = text.trim().chars().map(plain).collect();
    let parts = joined.split('.').map(|part| {
        let kept: Vec<&str> = part.split('-').filter(|word| !word.is_empty()).collect();
        kept.join("-")
    });
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    // Too little would be left of other alphabets.
    let enough = text.is_ascii() && !parts.is_empty();
    enough.then(|| parts.join("."))
}

/// `v1.2` as `1.2.0`.
fn version(text: &str) -> Option<String> {
    let bare = text.trim().trim_start_matches(['v', 'V', '=', '^', '~', ' ']);
    let mut numbers: Vec<u32> = Vec::new();
    for part in bare.split('.') {
        numbers.push(part.parse().ok()?);
    }
    if numbers.len() > 3 {
        return None;
    }
    numbers.resize(3, 0);
    Some(numbers.iter().map(u32::to_string).collect::<Vec<_>>().join("."))
}

fn function(text: &str) -> String {
    const RULE: &str = "write `module.function`; the module is the path of a script without `.lua`";
    if text.starts_with('/') || text.contains("..") || text.contains('\\') || text.contains(':') {
        return format!("a script is a file of a pack, and paths stay inside the pack; {RULE}");
    }
    let text = text.strip_suffix(".lua").unwrap_or(text);
    match text.rsplit_once('.') {
        Some((module, function)) if !module.is_empty() && !function.is_empty() => {
            let module = module.strip_suffix(".lua").unwrap_or(module).to_ascii_lowercase();
            format!("{RULE}, in lower case: `{}.{function}`", module.replace([' ', '.'], "-"))
        }
        _ => RULE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_versions_come_with_a_corrected_form() {
        let help = |pattern, text| advice(pattern, text).0;
        assert!(help(ID_PATTERN, "My Card_1").starts_with("write `my-card-1`: "));
        assert!(help(ID_PATTERN, "far..isles.").starts_with("write `far.isles`: "));
        assert!(help(ID_PATTERN, "wróbel").starts_with("ids are "));
        assert!(help(PACK_ID_PATTERN, "my.Pack").starts_with("write `my-pack`: "));
        assert!(help(NAME_PATTERN, "Gold").starts_with("write `gold`: "));
        assert!(help(NAME_PATTERN, "2nd").starts_with("names are "));
        for (wrong, right) in [("1", "1.0.0"), ("v0.1", "0.1.0"), ("1.2.x", ""), ("1.2.3.4", "")] {
            assert_eq!(advice(VERSION_PATTERN, wrong).1.unwrap_or_default(), right);
        }
        assert!(help(FUNCTION_PATTERN, "../other.play").starts_with("a script is a file of a pack, "));
        assert!(help(FUNCTION_PATTERN, "My-Cards.play").ends_with("in lower case: `my-cards.play`"));
    }
}
