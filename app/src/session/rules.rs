//! What there is to know about a game: its aim, the order of play, the rules beside the cards, and why a seat is asked.

use principes_core::catalog::{Listener, PhaseBody, Times};
use principes_core::*;
use principes_scenarios::hook_name;
use serde::Serialize;

use super::Session;
use crate::words::Words;

/// A rule that players read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RuleInWords {
    /// Its title.
    pub title: String,
    /// Its text, numbers filled in.
    pub text: String,
    /// The faction that it is for.
    pub faction: Option<String>,
}

/// A phase of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PhaseInWords {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What happens in it, if the packs say so.
    pub help: Option<String>,
    /// How many loops it is in.
    pub depth: usize,
    /// How often it is repeated, if that is known.
    pub times: Option<i32>,
}

/// What there is to know about a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Rulebook {
    /// How the game is won, if the packs say so.
    pub aim: Option<String>,
    /// The phases that have names, in order.
    pub phases: Vec<PhaseInWords>,
    /// The rules that hold beside the cards.
    pub rules: Vec<RuleInWords>,
}

/// Where a decision comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Why {
    /// The card or rule that asks: its name.
    pub source: Option<String>,
    /// The text of that.
    pub text: Option<String>,
    /// The phase under way.
    pub phase: Option<String>,
    /// Id of the kind of decision.
    pub decision: String,
    /// The hooks that are under way, outermost first.
    pub scripts: Vec<String>,
}

/// The rules that hold beside the cards: those of the seat, then those of others and of everybody.
pub fn rules(words: &Words, seat: Option<SeatId>) -> Vec<RuleInWords> {
    let catalog = words.catalog();
    let mut rules: Vec<RuleId> = (0..catalog.rules.len()).map(RuleId::at).collect();
    // What bots think is no rule of the game.
    let is_for_bots =
        |listener: &Listener| [catalog.kernel.bot_value, catalog.kernel.bot_imagine].contains(&listener.point);
    rules.retain(|rule| {
        let spec = &catalog.rules[rule.index()];
        let is_read = words.is_named("rule", &format!("{}.title", spec.id));
        is_read && (spec.listeners.is_empty() || !spec.listeners.iter().all(is_for_bots))
    });
    rules.sort_by_key(|rule| match catalog.rules[rule.index()].faction {
        Some(faction) => (Some(faction) != seat, faction.index()),
        None => (true, usize::MAX),
    });
    let told = |rule: RuleId| RuleInWords {
        title: words.value(Value::Rule(rule), None),
        text: words.rule_text(rule).unwrap_or_default(),
        faction: catalog.rules[rule.index()].faction.map(|faction| words.value(Value::Faction(faction), None)),
    };
    rules.into_iter().map(told).collect()
}

impl Session {
    /// What there is to know about the game, a seat's own rules first.
    pub fn rulebook(&self, seat: Option<SeatId>) -> Rulebook {
        let words = self.words();
        let catalog = words.catalog();
        let mut phases = Vec::new();
        for phase in &catalog.flow {
            add_phase(words, *phase, 0, &mut phases);
        }
        Rulebook { aim: words.message("pack.help", &[], None), phases, rules: rules(words, seat) }
    }

    /// Where a decision comes from.
    pub fn why(&self, ask: &Decision) -> Why {
        let (words, game) = (self.words(), self.game());
        let catalog = game.catalog();
        let script = |frame: &Frame| match frame {
            Frame::Script(script) => Some(hook_name(catalog, script.hook)),
            _ => None,
        };
        Why {
            source: (ask.source != Value::Nil).then(|| words.value(ask.source, None)),
            text: words.text_of(ask.source),
            phase: self
                .view_for(Some(ask.seat))
                .phase
                .map(|phase| words.named("phase", &catalog.phases[phase.index()].id)),
            decision: catalog.decisions[ask.kind.index()].id.clone(),
            scripts: game.table().world.flow().iter().filter_map(script).collect(),
        }
    }
}

fn add_phase(words: &Words, phase: PhaseId, depth: usize, phases: &mut Vec<PhaseInWords>) {
    let spec = &words.catalog().phases[phase.index()];
    let is_named = words.is_named("phase", &spec.id);
    let (inner, times) = match &spec.body {
        PhaseBody::Repeat { phases, times, .. } => (phases.as_slice(), known(times)),
        _ => (&[][..], None),
    };
    if is_named {
        phases.push(PhaseInWords {
            id: spec.id.clone(),
            name: words.named("phase", &spec.id),
            help: words.message(&format!("phase.{}.help", spec.id), &[], None),
            depth,
            times,
        });
    }
    for phase in inner {
        add_phase(words, *phase, depth + usize::from(is_named), phases);
    }
}

fn known(times: &Times) -> Option<i32> {
    match times {
        Times::Fixed(times) => Some(*times),
        _ => None,
    }
}
