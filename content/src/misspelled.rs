//! Names that are misspelled where they are declared: several places agree on another name, and nothing uses the
//! declared one.
//!
//! There is one rule for all names that packs declare. It needs the [misspelling](principes_findings::Misspelling) of a
//! finding, or the missing entity that it depends on, and the places where the declared name stands in the files.
//! If several places agree on a name, no fix changes them, because a mistake is rarely made twice.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use principes_analysis::{constant_name, is_of_the_api};
use principes_core::catalog::{KernelPoints, Keywords, Names};
use principes_findings::{Code, Finding, Fix, Label, MOST_CONSEQUENCES, Span, Subject, TextEdit, suggestion};
use principes_model::Merged;
use principes_model::messages::kernel_keys;
use principes_schemas::{Family, ReferenceKind};

use crate::occurrences::{Occurrence, Occurrences, Origin, spelt, text_of};

/// The family and id of the undeclared thing that a finding is about.
pub fn missing(finding: &Finding) -> Option<(String, String)> {
    finding.rests_on.iter().find_map(|subject| match subject {
        Subject::Missing { family, id } => Some((family.clone(), id.clone())),
        Subject::Part { .. } => None,
    })
}

/// The families whose entities a reference may name.
fn families(reference: &str) -> &'static [Family] {
    ReferenceKind::of(reference).map_or(&[], ReferenceKind::families)
}

/// Whether a reference to one of several families may name an entity of this one.
pub fn may_mean(reference: &str, family: Family) -> bool {
    families(reference).contains(&family)
}

/// Labels for the first few places that name something.
pub fn users_of<'f>(places: &'f [usize], id: &'f str, findings: &'f [Finding]) -> impl Iterator<Item = Label> + 'f {
    places.iter().take(MOST_CONSEQUENCES).filter_map(move |at| {
        let Finding { file, span, source, .. } = &findings[*at];
        let message = format!("`{id}` is named here");
        Some(Label { file: file.clone(), span: span.clone(), message, source: source.clone()? })
    })
}

/// Moves findings about names on which several places agree to the declaration that they probably mean, and takes their
/// fixes away.
pub fn find(merged: &Merged, findings: &mut Vec<Finding>) {
    let groups = groups(findings);
    if groups.is_empty() {
        return;
    }
    let wrong = Wrong::new(merged, findings, &groups);
    let mut consequence = vec![false; findings.len()];
    let mut causes = Vec::new();
    // One declaration may be named in several ways. Its errors say more than unused messages.
    let mut sorted: Vec<_> = groups.iter().collect();
    sorted.sort_by_key(|(_, places)| {
        let errors = places.iter().filter(|at| findings[**at].is_error()).count();
        std::cmp::Reverse((errors, places.len()))
    });
    for (written, places) in sorted {
        for candidate in wrong.candidates(written, places) {
            let users: Vec<usize> = places.iter().copied().filter(|at| wrong.may_mean(*at, &candidate)).collect();
            if !users.is_empty() && agree(&users, findings) > 1 {
                let Some(cause) = wrong.cause(&candidate, &users) else { continue };
                users.iter().for_each(|at| consequence[*at] = true);
                for (at, finding) in findings.iter().enumerate() {
                    // Nobody finds the functions of a module whose name is wrong.
                    let is_in_module = candidate.places.is_empty() && finding.file == cause.file;
                    consequence[at] |= is_about(finding, &cause) || (is_in_module && !finding.is_error());
                }
                if !causes.iter().any(|other| overlap(other, &cause)) {
                    causes.push(cause);
                }
                break;
            }
        }
    }
    spare_users(findings, &groups);
    let mut consequence = consequence.into_iter();
    findings.retain(|_| !consequence.next().unwrap_or(false));
    findings.extend(causes);
}

/// Takes the fixes away that would change several places that agree on a name: also places of packs that were checked
/// one by one.
pub fn spare_agreeing(findings: &mut [Finding]) {
    let groups = groups(findings);
    spare_users(findings, &groups);
}

/// Findings by the name that is written there, those that several places agree on.
fn groups(findings: &[Finding]) -> BTreeMap<String, Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let written = finding.misspelling.as_ref().map(|it| spelt(&it.written));
        // A message is named by a part of its key.
        let written = written.or_else(|| missing(finding).map(|(_, id)| id));
        groups.entry(written.unwrap_or_default()).or_default().push(at);
    }
    groups.retain(|written, places| !written.is_empty() && agree(places, findings) > 1);
    groups
}

/// How many places agree on a name.
fn agree(places: &[usize], findings: &[Finding]) -> usize {
    let place = |at: &usize| (&findings[*at].file, findings[*at].span.bytes.start);
    let distinct: BTreeSet<_> = places.iter().map(place).collect();
    let more = |at: &usize| findings[*at].misspelling.as_ref().map_or(0, |it| it.agree - 1);
    distinct.len() + places.iter().map(more).max().unwrap_or_default()
}

/// Takes the fixes of findings away that would change several places that agree.
fn spare_users(findings: &mut [Finding], groups: &BTreeMap<String, Vec<usize>>) {
    for places in groups.values() {
        let near = |at: &usize, findings: &[Finding]| findings[*at].misspelling.as_ref().map(|it| it.near.clone());
        let names: BTreeSet<String> = places.iter().filter_map(|at| near(at, findings)).collect();
        for name in names {
            let same: Vec<usize> =
                places.iter().copied().filter(|at| near(at, findings).as_ref() == Some(&name)).collect();
            if agree(&same, findings) > 1 {
                same.iter().for_each(|at| findings[*at].fix = None);
            }
        }
    }
}

/// The bytes by which a finding about a name may be longer than the name: its quotes, and a word or two beside it. A
/// longer finding is about a whole entity or function around the name.
const MOST_AROUND: usize = 40;

/// Whether a finding is about the declaration at which a cause stands.
fn is_about(finding: &Finding, cause: &Finding) -> bool {
    let part = Subject::Part { file: cause.file.clone(), pointer: cause.pointer.clone() };
    let edits = cause.fix.iter().flat_map(|fix| &fix.edits);
    let is_there = |edit: &TextEdit| {
        let (mine, theirs) = (&finding.span.bytes, &edit.span.bytes);
        finding.file == edit.file
            && mine.start <= theirs.start
            && theirs.end <= mine.end
            && mine.len() < theirs.len() + MOST_AROUND
    };
    (!cause.pointer.is_empty() && finding.rests_on.contains(&part)) || edits.into_iter().any(is_there)
}

/// Whether the fixes of two findings change the same place.
fn overlap(a: &Finding, b: &Finding) -> bool {
    let edits = |finding: &Finding| finding.fix.clone().map_or_else(Vec::new, |fix| fix.edits);
    let meet = |one: &TextEdit, other: &TextEdit| {
        let (mine, theirs) = (&one.span.bytes, &other.span.bytes);
        one.file == other.file && mine.start < theirs.end && theirs.start < mine.end
    };
    edits(a).iter().any(|one| edits(b).iter().any(|other| meet(one, other)))
}

/// A declared name that nothing uses.
struct UnusedName<'o> {
    /// As scripts write it.
    name: String,
    /// Its family, if it is the id of an entity.
    family: Option<Family>,
    /// Where it is declared; nowhere for a module, which is named by its file.
    places: &'o [Occurrence],
}

/// What is needed to find wrong declarations.
struct Wrong<'m> {
    merged: &'m Merged,
    findings: &'m [Finding],
    occurrences: Occurrences<'m>,
    /// Whether the program declares a name.
    kernel: Names,
}

impl<'m> Wrong<'m> {
    fn new(merged: &'m Merged, findings: &'m [Finding], groups: &BTreeMap<String, Vec<usize>>) -> Self {
        let places = || groups.values().flatten().map(|at| &findings[*at]);
        let mut names: HashSet<String> =
            places().filter_map(|finding| Some(spelt(&finding.misspelling.as_ref()?.near))).collect();
        let references: BTreeSet<String> = places().filter_map(missing).map(|(family, _)| family).collect();
        let families = references.iter().flat_map(|reference| families(reference));
        names.extend(families.flat_map(|family| merged.ids.of(family.key())).map(spelt));
        let mut kernel = Names::default();
        Keywords::intern(&mut kernel);
        Wrong { merged, findings, occurrences: Occurrences::new(merged, &names), kernel }
    }

    fn is_of_program(&self, name: &str) -> bool {
        self.kernel.find(name).is_some()
            || is_of_the_api(name)
            || KernelPoints::declare().1.iter().any(|point| point.id == name)
            || kernel_keys().iter().any(|key| key.split_once('.').is_some_and(|(_, rest)| rest == name))
    }

    /// The declarations that a name may mean, the most similar first.
    fn candidates(&self, written: &str, places: &[usize]) -> Vec<UnusedName<'_>> {
        let mut found: Vec<UnusedName<'_>> = Vec::new();
        let references: BTreeSet<String> =
            places.iter().filter_map(|at| missing(&self.findings[*at])).map(|(family, _)| family).collect();
        for family in references.iter().flat_map(|reference| families(reference)) {
            let unused: Vec<String> =
                self.merged.ids.of(family.key()).map(spelt).filter(|id| self.occurrences.only(id).is_some()).collect();
            let near = suggestion(written, unused.iter().map(String::as_str)).map(|near| near.name);
            found.extend(near.and_then(|name| {
                let places = self.occurrences.only(&name)?;
                Some(UnusedName { name, family: Some(*family), places })
            }));
        }
        let near = |at: &usize| self.findings[*at].misspelling.as_ref().map(|it| (it.near.clone(), *at));
        for (near, at) in places.iter().filter_map(near) {
            let name = spelt(&near);
            if found.iter().any(|candidate| candidate.name == name) || self.is_of_program(&near) {
                continue;
            }
            let file = &self.findings[at].file;
            let script = self.merged.scripts.iter().position(|script| script.file == *file);
            let own = || self.occurrences.only_in(script?, &name);
            let is_module = self.findings[at].code == Code::UnknownModule && self.merged.ids.has("scripts", &near);
            match self.occurrences.only(&name).or_else(own) {
                Some(places) => found.push(UnusedName { name, family: None, places }),
                None if is_module && self.occurrences.of(&name).is_empty() => {
                    found.push(UnusedName { name: near, family: None, places: &[] });
                }
                None => {}
            }
        }
        found
    }

    /// Whether a finding may be about a declaration.
    fn may_mean(&self, at: usize, candidate: &UnusedName<'_>) -> bool {
        let finding = &self.findings[at];
        let is_near = finding.misspelling.as_ref().is_some_and(|it| spelt(&it.near) == spelt(&candidate.name));
        is_near || missing(finding).zip(candidate.family).is_some_and(|((it, _), family)| may_mean(&it, family))
    }

    /// The finding at the declaration, if there is a place for it.
    fn cause(&self, candidate: &UnusedName<'_>, users: &[usize]) -> Option<Finding> {
        let named = self.named(candidate, users);
        let code = self.code(candidate, users);
        let script = self.merged.scripts.iter().find(|script| script.module == candidate.name);
        let cause = match (candidate.places.first(), script) {
            (Some(place), _) => {
                let declared = &text_of(self.merged, place.origin)[place.bytes.clone()];
                let what = candidate.family.map_or_else(String::new, |family| format!("the {} ", family.noun()));
                let message = self.message(&format!("{what}`{declared}`"), &named, users);
                let cause = self.occurrences.finding(place, |file| Finding::new(code, file, message));
                let mut cause = cause.help(format!("did you mean `{named}` here?"));
                let edits = candidate.places.iter().map(|place| self.edit(place, &named)).collect();
                cause.fix = Some(Fix { message: format!("write `{named}`"), edits });
                cause
            }
            (None, Some(script)) => {
                let message = self.message(&format!("the module `{}`", candidate.name), &named, users);
                let cause = Finding::new(code, &script.file, message).at(&script.text, Span::default());
                cause.help(format!("rename the file to `{named}.lua`"))
            }
            (None, None) => return None,
        };
        let held = users.len().saturating_sub(MOST_CONSEQUENCES);
        let mut cause = users_of(users, &named, self.findings).fold(cause, Finding::label);
        cause.held_back = (held > 0).then(|| format!("{held} more places that name it"));
        cause.breaks = users.iter().map(|at| &self.findings[*at]).map(part).collect();
        Some(cause)
    }

    fn message(&self, declared: &str, named: &str, users: &[usize]) -> String {
        let count = agree(users, self.findings);
        format!("nothing names {declared}, but {count} places name `{named}`, which does not exist")
    }

    /// The name on which the places agree, as the declaration has to spell it.
    fn named(&self, candidate: &UnusedName<'_>, users: &[usize]) -> String {
        let written = |at: &usize| self.findings[*at].misspelling.as_ref().map(|it| it.written.clone());
        let quoted = |at: &usize| {
            let finding = &self.findings[*at];
            let text = finding.source.as_deref()?.get(finding.span.bytes.clone())?.trim_matches(['"', '\'']);
            Some(text.rsplit_once([':', '.']).map_or(text, |(_, id)| id).to_owned())
        };
        let all: Vec<String> = users.iter().filter_map(|at| written(at).or_else(|| quoted(at))).collect();
        let exact = all.iter().find(|name| name.contains('-')).or(all.first()).cloned().unwrap_or_default();
        let Some(place) = candidate.places.first() else { return exact };
        let declared = &text_of(self.merged, place.origin)[place.bytes.clone()];
        match place.origin {
            Origin::Script(_) => constant_name(&exact),
            // Scripts write `_` where ids have `-`.
            _ if candidate.family.is_some() || declared.contains('-') => exact.replace('_', "-"),
            _ => exact,
        }
    }

    /// Ids keep the code of references. Everything else has the code of its uses.
    fn code(&self, candidate: &UnusedName<'_>, users: &[usize]) -> Code {
        let codes = |errors: bool| {
            let all = users.iter().map(|at| &self.findings[*at]);
            all.filter(|finding| finding.is_error() == errors).map(|finding| finding.code).min()
        };
        match (codes(true), candidate.family) {
            (Some(_), Some(_)) => Code::UnknownReference,
            (error, _) => error.or_else(|| codes(false)).unwrap_or(Code::UnknownReference),
        }
    }

    fn edit(&self, place: &Occurrence, named: &str) -> TextEdit {
        let (file, text) = match place.origin {
            Origin::Document(at) | Origin::MessageKey(at) => {
                let document = &self.merged.documents.0[at];
                (&document.file, &document.text)
            }
            Origin::Script(at) => (&self.merged.scripts[at].file, &self.merged.scripts[at].text),
        };
        TextEdit { file: file.clone(), span: Span::new(text, place.bytes.clone()), text: named.to_owned() }
    }
}

fn part(finding: &Finding) -> Subject {
    Subject::Part { file: finding.file.clone(), pointer: finding.pointer.clone() }
}
