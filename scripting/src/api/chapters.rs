//! The chapters of the script API, in the order of the reference.

use crate::api::chapter::Chapter;
use crate::api::entry::Entry;
use crate::api::{
    battle, cards, choices, counters, entities, game, hooks, lists, pieces, procedures, seats, spaces, tiles,
};

/// In the order of the reference.
pub(crate) static CHAPTERS: [&Chapter; 13] = [
    &counters::CHAPTER,
    &spaces::CHAPTER,
    &pieces::CHAPTER,
    &cards::CHAPTER,
    &entities::CHAPTER,
    &seats::CHAPTER,
    &choices::CHAPTER,
    &hooks::CHAPTER,
    &tiles::CHAPTER,
    &procedures::CHAPTER,
    &battle::CHAPTER,
    &game::CHAPTER,
    &lists::CHAPTER,
];

/// All verbs of the API, by chapter.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    CHAPTERS.iter().flat_map(|chapter| chapter.verbs)
}

/// The strings that verbs themselves use: names of fields, and keywords that are values of fields.
pub(crate) fn own_texts() -> impl Iterator<Item = &'static str> {
    let tables = entries().flat_map(|entry| entry.params).filter_map(|param| match param.ty {
        crate::types::Ty::Fields(fields) => Some(fields),
        _ => None,
    });
    tables.flatten().flat_map(|field| field.ty.texts().iter().chain([&field.name])).copied()
}

/// The Lua parts of all verbs, as one text.
pub(crate) fn lua_parts() -> String {
    let mut text = "local host, api = ...\n".to_owned();
    for entry in entries() {
        if let Some(lua) = entry.lua {
            text.extend(["api[\"", entry.name, "\"] = (function()\n", lua, "\nend)()\n"]);
        }
    }
    text
}
