//! Why a step of a scenario could not be made.

use std::fmt;

use principes_core::catalog::Catalog;
use principes_core::scripts::ScriptError;
use principes_core::{AnswerError, StartError};

use crate::hooks::hook_name;

/// Why a step could not be made, or an expectation does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepError {
    /// The reason, in words.
    pub message: String,
    /// The script failure that caused it.
    pub script: Option<Box<ScriptError>>,
}

/// What a step gives, or why it could not be taken.
pub(crate) type StepResult<T> = Result<T, StepError>;

impl StepError {
    /// The error with its reason in a longer sentence.
    pub fn reworded(self, tell: impl FnOnce(&str) -> String) -> Self {
        StepError { message: tell(&self.message), ..self }
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<String> for StepError {
    fn from(message: String) -> Self {
        StepError { message, script: None }
    }
}
impl From<&str> for StepError {
    fn from(message: &str) -> Self {
        StepError::from(message.to_owned())
    }
}

/// A script failure with its place.
pub(crate) fn script_error(catalog: &Catalog, error: ScriptError) -> StepError {
    let place = match (&error.file, error.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: "),
        (Some(file), None) => format!("{file}: "),
        _ => String::new(),
    };
    let hook = error.hook.map_or_else(String::new, |hook| format!(" (in {})", hook_name(catalog, hook)));
    StepError { message: format!("{place}{}{hook}", error.message), script: Some(Box::new(error)) }
}

pub(crate) fn start_error(catalog: &Catalog, error: StartError) -> StepError {
    match error {
        StartError::Script(error) => script_error(catalog, error),
        other => other.to_string().into(),
    }
}

pub(crate) fn answer_error(catalog: &Catalog, error: AnswerError) -> StepError {
    match error {
        AnswerError::Script(error) => script_error(catalog, error),
        other => other.to_string().into(),
    }
}

/// The keys of options on one line.
pub(crate) fn list(keys: &[String]) -> String {
    if keys.is_empty() {
        return "none".to_owned();
    }
    keys.iter().map(|key| format!("[{key}]")).collect::<Vec<_>>().join(" ")
}
