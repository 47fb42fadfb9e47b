//! Cards: where they start, and whether anything uses them.

use std::collections::{BTreeMap, BTreeSet};

use principes_findings::{Code, Finding, budget, suggestion};
use principes_model::{Merged, Sourced};
use principes_schemas::{self as schemas, Family, PropOwner, ZoneScope};

use super::content::Content;
use super::vocabulary::KnownWords;
use crate::props::DeclaredProps;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    zones_of_cards(merged, findings);
    if merged.broken.spares(&[Family::Cards]) {
        missing_hooks(merged, findings);
        idle_cards(merged, &content.vocabulary, findings);
    }
}

fn zones_of_cards(merged: &Merged, findings: &mut Vec<Finding>) {
    let zones: BTreeMap<&str, ZoneScope> =
        merged.zones.iter().map(|zone| (zone.value.id.as_str(), zone.value.scope)).collect();
    let playable: BTreeMap<&str, bool> =
        merged.factions.iter().map(|faction| (faction.value.id.as_str(), faction.value.playable)).collect();
    for entry in merged.zones.iter().filter(|zone| zone.value.visible == schemas::Visibility::Fog) {
        let message = format!("the zone `{}` cannot be fogged", entry.value.id);
        findings.push(
            merged
                .finding(&entry.place, "/visible", Code::UnsuitableZone, message)
                .help("only counters of spaces and pieces can"),
        );
    }
    let owned = |zone: &schemas::Zone| zone.visible == schemas::Visibility::Owner && zone.scope == ZoneScope::Game;
    for entry in merged.zones.iter().filter(|zone| owned(&zone.value)) {
        let message = format!("the zone `{}` belongs to the game, so no owner can see it", entry.value.id);
        let help = "make it visible to `nobody` or `everyone`, or set \"scope\": \"faction\"";
        findings.push(merged.finding(&entry.place, "/visible", Code::UnsuitableZone, message).help(help));
    }
    for entry in &merged.cards {
        let card = &entry.value;
        if zones.get(card.zone.as_str()) != Some(&ZoneScope::Faction) {
            continue;
        }
        let message = match &card.faction {
            None => format!(
                "`{}` starts in `{}`, which every faction has, but it belongs to no faction",
                card.id, card.zone
            ),
            Some(faction) if playable.get(faction.as_str()) == Some(&false) => {
                format!("`{}` starts in `{}`, but `{faction}` is not playable and has no zones", card.id, card.zone)
            }
            Some(_) => continue,
        };
        findings.push(
            merged
                .finding(&entry.place, "/zone", Code::UnsuitableZone, message)
                .help("give the card a playable `faction`, or start it in a zone of the game"),
        );
    }
}

/// Cards without a hook that a hook point requires of their type.
fn missing_hooks(merged: &Merged, findings: &mut Vec<Finding>) {
    let declared = DeclaredProps::new(&merged.props);
    // Without a declaration, the types are those that cards have.
    let types: BTreeSet<&str> = match declared.named(PropOwner::Cards, PropOwner::Cards.group()).first() {
        Some(types) => types.words.keys().map(String::as_str).collect(),
        None => merged.cards.iter().map(|card| card.value.card_type.as_str()).collect(),
    };
    let mut of_types: BTreeMap<&str, Vec<&Sourced<schemas::Card>>> = BTreeMap::new();
    for card in &merged.cards {
        of_types.entry(card.value.card_type.as_str()).or_default().push(card);
    }
    for point in &merged.points {
        let id = point.value.id.as_str();
        let mut seen = BTreeSet::new();
        for (at, word) in point.value.required_in.iter().enumerate() {
            let word = word.as_str();
            if !seen.insert(word) {
                continue;
            }
            if budget::is_full(findings) {
                return;
            }
            if !types.contains(word) {
                let message = format!("`{word}` is not a `type` of cards");
                let finding =
                    merged.finding(&point.place, &format!("/required_in/{at}"), Code::WrongPropValue, message);
                findings.push(finding.suggest(suggestion(word, types.iter().copied())));
            }
            let of_type = of_types.get(word).into_iter().flatten();
            for card in of_type.filter(|card| !card.value.hooks.contains_key(id)) {
                let message = format!("`{}` has no hook `{id}`, which cards of the type `{word}` need", card.value.id);
                let finding = merged.finding(&card.place, "/id", Code::MissingHook, message);
                let label = merged.label(&point.place, &format!("/required_in/{at}"), "required here");
                findings.push(finding.help(format!("`{id}`: {}", short(&point.value.doc))).label(label));
            }
        }
    }
}

/// Cards that do nothing and that no script mentions; reported once for each type.
fn idle_cards(merged: &Merged, words: &KnownWords<'_>, findings: &mut Vec<Finding>) {
    let required: BTreeSet<&str> =
        merged.points.iter().flat_map(|point| &point.value.required_in).map(schemas::Keyword::as_str).collect();
    let mut idle: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for entry in &merged.cards {
        let card = &entry.value;
        let named = [card.id.as_str(), card.card_type.as_str(), card.zone.as_str()];
        // A missing hook has been reported already.
        if required.contains(card.card_type.as_str()) {
            continue;
        }
        let spoken = || named.iter().any(|word| words.says(word)) || card.props.keys().any(|prop| words.says(prop));
        if card.hooks.is_empty() && !spoken() && !words.content(card.id.as_str()) {
            idle.entry(card.card_type.as_str()).or_default().push(entry);
        }
    }
    for entries in idle.values() {
        let first = entries[0];
        let more = match entries.len() {
            1 => String::new(),
            count => format!(" or {} more of its type", count - 1),
        };
        let message = format!("nothing uses the card `{}`{more}", first.value.id);
        findings.push(
            merged
                .finding(&first.place, "/id", Code::IdleCard, message)
                .help("give it `hooks`, or use it, its type, zone or props in a script"),
        );
    }
}

/// The beginning of a long text.
fn short(text: &str) -> &str {
    const MOST_LETTERS: usize = 300;
    text.char_indices().nth(MOST_LETTERS).map_or(text, |(at, _)| &text[..at])
}
