//! Information about a game: its aim, the order of play, its standing rules, and the reason for a decision.

use principes_core::catalog::{Listener, Phase, PhaseBody, Times};
use principes_core::*;
use principes_scenarios::hook_name;
use schemars::JsonSchema;
use serde::Serialize;

use super::{GameInWords, Session};
use crate::words::Words;

/// A rule that players read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RuleInWords {
    /// The title in the language of the viewer.
    pub title: String,
    /// Its text, numbers filled in.
    pub text: String,
    /// The faction whose rule it is.
    pub faction: Option<String>,
}

/// A phase of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PhaseInWords {
    /// As the packs declare it.
    pub id: String,
    /// The name in the language of the viewer.
    pub name: String,
    /// The packs' explanation, if there is one.
    pub help: Option<String>,
    /// The number of loops around it.
    pub depth: usize,
    /// How often it is repeated, if that is fixed.
    pub times: Option<i32>,
}

/// Information about a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Rulebook {
    /// How to win, if the packs explain it.
    pub aim: Option<String>,
    /// The phases that have names, in order.
    pub phases: Vec<PhaseInWords>,
    /// The standing rules.
    pub rules: Vec<RuleInWords>,
}

/// The origin of a decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Why {
    /// The name of the card or rule that asks for it.
    pub source: Option<String>,
    /// The text of that card or rule.
    pub text: Option<String>,
    /// The current phase.
    pub phase: Option<String>,
    /// The id of the decision.
    pub decision: String,
    /// The hooks that are running, outermost first.
    pub scripts: Vec<String>,
}

/// How often a part of the game is repeated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Round {
    /// The id of the counter that counts it.
    pub id: String,
    /// The name of that counter.
    pub name: String,
    /// The current iteration in words.
    pub value: String,
    /// The current iteration.
    pub at: i32,
    /// How often it is repeated, if that is known.
    pub of: Option<i32>,
}

/// The repeated parts of the game that have begun, outermost first, as a viewer sees them.
pub fn rounds(scene: GameInWords<'_>, viewer: Option<SeatId>) -> Vec<Round> {
    let GameInWords { game, words } = scene;
    let view = scene.view_for(viewer);
    let value = |wanted: CounterId| {
        let found = view.counters.iter().find(|(counter, owner, _)| *counter == wanted && *owner == Value::Nil);
        match found {
            Some((.., Value::Int(value))) => Some(*value),
            _ => None,
        }
    };
    let round = |phase: &Phase| {
        let PhaseBody::Repeat { times, counter: Some(counter), .. } = &phase.body else { return None };
        let id = &game.catalog().counters[counter.index()].id;
        let at = value(*counter).filter(|at| *at > 0 && words.is_named("counter", id))?;
        let of = match times {
            Times::Fixed(times) => Some(*times),
            Times::Counter(counter) => value(*counter),
        };
        let name = words.value(Value::Counter(*counter), None);
        let of = of.filter(|of| (at..=MOST_ROUNDS).contains(of));
        Some(Round { id: id.clone(), name, value: words.counter_value(*counter, Value::Int(at)), at, of })
    };
    game.catalog().phases.iter().filter_map(round).collect()
}

/// A longer game has no fixed length: its limit only keeps it from being endless.
const MOST_ROUNDS: i32 = 40;

/// The standing rules: those of the seat first, then those of others and of all seats.
pub fn rules(words: &Words, seat: Option<SeatId>) -> Vec<RuleInWords> {
    let catalog = words.catalog();
    let mut rules: Vec<RuleId> = (0..catalog.rules.len()).map(RuleId::at).collect();
    // Rules with hooks that only guide bots are not rules for players.
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
    let in_words = |rule: RuleId| RuleInWords {
        title: words.value(Value::Rule(rule), None),
        text: words.rule_text(rule).unwrap_or_default(),
        faction: catalog.rules[rule.index()].faction.map(|faction| words.value(Value::Faction(faction), None)),
    };
    rules.into_iter().map(in_words).collect()
}

impl Session {
    /// The information about the game. The seat's own rules come first.
    pub fn rulebook(&self, seat: Option<SeatId>) -> Rulebook {
        let words = self.words();
        let catalog = words.catalog();
        let mut phases = Vec::new();
        for phase in &catalog.flow {
            add_phase(words, *phase, 0, &mut phases);
        }
        Rulebook { aim: words.message_lines("pack.help", &[], None), phases, rules: rules(words, seat) }
    }

    /// The origin of a decision.
    pub fn why(&self, decision: &Decision) -> Why {
        let (words, game) = (self.words(), self.game());
        let catalog = game.catalog();
        let decision = &game.table().shown(decision);
        let script = |frame: &Frame| match frame {
            Frame::Script(script) => Some(hook_name(catalog, script.hook)),
            _ => None,
        };
        Why {
            source: (decision.source != Value::Nil).then(|| words.value(decision.source, None)),
            text: words.text_of(decision.source),
            phase: self
                .view_for(Some(decision.seat))
                .phase
                .map(|phase| words.named("phase", &catalog.phases[phase.index()].id)),
            decision: catalog.decisions[decision.kind.index()].id.clone(),
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
            help: words.message_lines(&format!("phase.{}.help", spec.id), &[], None),
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
