//! What the packs say that scripts must fit: ids, scopes, points, messages, and which functions are whose hooks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use principes_core::catalog::{KernelPoints, Keywords, Names, PointKind};
use principes_schemas::{self as schemas, CounterScope, Family, Holds, ZoneScope};
use serde_json::Value;

use super::props::Vocabulary;
use super::types::{self as t, Bits, Shape, Type};
use crate::document::{Part, Words, escape};
use crate::merge::Merged;

/// Tables of constants and the families behind them.
pub const CONSTANTS: [(&str, &str, Bits); 6] = [
    ("faction", "factions", t::FACTION),
    ("space", "spaces", t::SPACE),
    ("kind", "kinds", t::KIND),
    ("zone", "zones", t::ZONE),
    ("counter", "counters", t::COUNTER),
    ("design", "cards", t::DESIGN),
];

/// What a function is called with, and what may be expected of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// `(self, value, owner, …)`, returns a number, only looks.
    Query,
    /// `(self, owner, …)`.
    Effect,
    /// Called by the flow with a seat.
    Seat,
    /// Called by the flow with a seat and the space that it has chosen.
    SeatAndSpace,
    /// Called by the flow with a seat and the option that it has chosen.
    SeatAndOption,
    /// Called by the flow without arguments.
    Plain,
    /// Lists options for a seat, only looks.
    Options,
    /// Called with what content alone cannot say.
    Open,
}

/// A place of the content that names a script function.
pub struct Reference {
    pub module: String,
    pub function: String,
    pub role: Role,
    /// The hook point, for hooks.
    pub point: Option<String>,
    /// `self` of hooks.
    pub this: Option<Type>,
    /// The entity, in words.
    pub entity: String,
    document: usize,
    pointer: String,
}

impl Reference {
    /// A finding at this place.
    pub fn finding(&self, merged: &Merged, code: &'static str, message: String) -> crate::Diagnostic {
        merged.documents.finding(self.document, &self.pointer, Part::Value, code, message)
    }
}

impl Hash for Reference {
    /// Without the place: what is found there is not kept, and what is found in scripts does not hang on it.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Reference { module, function, role, point, this, entity, document: _, pointer: _ } = self;
        (module, function, role, point, this, entity).hash(state);
    }
}

/// A hook point.
#[derive(Hash)]
pub struct Point {
    pub kind: PointKind,
    pub args: Vec<String>,
    /// Whether the kernel calls it.
    pub kernel: bool,
}

#[derive(Default, Hash)]
pub struct Facts {
    pub counters: BTreeMap<String, (CounterScope, Option<Holds>)>,
    pub zones: BTreeMap<String, ZoneScope>,
    /// Factions that no player may lead.
    pub unled: BTreeSet<String>,
    pub points: BTreeMap<String, Point>,
    pub references: Vec<Reference>,
    /// The declared properties.
    pub vocabulary: Vocabulary,
    /// Their names.
    pub props: BTreeSet<String>,
    pub stats: BTreeSet<String>,
    pub params: BTreeSet<String>,
    pub face_values: BTreeSet<String>,
    pub faces: BTreeSet<String>,
    /// How many values the text of a message shows, by key.
    pub holes: BTreeMap<String, usize>,
    /// What could be a keyword beside what stands in the content.
    words: BTreeSet<String>,
    /// Those that stand in the content.
    content: Vec<Arc<Words>>,
    /// By table, the names of constants with their ids.
    constants: BTreeMap<&'static str, BTreeMap<String, String>>,
}

impl Facts {
    pub fn new(merged: &Merged) -> Facts {
        let mut facts = Facts::default();
        for entry in &merged.counters {
            facts.counters.insert(entry.value.id.to_string(), (entry.value.scope, entry.value.holds));
        }
        for entry in &merged.zones {
            facts.zones.insert(entry.value.id.to_string(), entry.value.scope);
        }
        for (table, family, _) in CONSTANTS {
            let names = facts.constants.entry(table).or_default();
            for id in merged.ids.of(family) {
                names.insert(id.to_owned(), id.to_owned());
                names.insert(spelt(id), id.to_owned());
            }
        }
        facts.gather_points(merged);
        facts.gather_names(merged);
        facts.gather_messages(merged);
        facts.gather_words(merged);
        facts.gather_references(merged);
        facts
    }

    /// Whether something could be a keyword.
    pub fn is_word(&self, word: &str) -> bool {
        self.words.contains(word) || self.content.iter().any(|words| words.contains(word))
    }

    /// Everything that could be a keyword.
    pub fn all_words(&self) -> BTreeSet<&str> {
        self.words.iter().map(String::as_str).chain(self.content.iter().flat_map(|words| words.iter())).collect()
    }

    /// The id behind a constant.
    pub fn constant(&self, table: &str, name: &str) -> Option<&str> {
        self.constants.get(table)?.get(name).map(String::as_str)
    }

    /// The names of a table of constants, as scripts write them.
    pub fn constants_of(&self, table: &str) -> impl Iterator<Item = &str> {
        let names = self.constants.get(table).into_iter().flat_map(BTreeMap::keys);
        names.filter(|name| !name.contains(['-', '.'])).map(String::as_str)
    }

    fn gather_points(&mut self, merged: &Merged) {
        for point in KernelPoints::declare().1 {
            self.points.insert(point.id, Point { kind: point.kind, args: point.args, kernel: true });
        }
        for entry in &merged.points {
            let kind = match entry.value.kind {
                schemas::PointKind::Query => PointKind::Query,
                schemas::PointKind::Effect => PointKind::Effect,
            };
            let point = Point { kind, args: entry.value.args.clone(), kernel: false };
            self.points.insert(entry.value.id.to_string(), point);
        }
    }

    fn gather_names(&mut self, merged: &Merged) {
        let mut names = Names::default();
        Keywords::intern(&mut names);
        self.words.extend(names.iter().map(str::to_owned));
        self.vocabulary = Vocabulary::new(merged);
        self.props.extend(self.vocabulary.keys(t::HANDLES).cloned());
        self.stats.extend(self.vocabulary.stats().cloned());
        self.unled.extend(merged.factions.iter().filter(|f| !f.value.playable).map(|f| f.value.id.to_string()));
        self.params.extend(merged.cards.iter().flat_map(|entry| entry.value.params.keys().cloned()));
        for entry in &merged.procedures {
            if let schemas::Procedure::Battle { faces, strength, fortify, .. } = &*entry.value {
                self.faces.extend(faces.iter().map(|face| face.id.to_string()));
                self.face_values.extend(faces.iter().flat_map(|face| face.values.keys().cloned()));
                self.face_values.extend([strength.to_string(), fortify.to_string()]);
            }
        }
    }

    fn gather_messages(&mut self, merged: &Merged) {
        for entry in &merged.messages {
            let most = entry.holes.iter().filter_map(|hole| hole.parse().ok()).max();
            let shown = self.holes.entry(entry.key.clone()).or_default();
            *shown = (*shown).max(most.unwrap_or_default());
            if let Some((_, word)) = entry.key.split_once('.') {
                self.words.insert(word.to_owned());
            }
        }
    }

    /// Every text of the content may be a keyword.
    fn gather_words(&mut self, merged: &Merged) {
        let families = [Family::Messages, Family::Scenarios].map(Some);
        for document in merged.documents.0.iter().filter(|document| !families.contains(&document.family)) {
            self.content.push(document.words());
        }
    }

    fn gather_references(&mut self, merged: &Merged) {
        for entry in &merged.cards {
            let card = &entry.value;
            let this = this(&format!("card `{}`", card.id), &card.params, Some(t::CARD));
            self.hooks(&card.hooks, &entry.place, &format!("card `{}`", card.id), &this);
        }
        for entry in &merged.rules {
            let rule = &entry.value;
            let this = this(&format!("rule `{}`", rule.id), &rule.params, None);
            self.hooks(&rule.hooks, &entry.place, &format!("rule `{}`", rule.id), &this);
        }
        for entry in &merged.phases {
            self.phase(&entry.value, &entry.place, String::new());
        }
        for entry in &merged.procedures {
            match &*entry.value {
                schemas::Procedure::Battle { steps, .. } => {
                    for (at, step) in steps.iter().enumerate() {
                        if let Some(run) = &step.run {
                            self.refer(run, Role::Plain, &entry.place, &format!("/steps/{at}/run"), "the battle");
                        }
                    }
                }
                schemas::Procedure::Asides { options, play, .. } => {
                    self.refer(options, Role::Options, &entry.place, "/options", "the asides");
                    self.refer(play, Role::Open, &entry.place, "/play", "the asides");
                }
                _ => {}
            }
        }
        for (at, document) in merged.documents.0.iter().enumerate() {
            if document.family == Some(Family::Scenarios) {
                let find = || {
                    let mut found = Vec::new();
                    calls(&document.value, &mut String::new(), &mut found);
                    found
                };
                for (pointer, function) in document.functions(find) {
                    self.push(function, Role::Open, at, pointer.clone(), "a scenario");
                }
            }
        }
    }

    fn hooks(&mut self, hooks: &schemas::Hooks, place: &crate::merge::Place, entity: &str, this: &Type) {
        for (id, hook) in hooks.iter() {
            let Some(point) = self.points.get(id) else { continue };
            let role = if point.kind == PointKind::Query { Role::Query } else { Role::Effect };
            let field = match hook {
                schemas::Hook::Function(_) => format!("/hooks/{}", escape(id)),
                schemas::Hook::Ranked(_) => format!("/hooks/{}/run", escape(id)),
            };
            self.refer(hook.function(), role, place, &field, entity);
            if let Some(reference) = self.references.last_mut() {
                reference.point = Some(id.clone());
                reference.this = Some(this.clone());
            }
        }
    }

    fn phase(&mut self, phase: &schemas::Phase, place: &crate::merge::Place, field: String) {
        let entity = format!("phase `{}`", phase.id);
        let choose = phase.choose.as_ref();
        if let Some(options) = choose.and_then(|question| question.options.as_ref()) {
            self.refer(options, Role::Options, place, &format!("{field}/choose/options"), &entity);
        }
        let seat = match choose {
            None => Role::Seat,
            Some(question) if question.spaces.is_some() => Role::SeatAndSpace,
            Some(_) => Role::SeatAndOption,
        };
        let functions = [
            (&phase.run, Role::Plain, "run"),
            (&phase.each, seat, "each"),
            (&phase.simultaneous, seat, "simultaneous"),
        ];
        for (function, role, key) in functions {
            if let Some(function) = function {
                self.refer(function, role, place, &format!("{field}/{key}"), &entity);
            }
        }
        for (at, inner) in phase.phases.iter().enumerate() {
            self.phase(inner, place, format!("{field}/phases/{at}"));
        }
    }

    fn refer(
        &mut self,
        function: &schemas::Function,
        role: Role,
        place: &crate::merge::Place,
        field: &str,
        entity: &str,
    ) {
        self.push(function.as_str(), role, place.document, format!("{}{field}", place.pointer), entity);
    }

    fn push(&mut self, function: &str, role: Role, document: usize, pointer: String, entity: &str) {
        let Some((module, function)) = function.rsplit_once('.') else { return };
        self.references.push(Reference {
            module: module.to_owned(),
            function: function.to_owned(),
            role,
            point: None,
            this: None,
            entity: entity.to_owned(),
            document,
            pointer,
        });
    }
}

/// Functions that scenarios call, with their places.
fn calls(value: &Value, pointer: &mut String, found: &mut Vec<(String, String)>) {
    let length = pointer.len();
    match value {
        Value::Array(list) => {
            for (at, item) in list.iter().enumerate().filter(|(_, item)| item.is_array() || item.is_object()) {
                // Writing into a text cannot fail.
                let _ = write!(pointer, "/{at}");
                calls(item, pointer, found);
                pointer.truncate(length);
            }
        }
        Value::Object(object) => {
            for (key, item) in object {
                let function = item.as_str().filter(|_| key == "call" || key == "hook");
                if function.is_none() && !item.is_array() && !item.is_object() {
                    continue;
                }
                pointer.push('/');
                pointer.push_str(&escape(key));
                match function {
                    Some(function) => found.push((pointer.clone(), function.to_owned())),
                    None => calls(item, pointer, found),
                }
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}

/// A name as constants spell it.
pub fn spelt(id: &str) -> String {
    id.replace(['-', '.'], "_")
}

/// `self` of an entity's hooks.
fn this(of: &str, params: &schemas::Params, card: Option<Bits>) -> Type {
    let mut fields: BTreeMap<Rc<str>, Type> =
        params.keys().map(|name| (Rc::from(name.as_str()), Type::of(t::NUMBER))).collect();
    fields.insert("id".into(), Type::of(t::TEXT));
    fields.insert("owner".into(), Type::of(t::FACTION | t::NIL));
    fields.insert("card".into(), Type::of(card.unwrap_or(t::NIL)));
    Type::table(Shape { fields, open: false, keys: Type::NEVER, items: Type::NEVER, of: Some(of.into()) })
}
