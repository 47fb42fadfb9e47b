//! Messages for something that does not exist.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use principes_findings::{Code, Finding, Subject, Suggestion, listing, suggestion};
use principes_model::messages::{HELP, kernel_keys};
use principes_model::{Merged, MessageEntry};
use principes_schemas::{self as schemas, EntityTexts, Family};

use super::content::Content;

/// The first parts of the keys of messages that belong to no single entity.
const OTHERS: [&str; 6] = ["pack", "option", "log", "outcome", "type", "word"];

/// The first parts of the keys of messages about entities.
pub fn of_entities() -> impl Iterator<Item = &'static str> {
    let has_texts = |family: &&Family| family.spec().texts.is_some();
    Family::ALL.iter().filter(has_texts).map(|family| family.singular())
}

/// The first parts of message keys.
pub fn prefixes() -> Vec<&'static str> {
    let (first, rest) = OTHERS.split_at(1);
    first.iter().copied().chain(of_entities()).chain(rest.iter().copied()).collect()
}

/// What is wrong with a message, and what was probably meant.
type Doubt = (String, Option<Suggestion>);

/// Messages for something that does not exist.
pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let (merged, words) = (content.merged, &content.vocabulary);
    let kernel = kernel_keys();
    let types: BTreeSet<&str> = merged.cards.iter().map(|card| card.value.card_type.as_str()).collect();
    let (values, known) = (Values::new(merged), prefixes());
    for entry in &merged.messages {
        let key = entry.key.as_str();
        let (prefix, rest) = key.split_once('.').unwrap_or((key, ""));
        let family = Family::ALL.iter().copied().find(|family| family.singular() == prefix);
        if kernel.contains(key) || is_excused(merged, key, family) {
            continue;
        }
        let mut help = "remove the message, or fix its key";
        let mut missing = None;
        let mut declared = |id: &str, tail: &str| -> Option<Doubt> {
            let family = family?;
            if merged.ids.has(family.key(), id) {
                return None;
            }
            missing = Some(Subject::missing(family.key(), id));
            let near = suggestion(id, merged.ids.of(family.key()));
            let near = near.map(|near| near.clone().write(format!("{prefix}.{}{tail}", near.name)));
            Some((format!("message `{key}` belongs to a {} that does not exist", family.noun()), near))
        };
        let problem = match prefix {
            _ if !key.contains('.') || !known.contains(&prefix) => {
                findings.push(unknown_key(merged, entry));
                continue;
            }
            // A game without any phases is reported elsewhere.
            "phase" if merged.phases.is_empty() => None,
            "counter" if rest.contains('.') => {
                let (id, value) = rest.split_once('.').unwrap_or((rest, ""));
                declared(id, &format!(".{value}")).or_else(|| {
                    let message = || format!("message `{key}` belongs to a value that the counter never has");
                    (!values.of_counter(id, value)).then(|| (message(), None))
                })
            }
            "prop" => values.of_prop(key, rest).unwrap_or_else(|| declared(rest, "")),
            "card" if rest.contains('{') => Some((format!("no series has a card for the message `{key}`"), None)),
            "option" | "word" if !merged.broken.spares(&[Family::Decisions]) => None,
            "type" if !merged.broken.spares(&[Family::Cards]) => None,
            "log" | "outcome" if !words.uses(rest) => {
                help = "remove the message, or use it in a script";
                Some((format!("no script uses `{rest}`"), None))
            }
            "type" if !types.contains(rest) => {
                let near = suggestion(rest, types.iter().copied());
                let near = near.map(|near| near.clone().write(format!("type.{}", near.name)));
                Some((format!("message `{key}` belongs to a card type that does not exist"), near))
            }
            "option" | "word" => {
                let word = rest.strip_suffix(HELP).filter(|_| prefix == "option").unwrap_or(rest);
                let known = words.uses(word) || words.content(word) || words.id(word);
                (!known).then(|| (format!("no entity is called `{word}`"), None))
            }
            "log" | "outcome" | "type" => None,
            _ => match family.and_then(|family| family.spec().texts) {
                Some(EntityTexts::Name) => declared(rest, ""),
                Some(EntityTexts::NameAndHelp) => match rest.strip_suffix(HELP) {
                    Some(id) => declared(id, HELP),
                    None => declared(rest, ""),
                },
                Some(EntityTexts::Parts(ends)) => match rest.rsplit_once('.').filter(|(_, end)| ends.contains(end)) {
                    Some((id, end)) => declared(id, &format!(".{end}")),
                    None => Some(wrong_ending(key, (prefix, ends), rest)),
                },
                None => None,
            },
        };
        if let Some((message, near)) = problem {
            // A message that already exists cannot be the one that was meant.
            let near = near.filter(|near| !values.has_message(&entry.language, &near.text));
            let orphan = merged.finding_at_key(&entry.place, "", Code::OrphanMessage, message).help(help);
            findings.push(orphan.suggest(near).rests_on(missing));
        }
    }
}

/// Whether a message is correct without an owner: it belongs to the pack itself, or to something that cannot be read or
/// was removed. `family` is that of its owner.
fn is_excused(merged: &Merged, key: &str, family: Option<Family>) -> bool {
    let Some(family) = family else {
        return merged.broken.anything || ["pack.title", "pack.description", "pack.help"].contains(&key);
    };
    let rest = key.split_once('.').map_or("", |(_, rest)| rest);
    // The owner may be in a part that could not be read. Without the patch that removed the owner, the message is
    // correct.
    !merged.broken.spares(&[family]) || merged.is_removed(family, rest.split('.').next().unwrap_or(rest))
}

/// Counters and props by id, and the existing messages.
struct Values<'m> {
    merged: &'m Merged,
    counters: HashMap<&'m str, &'m schemas::Counter>,
    props: HashMap<&'m str, Vec<&'m schemas::Prop>>,
    /// Languages and keys of all messages. They are needed only if something is wrong.
    keys: OnceCell<HashSet<(&'m str, &'m str)>>,
}

impl<'m> Values<'m> {
    fn new(merged: &'m Merged) -> Self {
        let mut props: HashMap<&str, Vec<&schemas::Prop>> = HashMap::new();
        for entry in &merged.props {
            props.entry(entry.value.id.as_str()).or_default().push(&entry.value);
        }
        let counters = merged.counters.iter().rev().map(|entry| (entry.value.id.as_str(), &*entry.value));
        Values { merged, counters: counters.collect(), props, keys: OnceCell::new() }
    }

    fn has_message(&self, language: &str, key: &str) -> bool {
        let all = || self.merged.messages.iter().map(|entry| (entry.language.as_str(), entry.key.as_str()));
        self.keys.get_or_init(|| all().collect()).contains(&(language, key))
    }

    /// Whether a counter of numbers can have a value, written as packs write it.
    fn of_counter(&self, id: &str, value: &str) -> bool {
        let counter = self.counters.get(id).copied();
        counter.filter(|counter| counter.holds.is_none()).zip(value.parse::<i32>().ok()).is_some_and(|(counter, n)| {
            (counter.min.unwrap_or(0)..=counter.max.unwrap_or(i32::MAX)).contains(&n) && n.to_string() == value
        })
    }

    /// If what follows `prop.` is a prop and a word: what is wrong with the word, if anything.
    fn of_prop(&self, key: &str, rest: &str) -> Option<Option<Doubt>> {
        let (id, word) = rest.rsplit_once('.')?;
        let props = self.props.get(id)?;
        let words: Vec<&str> = props.iter().flat_map(|prop| prop.words.keys().map(String::as_str)).collect();
        let near = suggestion(word, words.iter().copied());
        let near = near.map(|near| near.clone().write(format!("prop.{id}.{}", near.name)));
        let message = || format!("message `{key}` belongs to a value that the prop never has");
        Some((!words.contains(&word)).then(|| (message(), near)))
    }
}

/// Reports a message of a card or rule that is not of the kinds that they have.
fn wrong_ending(key: &str, (prefix, ends): (&str, &[&str]), rest: &str) -> Doubt {
    let (id, last) = rest.rsplit_once('.').unwrap_or((rest, ""));
    let near = suggestion(last, ends.iter().copied());
    let near = near.map(|near| near.clone().of_program().write(format!("{prefix}.{id}.{}", near.name)));
    let named: Vec<String> = ends.iter().map(|end| format!("`.{end}`")).collect();
    (format!("`{key}` is not a message of a {prefix}; those end in {}", named.join(" or ")), near)
}

fn unknown_key(merged: &Merged, entry: &MessageEntry) -> Finding {
    let prefix = entry.key.split('.').next().unwrap_or_default();
    let known = prefixes();
    let near = suggestion(prefix, known.iter().copied());
    let rest = &entry.key[prefix.len()..];
    let near = near.map(|near| near.clone().of_program().write(format!("{}{rest}", near.name)));
    merged
        .finding_at_key(&entry.place, "", Code::OrphanMessage, format!("no message starts with `{}`", entry.key))
        .help(format!("keys start with {}", listing(&known)))
        .suggest(near)
}
