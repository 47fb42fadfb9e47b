//! The facts of the content that the analysis of scripts needs.

use std::fmt::Write as _;

use principes_analysis::{Constants, Facts, PointFacts, Reference, Role, Type, constant_name, this};
use principes_core::catalog::{HookPointKind, KernelPoints, Keywords, Names};
use principes_json::escape;
use principes_model::{EntityPlace, Merged};
use principes_schemas::{self as schemas, Family};
use serde_json::Value;

use crate::script_vocabulary::vocabulary;

/// Gathers the facts of the content for scripts.
pub fn facts(merged: &Merged) -> Facts {
    let mut facts = Facts {
        decisions: merged.ids.of("decisions").map(str::to_owned).collect(),
        unsure: merged.ids.unsure.clone(),
        modules: merged.ids.of("scripts").map(str::to_owned).collect(),
        called: merged.broken.called.clone(),
        partial: !merged.broken.spares_the_game(),
        has_flow: !merged.phases.is_empty(),
        ..Facts::default()
    };
    for entry in &merged.counters {
        facts.counters.insert(entry.value.id.to_string(), (entry.value.scope, entry.value.holds));
    }
    for entry in &merged.zones {
        facts.zones.insert(entry.value.id.to_string(), entry.value.scope);
    }
    for constants in Constants::all() {
        let names = facts.constants.entry(constants.table()).or_default();
        for id in merged.ids.of(constants.family.key()) {
            names.insert(id.to_owned(), id.to_owned());
            names.insert(constant_name(id), id.to_owned());
        }
    }
    gather_points(&mut facts, merged);
    gather_names(&mut facts, merged);
    gather_messages(&mut facts, merged);
    gather_words(&mut facts, merged);
    gather_references(&mut facts, merged);
    facts
}

fn gather_points(facts: &mut Facts, merged: &Merged) {
    for point in KernelPoints::declare().1 {
        facts.points.insert(point.id, PointFacts { kind: point.kind, args: point.args, kernel: true });
    }
    for entry in &merged.points {
        let kind = match entry.value.kind {
            schemas::PointKind::Query => HookPointKind::Query,
            schemas::PointKind::Effect => HookPointKind::Effect,
        };
        let point = PointFacts { kind, args: entry.value.args.clone(), kernel: false };
        facts.points.insert(entry.value.id.to_string(), point);
    }
}

fn gather_names(facts: &mut Facts, merged: &Merged) {
    let mut names = Names::default();
    Keywords::intern(&mut names);
    facts.words.extend(names.iter().map(str::to_owned));
    facts.vocabulary = vocabulary(merged);
    facts.props.extend(facts.vocabulary.all_keys().cloned());
    facts.stats.extend(facts.vocabulary.stats().cloned());
    facts.unled.extend(merged.factions.iter().filter(|f| !f.value.playable).map(|f| f.value.id.to_string()));
    facts.params.extend(merged.cards.iter().flat_map(|entry| entry.value.params.keys().cloned()));
    for entry in &merged.procedures {
        if let schemas::Procedure::Battle { faces, strength, fortify, .. } = &*entry.value {
            facts.faces.extend(faces.iter().map(|face| face.id.to_string()));
            facts.face_values.extend(faces.iter().flat_map(|face| face.values.keys().cloned()));
            facts.face_values.extend([strength.to_string(), fortify.to_string()]);
        }
    }
}

fn gather_messages(facts: &mut Facts, merged: &Merged) {
    for entry in &merged.messages {
        let most = entry.holes.iter().filter_map(|hole| hole.parse().ok()).max();
        let shown = facts.holes.entry(entry.key.clone()).or_default();
        *shown = (*shown).max(most.unwrap_or_default());
        if let Some((_, word)) = entry.key.split_once('.') {
            facts.words.insert(word.to_owned());
        }
    }
}

/// All texts of the content, each of which may be a keyword.
fn gather_words(facts: &mut Facts, merged: &Merged) {
    let families = [Family::Messages, Family::Scenarios].map(Some);
    for document in merged.documents.0.iter().filter(|document| !families.contains(&document.family)) {
        facts.content.push(document.words());
    }
}

fn gather_references(facts: &mut Facts, merged: &Merged) {
    for entry in &merged.cards {
        let card = &entry.value;
        let name = format!("card `{}`", card.id);
        let this = this(&name, card.params.keys().map(String::as_str), true);
        hook_references(facts, &card.hooks, &entry.place, &name, &this);
    }
    for entry in &merged.rules {
        let rule = &entry.value;
        let name = format!("rule `{}`", rule.id);
        let this = this(&name, rule.params.keys().map(String::as_str), false);
        hook_references(facts, &rule.hooks, &entry.place, &name, &this);
    }
    for entry in &merged.phases {
        phase_references(facts, &entry.value, &entry.place, String::new());
    }
    for entry in &merged.procedures {
        match &*entry.value {
            schemas::Procedure::Battle { steps, .. } => {
                for (at, step) in steps.iter().enumerate() {
                    if let Some(run) = &step.run {
                        refer(facts, run, Role::Plain, &entry.place, &format!("/steps/{at}/run"), "the battle");
                    }
                }
            }
            schemas::Procedure::Asides { options, play, .. } => {
                refer(facts, options, Role::Options, &entry.place, "/options", "the asides");
                refer(facts, play, Role::Open, &entry.place, "/play", "the asides");
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
                push(facts, function, Role::Open, at, pointer.clone(), "a scenario");
            }
        }
    }
}

fn hook_references(facts: &mut Facts, hooks: &schemas::Hooks, place: &EntityPlace, entity: &str, this: &Type) {
    for (id, hook) in hooks.iter() {
        let Some(point) = facts.points.get(id) else { continue };
        let role = if point.kind == HookPointKind::Query { Role::Query } else { Role::Effect };
        let (function, field) = match hook {
            schemas::Hook::Function(function) => (function, format!("/hooks/{}", escape(id))),
            schemas::Hook::Ranked(ranked) => (&ranked.run, format!("/hooks/{}/run", escape(id))),
            schemas::Hook::Change(_) => continue,
        };
        refer(facts, function, role, place, &field, entity);
        if let Some(reference) = facts.references.last_mut() {
            reference.point = Some(id.clone());
            reference.this = Some(this.clone());
        }
    }
}

fn phase_references(facts: &mut Facts, phase: &schemas::Phase, place: &EntityPlace, field: String) {
    let entity = format!("phase `{}`", phase.id);
    let choose = phase.choose.as_ref();
    if let Some(options) = choose.and_then(|choose| choose.options.as_ref()) {
        refer(facts, options, Role::Options, place, &format!("{field}/choose/options"), &entity);
    }
    let seat = match choose {
        None => Role::Seat,
        Some(choose) if choose.spaces.is_some() => Role::SeatAndSpace,
        Some(_) => Role::SeatAndOption,
    };
    let functions =
        [(&phase.run, Role::Plain, "run"), (&phase.each, seat, "each"), (&phase.simultaneous, seat, "simultaneous")];
    for (function, role, key) in functions {
        if let Some(function) = function {
            refer(facts, function, role, place, &format!("{field}/{key}"), &entity);
        }
    }
    for (at, inner) in phase.phases.iter().enumerate() {
        phase_references(facts, inner, place, format!("{field}/phases/{at}"));
    }
}

fn refer(facts: &mut Facts, function: &schemas::Function, role: Role, place: &EntityPlace, field: &str, entity: &str) {
    push(facts, function.as_str(), role, place.document, format!("{}{field}", place.pointer), entity);
}

fn push(facts: &mut Facts, function: &str, role: Role, document: usize, pointer: String, entity: &str) {
    let Some((module, function)) = function.rsplit_once('.') else { return };
    facts.references.push(Reference {
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

/// The functions that scenarios call, with their places.
fn calls(value: &Value, pointer: &mut String, found: &mut Vec<(String, String)>) {
    let length = pointer.len();
    match value {
        Value::Array(list) => {
            for (at, item) in list.iter().enumerate().filter(|(_, item)| item.is_array() || item.is_object()) {
                // Writing to a string cannot fail.
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
