//! A JSON file of a pack, read and validated.

use std::sync::{Arc, OnceLock};

use principes_findings::{Code, Finding, listing, suggestion};
use principes_schemas::Family;

use crate::broken::{Broken, salvage_value};
use crate::document::{Document, Validity, parse};
use crate::fix;
use crate::pointer::{MemberPart, escape};
use crate::schema;
use crate::series::{self, Growth};

/// A JSON file with results that do not depend on other files.
pub struct JsonFile {
    path: String,
    /// Its content.
    pub bytes: Arc<[u8]>,
    /// Its documents and findings, computed once.
    pub first: ReadFile,
    fitted: OnceLock<ReadFile>,
}

impl JsonFile {
    /// The file of a pack with this path inside of it. Users see it as `file`.
    pub fn read(path: &str, file: &str, bytes: &Arc<[u8]>) -> Self {
        JsonFile {
            path: path.to_owned(),
            bytes: Arc::clone(bytes),
            first: ReadFile::read(path, file, bytes),
            fitted: OnceLock::new(),
        }
    }

    /// Whether it is the file with this path and content.
    pub fn is(&self, path: &str, bytes: &Arc<[u8]>) -> bool {
        self.bytes == *bytes && self.path == path
    }

    /// How many values and keys it has.
    pub fn values(&self) -> usize {
        self.first.documents.first().map_or(0, |document| document.values)
    }

    /// Its documents and findings after the schema check.
    pub fn fitted(&self) -> &ReadFile {
        self.fitted.get_or_init(|| self.first.fit())
    }
}

/// The state of a file after a stage, with the findings so far.
#[derive(Clone)]
pub struct ReadFile {
    /// A document for each family in it; none if it is not JSON.
    pub documents: Vec<Document>,
    /// What this stage and all earlier ones found.
    pub findings: Vec<Finding>,
    /// Its unreadable parts.
    pub broken: Broken,
    /// What its series have added to it.
    pub growth: Growth,
}

impl ReadFile {
    fn read(path: &str, file: &str, bytes: &[u8]) -> ReadFile {
        let (mut findings, mut broken) = (Vec::new(), Broken::default());
        let documents = match parse(0, path, file, bytes, &mut findings) {
            Ok(document) if shares_families(&document) => document.parts(),
            Ok(mut document) => {
                document.family = family(&document, &mut findings).or_else(|| fix::family(&mut document));
                if document.family.is_none() {
                    broken.anything = true;
                    salvage_value(&document.value, &mut broken);
                }
                vec![document]
            }
            Err(text) => {
                broken.unreadable(file, &text);
                Vec::new()
            }
        };
        ReadFile { documents, findings, broken, growth: Growth::default() }
    }

    fn fit(&self) -> ReadFile {
        let (mut documents, mut findings, mut broken) = (self.documents.clone(), Vec::new(), Broken::default());
        let mut growth = Growth::default();
        for document in &mut documents {
            let more = series::expand(document, &mut broken, &mut findings);
            growth = Growth { values: growth.values + more.values, text: growth.text + more.text };
            check_schema(document, &mut broken, &mut findings);
        }
        ReadFile { documents, findings, broken, growth }
    }
}

/// Whether a file has several families that may share it.
fn shares_families(document: &Document) -> bool {
    let keys = document.value.as_object().into_iter().flat_map(|object| object.keys());
    let families: Vec<Family> = keys.filter_map(|key| Family::with_key(key)).collect();
    families.len() > 1 && families.iter().all(|family| family.shares_files())
}

/// The one family of a file by its key.
fn family(document: &Document, findings: &mut Vec<Finding>) -> Option<Family> {
    let all: Vec<&str> = Family::ALL.iter().map(|family| family.key()).collect();
    let Some(object) = document.value.as_object() else {
        findings.push(
            document
                .finding(Code::NoFamily, "", MemberPart::Value, "a content file is an object whose keys are families")
                .help(format!("the families are {}", listing(&all))),
        );
        return None;
    };
    let keys: Vec<&String> = object.keys().filter(|key| *key != "$schema").collect();
    let families: Vec<Family> = keys.iter().filter_map(|key| Family::with_key(key)).collect();
    match families.as_slice() {
        [one] => Some(*one),
        [] => {
            let near = keys.iter().find_map(|key| Some((key, suggestion(key, all.iter().copied())?)));
            let at = near.as_ref().map_or(String::new(), |(key, _)| format!("/{}", escape(key)));
            findings.push(
                document
                    .finding(Code::NoFamily, &at, MemberPart::Key, "the file has no family key")
                    .help(format!("the families are {}", listing(&all)))
                    .suggest(near.map(|(_, near)| near.of_program())),
            );
            None
        }
        several => {
            let alone = several.iter().find(|family| !family.shares_files());
            let key = alone.map_or("", |family| family.key());
            let others: Vec<&str> = several.iter().map(|family| family.key()).filter(|other| *other != key).collect();
            let message = format!("`{key}` cannot share a file with {}", listing(&others));
            let help = match alone {
                Some(Family::Messages) => "move the messages to a file such as `cards.en.json`",
                _ => "move the scenarios to a file such as `cards.scenarios.json`",
            };
            let at = format!("/{key}");
            findings.push(document.finding(Code::NoFamily, &at, MemberPart::Key, message).help(help));
            None
        }
    }
}

/// Checks a file against its schema, and fixes or leaves out what does not fit.
fn check_schema(document: &mut Document, broken: &mut Broken, findings: &mut Vec<Finding>) {
    let Some(family) = document.family else { return };
    let (mut violations, noted) = schema::check_noting(family.key(), &document.value);
    violations.retain(|violation| !fix::is_left_out(document, &violation.pointer));
    for violation in &violations {
        findings.push(violation.clone().finding_in(document, &violation.pointer));
    }
    if violations.is_empty() {
        document.validity = Validity::Valid;
        document.note(noted);
    } else {
        fix::fit(document, &violations, broken);
    }
}
