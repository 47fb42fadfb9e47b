//! The desk of a designer: what an author wishes to change becomes new texts of files, which can be looked at as
//! differences and checked before anything is written. Only packs that the author named for editing change.

mod lines;
mod patching;
mod wish;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use principes_app::digest::digest;
use principes_app::packs::{OpenPacks, PackError, PackRequest, sources_of};
use principes_app::storage::{Storage, link_below};
use principes_content::{LoadOptions, check};
use principes_findings::{Code, Finding};
use principes_model::{Checked, PackInfo};
use principes_source::{FileRole, OverlayPack, PackSource, is_safe_path};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::edit::{EditError, Target, WrittenFile, held, reshaped, text_digest};
use crate::journal::{FileChange, Journal, TurnOffers};

use self::lines::Hunk;
pub use self::wish::Wish;
pub(crate) use self::wish::{is_of_series, last_writer};

/// The packs that an author named for editing, by their ids.
#[derive(Clone, Debug, Default)]
pub struct EditedPacks(BTreeSet<String>);

impl EditedPacks {
    /// Those of the loaded packs whose folders the request names. A pack that was only found, because another one
    /// requires it or because it is the game, is not edited.
    pub fn of(request: &PackRequest, packs: &[PackInfo]) -> Self {
        let named: BTreeSet<PathBuf> = request.paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let is_named = |pack: &&PackInfo| {
            let folder = pack.folder.as_ref().and_then(|folder| folder.canonicalize().ok());
            folder.is_some_and(|folder| named.contains(&folder))
        };
        EditedPacks(packs.iter().filter(is_named).map(|pack| pack.manifest.id.to_string()).collect())
    }

    /// Whether the pack with an id may be written to.
    pub fn has(&self, pack: &str) -> bool {
        self.0.contains(pack)
    }
}

/// A file of a plan.
pub(crate) struct Draft {
    target: Target,
    /// The folder of its pack.
    root: PathBuf,
    /// Whether the file does not exist yet.
    is_new: bool,
    text: String,
}

/// New texts of files. Nothing is written yet.
pub struct Plan<'p> {
    packs: &'p [PackInfo],
    edited: &'p EditedPacks,
    drafts: BTreeMap<(String, String), Draft>,
}

/// A file of a plan, for people.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlannedFile {
    /// The id of the pack.
    pub pack: String,
    /// The file, by its path inside the pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// Whether the file is made.
    pub is_new: bool,
    /// Whether the file is removed.
    pub is_removed: bool,
    /// The lines that differ, with some around them.
    pub hunks: Vec<Hunk>,
}

/// A pin that would be wrong, and the wish that makes it right.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WrongPin {
    /// The id of the pin.
    pub id: String,
    /// The name of the number that it repeats, such as a param; `None` if it counts entities.
    pub sum: Option<String>,
    /// What it says.
    pub was: Json,
    /// What would be right.
    pub is: Json,
    /// The file as users name it.
    pub file: String,
    /// Where the number stands in that file, from 1.
    pub line: usize,
    /// What changes it.
    pub wish: Wish,
}

impl<'p> Plan<'p> {
    /// Turns wishes into new texts, all or none. The packs may be older than the files: places are looked up again.
    ///
    /// # Errors
    /// [`EditError`]: a wish cannot be fulfilled.
    pub fn of(packs: &'p OpenPacks, edited: &'p EditedPacks, wishes: &[Wish]) -> Result<Self, EditError> {
        let mut plan = Plan { packs: &packs.loaded.packs, edited, drafts: BTreeMap::new() };
        let mut values = BTreeMap::new();
        for wish in wishes {
            plan.grant(packs, &mut values, wish)?;
        }
        for draft in plan.drafts.values_mut() {
            draft.text = reshaped(&draft.target, std::mem::take(&mut draft.text));
        }
        plan.drafts.retain(|_, draft| draft.is_new || draft.text != draft.target.text);
        Ok(plan)
    }

    /// The pack with an id, if it may be written to.
    fn pack(&self, id: &str) -> Result<&'p PackInfo, EditError> {
        let unknown = || EditError::UnknownFile { pack: id.to_owned(), path: "pack.json".to_owned() };
        let pack = self.packs.iter().find(|pack| pack.manifest.id.as_str() == id).ok_or_else(unknown)?;
        match self.edited.has(id) {
            true => Ok(pack),
            false => Err(EditError::NotEdited(id.to_owned())),
        }
    }

    /// The new text of a file so far.
    fn draft(&mut self, pack: &str, path: &str) -> Result<&mut Draft, EditError> {
        let key = (pack.to_owned(), path.to_owned());
        if !self.drafts.contains_key(&key) {
            let info = self.pack(pack)?;
            let target = Target::open(self.packs, pack, path)?;
            let root = info.folder.clone().ok_or_else(|| EditError::NoFolder(pack.to_owned()))?;
            let text = target.text.clone();
            self.drafts.insert(key.clone(), Draft { target, root, is_new: false, text });
        }
        let gone = || EditError::UnknownFile { pack: key.0.clone(), path: key.1.clone() };
        self.drafts.get_mut(&key).ok_or_else(gone)
    }

    /// Makes a file. If its name is taken, it gets a number.
    fn file_named(&mut self, pack: &str, stem: &str, ending: &str, empty: &str) -> Result<String, EditError> {
        let info = self.pack(pack)?;
        let root = info.folder.clone().ok_or_else(|| EditError::NoFolder(pack.to_owned()))?;
        let first = format!("{stem}{ending}");
        // A family or language that is none would lead into another folder.
        if first.contains('/') || !is_safe_path(&first) {
            return Err(EditError::UnknownFile { pack: pack.to_owned(), path: first });
        }
        let free = |path: &String| {
            let is_drafted = self.drafts.contains_key(&(pack.to_owned(), path.clone()));
            !is_drafted && std::fs::symlink_metadata(root.join(path)).is_err()
        };
        let names = std::iter::once(first).chain((2..).map(|n| format!("{stem}-{n}{ending}")));
        let path = names.into_iter().find(free).unwrap_or_default();
        let file = root.join(&path);
        if let Some(link) = link_below(&root, &file) {
            return Err(EditError::Link(link.to_owned()));
        }
        let name = info.source.label(&path);
        let folder = held(info)?;
        let target = Target { pack: pack.to_owned(), path: path.clone(), name, file, folder, text: String::new() };
        let draft = Draft { target, root, is_new: true, text: empty.to_owned() };
        self.drafts.insert((pack.to_owned(), path.clone()), draft);
        Ok(path)
    }

    /// The files, with the lines that differ.
    pub fn files(&self) -> Vec<PlannedFile> {
        let file = |draft: &Draft| PlannedFile {
            pack: draft.target.pack.clone(),
            path: draft.target.path.clone(),
            file: draft.target.name.clone(),
            is_new: draft.is_new,
            is_removed: false,
            hunks: lines::hunks(&draft.target.text, &draft.text),
        };
        self.drafts.values().map(file).collect()
    }

    /// The digest of all old and new texts, which a request to write must name.
    pub fn digest(&self) -> String {
        let parts =
            self.drafts.values().map(|draft| (&draft.target.file, &draft.target.text, draft.is_new, &draft.text));
        digest(format!("{:?}", parts.collect::<Vec<_>>()).as_bytes())
    }

    /// The changes, for the journal.
    fn changes(&self) -> Vec<FileChange> {
        let change = |draft: &Draft| FileChange {
            root: draft.root.clone(),
            file: draft.target.file.clone(),
            name: draft.target.name.clone(),
            old: (!draft.is_new).then(|| draft.target.text.clone()),
            new: Some(draft.text.clone()),
        };
        self.drafts.values().map(change).collect()
    }

    /// Checks the packs as they would be.
    ///
    /// # Errors
    /// [`PackError`]: a path does not name a pack.
    pub fn check(&self, request: &PackRequest, options: &LoadOptions) -> Result<Checked, PackError> {
        let options = LoadOptions { game: request.game.clone(), search: request.search.clone(), ..options.clone() };
        let given: Vec<Arc<dyn PackSource>> =
            sources_of(request)?.into_iter().map(|source| self.overlaid(source)).collect();
        Ok(check(&given, &options))
    }

    fn overlaid(&self, source: Arc<dyn PackSource>) -> Arc<dyn PackSource> {
        let whole = |folder: Option<&Path>| folder.and_then(|folder| folder.canonicalize().ok());
        let folder = whole(source.folder().as_deref());
        let own = self.drafts.values().filter(|draft| folder.is_some() && whole(Some(&draft.root)) == folder);
        let files: BTreeMap<String, Vec<u8>> =
            own.map(|draft| (draft.target.path.clone(), draft.text.clone().into_bytes())).collect();
        if files.is_empty() { source } else { Arc::new(OverlayPack::new(source, files)) }
    }

    /// The pins among the findings that repeat a number, each with the wish that changes it. `into` is the edited pack
    /// that patches pins of packs that are not edited.
    pub fn wrong_pins(&self, findings: &[Finding], into: Option<&str>) -> Vec<WrongPin> {
        let wrong = findings.iter().filter(|finding| finding.code == Code::WrongPin);
        wrong.filter_map(|finding| self.wrong_pin(finding, into)).collect()
    }

    fn wrong_pin(&self, finding: &Finding, into: Option<&str>) -> Option<WrongPin> {
        let offer = finding.offer.as_ref()?.edits.first()?;
        let is: Json = serde_json::from_str(&offer.text).ok()?;
        let (entity, field) = finding.pointer.rsplit_once('/')?;
        let value: Json = serde_json::from_str(finding.source.as_deref()?).ok()?;
        let pin = value.pointer(entity)?;
        let id = pin["id"].as_str()?.to_owned();
        let home = self.packs.iter().find(|pack| finding.file == pack.source.label(&inside(pack, &finding.file)))?;
        let home = home.manifest.id.as_str();
        let pack = if self.edited.has(home) { None } else { Some(into?.to_owned()) };
        let wish = Wish::Set {
            family: "pins".to_owned(),
            id: id.clone(),
            pointer: format!("/{field}"),
            value: is.clone(),
            pack,
        };
        Some(WrongPin {
            id,
            sum: pin["sum"].as_str().map(str::to_owned),
            was: pin[field].clone(),
            is,
            file: finding.file.clone(),
            line: finding.span.line,
            wish,
        })
    }
}

/// The path inside a pack of a file as users name it.
fn inside(pack: &PackInfo, file: &str) -> String {
    let folder = pack.source.label("");
    file.strip_prefix(folder.as_str()).unwrap_or(file).trim_start_matches('/').to_owned()
}

/// The value of an entity or message that a finding is about, for the field of a form.
pub fn field_of(finding: &Finding) -> Option<Json> {
    let text = finding.source.as_deref()?;
    let value: Json = serde_json::from_str(text).ok()?;
    let mut parts = finding.pointer.split('/').skip(1);
    let (family, at) = (parts.next()?, parts.next()?);
    if family == "messages" {
        // The name of the file begins with the folder of its pack.
        let ends = finding.file.match_indices('/').map(|(at, _)| &finding.file[at + 1..]);
        let language =
            std::iter::once(finding.file.as_str()).chain(ends).find_map(|path| match FileRole::of(path) {
                FileRole::Messages(language) => Some(language),
                _ => None,
            })?;
        return Some(json!({ "key": principes_json::unescape(at), "language": language }));
    }
    let entity = value.pointer(&format!("/{family}/{at}"))?;
    let rest: Vec<&str> = parts.collect();
    let (family, rest) = match (family, entity["of"].as_str(), rest.first()) {
        ("patches", Some(of), Some(&("set" | "replace"))) => (of, &rest[1..]),
        ("patches", Some(of), _) => (of, &rest[..]),
        _ => (family, &rest[..]),
    };
    let pointer: String = rest.iter().map(|part| format!("/{part}")).collect();
    Some(json!({ "family": family, "id": entity["id"], "pointer": pointer }))
}

/// The wishes that fix a finding.
///
/// # Errors
/// [`EditError::NoFix`].
pub fn wishes_of(finding: &Finding) -> Result<Vec<Wish>, EditError> {
    let fix = finding.fix.as_ref().ok_or(EditError::NoFix)?;
    let mut edits: Vec<_> = fix.edits.iter().collect();
    // From the end to the start, so that earlier places stay valid.
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.bytes.start));
    let wish = |edit: &principes_findings::TextEdit| {
        let bytes = (edit.span.bytes.start, edit.span.bytes.end);
        let source = finding.source.as_deref().filter(|_| edit.file == finding.file);
        let old = source.and_then(|text| text.get(edit.span.bytes.clone())).map(str::to_owned);
        Wish::Splice { file: edit.file.clone(), bytes, old, text: edit.text.clone() }
    };
    Ok(edits.into_iter().map(wish).collect())
}

/// What writes plans, and takes them back.
pub struct Desk {
    journal: Journal,
}

impl Desk {
    /// The desk for these packs. `home` is the folder of all journals.
    pub fn new(home: &Path, request: &PackRequest) -> Self {
        Desk { journal: Journal::of(home, &request.paths) }
    }

    /// Writes a plan that the author has seen, all or none.
    ///
    /// # Errors
    /// [`EditError`]: the plan is another one than the author saw, or a file cannot be written.
    pub fn write(
        &self,
        storage: &dyn Storage,
        plan: &Plan<'_>,
        seen: &str,
        title: &str,
    ) -> Result<Vec<WrittenFile>, EditError> {
        if plan.digest() != seen {
            let file = plan.drafts.values().next().map_or("the plan", |draft| &draft.target.name);
            return Err(EditError::Stale(file.to_owned()));
        }
        let changes = plan.changes();
        if !changes.is_empty() {
            self.journal.write(storage, title, &changes)?;
        }
        let written = |draft: &Draft| WrittenFile {
            pack: draft.target.pack.clone(),
            path: draft.target.path.clone(),
            digest: text_digest(&draft.text),
        };
        Ok(plan.drafts.values().map(written).collect())
    }

    /// Notes files that something else has made, so that this can be undone.
    ///
    /// # Errors
    /// [`EditError`]: the journal cannot be written.
    pub fn note_new(
        &self,
        storage: &dyn Storage,
        title: &str,
        files: &[(&Path, &Path, String)],
    ) -> Result<(), EditError> {
        let change = |(root, file, name): &(&Path, &Path, String)| {
            let new = std::fs::read_to_string(file).ok()?;
            let (root, file) = (root.to_path_buf(), file.to_path_buf());
            Some(FileChange { root, file, name: name.clone(), old: None, new: Some(new) })
        };
        let changes: Vec<FileChange> = files.iter().filter_map(change).collect();
        Ok(self.journal.note(storage, title, &changes)?)
    }

    /// What can be undone and redone. An edit that was interrupted is completed first.
    ///
    /// # Errors
    /// [`EditError`]: the journal cannot be read.
    pub fn offers(&self, storage: &dyn Storage) -> Result<TurnOffers, EditError> {
        Ok(self.journal.offers(storage)?)
    }

    /// The files that undoing or redoing would change.
    ///
    /// # Errors
    /// [`EditError`]: there is nothing to undo or redo.
    pub fn coming(&self, storage: &dyn Storage, is_undo: bool) -> Result<Vec<PlannedFile>, EditError> {
        let file = |change: FileChange| PlannedFile {
            pack: String::new(),
            path: String::new(),
            file: change.name,
            is_new: change.old.is_none(),
            is_removed: change.new.is_none(),
            hunks: lines::hunks(change.old.as_deref().unwrap_or_default(), change.new.as_deref().unwrap_or_default()),
        };
        Ok(self.journal.coming(storage, is_undo)?.into_iter().map(file).collect())
    }

    /// Undoes or redoes an edit. Returns its title.
    ///
    /// # Errors
    /// [`EditError`]: a file was changed elsewhere, or cannot be written.
    pub fn turn(&self, storage: &dyn Storage, is_undo: bool) -> Result<String, EditError> {
        Ok(if is_undo { self.journal.undo(storage)? } else { self.journal.redo(storage)? })
    }
}
