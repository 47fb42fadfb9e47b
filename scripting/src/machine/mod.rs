//! One Lua machine, whatever runs in it: calls past mlua, budgets, the library scripts have, modules and names. It knows
//! nothing of verbs and hooks.

pub mod budget;
pub mod library;
pub mod modules;
pub mod names;
pub mod numerals;
pub mod raw;
pub mod steps;
pub mod vetting;
pub mod wire;
