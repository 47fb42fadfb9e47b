//! Trained players against perfect play, in two games whose truth can be computed.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use principes_app::packs::OpenPacks;
use principes_app::setup::derive_seed;
use principes_content::LoadOptions;
use principes_core::bots::{Bot, MctsBot, PolicyBot, RandomBot, ValueBot};
use principes_core::rng::Rng;
use principes_core::*;
use principes_lab::learn::{Settings, learn};
use principes_scripting::LuaHost;
use principes_source::folder;

/// A game in which the first row of stones wins, solved by exhaustive search.
struct Solver {
    /// The cells as they lie on the board: their columns and rows, from the bottom.
    cells: Vec<(i32, i32)>,
    /// For each cell, the rows through it as sets of cells.
    rows: Vec<Vec<u64>>,
    /// Whether stones fall to the lowest free cell.
    falls: bool,
    /// The results of positions for the side to move: 1, 0 or −1.
    known: HashMap<(u64, u64), i8>,
}

impl Solver {
    fn new(catalog: &Catalog, length: i32, falls: bool) -> Self {
        let cells: Vec<(i32, i32)> = catalog.spaces.iter().map(|space| (space.at.0, -space.at.1)).collect();
        let bit = |cell: (i32, i32)| cells.iter().position(|known| *known == cell).map(|at| 1u64 << at);
        let mut rows = vec![Vec::new(); cells.len()];
        for (x, y) in &cells {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let row: Option<u64> = (0..length).map(|step| bit((x + dx * step, y + dy * step))).sum();
                let Some(row) = row else { continue };
                (0..cells.len()).filter(|at| row >> at & 1 == 1).for_each(|at| rows[at].push(row));
            }
        }
        Solver { cells, rows, falls, known: HashMap::new() }
    }

    fn moves(&self, taken: u64) -> Vec<usize> {
        let is_free = |at: &usize| taken >> at & 1 == 0;
        let is_lowest = |at: &usize| {
            let (x, y) = self.cells[*at];
            !(0..self.cells.len()).any(|other| is_free(&other) && self.cells[other].0 == x && self.cells[other].1 < y)
        };
        (0..self.cells.len()).filter(|at| is_free(at) && (!self.falls || is_lowest(at))).collect()
    }

    /// The result of putting a stone on a cell, for the side that puts it.
    fn after(&mut self, own: u64, other: u64, at: usize) -> i8 {
        let own = own | 1 << at;
        if self.rows[at].iter().any(|row| own & row == *row) { 1 } else { -self.solve(other, own) }
    }

    fn solve(&mut self, own: u64, other: u64) -> i8 {
        if let Some(known) = self.known.get(&(own, other)) {
            return *known;
        }
        let moves = self.moves(own | other);
        let mut best = if moves.is_empty() { 0 } else { -1 };
        for at in moves {
            best = best.max(self.after(own, other, at));
            if best == 1 {
                break;
            }
        }
        self.known.insert((own, other), best);
        best
    }
}

/// A game with its trained player.
struct Trained {
    packs: OpenPacks,
    host: LuaHost,
}

impl Trained {
    fn new(path: &str, games: u64) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        let packs = OpenPacks::load(&[folder(root)], &LoadOptions::default()).unwrap().only_to_play();
        let stop = AtomicBool::new(false);
        let settings = Settings { packs: &packs, start: None, games, seed: 7, jobs: 2, stop: &stop, progress: &|_| {} };
        let player = learn(&settings).unwrap().trained();
        let mut catalog = Catalog::clone(&packs.catalog);
        catalog.set_trained(Some(Arc::new(player)));
        let packs = OpenPacks { catalog: Arc::new(catalog), ..packs };
        let host = packs.host().unwrap();
        Trained { packs, host }
    }

    fn game(&self) -> Game<LuaHost> {
        let seats = vec![FactionId::at(0), FactionId::at(1)];
        self.packs.start(&self.host, GameConfig { seats, seed: 1, options: Vec::new() }).unwrap()
    }

    fn bot(&self, name: &str, seed: u64) -> Box<dyn Bot<LuaHost>> {
        match name {
            "random" => Box::new(RandomBot::new(seed)),
            "policy" => Box::new(PolicyBot::new(&self.packs.catalog)),
            "value" => Box::new(ValueBot::new(&self.packs.catalog, seed)),
            _ => Box::new(MctsBot::new(seed, 32, None)),
        }
    }
}

/// A game under way, with the stones of each seat.
struct Match {
    game: Game<LuaHost>,
    stones: [u64; 2],
}

impl Match {
    fn decision(&self) -> Option<Decision> {
        self.game.pending().first().map(|decision| (*decision).clone())
    }

    /// The stones of the side to move, and of the other.
    fn sides(&self) -> (u64, u64) {
        let [first, second] = self.stones;
        if first.count_ones() == second.count_ones() { (first, second) } else { (second, first) }
    }

    fn answer(&mut self, decision: &Decision, option: DecisionOption) {
        let turn = usize::from(self.stones[0].count_ones() != self.stones[1].count_ones());
        self.stones[turn] |= 1 << cell(&option);
        self.game.answer(decision.seat, option).unwrap();
    }
}

fn cell(option: &DecisionOption) -> usize {
    match option.args[0] {
        Value::Space(space) => space.index(),
        other => panic!("{other:?} is not a space"),
    }
}

/// In how many of the positions where it matters a player keeps the best result that it can force.
fn keeps(trained: &Trained, solver: &mut Solver, stones: u32, positions: u64, name: &str) -> (u64, u64) {
    let (mut right, mut all) = (0, 0);
    for seed in 0..positions {
        let mut rng = Rng::new(seed);
        let mut under_way = Match { game: trained.game(), stones: [0; 2] };
        while let Some(decision) = under_way.decision() {
            let (own, other) = under_way.sides();
            if (own | other).count_ones() < stones {
                let option = decision.options[rng.below(decision.options.len() as u32) as usize];
                under_way.answer(&decision, option);
                continue;
            }
            let results: Vec<i8> =
                decision.options.iter().map(|option| solver.after(own, other, cell(option))).collect();
            let best = results.iter().max().unwrap();
            if results.iter().any(|result| result != best) {
                let taken = trained.bot(name, derive_seed(seed, 1)).choose(&under_way.game, &decision);
                let at = decision.options.iter().position(|option| *option == taken).unwrap();
                all += 1;
                right += u64::from(results[at] == *best);
            }
            break;
        }
    }
    (right, all)
}

/// How many games a player loses against perfect play, each game from the seat that its number gives.
fn losses(trained: &Trained, solver: &mut Solver, games: u64, name: &str) -> u64 {
    let mut lost = 0;
    for seed in 0..games {
        let (mut rng, mut bot) = (Rng::new(seed), trained.bot(name, derive_seed(seed, 2)));
        let place = FactionId::at(seed as usize % 2);
        let mut under_way = Match { game: trained.game(), stones: [0; 2] };
        while let Some(decision) = under_way.decision() {
            let option = if decision.seat == place {
                bot.choose(&under_way.game, &decision)
            } else {
                let (own, other) = under_way.sides();
                let results: Vec<i8> =
                    decision.options.iter().map(|option| solver.after(own, other, cell(option))).collect();
                let best = *results.iter().max().unwrap();
                let perfect: Vec<usize> = (0..results.len()).filter(|at| results[*at] == best).collect();
                decision.options[perfect[rng.below(perfect.len() as u32) as usize]]
            };
            under_way.answer(&decision, option);
        }
        lost += u64::from(under_way.game.outcome().unwrap().winner.is_some_and(|winner| winner != place));
    }
    lost
}

/// `docs/bots.md` has these numbers.
#[test]
fn tic_tac_toe_is_better_than_chance() {
    let trained = Trained::new("mods/classics/tic-tac-toe", 3000);
    let mut solver = Solver::new(&trained.packs.catalog, 3, false);
    assert_eq!(solver.solve(0, 0), 0, "tic-tac-toe is a draw");
    let mut table = Vec::new();
    for name in ["random", "policy", "value", "mcts"] {
        let (right, all) = keeps(&trained, &mut solver, 3, 300, name);
        table.push((name, right, all, losses(&trained, &mut solver, 100, name)));
    }
    println!("{table:?}");
    let share = |at: usize| table[at].1 as f64 / table[at].2 as f64;
    assert!((1..4).all(|at| share(at) > share(0) + 0.1 && table[at].3 * 3 < table[0].3 * 2), "{table:?}");
}

/// `docs/bots.md` has these numbers.
#[test]
fn connect_four_is_much_better_than_chance() {
    let trained = Trained::new("mods/classics/connect-four", 3000);
    let mut solver = Solver::new(&trained.packs.catalog, 4, true);
    let mut table = Vec::new();
    for name in ["random", "policy", "value", "mcts"] {
        let (right, all) = keeps(&trained, &mut solver, 26, 300, name);
        table.push((name, right, all));
    }
    println!("{table:?}");
    let share = |at: usize| table[at].1 as f64 / table[at].2 as f64;
    assert!(share(1) > share(0) + 0.1 && share(2) > 0.85 && share(3) > 0.85, "{table:?}");
}
