//! The sums of a simulation. Their size depends on the cards and outcomes of the game, not on the number of games.

use std::collections::BTreeMap;

use principes_app::setup::{MOST_DECISIONS, Setup};
use principes_core::*;
use principes_scripting::STEP_BUDGET;
use serde::{Deserialize, Serialize};

use super::checkpoint::Settings;
use super::game::{Fault, LAST_ANSWERS, Played, counts_rounds, seed_of};

/// The number of failed games that are listed.
const FAULTS_LISTED: usize = 100;

/// Sums over games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// The number of games.
    pub games: u64,
    /// The number of answers in all games.
    pub decisions: u64,
    /// The steps of scripts in all games.
    #[serde(default)]
    pub steps: u64,
    /// The most steps of one game, and the most steps of one call.
    #[serde(default)]
    pub most_steps: (u64, u64),
    pub(super) outcomes: BTreeMap<SymbolId, u64>,
    pub(super) wins: BTreeMap<SeatId, u64>,
    pub(super) rounds: BTreeMap<i32, u64>,
    /// For each design, the number of games in which a seat played it, and how many of those that seat won.
    pub(super) cards: BTreeMap<DesignId, (u64, u64)>,
    /// The number of runs of each hook.
    pub(super) hooks: Vec<u64>,
    /// The number of failed games.
    pub faulty: u64,
    /// The number of failed games that only took too many answers or steps.
    #[serde(default)]
    pub unfinished: u64,
    /// The first failed games.
    pub faults: Vec<Fault>,
}

fn sum(counts: &mut dyn Iterator<Item = &u64>) -> u64 {
    counts.fold(0, |sum, n| sum.saturating_add(*n))
}

impl Tally {
    /// Whether games of this table could have these sums. It does not prove the sums; it refuses impossible ones.
    pub fn is_possible(&self, catalog: &Catalog, table: &Setup, settings: &Settings) -> bool {
        if self.games == 0 {
            return *self == Tally { hooks: vec![0; self.hooks.len()], ..Tally::default() };
        }
        self.are_sums_possible(catalog, table) && self.are_faults_possible(settings)
    }

    /// The number of games that ended.
    fn ended(&self) -> u64 {
        sum(&mut self.outcomes.values())
    }

    fn are_sums_possible(&self, catalog: &Catalog, table: &Setup) -> bool {
        let seats = table.players.len() as u64;
        let (ended, won) = (self.ended(), sum(&mut self.wins.values()));
        // A game that could not begin has no rounds.
        let rounds = if counts_rounds(catalog) { self.games.saturating_sub(self.faulty)..=self.games } else { 0..=0 };
        let known = self.outcomes.keys().all(|cause| cause.index() < catalog.symbols.len())
            && self.wins.keys().all(|seat| table.players.iter().any(|(known, _)| known == seat))
            && self.cards.keys().all(|design| design.index() < catalog.designs.len())
            && self.hooks.len() <= catalog.hooks.len();
        let counts = self.outcomes.values().chain(self.wins.values()).chain(self.rounds.values());
        known
            && counts.chain(self.cards.values().map(|(played, _)| played)).all(|count| *count > 0)
            && ended.checked_add(self.faulty) == Some(self.games)
            && won <= ended
            && rounds.contains(&sum(&mut self.rounds.values()))
            && self.decisions <= self.games.saturating_mul(MOST_DECISIONS as u64 + 1)
            && self.cards.values().all(|(played, by_winner)| {
                by_winner <= &won.min(*played) && *played <= self.games.saturating_mul(seats)
            })
            && self.unfinished <= self.faulty
            && self.steps <= self.games.saturating_mul(self.most_steps.0)
            && self.most_steps.0 <= self.steps.min(2 * MOST_STEPS)
            && self.most_steps.1 <= STEP_BUDGET
    }

    /// Whether the list of failed games could be the first ones of these settings.
    fn are_faults_possible(&self, settings: &Settings) -> bool {
        let Settings { shard, setup, .. } = settings;
        let is_possible = |fault: &Fault| {
            let at = fault.game / shard.parts;
            at < self.games
                && fault.game == shard.number(at)
                && fault.seed == seed_of(setup.seed, fault.game)
                && fault.last_answers.len() == fault.decisions.min(LAST_ANSWERS)
        };
        let unfinished = self.faults.iter().filter(|fault| fault.unfinished).count() as u64;
        let unlisted = self.faulty.saturating_sub(self.faults.len() as u64);
        self.faults.len() as u64 == self.faulty.min(FAULTS_LISTED as u64)
            && self.faults.iter().all(is_possible)
            && self.faults.is_sorted_by(|one, next| one.game < next.game)
            && (unfinished..=unfinished.saturating_add(unlisted)).contains(&self.unfinished)
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Played) {
        self.games += 1;
        self.decisions += game.decisions as u64;
        self.steps += game.steps;
        self.most_steps = (self.most_steps.0.max(game.steps), self.most_steps.1.max(game.most_steps));
        let winner = game.outcome.and_then(|outcome| outcome.winner);
        if let Some(outcome) = game.outcome {
            *self.outcomes.entry(outcome.cause).or_default() += 1;
        }
        if let Some(winner) = winner {
            *self.wins.entry(winner).or_default() += 1;
        }
        if let Some(rounds) = game.rounds {
            *self.rounds.entry(rounds).or_default() += 1;
        }
        for (design, seat) in &game.cards {
            let card = self.cards.entry(*design).or_default();
            card.0 += 1;
            card.1 += u64::from(winner == Some(*seat));
        }
        if let Some(fault) = &game.fault {
            self.faulty += 1;
            self.unfinished += u64::from(fault.unfinished);
            if self.faults.len() < FAULTS_LISTED {
                self.faults.push(fault.clone());
            }
        }
    }

    /// Adds numbers of hook runs.
    pub fn add_hooks(&mut self, runs: impl Iterator<Item = u64>) {
        for (at, more) in runs.enumerate() {
            match self.hooks.get_mut(at) {
                Some(sum) => *sum = sum.saturating_add(more),
                None => self.hooks.push(more),
            }
        }
    }

    /// Adds the sums of later games.
    pub fn take_in(&mut self, later: Tally) {
        fn add<K: Ord>(sums: &mut BTreeMap<K, u64>, more: BTreeMap<K, u64>) {
            for (key, n) in more {
                *sums.entry(key).or_default() += n;
            }
        }
        self.games += later.games;
        self.decisions += later.decisions;
        self.steps += later.steps;
        self.most_steps = (self.most_steps.0.max(later.most_steps.0), self.most_steps.1.max(later.most_steps.1));
        add(&mut self.outcomes, later.outcomes);
        add(&mut self.wins, later.wins);
        add(&mut self.rounds, later.rounds);
        for (design, (played, won)) in later.cards {
            let card = self.cards.entry(design).or_default();
            card.0 += played;
            card.1 += won;
        }
        self.add_hooks(later.hooks.into_iter());
        self.faulty += later.faulty;
        self.unfinished += later.unfinished;
        let room = FAULTS_LISTED.saturating_sub(self.faults.len());
        self.faults.extend(later.faults.into_iter().take(room));
    }
}
