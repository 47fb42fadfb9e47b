//! The run of a scenario as text. Things are named by their ids and options by their keys, as scenario files write
//! them; prompts and messages are the players' sentences.

use principes_core::Table;
use principes_core::catalog::Catalog;
use principes_core::*;
use principes_schemas::{CounterValue, Edit, Expect, Position, Run, Sight};

use crate::english::EnglishMessages;

/// Text that grows line by line. A repeated line is written once, with its count.
#[derive(Default)]
pub(crate) struct Transcript {
    text: String,
    last: String,
    times: usize,
}

impl Transcript {
    pub(crate) fn line(&mut self, line: impl Into<String>) {
        let line = line.into();
        if !line.is_empty() && line == self.last {
            self.times += 1;
            return;
        }
        self.flush();
        self.last = line;
        self.times = 1;
    }

    fn flush(&mut self) {
        if self.times > 0 {
            self.text.push_str(&self.last);
            if self.times > 1 {
                self.text.push_str(&format!(" (x{})", self.times));
            }
            self.text.push('\n');
        }
        self.times = 0;
    }

    pub(crate) fn finish(mut self) -> String {
        self.flush();
        self.text
    }
}

fn of(owner: Option<&str>) -> String {
    owner.map_or_else(String::new, |owner| format!(" of {owner}"))
}

fn counter_value(value: &CounterValue) -> String {
    match value {
        CounterValue::Int(n) => n.to_string(),
        CounterValue::Held(id) => id.to_string(),
        CounterValue::Nothing => "nothing".to_owned(),
    }
}

/// An edit in words.
pub(crate) fn edit(edit: &Edit) -> String {
    match edit {
        Edit::Counter(e) => {
            let owner = of(e.of.as_ref().map(|id| id.as_str()));
            format!("{}{owner} is {}", e.counter, counter_value(&e.set))
        }
        Edit::Place(e) => {
            let owner = of(e.faction.as_ref().map(|id| id.as_str()));
            format!("{} {}{owner} on {}", e.count, e.place, e.at)
        }
        Edit::Remove(e) => {
            let count = e.count.map_or_else(|| "no".to_owned(), |count| format!("{count} less"));
            let owner = of(e.faction.as_ref().map(|id| id.as_str()));
            format!("{count} {}{owner} on {}", e.remove, e.from)
        }
        Edit::Card(e) => {
            let end = if e.position == Position::Bottom { " at the bottom" } else { "" };
            let laid = lies(e.at.as_ref(), e.rotation);
            format!("{} in {}{}{end}{laid}", e.card, e.to, of(e.of.as_ref().map(|id| id.as_str())))
        }
        Edit::Clear(e) => format!("{}{} is empty, all into {}", e.clear, of(e.of.as_ref().map(|id| id.as_str())), e.to),
    }
}

/// The cell of a tile, and its rotation.
fn lies(at: Option<&principes_schemas::SpaceRef>, rotation: Option<u8>) -> String {
    let at = at.map_or_else(String::new, |space| format!(" on {space}"));
    rotation.map_or(at.clone(), |rotation| format!("{at}, rotation {rotation}"))
}

/// What `run` starts, in words.
pub(crate) fn run(run: &Run) -> String {
    let list = |args: &[principes_schemas::Argument]| -> String {
        args.iter().map(|arg| format!(" {}", argument(arg))).collect()
    };
    match run {
        Run::Hook(run) => format!("{}{}", run.hook, list(&run.args)),
        Run::Perform(run) => {
            let seat = run.seat.as_ref().map_or_else(String::new, |seat| format!(" for {seat}"));
            format!("{} of {}{seat}{}", run.point, run.perform, list(&run.args))
        }
        Run::Phase(run) => format!("phase {}", run.phase),
    }
}

pub(crate) fn argument(argument: &principes_schemas::Argument) -> String {
    use principes_schemas::{Argument, PropValue};
    match argument {
        Argument::Nothing => "none".to_owned(),
        Argument::Value(PropValue::Bool(yes)) => yes.to_string(),
        Argument::Value(PropValue::Int(n)) => n.to_string(),
        Argument::Value(PropValue::Text(text)) => text.clone(),
    }
}

/// An expectation in words.
pub(crate) fn expect(expect: &Expect) -> String {
    match expect {
        Expect::Counter(e) => {
            format!("{}{} is {}", e.counter, of(e.of.as_ref().map(|id| id.as_str())), counter_value(&e.is))
        }
        Expect::Control(e) => match &e.is {
            Some(faction) => format!("{faction} controls {}", e.control),
            None => format!("nobody controls {}", e.control),
        },
        Expect::Pieces(e) => {
            let filter = &e.pieces;
            let kind = filter.kind.as_ref().map_or("pieces", |kind| kind.as_str());
            let owner = of(filter.faction.as_ref().map(|id| id.as_str()));
            let at = filter.at.as_ref().map_or_else(String::new, |at| format!(" on {at}"));
            let area = match filter.on {
                Some(principes_schemas::PieceArea::Map) => " on the map",
                Some(principes_schemas::PieceArea::Pool) => " in the pool",
                None => "",
            };
            format!("{} {kind}{owner}{at}{area}", e.is)
        }
        Expect::Zone(e) => format!("{} cards in {}{}", e.is, e.zone, of(e.of.as_ref().map(|id| id.as_str()))),
        Expect::Card(e) => {
            let end = match e.position {
                Some(Position::Top) => " at the top",
                Some(Position::Bottom) => " at the bottom",
                None => "",
            };
            let laid = lies(e.at.as_ref(), e.rotation);
            format!("{} in {}{}{end}{laid}", e.card, e.r#in, of(e.of.as_ref().map(|id| id.as_str())))
        }
        Expect::Pending(e) => match &e.pending {
            None => "nobody is asked".to_owned(),
            Some(filter) => match &filter.decision {
                Some(decision) => format!("{} is asked {decision}", filter.seat),
                None => format!("{} is asked", filter.seat),
            },
        },
        Expect::Offered(e) => format!("`{}` is offered{}", e.offered, to_seat(e.seat.as_ref())),
        Expect::Refused(e) => format!("`{}` is not offered{}", e.refused, to_seat(e.seat.as_ref())),
        Expect::Sees(e) => format!("{} sees {}", viewer(e.seat.as_ref()), sight(&e.sees)),
        Expect::Hides(e) => format!("{} does not see {}", viewer(e.seat.as_ref()), sight(&e.hides)),
        Expect::Logged(e) => format!("`{}` was said", e.logged),
        Expect::Outcome(e) => match (&e.outcome, &e.winner) {
            (None, _) => "the game goes on".to_owned(),
            (Some(cause), None) => format!("the game is over: {cause}"),
            (Some(cause), Some(winner)) => format!("{winner} has won: {cause}"),
        },
        Expect::Error(e) => format!("a script fails: {}", e.error),
    }
}

fn viewer(seat: Option<&principes_schemas::FactionRef>) -> &str {
    seat.map_or("a spectator", |seat| seat.as_str())
}

fn sight(sight: &Sight) -> String {
    match sight {
        Sight::Counter(it) => format!("{}{}", it.counter, of(it.of.as_ref().map(|id| id.as_str()))),
        Sight::Card(it) => format!("{} in {}{}", it.card, it.r#in, of(it.of.as_ref().map(|id| id.as_str()))),
        Sight::Zone(it) => format!("the cards in {}{}", it.zone, of(it.of.as_ref().map(|id| id.as_str()))),
        Sight::Space(it) => format!("the pieces on {}", it.space),
    }
}

fn to_seat(seat: Option<&principes_schemas::FactionRef>) -> String {
    seat.map_or_else(String::new, |seat| format!(" to {seat}"))
}

/// The names of things on the table.
pub(crate) struct Namer<'a> {
    pub catalog: &'a Catalog,
    pub words: &'a EnglishMessages<'a>,
}

impl Namer<'_> {
    pub(crate) fn id(&self, value: Value) -> String {
        self.catalog.id_of(value)
    }

    fn faction(&self, faction: Option<FactionId>) -> String {
        faction.map_or_else(|| "nobody".to_owned(), |faction| self.id(Value::Faction(faction)))
    }

    pub(crate) fn owned_counter(&self, counter: CounterId, owner: Value) -> String {
        match owner {
            Value::Nil => self.id(Value::Counter(counter)),
            owner => format!("{} of {}", self.id(Value::Counter(counter)), self.id(owner)),
        }
    }

    fn zone(&self, zone: ZoneId) -> String {
        let (kind, owner) = self.catalog.zone_list[zone.index()];
        match owner {
            Some(owner) => format!("{} of {}", self.id(Value::Zone(kind)), self.id(Value::Faction(owner))),
            None => self.id(Value::Zone(kind)),
        }
    }

    fn word(&self, symbol: SymbolId) -> &str {
        self.catalog.symbols.name(symbol.index())
    }

    /// The first line of a decision: the seat, the decision, and the card that causes it.
    pub(crate) fn decision_line(&self, open: &Decision) -> String {
        let decision = &self.catalog.decisions[open.kind.index()].id;
        let source = match open.source {
            Value::Nil => String::new(),
            source => format!(" for {}", self.id(source)),
        };
        let prompt = self.words.sentence(&format!("decision.{decision}"), &open.about);
        let prompt = prompt.map_or_else(String::new, |prompt| format!(": {prompt}"));
        format!("{} is asked {decision}{source}{prompt}", self.id(Value::Faction(open.seat)))
    }

    /// The keys of options.
    pub(crate) fn options(&self, options: &[DecisionOption]) -> String {
        options.iter().map(|option| format!("[{}]", option.key(self.catalog))).collect::<Vec<_>>().join(" ")
    }

    /// An event in words; `None` for events that the transcript shows elsewhere.
    pub(crate) fn event(&self, event: &Event) -> Option<String> {
        Some(match *event {
            Event::Chosen { .. } => return None,
            Event::Phase { phase, seat } => {
                let seat = seat.map_or_else(String::new, |seat| format!(", {}", self.id(Value::Faction(seat))));
                format!("phase {}{seat}", self.catalog.phases[phase.index()].id)
            }
            Event::Counter { counter, owner, from, to, to_value, .. } => match to_value {
                Value::Int(_) => format!("{} {from} -> {to}", self.owned_counter(counter, owner)),
                value => format!("{} -> {}", self.owned_counter(counter, owner), self.id(value)),
            },
            Event::Piece { piece, owner, from, to, .. } => {
                let kind = self.id(Value::Piece(piece));
                let name = match owner {
                    Some(owner) => format!("{kind} of {}", self.id(Value::Faction(owner))),
                    None => kind,
                };
                let place = |space: Option<SpaceId>| {
                    space.map_or_else(|| "pool".to_owned(), |space| self.id(Value::Space(space)))
                };
                format!("{name}: {} -> {}", place(from), place(to))
            }
            Event::Given { piece, from, to, .. } => {
                format!("{}: from {} to {}", self.id(Value::Piece(piece)), self.faction(from), self.faction(to))
            }
            Event::Card { card, from, to, .. } => {
                format!("card {}: {} -> {}", self.id(Value::Card(card)), self.zone(from), self.zone(to))
            }
            Event::Tile { card, space, laid: None } => {
                format!("tile {} is taken up from {}", self.id(Value::Card(card)), self.id(Value::Space(space)))
            }
            Event::Tile { card, space, laid: Some(laid) } => {
                let joined = if laid.joined { ", links joined" } else { "" };
                let (card, space) = (self.id(Value::Card(card)), self.id(Value::Space(space)));
                format!("tile {card} lies on {space}, rotation {}{joined}", laid.rotation)
            }
            Event::Revealed { card } => format!("card {} is shown", self.id(Value::Card(card))),
            Event::Shuffled { zone } => format!("{} is shuffled", self.zone(zone)),
            Event::Control { space, from, to, .. } => {
                format!("control of {}: {} -> {}", self.id(Value::Space(space)), self.faction(from), self.faction(to))
            }
            Event::Rolled { sides, result } => format!("a die with {sides} faces: {result}"),
            Event::Battle { space, attacker, defender } => format!(
                "battle on {}: {} attacks {}",
                self.id(Value::Space(space)),
                self.id(Value::Faction(attacker)),
                self.id(Value::Faction(defender))
            ),
            Event::Face { side, face, .. } => format!("die of the {}: {}", self.word(side), self.word(face)),
            Event::Count { attacker, defender, .. } => format!(
                "count: attacker {} against {}, defender {} against {}",
                attacker.0, defender.1, defender.0, attacker.1
            ),
            Event::BattleWon { space, winner, loser } => format!(
                "{} beats {} on {}",
                self.id(Value::Faction(winner)),
                self.id(Value::Faction(loser)),
                self.id(Value::Space(space))
            ),
            Event::Log { key, args, .. } => {
                let key = self.word(key);
                let plain = || args.iter().fold(key.to_owned(), |text, arg| format!("{text} {}", self.id(*arg)));
                format!("\"{}\"", self.words.sentence(&format!("log.{key}"), &args).unwrap_or_else(plain))
            }
            Event::Eliminated { seat } => format!("{} is out of the game", self.id(Value::Faction(seat))),
            Event::Over { winner, cause } => {
                let cause = self.word(cause);
                match winner {
                    Some(winner) => format!("game over: {} wins, {cause}", self.id(Value::Faction(winner))),
                    None => format!("game over: nobody wins, {cause}"),
                }
            }
        })
    }
}

/// The values of all counters, for comparison.
pub(crate) fn counters(table: &Table) -> Vec<(CounterId, Value, Value)> {
    use principes_core::catalog::Scope;
    let catalog = &table.catalog;
    let mut all = Vec::with_capacity(table.world.things());
    for (at, spec) in catalog.counters.iter().enumerate() {
        let (owners, owner): (usize, fn(usize) -> Value) = match spec.scope {
            Scope::Game => (1, |_| Value::Nil),
            Scope::Faction => (catalog.playable, |at| Value::Faction(FactionId::at(at))),
            Scope::Space => (catalog.spaces.len(), |at| Value::Space(SpaceId::at(at))),
            Scope::Card => (catalog.cards.len(), |at| Value::Card(CardId::at(at))),
        };
        let counter = CounterId::at(at);
        let value = |owner| Some((counter, owner, table.value(counter, owner).ok()?));
        all.extend((0..owners).map(owner).filter_map(value));
    }
    all
}
