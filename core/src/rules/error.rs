//! The error of an operation that makes no sense.

/// An operation that makes no sense, which is the fault of the script that asked for it. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleError(pub String);

impl RuleError {
    /// An error with a message.
    pub fn new(message: impl Into<String>) -> Self {
        RuleError(message.into())
    }
}
