//! Twins of packs in plain Rust: the same rules without packs, scripts, events, saves or limits. `tests/twins.rs`
//! compares them with the packs state by state, `benches/twins.rs` compares what they cost.

pub mod arena;
pub mod connect_four;
pub mod war;
