//! Looks: what the things of a game look like. No rule reads them.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::basics::*;

strings! {
    /// A color: `#` and six hexadecimal digits.
    Color { "pattern": "^#[0-9a-f]{6}$" }
    /// The path of a picture in the pack: an SVG, PNG or JPEG file below `assets/`.
    PictureFile { "pattern": r"^assets/[a-z0-9_./-]+\.(svg|png|jpg)$", "maxLength": 200 }
    /// The path of a font in the pack: a TrueType or OpenType file below `assets/`.
    FontFile { "pattern": r"^assets/[a-z0-9_./-]+\.(ttf|otf)$", "maxLength": 200 }
    /// The data of an SVG path, such as `M2 2h20v20z`.
    PathData { "minLength": 2, "maxLength": 20000 }
}

maps! {
    /// Paths by the name of the symbol. The box of a symbol is 24 wide and 24 high.
    Symbols<PathData> { "pattern": NAME_PATTERN, "maxLength": NAME_LENGTH }
    /// Looks of factions by id.
    FactionLooks<FactionLook> { "x-ref": "factions" }
    /// Looks of kinds by id.
    KindLooks<Emblem> { "x-ref": "kinds" }
    /// Looks of spaces by id.
    SpaceLooks<SpaceLook> { "x-ref": "spaces" }
    /// Looks of counters by id.
    CounterLooks<Emblem> { "x-ref": "counters" }
    /// Looks of zones by id.
    ZoneLooks<Emblem> { "x-ref": "zones" }
    /// Looks of cards by id.
    CardLooks<CardLook> { "x-ref": "cards" }
    /// What each keyword looks like.
    KeywordLooks<KeywordLook> { "pattern": ID_PATTERN, "maxLength": NAME_LENGTH }
    /// Looks of card types by keyword.
    TypeLooks<TypeLook> { "pattern": ID_PATTERN, "maxLength": NAME_LENGTH }
    /// Looks of props by key.
    PropLooks<PropLook> { "pattern": NAME_PATTERN, "maxLength": NAME_LENGTH }
    /// Looks of values, by the value as the prop writes it.
    ValueLooks<Emblem> { "minLength": 1, "maxLength": NAME_LENGTH }
    /// Shades by what they color.
    Shades<Shade> { "enum": PAINTS }
}

/// The name of a symbol: one of `symbols`, or one that is built in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub struct SymbolName(pub String);

impl JsonSchema for SymbolName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SymbolName".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The name of a symbol: one of `symbols`, or one that is built in.",
            "type": "string",
            "pattern": "^[a-z0-9][a-z0-9_-]*$",
            "maxLength": NAME_LENGTH,
        })
    }
}

/// What a look can color.
pub const PAINTS: &[&str] = &[
    "paper", "card", "sea", "land", "abroad", "fog", "ink", "quiet", "number", "gilt", "halo", "line", "border",
    "wave", "coast", "edge", "rule",
];

entity! {
    /// What the things of a game look like. Looks of one or several packs are combined. If two have an entry for the
    /// same thing, the later one wins.
    pub struct Look {
        /// Unique among looks.
        id: Id,
        /// The fonts of the drawings.
        #[serde(default)]
        fonts: Fonts,
        /// Colors of paper, land, ink and so on.
        #[serde(default)]
        colors: Shades,
        /// Its own symbols, by name: paths in a box of 24 by 24, filled by the even-odd rule. Built-in symbols need no
        /// path.
        #[serde(default)]
        symbols: Symbols,
        /// Factions: color and symbol.
        #[serde(default)]
        factions: FactionLooks,
        /// Kinds of pieces: the symbol on the marker.
        #[serde(default)]
        kinds: KindLooks,
        /// Spaces: outline, position of the name, color and symbol.
        #[serde(default)]
        spaces: SpaceLooks,
        /// Kinds of spaces, and values of their marks, by keyword or id: color and symbol.
        #[serde(default)]
        terrain: KeywordLooks,
        /// Counters and tracks: color and symbol.
        #[serde(default)]
        counters: CounterLooks,
        /// Zones: color and symbol, for the backs of their cards.
        #[serde(default)]
        zones: ZoneLooks,
        /// Card types: color, symbol, frame and ground.
        #[serde(default)]
        types: TypeLooks,
        /// Cards: color, symbol and picture.
        #[serde(default)]
        cards: CardLooks,
        /// Props: where cards show them, and symbols of their values.
        #[serde(default)]
        props: PropLooks,
        /// Networks of tiles by keyword: the color of their paths.
        #[serde(default)]
        networks: KeywordLooks,
    }
}

/// The fonts of drawings.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fonts {
    /// The font for text. Default: Vollkorn, which is built in.
    #[serde(default)]
    pub text: Option<Font>,
    /// The font for titles and names. Default: the font for text.
    #[serde(default)]
    pub title: Option<Font>,
}

/// A font family for drawings, built in or from files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Font {
    /// The name of its family.
    #[schemars(regex(pattern = "^[A-Za-z0-9][A-Za-z0-9 -]*$"), length(max = 64))]
    pub family: String,
    /// The files that hold it. Omit them for a built-in font.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub files: Vec<FontFile>,
}

/// A color on light and on dark paper.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shade {
    /// The color on light paper.
    pub light: Color,
    /// The color on dark paper.
    pub dark: Color,
}

/// A color and a symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emblem {
    /// Its color in drawings.
    #[serde(default)]
    pub color: Option<Color>,
    /// The name of its symbol.
    #[serde(default)]
    pub symbol: Option<SymbolName>,
}

/// What a faction looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactionLook {
    /// Its color. Default: that of its color word.
    #[serde(default)]
    pub color: Option<Color>,
    /// The name of its symbol.
    #[serde(default)]
    pub symbol: Option<SymbolName>,
    /// The shape of its markers. Default: chosen by its position in the list of factions.
    #[serde(default)]
    pub shape: Option<MarkerShape>,
}

/// The shape of a faction's markers, which tells them apart without color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MarkerShape {
    /// Round.
    Circle,
    /// A square with a side at the bottom.
    Square,
    /// Flat at the top, pointed at the bottom.
    Shield,
    /// Six sides.
    Hexagon,
    /// A square with a corner at the bottom.
    Diamond,
    /// Eight sides.
    Octagon,
}

/// What a space looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceLook {
    /// Its outline, in the unit of `at`. Spaces without one are drawn around `at`.
    #[serde(default)]
    pub outline: Option<PathData>,
    /// The middle of its name and pieces: [x to the east, y to the south], in the unit of `at`.
    #[serde(default)]
    pub label: Option<(i32, i32)>,
    /// Its color in drawings.
    #[serde(default)]
    pub color: Option<Color>,
    /// The name of its symbol.
    #[serde(default)]
    pub symbol: Option<SymbolName>,
}

/// What something with a keyword looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeywordLook {
    /// Its color, on light and on dark paper.
    #[serde(default)]
    pub color: Option<Shade>,
    /// The name of its symbol.
    #[serde(default)]
    pub symbol: Option<SymbolName>,
}

/// What the cards of a type look like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeLook {
    /// Their color, if the card, its faction and its props have none.
    #[serde(default)]
    pub color: Option<Color>,
    /// The name of their symbol, if the card has none.
    #[serde(default)]
    pub symbol: Option<SymbolName>,
    /// Their frame. Default: `plain`.
    #[serde(default)]
    pub frame: CardFrame,
    /// The pattern behind their symbol and on their back. Default: `rays`.
    #[serde(default)]
    pub ground: CardGround,
    /// The size of the printed card. Default: `poker`.
    #[serde(default)]
    pub size: CardSize,
}

/// The border around the face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CardFrame {
    /// A single line.
    #[default]
    Plain,
    /// A double line with ornaments in the corners.
    Ornate,
    /// A line with cut corners.
    Notched,
    /// An arch above the emblem.
    Arched,
}

/// The pattern behind the symbol of a card, and on its back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CardGround {
    /// Rays from the symbol.
    #[default]
    Rays,
    /// Crossing lines.
    Lattice,
    /// Arcs from below.
    Waves,
    /// Circles around the symbol.
    Rings,
    /// Vertical lines.
    Stripes,
    /// No pattern.
    Blank,
}

/// The size of a printed card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CardSize {
    /// 63 by 88 mm.
    #[default]
    Poker,
    /// 44 by 61.5 mm: small cards, tiles and tokens.
    Small,
}

/// What a card looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CardLook {
    /// Its color in drawings.
    #[serde(default)]
    pub color: Option<Color>,
    /// The name of its symbol.
    #[serde(default)]
    pub symbol: Option<SymbolName>,
    /// Its picture, instead of a symbol.
    #[serde(default)]
    pub picture: Option<PictureFile>,
}

/// How cards show a prop.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PropLook {
    /// Whether cards show it. Default: true.
    #[serde(default = "yes")]
    pub show: bool,
    /// Where cards show it. Default: `below`.
    #[serde(default)]
    pub place: PropPlace,
    /// The name of its symbol, for values that have none of their own.
    #[serde(default)]
    pub symbol: Option<SymbolName>,
    /// Its color, for values that have none of their own.
    #[serde(default)]
    pub color: Option<Color>,
    /// Colors and symbols of its values.
    #[serde(default)]
    pub values: ValueLooks,
}

/// Where a card shows a prop. If it does not fit there, it is shown below the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PropPlace {
    /// With its name, below the text.
    #[default]
    Below,
    /// A badge beside the symbol of the card: the symbol of the value, or a number.
    Corner,
    /// At the right end of the ribbon, opposite the card type: when the card can be played, for example.
    Ribbon,
    /// A symbol and a number below the text, without a name.
    Figure,
    /// A symbol and a number at the foot of the card: what it is worth, for example.
    Foot,
}
