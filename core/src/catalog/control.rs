//! Control of spaces: what ends it and what it is worth.

use crate::ids::{CounterId, KindId};

/// How spaces are controlled, beyond what the kernel does in every game.
#[derive(Clone, Debug, Default)]
pub struct ControlRule {
    /// A piece of this kind on a space without units ends the control that its home faction would have.
    pub blocked_by: Option<KindId>,
}

/// Points that come and go with control of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlScore {
    /// A stored counter with [`Scope::Faction`](super::Scope::Faction); the controller's value changes.
    pub counter: CounterId,
    /// Points gained; the counter's bounds and supply may allow fewer.
    pub amount: i32,
}
