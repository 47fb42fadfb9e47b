//! How many entities are allowed.

use principes_findings::{Code, Finding};

use super::content::Content;

/// Ids are small integers: more entities than they can count are refused.
pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let cards: usize = merged.cards.iter().map(|card| usize::from(card.value.copies)).sum();
    let pieces: usize =
        merged.kinds.iter().flat_map(|kind| &kind.value.supply).map(|supply| usize::from(supply.count)).sum();
    let most = usize::from(u16::MAX);
    let sizes = [
        ("factions", merged.factions.len(), usize::from(u8::MAX), merged.factions.last().map(|e| &e.place)),
        ("spaces", merged.spaces.len(), most, merged.spaces.last().map(|e| &e.place)),
        ("counters", merged.counters.len(), most, merged.counters.last().map(|e| &e.place)),
        ("cards, every copy counted,", cards, most, merged.cards.last().map(|e| &e.place)),
        ("pieces in the box", pieces, most, merged.kinds.last().map(|e| &e.place)),
        ("rules", merged.rules.len(), most, merged.rules.last().map(|e| &e.place)),
    ];
    for (what, count, limit, place) in sizes {
        if let Some(place) = place.filter(|_| count > limit) {
            let message = format!("there are {count} {what}, but at most {limit} are allowed");
            findings.push(merged.finding(place, "", Code::TooManyEntities, message).help("remove some"));
        }
    }
}
