//! A search of the seat's own turn that a trained player guides. The file `search` explains it.

use super::arithmetic::{chance, exp};
use super::bot::{forward, next_decision, turn};
use super::look::{judged, look_into, play_on};
use super::model::Model;
use super::result::{SearchResult, first_best};
use super::value::rating;
use crate::game::Game;
use crate::ids::*;
use crate::rng::Rng;
use crate::scripts::Scripts;
use crate::state::{Decision, DecisionOption};

/// The weight of trying options that are preferred and that have rarely been tried (the constant of PUCT).
const CURIOSITY: f64 = 0.4;
/// An option that no walk has tried seems a little worse than the position was.
const CAUTION: f64 = 0.02;
/// At the root, an option that promises this much less is preferred about a third as much.
const POINTS: f64 = 0.05;
/// The most decisions of a walk.
const LONGEST_WALK: usize = 24;

/// An option of a position.
struct GuidedOption {
    option: DecisionOption,
    /// How much it is preferred: its part of 1 when it was found.
    share: f64,
    /// The chance to win that it promises; `None` if it was not looked at.
    promise: Option<f64>,
    visits: u32,
    paid: f64,
    /// The position after it, once a walk has gone on from there.
    to: Option<usize>,
}

impl GuidedOption {
    fn new(option: DecisionOption, share: f64, promise: Option<f64>) -> Self {
        GuidedOption { option, share, promise, visits: 0, paid: 0.0, to: None }
    }
}

/// The tree of one search. A node has the edges of a position, which is identified by the options that led to it.
pub(super) struct Guided<'a> {
    model: &'a Model,
    nodes: Vec<Vec<GuidedOption>>,
    /// The options of the decision, in the order of the edges of the first node.
    root: Vec<SearchResult>,
    rng: Rng,
    /// The seat that decides.
    seat: SeatId,
}

impl<'a> Guided<'a> {
    /// An empty tree for a decision of `seat`.
    pub(super) fn new(model: &'a Model, seat: SeatId, seed: u64) -> Self {
        Guided { model, nodes: vec![Vec::new()], root: Vec::new(), rng: Rng::new(seed), seat }
    }

    /// The results for the options of the decision after this many walks, of which `rivals` share a world.
    pub(super) fn run<S: Scripts>(mut self, game: &Game<S>, playouts: u32, rivals: u32) -> Vec<SearchResult> {
        let mut left = playouts;
        while left > 0 {
            let Some(world) = game.imagine(self.seat, &mut self.rng) else { break };
            if self.root.is_empty() {
                self.look(&world);
            }
            if self.root.len() < 2 {
                break;
            }
            self.explore(&world, left.min(rivals));
            left -= left.min(rivals);
        }
        self.root
    }

    /// Judges the options of the decision by one look ahead.
    fn look<S: Scripts>(&mut self, world: &Game<S>) {
        let Some(decision) = next_decision(world, self.seat).filter(|decision| decision.seat == self.seat) else {
            return;
        };
        for look in look_into(self.model, world, &decision) {
            let promise = chance(rating(&look) as f64 / f64::from(Model::VALUE_UNIT));
            self.root.push(SearchResult { option: look.option, promise, visits: 0, paid: 0.0, scatter: 0.0 });
        }
        let promises: Vec<f64> = self.root.iter().map(|result| result.promise / POINTS).collect();
        let edge =
            |(result, share): (&SearchResult, f64)| GuidedOption::new(result.option, share, Some(result.promise));
        self.nodes[0] = self.root.iter().zip(shares(&promises)).map(edge).collect();
    }

    /// Makes several walks through one world, each with a different first option. What the world pays to all of them
    /// does not count.
    fn explore<S: Scripts>(&mut self, world: &Game<S>, walks: u32) {
        let mut tried: Vec<(usize, f64)> = Vec::new();
        for _ in 0..walks {
            let taken: Vec<usize> = tried.iter().map(|(edge, _)| *edge).collect();
            tried.extend(self.walk(&mut world.clone(), &taken));
        }
        let surplus: f64 = tried.iter().map(|(edge, paid)| paid - self.root[*edge].promise).sum();
        let kindness = surplus / tried.len().max(1) as f64;
        for (at, paid) in tried {
            let paid = paid - kindness;
            let (result, edge) = (&mut self.root[at], &mut self.nodes[0][at]);
            result.scatter += (paid - result.promise) * (paid - result.promise);
            result.visits += 1;
            result.paid += paid;
            edge.visits += 1;
            edge.paid += paid;
        }
    }

    /// Walks down the tree to an option that no walk has tried, lets the policy play the turn to its end, and judges the
    /// position. The payoff is recorded on all edges except the first, which must not be `taken`. Returns the first edge
    /// and the payoff.
    fn walk<S: Scripts>(&mut self, world: &mut Game<S>, taken: &[usize]) -> Option<(usize, f64)> {
        let begin = turn(world).cloned();
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        for _ in 0..LONGEST_WALK {
            let Some(decision) = next_decision(world, self.seat).filter(|_| turn(world) == begin.as_ref()) else {
                break;
            };
            let options = forward(world, &decision);
            if !way.is_empty() && (decision.seat != self.seat || options.len() < 2) {
                let Some(option) = self.model.preferred(world, &decision) else { break };
                if world.answer(decision.seat, option).is_err() {
                    break;
                }
                continue;
            }
            self.open(at, world, &decision, &options);
            let taken = if way.is_empty() { taken } else { &[] };
            let Some(edge) = self.pick(at, &options, taken) else { break };
            if world.answer(self.seat, self.nodes[at][edge].option).is_err() {
                break;
            }
            way.push((at, edge));
            // The options of the root have been judged already.
            if at != 0 && self.nodes[at][edge].visits == 0 {
                break;
            }
            at = self.next_node(at, edge);
        }
        play_on(self.model, world, self.seat, begin.as_ref());
        let paid = chance(judged(self.model, world, self.seat) as f64 / f64::from(Model::VALUE_UNIT));
        for (node, edge) in way.iter().skip(1) {
            let edge = &mut self.nodes[*node][*edge];
            edge.visits += 1;
            edge.paid += paid;
        }
        Some((way.first()?.1, paid))
    }

    fn next_node(&mut self, at: usize, edge: usize) -> usize {
        let new = self.nodes.len();
        let next = *self.nodes[at][edge].to.get_or_insert(new);
        if next == new {
            self.nodes.push(Vec::new());
        }
        next
    }

    /// Adds the options of a position that no walk has found yet. Those of the root are known.
    fn open<S: Scripts>(&mut self, at: usize, world: &Game<S>, decision: &Decision, options: &[DecisionOption]) {
        let edges = &mut self.nodes[at];
        let is_known =
            |edges: &[GuidedOption], option: &DecisionOption| edges.iter().any(|edge| edge.option == *option);
        if at == 0 || options.iter().all(|option| is_known(edges, option)) {
            return;
        }
        let logits = self.model.logits(world.table(), decision, options);
        let logits: Vec<f64> = logits.iter().map(|logit| *logit as f64 / f64::from(Model::POLICY_UNIT)).collect();
        for (option, share) in options.iter().zip(shares(&logits)) {
            if !is_known(edges, option) {
                edges.push(GuidedOption::new(*option, share, None));
            }
        }
    }

    /// The edge that a walk takes: the best one, or a preferred one that has rarely been tried.
    fn pick(&self, at: usize, options: &[DecisionOption], taken: &[usize]) -> Option<usize> {
        let edges = &self.nodes[at];
        let is_open = |at: &usize| !taken.contains(at) && options.contains(&edges[*at].option);
        let open: Vec<usize> = (0..edges.len()).filter(is_open).collect();
        let all: f64 = open.iter().map(|at| edges[*at].share).sum();
        let visits: u32 = open.iter().map(|at| edges[*at].visits).sum();
        let paid: f64 = open.iter().map(|at| edges[*at].paid).sum();
        let mean = if visits == 0 { 0.5 } else { paid / f64::from(visits) };
        let urge = CURIOSITY * f64::from(visits + 1).sqrt() / all.max(f64::MIN_POSITIVE);
        let score = |at: &usize| {
            let edge = &edges[*at];
            let tries = f64::from(1 + edge.visits);
            (edge.promise.unwrap_or(mean - CAUTION) + edge.paid + urge * edge.share) / tries
        };
        first_best(open.iter().map(score)).map(|best| open[best])
    }
}

/// The softmax distribution of logits.
fn shares(logits: &[f64]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f64::MIN, f64::max);
    let shares: Vec<f64> = logits.iter().map(|logit| exp(logit - most)).collect();
    let sum: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}
