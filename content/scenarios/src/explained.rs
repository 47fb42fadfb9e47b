//! Changed texts that earlier findings explain.

use std::collections::BTreeSet;

use principes_findings::{Code, Finding};
use principes_model::Loaded;
use principes_source::FileRole;

/// The messages that one finding is about.
enum Told {
    /// Of one language, with their keys.
    Messages(String, BTreeSet<String>),
    /// Of an entity: what their keys begin with.
    Entity(String),
}

impl Told {
    /// What a finding is about; `None` if it is not about messages.
    fn of(game: &Loaded, finding: &Finding) -> Option<Told> {
        let documents = &game.origins.documents.0;
        let at = documents.iter().position(|document| document.file == finding.file)?;
        if let FileRole::Messages(language) = FileRole::of(&documents[at].path) {
            let key = finding.pointer.strip_prefix("/messages/")?.split('/').next()?;
            return Some(Told::Messages(language.to_owned(), game.keys_of(key).into_iter().collect()));
        }
        if finding.code != Code::MissingMessage {
            return None;
        }
        let entity = game.entities.iter().find(|entity| {
            let rest = finding.pointer.strip_prefix(entity.place.pointer.as_str());
            entity.place.document == at && rest.is_some_and(|rest| rest.starts_with('/'))
        })?;
        Some(Told::Entity(format!("{}.{}", entity.family.singular(), entity.id)))
    }

    fn is_about(&self, language: &str, key: &str) -> bool {
        match self {
            Told::Messages(of, keys) => of == language && keys.contains(key),
            Told::Entity(begin) => {
                key.strip_prefix(begin.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }
        }
    }
}

/// Findings, to compare changed texts with.
pub struct Explanations(Vec<(usize, Told)>);

impl Explanations {
    /// Those among the findings that are about messages.
    pub fn new(game: &Loaded, told: &[Finding]) -> Self {
        let told = told.iter().enumerate().filter_map(|(at, finding)| Some((at, Told::of(game, finding)?)));
        Explanations(told.collect())
    }

    /// The first finding about the changed messages; `None` if one of them has no finding.
    pub fn of(&self, language: &str, changed: &BTreeSet<String>) -> Option<usize> {
        let one = |key: &String| self.0.iter().find(|(_, told)| told.is_about(language, key)).map(|(at, _)| *at);
        let all: Option<Vec<usize>> = changed.iter().map(one).collect();
        all?.into_iter().min()
    }
}
