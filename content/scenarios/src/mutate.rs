//! Mutants: copies of a pack with one small mistake each. Good checks and scenarios notice it.
//!
//! A mutant changes a few bytes of one content file or script. It is judged in memory: first by `check`, then, if that
//! finds nothing new, by the scenarios that can notice it, the likeliest first. Prose, provenance, drawing positions,
//! pins and scenarios are not changed.

mod class;
mod json;
mod lua;
mod site;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use principes_core::HookPointId;
use principes_core::catalog::Hook;
use principes_findings::{Code, Finding};
use principes_json::{Document, MemberPart, decode, parse};
use principes_model::{Checked, Loaded};
use principes_schemas::Family;
use principes_scripting::{LineHits, LuaHost};
use principes_source::{FileRole, PackSource};

pub use self::class::Class;
use self::site::{NamePool, Site};
use crate::files::{ScenarioFile, pack_under_test, scenario_files};
use crate::runner::ScenarioRunner;

/// A pack with one mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The class of the mistake.
    pub class: Class,
    /// The file inside its pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// Line of the first changed byte, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// The lines that change, before the change.
    pub before: String,
    /// The same lines, changed.
    pub after: String,
    /// What is changed.
    pub token: String,
    /// What it becomes.
    pub becomes: String,
    /// The entity that is changed, if any.
    pub entity: Option<String>,
    /// Whether only bots use it.
    pub for_bots: bool,
    range: Range<usize>,
    with: String,
    lines: Range<u32>,
}

/// The fate of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The check found something new: its code and message.
    Check(Code, String),
    /// A scenario failed or no longer matches its snapshot: its id.
    Scenario(String),
    /// The texts no longer match the stored ones: their file.
    Texts(String),
    /// A trial game failed, for this reason.
    Game(String),
    /// Nothing noticed it. These scenarios should have, likeliest first: they run the line, or name the entity.
    Survived(Vec<String>),
}

/// Why the mutants of a pack cannot be judged.
#[derive(Debug)]
pub enum Unready {
    /// The pack has errors.
    Broken(Vec<Finding>),
    /// Scenarios fail without any mutant: their ids.
    Failing(Vec<String>),
    /// Its files cannot be read.
    Unreadable(io::Error),
}

/// The check of a pack, including its scripts.
pub type CheckPack = Box<dyn Fn(&Arc<dyn PackSource>) -> Checked + Send + Sync>;

/// Plays a few games, and returns why one failed.
pub type TryOut = Box<dyn Fn(&Loaded) -> Option<String> + Send + Sync>;

/// An unchanged pack, ready to be compared with its mutants. All threads share it.
pub struct Judge {
    source: Arc<dyn PackSource>,
    check: CheckPack,
    play: Option<TryOut>,
    /// The texts that players read, by the file that stores them, if the stored ones are current.
    faces: BTreeMap<String, String>,
    texts: BTreeMap<String, Arc<str>>,
    mutants: Vec<Mutant>,
    /// The findings about the unchanged pack.
    known: BTreeSet<(Code, String, String)>,
    files: Arc<[ScenarioFile]>,
    /// The words of each scenario's transcript.
    words: Vec<BTreeSet<String>>,
    /// The scenarios that run each line, by module and line.
    reach: Reach,
}

impl Judge {
    /// Checks the pack, runs its scenarios once, and finds the places to change.
    pub fn new(source: &Arc<dyn PackSource>, check: CheckPack, play: Option<TryOut>) -> Result<Judge, Unready> {
        let whole = check(source);
        let loaded = whole.loaded.ok_or(Unready::Broken(whole.findings))?;
        let files: Arc<[ScenarioFile]> = scenario_files(&loaded, pack_under_test(&loaded)).into();
        let (words, reach) = rehearse(&loaded, &files)?;
        let mut judge = Judge {
            source: Arc::clone(source),
            check,
            play,
            faces: faces(&loaded)
                .into_iter()
                .filter(|(_, stored, _)| *stored)
                .map(|(path, _, text)| (path, text))
                .collect(),
            texts: BTreeMap::new(),
            mutants: Vec::new(),
            known: BTreeSet::new(),
            files,
            words,
            reach,
        };
        let bare: Arc<dyn PackSource> = Arc::new(Overlay { inner: Arc::clone(source), changed: None });
        let bare = (judge.check)(&bare);
        judge.known = bare.findings.iter().map(key).collect();
        // What cannot be loaded without any mistake would pass for noticed with each.
        bare.loaded.ok_or(Unready::Broken(bare.findings))?;
        judge.find(&loaded).map_err(Unready::Unreadable)?;
        Ok(judge)
    }

    /// All mutants, by file and position.
    pub fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }

    /// The number of scenarios of the pack.
    pub fn scenarios(&self) -> usize {
        self.files.len()
    }

    fn find(&mut self, loaded: &Loaded) -> io::Result<()> {
        let names = NamePool::gather(loaded);
        let bots = modules_of_bots(loaded);
        let mut documents = Vec::new();
        let mut keywords = json::KeywordsByPlace::new();
        let families = json::families();
        for path in self.source.list()? {
            let is_script = match FileRole::of(&path) {
                FileRole::Script(_) => true,
                FileRole::Entities | FileRole::Messages(_) => false,
                _ => continue,
            };
            let file = self.source.label(&path);
            // The pack was loaded, so its files can be read.
            let mut fine = Vec::new();
            let bytes = self.source.read(&path)?;
            if is_script {
                let text = decode(&file, &bytes, &mut fine);
                let is_bots = bots.contains(FileRole::of(&path).module().unwrap_or_default());
                for site in lua::sites(&text, &names) {
                    self.mutants.push(Mutant { for_bots: is_bots, ..mutant(&path, &file, &text, site, None) });
                }
                self.texts.insert(path, text);
                continue;
            }
            let Ok(document) = parse(0, &path, &file, &bytes, &mut fine) else { continue };
            if let FileRole::Messages(_) = FileRole::of(&path) {
                for site in json::texts(&document) {
                    self.mutants.push(mutant(&path, &file, &document.text, site, None));
                }
                self.texts.insert(path, document.text);
                continue;
            }
            for part in document.parts() {
                let Some(family) = part.family.filter(|family| json::is_mutated(*family)) else { continue };
                json::keywords(&part, family, &families, &mut keywords);
                documents.push((part, family));
            }
        }
        for (document, family) in documents {
            let entities = entity_places(&document, family);
            for site in json::sites(&document, family, &families, &names, &keywords) {
                let inside = |(place, _): &&(Range<usize>, String)| place.contains(&site.range.start);
                let entity = entities.iter().find(inside).map(|(_, id)| id.clone());
                self.mutants.push(mutant(&document.path, &document.file, &document.text, site, entity));
            }
            self.texts.insert(document.path.clone(), document.text);
        }
        self.mutants.sort_by(|a, b| (&a.path, a.range.start, a.class).cmp(&(&b.path, b.range.start, b.class)));
        self.mutants.dedup_by(|a, b| (&a.path, &a.range, &a.with) == (&b.path, &b.range, &b.with));
        Ok(())
    }

    /// Finds what notices a mutant.
    pub fn judge(&self, mutant: &Mutant) -> Fate {
        let text = self.texts.get(&mutant.path).map_or("", |text| text);
        let changed = format!("{}{}{}", &text[..mutant.range.start], mutant.with, &text[mutant.range.end..]);
        let changed = Some((mutant.path.clone(), changed.into_bytes()));
        let overlay: Arc<dyn PackSource> = Arc::new(Overlay { inner: Arc::clone(&self.source), changed });
        let checked = (self.check)(&overlay);
        if let Some(new) = checked.findings.iter().find(|finding| !self.known.contains(&key(finding))) {
            return Fate::Check(new.code, new.message.clone());
        }
        // A pack without findings can be played.
        let Some(loaded) = checked.loaded else {
            return Fate::Check(Code::UnfitValue, "cannot load the pack".to_owned());
        };
        let faces = faces(&loaded);
        if let Some(path) = self.faces.iter().find_map(|(path, text)| {
            let same = faces.iter().any(|(other, _, now)| (other, now) == (path, text));
            (!same).then(|| self.source.label(path))
        }) {
            return Fate::Texts(path);
        }
        let runner = match ScenarioRunner::new(&loaded, Arc::clone(&self.files), LuaHost::new) {
            Ok(runner) => runner,
            // Only a scenario names the function.
            Err(findings) => {
                return Fate::Scenario(findings.first().map_or_else(String::new, |finding| finding.message.clone()));
            }
        };
        let order = self.order(mutant);
        let failing = order.iter().find(|at| !runner.run_one(&self.files[**at]).passed());
        let id = |at: &usize| self.files[*at].scenario.id.to_string();
        if let Some(at) = failing {
            return Fate::Scenario(id(at));
        }
        match self.play.as_ref().and_then(|play| play(&loaded)) {
            Some(why) => Fate::Game(why),
            None => Fate::Survived(order.iter().filter(|at| self.is_near(mutant, **at)).map(id).collect()),
        }
    }

    /// Whether a scenario mentions the entity of a mutant.
    fn is_near(&self, mutant: &Mutant, at: usize) -> bool {
        mutant.entity.as_ref().is_none_or(|entity| self.words[at].contains(entity))
    }

    /// The scenarios that could notice a mutant, likeliest first.
    fn order(&self, mutant: &Mutant) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        if let FileRole::Script(module) = FileRole::of(&mutant.path) {
            let none = BTreeMap::new();
            let lines = self.reach.get(module).unwrap_or(&none);
            let near: Vec<&Vec<usize>> = lines.range(mutant.lines.clone()).map(|(_, scenarios)| scenarios).collect();
            // A line that only runs while modules load belongs to no scenario: any code that runs the module may
            // notice.
            return match near.iter().all(|scenarios| scenarios.is_empty()) {
                false => near.into_iter().flatten().copied().collect::<BTreeSet<usize>>().into_iter().collect(),
                true if near.is_empty() || self.runs_at_load(mutant) => {
                    let runs: BTreeSet<usize> = lines.values().flatten().copied().collect();
                    order.sort_by_key(|at| !runs.contains(at));
                    order
                }
                true => Vec::new(),
            };
        }
        if let Some(entity) = &mutant.entity {
            order.sort_by_key(|at| !self.words[*at].contains(entity));
        }
        order
    }

    /// Whether a line is outside all functions: it is not indented.
    fn runs_at_load(&self, mutant: &Mutant) -> bool {
        let text = self.texts.get(&mutant.path).map_or("", |text| text);
        let depth = text[..mutant.range.start].lines().rev().find(|line| {
            line.starts_with("function ") || line.starts_with("local function ") || line.starts_with("end")
        });
        depth.is_none_or(|line| line.starts_with("end"))
    }
}

/// The texts of the pack under test: file, whether the stored ones are current, and text.
fn faces(loaded: &Loaded) -> Vec<(String, bool, String)> {
    let texts = crate::texts::texts(loaded).into_iter();
    texts.map(|texts| (texts.path.clone(), texts.passed(), texts.text)).collect()
}

/// Script modules that only bots use: their hooks and imports lead from no other hook to them.
fn modules_of_bots(loaded: &Loaded) -> BTreeSet<String> {
    let is_for_bots = |point: HookPointId| loaded.catalog.points[point.index()].id.starts_with("bot.");
    let (bots, rules): (Vec<_>, Vec<_>) =
        loaded.catalog.hooks.iter().partition(|hook| hook.point.is_some_and(is_for_bots));
    let used_by = |hooks: Vec<&Hook>| {
        let mut open: Vec<String> = hooks.iter().map(|hook| hook.module.to_string()).collect();
        let mut used = BTreeSet::new();
        while let Some(name) = open.pop() {
            if let Some(script) = loaded.scripts.iter().find(|script| script.module == name)
                && used.insert(name)
            {
                open.extend(loaded.mentions(script).imports.iter().cloned());
            }
        }
        used
    };
    &used_by(bots) - &used_by(rules)
}

fn key(finding: &Finding) -> (Code, String, String) {
    (finding.code, finding.file.clone(), finding.message.clone())
}

/// The place of each entity of a document.
fn entity_places(document: &Document, family: Family) -> Vec<(Range<usize>, String)> {
    let items = document.value.get(family.key()).and_then(serde_json::Value::as_array);
    let place = |(at, item): (usize, &serde_json::Value)| {
        let range = document.bytes(&format!("/{}/{at}", family.key()), MemberPart::Value)?;
        Some((range, item.get("id")?.as_str()?.to_owned()))
    };
    items.into_iter().flatten().enumerate().filter_map(place).collect()
}

fn mutant(path: &str, file: &str, text: &str, site: Site, entity: Option<String>) -> Mutant {
    let Site { class, range, with } = site;
    let begin = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    let line = text[..begin].matches('\n').count() + 1;
    let last = line + text[begin..range.end].matches('\n').count();
    Mutant {
        class,
        path: path.to_owned(),
        file: file.to_owned(),
        line,
        column: text[begin..range.start].chars().count() + 1,
        before: text[begin..end].to_owned(),
        after: format!("{}{with}{}", &text[begin..range.start], &text[range.end..end]),
        token: text[range.clone()].to_owned(),
        becomes: with.clone(),
        entity,
        for_bots: false,
        range,
        with,
        lines: line as u32..last as u32 + 1,
    }
}

/// The positions of the scenarios that run each line, by module and line.
type Reach = BTreeMap<String, BTreeMap<u32, Vec<usize>>>;

/// Plays all scenarios once, to collect the words of each transcript and the lines that each runs.
fn rehearse(loaded: &Loaded, files: &Arc<[ScenarioFile]>) -> Result<(Vec<BTreeSet<String>>, Reach), Unready> {
    let runner = ScenarioRunner::new(loaded, Arc::clone(files), LuaHost::counting_lines).map_err(Unready::Broken)?;
    let (mut words, mut failing) = (Vec::new(), Vec::new());
    let mut reach = Reach::new();
    let mut before: LineHits = runner.host().line_hits();
    for (at, file) in files.iter().enumerate() {
        let result = runner.run_one(file);
        if !result.passed() {
            failing.push(result.id.clone());
        }
        let is_part = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.');
        words.push(result.transcript.split(is_part).map(str::to_owned).collect());
        let after = runner.host().line_hits();
        for (module, lines) in &after {
            let known = before.get(module);
            let reached = reach.entry(module.clone()).or_default();
            for (line, hits) in lines {
                let scenarios = reached.entry(*line).or_default();
                if known.and_then(|lines| lines.get(line)) != Some(hits) {
                    scenarios.push(at);
                }
            }
        }
        before = after;
    }
    if failing.is_empty() { Ok((words, reach)) } else { Err(Unready::Failing(failing)) }
}

/// A pack with one file changed. Its scenarios, which no mutant changes, are left out to save time, and so are its
/// rulebooks, which name scenarios.
struct Overlay {
    inner: Arc<dyn PackSource>,
    changed: Option<(String, Vec<u8>)>,
}

impl PackSource for Overlay {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut files = self.inner.list()?;
        files.retain(|path| {
            !matches!(FileRole::of(path), FileRole::Scenarios | FileRole::Snapshots | FileRole::Rules(_))
        });
        Ok(files)
    }
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match &self.changed {
            Some((changed, bytes)) if changed == path => Ok(bytes.clone()),
            _ => self.inner.read(path),
        }
    }
    fn label(&self, path: &str) -> String {
        self.inner.label(path)
    }
    fn beside(&self) -> Option<PathBuf> {
        self.inner.beside()
    }
    fn folder(&self) -> Option<PathBuf> {
        self.inner.folder()
    }
}

#[cfg(test)]
mod tests {
    use super::site::typo;

    #[test]
    fn typos_differ_from_the_word() {
        for (word, wrong) in [("place", "palce"), ("aabb", "abab"), ("abb", "abbx"), ("x", "xx"), ("", "x")] {
            assert_eq!(typo(word), wrong);
        }
    }
}
