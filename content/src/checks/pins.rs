//! Pins: counts and sums over a pack and those that it builds on.

mod causes;
mod items;

use std::collections::BTreeSet;

use principes_findings::budget::{self, MOST_PINNED};
use principes_findings::{Code, Finding, suggestion};
use principes_json::{MemberPart, escape};
use principes_model::{Merged, Sourced};
use principes_schemas::{self as schemas, Family, PinFamily};

use super::content::Content;
use items::{Item, counts, items};

pub use causes::tie;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let mut known: Vec<(PinFamily, Vec<Item<'_>>)> = Vec::new();
    let mut looked = 0;
    for entry in &merged.pins {
        let pin = &entry.value;
        if !merged.broken.spares(&[pin.of.family()]) {
            continue;
        }
        if budget::is_full(findings) {
            return;
        }
        let at = known.iter().position(|(family, _)| *family == pin.of).unwrap_or_else(|| {
            known.push((pin.of, items(merged, pin.of)));
            known.len() - 1
        });
        looked += (known[at].1.len() + merged.props.len()) * (1 + 2 * pin.filter.len());
        if looked > MOST_PINNED {
            let message = format!("the pins up to this one examine more than {MOST_PINNED} entities");
            let finding = merged.finding(&entry.place, "", Code::BudgetExceeded, message);
            return findings.push(finding.help("remove some; this pin and those after it are left out"));
        }
        let all = &known[at].1;
        names(merged, entry, all, findings);
        let seen = seen(merged, entry);
        let Some(measure) = Measure::of(pin) else { continue };
        let matching = all.iter().filter(|item| seen[merged.pack_of(item.place)] && counts(pin, item));
        let found: i64 = matching.map(|item| measure.of_item(item)).sum();
        if found != measure.wanted {
            let (what, wanted) = (pin.of.key(), measure.wanted);
            let message = match measure.sum {
                None => format!("expected {wanted} {what}, found {found}"),
                Some(name) => format!("the sum of `{name}` over these {what} is {found}, not {wanted}"),
            };
            wrong(merged, entry, (measure.field(), found), message, findings);
        }
    }
}

/// The packs whose entities a pin counts. Additions of packs that the pin's own pack does not build on are not counted;
/// otherwise, two expansions could never agree. What any pack removes or changes is noticed: the pack that does it on
/// purpose patches the pin.
fn seen(merged: &Merged, entry: &Sourced<schemas::Pin>) -> Vec<bool> {
    let pack = merged.pack_of(&entry.place);
    (0..merged.packs.len()).map(|other| merged.stands_on(pack, other)).collect()
}

/// What a pin adds up.
struct Measure<'m> {
    /// The field whose values are added; `None` if entities are counted.
    sum: Option<&'m str>,
    /// What the pin says.
    wanted: i64,
}

impl<'m> Measure<'m> {
    fn of(pin: &'m schemas::Pin) -> Option<Self> {
        match (pin.count, &pin.sum, pin.is) {
            (Some(count), ..) => Some(Measure { sum: None, wanted: count.into() }),
            (None, Some(name), Some(is)) => Some(Measure { sum: Some(name.as_str()), wanted: is.into() }),
            _ => None,
        }
    }

    /// The field of the pin with the number that it says.
    fn field(&self) -> &'static str {
        if self.sum.is_some() { "is" } else { "count" }
    }

    fn of_item(&self, item: &Item<'_>) -> i64 {
        item.times * self.sum.map_or(1, |name| item.number(name))
    }
}

/// Reports names in a pin that no entity has and no pack declares.
fn names(merged: &Merged, entry: &Sourced<schemas::Pin>, items: &[Item<'_>], findings: &mut Vec<Finding>) {
    let pin = &entry.value;
    let filter = pin.filter.keys().map(|name| (format!("/where/{}", escape(name)), name.as_str(), MemberPart::Key));
    let sum = pin.sum.iter().map(|name| ("/sum".to_owned(), name.as_str(), MemberPart::Value));
    let mut known: Option<BTreeSet<&str>> = None;
    for (field, name, part) in filter.chain(sum) {
        let is_declared = merged.props.iter().any(|prop| prop.value.key() == name);
        if is_declared || items.iter().any(|item| item.value(name).is_some()) || !merged.broken.spares(&[Family::Props])
        {
            continue;
        }
        let keys = merged.props.iter().map(|prop| prop.value.key());
        let known = known.get_or_insert_with(|| items.iter().flat_map(Item::names).chain(keys).collect());
        let at = format!("{}{field}", entry.place.pointer);
        let message = format!("pin `{}`: no {} has a field or prop `{name}`", pin.id, pin.of.noun());
        let finding = merged.documents.finding(entry.place.document, &at, part, Code::UndeclaredProp, message);
        findings.push(finding.help("use one that they have").suggest(suggestion(name, known.iter().copied())));
    }
}

/// Reports a wrong pin, with the number found and the patch for a pack that changes it on purpose.
fn wrong(
    merged: &Merged,
    entry: &Sourced<schemas::Pin>,
    (field, found): (&str, i64),
    message: String,
    findings: &mut Vec<Finding>,
) {
    let id = &entry.value.id;
    let mut help = "undo the edit that changed the number, or change the pin if the new number is right".to_owned();
    // Only a later pack can patch the pin.
    if merged.pack_of(&entry.place) + 1 < merged.packs.len() {
        let patch = format!(r#"{{ "of": "pins", "id": "{id}", "set": {{ "{field}": {found} }} }}"#);
        help = format!("undo the edit that changed the number, or add to `patches` of your pack: {patch}");
    }
    let finding = merged.finding(&entry.place, &format!("/{field}"), Code::WrongPin, format!("pin `{id}`: {message}"));
    findings.push(finding.help(help).offer(format!("write {found}"), found.to_string()));
}
