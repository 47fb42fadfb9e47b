//! How many entities are allowed.

use principes_core::catalog::{MOST_ENTITIES, MOST_FACTIONS, MOST_FOG_FACTIONS};
use principes_findings::budget::MOST_CELLS;
use principes_findings::{Code, Finding};
use principes_schemas::{self as schemas, CounterScope, MOST_SEATS, Procedure, ZoneScope};

use super::content::Content;

/// The schema and the kernel have the same limit.
const _: () = assert!(MOST_SEATS as usize == MOST_FACTIONS);

/// Ids are small integers, so the number of entities is limited.
pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let cards: usize = merged.cards.iter().map(|card| usize::from(card.value.copies)).sum();
    let pieces: usize =
        merged.kinds.iter().flat_map(|kind| &kind.value.supply).map(|supply| usize::from(supply.count)).sum();
    let most = MOST_ENTITIES;
    let playable = merged.factions.iter().filter(|faction| faction.value.playable).count();
    let cells = |counter: &schemas::Counter| match counter.scope {
        CounterScope::Game => 1,
        CounterScope::Faction => playable,
        CounterScope::Space => merged.spaces.len(),
        CounterScope::Card => cards,
    };
    let cells = merged.counters.iter().map(|entry| cells(&entry.value)).sum();
    let zones = merged.zones.iter().map(|zone| if zone.value.scope == ZoneScope::Game { 1 } else { playable }).sum();
    let fog = merged.procedures.iter().find(|entry| matches!(&*entry.value, Procedure::Fog { .. }));
    let sizes = [
        ("factions", merged.factions.len(), MOST_FACTIONS, merged.factions.last().map(|e| &e.place)),
        ("playable factions with fog", playable, MOST_FOG_FACTIONS, fog.map(|entry| &entry.place)),
        ("zones of the game and of its seats", zones, most, merged.zones.last().map(|e| &e.place)),
        ("spaces", merged.spaces.len(), most, merged.spaces.last().map(|e| &e.place)),
        ("counters", merged.counters.len(), most, merged.counters.last().map(|e| &e.place)),
        ("cards, counting every copy", cards, most, merged.cards.last().map(|e| &e.place)),
        ("pieces in the box", pieces, most, merged.kinds.last().map(|e| &e.place)),
        ("values of counters in a game", cells, MOST_CELLS, merged.counters.last().map(|e| &e.place)),
        ("rules", merged.rules.len(), most, merged.rules.last().map(|e| &e.place)),
    ];
    for (what, count, limit, place) in sizes {
        if let Some(place) = place.filter(|_| count > limit) {
            let message = format!("there are {count} {what}, but at most {limit} are allowed");
            findings.push(merged.finding(place, "", Code::TooManyEntities, message).help("remove some"));
        }
    }
}
