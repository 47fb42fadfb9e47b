//! Messages about references to something that does not exist.

use principes_findings::{Code, listing, suggestion, with_article};
use principes_schemas::{Family, ReferenceKind};

use crate::ids::Ids;
use crate::pointer::MemberPart;
use crate::violation::Violation;

/// Words a violation: a reference to something that does not exist.
pub(crate) fn unresolved(ids: &Ids, reference: ReferenceKind, text: &str, pointer: &str) -> Violation {
    let violation = |code, message| Violation::new(code, pointer, MemberPart::Value, message);
    if let Some(violation) = of_another_family(ids, reference, text, pointer) {
        return violation;
    }
    match reference {
        ReferenceKind::Script => {
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
        ReferenceKind::Value => {
            let (prefix, id) = text.split_once(':').unwrap_or(("", text));
            match Family::of_value(prefix) {
                Some(family) => {
                    let near = suggestion(id, ids.of(family.key()));
                    let near = near.map(|near| near.clone().write(format!("{prefix}:{}", near.name)));
                    violation(Code::UnknownReference, format!("unknown {prefix} `{id}`"))
                        .lacking(family.key(), id)
                        .suggest(near, || listed(ids, family))
                }
                None => {
                    let near = suggestion(prefix, Family::with_handles().map(Family::singular));
                    let near = near.map(|near| near.clone().of_program().write(format!("{}:{id}", near.name)));
                    violation(Code::UnknownReference, format!("unknown kind of reference `{prefix}:`"))
                        .suggest(near, || Some(format!("write {}, and an id", prefixes())))
                }
            }
        }
        ReferenceKind::Entity(family) => {
            violation(Code::UnknownReference, format!("unknown {} `{text}`", family.noun()))
                .lacking(family.key(), text)
                .suggest(suggestion(text, ids.of(family.key())), || listed(ids, family))
        }
        ReferenceKind::Alias(alias) => {
            let all = alias.families.iter().flat_map(|family| ids.of(family.key())).chain(alias.word);
            violation(Code::UnknownReference, format!("unknown {} `{text}`", reference.noun()))
                .lacking(lacked(reference), text)
                .suggest(suggestion(text, all), || None)
        }
    }
}

/// What stands before the ids of values, as a list: `` `faction:`, `space:` or `card:` ``.
fn prefixes() -> String {
    let all: Vec<String> = Family::with_handles().map(|family| format!("`{}:`", family.singular())).collect();
    let (last, others) = all.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
    format!("{} or {last}", others.join(", "))
}

/// What a reference without a target lacks: an entity of one family, or of any of several.
fn lacked(reference: ReferenceKind) -> &'static str {
    match reference.families() {
        [family] => family.key(),
        _ => reference.key(),
    }
}

/// Words a violation: an id that exists, but in another family.
fn of_another_family(ids: &Ids, reference: ReferenceKind, text: &str, pointer: &str) -> Option<Violation> {
    let (needed, id, meant) = match (reference, text.split_once(':')) {
        (ReferenceKind::Script, _) => return None,
        // A misspelled prefix says more.
        (ReferenceKind::Value, at) => {
            let (prefix, id) = at?;
            let family = Family::of_value(prefix)?;
            (prefix.to_owned(), id, ReferenceKind::Entity(family))
        }
        _ => (reference.noun(), text, reference),
    };
    // Pins only count things. Many have the name of what they count.
    let families = Family::ALL.iter().filter(|family| **family != Family::Pins);
    let found = families.filter(|family| ids.has_surely(family.key(), id));
    let found: Vec<String> = found.map(|family| with_article(family.noun())).collect();
    if found.is_empty() {
        return None;
    }
    let message = format!("`{id}` is {}; {} is needed", found.join(" and "), with_article(&needed));
    let help = match meant {
        ReferenceKind::Entity(family) => {
            listed(ids, family).or_else(|| Some(format!("`principes show --list {}` lists them", family.key())))
        }
        _ => None,
    };
    let violation = Violation::new(Code::UnknownReference, pointer, MemberPart::Value, message).maybe_help(help);
    Some(violation.lacking(lacked(meant), id))
}

fn listed(ids: &Ids, family: Family) -> Option<String> {
    let known: Vec<&str> = ids.of(family.key()).collect();
    match known.len() {
        0 => Some(format!("no pack declares any {}", family.key())),
        1..=8 => Some(format!("there are {}", listing(&known))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use principes_findings::Subject;

    use super::*;

    fn told(reference: &str, text: &str) -> Violation {
        let mut ids = Ids::default();
        ids.add("spaces", "ford");
        ids.add("zones", "deck");
        unresolved(&ids, ReferenceKind::of(reference).expect("a reference"), text, "/x")
    }

    #[test]
    fn the_help_lists_everything_that_a_value_may_name() {
        let help = told("values", "xyzzy:deck").help.expect("some help");
        assert_eq!(help, "write `faction:`, `space:`, `kind:`, `counter:`, `zone:` or `card:`, and an id");
    }

    /// A patch that removes a space finds all that name it by what they lack.
    #[test]
    fn a_place_lacks_a_space() {
        let lacked = |text| told("places", text).missing;
        assert_eq!(lacked("fort"), Some(Subject::missing("spaces", "fort")));
        assert_eq!(lacked("deck"), Some(Subject::missing("spaces", "deck")));
        assert_eq!(told("owners", "fort").missing, Some(Subject::missing("owners", "fort")));
    }
}
