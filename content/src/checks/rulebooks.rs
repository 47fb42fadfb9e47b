//! Rulebooks: their live parts name something, their links lead somewhere, and they explain every decision in every
//! language.

use std::collections::{BTreeMap, BTreeSet};

use principes_findings::budget::{self, MOST_EXHIBITS, MOST_LIVE_PARTS};
use principes_findings::{Code, Finding, Span, Subject, Suggestion, singular, suggestion};
use principes_json::template;
use principes_model::rulebook::{HelpOf, InText, LivePart, NumberOf, ParsedRules, RulesFile, parse};
use principes_model::{FALLBACK, Merged};
use principes_schemas::{Family, PropValue};
use serde_json::Value;

use super::content::Content;

/// The most names in one message.
const MOST_NAMED: usize = 12;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let mut books = Vec::new();
    for file in &merged.rules_files {
        let book = parse(&file.text);
        let mut checked = CheckedBook { merged, file, book: &book, has_scenarios: content.scenarios, findings };
        checked.check();
        books.push((file, book));
    }
    unexplained(merged, &books, findings);
    untranslated(merged, &books, findings);
}

struct CheckedBook<'c, 'f> {
    merged: &'c Merged,
    file: &'c RulesFile,
    book: &'c ParsedRules,
    has_scenarios: bool,
    findings: &'f mut Vec<Finding>,
}

impl CheckedBook<'_, '_> {
    fn finding(&self, code: Code, bytes: &std::ops::Range<usize>, message: impl Into<String>) -> Finding {
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
                let message = format!("the rulebook has {count} {what}; {most} are allowed");
                return self.findings.push(budget::exceeded(&self.file.file, message, "remove some"));
            }
        }
        for problem in &self.book.problems {
            let finding = self.finding(problem.code, &problem.bytes, problem.message.clone());
            self.findings.push(finding.help(problem.help.clone()));
        }
        let mut parts = Vec::new();
        self.book.each_live(&mut |placed| parts.push(placed));
        parts.into_iter().for_each(|placed| self.live(placed));
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
        let names: Vec<&str> = families.iter().map(|family| singular(family.key())).collect();
        let near = suggestion(id, families.iter().flat_map(|family| ids.of(family.key())));
        let finding = self
            .finding(Code::DeadLivePart, &self.place_of(placed, id), format!("unknown {} `{id}`", names.join(" or ")))
            .help("name something that the packs declare, or remove the live part")
            .rests_on(families.iter().map(|family| Subject::missing(family.key(), id)));
        self.findings.push(with_suggestion(finding, near));
    }

    /// The bytes of a word within a live part.
    fn place_of(&self, placed: &InText<LivePart>, word: &str) -> std::ops::Range<usize> {
        let text = self.file.text.get(placed.bytes.clone()).unwrap_or_default();
        let mut at = 0;
        for part in text.split(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '=')) {
            if part == word {
                let start = placed.bytes.start + at;
                return start..start + word.len();
            }
            at += part.len() + 1;
        }
        placed.bytes.clone()
    }

    fn number(&mut self, placed: &InText<LivePart>, number: &NumberOf) {
        let (families, id) = number.owner();
        if !families.iter().any(|family| self.merged.ids.has(family.key(), id)) {
            return self.exists(placed, families, id);
        }
        let found: Vec<Value> = families.iter().filter_map(|family| entity(self.merged, *family, id)).collect();
        if found.is_empty() || found.iter().any(|json| number.find(json).is_some()) {
            return;
        }
        let name = number.name();
        let names: Vec<&str> = found.iter().flat_map(|json| number.names(json)).collect();
        let near = suggestion(name, names.iter().copied());
        let finding = self
            .finding(Code::DeadLivePart, &self.place_of(placed, name), format!("`{id}` has no number `{name}`"))
            .help("name a number that the packs declare, or remove the live part");
        self.findings.push(with_suggestion(finding, near));
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
        self.findings.push(with_suggestion(finding.help("name a scenario of the pack"), near));
    }

    /// Reports a table that can have no row.
    fn filters(&mut self, placed: &InText<LivePart>, family: Family, filters: &[(String, String)]) {
        if !self.merged.broken.spares(&[family]) {
            return;
        }
        let all = self.merged.ids.of(family.key()).filter_map(|id| entity(self.merged, family, id));
        if !all.into_iter().any(|json| filters.iter().all(|(field, value)| selects(&json, field, value))) {
            let message = format!("no {} has these values", singular(family.key()));
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
                self.findings.push(with_suggestion(finding, near));
            }
        }
    }
}

/// The finding with the name that was probably meant, if there is one.
fn with_suggestion(finding: Finding, near: Option<Suggestion>) -> Finding {
    match near {
        Some(near) => finding.suggest(Some(near)),
        None => finding,
    }
}

/// Whether drawing or playing it costs something.
fn is_exhibit(live: &LivePart) -> bool {
    matches!(
        live,
        LivePart::Faces(_) | LivePart::Board(_) | LivePart::Tracks | LivePart::Example(_) | LivePart::Entities(..)
    )
}

/// An entity as JSON, with the patches of all packs. A card of a series has its own params and props.
fn entity(merged: &Merged, family: Family, id: &str) -> Option<Value> {
    if family == Family::Cards {
        let card = merged.cards.iter().find(|card| card.value.id.as_str() == id)?;
        let mut json = serde_json::json!({
            "type": card.value.card_type.as_str(), "zone": card.value.zone.as_str(),
            "params": {}, "props": {},
        });
        for (name, number) in card.value.params.iter() {
            json["params"][name] = Value::from(*number);
        }
        for (name, value) in card.value.props.iter() {
            json["props"][name] = match value {
                PropValue::Bool(yes) => Value::from(*yes),
                PropValue::Int(number) => Value::from(*number),
                PropValue::Text(text) => Value::from(text.as_str()),
            };
        }
        return Some(json);
    }
    let documents = merged.documents.0.iter().filter(|document| document.family == Some(family));
    documents.flat_map(|document| document.named().iter().map(move |(pointer, id)| (document, pointer, id))).find_map(
        |(document, pointer, named)| (named == id).then(|| document.value.pointer(pointer).cloned()).flatten(),
    )
}

/// Whether an entity has a value in a field, a prop or a stat.
pub fn selects(json: &Value, field: &str, value: &str) -> bool {
    let found = json.get(field).or_else(|| json.get("props")?.get(field)).or_else(|| json.get("stats")?.get(field));
    match found {
        Some(Value::String(text)) => text == value,
        Some(Value::Number(number)) => number.as_i64().is_some_and(|number| value.parse() == Ok(number)),
        Some(Value::Bool(yes)) => value.parse() == Ok(*yes),
        _ => false,
    }
}

/// The decisions and phases that a rulebook explains.
fn explained(book: &ParsedRules) -> BTreeSet<&str> {
    let mut ids: BTreeSet<&str> = book.anchors().map(|anchor| anchor.part.as_str()).collect();
    book.each_live(&mut |placed| {
        if let LivePart::Explains(more) = &placed.part {
            ids.extend(more.iter().map(String::as_str));
        }
    });
    ids
}

/// Decisions of packs that no section of their rulebooks explains.
fn unexplained(merged: &Merged, books: &[(&RulesFile, ParsedRules)], findings: &mut Vec<Finding>) {
    if !merged.broken.spares(&[Family::Decisions]) {
        return;
    }
    for (file, book) in books {
        let known = explained(book);
        let own = |pack: usize| merged.packs.get(pack).is_some_and(|pack| pack.id() == file.pack);
        let decisions = merged.decisions.iter().filter(|decision| own(merged.pack_of(&decision.place)));
        let open: Vec<&str> =
            decisions.map(|decision| decision.value.id.as_str()).filter(|id| !known.contains(id)).collect();
        if let Some(first) = open.first() {
            let (names, verb) = (listed(&open), if open.len() == 1 { "this decision" } else { "these decisions" });
            let message = format!("no section explains {verb}: {names}");
            let help = format!("write `{{#{first}}}` after a heading, or `{{{{explains {first}}}}}` below one");
            let finding = Finding::new(Code::UnexplainedDecision, &file.file, message);
            findings.push(finding.at(&file.text, Span::default()).help(help));
        }
    }
}

fn listed(ids: &[&str]) -> String {
    let shown = ids.iter().take(MOST_NAMED).map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    let more = ids.len().saturating_sub(MOST_NAMED);
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// Packs whose rulebook is missing in a language that they promise, or has other sections there.
fn untranslated(merged: &Merged, books: &[(&RulesFile, ParsedRules)], findings: &mut Vec<Finding>) {
    let mut packs: BTreeMap<&str, Vec<&(&RulesFile, ParsedRules)>> = BTreeMap::new();
    for book in books {
        packs.entry(&book.0.pack).or_default().push(book);
    }
    for (pack, own) in packs {
        let Some(entry) = merged.packs.iter().find(|entry| entry.id() == pack) else { continue };
        let first = own.iter().find(|(file, _)| file.language == FALLBACK).unwrap_or(&own[0]);
        for language in
            entry.manifest.languages.iter().filter(|language| own.iter().all(|(file, _)| file.language != **language))
        {
            let message = format!("the pack has a rulebook, but none in `{language}`");
            let finding = Finding::new(Code::UntranslatedRules, &first.0.file, message);
            findings.push(finding.help(format!("write `rules.{language}.md`")));
        }
        let ids = explained(&first.1);
        for (file, book) in own.iter().filter(|(file, _)| file.file != first.0.file) {
            let here = explained(book);
            let differ: Vec<&str> = ids.symmetric_difference(&here).copied().collect();
            if !differ.is_empty() {
                let other = first.0.language.as_str();
                let message = format!("the rulebook in `{other}` does not have the same sections: {}", listed(&differ));
                let finding = Finding::new(Code::UntranslatedRules, &file.file, message);
                findings.push(finding.help("give the headings the same ids in all languages"));
            }
        }
    }
}
