//! The data that the verbs of one machine share: the table while a hook runs, the running hooks, the requests of
//! scripts.

pub mod context;
pub mod facts;
pub mod hooks;
pub mod running;
pub mod selves;
pub mod spelling;
pub mod suspension;
pub mod trace;
pub mod values;
pub mod vm;
pub mod watch;
