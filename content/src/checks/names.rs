//! Names in scripts: constants, decisions, hook points, modules and messages that are written as literals.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, Span, suggestion};
use crate::merge::{Merged, ScriptFile};
use crate::scripts::{constants, literal_arguments, tokens};
use crate::validate::singular;

pub fn check(merged: &Merged, findings: &mut Vec<Diagnostic>) {
    let logged = message_keys(merged, "log.");
    let causes = message_keys(merged, "outcome.");
    for script in &merged.scripts {
        let tokens = tokens(&script.text);
        for (table, name, place) in constants(&tokens) {
            constant(merged, script, table, name, place, findings);
        }
        for (function, at, literal, place) in literal_arguments(&tokens) {
            match (function, at) {
                ("choose" | "confirm", 1) => id(merged, script, "decisions", literal, place, findings),
                ("query" | "trigger", 0) | ("perform" | "listens", 1) => {
                    id(merged, script, "points", literal, place, findings)
                }
                ("import", 0) if !merged.ids.has("scripts", literal) => {
                    findings.push(
                        finding("P0301", script, place, format!("there is no script module `{literal}`"))
                            .help(format!("a module is a file: scripts/{literal}.lua"))
                            .suggest(suggestion(literal, merged.ids.of("scripts"))),
                    );
                }
                ("log", 0) => message(script, "log.", literal, place, &logged, findings),
                ("win", 1) | ("draw_game", 0) => message(script, "outcome.", literal, place, &causes, findings),
                _ => {}
            }
        }
    }
}

fn message_keys<'m>(merged: &'m Merged, prefix: &str) -> BTreeSet<&'m str> {
    merged.messages.iter().filter_map(|entry| entry.key.strip_prefix(prefix)).collect()
}

fn finding(code: &'static str, script: &ScriptFile, place: Range<usize>, message: String) -> Diagnostic {
    Diagnostic::new(code, &script.file, message).at(&script.text, Span::new(&script.text, place))
}

fn constant(
    merged: &Merged,
    script: &ScriptFile,
    table: &str,
    name: &str,
    place: Range<usize>,
    findings: &mut Vec<Diagnostic>,
) {
    let family = match table {
        "design" => "cards",
        "faction" => "factions",
        "space" => "spaces",
        "kind" => "kinds",
        "zone" => "zones",
        _ => "counters",
    };
    let lua_name = |id: &str| id.replace(['-', '.'], "_");
    let known: Vec<String> = merged.ids.of(family).map(lua_name).collect();
    if known.iter().any(|known| known == name) || merged.ids.unsure.iter().any(|id| lua_name(id) == name) {
        return;
    }
    let what = if table == "design" { "card" } else { singular(family) };
    findings.push(
        finding("P0305", script, place, format!("`{table}.{name}` names no {what}"))
            .help("constants are ids with `_` for `-` and `.`")
            .suggest(suggestion(name, known.iter().map(String::as_str))),
    );
}

fn id(
    merged: &Merged,
    script: &ScriptFile,
    family: &str,
    literal: &str,
    place: Range<usize>,
    findings: &mut Vec<Diagnostic>,
) {
    if merged.ids.has(family, literal) {
        return;
    }
    let what = singular(family);
    findings.push(
        finding("P0306", script, place, format!("there is no {what} `{literal}`"))
            .help(format!("declare it in a file of `{family}`"))
            .suggest(suggestion(literal, merged.ids.of(family))),
    );
}

fn message(
    script: &ScriptFile,
    prefix: &str,
    literal: &str,
    place: Range<usize>,
    known: &BTreeSet<&str>,
    findings: &mut Vec<Diagnostic>,
) {
    if known.contains(literal) {
        return;
    }
    findings.push(
        finding("P0307", script, place, format!("there is no message `{prefix}{literal}`"))
            .help(format!("add `{prefix}{literal}` to the messages of every language"))
            .suggest(suggestion(literal, known.iter().copied())),
    );
}
