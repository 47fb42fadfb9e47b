//! The texts of a pack as players read them, with numbers filled in, stored beside its messages: `court/texts.en.snap`.
//! They are reviewed like code, so that a changed word or number is noticed in every language.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use principes_core::catalog::Catalog;
use principes_core::ids::Value;
use principes_findings::{Code, Finding};
use principes_model::{Arg, Loaded, PackInfo};
use principes_schemas::{Family, MessagesFile};
use principes_source::{FileRole, HeldFolder, text_of};

use crate::bundle::Bundle;
use crate::explained::Explanations;
use crate::files::{Orphan, is_texts, pack_under_test};
use crate::result::Verdict;
use crate::snapshot::{diff, is_same};

/// The section for messages whose keys have one part.
const PLAIN: &str = "words";

/// The texts of one folder in one language.
#[derive(Clone, Debug)]
pub struct Texts {
    /// Where they are stored, inside the pack.
    pub path: String,
    /// The same as users name it.
    pub file: String,
    /// The text to store.
    pub text: String,
    /// How it compares with the stored text.
    pub verdict: Verdict,
    /// The difference from the stored text.
    pub diff: String,
    /// As tagged in file names, such as `en`; empty if there are no messages.
    language: String,
    /// The keys of messages that are not as stored.
    changed: BTreeSet<String>,
    folder: Option<HeldFolder>,
}

impl Texts {
    /// Whether they are as stored.
    pub fn passed(&self) -> bool {
        matches!(self.verdict, Verdict::Same | Verdict::Accepted)
    }

    /// Stores them.
    pub fn accept(&mut self) {
        let Some(folder) = &self.folder else {
            self.verdict = Verdict::Unwritable("the pack is not in a folder".to_owned());
            return;
        };
        self.verdict = match folder.write(Path::new(&self.path), self.text.as_bytes()) {
            Ok(()) => Verdict::Accepted,
            Err(error) => Verdict::Unwritable(format!("{}: {error}", self.file)),
        };
    }
}

/// Whether a pack stores its texts: once it stores any, all are compared.
pub fn are_texts_stored(loaded: &Loaded) -> bool {
    stored_paths(loaded).iter().any(|path| is_texts(path))
}

fn stored_paths(loaded: &Loaded) -> Vec<String> {
    // A pack that cannot be listed is reported when it is loaded.
    under_test(loaded).and_then(|info| info.source.list().ok()).unwrap_or_default()
}

fn under_test(loaded: &Loaded) -> Option<&PackInfo> {
    let pack = pack_under_test(loaded);
    loaded.packs.iter().find(|info| info.manifest.id.as_str() == pack)
}

/// The texts of the pack under test, compared with what is stored.
pub fn texts(loaded: &Loaded) -> Vec<Texts> {
    let Some(info) = under_test(loaded) else { return Vec::new() };
    let compared = |(path, messages): (String, Vec<(String, String)>)| {
        let mut bundle = Bundle::default();
        messages.iter().for_each(|(language, key)| add(&mut bundle, loaded, language, key));
        let text = bundle.document(path.strip_suffix(".snap").unwrap_or(&path));
        let stored = info.source.read(&path).ok().map(text_of);
        let verdict = match &stored {
            None => Verdict::New,
            Some(stored) if is_same(stored, &text) => Verdict::Same,
            Some(_) => Verdict::Changed,
        };
        let stored = stored.filter(|_| verdict == Verdict::Changed);
        let changed = stored.as_deref().map_or_else(BTreeSet::new, |old| changed(old, &bundle));
        let diff = stored.map_or_else(String::new, |old| diff(&old, &text));
        let language = messages.into_iter().next().map(|(language, _)| language).unwrap_or_default();
        let (file, folder) = (info.source.label(&path), info.source.held().and_then(Result::ok));
        Texts { file, path, text, verdict, diff, language, changed, folder }
    };
    stored_by(loaded, info).into_iter().map(compared).collect()
}

/// The keys of messages that are not as stored; none if nothing stored can be read.
fn changed(stored: &str, now: &Bundle) -> BTreeSet<String> {
    let lines = |bundle: &Bundle| -> BTreeSet<(String, String)> {
        let of_section = |(section, text): (&String, &String)| {
            let lines = text.lines().map(|line| (section.clone(), line.to_owned()));
            lines.collect::<Vec<_>>()
        };
        bundle.sections.iter().flat_map(of_section).collect()
    };
    let Some(stored) = Bundle::read(stored) else { return BTreeSet::new() };
    let (before, after) = (lines(&stored), lines(now));
    let key = |(section, line): &(String, String)| {
        let name = line.split([':', ' ']).next().unwrap_or_default();
        if section == PLAIN { name.to_owned() } else { format!("{section}.{name}") }
    };
    before.symmetric_difference(&after).map(key).collect()
}

/// The messages that players read, by the file that stores their texts: language and key.
type StoredMessages = BTreeMap<String, Vec<(String, String)>>;

/// Where the texts of a file of messages are stored; `None` for any other file.
fn stores(path: &str) -> Option<String> {
    let FileRole::Messages(language) = FileRole::of(path) else { return None };
    let folder = path.rsplit_once('/').map_or_else(String::new, |(folder, _)| format!("{folder}/"));
    Some(format!("{folder}texts.{language}.snap"))
}

/// The messages of the pack under test, by the file that stores their texts.
fn stored_by(loaded: &Loaded, info: &PackInfo) -> StoredMessages {
    let mut stored = StoredMessages::new();
    let mut known: BTreeSet<(String, String)> = BTreeSet::new();
    let mut store = |path: String, language: &str, key: &str| {
        let message = (language.to_owned(), key.to_owned());
        if known.insert(message.clone()) {
            stored.entry(path).or_default().push(message);
        }
    };
    for path in info.source.list().unwrap_or_default() {
        let (FileRole::Messages(language), Some(snapshot)) = (FileRole::of(&path), stores(&path)) else { continue };
        let Some(file) =
            info.source.read(&path).ok().and_then(|bytes| serde_json::from_slice::<MessagesFile>(&bytes).ok())
        else {
            continue;
        };
        for key in file.messages.0.keys().flat_map(|key| loaded.keys_of(key)) {
            store(snapshot.clone(), language, &key);
        }
    }
    // A patch changes what is printed on cards of other packs.
    for entity in &loaded.entities {
        let prefix = match entity.family {
            Family::Cards => format!("card.{}.", entity.id),
            Family::Rules => format!("rule.{}.", entity.id),
            _ => continue,
        };
        if entity.packs.len() < 2 || !entity.packs.iter().any(|pack| pack == info.manifest.id.as_str()) {
            continue;
        }
        for language in loaded.messages.languages() {
            for key in loaded.messages.keys(language).filter(|key| key.starts_with(&prefix)) {
                store(format!("texts.{language}.snap"), language, key);
            }
        }
    }
    stored
}

/// One message: a line, or one for each plural form.
fn add(bundle: &mut Bundle, loaded: &Loaded, language: &str, key: &str) {
    let (section, name) = key.rsplit_once('.').unwrap_or((PLAIN, key));
    let lines = bundle.sections.entry(section.to_owned()).or_default();
    for (form, text) in loaded.messages.forms(language, key, &|hole| value(&loaded.catalog, key, hole)) {
        let form = form.map_or_else(String::new, |form| format!(" ({form})"));
        lines.push_str(&format!("{name}{form}: {}\n", text.replace('\n', "\\n")));
    }
}

/// The values that a card or rule fills into its texts: params and, for a card, props.
fn value(catalog: &Catalog, key: &str, hole: &str) -> Option<Arg> {
    let (subject, _) = key.rsplit_once('.')?;
    match subject.split_once('.')? {
        ("card", id) => {
            let design = &catalog.designs[catalog.design(id)?.index()];
            let prop = || design.props.get(catalog.symbol(hole)?);
            design.params.get(hole).copied().map(Value::Int).or_else(prop)
        }
        ("rule", id) => catalog.rules.iter().find(|rule| rule.id == id)?.params.get(hole).copied().map(Value::Int),
        _ => return None,
    }
    .map(|value| match value {
        Value::Int(number) => Arg::Int(number),
        other => Arg::Text(catalog.id_of(other)),
    })
}

/// Whether a line of a comparison is new, and the line, if it differs and is not empty.
fn changed_line(line: &str) -> Option<(bool, &str)> {
    let (is_new, text) =
        line.strip_prefix('+').map(|text| (true, text)).or(line.strip_prefix('-').map(|text| (false, text)))?;
    Some((is_new, text.trim())).filter(|(_, text)| !text.is_empty())
}

/// Findings about the stored texts; none if the pack stores no texts. Those that earlier findings explain are left out;
/// the positions of these findings are added to `held_by`.
pub fn findings(loaded: &Loaded, told: &[Finding], held_by: &mut Vec<usize>) -> Vec<Finding> {
    if !are_texts_stored(loaded) {
        return Vec::new();
    }
    let explanations = Explanations::new(loaded, told);
    let mut is_unexplained = |texts: &Texts| {
        let is_changed = texts.verdict == Verdict::Changed && !texts.changed.is_empty();
        let why = is_changed.then(|| explanations.of(&texts.language, &texts.changed)).flatten();
        held_by.extend(why);
        why.is_none()
    };
    let finding = |texts: &Texts| match texts.verdict {
        Verdict::Same | Verdict::Accepted => None,
        Verdict::New => Some(
            Finding::new(Code::NewTexts, &texts.file, "these texts are not stored yet")
                .help("read them and store them with `principes test --accept`"),
        ),
        Verdict::Changed | Verdict::Unwritable(_) => {
            let changed: Vec<(bool, &str)> = texts.diff.lines().filter_map(changed_line).collect();
            let first = changed.iter().find(|(is_new, _)| *is_new).or(changed.first());
            let line = first.map(|(_, line)| format!(": `{line}`")).unwrap_or_default();
            let message = format!("the texts do not match what is stored{line}");
            Some(
                Finding::new(Code::ChangedTexts, &texts.file, message)
                    .help("`principes test` shows what changed; `--accept` stores it"),
            )
        }
    };
    texts(loaded).iter().filter(|texts| is_unexplained(texts)).filter_map(finding).collect()
}

/// Stored texts of folders or languages that no longer have messages.
pub(crate) fn orphans(loaded: &Loaded) -> Vec<Orphan> {
    let Some(info) = under_test(loaded) else { return Vec::new() };
    let stored: Vec<String> = stored_paths(loaded).into_iter().filter(|path| is_texts(path)).collect();
    if stored.is_empty() {
        return Vec::new();
    }
    let known = stored_by(loaded, info);
    let without = stored.iter().filter(|path| !known.contains_key(*path));
    let files = info.source.list().unwrap_or_default();
    let orphan = |path: &String| {
        let of = files.iter().filter(|file| stores(file).as_deref() == Some(path));
        Orphan { file: info.source.label(path), section: None, of: of.map(|file| info.source.label(file)).collect() }
    };
    without.map(orphan).collect()
}
