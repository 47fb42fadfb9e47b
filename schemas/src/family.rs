//! The families of content files: one table from which everything follows that is said about all of them. `files` makes
//! the types of the files from it.

use schemars::JsonSchema;
use serde::Deserialize;

/// What is known about a family besides the type of its entities.
#[derive(Clone, Copy, Debug)]
pub struct FamilySpec {
    /// What it holds: a cell of the table in `docs/packs.md`.
    pub about: &'static str,
    /// What messages call one entity, if that is not the singular of the key.
    noun: Option<&'static str>,
    /// The messages with which players read about an entity.
    pub texts: Option<EntityTexts>,
    /// The word for the handles of its entities in scripts, which is also the name of their table of constants:
    /// `zone.hand`. `None` if scripts hold no such handles.
    pub handle: Option<&'static str>,
    /// Whether `may` can allow hooks to touch its entities.
    pub is_touched: bool,
    /// Whether its entities can change how a game runs.
    pub decides: bool,
    /// Whether packs can patch entities of other packs.
    pub is_patchable: bool,
}

/// The messages about an entity. The keys begin with the family's singular and the id of the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityTexts {
    /// A name: `zone.hand`.
    Name,
    /// A name, and an explanation that ends in `.help`: `phase.income.help`.
    NameAndHelp,
    /// Parts with these endings: `card.raid.title`.
    Parts(&'static [&'static str]),
}

macro_rules! maybe {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

macro_rules! facts {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident $file:ident $key:ident: $item:ty {
            about: $about:literal,
            $(noun: $noun:literal,)?
            $(texts: $texts:expr,)?
            $(handle: $handle:literal,)?
            $(may: $may:literal,)?
            decides: $decides:literal,
            $(patch: $patch:literal,)?
            $(pins: { $($pin:ident $pin_doc:literal),* },)?
            $(props: { $($owner:ident by $group:literal $owner_doc:literal),* },)?
        }
    )*) => {
        /// A family of content files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Family {
            $($(#[doc = $doc])* $name,)*
        }

        impl Family {
            /// All families, in the order in which they are listed for users.
            pub const ALL: &[Family] = &[$(Family::$name),*];

            /// The key that marks a file of this family.
            pub const fn key(self) -> &'static str {
                match self { $(Family::$name => stringify!($key)),* }
            }

            /// What is known about it.
            pub const fn spec(self) -> &'static FamilySpec {
                match self { $(Family::$name => const { &FamilySpec {
                    about: $about,
                    noun: maybe!($($noun)?),
                    texts: maybe!($($texts)?),
                    handle: maybe!($($handle)?),
                    is_touched: false $(|| $may)?,
                    decides: $decides,
                    is_patchable: { let patch: Option<&str> = maybe!($($patch)?); patch.is_some() },
                } }),* }
            }
        }

        /// Families whose entities can be changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum PatchFamily {
            $($(#[doc = $patch] $name,)?)*
        }

        impl PatchFamily {
            /// As files of other packs declare its entities.
            pub fn family(self) -> Family {
                match self { $($(PatchFamily::$name => { let _ = $patch; Family::$name })?)* }
            }
        }

        /// What a pin counts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum PinFamily {
            $($($(#[doc = $pin_doc] $pin,)*)?)*
        }

        impl PinFamily {
            /// The family that must be complete for a pin to be right.
            pub fn family(self) -> Family {
                match self { $($($(PinFamily::$pin => Family::$name,)*)?)* }
            }

            /// The variant, as Rust spells it.
            fn variant(self) -> &'static str {
                match self { $($($(PinFamily::$pin => stringify!($pin),)*)?)* }
            }
        }

        /// The entities that can have a property.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum PropOwner {
            $($($(#[doc = $owner_doc] $owner,)*)?)*
        }

        impl PropOwner {
            /// All of them.
            pub const ALL: &[PropOwner] = &[$($($(PropOwner::$owner,)*)?)*];

            /// The family whose entities have it.
            pub fn family(self) -> Family {
                match self { $($($(PropOwner::$owner => Family::$name,)*)?)* }
            }

            /// The field that distinguishes these entities.
            pub fn group(self) -> &'static str {
                match self { $($($(PropOwner::$owner => $group,)*)?)* }
            }
        }
    };
}

/// Hands the table of families to a macro: of each its name, the type of its files, its key, the type of its entities,
/// and what is known about it.
macro_rules! family_table {
    ($then:ident) => {
        $then! {
            /// Factions: the powers of the game, playable ones in seat order.
            Factions FactionsFile factions: Vec<Faction> {
                about: "the powers of the game: the playable factions first, in seat order. A seat is a playable faction that somebody leads",
                texts: EntityTexts::Name,
                handle: "faction",
                decides: true,
                patch: "The powers of the game.",
                pins: { Factions "The powers of the game." },
                props: { Factions by "group" "Factions, distinguished by `group`." },
            }
            /// Spaces of the board.
            Spaces SpacesFile spaces: Vec<Space> {
                about: "the board: which spaces touch (`adjacent` both ways, `exits` one way), where they are drawn, what they hold at the start",
                texts: EntityTexts::Name,
                handle: "space",
                decides: true,
                patch: "Places on the board.",
                pins: { Spaces "Places on the board." },
                props: { Spaces by "kind" "Spaces, distinguished by `kind`." },
            }
            /// Kinds of pieces and how many of each the box holds.
            Kinds KindsFile kinds: Vec<Kind> {
                about: "kinds of pieces with their `stats`, and the `supply`: every piece that exists",
                noun: "kind of piece",
                texts: EntityTexts::Name,
                handle: "kind",
                may: true,
                decides: true,
                patch: "Kinds of pieces.",
                pins: { Kinds "Kinds of pieces.", Pieces "Pieces in the box." },
                props: {
                    Kinds by "class" "Kinds of pieces, distinguished by `class`.",
                    Stats by "class" "The `stats` of kinds of pieces: numbers that hooks may change."
                },
            }
            /// Counters, tracks and setup options.
            Counters CountersFile counters: Vec<Counter> {
                about: "numbers and tracks: one for the game, or one for each faction, space or card, with bounds, supply and visibility",
                texts: EntityTexts::Name,
                handle: "counter",
                may: true,
                decides: true,
                patch: "Numbers of the game, its factions, spaces and cards.",
                pins: { Counters "Counters as declared." },
            }
            /// Zones: places for cards.
            Zones ZonesFile zones: Vec<Zone> {
                about: "places for cards: decks, hands, markets. A zone declares who sees its faces; in `active` zones, the hooks of cards are live",
                texts: EntityTexts::Name,
                handle: "zone",
                may: true,
                decides: true,
                patch: "Places for cards.",
                pins: { Zones "Zones as declared." },
            }
            /// Props: the properties that entities may have, and their keywords.
            Props PropsFile props: Vec<Prop> {
                about: "the properties and stats that entities may have, and their keywords; see [Props](#props)",
                texts: EntityTexts::Name,
                decides: true,
                patch: "Declared properties and stats.",
            }
            /// Card designs.
            Cards CardsFile cards: Vec<CardEntry> {
                about: "everything with a face: hand cards, rulers, events, tiles, action tokens. Tiles may have [edges](tiles.md)",
                texts: EntityTexts::Parts(&["title", "text", "short"]),
                handle: "design",
                decides: true,
                patch: "Card designs.",
                pins: {
                    Cards "Cards in the box, counting every copy.",
                    Designs "Card designs.",
                    Edges "Edges of tiles, on every copy of each card. `edge` in `where` is the kind."
                },
                props: { Cards by "type" "Cards, distinguished by `type`." },
            }
            /// Rules: hooks that are live without a card.
            Rules RulesFile rules: Vec<Rule> {
                about: "hooks that are live without a card, always or while somebody leads a faction",
                texts: EntityTexts::Parts(&["title", "text"]),
                decides: true,
                patch: "Hooks that are live without a card.",
                pins: { Rules "Rules as declared." },
            }
            /// Hook points.
            Points PointsFile points: Vec<Point> {
                about: "hook points that the game adds to those of the kernel",
                noun: "hook point",
                decides: true,
                patch: "Hook points.",
            }
            /// Decisions: what seats can be asked, and the keywords of their options.
            Decisions DecisionsFile decisions: Vec<Decision> {
                about: "every decision that a script may ask for, and the keywords it may offer",
                texts: EntityTexts::NameAndHelp,
                decides: true,
                patch: "What seats can be asked.",
            }
            /// Phases: the flow of the game, in one file.
            Phases PhasesFile phases: Vec<Phase> {
                about: "the flow: what happens once, for each seat, for all seats at the same time, or repeatedly. A game keeps it in one file",
                texts: EntityTexts::NameAndHelp,
                decides: true,
                patch: "Phases, including nested ones.",
            }
            /// Settings of the kernel's procedures.
            Procedures ProceduresFile procedures: Vec<Procedure> {
                about: "how control, movement, battle, fog, tiles and asides work in this game",
                decides: true,
                patch: "Settings of the kernel's procedures.",
            }
            /// Variants: named sets of setup options.
            Variants VariantsFile variants: Vec<Variant> {
                about: "named sets of setup options",
                texts: EntityTexts::Name,
                decides: true,
                patch: "Named sets of setup options.",
            }
            /// Messages: every text that players see, a file for each language.
            Messages MessagesFile messages: MessageTexts {
                about: "every text that a player sees, in separate files",
                decides: false,
            }
            /// Looks: what the things of the game look like.
            Looks LooksFile looks: Vec<Look> {
                about: "what factions, spaces, pieces and cards look like; see [Looks](looks.md)",
                decides: false,
                patch: "What things look like.",
            }
            /// Promises: what the designer says about the balance of the game.
            Promises PromisesFile promises: Vec<Promises> {
                about: "what the designer says about the balance of the game, in `balance.json`; see [Balance](balance.md#promises)",
                decides: false,
            }
            /// Bots: players that have learned the game.
            Bots BotsFile bots: Vec<Bot> {
                about: "a player that has learned the game, made by `principes learn`; see [Players that learn](learning.md)",
                decides: false,
            }
            /// Pins: counts and sums that must be right.
            Pins PinsFile pins: Vec<Pin> {
                about: "counts and sums that must be right, checked when the pack is loaded",
                decides: false,
                patch: "Counts and sums that must be right.",
            }
            /// Patches: changes to entities of earlier packs.
            Patches PatchesFile patches: Vec<Patch> {
                about: "changes to entities of the packs that this one requires",
                noun: "patch",
                decides: false,
            }
            /// Scenarios: given, when, then.
            Scenarios ScenariosFile scenarios: Vec<Scenario> {
                about: "given / when / then; see [Scenarios](scenarios.md)",
                decides: false,
            }
        }
    };
}
pub(crate) use family_table;

family_table!(facts);

impl Family {
    /// The family that has this key, if any.
    pub fn with_key(key: &str) -> Option<Family> {
        Family::ALL.iter().copied().find(|family| family.key() == key)
    }

    /// What message keys and command lines call one entity, such as `card`: the key without its last `s`. References in
    /// props also begin with it: `card:raid`.
    pub fn singular(self) -> &'static str {
        self.key().strip_suffix('s').unwrap_or(self.key())
    }

    /// What messages call one entity: `hook point`.
    pub fn noun(self) -> &'static str {
        self.spec().noun.unwrap_or_else(|| self.singular())
    }

    /// Whether a file may hold other families, too. Messages and scenarios have files of their own.
    pub const fn shares_files(self) -> bool {
        !matches!(self, Family::Messages | Family::Scenarios)
    }

    /// A list of this family only.
    pub fn alone(self) -> &'static [Family] {
        &Family::ALL[self as usize..=self as usize]
    }

    /// The families whose entities scripts hold as handles. Only these can be values of props.
    pub fn with_handles() -> impl Iterator<Item = Family> + Clone {
        Family::ALL.iter().copied().filter(|family| family.spec().handle.is_some())
    }

    /// The family whose handles have this word: `design`.
    pub fn with_handle(word: &str) -> Option<Family> {
        Family::with_handles().find(|family| family.spec().handle == Some(word))
    }

    /// The family whose entities a value of a prop names, by what stands before its colon: `space:harbor`.
    pub fn of_value(prefix: &str) -> Option<Family> {
        Family::with_handles().find(|family| family.singular() == prefix)
    }
}

impl PinFamily {
    /// The word in content files.
    pub fn key(self) -> String {
        self.variant().to_ascii_lowercase()
    }

    /// What messages call one of the things that it counts.
    pub fn noun(self) -> String {
        let key = self.key();
        match key == self.family().key() {
            true => self.family().noun().to_owned(),
            false => key.trim_end_matches('s').to_owned(),
        }
    }
}

impl PropOwner {
    /// The word in content files.
    pub fn name(self) -> &'static str {
        if self == PropOwner::Stats { "stats" } else { self.family().key() }
    }

    /// The field that a prop with its name declares; stats have none.
    pub fn field(self) -> Option<&'static str> {
        (self != PropOwner::Stats).then(|| self.group())
    }
}
