//! The studio in a real browser: games with the mouse and with the keyboard, edits, hostile packs, and who gets to know
//! what. Without Chromium these tests fail: `.ci/packages` installs it.
#![allow(clippy::unwrap_used, missing_docs)]

mod chromium;
mod edits;
mod games;
mod harness;
mod page;
mod screenshots;
mod secrets;
mod table;
mod workbench;
