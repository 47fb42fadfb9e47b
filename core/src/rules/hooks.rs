//! The hooks that listen to a hook point, and the hooks that wait to run.

use crate::catalog::{HookPointKind, Listener, Scope};
use crate::ids::*;
use crate::state::{LiveHook, Table, Trigger};

impl Table {
    /// Whether anything listens to a hook point now. Cheap if nothing does.
    #[inline]
    pub fn anyone_listens(&self, point: HookPointId) -> bool {
        self.world.live[point.index()] != 0 || !self.catalog.rule_listeners[point.index()].is_empty()
    }

    /// Writes to `out` the hooks that listen to a hook point: by priority, then hooks without an owner, then seat by seat
    /// in turn order. For each owner, rules come first, in the order of the packs, then cards, zone by zone in the order
    /// of the packs, top first.
    pub fn live_hooks(&self, point: HookPointId, out: &mut Vec<LiveHook>) {
        out.clear();
        let rules = &self.catalog.rule_listeners[point.index()];
        let mut cards = self.world.live[point.index()];
        self.collect(point, None, rules, &mut cards, out);
        // Usually, only rules without an owner listen.
        if cards > 0 || out.len() < rules.len() {
            for seat in self.world.seats() {
                self.collect(point, Some(seat), rules, &mut cards, out);
            }
        }
        if out.iter().any(|hook| hook.priority != 0) {
            out.sort_by_key(|hook| hook.priority);
        }
    }

    fn collect(
        &self,
        point: HookPointId,
        owner: Option<FactionId>,
        rules: &[(RuleId, Listener)],
        // The number of listening cards that have not been found yet.
        cards: &mut u16,
        out: &mut Vec<LiveHook>,
    ) {
        for (rule, listener) in rules {
            if self.catalog.rules[rule.index()].faction == owner {
                out.push(LiveHook { hook: listener.hook, owner, card: None, priority: listener.priority });
            }
        }
        if *cards == 0 {
            return;
        }
        for kind in self.catalog.zones.active() {
            let zone = match (kind.scope, owner) {
                (Scope::Game, None) => ZoneId::at(kind.offset),
                (Scope::Faction, Some(seat)) => ZoneId::at(kind.offset + seat.index()),
                _ => continue,
            };
            for card in self.world.in_zone(zone) {
                for listener in &self.catalog.design_of(card).listeners {
                    if listener.point == point {
                        let (hook, priority) = (listener.hook, listener.priority);
                        out.push(LiveHook { hook, owner, card: Some(card), priority });
                        *cards -= 1;
                        if *cards == 0 {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Whether a hook from [`Table::live_hooks`] should still run after others of the list have run: its card is where it
    /// was, and its owner still plays; or it stays whatever happens.
    pub fn still_runs(&self, live: &LiveHook) -> bool {
        let plays = live.owner.is_none_or(|owner| self.world.is_led(owner));
        let Some(card) = live.card else { return plays };
        let (kind, owner) = self.catalog.zone_list[self.world.card_zone(card).index()];
        let is_there = owner == live.owner && self.catalog.zones[kind.index()].active;
        let stays = || self.catalog.design_of(card).listeners.iter().any(|own| own.hook == live.hook && own.stays);
        plays && is_there || stays()
    }

    /// Lets the hooks of an effect hook point run at the next pause, if there are any.
    pub fn queue(&mut self, point: HookPointId, args: Args) {
        debug_assert_eq!(self.catalog.points[point.index()].kind, HookPointKind::Effect);
        if self.anyone_listens(point) {
            self.world.triggers.push(Trigger { point, args });
        }
    }

    /// The hook of a card, a card design or a rule for a hook point, live or not.
    pub fn own_hook(&self, entity: Value, point: HookPointId) -> Option<HookId> {
        let listeners = match entity {
            Value::Card(card) => &self.catalog.design_of(card).listeners,
            Value::Design(design) => &self.catalog.designs[design.index()].listeners,
            Value::Rule(rule) => &self.catalog.rules[rule.index()].listeners,
            _ => return None,
        };
        listeners.iter().find(|listener| listener.point == point).map(|listener| listener.hook)
    }
}
