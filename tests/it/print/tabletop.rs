//! Saves of Tabletop Simulator contain only documented fields, and every picture that they name exists.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::pack;
use principes_app::packs::OpenPacks;
use principes_print::Printer;
use serde_json::Value as Json;

use super::{all, base};

/// The fields of saves and objects that the documents of the program describe.
const SAVE: &[&str] = &[
    "SaveName",
    "GameMode",
    "Date",
    "VersionNumber",
    "Table",
    "Sky",
    "Note",
    "Rules",
    "LuaScript",
    "LuaScriptState",
    "XmlUI",
    "ObjectStates",
];
const OBJECT: &[&str] = &[
    "Name",
    "GUID",
    "Nickname",
    "Description",
    "Transform",
    "ColorDiffuse",
    "Locked",
    "CardID",
    "DeckIDs",
    "CustomDeck",
    "ContainedObjects",
    "CustomImage",
];
const TRANSFORM: &[&str] = &["posX", "posY", "posZ", "rotX", "rotY", "rotZ", "scaleX", "scaleY", "scaleZ"];
const CUSTOM_DECK: &[&str] = &["FaceURL", "BackURL", "NumWidth", "NumHeight", "BackIsHidden", "UniqueBack"];
const CUSTOM_IMAGE: &[&str] = &["ImageURL", "ImageSecondaryURL", "ImageScalar", "WidthScale", "CustomToken"];
const CUSTOM_TOKEN: &[&str] = &["Thickness", "MergeDistancePixels", "StandUp", "Stackable"];

fn assert_fields(value: &Json, known: &[&str]) {
    for key in value.as_object().unwrap().keys() {
        assert!(known.contains(&key.as_str()), "{key} is not documented");
    }
}

/// The state of the check of a save.
struct Checker {
    files: BTreeMap<String, Vec<u8>>,
    address: String,
    guids: BTreeSet<String>,
    /// How often each title lies in a deck or bag, or alone.
    copies: BTreeMap<String, u32>,
}

impl Checker {
    /// The size of the picture behind an address.
    fn picture(&self, address: &Json) -> (u32, u32) {
        let name = address.as_str().unwrap().strip_prefix(&self.address).unwrap();
        let file = self.files.get(name).unwrap_or_else(|| panic!("{name} was not written"));
        let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap());
        (number(16), number(20))
    }

    fn object(&mut self, object: &Json) {
        assert_fields(object, OBJECT);
        assert_fields(&object["Transform"], TRANSFORM);
        assert_eq!(object["Transform"].as_object().unwrap().len(), TRANSFORM.len());
        let guid = object["GUID"].as_str().unwrap();
        assert!(guid.len() == 6 && guid.bytes().all(|digit| digit.is_ascii_hexdigit()), "{guid}");
        assert!(self.guids.insert(guid.to_owned()), "{guid} names two things");
        let inside = object["ContainedObjects"].as_array().cloned().unwrap_or_default();
        match object["Name"].as_str().unwrap() {
            "Deck" => {
                let ids: Vec<&Json> = inside.iter().map(|card| &card["CardID"]).collect();
                assert!(ids.len() > 1 && ids.iter().all(|id| id.is_u64()));
                assert_eq!(ids, object["DeckIDs"].as_array().unwrap().iter().collect::<Vec<_>>());
                self.custom_deck(&object["CustomDeck"]);
            }
            "Card" => {
                let id = object["CardID"].as_u64().unwrap();
                let sheet = &object["CustomDeck"][(id / 100).to_string()];
                let places = sheet["NumWidth"].as_u64().unwrap() * sheet["NumHeight"].as_u64().unwrap();
                // The last place shows what others see of a hand.
                assert!(id % 100 < places - 1, "card {id} of {places}");
                self.custom_deck(&object["CustomDeck"]);
                *self.copies.entry(object["Nickname"].as_str().unwrap().to_owned()).or_default() += 1;
            }
            "Bag" => assert!(!inside.is_empty()),
            "Custom_Token" | "Custom_Board" => {
                let image = &object["CustomImage"];
                assert_fields(image, CUSTOM_IMAGE);
                let (wide, high) = self.picture(&image["ImageURL"]);
                assert!(wide.max(high) <= 4097, "{wide} by {high}");
                if object["Name"] == "Custom_Token" {
                    assert_fields(&image["CustomToken"], CUSTOM_TOKEN);
                    *self.copies.entry(object["Nickname"].as_str().unwrap().to_owned()).or_default() += 1;
                }
            }
            other => panic!("an object of kind {other}"),
        }
        inside.iter().for_each(|object| self.object(object));
    }

    fn custom_deck(&self, decks: &Json) {
        for deck in decks.as_object().unwrap().values() {
            assert_fields(deck, CUSTOM_DECK);
            let (wide, high) = (deck["NumWidth"].as_u64().unwrap(), deck["NumHeight"].as_u64().unwrap());
            assert!((2..=10).contains(&wide) && (2..=7).contains(&high), "{wide} by {high}");
            let size = self.picture(&deck["FaceURL"]);
            assert!(size.0 <= 4096 && size.1 <= 4096, "{size:?}");
            self.picture(&deck["BackURL"]);
        }
    }
}

fn check(packs: &OpenPacks, address: &str) {
    let printer = Printer::new(packs, "en");
    let mut files = BTreeMap::new();
    let mut put = |name: &str, bytes: &[u8]| {
        assert!(files.insert(name.to_owned(), bytes.to_vec()).is_none(), "{name} twice");
        Ok(())
    };
    let count = printer.tabletop(&all(), &address.parse().unwrap(), &mut put).unwrap();
    assert_eq!(count, files.len());
    let save = files.remove(&format!("{}.json", packs.catalog.game)).unwrap();
    let save: Json = serde_json::from_slice(&save).unwrap();
    assert_fields(&save, SAVE);
    let (guids, copies) = (BTreeSet::new(), BTreeMap::new());
    let mut checker = Checker { files, address: address.to_owned(), guids, copies };
    save["ObjectStates"].as_array().unwrap().iter().for_each(|object| checker.object(object));
    let mut box_holds: BTreeMap<String, u32> = BTreeMap::new();
    for part in printer.parts(&all()).unwrap() {
        *box_holds.entry(part.title).or_default() += part.copies;
    }
    assert_eq!(checker.copies, box_holds);
}

#[test]
fn a_save_holds_the_box_with_documented_fields() {
    check(&base(), "https://example.org/game/");
}

#[test]
fn a_save_of_tiles_is_sound() {
    check(&OpenPacks::new(pack("mods/duello").loaded), "file:///tts/");
}
