//! Describes failures of a game in one sentence with a location.

use principes_core::scripts::ScriptError;
use principes_core::{AnswerError, StartError};

/// A script failure with its location.
pub fn script_failure(error: &ScriptError) -> String {
    match (&error.file, error.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", error.message),
        (Some(file), None) => format!("{file}: {}", error.message),
        _ => error.message.clone(),
    }
}

/// Why an answer was refused. A script failure has a location.
pub fn answer_failure(error: &AnswerError) -> String {
    match error {
        AnswerError::Script(error) => script_failure(error),
        other => other.to_string(),
    }
}

/// Why a game could not be started. A script failure has a location.
pub fn start_failure(error: &StartError) -> String {
    match error {
        StartError::Script(error) => script_failure(error),
        other => other.to_string(),
    }
}
