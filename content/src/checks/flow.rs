//! The flow: phases, procedures, variants, seats.

use std::collections::{BTreeMap, BTreeSet};

use principes_findings::{Code, Finding, suggestion};
use principes_json::{MemberPart, escape};
use principes_model::{Bounds, EntityPlace, Merged};
use principes_schemas::{self as schemas, CounterScope, Family};

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let counters: BTreeMap<&str, &schemas::Counter> =
        merged.counters.iter().map(|counter| (counter.value.id.as_str(), &*counter.value)).collect();
    let prompts = merged.messages.iter().filter(|message| message.key.starts_with("decision."));
    let mut holes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for message in prompts {
        holes.entry(message.key.as_str()).or_default().extend(message.holes.iter().map(String::as_str));
    }
    let known = PhaseNames { counters: &counters, holes: &holes };
    for entry in &merged.phases {
        phase(merged, &known, &entry.place, "", &entry.value, findings);
    }
    for entry in &merged.procedures {
        match &*entry.value {
            schemas::Procedure::Battle { faces, steps, .. } => battle(merged, &entry.place, faces, steps, findings),
            schemas::Procedure::Fog { counter, .. } => {
                let wrong = |c: &&schemas::Counter| c.scope != CounterScope::Space || c.holds.is_some();
                if counters.get(counter.as_str()).is_some_and(wrong) {
                    findings.push(
                        merged
                            .finding(
                                &entry.place,
                                "/counter",
                                Code::UnsuitablePhase,
                                format!("`{counter}` cannot decide who sees a space"),
                            )
                            .help("use a counter of scope `space` that holds a number"),
                    );
                }
            }
            _ => {}
        }
    }
    variants(merged, &counters, findings);
    seats(merged, findings);
}

/// Whether the game has a flow, and factions for all its seats.
fn seats(merged: &Merged, findings: &mut Vec<Finding>) {
    let Some(game) = merged.game() else { return };
    if merged.phases.is_empty() && merged.broken.spares(&[Family::Phases]) {
        findings.push(
            game.document
                .finding(Code::NoPhases, "/kind", MemberPart::Value, "the game has no phases, so nothing happens")
                .help("add a file with `phases`; the first phase usually sets up the table"),
        );
    }
    let Some(seats) = game.manifest.seats else { return };
    let playable = merged.factions.iter().filter(|faction| faction.value.playable).count();
    if seats.min > seats.max {
        let message = format!("the minimum number of seats, {}, is above the maximum, {}", seats.min, seats.max);
        findings
            .push(game.document.finding(Code::UnsuitableSeats, "/seats", MemberPart::Value, message).help("swap them"));
    } else if usize::from(seats.max) > playable && merged.broken.spares(&[Family::Factions]) {
        let message = format!("the game has up to {} seats, but only {playable} factions are playable", seats.max);
        findings.push(
            game.document
                .finding(Code::UnsuitableSeats, "/seats/max", MemberPart::Value, message)
                .help("declare more factions with \"playable\": true, or lower `max`"),
        );
    }
}

/// The things that phases name.
struct PhaseNames<'k, 'm> {
    counters: &'k BTreeMap<&'m str, &'m schemas::Counter>,
    /// The placeholders of the prompts, by key.
    holes: &'k BTreeMap<&'m str, BTreeSet<&'m str>>,
}

fn phase(
    merged: &Merged,
    known: &PhaseNames<'_, '_>,
    place: &EntityPlace,
    field: &str,
    phase: &schemas::Phase,
    findings: &mut Vec<Finding>,
) {
    let mut game_number = |at: String, id: &schemas::CounterRef, what: &str| {
        let Some(counter) = known.counters.get(id.as_str()) else { return };
        if counter.scope != CounterScope::Game || counter.holds.is_some() {
            findings.push(
                merged
                    .finding(place, &at, Code::UnsuitablePhase, format!("`{id}` cannot {what}"))
                    .help("use a counter of scope `game` that holds a number"),
            );
        }
    };
    if let Some(schemas::Times::Counter(id)) = &phase.repeat {
        game_number(format!("{field}/repeat"), id, "say how often a phase is repeated");
    }
    if let Some(id) = &phase.counter {
        game_number(format!("{field}/counter"), id, "count the turns of a loop");
    }
    let inner = !phase.phases.is_empty();
    if phase.repeat.is_none() && (phase.counter.is_some() || inner) {
        let name = if inner { "phases" } else { "counter" };
        findings.push(
            merged
                .finding_at_key(
                    place,
                    &format!("{field}/{name}"),
                    Code::UnsuitablePhase,
                    format!("`{name}` needs `repeat`"),
                )
                .help("use \"repeat\": 1 to run the phases once"),
        );
    }
    if phase.repeat.is_some() && !inner {
        findings.push(
            merged
                .finding(place, &format!("{field}/phases"), Code::UnsuitablePhase, "this loop has no phases")
                .help("add phases to the list"),
        );
    }
    if let Some(choose) = &phase.choose {
        if phase.each.is_none() && phase.simultaneous.is_none() {
            let message = "`choose` needs `each` or `simultaneous`";
            findings.push(
                merged
                    .finding_at_key(place, &format!("{field}/choose"), Code::UnsuitablePhase, message)
                    .help("in a script that `run` names, call `choose(seat, …)`"),
            );
        }
        let prompt = format!("decision.{}", choose.decision);
        let shown = known.holes.get(prompt.as_str()).into_iter().flatten();
        if let Some(most) = shown.filter_map(|hole| hole.parse::<usize>().ok()).max().filter(|most| *most > 1) {
            let message = format!("the prompt `{prompt}` shows {{{most}}}, but gets only one value, the seat");
            findings.push(
                merged
                    .finding(place, &format!("{field}/choose/decision"), Code::UnsuitablePhase, message)
                    .help("to pass more values, ask in a script with `choose(seat, …, { about = { … } })`"),
            );
        }
        if let Some(filter) = &choose.spaces {
            space_filter(merged, known.counters, place, &format!("{field}/choose/spaces"), filter, findings);
        }
    }
    for (at, inner) in phase.phases.iter().enumerate() {
        self::phase(merged, known, place, &format!("{field}/phases/{at}"), inner, findings);
    }
}

/// Reports words that no space has, and counters that never hold a space: the phase would silently have no options.
fn space_filter(
    merged: &Merged,
    counters: &BTreeMap<&str, &schemas::Counter>,
    place: &EntityPlace,
    field: &str,
    filter: &schemas::SpaceFilter,
    findings: &mut Vec<Finding>,
) {
    if let Some(counter) = filter.beside.as_ref().and_then(|id| counters.get(id.as_str()))
        && (counter.scope != CounterScope::Faction || counter.holds != Some(schemas::Holds::Space))
    {
        let message = format!("`{}` does not hold a space for each seat", counter.id);
        findings.push(
            merged
                .finding(place, &format!("{field}/beside"), Code::UnsuitablePhase, message)
                .help("use a counter of scope `faction` that holds a space"),
        );
    }
    if !merged.broken.spares(&[Family::Spaces]) {
        return;
    }
    let kinds: BTreeSet<&str> = merged.spaces.iter().map(|space| space.value.kind.as_str()).collect();
    let props = merged.spaces.iter().flat_map(|space| space.value.props.keys().map(String::as_str));
    let props: BTreeSet<&str> = props.collect();
    let words = [
        ("kind", &filter.kind, "kind", &kinds),
        ("prop", &filter.prop, "prop", &props),
        ("first_of", &filter.first_of, "prop", &props),
    ];
    for (key, word, what, known) in words {
        let Some(word) = word.as_ref().filter(|word| !known.contains(word.as_str())) else { continue };
        let finding = merged
            .finding(
                place,
                &format!("{field}/{key}"),
                Code::UnsuitablePhase,
                format!("no space has the {what} `{word}`"),
            )
            .help(format!("use a {what} that some space has"));
        findings.push(finding.suggest(suggestion(word.as_str(), known.iter().copied())));
    }
}

fn battle(
    merged: &Merged,
    place: &EntityPlace,
    faces: &[schemas::Face],
    steps: &[schemas::BattleStep],
    findings: &mut Vec<Finding>,
) {
    let mut ids = BTreeSet::new();
    for (at, face) in faces.iter().enumerate() {
        if !ids.insert(face.id.as_str()) {
            let message = format!("the die has two faces `{}`", face.id);
            findings.push(
                merged
                    .finding(place, &format!("/faces/{at}/id"), Code::IncompleteBattle, message)
                    .help("give each face a different id"),
            );
        }
        if !faces.iter().any(|other| other.id == face.opposite) {
            let message = format!("the die has no face `{}`", face.opposite);
            let near = suggestion(face.opposite.as_str(), faces.iter().map(|face| face.id.as_str()));
            findings.push(
                merged
                    .finding(place, &format!("/faces/{at}/opposite"), Code::IncompleteBattle, message)
                    .help("use the id of the face on the opposite side")
                    .suggest(near),
            );
        }
    }
    let mut ids = BTreeSet::new();
    for (at, step) in steps.iter().enumerate().filter(|(_, step)| !ids.insert(step.id.as_str())) {
        let message = format!("the battle has two steps `{}`", step.id);
        findings.push(
            merged
                .finding(place, &format!("/steps/{at}/id"), Code::IncompleteBattle, message)
                .help("give each step a different id"),
        );
    }
    for (act, name) in [(schemas::BattleAct::Roll, "roll"), (schemas::BattleAct::Resolve, "resolve")] {
        let times = steps.iter().filter(|step| step.r#do == Some(act)).count();
        if times > 1 || (times == 0 && act == schemas::BattleAct::Resolve) {
            let message = format!("a battle needs the step \"do\": \"{name}\" exactly once, found {times}");
            findings.push(
                merged.finding(place, "/steps", Code::IncompleteBattle, message).help("this step decides who wins"),
            );
        }
    }
}

fn variants(merged: &Merged, counters: &BTreeMap<&str, &schemas::Counter>, findings: &mut Vec<Finding>) {
    for entry in &merged.variants {
        for (id, value) in entry.value.options.iter() {
            let Some(counter) = counters.get(id.as_str()) else { continue };
            let field = format!("/options/{}", escape(id));
            if !counter.option {
                findings.push(
                    merged
                        .finding_at_key(
                            &entry.place,
                            &field,
                            Code::UnsuitableOption,
                            format!("`{id}` is not a setup option"),
                        )
                        .help(format!("set \"option\": true in the counter `{id}`")),
                );
                continue;
            }
            let bounds = Bounds::of(counter);
            if !(bounds.min..=bounds.max).contains(value) {
                let message = format!("{value} is out of bounds for `{id}`, {} to {}", bounds.min, bounds.max);
                findings.push(
                    merged
                        .finding(&entry.place, &field, Code::UnsuitableOption, message)
                        .help("choose a value within the bounds"),
                );
            }
        }
        if let Some(seats) = entry.value.seats
            && seats.min > seats.max
        {
            let message = format!("the minimum number of seats, {}, is above the maximum, {}", seats.min, seats.max);
            findings.push(merged.finding(&entry.place, "/seats", Code::UnsuitableSeats, message).help("swap them"));
        }
    }
}
