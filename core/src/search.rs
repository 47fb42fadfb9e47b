//! Search in imagined games: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012) over options
//! by their names, led by what one look ahead says of each option (predictors as in PUCT, Rosin 2011).
//!
//! Every playout imagines a world anew and walks down one tree that all these worlds share, until the seat's next turn
//! is over too; there the position is judged for everybody who chose on the way. A position that a walk comes to for
//! the first time is opened: some of its options, at the root all, are judged by one look ahead, as a greedy player
//! does it. From these promises an option starts; playouts that say otherwise, and enough of them, move the search away
//! from them. Others are taken for players of the same kind who want the best for themselves. What they choose secretly
//! at the same time as the seat is drawn by its promise, since they cannot answer to what they do not see.
//!
//! Where a game has neither tracks nor anybody who judges positions, walks go on at random to the end of the game.
//!
//! Deterministic, and only additions, products, divisions and square roots, so equal on every machine.

use crate::bots::{evaluate, forward, judge};
use crate::catalog::{Catalog, Scope};
use crate::decision::{Ask, Choice};
use crate::flow::{Frame, Turns};
use crate::game::{Game, Snapshot};
use crate::ids::*;
use crate::rng::Rng;
use crate::scripts::Scripts;

/// One independent search. Several of them, each with a seed of its own, make a decision together: [`searches`] says
/// how many, [`decide`] puts together what they found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Whose decision it is.
    pub seat: SeatId,
    /// Seed of its chance.
    pub seed: u64,
    /// How many worlds it imagines.
    pub playouts: u32,
}

/// What a search has found out about an option of its decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Finding {
    /// The option.
    pub choice: Choice,
    /// What one look ahead promises: 0 is lost, 1 is won.
    pub promise: f64,
    /// How many playouts went this way.
    pub visits: u32,
    /// Sum of what they paid, each from 0 to 1 and corrected by how kind its world was to all that was tried there.
    pub paid: f64,
    /// Sum of the squares of how far they were from the promise.
    pub scatter: f64,
}

/// Who carries out several searches at the same time. Games stay on their threads; what travels is a [`Snapshot`].
pub trait Crew {
    /// The findings of each search, in the order of the searches; `None` where nobody can carry them out.
    fn search(&self, position: Snapshot, searches: &[Search]) -> Option<Vec<Vec<Finding>>>;
}

/// So many playouts make a search of its own.
const SHARE: u32 = 32;
/// A decision is never shared among more searches.
const MOST_SEARCHES: u32 = 16;
/// The advantage in [`evaluate`] that counts as half a win.
const HALF_A_WIN: f64 = 600.0;
/// Options of the decision that are tried in the same imagined world, so that chance is as kind to one as to the other.
const RIVALS: u32 = 2;
/// So many playouts a promise weighs as much as where chance plays no part, and at most.
const TRUST: f64 = 2.0;
const MOST_TRUST: f64 = 64.0;
/// How much more a promising option draws that has rarely been tried.
const CURIOSITY: f64 = 1.0;
/// Promises that lie closer together than this count as equal when curiosity is dealt out; where nothing judges
/// positions, they say little.
const LEAST_SCALE: f64 = 0.002;
const BLIND_SCALE: f64 = 0.5;
/// Options that are opened at the root, and at first elsewhere; there one more with every second visit.
const ROOT_WIDTH: usize = 200;
const WIDTH: usize = 12;
/// Decisions of a walk to a judgement, and to the end of a game that nobody judges.
const LONGEST_WALK: usize = 40;
const LONGEST_GAME: usize = 1000;

/// The searches for a decision with so many playouts: 1 to 16, whose playouts add up to that. They depend on nothing
/// else, so not on how many can run at a time.
pub fn searches(seat: SeatId, playouts: u32, rng: &mut Rng) -> Vec<Search> {
    let count = (playouts / SHARE).clamp(1, MOST_SEARCHES);
    (0..count)
        .map(|at| Search {
            seat,
            seed: u64::from(rng.below(u32::MAX)) << 32 | u64::from(rng.below(u32::MAX)),
            playouts: playouts / count + u32::from(at < playouts % count),
        })
        .collect()
}

/// The option that the findings of all searches speak for most; `None` where there are none.
pub fn decide(findings: &[Vec<Finding>]) -> Option<Choice> {
    let mut all: Vec<(Finding, u32)> = Vec::new();
    for finding in findings.iter().flatten() {
        match all.iter_mut().find(|(known, _)| known.choice == finding.choice) {
            Some((sum, times)) => {
                sum.promise += finding.promise;
                sum.visits += finding.visits;
                sum.paid += finding.paid;
                sum.scatter += finding.scatter;
                *times += 1;
            }
            None => all.push((*finding, 1)),
        }
    }
    let means: Vec<Finding> =
        all.into_iter().map(|(sum, times)| Finding { promise: sum.promise / f64::from(times), ..sum }).collect();
    let best = first_best(estimates(&means).into_iter())?;
    Some(means[best].choice)
}

/// How good options look to who is to choose: what playouts paid, drawn towards what was promised. Playouts look
/// further than promises, so what they pay differs from them by an amount common to all options, which is taken off.
/// The more they scatter compared with what is promised for one option and another, the more of them it takes to move
/// an option away from its promise.
fn estimates(options: &[Finding]) -> Vec<f64> {
    let visits: u32 = options.iter().map(|option| option.visits).sum();
    let surplus: f64 = options.iter().map(|option| option.paid - option.promise * f64::from(option.visits)).sum();
    let scatter: f64 = options.iter().map(|option| option.scatter).sum();
    let (shift, mean_square) =
        if visits == 0 { (0.0, 0.0) } else { (surplus / f64::from(visits), scatter / f64::from(visits)) };
    let (noise, spread) = (mean_square - shift * shift, spread(options));
    let trust = if spread > 0.0 { (noise / (spread * spread)).clamp(TRUST, MOST_TRUST) } else { TRUST };
    let estimate =
        |option: &Finding| (option.paid + trust * (option.promise + shift)) / (f64::from(option.visits) + trust);
    options.iter().map(estimate).collect()
}

/// How far the most promising option is from the mean.
fn spread(options: &[Finding]) -> f64 {
    let most = options.iter().map(|option| option.promise).fold(0.0, f64::max);
    let mean = options.iter().map(|option| option.promise).sum::<f64>() / options.len().max(1) as f64;
    most - mean
}

/// Where the greatest value is; the first of equals, so the same everywhere.
fn first_best(values: impl Iterator<Item = f64>) -> Option<usize> {
    values.enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at)
}

/// A judgement of [`evaluate`] from 0, lost, to 1, won.
fn reward(value: i32) -> f64 {
    let value = f64::from(value);
    0.5 + 0.5 * value / (value.abs() + HALF_A_WIN)
}

/// Whether nothing tells one position of a running game from another.
fn is_blind<S: Scripts>(game: &Game<S>) -> bool {
    let catalog: &Catalog = game.catalog();
    let tracks = catalog.counters.iter().any(|counter| counter.track && counter.scope == Scope::Faction);
    !tracks && !game.table().anyone_listens(catalog.kernel.bot_value)
}

/// Whose turn it is: where in its phases the game stands.
fn turn<S: Scripts>(game: &Game<S>) -> Option<Turns> {
    match game.table().world.flow().first() {
        Some(Frame::Turns(turns)) => Some(turns.clone()),
        _ => None,
    }
}

/// The decision that is taken next: the seat's own, where it has one open.
fn next_ask<S: Scripts>(game: &Game<S>, seat: SeatId) -> Option<Ask> {
    let pending = game.pending();
    pending.iter().find(|ask| ask.seat == seat).or(pending.first()).map(|ask| (*ask).clone())
}

impl Search {
    /// Carries the search out. Returns the options that were looked at, 200 at most; none where no world can be
    /// imagined.
    pub fn run<S: Scripts>(&self, game: &Game<S>) -> Vec<Finding> {
        let mut tree =
            Tree { nodes: vec![Node::default()], rng: Rng::new(self.seed), seat: self.seat, blind: is_blind(game) };
        let mut left = self.playouts;
        while left > 0 {
            let Some(world) = game.imagine(self.seat, &mut tree.rng) else { break };
            tree.explore(&world, left.min(RIVALS));
            left -= left.min(RIVALS);
        }
        tree.nodes.swap_remove(0).edges.into_iter().map(|edge| edge.finding).collect()
    }
}

/// A way on from a position.
struct Edge {
    /// Who chooses it.
    seat: SeatId,
    finding: Finding,
    /// The position it leads to, once a walk has come there.
    to: Option<usize>,
}

impl Edge {
    /// A playout went this way.
    fn note(&mut self, paid: f64) {
        let finding = &mut self.finding;
        finding.visits += 1;
        finding.paid += paid;
        finding.scatter += (paid - finding.promise) * (paid - finding.promise);
    }
}

/// A position, as far as the choices say that led to it.
#[derive(Default)]
struct Node {
    edges: Vec<Edge>,
    visits: u32,
}

struct Tree {
    nodes: Vec<Node>,
    rng: Rng,
    /// Who thinks.
    seat: SeatId,
    /// Whether there is nothing to judge positions by.
    blind: bool,
}

impl Tree {
    /// Tries some options in one world, another one each time.
    fn explore<S: Scripts>(&mut self, world: &Game<S>, walks: u32) {
        let mut tried: Vec<(usize, f64)> = Vec::new();
        for _ in 0..walks {
            let taken: Vec<usize> = tried.iter().map(|(edge, _)| *edge).collect();
            tried.extend(self.playout(&mut world.clone(), &taken));
        }
        let promised = |edge: usize| self.nodes[0].edges[edge].finding.promise;
        let surplus: f64 = tried.iter().map(|(edge, paid)| paid - promised(*edge)).sum();
        let kindness = surplus / tried.len().max(1) as f64;
        for (edge, paid) in tried {
            self.nodes[0].edges[edge].note(paid - kindness);
        }
    }

    /// Walks through a world and notes on all ways but the first what it paid. Returns the first and its pay.
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

    /// Goes on in a world until the seat's next turn is over, at first not on the ways that are taken. Returns nodes,
    /// and the edges taken from them.
    fn walk<S: Scripts>(&mut self, world: &mut Game<S>, taken: &[usize]) -> Vec<(usize, usize)> {
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        let begin = turn(world);
        let (mut now, mut has_next) = (begin.clone(), false);
        while let Some(ask) = next_ask(world, self.seat) {
            let here = turn(world);
            let is_over = has_next && here != now;
            if !self.blind && (is_over || way.len() >= LONGEST_WALK) {
                break;
            }
            has_next |= ask.seat == self.seat && here != begin;
            now = here;
            let options = forward(world, &ask);
            if options.is_empty() {
                break;
            }
            let is_new = self.nodes[at].visits == 0;
            self.open(at, world, &ask, &options);
            let taken = if way.is_empty() { taken } else { &[] };
            let Some(edge) = self.pick(at, world, &ask, &options, taken) else { break };
            if world.answer(ask.seat, self.nodes[at].edges[edge].finding.choice).is_err() {
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

    /// Goes on at random to the end of the game.
    fn play_out<S: Scripts>(&mut self, world: &mut Game<S>) {
        for _ in 0..LONGEST_GAME {
            let Some(ask) = next_ask(world, self.seat) else { return };
            let options = forward(world, &ask);
            let Some(choice) = options.get(self.rng.below(options.len() as u32) as usize) else { return };
            if world.answer(ask.seat, *choice).is_err() {
                return;
            }
        }
    }

    /// Looks one step ahead at options of a position that no walk has looked at yet.
    fn open<S: Scripts>(&mut self, at: usize, world: &Game<S>, ask: &Ask, options: &[Choice]) {
        let node = &self.nodes[at];
        let is_known =
            |choice: &Choice| node.edges.iter().any(|edge| edge.seat == ask.seat && edge.finding.choice == *choice);
        let mut fresh: Vec<Choice> = options.iter().copied().filter(|choice| !is_known(choice)).collect();
        let width = if at == 0 { ROOT_WIDTH } else { WIDTH + node.visits as usize / 2 };
        let room = width.saturating_sub(options.len() - fresh.len());
        if fresh.len() > room {
            self.rng.shuffle(&mut fresh);
            fresh.truncate(room);
        }
        for choice in fresh {
            let promise = if options.len() == 1 {
                // Nothing to choose, so nothing to promise.
                0.5
            } else {
                let mut copy = world.clone();
                if copy.answer(ask.seat, choice).is_err() {
                    continue;
                }
                if self.blind { pays(&mut copy, ask.seat) } else { reward(judge(copy, ask.seat)) }
            };
            let finding = Finding { choice, promise, visits: 0, paid: 0.0, scatter: 0.0 };
            self.nodes[at].edges.push(Edge { seat: ask.seat, finding, to: None });
        }
    }

    /// The edge that a walk takes: what looks best, or what promises much and has rarely been tried.
    fn pick<S: Scripts>(
        &mut self,
        at: usize,
        world: &Game<S>,
        ask: &Ask,
        options: &[Choice],
        taken: &[usize],
    ) -> Option<usize> {
        let node = &self.nodes[at];
        let is_open = |edge: &Edge| edge.seat == ask.seat && options.contains(&edge.finding.choice);
        let is_free = |at: &usize| !taken.contains(at) && is_open(&node.edges[*at]);
        let open: Vec<usize> = (0..node.edges.len()).filter(is_free).collect();
        let findings: Vec<Finding> = open.iter().map(|edge| node.edges[*edge].finding).collect();
        let most = findings.iter().map(|option| option.promise).fold(0.0, f64::max);
        let scale = spread(&findings).max(if self.blind { BLIND_SCALE } else { LEAST_SCALE });
        let draw = |option: &Finding| {
            let short = 1.0 + (most - option.promise) / scale;
            1.0 / (short * short)
        };
        let is_secret =
            ask.seat != self.seat && matches!(world.table().world.flow().last(), Some(Frame::Simultaneous(_)));
        if is_secret {
            let all: f64 = findings.iter().map(draw).sum();
            let mut left = all * f64::from(self.rng.below(1 << 24)) / f64::from(1 << 24);
            let drawn = findings.iter().position(|option| {
                left -= draw(option);
                left < 0.0
            });
            return open.get(drawn.unwrap_or(0)).copied();
        }
        let visits: u32 = findings.iter().map(|option| option.visits).sum();
        let urge = CURIOSITY * scale * f64::from(visits + 1).sqrt();
        let scores = estimates(&findings)
            .into_iter()
            .zip(&findings)
            .map(|(estimate, option)| estimate + urge * draw(option) / f64::from(1 + option.visits));
        open.get(first_best(scores)?).copied()
    }
}

/// How a position pays for a seat: 0 is lost, 1 is won.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(option: i32, promise: f64, visits: u32, paid: f64) -> Finding {
        Finding { choice: Choice::value(Value::Int(option)), promise, visits, paid, scatter: 0.0 }
    }

    fn decided(findings: &[Vec<Finding>]) -> Option<Value> {
        decide(findings).map(|choice| choice.args[0])
    }

    #[test]
    fn playouts_overrule_promises_only_by_weight() {
        let none = [finding(1, 0.4, 0, 0.0), finding(2, 0.6, 0, 0.0), finding(3, 0.6, 0, 0.0)];
        assert_eq!(decided(&[none.to_vec()]), Some(Value::Int(2)), "the first of the most promising");
        let lucky = [finding(1, 0.3, 1, 0.7), finding(2, 0.6, 10, 6.0)];
        assert_eq!(decided(&[lucky.to_vec()]), Some(Value::Int(2)), "one playout proves little");
        let proven = [finding(1, 0.3, 10, 7.0), finding(2, 0.6, 10, 4.0)];
        assert_eq!(decided(&[proven.to_vec()]), Some(Value::Int(1)));
        assert_eq!(decided(&[]), None);
    }

    #[test]
    fn findings_of_several_searches_add_up() {
        let one = vec![finding(1, 0.5, 3, 1.5), finding(2, 0.5, 3, 1.2)];
        let two = vec![finding(2, 0.5, 6, 4.8), finding(3, 0.1, 0, 0.0)];
        assert_eq!(decided(std::slice::from_ref(&one)), Some(Value::Int(1)));
        assert_eq!(decided(&[one, two]), Some(Value::Int(2)));
    }

    #[test]
    fn searches_share_the_playouts() {
        for (playouts, count) in [(1, 1), (63, 1), (64, 2), (100, 3), (100_000, 16)] {
            let searches = searches(FactionId(0), playouts, &mut Rng::new(1));
            assert_eq!(searches.len(), count);
            assert_eq!(searches.iter().map(|search| search.playouts).sum::<u32>(), playouts);
            assert!(searches.windows(2).all(|pair| pair[0].seed != pair[1].seed));
        }
    }
}
