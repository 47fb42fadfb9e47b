//! The reports as Markdown, for pull requests.

use std::fmt::Write as _;

use super::compare::{ComparisonReport, DifferenceRow, Group, Verdict};
use super::figures::Effect;
use super::markup::markdown as safe;
use super::report::{BalanceReport, Row};
use super::wording::{CHOICE, DRAW, TOGETHER, bots, games, grouped, percent, points, range, stopped};

/// The figures of one game.
pub fn report(report: &BalanceReport) -> String {
    let setting = &report.setting;
    let mut text = format!("## Balance of {}\n\n", safe(&setting.title));
    let _ = writeln!(text, "{}, seed {}, players: {}.", games(report.games), setting.seed, safe(&bots(setting)));
    if let Some(why) = stopped(report.stopped) {
        let _ = writeln!(text, "Stopped because {why}.");
    }
    if let Some(gate) = &report.promises {
        let _ = writeln!(text, "\n### Promises\n\n| promise | in very many games | |\n| --- | --- | --- |");
        for row in &gate.promises {
            let result = super::wording::kept(row.result);
            let _ = writeln!(text, "| {} | {} | **{result}** |", safe(&row.promise), safe(&row.found));
        }
        text.push('\n');
    }
    text.push_str("The last column is where each figure would be after very many games, in 95 of 100 cases.\n");
    table(&mut text, "Who wins, by faction", &report.factions, percent);
    table(&mut text, "Who wins, by place in the turn order", &report.places, percent);
    if report.order_is_fixed {
        text.push_str("\nThe same faction has each place in all games, so the two cannot be told apart.\n");
    }
    let endings: Vec<Row> = report.endings.iter().chain([&report.no_winner]).cloned().collect();
    table(&mut text, "How games end", &endings, percent);
    table(&mut text, "How long games take", &report.lengths, |number| format!("{number:.1}"));
    let leads: Vec<Row> = report.leads.iter().chain(&report.comebacks).cloned().collect();
    table(&mut text, "Who wins, by the lead on tracks", &leads, percent);
    for effect in Effect::ALL {
        let title = match effect {
            Effect::Draw => "Drawing a card (causal)",
            Effect::Hold => "Having a card at the end (goes with, not causal)",
            Effect::Play => "Playing a card (goes with, not causal)",
        };
        let mut rows: Vec<Row> =
            report.cards.iter().filter_map(|card| named(card.effect(effect)?, &card.name)).collect();
        rows.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.id.cmp(&b.id)));
        if !rows.is_empty() {
            table(&mut text, title, &rows, points);
            let _ = writeln!(text, "\n{}", if effect.is_causal() { DRAW } else { CHOICE });
        }
    }
    if !report.cards.is_empty() {
        let _ = writeln!(text, "\n{TOGETHER}");
    }
    failed(&mut text, report.faulty);
    text
}

/// A card's row under its own name, if it has an interval.
fn named(row: &Row, name: &str) -> Option<Row> {
    row.interval.map(|_| Row { name: name.to_owned(), ..row.clone() })
}

fn failed(text: &mut String, faulty: u64) {
    if faulty > 0 {
        let _ = writeln!(text, "\n**{} ended with an error**, not counted in any figure.", games(faulty));
    }
}

fn table(text: &mut String, title: &str, rows: &[Row], number: fn(f64) -> String) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n### {title}\n\n| | in these games | in very many |\n| --- | ---: | ---: |");
    for row in rows {
        let interval = range(row, number).unwrap_or_else(|| "too few games".to_owned());
        let _ = writeln!(text, "| {} | {} | {interval} |", safe(&row.name), number(row.value));
    }
}

/// What changed between two versions.
pub fn comparison(report: &ComparisonReport) -> String {
    let [old, new] = [&report.old, &report.new].map(|side| safe(&side.label));
    let mut text = format!("## Balance of {}\n\n", safe(&report.new.setting.title));
    let seeds = if report.paired { "the same seeds" } else { "different seeds" };
    let _ = writeln!(
        text,
        "{old} → {new}: {} of each with {seeds}, seed {}, players: {}.",
        games(report.games),
        report.new.setting.seed,
        safe(&bots(&report.new.setting))
    );
    if report.lessons > 0 {
        let _ = writeln!(text, "They were trained again with {} of the new version.", games(report.lessons));
    }
    if let Some(why) = stopped(report.stopped) {
        let _ = writeln!(text, "Stopped because {why}.");
    }
    let changed: Vec<&DifferenceRow> = report.rows.iter().filter(|row| row.verdict.is_change()).collect();
    if changed.is_empty() {
        let _ = writeln!(text, "\n**No difference** in {} figures.", grouped(report.compared as u64));
    } else {
        let figures = if changed.len() == 1 { "figure has" } else { "figures have" };
        let _ = writeln!(text, "\n**{} of {} {figures} changed.**\n", changed.len(), grouped(report.compared as u64));
        rows(&mut text, &changed);
    }
    text.push_str(
        "\nA figure has changed if the interval of its difference does not contain 0. If nothing had changed, all \
        intervals would contain 0 in at least 95 of 100 comparisons.\n",
    );
    let same: Vec<&DifferenceRow> = report.rows.iter().filter(|row| row.verdict == Verdict::NoDifference).collect();
    if !same.is_empty() {
        let _ = writeln!(text, "\n<details><summary>{} figures without a difference</summary>\n", same.len());
        rows(&mut text, &same);
        text.push_str("\n</details>\n");
    }
    for (verdict, what) in [
        (Verdict::Added, "Only in the new version"),
        (Verdict::Gone, "Only in the old version"),
        (Verdict::TooFew, "Too few games to compare"),
    ] {
        let names: Vec<String> =
            report.rows.iter().filter(|row| row.verdict == verdict).map(|row| safe(&figure(row))).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "\n{what}: {}.", names.join(", "));
        }
    }
    failed(&mut text, report.old.faulty + report.new.faulty);
    text
}

fn rows(text: &mut String, rows: &[&DifferenceRow]) {
    text.push_str("| figure | old | new | difference |\n| --- | ---: | ---: | ---: |\n");
    for row in rows {
        let [old, new] =
            [row.old, row.new].map(|value| value.map_or_else(String::new, |value| plain(row.group, value)));
        let _ = writeln!(text, "| {} | {old} | {new} | {} |", safe(&figure(row)), difference(row));
    }
}

/// The name of a figure in a list of different ones.
pub fn figure(row: &DifferenceRow) -> String {
    let name = &row.name;
    match row.group {
        Group::Faction => format!("{name} wins"),
        Group::Place => format!("{name} wins"),
        Group::Ending => format!("ending {name}"),
        Group::Length => format!("length in {name}"),
        Group::Lead => format!("{name} wins"),
        Group::Draw => format!("drawing {name}"),
        Group::Hold => format!("having {name} at the end (goes with)"),
        Group::Play => format!("playing {name} (goes with)"),
    }
}

/// A figure of a group.
pub fn plain(group: Group, value: f64) -> String {
    match group {
        Group::Length => format!("{value:.1}"),
        _ if group.is_causal().is_some() => points(value),
        _ => percent(value),
    }
}

/// A difference with its interval: `+3.1 (+0.2 to +6.0)`.
pub fn difference(row: &DifferenceRow) -> String {
    let number = |value: f64| if row.group.is_share() { points(value) } else { format!("{value:+.1}") };
    match (row.difference, row.interval) {
        (Some(difference), Some([low, high])) => {
            format!("{} ({} to {})", number(difference), number(low), number(high))
        }
        _ => String::new(),
    }
}
