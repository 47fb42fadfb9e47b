//! Message templates: `{name}` is a placeholder, `{{` and `}}` are braces.

use principes_findings::{Finding, Span};
use principes_schemas::MessageText;

/// Either literal text or a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// Plain text.
    Text(String),
    /// A placeholder, by name.
    Hole(String),
}

/// The parts of a template, or what is wrong with its braces.
///
/// # Errors
/// What is wrong with the first wrong brace, in words.
pub fn parse(text: &str) -> Result<Vec<TemplatePart>, String> {
    pieces(text).map_err(|(_, message)| message)
}

/// The byte of the first wrong brace.
pub fn wrong_brace(text: &str) -> Option<usize> {
    pieces(text).err().map(|(at, _)| at)
}

/// The parts of a template, or the byte of the first wrong brace and what is wrong with it.
fn pieces(text: &str) -> Result<Vec<TemplatePart>, (usize, String)> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        plain.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        let wrong = |message: String| Err((text.len() - rest.len() - 1, message));
        if let Some(after) = rest.strip_prefix(brace) {
            plain.push_str(brace);
            rest = after;
            continue;
        }
        if brace == "}" {
            return wrong("`}` has no matching `{`; write `}}` for a brace".to_owned());
        }
        let Some(end) = rest.find('}') else {
            return wrong("`{` has no matching `}`; write `{{` for a brace".to_owned());
        };
        let name = &rest[..end];
        let good = !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b));
        if !good {
            return wrong(format!("`{{{name}}}` is not a placeholder: use lower-case letters, digits, `-` and `_`"));
        }
        if !plain.is_empty() {
            pieces.push(TemplatePart::Text(std::mem::take(&mut plain)));
        }
        pieces.push(TemplatePart::Hole(name.to_owned()));
        rest = &rest[end + 1..];
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(TemplatePart::Text(plain));
    }
    Ok(pieces)
}

/// Every text of a message with the field it is in.
pub fn texts(text: &MessageText) -> impl Iterator<Item = (&'static str, &str)> {
    let (plain, plural) = match text {
        MessageText::Plain(text) => (Some(("", text.as_str())), None),
        MessageText::Plural(plural) => (None, Some(plural)),
    };
    let forms = plural.into_iter().flat_map(|plural| {
        [("/one", &plural.one), ("/few", &plural.few), ("/many", &plural.many), ("/other", &plural.other)]
    });
    plain.into_iter().chain(forms.filter_map(|(field, text)| Some((field, text.as_deref()?))))
}

/// The names of a template's placeholders.
pub fn holes(text: &str) -> Vec<String> {
    if !text.contains('{') {
        return Vec::new();
    }
    let pieces = parse(text).unwrap_or_default();
    pieces
        .into_iter()
        .filter_map(|piece| match piece {
            TemplatePart::Hole(name) => Some(name),
            TemplatePart::Text(_) => None,
        })
        .collect()
}

/// The finding at the name of a placeholder inside the text that it points at.
pub fn at_placeholder(mut finding: Finding, name: &str) -> Finding {
    let text = finding.source.clone().unwrap_or_else(|| "".into());
    let inside = text.get(finding.span.bytes.clone()).and_then(|text| text.find(&format!("{{{name}}}")));
    if let Some(at) = inside {
        let start = finding.span.bytes.start + at + 1;
        finding.span = Span::new(&text, start..start + name.len());
    }
    finding
}

/// The finding at the first wrong brace of the text that it points at.
pub fn at_brace(mut finding: Finding, template: &str) -> Finding {
    let text = finding.source.clone().unwrap_or_else(|| "".into());
    let Some(at) = wrong_brace(template) else { return finding };
    // Other characters of the template may be written in another way in the file, but braces are not.
    let before = template[..at].matches(['{', '}']).count();
    let inside = text.get(finding.span.bytes.clone()).and_then(|text| text.match_indices(['{', '}']).nth(before));
    if let Some((at, _)) = inside {
        let start = finding.span.bytes.start + at;
        finding.span = Span::new(&text, start..start + 1);
    }
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_braces() {
        let pieces = parse("{{a}} {b}c").expect("it is right");
        assert_eq!(
            pieces,
            [TemplatePart::Text("{a} ".into()), TemplatePart::Hole("b".into()), TemplatePart::Text("c".into())]
        );
        assert_eq!(holes("{1} takes {card-2} from {3}"), ["1", "card-2", "3"]);
        for (wrong, at) in [("{a", 0), ("ą}", 2), ("{a} {}", 4), ("{{ {A b}", 3)] {
            assert_eq!(wrong_brace(wrong), Some(at), "{wrong}");
        }
        assert_eq!(wrong_brace("{{a}} {b}"), None);
    }
}
