//! Messages: missing, orphaned, with placeholders that nothing fills, with plural forms that a language lacks.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use principes_findings::{Code, Finding, Span, Suggestion, listing, singular, suggestion};
use principes_json::template::{self, texts};
use principes_json::{Document, MemberPart, language_of};
use principes_model::messages::{FALLBACK, kernel_keys};
use principes_model::{EntityPlace, Merged, MessageEntry, plural};
use principes_schemas::{self as schemas, Family, MessageText, Visibility};

use super::words::Words;

pub fn check(merged: &Merged, findings: &mut Vec<Finding>) {
    for entry in &merged.messages {
        braces(merged, entry, findings);
        plural_forms(merged, entry, findings);
    }
    let fillable = Fillable::new(merged);
    placeholders(merged, &fillable, findings);
    languages_agree(merged, &fillable, findings);
}

/// Checks that need all of their families.
pub fn check_whole(merged: &Merged, words: &Words<'_>, findings: &mut Vec<Finding>) {
    if merged.broken.spares(&[Family::Messages]) {
        missing(merged, findings);
        untranslated(merged, findings);
    }
    orphans(merged, words, findings);
    if merged.broken.spares(&[Family::Messages]) {
        idle_params(merged, words, findings);
    }
}

fn braces(merged: &Merged, entry: &MessageEntry, findings: &mut Vec<Finding>) {
    for (field, text) in texts(&entry.text).into_iter().filter(|(_, text)| text.contains(['{', '}'])) {
        if let Err(message) = template::parse(text) {
            findings.push(
                merged.finding(&entry.place, field, Code::BadBraces, message).help("placeholders look like `{gold}`"),
            );
        }
    }
}

fn plural_forms(merged: &Merged, entry: &MessageEntry, findings: &mut Vec<Finding>) {
    let MessageText::Plural(plural) = &entry.text else { return };
    let given = [
        (plural::Form::One, plural.one.is_some()),
        (plural::Form::Few, plural.few.is_some()),
        (plural::Form::Many, plural.many.is_some()),
        (plural::Form::Other, plural.other.is_some()),
    ];
    let needed = plural::forms(&entry.language);
    let names: Vec<&str> = needed.iter().map(|form| form.name()).collect();
    let help = format!("whole numbers in `{}` take {}", entry.language, listing(&names));
    let lacking: Vec<&str> =
        given.iter().filter(|(form, there)| !there && needed.contains(form)).map(|(form, _)| form.name()).collect();
    if !lacking.is_empty() {
        let (forms, are) = if lacking.len() == 1 { ("form", "is") } else { ("forms", "are") };
        let message = format!("the {forms} {} {are} missing", listing(&lacking));
        findings.push(merged.finding(&entry.place, "", Code::WrongPluralForms, message).help(help.as_str()));
    }
    // `other` is everybody's safety net, even where whole numbers never take it.
    let idle = |form: &plural::Form| *form != plural::Form::Other && !needed.contains(form);
    for (form, _) in given.iter().filter(|(form, there)| *there && idle(form)) {
        let field = format!("/{}", form.name());
        let message = format!("the form `{}` is never used", form.name());
        let finding = merged.finding(&entry.place, &field, Code::WrongPluralForms, message).help(help.as_str());
        findings.push(merged.without(finding, &entry.place, &field));
    }
}

/// Cards and rules by their ids.
struct Fillable<'m> {
    cards: HashMap<&'m str, &'m schemas::Card>,
    rules: HashMap<&'m str, &'m schemas::Rule>,
}

impl<'m> Fillable<'m> {
    fn new(merged: &'m Merged) -> Self {
        Fillable {
            cards: merged.cards.iter().rev().map(|card| (card.value.id.as_str(), &*card.value)).collect(),
            rules: merged.rules.iter().rev().map(|rule| (rule.value.id.as_str(), &*rule.value)).collect(),
        }
    }
}

/// What may stand in a message of this key: `None` where anything may.
fn allowed(fillable: &Fillable<'_>, key: &str) -> Option<BTreeSet<String>> {
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

fn placeholders(merged: &Merged, fillable: &Fillable<'_>, findings: &mut Vec<Finding>) {
    for entry in merged.messages.iter().filter(|entry| !entry.holes.is_empty()) {
        let Some(allowed) = allowed(fillable, &entry.key) else { continue };
        for (field, text) in texts(&entry.text) {
            for name in template::holes(text).into_iter().filter(|name| !allowed.contains(name)) {
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
        [] => "nothing can be filled in here".to_owned(),
        known => format!("it can be {}", listing(known)),
    };
    let message = format!("nothing gives `{{{name}}}` a value in `{}`", entry.key);
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
        // What nothing fills is said of each text by itself.
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
            (false, true) => format!("`{}` lacks {} of the English text", entry.key, named(lacking)),
            (true, _) => format!("`{}` has {}, which the English text has not", entry.key, named(extra)),
            _ => format!("`{}` has {} where the English text has {}", entry.key, named(extra), named(lacking)),
        };
        findings.push(
            merged
                .finding(&entry.place, "", Code::OtherPlaceholders, message)
                .help("a translation says the same with the same values")
                .label(merged.label(&original.place, "", "the English text")),
        );
    }
}

/// Languages that a pack promises and never speaks. `spoken` are packs and the languages that they have messages in.
fn promised(merged: &Merged, spoken: &BTreeSet<(usize, &str)>, findings: &mut Vec<Finding>) {
    for (at, pack) in merged.packs.iter().enumerate() {
        // What only changes numbers need not say anything.
        let silent =
            |family: Option<Family>| matches!(family, Some(Family::Patches | Family::Pins | Family::Scenarios));
        let speaks = merged.documents.0.iter().any(|document| document.pack == at && !silent(document.family));
        for (index, language) in pack.manifest.languages.iter().enumerate() {
            if !spoken.contains(&(at, language.as_str())) && speaks {
                let message = format!("the pack promises `{language}` but has no messages in it");
                let own = |document: &&Document| {
                    document.pack == at && language_of(&document.path) == Some(language.as_str())
                };
                let what = match merged.documents.0.iter().find(own) {
                    Some(empty) => format!("write messages into {}", empty.path),
                    None => format!("add locale/{language}/"),
                };
                findings.push(
                    pack.document
                        .finding(Code::BrokenPromise, &format!("/languages/{index}"), MemberPart::Value, message)
                        .help(format!("{what}, or take the language away")),
                );
            }
        }
    }
}

/// Which messages an entity needs.
fn missing(merged: &Merged, findings: &mut Vec<Finding>) {
    let mut known: HashSet<(&str, &str)> = HashSet::new();
    let mut spoken: BTreeSet<(usize, &str)> = BTreeSet::new();
    for entry in &merged.messages {
        known.insert((&entry.language, &entry.key));
        spoken.insert((merged.documents.0[entry.place.document].pack, entry.language.as_str()));
    }
    promised(merged, &spoken, findings);
    let mut need = |place: &EntityPlace, field: &str, keys: Vec<Vec<String>>| {
        let pack = merged.documents.0[place.document].pack;
        let mut lacking: Vec<String> = Vec::new();
        for language in &merged.packs[pack].manifest.languages {
            if !spoken.contains(&(pack, language.as_str())) {
                continue;
            }
            // Each need is met by any of its keys; the first is the one to recommend.
            for any in &keys {
                if !any
                    .iter()
                    .any(|key| known.contains(&(language.as_str(), key)) || merged.broken.messages.contains(key))
                {
                    lacking.push(format!("`{}` ({language})", any[0]));
                }
            }
        }
        if !lacking.is_empty() {
            let verb = if lacking.len() == 1 { "message is" } else { "messages are" };
            let message = format!("{} {verb} missing: {}", lacking.len(), lacking.join(", "));
            findings.push(merged.finding(place, field, Code::MissingMessage, message).help("add them under locale/"));
        }
    };
    let one = |key: String| vec![vec![key]];
    for entry in &merged.factions {
        need(&entry.place, "/id", one(format!("faction.{}", entry.value.id)));
    }
    for entry in &merged.spaces {
        need(&entry.place, "/id", one(format!("space.{}", entry.value.id)));
    }
    for entry in &merged.kinds {
        need(&entry.place, "/id", one(format!("kind.{}", entry.value.id)));
    }
    for entry in merged.counters.iter().filter(|entry| entry.value.visible != Visibility::Nobody) {
        need(&entry.place, "/id", one(format!("counter.{}", entry.value.id)));
    }
    for entry in &merged.zones {
        need(&entry.place, "/id", one(format!("zone.{}", entry.value.id)));
    }
    for entry in &merged.variants {
        need(&entry.place, "/id", one(format!("variant.{}", entry.value.id)));
    }
    let mut types: BTreeSet<&str> = BTreeSet::new();
    for entry in &merged.cards {
        let card = &entry.value;
        let mut keys = one(format!("card.{}.title", card.id));
        if !card.hooks.is_empty() {
            keys.push(vec![format!("card.{}.text", card.id)]);
        }
        need(&entry.place, "/id", keys);
        if types.insert(card.card_type.as_str()) {
            need(&entry.place, "/type", one(format!("type.{}", card.card_type)));
        }
    }
    for entry in merged.props.iter().filter(|entry| !entry.value.is_field()) {
        need(&entry.place, "/id", prop_keys(&entry.value));
    }
    for entry in &merged.decisions {
        let mut keys = one(format!("decision.{}", entry.value.id));
        keys.extend(entry.value.options.iter().map(|word| vec![format!("option.{word}"), format!("word.{word}")]));
        need(&entry.place, "/id", keys);
    }
    // What has a short name or named values has them in every language.
    let optional = merged.messages.iter().filter(|entry| {
        entry.language == FALLBACK
            && entry.key.split_once('.').is_some_and(|(prefix, rest)| match prefix {
                "card" => rest.ends_with(".short"),
                "counter" => rest.contains('.'),
                "prop" => merged.ids.has("props", rest.rsplit_once('.').map_or("", |(id, _)| id)),
                _ => false,
            })
    });
    for entry in optional {
        need(&entry.place, "", one(entry.key.clone()));
    }
    let languages: BTreeSet<&str> = spoken.iter().map(|(_, language)| *language).collect();
    // A rule that players read has a title and a text in every language; most rules are only plumbing.
    for entry in &merged.rules {
        let both = ["title", "text"].map(|part| format!("rule.{}.{part}", entry.value.id));
        if both.iter().any(|key| languages.iter().any(|language| known.contains(&(*language, key)))) {
            need(&entry.place, "/id", both.into_iter().map(|key| vec![key]).collect());
        }
    }
    for entry in &merged.phases {
        phase_messages(&entry.place, "", &entry.value, &mut need);
    }
}

/// What players read of a prop: its name, and each of its words, which may have a name of their own beside it.
fn prop_keys(prop: &schemas::Prop) -> Vec<Vec<String>> {
    let id = &prop.id;
    let name = vec![format!("prop.{id}"), format!("word.{}", prop.key())];
    let words = prop.words.keys().map(|word| vec![format!("prop.{id}.{word}"), format!("word.{word}")]);
    std::iter::once(name).chain(words).collect()
}

fn phase_messages(
    place: &EntityPlace,
    field: &str,
    phase: &schemas::Phase,
    need: &mut impl FnMut(&EntityPlace, &str, Vec<Vec<String>>),
) {
    need(place, &format!("{field}/id"), vec![vec![format!("phase.{}", phase.id)]]);
    for (at, inner) in phase.phases.iter().enumerate() {
        phase_messages(place, &format!("{field}/phases/{at}"), inner, need);
    }
}

/// Messages of a pack that one of its languages has and another lacks. What entities need is said where they stand.
fn untranslated(merged: &Merged, findings: &mut Vec<Finding>) {
    const NEEDED_ELSEWHERE: [&str; 13] = [
        "faction", "space", "kind", "counter", "zone", "phase", "card", "rule", "variant", "decision", "option",
        "type", "prop",
    ];
    let mut said: BTreeMap<(usize, &str), Vec<&MessageEntry>> = BTreeMap::new();
    let mut spoken: BTreeSet<(usize, &str)> = BTreeSet::new();
    for entry in &merged.messages {
        let pack = merged.documents.0[entry.place.document].pack;
        spoken.insert((pack, entry.language.as_str()));
        said.entry((pack, entry.key.as_str())).or_default().push(entry);
    }
    for ((pack, key), entries) in said {
        let prefix = key.split('.').next().unwrap_or_default();
        if NEEDED_ELSEWHERE.contains(&prefix) {
            continue;
        }
        let promised = merged.packs[pack].manifest.languages.iter().map(|language| language.as_str());
        let lacks = |language: &&str| {
            !entries.iter().any(|entry| entry.language == *language) && spoken.contains(&(pack, *language))
        };
        let lacking: Vec<&str> = promised.filter(lacks).collect();
        let unread = merged.broken.messages.contains(key);
        let Some(first) = entries.first().filter(|_| !lacking.is_empty() && !unread) else { continue };
        let message = format!("the message `{key}` is missing in {}", listing(&lacking));
        findings
            .push(merged.finding_at_key(&first.place, "", Code::MissingMessage, message).help("add it under locale/"));
    }
}

/// Params that neither their text nor a script reads.
fn idle_params(merged: &Merged, words: &Words<'_>, findings: &mut Vec<Finding>) {
    let fillable = Fillable::new(merged);
    let mut shown: BTreeMap<&str, BTreeSet<&String>> = BTreeMap::new();
    for entry in merged.messages.iter().filter(|entry| !entry.holes.is_empty()) {
        shown.entry(entry.key.as_str()).or_default().extend(&entry.holes);
    }
    let cards =
        merged.cards.iter().map(|e| (&e.place, format!("card.{}.text", e.value.id), &e.value.params, &e.value.hooks));
    let rules =
        merged.rules.iter().map(|e| (&e.place, format!("rule.{}.text", e.value.id), &e.value.params, &e.value.hooks));
    for (place, key, params, hooks) in cards.chain(rules).filter(|(_, _, params, _)| !params.is_empty()) {
        let fillable = allowed(&fillable, &key).unwrap_or_default();
        for name in params.keys() {
            // A placeholder that nothing fills may be this one, misspelt.
            let meant = |hole: &&String| *hole == name || !fillable.contains(*hole);
            let in_text = shown.get(key.as_str()).is_some_and(|holes| holes.iter().any(meant));
            if !in_text && !words.reads(hooks, name) {
                findings.push(
                    merged
                        .finding_at_key(
                            place,
                            &format!("/params/{name}"),
                            Code::IdleParam,
                            format!("neither the text nor a hook reads `{name}`"),
                        )
                        .help(format!("take it away, or read it as `self.{name}` and show it as `{{{name}}}`")),
                );
            }
        }
    }
}

/// Messages for something that does not exist.
fn orphans(merged: &Merged, words: &Words<'_>, findings: &mut Vec<Finding>) {
    let kernel = kernel_keys();
    let types: BTreeSet<&str> = merged.cards.iter().map(|card| card.value.card_type.as_str()).collect();
    for entry in &merged.messages {
        let key = entry.key.as_str();
        if kernel.contains(key) || is_excused(merged, key) {
            continue;
        }
        let (prefix, rest) = key.split_once('.').unwrap_or((key, ""));
        let mut help = "take the message away, or mend its key";
        let declared = |family: &str, id: &str, tail: &str| -> Option<(String, Option<Suggestion>)> {
            if merged.ids.has(family, id) {
                return None;
            }
            let near = suggestion(id, merged.ids.of(family));
            let near = near.map(|near| near.clone().write(format!("{prefix}.{}{tail}", near.name)));
            Some((format!("`{key}` is a message for a {} that does not exist", singular(family)), near))
        };
        let problem = match prefix {
            _ if !key.contains('.') => {
                findings.push(unknown_key(merged, entry));
                continue;
            }
            // That a game lacks phases altogether is said elsewhere.
            "phase" if merged.phases.is_empty() => None,
            "counter" if rest.contains('.') => {
                let (id, value) = rest.split_once('.').unwrap_or((rest, ""));
                declared("counters", id, &format!(".{value}")).or_else(|| {
                    let fault = || format!("`{key}` is a message for a value that the counter never has");
                    (!has_value(merged, id, value)).then(|| (fault(), None))
                })
            }
            "faction" | "space" | "kind" | "counter" | "zone" | "phase" | "variant" | "decision" => {
                declared(&format!("{prefix}s"), rest, "")
            }
            "prop" => match prop_word(merged, rest) {
                true => None,
                false => declared("props", rest, ""),
            },
            "card" | "rule" => match rest.rsplit_once('.') {
                Some((id, "title")) => declared(&format!("{prefix}s"), id, ".title"),
                Some((id, "text")) => declared(&format!("{prefix}s"), id, ".text"),
                Some((id, "short")) if prefix == "card" => declared("cards", id, ".short"),
                _ => Some(wrong_ending(key, prefix, rest)),
            },
            "option" | "word" if !merged.broken.spares(&[Family::Decisions]) => None,
            "type" if !merged.broken.spares(&[Family::Cards]) => None,
            "log" | "outcome" if !words.says(rest) => {
                help = "take the message away, or use it in a script";
                Some((format!("no script speaks of `{rest}`"), None))
            }
            "type" if !types.contains(rest) => {
                let near = suggestion(rest, types.iter().copied());
                let near = near.map(|near| near.clone().write(format!("type.{}", near.name)));
                Some((format!("`{key}` is a message for a card type that does not exist"), near))
            }
            "option" | "word" if !words.says(rest) && !words.content(rest) && !words.id(rest) => {
                Some((format!("nothing is ever called `{rest}`"), None))
            }
            "log" | "outcome" | "type" | "option" | "word" => None,
            _ => {
                findings.push(unknown_key(merged, entry));
                continue;
            }
        };
        if let Some((message, near)) = problem {
            // A key that is there already was not meant.
            let taken = |near: &Suggestion| {
                merged.messages.iter().any(|other| other.key == near.text && other.language == entry.language)
            };
            findings.push(
                merged
                    .finding_at_key(&entry.place, "", Code::OrphanMessage, message)
                    .help(help)
                    .suggest(near.filter(|near| !taken(near))),
            );
        }
    }
}

/// Whether nothing can be said against a message: of the pack itself, or of what cannot be read or was removed.
fn is_excused(merged: &Merged, key: &str) -> bool {
    let (prefix, rest) = key.split_once('.').unwrap_or((key, ""));
    let Some(family) = Family::with_key(&format!("{prefix}s")) else {
        return merged.broken.anything || key == "pack.title" || key == "pack.description";
    };
    // What is not there may be what could not be read; what is said of a removed entity was right without that patch.
    !merged.broken.spares(&[family]) || merged.is_removed(family, rest.split('.').next().unwrap_or(rest))
}

/// Whether what follows `prop.` is a prop and one of its words.
fn prop_word(merged: &Merged, rest: &str) -> bool {
    let Some((id, word)) = rest.rsplit_once('.') else { return false };
    merged.props.iter().any(|entry| entry.value.id.as_str() == id && entry.value.words.contains_key(word))
}

/// A message of a card or rule that is none of those they have.
fn wrong_ending(key: &str, prefix: &str, rest: &str) -> (String, Option<Suggestion>) {
    let (id, last) = rest.rsplit_once('.').unwrap_or((rest, ""));
    let ends: &[&str] = if prefix == "card" { &["title", "text", "short"] } else { &["title", "text"] };
    let near = suggestion(last, ends.iter().copied());
    let near = near.map(|near| near.clone().write(format!("{prefix}.{id}.{}", near.name)));
    let named: Vec<String> = ends.iter().map(|end| format!("`.{end}`")).collect();
    (format!("`{key}` is no message of a {prefix}: they end in {}", named.join(" or ")), near)
}

/// Whether a counter of numbers can have a value, written as packs write it.
fn has_value(merged: &Merged, id: &str, value: &str) -> bool {
    let counter = merged.counters.iter().find(|entry| entry.value.id.as_str() == id).map(|entry| &entry.value);
    counter.filter(|counter| counter.holds.is_none()).zip(value.parse::<i32>().ok()).is_some_and(|(counter, n)| {
        (counter.min.unwrap_or(0)..=counter.max.unwrap_or(i32::MAX)).contains(&n) && n.to_string() == value
    })
}

const PREFIXES: [&str; 17] = [
    "pack", "faction", "space", "kind", "counter", "zone", "phase", "card", "rule", "variant", "decision", "option",
    "log", "outcome", "type", "word", "prop",
];

fn unknown_key(merged: &Merged, entry: &MessageEntry) -> Finding {
    let prefix = entry.key.split('.').next().unwrap_or_default();
    let near = suggestion(prefix, PREFIXES);
    let rest = &entry.key[prefix.len()..];
    let near = near.map(|near| near.clone().write(format!("{}{rest}", near.name)));
    merged
        .finding_at_key(&entry.place, "", Code::OrphanMessage, format!("nothing is looked up under `{}`", entry.key))
        .help(format!("keys begin with {}", listing(&PREFIXES)))
        .suggest(near)
}
