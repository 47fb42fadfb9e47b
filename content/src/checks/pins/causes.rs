//! Why pins are wrong: what they count has errors, or a narrower pin is wrong by the same number.

use std::collections::{BTreeSet, HashMap};

use principes_findings::{Code, Finding, Label, MOST_CONSEQUENCES, Subject};
use principes_json::{MemberPart, escape};
use principes_model::{Merged, Sourced};
use principes_schemas::{self as schemas, PinFamily};

use super::items::{Item, counts, items};
use super::{Measure, seen};

/// The most fields and entities that are compared. Pins after that are reported with all others.
const MOST_COMPARED: usize = 2_000_000;

/// Files, and pointers in them.
type Places = BTreeSet<(String, String)>;

/// A pin that is wrong, and the finding about it.
struct WrongPin<'m> {
    finding: usize,
    entry: &'m Sourced<schemas::Pin>,
    measure: Measure<'m>,
    /// The number found, less the one wanted.
    off: i64,
    /// The positions of the items that it counts.
    counted: Vec<usize>,
}

/// Lets wrong pins depend on the errors in what they count, and on narrower pins that are wrong by the same number.
pub fn tie(merged: &Merged, findings: &mut [Finding]) {
    let mut left = MOST_COMPARED;
    let mut known: Vec<(PinFamily, Vec<Item<'_>>)> = Vec::new();
    let wrong = wrong_pins(merged, findings, &mut known, &mut left);
    let errors: Places = findings
        .iter()
        .filter(|finding| finding.is_error() && finding.code != Code::WrongPin)
        .map(|finding| (finding.file.clone(), finding.pointer.clone()))
        .collect();
    for (at, pin) in wrong.iter().enumerate() {
        let items = known.iter().find(|(family, _)| *family == pin.entry.value.of);
        let parts = items.map_or_else(Vec::new, |(_, items)| pin.broken_parts(merged, items, &errors, &mut left));
        if !parts.is_empty() {
            findings[pin.finding].rests_on.extend(parts);
        } else {
            let narrower = pin.explained_by(&wrong, at, &mut left);
            narrower.into_iter().for_each(|narrower| rest_on_pin(findings, pin, narrower));
        }
    }
}

fn wrong_pins<'m>(
    merged: &'m Merged,
    findings: &[Finding],
    known: &mut Vec<(PinFamily, Vec<Item<'m>>)>,
    left: &mut usize,
) -> Vec<WrongPin<'m>> {
    let is_wrong = |(_, finding): &(usize, &Finding)| finding.code == Code::WrongPin;
    let told = findings.iter().enumerate().filter(is_wrong);
    let told: HashMap<(&str, &str), usize> =
        told.map(|(at, finding)| ((finding.file.as_str(), finding.pointer.as_str()), at)).collect();
    let mut wrong = Vec::new();
    for entry in merged.pins.iter().filter(|_| !told.is_empty()) {
        let pin = &*entry.value;
        let Some(measure) = Measure::of(pin) else { continue };
        let (document, pointer) = part(merged, entry, measure.field());
        let Some(finding) = told.get(&(document.as_str(), pointer.as_str())).copied() else { continue };
        let at = known.iter().position(|(family, _)| *family == pin.of).unwrap_or_else(|| {
            known.push((pin.of, items(merged, pin.of)));
            known.len() - 1
        });
        let all = &known[at].1;
        if !spend(left, all.len()) {
            break;
        }
        let seen = seen(merged, entry);
        let is_counted = |(_, item): &(usize, &Item<'_>)| seen[merged.pack_of(item.place)] && counts(pin, item);
        let counted: Vec<usize> = all.iter().enumerate().filter(is_counted).map(|(at, _)| at).collect();
        let found: i64 = counted.iter().map(|at| measure.of_item(&all[*at])).sum();
        let off = found - measure.wanted;
        wrong.push(WrongPin { finding, entry, measure, off, counted });
    }
    wrong
}

/// File and pointer of a field of a pin, as findings name them.
fn part(merged: &Merged, entry: &Sourced<schemas::Pin>, field: &str) -> (String, String) {
    let (document, pointer) = merged.documents.home(entry.place.document, &format!("{}/{field}", entry.place.pointer));
    (document.file.clone(), document.written(&pointer, MemberPart::Value))
}

/// Takes looks from those that are left; `false` if there are too few.
fn spend(left: &mut usize, looks: usize) -> bool {
    let rest = left.checked_sub(looks);
    *left = rest.unwrap_or_default();
    rest.is_some()
}

impl WrongPin<'_> {
    /// The parts with errors that this pin reads, if they can explain the whole difference.
    fn broken_parts(&self, merged: &Merged, items: &[Item<'_>], errors: &Places, left: &mut usize) -> Vec<Subject> {
        if errors.is_empty() {
            return Vec::new();
        }
        let read = self.read_fields();
        let mut counted = self.counted.iter().copied().peekable();
        let (mut parts, mut times) = (Vec::new(), 0);
        for (at, item) in items.iter().enumerate() {
            // What has a wrong field might be counted with the right one.
            let is_counted = counted.next_if_eq(&at).is_some();
            let whole: &[&str] = if is_counted { &["/id", "/copies", "/supply"] } else { &[] };
            if !spend(left, read.len() + whole.len()) {
                return Vec::new();
            }
            let fields = whole.iter().copied().chain(read.iter().map(String::as_str));
            let broken: Vec<Subject> = fields.filter_map(|field| broken_part(merged, item, field, errors)).collect();
            times += if broken.is_empty() { 0 } else { item.times };
            parts.extend(broken);
        }
        let explains = self.measure.sum.is_some() || times >= self.off.abs();
        if explains { parts } else { Vec::new() }
    }

    /// Pointers of all fields that the pin reads in an entity.
    fn read_fields(&self) -> Vec<String> {
        let names = self.entry.value.filter.keys().map(AsRef::as_ref).chain(self.measure.sum);
        let of = |name: &str| ["", "/props", "/stats", "/params"].map(|members| format!("{members}/{}", escape(name)));
        names.flat_map(of).collect()
    }

    /// The narrower pins because of which this one is wrong: one that is wrong by the same number, or several that have
    /// nothing in common and make this number together. Of two that count the same, the first explains the other.
    fn explained_by<'w>(&self, wrong: &'w [WrongPin<'w>], at: usize, left: &mut usize) -> Vec<&'w WrongPin<'w>> {
        let inside =
            wrong.iter().enumerate().filter(|(other, it)| *other != at && it.is_inside(self, *other < at, left));
        let inside: Vec<&WrongPin<'_>> = inside.map(|(_, pin)| pin).collect();
        if let Some(one) = inside.iter().find(|pin| pin.off == self.off) {
            return vec![one];
        }
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        let mut apart = Vec::new();
        for pin in inside {
            if pin.counted.iter().all(|item| !taken.contains(item)) {
                taken.extend(&pin.counted);
                apart.push(pin);
            }
        }
        let is_all = apart.iter().map(|pin| pin.off).sum::<i64>() == self.off;
        if is_all { apart } else { Vec::new() }
    }

    /// Whether another pin adds up the same and counts all that this one counts.
    fn is_inside(&self, other: &WrongPin<'_>, is_first: bool, left: &mut usize) -> bool {
        let is_alike = self.measure.sum == other.measure.sum
            && self.entry.value.of == other.entry.value.of
            // Two pins that count nothing have nothing in common.
            && !self.counted.is_empty()
            && (self.counted.len() < other.counted.len() || (is_first && self.counted.len() == other.counted.len()));
        is_alike && spend(left, other.counted.len()) && {
            let mut others = other.counted.iter();
            self.counted.iter().all(|item| others.any(|it| it == item))
        }
    }
}

fn broken_part(merged: &Merged, item: &Item<'_>, field: &str, errors: &Places) -> Option<Subject> {
    let (document, pointer) = merged.documents.home(item.place.document, &format!("{}{field}", item.place.pointer));
    let here = (document.file.clone(), document.written(&pointer, MemberPart::Value));
    let inside = (here.0.clone(), format!("{}/", here.1));
    let is_inside = |(file, pointer): &(String, String)| *file == inside.0 && pointer.starts_with(&inside.1);
    let is_broken = errors.contains(&here) || errors.range(inside.clone()..).next().is_some_and(is_inside);
    is_broken.then_some(Subject::Part { file: here.0, pointer: here.1 })
}

/// Names a pin at the narrower one on which it rests.
fn rest_on_pin(findings: &mut [Finding], wrong: &WrongPin<'_>, narrower: &WrongPin<'_>) {
    let cause = &findings[narrower.finding];
    let part = Subject::Part { file: cause.file.clone(), pointer: cause.pointer.clone() };
    let consequence = &mut findings[wrong.finding];
    consequence.rests_on.push(part);
    let (file, span) = (consequence.file.clone(), consequence.span.clone());
    let message = format!("pin `{}` is wrong because of this", wrong.entry.value.id);
    let source = consequence.source.clone();
    let labels = &mut findings[narrower.finding].labels;
    if let Some(source) = source.filter(|_| labels.len() < MOST_CONSEQUENCES) {
        labels.push(Label { file, span, message, source });
    }
}
