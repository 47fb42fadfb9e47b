//! Missing messages: of entities, in languages, of whole packs.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use principes_findings::{Code, Finding, budget, listing};
use principes_json::{Document, MemberPart, escape};
use principes_model::messages::{HELP, kernel_keys};
use principes_model::{EntityPlace, FALLBACK, Merged, MessageEntry};
use principes_schemas::{self as schemas, EntityTexts, Family, Visibility};
use principes_source::FileRole;

use super::content::Content;
use super::orphans::{of_entities, prefixes};

/// The most missing messages that one finding names.
const MOST_NAMED: usize = 40;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    if !merged.broken.spares(&[Family::Messages]) {
        return;
    }
    let known: HashSet<(&str, &str)> =
        merged.messages.iter().map(|entry| (entry.language.as_str(), entry.key.as_str())).collect();
    let spoken = spoken(merged);
    promised(merged, &spoken, &known, findings);
    // The languages that a pack promises and has messages in.
    let languages = (0..merged.packs.len()).map(|pack| {
        let promised = merged.packs[pack].manifest.languages.iter().map(String::as_str);
        promised.filter(|language| spoken.contains(&(pack, *language))).collect()
    });
    let languages: Vec<Vec<&str>> = languages.collect();
    untranslated(merged, &languages, findings);
    Needs { merged, known, spoken, languages, findings }.all();
}

/// Packs, and the languages in which they have messages.
pub fn spoken(merged: &Merged) -> BTreeSet<(usize, &str)> {
    merged.messages.iter().map(|entry| (merged.pack_of(&entry.place), entry.language.as_str())).collect()
}

/// Messages of which any meets a need.
struct Need {
    /// The part of the entity that needs it.
    part: String,
    /// Keys of messages; the first is the one to recommend.
    keys: Vec<String>,
}

impl Need {
    fn new(part: &str, keys: &[String]) -> Self {
        Need { part: part.to_owned(), keys: keys.to_vec() }
    }
}

/// The existing messages, to find those that are missing.
struct Needs<'c, 'f> {
    merged: &'c Merged,
    /// Languages and keys.
    known: HashSet<(&'c str, &'c str)>,
    /// Packs, and the languages in which they have messages.
    spoken: BTreeSet<(usize, &'c str)>,
    /// By pack, the languages that it promises and has messages in.
    languages: Vec<Vec<&'c str>>,
    findings: &'f mut Vec<Finding>,
}

impl Needs<'_, '_> {
    fn all(&mut self) {
        self.names();
        self.cards();
        self.decisions();
        self.optional();
        self.rules();
    }

    /// Reports missing messages of an entity.
    fn need(&mut self, place: &EntityPlace, field: &str, needs: &[Need]) {
        let merged = self.merged;
        if budget::is_full(self.findings) {
            return;
        }
        let mut lacking: Vec<String> = Vec::new();
        let mut parts: BTreeSet<&str> = BTreeSet::new();
        let mut count = 0;
        let mut first = None;
        for language in &self.languages[merged.pack_of(place)] {
            let is_there =
                |key: &String| self.known.contains(&(*language, key)) || merged.broken.messages.contains(key);
            for Need { part, keys } in needs.iter().filter(|need| !need.keys.iter().any(is_there)) {
                parts.insert(part);
                first = first.or(Some(language));
                count += 1;
                if count <= MOST_NAMED {
                    lacking.push(format!("`{}` ({language})", keys[0]));
                }
            }
        }
        if let Some(language) = first {
            let verb = if count == 1 { "message is" } else { "messages are" };
            let more = match count.saturating_sub(MOST_NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let message = format!("{count} {verb} missing: {}{more}", lacking.join(", "));
            // If only one part needs them, an error there is the cause.
            let part = parts.first().filter(|_| parts.len() == 1).map(|part| merged.part(place, part));
            self.findings.push(
                merged
                    .finding(place, field, Code::MissingMessage, message)
                    .help(format!("add them to the messages of the language, such as `cards.{language}.json`"))
                    .rests_on([merged.part(place, "/id")].into_iter().chain(part)),
            );
        }
    }

    /// Reports a missing message of an entity.
    fn need_one(&mut self, place: &EntityPlace, field: &str, key: String) {
        self.need(place, field, &[Need::new(field, &[key])]);
    }

    /// Every entity that players see needs a name.
    fn names(&mut self) {
        let merged = self.merged;
        let counters =
            merged.counters.iter().filter(|entry| !entry.value.shown || entry.value.visible == Visibility::Nobody);
        let zones = merged.zones.iter().filter(|entry| !entry.value.shown);
        let unseen: BTreeSet<&EntityPlace> =
            counters.map(|entry| &entry.place).chain(zones.map(|entry| &entry.place)).collect();
        let named = |family: &&Family| family.spec().texts == Some(EntityTexts::Name) && **family != Family::Props;
        for family in Family::ALL.iter().filter(named) {
            for (place, id) in merged.entities(*family) {
                if !unseen.contains(&place) {
                    self.need_one(&place, "/id", format!("{}.{id}", family.singular()));
                }
            }
        }
        for entry in merged.props.iter().filter(|entry| !entry.value.is_field()) {
            self.need(&entry.place, "/id", &prop_needs(&entry.value));
        }
        for entry in &merged.phases {
            self.phase(&entry.place, "", &entry.value);
        }
    }

    fn phase(&mut self, place: &EntityPlace, field: &str, phase: &schemas::Phase) {
        self.need_one(place, &format!("{field}/id"), format!("phase.{}", phase.id));
        for (at, inner) in phase.phases.iter().enumerate() {
            self.phase(place, &format!("{field}/phases/{at}"), inner);
        }
    }

    fn cards(&mut self) {
        let mut types: BTreeSet<&str> = BTreeSet::new();
        for entry in &self.merged.cards {
            let card = &entry.value;
            let mut needs = vec![Need::new("/id", &[format!("card.{}.title", card.id)])];
            if !card.hooks.is_empty() {
                needs.push(Need::new("/id", &[format!("card.{}.text", card.id)]));
            }
            self.need(&entry.place, "/id", &needs);
            if types.insert(card.card_type.as_str()) {
                self.need_one(&entry.place, "/type", format!("type.{}", card.card_type));
            }
        }
    }

    fn decisions(&mut self) {
        for entry in &self.merged.decisions {
            let mut needs = vec![Need::new("/id", &[format!("decision.{}", entry.value.id)])];
            let options = entry.value.options.iter().enumerate();
            needs.extend(options.map(|(at, word)| {
                Need::new(&format!("/options/{at}"), &[format!("option.{word}"), format!("word.{word}")])
            }));
            self.need(&entry.place, "/id", &needs);
        }
    }

    /// An entity with a short name or with named values needs them in every language.
    fn optional(&mut self) {
        let merged = self.merged;
        let is_optional = |key: &str| {
            key.split_once('.').is_some_and(|(prefix, rest)| match prefix {
                "card" => rest.ends_with(".short"),
                "counter" => rest.contains('.'),
                "decision" | "phase" | "option" => rest.ends_with(HELP),
                "pack" => rest == "help",
                "prop" => merged.ids.has("props", rest.rsplit_once('.').map_or("", |(id, _)| id)),
                _ => false,
            })
        };
        let english = merged.messages.iter().filter(|entry| entry.language == FALLBACK);
        for entry in english.filter(|entry| is_optional(&entry.key)) {
            self.need_one(&entry.place, "", entry.key.clone());
        }
    }

    /// A rule that players can read needs a title and a text in every language. Most rules are not for players.
    fn rules(&mut self) {
        let languages: BTreeSet<&str> = self.spoken.iter().map(|(_, language)| *language).collect();
        for entry in &self.merged.rules {
            let both = ["title", "text"].map(|part| format!("rule.{}.{part}", entry.value.id));
            if both.iter().any(|key| languages.iter().any(|language| self.known.contains(&(*language, key.as_str())))) {
                self.need(&entry.place, "/id", &both.map(|key| Need::new("/id", &[key])));
            }
        }
    }
}

/// The messages of a prop: its name, and each of its words, which may have a name for this prop.
fn prop_needs(prop: &schemas::Prop) -> Vec<Need> {
    let id = &prop.id;
    let name = Need::new("/id", &[format!("prop.{id}"), format!("word.{}", prop.key())]);
    let words = prop.words.keys().map(|word| {
        Need::new(&format!("/words/{}", escape(word)), &[format!("prop.{id}.{word}"), format!("word.{word}")])
    });
    std::iter::once(name).chain(words).collect()
}

/// Whether the entities of a pack need any message in a language in which it has none.
fn is_needed(merged: &Merged, known: &HashSet<(&str, &str)>, pack: usize, language: &str) -> bool {
    let mut languages = vec![Vec::new(); merged.packs.len()];
    languages[pack].push(language);
    let (spoken, mut findings) = (BTreeSet::from([(pack, language)]), Vec::new());
    Needs { merged, known: known.clone(), spoken, languages, findings: &mut findings }.all();
    !findings.is_empty()
}

/// Reports languages that a pack promises but has no messages in. `spoken` are packs, and the languages in which they
/// have messages; `known` are the messages.
fn promised(
    merged: &Merged,
    spoken: &BTreeSet<(usize, &str)>,
    known: &HashSet<(&str, &str)>,
    findings: &mut Vec<Finding>,
) {
    let languages = merged.documents.0.iter().filter_map(|document| match FileRole::of(&document.path) {
        FileRole::Messages(language) => Some(((document.pack, language), document)),
        _ => None,
    });
    // If a language has several files, the first one is named.
    let files: BTreeMap<(usize, &str), &Document> = languages.rev().collect();
    for (at, pack) in merged.packs.iter().enumerate() {
        // A pack that shows players nothing new needs no messages.
        let speaks = spoken.iter().any(|(pack, _)| *pack == at);
        for (index, language) in pack.manifest.languages.iter().enumerate() {
            if !spoken.contains(&(at, language.as_str())) && (speaks || is_needed(merged, known, at, language)) {
                let message = format!("the pack lists `{language}` in `languages`, but has no messages in it");
                let what = match files.get(&(at, language.as_str())) {
                    Some(empty) => format!("write messages to {}", empty.path),
                    None => format!("add files such as `cards.{language}.json`"),
                };
                findings.push(
                    pack.document
                        .finding(Code::BrokenPromise, &format!("/languages/{index}"), MemberPart::Value, message)
                        .help(format!("{what}, or remove the language")),
                );
            }
        }
    }
}

/// Reports messages of a pack that are missing in some of its languages. Messages that entities need are reported at
/// the entities.
fn untranslated(merged: &Merged, languages: &[Vec<&str>], findings: &mut Vec<Finding>) {
    let needed_elsewhere: Vec<&str> = of_entities().chain(["option", "type"]).collect();
    let (kernel, known) = (kernel_keys(), prefixes());
    // A key with an unknown beginning is misspelled.
    let is_checked_here = |key: &str| {
        let prefix = key.split('.').next().unwrap_or_default();
        !needed_elsewhere.contains(&prefix) && (known.contains(&prefix) || kernel.contains(key))
    };
    let mut by_key: BTreeMap<(usize, &str), Vec<&MessageEntry>> = BTreeMap::new();
    for entry in merged.messages.iter().filter(|entry| is_checked_here(&entry.key)) {
        let pack = merged.documents.0[entry.place.document].pack;
        by_key.entry((pack, entry.key.as_str())).or_default().push(entry);
    }
    for ((pack, key), entries) in by_key {
        if budget::is_full(findings) {
            return;
        }
        let written: BTreeSet<&str> = entries.iter().map(|entry| entry.language.as_str()).collect();
        let lacking: Vec<&str> =
            languages[pack].iter().copied().filter(|language| !written.contains(language)).collect();
        let unread = merged.broken.messages.contains(key);
        let Some(first) = entries.first().filter(|_| !lacking.is_empty() && !unread) else { continue };
        let message = format!("the message `{key}` is missing in {}", listing(&lacking));
        findings.push(
            merged
                .finding_at_key(&first.place, "", Code::MissingMessage, message)
                .help("add it to the messages of the language, such as `cards.en.json`"),
        );
    }
}
