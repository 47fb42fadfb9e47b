//! The content of all packs, merged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_analysis::ScriptFile;
use principes_findings::{Code, Finding, Label, Subject};
use principes_json::{Broken, Documents, Ids, MemberPart, Message};
use principes_schemas::{self as schemas, Family};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::history::History;
use crate::pack::PackEntry;
use crate::place::{EntityPlace, Sourced};
use crate::rulebook::RulesFile;

/// A message of one language.
#[derive(Clone, Debug)]
pub struct MessageEntry {
    /// What the file says.
    pub message: Arc<Message>,
    /// Where it is.
    pub place: EntityPlace,
}

impl std::ops::Deref for MessageEntry {
    type Target = Message;
    fn deref(&self) -> &Message {
        &self.message
    }
}

/// The content of all packs, in load order.
#[derive(Default)]
pub struct Merged {
    /// Packs, each after what it requires.
    pub packs: Vec<PackEntry>,
    /// Files.
    pub documents: Documents,
    /// Script files.
    pub scripts: Vec<ScriptFile>,
    /// Ids that references may name.
    pub ids: Arc<Ids>,
    /// For the fingerprint, the digest of each file that affects games.
    pub digest: Vec<(String, Arc<[u8]>)>,
    /// What patches did to each entity that they name.
    pub histories: BTreeMap<(Family, String), History>,
    /// What could not be read or fixed.
    pub broken: Broken,
    /// Declared properties and stats.
    pub props: Vec<Sourced<schemas::Prop>>,
    /// Factions, playable ones first.
    pub factions: Vec<Sourced<schemas::Faction>>,
    /// Those that files list, then the cells of the grid.
    pub spaces: Vec<Sourced<schemas::Space>>,
    /// The position in `spaces` at which the cells of the grid begin, which no file lists.
    pub cells: usize,
    /// Kinds of pieces.
    pub kinds: Vec<Sourced<schemas::Kind>>,
    /// Numbers of the game, its factions, spaces and cards.
    pub counters: Vec<Sourced<schemas::Counter>>,
    /// Places for cards.
    pub zones: Vec<Sourced<schemas::Zone>>,
    /// Card designs, with each series as its cards.
    pub cards: Vec<Sourced<schemas::Card>>,
    /// Hooks that are live without a card.
    pub rules: Vec<Sourced<schemas::Rule>>,
    /// Hook points that packs declare; the kernel's are not here.
    pub points: Vec<Sourced<schemas::Point>>,
    /// What seats can be asked.
    pub decisions: Vec<Sourced<schemas::Decision>>,
    /// Outermost phases.
    pub phases: Vec<Sourced<schemas::Phase>>,
    /// Settings of movement, battle, control, fog, tiles and asides.
    pub procedures: Vec<Sourced<schemas::Procedure>>,
    /// Named sets of setup options.
    pub variants: Vec<Sourced<schemas::Variant>>,
    /// What things look like. No rule reads them.
    pub looks: Vec<Sourced<schemas::Look>>,
    /// What designers say about the balance of the game.
    pub promises: Vec<Sourced<schemas::Promises>>,
    /// Trained players.
    pub bots: Vec<Sourced<schemas::Bot>>,
    /// Counts and sums that must be right.
    pub pins: Vec<Sourced<schemas::Pin>>,
    /// Tests of all packs; only those of the pack under test are played.
    pub scenarios: Vec<Sourced<schemas::Scenario>>,
    /// The rules as prose.
    pub rules_files: Vec<RulesFile>,
    /// Texts in every language.
    pub messages: Vec<MessageEntry>,
}

/// Reads the entities of a family.
pub trait ReadEntities {
    /// All entities of a family, as their type.
    fn read<T: DeserializeOwned + Send + Sync + 'static>(&mut self, merged: &Merged, family: Family)
    -> Vec<Sourced<T>>;
}

impl Merged {
    /// Fills the lists of entities, except the props, which decide what the other entities may have.
    pub fn gather(&mut self, reader: &mut impl ReadEntities) {
        self.factions = reader.read(self, Family::Factions);
        self.spaces = reader.read(self, Family::Spaces);
        self.kinds = reader.read(self, Family::Kinds);
        self.counters = reader.read(self, Family::Counters);
        self.zones = reader.read(self, Family::Zones);
        self.cards = reader.read(self, Family::Cards);
        self.rules = reader.read(self, Family::Rules);
        self.points = reader.read(self, Family::Points);
        self.decisions = reader.read(self, Family::Decisions);
        self.phases = reader.read(self, Family::Phases);
        self.procedures = reader.read(self, Family::Procedures);
        self.variants = reader.read(self, Family::Variants);
        self.looks = reader.read(self, Family::Looks);
        self.promises = reader.read(self, Family::Promises);
        self.bots = reader.read(self, Family::Bots);
        self.pins = reader.read(self, Family::Pins);
        self.scenarios = reader.read(self, Family::Scenarios);
    }

    /// A finding about a value of an entity. `field` is a pointer inside of the entity, empty for the entity itself.
    pub fn finding(&self, place: &EntityPlace, field: &str, code: Code, message: impl Into<String>) -> Finding {
        let pointer = format!("{}{field}", place.pointer);
        self.documents.finding(place.document, &pointer, MemberPart::Value, code, message)
    }

    /// The same, pointing at a key.
    pub fn finding_at_key(&self, place: &EntityPlace, field: &str, code: Code, message: impl Into<String>) -> Finding {
        let pointer = format!("{}{field}", place.pointer);
        self.documents.finding(place.document, &pointer, MemberPart::Key, code, message)
    }

    /// The finding with a fix that removes a value of an entity.
    pub fn without(&self, finding: Finding, place: &EntityPlace, field: &str) -> Finding {
        let (document, pointer) = self.documents.home(place.document, &format!("{}{field}", place.pointer));
        match document.removal(&pointer) {
            Some(span) => finding.fix("remove it", span, ""),
            None => finding,
        }
    }

    /// A label at a value of an entity.
    pub fn label(&self, place: &EntityPlace, field: &str, message: impl Into<String>) -> Label {
        self.documents.label(place.document, &format!("{}{field}", place.pointer), MemberPart::Value, message)
    }

    /// A part of an entity that findings can depend on. `field` is a pointer inside of the entity, empty for the whole
    /// entity.
    pub fn part(&self, place: &EntityPlace, field: &str) -> Subject {
        let document = &self.documents.0[place.document];
        let pointer = document.written(&format!("{}{field}", place.pointer), MemberPart::Key);
        Subject::Part { file: document.file.clone(), pointer }
    }

    /// Whether a pack builds on another because its manifest, or that of a pack between them, says so. A pack
    /// also builds on itself.
    pub fn stands_on(&self, pack: usize, other: usize) -> bool {
        let mut open = vec![pack];
        let mut seen = BTreeSet::new();
        while let Some(at) = open.pop() {
            if at == other {
                return true;
            }
            if seen.insert(at) {
                let named = |(_, earlier): &(usize, &PackEntry)| self.packs[at].names(earlier.manifest.id.as_str());
                open.extend(self.packs.iter().enumerate().filter(named).map(|(at, _)| at));
            }
        }
        false
    }

    /// The places and ids of all entities that files of a family list.
    pub fn entities(&self, family: Family) -> impl Iterator<Item = (EntityPlace, &str)> {
        let in_file = move |at: usize| {
            let items = self.documents.0[at].entities().iter().enumerate();
            items.filter_map(move |(index, item)| {
                let place = EntityPlace { document: at, pointer: format!("/{}/{index}", family.key()) };
                Some((place, item.get("id")?.as_str()?))
            })
        };
        self.documents.of(family).flat_map(move |(at, _)| in_file(at))
    }

    /// The game among the packs: the last game that no other one requires.
    pub fn game(&self) -> Option<&PackEntry> {
        self.packs.iter().rfind(|entry| entry.manifest.kind == schemas::PackKind::Game)
    }

    /// The pack that declares an entity, as its position in load order.
    pub fn pack_of(&self, place: &EntityPlace) -> usize {
        self.documents.0[place.document].pack
    }

    /// What patches did to an entity; `None` if they do not name it.
    pub fn history(&self, family: Family, id: &str) -> Option<&History> {
        // Most packs patch nothing, and this is asked for every entity and message.
        if self.histories.is_empty() {
            return None;
        }
        self.histories.get(&(family, id.to_owned()))
    }

    /// Whether a patch removed the entity.
    pub fn is_removed(&self, family: Family, id: &str) -> bool {
        self.history(family, id).is_some_and(|History { place, .. }| {
            self.documents.0[place.document].value.pointer(&place.pointer).is_none_or(Value::is_null)
        })
    }
}
