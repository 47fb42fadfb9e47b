//! Mutants: copies of a pack with one small mistake each. Checks and scenarios that are worth their name notice it.
//!
//! A mutant changes a few bytes of one content file or script. It is judged in memory: first by [`check`], then, where that
//! finds nothing new, by the scenarios that can notice it, the likeliest first. Prose, provenance, drawing positions, pins
//! and scenarios are not changed.

mod json;
mod lua;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use principes_findings::{Code, Finding};
use principes_json::{Document, MemberPart, decode, parse};
use principes_model::{Checked, Loaded};
use principes_schemas::Family;
use principes_scripting::{LineHits, LuaHost};
use principes_source::{FileRole, PackSource};

use crate::files::{ScenarioFile, pack_under_test, scenario_files};
use crate::runner::ScenarioRunner;

macro_rules! classes {
    ($($name:ident $text:literal $doc:literal;)*) => {
        /// A kind of mistake.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Class {
            $(#[doc = $doc] $name,)*
        }

        impl Class {
            /// All classes, in the order in which they are listed for users.
            pub const ALL: &[Class] = &[$(Class::$name),*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Class::$name => $text),* }
            }

            /// What it does.
            pub fn doc(self) -> &'static str {
                match self { $(Class::$name => $doc),* }
            }
        }
    };
}

classes! {
    Number "number" "a number of a content file, one more or less, 0, or with the other sign";
    Boolean "boolean" "true for false in a content file";
    Keyword "keyword" "another word in a content file";
    Reference "reference" "the id of another entity of the same family";
    Handler "handler" "another function of the same module as hook";
    DroppedEntry "dropped-entry" "a field or list entry left out";
    ReferenceTypo "reference-typo" "an id with two letters changed over";
    HandlerTypo "handler-typo" "a hook's function with two letters changed over";
    Condition "condition" "a condition negated, `and` for `or`";
    Comparison "comparison" "`<` for `<=`, `==` for `~=`, and so on";
    Arithmetic "arithmetic" "`+` for `-`, `*` for `+`";
    Literal "literal" "a number one more or less, true for false, in a script";
    Constant "constant" "another constant of the same table";
    OtherCall "other-call" "another function of the API with as many parameters";
    DroppedCall "dropped-call" "a statement that calls a function left out";
    DroppedAssignment "dropped-assignment" "an assignment left out";
    DroppedReturn "dropped-return" "a return without its values";
    DroppedArgument "dropped-argument" "an argument left out that the function needs";
    DroppedOption "dropped-option" "an argument left out that the function can do without";
    SwappedArguments "swapped-arguments" "two arguments changed over";
    ApiTypo "api-typo" "a function of the API with two letters changed over";
    ConstantTypo "constant-typo" "a constant with two letters changed over";
    FunctionTypo "function-typo" "a function of a module with two letters changed over";
    FieldTypo "field-typo" "a field with two letters changed over";
    WordTypo "word-typo" "a word in quotes with two letters changed over";
}

impl Class {
    /// The class with a name.
    pub fn with_name(name: &str) -> Option<Class> {
        Class::ALL.iter().copied().find(|class| class.name() == name)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A change of a text.
struct Site {
    class: Class,
    range: Range<usize>,
    with: String,
}

/// NamePool that a mistake could take in place of the right one.
#[derive(Default)]
struct NamePool {
    /// Ids by family, in the order of their files.
    ids: BTreeMap<String, Vec<String>>,
    /// The tables of constants with the names in them.
    constants: BTreeMap<&'static str, Vec<String>>,
    /// `module.function` of every function that the content names.
    functions: Vec<String>,
}

impl NamePool {
    fn of(&self, family: &str) -> impl Iterator<Item = &str> + Clone {
        self.ids.get(family).into_iter().flatten().map(String::as_str)
    }

    /// Functions of the same module.
    fn functions_beside<'a>(&'a self, function: &'a str) -> impl Iterator<Item = &'a str> + Clone {
        let module = |function: &'a str| function.rsplit_once('.').map(|(module, _)| module);
        self.functions.iter().map(String::as_str).filter(move |other| module(other) == module(function))
    }

    fn gather(loaded: &Loaded) -> NamePool {
        let mut names = NamePool::default();
        for entity in &loaded.entities {
            names.ids.entry(entity.family.key().to_owned()).or_default().push(entity.id.clone());
        }
        for (table, family) in [
            ("faction", Family::Factions),
            ("space", Family::Spaces),
            ("kind", Family::Kinds),
            ("zone", Family::Zones),
            ("counter", Family::Counters),
            ("design", Family::Cards),
        ] {
            names.constants.insert(table, names.of(family.key()).map(|id| id.replace(['-', '.'], "_")).collect());
        }
        let hooks = loaded.catalog.hooks.iter().filter(|hook| hook.change.is_none());
        let functions: BTreeSet<String> = hooks.map(|hook| format!("{}.{}", hook.module, hook.function)).collect();
        names.functions = functions.into_iter().collect();
        names
    }
}

/// A word with two letters changed over, as happens when one types fast.
fn typo(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    // The first letter mostly stays right.
    match (1..letters.len().saturating_sub(1)).find(|at| letters[*at] != letters[at + 1]) {
        Some(at) => {
            let mut changed = letters;
            changed.swap(at, at + 1);
            changed.into_iter().collect()
        }
        None => format!("{word}x"),
    }
}

/// A pack with one mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What kind of mistake.
    pub class: Class,
    /// The file inside its pack.
    pub path: String,
    /// The file as users name it.
    pub file: String,
    /// Line of the first changed byte, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// The lines that change, as they are.
    pub before: String,
    /// The same lines, changed.
    pub after: String,
    /// The entity that is changed, where it is one.
    pub entity: Option<String>,
    range: Range<usize>,
    with: String,
    lines: Range<u32>,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The check found something that it does not find in the pack as it is: its code and message.
    Check(Code, String),
    /// A scenario failed or ran otherwise than stored: its id.
    Scenario(String),
    /// Nobody noticed, though this many scenarios could have.
    Survived(usize),
}

/// Why a pack cannot be judged.
#[derive(Debug)]
pub enum Unready {
    /// It has errors itself.
    Broken(Vec<Finding>),
    /// Scenarios fail as it is: their ids.
    Failing(Vec<String>),
    /// Its files cannot be read.
    Unreadable(io::Error),
}

/// How a pack is checked, its scripts included.
pub type CheckPack = Box<dyn Fn(&Arc<dyn PackSource>) -> Checked + Send + Sync>;

/// A pack as it is, ready to be compared with its mutants. One for all threads.
pub struct Judge {
    source: Arc<dyn PackSource>,
    check: CheckPack,
    texts: BTreeMap<String, Arc<str>>,
    mutants: Vec<Mutant>,
    /// What the check says of the pack as it is.
    known: BTreeSet<(Code, String, String)>,
    files: Arc<[ScenarioFile]>,
    /// The words of each scenario's transcript.
    words: Vec<BTreeSet<String>>,
    /// The scenarios that run a line, by module and line.
    reach: BTreeMap<String, BTreeMap<u32, Vec<usize>>>,
}

impl Judge {
    /// Checks the pack, runs its scenarios once and looks for places to change.
    pub fn new(source: &Arc<dyn PackSource>, check: CheckPack) -> Result<Judge, Unready> {
        let whole = check(source);
        let loaded = whole.loaded.ok_or(Unready::Broken(whole.findings))?;
        let files: Arc<[ScenarioFile]> = scenario_files(&loaded, pack_under_test(&loaded)).into();
        let (words, reach) = rehearse(&loaded, &files)?;
        let mut judge = Judge {
            source: Arc::clone(source),
            check,
            texts: BTreeMap::new(),
            mutants: Vec::new(),
            known: BTreeSet::new(),
            files,
            words,
            reach,
        };
        let bare: Arc<dyn PackSource> = Arc::new(Overlay { inner: Arc::clone(source), changed: None });
        judge.known = (judge.check)(&bare).findings.iter().map(key).collect();
        judge.find(&loaded).map_err(Unready::Unreadable)?;
        Ok(judge)
    }

    /// All mutants, in order of file and place.
    pub fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }

    /// How many scenarios the pack has.
    pub fn scenarios(&self) -> usize {
        self.files.len()
    }

    fn find(&mut self, loaded: &Loaded) -> io::Result<()> {
        let names = NamePool::gather(loaded);
        let mut documents = Vec::new();
        let mut keywords = json::Keywords::new();
        for path in self.source.list()? {
            let is_script = match FileRole::of(&path) {
                FileRole::Script(_) => true,
                FileRole::Entities => false,
                _ => continue,
            };
            let file = self.source.label(&path);
            // The pack was loaded, so its files are fine.
            let mut fine = Vec::new();
            let bytes = self.source.read(&path)?;
            if is_script {
                let text = decode(&file, &bytes, &mut fine);
                for site in lua::sites(&text, &names) {
                    self.mutants.push(mutant(&path, &file, &text, site, None));
                }
                self.texts.insert(path, text);
                continue;
            }
            let Ok(document) = parse(0, &path, &file, &bytes, &mut fine) else { continue };
            for part in document.parts() {
                let Some(family) = part.family.filter(|family| json::is_meant(*family)) else { continue };
                json::keywords(&part, family, &mut keywords);
                documents.push((part, family));
            }
        }
        for (document, family) in documents {
            let entities = entity_places(&document, family);
            for site in json::sites(&document, family, &names, &keywords) {
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

    /// Looks whether anybody notices a mutant.
    pub fn judge(&self, mutant: &Mutant) -> Fate {
        let text = self.texts.get(&mutant.path).map_or("", |text| text);
        let changed = format!("{}{}{}", &text[..mutant.range.start], mutant.with, &text[mutant.range.end..]);
        let changed = Some((mutant.path.clone(), changed.into_bytes()));
        let overlay: Arc<dyn PackSource> = Arc::new(Overlay { inner: Arc::clone(&self.source), changed });
        let checked = (self.check)(&overlay);
        if let Some(new) = checked.findings.iter().find(|finding| !self.known.contains(&key(finding))) {
            return Fate::Check(new.code, new.message.clone());
        }
        // Without findings there is something to play.
        let Some(loaded) = checked.loaded else {
            return Fate::Check(Code::UnfitValue, "the pack cannot be loaded".to_owned());
        };
        let runner = match ScenarioRunner::new(&loaded, Arc::clone(&self.files), LuaHost::new) {
            Ok(runner) => runner,
            // A function that only a scenario names.
            Err(faults) => {
                return Fate::Scenario(faults.first().map_or_else(String::new, |fault| fault.message.clone()));
            }
        };
        let order = self.order(mutant);
        let failing = order.iter().find(|at| !runner.run_one(&self.files[**at]).passed());
        failing.map_or(Fate::Survived(order.len()), |at| Fate::Scenario(self.files[*at].scenario.id.to_string()))
    }

    /// The scenarios that could notice, likely ones first.
    fn order(&self, mutant: &Mutant) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        if let FileRole::Script(module) = FileRole::of(&mutant.path) {
            let none = BTreeMap::new();
            let lines = self.reach.get(module).unwrap_or(&none);
            let near: Vec<&Vec<usize>> = lines.range(mutant.lines.clone()).map(|(_, scenarios)| scenarios).collect();
            // A line that only runs while modules load is nobody's own: whoever runs the module may notice.
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

    /// Whether a line stands outside of all functions: it begins a line.
    fn runs_at_load(&self, mutant: &Mutant) -> bool {
        let text = self.texts.get(&mutant.path).map_or("", |text| text);
        let depth = text[..mutant.range.start].lines().rev().find(|line| {
            line.starts_with("function ") || line.starts_with("local function ") || line.starts_with("end")
        });
        depth.is_none_or(|line| line.starts_with("end"))
    }
}

fn key(finding: &Finding) -> (Code, String, String) {
    (finding.code, finding.file.clone(), finding.message.clone())
}

/// Where each entity of a document stands.
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
        entity,
        range,
        with,
        lines: line as u32..last as u32 + 1,
    }
}

/// Plays all scenarios once: the words of each transcript, and which lines each runs.
#[allow(clippy::type_complexity)]
fn rehearse(
    loaded: &Loaded,
    files: &Arc<[ScenarioFile]>,
) -> Result<(Vec<BTreeSet<String>>, BTreeMap<String, BTreeMap<u32, Vec<usize>>>), Unready> {
    let runner = ScenarioRunner::new(loaded, Arc::clone(files), LuaHost::counting_lines).map_err(Unready::Broken)?;
    let (mut words, mut failing) = (Vec::new(), Vec::new());
    let mut reach: BTreeMap<String, BTreeMap<u32, Vec<usize>>> = BTreeMap::new();
    let mut before: LineHits = runner.host().line_hits();
    for (at, file) in files.iter().enumerate() {
        let outcome = runner.run_one(file);
        if !outcome.passed() {
            failing.push(outcome.id.clone());
        }
        let is_part = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.');
        words.push(outcome.transcript.split(is_part).map(str::to_owned).collect());
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

/// A pack without its scenarios, which no mutant touches, and with one file changed.
struct Overlay {
    inner: Arc<dyn PackSource>,
    changed: Option<(String, Vec<u8>)>,
}

impl PackSource for Overlay {
    fn list(&self) -> io::Result<Vec<String>> {
        let mut files = self.inner.list()?;
        files.retain(|path| !matches!(FileRole::of(path), FileRole::Scenarios | FileRole::Snapshots));
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
    use super::*;

    #[test]
    fn typos_differ_from_the_word() {
        for (word, wrong) in [("place", "palce"), ("aabb", "abab"), ("abb", "abbx"), ("x", "xx"), ("", "x")] {
            assert_eq!(typo(word), wrong);
        }
    }
}
