//! What a simulation has found so far. It grows with the game's cards and endings, not with the number of games.

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::Result;
use principes_content::source::visible;
use principes_core::*;
use serde::{Deserialize, Serialize};

use super::games::{Fault, Played};
use crate::ink;
use crate::packs::Ready;
use crate::setup::Setup;

/// Faults that are told one by one.
const FAULTS_TOLD: usize = 100;

/// Sums over games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Answers in all of them.
    pub decisions: u64,
    outcomes: BTreeMap<SymbolId, u64>,
    wins: BTreeMap<SeatId, u64>,
    rounds: BTreeMap<i32, u64>,
    /// Games in which a seat played a card of a design: how many, and how many it won.
    cards: BTreeMap<DesignId, (u64, u64)>,
    /// How often each hook ran.
    hooks: Vec<u64>,
    /// Games that went wrong.
    pub faulty: u64,
    /// The first of them.
    pub faults: Vec<Fault>,
}

impl Tally {
    /// Whether all that it speaks of is there.
    pub fn fits(&self, catalog: &Catalog) -> bool {
        self.outcomes.keys().all(|cause| cause.index() < catalog.symbols.len())
            && self.wins.keys().all(|seat| seat.index() < catalog.playable)
            && self.cards.keys().all(|design| design.index() < catalog.designs.len())
            && self.hooks.len() <= catalog.hooks.len()
            && self.faulty >= self.faults.len() as u64
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Played) {
        self.games += 1;
        self.decisions += game.decisions as u64;
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
            if self.faults.len() < FAULTS_TOLD {
                self.faults.push(fault.clone());
            }
        }
    }

    /// Adds how often hooks ran.
    pub fn add_hooks(&mut self, runs: impl Iterator<Item = u64>) {
        for (at, more) in runs.enumerate() {
            match self.hooks.get_mut(at) {
                Some(sum) => *sum += more,
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
        let room = FAULTS_TOLD.saturating_sub(self.faults.len());
        self.faults.extend(later.faults.into_iter().take(room));
    }
}

/// What a simulation says at its end.
#[derive(Serialize)]
pub struct Report {
    games: u64,
    decisions: u64,
    seconds: f64,
    games_per_second: f64,
    decisions_per_second: f64,
    state_hash: String,
    outcomes: BTreeMap<String, u64>,
    seats: Vec<SeatReport>,
    rounds: BTreeMap<i32, u64>,
    cards: BTreeMap<String, CardReport>,
    hooks: HookReport,
    /// How many games went wrong; `faults` tells of the first of them.
    faulty: u64,
    faults: Vec<Fault>,
}

#[derive(Serialize)]
struct SeatReport {
    faction: String,
    bot: String,
    wins: u64,
    win_rate: f64,
    ci95: [f64; 2],
}

#[derive(Serialize)]
struct CardReport {
    played: u64,
    won_when_played: u64,
}

#[derive(Serialize)]
struct HookReport {
    declared: usize,
    reached: usize,
    unreached: Vec<String>,
}

impl Report {
    /// The report on what was found in some seconds.
    pub fn new(catalog: &Catalog, table: &Setup, tally: &Tally, state_hash: String, seconds: f64) -> Report {
        let seats = table.players.iter().map(|(seat, player)| {
            let wins = tally.wins.get(seat).copied().unwrap_or(0);
            SeatReport {
                faction: catalog.id_of(Value::Faction(*seat)),
                bot: player.name(),
                wins,
                win_rate: round(wins as f64 / tally.games.max(1) as f64),
                ci95: wilson(wins, tally.games),
            }
        });
        let seats = seats.collect();
        let unreached: Vec<String> = (0..catalog.hooks.len())
            .filter(|at| tally.hooks.get(*at).is_none_or(|runs| *runs == 0))
            .map(|at| crate::packs::hook_name(catalog, HookId::at(at)))
            .collect();
        let cards = tally.cards.iter().map(|(design, (played, won))| {
            let report = CardReport { played: *played, won_when_played: *won };
            (catalog.designs[design.index()].id.clone(), report)
        });
        let outcomes = tally.outcomes.iter();
        Report {
            games: tally.games,
            decisions: tally.decisions,
            seconds: round(seconds),
            games_per_second: round(tally.games as f64 / seconds.max(1e-9)),
            decisions_per_second: round(tally.decisions as f64 / seconds.max(1e-9)),
            state_hash,
            outcomes: outcomes.map(|(cause, n)| (catalog.symbols.name(cause.index()).to_owned(), *n)).collect(),
            seats,
            rounds: tally.rounds.clone(),
            cards: cards.collect(),
            hooks: HookReport {
                declared: catalog.hooks.len(),
                reached: catalog.hooks.len() - unreached.len(),
                unreached,
            },
            faulty: tally.faulty,
            faults: tally.faults.clone(),
        }
    }

    /// The report as tables for people.
    pub fn human(&self, ready: &Ready) -> Result<String> {
        let report = self;
        let words = ready.words("en");
        let mut text = Vec::new();
        let bold = ink::bold();
        writeln!(
            text,
            "{bold}{} games{bold:#}, {} decisions, {:.1} s ({:.1} games/s, {:.0} decisions/s)",
            report.games, report.decisions, report.seconds, report.games_per_second, report.decisions_per_second
        )?;
        writeln!(text, "state hash {}", report.state_hash)?;
        writeln!(text, "\n{bold}Seats{bold:#}")?;
        for seat in &report.seats {
            writeln!(
                text,
                "  {:<24} {:<8} {:>6} {:<4}  {:>5.1} %  (95 %: {:.1} to {:.1} %)",
                words.named("faction", &seat.faction),
                seat.bot,
                seat.wins,
                if seat.wins == 1 { "win" } else { "wins" },
                100.0 * seat.win_rate,
                100.0 * seat.ci95[0],
                100.0 * seat.ci95[1]
            )?;
        }
        let share = |n: u64| 100.0 * n as f64 / report.games.max(1) as f64;
        writeln!(text, "\n{bold}Endings{bold:#}")?;
        for (cause, n) in &report.outcomes {
            writeln!(text, "  {cause:<24} {n:>6}  {:>5.1} %", share(*n))?;
        }
        if !report.rounds.is_empty() {
            let rounds: Vec<String> = report.rounds.iter().map(|(round, n)| format!("{round}: {n}")).collect();
            writeln!(text, "\n{bold}Rounds{bold:#}  {}", rounds.join(", "))?;
        }
        if !report.cards.is_empty() {
            writeln!(text, "\n{bold}Cards{bold:#} (games in which a seat played it, and won)")?;
            let mut cards: Vec<_> = report.cards.iter().collect();
            let rate = |card: &CardReport| card.won_when_played as f64 / card.played.max(1) as f64;
            cards.sort_by(|a, b| rate(b.1).total_cmp(&rate(a.1)).then(a.0.cmp(b.0)));
            for (id, card) in cards {
                writeln!(text, "  {id:<32} {:>6}  {:>5.1} %", card.played, 100.0 * rate(card))?;
            }
        }
        writeln!(text, "\n{bold}Hooks{bold:#}  {} of {} ran", report.hooks.reached, report.hooks.declared)?;
        for hook in &report.hooks.unreached {
            writeln!(text, "  never: {hook}")?;
        }
        if !report.faults.is_empty() {
            let bad = ink::bad();
            writeln!(text, "\n{bad}Faults{bad:#}")?;
            for fault in &report.faults {
                writeln!(
                    text,
                    "  game {} (seed {}), after {} decisions: {}",
                    fault.game,
                    fault.seed,
                    fault.decisions,
                    visible(&fault.message)
                )?;
                for answer in &fault.last_answers {
                    writeln!(text, "    {}", visible(answer))?;
                }
            }
            let more = report.faulty - report.faults.len() as u64;
            if more > 0 {
                writeln!(text, "  … and {more} more games")?;
            }
        }
        Ok(String::from_utf8(text)?)
    }
}

fn round(x: f64) -> f64 {
    (x * 10_000.0).round() / 10_000.0
}

/// Wilson's interval: where a rate lies with 95 % confidence.
fn wilson(wins: u64, games: u64) -> [f64; 2] {
    if games == 0 {
        return [0.0, 1.0];
    }
    let (n, z) = (games as f64, 1.96_f64);
    let p = wins as f64 / n;
    let middle = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    [round(((middle - half) / scale).max(0.0)), round(((middle + half) / scale).min(1.0))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_their_rate() {
        let [low, high] = wilson(25, 100);
        assert!(low < 0.25 && 0.25 < high && high - low < 0.18);
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
    }
}
