//! The figures as tables for people.

use std::fmt::Write as _;

use anyhow::Result;
use principes_findings::escape;
use principes_lab::balance::compare::{DifferenceRow, Verdict};
use principes_lab::balance::figures::{Effect, FEWEST};
use principes_lab::balance::markdown::{difference, figure, plain};
use principes_lab::balance::report::{BalanceReport, CardRow, Row};
use principes_lab::balance::wording::{
    CHOICE, DRAW, TOGETHER, bots, games, grouped, kept, percent, points, range, stopped,
};
use principes_lab::balance::{ComparisonReport, Kept};

use crate::style;

/// The width of a name.
const NAME: usize = 42;

pub fn text(report: &BalanceReport) -> Result<String> {
    let (bold, dim) = (style::bold(), style::dim());
    let mut text = String::new();
    let setting = &report.setting;
    writeln!(text, "{bold}{}{bold:#}: {}, seed {}", name(&setting.title), games(report.games), setting.seed)?;
    writeln!(text, "players: {}", bots(setting))?;
    writeln!(text, "state hash {}", report.state_hash)?;
    if let Some(why) = stopped(report.stopped) {
        writeln!(text, "stopped because {why}")?;
    }
    if let Some(gate) = &report.promises {
        writeln!(text, "\n{bold}Promises{bold:#}")?;
        for row in &gate.promises {
            let style = if row.result == Kept::Refuted { style::bad() } else { bold };
            writeln!(text, "  {style}{:<16}{style:#} {}", kept(row.result), escape::line(&row.promise))?;
            for found in wrapped(&escape::line(&row.found)) {
                writeln!(text, "  {:<16} {dim}{found}{dim:#}", "")?;
            }
        }
        writeln!(text)?;
    }
    let about = "the second column is where each figure would be after very many games, 95 times out of 100";
    writeln!(text, "{dim}{about}{dim:#}")?;
    section(&mut text, "Who wins, by faction", &report.factions, percent)?;
    section(&mut text, "Who wins, by place in the turn order", &report.places, percent)?;
    if report.order_is_fixed {
        let fixed = "the same faction has each place in all games, so the two cannot be told apart";
        writeln!(text, "  {dim}{fixed}{dim:#}")?;
    }
    section(&mut text, "How games end", &report.endings, percent)?;
    section(&mut text, "", std::slice::from_ref(&report.no_winner), percent)?;
    section(&mut text, "How long games take", &report.lengths, |number| format!("{number:.1}"))?;
    section(&mut text, "Who wins, by the lead on tracks", &report.leads, percent)?;
    section(&mut text, "", report.comebacks.as_slice(), percent)?;
    cards(&mut text, report)?;
    failed(&mut text, report)?;
    Ok(text)
}

/// The start of a text from a pack, in one line.
fn name(text: &str) -> String {
    escape::line(text).chars().take(NAME).collect()
}

fn section(text: &mut String, title: &str, rows: &[Row], number: fn(f64) -> String) -> Result<()> {
    let bold = style::bold();
    if !title.is_empty() && !rows.is_empty() {
        writeln!(text, "\n{bold}{title}{bold:#}")?;
    }
    for row in rows {
        let interval = range(row, number).unwrap_or_else(|| "too few games".to_owned());
        writeln!(text, "  {:<NAME$} {:>9}   {interval}", name(&row.name), number(row.value))?;
    }
    Ok(())
}

fn cards(text: &mut String, report: &BalanceReport) -> Result<()> {
    let (bold, dim) = (style::bold(), style::dim());
    let sections = [
        (Effect::Draw, "Drawing a card: what it does to the chance of winning, in points", "draws"),
        (Effect::Hold, "Having a card at the end: how it goes with winning, in points", "seats"),
        (Effect::Play, "Playing a card: how it goes with winning, in points", "seats"),
    ];
    for (effect, title, unit) in sections {
        let mut rows: Vec<(&CardRow, &Row)> =
            report.cards.iter().filter_map(|card| Some((card, card.effect(effect)?))).collect();
        if rows.is_empty() {
            continue;
        }
        rows.sort_by(|a, b| {
            b.1.interval
                .is_some()
                .cmp(&a.1.interval.is_some())
                .then(b.1.value.total_cmp(&a.1.value))
                .then(a.0.id.cmp(&b.0.id))
        });
        writeln!(text, "\n{bold}{title}{bold:#}")?;
        for line in wrapped(if effect.is_causal() { DRAW } else { CHOICE }) {
            writeln!(text, "  {dim}{line}{dim:#}")?;
        }
        for (card, row) in &rows {
            let Some(interval) = range(row, points) else { continue };
            let events = format!("{} {unit}", grouped(row.events));
            writeln!(text, "  {:<NAME$} {:>9}   {interval:<16} {events}", name(&card.name), points(row.value))?;
        }
        match rows.iter().filter(|(_, row)| row.interval.is_none()).count() {
            0 => {}
            1 => writeln!(text, "  too few games for 1 card")?,
            several => writeln!(text, "  too few games for {several} cards")?,
        }
    }
    if !report.cards.is_empty() {
        writeln!(text)?;
        for line in wrapped(TOGETHER) {
            writeln!(text, "  {dim}{line}{dim:#}")?;
        }
        let few = format!("Too few: fewer than {FEWEST} games or seats with the card, or fewer than {FEWEST} without.");
        writeln!(text, "  {dim}{few}{dim:#}")?;
    }
    Ok(())
}

/// A text in lines of at most 80 characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + 1 + word.len() > 80 {
            lines.push(word.to_owned());
        } else {
            let line = &mut lines[last];
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

fn failed(text: &mut String, report: &BalanceReport) -> Result<()> {
    let bad = style::bad();
    if report.faulty == 0 {
        return Ok(());
    }
    writeln!(text, "\n{bad}{} ended with an error{bad:#}, not counted in any figure", games(report.faulty))?;
    for fault in &report.faults {
        writeln!(
            text,
            "  game {} (seed {}), after {} decisions: {}",
            fault.game,
            fault.seed,
            fault.decisions,
            escape::line(&fault.message)
        )?;
    }
    Ok(())
}

pub fn comparison(report: &ComparisonReport) -> Result<String> {
    let (bold, dim) = (style::bold(), style::dim());
    let mut text = String::new();
    let setting = &report.new.setting;
    let seeds = if report.paired { "the same seeds" } else { "different seeds" };
    writeln!(
        text,
        "{bold}{}{bold:#}: {} of each version, {seeds}, seed {}",
        name(&setting.title),
        games(report.games),
        report.old.setting.seed
    )?;
    writeln!(text, "old {}", escape::line(&report.old.label))?;
    writeln!(text, "new {}", escape::line(&report.new.label))?;
    match report.lessons {
        0 => writeln!(text, "players: {}", bots(setting))?,
        lessons => {
            writeln!(text, "players: {}, trained again with {} of the new version", bots(setting), games(lessons))?
        }
    }
    if let Some(why) = stopped(report.stopped) {
        writeln!(text, "stopped because {why}")?;
    }
    match report.changed {
        0 => writeln!(text, "\n{bold}no difference{bold:#} in {} figures", report.compared)?,
        changed => writeln!(text, "\n{bold}{changed} of {} figures changed{bold:#}", report.compared)?,
    }
    let sorts = [
        (Verdict::Higher, ""),
        (Verdict::Lower, ""),
        (Verdict::NoDifference, "No difference: the interval contains 0"),
        (Verdict::Added, "Only in the new version"),
        (Verdict::Gone, "Only in the old version"),
        (Verdict::TooFew, "Too few games to compare"),
    ];
    for (verdict, title) in sorts {
        let rows: Vec<&DifferenceRow> = report.rows.iter().filter(|row| row.verdict == verdict).collect();
        if !title.is_empty() && !rows.is_empty() {
            writeln!(text, "\n{bold}{title}{bold:#}")?;
        }
        for row in rows {
            let [old, new] =
                [row.old, row.new].map(|value| value.map_or_else(String::new, |value| plain(row.group, value)));
            writeln!(text, "  {:<NAME$} {old:>8} → {new:<8} {}", name(&figure(row)), difference(row))?;
        }
    }
    let about = "In 95 of 100 comparisons, all intervals are right at once, so a version that is compared with itself \
        shows no difference in at least 95 of 100. `Goes with` does not mean that the card is the cause.";
    writeln!(text)?;
    for line in wrapped(about) {
        writeln!(text, "  {dim}{line}{dim:#}")?;
    }
    let faulty = report.old.faulty + report.new.faulty;
    if faulty > 0 {
        let bad = style::bad();
        writeln!(text, "\n{bad}{} ended with an error{bad:#}, not counted in any figure", games(faulty))?;
    }
    Ok(text)
}
