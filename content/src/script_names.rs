//! The names in packs that scripts may use, for the stubs of editors.

use std::collections::{BTreeMap, BTreeSet};

use principes_analysis::{Constants, constant_name};
use principes_model::Merged;

use crate::script_facts::facts;
use crate::script_vocabulary::overloads;

/// The names for editors: constants, names that scripts write as texts, and the types of `self`.
pub fn names(merged: &Merged) -> principes_scripting::api::PackNames {
    use principes_core::HandleType;
    use principes_core::catalog::HookPointKind;
    use principes_schemas::Holds;
    let facts = facts(merged);
    let constants = Constants::all().map(|constants| {
        let counter = |id: &str| facts.counters.get(id).filter(|_| constants.of == HandleType::Counter);
        let class = |id: &str| match counter(id).map(|(_, holds)| holds) {
            Some(None) => "CounterOfNumber",
            Some(Some(Holds::Space)) => "CounterOfSpace",
            Some(Some(Holds::Faction)) => "CounterOfFaction",
            Some(Some(Holds::Card)) => "CounterOfCard",
            Some(Some(Holds::Design)) => "CounterOfDesign",
            None => constants.of.class(),
        };
        let ids = merged.ids.of(constants.family.key());
        (constants.table(), ids.map(|id| (id.to_owned(), class(id))).collect())
    });
    let points = |kind| facts.points.iter().filter(move |(_, p)| p.kind == kind).map(|(id, _)| id.clone()).collect();
    let keys =
        |prefix: &str| facts.holes.keys().filter_map(|key| key.strip_prefix(prefix).map(str::to_owned)).collect();
    let own = |names: &BTreeSet<String>| names.iter().cloned().collect();
    let aliases = vec![
        ("DecisionName", merged.ids.of("decisions").map(str::to_owned).collect()),
        ("QueryPoint", points(HookPointKind::Query)),
        ("EffectPoint", points(HookPointKind::Effect)),
        ("MessageKey", keys("log.")),
        ("OutcomeKey", keys("outcome.")),
        ("PropName", own(&facts.props)),
        ("StatName", own(&facts.stats)),
        ("ParamName", own(&facts.params)),
    ];
    let cards = merged.cards.iter().map(|card| ("Card", "card", &card.value.id, &card.value.params));
    let rules = merged.rules.iter().map(|rule| ("Rule", "rule", &rule.value.id, &rule.value.params));
    let this = |(class, word, id, params): (&str, &str, &principes_schemas::Id, &principes_schemas::Params)| {
        let class = format!("SelfOf{class}_{}", constant_name(id.as_str()));
        (class, (format!("`self` in the hooks of the {word} `{id}`."), params.keys().cloned().collect()))
    };
    let selves: BTreeMap<String, (String, Vec<String>)> = cards.chain(rules).map(this).collect();
    let selves = selves.into_iter().map(|(class, (doc, params))| (class, doc, params)).collect();
    principes_scripting::api::PackNames {
        constants: constants.collect(),
        aliases,
        selves,
        overloads: vec![("prop", overloads(merged))],
    }
}
