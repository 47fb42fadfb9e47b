//! The messages of all packs. A key with placeholders of a series stands for a message of each of its cards.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use principes_findings::budget::{self, MOST_KEYS_TRIED};
use principes_findings::{Code, Finding};
use principes_json::{Member, MemberPart, Message, template};
use principes_model::{EntityPlace, Merged, MessageEntry};
use principes_schemas::Family;
use principes_source::FileRole;

/// All messages, in load order of the packs. In each pack, those of series come last.
pub fn gather(merged: &Merged, findings: &mut Vec<Finding>) -> Vec<MessageEntry> {
    let cards = cards(merged);
    let mut gathering = Gathering { merged, findings, list: Vec::new(), first: HashMap::new(), tried: 0 };
    for pack in 0..merged.packs.len() {
        let mut open: Vec<(usize, EntityPlace, &Arc<Message>)> = Vec::new();
        for (at, document) in merged.documents.of(Family::Messages).filter(|(_, document)| document.pack == pack) {
            let FileRole::Messages(language) = FileRole::of(&document.path) else { continue };
            for message in document.messages(language) {
                let place = EntityPlace { document: at, pointer: message.pointer.clone() };
                match template::holes(&message.key).len() {
                    0 => gathering.add(pack, 0, Arc::clone(message), place),
                    holes => open.push((holes, place, message)),
                }
            }
        }
        // A key with fewer placeholders is about fewer cards, so it wins.
        open.sort_by_key(|(holes, ..)| *holes);
        for (holes, place, message) in open {
            gathering.series(pack, holes, message, &place, &cards);
        }
    }
    gathering.list
}

/// The cards of all series, with their ids.
fn cards(merged: &Merged) -> Vec<(&str, &Member)> {
    let mut cards = Vec::new();
    for document in merged.documents.0.iter().filter(|document| document.family == Some(Family::Cards)) {
        for (pointer, id) in document.named() {
            cards.extend(document.member(pointer).map(|member| (id.as_str(), &**member)));
        }
    }
    cards
}

struct Gathering<'m> {
    merged: &'m Merged,
    findings: &'m mut Vec<Finding>,
    list: Vec<MessageEntry>,
    /// The first message of a pack with a language and key: its position, and the number of placeholders in its key.
    first: HashMap<(usize, MessageName), (usize, usize)>,
    tried: usize,
}

/// A message as its pack identifies it: by language and key. A hostile pack chooses them, so their hashes are keyed.
struct MessageName(Arc<Message>);

impl MessageName {
    fn parts(&self) -> (&str, &str) {
        (&self.0.language, &self.0.key)
    }
}

impl PartialEq for MessageName {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for MessageName {}

impl Hash for MessageName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl Gathering<'_> {
    fn add(&mut self, pack: usize, holes: usize, message: Arc<Message>, place: EntityPlace) {
        match self.first.entry((pack, MessageName(Arc::clone(&message)))) {
            Entry::Vacant(new) => {
                new.insert((self.list.len(), holes));
                self.list.push(MessageEntry { message, place });
            }
            Entry::Occupied(other) if other.get().1 < holes => {}
            Entry::Occupied(other) => {
                let EntityPlace { document: other, pointer } = &self.list[other.get().0].place;
                let twice = format!("the message `{}` is defined twice in this pack", message.key);
                let document = &self.merged.documents.0[place.document];
                self.findings.push(
                    document
                        .finding(Code::DuplicateMessage, &message.pointer, MemberPart::Key, twice)
                        .help("remove one of them")
                        .label(self.merged.documents.label(*other, pointer, MemberPart::Key, "the first is here")),
                );
            }
        }
    }

    /// Adds a message to each card of a series that its key names.
    fn series(
        &mut self,
        pack: usize,
        holes: usize,
        message: &Arc<Message>,
        place: &EntityPlace,
        cards: &[(&str, &Member)],
    ) {
        self.tried = self.tried.saturating_add(cards.len());
        if self.tried > MOST_KEYS_TRIED {
            let file = &self.merged.documents.0[place.document].file;
            let message = "there are too many keys with placeholders, so this one and those after it are left out";
            return self.findings.push(budget::exceeded(file, message, "write fewer of them, or fewer series"));
        }
        let mut is_used = false;
        for (id, member) in cards {
            let Some(key) = member.fill(&message.key) else { continue };
            let rest = key.strip_prefix("card.").and_then(|rest| rest.strip_prefix(id));
            if rest.is_some_and(|rest| rest.starts_with('.')) {
                is_used = true;
                self.add(pack, holes, Arc::new(message.with_key(key)), place.clone());
            }
        }
        // Another check reports it.
        if !is_used {
            self.add(pack, holes, Arc::clone(message), place.clone());
        }
    }
}
