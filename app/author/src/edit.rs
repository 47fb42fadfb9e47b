//! Changes files of packs for the studio: single JSON values, edited in the syntax tree so that comments, order and
//! layout stay. It never writes outside a pack's folder or through a link, and it refuses a file
//! that has changed since it was read.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstRootNode};
use principes_app::digest::digest;
use principes_app::storage::{Disk, FileError, FilePlace, Replacement, Storage, link_below, replace_all};
use principes_json::shape::shape;
use principes_json::unescape;
use principes_model::PackInfo;
use principes_source::HeldFolder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A change of one value in a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// Id of the pack.
    pub pack: String,
    /// The file, by its path inside the pack.
    pub path: String,
    /// The [`text_digest`] of the file as the author of the edit saw it.
    pub digest: String,
    /// A JSON pointer to the value. If it points behind the end of a list, the value is appended.
    pub pointer: String,
    /// The new value; `None` removes the value.
    pub value: Option<Json>,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WrittenFile {
    /// The id of the pack.
    pub pack: String,
    /// The file, by its path inside the pack.
    pub path: String,
    /// The digest of the new text.
    pub digest: String,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The pack has no such file.
    #[error("the pack `{pack}` has no file `{path}`")]
    UnknownFile {
        /// The id of the pack, as the editor sent it.
        pack: String,
        /// The path inside the pack, as the editor sent it.
        path: String,
    },
    /// The pack is not a folder.
    #[error("`{0}` is not in a folder and cannot be changed; open the folder of the pack")]
    NoFolder(String),
    /// The file, or a folder above it, is a link.
    #[error("`{}` is a link; nothing is written through links", .0.display())]
    Link(PathBuf),
    /// The file has changed.
    #[error("`{0}` has changed since it was read; look at it again")]
    Stale(String),
    /// The file is not JSON.
    #[error("`{0}` is not valid JSON now; fix it first")]
    NotJson(String),
    /// There is nothing at the pointer.
    #[error("`{file}` has no value at `{pointer}`")]
    NoPlace {
        /// The path inside the pack.
        file: String,
        /// A JSON pointer, as the editor sent it.
        pointer: String,
    },
    /// The pack was not named for editing.
    #[error("`{0}` is not being edited; to edit it, start the studio with `--pack` and its folder")]
    NotEdited(String),
    /// A later pack, which is not edited, decides the value.
    #[error("`{pack}` changes this value of `{id}`; it would stay as it is")]
    Overridden {
        /// The id of the entity.
        id: String,
        /// The id of the pack whose patch wins.
        pack: String,
    },
    /// The entity is a member of a series, which has one entry in its file.
    #[error("`{0}` is one of a series, which is written as one entry; edit that entry in its file")]
    Series(String),
    /// No pack declares this.
    #[error("unknown id `{id}` in {family}")]
    UnknownEntity {
        /// The key of the family.
        family: String,
        /// What the author wants to change, as the request names it.
        id: String,
    },
    /// The family has no patches.
    #[error("packs cannot change entities of the family `{0}` of other packs")]
    NoPatches(String),
    /// A new entity needs an id.
    #[error("a new entry of `{0}` needs an id")]
    NoId(String),
    /// The finding has no fix.
    #[error("this finding has no fix")]
    NoFix,
    /// The history of edits cannot be used.
    #[error(transparent)]
    History(#[from] crate::journal::JournalError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

/// The digest of a file's text, for [`Edit::digest`].
pub fn text_digest(text: &str) -> String {
    digest(text.as_bytes())
}

/// Standard JSON, but with comments.
const JSON: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A file of a pack that an edit may change.
pub(crate) struct Target {
    pub pack: String,
    pub path: String,
    /// The file as users name it.
    pub name: String,
    pub file: PathBuf,
    /// The folder of the pack.
    pub folder: HeldFolder,
    pub text: String,
}

impl Target {
    pub fn open(packs: &[PackInfo], pack: &str, path: &str) -> Result<Target, EditError> {
        let unknown = || EditError::UnknownFile { pack: pack.to_owned(), path: path.to_owned() };
        let info = packs.iter().find(|info| info.manifest.id.as_str() == pack).ok_or_else(unknown)?;
        let folder = info.folder.clone().ok_or_else(|| EditError::NoFolder(pack.to_owned()))?;
        // The file must be one that the pack lists, so no path can lead out of its folder.
        let is_listed = info.source.list().is_ok_and(|files| files.iter().any(|file| file == path));
        if !is_listed {
            return Err(unknown());
        }
        let file = folder.join(path);
        if let Some(link) = link_below(&folder, &file) {
            return Err(EditError::Link(link.to_owned()));
        }
        let folder = held(info)?;
        let bytes = info.source.read(path).map_err(FileError::at(&file))?;
        let text = String::from_utf8(bytes).map_err(|_| EditError::NotJson(info.source.label(path)))?;
        Ok(Target { pack: pack.to_owned(), path: path.to_owned(), name: info.source.label(path), file, folder, text })
    }
}

/// The folder of a pack, held open.
pub(crate) fn held(info: &PackInfo) -> Result<HeldFolder, EditError> {
    let held = info.source.held().ok_or_else(|| EditError::NoFolder(info.manifest.id.to_string()))?;
    let folder = info.folder.clone().unwrap_or_default();
    Ok(held.map_err(FileError::at(&folder))?)
}

/// Writes new texts of files, all or none.
fn write(storage: &dyn Storage, files: Vec<(Target, String)>) -> Result<Vec<WrittenFile>, EditError> {
    let replacement = |(target, text): &(Target, String)| {
        let place = FilePlace::below(&target.folder, Path::new(&target.path), target.file.clone());
        let place = place.map_err(FileError::at(&target.file))?;
        Ok(Replacement { place, old: target.text.as_bytes().to_vec(), new: text.as_bytes().to_vec() })
    };
    let replacements = files.iter().map(replacement).collect::<Result<Vec<_>, FileError>>()?;
    replace_all(storage, &replacements)?;
    let written = |(target, text): (Target, String)| WrittenFile {
        pack: target.pack,
        path: target.path,
        digest: text_digest(&text),
    };
    Ok(files.into_iter().map(written).collect())
}

/// Files as edits would make them.
#[derive(Default)]
pub struct Revision(Vec<(Target, String)>);

impl Revision {
    /// What edits make of the files of packs. Nothing is written.
    ///
    /// # Errors
    /// [`EditError`]: one of the edits is not possible.
    pub fn new(packs: &[PackInfo], edits: &[Edit]) -> Result<Self, EditError> {
        let mut files: BTreeMap<(&str, &str), (Target, OpenFile)> = BTreeMap::new();
        for edit in edits {
            let (_, tree) = match files.entry((edit.pack.as_str(), edit.path.as_str())) {
                Entry::Occupied(file) => file.into_mut(),
                Entry::Vacant(free) => {
                    let target = Target::open(packs, &edit.pack, &edit.path)?;
                    let tree = OpenFile::new(&target, &edit.digest)?;
                    free.insert((target, tree))
                }
            };
            if tree.digest != edit.digest {
                return Err(EditError::Stale(tree.name.clone()));
            }
            tree.edit(&edit.pointer, edit.value.as_ref())?;
        }
        let reshaped = files.into_values().map(|(target, tree)| {
            let text = tree.root.to_string();
            let text = reshaped(&target, text);
            (target, text)
        });
        Ok(Revision(reshaped.collect()))
    }

    /// The changed files of a pack: their paths and new contents.
    pub fn of_pack(&self, id: &str) -> BTreeMap<String, Vec<u8>> {
        let files = self.0.iter().filter(|(target, _)| target.pack == id);
        files.map(|(target, text)| (target.path.clone(), text.clone().into_bytes())).collect()
    }

    /// Writes the files, all or none.
    ///
    /// # Errors
    /// [`EditError::Write`].
    pub fn write(self) -> Result<Vec<WrittenFile>, EditError> {
        write(&Disk, self.0)
    }
}

/// Applies all edits, or none if one of them is not possible or a file cannot be written.
///
/// # Errors
/// [`EditError`].
pub fn apply(packs: &[PackInfo], edits: &[Edit]) -> Result<Vec<WrittenFile>, EditError> {
    apply_on(&Disk, packs, edits)
}

/// [`apply`], with the storage that writes the files.
///
/// # Errors
/// [`EditError`].
pub fn apply_on(storage: &dyn Storage, packs: &[PackInfo], edits: &[Edit]) -> Result<Vec<WrittenFile>, EditError> {
    write(storage, Revision::new(packs, edits)?.0)
}

/// A file in canonical format stays in it. Any other file keeps its author's layout.
pub(crate) fn reshaped(target: &Target, text: String) -> String {
    let shaped = |text: &str| shape(&target.path, &target.name, text.as_bytes()).ok();
    let is_canonical = target.text.is_empty() || shaped(&target.text).is_some_and(|shaped| shaped == target.text);
    if is_canonical { shaped(&text).unwrap_or(text) } else { text }
}

/// The pack and path of a file with the given display name.
pub(crate) fn named(packs: &[PackInfo], name: &str) -> Result<(String, String), EditError> {
    let in_pack = |info: &PackInfo| {
        let path = info.source.list().ok()?.into_iter().find(|path| info.source.label(path) == name)?;
        Some((info.manifest.id.to_string(), path))
    };
    let unknown = || EditError::UnknownFile { pack: String::new(), path: name.to_owned() };
    packs.iter().find_map(in_pack).ok_or_else(unknown)
}

/// A JSON text with one value changed.
pub(crate) fn edited(file: &str, text: &str, pointer: &str, value: Option<&Json>) -> Result<String, EditError> {
    let open = OpenFile::parse(file, text, String::new())?;
    open.edit(pointer, value)?;
    Ok(open.root.to_string())
}

/// The syntax tree of a file that is being edited.
struct OpenFile {
    /// The file as users name it.
    name: String,
    /// The digest of the text as it was read.
    digest: String,
    root: CstRootNode,
}

impl OpenFile {
    fn new(target: &Target, wanted: &str) -> Result<Self, EditError> {
        let digest = text_digest(&target.text);
        if digest != wanted {
            return Err(EditError::Stale(target.name.clone()));
        }
        OpenFile::parse(&target.name, &target.text, digest)
    }

    fn parse(name: &str, text: &str, digest: String) -> Result<Self, EditError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let root = CstRootNode::parse(text, &JSON).map_err(|_| EditError::NotJson(name.to_owned()))?;
        Ok(OpenFile { name: name.to_owned(), digest, root })
    }

    /// Changes one value. Objects around a new value are made.
    fn edit(&self, pointer: &str, value: Option<&Json>) -> Result<(), EditError> {
        let nowhere = || EditError::NoPlace { file: self.name.clone(), pointer: pointer.to_owned() };
        let parts: Vec<_> = pointer.split('/').skip(1).map(unescape).collect();
        let (last, above) = parts.split_last().ok_or_else(nowhere)?;
        let mut node = self.root.value().ok_or_else(nowhere)?;
        for (part, next) in above.iter().zip(&parts[1..]) {
            let there = child(&node, part).or_else(|| child(&opened(&node, part, next, value)?, part));
            node = there.ok_or_else(nowhere)?;
        }
        put(&node, last, value).ok_or_else(nowhere)
    }
}

/// The object with an empty object or list added, if something is to be put into it.
fn opened(node: &CstNode, part: &str, next: &str, value: Option<&Json>) -> Option<CstNode> {
    let object = node.as_object().filter(|object| value.is_some() && object.get(part).is_none())?;
    let empty = if next == "-" { CstInputValue::Array(Vec::new()) } else { CstInputValue::Object(Vec::new()) };
    object.append(part, empty);
    Some(node.clone())
}

fn child(node: &CstNode, part: &str) -> Option<CstNode> {
    match node.as_object() {
        Some(object) => object.get(part)?.value(),
        None => node.as_array()?.elements().into_iter().nth(part.parse().ok()?),
    }
}

fn put(node: &CstNode, part: &str, value: Option<&Json>) -> Option<()> {
    if let Some(object) = node.as_object() {
        match (object.get(part), value) {
            (Some(there), Some(value)) => there.set_value(input(value)),
            (Some(there), None) => there.remove(),
            (None, Some(value)) => drop(object.append(part, input(value))),
            // The value is already absent.
            (None, None) => {}
        }
        return Some(());
    }
    let array = node.as_array()?;
    let mut elements = array.elements();
    let at: usize = if part == "-" { elements.len() } else { part.parse().ok()? };
    match value {
        Some(value) if at == elements.len() => drop(array.append(input(value))),
        Some(value) if at < elements.len() => replace(elements.swap_remove(at), value)?,
        None if at < elements.len() => elements.swap_remove(at).remove(),
        _ => return None,
    }
    Some(())
}

fn replace(node: CstNode, value: &Json) -> Option<()> {
    let new = input(value);
    if let Some(object) = node.as_object() {
        object.replace_with(new);
    } else if let Some(array) = node.as_array() {
        array.replace_with(new);
    } else if let Some(text) = node.as_string_lit() {
        text.replace_with(new);
    } else if let Some(number) = node.as_number_lit() {
        number.replace_with(new);
    } else if let Some(boolean) = node.as_boolean_lit() {
        boolean.replace_with(new);
    } else {
        node.as_null_keyword()?.replace_with(new);
    }
    Some(())
}

fn input(value: &Json) -> CstInputValue {
    match value {
        Json::Null => CstInputValue::Null,
        Json::Bool(value) => CstInputValue::Bool(*value),
        Json::Number(value) => CstInputValue::Number(value.to_string()),
        Json::String(value) => CstInputValue::String(value.clone()),
        Json::Array(list) => CstInputValue::Array(list.iter().map(input).collect()),
        Json::Object(map) => {
            CstInputValue::Object(map.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TEXT: &str = "{\n  // mine\n  \"cards\": [\n    {\"id\": \"a\",   \"params\": {\"gold\": 2}},\n    { \"id\": \"b\" }\n  ]\n}\n";

    #[test]
    fn one_value_changes_and_the_rest_stays() {
        let change = |pointer, value: Option<Json>| {
            let file = OpenFile::parse("f", TEXT, String::new())?;
            file.edit(pointer, value.as_ref()).map(|()| file.root.to_string())
        };
        let gold = change("/cards/0/params/gold", Some(json!(3))).expect("a place");
        assert_eq!(gold, TEXT.replace("2}", "3}"));
        let added = change("/cards/1/copies", Some(json!(2))).expect("a place");
        assert!(added.contains("// mine") && added.contains("\"copies\": 2"), "{added}");
        assert!(added.contains("{\"id\": \"a\",   \"params\": {\"gold\": 2}}"), "{added}");
        let removed = change("/cards/0/params", None).expect("a place");
        assert!(!removed.contains("params") && removed.contains("\"b\""), "{removed}");
        let more = change("/cards/-", Some(json!({ "id": "c" }))).expect("a place");
        assert!(more.contains("\"c\"") && more.contains("\"b\""), "{more}");
        let other = change("/cards/1/id", Some(json!("é\"x"))).expect("a place");
        let value: Json = serde_json::from_str(&other.replace("  // mine\n", "")).expect("still JSON");
        assert_eq!(value.pointer("/cards/1/id"), Some(&json!("é\"x")));
        let within = change("/cards/1/hooks/card.play", Some(json!("a.b"))).expect("a place");
        let value: Json = serde_json::from_str(&within.replace("  // mine\n", "")).expect("still JSON");
        assert_eq!(value.pointer("/cards/1/hooks"), Some(&json!({ "card.play": "a.b" })));
        for nowhere in ["", "/cards/7", "/cards/0/none/deep", "/cards/x", "/none/0"] {
            assert!(matches!(change(nowhere, None), Err(EditError::NoPlace { .. })), "{nowhere}");
        }
    }
}
