//! From checked content to the kernel's catalog.

use std::collections::BTreeMap;

use principes_analysis::Constants;
use principes_core::catalog as core;
use principes_core::ids::*;
use principes_core::{KindOrClass, SpaceFilter};
use principes_model::messages::HELP;
use principes_model::{Bounds, Merged, Sourced};
use principes_schemas::{self as schemas, Family};

use crate::tiles;

// A lower number would look like a handle to scripts.
const _: () = assert!(schemas::LEAST_WHOLE == Value::LEAST);

/// Compiles checked content. `None` if a reference names something that does not exist, which the checks have reported.
pub fn compile(merged: &Merged, game: &str, seats: (u8, u8), fingerprint: String) -> Option<core::CatalogParts> {
    let mut symbols = core::Names::default();
    let words = core::Keywords::intern(&mut symbols);
    let (kernel, points) = core::KernelPoints::declare();
    let mut compiler = Compiler { merged, symbols, hooks: Vec::new(), points, index: Index::new(merged) };
    compiler.declare_points();
    compiler.intern_messages();
    let factions = compiler.factions()?;
    let playable = factions.iter().filter(|faction| faction.playable).count();
    let spaces = compiler.spaces()?;
    let (kinds, pieces) = compiler.kinds()?;
    let (zones, zone_list) = compiler.zones(playable);
    let (designs, cards) = compiler.designs(&zones, playable)?;
    let (counters, counter_values) = compiler.counters(playable, spaces.len(), cards.len())?;
    let rules = compiler.rules()?;
    let decisions = compiler.decisions();
    let (phases, flow) = compiler.phases()?;
    let procedures = compiler.procedures(&kinds)?;
    let tiles = if tiles::are_used(merged) { Some(tiles::compile(&mut compiler, counter_values)?) } else { None };
    let variants = compiler.variants(seats)?;
    compiler.intern_props();
    Some(core::CatalogParts {
        trained: None,
        game: game.to_owned(),
        fingerprint,
        seats,
        symbols: compiler.symbols,
        words,
        factions,
        playable,
        spaces: spaces.into(),
        kinds,
        pieces: pieces.into(),
        designs,
        cards,
        zones: zones.into(),
        zone_list,
        counters,
        counter_values: counter_values + tiles.as_ref().map_or(0, core::TileRule::len),
        rules,
        points: compiler.points,
        kernel,
        hooks: compiler.hooks,
        decisions,
        phases,
        flow,
        fog: procedures.fog,
        control: procedures.control,
        movement: procedures.movement,
        battle: procedures.battle,
        tiles: tiles.map(Box::new),
        asides: procedures.asides,
        variants,
    })
}

/// An owner: a faction, or nobody.
struct Owner(Option<FactionId>);

/// Positions of entities by id.
struct Index<'m> {
    families: BTreeMap<Family, BTreeMap<&'m str, usize>>,
    /// Hook points, those of the kernel first.
    points: BTreeMap<String, usize>,
}

impl<'m> Index<'m> {
    fn new(merged: &'m Merged) -> Self {
        macro_rules! positions {
            ($($family:ident $list:ident),*) => {
                [$((Family::$family, {
                    let ids = merged.$list.iter().map(|entry| entry.value.id.as_str());
                    ids.enumerate().map(|(at, id)| (id, at)).collect()
                })),*]
            };
        }
        let families = positions!(
            Factions factions, Spaces spaces, Kinds kinds, Counters counters, Zones zones, Cards cards,
            Decisions decisions
        );
        Index { families: families.into(), points: BTreeMap::new() }
    }

    fn at(&self, family: Family, id: &str) -> Option<usize> {
        self.families.get(&family)?.get(id).copied()
    }
    fn faction(&self, id: &schemas::FactionRef) -> Option<FactionId> {
        self.at(Family::Factions, id.as_str()).map(FactionId::at)
    }
    fn owner(&self, id: Option<&schemas::FactionRef>) -> Option<Owner> {
        match id {
            Some(id) => Some(Owner(Some(self.faction(id)?))),
            None => Some(Owner(None)),
        }
    }
    fn space(&self, id: &schemas::SpaceRef) -> Option<SpaceId> {
        self.at(Family::Spaces, id.as_str()).map(SpaceId::at)
    }
    fn kind(&self, id: &schemas::KindRef) -> Option<KindId> {
        self.at(Family::Kinds, id.as_str()).map(KindId::at)
    }
    fn counter(&self, id: &str) -> Option<CounterId> {
        self.at(Family::Counters, id).map(CounterId::at)
    }
    fn decision(&self, id: &schemas::DecisionRef) -> Option<DecisionId> {
        self.at(Family::Decisions, id.as_str()).map(DecisionId::at)
    }
    fn value(&self, prefix: &str, id: &str) -> Option<Value> {
        let family = Family::of_value(prefix)?;
        Some(Constants::of_family(family)?.of.value(self.at(family, id)?))
    }
}

#[derive(Default)]
struct Procedures {
    fog: Option<CounterId>,
    control: core::ControlRule,
    movement: Option<core::MovementRule>,
    battle: Option<core::BattleRule>,
    asides: Option<core::AsideRule>,
}

pub(crate) struct Compiler<'m> {
    pub(crate) merged: &'m Merged,
    symbols: core::Names,
    hooks: Vec<core::Hook>,
    pub(crate) points: Vec<core::HookPoint>,
    index: Index<'m>,
}

impl Compiler<'_> {
    pub(crate) fn symbol(&mut self, name: &str) -> SymbolId {
        SymbolId::at(self.symbols.intern(name))
    }

    /// The keywords. Scripts write them as strings, so those that messages name are included even if no entity has
    /// them.
    fn intern_messages(&mut self) {
        for entry in &self.merged.messages {
            let family = ["log.", "option.", "outcome.", "word.", "type."];
            let word = family.iter().find_map(|prefix| entry.key.strip_prefix(prefix));
            if let Some(word) = word.filter(|word| !word.ends_with(HELP)) {
                self.symbols.intern(word);
            }
        }
    }

    /// The zone with an id.
    pub(crate) fn zone(&self, id: &schemas::ZoneRef) -> Option<ZoneKindId> {
        self.index.at(Family::Zones, id.as_str()).map(ZoneKindId::at)
    }

    fn declare_points(&mut self) {
        let kernel = self.points.iter().map(|point| point.id.clone());
        let ids = kernel.chain(self.merged.points.iter().map(|entry| entry.value.id.to_string()));
        let ids: Vec<String> = ids.collect();
        // If several have the same id, the first one counts.
        self.index.points = ids.into_iter().enumerate().rev().map(|(at, id)| (id, at)).collect();
        for entry in &self.merged.points {
            let point = &entry.value;
            self.points.push(core::HookPoint {
                id: point.id.to_string(),
                kind: match point.kind {
                    schemas::PointKind::Query => core::HookPointKind::Query,
                    schemas::PointKind::Effect => core::HookPointKind::Effect,
                },
                args: point.args.clone(),
                doc: point.doc.clone(),
            });
        }
    }

    fn prop(&mut self, value: &schemas::PropValue) -> Option<Value> {
        Some(match value {
            schemas::PropValue::Bool(yes) => Value::Int(i32::from(*yes)),
            schemas::PropValue::Int(n) => Value::Int(*n),
            schemas::PropValue::Text(text) => match text.split_once(':') {
                Some((prefix, id)) => self.index.value(prefix, id)?,
                None => Value::Symbol(self.symbol(text)),
            },
        })
    }

    /// The props of an entity with this type, kind, class or group, with the declared defaults.
    fn props(
        &mut self,
        of: schemas::PropOwner,
        group: &schemas::Keyword,
        props: &schemas::Props,
    ) -> Option<core::Props> {
        let mut list = core::Props::default();
        for (name, value) in props.iter() {
            let value = self.prop(value)?;
            let name = self.symbol(name);
            list.set(name, value);
        }
        let merged = self.merged;
        for entry in merged.props.iter().map(|entry| &entry.value) {
            if let Some(default) = entry.default.as_ref().filter(|_| entry.of == of && entry.is_for(group.as_str()))
                && !props.contains_key(entry.key())
            {
                let value = self.prop(default)?;
                let name = self.symbol(entry.key());
                list.set(name, value);
            }
        }
        Some(list)
    }

    /// Scripts also know the words that no entity uses yet.
    fn intern_props(&mut self) {
        for entry in &self.merged.props {
            for word in entry.value.words.keys() {
                self.symbols.intern(word);
            }
            self.symbols.intern(entry.value.key());
        }
    }

    fn numbers<'n>(&mut self, numbers: impl Iterator<Item = (&'n String, i32)>) -> core::Props {
        let mut list = core::Props::default();
        for (name, value) in numbers {
            let name = self.symbol(name);
            list.set(name, Value::Int(value));
        }
        list
    }

    fn scores(&self, scores: &[schemas::ControlScore]) -> Option<Vec<core::ControlScore>> {
        let score = |score: &schemas::ControlScore| {
            Some(core::ControlScore { counter: self.index.counter(score.counter.as_str())?, amount: score.amount })
        };
        scores.iter().map(score).collect()
    }

    fn hook(&mut self, function: &schemas::Function, source: core::HookSource, point: Option<HookPointId>) -> HookId {
        let (module, name) = function.as_str().rsplit_once('.').unwrap_or((function.as_str(), ""));
        let (module, function) = (module.to_owned(), name.to_owned());
        self.hooks.push(core::Hook { module, function, change: None, source, point });
        HookId::at(self.hooks.len() - 1)
    }

    fn change(
        &mut self,
        change: &schemas::HookChange,
        params: &schemas::Params,
        source: core::HookSource,
        point: HookPointId,
    ) -> Option<HookId> {
        // `None` if a param is missing, which has been reported.
        let number = |amount: &Option<schemas::Amount>| match amount {
            None => Some(None),
            Some(schemas::Amount::Number(number)) => Some(Some(*number)),
            Some(schemas::Amount::Param(name)) => Some(Some(*params.get(name)?)),
        };
        let change = core::Change {
            set: number(&change.set)?,
            times: number(&change.times)?.unwrap_or(1),
            add: number(&change.add)?.unwrap_or(0).saturating_sub(number(&change.subtract)?.unwrap_or(0)),
            least: number(&change.least)?,
            most: number(&change.most)?,
            whom: match change.whom {
                schemas::ChangeFor::Everybody => core::ChangeFor::Everybody,
                schemas::ChangeFor::Owner => core::ChangeFor::Owner,
            },
        };
        let (module, function) = (String::new(), String::new());
        self.hooks.push(core::Hook { module, function, change: Some(change), source, point: Some(point) });
        Some(HookId::at(self.hooks.len() - 1))
    }

    fn listeners(
        &mut self,
        hooks: &schemas::Hooks,
        params: &schemas::Params,
        source: core::HookSource,
    ) -> Option<Vec<core::Listener>> {
        let mut list = Vec::new();
        for (point, hook) in hooks.iter() {
            let point = HookPointId::at(*self.index.points.get(point)?);
            let id = match hook {
                schemas::Hook::Change(change) => self.change(change, params, source, point)?,
                schemas::Hook::Function(function) => self.hook(function, source, Some(point)),
                schemas::Hook::Ranked(ranked) => self.hook(&ranked.run, source, Some(point)),
            };
            list.push(core::Listener { point, hook: id, priority: hook.priority(), stays: hook.stays() });
        }
        list.sort_by_key(|listener| listener.point);
        Some(list)
    }

    fn factions(&mut self) -> Option<Vec<core::Faction>> {
        let merged = self.merged;
        let compiled = merged.factions.iter().map(|entry| {
            let faction = &entry.value;
            Some(core::Faction {
                id: faction.id.to_string(),
                playable: faction.playable,
                group: self.symbol(faction.group.as_str()),
                color: faction.color.clone(),
                rival: match &faction.rival {
                    Some(rival) => Some(self.index.faction(rival)?),
                    None => None,
                },
                props: self.props(schemas::PropOwner::Factions, &faction.group, &faction.props)?,
            })
        });
        compiled.collect()
    }

    fn spaces(&mut self) -> Option<Vec<core::Space>> {
        let merged = self.merged;
        let compiled = merged.spaces.iter().map(|entry| {
            let space = &entry.value;
            let neighbors = space.adjacent.iter().chain(&space.exits);
            let mut exits: Vec<SpaceId> = neighbors.map(|id| self.index.space(id)).collect::<Option<_>>()?;
            exits.sort();
            exits.dedup();
            let pieces = space.pieces.iter().map(|pieces| {
                Some(core::StartPieces {
                    kind: self.index.kind(&pieces.kind)?,
                    faction: self.index.owner(pieces.faction.as_ref())?.0,
                    count: pieces.count,
                    when: match pieces.when {
                        schemas::StartWhen::Always => core::StartWhen::Always,
                        schemas::StartWhen::Led => core::StartWhen::Led,
                        schemas::StartWhen::Unled => core::StartWhen::Unled,
                    },
                })
            });
            let pieces = pieces.collect::<Option<_>>()?;
            Some(core::Space {
                id: space.id.to_string(),
                kind: self.symbol(space.kind.as_str()),
                home: self.index.owner(space.home.as_ref())?.0,
                at: space.at,
                exits,
                on_control: self.scores(&space.on_control)?,
                pieces,
                props: self.props(schemas::PropOwner::Spaces, &space.kind, &space.props)?,
            })
        });
        compiled.collect()
    }

    fn kinds(&mut self) -> Option<(Vec<core::Kind>, Vec<core::PieceSpec>)> {
        let merged = self.merged;
        let mut kinds = Vec::new();
        let mut pieces = Vec::new();
        for (at, entry) in merged.kinds.iter().enumerate() {
            let kind = &entry.value;
            for supply in &kind.supply {
                let owner = self.index.owner(supply.faction.as_ref())?.0;
                let piece = core::PieceSpec { kind: KindId::at(at), owner };
                pieces.extend(std::iter::repeat_n(piece, usize::from(supply.count)));
            }
            kinds.push(core::Kind {
                id: kind.id.to_string(),
                class: self.symbol(kind.class.as_str()),
                occupies: kind.occupies,
                stats: self.numbers(kind.stats.iter().map(|(name, stat)| (name, stat.0))),
                on_control: self.scores(&kind.on_control)?,
                props: self.props(schemas::PropOwner::Kinds, &kind.class, &kind.props)?,
                fogged: kind.fogged,
            });
        }
        Some((kinds, pieces))
    }

    fn zones(&self, playable: usize) -> (Vec<core::ZoneKind>, Vec<(ZoneKindId, Option<FactionId>)>) {
        let mut zones = Vec::new();
        let mut list = Vec::new();
        for (at, entry) in self.merged.zones.iter().enumerate() {
            let zone = &entry.value;
            let offset = list.len();
            let scope = match zone.scope {
                schemas::ZoneScope::Game => {
                    list.push((ZoneKindId::at(at), None));
                    core::Scope::Game
                }
                schemas::ZoneScope::Faction => {
                    list.extend((0..playable).map(|faction| (ZoneKindId::at(at), Some(FactionId::at(faction)))));
                    core::Scope::Faction
                }
            };
            let visible = visible(zone.visible);
            zones.push(core::ZoneKind { id: zone.id.to_string(), scope, visible, active: zone.active, offset });
        }
        (zones, list)
    }

    fn designs(&mut self, zones: &[core::ZoneKind], playable: usize) -> Option<(Vec<core::Design>, Vec<DesignId>)> {
        let merged = self.merged;
        let mut designs = Vec::new();
        let mut cards = Vec::new();
        for (at, entry) in merged.cards.iter().enumerate() {
            let card = &entry.value;
            let faction = self.index.owner(card.faction.as_ref())?.0;
            let zone = &zones[self.zone(&card.zone)?.index()];
            let start = match zone.scope {
                core::Scope::Faction => zone.offset + faction.map(FactionId::index).filter(|at| *at < playable)?,
                _ => zone.offset,
            };
            designs.push(core::Design {
                id: card.id.to_string(),
                card_type: self.symbol(card.card_type.as_str()),
                faction,
                start: ZoneId::at(start),
                copies: card.copies,
                props: self.props(schemas::PropOwner::Cards, &card.card_type, &card.props)?,
                params: card.params.0.clone(),
                listeners: self.listeners(&card.hooks, &card.params, core::HookSource::Design(DesignId::at(at)))?,
            });
            cards.extend(std::iter::repeat_n(DesignId::at(at), usize::from(card.copies)));
        }
        Some((designs, cards))
    }

    fn counters(&mut self, playable: usize, spaces: usize, cards: usize) -> Option<(Vec<core::Counter>, usize)> {
        let merged = self.merged;
        let mut offset = 0;
        let compiled = merged.counters.iter().map(|entry| {
            let counter = &entry.value;
            let (scope, size) = match counter.scope {
                schemas::CounterScope::Game => (core::Scope::Game, 1),
                schemas::CounterScope::Faction => (core::Scope::Faction, playable),
                schemas::CounterScope::Space => (core::Scope::Space, spaces),
                schemas::CounterScope::Card => (core::Scope::Card, cards),
            };
            let derived = counter.derived.as_ref().map(|derived| core::Derived {
                space: derived.space.as_ref().map(|name| self.symbol(name.as_str())),
                piece: derived.piece.as_ref().map(|name| self.symbol(name.as_str())),
            });
            let bounds = Bounds::of(counter);
            let compiled = core::Counter {
                id: counter.id.to_string(),
                scope,
                min: bounds.min,
                max: bounds.max,
                start: bounds.start,
                visible: visible(counter.visible),
                supply: counter.supply,
                track: counter.track,
                option: counter.option,
                derived,
                holds: match counter.holds {
                    None => core::Holds::Number,
                    Some(schemas::Holds::Space) => core::Holds::Space,
                    Some(schemas::Holds::Faction) => core::Holds::Faction,
                    Some(schemas::Holds::Card) => core::Holds::Card,
                    Some(schemas::Holds::Design) => core::Holds::Design,
                },
                offset,
            };
            offset += size;
            Some(compiled)
        });
        let counters = compiled.collect::<Option<_>>()?;
        Some((counters, offset))
    }

    fn rules(&mut self) -> Option<Vec<core::Rule>> {
        let merged = self.merged;
        let compiled = merged.rules.iter().enumerate().map(|(at, entry)| {
            let rule = &entry.value;
            Some(core::Rule {
                id: rule.id.to_string(),
                faction: self.index.owner(rule.faction.as_ref())?.0,
                params: rule.params.0.clone(),
                listeners: self.listeners(&rule.hooks, &rule.params, core::HookSource::Rule(RuleId::at(at)))?,
            })
        });
        compiled.collect()
    }

    fn decisions(&mut self) -> Vec<core::DecisionKind> {
        let merged = self.merged;
        let compile = |entry: &Sourced<schemas::Decision>| {
            entry.value.options.iter().for_each(|word| {
                self.symbols.intern(word.as_str());
            });
            core::DecisionKind { id: entry.value.id.to_string() }
        };
        merged.decisions.iter().map(compile).collect()
    }

    fn phases(&mut self) -> Option<(Vec<core::Phase>, Vec<PhaseId>)> {
        let merged = self.merged;
        let mut list = Vec::new();
        let flow = merged.phases.iter().map(|entry| self.phase(&entry.value, &mut list)).collect::<Option<_>>()?;
        Some((list, flow))
    }

    fn phase(&mut self, phase: &schemas::Phase, list: &mut Vec<core::Phase>) -> Option<PhaseId> {
        let at = list.len();
        // The index is reserved first, so that phases are in the order of the file, outer before inner.
        list.push(core::Phase {
            id: phase.id.to_string(),
            body: core::PhaseBody::Repeat { times: core::Times::Fixed(0), counter: None, phases: Vec::new() },
            decision: None,
        });
        let flow = core::HookSource::Flow;
        let body = match (&phase.run, &phase.each, &phase.simultaneous, &phase.repeat) {
            (Some(run), ..) => core::PhaseBody::Run(self.hook(run, flow, None)),
            (_, Some(each), ..) => core::PhaseBody::Each(self.hook(each, flow, None)),
            (_, _, Some(each), _) => core::PhaseBody::Simultaneous(self.hook(each, flow, None)),
            (.., Some(times)) => core::PhaseBody::Repeat {
                times: match times {
                    schemas::Times::Fixed(n) => core::Times::Fixed(*n),
                    schemas::Times::Counter(id) => core::Times::Counter(self.index.counter(id.as_str())?),
                },
                counter: match &phase.counter {
                    Some(id) => Some(self.index.counter(id.as_str())?),
                    None => None,
                },
                phases: phase.phases.iter().map(|inner| self.phase(inner, list)).collect::<Option<_>>()?,
            },
            _ => return None,
        };
        list[at].body = body;
        if let Some(choose) = &phase.choose {
            list[at].decision = Some(self.phase_decision(choose)?);
        }
        Some(PhaseId::at(at))
    }

    fn phase_decision(&mut self, choose: &schemas::PhaseDecision) -> Option<core::PhaseDecision> {
        let offer = match (&choose.spaces, &choose.options) {
            (Some(spaces), _) => {
                let filter = SpaceFilter {
                    kind: spaces.kind.as_ref().map(|kind| self.symbol(kind.as_str())),
                    neutral: spaces.neutral,
                    prop: spaces.prop.as_ref().map(|prop| self.symbol(prop.as_str())),
                    empty: spaces.empty,
                    without: match &spaces.without {
                        Some(kind) => Some(KindOrClass::Kind(self.index.kind(kind)?)),
                        None => None,
                    },
                    first_of: spaces.first_of.as_ref().map(|prop| self.symbol(prop.as_str())),
                    ..SpaceFilter::default()
                };
                let own = |whose: Option<schemas::SpaceOwner>| whose == Some(schemas::SpaceOwner::Seat);
                core::Offer::Spaces {
                    filter,
                    own_home: own(spaces.home),
                    own_control: own(spaces.controller),
                    beside: match &spaces.beside {
                        Some(id) => Some(self.index.counter(id.as_str())?),
                        None => None,
                    },
                }
            }
            (_, Some(options)) => core::Offer::Script(self.hook(options, core::HookSource::Flow, None)),
            (None, None) => return None,
        };
        Some(core::PhaseDecision { decision: self.index.decision(&choose.decision)?, offer, always: choose.always })
    }

    fn procedures(&mut self, kinds: &[core::Kind]) -> Option<Procedures> {
        let merged = self.merged;
        let mut all = Procedures::default();
        for entry in &merged.procedures {
            match &*entry.value {
                schemas::Procedure::Control { blocked_by, .. } => {
                    all.control.blocked_by = match blocked_by {
                        Some(id) => Some(self.index.kind(id)?),
                        None => None,
                    };
                }
                schemas::Procedure::Movement { stat, consent, pick, to, .. } => {
                    all.movement = Some(core::MovementRule {
                        stat: self.symbol(stat.as_str()),
                        pick: self.index.decision(pick)?,
                        to: self.index.decision(to)?,
                        consent: self.index.decision(consent)?,
                    });
                }
                schemas::Procedure::Battle { strength, toughness, rank, fortify, tie, faces, steps, .. } => {
                    let opposite = |face: &schemas::Face| faces.iter().position(|other| other.id == face.opposite);
                    let mut compiled_faces = Vec::new();
                    for face in faces {
                        compiled_faces.push(core::Face {
                            id: self.symbol(face.id.as_str()),
                            values: self.numbers(face.values.iter().map(|(name, value)| (name, *value))),
                            opposite: u8::try_from(opposite(face)?).ok()?,
                        });
                    }
                    let mut compiled_steps = Vec::new();
                    for step in steps {
                        let act = match (step.r#do, &step.run) {
                            (Some(schemas::BattleAct::Roll), _) => core::BattleStep::Roll,
                            (Some(schemas::BattleAct::Count), _) => core::BattleStep::Count,
                            (Some(schemas::BattleAct::Resolve), _) => core::BattleStep::Resolve,
                            (None, Some(run)) => core::BattleStep::Run(self.hook(run, core::HookSource::Flow, None)),
                            (None, None) => return None,
                        };
                        compiled_steps.push((self.symbol(step.id.as_str()), act));
                    }
                    let stats = [strength, toughness, rank, fortify].map(|stat| self.symbol(stat.as_str()));
                    let [strength, .., fortify] = stats;
                    all.battle = Some(core::BattleRule {
                        strength,
                        fortify,
                        fighters: core::Fighter::all(kinds, stats),
                        faces: compiled_faces,
                        steps: compiled_steps,
                        defender_wins_ties: *tie == schemas::Side::Defender,
                    });
                }
                // They need the cards too.
                schemas::Procedure::Tiles { .. } => {}
                schemas::Procedure::Fog { counter, .. } => all.fog = Some(self.index.counter(counter.as_str())?),
                schemas::Procedure::Asides { options, play, decision, .. } => {
                    all.asides = Some(core::AsideRule {
                        options: self.hook(options, core::HookSource::Flow, None),
                        play: self.hook(play, core::HookSource::Flow, None),
                        decision: self.index.decision(decision)?,
                    });
                }
            }
        }
        Some(all)
    }

    fn variants(&self, seats: (u8, u8)) -> Option<Vec<core::Variant>> {
        let compile = |entry: &Sourced<schemas::Variant>| {
            let variant = &entry.value;
            let options = variant.options.iter().map(|(id, value)| Some((self.index.counter(id)?, *value)));
            Some(core::Variant {
                id: variant.id.to_string(),
                options: options.collect::<Option<_>>()?,
                seats: variant.seats.map_or(seats, |seats| (seats.min, seats.max)),
            })
        };
        self.merged.variants.iter().map(compile).collect()
    }
}

fn visible(visibility: schemas::Visibility) -> core::Visible {
    match visibility {
        schemas::Visibility::Everyone => core::Visible::Everyone,
        schemas::Visibility::Owner => core::Visible::Owner,
        schemas::Visibility::Nobody => core::Visible::Nobody,
        schemas::Visibility::Fog => core::Visible::Fog,
    }
}
