//! Looks: from the files of packs to what drawings may use. Nothing is passed on as written: paths and pictures are
//! rewritten from the numbers and colors that were read.

pub(crate) mod path;
mod picture;
mod pixels;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_findings::budget::{self, MOST_DRAWN, MOST_PIXELS};
use principes_findings::{Code, Finding, did_you_mean, suggestion};
use principes_model::{EntityPlace, Looks, Merged, Picture};
use principes_schemas::{self as schemas, Family, Font, Procedure};

use self::path::{PATHS, clean};
use crate::cache::Cache;
use crate::symbols;

/// The built-in font family.
pub const FAMILY: &str = "Vollkorn";
/// The longest file of a picture or font, in bytes.
const MOST_BYTES: usize = 2 << 20;
/// The longest name of a font family that is read, in bytes.
const LONGEST_NAME: usize = 256;
/// The most names of a font that are read. Fonts have one in each of a few languages.
const MOST_NAMES: usize = 200;

/// Reads all looks, and reports everything that cannot be drawn.
/// With a cache, pictures of pixels are decoded, too, and the cache knows which are fine.
pub fn read(merged: &Merged, decoding: Option<&Cache>, findings: &mut Vec<Finding>) -> Looks {
    let mut look = Looks::default();
    // Without looks, nothing needs to know what they could name.
    if merged.looks.is_empty() {
        return look;
    }
    for entry in &merged.looks {
        look.add(&entry.value);
    }
    let symbols: BTreeSet<String> = look.symbols.keys().cloned().collect();
    let named = [Family::Spaces, Family::Factions, Family::Cards, Family::Props, Family::Procedures];
    let targets = merged.broken.spares(&named).then(|| LookTargets::of(merged));
    let files = LookFiles::default();
    let mut reader = LookReader { merged, look, findings, targets, files, decoding, drawn: 0, pixels: 0 };
    for entry in &merged.looks {
        if budget::is_full(reader.findings) || reader.is_stopped() {
            break;
        }
        reader.paths(&entry.value, &entry.place);
        reader.pictures(&entry.value, &entry.place);
        let fonts = &entry.value.fonts;
        for (field, font) in [("text", &fonts.text), ("title", &fonts.title)] {
            if let Some(font) = font {
                reader.font(font, &entry.place, &format!("/fonts/{field}"));
            }
        }
        let json = merged.documents.0[entry.place.document].value.pointer(&entry.place.pointer);
        if let Some(json) = json {
            reader.symbols(json, &entry.place, &mut String::new(), &symbols);
        }
        reader.keywords(&entry.value, &entry.place);
    }
    reader.look
}

struct LookReader<'r> {
    merged: &'r Merged,
    look: Looks,
    findings: &'r mut Vec<Finding>,
    /// The things that looks can name; none if some of them could not be read.
    targets: Option<LookTargets<'r>>,
    files: LookFiles,
    decoding: Option<&'r Cache>,
    /// Bytes of the pictures, fonts and paths so far.
    drawn: usize,
    /// Pixels of the pictures so far.
    pixels: u64,
}

/// The files that looks have named so far, by pack and path. Each is read once.
#[derive(Default)]
struct LookFiles {
    pictures: BTreeMap<(usize, String), Result<Arc<Picture>, String>>,
    /// The families in them.
    fonts: BTreeMap<(usize, String), Vec<String>>,
    /// The assets of packs, to suggest one.
    assets: BTreeMap<usize, Vec<String>>,
}

impl LookReader<'_> {
    fn report(&mut self, place: &EntityPlace, field: &str, code: Code, message: String, help: &str) {
        self.findings.push(self.merged.finding(place, field, code, message).help(help));
    }

    /// Whether the budget is used up, so that nothing more is read.
    fn is_stopped(&self) -> bool {
        self.drawn > MOST_DRAWN
    }

    /// Counts bytes to draw. If they are too many, reports it and says no.
    fn may_draw(&mut self, bytes: usize, place: &EntityPlace, field: &str) -> bool {
        if !self.is_stopped() {
            self.drawn += bytes;
            if self.is_stopped() {
                let most = MOST_DRAWN >> 20;
                let message =
                    format!("with this, the pictures, fonts and paths of the looks are longer than {most} MiB");
                self.report(place, field, Code::BudgetExceeded, message, "use fewer or smaller ones");
            }
        }
        !self.is_stopped()
    }

    /// Rewrites the paths of a look.
    fn paths(&mut self, look: &schemas::Look, place: &EntityPlace) {
        for (name, path) in &look.symbols.0 {
            let cleaned = clean(&path.0);
            let length = cleaned.as_ref().map_or(0, String::len);
            if !self.may_draw(length, place, &format!("/symbols/{name}")) {
                return;
            }
            match cleaned {
                Ok(clean) => drop(self.look.symbols.insert(name.clone(), clean)),
                Err(why) => {
                    self.look.symbols.remove(name);
                    let message = format!("cannot draw the path of symbol `{name}`: {why}");
                    self.report(place, &format!("/symbols/{name}"), Code::BadPath, message, PATHS);
                }
            }
        }
        for (space, own) in &look.spaces.0 {
            let Some(path) = &own.outline else { continue };
            let cleaned = clean(&path.0);
            let length = cleaned.as_ref().map_or(0, String::len);
            if !self.may_draw(length, place, &format!("/spaces/{space}/outline")) {
                return;
            }
            let entry = self.look.spaces.entry(space.clone()).or_default();
            match cleaned {
                Ok(clean) => entry.outline = Some(schemas::PathData(clean)),
                Err(why) => {
                    entry.outline = None;
                    let message = format!("cannot draw the outline of `{space}`: {why}");
                    self.report(place, &format!("/spaces/{space}/outline"), Code::BadPath, message, PATHS);
                }
            }
        }
    }

    fn file(&mut self, path: &str, place: &EntityPlace, field: &str) -> Option<Vec<u8>> {
        let number = self.merged.pack_of(place);
        let pack = &self.merged.packs[number];
        match pack.source.read(path) {
            Ok(bytes) if bytes.len() <= MOST_BYTES => self.may_draw(bytes.len(), place, field).then_some(bytes),
            Ok(_) => {
                let message = format!("`{path}` is longer than {} MiB", MOST_BYTES >> 20);
                self.report(place, field, Code::MissingPicture, message, "make it smaller");
                None
            }
            Err(_) => {
                let all = self.files.assets.entry(number).or_insert_with(|| {
                    let mut all = pack.source.list().unwrap_or_default();
                    all.retain(|file| file.starts_with("assets/"));
                    all
                });
                let near = suggestion(path, all.iter().map(String::as_str));
                let help = near.map_or_else(|| "add the file, or remove the reference".to_owned(), |near| near.help());
                self.report(place, field, Code::MissingPicture, format!("the pack has no file `{path}`"), &help);
                None
            }
        }
    }

    fn pictures(&mut self, look: &schemas::Look, place: &EntityPlace) {
        for (card, own) in &look.cards.0 {
            self.look.pictures.remove(card);
            let Some(path) = &own.picture else { continue };
            if budget::is_full(self.findings) || self.is_stopped() {
                return;
            }
            let field = format!("/cards/{card}/picture");
            let key = (self.merged.pack_of(place), path.0.clone());
            if !self.files.pictures.contains_key(&key) {
                let Some(bytes) = self.file(path.as_str(), place, &field) else { continue };
                let read = picture_of(path.as_str(), bytes).map(Arc::new);
                let read = match read.as_deref() {
                    Ok(Picture::Shapes { elements, .. }) if !self.may_draw(elements.len(), place, &field) => return,
                    Ok(Picture::Pixels { media, bytes }) => {
                        let Some(decoded) = self.decoded(bytes, *media == "image/png", place, &field) else { return };
                        decoded.and(read)
                    }
                    _ => read,
                };
                self.files.pictures.insert(key.clone(), read);
            }
            match self.files.pictures[&key].clone() {
                Ok(picture) => drop(self.look.pictures.insert(card.clone(), picture)),
                Err(why) => {
                    let message = format!("cannot use the picture `{path}`: {why}");
                    let help = if path.as_str().ends_with(".svg") { PICTURES } else { PIXELS };
                    self.report(place, &field, Code::UnsafePicture, message, help);
                }
            }
        }
    }

    /// Decodes a picture; an error says why that is not possible. None: all pictures have too many pixels together.
    fn decoded(
        &mut self,
        bytes: &Arc<[u8]>,
        is_png: bool,
        place: &EntityPlace,
        field: &str,
    ) -> Option<Result<(), String>> {
        let pixels = match pixels::count(bytes, is_png) {
            Ok(pixels) => pixels,
            Err(why) => return Some(Err(why)),
        };
        self.pixels += pixels;
        if self.pixels > MOST_PIXELS {
            let most = MOST_PIXELS / 1_000_000;
            let message = format!("with this, the pictures of the looks have more than {most} million pixels");
            self.report(place, field, Code::BudgetExceeded, message, "use fewer or smaller ones");
            self.drawn = usize::MAX;
            return None;
        }
        Some(match self.decoding {
            Some(cache) => cache.decoded(bytes, || pixels::decode(bytes, is_png)),
            None => Ok(()),
        })
    }

    fn font(&mut self, font: &Font, place: &EntityPlace, field: &str) {
        let mut families: Vec<String> = Vec::new();
        for (at, file) in font.files.iter().enumerate() {
            let key = (self.merged.pack_of(place), file.0.clone());
            if let Some(known) = self.files.fonts.get(&key) {
                families.extend(known.iter().cloned());
                continue;
            }
            let Some(bytes) = self.file(file.as_str(), place, &format!("{field}/files/{at}")) else { return };
            let known = families_of(&bytes);
            families.extend(known.iter().cloned());
            self.files.fonts.insert(key, known);
            let bytes: Arc<[u8]> = bytes.into();
            if !self.look.fonts.contains(&bytes) {
                self.look.fonts.push(bytes);
            }
        }
        if font.family == FAMILY || families.contains(&font.family) {
            return;
        }
        let message = match font.files.is_empty() {
            true => format!("unknown font family `{}`", font.family),
            false => format!("the files do not hold the font family `{}`", font.family),
        };
        families.push(FAMILY.to_owned());
        families.dedup();
        let help = format!("the families are {}; list the `files` of any other", families.join(", "));
        self.report(place, &format!("{field}/family"), Code::MissingFont, message, &help);
    }

    /// Adds the symbols of the program that a look names, and reports names that do not exist.
    fn symbols(
        &mut self,
        value: &serde_json::Value,
        place: &EntityPlace,
        pointer: &mut String,
        known: &BTreeSet<String>,
    ) {
        let Some(object) = value.as_object() else { return };
        let length = pointer.len();
        for (key, item) in object {
            if length == 0 && key == "symbols" {
                continue;
            }
            pointer.push('/');
            pointer.push_str(&principes_json::escape(key));
            match item.as_str() {
                Some(name) if key == "symbol" && !known.contains(name) => self.built_in(name, place, pointer, known),
                _ => self.symbols(item, place, pointer, known),
            }
            pointer.truncate(length);
        }
    }

    /// Adds a symbol of the program, or reports that there is none of this name.
    fn built_in(&mut self, name: &str, place: &EntityPlace, pointer: &str, known: &BTreeSet<String>) {
        if let Some(symbol) = symbols::find(name) {
            self.look.symbols.insert(name.to_owned(), symbol.path.to_owned());
            if symbol.needs_credit() {
                self.look.artists.insert(symbol.author);
            }
        } else if !budget::is_full(self.findings) {
            let built_in = symbols::names().filter(|other| !known.contains(*other));
            let near = did_you_mean(name, known.iter().map(String::as_str).chain(built_in));
            let help = near.unwrap_or_else(|| "name a built-in symbol, or declare this one in `symbols`".to_owned());
            self.report(place, pointer, Code::UnknownSymbol, format!("unknown symbol `{name}`"), &help);
        }
    }

    /// Reports keywords that do not exist in the game.
    fn keywords(&mut self, look: &schemas::Look, place: &EntityPlace) {
        let Some(known) = &self.targets else { return };
        let groups = [
            ("terrain", look.terrain.0.keys().collect::<Vec<_>>(), &known.terrain),
            ("types", look.types.0.keys().collect(), &known.types),
            ("props", look.props.0.keys().collect(), &known.props),
            ("networks", look.networks.0.keys().collect(), &known.networks),
        ];
        for (field, keywords, known) in groups {
            for keyword in
                keywords.into_iter().filter(|keyword| !known.contains(keyword.as_str()) && !is_number(keyword))
            {
                let near = did_you_mean(keyword, known.iter().copied());
                let help = near.unwrap_or_else(|| "remove it".to_owned());
                let finding = self.merged.finding_at_key(
                    place,
                    &format!("/{field}/{keyword}"),
                    Code::IdleLook,
                    format!("unknown name `{keyword}`"),
                );
                self.findings.push(finding.help(help));
            }
        }
    }
}

const PICTURES: &str =
    "use only shapes with plain colors: `path`, `rect`, `circle`, `ellipse`, `line`, `polyline`, `polygon`, `g`";

const PIXELS: &str = "save it again as a PNG or JPEG file, with fewer pixels if it is large";

/// Whether a keyword is a number, as marks of spaces may be.
fn is_number(keyword: &str) -> bool {
    keyword.bytes().all(|digit| digit.is_ascii_digit())
}

/// The things that looks can name by keyword.
struct LookTargets<'m> {
    terrain: BTreeSet<&'m str>,
    types: BTreeSet<&'m str>,
    props: BTreeSet<&'m str>,
    networks: BTreeSet<&'m str>,
}

impl<'m> LookTargets<'m> {
    fn of(merged: &'m Merged) -> LookTargets<'m> {
        let mut terrain: BTreeSet<&str> = merged.spaces.iter().map(|space| space.value.kind.as_str()).collect();
        terrain.extend(merged.cards.iter().map(|card| card.value.id.as_str()));
        terrain.extend(merged.factions.iter().map(|faction| faction.value.id.as_str()));
        let edges = merged.procedures.iter().filter_map(|entry| match &*entry.value {
            Procedure::Tiles { edges, .. } => Some(edges),
            _ => None,
        });
        let networks = edges.flatten().filter_map(|edge| edge.network.as_ref());
        LookTargets {
            terrain,
            types: merged.cards.iter().map(|card| card.value.card_type.as_str()).collect(),
            props: merged.props.iter().map(|prop| prop.value.key()).collect(),
            networks: networks.map(|network| network.as_str()).collect(),
        }
    }
}

fn picture_of(path: &str, bytes: Vec<u8>) -> Result<Picture, String> {
    if path.ends_with(".svg") {
        let text = std::str::from_utf8(&bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        return picture::read(text);
    }
    let (media, magic): (_, &[u8]) = match path.ends_with(".png") {
        true => ("image/png", b"\x89PNG\r\n\x1a\n"),
        false => ("image/jpeg", b"\xff\xd8\xff"),
    };
    match bytes.starts_with(magic) {
        true => Ok(Picture::Pixels { media, bytes: bytes.into() }),
        false => Err("the content of the file does not match the ending of its name".to_owned()),
    }
}

/// The font families in a file.
fn families_of(bytes: &[u8]) -> Vec<String> {
    let Ok(face) = ttf_parser::Face::parse(bytes, 0) else { return Vec::new() };
    let is_family = |id: u16| [ttf_parser::name_id::FAMILY, ttf_parser::name_id::TYPOGRAPHIC_FAMILY].contains(&id);
    // Names in a font may share their text, so that together they are much longer than the file.
    let names = face.names().into_iter().filter(|name| is_family(name.name_id) && name.name.len() <= LONGEST_NAME);
    let names: BTreeSet<String> = names.take(MOST_NAMES).filter_map(|name| name.to_string()).collect();
    names.into_iter().collect()
}
