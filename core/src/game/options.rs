//! Lists options: of decisions that phases and scripts have opened, and of asides.

use super::game::Game;
use crate::catalog::{Offer, SpaceFilter};
use crate::ids::*;
use crate::scripts::{ScriptError, Scripts};
use crate::state::{Decision, DecisionOption, merge_equal};

impl<S: Scripts> Game<S> {
    /// Lists the options of a decision again. `before` is the phase that asks, if its script has not started.
    pub(super) fn list_again(
        &mut self,
        script: u32,
        decision: &mut Decision,
        before: Option<PhaseId>,
    ) -> Result<(), ScriptError> {
        let Some(phase) = before else {
            if let Some(options) = self.scripts.reopen(&mut self.live, script, &mut self.table)? {
                decision.options = options;
                merge_equal(&mut decision.options, &self.table.catalog);
            }
            return Ok(());
        };
        let asked = self.table.catalog.phases[phase.index()].decision;
        decision.options = match asked.map(|asked| asked.offer) {
            Some(Offer::Spaces { filter, own_home, own_control, beside }) => {
                let home = own_home.then_some(decision.seat);
                let controller = own_control.then_some(decision.seat);
                self.listed_spaces(decision.seat, SpaceFilter { home, controller, ..filter }, beside)?
            }
            Some(Offer::Script(hook)) => self.listed(hook, decision.seat)?,
            None => return Err(ScriptError::flow("a phase lost its decision")),
        };
        Ok(())
    }

    /// The spaces that match a filter and, if a counter is given, are neighbors of the space that it holds for a seat.
    fn listed_spaces(
        &self,
        seat: SeatId,
        mut filter: SpaceFilter,
        beside: Option<CounterId>,
    ) -> Result<Vec<DecisionOption>, ScriptError> {
        // Enough room for most lists.
        let mut options = Vec::with_capacity(16);
        if let Some(counter) = beside {
            let held = self.table.value(counter, Value::Faction(seat));
            match held.map_err(|error| ScriptError::flow(error.0))? {
                Value::Space(space) => filter.beside = Some(space),
                // If the counter holds nothing, no space matches.
                _ => return Ok(options),
            }
        }
        options.extend(self.table.find_spaces(&filter).map(|space| DecisionOption::value(Value::Space(space))));
        Ok(options)
    }

    /// The options that a script lists for a seat, for another script that receives the seat and the option. Of options
    /// that look the same, only one is kept.
    pub(super) fn listed(&mut self, hook: HookId, seat: SeatId) -> Result<Vec<DecisionOption>, ScriptError> {
        let mut options = self.scripts.options(hook, &[Value::Faction(seat)], &mut self.table)?;
        let fits = |option: &DecisionOption| 1 + usize::from(option.verb.is_some()) + option.args.len() <= Args::MOST;
        match options.iter().find(|option| !fits(option)) {
            None => {
                merge_equal(&mut options, &self.table.catalog);
                Ok(options)
            }
            Some(option) => {
                let key = option.key(&self.table.catalog);
                let message = format!("the option `{key}` has too many values: a keyword takes at most two here");
                Err(ScriptError { hook: Some(hook), ..ScriptError::flow(message) })
            }
        }
    }
}
