//! What the things of a game look like, for those who draw it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use principes_schemas::{
    CardLook, Emblem, FactionLook, KeywordLook, Look as Entity, PropLook, Shade, SpaceLook, SymbolName, TypeLook,
};

/// The merged looks of all packs. Everything in it is safe: paths are rewritten from the numbers that were read, and
/// pictures hold only shapes or pixels.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    /// The font family of texts, if it is not the built-in one.
    pub text_font: Option<String>,
    /// The font family of titles, if it is not that of texts.
    pub title_font: Option<String>,
    /// The font files.
    pub fonts: Vec<Arc<[u8]>>,
    /// Colors by what they color.
    pub colors: BTreeMap<String, Shade>,
    /// Paths of symbols by name, in a box of 24 by 24: those of the packs, and those of the program that they name.
    pub symbols: BTreeMap<String, String>,
    /// Who drew the symbols of the program that the packs name.
    pub artists: BTreeSet<&'static str>,
    /// Looks of factions by id.
    pub factions: BTreeMap<String, FactionLook>,
    /// Looks of kinds by id.
    pub kinds: BTreeMap<String, Emblem>,
    /// Looks of spaces by id.
    pub spaces: BTreeMap<String, SpaceLook>,
    /// Looks of kinds of spaces and of marks.
    pub terrain: BTreeMap<String, KeywordLook>,
    /// Looks of counters by id.
    pub counters: BTreeMap<String, Emblem>,
    /// Looks of zones by id.
    pub zones: BTreeMap<String, Emblem>,
    /// Looks of card types by keyword.
    pub types: BTreeMap<String, TypeLook>,
    /// Looks of cards by id.
    pub cards: BTreeMap<String, CardLook>,
    /// Looks of props by key.
    pub props: BTreeMap<String, PropLook>,
    /// Looks of networks by keyword.
    pub networks: BTreeMap<String, KeywordLook>,
    /// Pictures by card.
    pub pictures: BTreeMap<String, Arc<Picture>>,
}

/// What a look shows on a card: a drawing or pixels.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// Shapes: elements of SVG that only draw, in a box of this width and height.
    Shapes {
        /// SVG text, rebuilt from the allowed shapes.
        elements: String,
        /// The view box: left, top, width, height.
        view: [f64; 4],
    },
    /// A PNG or JPEG file.
    Pixels {
        /// The type for browsers: `image/png` or `image/jpeg`.
        media: &'static str,
        /// The file.
        bytes: Arc<[u8]>,
    },
}

impl Looks {
    /// Adds the look of a pack.
    pub fn add(&mut self, look: &Entity) {
        let family = |font: &Option<principes_schemas::Font>| font.as_ref().map(|font| font.family.clone());
        self.text_font = family(&look.fonts.text).or(self.text_font.take());
        self.title_font = family(&look.fonts.title).or(self.title_font.take());
        let paths = look.symbols.0.iter().map(|(name, path)| (name.clone(), path.0.clone()));
        self.symbols.extend(paths);
        extend(&mut self.colors, &look.colors.0);
        extend(&mut self.factions, &look.factions.0);
        extend(&mut self.kinds, &look.kinds.0);
        extend(&mut self.spaces, &look.spaces.0);
        extend(&mut self.terrain, &look.terrain.0);
        extend(&mut self.counters, &look.counters.0);
        extend(&mut self.zones, &look.zones.0);
        extend(&mut self.types, &look.types.0);
        extend(&mut self.cards, &look.cards.0);
        extend(&mut self.props, &look.props.0);
        extend(&mut self.networks, &look.networks.0);
    }

    /// The path of a symbol.
    pub fn symbol(&self, name: Option<&SymbolName>) -> Option<&str> {
        self.symbols.get(&name?.0).map(String::as_str)
    }
}

fn extend<T: Clone>(all: &mut BTreeMap<String, T>, more: &BTreeMap<String, T>) {
    all.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
}
