//! The board: borders, pieces, counters, zones, cards at their start.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use principes_findings::{Code, Finding};
use principes_model::{Bounds, EntityPlace, Merged, Sourced};
use principes_schemas::{self as schemas, CounterScope, Family, StartWhen, ZoneScope};

pub fn check(merged: &Merged, findings: &mut Vec<Finding>) {
    borders(merged, findings);
    counters(merged, findings);
    scores(merged, findings);
    zones_of_cards(merged, findings);
    sizes(merged, findings);
}

/// Checks that need all of their families.
pub fn check_whole(merged: &Merged, findings: &mut Vec<Finding>) {
    drawn(merged, findings);
    if merged.broken.spares(&[Family::Spaces]) {
        connected(merged, findings);
    }
    if merged.broken.spares(&[Family::Spaces, Family::Kinds]) {
        start_pieces(merged, findings);
    }
    counter_supply(merged, findings);
}

fn borders(merged: &Merged, findings: &mut Vec<Finding>) {
    let spaces: BTreeMap<&str, &Sourced<schemas::Space>> =
        merged.spaces.iter().map(|space| (space.value.id.as_str(), space)).collect();
    for entry in &merged.spaces {
        let id = entry.value.id.as_str();
        for (list, name) in [(&entry.value.adjacent, "adjacent"), (&entry.value.exits, "exits")] {
            let mut seen = BTreeSet::new();
            for (at, other) in list.iter().enumerate() {
                let field = format!("/{name}/{at}");
                if other.as_str() == id {
                    let finding = merged
                        .finding(
                            &entry.place,
                            &field,
                            Code::RepeatedNeighbor,
                            format!("`{id}` is listed as its own neighbour"),
                        )
                        .help("take it out of the list");
                    findings.push(merged.without(finding, &entry.place, &field));
                    continue;
                }
                if !seen.insert(other.as_str()) {
                    let finding = merged
                        .finding(&entry.place, &field, Code::RepeatedNeighbor, format!("`{other}` is listed twice"))
                        .help("take one out");
                    findings.push(merged.without(finding, &entry.place, &field));
                }
                let Some(there) = spaces.get(other.as_str()) else { continue };
                if name == "adjacent" && !there.value.adjacent.iter().any(|back| back.as_str() == id) {
                    findings.push(
                        merged
                            .finding(&entry.place, &field, Code::OneSidedBorder, format!("`{id}` borders on `{other}`, but `{other}` not on `{id}`"))
                            .help(format!(
                                "add `{id}` to `adjacent` of `{other}`, or move `{other}` to `exits` if the way is one-way"
                            ))
                            .label(merged.label(&there.place, "/adjacent", format!("`{id}` is not among these"))),
                    );
                }
            }
        }
    }
}

fn connected(merged: &Merged, findings: &mut Vec<Finding>) {
    let index: BTreeMap<&str, usize> =
        merged.spaces.iter().enumerate().map(|(at, space)| (space.value.id.as_str(), at)).collect();
    let mut ways: Vec<Vec<usize>> = vec![Vec::new(); merged.spaces.len()];
    for (at, space) in merged.spaces.iter().enumerate() {
        for other in space.value.adjacent.iter().chain(&space.value.exits).filter_map(|id| index.get(id.as_str())) {
            ways[at].push(*other);
            ways[*other].push(at);
        }
    }
    if ways.iter().all(Vec::is_empty) {
        return; // A game without ways between its spaces is none of our business.
    }
    let mut reached = vec![false; ways.len()];
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for start in 0..ways.len() {
        let mut part = Vec::new();
        let mut open = VecDeque::from([start]);
        while let Some(at) = open.pop_front() {
            if !std::mem::replace(&mut reached[at], true) {
                part.push(at);
                open.extend(&ways[at]);
            }
        }
        if !part.is_empty() {
            parts.push(part);
        }
    }
    let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
    let mut main_seen = false;
    for part in parts {
        if part.len() == largest && !std::mem::replace(&mut main_seen, true) {
            continue;
        }
        let space = &merged.spaces[part[0]];
        let others = part.len() - 1;
        let more = if others == 0 { String::new() } else { format!(" and {others} more") };
        let message = format!("no way leads from `{}`{more} to the rest of the board", space.value.id);
        findings.push(
            merged
                .finding(&space.place, "/id", Code::UnreachableSpaces, message)
                .help("add it to `adjacent` or `exits` of a space"),
        );
    }
}

/// Of two spaces at one place only one could be seen.
fn drawn(merged: &Merged, findings: &mut Vec<Finding>) {
    let mut first: BTreeMap<(i32, i32), &Sourced<schemas::Space>> = BTreeMap::new();
    for space in &merged.spaces {
        let Some(other) = first.get(&space.value.at) else {
            first.insert(space.value.at, space);
            continue;
        };
        let message = format!("`{}` lies where `{}` lies", space.value.id, other.value.id);
        findings.push(
            merged
                .finding(&space.place, "/at", Code::SamePosition, message)
                .help("give each space a place of its own on the drawn board")
                .label(merged.label(&other.place, "/at", format!("`{}` lies here", other.value.id))),
        );
    }
}

fn start_pieces(merged: &Merged, findings: &mut Vec<Finding>) {
    #[derive(Default)]
    struct Placed {
        always: i64,
        led: i64,
        unled: i64,
        last: Option<(EntityPlace, String)>,
    }
    let mut supply: BTreeMap<(&str, Option<&str>), i64> = BTreeMap::new();
    for kind in &merged.kinds {
        for pieces in &kind.value.supply {
            let owner = pieces.faction.as_ref().map(schemas::FactionRef::as_str);
            *supply.entry((kind.value.id.as_str(), owner)).or_default() += i64::from(pieces.count);
        }
    }
    let mut placed: BTreeMap<(&str, Option<&str>), Placed> = BTreeMap::new();
    for space in &merged.spaces {
        for (at, pieces) in space.value.pieces.iter().enumerate() {
            let owner = pieces.faction.as_ref().map(schemas::FactionRef::as_str);
            let entry = placed.entry((pieces.kind.as_str(), owner)).or_default();
            let sum = match pieces.when {
                StartWhen::Always => &mut entry.always,
                StartWhen::Led => &mut entry.led,
                StartWhen::Unled => &mut entry.unled,
            };
            *sum += i64::from(pieces.count);
            entry.last = Some((space.place.clone(), format!("/pieces/{at}")));
        }
    }
    for ((kind, owner), placed) in placed {
        let needed = placed.always + placed.led.max(placed.unled);
        let there = supply.get(&(kind, owner)).copied().unwrap_or(0);
        let Some((place, field)) = placed.last.filter(|_| needed > there) else { continue };
        let whose = owner.map_or_else(String::new, |owner| format!(" of `{owner}`"));
        findings.push(
            merged
                .finding(
                    &place,
                    &field,
                    Code::ShortSupply,
                    format!("the start places {needed} `{kind}`{whose}, but the box has {there}"),
                )
                .help(format!("raise `supply` of the kind `{kind}`, or place fewer")),
        );
    }
}

fn counters(merged: &Merged, findings: &mut Vec<Finding>) {
    for entry in &merged.counters {
        let counter = &entry.value;
        let id = counter.id.as_str();
        let mut wrong = |field: &str, message: String, help: &str| {
            findings.push(merged.finding(&entry.place, field, Code::ContradictoryCounter, message).help(help));
        };
        if counter.visible == schemas::Visibility::Fog && counter.scope != CounterScope::Space {
            wrong(
                "/visible",
                format!("`{id}` lies in the fog but has not the scope `space`"),
                "only counters of spaces can be hidden by fog",
            );
        }
        if counter.visible == schemas::Visibility::Owner && counter.scope == CounterScope::Game {
            wrong(
                "/visible",
                format!("`{id}` belongs to the game, so there is no owner who could see it"),
                "it is for `nobody` or `everyone`, or give it the scope `faction`",
            );
        }
        if counter.holds.is_some() {
            let numbers =
                [("min", counter.min), ("max", counter.max), ("start", counter.start), ("supply", counter.supply)];
            // A 0 that says nothing may stand there.
            for (field, _) in numbers.into_iter().filter(|(_, value)| value.is_some_and(|n| n != 0)) {
                let at = format!("/{field}");
                let message = format!("`{id}` holds no number, so it has no `{field}`");
                let finding =
                    merged.finding(&entry.place, &at, Code::ContradictoryCounter, message).help("take the field away");
                findings.push(merged.without(finding, &entry.place, &at));
            }
            let mut wrong = |field: &str, message: String, help: &str| {
                findings.push(merged.finding(&entry.place, field, Code::ContradictoryCounter, message).help(help));
            };
            if counter.derived.is_some() || counter.option {
                wrong(
                    "/holds",
                    format!("`{id}` cannot hold a handle and be `derived` or an `option`"),
                    "take one away",
                );
            }
            continue;
        }
        let bounds = Bounds::of(counter);
        if bounds.min > bounds.max {
            wrong("/min", format!("the least value {} is above the greatest, {}", bounds.min, bounds.max), "swap them");
        } else if !(bounds.min..=bounds.max).contains(&bounds.start) {
            let message = format!("the start {} lies outside {} to {}", bounds.start, bounds.min, bounds.max);
            wrong(if counter.start.is_some() { "/start" } else { "/id" }, message, "choose a start inside the bounds");
        }
        if counter.option && counter.scope != CounterScope::Game {
            wrong(
                "/option",
                format!("the setup option `{id}` has not the scope `game`"),
                "options have one value for the game",
            );
        }
        if counter.derived.is_some() {
            if counter.scope != CounterScope::Faction {
                wrong(
                    "/derived",
                    format!("the derived counter `{id}` has not the scope `faction`"),
                    "set \"scope\": \"faction\"",
                );
            }
            if counter.start.is_some_and(|n| n != 0) || counter.supply.is_some() || counter.option {
                wrong(
                    "/derived",
                    format!("`{id}` is computed, so it has no `start`, no `supply` and is no `option`"),
                    "take those fields away",
                );
            }
        }
        if counter.supply.is_some() && counter.scope != CounterScope::Faction {
            wrong("/supply", format!("`{id}` has a supply but not the scope `faction`"), "set \"scope\": \"faction\"");
        }
        if let Some(space) = counter.derived.as_ref().and_then(|derived| derived.space.as_ref()) {
            negative_parts(merged, id, space.as_str(), findings);
        }
    }
}

/// What a derived counter adds up must not be negative: takeovers would take points that were never given.
fn negative_parts(merged: &Merged, counter: &str, prop: &str, findings: &mut Vec<Finding>) {
    for space in &merged.spaces {
        if let Some(schemas::PropValue::Int(n)) = space.value.props.get(prop)
            && *n < 0
        {
            let message = format!("`{prop}` of `{}` is {n}, but `{counter}` adds it up", space.value.id);
            findings.push(
                merged
                    .finding(&space.place, &format!("/props/{prop}"), Code::NegativePart, message)
                    .help("it must be 0 or more"),
            );
        }
    }
}

fn counter_supply(merged: &Merged, findings: &mut Vec<Finding>) {
    let playable = merged.factions.iter().filter(|faction| faction.value.playable).count();
    for entry in &merged.counters {
        let Some(supply) = entry.value.supply else { continue };
        let start = i64::from(Bounds::of(&entry.value).start);
        let needed = start * playable as i64;
        if needed > i64::from(supply) {
            let message = format!("{playable} factions start with {start} each, but the supply is {supply}");
            findings.push(
                merged
                    .finding(&entry.place, "/supply", Code::ShortSupply, message)
                    .help(format!("at least {needed} are needed")),
            );
        }
    }
}

fn scores(merged: &Merged, findings: &mut Vec<Finding>) {
    let counters: BTreeMap<&str, &schemas::Counter> =
        merged.counters.iter().map(|counter| (counter.value.id.as_str(), &*counter.value)).collect();
    let spaces = merged.spaces.iter().map(|space| (&space.place, &space.value.on_control));
    let kinds = merged.kinds.iter().map(|kind| (&kind.place, &kind.value.on_control));
    for (place, list) in spaces.chain(kinds) {
        for (at, score) in list.iter().enumerate() {
            let Some(counter) = counters.get(score.counter.as_str()) else { continue };
            if counter.scope != CounterScope::Faction || counter.holds.is_some() || counter.derived.is_some() {
                let message = format!("control cannot give points on `{}`", score.counter);
                findings.push(
                    merged
                        .finding(place, &format!("/on_control/{at}/counter"), Code::UnsuitableScore, message)
                        .help("it needs a counter of scope `faction` that keeps a number and is not derived"),
                );
            }
        }
    }
}

fn zones_of_cards(merged: &Merged, findings: &mut Vec<Finding>) {
    let zones: BTreeMap<&str, ZoneScope> =
        merged.zones.iter().map(|zone| (zone.value.id.as_str(), zone.value.scope)).collect();
    let playable: BTreeMap<&str, bool> =
        merged.factions.iter().map(|faction| (faction.value.id.as_str(), faction.value.playable)).collect();
    for entry in merged.zones.iter().filter(|zone| zone.value.visible == schemas::Visibility::Fog) {
        let message = format!("the zone `{}` cannot lie in the fog", entry.value.id);
        findings.push(
            merged
                .finding(&entry.place, "/visible", Code::UnsuitableZone, message)
                .help("only counters of spaces and pieces can"),
        );
    }
    let owned = |zone: &schemas::Zone| zone.visible == schemas::Visibility::Owner && zone.scope == ZoneScope::Game;
    for entry in merged.zones.iter().filter(|zone| owned(&zone.value)) {
        let message =
            format!("the zone `{}` belongs to the game, so there is no owner who could see it", entry.value.id);
        let help = "it is for `nobody` or `everyone`, or give it the scope `faction`";
        findings.push(merged.finding(&entry.place, "/visible", Code::UnsuitableZone, message).help(help));
    }
    for entry in &merged.cards {
        let card = &entry.value;
        if zones.get(card.zone.as_str()) != Some(&ZoneScope::Faction) {
            continue;
        }
        let message = match &card.faction {
            None => format!(
                "`{}` starts in `{}`, of which every faction has one, but belongs to no faction",
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

/// Ids are small integers: more entities than they can count are refused.
fn sizes(merged: &Merged, findings: &mut Vec<Finding>) {
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
            let message = format!("there are {count} {what} but no more than {limit} can be told apart");
            findings.push(merged.finding(place, "", Code::TooManyEntities, message).help("take some away"));
        }
    }
}
