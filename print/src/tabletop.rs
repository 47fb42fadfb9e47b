//! A save of Tabletop Simulator. Its format is described at
//! <https://kb.tabletopsimulator.com/custom-content/save-file-format/>. The program caches pictures by their address,
//! so a changed picture gets another name.

use serde_json::{Map, Value as Json, json};

use principes_app::digest::digest;

use crate::address::Address;
use crate::board::Large;
use crate::error::PrintError;
use crate::parts::{Part, PartSide, What};
use crate::put::Put;
use crate::sheet::{drawing, drawn};

/// The most columns and rows of cards in the picture of a deck.
const GRID: (usize, usize) = (10, 7);
/// The most cards in a picture. The last place shows what others see of a hand.
const MOST: usize = GRID.0 * GRID.1 - 1;
/// The most pixels of a picture from side to side.
const WIDE: f64 = 4096.0;
/// The pixels of a card from side to side.
const CARD: f64 = WIDE / GRID.0 as f64;
/// The pixels of a tile or token from side to side.
const TOKEN: f64 = 256.0;
/// Millimeters per inch, the unit of the table.
const INCH: f64 = 25.4;
/// The distance between objects on the table, in inches.
const STEP: f64 = 3.5;
/// The number of objects in a row.
const ROW: usize = 12;

/// Paints an SVG element with a width in pixels as a PNG file. The last argument names it in errors.
pub type Painter<'w> = dyn FnMut(&str, f64, &str) -> Result<Vec<u8>, PrintError> + 'w;

/// Writes a save and its pictures.
pub struct Writer<'w, 'p> {
    painter: &'w mut Painter<'w>,
    address: &'w Address,
    put: &'w mut Put<'p>,
    objects: Vec<Json>,
    /// The number of pictures written.
    pictures: Vec<String>,
    /// The number of objects that have been named.
    named: u32,
    /// The number of pictures of decks.
    decks: u32,
}

impl<'w, 'p> Writer<'w, 'p> {
    /// A save with an empty table.
    pub fn new(painter: &'w mut Painter<'w>, address: &'w Address, put: &'w mut Put<'p>) -> Self {
        let (objects, pictures) = (Vec::new(), Vec::new());
        Writer { painter, address, put, objects, pictures, named: 0, decks: 0 }
    }

    /// Puts cards on the table as decks, and tiles and tokens in bags.
    pub fn parts(&mut self, parts: &[Part]) -> Result<(), PrintError> {
        let mut groups: Vec<Vec<&Part>> = Vec::new();
        for part in parts {
            let is_like = |other: &Part| {
                let is_kind = other.what == part.what && other.deck == part.deck && other.size == part.size;
                is_kind
                    && (part.what == What::Cards || part.deck.is_some() || other.id == part.id)
                    && other.back == part.back
            };
            match groups.iter_mut().find(|group| is_like(group[0])) {
                Some(group) => group.push(part),
                None => groups.push(vec![part]),
            }
        }
        for group in groups {
            match group[0].what {
                What::Cards => self.deck(&group)?,
                _ => self.bag(&group)?,
            }
        }
        Ok(())
    }

    /// A deck, with a picture for every 69 designs.
    fn deck(&mut self, parts: &[&Part]) -> Result<(), PrintError> {
        let [first, ..] = parts else { return Ok(()) };
        let title = first.deck.as_ref().map_or("", |deck| &deck.title);
        let back = first.back.as_ref().unwrap_or(&first.front);
        let back = self.picture(&one(back, first), CARD, title)?;
        let mut cards = Vec::new();
        let mut sheets = Map::new();
        for designs in parts.chunks(MOST) {
            self.decks += 1;
            let columns = designs.len().clamp(2, GRID.0);
            let rows = (designs.len() + 1).div_ceil(columns).max(2);
            let size = (first.size.0 * columns as f64, first.size.1 * rows as f64);
            let mut inside = String::new();
            for (at, part) in designs.iter().enumerate() {
                let corner = (first.size.0 * (at % columns) as f64, first.size.1 * (at / columns) as f64);
                inside.push_str(&drawn(&part.front, part.cut, corner, part.size, 0.0));
            }
            let face = self.picture(&drawing(size, &inside), CARD * columns as f64, title)?;
            let sheet = json!({
                "FaceURL": face, "BackURL": back, "NumWidth": columns, "NumHeight": rows, "BackIsHidden": true,
                "UniqueBack": false,
            });
            sheets.insert(self.decks.to_string(), sheet);
            for (at, part) in designs.iter().enumerate() {
                let id = self.decks as usize * 100 + at;
                for _ in 0..part.copies {
                    cards.push((id, *part));
                }
            }
        }
        let scale = first.size.0 / 63.0;
        let of = |id: usize| {
            let sheet = (id / 100).to_string();
            json!({ &sheet: sheets[&sheet] })
        };
        let mut inside = Vec::new();
        for (id, part) in &cards {
            let mut card = self.object("Card", &part.title, &part.text, scale);
            card["CardID"] = json!(id);
            card["CustomDeck"] = of(*id);
            inside.push(card);
        }
        let whole = match inside.len() {
            0 => return Ok(()),
            1 => inside.remove(0),
            _ => {
                let mut deck = self.object("Deck", title, "", scale);
                deck["DeckIDs"] = json!(cards.iter().map(|(id, _)| id).collect::<Vec<_>>());
                deck["CustomDeck"] = Json::Object(sheets);
                deck["ContainedObjects"] = Json::Array(inside);
                deck
            }
        };
        self.place(whole);
        Ok(())
    }

    /// A bag of tiles, or of tokens of one kind.
    fn bag(&mut self, parts: &[&Part]) -> Result<(), PrintError> {
        let mut inside = Vec::new();
        for part in parts {
            let front = self.picture(&one(&part.front, part), TOKEN, &part.title)?;
            let back = match &part.back {
                Some(back) => self.picture(&one(back, part), TOKEN, &part.title)?,
                None => String::new(),
            };
            for _ in 0..part.copies {
                let mut token = self.object("Custom_Token", &part.title, &part.text, part.size.0 / INCH / 2.0);
                token["CustomImage"] = json!({
                    "ImageURL": front, "ImageSecondaryURL": back, "ImageScalar": 1.0, "WidthScale": 0.0,
                    "CustomToken": { "Thickness": 0.1, "MergeDistancePixels": 10.0, "StandUp": false, "Stackable": false },
                });
                inside.push(token);
            }
        }
        let title = parts.first().map_or("", |part| part.deck.as_ref().map_or(&part.title, |deck| &deck.title));
        let mut bag = self.object("Bag", title, "", 1.0);
        bag["ContainedObjects"] = Json::Array(inside);
        self.place(bag);
        Ok(())
    }

    /// Adds a board that lies on the table, as a picture of its drawing.
    pub fn board(&mut self, large: &Large, title: &str) -> Result<(), PrintError> {
        let (wide, high) = large.size;
        let pixels = if wide >= high { WIDE } else { WIDE * wide / high };
        let picture = self.picture(&large.svg, pixels, title)?;
        let mut board = self.object("Custom_Board", title, "", high / INCH / 20.0);
        board["Locked"] = json!(true);
        board["CustomImage"] =
            json!({ "ImageURL": picture, "ImageSecondaryURL": "", "ImageScalar": 1.0, "WidthScale": wide / high });
        board["Transform"]["posZ"] = json!(if large.id == "board" { 0.0 } else { -18.0 });
        self.objects.push(board);
        Ok(())
    }

    /// Writes the save, and returns the number of files.
    pub fn finish(self, title: &str, game: &str) -> Result<usize, PrintError> {
        let save = json!({
            "SaveName": title, "GameMode": title, "Date": "", "VersionNumber": "", "Table": "Table_RPG", "Sky": "Sky_Museum",
            "Note": "", "Rules": "", "LuaScript": "", "LuaScriptState": "", "XmlUI": "", "ObjectStates": self.objects,
        });
        let text = serde_json::to_string_pretty(&save).map_err(std::io::Error::other)?;
        (self.put)(&format!("{game}.json"), format!("{text}\n").as_bytes())?;
        Ok(self.pictures.len() + 1)
    }

    /// Writes a picture under a name that depends on its content, and returns its address.
    fn picture(&mut self, svg: &str, wide: f64, what: &str) -> Result<String, PrintError> {
        let bytes = (self.painter)(svg, wide, what)?;
        let name = format!("{}.png", digest(&bytes));
        if !self.pictures.contains(&name) {
            (self.put)(&name, &bytes)?;
            self.pictures.push(name.clone());
        }
        Ok(self.address.of(&name))
    }

    fn object(&mut self, name: &str, title: &str, text: &str, scale: f64) -> Json {
        self.named += 1;
        json!({
            "Name": name, "GUID": format!("{:06x}", self.named), "Nickname": title, "Description": text,
            "Transform": {
                "posX": 0.0, "posY": 2.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 0.0,
                "scaleX": scale, "scaleY": 1.0, "scaleZ": scale,
            },
            "ColorDiffuse": { "r": 1.0, "g": 1.0, "b": 1.0 },
            "Locked": false,
        })
    }

    /// Puts an object on the table beside the last one. Decks are face down.
    fn place(&mut self, mut object: Json) {
        let at = self.objects.len();
        object["Transform"]["posX"] = json!((at % ROW) as f64 * STEP - STEP * (ROW as f64 - 1.0) / 2.0);
        object["Transform"]["posZ"] = json!(18.0 + (at / ROW) as f64 * STEP * 1.3);
        if ["Deck", "Card"].contains(&object["Name"].as_str().unwrap_or_default()) {
            object["Transform"]["rotZ"] = json!(180.0);
        }
        self.objects.push(object);
    }
}

/// A side of a part without bleed.
fn one(side: &PartSide, part: &Part) -> String {
    drawing(part.size, &drawn(side, part.cut, (0.0, 0.0), part.size, 0.0))
}
