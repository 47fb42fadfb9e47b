//! Several shapes that a value could have, and the one that was most likely meant.

use std::collections::BTreeSet;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use principes_findings::{Code, listing, suggestion};
use serde_json::Value;

use crate::ids::Ids;
use crate::pointer::{MemberPart, escape};
use crate::reading::*;
use crate::translate::{not_listed, translate};
use crate::violation::{ValueFix, Violation};

/// The errors of a value against one of several shapes.
type BranchErrors = Vec<ValidationError<'static>>;

/// A value that fits none of several shapes. Only the errors of the most likely shape are reported.
pub(crate) struct Branches<'e, 'i> {
    pub error: &'e ValidationError<'i>,
    pub context: &'e [BranchErrors],
    pub schema: &'e Value,
    pub ids: Option<&'e Ids>,
}

impl Branches<'_, '_> {
    pub fn violations(&self) -> Vec<Violation> {
        let found = self.by_mark().or_else(|| self.by_need()).or_else(|| self.by_constant()).or_else(|| self.by_type());
        found.unwrap_or_else(|| self.by_cost())
    }

    fn violation(&self, code: Code, message: String) -> Violation {
        let here = self.error.instance_path().as_str();
        Violation::new(code, here, MemberPart::Value, message).maybe_help(described(self.error, self.schema))
    }

    fn of(&self, branch: &BranchErrors) -> Vec<Violation> {
        let mut violations = Vec::new();
        branch.iter().for_each(|inner| translate(inner, self.schema, self.ids, &mut violations));
        violations
    }

    /// Whether an error is about the value itself, not about something inside it.
    fn is_here(&self, inner: &ValidationError<'_>) -> bool {
        inner.instance_path().as_str() == self.error.instance_path().as_str()
    }

    /// If each shape has a field that no other shape has: the shape whose field is there.
    fn by_mark(&self) -> Option<Vec<Violation>> {
        let object = self.error.instance().as_object()?;
        let kinds = kinds(self.error, self.schema)?;
        let meant = |kind: &BranchShape| object.contains_key(&kind.mark);
        let fitting = |kind: &BranchShape| object.keys().filter(|key| kind.fields.contains(*key)).count();
        let best = kinds
            .iter()
            .enumerate()
            .filter(|(_, kind)| meant(kind))
            .max_by_key(|(at, kind)| (fitting(kind), std::cmp::Reverse(*at)));
        if let Some(branch) = best.and_then(|(at, _)| self.context.get(at)) {
            return Some(self.of(branch));
        }
        let known: BTreeSet<&str> = kinds.iter().flat_map(|kind| kind.fields.iter().map(String::as_str)).collect();
        let marks: Vec<&str> = kinds.iter().map(|kind| kind.mark.as_str()).collect();
        let misspelled = object
            .keys()
            .filter(|key| !known.contains(key.as_str()))
            .find_map(|key| Some((key, suggestion(key, marks.iter().copied())?)));
        let Some((key, near)) = misspelled else {
            return Some(vec![
                self.violation(Code::NotExactlyOne, format!("exactly one of {} is required here", listing(&marks))),
            ]);
        };
        let at = format!("{}/{}", self.error.instance_path().as_str(), escape(key));
        let mut violation =
            Violation::new(Code::UnknownField, at, MemberPart::Key, format!("unknown field `{key}`")).about(key);
        violation.help = Some(format!("{} use one of {} to say which kind it is", near.help(), listing(&marks)));
        violation.fix = Some(ValueFix::Name(near.of_program()));
        Some(vec![violation])
    }

    /// If the shapes differ only in the field that they require.
    fn by_need(&self) -> Option<Vec<Violation>> {
        let needs = |inner: &ValidationError<'_>| matches!(inner.kind(), Kind::Required { .. }) && self.is_here(inner);
        if !self.context.iter().flatten().all(needs) {
            return None;
        }
        let names = alternatives(self.error, self.schema);
        let instance = self.error.instance();
        // One of the fields is there, but not everything that belongs to it.
        let begun = self.context.iter().zip(&names).find(|(_, name)| instance.get(name.as_str()).is_some());
        if let Some((branch, _)) = begun {
            return Some(self.of(branch));
        }
        // A misspelled field explains everything.
        let misspelled =
            |key: &String| !names.contains(key) && suggestion(key, names.iter().map(String::as_str)).is_some();
        let known = known_fields(self.error, self.schema);
        let unknown = |key: &&String| !known.contains(*key);
        if instance.as_object().is_some_and(|object| object.keys().filter(unknown).any(misspelled)) {
            return Some(Vec::new());
        }
        Some(vec![self.violation(Code::NotExactlyOne, format!("exactly one of {} is required here", listing(&names)))])
    }

    /// If the shapes differ only in a constant, here or in a tag field.
    fn by_constant(&self) -> Option<Vec<Violation>> {
        let tag = |branch: &'_ BranchErrors| {
            branch.iter().find_map(|inner| match inner.kind() {
                Kind::Constant { expected_value } => {
                    let at = inner.instance_path().as_str().to_owned();
                    Some((at, inner.instance().as_ref().clone(), plain(expected_value)))
                }
                _ => None,
            })
        };
        let tags: Vec<(String, Value, String)> = self.context.iter().map(tag).collect::<Option<_>>()?;
        let (pointer, instance, _) = tags.first().filter(|first| tags.iter().all(|tag| tag.0 == first.0))?;
        let names: Vec<String> = tags.iter().map(|tag| tag.2.clone()).collect();
        Some(vec![not_listed(pointer, instance, &names)])
    }

    /// If each shape expects another type.
    fn by_type(&self) -> Option<Vec<Violation>> {
        let type_of = |branch: &BranchErrors| {
            let wrong = |inner: &&ValidationError<'_>| matches!(inner.kind(), Kind::Type { .. }) && self.is_here(inner);
            branch.iter().find(wrong).and_then(|inner| keyword_value(inner, self.schema).map(types))
        };
        let mut wanted: Vec<String> = self.context.iter().map(type_of).collect::<Option<_>>()?;
        let mut seen = BTreeSet::new();
        wanted.retain(|word| seen.insert(word.clone()));
        let message = format!("expected {}, found {}", wanted.join(" or "), show(self.error.instance()));
        Some(vec![self.violation(Code::WrongType, message)])
    }

    /// Otherwise, the shape with the fewest errors was most likely meant.
    fn by_cost(&self) -> Vec<Violation> {
        let one = |inner: &ValidationError<'_>| match inner.kind() {
            Kind::Type { .. } if self.is_here(inner) => 10_000,
            Kind::Constant { .. } | Kind::Enum { .. } => 1_000,
            Kind::Required { .. } if self.is_here(inner) => 100,
            Kind::AdditionalProperties { unexpected } if self.is_here(inner) => 60 * unexpected.len(),
            _ => 1,
        };
        let cost = |branch: &&BranchErrors| -> usize { branch.iter().map(one).sum() };
        self.context.iter().min_by_key(cost).map(|meant| self.of(meant)).unwrap_or_default()
    }
}

/// One of several shapes of an object.
struct BranchShape {
    mark: String,
    fields: Vec<String>,
}

/// The shapes of an object, if each requires a field that no other shape has.
fn kinds(error: &ValidationError<'_>, schema: &Value) -> Option<Vec<BranchShape>> {
    let branches: Vec<&Value> =
        keyword_value(error, schema)?.as_array()?.iter().map(|branch| resolve(branch, schema)).collect();
    let required = |branch: &Value| -> Vec<String> {
        branch["required"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let shapes = branches.iter().enumerate().map(|(at, branch)| {
        let fields: Vec<String> = branch["properties"].as_object()?.keys().cloned().collect();
        let elsewhere = |field: &String| {
            branches.iter().enumerate().any(|(other, branch)| other != at && branch["properties"].get(field).is_some())
        };
        let mark = required(branch).into_iter().find(|field| !elsewhere(field))?;
        Some(BranchShape { mark, fields })
    });
    shapes.collect()
}
