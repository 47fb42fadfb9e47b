//! References that lead nowhere, in words.

use principes_findings::{Code, listing, singular, suggestion};

use crate::ids::{Ids, PROP_FAMILIES, prop_family};
use crate::issue::Issue;
use crate::pointer::MemberPart;

/// An issue with the text of a reference that leads nowhere.
pub(crate) fn unresolved(ids: &Ids, family: &str, text: &str, pointer: &str) -> Issue {
    let issue = |code, message| Issue::new(code, pointer, MemberPart::Value, message);
    match family {
        "scripts" => {
            let (module, function) = text.rsplit_once('.').unwrap_or((text, ""));
            let near = suggestion(module, ids.of("scripts"));
            let near = near.map(|near| near.clone().write(format!("{}.{function}", near.name)));
            issue(Code::UnknownModule, format!("unknown script module `{module}`"))
                .suggest(near, || Some(format!("add the function to {module}.lua")))
        }
        "values" => {
            let (prefix, id) = text.split_once(':').unwrap_or(("", text));
            match prop_family(prefix) {
                Some(family) => {
                    let near = suggestion(id, ids.of(family));
                    let near = near.map(|near| near.clone().write(format!("{prefix}:{}", near.name)));
                    issue(Code::UnknownReference, format!("unknown {prefix} `{id}`"))
                        .lacking(family, id)
                        .suggest(near, || listed(ids, family))
                }
                None => {
                    let near = suggestion(prefix, PROP_FAMILIES.iter().map(|(prefix, _)| *prefix));
                    let near = near.map(|near| near.clone().write(format!("{}:{id}", near.name)));
                    issue(Code::UnknownReference, format!("`{prefix}:` does not start a reference")).suggest(
                        near,
                        || {
                            Some(
                                "a reference is `space:`, `faction:`, `kind:`, `card:` or `counter:` with an id"
                                    .to_owned(),
                            )
                        },
                    )
                }
            }
        }
        "owners" => {
            let all = ["factions", "spaces", "cards"].into_iter().flat_map(|family| ids.of(family));
            issue(Code::UnknownReference, format!("unknown faction, space or card `{text}`"))
                .lacking("owners", text)
                .suggest(suggestion(text, all), || None)
        }
        "performers" => {
            let all = ["cards", "rules"].into_iter().flat_map(|family| ids.of(family));
            issue(Code::UnknownReference, format!("unknown card or rule `{text}`"))
                .lacking("performers", text)
                .suggest(suggestion(text, all), || None)
        }
        "places" => {
            let near = suggestion(text, ids.of("spaces").chain(["map"]));
            issue(Code::UnknownReference, format!("unknown space `{text}`"))
                .lacking("spaces", text)
                .suggest(near, || None)
        }
        _ => issue(Code::UnknownReference, format!("unknown {} `{text}`", singular(family)))
            .lacking(family, text)
            .suggest(suggestion(text, ids.of(family)), || listed(ids, family)),
    }
}

fn listed(ids: &Ids, family: &str) -> Option<String> {
    let known: Vec<&str> = ids.of(family).collect();
    match known.len() {
        0 => Some(format!("no pack declares any {family}")),
        1..=8 => Some(format!("there are {}", listing(&known))),
        _ => None,
    }
}
