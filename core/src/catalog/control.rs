//! Control of spaces: how it ends and what it is worth.

use crate::ids::{CounterId, KindId};

/// How spaces are controlled, beyond the rules of the kernel.
#[derive(Clone, Debug, Default)]
pub struct ControlRule {
    /// A piece of this kind on a space without units ends the control that its home faction would have.
    pub blocked_by: Option<KindId>,
}

/// Points that are gained and lost with control of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlScore {
    /// A stored counter with [`Scope::Faction`](super::Scope::Faction). The controller's value changes.
    pub counter: CounterId,
    /// The points gained. The counter's bounds and supply may allow fewer.
    pub amount: i32,
}
