//! The reports as pages: one file each, without scripts and without anything from elsewhere.

mod plot;

use std::fmt::Write as _;

use super::compare::{ComparisonReport, DifferenceRow, Verdict};
use super::figures::{Effect, FEWEST};
use super::markdown::{difference, figure, plain};
use super::markup::html;
use super::report::{BalanceReport, CardRow, Row};
use super::wording::{CHOICE, DRAW, TOGETHER, bots, games, kept, percent, points, range, stopped};
use plot::{Mark, Scale, plot};

/// Everything that decides how pages look. The colors are those of the drawings.
const STYLE: &str = include_str!("page/page.css");

/// The figures of one game.
pub fn report(report: &BalanceReport) -> String {
    let mut body = String::new();
    introduction(&mut body, report);
    promises(&mut body, report);
    let fair = 1.0 / report.setting.players.len().max(1) as f64;
    let shares = Scale::of(report.factions.iter().chain(&report.places), Some(fair));
    let sentence = |row: &Row| {
        let played = format!("{} won {} of {}", row.name, percent(row.value), games(row.games));
        then(&played, row, "its share", percent)
    };
    section(&mut body, "Who wins?", "The dashed line is where all would win equally often.", &|body| {
        rows(body, &report.factions, shares, &sentence);
    });
    let about = if report.order_is_fixed {
        "The same faction has each place in all games. So there is no telling whether a share comes \
         from the faction or from its place."
    } else {
        "The places are those at the beginning of the game."
    };
    section(&mut body, "Does it help to be first?", about, &|body| rows(body, &report.places, shares, &sentence));
    let endings: Vec<Row> = report.endings.iter().chain([&report.no_winner]).cloned().collect();
    section(&mut body, "How do games end?", "", &|body| {
        rows(body, &endings, Scale::WHOLE, &|row| {
            then(&format!("{} of the games ended like this", percent(row.value)), row, "their share", percent)
        });
    });
    section(&mut body, "How long do games take?", "", &|body| {
        for row in &report.lengths {
            let number = |x: f64| format!("{x:.1}");
            let mean = format!("{} {} on average", number(row.value), row.name);
            let _ = writeln!(body, "<p>{}</p>", html(&then(&mean, row, "the average", number)));
        }
    });
    if !report.leads.is_empty() {
        let leads: Vec<Row> = report.leads.iter().chain(&report.comebacks).cloned().collect();
        let about =
            "A seat leads if it has more points on its tracks than any other. Games without a leader do not count.";
        section(&mut body, "Who leads, and does the leader win?", about, &|body| {
            rows(body, &leads, Scale::WHOLE, &|row| {
                let won = format!("{} won {} of {}", row.name, percent(row.value), games(row.games));
                then(&won, row, "the share", percent)
            });
        });
    }
    for effect in Effect::ALL {
        cards(&mut body, report, effect);
    }
    failed(&mut body, report.faulty);
    footer(&mut body, &[&report.state_hash]);
    page(&format!("Balance of {}", report.setting.title), &body)
}

fn introduction(body: &mut String, report: &BalanceReport) {
    let setting = &report.setting;
    let _ = writeln!(body, "<h1>{}</h1>", html(&setting.title));
    let mut words = format!("We played {}. The players were bots: {}. ", games(report.games), bots(setting));
    if let Some(row) = report.factions.first() {
        let won = format!("For example, {} won {}", row.name, percent(row.value));
        words += &then(&won, row, "its share", percent);
    }
    let _ = writeln!(body, "<p class=\"lead\">{}</p>", html(&words));
    let mut words =
        "Every bar shows where a figure would be after very many games; the dot is what happened in ours. We \
        cannot be certain: of 100 such bars, about 95 are right. Four times as many games make a bar half as long."
            .to_owned();
    if let Some(why) = stopped(report.stopped) {
        let _ = write!(words, " We stopped because {why}.");
    }
    let _ = writeln!(body, "<p>{}</p>", html(&words));
}

fn promises(body: &mut String, report: &BalanceReport) {
    let Some(gate) = &report.promises else { return };
    let about = "A promise is kept if its figure would be within what is promised after very many games, refuted if not. If \
        our games cannot tell, there are not enough of them.";
    section(body, "Are the promises kept?", about, &|body| {
        body.push_str("<ul class=\"rows\">\n");
        for row in &gate.promises {
            let result = kept(row.result);
            let found = format!("In very many games: {}.", row.found);
            let mark = format!("<strong class=\"result\">{}</strong>", html(result));
            line(body, &row.promise, &mark, "", &found);
        }
        body.push_str("</ul>\n");
    });
}

/// A sentence about what happened, and one about very many games.
fn then(happened: &str, row: &Row, what: &str, number: impl Fn(f64) -> String) -> String {
    match range(row, number) {
        Some(range) => {
            let between = range.replacen(" to ", " and ", 1);
            format!("{happened}. If we played very many, {what} would be between {between}.")
        }
        None => format!("{happened}. These are too few games to say more."),
    }
}

fn section(body: &mut String, title: &str, about: &str, fill: &dyn Fn(&mut String)) {
    let _ = writeln!(body, "<section>\n<h2>{title}</h2>");
    if !about.is_empty() {
        let _ = writeln!(body, "<p>{}</p>", html(about));
    }
    fill(body);
    body.push_str("</section>\n");
}

fn rows(body: &mut String, rows: &[Row], scale: Scale, sentence: &dyn Fn(&Row) -> String) {
    body.push_str("<ul class=\"rows\">\n");
    for row in rows {
        let mark = Mark { value: row.value, interval: row.interval };
        line(body, &row.name, &plot(&mark, scale), &percent(row.value), &sentence(row));
    }
    let _ = writeln!(body, "</ul>\n{}", scale.legend());
}

/// A row: name, plot, number, and a sentence that says it all.
fn line(body: &mut String, name: &str, plot: &str, number: &str, sentence: &str) {
    let (name, number, sentence) = (html(&capital(name)), html(number), html(&capital(sentence)));
    let _ = writeln!(
        body,
        "<li><span class=\"name\">{name}</span>{plot}<span class=\"number\">{number}</span><small>{sentence}</small></li>"
    );
}

/// A text that begins a sentence.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn cards(body: &mut String, report: &BalanceReport, effect: Effect) {
    let mut known: Vec<(&CardRow, &Row)> = Vec::new();
    let mut few: Vec<&str> = Vec::new();
    for card in &report.cards {
        match card.effect(effect) {
            Some(row) if row.interval.is_some() => known.push((card, row)),
            Some(_) => few.push(&card.name),
            None => {}
        }
    }
    if known.is_empty() && few.is_empty() {
        return;
    }
    known.sort_by(|a, b| b.1.value.total_cmp(&a.1.value).then(a.0.id.cmp(&b.0.id)));
    let (title, unit) = match effect {
        Effect::Draw => ("What does it do to draw a card?", "draws"),
        Effect::Hold => ("Who has which cards at the end?", "seats that had it"),
        Effect::Play => ("Who plays which cards?", "seats that played it"),
    };
    let about = if effect.is_causal() { DRAW } else { CHOICE };
    section(body, title, about, &|body| {
        if !known.is_empty() {
            let _ = writeln!(body, "<p>{}</p>", html(TOGETHER));
            let scale = Scale::around_zero(known.iter().map(|(_, row)| *row));
            let fill = |body: &mut String| {
                body.push_str("<ul class=\"rows\">\n");
                for (card, row) in &known {
                    let mark = Mark { value: row.value, interval: row.interval };
                    let sentence = card_sentence(effect, row, unit);
                    line(body, &card.name, &plot(&mark, scale), &points(row.value), &sentence);
                }
                let _ = writeln!(body, "</ul>\n{}", scale.legend());
            };
            if effect.is_causal() {
                fill(body);
            } else {
                let _ = writeln!(body, "<details><summary>{} cards</summary>", known.len());
                fill(body);
                body.push_str("</details>\n");
            }
        }
        if !few.is_empty() {
            let names: Vec<String> = few.iter().map(|name| html(name)).collect();
            let _ = writeln!(
                body,
                "<details><summary>Too few games for {}</summary><p>Fewer than {FEWEST} games or seats with the card, or \
                 without it: {}.</p></details>",
                if few.len() == 1 { "1 card".to_owned() } else { format!("{} cards", few.len()) },
                names.join(", ")
            );
        }
    });
}

fn card_sentence(effect: Effect, row: &Row, unit: &str) -> String {
    let [low, high] = row.interval.unwrap_or_default();
    let events = super::wording::grouped(row.events);
    let verb =
        if effect.is_causal() { "changes the chance of winning" } else { "goes with a different chance of winning" };
    let range = format!("between {} and {} points", points(low), points(high));
    match (low > 0.0, high < 0.0) {
        (true, _) | (_, true) => format!("It {verb}, by {range} ({events} {unit})."),
        _ => format!("It may change nothing: {range} ({events} {unit})."),
    }
}

fn failed(body: &mut String, faulty: u64) {
    if faulty > 0 {
        let _ =
            writeln!(body, "<p><strong>{} ended with an error, not counted in any figure.</strong></p>", games(faulty));
    }
}

fn footer(body: &mut String, hashes: &[&str]) {
    let _ = writeln!(
        body,
        "<footer><p>Made by <code>principes balance</code>. The same command gives the same numbers on every machine. \
         State hash: <code>{}</code></p></footer>",
        html(&hashes.join(" "))
    );
}

/// What changed between two versions.
pub fn comparison(report: &ComparisonReport) -> String {
    let mut body = String::new();
    let _ = writeln!(body, "<h1>{}: what changed?</h1>", html(&report.new.setting.title));
    let seeds = if report.paired { "the same seeds" } else { "different seeds" };
    let mut words = format!(
        "We played {} of the old version ({}) and as many of the new one ({}), with {seeds}. The players were bots: {}. ",
        games(report.games),
        report.old.label,
        report.new.label,
        bots(&report.new.setting)
    );
    if report.lessons > 0 {
        words += &format!("Before, they were trained again with {} of the new version. ", games(report.lessons));
    }
    words += &match report.changed {
        0 => format!("None of the {} figures has changed as far as we can tell.", report.compared),
        1 => format!("One of {} figures has changed.", report.compared),
        several => format!("{several} of {} figures have changed.", report.compared),
    };
    let _ = writeln!(body, "<p class=\"lead\">{}</p>", html(&words));
    let about = "Every bar shows how much higher or lower a figure is in the new version, after very many games. If the bar \
        crosses the dashed line, the figure may be the same. The bars are so long that all of them are right in 95 \
        of 100 such comparisons, although there are many.";
    let _ = writeln!(body, "<p>{}</p>", html(about));
    if let Some(why) = stopped(report.stopped) {
        let _ = writeln!(body, "<p>We stopped because {why}.</p>");
    }
    let with = |wanted: &dyn Fn(Verdict) -> bool| -> Vec<&DifferenceRow> {
        report.rows.iter().filter(|row| wanted(row.verdict)).collect()
    };
    let changed = with(&Verdict::is_change);
    if !changed.is_empty() {
        section(&mut body, "What has changed", "", &|body| differences(body, &changed));
    }
    let same = with(&|verdict| verdict == Verdict::NoDifference);
    if !same.is_empty() {
        section(&mut body, "No difference", "", &|body| {
            let _ = writeln!(body, "<details><summary>{} figures</summary>", same.len());
            differences(body, &same);
            body.push_str("</details>\n");
        });
    }
    for (verdict, title) in [
        (Verdict::Added, "Only in the new version"),
        (Verdict::Gone, "Only in the old version"),
        (Verdict::TooFew, "Too few games to compare"),
    ] {
        let names: Vec<String> = with(&|found| found == verdict).into_iter().map(|row| html(&figure(row))).collect();
        if !names.is_empty() {
            section(&mut body, title, "", &|body| {
                let _ = writeln!(body, "<p>{}.</p>", names.join(", "));
            });
        }
    }
    failed(&mut body, report.old.faulty + report.new.faulty);
    footer(&mut body, &[&report.old.state_hash, &report.new.state_hash]);
    page(&format!("Balance of {}: what changed", report.new.setting.title), &body)
}

fn differences(body: &mut String, rows: &[&DifferenceRow]) {
    // Lengths have a scale of their own.
    for is_share in [true, false] {
        let group: Vec<&&DifferenceRow> = rows.iter().filter(|row| row.group.is_share() == is_share).collect();
        if group.is_empty() {
            continue;
        }
        let ends = group.iter().filter_map(|row| row.interval).flatten();
        let scale = if is_share { Scale::points(ends) } else { Scale::numbers(ends) };
        body.push_str("<ul class=\"rows\">\n");
        for row in &group {
            let mark = Mark { value: row.difference.unwrap_or(0.0), interval: row.interval };
            let [old, new] =
                [row.old, row.new].map(|value| value.map_or_else(String::new, |value| plain(row.group, value)));
            let causal = match row.group.is_causal() {
                Some(true) => " This is what the card causes.",
                Some(false) => " This goes with the card; it is not what the card causes.",
                None => "",
            };
            let sentence = format!("From {old} to {new}; the difference is {}.{causal}", difference(row));
            let number = difference(row).split(' ').next().unwrap_or_default().to_owned();
            line(body, &figure(row), &plot(&mark, scale), &number, &sentence);
        }
        let _ = writeln!(body, "</ul>\n{}", scale.legend());
    }
}

fn page(title: &str, body: &str) -> String {
    let title = html(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"/>\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n<meta name=\"color-scheme\" content=\"light \
         dark\"/>\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}
