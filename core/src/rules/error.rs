//! The error of an invalid operation.

/// An invalid operation, which a script requested. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleError(pub String);

impl RuleError {
    /// An error with a message.
    pub fn new(message: impl Into<String>) -> Self {
        RuleError(message.into())
    }
}
