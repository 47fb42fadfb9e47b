//! The studio in a real browser: games with the mouse and with the keyboard, edits, hostile packs, and what each seat
//! can learn. These tests need Chromium, which `.ci/packages` installs.
#![allow(clippy::unwrap_used, missing_docs)]

mod audit;
mod chromium;
mod desk;
mod edits;
mod games;
mod harness;
mod hostile;
mod layout;
mod lobby;
mod page;
mod plays;
mod rules;
mod screenshots;
mod secrets;
mod table;
mod workbench;
