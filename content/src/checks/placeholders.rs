//! Placeholders: whether they have values, and whether all languages have the same ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use principes_findings::{Code, Finding, Span, listing, suggestion};
use principes_json::template::{self, texts};
use principes_model::{EntityPlace, FALLBACK, Merged, MessageEntry};
use principes_schemas::{self as schemas, Family, MessageText};

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    placeholders(content, findings);
    languages_agree(content, findings);
    numbers(content, findings);
}

/// Cards and rules by their ids, whose texts have placeholders.
pub struct Fillable<'m> {
    cards: HashMap<&'m str, &'m schemas::Card>,
    rules: HashMap<&'m str, &'m schemas::Rule>,
}

impl<'m> Fillable<'m> {
    /// The cards and rules of some packs.
    pub fn new(merged: &'m Merged) -> Self {
        Fillable {
            cards: merged.cards.iter().rev().map(|card| (card.value.id.as_str(), &*card.value)).collect(),
            rules: merged.rules.iter().rev().map(|rule| (rule.value.id.as_str(), &*rule.value)).collect(),
        }
    }

    /// The placeholders that the message with this key may have; `None` if it may have any.
    pub fn allowed(&self, key: &str) -> Option<AllowedHoles<'m>> {
        let none = AllowedHoles::default();
        let (prefix, rest) = key.split_once('.')?;
        let id = || rest.strip_suffix(".text").or_else(|| rest.strip_suffix(".title"));
        match prefix {
            "card" if rest.ends_with(".short") => Some(none),
            "card" => {
                let card = self.cards.get(id()?)?;
                Some(AllowedHoles { params: Some(&card.params), props: Some(&card.props), numbers: &[] })
            }
            "rule" => Some(AllowedHoles { params: Some(&self.rules.get(id()?)?.params), ..none }),
            "decision" | "option" => Some(AllowedHoles { numbers: &["1", "2", "3"], ..none }),
            "log" => Some(AllowedHoles { numbers: &["1", "2", "3", "4"], ..none }),
            "faction" | "space" | "kind" | "counter" | "zone" | "phase" | "variant" | "outcome" | "type" | "word"
            | "pack" | "prop" => Some(none),
            _ => None,
        }
    }
}

/// The placeholders that a message may have.
#[derive(Clone, Copy, Default)]
pub struct AllowedHoles<'m> {
    params: Option<&'m schemas::Params>,
    props: Option<&'m schemas::Props>,
    numbers: &'static [&'static str],
}

impl<'m> AllowedHoles<'m> {
    /// Whether a placeholder is among them.
    pub fn contains(&self, name: &str) -> bool {
        self.params.is_some_and(|params| params.contains_key(name))
            || self.props.is_some_and(|props| props.contains_key(name))
            || self.numbers.contains(&name)
    }

    /// Whether a text has the number of a param instead of its placeholder, which is reported there.
    fn is_typed_into(&self, param: &str, text: &MessageText) -> bool {
        let Some(number) = self.params.and_then(|params| params.get(param)) else { return false };
        let is_it = |digits: &str| digits.parse() == Ok(*number);
        texts(text).into_iter().any(|(_, text)| typed_numbers(text).any(is_it))
    }

    /// All of them, sorted.
    fn sorted(&self) -> BTreeSet<&'m str> {
        let params = self.params.into_iter().flat_map(|params| params.keys());
        let props = self.props.into_iter().flat_map(|props| props.keys());
        params.chain(props).map(String::as_str).chain(self.numbers.iter().copied()).collect()
    }
}

/// The limit of placeholders, and of numbers, that are reported in one text.
const MOST_OF_ONE_TEXT: usize = 20;

fn placeholders(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    for entry in merged.messages.iter().filter(|entry| !entry.holes.is_empty()) {
        let Some(allowed) = content.fillable.allowed(&entry.key) else { continue };
        for (field, text) in texts(&entry.text) {
            let mut seen = BTreeSet::new();
            let unknown = template::holes(text).into_iter().filter(|name| !allowed.contains(name));
            for name in unknown.filter(|name| seen.insert(name.clone())).take(MOST_OF_ONE_TEXT) {
                findings.push(no_value(merged, entry, field, &name, allowed));
            }
        }
        if let MessageText::Plural(plural) = &entry.text
            && !allowed.contains(&plural.by)
        {
            findings.push(no_value(merged, entry, "/by", &plural.by, allowed));
        }
    }
}

fn no_value(merged: &Merged, entry: &MessageEntry, field: &str, name: &str, allowed: AllowedHoles<'_>) -> Finding {
    let known: Vec<&str> = allowed.sorted().into_iter().collect();
    let help = match known.as_slice() {
        [] => "no placeholders are allowed here".to_owned(),
        known => format!("it can be {}", listing(known)),
    };
    let message = format!("`{{{name}}}` has no value in `{}`", entry.key);
    let finding = merged.finding(&entry.place, field, Code::UnfilledPlaceholder, message).help(help);
    let near = suggestion(name, known);
    if field == "/by" {
        return finding.suggest(near);
    }
    template::at_placeholder(finding, name).suggest(near)
}

/// A translation that leaves out a number, or adds one, has a different meaning.
fn languages_agree(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let (english, translated): (Vec<_>, Vec<_>) = merged.messages.iter().partition(|entry| entry.language == FALLBACK);
    if translated.is_empty() {
        return;
    }
    let english: HashMap<&str, &MessageEntry> = english.into_iter().map(|entry| (entry.key.as_str(), entry)).collect();
    for entry in translated {
        let Some(original) = english.get(entry.key.as_str()) else { continue };
        if original.holes == entry.holes {
            continue;
        }
        let (mut theirs, mut ours) = (original.holes.clone(), entry.holes.clone());
        // Placeholders without a value are reported separately, for each text.
        if let Some(allowed) = content.fillable.allowed(&entry.key) {
            theirs.retain(|hole| allowed.contains(hole));
            ours.retain(|hole| allowed.contains(hole));
            let (lacking, extra) = (&theirs - &ours, &ours - &theirs);
            theirs.retain(|hole| !(lacking.contains(hole) && allowed.is_typed_into(hole, &entry.text)));
            ours.retain(|hole| !(extra.contains(hole) && allowed.is_typed_into(hole, &original.text)));
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
                .label(merged.label(&original.place, "", "the English text"))
                // A placeholder that is wrong in one of them may be the one that it lacks.
                .rests_on([merged.part(&original.place, ""), merged.part(&entry.place, "")]),
        );
    }
}

/// The texts of a card or rule show its numbers as params, so that both change together. Reports numbers that are typed
/// out, and params that no text shows.
fn numbers(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    if !merged.broken.spares(&[Family::Messages]) {
        return;
    }
    let mut texts_of: BTreeMap<&str, Vec<&MessageEntry>> = BTreeMap::new();
    for entry in merged.messages.iter().filter(|entry| entry.key.ends_with(".text")) {
        texts_of.entry(entry.key.as_str()).or_default().push(entry);
    }
    let mut shown: HashMap<&str, &MessageEntry> = HashMap::new();
    for entry in texts_of.values().flatten() {
        for hole in &entry.holes {
            shown.entry(hole).or_insert(entry);
        }
    }
    let shown = &shown;
    for entry in &merged.cards {
        let card = &entry.value;
        let key = format!("card.{}.text", card.id);
        if let Some(texts) = texts_of.get(key.as_str()) {
            let (params, hooks) = (&card.params, &card.hooks);
            Numbers { content, place: &entry.place, params, hooks, texts, shown }.check(findings);
        }
    }
    for entry in &merged.rules {
        let rule = &entry.value;
        let key = format!("rule.{}.text", rule.id);
        if let Some(texts) = texts_of.get(key.as_str()) {
            let (params, hooks) = (&rule.params, &rule.hooks);
            Numbers { content, place: &entry.place, params, hooks, texts, shown }.check(findings);
        }
    }
}

/// The params of a card or rule, and its text in all languages.
struct Numbers<'c> {
    content: &'c Content<'c>,
    place: &'c EntityPlace,
    params: &'c schemas::Params,
    hooks: &'c schemas::Hooks,
    texts: &'c [&'c MessageEntry],
    /// For each param that a text shows, one of these texts.
    shown: &'c HashMap<&'c str, &'c MessageEntry>,
}

impl Numbers<'_> {
    fn check(&self, findings: &mut Vec<Finding>) {
        let mut typed: BTreeSet<&str> = BTreeSet::new();
        for entry in self.texts {
            // For each number, the first param that has it.
            let mut params: HashMap<i32, &str> = HashMap::new();
            for (name, value) in self.params.iter().filter(|(name, _)| !entry.holes.contains(*name)) {
                params.entry(*value).or_insert(name);
            }
            for (field, text) in texts(&entry.text) {
                let mut left = MOST_OF_ONE_TEXT;
                for digits in typed_numbers(text) {
                    let number = digits.parse::<i32>().ok();
                    let Some(name) = number.and_then(|number| params.get(&number).copied()) else { continue };
                    typed.insert(name);
                    if left > 0 {
                        findings.push(self.typed(entry, field, digits, name));
                        left -= 1;
                    }
                }
            }
        }
        // A placeholder without a value may be the param, misspelled.
        let allowed =
            self.texts.first().and_then(|entry| self.content.fillable.allowed(&entry.key)).unwrap_or_default();
        let is_misspelled = self.texts.iter().any(|entry| entry.holes.iter().any(|hole| !allowed.contains(hole)));
        // Players need not know how bots judge. If there is no hook, another check reports it.
        let of_bots = self.hooks.iter().all(|(point, _)| point.starts_with("bot."));
        if is_misspelled || of_bots {
            return;
        }
        for (name, value) in self.params.iter().filter(|(name, _)| !typed.contains(name.as_str())) {
            // "A card" means 1. Another check reports params that no hook reads.
            if matches!(value, 0 | 1) || !self.content.vocabulary.reads(self.hooks, name) {
                continue;
            }
            if self.texts.iter().any(|entry| entry.holes.contains(name)) {
                continue;
            }
            // Many numbers are for hooks alone. Where another text shows one, it means something to players.
            let Some(other) = self.shown.get(name.as_str()) else { continue };
            let at = format!("/params/{name}");
            let message = format!("no text shows the param `{name}`");
            let finding = self.content.merged.finding_at_key(self.place, &at, Code::UnshownParam, message);
            let label = self.content.merged.label(&self.texts[0].place, "", "this text could");
            let other = self.content.merged.label(&other.place, "", "this one shows a param of this name");
            let help = format!("write `{{{name}}}` where the text mentions the number");
            findings.push(finding.help(help).label(label).label(other));
        }
    }

    fn typed(&self, entry: &MessageEntry, field: &str, digits: &str, name: &str) -> Finding {
        let message = format!("the text has {digits}, but the param `{name}` decides what happens");
        let mut finding = self.content.merged.finding(&entry.place, field, Code::TypedNumber, message);
        let text = finding.source.clone().unwrap_or_else(|| "".into());
        let source = text.get(finding.span.bytes.clone()).unwrap_or_default();
        // The digits are the same in the text and in its file.
        let Some(at) = typed_numbers(source).find(|other| *other == digits).map(|at| at.as_ptr() as usize) else {
            return finding;
        };
        let start = finding.span.bytes.start + at - source.as_ptr() as usize;
        let span = Span::new(&text, start..start + digits.len());
        finding.span = span.clone();
        finding.help(format!("write `{{{name}}}`")).fix(format!("write `{{{name}}}`"), span, format!("{{{name}}}"))
    }
}

/// The numbers in a text, outside of placeholders.
fn typed_numbers(text: &str) -> impl Iterator<Item = &str> {
    let outside = text.split('{').enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.split_once('}').map_or("", |(_, rest)| rest),
    });
    outside
        .flat_map(|part| part.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
}
