//! Counters: reading and writing them within their bounds and supply.

use super::error::RuleError;
use crate::catalog::{Derived, FactionSet, Holds, Scope};
use crate::ids::*;
use crate::state::{Event, Table};

impl Table {
    fn slot(&self, counter: CounterId, owner: Value) -> Result<usize, RuleError> {
        let spec = &self.catalog.counters[counter.index()];
        let index = match (spec.scope, owner) {
            (Scope::Game, Value::Nil) => 0,
            (Scope::Faction, Value::Faction(f)) if f.index() < self.catalog.playable => f.index(),
            (Scope::Space, Value::Space(s)) => s.index(),
            (Scope::Card, Value::Card(c)) => c.index(),
            (scope, owner) => {
                let wants = match scope {
                    Scope::Game => "no owner",
                    Scope::Faction => "a playable faction as owner",
                    Scope::Space => "a space as owner",
                    Scope::Card => "a card as owner",
                };
                let found = match owner {
                    Value::Nil => owner.type_name().to_owned(),
                    owner => format!("{} `{}`", owner.type_name(), self.catalog.id_of(owner)),
                };
                return Err(RuleError(format!("counter `{}` needs {wants}, found {found}", spec.id)));
            }
        };
        Ok(spec.offset + index)
    }

    /// The number in a counter's slot, or a derived number computed from the board.
    fn current_number(&self, counter: CounterId, slot: usize, owner: Value) -> i32 {
        match (self.catalog.counters[counter.index()].derived, owner) {
            (Some(derived), Value::Faction(seat)) => self.sum_over_map(derived, seat),
            _ => self.world.counters[slot],
        }
    }

    /// The sum over the spaces that a seat controls and the pieces on them.
    fn sum_over_map(&self, derived: Derived, seat: SeatId) -> i32 {
        let mut sum = 0i32;
        for (at, space) in self.catalog.spaces.iter().enumerate() {
            if self.world.control[at] != seat.0 {
                continue;
            }
            if let Some(prop) = derived.space {
                sum = sum.saturating_add(space.props.int(prop));
            }
            if let Some(stat) = derived.piece {
                for piece in self.world.on_space(SpaceId::at(at)) {
                    sum = sum.saturating_add(self.kind_of(piece).stats.int(stat));
                }
            }
        }
        sum
    }

    /// The number of a counter, without clamping: a derived one may be out of bounds. Fails if `owner` does not fit the
    /// counter's scope, as do the functions below.
    pub fn raw(&self, counter: CounterId, owner: Value) -> Result<i32, RuleError> {
        Ok(self.current_number(counter, self.slot(counter, owner)?, owner))
    }

    /// The number of a counter, clamped to its bounds.
    pub fn get(&self, counter: CounterId, owner: Value) -> Result<i32, RuleError> {
        let spec = &self.catalog.counters[counter.index()];
        Ok(self.raw(counter, owner)?.clamp(spec.min, spec.max))
    }

    /// The remaining supply of a counter in the bank. Fails if the supply is not limited.
    pub fn bank(&self, counter: CounterId) -> Result<i32, RuleError> {
        let spec = &self.catalog.counters[counter.index()];
        let supply = spec.supply.ok_or_else(|| RuleError(format!("counter `{}` has no supply", spec.id)))?;
        let values = if spec.scope == Scope::Game { 1 } else { self.catalog.playable };
        Ok(supply - self.world.counters[spec.offset..spec.offset + values].iter().sum::<i32>())
    }

    /// Sets a counter to a number. Fails if the number is out of bounds, if the bank does not have enough, or if the
    /// counter is derived or holds handles.
    pub fn set(&mut self, counter: CounterId, value: i32, owner: Value) -> Result<(), RuleError> {
        let slot = self.slot(counter, owner)?;
        let spec = &self.catalog.counters[counter.index()];
        if spec.derived.is_some() {
            return Err(RuleError(format!("counter `{}` is derived, so it cannot be set", spec.id)));
        }
        if spec.holds != Holds::Number {
            return Err(RuleError(format!("counter `{}` holds a handle, not a number", spec.id)));
        }
        if !(spec.min..=spec.max).contains(&value) {
            return Err(RuleError(format!(
                "counter `{}` must be from {} to {}, found {value}",
                spec.id, spec.min, spec.max
            )));
        }
        let from = self.world.counters[slot];
        if let Some(supply) = spec.supply
            && value - from > self.bank(counter)?
        {
            return Err(RuleError(format!(
                "counter `{}`: only {supply} exist, and the bank has {}",
                spec.id,
                self.bank(counter)?
            )));
        }
        self.write(counter, slot, owner, value);
        Ok(())
    }

    fn write(&mut self, counter: CounterId, slot: usize, owner: Value, value: i32) {
        let from = std::mem::replace(&mut self.world.counters[slot], value);
        if from != value && self.record_events {
            let to_value = self.held_value(counter, value);
            let seen = match owner {
                Value::Space(space) => self.seen_by(space),
                _ => FactionSet::MAX,
            };
            self.emit(Event::Counter { counter, owner, from, to: value, to_value, seen });
        }
    }

    /// Adds to a counter as much as its bounds and the bank allow, and returns that amount. Fails if the counter is
    /// derived or holds handles.
    pub fn add(&mut self, counter: CounterId, amount: i32, owner: Value) -> Result<i32, RuleError> {
        let slot = self.slot(counter, owner)?;
        let spec = &self.catalog.counters[counter.index()];
        if spec.derived.is_some() || spec.holds != Holds::Number {
            return Err(RuleError(format!("counter `{}` cannot be added to", spec.id)));
        }
        let mut amount = amount;
        if spec.supply.is_some() && amount > 0 {
            amount = amount.min(self.bank(counter)?.max(0));
        }
        let from = self.world.counters[slot];
        let to = from.saturating_add(amount).clamp(spec.min, spec.max);
        self.write(counter, slot, owner, to);
        Ok(to - from)
    }

    /// Moves points of a counter from one owner to another, as many as the bounds allow, and returns that number. Fails
    /// if the counter is derived or holds handles.
    pub fn transfer(&mut self, counter: CounterId, amount: i32, from: Value, to: Value) -> Result<i32, RuleError> {
        let (source, target) = (self.slot(counter, from)?, self.slot(counter, to)?);
        let spec = &self.catalog.counters[counter.index()];
        if spec.derived.is_some() || spec.holds != Holds::Number {
            return Err(RuleError(format!("counter `{}` cannot be transferred", spec.id)));
        }
        let room = spec.max.saturating_sub(self.world.counters[target]);
        let moved = amount.min(self.world.counters[source].saturating_sub(spec.min)).min(room).max(0);
        if source != target && moved > 0 {
            let (source_value, target_value) =
                (self.world.counters[source] - moved, self.world.counters[target] + moved);
            self.write(counter, source, from, source_value);
            self.write(counter, target, to, target_value);
        }
        Ok(moved)
    }

    /// The value of a stored number: a number or a handle.
    fn held_value(&self, counter: CounterId, number: i32) -> Value {
        let holds = self.catalog.counters[counter.index()].holds;
        if holds == Holds::Number {
            return Value::Int(number);
        }
        let Ok(index) = usize::try_from(number - 1) else { return Value::Nil };
        match holds {
            Holds::Number => Value::Int(number),
            Holds::Space => Value::Space(SpaceId::at(index)),
            Holds::Faction => Value::Faction(FactionId::at(index)),
            Holds::Card => Value::Card(CardId::at(index)),
            Holds::Design => Value::Design(DesignId::at(index)),
        }
    }

    /// The value of a counter: a number, clamped to its bounds, or a handle.
    pub fn value(&self, counter: CounterId, owner: Value) -> Result<Value, RuleError> {
        let slot = self.slot(counter, owner)?;
        let spec = &self.catalog.counters[counter.index()];
        Ok(match spec.holds {
            Holds::Number => Value::Int(self.current_number(counter, slot, owner).clamp(spec.min, spec.max)),
            _ => self.held_value(counter, self.world.counters[slot]),
        })
    }

    /// Sets a counter to a number or, if it holds handles, to a handle of the right type or [`Value::Nil`]. Fails for
    /// any other value, and like [`Table::set`].
    pub fn set_value(&mut self, counter: CounterId, value: Value, owner: Value) -> Result<(), RuleError> {
        let holds = self.catalog.counters[counter.index()].holds;
        let index = match (holds, value) {
            (Holds::Number, Value::Int(n)) => return self.set(counter, n, owner),
            (Holds::Space | Holds::Faction | Holds::Card | Holds::Design, Value::Nil) => 0,
            (Holds::Space, Value::Space(id)) => id.index() + 1,
            (Holds::Faction, Value::Faction(id)) => id.index() + 1,
            (Holds::Card, Value::Card(id)) => id.index() + 1,
            (Holds::Design, Value::Design(id)) => id.index() + 1,
            (_, value) => {
                let id = &self.catalog.counters[counter.index()].id;
                return Err(RuleError(format!("counter `{id}` cannot hold {}", value.type_name())));
            }
        };
        let slot = self.slot(counter, owner)?;
        self.write(counter, slot, owner, index as i32);
        Ok(())
    }
}
