//! Placeholders: whether something fills them, and whether all languages have the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use principes_findings::{Code, Finding, Span, listing, suggestion};
use principes_json::template::{self, texts};
use principes_model::{FALLBACK, Merged, MessageEntry};
use principes_schemas::{self as schemas, MessageText};

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let fillable = Fillable::new(content.merged);
    placeholders(content.merged, &fillable, findings);
    languages_agree(content.merged, &fillable, findings);
}

/// Cards and rules by their ids.
pub struct Fillable<'m> {
    cards: HashMap<&'m str, &'m schemas::Card>,
    rules: HashMap<&'m str, &'m schemas::Rule>,
}

impl<'m> Fillable<'m> {
    /// Those of some packs.
    pub fn new(merged: &'m Merged) -> Self {
        Fillable {
            cards: merged.cards.iter().rev().map(|card| (card.value.id.as_str(), &*card.value)).collect(),
            rules: merged.rules.iter().rev().map(|rule| (rule.value.id.as_str(), &*rule.value)).collect(),
        }
    }
}

/// What may appear in a message of this key; `None` if anything may.
pub fn allowed(fillable: &Fillable<'_>, key: &str) -> Option<BTreeSet<String>> {
    let numbered = |most: usize| Some((1..=most).map(|number| number.to_string()).collect());
    let (prefix, rest) = key.split_once('.')?;
    match prefix {
        "card" => {
            if rest.ends_with(".short") {
                return Some(BTreeSet::new());
            }
            let id = rest.strip_suffix(".text").or_else(|| rest.strip_suffix(".title"))?;
            let card = fillable.cards.get(id)?;
            Some(card.params.keys().chain(card.props.keys()).cloned().collect())
        }
        "rule" => {
            let id = rest.strip_suffix(".text").or_else(|| rest.strip_suffix(".title"))?;
            let rule = fillable.rules.get(id)?;
            Some(rule.params.keys().cloned().collect())
        }
        "decision" | "option" => numbered(3),
        "log" => numbered(4),
        "faction" | "space" | "kind" | "counter" | "zone" | "phase" | "variant" | "outcome" | "type" | "word"
        | "pack" | "prop" => Some(BTreeSet::new()),
        _ => None,
    }
}

/// Placeholders of one text that are told.
const MOST_OF_ONE_TEXT: usize = 20;

fn placeholders(merged: &Merged, fillable: &Fillable<'_>, findings: &mut Vec<Finding>) {
    for entry in merged.messages.iter().filter(|entry| !entry.holes.is_empty()) {
        let Some(allowed) = allowed(fillable, &entry.key) else { continue };
        for (field, text) in texts(&entry.text) {
            let mut told = BTreeSet::new();
            let unknown = template::holes(text).into_iter().filter(|name| !allowed.contains(name));
            for name in unknown.filter(|name| told.insert(name.clone())).take(MOST_OF_ONE_TEXT) {
                let field = field.to_owned();
                findings.push(no_value(merged, entry, &field, &name, &allowed));
            }
        }
        if let MessageText::Plural(plural) = &entry.text
            && !allowed.contains(&plural.by)
        {
            findings.push(no_value(merged, entry, "/by", &plural.by, &allowed));
        }
    }
}

fn no_value(merged: &Merged, entry: &MessageEntry, field: &str, name: &str, allowed: &BTreeSet<String>) -> Finding {
    let known: Vec<&String> = allowed.iter().collect();
    let help = match known.as_slice() {
        [] => "no placeholders are allowed here".to_owned(),
        known => format!("it can be {}", listing(known)),
    };
    let message = format!("`{{{name}}}` has no value in `{}`", entry.key);
    let finding = merged.finding(&entry.place, field, Code::UnfilledPlaceholder, message).help(help);
    let near = suggestion(name, allowed.iter().map(String::as_str));
    if field == "/by" {
        return finding.suggest(near);
    }
    at_placeholder(finding, name).suggest(near)
}

/// The finding at the name of a placeholder inside the text that it points at.
fn at_placeholder(mut finding: Finding, name: &str) -> Finding {
    let text = finding.source.clone().unwrap_or_else(|| "".into());
    let inside = text.get(finding.span.bytes.clone()).and_then(|text| text.find(&format!("{{{name}}}")));
    if let Some(at) = inside {
        let start = finding.span.bytes.start + at + 1;
        finding.span = Span::new(&text, start..start + name.len());
    }
    finding
}

/// A translation that leaves a number out, or invents one, says something else than the original.
fn languages_agree(merged: &Merged, fillable: &Fillable<'_>, findings: &mut Vec<Finding>) {
    let english: BTreeMap<&str, &MessageEntry> = merged
        .messages
        .iter()
        .filter(|entry| entry.language == FALLBACK)
        .map(|entry| (entry.key.as_str(), entry))
        .collect();
    for entry in merged.messages.iter().filter(|entry| entry.language != FALLBACK) {
        let Some(original) = english.get(entry.key.as_str()) else { continue };
        if original.holes == entry.holes {
            continue;
        }
        let (mut theirs, mut ours) = (original.holes.clone(), entry.holes.clone());
        // Placeholders without a value are reported for each text separately.
        if let Some(allowed) = allowed(fillable, &entry.key) {
            theirs.retain(|hole| allowed.contains(hole));
            ours.retain(|hole| allowed.contains(hole));
            if theirs == ours {
                continue;
            }
        }
        let named =
            |names: Vec<&String>| listing(&names.into_iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>());
        let lacking: Vec<&String> = theirs.difference(&ours).collect();
        let extra: Vec<&String> = ours.difference(&theirs).collect();
        let message = match (lacking.is_empty(), extra.is_empty()) {
            (false, true) => format!("`{}` does not have {} of the English text", entry.key, named(lacking)),
            (true, _) => format!("`{}` has {}, but the English text does not", entry.key, named(extra)),
            _ => format!("`{}` has {}, but the English text has {}", entry.key, named(extra), named(lacking)),
        };
        findings.push(
            merged
                .finding(&entry.place, "", Code::OtherPlaceholders, message)
                .help("a translation must use the same placeholders")
                .label(merged.label(&original.place, "", "the English text")),
        );
    }
}
