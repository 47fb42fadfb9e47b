//! The data of `show --all`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_analysis::function_text;
use principes_app::entity::face;
use principes_app::packs::{OpenPacks, PackError};
use principes_app::props;
use principes_core::HookId;
use principes_model::{EntityInfo, LoadedScenario};
use principes_scenarios::{ScenarioRunner, pack_under_test, scenario_files};
use principes_scripting::LuaHost;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::{flat, listeners};

/// Everything that packs say about an entity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WholeEntity {
    /// The title and text in each language.
    pub faces: Vec<CardText>,
    /// The params and props.
    pub values: Vec<LabeledValue>,
    /// The JSON as written: the declaration, then every patch, in load order.
    pub json: Vec<Excerpt>,
    /// The functions that its hooks run, each once, with their comments.
    pub scripts: Vec<Excerpt>,
    /// The scenarios that name the entity or one of its functions.
    pub scenarios: Vec<ScenarioResult>,
}

/// A title and a text in one language.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CardText {
    /// The code of the language, such as `en`.
    pub language: String,
    /// As players see it in this language.
    pub title: String,
    /// The text with its numbers, if it has one.
    pub text: Option<String>,
}

/// A param or prop.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LabeledValue {
    /// `params` or `props`.
    pub of: &'static str,
    /// The id of the param or prop as its declaration has it.
    pub id: String,
    /// As text: a number, a keyword or an id.
    pub value: String,
    /// The English name and value, if there are messages for them.
    pub label: Option<String>,
}

/// A part of a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Excerpt {
    /// The pack that wrote it, or the name of the function.
    pub name: String,
    /// The file's display name.
    pub file: String,
    /// The line on which it begins.
    pub line: usize,
    /// The text, without the indentation of its first line.
    pub text: String,
}

/// A scenario and whether it passes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScenarioResult {
    /// Unique among the scenarios of its pack.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The rules that the scenario cites.
    pub rules: Vec<String>,
    /// The file's display name.
    pub file: String,
    /// The line on which it begins.
    pub line: usize,
    /// Whether it passes. `None` if it did not run, because it belongs to a pack before the last one and is valid only
    /// without the later packs.
    pub passed: Option<bool>,
}

impl WholeEntity {
    /// Collects everything about an entity and runs its scenarios. Packs that were opened without scenarios have none.
    ///
    /// # Errors
    /// [`PackError::Broken`]: the scripts cannot be loaded.
    pub fn of(packs: &OpenPacks, entity: &EntityInfo) -> Result<WholeEntity, PackError> {
        let languages: BTreeSet<&str> =
            packs.loaded.packs.iter().flat_map(|pack| pack.manifest.languages.iter().map(String::as_str)).collect();
        let face_in = |language: &&str| {
            let (title, text) = face(packs, &packs.words(language), entity);
            CardText { language: (*language).to_owned(), title, text }
        };
        let hooks: BTreeSet<HookId> = listeners(packs, entity).iter().map(|listener| listener.hook).collect();
        let functions = functions(packs, &hooks);
        Ok(WholeEntity {
            faces: languages.iter().map(face_in).collect(),
            values: values(packs, entity),
            json: written(packs, entity),
            scripts: scripts(packs, &functions),
            scenarios: scenarios(packs, entity, &functions)?,
        })
    }
}

/// The module and function of each hook that runs a script.
fn functions(packs: &OpenPacks, hooks: &BTreeSet<HookId>) -> BTreeSet<(String, String)> {
    let specs = hooks.iter().map(|hook| &packs.catalog.hooks[hook.index()]);
    specs.filter(|spec| spec.change.is_none()).map(|spec| (spec.module.clone(), spec.function.clone())).collect()
}

fn values(packs: &OpenPacks, entity: &EntityInfo) -> Vec<LabeledValue> {
    let words = packs.words("en");
    let params = entity.json.get("params").and_then(Json::as_object).into_iter().flatten();
    let params =
        params.map(|(id, value)| LabeledValue { of: "params", id: id.clone(), value: flat(value), label: None });
    let props = packs.loaded.prop_values(entity.family, &entity.json).into_iter().map(|value| LabeledValue {
        of: "props",
        id: value.key.to_owned(),
        value: flat(value.value),
        label: Some(format!("{}: {}", props::name(&words, &value), props::value(packs, &words, &value))),
    });
    params.chain(props).collect()
}

/// The declaration of an entity and the patches that changed it, as written in their files.
fn written(packs: &OpenPacks, entity: &EntityInfo) -> Vec<Excerpt> {
    let patches = entity.history.iter().flat_map(|history| &history.writes);
    let mut places = vec![(entity.place.document, entity.place.pointer.clone())];
    for write in patches {
        // The pointer leads to the fields. The patch around them names the entity: `/patches/3` of
        // `/patches/3/set/params`.
        let slashes = write.place.pointer.match_indices('/');
        let end = slashes.map(|(at, _)| at).nth(2).unwrap_or(write.place.pointer.len());
        let place = (write.place.document, write.place.pointer[..end].to_owned());
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let part = |(document, pointer): (usize, String)| {
        let document = packs.loaded.origins.documents.0.get(document)?;
        let bytes = document.value_bytes(&pointer)?;
        Some(Excerpt {
            name: packs.loaded.packs.get(document.pack)?.manifest.id.to_string(),
            file: document.file.clone(),
            line: document.line(&pointer),
            text: outdented(&document.text, bytes.start, bytes.end),
        })
    };
    places.into_iter().filter_map(part).collect()
}

/// Part of a text, without the indentation of its first line.
fn outdented(text: &str, start: usize, end: usize) -> String {
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let indent = text[line..].len() - text[line..].trim_start_matches(' ').len();
    let lines = text[start..end].lines().map(|line| {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        &line[blanks.min(indent)..]
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn scripts(packs: &OpenPacks, functions: &BTreeSet<(String, String)>) -> Vec<Excerpt> {
    let part = |(module, function): &(String, String)| {
        let script = packs.loaded.scripts.iter().find(|script| script.module == *module)?;
        let text = function_text(&script.text, function)?;
        let line = script.text.find(text).map_or(1, |at| script.text[..at].matches('\n').count() + 1);
        Some(Excerpt { name: format!("{module}.{function}"), file: script.path.clone(), line, text: text.to_owned() })
    };
    functions.iter().filter_map(part).collect()
}

fn scenarios(
    packs: &OpenPacks,
    entity: &EntityInfo,
    functions: &BTreeSet<(String, String)>,
) -> Result<Vec<ScenarioResult>, PackError> {
    let functions: BTreeSet<String> = functions.iter().map(|(module, name)| format!("{module}.{name}")).collect();
    let mut files: BTreeMap<&str, Json> = BTreeMap::new();
    let mut about: Vec<&LoadedScenario> = Vec::new();
    for scenario in &packs.loaded.scenarios {
        let file =
            files.entry(&scenario.file).or_insert_with(|| serde_json::from_str(&scenario.text).unwrap_or_default());
        if file.pointer(&scenario.pointer).is_some_and(|value| mentions(value, &entity.id, &functions)) {
            about.push(scenario);
        }
    }
    let mut results = Vec::new();
    for pack in about.iter().map(|scenario| scenario.pack.as_str()).collect::<BTreeSet<_>>() {
        let mut files = scenario_files(&packs.loaded, pack);
        files.retain(|file| about.iter().any(|known| Arc::ptr_eq(&known.scenario, &file.scenario)));
        let files: Arc<[_]> = files.into();
        let is_run = pack == pack_under_test(&packs.loaded);
        let runner = ScenarioRunner::new(&packs.loaded, Arc::clone(&files), LuaHost::new).map_err(PackError::broken)?;
        for file in &*files {
            let known = about.iter().find(|known| Arc::ptr_eq(&known.scenario, &file.scenario));
            results.push(ScenarioResult {
                id: file.scenario.id.to_string(),
                title: file.scenario.title.clone(),
                rules: file.scenario.rules.clone(),
                file: file.label.clone(),
                line: known.map_or(1, |known| known.line),
                passed: is_run.then(|| runner.run_one(file).passed()),
            });
        }
    }
    Ok(results)
}

/// Whether a text in a JSON value names a function, or contains the id as a word.
fn mentions(value: &Json, id: &str, functions: &BTreeSet<String>) -> bool {
    match value {
        Json::String(text) => functions.contains(text) || text.split([' ', ':']).any(|word| word == id),
        Json::Array(list) => list.iter().any(|value| mentions(value, id, functions)),
        Json::Object(map) => {
            map.iter().any(|(key, value)| key != "id" && key != "title" && mentions(value, id, functions))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_lose_the_indentation_of_their_first_line() {
        let text = "[\n  {\n    \"a\": 1\n  }\n]";
        assert_eq!(outdented(text, 4, text.len() - 2), "{\n  \"a\": 1\n}");
    }

    #[test]
    fn scenarios_mention_ids_and_functions_as_whole_words() {
        let value =
            serde_json::json!({ "id": "spy", "when": [{ "choose": "play hawk-1 hill" }, { "hook": "cards.fly" }] });
        let functions = BTreeSet::from(["cards.fly".to_owned()]);
        assert!(mentions(&value, "hill", &BTreeSet::new()));
        assert!(!mentions(&value, "hawk", &BTreeSet::new()) && !mentions(&value, "spy", &BTreeSet::new()));
        assert!(mentions(&value, "nothing", &functions));
    }
}
