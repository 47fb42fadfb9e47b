//! Rulebooks: their live parts name something, their links lead somewhere, and they explain every decision in every
//! language.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use principes_findings::budget::{self, MOST_EXHIBITS, MOST_LIVE_PARTS};
use principes_findings::{Code, Finding, Span, Subject, listing, suggestion};
use principes_json::template;
use principes_model::rulebook::{HelpOf, InText, LivePart, NumberOf, ParsedRules, RulesFile, TextBlock, parse};
use principes_model::{FALLBACK, Merged};
use principes_schemas::{Card, Family, PropValue};
use serde_json::Value;

use super::content::Content;
use super::translations::spoken;

/// A rulebook and its file.
type Book<'m> = (&'m RulesFile, ParsedRules);

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let mut entities = Entities { merged, known: BTreeMap::new() };
    let mut books = Vec::new();
    for file in &merged.rules_files {
        if budget::is_full(findings) {
            return;
        }
        let book = parse(&file.text);
        let (has_scenarios, entities) = (content.scenarios, &mut entities);
        let mut checked = CheckedBook { merged, file, book: &book, has_scenarios, entities, findings };
        checked.check();
        books.push((file, book));
    }
    let packs = by_pack(&books);
    unexplained(merged, &packs, findings);
    untranslated(merged, &packs, findings);
}

/// The rulebooks of each pack, the one in English first.
fn by_pack<'b, 'm>(books: &'b [Book<'m>]) -> BTreeMap<&'b str, Vec<&'b Book<'m>>> {
    let mut packs: BTreeMap<&'b str, Vec<&'b Book<'m>>> = BTreeMap::new();
    for book in books {
        packs.entry(book.0.pack.as_str()).or_default().push(book);
    }
    packs.values_mut().for_each(|own| own.sort_by_key(|(file, _)| file.language != FALLBACK));
    packs
}

struct CheckedBook<'m, 'b> {
    merged: &'m Merged,
    file: &'m RulesFile,
    book: &'b ParsedRules,
    has_scenarios: bool,
    entities: &'b mut Entities<'m>,
    findings: &'b mut Vec<Finding>,
}

impl CheckedBook<'_, '_> {
    fn finding(&self, code: Code, bytes: &Range<usize>, message: impl Into<String>) -> Finding {
        let span = Span::new(&self.file.text, bytes.clone());
        Finding::new(code, &self.file.file, message).at(&self.file.text, span)
    }

    fn check(&mut self) {
        let (mut live, mut exhibits) = (0, 0);
        self.book.each_live(&mut |placed| {
            live += 1;
            exhibits += usize::from(is_exhibit(&placed.part));
        });
        for (count, most, what) in
            [(live, MOST_LIVE_PARTS, "live parts"), (exhibits, MOST_EXHIBITS, "pictures, tables and examples")]
        {
            if count > most {
                let message = format!("the rulebook has {count} {what}; at most {most} are allowed");
                return self.findings.push(budget::exceeded(&self.file.file, message, "remove some"));
            }
        }
        for problem in &self.book.problems {
            let finding = self.finding(problem.code, &problem.bytes, problem.message.clone());
            self.findings.push(finding.help(problem.help.clone()));
        }
        let mut parts = Vec::new();
        self.book.each_live(&mut |placed| parts.push(placed));
        for placed in parts {
            if budget::is_full(self.findings) {
                return;
            }
            self.live(placed);
        }
        self.anchors();
    }

    fn live(&mut self, placed: &InText<LivePart>) {
        match &placed.part {
            LivePart::Number(NumberOf::Count(family, filters)) => self.filters(placed, *family, filters),
            LivePart::Number(number) => self.number(placed, number),
            LivePart::Card(id) => self.exists(placed, &[Family::Cards], id),
            LivePart::Name(family, id) => self.exists(placed, &[*family], id),
            LivePart::Faces(ids) => ids.iter().for_each(|id| self.exists(placed, &[Family::Cards], id)),
            LivePart::Help(help) => self.help(placed, help),
            LivePart::Board(Some(id)) | LivePart::Example(id) => self.scenario(placed, id),
            LivePart::Explains(ids) => {
                ids.iter().for_each(|id| self.exists(placed, &[Family::Decisions, Family::Phases], id));
            }
            LivePart::Entities(family, filters) => self.filters(placed, *family, filters),
            LivePart::Board(None) | LivePart::Tracks => {}
        }
    }

    /// Reports an id that none of the families has.
    fn exists(&mut self, placed: &InText<LivePart>, families: &[Family], id: &str) {
        let ids = &self.merged.ids;
        // What a later pack removes was right in the rulebook's own pack.
        let is_removed = families.iter().any(|family| self.merged.is_removed(*family, id));
        let exists = families.iter().any(|family| ids.has(family.key(), id));
        if exists || is_removed || !self.merged.broken.spares(families) {
            return;
        }
        let names: Vec<&str> = families.iter().map(|family| family.noun()).collect();
        let near = suggestion(id, families.iter().flat_map(|family| ids.of(family.key())));
        let finding = self
            .finding(Code::DeadLivePart, &self.place_of(placed, id), format!("unknown {} `{id}`", names.join(" or ")))
            .help("name something that the packs declare, or remove the live part")
            .rests_on(families.iter().map(|family| Subject::missing(family.key(), id)));
        self.findings.push(finding.suggest(near));
    }

    /// The bytes of a word within a live part.
    fn place_of(&self, placed: &InText<LivePart>, word: &str) -> Range<usize> {
        let is_between = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '=');
        let text = self.file.text.get(placed.bytes.clone()).unwrap_or_default();
        let mut start = placed.bytes.start;
        for part in text.split_inclusive(is_between) {
            if part.trim_end_matches(is_between) == word {
                return start..start + word.len();
            }
            start += part.len();
        }
        placed.bytes.clone()
    }

    fn number(&mut self, placed: &InText<LivePart>, number: &NumberOf) {
        let (families, id) = number.owner();
        if !families.iter().any(|family| self.merged.ids.has(family.key(), id)) {
            return self.exists(placed, families, id);
        }
        let entities = &mut *self.entities;
        let found: Vec<Cow<'_, Value>> =
            families.iter().filter_map(|family| entities.of(*family).get(id).cloned()).collect();
        if found.is_empty() || found.iter().any(|json| number.find(json).is_some()) {
            return;
        }
        let name = number.name();
        let names: Vec<&str> = found.iter().flat_map(|json| number.names(json)).collect();
        let near = suggestion(name, names.iter().copied());
        let finding = self
            .finding(Code::DeadLivePart, &self.place_of(placed, name), format!("`{id}` has no number `{name}`"))
            .help("name a number that the packs declare, or remove the live part");
        self.findings.push(finding.suggest(near));
    }

    fn help(&mut self, placed: &InText<LivePart>, help: &HelpOf) {
        match help {
            HelpOf::Phase(id) if !self.merged.ids.has(Family::Phases.key(), id) => {
                return self.exists(placed, &[Family::Phases], id);
            }
            HelpOf::Decision(id) if !self.merged.ids.has(Family::Decisions.key(), id) => {
                return self.exists(placed, &[Family::Decisions], id);
            }
            _ if !self.merged.broken.spares(&[Family::Messages]) => return,
            _ => {}
        }
        let key = help.key();
        let fits =
            |language: &str| self.merged.messages.iter().find(|entry| entry.key == key && entry.language == language);
        let Some(entry) = fits(&self.file.language).or_else(|| fits(FALLBACK)) else {
            let finding = self.finding(Code::DeadLivePart, &placed.bytes, format!("there is no message `{key}`"));
            return self.findings.push(finding.help("write the message, or remove the live part"));
        };
        if template::texts(&entry.text).any(|(_, text)| !template::holes(text).is_empty()) {
            let message = format!("the message `{key}` has placeholders, which have values only in a game");
            let finding = self.finding(Code::DeadLivePart, &placed.bytes, message);
            self.findings.push(finding.help("explain the decision in the words of the rulebook"));
        }
    }

    fn scenario(&mut self, placed: &InText<LivePart>, id: &str) {
        // Who only plays reads no scenarios.
        if !self.has_scenarios || !self.merged.broken.spares(&[Family::Scenarios]) {
            return;
        }
        let own = |document: usize| {
            let pack = self.merged.documents.0.get(document).map(|document| document.pack);
            pack.is_some_and(|pack| self.merged.packs[pack].id() == self.file.pack)
        };
        let ids: Vec<&str> =
            self.merged.scenarios.iter().filter(|of| own(of.place.document)).map(|of| of.value.id.as_str()).collect();
        if ids.contains(&id) {
            return;
        }
        let near = suggestion(id, ids.iter().copied());
        let message = format!("this pack has no scenario `{id}`");
        let finding = self.finding(Code::DeadLivePart, &self.place_of(placed, id), message);
        self.findings.push(finding.help("name a scenario of the pack").suggest(near));
    }

    /// Reports a table that can have no row.
    fn filters(&mut self, placed: &InText<LivePart>, family: Family, filters: &[(String, String)]) {
        if !self.merged.broken.spares(&[family]) {
            return;
        }
        let fits = |json: &Value| filters.iter().all(|(field, value)| selects(json, field, value));
        if !self.entities.of(family).values().any(|json| fits(json)) {
            let message = format!("no {} has these values", family.noun());
            let finding = self.finding(Code::DeadLivePart, &placed.bytes, message);
            self.findings.push(finding.help("correct the fields or values, or remove the table"));
        }
    }

    /// Links that lead nowhere, and ids of two headings.
    fn anchors(&mut self) {
        let mut seen = BTreeSet::new();
        for anchor in self.book.anchors() {
            if !seen.insert(anchor.part.as_str()) {
                let message = format!("two headings have the id `{}`", anchor.part);
                let finding = self.finding(Code::DeadAnchor, &anchor.bytes, message);
                self.findings.push(finding.help("give one of them another id"));
            }
        }
        let mut links = Vec::new();
        self.book.each_link(&mut |link| links.push(link));
        for link in links {
            if !seen.contains(link.part.as_str()) {
                let near = suggestion(&link.part, seen.iter().copied());
                let message = format!("no heading has the id `{}`", link.part);
                let place = self.file.text.get(link.bytes.clone()).and_then(|text| text.rfind(&link.part));
                let start = link.bytes.start + place.unwrap_or_default();
                let bytes = if place.is_some() { start..start + link.part.len() } else { link.bytes.clone() };
                let finding = self.finding(Code::DeadAnchor, &bytes, message);
                let finding = finding.help(format!("write `{{#{}}}` after a heading", link.part));
                self.findings.push(finding.suggest(near));
            }
        }
    }
}

/// Whether drawing or playing it costs something.
fn is_exhibit(live: &LivePart) -> bool {
    matches!(
        live,
        LivePart::Faces(_) | LivePart::Board(_) | LivePart::Tracks | LivePart::Example(_) | LivePart::Entities(..)
    )
}

/// Entities by their ids, as JSON with the patches of all packs.
type ById<'m> = BTreeMap<&'m str, Cow<'m, Value>>;

/// The entities of the families that live parts name. Each family is gathered once.
struct Entities<'m> {
    merged: &'m Merged,
    known: BTreeMap<Family, ById<'m>>,
}

impl<'m> Entities<'m> {
    fn of(&mut self, family: Family) -> &ById<'m> {
        let merged = self.merged;
        self.known.entry(family).or_insert_with(|| entities(merged, family))
    }
}

fn entities(merged: &Merged, family: Family) -> ById<'_> {
    let mut all = ById::new();
    if family == Family::Cards {
        for card in &merged.cards {
            all.entry(card.value.id.as_str()).or_insert_with(|| Cow::Owned(card_json(&card.value)));
        }
        return all;
    }
    for document in merged.documents.0.iter().filter(|document| document.family == Some(family)) {
        for (pointer, id) in document.named().iter().filter(|(_, id)| merged.ids.has(family.key(), id)) {
            if let Some(json) = document.value.pointer(pointer) {
                all.entry(id.as_str()).or_insert(Cow::Borrowed(json));
            }
        }
    }
    all
}

/// What rulebooks may say about a card. A card of a series has its own params and props.
fn card_json(card: &Card) -> Value {
    let mut json = serde_json::json!({
        "type": card.card_type.as_str(), "zone": card.zone.as_str(), "params": {}, "props": {},
    });
    for (name, number) in card.params.iter() {
        json["params"][name] = Value::from(*number);
    }
    for (name, value) in card.props.iter() {
        json["props"][name] = match value {
            PropValue::Bool(yes) => Value::from(*yes),
            PropValue::Int(number) => Value::from(*number),
            PropValue::Text(text) => Value::from(text.as_str()),
        };
    }
    json
}

/// Whether an entity has a value in a field, a prop or a stat.
fn selects(json: &Value, field: &str, value: &str) -> bool {
    let found = json.get(field).or_else(|| json.get("props")?.get(field)).or_else(|| json.get("stats")?.get(field));
    match found {
        Some(Value::String(text)) => text == value,
        Some(Value::Number(number)) => number.as_i64().is_some_and(|number| value.parse() == Ok(number)),
        Some(Value::Bool(yes)) => value.parse() == Ok(*yes),
        _ => false,
    }
}

/// The decisions and phases that the sections of a rulebook explain: by the ids of their headings, and by live parts
/// that are in no list or aside.
fn explained(book: &ParsedRules) -> BTreeSet<&str> {
    let mut ids: BTreeSet<&str> = book.anchors().map(|anchor| anchor.part.as_str()).collect();
    for block in &book.blocks {
        if let TextBlock::Live(InText { part: LivePart::Explains(more), .. }) = block {
            ids.extend(more.iter().map(String::as_str));
        }
    }
    ids
}

/// Decisions of packs that no section of their rulebooks explains. Only the first rulebook of a pack is examined; the
/// others are compared with it.
fn unexplained(merged: &Merged, packs: &BTreeMap<&str, Vec<&Book<'_>>>, findings: &mut Vec<Finding>) {
    if !merged.broken.spares(&[Family::Decisions]) {
        return;
    }
    for (pack, own) in packs {
        let Some((file, book)) = own.first() else { continue };
        if budget::is_full(findings) {
            return;
        }
        let known = explained(book);
        let is_own = |at: usize| merged.packs.get(at).is_some_and(|entry| entry.id() == *pack);
        let decisions = merged.decisions.iter().filter(|decision| is_own(merged.pack_of(&decision.place)));
        let open: Vec<_> = decisions.filter(|decision| !known.contains(decision.value.id.as_str())).collect();
        let names: Vec<&str> = open.iter().map(|decision| decision.value.id.as_str()).collect();
        if let Some(first) = names.first() {
            let which = if names.len() == 1 { "this decision" } else { "these decisions" };
            let message = format!("no section explains {which}: {}", listing(&names));
            let help = format!("write `{{#{first}}}` after a heading, or `{{{{explains {first}}}}}` below one");
            let finding = Finding::new(Code::UnexplainedDecision, &file.file, message);
            let parts = open.iter().map(|decision| merged.part(&decision.place, "/id"));
            findings.push(finding.at(&file.text, Span::default()).help(help).rests_on(parts));
        }
    }
}

/// Packs whose rulebook is missing in a language in which they have texts, or has other sections there. Languages
/// without any text are reported elsewhere.
fn untranslated(merged: &Merged, packs: &BTreeMap<&str, Vec<&Book<'_>>>, findings: &mut Vec<Finding>) {
    let spoken = spoken(merged);
    for (pack, own) in packs {
        let Some(at) = merged.packs.iter().position(|entry| entry.id() == *pack) else { continue };
        let Some((first, others)) = own.split_first() else { continue };
        if budget::is_full(findings) {
            return;
        }
        let has_texts = |language: &str| spoken.contains(&(at, language));
        let has_rules = |language: &str| own.iter().any(|(file, _)| file.language == language);
        let languages = merged.packs[at].manifest.languages.iter();
        for language in languages.filter(|language| has_texts(language) && !has_rules(language)) {
            let message = format!("the pack has a rulebook, but none in `{language}`");
            let finding = Finding::new(Code::UntranslatedRules, &first.0.file, message);
            findings.push(finding.help(format!("write `rules.{language}.md`")));
        }
        let ids = explained(&first.1);
        for (file, book) in others {
            let here = explained(book);
            let differ: Vec<&str> = ids.symmetric_difference(&here).copied().collect();
            if !differ.is_empty() {
                let (other, names) = (first.0.language.as_str(), listing(&differ));
                let message = format!("the rulebook in `{other}` does not have the same sections: {names}");
                let finding = Finding::new(Code::UntranslatedRules, &file.file, message);
                findings.push(finding.help("give the headings the same ids in all languages"));
            }
        }
    }
}
