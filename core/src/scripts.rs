//! The door through which the kernel calls scripts. The kernel knows no language: a host implements [`Scripts`].

use crate::ids::*;
pub use crate::state::Reply;
use crate::state::{Decision, DecisionOption, FightOrder, LiveHook, MoveOrder, Table};

/// Why a script failed. The game is as it was before the answer that led here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ScriptError {
    /// What failed, for people.
    pub message: String,
    /// What was probably meant, where a name was wrong. The message says it, too.
    pub suggestion: Option<String>,
    /// The file of the script as the pack names it, if a line of it is to blame.
    pub file: Option<String>,
    /// Line in the file, from 1.
    pub line: Option<u32>,
    /// The calls in scripts that led there, the innermost first. Empty where the error was not raised by a running script.
    pub trace: Vec<ScriptFrame>,
    /// The hook that was running, if known.
    pub hook: Option<HookId>,
    /// The kind of failure; decide by it, never by the message.
    pub kind: ScriptErrorKind,
    /// Steps that the call took until it failed; 0 if no call did.
    pub steps: u64,
}

/// A call in a script that was under way when an error was raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFrame {
    /// Name of the function; none if it has no name of its own, or for the main part of a module.
    pub function: Option<String>,
    /// File of the script, as the pack names it.
    pub file: String,
    /// The line that was running, from 1.
    pub line: u32,
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
    /// A query hook tried to change the world or to ask.
    Impure,
    /// The whole game took more answers or steps than a game may.
    Game,
    /// The kernel could not continue (a flow that never asks, a frame where none may be).
    Flow,
}

impl ScriptError {
    /// A failure of the flow rather than of one script.
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

/// How far a script has come.
#[derive(Debug)]
pub enum Step {
    /// It is finished.
    Done,
    /// It waits for an answer. The options are as the script gave them: the kernel merges equal ones, and answers at
    /// once if there is none or just one (see [`Decision::always`]).
    Ask(Decision),
    /// It waits for a movement.
    Move(MoveOrder),
    /// It waits for a battle.
    Fight(FightOrder),
}

/// A script host. One host serves many games; what is suspended in one game lives in that game's `Live`.
pub trait Scripts: Clone {
    /// The suspended scripts of one game: a cache that can be rebuilt and is never saved.
    type Live: Default;

    /// Starts an effect hook as frame `frame` and runs it until it waits or is done.
    fn start(
        &self,
        live: &mut Self::Live,
        frame: u32,
        hook: LiveHook,
        args: &[Value],
        table: &mut Table,
    ) -> Result<Step, ScriptError>;

    /// Goes on with frame `frame`, which waited for `reply`, until it waits again or is done.
    fn resume(&self, live: &mut Self::Live, frame: u32, reply: &Reply, table: &mut Table) -> Result<Step, ScriptError>;

    /// Lists again the options of the decision that frame `frame` waits for; `None` if the script gave a fixed list.
    fn reopen(
        &self,
        live: &mut Self::Live,
        frame: u32,
        table: &mut Table,
    ) -> Result<Option<Vec<DecisionOption>>, ScriptError>;

    /// Runs all live query hooks of a point over a value and gives the result.
    fn query(&self, point: HookPointId, value: i32, args: &[Value], table: &mut Table) -> Result<i32, ScriptError>;

    /// Calls a function that lists options and changes nothing.
    fn options(&self, hook: HookId, args: &[Value], table: &mut Table) -> Result<Vec<DecisionOption>, ScriptError>;

    /// Steps that all calls took so far; the same calls take the same steps everywhere. 0 if steps are not counted.
    fn steps(&self) -> u64 {
        0
    }

    /// The most steps that one call took since this was last asked.
    fn take_most_steps(&self) -> u64 {
        0
    }

    /// Says that from here on scripts start with nothing of other games in memory, or no longer so. Returns false if that
    /// makes no difference.
    fn seclude(&self, _on: bool) -> bool {
        false
    }
}
