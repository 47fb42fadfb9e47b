//! What the verbs of one machine share: the table while a hook runs, the hooks that are under way, what scripts wait for.

pub mod context;
pub mod facts;
pub mod hooks;
pub mod running;
pub mod selves;
pub mod spelling;
pub mod suspension;
pub mod values;
pub mod vm;
pub mod watch;
