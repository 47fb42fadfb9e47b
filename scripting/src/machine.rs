//! A Lua machine, independent of what runs in it: calls past mlua, budgets, the library for scripts, modules and names.
//! It does not know verbs and hooks.
//!
//! The dangerous parts of the standard library are removed by name or replaced by bounded versions. Each hook call has
//! a step budget, which a script cannot reset. Each game has a budget as well, and memory is limited.
//!
//! The steps of a call depend only on the code that it runs. Luau counts loop iterations, calls and returns. Everything
//! else that takes long costs steps or is bounded: straight-line code has a weight, new strings cost steps and have a
//! greatest length, walking through a table costs steps for its slots, and an inlined call is charged to its caller.
//! The bound of a loop is hidden from the compiler, so that it unrolls no loop.
//!
//! Whether memory runs out depends on other games in the same machine, so the kernel does not trust that error: it
//! rebuilds the game alone in a machine and runs the call again (`Scripts::seclude`). The tables of a module are frozen
//! once it is loaded, and a module cannot call its own functions while it loads, so nothing that a script can write to
//! outlives a call. A table or function cannot be a key of a table, so every loop over a table has the same order on
//! every machine.

pub mod budget;
pub mod library;
pub mod modules;
pub mod names;
pub mod numerals;
pub mod raw;
pub mod steps;
pub mod vetting;
pub mod wire;
