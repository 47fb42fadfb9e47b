//! Hooks that change a value without a script: whether there is a value, and whether their params exist.

use std::collections::BTreeMap;

use principes_findings::{Code, Finding, suggestion};
use principes_json::escape;
use principes_model::{EntityPlace, Merged};
use principes_schemas::{Amount, ChangeFor, HookChange, Hooks, Params, Point, PointKind};

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let cards = merged.cards.iter().map(|card| (&card.place, &card.value.hooks, &card.value.params));
    let rules = merged.rules.iter().map(|rule| (&rule.place, &rule.value.hooks, &rule.value.params));
    let points: Points<'_> = merged.points.iter().rev().map(|point| (point.value.id.as_str(), &*point.value)).collect();
    for (place, hooks, params) in cards.chain(rules) {
        each(merged, &points, place, hooks, params, findings);
    }
}

/// Declared hook points by id.
type Points<'m> = BTreeMap<&'m str, &'m Point>;

fn each(
    merged: &Merged,
    points: &Points<'_>,
    place: &EntityPlace,
    hooks: &Hooks,
    params: &Params,
    findings: &mut Vec<Finding>,
) {
    for (id, hook) in hooks.iter() {
        let Some(change) = hook.change() else { continue };
        let field = format!("/hooks/{}", escape(id));
        let unfit = |message: String| merged.finding(place, &field, Code::UnfitValue, message);
        if change.amounts().next().is_none() {
            findings
                .push(unfit("this changes nothing".to_owned()).help("use `set`, `add`, `subtract` or another change"));
        }
        if let Some(point) = points.get(id.as_str()) {
            if point.kind == PointKind::Effect {
                let message = format!("`{id}` is an effect point, so it has no value to change");
                findings.push(unfit(message).help("name a script function: `module.function`"));
            } else if change.whom == ChangeFor::Owner && point.args.is_empty() {
                let message = format!("`{id}` passes no seat that could be the owner");
                findings.push(unfit(message).help("omit `for`"));
            }
        }
        unknown_params(merged, place, &field, change, params, findings);
    }
}

fn unknown_params(
    merged: &Merged,
    place: &EntityPlace,
    field: &str,
    change: &HookChange,
    params: &Params,
    findings: &mut Vec<Finding>,
) {
    for (part, amount) in change.amounts() {
        let Amount::Param(name) = amount else { continue };
        if !params.contains_key(name) {
            let near = suggestion(name, params.keys().map(String::as_str));
            let message = format!("unknown param `{name}`");
            let finding = merged.finding(place, &format!("{field}/{part}"), Code::UnknownReference, message);
            findings.push(finding.suggest(near));
        }
    }
}
