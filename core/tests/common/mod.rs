//! A tiny game, and a script host whose scripts are lists, to test the kernel without Lua.
#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use principes_core::FightOrder;
use principes_core::LiveHook;
use principes_core::MoveOrder;
use principes_core::catalog::*;
use principes_core::scripts::{Reply, ScriptError, ScriptErrorKind, Scripts, Step};
use principes_core::*;

/// A line of a test script.
#[derive(Clone)]
pub enum Op {
    /// Changes the table.
    Do(fn(&mut Table, &[Value])),
    /// Asks the seat of the first argument, or the given seat, for one of the options that the function lists.
    Ask(Option<SeatId>, fn(&Table) -> Vec<DecisionOption>),
    /// Takes the last reply.
    Took(fn(&mut Table, &Reply)),
    Move(fn(&Table, &[Value]) -> MoveOrder),
    Fight(FightOrder),
    Fail,
}

/// A query hook of a test script.
pub type Query = fn(&Table, i32, &[Value]) -> i32;

pub struct Program {
    pub hooks: Vec<Vec<Op>>,
    pub queries: BTreeMap<HookPointId, Query>,
    pub asides: fn(&Table, SeatId) -> Vec<DecisionOption>,
}

#[derive(Clone)]
pub struct Puppet(pub Rc<Program>);

pub struct Progress {
    hook: usize,
    line: usize,
    args: Vec<Value>,
    options: Option<fn(&Table) -> Vec<DecisionOption>>,
}

impl Puppet {
    fn run(&self, progress: &mut Progress, mut reply: Option<&Reply>, table: &mut Table) -> Result<Step, ScriptError> {
        loop {
            let Some(op) = self.0.hooks[progress.hook].get(progress.line) else { return Ok(Step::Done) };
            progress.line += 1;
            match op {
                Op::Do(act) => act(table, &progress.args),
                Op::Took(take) => take(table, reply.take().expect("a reply")),
                Op::Ask(seat, options) => {
                    progress.options = Some(*options);
                    let seat = match (seat, progress.args.first()) {
                        (Some(seat), _) => *seat,
                        (None, Some(Value::Faction(seat))) => *seat,
                        _ => panic!("no seat"),
                    };
                    return Ok(Step::Ask(Decision {
                        seat,
                        kind: DecisionId(3),
                        source: Value::Nil,
                        about: Args::NONE,
                        options: options(table),
                        always: false,
                    }));
                }
                Op::Move(order) => return Ok(Step::Move(order(table, &progress.args))),
                Op::Fight(order) => return Ok(Step::Fight(*order)),
                Op::Fail => {
                    return Err(ScriptError {
                        line: Some(progress.line as u32),
                        kind: ScriptErrorKind::Runtime,
                        steps: 0,
                        ..ScriptError::flow("planned failure")
                    });
                }
            }
        }
    }
}

impl Scripts for Puppet {
    type Live = BTreeMap<u32, Progress>;

    fn start(
        &self,
        live: &mut Self::Live,
        frame: u32,
        hook: LiveHook,
        args: &[Value],
        table: &mut Table,
    ) -> Result<Step, ScriptError> {
        let mut progress = Progress { hook: hook.hook.index(), line: 0, args: args.to_vec(), options: None };
        let step = self.run(&mut progress, None, table)?;
        live.insert(frame, progress);
        Ok(step)
    }
    fn resume(&self, live: &mut Self::Live, frame: u32, reply: &Reply, table: &mut Table) -> Result<Step, ScriptError> {
        let mut progress = live.remove(&frame).expect("a live script");
        let step = self.run(&mut progress, Some(reply), table)?;
        live.insert(frame, progress);
        Ok(step)
    }
    fn reopen(
        &self,
        live: &mut Self::Live,
        frame: u32,
        table: &mut Table,
    ) -> Result<Option<Vec<DecisionOption>>, ScriptError> {
        Ok(live[&frame].options.map(|options| options(table)))
    }
    fn query(&self, point: HookPointId, value: i32, args: &[Value], table: &mut Table) -> Result<i32, ScriptError> {
        Ok(self.0.queries.get(&point).map_or(value, |query| query(table, value, args)))
    }
    fn options(&self, _hook: HookId, args: &[Value], table: &mut Table) -> Result<Vec<DecisionOption>, ScriptError> {
        let [Value::Faction(seat)] = args else { panic!("no seat") };
        Ok((self.0.asides)(table, *seat))
    }
}

pub const RED: FactionId = FactionId(0);
pub const BLUE: FactionId = FactionId(1);
pub const WILD: FactionId = FactionId(2);
pub const MIGHT: CounterId = CounterId(0);
pub const FAITH: CounterId = CounterId(1);
pub const GOLD: CounterId = CounterId(2);
pub const ROUND: CounterId = CounterId(3);
pub const KNIGHT: KindId = KindId(0);
pub const FOOT: KindId = KindId(1);
pub const ABBEY: KindId = KindId(2);
pub const SPLIT: KindId = KindId(3);

/// Spaces in a row: a b c d e. Red controls a and b, blue d and e, nobody c. Hooks are functions 0, 1, 2, … of the
/// program.
pub fn catalog(phases: Vec<Phase>, flow: Vec<PhaseId>, hooks: usize, asides: bool) -> Arc<Catalog> {
    let mut symbols = Names::default();
    let words = Keywords::intern(&mut symbols);
    let mut word = |name: &str| SymbolId::at(symbols.intern(name));
    let (land, unit, building) = (word("land"), word("unit"), word("building"));
    let (mv, swords, tough, rank, shields, might) =
        (word("move-points"), word("swords"), word("toughness"), word("rank"), word("shields"), word("might"));
    let over = word("over");
    let _ = over;
    let faction = |id: &str, playable| Faction {
        id: id.to_owned(),
        playable,
        group: land,
        color: id.to_owned(),
        rival: None,
        props: Props::default(),
    };
    let space = |at: usize, home: Option<FactionId>| {
        let mut props = Props::default();
        props.set(might, Value::Int(1));
        props.set(shields, Value::Int(1));
        let mut exits = Vec::new();
        if at > 0 {
            exits.push(SpaceId::at(at - 1));
        }
        if at < 4 {
            exits.push(SpaceId::at(at + 1));
        }
        Space {
            id: ["a", "b", "c", "d", "e"][at].to_owned(),
            kind: land,
            home,
            at: (at as i32, 0),
            exits,
            on_control: Vec::new(),
            pieces: Vec::new(),
            props,
        }
    };
    let kind = |id: &str, class, occupies, stats: [i32; 4], score: &[ControlScore]| {
        let mut props = Props::default();
        for (name, value) in [mv, swords, tough, rank].into_iter().zip(stats) {
            props.set(name, Value::Int(value));
        }
        Kind {
            id: id.to_owned(),
            class,
            occupies,
            stats: props,
            on_control: score.to_vec(),
            props: Props::default(),
            fogged: false,
        }
    };
    let counter = |id: &str, scope, max, start, offset| Counter {
        id: id.to_owned(),
        scope,
        min: 0,
        max,
        start,
        visible: Visible::Everyone,
        supply: None,
        track: false,
        option: false,
        derived: None,
        holds: Holds::Number,
        offset,
    };
    let mut pieces = Vec::new();
    for owner in [RED, BLUE, WILD] {
        for kind in [KNIGHT, KNIGHT, FOOT, FOOT] {
            pieces.push(PieceSpec { kind, owner: Some(owner) });
        }
    }
    pieces.extend([ABBEY, SPLIT].map(|kind| PieceSpec { kind, owner: None }));
    let pieces = PieceBox::from(pieces);
    let (kernel, points) = KernelPoints::declare();
    let face = |id, s: i32, h: i32, opposite| {
        let mut values = Props::default();
        values.set(swords, Value::Int(s));
        values.set(shields, Value::Int(h));
        Face { id, values, opposite }
    };
    let decision = |id: &str| DecisionKind { id: id.to_owned() };
    let kinds = vec![
        kind("knight", unit, true, [3, 2, 2, 2], &[]),
        kind("foot", unit, true, [2, 1, 1, 1], &[]),
        kind("abbey", building, false, [0; 4], &[ControlScore { counter: FAITH, amount: 1 }]),
        kind("split", building, false, [0; 4], &[]),
    ];
    let fighters = Fighter::all(&kinds, [swords, tough, rank, shields]);
    let parts = CatalogParts {
        fingerprint: "toy-1".to_owned(),
        seats: (1, 2),
        words,
        factions: vec![faction("red", true), faction("blue", true), faction("wild", false)],
        playable: 2,
        spaces: vec![
            space(0, Some(RED)),
            space(1, Some(RED)),
            space(2, None),
            space(3, Some(BLUE)),
            space(4, Some(BLUE)),
        ]
        .into(),
        kinds,
        pieces,
        counters: vec![
            Counter {
                derived: Some(Derived { space: Some(might), piece: None }),
                ..counter("might", Scope::Faction, 3, 0, 0)
            },
            counter("faith", Scope::Faction, 10, 4, 2),
            Counter { supply: Some(6), ..counter("gold", Scope::Faction, 6, 1, 4) },
            counter("round", Scope::Game, 9, 0, 6),
        ],
        counter_values: 7,
        points,
        kernel,
        hooks: (0..hooks)
            .map(|at| Hook {
                module: "m".to_owned(),
                function: at.to_string(),
                change: None,
                source: HookSource::Flow,
                point: None,
            })
            .collect(),
        decisions: vec![decision("pick"), decision("to"), decision("consent"), decision("ask")],
        phases,
        flow,
        control: ControlRule { blocked_by: Some(SPLIT) },
        movement: Some(MovementRule { stat: mv, pick: DecisionId(0), to: DecisionId(1), consent: DecisionId(2) }),
        battle: Some(BattleRule {
            strength: swords,
            fortify: shields,
            fighters,
            faces: vec![face(swords, 1, 0, 1), face(shields, 0, 1, 0), face(land, 0, 0, 2)],
            steps: vec![(swords, BattleStep::Roll), (tough, BattleStep::Count), (rank, BattleStep::Resolve)],
            defender_wins_ties: true,
        }),
        asides: asides.then_some(AsideRule { options: HookId(0), play: HookId(1), decision: DecisionId(3) }),
        symbols,
        ..CatalogParts::new("toy")
    };
    Arc::new(parts.build().unwrap())
}

pub fn game(
    catalog: &Arc<Catalog>,
    program: Program,
    prepare: impl FnOnce(&mut Table),
) -> Result<Game<Puppet>, StartError> {
    let config = GameConfig { seats: vec![RED, BLUE], seed: 1, options: Vec::new() };
    Game::prepared(catalog.clone(), Puppet(Rc::new(program)), config, true, |table| {
        prepare(table);
        Ok(())
    })
}

pub fn program(hooks: Vec<Vec<Op>>) -> Program {
    Program { hooks, queries: BTreeMap::new(), asides: |_, _| Vec::new() }
}

pub fn phase(id: &str, body: PhaseBody) -> Phase {
    Phase { id: id.to_owned(), body, decision: None }
}

pub fn ints(numbers: &[i32]) -> Vec<DecisionOption> {
    numbers.iter().map(|n| DecisionOption::value(Value::Int(*n))).collect()
}

/// The keys of the first open decision.
pub fn keys(game: &Game<Puppet>) -> Vec<String> {
    game.pending()
        .first()
        .map(|decision| decision.options.iter().map(|o| o.key(game.catalog())).collect())
        .unwrap_or_default()
}

/// Answers the first open decision by key.
pub fn answer(game: &mut Game<Puppet>, key: &str) {
    let (seat, choice) = {
        let pending = game.pending();
        let decision = pending.iter().find(|decision| decision.options.iter().any(|o| o.key(game.catalog()) == key));
        let decision = decision.unwrap_or_else(|| panic!("`{key}` is not among {:?}", keys(game)));
        (decision.seat, *decision.options.iter().find(|o| o.key(game.catalog()) == key).unwrap())
    };
    game.answer(seat, choice).unwrap();
}

pub fn over(table: &mut Table, _: &[Value]) {
    let cause = table.catalog.symbol("over").unwrap();
    table.end(Some(RED), cause);
}

pub fn put(table: &mut Table, kind: KindId, owner: Option<FactionId>, at: u16) -> PieceId {
    table.place(kind, owner, SpaceId(at)).unwrap()
}
