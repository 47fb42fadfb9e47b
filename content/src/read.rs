//! Reading the files of all packs.

use std::collections::HashMap;
use std::sync::Arc;

use principes_analysis::ScriptFile;
use principes_findings::budget::{self, Deadline, MOST_RULES, MOST_TEXT, MOST_VALUES};
use principes_findings::{Code, Finding, escape};
use principes_json::{Document, Lost, MemberPart, ReadFile, decode};
use principes_model::Merged;
use principes_model::rulebook::RulesFile;
use principes_schemas::Family;
use principes_source::{FileRole, MAX_FILES, MAX_TOTAL_BYTES, is_safe_path};

use crate::options::{LoadOptions, Stage};

/// The limit of all scripts of a pack together, in bytes. Their analysis takes a hundred times as much.
const MAX_SCRIPT_BYTES: usize = 1 << 20;

/// Reads all files and, from [`Stage::Schema`] on, checks them against their schemas.
pub fn read_files(merged: &mut Merged, options: &LoadOptions, findings: &mut Vec<Finding>) {
    let mut reading = PackReader {
        merged,
        options,
        findings,
        modules: HashMap::new(),
        text: 0,
        values: 0,
        is_stopped: false,
        scenarios: Vec::new(),
    };
    for pack in 0..reading.merged.packs.len() {
        if reading.is_stopped {
            break;
        }
        if let Err(message) = reading.pack(pack) {
            let file = reading.merged.packs[pack].source.label("");
            reading.merged.broken.unread = Some(file.clone());
            reading.findings.push(Finding::new(Code::Unreadable, file, message));
            reading.merged.broken.anything = true;
        }
    }
    // Nothing depends on scenarios. If a budget runs out, they are left out first.
    for (pack, path, file, bytes) in std::mem::take(&mut reading.scenarios) {
        if reading.is_stopped || reading.stops(&file) {
            return;
        }
        reading.json(pack, FileRole::Scenarios, &path, &file, bytes);
    }
}

struct PackReader<'r> {
    merged: &'r mut Merged,
    options: &'r LoadOptions,
    findings: &'r mut Vec<Finding>,
    /// Files of the script modules so far.
    modules: HashMap<String, String>,
    /// Bytes of the JSON files so far.
    text: usize,
    /// Values and keys in them.
    values: usize,
    /// Whether a budget is used up, so that no further file is read.
    is_stopped: bool,
    /// Files of scenarios, which are read last: pack, path, file and content.
    scenarios: Vec<(usize, String, String, Arc<[u8]>)>,
}

impl PackReader<'_> {
    /// Reads a pack; an error says why the rest of it was not read.
    fn pack(&mut self, pack: usize) -> Result<(), String> {
        let source = Arc::clone(&self.merged.packs[pack].source);
        let paths = source.list().map_err(|error| format!("cannot list the files of the pack: {error}"))?;
        if paths.len() > MAX_FILES {
            return Err(format!("the pack has {} files; at most {MAX_FILES} are allowed", paths.len()));
        }
        let mut lower: HashMap<String, &str> = HashMap::new();
        let mut total = 0_u64;
        let mut scripts = 0_usize;
        for path in &paths {
            let file = source.label(path);
            if self.is_stopped || self.stops(&file) {
                return Ok(());
            }
            if let Some(finding) = bad_name(path, &file, &mut lower) {
                self.findings.push(finding);
                self.lose(path, file);
                continue;
            }
            let role = FileRole::of(path);
            if !self.is_read(role) {
                if source.is_link(path) {
                    self.findings.push(link_refused(file));
                } else if role == FileRole::Unknown {
                    self.findings.push(unknown_file(path, file));
                }
                continue;
            }
            let bytes = match self.options.cache.read(&*source, path, &file) {
                Ok(bytes) => bytes,
                Err(error) => {
                    self.findings.push(match source.is_link(path) {
                        true => link_refused(file.clone()),
                        false => Finding::new(Code::Unreadable, &file, format!("cannot read the file: {error}")),
                    });
                    self.lose(path, file);
                    continue;
                }
            };
            total += bytes.len() as u64;
            if total > MAX_TOTAL_BYTES {
                let most = MAX_TOTAL_BYTES >> 20;
                return Err(format!("the files of the pack together are longer than {most} MiB"));
            }
            match role {
                FileRole::Script(module) => {
                    scripts += bytes.len();
                    if scripts > MAX_SCRIPT_BYTES {
                        self.too_many_scripts(file);
                        return Ok(());
                    }
                    self.script(pack, module, path, file, bytes);
                }
                FileRole::Rules(language) => self.rules(pack, language, file, &bytes),
                FileRole::Scenarios => self.scenarios.push((pack, path.clone(), file, bytes)),
                _ => self.json(pack, role, path, &file, bytes),
            }
        }
        Ok(())
    }

    /// Notes that a file is not read, although the pack may need what is in it.
    fn lose(&mut self, path: &str, file: String) {
        let role = FileRole::of(path);
        let family = match role {
            FileRole::Messages(_) => Some(Family::Messages),
            // Nothing else needs them.
            FileRole::Scenarios => return,
            _ if self.is_read(role) => None,
            _ => return,
        };
        let broken = &mut self.merged.broken;
        broken.lost.push(Lost { file, pointer: String::new(), family, id: None });
        broken.families.extend(family);
        broken.anything |= family.is_none();
    }

    fn too_many_scripts(&mut self, file: String) {
        let most = MAX_SCRIPT_BYTES >> 20;
        let message = format!("with this script, the scripts of the pack together are longer than {most} MiB");
        self.findings.push(Finding::new(Code::Unreadable, file, message));
        self.merged.broken.anything = true;
    }

    /// Whether to stop reading, because it took too long or there are too many findings.
    fn stops(&mut self, file: &str) -> bool {
        if self.options.deadline.is_over() {
            self.stop(Deadline::finding(file, "this file, with all that follow it,"));
        } else if budget::is_full(self.findings) {
            self.merged.broken.anything = true;
            self.is_stopped = true;
        }
        self.is_stopped
    }

    /// Stops reading.
    fn stop(&mut self, why: Finding) {
        self.merged.broken.unread = Some(why.file.clone());
        self.findings.push(why);
        self.merged.broken.anything = true;
        self.is_stopped = true;
    }

    /// Whether anything is read from a file.
    fn is_read(&self, role: FileRole<'_>) -> bool {
        match role {
            FileRole::Manifest
            | FileRole::Entities
            | FileRole::Look
            | FileRole::Promises
            | FileRole::Bots
            | FileRole::Messages(_)
            | FileRole::Rules(_)
            | FileRole::Script(_) => true,
            FileRole::Scenarios => self.options.scenarios,
            FileRole::Snapshots | FileRole::Asset | FileRole::Note | FileRole::Unknown => false,
        }
    }

    fn script(&mut self, pack: usize, module: &str, path: &str, file: String, bytes: Arc<[u8]>) {
        let text = decode(&file, &bytes, self.findings);
        self.digest(pack, path, bytes);
        if let Some(first) = self.modules.insert(module.to_owned(), file.clone()) {
            self.findings.push(
                Finding::new(Code::DuplicateModule, &file, format!("two files are the script module `{module}`"))
                    .help(format!("the first is {first}; rename one of them")),
            );
            return;
        }
        let known = self.options.cache.script(&file, &text);
        let (module, path) = (module.to_owned(), path.to_owned());
        self.merged.scripts.push(ScriptFile { pack, module, path, file, text, known });
    }

    /// Keeps a rulebook. No game depends on it.
    fn rules(&mut self, pack: usize, language: &str, file: String, bytes: &[u8]) {
        if bytes.len() > MOST_RULES {
            let message = format!("the rulebook is longer than {} KiB", MOST_RULES >> 10);
            return self.findings.push(budget::exceeded(file, message, "make it shorter"));
        }
        let text = decode(&file, bytes, self.findings);
        let pack = self.merged.packs[pack].manifest.id.to_string();
        self.merged.rules_files.push(RulesFile { pack, language: language.to_owned(), file, text });
    }

    fn json(&mut self, pack: usize, role: FileRole<'_>, path: &str, file: &str, bytes: Arc<[u8]>) {
        if role == FileRole::Manifest {
            self.digest(pack, path, bytes);
            return;
        }
        self.text += bytes.len();
        if self.text > MOST_TEXT {
            let most = MOST_TEXT >> 20;
            let message = format!("with this file, the JSON files of the packs together are longer than {most} MiB");
            return self.stop(budget::exceeded(file, message, "make the packs smaller"));
        }
        let known = self.options.cache.json(path, file, &bytes);
        self.values += known.values();
        if self.values > MOST_VALUES {
            let message = format!("with this file, the packs together have more than {MOST_VALUES} JSON values");
            return self.stop(budget::exceeded(file, message, "make the packs smaller"));
        }
        if role.counts_in_play() {
            self.digest(pack, path, Arc::clone(&known.bytes));
        }
        self.findings.extend(known.first.documents.iter().filter_map(|document| misplaced(role, document)));
        let mut file = &known.first;
        self.note(file);
        if self.options.until >= Stage::Schema {
            file = known.fitted();
            self.note(file);
            self.text += file.growth.text;
            self.values += file.growth.values;
        }
        self.merged.documents.0.extend(file.documents.iter().map(|document| document.of_pack(pack)));
    }

    /// Adds the results of a file.
    fn note(&mut self, file: &ReadFile) {
        self.findings.extend(file.findings.iter().cloned());
        self.merged.broken.extend(&file.broken);
    }

    /// Notes a file that affects games.
    fn digest(&mut self, pack: usize, path: &str, bytes: Arc<[u8]>) {
        let name = format!("{}/{path}", self.merged.packs[pack].manifest.id);
        self.merged.digest.push((name, bytes));
    }
}

/// Reports a bad file name. `lower` holds the names before it in lower case.
fn bad_name<'p>(path: &'p str, file: &str, lower: &mut HashMap<String, &'p str>) -> Option<Finding> {
    if !is_safe_path(path) {
        let message = format!("`{}` is not a valid file name on every system", escape::line(path));
        let help = "use letters, digits, `.`, `_` and `-`, and avoid names of devices such as `con`";
        return Some(Finding::new(Code::BadFileName, file, message).help(help));
    }
    let twin = lower.insert(path.to_ascii_lowercase(), path)?;
    let message = format!("the name differs from `{twin}` only in case");
    Some(Finding::new(Code::BadFileName, file, message).help("rename one of them: some systems cannot store both"))
}

/// A family that no game depends on. Its files are known by their names, and hold nothing else.
struct Alone {
    role: FileRole<'static>,
    family: Family,
    /// What such a file holds, in words.
    holds: &'static str,
    /// What to do with anything else in it.
    others: &'static str,
    /// What to do with its entities in other files.
    elsewhere: &'static str,
}

const ALONE: [Alone; 3] = [
    Alone {
        role: FileRole::Look,
        family: Family::Looks,
        holds: "looks",
        others: "move the entities to another file; files of looks do not affect games",
        elsewhere: "rename it as `look.json` or `cards.look.json`",
    },
    Alone {
        role: FileRole::Promises,
        family: Family::Promises,
        holds: "promises about balance",
        others: "move the entities to another file; promises do not affect games",
        elsewhere: "rename it as `balance.json`, directly in the folder of the pack",
    },
    Alone {
        role: FileRole::Bots,
        family: Family::Bots,
        holds: "a trained player",
        others: "move the entities to another file; a trained player does not affect games",
        elsewhere: "rename it as `bots/player.bot.json`",
    },
];

impl Alone {
    /// What is wrong with a file of one role that holds another family, and what to do.
    fn misplaced(&self, role: FileRole<'_>, family: Family) -> (String, &'static str) {
        match role == self.role {
            true => {
                let message =
                    format!("the name of this file says that it holds {}, but it holds {}", self.holds, family.key());
                (message, self.others)
            }
            false => (format!("the name of this file does not show that it holds {}", self.holds), self.elsewhere),
        }
    }
}

/// Reports a file whose content does not fit its name.
fn misplaced(role: FileRole<'_>, document: &Document) -> Option<Finding> {
    let family = document.family?;
    let alone = ALONE.iter().find(|alone| alone.role == role || alone.family == family);
    let (message, help) = match (role, family) {
        _ if alone.is_some_and(|alone| alone.role == role && alone.family == family) => return None,
        (FileRole::Messages(_), Family::Messages) | (FileRole::Scenarios, Family::Scenarios) => return None,
        (FileRole::Look, Family::Patches) => {
            let list = document.value.get("patches").and_then(serde_json::Value::as_array);
            let is_other = |patch: &serde_json::Value| patch.get("of").is_some_and(|of| of != Family::Looks.key());
            let other = list.into_iter().flatten().position(is_other)?;
            let at = format!("/patches/{other}/of");
            let message = "the name of this file says that it holds looks, but this patch changes something else";
            let help = "move the patch to a file whose name does not end in `look.json`";
            return Some(document.finding(Code::MisplacedFile, &at, MemberPart::Value, message).help(help));
        }
        _ if alone.is_some() => alone?.misplaced(role, family),
        (FileRole::Messages(language), _) => (
            format!("the name of this file says that it holds messages in `{language}`, but it holds {}", family.key()),
            "remove the language from the name, or move the entities to another file",
        ),
        (FileRole::Scenarios, _) => (
            format!("the name of this file says that it holds scenarios, but it holds {}", family.key()),
            "rename the file: only files of scenarios may be in scenarios/ or end in `.scenarios.json`",
        ),
        (_, Family::Messages) => (
            "the name of this file does not show the language of its messages".to_owned(),
            "rename it as `cards.en.json`, or move it to locale/en/",
        ),
        (_, Family::Scenarios) => (
            "the name of this file does not show that it holds scenarios".to_owned(),
            "rename it as `cards.scenarios.json`, or move it to scenarios/",
        ),
        _ => return None,
    };
    let at = format!("/{}", family.key());
    Some(document.finding(Code::MisplacedFile, &at, MemberPart::Key, message).help(help))
}

/// Reports a file that nothing reads.
fn unknown_file(path: &str, file: String) -> Finding {
    let help = match path.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).as_deref() {
        Some("json" | "lua") => "write the ending of its name in lower case",
        Some("luau") => "scripts end in `.lua`",
        Some("json5" | "jsonc" | "yaml" | "yml" | "toml") => "content is written as JSON, in files that end in `.json`",
        _ => "packs hold JSON, Lua and Markdown; everything else belongs under assets/",
    };
    Finding::new(Code::UnknownFile, file, "nothing reads this file").help(help)
}

fn link_refused(file: String) -> Finding {
    Finding::new(
        Code::Unreadable,
        file,
        "this is a link; links are not followed because they could lead out of the pack",
    )
    .help("replace it with the file itself")
}
