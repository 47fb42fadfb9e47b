//! The report of a simulation as tables for people.

use std::io::Write;

use anyhow::Result;
use principes_app::packs::OpenPacks;
use principes_findings::escape;
use principes_lab::simulation::report::{CardReport, SimulationReport};

use crate::style;

pub fn human(report: &SimulationReport, ready: &OpenPacks) -> Result<String> {
    let words = ready.words("en");
    let mut text = Vec::new();
    let bold = style::bold();
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
        writeln!(text, "\n{bold}Cards{bold:#} (games in which a seat played it, and the share it won)")?;
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
    let steps = &report.steps;
    writeln!(
        text,
        "\n{bold}Steps{bold:#}  {} in a game on average, at most {} of {}; in one call, at most {} of {}",
        steps.mean, steps.most, steps.limit, steps.most_in_call, steps.call_limit
    )?;
    print_faults(&mut text, report)?;
    Ok(String::from_utf8(text)?)
}

fn print_faults(text: &mut Vec<u8>, report: &SimulationReport) -> Result<()> {
    if report.faults.is_empty() {
        return Ok(());
    }
    let bad = style::bad();
    writeln!(text, "\n{bad}Faults{bad:#}")?;
    for fault in &report.faults {
        writeln!(
            text,
            "  game {} (seed {}), after {} decisions{}: {}",
            fault.game,
            fault.seed,
            fault.decisions,
            if fault.steps > 0 { format!(" and {} steps of the call", fault.steps) } else { String::new() },
            escape::line(&fault.message)
        )?;
        for answer in &fault.last_answers {
            writeln!(text, "    {}", escape::line(answer))?;
        }
    }
    let more = report.faulty - report.faults.len() as u64;
    if more > 0 {
        writeln!(text, "  … and {more} more games")?;
    }
    Ok(())
}
