//! The features of an option: what is chosen, where, and at which moment, without looking ahead.

use super::LAST_STAGE;
use super::ground::{controlled_by, pieces_on, sees_space, stage, standing};
use super::position::PositionFeatures;
use crate::catalog::{Catalog, Holds, Scope, Visible};
use crate::ids::*;
use crate::state::{Decision, DecisionOption, Table};

/// A feature of an option. It is either there or not. The number contains, from the highest bits: what is described, the
/// kind of decision, the verb, the type and the index of an entity, and a small number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OptionFeature(pub u64);

/// What a feature describes. The names are those of files of players.
const ASPECTS: [&str; 14] = [
    "verb", "source", "value", "type", "seat", "ground", "around", "from", "counter", "stage", "lead", "about",
    "space", "battle",
];
const VERB: usize = 0;
const SOURCE: usize = 1;
const VALUE: usize = 2;
const TYPE: usize = 3;
const SEAT: usize = 4;
const GROUND: usize = 5;
const AROUND: usize = 6;
const FROM: usize = 7;
const COUNTER: usize = 8;
const STAGE: usize = 9;
const LEAD: usize = 10;
const ABOUT: usize = 11;
const SPACE: usize = 12;
const BATTLE: usize = 13;

/// Numbers of an entity's own, such as amounts of gold, above this are not told apart.
const MOST_NUMBER: i32 = 40;

/// Why a name is not the name of a feature of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionFeatureError {
    /// It does not have the form of a name.
    Form,
    /// It names something that the game does not have.
    Unknown,
}

impl OptionFeature {
    fn new(aspect: usize, context: (DecisionId, Option<SymbolId>), entity: Value, extra: i32) -> Self {
        let verb = context.1.map_or(0, |verb| u64::from(verb.0) + 1) & 0xffff;
        let (tag, index) = entity_parts(entity);
        OptionFeature(
            (aspect as u64) << 60
                | u64::from(context.0.0) << 44
                | verb << 28
                | tag << 24
                | index << 8
                | (extra as u64 & 0xff),
        )
    }

    /// The name in files: what is described, decision, verb, entity with its type, number. It fits the game with the
    /// same ids, whatever their order.
    pub fn name(self, catalog: &Catalog) -> String {
        let (aspect, decision, verb) = (self.0 >> 60, self.0 >> 44 & 0xffff, self.0 >> 28 & 0xffff);
        let (tag, index, extra) = (self.0 >> 24 & 0xf, (self.0 >> 8 & 0xffff) as u16, self.0 & 0xff);
        let decision = catalog.decisions.get(decision as usize).map_or("?", |decision| &decision.id);
        let verb = if verb == 0 { "-" } else { catalog.symbols.name(verb as usize - 1) };
        let aspect = ASPECTS.get(aspect as usize).copied().unwrap_or("?");
        let entity = match Value::from_handle_parts(tag as usize, index) {
            Some(Value::Nil) => "-".to_owned(),
            Some(value) => format!("{}:{}", value.handle_type().map_or(NUMBER, word), catalog.id_of(value)),
            None => format!("{NUMBER}:{index}"),
        };
        format!("{aspect} {decision} {verb} {entity} {extra}")
    }

    /// The feature with a name.
    ///
    /// # Errors
    /// [`OptionFeatureError`].
    pub fn parse(name: &str, catalog: &Catalog) -> Result<Self, OptionFeatureError> {
        let mut parts = name.splitn(4, ' ');
        let (Some(aspect), Some(decision), Some(verb), Some(thing)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(OptionFeatureError::Form);
        };
        OptionFeatures::parse(aspect, decision, verb, catalog)?.feature(thing, catalog)
    }
}

/// The features with the same description, kind of decision and verb.
#[derive(Clone, Copy, Debug)]
pub struct OptionFeatures {
    aspect: usize,
    context: (DecisionId, Option<SymbolId>),
}

impl OptionFeatures {
    /// The features whose names begin with these parts.
    ///
    /// # Errors
    /// [`OptionFeatureError`].
    pub fn parse(aspect: &str, decision: &str, verb: &str, catalog: &Catalog) -> Result<Self, OptionFeatureError> {
        let aspect = ASPECTS.iter().position(|known| *known == aspect).ok_or(OptionFeatureError::Form)?;
        let decision = catalog.decision(decision).ok_or(OptionFeatureError::Unknown)?;
        let verb = match verb {
            "-" => None,
            verb => Some(catalog.symbol(verb).ok_or(OptionFeatureError::Unknown)?),
        };
        Ok(OptionFeatures { aspect, context: (decision, verb) })
    }

    /// The feature for the rest of the name: an entity with its type, and a number.
    ///
    /// # Errors
    /// [`OptionFeatureError`].
    pub fn feature(&self, thing: &str, catalog: &Catalog) -> Result<OptionFeature, OptionFeatureError> {
        let (entity, extra) = thing.split_once(' ').ok_or(OptionFeatureError::Form)?;
        let extra: u8 = extra.parse().map_err(|_| OptionFeatureError::Form)?;
        let entity = if entity == "-" { Value::Nil } else { parse_entity(entity, catalog)? };
        Ok(OptionFeature::new(self.aspect, self.context, entity, i32::from(extra)))
    }
}

/// The word for numbers.
const NUMBER: &str = "number";

/// The word for a type of entities. A card is named by its design.
fn word(of: HandleType) -> &'static str {
    match of {
        HandleType::Card => "copy",
        HandleType::Design => "card",
        other => other.word(),
    }
}

fn entity_parts(value: Value) -> (u64, u64) {
    match value {
        Value::Int(number) => (0, number.clamp(-1, MOST_NUMBER) as u16 as u64),
        other => Value::handle_parts(other.to_bits()).map_or((15, 0), |(tag, index)| (tag as u64, u64::from(index))),
    }
}

fn parse_entity(text: &str, catalog: &Catalog) -> Result<Value, OptionFeatureError> {
    let (tag, id) = text.split_once(':').ok_or(OptionFeatureError::Form)?;
    let found = match tag {
        NUMBER => Some(Value::Int(i32::from(id.parse::<u16>().map_err(|_| OptionFeatureError::Form)? as i16))),
        _ => match HandleType::ALL.iter().copied().find(|of| word(*of) == tag) {
            None | Some(HandleType::Piece | HandleType::Card) => return Err(OptionFeatureError::Form),
            Some(HandleType::Symbol) => catalog.symbol(id).map(Value::Symbol),
            Some(of) => catalog.entity(of, id),
        },
    };
    found.ok_or(OptionFeatureError::Unknown)
}

/// A decision, prepared for listing the features of its options.
pub struct OptionScan<'a> {
    table: &'a Table,
    decision: &'a Decision,
    stage: i32,
    lead: i32,
    /// The own counters with the step of their number.
    counters: Vec<(CounterId, i32)>,
    battle: Option<i32>,
    leader: Option<SeatId>,
    /// Whether the options differ in their verbs. If not, what is the same for all options is left out.
    verbs_differ: bool,
}

impl<'a> OptionScan<'a> {
    /// Prepares a decision.
    pub fn new(features: &PositionFeatures, table: &'a Table, decision: &'a Decision, usual_end: i32) -> Self {
        let seat = decision.seat;
        let verb = decision.options.first().and_then(|option| option.verb);
        let verbs_differ = decision.options.iter().any(|option| option.verb != verb);
        let mut counters = Vec::new();
        if verbs_differ {
            for (at, spec) in table.catalog.counters.iter().enumerate() {
                let seen = matches!(spec.visible, Visible::Everyone | Visible::Owner);
                if spec.scope == Scope::Faction && seen && spec.holds == Holds::Number && !spec.option {
                    let number = table.raw(CounterId::at(at), Value::Faction(seat)).unwrap_or(0);
                    counters.push((CounterId::at(at), step(number)));
                }
            }
        }
        let own = standing(table, &features.tracks, seat);
        let others = table.world.seats().filter(|other| *other != seat);
        let best = others.map(|other| (standing(table, &features.tracks, other), other)).max_by_key(|(sum, _)| *sum);
        let lead = best.map_or(0, |(best, _)| own.saturating_sub(best));
        let battle = table.world.battle().map(|battle| {
            let sides = [&battle.attacker, &battle.defender].map(|side| side.strength + 2 * side.entered.len() as i32);
            let own = usize::from(battle.defender.faction == seat);
            let involved = battle.attacker.faction == seat || battle.defender.faction == seat;
            if involved { 1 + (sides[own] - sides[1 - own]).clamp(-4, 4) + 4 + 9 * own as i32 } else { 0 }
        });
        let stage = (stage(table, usual_end) * 4 / (LAST_STAGE + 1)).min(3);
        OptionScan { table, decision, stage, lead, counters, battle, leader: best.map(|(_, seat)| seat), verbs_differ }
    }

    /// Calls `emit` with the features of an option.
    pub fn scan(&self, option: &DecisionOption, emit: &mut dyn FnMut(OptionFeature)) {
        let context = (self.decision.kind, option.verb);
        let mut put =
            |aspect: usize, entity: Value, extra: i32| emit(OptionFeature::new(aspect, context, entity, extra));
        let source = self.printed(self.decision.source);
        if self.verbs_differ {
            put(VERB, Value::Nil, 0);
            put(SOURCE, source, 0);
            put(STAGE, Value::Nil, self.stage);
            put(LEAD, Value::Nil, 4 + self.lead.signum() * step(self.lead.abs()).min(4));
            for (counter, step) in &self.counters {
                put(COUNTER, Value::Counter(*counter), *step);
            }
            for (at, value) in self.decision.about.iter().enumerate() {
                put(ABOUT, self.printed(*value), at as i32);
                self.put_ground(*value, 4 + at as i32, &mut put);
            }
            if let Some(battle) = self.battle {
                put(BATTLE, Value::Nil, battle);
            }
        }
        for (at, value) in option.args.iter().enumerate() {
            let at = at as i32;
            let printed = self.printed(*value);
            put(VALUE, printed, at);
            if let Some(kind) = self.type_of(*value) {
                put(TYPE, Value::Symbol(kind), at);
            }
            if source != Value::Nil {
                // Together with the card or rule that asks.
                put(SOURCE, source, 1 + at + 4 * self.relation(*value));
            }
            if at == 0 {
                put(STAGE, printed, self.stage);
            }
            put(SEAT, Value::Nil, 8 * at + self.relation(*value));
            self.put_ground(*value, at, &mut put);
        }
    }

    /// A value as printed: cards as designs, pieces as kinds.
    fn printed(&self, value: Value) -> Value {
        let catalog = &self.table.catalog;
        match value {
            Value::Card(card) => Value::Design(catalog.cards[card.index()]),
            Value::Piece(piece) => Value::Kind(catalog.pieces[piece.index()].kind),
            other => other,
        }
    }

    /// The type of a card, the class of a piece, the kind of a space.
    fn type_of(&self, value: Value) -> Option<SymbolId> {
        let catalog = &self.table.catalog;
        match value {
            Value::Card(card) => Some(catalog.design_of(card).card_type),
            Value::Design(design) => Some(catalog.designs[design.index()].card_type),
            Value::Piece(piece) => Some(catalog.kinds[catalog.pieces[piece.index()].kind.index()].class),
            Value::Kind(kind) => Some(catalog.kinds[kind.index()].class),
            Value::Space(space) => Some(catalog.spaces[space.index()].kind),
            _ => None,
        }
    }

    /// Whom a value belongs to: 0 to nobody, 1 to the seat itself, 2 to the leading one of the others, 3 to another seat,
    /// 4 to a faction that nobody leads.
    fn relation(&self, value: Value) -> i32 {
        let owner = match value {
            Value::Faction(faction) => Some(faction),
            Value::Piece(piece) => self.table.world.piece(piece).owner(),
            Value::Space(space) if sees_space(self.table, self.decision.seat, space) => {
                self.table.world.controller(space)
            }
            _ => None,
        };
        match owner {
            None => 0,
            Some(owner) if owner == self.decision.seat => 1,
            Some(owner) if Some(owner) == self.leader => 2,
            Some(owner) if self.table.world.is_led(owner) => 3,
            Some(_) => 4,
        }
    }

    /// What is on and around the space of a value.
    fn put_ground(&self, value: Value, at: i32, put: &mut impl FnMut(usize, Value, i32)) {
        let (table, seat) = (self.table, self.decision.seat);
        let (space, aspect) = match value {
            Value::Space(space) => (space, GROUND),
            // A seat chooses only among pieces that it sees.
            Value::Piece(piece) => match table.world.piece(piece).space() {
                Some(space) => (space, FROM),
                None => return,
            },
            _ => return,
        };
        let number = Value::Int(at);
        let (own, others) = pieces_on(table, seat, space);
        let control = controlled_by(table, seat, space);
        put(aspect, number, own.min(4) + 5 * others.min(4) + 25 * control);
        let (mut friends, mut foes) = (0, 0);
        for near in table.catalog.spaces.neighbors(space) {
            let (own, others) = pieces_on(table, seat, *near);
            friends += own;
            foes += others;
        }
        let home = match table.catalog.spaces[space.index()].home {
            Some(home) if home == seat => 1,
            Some(_) => 2,
            None => 0,
        };
        put(AROUND, number, friends.min(4) + 5 * foes.min(4) + 25 * home);
        if at > 1 {
            return;
        }
        for (counter, spec) in table.catalog.counters.iter().enumerate() {
            if spec.scope == Scope::Space && spec.visible == Visible::Everyone && spec.holds == Holds::Number {
                let number = table.raw(CounterId::at(counter), Value::Space(space)).unwrap_or(0);
                put(SPACE, Value::Counter(CounterId::at(counter)), step(number) + 16 * i32::from(aspect == FROM));
            }
        }
    }
}

/// A number in a few steps that grow: 0, 1, 2, 3, 4, up to 6, up to 9, more; 15 below 0.
fn step(number: i32) -> i32 {
    match number {
        ..0 => 15,
        0..5 => number,
        5..7 => 5,
        7..10 => 6,
        _ => 7,
    }
}
