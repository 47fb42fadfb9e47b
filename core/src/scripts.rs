//! The interface between the kernel and scripts. The kernel knows no script language: a host implements [`Scripts`].

use crate::ids::*;
pub use crate::state::Reply;
use crate::state::{Decision, DecisionOption, FightOrder, LiveHook, MoveOrder, Table};

/// Why a script failed. The game is as it was before the answer that caused the failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ScriptError {
    /// The error message.
    pub message: String,
    /// The probable name, if a name was wrong. The message contains it too.
    pub suggestion: Option<String>,
    /// The script file, if a line of it is responsible.
    pub file: Option<String>,
    /// Line in the file, from 1.
    pub line: Option<u32>,
    /// The script calls that led to the error, innermost first. Empty if the error was not raised by a running script.
    pub trace: Vec<ScriptCall>,
    /// The hook that was running, if known.
    pub hook: Option<HookId>,
    /// The kind of failure. Decide by it, never by the message.
    pub kind: ScriptErrorKind,
    /// The steps of the call until it failed; 0 if there was no call.
    pub steps: u64,
}

/// An active script call at the time of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptCall {
    /// The name of the function; `None` if it is anonymous or the main part of a module.
    pub function: Option<String>,
    /// The script file.
    pub file: String,
    /// The current line.
    pub line: CallLine,
}

/// The line of a function that runs. Lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallLine {
    /// This line.
    Exact(u32),
    /// A line of the function that begins here. The function makes the same call in several places.
    Within(u32),
}

/// The kinds of script failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptErrorKind {
    /// The script raised an error or misused the API.
    Runtime,
    /// The step budget ran out.
    Steps,
    /// The memory limit was hit.
    Memory,
    /// A query hook tried to change the world or to ask for a decision.
    Impure,
    /// The whole game took too many answers or steps.
    Game,
    /// The kernel could not continue: for example, the flow never asks for a decision.
    Flow,
}

impl ScriptError {
    /// A failure of the flow, not of one script.
    pub fn flow(message: impl Into<String>) -> Self {
        ScriptError {
            message: message.into(),
            suggestion: None,
            file: None,
            line: None,
            trace: Vec::new(),
            hook: None,
            kind: ScriptErrorKind::Flow,
            steps: 0,
        }
    }
}

/// The progress of a script.
#[derive(Debug)]
pub enum Step {
    /// It is finished.
    Done,
    /// It waits for an answer. The options are those of the script. The kernel merges equal ones, and answers at once
    /// if there is at most one (see [`Decision::always`]).
    Ask(Decision),
    /// It waits for a movement.
    Move(MoveOrder),
    /// It waits for a battle.
    Fight(FightOrder),
}

/// A script host. One host serves many games; the suspended scripts of a game are in its `Live`.
pub trait Scripts: Clone {
    /// The suspended scripts of one game: a cache that can be rebuilt and is never saved.
    type Live: Default;

    /// Starts an effect hook as frame `frame`, and runs it until it waits or is done.
    fn start(
        &self,
        live: &mut Self::Live,
        frame: u32,
        hook: LiveHook,
        args: &[Value],
        table: &mut Table,
    ) -> Result<Step, ScriptError>;

    /// Resumes frame `frame`, which waited for `reply`, until it waits again or is done. A host whose scripts never wait
    /// does without.
    fn resume(
        &self,
        _live: &mut Self::Live,
        _frame: u32,
        _reply: &Reply,
        _table: &mut Table,
    ) -> Result<Step, ScriptError> {
        Err(ScriptError::flow("no script of this host waits"))
    }

    /// Lists the options of the decision of frame `frame` again; `None` if the script gave a fixed list.
    fn reopen(
        &self,
        _live: &mut Self::Live,
        _frame: u32,
        _table: &mut Table,
    ) -> Result<Option<Vec<DecisionOption>>, ScriptError> {
        Ok(None)
    }

    /// Runs all live query hooks of a point over a value and returns the result. Without hooks, that is the value.
    fn query(&self, _point: HookPointId, value: i32, _args: &[Value], _table: &mut Table) -> Result<i32, ScriptError> {
        Ok(value)
    }

    /// Calls a function that lists options and changes nothing.
    fn options(&self, _hook: HookId, _args: &[Value], _table: &mut Table) -> Result<Vec<DecisionOption>, ScriptError> {
        Err(ScriptError::flow("no function of this host lists options"))
    }

    /// The steps of all calls so far. The same calls take the same steps on every machine. 0 if steps are not counted.
    fn steps(&self) -> u64 {
        0
    }

    /// The most steps of one call since the last call of this function.
    fn take_most_steps(&self) -> u64 {
        0
    }

    /// Switches whether scripts start without anything of other games in memory. Returns false if that makes no
    /// difference.
    fn seclude(&self, _on: bool) -> bool {
        false
    }
}
