//! The data for a designer's workbench: the wall of cards, an entity with its locations in files, the map.

use std::collections::BTreeMap;

use principes_app::entity::face;
use principes_app::packs::{OpenPacks, PackError, PackRequest, sources_of};
use principes_app::revision::RevisionError;
pub use principes_content::LoadOptions as Options;
use principes_content::check;
use principes_content::editor_schema::{declared, for_editors};
use principes_model::{ALIASES, EntityInfo, PackInfo};
use principes_source::FileRole;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use crate::desk::{EditedPacks, is_of_series, last_writer};
use crate::edit::text_digest;
use crate::entity::{WholeEntity, hooks};
use crate::revision::changed_since;

/// The location of a value in a file, for edits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileLocation {
    /// The id of the pack.
    pub pack: String,
    /// The file, by its path inside the pack.
    pub path: String,
    /// The file's display name.
    pub file: String,
    /// The line on which the value begins.
    pub line: usize,
    /// JSON pointer to the value.
    pub pointer: String,
    /// The digest of the text of the file.
    pub digest: String,
    /// Whether a form can edit the value: the pack is edited, and the value is no member of a series.
    pub is_writable: bool,
}

/// What the wall of cards shows of a card besides its face.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CardOnWall {
    /// The id of the design.
    pub id: String,
    /// The id and the name of its card type.
    pub card_type: (String, String),
    /// The id and the name of the deck where its copies start.
    pub deck: (String, String),
    /// The id of its pack.
    pub pack: String,
    /// Whether its pack is edited, or an edited pack patches it.
    pub is_edited: bool,
    /// Its hooks: the hook point, and the function with its file.
    pub hooks: Vec<(String, String)>,
    /// The file's display name.
    pub file: String,
    /// Whether anything about it has changed since the revision; `None` without a revision.
    pub is_changed: Option<bool>,
}

/// A message as written in its file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WrittenText {
    /// The message key, such as `option.done`.
    pub key: String,
    /// The code of the language, such as `en`.
    pub language: String,
    /// The text, or its plural forms.
    pub value: Json,
    /// Its location.
    pub place: FileLocation,
}

/// An entity with everything that is written about it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WrittenEntity {
    /// The key of its family in files, such as `cards`.
    pub family: String,
    /// As its file declares it; unique in the family.
    pub id: String,
    /// The entity as people see it.
    pub whole: WholeEntity,
    /// Where it is declared.
    pub place: Option<FileLocation>,
    /// Who may change it.
    pub access: Access,
    /// Its JSON, with the patches of later packs applied.
    pub value: Json,
    /// The messages.
    pub texts: Vec<WrittenText>,
}

/// Who may change an entity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Access {
    /// The id and the title of its pack.
    pub pack: (String, String),
    /// Whether its pack is edited.
    pub is_edited: bool,
    /// Whether it is a member of a series, which has one entry for all of its members.
    pub is_series: bool,
    /// The edited packs that build on its pack and may change it by a patch, each with its title. Later ones come
    /// last.
    pub patchers: Vec<(String, String)>,
    /// The edited pack that patches it now.
    pub patched_by: Option<String>,
}

/// A space as its file declares it, for the map editor.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SpaceOnMap {
    /// As its file declares it.
    pub id: String,
    /// The English name.
    pub name: String,
    /// Its JSON.
    pub value: Json,
    /// Where it is declared.
    pub place: Option<FileLocation>,
    /// Who may change it.
    pub access: Access,
    /// The messages.
    pub texts: Vec<WrittenText>,
}

/// The map as written in files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Map {
    /// In the order of the packs and their files.
    pub spaces: Vec<SpaceOnMap>,
    /// The factions that can be the home of spaces, each with its color word.
    pub factions: BTreeMap<String, String>,
    /// The looks, which hold the outlines of spaces. Later ones win.
    pub looks: Vec<LookOnMap>,
}

/// What a look says about spaces.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LookOnMap {
    /// Where the look is declared.
    pub place: FileLocation,
    /// Its entries for spaces as written; null if it has none.
    pub spaces: Json,
}

/// Opens packs with their scenarios. Calls with the same options share a cache.
///
/// # Errors
/// [`PackError`].
pub fn open(request: &PackRequest, options: &Options) -> Result<OpenPacks, PackError> {
    let options = Options { game: request.game.clone(), search: request.search.clone(), ..options.clone() };
    OpenPacks::load(&sources_of(request)?, &options)
}

/// Opens packs even if they have errors, as their author probably meant them: enough to find the places of edits.
///
/// # Errors
/// [`PackError`].
pub fn open_broken(request: &PackRequest, options: &Options) -> Result<OpenPacks, PackError> {
    let options = Options { game: request.game.clone(), search: request.search.clone(), ..options.clone() };
    let checked = check(&sources_of(request)?, &options);
    let loaded = checked.loaded.or_else(|| checked.recovered.as_ref().map(|recovered| recovered.game().clone()));
    loaded.map(OpenPacks::new).ok_or_else(|| PackError::broken(checked.findings))
}

/// The schema of a family's files, narrowed to the declarations of the packs. `None` if the schema does not exist.
///
/// # Errors
/// [`PackError`]: the packs cannot be opened.
pub fn schema(name: &str, request: &PackRequest, options: &Options) -> Result<Option<Json>, PackError> {
    let options = Options { search: request.search.clone(), ..options.clone() };
    Ok(for_editors(name, &declared(&sources_of(request)?, &options)))
}

/// The English names of all entities with an id, by family.
pub fn names(packs: &OpenPacks) -> BTreeMap<&'static str, BTreeMap<String, String>> {
    let words = packs.words("en");
    let mut names: BTreeMap<&'static str, BTreeMap<String, String>> = BTreeMap::new();
    for entity in &packs.loaded.entities {
        let (name, _) = face(packs, &words, entity);
        names.entry(entity.family.key()).or_default().insert(entity.id.clone(), name);
    }
    names
}

/// The families that references to one of several may name, by the name of the reference in schemas.
pub fn aliases() -> BTreeMap<&'static str, Vec<&'static str>> {
    ALIASES.iter().map(|alias| (alias.key, alias.families.iter().map(|family| family.key()).collect())).collect()
}

fn place(packs: &OpenPacks, edited: &EditedPacks, document: usize, pointer: &str) -> Option<FileLocation> {
    let document = packs.loaded.origins.documents.0.get(document)?;
    let pack = packs.loaded.packs.get(document.pack)?;
    Some(FileLocation {
        pack: pack.manifest.id.to_string(),
        path: document.path.clone(),
        file: document.file.clone(),
        line: document.line(pointer),
        pointer: pointer.to_owned(),
        digest: text_digest(&document.text),
        // A form for one card of a series would change them all.
        is_writable: edited.has(pack.manifest.id.as_str()) && document.member(pointer).is_none(),
    })
}

fn access(packs: &OpenPacks, edited: &EditedPacks, entity: &EntityInfo) -> Access {
    let all = &packs.loaded.packs;
    let title = |pack: &PackInfo| (pack.manifest.id.to_string(), pack.manifest.title.to_string());
    let document = packs.loaded.origins.documents.0.get(entity.place.document);
    let home = document.and_then(|document| all.get(document.pack));
    let id = home.map(|pack| pack.manifest.id.to_string()).unwrap_or_default();
    let may_patch = |pack: &&PackInfo| {
        edited.has(pack.manifest.id.as_str())
            && pack.manifest.id.as_str() != id
            && entity.family.spec().is_patchable
            && builds_on(all, pack, &id)
    };
    Access {
        is_edited: edited.has(&id),
        is_series: is_of_series(packs, entity),
        patchers: all.iter().filter(may_patch).map(title).collect(),
        patched_by: last_writer(packs, entity, "").filter(|pack| edited.has(pack)),
        pack: home.map(title).unwrap_or_default(),
    }
}

/// Whether a pack builds on another one, directly or not.
fn builds_on(all: &[PackInfo], pack: &PackInfo, other: &str) -> bool {
    let manifest = &pack.manifest;
    let named = |id: &str| manifest.requires.contains_key(id) || manifest.optional.contains_key(id);
    // Packs are in load order, so this ends.
    let earlier = all.iter().take_while(|earlier| earlier.manifest.id != manifest.id);
    named(other)
        || earlier.filter(|earlier| named(earlier.manifest.id.as_str())).any(|earlier| builds_on(all, earlier, other))
}

fn of_family<'p>(packs: &'p OpenPacks, family: &'p str) -> impl Iterator<Item = &'p EntityInfo> {
    packs.loaded.entities.iter().filter(move |entity| entity.family.key() == family)
}

/// The wall's data for every card. Changes are relative to a git revision.
///
/// # Errors
/// [`RevisionError`].
pub fn wall(packs: &OpenPacks, edited: &EditedPacks, since: Option<&str>) -> Result<Vec<CardOnWall>, RevisionError> {
    let changed = since.map(|revision| changed_since(&packs.loaded, revision)).transpose()?;
    let words = packs.words("en");
    let row = |entity: &EntityInfo| {
        let field = |name: &str| entity.json[name].as_str().unwrap_or_default().to_owned();
        let key = (entity.family.key().to_owned(), entity.id.clone());
        CardOnWall {
            id: entity.id.clone(),
            card_type: (field("type"), words.named("type", &field("type"))),
            deck: (field("zone"), words.named("zone", &field("zone"))),
            pack: entity.packs.first().cloned().unwrap_or_default(),
            is_edited: entity.packs.iter().any(|pack| edited.has(pack)),
            hooks: hooks(packs, entity),
            file: entity.file.clone(),
            is_changed: changed.as_ref().map(|changed| changed.contains(&key)),
        }
    };
    Ok(of_family(packs, "cards").map(row).collect())
}

/// An entity with everything that is written about it. `None` if it does not exist.
///
/// # Errors
/// [`PackError`]: its scenarios cannot be run.
pub fn entity(
    packs: &OpenPacks,
    edited: &EditedPacks,
    family: &str,
    id: &str,
) -> Result<Option<WrittenEntity>, PackError> {
    let Some(found) = of_family(packs, family).find(|entity| entity.id == id) else { return Ok(None) };
    Ok(Some(WrittenEntity {
        family: family.to_owned(),
        id: id.to_owned(),
        whole: WholeEntity::of(packs, found)?,
        place: place(packs, edited, found.place.document, &found.place.pointer),
        access: access(packs, edited, found),
        value: (*found.json).clone(),
        texts: texts(packs, edited, family, id),
    }))
}

/// The messages of an entity as written in files.
fn texts(packs: &OpenPacks, edited: &EditedPacks, family: &str, id: &str) -> Vec<WrittenText> {
    let prefix = format!("{}.{id}", family.trim_end_matches('s'));
    let member = of_family(packs, family)
        .find(|entity| entity.id == id)
        .and_then(|entity| packs.loaded.origins.documents.0.get(entity.place.document)?.member(&entity.place.pointer));
    let is_its = |key: &str| {
        let key = member.and_then(|member| member.fill(key)).unwrap_or_else(|| key.to_owned());
        key.strip_prefix(&prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let mut found = Vec::new();
    for (at, document) in packs.loaded.origins.documents.0.iter().enumerate() {
        let FileRole::Messages(language) = FileRole::of(&document.path) else { continue };
        let messages = document.value.get("messages").and_then(Json::as_object);
        for (key, value) in messages.into_iter().flatten().filter(|(key, _)| is_its(key)) {
            let pointer = format!("/messages/{}", key.replace('~', "~0").replace('/', "~1"));
            let Some(place) = place(packs, edited, at, &pointer) else { continue };
            found.push(WrittenText { key: key.clone(), language: language.to_owned(), value: value.clone(), place });
        }
    }
    found
}

/// The looks as written in files.
fn looks(packs: &OpenPacks, edited: &EditedPacks) -> Vec<LookOnMap> {
    let documents = packs.loaded.origins.documents.0.iter().enumerate();
    let own = documents.filter(|(_, document)| matches!(FileRole::of(&document.path), FileRole::Look));
    let all = own.flat_map(|(document, file)| {
        let count = file.value.get("looks").and_then(Json::as_array).map_or(0, Vec::len);
        (0..count).map(move |at| (document, format!("/looks/{at}"), file))
    });
    let on_map = |(document, pointer, file): (usize, String, &principes_json::Document)| {
        let spaces = file.value.pointer(&format!("{pointer}/spaces")).cloned().unwrap_or_default();
        Some(LookOnMap { place: place(packs, edited, document, &pointer)?, spaces })
    };
    all.filter_map(on_map).collect()
}

/// The map as written in files.
pub fn map(packs: &OpenPacks, edited: &EditedPacks) -> Map {
    let words = packs.words("en");
    let space = |entity: &EntityInfo| SpaceOnMap {
        id: entity.id.clone(),
        name: words.named("space", &entity.id),
        value: (*entity.json).clone(),
        place: place(packs, edited, entity.place.document, &entity.place.pointer),
        access: access(packs, edited, entity),
        texts: texts(packs, edited, "spaces", &entity.id),
    };
    let factions = packs.catalog.factions.iter().map(|faction| (faction.id.clone(), faction.color.clone()));
    Map {
        spaces: of_family(packs, "spaces").map(space).collect(),
        factions: factions.collect(),
        looks: looks(packs, edited),
    }
}
