//! From merged packs to a game.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use principes_analysis::ScriptFile;
use principes_core::catalog::{CatalogParts, Hook, HookSource, MOST_ENTITIES};
use principes_findings::{Code, Finding};
use principes_json::{Digest, MemberPart, escape};
use principes_model::{
    Counts, EntityInfo, EntityPlace, Loaded, LoadedScenario, Merged, Messages, Origins, PackEntry, PackInfo, Sourced,
};
use principes_schemas::{self as schemas, Family};
use principes_scripting::ScriptSource;

use crate::compile::compile;

pub fn loaded(merged: &Merged, entities: Vec<EntityInfo>, findings: &mut Vec<Finding>) -> Option<Loaded> {
    let game = merged.game()?;
    let manifest = game.manifest.clone();
    let seats = manifest.seats.map_or((1, 1), |seats| (seats.min, seats.max));
    let fingerprint = fingerprint(merged);
    // This cannot happen as long as every reference is checked. If it does, it is reported.
    let unfit = |why: &str| {
        let message = format!("the packs passed all checks but could not be combined{why}");
        game.document.finding(Code::UnfitValue, "", MemberPart::Value, message)
    };
    let Some(parts) = compile(merged, manifest.id.as_str(), seats, fingerprint.clone()) else {
        findings.push(unfit(""));
        return None;
    };
    if let Some((what, count)) = too_many(&parts) {
        let message = format!("there are {count} {what}, but at most {MOST_ENTITIES} are allowed");
        let finding = game.document.finding(Code::TooManyEntities, "", MemberPart::Value, message);
        findings.push(finding.help("remove some"));
        return None;
    }
    let catalog = match parts.build() {
        Ok(catalog) => catalog,
        Err(errors) => {
            findings.extend(errors.list().iter().take(1).map(|error| unfit(&format!(": {error}"))));
            return None;
        }
    };
    let mut messages = Messages::default();
    for entry in &merged.messages {
        messages.insert(&entry.language, &entry.key, entry.text.clone());
    }
    let script = |script: &ScriptFile| ScriptSource {
        module: script.module.clone(),
        path: script.file.clone(),
        text: Arc::clone(&script.text),
        compiled: script.known.compiled.clone(),
    };
    let mut scripts: Vec<ScriptSource> = merged.scripts.iter().map(script).collect();
    scripts.sort_by(|a, b| a.module.cmp(&b.module));
    let file = |script: &ScriptFile| (script.file.clone(), Arc::clone(&script.text));
    let mentions = |script: &ScriptFile| (script.file.clone(), Arc::clone(script.known.mentions()));
    let functions = function_places(merged);
    let hook_place = |hook: &Hook| {
        let (document, pointer) = match (hook.source, hook.point) {
            (HookSource::Design(design), Some(point)) if hook.change.is_none() => {
                let place = &merged.cards.get(design.index())?.place;
                (place.document, format!("{}/hooks/{}", place.pointer, escape(&catalog.points[point.index()].id)))
            }
            _ => {
                let (document, pointer) = functions.get(&*format!("{}.{}", hook.module, hook.function))?;
                (*document, (*pointer).to_owned())
            }
        };
        Some(merged.documents.finding(document, &pointer, MemberPart::Value, Code::UnknownFunction, ""))
    };
    Some(Loaded {
        origins: Origins {
            texts: merged.scripts.iter().map(file).collect(),
            mentions: merged.scripts.iter().map(mentions).collect(),
            hooks: catalog.hooks.iter().map(hook_place).collect(),
            documents: Arc::default(),
        },
        catalog: Arc::new(catalog),
        scripts,
        messages: Arc::new(messages),
        look: Arc::new(crate::look::read(merged, None, &mut Vec::new())),
        scenarios: merged.scenarios.iter().map(|scenario| loaded_scenario(merged, scenario)).collect(),
        rulebooks: merged.rules_files.clone(),
        promises: merged.promises.iter().map(|promises| Arc::clone(&promises.value)).collect(),
        props: merged.props.iter().map(|prop| Arc::clone(&prop.value)).collect(),
        manifest,
        packs: infos(&merged.packs),
        entities,
        removed: Vec::new(),
        fingerprint,
        known_meaning: OnceLock::new(),
        warnings: Vec::new(),
    })
}

/// What has more ids than there are numbers for them, among the parts of entities.
fn too_many(catalog: &CatalogParts) -> Option<(&'static str, usize)> {
    let counts = [
        ("keywords", catalog.symbols.iter().count()),
        ("hooks", catalog.hooks.len()),
        ("phases", catalog.phases.len()),
        ("decisions", catalog.decisions.len()),
    ];
    counts.into_iter().find(|(_, count)| *count > MOST_ENTITIES)
}

/// The packs, for displays.
pub fn infos(packs: &[PackEntry]) -> Vec<PackInfo> {
    let info = |entry: &PackEntry| PackInfo {
        manifest: entry.manifest.clone(),
        file: entry.document.file.clone(),
        folder: entry.source.folder(),
        source: Arc::clone(&entry.source),
        reason: entry.reason.clone(),
    };
    packs.iter().map(info).collect()
}

/// Fields that name a script function, besides those of `hooks`.
pub const FUNCTION_FIELDS: [&str; 5] = ["run", "each", "simultaneous", "options", "play"];

/// For every script function in the content, the first place that names it.
fn function_places(merged: &Merged) -> BTreeMap<&str, (usize, &str)> {
    fn visit(value: &serde_json::Value, pointer: &mut String, names: bool, found: &mut Vec<(String, String)>) {
        let length = pointer.len();
        match value {
            serde_json::Value::String(text) if names && text.contains('.') => {
                found.push((pointer.clone(), text.clone()));
            }
            serde_json::Value::Array(list) => {
                for (at, item) in list.iter().enumerate() {
                    let _ = write!(pointer, "/{at}");
                    visit(item, pointer, false, found);
                    pointer.truncate(length);
                }
            }
            serde_json::Value::Object(object) => {
                let hooks = pointer.ends_with("/hooks");
                for (key, item) in object {
                    let names = hooks || FUNCTION_FIELDS.contains(&key.as_str());
                    pointer.push('/');
                    pointer.push_str(&escape(key));
                    visit(item, pointer, names, found);
                    pointer.truncate(length);
                }
            }
            _ => {}
        }
    }
    let mut places = BTreeMap::new();
    for (at, document) in merged.documents.0.iter().enumerate() {
        let speaks = !matches!(document.family, None | Some(Family::Messages | Family::Scenarios | Family::Patches));
        if speaks {
            let find = || {
                let mut found = Vec::new();
                visit(&document.value, &mut String::new(), false, &mut found);
                found
            };
            for (pointer, function) in document.functions(find) {
                places.entry(function.as_str()).or_insert((at, pointer.as_str()));
            }
        }
    }
    places
}

fn loaded_scenario(merged: &Merged, scenario: &Sourced<schemas::Scenario>) -> LoadedScenario {
    let document = &merged.documents.0[scenario.place.document];
    LoadedScenario {
        scenario: scenario.value.clone(),
        pack: merged.packs[document.pack].manifest.id.to_string(),
        path: document.path.clone(),
        file: document.file.clone(),
        line: document.line(&scenario.place.pointer),
        text: Arc::clone(&document.text),
        pointer: scenario.place.pointer.clone(),
    }
}

/// All entities, and those that patches removed.
pub fn entities(merged: &Merged) -> (Vec<EntityInfo>, Vec<EntityInfo>) {
    let removed =
        merged.histories.iter().map(|((_, id), history)| ((history.place.document, &history.place.pointer), id));
    let removed: BTreeMap<(usize, &String), &String> = removed.collect();
    let mut list = Vec::new();
    for (nth, document) in merged.documents.0.iter().enumerate() {
        let Some(family) = document.family.filter(|family| !matches!(family, Family::Patches | Family::Scenarios))
        else {
            continue;
        };
        for (at, item) in document.items().iter().enumerate() {
            let pointer = format!("/{}/{at}", family.key());
            let id = item.get("id").and_then(serde_json::Value::as_str);
            let Some(id) = id.or_else(|| removed.get(&(nth, &pointer)).map(|id| id.as_str())) else { continue };
            let history = merged.history(family, id);
            let mut packs = vec![merged.packs[document.pack].manifest.id.to_string()];
            for write in history.into_iter().flat_map(|history| &history.writes) {
                let id = merged.packs[write.pack].manifest.id.as_str();
                if !packs.iter().any(|known| known == id) {
                    packs.push(id.to_owned());
                }
            }
            list.push(EntityInfo {
                family,
                id: id.to_owned(),
                file: document.file.clone(),
                line: document.line(&pointer),
                packs,
                json: Arc::clone(item),
                place: EntityPlace { document: nth, pointer },
                history: history.cloned(),
            });
        }
    }
    list.into_iter().partition(|entity| !entity.json.is_null())
}

/// The contents of the last pack. The packs that it requires are counted when they are checked themselves.
pub fn counts(merged: &Merged, entities: &[EntityInfo]) -> Counts {
    let last = merged.packs.len().saturating_sub(1);
    let id = merged.packs.last().map(|pack| pack.manifest.id.to_string());
    let own = |document: usize| merged.documents.0.get(document).is_some_and(|document| document.pack == last);
    Counts {
        packs: merged.packs.len(),
        entities: entities.iter().filter(|entity| entity.packs.first() == id.as_ref()).count(),
        hooks: 0,
        scenarios: merged.scenarios.iter().filter(|scenario| own(scenario.place.document)).count(),
    }
}

/// SHA-256 over the names, lengths and contents of the files that affect games, by name.
fn fingerprint(merged: &Merged) -> String {
    let mut files: Vec<&(String, Arc<[u8]>)> = merged.digest.iter().collect();
    files.sort();
    let mut digest = Digest::default();
    for (name, content) in files {
        digest.add(name);
        digest.add(content);
    }
    digest.finish().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Everything that decides whether a script host can be created: the scripts, the names that they can see while they
/// are loaded, the hooks that they must define, and the memory that the facts of the content take.
pub struct HostInput<'l>(pub &'l Loaded);

impl Hash for HostInput<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let HostInput(Loaded { catalog, scripts, .. }) = self;
        let CatalogParts {
            symbols, factions, spaces, kinds, zones, counters, designs, points, decisions, hooks, ..
        } = &***catalog;
        let scripts: Vec<_> = scripts.iter().map(|script| (&script.module, &script.path, &script.text)).collect();
        scripts.hash(state);
        let named = [
            symbols.iter().collect::<Vec<_>>(),
            factions.iter().map(|entry| entry.id.as_str()).collect(),
            spaces.iter().map(|entry| entry.id.as_str()).collect(),
            kinds.iter().map(|entry| entry.id.as_str()).collect(),
            zones.iter().map(|entry| entry.id.as_str()).collect(),
            counters.iter().map(|entry| entry.id.as_str()).collect(),
            designs.iter().map(|entry| entry.id.as_str()).collect(),
            points.iter().map(|entry| entry.id.as_str()).collect(),
            decisions.iter().map(|entry| entry.id.as_str()).collect(),
        ];
        named.hash(state);
        let hooks: Vec<_> = hooks.iter().map(|hook| (&hook.module, &hook.function)).collect();
        hooks.hash(state);
        let props = factions.iter().map(|entry| &entry.props).chain(spaces.iter().map(|entry| &entry.props));
        let props = props.chain(kinds.iter().map(|entry| &entry.props)).chain(designs.iter().map(|entry| &entry.props));
        (catalog.pieces.len(), catalog.cards.len()).hash(state);
        props.for_each(|props| props.0.len().hash(state));
        kinds.iter().for_each(|kind| kind.stats.0.len().hash(state));
    }
}
