//! From [`CatalogParts`] to a [`Catalog`]: every id must name something, and every list must have its length.

use std::fmt;

use super::battle::{BattleRule, BattleStep};
use super::catalog::{Catalog, CatalogParts};
use super::control::ControlScore;
use super::counters::{Counter, Scope};
use super::filters::{KindOrClass, SpaceFilter};
use super::flow::{Offer, Phase, PhaseBody, Times};
use super::hooks::{HookSource, KernelPoints, Listener};
use super::limits::{MOST_ENTITIES, MOST_FACTIONS};
use super::names::Keywords;
use super::props::Props;
use super::tiles::{MOST_EDGES, TileRule};
use crate::ids::*;

/// An error in the parts of a catalog. A place is a kind of entity and an id, such as ``phase `harvest` ``.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// An id names something that does not exist.
    #[error("{place} names {what} {index}, but there are {count}")]
    Dangling {
        /// Where the id is.
        place: String,
        /// What it should name.
        what: &'static str,
        /// The id.
        index: usize,
        /// How many there are, counted from 0.
        count: usize,
    },
    /// There are more entities than ids.
    #[error("{what}: there are {count}, but at most {most} are allowed")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// The most that are allowed.
        most: usize,
    },
    /// Parts do not fit each other.
    #[error("{place}: {rule}")]
    Unfit {
        /// Where.
        place: String,
        /// The broken rule.
        rule: &'static str,
    },
}

/// All errors in the parts of a catalog, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogErrors(Vec<CatalogError>);

impl CatalogErrors {
    /// The errors, in the order of the parts.
    pub fn list(&self) -> &[CatalogError] {
        &self.0
    }
}

impl fmt::Display for CatalogErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for CatalogErrors {}

impl CatalogParts {
    /// Checks the parts and makes the catalog.
    ///
    /// # Errors
    /// All errors: dangling ids, lists that are too long, and parts that do not fit each other.
    pub fn build(self) -> Result<Catalog, CatalogErrors> {
        let mut check = Check { parts: &self, place: ("game", &self.game), errors: Vec::new() };
        check.sizes();
        check.table();
        check.cards();
        check.counters();
        check.hooks();
        check.flow();
        check.procedures();
        match check.errors {
            errors if errors.is_empty() => Ok(Catalog::of(self)),
            errors => Err(CatalogErrors(errors)),
        }
    }
}

/// An id and the list that it indexes.
trait Id: Copy {
    const WHAT: &'static str;
    fn at(self) -> usize;
    fn count(parts: &CatalogParts) -> usize;
}

macro_rules! lists {
    ($($id:ident $what:literal $list:ident,)*) => {$(
        impl Id for $id {
            const WHAT: &'static str = $what;
            fn at(self) -> usize { self.index() }
            fn count(parts: &CatalogParts) -> usize { parts.$list.len() }
        }
    )*};
}

lists! {
    FactionId "faction" factions,
    SpaceId "space" spaces,
    KindId "kind" kinds,
    PieceId "piece" pieces,
    CardId "card" cards,
    DesignId "design" designs,
    ZoneId "zone" zone_list,
    ZoneKindId "declared zone" zones,
    CounterId "counter" counters,
    SymbolId "keyword" symbols,
    DecisionId "decision" decisions,
    HookPointId "hook point" points,
    HookId "hook" hooks,
    RuleId "rule" rules,
    PhaseId "phase" phases,
}

struct Check<'a> {
    parts: &'a CatalogParts,
    place: (&'static str, &'a str),
    errors: Vec<CatalogError>,
}

impl<'a> Check<'a> {
    fn place(&self) -> String {
        format!("{} `{}`", self.place.0, self.place.1)
    }

    fn id<I: Id>(&mut self, id: I) {
        let (index, count) = (id.at(), I::count(self.parts));
        if index >= count {
            self.errors.push(CatalogError::Dangling { place: self.place(), what: I::WHAT, index, count });
        }
    }

    fn ids<I: Id>(&mut self, ids: impl IntoIterator<Item = I>) {
        ids.into_iter().for_each(|id| self.id(id));
    }

    fn demand(&mut self, fits: bool, rule: &'static str) {
        if !fits {
            self.errors.push(CatalogError::Unfit { place: self.place(), rule });
        }
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Nil | Value::Unseen | Value::Int(_) => {}
            Value::Faction(id) => self.id(id),
            Value::Space(id) => self.id(id),
            Value::Kind(id) => self.id(id),
            Value::Piece(id) => self.id(id),
            Value::Card(id) => self.id(id),
            Value::Design(id) => self.id(id),
            Value::Zone(id) => self.id(id),
            Value::Counter(id) => self.id(id),
            Value::Symbol(id) => self.id(id),
            Value::Rule(id) => self.id(id),
        }
    }

    fn props(&mut self, props: &Props) {
        for (name, value) in &props.0 {
            self.id(*name);
            self.value(*value);
        }
    }

    fn scores(&mut self, scores: &[ControlScore]) {
        self.ids(scores.iter().map(|score| score.counter));
    }

    fn listeners(&mut self, listeners: &[Listener]) {
        for Listener { point, hook, .. } in listeners {
            self.id(*point);
            self.id(*hook);
        }
    }

    fn sizes(&mut self) {
        fn size<I: Id>(parts: &CatalogParts) -> (&'static str, usize, usize) {
            (I::WHAT, I::count(parts), MOST_ENTITIES)
        }
        let parts = self.parts;
        let sizes = [
            (FactionId::WHAT, parts.factions.len(), MOST_FACTIONS),
            size::<SpaceId>(parts),
            size::<KindId>(parts),
            size::<PieceId>(parts),
            size::<CardId>(parts),
            size::<DesignId>(parts),
            size::<ZoneId>(parts),
            size::<ZoneKindId>(parts),
            size::<CounterId>(parts),
            size::<SymbolId>(parts),
            size::<DecisionId>(parts),
            size::<HookPointId>(parts),
            size::<HookId>(parts),
            size::<RuleId>(parts),
            size::<PhaseId>(parts),
        ];
        let too_many = sizes.into_iter().filter(|(_, count, most)| count > most);
        self.errors.extend(too_many.map(|(what, count, most)| CatalogError::TooMany { what, count, most }));
    }

    /// Factions, the board, and the box of pieces.
    fn table(&mut self) {
        let parts = self.parts;
        let Keywords { yes, no, done, undo, back, r#move, to, withdraw_consent, attacker, defender } = parts.words;
        self.ids([yes, no, done, undo, back, r#move, to, withdraw_consent, attacker, defender]);
        self.demand(parts.playable <= parts.factions.len(), "more factions are playable than there are");
        for (at, faction) in parts.factions.iter().enumerate() {
            self.place = ("faction", &faction.id);
            self.demand(faction.playable == (at < parts.playable), "playable factions come first");
            self.id(faction.group);
            self.ids(faction.rival);
            self.props(&faction.props);
        }
        for space in &parts.spaces {
            self.place = ("space", &space.id);
            self.id(space.kind);
            self.ids(space.home);
            self.ids(space.exits.iter().copied());
            self.scores(&space.on_control);
            for pieces in &space.pieces {
                self.id(pieces.kind);
                self.ids(pieces.faction);
            }
            self.props(&space.props);
        }
        for kind in &parts.kinds {
            self.place = ("kind", &kind.id);
            self.id(kind.class);
            self.scores(&kind.on_control);
            self.props(&kind.stats);
            self.props(&kind.props);
        }
        self.place = ("box of game", &parts.game);
        for piece in parts.pieces.iter() {
            self.id(piece.kind);
            self.ids(piece.owner);
        }
    }

    fn cards(&mut self) {
        let parts = self.parts;
        self.place = ("box of game", &parts.game);
        self.ids(parts.cards.iter().copied());
        let mut list = Vec::new();
        for (at, zone) in parts.zones.iter().enumerate() {
            self.place = ("zone", &zone.id);
            self.demand(zone.offset == list.len(), "it does not begin after the zones before it");
            let kind = ZoneKindId::at(at);
            match zone.scope {
                Scope::Game => list.push((kind, None)),
                Scope::Faction => list.extend((0..parts.playable).map(|seat| (kind, Some(FactionId::at(seat))))),
                Scope::Space | Scope::Card => self.demand(false, "zones belong to the game or to factions"),
            }
        }
        self.place = ("game", &parts.game);
        self.demand(parts.zone_list == list, "the list of zones has other entries than the declared zones need");
        for design in &parts.designs {
            self.place = ("design", &design.id);
            self.id(design.card_type);
            self.ids(design.faction);
            self.id(design.start);
            self.props(&design.props);
            self.listeners(&design.listeners);
        }
    }

    fn counters(&mut self) {
        let parts = self.parts;
        let mut values = 0;
        for counter in &parts.counters {
            self.place = ("counter", &counter.id);
            let Counter { scope, min, max, derived, offset, .. } = counter;
            self.demand(*offset == values, "it does not begin after the counters before it");
            self.demand(min <= max, "its least number is above its greatest");
            self.ids(derived.and_then(|derived| derived.space));
            self.ids(derived.and_then(|derived| derived.piece));
            values += match scope {
                Scope::Game => 1,
                Scope::Faction => parts.playable,
                Scope::Space => parts.spaces.len(),
                Scope::Card => parts.cards.len(),
            };
        }
        self.place = ("game", &parts.game);
        self.demand(values <= parts.counter_values, "the counters have more values than `counter_values`");
        if let Some(fog) = parts.fog {
            self.id(fog);
            let is_of_spaces = parts.counters.get(fog.index()).is_none_or(|counter| counter.scope == Scope::Space);
            self.demand(is_of_spaces, "the counter of the fog belongs to spaces");
        }
        for variant in &parts.variants {
            self.place = ("variant", &variant.id);
            self.ids(variant.options.iter().map(|(counter, _)| *counter));
        }
        if let Some(tiles) = &parts.tiles {
            self.place = ("tiles of game", &parts.game);
            self.tiles(tiles, values);
        }
    }

    fn tiles(&mut self, tiles: &TileRule, values: usize) {
        let parts = self.parts;
        let (spaces, numbers) = (tiles.first.index() + tiles.len(), tiles.offset + tiles.len());
        self.demand(spaces <= parts.spaces.len(), "the grid has more cells than there are spaces");
        self.demand(tiles.offset >= values, "the cells have values that belong to counters");
        self.demand(numbers <= parts.counter_values, "the cells have more values than `counter_values`");
        self.demand(tiles.edges.len() <= MOST_EDGES, "there are too many kinds of edges");
        self.ids(tiles.zones.iter().copied());
        self.ids(tiles.networks.iter().copied());
        self.ids(tiles.veto);
        for edge in &tiles.edges {
            self.id(edge.id);
            let is_known = edge.network.is_none_or(|network| network < tiles.networks.len());
            self.demand(is_known, "an edge belongs to a network that does not exist");
        }
    }

    fn hooks(&mut self) {
        let parts = self.parts;
        self.place = ("game", &parts.game);
        let KernelPoints {
            movement_points,
            movement_guarded,
            battle_strength,
            battle_shields,
            control_changed,
            space_vacated,
            bot_value,
            bot_imagine,
        } = parts.kernel;
        self.ids([movement_points, movement_guarded, battle_strength, battle_shields]);
        self.ids([control_changed, space_vacated, bot_value, bot_imagine]);
        for hook in &parts.hooks {
            self.place = ("hook", &hook.function);
            match hook.source {
                HookSource::Flow => {}
                HookSource::Design(design) => self.id(design),
                HookSource::Rule(rule) => self.id(rule),
            }
            self.ids(hook.point);
        }
        for rule in &parts.rules {
            self.place = ("rule", &rule.id);
            self.ids(rule.faction);
            self.listeners(&rule.listeners);
        }
    }

    fn flow(&mut self) {
        let parts = self.parts;
        self.place = ("flow of game", &parts.game);
        self.ids(parts.flow.iter().copied());
        for (at, phase) in parts.phases.iter().enumerate() {
            self.place = ("phase", &phase.id);
            self.phase(PhaseId::at(at), phase);
        }
        self.place = ("asides of game", &parts.game);
        if let Some(asides) = &parts.asides {
            self.ids([asides.options, asides.play]);
            self.id(asides.decision);
        }
    }

    fn phase(&mut self, at: PhaseId, phase: &Phase) {
        match &phase.body {
            PhaseBody::Run(hook) | PhaseBody::Each(hook) | PhaseBody::Simultaneous(hook) => self.id(*hook),
            PhaseBody::Repeat { times, counter, phases } => {
                self.ids(*counter);
                if let Times::Counter(counter) = times {
                    self.id(*counter);
                }
                self.ids(phases.iter().copied());
                // No phase is in itself.
                self.demand(phases.iter().all(|inner| *inner > at), "phases in it come after it in the list");
            }
        }
        let Some(decision) = phase.decision else { return };
        self.id(decision.decision);
        match decision.offer {
            Offer::Script(hook) => self.id(hook),
            Offer::Spaces { filter, beside, .. } => {
                self.ids(beside);
                self.filter(&filter);
            }
        }
    }

    fn filter(&mut self, filter: &SpaceFilter) {
        self.ids(filter.kind.into_iter().chain(filter.prop).chain(filter.first_of));
        self.ids(filter.home.into_iter().chain(filter.controller).chain(filter.uncontrolled_by));
        self.ids(filter.marked.into_iter().chain(filter.unmarked));
        self.ids(filter.fewer.map(|(_, prop)| prop));
        self.ids(filter.beside);
        for wanted in filter.without.into_iter().chain(filter.fewer.map(|(wanted, _)| wanted)) {
            match wanted {
                KindOrClass::Kind(kind) => self.id(kind),
                KindOrClass::Class(class) => self.id(class),
            }
        }
    }

    fn procedures(&mut self) {
        let parts = self.parts;
        self.place = ("control of game", &parts.game);
        self.ids(parts.control.blocked_by);
        self.place = ("movement of game", &parts.game);
        if let Some(movement) = &parts.movement {
            self.id(movement.stat);
            self.ids([movement.pick, movement.to, movement.consent]);
        }
        self.place = ("battle of game", &parts.game);
        if let Some(battle) = &parts.battle {
            self.battle(battle);
        }
    }

    fn battle(&mut self, battle: &BattleRule) {
        self.ids([battle.strength, battle.fortify]);
        self.demand(battle.fighters.len() == self.parts.kinds.len(), "it needs a fighter for each kind");
        for face in &battle.faces {
            self.id(face.id);
            self.props(&face.values);
            let has_opposite = usize::from(face.opposite) < battle.faces.len();
            self.demand(has_opposite, "the opposite of a face does not exist");
        }
        for (name, step) in &battle.steps {
            self.id(*name);
            if let BattleStep::Run(hook) = step {
                self.id(*hook);
            }
        }
    }
}
