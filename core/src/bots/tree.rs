//! One search: a tree of positions, shared by walks through imagined worlds. The file `search` explains it.

use super::bot::{forward, next_decision, turn};
use super::judge::{evaluate, judge};
use super::result::{SearchResult, estimates, first_best, spread};
use crate::catalog::{Catalog, Scope};
use crate::game::Game;
use crate::ids::*;
use crate::rng::Rng;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption, Frame};

/// The advantage in [`evaluate`] that counts as half a win.
const HALF_A_WIN: f64 = 600.0;

/// The weight of exploring promising options that have rarely been tried.
const CURIOSITY: f64 = 1.0;
/// Promises that differ by less than this count as equal when rarely tried options are favored. If nothing judges
/// positions, promises mean little, and the second number applies.
const LEAST_SCALE: f64 = 0.002;
const BLIND_SCALE: f64 = 0.5;
/// The number of options that are opened at the root, and initially elsewhere; there, one more opens with every second
/// visit.
const ROOT_WIDTH: usize = 200;
const WIDTH: usize = 12;
/// The most decisions of a walk until a position is judged, and until the end of a game without judged positions.
const LONGEST_WALK: usize = 40;
const LONGEST_GAME: usize = 1000;

/// The payoff of a value of [`evaluate`], from 0 (lost) to 1 (won).
fn reward(value: i32) -> f64 {
    let value = f64::from(value);
    0.5 + 0.5 * value / (value.abs() + HALF_A_WIN)
}

/// Whether nothing judges positions: a game without tracks and without `bot.value` hooks.
fn is_blind<S: Scripts>(game: &Game<S>) -> bool {
    let catalog: &Catalog = game.catalog();
    let tracks = catalog.counters.iter().any(|counter| counter.track && counter.scope == Scope::Faction);
    !tracks && !game.table().anyone_listens(catalog.kernel.bot_value)
}

/// An option of a position.
struct SearchedOption {
    /// The seat that chooses it.
    seat: SeatId,
    result: SearchResult,
    /// The position after it, once a walk has been there.
    to: Option<usize>,
}

impl SearchedOption {
    /// Records the payoff of a playout that took it.
    fn note(&mut self, paid: f64) {
        let result = &mut self.result;
        result.visits += 1;
        result.paid += paid;
        result.scatter += (paid - result.promise) * (paid - result.promise);
    }
}

/// A position, identified by the options that led to it.
#[derive(Default)]
struct Node {
    edges: Vec<SearchedOption>,
    visits: u32,
}

/// The tree of one search.
pub(super) struct Tree {
    nodes: Vec<Node>,
    rng: Rng,
    /// The seat that decides.
    seat: SeatId,
    /// Whether nothing judges positions.
    blind: bool,
}

impl Tree {
    /// An empty tree for a decision of `seat`.
    pub(super) fn new<S: Scripts>(game: &Game<S>, seat: SeatId, seed: u64) -> Self {
        Tree { nodes: vec![Node::default()], rng: Rng::new(seed), seat, blind: is_blind(game) }
    }

    /// A new world that the seat may imagine; `None` if none fits what it has seen.
    pub(super) fn imagine<S: Scripts>(&mut self, game: &Game<S>) -> Option<Game<S>> {
        game.imagine(self.seat, &mut self.rng)
    }

    /// The results for the options of the decision.
    pub(super) fn into_results(mut self) -> Vec<SearchResult> {
        self.nodes.swap_remove(0).edges.into_iter().map(|edge| edge.result).collect()
    }

    /// Makes several walks through one world, each with a different first option.
    pub(super) fn explore<S: Scripts>(&mut self, world: &Game<S>, walks: u32) {
        let mut tried: Vec<(usize, f64)> = Vec::new();
        for _ in 0..walks {
            let taken: Vec<usize> = tried.iter().map(|(edge, _)| *edge).collect();
            tried.extend(self.playout(&mut world.clone(), &taken));
        }
        let promised = |edge: usize| self.nodes[0].edges[edge].result.promise;
        let surplus: f64 = tried.iter().map(|(edge, paid)| paid - promised(*edge)).sum();
        let kindness = surplus / tried.len().max(1) as f64;
        for (edge, paid) in tried {
            self.nodes[0].edges[edge].note(paid - kindness);
        }
    }

    /// Walks through a world and records the payoff on all edges except the first. Returns the first edge and the
    /// payoff.
    fn playout<S: Scripts>(&mut self, world: &mut Game<S>, taken: &[usize]) -> Option<(usize, f64)> {
        let way = self.walk(world, taken);
        let mut paid: Vec<(SeatId, f64)> = Vec::new();
        let mut first = None;
        for (at, (node, edge)) in way.into_iter().enumerate() {
            self.nodes[node].visits += 1;
            let way = &mut self.nodes[node].edges[edge];
            let known = paid.iter().find(|(seat, _)| *seat == way.seat).map(|(_, reward)| *reward);
            let reward = known.unwrap_or_else(|| {
                let reward = pays(world, way.seat);
                paid.push((way.seat, reward));
                reward
            });
            if at == 0 {
                first = Some((edge, reward));
            } else {
                way.note(reward);
            }
        }
        first
    }

    /// Continues in a world until the seat's next turn has ended. The first edge must not be `taken`. Returns the nodes
    /// with the edges taken from them.
    fn walk<S: Scripts>(&mut self, world: &mut Game<S>, taken: &[usize]) -> Vec<(usize, usize)> {
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        let begin = turn(world).cloned();
        let (mut now, mut has_next) = (begin.clone(), false);
        while let Some(decision) = next_decision(world, self.seat) {
            let here = turn(world).cloned();
            let is_over = has_next && here != now;
            if !self.blind && (is_over || way.len() >= LONGEST_WALK) {
                break;
            }
            has_next |= decision.seat == self.seat && here != begin;
            now = here;
            let options = forward(world, &decision);
            if options.is_empty() {
                break;
            }
            let is_new = self.nodes[at].visits == 0;
            self.open(at, world, &decision, &options);
            let taken = if way.is_empty() { taken } else { &[] };
            let Some(edge) = self.pick(at, world, &decision, &options, taken) else { break };
            if world.answer(decision.seat, self.nodes[at].edges[edge].result.option).is_err() {
                break;
            }
            way.push((at, edge));
            if self.blind && is_new {
                self.play_out(world);
                break;
            }
            at = self.next_node(at, edge);
        }
        way
    }

    fn next_node(&mut self, at: usize, edge: usize) -> usize {
        let new = self.nodes.len();
        let next = *self.nodes[at].edges[edge].to.get_or_insert(new);
        if next == new {
            self.nodes.push(Node::default());
        }
        next
    }

    /// Plays at random until the game ends.
    fn play_out<S: Scripts>(&mut self, world: &mut Game<S>) {
        for _ in 0..LONGEST_GAME {
            let Some(decision) = next_decision(world, self.seat) else { return };
            let options = forward(world, &decision);
            let Some(option) = options.get(self.rng.below(options.len() as u32) as usize) else { return };
            if world.answer(decision.seat, *option).is_err() {
                return;
            }
        }
    }

    /// Tries options of a position one step ahead, if no walk has tried them yet.
    fn open<S: Scripts>(&mut self, at: usize, world: &Game<S>, decision: &Decision, options: &[DecisionOption]) {
        let node = &self.nodes[at];
        let is_known = |option: &DecisionOption| {
            node.edges.iter().any(|edge| edge.seat == decision.seat && edge.result.option == *option)
        };
        let mut fresh: Vec<DecisionOption> = options.iter().copied().filter(|option| !is_known(option)).collect();
        let width = if at == 0 { ROOT_WIDTH } else { WIDTH + node.visits as usize / 2 };
        let room = width.saturating_sub(options.len() - fresh.len());
        if fresh.len() > room {
            self.rng.shuffle(&mut fresh);
            fresh.truncate(room);
        }
        for option in fresh {
            let promise = if options.len() == 1 {
                // With nothing to choose, there is nothing to predict.
                0.5
            } else {
                let mut copy = world.clone();
                if copy.answer(decision.seat, option).is_err() {
                    continue;
                }
                if self.blind { pays(&mut copy, decision.seat) } else { reward(judge(copy, decision.seat)) }
            };
            let result = SearchResult { option, promise, visits: 0, paid: 0.0, scatter: 0.0 };
            self.nodes[at].edges.push(SearchedOption { seat: decision.seat, result, to: None });
        }
    }

    /// The edge that a walk takes: the best one, or a promising one that has rarely been tried.
    fn pick<S: Scripts>(
        &mut self,
        at: usize,
        world: &Game<S>,
        decision: &Decision,
        options: &[DecisionOption],
        taken: &[usize],
    ) -> Option<usize> {
        let node = &self.nodes[at];
        let is_open = |edge: &SearchedOption| edge.seat == decision.seat && options.contains(&edge.result.option);
        let is_free = |at: &usize| !taken.contains(at) && is_open(&node.edges[*at]);
        let open: Vec<usize> = (0..node.edges.len()).filter(is_free).collect();
        let results: Vec<SearchResult> = open.iter().map(|edge| node.edges[*edge].result).collect();
        let most = results.iter().map(|option| option.promise).fold(0.0, f64::max);
        let scale = spread(&results).max(if self.blind { BLIND_SCALE } else { LEAST_SCALE });
        let draw = |option: &SearchResult| {
            let short = 1.0 + (most - option.promise) / scale;
            1.0 / (short * short)
        };
        let is_secret =
            decision.seat != self.seat && matches!(world.table().world.flow().last(), Some(Frame::Simultaneous(_)));
        if is_secret {
            let all: f64 = results.iter().map(draw).sum();
            let mut left = all * f64::from(self.rng.below(1 << 24)) / f64::from(1 << 24);
            let drawn = results.iter().position(|option| {
                left -= draw(option);
                left < 0.0
            });
            return open.get(drawn.unwrap_or(0)).copied();
        }
        let visits: u32 = results.iter().map(|option| option.visits).sum();
        let urge = CURIOSITY * scale * f64::from(visits + 1).sqrt();
        let scores = estimates(&results)
            .into_iter()
            .zip(&results)
            .map(|(estimate, option)| estimate + urge * draw(option) / f64::from(1 + option.visits));
        open.get(first_best(scores)?).copied()
    }
}

/// The payoff of a position for a seat, from 0 (lost) to 1 (won).
fn pays<S: Scripts>(world: &mut Game<S>, seat: SeatId) -> f64 {
    match world.outcome() {
        Some(outcome) => match outcome.winner {
            Some(winner) if winner == seat => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        },
        None => reward(evaluate(world, seat)),
    }
}
