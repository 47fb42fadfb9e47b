//! Counters: their fields, their supply, and points for control.

use std::collections::BTreeMap;

use principes_findings::{Code, Finding, budget};
use principes_model::{Bounds, EntityPlace, Merged, Sourced};
use principes_schemas::{self as schemas, CounterScope};

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    counters(content.merged, findings);
    scores(content.merged, findings);
    counter_supply(content.merged, findings);
}

/// The spaces with a negative number, by the prop that holds it.
type Negative<'m> = BTreeMap<&'m str, Vec<(&'m Sourced<schemas::Space>, i32)>>;

fn counters(merged: &Merged, findings: &mut Vec<Finding>) {
    let mut negative = Negative::new();
    for space in &merged.spaces {
        for (prop, value) in space.value.props.iter() {
            if let schemas::PropValue::Int(n) = value
                && *n < 0
            {
                negative.entry(prop).or_default().push((space, *n));
            }
        }
    }
    for entry in &merged.counters {
        if budget::is_full(findings) {
            return;
        }
        let mut fields = Fields { merged, place: &entry.place, counter: &entry.value, findings };
        fields.visibility();
        if entry.value.holds.is_some() {
            fields.of_a_holder();
            continue;
        }
        fields.bounds();
        fields.of_a_derived();
        fields.supply();
        if let Some(space) = entry.value.derived.as_ref().and_then(|derived| derived.space.as_ref()) {
            negative_parts(merged, entry.value.id.as_str(), space.as_str(), &negative, findings);
        }
    }
}

/// The fields of a counter, which must not contradict each other.
struct Fields<'c> {
    merged: &'c Merged,
    place: &'c EntityPlace,
    counter: &'c schemas::Counter,
    findings: &'c mut Vec<Finding>,
}

impl Fields<'_> {
    fn wrong(&mut self, field: &str, message: String, help: &str) {
        self.findings.push(self.merged.finding(self.place, field, Code::ContradictoryCounter, message).help(help));
    }

    fn visibility(&mut self) {
        let id = &self.counter.id;
        if self.counter.visible == schemas::Visibility::Fog && self.counter.scope != CounterScope::Space {
            let message = format!("`{id}` is fogged, so it must have scope `space`");
            self.wrong("/visible", message, "fog can hide only counters of spaces");
        }
        if self.counter.visible == schemas::Visibility::Owner && self.counter.scope == CounterScope::Game {
            let message = format!("`{id}` belongs to the game, so no owner can see it");
            let help = "make it visible to `nobody` or `everyone`, or set \"scope\": \"faction\"";
            self.wrong("/visible", message, help);
        }
    }

    /// A counter that holds a handle has no numbers.
    fn of_a_holder(&mut self) {
        let schemas::Counter { id, min, max, start, supply, .. } = self.counter;
        // A 0 without effect is allowed there.
        let numbers = [("min", min), ("max", max), ("start", start), ("supply", supply)];
        for (field, _) in numbers.into_iter().filter(|(_, value)| value.is_some_and(|n| n != 0)) {
            let at = format!("/{field}");
            let message = format!("`{id}` does not hold a number, so it cannot have `{field}`");
            let finding = self.merged.finding(self.place, &at, Code::ContradictoryCounter, message);
            let finding = finding.help("remove the field");
            self.findings.push(self.merged.without(finding, self.place, &at));
        }
        if self.counter.derived.is_some() || self.counter.option {
            let message = format!("`{id}` holds a handle, so it cannot be `derived` or an `option`");
            self.wrong("/holds", message, "remove one of them");
        }
    }

    fn bounds(&mut self) {
        let bounds = Bounds::of(self.counter);
        if bounds.min > bounds.max {
            let message = format!("the minimum {} is above the maximum, {}", bounds.min, bounds.max);
            self.wrong("/min", message, "swap them");
        } else if !(bounds.min..=bounds.max).contains(&bounds.start) {
            let message = format!("the start {} is not between {} and {}", bounds.start, bounds.min, bounds.max);
            let field = if self.counter.start.is_some() { "/start" } else { "/id" };
            self.wrong(field, message, "choose a start within the bounds");
        }
        if self.counter.option && self.counter.scope != CounterScope::Game {
            let message = format!("the setup option `{}` must have scope `game`", self.counter.id);
            self.wrong("/option", message, "a setup option has one value for the whole game");
        }
    }

    fn of_a_derived(&mut self) {
        let schemas::Counter { id, scope, start, supply, option, derived, .. } = self.counter;
        if derived.is_none() {
            return;
        }
        if *scope != CounterScope::Faction {
            let message = format!("the derived counter `{id}` must have scope `faction`");
            self.wrong("/derived", message, "set \"scope\": \"faction\"");
        }
        if start.is_some_and(|n| n != 0) || supply.is_some() || *option {
            let message = format!("`{id}` is derived, so it cannot have `start`, `supply` or `option`");
            self.wrong("/derived", message, "remove those fields");
        }
    }

    fn supply(&mut self) {
        if self.counter.supply.is_some() && self.counter.scope != CounterScope::Faction {
            let message = format!("`{}` has a supply, so it must have scope `faction`", self.counter.id);
            self.wrong("/supply", message, "set \"scope\": \"faction\"");
        }
    }
}

/// The parts of a derived counter must not be negative, because takeovers would take points that were never given.
fn negative_parts(merged: &Merged, counter: &str, prop: &str, negative: &Negative<'_>, findings: &mut Vec<Finding>) {
    for (space, n) in negative.get(prop).into_iter().flatten() {
        let message = format!("`{prop}` of `{}` is {n}, but `{counter}` cannot add negative numbers", space.value.id);
        findings.push(
            merged.finding(&space.place, &format!("/props/{prop}"), Code::NegativePart, message).help("use 0 or more"),
        );
    }
}

fn counter_supply(merged: &Merged, findings: &mut Vec<Finding>) {
    let playable = merged.factions.iter().filter(|faction| faction.value.playable).count();
    for entry in &merged.counters {
        let Some(supply) = entry.value.supply else { continue };
        let start = i64::from(Bounds::of(&entry.value).start);
        let needed = start * playable as i64;
        if needed > i64::from(supply) {
            let message = format!("{playable} factions start with {start} each, but the supply is only {supply}");
            findings.push(
                merged
                    .finding(&entry.place, "/supply", Code::ShortSupply, message)
                    .help(format!("raise the supply to at least {needed}")),
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
                        .help("use a counter of scope `faction` that holds a number and is not derived"),
                );
            }
        }
    }
}
