//! Files that fit their schemas.

use std::ops::Deref;
use std::sync::Arc;

use principes_schemas::{Family, MessagesFile};
use serde::Deserialize as _;
use serde_json::Value;

use crate::document::{Document, Validity};
use crate::documents::Documents;
use crate::message::Message;

/// A file of one family that was validated without errors, or whose errors were fixed or left out. Only such a file can
/// be read as its type.
#[derive(Clone, Copy, Debug)]
pub struct ValidDocument<'d> {
    document: &'d Document,
    family: Family,
}

impl Documents {
    /// The valid files of a family, with their positions.
    pub fn of(&self, family: Family) -> impl Iterator<Item = (usize, ValidDocument<'_>)> {
        let valid = self.0.iter().enumerate().filter_map(|(at, document)| Some((at, document.valid()?)));
        valid.filter(move |(_, document)| document.family == family)
    }
}

impl Document {
    /// The file, if it has exactly one family and fits its schema.
    pub fn valid(&self) -> Option<ValidDocument<'_>> {
        let family = self.family.filter(|_| self.validity == Validity::Valid)?;
        Some(ValidDocument { document: self, family })
    }
}

impl<'d> ValidDocument<'d> {
    /// The family of all its entities.
    pub fn family(&self) -> Family {
        self.family
    }

    /// The entities of the file, each read by `read`, by position; `None` for those that cannot be read. Call it with
    /// one type for each family.
    pub fn typed<T: Send + Sync + 'static>(&self, read: impl Fn(&Value) -> Option<T>) -> &'d [Option<Arc<T>>] {
        let list = || self.document.entities().iter().map(|item| read(item).map(Arc::new)).collect::<Vec<_>>();
        let known = self.document.memo.typed.get_or_init(|| Box::new(list()));
        known.downcast_ref::<Vec<Option<Arc<T>>>>().map_or(&[], Vec::as_slice)
    }

    /// The messages of the file; none if it has another family.
    pub fn messages(&self, language: &str) -> &'d [Arc<Message>] {
        self.document.memo.messages.get_or_init(|| {
            let file = MessagesFile::deserialize(&*self.document.value).ok();
            let messages = file.into_iter().flat_map(|file| file.messages.0);
            messages.map(|(key, text)| Arc::new(Message::new(language, key, text))).collect()
        })
    }
}

impl Deref for ValidDocument<'_> {
    type Target = Document;

    fn deref(&self) -> &Document {
        self.document
    }
}
