//! A played game as a scenario: its seats, seed and options, every answer with its decision, and what changed.

use std::fmt::Write as _;

use principes_core::catalog::{Catalog, Scope};
use principes_core::scripts::Scripts;
use principes_core::*;
use serde_json::{Map, Value as Json, json};

use crate::transcript;

/// A scenario under construction. Note each answer before you give it.
pub struct Recorder {
    head: Map<String, Json>,
    steps: Vec<Json>,
    before: Table,
}

impl Recorder {
    /// Starts with a game without answers.
    pub fn begin<S: Scripts>(game: &Game<S>) -> Self {
        let (catalog, config) = (game.catalog(), game.config());
        let mut head = Map::new();
        let seats: Vec<String> = config.seats.iter().map(|seat| catalog.id_of(Value::Faction(*seat))).collect();
        head.insert("seats".to_owned(), seats.into());
        head.insert("seed".to_owned(), config.seed.into());
        let option =
            |(counter, value): &(CounterId, i32)| (catalog.id_of(Value::Counter(*counter)), Json::from(*value));
        let options: Map<String, Json> = config.options.iter().map(option).collect();
        if !options.is_empty() {
            head.insert("options".to_owned(), options.into());
        }
        Recorder { head, steps: Vec::new(), before: game.table().clone() }
    }

    /// Notes the answer that a seat is about to give.
    pub fn answer<S: Scripts>(&mut self, game: &Game<S>, seat: SeatId, key: &str, aside: bool) {
        let catalog = game.catalog();
        let seat_id = catalog.id_of(Value::Faction(seat));
        if aside {
            self.steps.push(json!({ "seat": seat_id, "aside": key }));
            return;
        }
        let offers =
            |open: &&&Decision| open.seat == seat && open.options.iter().any(|option| option.key(catalog) == key);
        let pending = game.pending();
        let mut step = json!({ "seat": seat_id, "choose": key });
        if let Some(open) = pending.iter().find(offers) {
            step["decision"] = catalog.decisions[open.kind.index()].id.as_str().into();
        }
        self.steps.push(step);
    }

    /// Marks this moment: `then` will contain what has changed since.
    pub fn mark<S: Scripts>(&mut self, game: &Game<S>) {
        if !self.steps.is_empty() {
            self.steps.extend(expected_question(game).map(|expect| json!({ "expect": expect })));
        }
        self.before = game.table().clone();
    }

    /// The file, with one scenario.
    pub fn finish<S: Scripts>(self, game: &Game<S>, id: &str, title: &str) -> String {
        let mut then = changes(&self.before, game.table());
        then.extend(expected_question(game));
        let mut text = String::from("{\n  \"scenarios\": [\n    {\n");
        // Writing to a text cannot fail.
        let _ = writeln!(text, "      \"id\": {}, \"title\": {},", Json::from(id), Json::from(title));
        for (key, value) in &self.head {
            let _ = writeln!(text, "      \"{key}\": {},", written(value));
        }
        list(&mut text, "when", &self.steps);
        text.push_str(",\n");
        list(&mut text, "then", &then);
        text.push_str("\n    }\n  ]\n}\n");
        text
    }
}

/// The fields of steps and expectations, in their usual order.
const ORDER: [&str; 17] = [
    "seat", "choose", "aside", "decision", "expect", "pending", "outcome", "winner", "counter", "control", "pieces",
    "at", "faction", "kind", "of", "is", "seats",
];

/// A value on one line, in the usual style.
fn written(value: &Json) -> String {
    match value {
        Json::Object(object) => {
            let mut fields: Vec<(&String, &Json)> = object.iter().collect();
            fields.sort_by_key(|(key, _)| ORDER.iter().position(|known| known == key));
            let fields: Vec<String> =
                fields.into_iter().map(|(key, value)| format!("\"{key}\": {}", written(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Json::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn list(text: &mut String, key: &str, items: &[Json]) {
    let lines: Vec<String> = items.iter().map(|item| format!("        {}", written(item))).collect();
    let _ = match lines.is_empty() {
        true => write!(text, "      \"{key}\": []"),
        false => write!(text, "      \"{key}\": [\n{}\n      ]", lines.join(",\n")),
    };
}

/// The outcome of the game, or else the open decision.
fn expected_question<S: Scripts>(game: &Game<S>) -> Option<Json> {
    let catalog = game.catalog();
    if let Some(outcome) = game.outcome() {
        let mut expect = json!({ "outcome": catalog.symbols.name(outcome.cause.index()) });
        if let Some(winner) = outcome.winner {
            expect["winner"] = catalog.id_of(Value::Faction(winner)).into();
        }
        return Some(expect);
    }
    let pending = game.pending();
    let open = pending.first()?;
    let decision = catalog.decisions[open.kind.index()].id.as_str();
    Some(json!({ "pending": { "seat": catalog.id_of(Value::Faction(open.seat)), "decision": decision } }))
}

/// Expectations for all counters, controllers and numbers of pieces that differ.
fn changes(before: &Table, after: &Table) -> Vec<Json> {
    let catalog = &after.catalog;
    let mut then = Vec::new();
    for ((counter, owner, old), (_, _, new)) in
        transcript::counters(before).into_iter().zip(transcript::counters(after))
    {
        let spec = &catalog.counters[counter.index()];
        // Copies of a card share an id, so a scenario could not tell which one is meant.
        let by_copy = spec.scope == Scope::Card || matches!(new, Value::Card(_));
        if old == new || by_copy {
            continue;
        }
        let mut expect = json!({ "counter": spec.id });
        if owner != Value::Nil {
            expect["of"] = catalog.id_of(owner).into();
        }
        expect["is"] = match new {
            Value::Int(number) => number.into(),
            Value::Nil => Json::Null,
            held => catalog.id_of(held).into(),
        };
        then.push(expect);
    }
    for space in (0..catalog.spaces.len()).map(SpaceId::at) {
        let id = catalog.id_of(Value::Space(space));
        let (old, new) = (before.world.controller(space), after.world.controller(space));
        if old != new {
            then.push(json!({ "control": id, "is": new.map(|seat| catalog.id_of(Value::Faction(seat))) }));
        }
        let (old, new) = (pieces(catalog, &before.world, space), pieces(catalog, &after.world, space));
        let mut groups: Vec<&(FactionOrNobody, KindId)> = old.keys().chain(new.keys()).collect();
        groups.sort_unstable();
        groups.dedup();
        for group in groups.into_iter().filter(|group| old.get(group) != new.get(group)) {
            let (owner, kind) = *group;
            let mut filter = json!({ "at": id, "kind": catalog.id_of(Value::Kind(kind)) });
            let mut count = new.get(group).copied().unwrap_or(0);
            match owner {
                Some(owner) => filter["faction"] = catalog.id_of(Value::Faction(owner)).into(),
                // Without a faction, the pieces of all factions are counted.
                None => count = new.iter().filter(|((_, other), _)| *other == kind).map(|(_, count)| count).sum(),
            }
            then.push(json!({ "pieces": filter, "is": count }));
        }
    }
    then
}

type FactionOrNobody = Option<FactionId>;

/// The number of pieces of each owner and kind on a space.
fn pieces(
    catalog: &Catalog,
    world: &World,
    space: SpaceId,
) -> std::collections::BTreeMap<(FactionOrNobody, KindId), i32> {
    let mut found = std::collections::BTreeMap::new();
    for piece in world.on_space(space) {
        let spec = &catalog.pieces[piece.index()];
        *found.entry((world.piece(piece).owner(), spec.kind)).or_default() += 1;
    }
    found
}
