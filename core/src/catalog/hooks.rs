//! Hook points, script functions, and listeners.

use std::collections::BTreeMap;

use crate::ids::*;

/// A hook that listens to a hook point.
#[derive(Clone, Copy, Debug)]
pub struct Listener {
    /// The hook point.
    pub point: HookPointId,
    /// The hook to call.
    pub hook: HookId,
    /// Lower numbers run first. Default: 0.
    pub priority: i16,
    /// Whether the hook of a card runs even if an earlier hook of the same moment has moved the card away.
    pub stays: bool,
}

/// A bundle of hooks that are live without a card.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The id that the pack gives it.
    pub id: String,
    /// The faction of its seat. The rule is live while that seat plays. With `None`, it is live in every game and has
    /// no owner.
    pub faction: Option<FactionId>,
    /// Numbers that its text and its hooks share, by name.
    pub params: BTreeMap<String, i32>,
    /// Its hooks, at most one for each hook point.
    pub listeners: Vec<Listener>,
}

/// Whether a hook point computes or acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HookPointKind {
    /// Its hooks change a number. They must not change the world or ask for decisions.
    Query,
    /// Its hooks may do anything.
    Effect,
}

/// A moment or number at which hooks run.
#[derive(Clone, Debug)]
pub struct HookPoint {
    /// The id by which packs listen to it, such as `control.changed`.
    pub id: String,
    /// What its hooks may do.
    pub kind: HookPointKind,
    /// The names of its arguments in order, at most [`Args::MOST`]. The value of a query comes before them.
    pub args: Vec<String>,
    /// Its purpose, in a sentence for pack authors.
    pub doc: String,
}

/// The owner of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookSource {
    /// The flow or a procedure.
    Flow,
    /// A card design.
    Design(DesignId),
    /// An entity that is live without a card.
    Rule(RuleId),
}

/// The effect of a card, a rule or the flow at a hook point: a script function, or a change of the value.
#[derive(Clone, Debug)]
pub struct Hook {
    /// The script module of the function; empty for a change.
    pub module: String,
    /// The name of the function in the module; empty for a change.
    pub function: String,
    /// The change of the value of a query point, if no script is needed.
    pub change: Option<Change>,
    /// The owner.
    pub source: HookSource,
    /// The hook point; `None` for functions of the flow and of procedures.
    pub point: Option<HookPointId>,
}

/// The change that a query hook without a script makes. Its parts apply in the order of the fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    /// The value becomes this.
    pub set: Option<i32>,
    /// The value is multiplied by this.
    pub times: i32,
    /// This is added to the value.
    pub add: i32,
    /// The result is at least this.
    pub least: Option<i32>,
    /// The result is at most this.
    pub most: Option<i32>,
    /// Who is affected.
    pub whom: ChangeFor,
}

/// Who is affected by a change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ChangeFor {
    /// The change applies whatever the arguments are.
    #[default]
    Everybody,
    /// Only the owner of the hook: the first value that the point passes must be that faction.
    Owner,
}

impl Default for Change {
    fn default() -> Self {
        Change { set: None, times: 1, add: 0, least: None, most: None, whom: ChangeFor::Everybody }
    }
}

impl Change {
    /// The changed value, for a hook of this owner and a point that passes these values. Results beyond 32 bits
    /// saturate.
    pub fn apply(&self, value: i32, owner: Option<FactionId>, args: &[Value]) -> i32 {
        let theirs = || owner.is_some_and(|owner| args.first() == Some(&Value::Faction(owner)));
        if self.whom == ChangeFor::Owner && !theirs() {
            return value;
        }
        let changed = self.set.unwrap_or(value).saturating_mul(self.times).saturating_add(self.add);
        let changed = self.least.map_or(changed, |least| changed.max(least));
        self.most.map_or(changed, |most| changed.min(most))
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            self.set.map(|n| format!("set {n}")),
            (self.times != 1).then(|| format!("times {}", self.times)),
            (self.add != 0).then(|| format!("add {}", self.add)),
            self.least.map(|n| format!("at least {n}")),
            self.most.map(|n| format!("at most {n}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

/// The hook points of the kernel's own procedures.
#[derive(Clone, Copy, Debug)]
pub struct KernelPoints {
    /// query(value, faction, kind): movement points of a piece.
    pub movement_points: HookPointId,
    /// query(value 0/1, owner, mover): whether all spaces that `owner` controls stop movement as if units were there.
    pub movement_guarded: HookPointId,
    /// query(value, faction, space): strength that a battle side adds.
    pub battle_strength: HookPointId,
    /// query(value, faction, space): shields that a battle side adds.
    pub battle_shields: HookPointId,
    /// effect(space, from, to): control of a space has changed.
    pub control_changed: HookPointId,
    /// effect(space, faction): the last occupying piece of the faction left the space.
    pub space_vacated: HookPointId,
    /// query(value, seat): the value of a seat's position, for bots.
    pub bot_value: HookPointId,
    /// effect(seat): in a clone of the game, deals again what the seat cannot know and the kernel cannot deal by
    /// itself.
    pub bot_imagine: HookPointId,
}

/// The kernel's hook points in the order of their ids: id, kind, names of the arguments, purpose.
const POINTS: [(&str, HookPointKind, &[&str], &str); 8] = [
    (
        "movement.points",
        HookPointKind::Query,
        &["faction", "kind"],
        "Movement points of a piece of this kind and faction.",
    ),
    (
        "movement.guarded",
        HookPointKind::Query,
        &["owner", "mover"],
        "If not 0, every space that `owner` controls stops the mover's pieces as if units stood there.",
    ),
    (
        "battle.strength",
        HookPointKind::Query,
        &["faction", "space"],
        "Strength that a side of the battle adds to its pieces.",
    ),
    (
        "battle.shields",
        HookPointKind::Query,
        &["faction", "space"],
        "Shields of a side of the battle in addition to the die and the space.",
    ),
    (
        "control.changed",
        HookPointKind::Effect,
        &["space", "from", "to"],
        "Control of a space passed from one faction to another.",
    ),
    (
        "space.vacated",
        HookPointKind::Effect,
        &["space", "faction"],
        "The last occupying piece of the faction left the space.",
    ),
    (
        "bot.value",
        HookPointKind::Query,
        &["seat"],
        "How good the position of a seat is, for bots that look one step ahead. 0 means even.",
    ),
    (
        "bot.imagine",
        HookPointKind::Effect,
        &["seat"],
        "In a copy of the game in which a bot looks ahead: resets what `seat` cannot know. Cards, the fog and secret answers \
         are redrawn already; hidden counters are left to the pack. It must not ask for a decision.",
    ),
];

impl KernelPoints {
    /// The kernel's hook points, with which every catalog begins, in this order.
    pub fn declare() -> (Self, Vec<HookPoint>) {
        let point = |(id, kind, args, doc): (&str, HookPointKind, &[&str], &str)| HookPoint {
            id: id.to_owned(),
            kind,
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            doc: doc.to_owned(),
        };
        let ids = KernelPoints {
            movement_points: HookPointId(0),
            movement_guarded: HookPointId(1),
            battle_strength: HookPointId(2),
            battle_shields: HookPointId(3),
            control_changed: HookPointId(4),
            space_vacated: HookPointId(5),
            bot_value: HookPointId(6),
            bot_imagine: HookPointId(7),
        };
        (ids, POINTS.into_iter().map(point).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_apply_in_the_order_of_their_fields() {
        let change = Change { times: 2, add: -3, least: Some(0), most: Some(9), ..Change::default() };
        assert_eq!([1, 2, 4, 40].map(|value| change.apply(value, None, &[])), [0, 1, 5, 9]);
        assert_eq!(Change { set: Some(1), ..Change::default() }.apply(7, None, &[]), 1);
        assert_eq!(Change { add: 1, ..Change::default() }.apply(i32::MAX, None, &[]), i32::MAX);
        assert_eq!(change.to_string(), "times 2, add -3, at least 0, at most 9");
    }

    #[test]
    fn changes_can_apply_only_to_the_owner() {
        let change = Change { add: 1, whom: ChangeFor::Owner, ..Change::default() };
        let (red, blue) = (FactionId(0), FactionId(1));
        assert_eq!(change.apply(5, Some(red), &[Value::Faction(red)]), 6);
        assert_eq!(change.apply(5, Some(red), &[Value::Faction(blue)]), 5);
        assert_eq!(change.apply(5, None, &[Value::Nil]), 5);
        assert_eq!(change.apply(5, Some(red), &[]), 5);
    }
}
