//! Kinds of pieces and cards that nothing brings into play.

use std::collections::BTreeMap;

use principes_analysis::constant_name;
use principes_findings::{Code, Finding};
use principes_schemas::Family;

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let needed = [Family::Kinds, Family::Spaces, Family::Cards, Family::Zones, Family::Phases, Family::Rules];
    // A script that cannot be parsed may name anything.
    let is_read = |script: &principes_analysis::ScriptFile| script.known.parsed().is_ok();
    if content.merged.broken.spares(&needed) && content.merged.scripts.iter().all(is_read) {
        kinds(content, findings);
        zones(content, findings);
    }
}

/// Reports kinds that have no piece on the board at the start and that nothing names.
fn kinds(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let (merged, words) = (content.merged, &content.vocabulary);
    let is_named = |id: &str| words.says(id) || words.says_begin(id) || words.content(id);
    // A game that brings no pieces into play may use them in another way.
    if !merged.kinds.iter().any(|kind| is_named(kind.value.id.as_str())) {
        return;
    }
    for entry in &merged.kinds {
        let id = entry.value.id.as_str();
        // Pieces that stay in the box, such as coins for a counter, need not come into play.
        let is_counted = !entry.value.occupies && entry.value.stats.is_empty();
        if is_counted || is_named(id) {
            continue;
        }
        let message = format!("nothing brings a piece of the kind `{id}` into play");
        findings.push(merged.finding(&entry.place, "/id", Code::IdleKind, message).help(format!(
            "let spaces start with it (`pieces`), or place it in a script: `place(kind.{}, …)`",
            constant_name(id)
        )));
    }
}

/// Reports cards in zones that nothing names and in which cards do nothing; once for each zone.
fn zones(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let (merged, words) = (content.merged, &content.vocabulary);
    let active: BTreeMap<&str, bool> =
        merged.zones.iter().map(|zone| (zone.value.id.as_str(), zone.value.active)).collect();
    let is_idle = |id: &str| active.get(id) == Some(&false) && !words.says(id) && !words.says_begin(id);
    // If scripts name no zone at all, the game does not move cards in this way.
    if !merged.zones.iter().any(|zone| words.says(zone.value.id.as_str())) {
        return;
    }
    let mut idle: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for entry in &merged.cards {
        let card = &entry.value;
        let zone = card.zone.as_str();
        let named = words.says(card.id.as_str()) || words.says(card.card_type.as_str());
        if is_idle(zone) && !named {
            idle.entry(zone).or_default().push(entry);
        }
    }
    for (zone, entries) in idle {
        let first = entries[0];
        let more = match entries.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let message =
            format!("nothing brings the card `{}`{more} into play: no script names the zone `{zone}`", first.value.id);
        findings.push(merged.finding(&first.place, "/zone", Code::IdleKind, message).help(format!(
            "take cards out of `zone.{}` in a script, or start the card elsewhere",
            constant_name(zone)
        )));
    }
}
