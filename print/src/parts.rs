//! The parts of a game's box that can be cut from paper: cards, tiles and tokens, each with its copies and size.

use std::collections::{BTreeMap, BTreeSet};

use principes_app::packs::OpenPacks;
use principes_app::words::Words;
use principes_core::{Catalog, DesignId, FactionId, KindId};
use principes_draw::card::{Back, Face};
use principes_draw::piece;
use principes_draw::tile::Plan;
use principes_findings::nearest;
use principes_schemas::CardSize;

use crate::error::PrintError;

/// The width of a tile, from side to side, in millimeters.
const TILE: f64 = 45.0;
/// The width of a token in millimeters.
pub const TOKEN: f64 = 15.0;
/// The background of tiles.
const PAPER: &str = "#fdf9ef";

/// A kind of thing that can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Those without edges.
    Cards,
    /// Tiles with edges.
    Tiles,
    /// Pieces, as tokens.
    Tokens,
    /// The board and the tracks.
    Board,
}

/// The outline along which a part is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// Four straight cuts.
    Rectangle,
    /// A hexagon with a corner on top.
    Hexagon,
}

/// What is printed on the front or the back of a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartSide {
    /// The color that continues beyond the cut.
    pub ground: String,
    /// An `<svg>` element.
    pub drawing: String,
}

/// Cards or tiles that start in the same zone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deck {
    /// The zone, and the faction that owns it.
    pub id: String,
    /// What players call it, in the language of the print.
    pub title: String,
}

/// A part to cut out.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its kind.
    pub what: What,
    /// A name for its file, unique among those of its kind.
    pub id: String,
    /// What players call it, in the language of the print.
    pub title: String,
    /// What players read on it, in the language of the print.
    pub text: String,
    /// The deck to which it belongs; none for tokens.
    pub deck: Option<Deck>,
    /// The number of copies.
    pub copies: u32,
    /// Its width and height in millimeters.
    pub size: (f64, f64),
    /// Where it is cut.
    pub cut: Cut,
    /// What lies up when it is cut out.
    pub front: PartSide,
    /// Its back, if it has one.
    pub back: Option<PartSide>,
}

/// Which parts to print.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Kinds of things.
    pub what: BTreeSet<What>,
    /// Ids of cards, card types, zones of cards or kinds of pieces. If empty, everything.
    pub only: Vec<String>,
    /// Whether to print only one copy of each.
    pub is_one_each: bool,
    /// The scale of tiles and tokens; 1 is their usual size.
    pub scale: f64,
}

/// The parts of a game that a selection names, in the order of the catalog.
pub fn parts(packs: &OpenPacks, words: &Words, selection: &Selection) -> Result<Vec<Part>, PrintError> {
    known(&packs.catalog, &selection.only)?;
    let is_wanted =
        |names: &[&str]| selection.only.is_empty() || selection.only.iter().any(|only| names.contains(&only.as_str()));
    let catalog = &packs.catalog;
    let mut all = Vec::new();
    for design in (0..catalog.designs.len()).map(DesignId::at) {
        let spec = &catalog.designs[design.index()];
        let zone = &catalog.zones[catalog.zone_list[spec.start.index()].0.index()].id;
        let plan = Plan::printed(catalog, design);
        let what = if plan.is_some() { What::Tiles } else { What::Cards };
        let card_type = catalog.symbols.name(spec.card_type.index());
        if selection.what.contains(&what) && is_wanted(&[&spec.id, card_type, zone]) {
            let owner = catalog.zone_list[spec.start.index()].1.map(|owner| &catalog.factions[owner.index()].id);
            let deck = owner.map_or_else(|| zone.clone(), |owner| format!("{zone}-{owner}"));
            let back = Back::of(packs, words, design);
            let deck = Deck { id: deck, title: words.zone(spec.start) };
            let face = Face::of(packs, words, design);
            all.push(match plan {
                Some(plan) => tile(packs, &plan, face, &back, deck, selection.scale),
                None => card(face, &back, deck),
            });
        }
    }
    if selection.what.contains(&What::Tokens) {
        all.extend(tokens(packs, words, selection.scale, &is_wanted));
    }
    if selection.is_one_each {
        all.iter_mut().for_each(|part| part.copies = 1);
    }
    Ok(all)
}

/// Fails if nothing that can be printed has a selected name.
fn known(catalog: &Catalog, only: &[String]) -> Result<(), PrintError> {
    let mut known: BTreeSet<&str> = catalog.kinds.iter().map(|kind| kind.id.as_str()).collect();
    for spec in &catalog.designs {
        known.insert(&spec.id);
        known.insert(catalog.symbols.name(spec.card_type.index()));
        known.insert(&catalog.zones[catalog.zone_list[spec.start.index()].0.index()].id);
    }
    match only.iter().find(|id| !known.contains(id.as_str())) {
        Some(id) => Err(PrintError::Unknown { id: id.clone(), near: nearest(id, known.iter().copied()) }),
        None => Ok(()),
    }
}

fn card(face: Face, back: &Back, deck: Deck) -> Part {
    let (front, color) = (face.draw(), face.color.clone());
    Part {
        what: What::Cards,
        size: match face.size {
            CardSize::Poker => (63.0, 88.0),
            CardSize::Small => (44.0, 61.5),
        },
        id: face.id,
        title: face.title,
        text: face.text,
        deck: Some(deck),
        copies: u32::from(face.copies),
        cut: Cut::Rectangle,
        front: PartSide { ground: color, drawing: front },
        back: Some(PartSide { ground: back.color.clone(), drawing: back.draw() }),
    }
}

fn tile(packs: &OpenPacks, plan: &Plan, face: Face, back: &Back, deck: Deck, scale: f64) -> Part {
    let (wide, high) = plan.size();
    let drawing = plan.draw_alone(&packs.loaded.look, &face.title);
    Part {
        what: What::Tiles,
        id: face.id,
        title: face.title,
        text: face.text,
        deck: Some(deck),
        copies: u32::from(face.copies),
        size: (wide * TILE * scale, high * TILE * scale),
        cut: if plan.sides() == 6 { Cut::Hexagon } else { Cut::Rectangle },
        front: PartSide { ground: PAPER.to_owned(), drawing },
        back: Some(PartSide { ground: back.color.clone(), drawing: back.draw_middle() }),
    }
}

fn tokens(packs: &OpenPacks, words: &Words, scale: f64, is_wanted: &dyn Fn(&[&str]) -> bool) -> Vec<Part> {
    let (catalog, look) = (&packs.catalog, &*packs.loaded.look);
    let mut counts: BTreeMap<(KindId, Option<FactionId>), u32> = BTreeMap::new();
    for piece in catalog.pieces.iter() {
        *counts.entry((piece.kind, piece.owner)).or_default() += 1;
    }
    let names: Vec<String> = catalog.kinds.iter().map(|kind| words.named("kind", &kind.id)).collect();
    let is_shown: Vec<bool> = catalog.kinds.iter().map(|kind| words.is_named("kind", &kind.id)).collect();
    let shown: Vec<(&str, bool)> = names.iter().map(String::as_str).zip(is_shown.iter().copied()).collect();
    let letters = piece::letters(&shown);
    let mut all = Vec::new();
    for ((kind, owner), copies) in counts {
        let id = &catalog.kinds[kind.index()].id;
        // Players do not see pieces without a name.
        if !is_shown[kind.index()] || !is_wanted(&[id]) {
            continue;
        }
        let faction = owner.map(|owner| &catalog.factions[owner.index()]);
        let whose = owner.zip(faction).map(|(at, faction)| (at.index(), faction.id.as_str(), faction.color.as_str()));
        let mut title = names[kind.index()].clone();
        if let Some(faction) = faction {
            title = format!("{title} ({})", words.named("faction", &faction.id));
        }
        let drawing = piece::draw_alone(
            look,
            whose,
            id,
            piece::face_of(look, id, whose.map(|(_, id, _)| id), &letters[kind.index()]),
            &title,
        );
        all.push(Part {
            what: What::Tokens,
            id: faction.map_or_else(|| id.clone(), |faction| format!("{id}-{}", faction.id)),
            title,
            text: String::new(),
            deck: None,
            copies,
            size: (TOKEN * scale, TOKEN * scale),
            cut: Cut::Rectangle,
            front: PartSide { ground: piece::ground(look, whose, Some(id)), drawing },
            back: None,
        });
    }
    all
}
