//! Families of cards and rules: zones, cards, rules, hook points, decisions.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::basics::*;
use crate::board::Visibility;
use crate::tiles::Tile;

entity! {
    /// A place for cards: a deck, a hand, a discard pile, a market. The top of a zone is its first card.
    pub struct Zone {
        /// Unique among zones.
        id: Id,
        /// Whether there is one for the game or one for each playable faction.
        scope: ZoneScope,
        /// Who sees the faces of its cards. Default: everyone.
        #[serde(default)]
        visible: Visibility,
        /// Whether the hooks of the cards in it are live for the owner of the zone. Default: false.
        #[serde(default)]
        active: bool,
        /// Whether displays and the log show it by name. Default: true.
        #[serde(default = "yes")]
        shown: bool,
    }
}

/// How many zones a declaration creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ZoneScope {
    /// A single one, which nobody owns.
    Game,
    /// One for each playable faction.
    Faction,
}

/// Something that effect hooks may touch: `counter:…`, `zone:…`, `kind:…` (pieces), `control` of spaces, `movement`, `battle`,
/// `dice`, or `end` (of a player or the game). The prefix `own ` limits it to what belongs to the owner of the hook;
/// the prefix `other ` limits it to what does not.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct May(
    #[schemars(regex(
        pattern = r"^((own|other) )?((counter|zone|kind):[a-z][a-z0-9-]*|control|movement|battle|dice|end)$"
    ))]
    pub String,
);

entity! {
    /// A card design. Everything with a face is a card: hand cards, princes, events, tiles, action tokens.
    pub struct Card {
        /// Unique among cards.
        id: Id,
        /// Keyword of its type, e.g. `event`.
        #[serde(rename = "type")]
        card_type: Keyword,
        /// How many copies the box holds. Default: 1.
        #[serde(default = "one")]
        #[schemars(range(min = 1, max = 1000))]
        copies: u16,
        /// The zone that holds its copies when the game begins. A zone of scope `faction` needs a `faction`.
        zone: ZoneRef,
        /// The faction it belongs to. Omit it or write null if there is none.
        #[serde(default)]
        faction: Option<FactionRef>,
        /// Its sides, if it is laid on the grid (procedure `tiles`).
        #[serde(default)]
        tile: Option<Tile>,
        /// Properties, as files of `props` declare them.
        #[serde(default)]
        props: Props,
        /// Numbers that its text shows as `{name}` and its hooks read as `self.name`.
        #[serde(default)]
        params: Params,
        /// What the card does, by hook point.
        #[serde(default)]
        hooks: Hooks,
        /// What its effect hooks may touch. Default: everything. In scenarios and random games, a hook that touches
        /// anything else is an error.
        #[serde(default)]
        may: Option<Vec<May>>,
    }
}

/// An entry of a file of cards.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "it is read only to compare the type with the schema")]
pub enum CardEntry {
    /// An entry without `each`.
    Card(Card),
    /// Several cards.
    Series(CardSeries),
}

/// The maximum number of cards in a series.
pub const MOST_IN_SERIES: usize = 1000;

entity! {
    /// Cards that differ in a few values. The entry stands for one card for each combination of the values in `each`. Its
    /// texts have the names of these values as placeholders: `"id": "{suit}-{rank}"`.
    pub struct CardSeries {
        /// The id of each card, with all placeholders.
        id: SeriesText,
        /// The values in which the cards differ. In the order of the cards, the first value changes most slowly.
        #[schemars(length(min = 1, max = 8))]
        each: Vec<SeriesPart>,
        /// Keyword of the type.
        #[serde(rename = "type")]
        card_type: OrSeries<Keyword>,
        /// How many copies of each card the box holds. Default: 1.
        #[serde(default)]
        copies: Option<OrSeries<u16>>,
        /// The zone that holds the copies when the game begins. A zone of scope `faction` needs a `faction`.
        zone: OrSeries<ZoneRef>,
        /// The faction they belong to. Omit it if there is none.
        #[serde(default)]
        faction: Option<OrSeries<FactionRef>>,
        /// Properties, as files of `props` declare them.
        #[serde(default)]
        props: Props,
        /// Numbers that the texts show as `{name}` and the hooks read as `self.name`.
        #[serde(default)]
        params: SeriesParams,
        /// What the cards do, by hook point.
        #[serde(default)]
        hooks: SeriesHooks,
        /// What the effect hooks may touch. Default: everything. In scenarios and random games, a hook that touches
        /// anything else is an error.
        #[serde(default)]
        may: Option<Vec<OrSeries<May>>>,
    }
}

/// A value in which the cards of a series differ.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesPart {
    /// The name of its placeholder.
    pub name: Name,
    /// The values that it takes.
    #[schemars(length(min = 1, max = 1000))]
    pub values: Vec<SeriesValue>,
}

/// A text or a whole number.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SeriesValue {
    /// A text, such as a keyword or an id.
    Text(String),
    /// A whole number.
    Number(i32),
}

entity! {
    /// Hooks that are live without a card: always, or while a faction is led.
    pub struct Rule {
        /// Unique among rules.
        id: Id,
        /// The rule is live only while somebody leads this faction. Omit it or write null if it is always live.
        #[serde(default)]
        faction: Option<FactionRef>,
        /// Numbers that its text shows as `{name}` and its hooks read as `self.name`.
        #[serde(default)]
        params: Params,
        /// What the rule does, by hook point.
        #[serde(default)]
        hooks: Hooks,
        /// What its effect hooks may touch. Default: everything. In scenarios and random games, a hook that touches
        /// anything else is an error.
        #[serde(default)]
        may: Option<Vec<May>>,
    }
}

entity! {
    /// A hook point that the game declares in addition to those of the kernel.
    pub struct Point {
        /// Unique among hook points.
        id: Id,
        /// What its listeners may do.
        kind: PointKind,
        /// The names of the arguments that listeners receive, at most four.
        #[serde(default)]
        #[schemars(length(max = 4))]
        args: Vec<String>,
        /// Card types: every card of one of them must have a hook here, e.g. because this point carries out its text.
        #[serde(default)]
        required_in: Vec<Keyword>,
        /// What the number of a query means, e.g. `gold`.
        #[serde(default)]
        value: Option<String>,
        /// What the point is for: one sentence.
        doc: String,
    }
}

/// What listeners of a hook point may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PointKind {
    /// Change a number. They must not change the table or ask for a decision.
    Query,
    /// Change the table, ask for decisions, move and fight.
    Effect,
}

entity! {
    /// A decision that scripts may ask for.
    pub struct Decision {
        /// Unique among decisions. Its prompt is the message `decision.<id>`.
        id: Id,
        /// The keywords it may offer. Each is shown as the message `option.<keyword>`.
        #[serde(default)]
        options: Vec<Keyword>,
        /// What is decided: one sentence.
        #[serde(default)]
        doc: Option<String>,
    }
}
