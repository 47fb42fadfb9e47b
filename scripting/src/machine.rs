//! A Lua machine, independent of what runs in it: calls past mlua, budgets, the library for scripts, modules and names.
//! It does not know verbs and hooks.

pub mod budget;
pub mod library;
pub mod modules;
pub mod names;
pub mod numerals;
pub mod raw;
pub mod steps;
pub mod vetting;
pub mod wire;
