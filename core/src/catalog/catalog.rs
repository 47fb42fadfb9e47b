//! The [`Catalog`]: everything that packs compile to.

use std::ops::Deref;
use std::sync::Arc;

use super::battle::BattleRule;
use super::board::Board;
use super::cards::{Design, ZoneKinds};
use super::control::ControlRule;
use super::counters::{Counter, Scope};
use super::flow::{AsideRule, DecisionKind, Phase};
use super::hooks::{Hook, HookPoint, HookSource, KernelPoints, Listener, Rule};
use super::movement::MovementRule;
use super::names::{Keywords, Names};
use super::pieces::{Kind, PieceBox};
use super::setup::{Faction, Variant};
use super::tiles::TileRule;
use super::trained::Trained;
use crate::ids::*;

/// Everything that packs compile to. It is immutable and shared by all games. Its parts can be read, and only
/// [`CatalogParts::build`] makes a catalog: each id in it names something.
#[derive(Clone, Debug)]
pub struct Catalog {
    parts: CatalogParts,
    /// For each hook point, the listeners of rules, sorted by priority and then by rule.
    pub(crate) rule_listeners: Vec<Vec<(RuleId, Listener)>>,
}

impl Deref for Catalog {
    type Target = CatalogParts;
    #[inline(always)]
    fn deref(&self) -> &CatalogParts {
        &self.parts
    }
}

/// The parts of a [`Catalog`]. An id is an index into one of these lists.
#[derive(Clone, Debug)]
pub struct CatalogParts {
    /// The id of the game.
    pub game: String,
    /// The digest of the packs' files. States and saves name it, and fit no other packs.
    pub fingerprint: String,
    /// The least and greatest number of seats, inclusive.
    pub seats: (u8, u8),
    /// All keywords by [`SymbolId`].
    pub symbols: Names,
    /// The kernel's own keywords.
    pub words: Keywords,
    /// All factions by [`FactionId`], playable ones first, in seat order. At most [`MOST_FACTIONS`](super::MOST_FACTIONS).
    pub factions: Vec<Faction>,
    /// How many factions are playable.
    pub playable: usize,
    /// The board, by [`SpaceId`].
    pub spaces: Board,
    /// Kinds of pieces by [`KindId`].
    pub kinds: Vec<Kind>,
    /// The box of pieces, by [`PieceId`].
    pub pieces: PieceBox,
    /// Card designs by [`DesignId`].
    pub designs: Vec<Design>,
    /// The box of cards: the design of each [`CardId`].
    pub cards: Vec<DesignId>,
    /// Declared zones by [`ZoneKindId`].
    pub zones: ZoneKinds,
    /// The declared zone of each [`ZoneId`], and its owner if every seat has one.
    pub zone_list: Vec<(ZoneKindId, Option<FactionId>)>,
    /// Counters by [`CounterId`].
    pub counters: Vec<Counter>,
    /// The length of the world's flat list of counter values: the sum over all counters, and the cells of the grid.
    pub counter_values: usize,
    /// Rules by [`RuleId`].
    pub rules: Vec<Rule>,
    /// Hook points by [`HookPointId`], beginning with those of [`KernelPoints::declare`].
    pub points: Vec<HookPoint>,
    /// The ids of the kernel's own hook points.
    pub kernel: KernelPoints,
    /// Functions of scripts by [`HookId`].
    pub hooks: Vec<Hook>,
    /// Kinds of decisions by [`DecisionId`].
    pub decisions: Vec<DecisionKind>,
    /// Phases by [`PhaseId`], including nested ones.
    pub phases: Vec<Phase>,
    /// The outermost phases, in the order in which they run.
    pub flow: Vec<PhaseId>,
    /// If the board has fog: the counter of spaces that stores who sees each space, one bit for each faction.
    pub fog: Option<CounterId>,
    /// How spaces are controlled.
    pub control: ControlRule,
    /// How pieces move, if scripts of the game start movements.
    pub movement: Option<MovementRule>,
    /// How battles are fought, if scripts of the game start any.
    pub battle: Option<BattleRule>,
    /// How tiles are laid, if the game has any.
    pub tiles: Option<Box<TileRule>>,
    /// The asides, if the game has any.
    pub asides: Option<AsideRule>,
    /// Named sets of setup options.
    pub variants: Vec<Variant>,
    /// What a trained player knows, if the packs bring one.
    pub trained: Option<Arc<Trained>>,
}

macro_rules! find {
    ($($(#[$doc:meta])* $fun:ident, $list:ident, $id:ident;)*) => {$(
        $(#[$doc])*
        pub fn $fun(&self, id: &str) -> Option<$id> {
            self.$list.iter().position(|item| item.id == id).map($id::at)
        }
    )*};
}

/// Lists whose entities have ids and are values.
macro_rules! entities {
    ($($type:ident in $list:ident),* $(,)?) => {
        /// The ids of all entities of a type, by index. Pieces, cards of the box and keywords have no ids of their own.
        pub fn ids(&self, of: HandleType) -> Vec<&str> {
            match of {
                $(HandleType::$type => self.$list.iter().map(|item| item.id.as_str()).collect(),)*
                HandleType::Piece | HandleType::Card | HandleType::Symbol => Vec::new(),
            }
        }

        /// The entity of a type with an id; `None` for the types without ids.
        pub fn entity(&self, of: HandleType, id: &str) -> Option<Value> {
            let at = match of {
                $(HandleType::$type => self.$list.iter().position(|item| item.id == id),)*
                HandleType::Piece | HandleType::Card | HandleType::Symbol => None,
            };
            at.map(|at| of.value(at))
        }

        /// The number of values of a type.
        pub fn count(&self, of: HandleType) -> usize {
            match of {
                $(HandleType::$type => self.$list.len(),)*
                HandleType::Piece => self.pieces.len(),
                HandleType::Card => self.cards.len(),
                HandleType::Symbol => self.symbols.len(),
            }
        }

        /// The id of an entity as written in packs; numbers and keywords unchanged, `?` if the entity does not exist.
        pub fn id_of(&self, value: Value) -> String {
            fn id(found: Option<&String>) -> String {
                found.cloned().unwrap_or_else(|| "?".to_owned())
            }
            match value {
                Value::Nil => "none".to_owned(),
                Value::Unseen => "hidden".to_owned(),
                Value::Int(n) => n.to_string(),
                $(Value::$type(of) => id(self.$list.get(of.index()).map(|item| &item.id)),)*
                Value::Piece(p) => {
                    id(self.pieces.get(p.index()).and_then(|p| self.kinds.get(p.kind.index())).map(|k| &k.id))
                }
                Value::Card(c) => id(self.cards.get(c.index()).and_then(|d| self.designs.get(d.index())).map(|d| &d.id)),
                Value::Symbol(s) => self.symbols.name(s.index()).to_owned(),
            }
        }
    };
}

impl CatalogParts {
    /// The parts of a game without content: it has the kernel's keywords and hook points, and one seat.
    pub fn new(game: &str) -> Self {
        let mut symbols = Names::default();
        let words = Keywords::intern(&mut symbols);
        let (kernel, points) = KernelPoints::declare();
        CatalogParts {
            game: game.to_owned(),
            fingerprint: String::new(),
            seats: (1, 1),
            symbols,
            words,
            factions: Vec::new(),
            playable: 0,
            spaces: Board::default(),
            kinds: Vec::new(),
            pieces: PieceBox::default(),
            designs: Vec::new(),
            cards: Vec::new(),
            zones: ZoneKinds::default(),
            zone_list: Vec::new(),
            counters: Vec::new(),
            counter_values: 0,
            rules: Vec::new(),
            points,
            kernel,
            hooks: Vec::new(),
            decisions: Vec::new(),
            phases: Vec::new(),
            flow: Vec::new(),
            fog: None,
            control: ControlRule::default(),
            movement: None,
            battle: None,
            tiles: None,
            asides: None,
            variants: Vec::new(),
            trained: None,
        }
    }

    /// Adds a function of a script that belongs to no entity.
    pub fn add_function(&mut self, module: &str, function: &str) -> HookId {
        let (module, function) = (module.to_owned(), function.to_owned());
        self.hooks.push(Hook { module, function, change: None, source: HookSource::Flow, point: None });
        HookId::at(self.hooks.len() - 1)
    }
}

impl Catalog {
    /// The catalog of parts that fit.
    pub(super) fn of(parts: CatalogParts) -> Self {
        let mut rule_listeners = vec![Vec::new(); parts.points.len()];
        for (at, rule) in parts.rules.iter().enumerate() {
            for listener in &rule.listeners {
                rule_listeners[listener.point.index()].push((RuleId::at(at), *listener));
            }
        }
        for list in &mut rule_listeners {
            list.sort_by_key(|(_, listener)| listener.priority);
        }
        Catalog { parts, rule_listeners }
    }

    /// The parts, to build another catalog from them.
    pub fn into_parts(self) -> CatalogParts {
        self.parts
    }

    /// Adds a function of a script that belongs to no entity, for tools that call functions by name.
    pub fn add_function(&mut self, module: &str, function: &str) -> HookId {
        self.parts.add_function(module, function)
    }

    /// Lets a hook call another function.
    pub fn set_function(&mut self, hook: HookId, module: &str, function: &str) {
        if let Some(hook) = self.parts.hooks.get_mut(hook.index()) {
            (hook.module, hook.function) = (module.to_owned(), function.to_owned());
        }
    }

    /// Replaces what a trained player knows. It has no ids.
    pub fn set_trained(&mut self, trained: Option<Arc<Trained>>) {
        self.parts.trained = trained;
    }

    find! {
        /// The faction with an id.
        faction, factions, FactionId;
        /// The space with an id.
        space, spaces, SpaceId;
        /// The kind of piece with an id.
        kind, kinds, KindId;
        /// The design with an id.
        design, designs, DesignId;
        /// The declared zone with an id.
        zone, zones, ZoneKindId;
        /// The counter with an id.
        counter, counters, CounterId;
        /// The hook point with an id.
        point, points, HookPointId;
        /// The decision kind with an id.
        decision, decisions, DecisionId;
        /// The phase with an id.
        phase, phases, PhaseId;
        /// The rule with an id.
        rule, rules, RuleId;
    }

    entities!(
        Faction in factions,
        Space in spaces,
        Kind in kinds,
        Design in designs,
        Zone in zones,
        Counter in counters,
        Rule in rules,
    );

    /// The id of a keyword, if a pack uses it.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbols.find(name).map(SymbolId::at)
    }

    /// The zone of a declared zone and an owner; `None` if a zone of the game is given an owner, or a zone of seats is
    /// not.
    pub fn zone_of(&self, zone: ZoneKindId, owner: Option<FactionId>) -> Option<ZoneId> {
        let spec = self.zones.get(zone.index())?;
        match (spec.scope, owner) {
            (Scope::Game, None) => Some(ZoneId::at(spec.offset)),
            (Scope::Faction, Some(f)) if f.index() < self.playable => Some(ZoneId::at(spec.offset + f.index())),
            _ => None,
        }
    }

    /// The design of a card.
    pub fn design_of(&self, card: CardId) -> &Design {
        &self.designs[self.cards[card.index()].index()]
    }
}
