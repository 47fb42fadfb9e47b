//! Whether promises about balance can be kept at all.

use std::collections::BTreeSet;

use principes_findings::{Code, Finding, budget, did_you_mean, listing};
use principes_json::escape;
use principes_model::Sourced;
use principes_schemas::{PromiseRange, Promises};

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let variants = merged.variants.iter().map(|variant| variant.value.id.as_str()).collect();
    let endings = merged.messages.iter().filter_map(|message| message.key.strip_prefix("outcome.")).collect();
    let known = PromiseNames { variants, endings };
    for promises in &merged.promises {
        if budget::is_full(findings) {
            return;
        }
        ranges(content, promises, findings);
        names(content, promises, &known, findings);
    }
}

/// The things that promises name.
struct PromiseNames<'m> {
    variants: BTreeSet<&'m str>,
    endings: BTreeSet<&'m str>,
}

/// Ranges that hold no number, shares of more than everything, and promises that promise nothing.
fn ranges(content: &Content<'_>, promises: &Sourced<Promises>, findings: &mut Vec<Finding>) {
    let Promises { shares, factions, first, endings, rounds, answers, cards, players, .. } = &*promises.value;
    let mut push = |field: &str, message: String, help: &str| {
        let finding = content.merged.finding(&promises.place, field, Code::IdlePromise, message);
        findings.push(finding.help(help));
    };
    let plain = [("/shares", shares), ("/rounds", rounds), ("/answers", answers)];
    let mut all: Vec<(String, PromiseRange, bool)> = plain
        .into_iter()
        .filter_map(|(field, range)| Some((field.to_owned(), (*range)?, field == "/shares")))
        .collect();
    let maps = [("factions", &factions.0), ("endings", &endings.0)];
    for (key, map) in maps {
        all.extend(map.iter().map(|(id, range)| (format!("/{key}/{}", escape(id)), *range, true)));
    }
    if all.is_empty() && first.is_none() && cards.is_none() {
        push("", "this promises nothing".to_owned(), "add `shares`, `endings`, `rounds`, `first` or `cards`");
    }
    for (field, range, is_share) in all {
        match (range.least, range.most) {
            (None, None) => {
                push(&field, "the range has neither `least` nor `most`".to_owned(), "add `least` or `most`")
            }
            (Some(least), Some(most)) if least > most => {
                push(&field, format!("no number is at least {least} and at most {most}"), "swap the two");
            }
            (Some(least), _) if is_share && least > 100 => {
                push(&field, format!("no share is {least} percent or more"), "shares are from 0 to 100 percent");
            }
            _ => {}
        }
    }
    let least = shares.and_then(|range| range.least).unwrap_or(0);
    if let Some(players) = players.filter(|players| least <= 100 && u32::from(*players) * least > 100) {
        let message = format!("{players} factions cannot win {least} percent each");
        push("/shares/least", message, "promise each faction less than its fair share");
    }
}

/// Variants and endings that do not exist.
fn names(content: &Content<'_>, promises: &Sourced<Promises>, known: &PromiseNames<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let mut push = |field: &str, what: &str, id: &str, known: &BTreeSet<&str>| {
        if budget::is_full(findings) {
            return;
        }
        let message = format!("unknown {what} `{id}`");
        let near = did_you_mean(id, known.iter().copied());
        let help = near.unwrap_or_else(|| format!("the game has: {}", listing(&known.iter().collect::<Vec<_>>())));
        findings.push(merged.finding(&promises.place, field, Code::IdlePromise, message).help(help));
    };
    let PromiseNames { variants, endings } = known;
    if let Some(variant) = promises.value.variant.as_ref().filter(|variant| !variants.contains(variant.as_str())) {
        push("/variant", "variant", variant.as_str(), variants);
    }
    for id in promises.value.endings.0.keys().filter(|id| !endings.contains(id.as_str())) {
        push(&format!("/endings/{}", escape(id)), "ending", id, endings);
    }
}
