//! Validation: which values fit their schemas, and which references name something.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Keyword, ValidationError, Validator};
use principes_findings::{Code, Suggestion};
use principes_schemas::{Family, ReferenceKind};
use serde_json::Value;

use crate::ids::{Ids, SeenReferences};
use crate::narrow::{self, Halved};
use crate::translate::translate;
use crate::violation::{ValueFix, Violation};

struct CompiledSchema {
    schema: &'static Value,
    validator: Option<Validator>,
}

/// The validator of a schema, built when it is first needed.
fn compiled(name: &str) -> Option<&'static CompiledSchema> {
    static ALL: OnceLock<BTreeMap<&'static str, (Value, OnceLock<CompiledSchema>)>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        principes_schemas::all().into_iter().map(|(name, schema)| (name, (schema, OnceLock::new()))).collect()
    });
    let (schema, compiled) = all.get(name)?;
    Some(compiled.get_or_init(|| {
        let options = jsonschema::options().with_keyword("x-ref", |_, key, _| {
            let reference = key.as_str().and_then(ReferenceKind::of);
            let reference = reference.ok_or_else(|| ValidationError::custom(format!("unknown reference {key}")))?;
            Ok(Box::new(RefKeyword { reference }))
        });
        CompiledSchema { schema, validator: options.build(schema).ok() }
    }))
}

/// The violations of the schema `name` (`pack` or a family key) in a value.
pub fn check(name: &str, value: &Value) -> Vec<Violation> {
    let mut violations = violations(name, value, None);
    misnamed(name, value, &mut violations);
    violations
}

/// The violations of the schema `name` in a value, and the references that it has seen.
pub fn check_noting(name: &str, value: &Value) -> (Vec<Violation>, SeenReferences) {
    KNOWN.set(ReferenceTargets::Noting(SeenReferences::default()));
    let mut violations = violations(name, value, None);
    let noted = match KNOWN.replace(ReferenceTargets::Nothing) {
        ReferenceTargets::Noting(noted) => noted,
        ReferenceTargets::Nothing | ReferenceTargets::Ids(_) => SeenReferences::default(),
    };
    misnamed(name, value, &mut violations);
    (violations, noted)
}

/// Reports a missing field and an unknown one in the same object as one misnamed field, if the value would fit.
fn misnamed(schema: &str, value: &Value, violations: &mut Vec<Violation>) {
    let object = |violation: &Violation| match violation.code {
        Code::UnknownField => violation.pointer.rsplit_once('/').map(|(object, _)| object.to_owned()),
        Code::MissingField => Some(violation.pointer.clone()),
        _ => None,
    };
    let mut fields: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, violation) in violations.iter().enumerate() {
        if let Some(object) = object(violation) {
            fields.entry(object).or_default().push(at);
        }
    }
    // Violations that another one explains.
    let mut explained: BTreeSet<usize> = BTreeSet::new();
    for (here, pair) in fields {
        let at = |code| pair.iter().copied().find(|at| violations[*at].code == code);
        let (Some(unknown), Some(missing), 2) = (at(Code::UnknownField), at(Code::MissingField), pair.len()) else {
            continue;
        };
        let (Some(old), Some(new)) = (violations[unknown].field.clone(), violations[missing].field.clone()) else {
            continue;
        };
        let (mut renamed, there) = narrow::only(value, &here);
        let Some(object) = renamed.pointer_mut(&there).and_then(Value::as_object_mut) else { continue };
        let inner = object.remove(&old).unwrap_or_default();
        object.insert(new.clone(), inner);
        let inside = |violation: &Violation| {
            violation.pointer.strip_prefix(&there).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if self::violations(schema, &renamed, None).iter().any(inside) {
            continue;
        }
        violations[unknown].message = format!("unknown field `{old}`, and field `{new}` is missing");
        let near = Suggestion { name: new.clone(), text: new, only: false, of_program: true };
        violations[unknown].help = Some(near.help());
        violations[unknown].fix = Some(ValueFix::Name(near));
        explained.insert(missing);
    }
    let mut at = 0..;
    violations.retain(|_| at.next().is_none_or(|at| !explained.contains(&at)));
}

/// The limit of errors that are processed in one file.
const MOST_ERRORS: usize = 300;

fn violations(name: &str, value: &Value, ids: Option<&Ids>) -> Vec<Violation> {
    let Some(compiled) = compiled(name) else { return Vec::new() };
    let Some(validator) = &compiled.validator else { return Vec::new() };
    // A hostile file has millions of errors, and nobody reads more than these.
    let look = |violations: &mut Vec<Violation>, part: &Value, halved: &Halved| {
        for error in validator.iter_errors(part) {
            // Half of an object does not show what the whole lacks.
            if halved.lacks_members(error.instance_path().as_str()) && !is_about_a_member(&error) {
                continue;
            }
            let mut found = Vec::new();
            translate(&error, compiled.schema, ids, &mut found);
            for mut violation in found {
                violation.pointer = halved.whole(&violation.pointer);
                // What is outside of large values is in several parts.
                if !violations.contains(&violation) {
                    violations.push(violation);
                }
                if violations.len() >= MOST_ERRORS {
                    return false;
                }
            }
        }
        true
    };
    let mut violations: Vec<Violation> = Vec::new();
    let is_halved = narrow::parts(validator, value, &mut |part, halved| look(&mut violations, part, halved));
    if is_halved && violations.is_empty() {
        look(&mut violations, value, &Halved::default());
    }
    violations
}

/// Whether an error about an object concerns one of its members alone.
fn is_about_a_member(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), ValidationErrorKind::AdditionalProperties { .. } | ValidationErrorKind::PropertyNames { .. })
}

/// What references are compared with.
enum ReferenceTargets {
    /// They may be anything.
    Nothing,
    /// They may be anything, and are collected.
    Noting(SeenReferences),
    /// They may name these.
    Ids(Arc<Ids>),
}

thread_local! {
    /// What references are compared with. A keyword of the validator sees only the value, so this cannot be an
    /// argument.
    static KNOWN: RefCell<ReferenceTargets> = const { RefCell::new(ReferenceTargets::Nothing) };
}

/// A check of the references of valid files. Drop it before another check begins.
pub struct References<'i> {
    ids: &'i Arc<Ids>,
}

impl<'i> References<'i> {
    /// A check against these ids.
    pub fn to(ids: &'i Arc<Ids>) -> Self {
        KNOWN.set(ReferenceTargets::Ids(Arc::clone(ids)));
        References { ids }
    }

    /// What is wrong with the references of a file's value.
    pub fn check(&self, family: Family, value: &Value) -> Vec<Violation> {
        let mut violations = violations(family.key(), value, Some(self.ids));
        violations.retain(|violation| matches!(violation.code, Code::UnknownReference | Code::UnknownModule));
        violations
    }
}

impl Drop for References<'_> {
    fn drop(&mut self) {
        KNOWN.set(ReferenceTargets::Nothing);
    }
}

struct RefKeyword {
    reference: ReferenceKind,
}

impl<'i> Keyword<'i> for RefKeyword {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(self.reference.key())) }
    }
    fn is_valid(&self, instance: &'i Value) -> bool {
        let resolves = |text| {
            KNOWN.with_borrow_mut(|known| match known {
                ReferenceTargets::Nothing => true,
                ReferenceTargets::Noting(noted) => {
                    noted.add(self.reference, text);
                    true
                }
                ReferenceTargets::Ids(ids) => ids.resolves(self.reference, text),
            })
        };
        instance.as_str().is_none_or(resolves)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn codes(name: &str, value: Value) -> Vec<(&'static str, String)> {
        check(name, &value).into_iter().map(|violation| (violation.code.as_str(), violation.pointer)).collect()
    }

    #[test]
    fn every_schema_compiles() {
        for (name, _) in principes_schemas::all() {
            assert!(compiled(name).is_some_and(|c| c.validator.is_some()), "{name}");
        }
    }

    #[test]
    fn schema_and_types_accept_the_same() {
        let phase = json!({"phases": [{"id": "a", "repeat": "round", "phases": [{"id": "b", "each": "x/y.z"}]}]});
        assert_eq!(codes("phases", phase.clone()), vec![]);
        assert!(serde_json::from_value::<principes_schemas::PhasesFile>(phase).is_ok());
        let battle = json!({"procedures": [{"id": "battle", "strength": "s", "toughness": "t", "rank": "r", "fortify": "f",
            "tie": "defender", "faces": [{"id": "a", "opposite": "a", "swords": 1}], "steps": [{"id": "x", "do": "roll"}]}]});
        assert_eq!(codes("procedures", battle.clone()), vec![]);
        assert!(serde_json::from_value::<principes_schemas::ProceduresFile>(battle).is_ok());
        let scenario = json!({"scenarios": [{"id": "a", "title": "t", "rules": ["PR-CRT-02"],
            "given": [{"counter": "gold", "of": "masovia", "set": 3}, {"counter": "princeps", "set": null},
                {"place": "knight", "at": "plocium"}, {"clear": "hand", "to": "box"}, {"card": "heir", "to": "hand", "of": "masovia"},
                {"remove": "knight", "from": "map"}],
            "run": null, "dice": ["sword", 3], "when": [{"seat": "masovia", "choose": "done"}, {"undo": 2},
                {"expect": {"pending": null}}, {"call": "a.b", "args": [null, 1, "space:x"]}],
            "then": [{"control": "plocium", "is": null}, {"outcome": null}, {"counter": "gold", "is": 1},
                {"pieces": {"kind": "knight"}, "is": 2}, {"error": "x"}, {"logged": "a.b"}, {"refused": "done"}]}]});
        assert_eq!(codes("scenarios", scenario.clone()), vec![]);
        assert!(serde_json::from_value::<principes_schemas::ScenariosFile>(scenario).is_ok());
    }

    #[test]
    fn a_misnamed_field_is_one_violation() {
        let given =
            |edit: Value| check("scenarios", &json!({"scenarios": [{"id": "a", "title": "t", "given": [edit]}]}));
        let found = given(json!({"place": "knight", "from": "plocium"}));
        let shown: Vec<_> =
            found.iter().map(|it| (it.code.as_str(), it.pointer.as_str(), it.message.as_str())).collect();
        let message = "unknown field `from`, and field `at` is missing";
        assert_eq!(shown, [("P0102", "/scenarios/0/given/0/from", message)]);
        assert_eq!(found[0].help.as_deref(), Some("did you mean `at`?"));
        let codes = |edit: Value| given(edit).iter().map(|it| it.code.as_str()).collect::<BTreeSet<_>>();
        // The value there is not a space, or there are two candidates.
        assert_eq!(codes(json!({"place": "knight", "from": 3})), ["P0102", "P0103"].into());
        assert_eq!(codes(json!({"place": "knight", "from": "plocium", "x": "y"})), ["P0102", "P0103"].into());
    }

    #[test]
    fn equal_types_are_named_once() {
        let found = check("scenarios", &json!({"scenarios": [{"id": "a", "title": "t", "then": [0]}]}));
        assert_eq!(found[0].message, "expected an object, found `0`");
    }

    #[test]
    fn many_errors_are_found_up_to_a_limit_and_at_their_places() {
        let wrong = |many: usize| {
            let mut then = vec![json!({"counter": "a", "is": 1}); 5_000];
            then[5_000 - many..].fill(json!({"is": 1}));
            let scenario = json!({"id": "a", "title": "t", "then": then});
            codes("scenarios", json!({"scenarios": [{"id": "b"}, scenario]}))
        };
        let missing = |pointer: String| ("P0108", pointer);
        let mut expected: Vec<_> = (4_990..5_000).map(|at| missing(format!("/scenarios/1/then/{at}"))).collect();
        expected.insert(0, ("P0103", "/scenarios/0".into()));
        let mut found = wrong(10);
        found.sort();
        assert_eq!(found, expected);
        assert_eq!(wrong(5_000).len(), MOST_ERRORS);
    }

    #[test]
    fn names_have_a_length() {
        let counter = |length: usize| codes("counters", json!({"counters": [{"id": "x".repeat(length), "max": 1}]}));
        assert_eq!(counter(principes_schemas::NAME_LENGTH), []);
        assert_eq!(counter(principes_schemas::NAME_LENGTH + 1), [("P0106", "/counters/0/id".into())]);
    }

    #[test]
    fn the_meant_branch_is_reported() {
        assert_eq!(codes("phases", json!({"phases": [{"id": "a"}]})), vec![("P0108", "/phases/0".into())]);
        assert_eq!(
            codes("phases", json!({"phases": [{"id": "a", "run": "x.y", "each": "x.y"}]})),
            vec![("P0108", "/phases/0".into())]
        );
        assert_eq!(
            codes("pins", json!({"pins": [{"id": "a", "of": "cards", "sum": "x"}]})),
            vec![("P0103", "/pins/0".into())]
        );
        assert_eq!(
            codes("procedures", json!({"procedures": [{"id": "batle"}]})),
            vec![("P0104", "/procedures/0/id".into())]
        );
        assert_eq!(
            codes("procedures", json!({"procedures": [{"id": "movement", "stat": "move", "pick": "a", "to": "b"}]})),
            vec![("P0103", "/procedures/0".into())]
        );
        assert_eq!(
            codes("zones", json!({"zones": [{"id": "a", "scope": "gane"}]})),
            vec![("P0104", "/zones/0/scope".into())]
        );
        assert_eq!(
            codes(
                "cards",
                json!({"cards": [{"id": "a", "type": "t", "zone": "z", "hooks": {"card.play": {"rum": "a.b"}}}]})
            ),
            vec![("P0102", "/cards/0/hooks/card.play/rum".into())]
        );
        assert_eq!(
            codes("cards", json!({"cards": [{"id": "a", "type": "t", "zone": "z", "props": {"x": 1.5, "y": []}}]})),
            vec![("P0101", "/cards/0/props/x".into()), ("P0101", "/cards/0/props/y".into())]
        );
        assert_eq!(
            codes(
                "scenarios",
                json!({"scenarios": [{"id": "a", "title": "t", "given": [{"place": "knight", "at": 3}]}]})
            ),
            vec![("P0101", "/scenarios/0/given/0/at".into())]
        );
        let then =
            |expect: Value| codes("scenarios", json!({"scenarios": [{"id": "a", "title": "t", "then": [expect]}]}));
        assert_eq!(then(json!({"pendin": null})), vec![("P0102", "/scenarios/0/then/0/pendin".into())]);
        assert_eq!(then(json!({"is": 3})), vec![("P0108", "/scenarios/0/then/0".into())]);
        assert_eq!(then(json!({"counter": "a", "of": "b"})), vec![("P0103", "/scenarios/0/then/0".into())]);
        assert_eq!(then(json!({"card": "a", "im": "b"})), vec![("P0102", "/scenarios/0/then/0/im".into())]);
    }
}
