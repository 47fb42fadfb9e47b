//! The board: borders, spaces, pieces at the start.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use principes_findings::{Code, Finding};
use principes_model::{EntityPlace, Merged, Sourced};
use principes_schemas::{self as schemas, Family, StartWhen};

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    borders(merged, findings);
    drawn(merged, findings);
    if merged.broken.spares(&[Family::Spaces]) {
        connected(merged, findings);
    }
    foreign(merged, findings);
    if merged.broken.spares(&[Family::Spaces, Family::Kinds]) {
        start_pieces(merged, findings);
    }
}

fn borders(merged: &Merged, findings: &mut Vec<Finding>) {
    let spaces: BTreeMap<&str, &Sourced<schemas::Space>> =
        merged.spaces.iter().map(|space| (space.value.id.as_str(), space)).collect();
    let both = merged
        .spaces
        .iter()
        .flat_map(|space| space.value.adjacent.iter().map(|other| (space.value.id.as_str(), other.as_str())));
    let adjacent: HashSet<(&str, &str)> = both.collect();
    for entry in &merged.spaces {
        let id = entry.value.id.as_str();
        for (list, name) in [(&entry.value.adjacent, "adjacent"), (&entry.value.exits, "exits")] {
            let mut seen = BTreeSet::new();
            for (at, other) in list.iter().enumerate() {
                let field = || format!("/{name}/{at}");
                if other.as_str() == id {
                    let finding = merged
                        .finding(
                            &entry.place,
                            &field(),
                            Code::RepeatedNeighbor,
                            format!("`{id}` is listed as its own neighbor"),
                        )
                        .help("remove it from the list");
                    findings.push(merged.without(finding, &entry.place, &field()));
                    continue;
                }
                if !seen.insert(other.as_str()) {
                    let finding = merged
                        .finding(&entry.place, &field(), Code::RepeatedNeighbor, format!("`{other}` is listed twice"))
                        .help("remove one of them");
                    findings.push(merged.without(finding, &entry.place, &field()));
                }
                let Some(there) = spaces.get(other.as_str()) else { continue };
                if name == "adjacent" && !adjacent.contains(&(other.as_str(), id)) {
                    findings.push(
                        merged
                            .finding(&entry.place, &field(), Code::OneSidedBorder, format!("`{id}` lists `{other}` as a neighbor, but `{other}` does not list `{id}`"))
                            .help(format!(
                                "add `{id}` to `adjacent` of `{other}`; if you can only go one way, move `{other}` to `exits`"
                            ))
                            .label(merged.label(&there.place, "/adjacent", format!("`{id}` is missing here"))),
                    );
                }
            }
        }
    }
}

fn connected(merged: &Merged, findings: &mut Vec<Finding>) {
    // The cells of a grid are always connected.
    let listed = &merged.spaces[..merged.cells];
    let index: BTreeMap<&str, usize> =
        listed.iter().enumerate().map(|(at, space)| (space.value.id.as_str(), at)).collect();
    let mut ways: Vec<Vec<usize>> = vec![Vec::new(); listed.len()];
    for (at, space) in listed.iter().enumerate() {
        for other in space.value.adjacent.iter().chain(&space.value.exits).filter_map(|id| index.get(id.as_str())) {
            ways[at].push(*other);
            ways[*other].push(at);
        }
    }
    if ways.iter().all(Vec::is_empty) {
        return; // A game without borders does not use them.
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
        let space = &listed[part[0]];
        let others = part.len() - 1;
        let more = if others == 0 { String::new() } else { format!(" and {others} more") };
        let message = format!("`{}`{more} cannot be reached from the rest of the board", space.value.id);
        findings.push(
            merged
                .finding(&space.place, "/id", Code::UnreachableSpaces, message)
                .help("add it to `adjacent` or `exits` of a space"),
        );
    }
}

/// Spaces that a prop of a faction names, such as its capital, but that lie in the borders of another.
fn foreign(merged: &Merged, findings: &mut Vec<Finding>) {
    let homes: BTreeMap<&str, &str> = (merged.spaces.iter())
        .filter_map(|space| Some((space.value.id.as_str(), space.value.home.as_ref()?.as_str())))
        .collect();
    for entry in merged.factions.iter().filter(|faction| faction.value.playable) {
        let id = entry.value.id.as_str();
        for (prop, value) in entry.value.props.iter() {
            let schemas::PropValue::Text(text) = value else { continue };
            let Some(space) = text.strip_prefix("space:") else { continue };
            let Some(home) = homes.get(space).filter(|home| **home != id) else { continue };
            let message = format!("the {prop} of `{id}`, `{space}`, lies inside the borders of `{home}`");
            findings.push(
                merged
                    .finding(&entry.place, &format!("/props/{prop}"), Code::ForeignSpace, message)
                    .help(format!("name a space whose `home` is `{id}`")),
            );
        }
    }
}

/// Two spaces in the same place, of which only one could be seen.
fn drawn(merged: &Merged, findings: &mut Vec<Finding>) {
    let mut first: BTreeMap<(i32, i32), &Sourced<schemas::Space>> = BTreeMap::new();
    for space in &merged.spaces {
        let Some(other) = first.get(&space.value.at) else {
            first.insert(space.value.at, space);
            continue;
        };
        let message = format!("`{}` is drawn in the same place as `{}`", space.value.id, other.value.id);
        findings.push(
            merged
                .finding(&space.place, "/at", Code::SamePosition, message)
                .help("give each space a different `at`")
                .label(merged.label(&other.place, "/at", format!("`{}` is here", other.value.id))),
        );
    }
}

/// The number of places that get a label. The others are only listed.
const MOST_LABELS: usize = 4;

fn start_pieces(merged: &Merged, findings: &mut Vec<Finding>) {
    #[derive(Default)]
    struct Placed {
        always: i64,
        led: i64,
        unled: i64,
        /// Place, number, and the space in words.
        places: Vec<(EntityPlace, String, u16, String)>,
    }
    let mut supply: BTreeMap<(&str, Option<&str>), (i64, EntityPlace, String)> = BTreeMap::new();
    for kind in &merged.kinds {
        for (at, pieces) in kind.value.supply.iter().enumerate() {
            let owner = pieces.faction.as_ref().map(schemas::FactionRef::as_str);
            let place = || (0, kind.place.clone(), format!("/supply/{at}/count"));
            supply.entry((kind.value.id.as_str(), owner)).or_insert_with(place).0 += i64::from(pieces.count);
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
            let place = (space.place.clone(), format!("/pieces/{at}/count"), pieces.count, space.value.id.to_string());
            entry.places.push(place);
        }
    }
    for ((kind, owner), placed) in placed {
        let needed = placed.always + placed.led.max(placed.unled);
        let box_has = supply.get(&(kind, owner));
        let there = box_has.map_or(0, |(count, ..)| *count);
        if needed <= there {
            continue;
        }
        let whose = owner.map_or_else(String::new, |owner| format!(" of `{owner}`"));
        let message = format!("setup places {needed} `{kind}`{whose}, but the box has {there}");
        let sum: Vec<String> = placed.places.iter().map(|(.., count, space)| format!("{count} on `{space}`")).collect();
        let new = |place: &EntityPlace, field: &str, help: String| {
            merged.finding(place, field, Code::ShortSupply, message.clone()).help(help)
        };
        // The most, or the last of several that place as many, is probably what was changed.
        let Some((most, field, ..)) = placed.places.iter().max_by_key(|(_, _, count, _)| *count) else { continue };
        let pack = |place: &EntityPlace, field: &str| {
            merged.documents.home(place.document, &format!("{}{field}", place.pointer)).0.pack
        };
        // If a later pack takes pieces out of the box, the mistake is there.
        let in_box = box_has.filter(|(_, place, at)| pack(place, at) > pack(most, field));
        let mut finding = match (in_box, box_has) {
            (Some((_, place, field)), _) => {
                new(place, field, format!("raise it to {needed}, or place fewer; setup places {}", sum.join(", ")))
            }
            (None, Some((_, place, at))) => {
                let help =
                    format!("place fewer, or raise `supply` of the kind `{kind}` to {needed}: {}", sum.join(", "));
                new(most, field, help).label(merged.label(place, at, format!("the box has {there}")))
            }
            (None, None) => {
                new(most, field, format!("add it to `supply` of the kind `{kind}`; setup places {}", sum.join(", ")))
            }
        };
        let is_told = |place: &EntityPlace, at: &str| in_box.is_none() && (place, at) == (most, field.as_str());
        let others = placed.places.iter().filter(|(place, at, ..)| !is_told(place, at));
        for (place, field, count, _) in others.take(MOST_LABELS) {
            finding = finding.label(merged.label(place, field, format!("{count} placed here")));
        }
        findings.push(finding);
    }
}
