//! Messages about references to something that does not exist.

use principes_findings::{Code, listing, singular, suggestion, with_article};
use principes_schemas::Family;

use crate::ids::{Ids, PROP_FAMILIES, prop_family};
use crate::pointer::MemberPart;
use crate::violation::Violation;

/// Words a violation: a reference to something that does not exist.
pub(crate) fn unresolved(ids: &Ids, family: &str, text: &str, pointer: &str) -> Violation {
    let violation = |code, message| Violation::new(code, pointer, MemberPart::Value, message);
    if let Some(violation) = of_another_family(ids, family, text, pointer) {
        return violation;
    }
    match family {
        "scripts" => {
            let (module, function) = text.rsplit_once('.').unwrap_or((text, ""));
            if let Some(there) = ids.of("scripts").find(|there| there.eq_ignore_ascii_case(module)) {
                let message = format!("unknown script module `{module}`: on disk, the file is `{there}.lua`");
                return violation(Code::UnknownModule, message)
                    .maybe_help(Some(format!("rename it to `{module}.lua`")));
            }
            let near = suggestion(module, ids.of("scripts"));
            let near = near.map(|near| near.clone().write(format!("{}.{function}", near.name)));
            violation(Code::UnknownModule, format!("unknown script module `{module}`"))
                .suggest(near, || Some(format!("add the function to {module}.lua")))
        }
        "values" => {
            let (prefix, id) = text.split_once(':').unwrap_or(("", text));
            match prop_family(prefix) {
                Some(family) => {
                    let near = suggestion(id, ids.of(family));
                    let near = near.map(|near| near.clone().write(format!("{prefix}:{}", near.name)));
                    violation(Code::UnknownReference, format!("unknown {prefix} `{id}`"))
                        .lacking(family, id)
                        .suggest(near, || listed(ids, family))
                }
                None => {
                    let near = suggestion(prefix, PROP_FAMILIES.iter().map(|(prefix, _)| *prefix));
                    let near = near.map(|near| near.clone().of_program().write(format!("{}:{id}", near.name)));
                    violation(Code::UnknownReference, format!("unknown kind of reference `{prefix}:`"))
                        .suggest(near, || {
                            Some("write `space:`, `faction:`, `kind:`, `card:` or `counter:`, and an id".to_owned())
                        })
                }
            }
        }
        "owners" => {
            let all = ["factions", "spaces", "cards"].into_iter().flat_map(|family| ids.of(family));
            violation(Code::UnknownReference, format!("unknown faction, space or card `{text}`"))
                .lacking("owners", text)
                .suggest(suggestion(text, all), || None)
        }
        "performers" => {
            let all = ["cards", "rules"].into_iter().flat_map(|family| ids.of(family));
            violation(Code::UnknownReference, format!("unknown card or rule `{text}`"))
                .lacking("performers", text)
                .suggest(suggestion(text, all), || None)
        }
        "places" => {
            let near = suggestion(text, ids.of("spaces").chain(["map"]));
            violation(Code::UnknownReference, format!("unknown space `{text}`"))
                .lacking("spaces", text)
                .suggest(near, || None)
        }
        _ => violation(Code::UnknownReference, format!("unknown {} `{text}`", singular(family)))
            .lacking(family, text)
            .suggest(suggestion(text, ids.of(family)), || listed(ids, family)),
    }
}

/// Words a violation: an id that exists, but in another family.
fn of_another_family(ids: &Ids, family: &str, text: &str, pointer: &str) -> Option<Violation> {
    let (needed, id) = match (family, text.split_once(':')) {
        ("scripts", _) => return None,
        ("owners", _) => ("faction, space or card", text),
        ("performers", _) => ("card or rule", text),
        ("places", _) => ("space", text),
        ("values", Some((prefix, id))) => (prefix, id),
        _ => (singular(family), text),
    };
    // A misspelled prefix says more.
    if family == "values" && prop_family(needed).is_none() {
        return None;
    }
    // Pins only count things. Many have the name of what they count.
    let families = Family::ALL.iter().filter(|family| **family != Family::Pins);
    let found = families.map(|family| family.key()).filter(|family| ids.has_surely(family, id));
    let found: Vec<String> = found.map(|family| with_article(singular(family))).collect();
    if found.is_empty() {
        return None;
    }
    let message = format!("`{id}` is {}; {} is needed", found.join(" and "), with_article(needed));
    let family = if family == "values" { prop_family(needed).unwrap_or(family) } else { family };
    let help = listed(ids, family).unwrap_or_else(|| format!("`principes show --list {family}` lists them"));
    let help = Some(help).filter(|_| Family::with_key(family).is_some());
    let violation = Violation::new(Code::UnknownReference, pointer, MemberPart::Value, message).maybe_help(help);
    Some(violation.lacking(family, id))
}

fn listed(ids: &Ids, family: &str) -> Option<String> {
    let known: Vec<&str> = ids.of(family).collect();
    match known.len() {
        0 => Some(format!("no pack declares any {family}")),
        1..=8 => Some(format!("there are {}", listing(&known))),
        _ => None,
    }
}
