//! Trained players: from the names in packs to the numbers of the kernel.

use std::collections::BTreeMap;
use std::sync::Arc;

use principes_core::Catalog;
use principes_core::bots::features::{OptionFeatures, PositionFeatures};
use principes_core::catalog::Trained;
use principes_findings::{Code, Finding};
use principes_model::{Merged, Sourced};
use principes_schemas::Bot;

/// Fits the last trained player to its game. Weights for what the game does not have are left out; cards without a
/// weight of their own keep that of their type. Such weights are reported, at most one for each player. A player knows
/// only its own pack and those that it builds on; with others, it plays as well as it can.
pub fn fit(merged: &Merged, catalog: &mut Catalog, findings: &mut Vec<Finding>) {
    // Naming all features of a game takes longer than the rest.
    if merged.bots.is_empty() {
        return;
    }
    let mut trained = None;
    let reader = Reader::new(catalog);
    for bot in &merged.bots {
        let mut idle = Vec::new();
        trained = Some(Arc::new(reader.read(&bot.value, &mut idle)));
        let pack = merged.documents.0[bot.place.document].pack;
        if (0..merged.packs.len()).all(|other| merged.stands_on(pack, other)) {
            findings.extend(finding(merged, bot, &idle));
        }
    }
    catalog.set_trained(trained);
}

fn finding(merged: &Merged, bot: &Sourced<Bot>, idle: &[Idle]) -> Option<Finding> {
    let first = idle.first()?;
    let others = match idle.len() - 1 {
        0 => String::new(),
        others => format!(" (and {others} more)"),
    };
    let message =
        format!("`{}` has a weight for something that the game does not have: `{}`{others}", bot.value.id, first.name);
    let help = "train it again with `principes learn`; until then it plays without these weights";
    Some(merged.finding_at_key(&bot.place, &first.pointer, Code::IdleWeight, message).help(help))
}

/// A weight for something that the game does not have.
struct Idle {
    /// Where it is, inside the bot.
    pointer: String,
    name: String,
}

impl Idle {
    fn new(path: &[&str], name: String) -> Self {
        let escaped = path.iter().map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1")));
        Idle { pointer: escaped.collect(), name }
    }
}

struct Reader<'a> {
    catalog: &'a Catalog,
    positions: BTreeMap<String, usize>,
}

impl<'a> Reader<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        let names = PositionFeatures::names(catalog);
        Reader { catalog, positions: names.into_iter().enumerate().map(|(at, name)| (name, at)).collect() }
    }

    fn read(&self, bot: &Bot, idle: &mut Vec<Idle>) -> Trained {
        let mut value = vec![[0; 2]; self.positions.len()];
        for (name, ends) in bot.value.iter() {
            match self.positions.get(name) {
                Some(at) => value[*at] = ends.map(|weight| weight.0),
                None => idle.push(Idle::new(&["value", name], name.clone())),
            }
        }
        let mut policy = Vec::new();
        for (decision, verbs) in bot.policy.iter() {
            for (verb, things) in verbs.iter() {
                let known = verb
                    .split_once(' ')
                    .and_then(|(aspect, verb)| OptionFeatures::parse(aspect, decision, verb, self.catalog).ok());
                for (thing, weight) in things.iter() {
                    match known.as_ref().and_then(|known| known.feature(thing, self.catalog).ok()) {
                        Some(feature) => policy.push((feature.0, weight.0)),
                        None => idle
                            .push(Idle::new(&["policy", decision, verb, thing], format!("{decision}: {verb} {thing}"))),
                    }
                }
            }
        }
        Trained::new(value, policy, bot.usual_end)
    }
}
