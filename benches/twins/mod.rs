//! Twins of packs: the same rules in plain Rust, without packs, scripts, events, saves or limits; and for the synthetic
//! game toy44, a plain loop around its hooks in Luau. `tests/it/twins.rs` compares them with the packs state by state;
//! `benches/twins.rs` compares their speed.

pub mod arena;
pub mod connect_four;
pub mod toy44;
pub mod war;
