//! Causes that no single check can see: parts that could not be read, and ids that are misspelled where they are
//! declared.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use principes_findings::{Code, Finding, Label, MOST_CONSEQUENCES, Subject, nearest, singular, suggestion};
use principes_json::{Lost, MemberPart};
use principes_model::Merged;
use principes_schemas::Family;

/// Ties findings to their causes.
pub fn tie(merged: &Merged, findings: &mut Vec<Finding>) {
    of_what_is_lost(&merged.broken.lost, findings);
    of_what_was_removed(merged, findings);
    of_wrong_ids(merged, findings);
}

/// Lets findings about missing things depend on the parts that could not be read.
fn of_what_is_lost(lost: &[Lost], findings: &mut [Finding]) {
    let part = |lost: &Lost| Subject::Part { file: lost.file.clone(), pointer: lost.pointer.clone() };
    for finding in findings.iter_mut().filter(|_| !lost.is_empty()) {
        if finding.code == Code::UnusedFunction {
            finding.rests_on.extend(lost.iter().map(part));
        }
        let Some((family, id)) = missing(finding) else { continue };
        let may_be = |lost: &&Lost| {
            let is_family = lost.family.is_none_or(|lost| may_mean(&family, lost.key()));
            let is_similar = |lost: &String| spelt(lost) == id || nearest(&id, [spelt(lost).as_str()]).is_some();
            is_family && lost.id.as_ref().is_none_or(is_similar)
        };
        let found = lost.iter().find(may_be);
        finding.rests_on.extend(found.map(part));
    }
}

/// The family and id of the undeclared thing that a finding is about.
fn missing(finding: &Finding) -> Option<(String, String)> {
    finding.rests_on.iter().find_map(|subject| match subject {
        Subject::Missing { family, id } => Some((family.clone(), id.clone())),
        Subject::Part { .. } => None,
    })
}

/// Whether a reference to one of several families may name an entity of this one.
fn may_mean(reference: &str, family: &str) -> bool {
    match reference {
        "owners" => ["factions", "spaces", "cards"].contains(&family),
        "performers" => ["cards", "rules"].contains(&family),
        "places" => family == "spaces",
        one => one == family,
    }
}

fn spelt(id: &str) -> String {
    id.to_lowercase().replace(['-', '.'], "_")
}

/// Reports things that a patch removes although others still name them, at the patch.
fn of_what_was_removed(merged: &Merged, findings: &mut Vec<Finding>) {
    let mut users: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        if let Some(missing) = missing(finding) {
            users.entry(missing).or_default().push(at);
        }
    }
    let mut causes = Vec::new();
    let mut consequence = vec![false; findings.len()];
    for ((family, id), history) in &merged.histories {
        if !merged.is_removed(*family, id) {
            continue;
        }
        let Some(places) = users.get(&(family.key().to_owned(), spelt(id))) else { continue };
        let removal = history.writes.iter().rfind(|write| write.path.is_empty() && write.value.is_none());
        let Some(removal) = removal else { continue };
        places.iter().for_each(|at| consequence[*at] = true);
        let (what, count) = (singular(family.key()), places.len());
        let users =
            if count == 1 { "1 place still names it".to_owned() } else { format!("{count} places still name it") };
        let message = format!("this removes the {what} `{id}`, but {users}");
        let cause = merged.documents.finding(
            removal.place.document,
            &removal.place.pointer,
            MemberPart::Key,
            Code::StillNamed,
            message,
        );
        let cause = cause.help(format!("also patch what names `{id}`, or keep it"));
        causes.push(users_of(places, id, findings).fold(cause, Finding::label));
    }
    let mut consequence = consequence.into_iter();
    findings.retain(|_| !consequence.next().unwrap_or(false));
    findings.extend(causes);
}

/// Labels for the first few places that name something.
fn users_of<'f>(places: &'f [usize], id: &'f str, findings: &'f [Finding]) -> impl Iterator<Item = Label> + 'f {
    places.iter().take(MOST_CONSEQUENCES).filter_map(move |at| {
        let Finding { file, span, source, .. } = &findings[*at];
        let message = format!("`{id}` is named here");
        Some(Label { file: file.clone(), span: span.clone(), message, source: source.clone()? })
    })
}

/// If several places name the same undeclared thing, and nothing names the declaration with a similar id, then the
/// declaration is misspelled.
fn of_wrong_ids(merged: &Merged, findings: &mut Vec<Finding>) {
    let mut users: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        if let Some(missing) = missing(finding) {
            users.entry(missing).or_default().push(at);
        }
    }
    let all = users.clone();
    users.retain(|_, places| places.iter().filter(|at| findings[**at].is_error()).count() > 1);
    if users.is_empty() {
        return;
    }
    let mut consequence = vec![false; findings.len()];
    let mut causes = Vec::new();
    let families: BTreeSet<&str> = users.keys().map(|(family, _)| family.as_str()).collect();
    let unnamed = unnamed(merged, families);
    for ((family, id), places) in &users {
        let ids = &unnamed[family.as_str()];
        let Some(declared) = suggestion(id, ids.iter().map(|(spelt, _)| spelt.as_str())) else { continue };
        let Some((_, declared)) = ids.iter().find(|(spelt, _)| *spelt == declared.name) else { continue };
        let Some(mut cause) = wrong_id(merged, family, declared, id, places, findings) else { continue };
        let part = Subject::Part { file: cause.file.clone(), pointer: cause.pointer.clone() };
        // Some places may name entities of several families.
        let same = all.iter().filter(|((reference, named), _)| named == id && may_mean(reference, family));
        same.flat_map(|(_, places)| places).for_each(|at| consequence[*at] = true);
        for (at, finding) in findings.iter().enumerate() {
            consequence[at] |= finding.rests_on.contains(&part);
        }
        let held = places.len().saturating_sub(MOST_CONSEQUENCES);
        cause.held_back = (held > 0).then(|| format!("{held} more places that name it"));
        causes.push(cause);
    }
    let mut consequence = consequence.into_iter();
    findings.retain(|_| !consequence.next().unwrap_or(false));
    findings.extend(causes);
}

/// By family, the ids that nothing names in the files as written, each as scripts write it and as it is. The fixed values
/// may name them by mistake.
fn unnamed<'f>(merged: &Merged, families: BTreeSet<&'f str>) -> BTreeMap<&'f str, Vec<(String, String)>> {
    let mut times: HashMap<&str, usize> =
        families.iter().flat_map(|family| merged.ids.of(family)).map(|id| (id, 0)).collect();
    let others = [Family::Messages, Family::Scenarios].map(Some);
    // Families that share a file share its text.
    let files: BTreeMap<&str, &str> = (merged.documents.0.iter())
        .filter(|document| !others.contains(&document.family))
        .map(|document| (document.file.as_str(), &*document.text))
        .collect();
    // An id is between two quotes, or between a colon and a quote. What follows the last quote is no text.
    for part in files.values().flat_map(|file| file.rsplit_once('"').map_or("", |(text, _)| text).split('"')) {
        let reference = part.rsplit_once(':').map(|(_, id)| id);
        for named in [Some(part), reference].into_iter().flatten() {
            times.entry(named).and_modify(|times| *times += 1);
        }
    }
    let mentions = || merged.scripts.iter().map(|script| script.known.mentions());
    let texts: HashSet<&str> = mentions().flat_map(|mentions| &mentions.texts).map(String::as_str).collect();
    let names: HashSet<&str> = mentions().flat_map(|mentions| &mentions.names).map(String::as_str).collect();
    let is_named = |id: &str, spelt: &str| {
        times.get(id).is_some_and(|times| *times > 1) || texts.contains(id) || names.contains(spelt)
    };
    let of = |family: &str| {
        let ids = merged.ids.of(family).map(|id| (spelt(id), id.to_owned()));
        ids.filter(|(spelt, id)| !is_named(id, spelt)).collect()
    };
    families.into_iter().map(|family| (family, of(family))).collect()
}

/// The finding about a misspelled id, at its declaration.
fn wrong_id(
    merged: &Merged,
    family: &str,
    declared: &str,
    named: &str,
    places: &[usize],
    findings: &[Finding],
) -> Option<Finding> {
    let of_family = |family_of: Option<Family>| family_of.is_some_and(|it| it.key() == family);
    let (document, pointer) =
        merged.documents.0.iter().filter(|document| of_family(document.family)).find_map(|it| {
            let (pointer, _) = it.named().iter().find(|(_, id)| id == declared)?;
            Some((it, pointer))
        })?;
    let what = singular(family);
    // Scripts write `_` where ids have `-`.
    let written = places.iter().find_map(|at| {
        let text = findings[*at].source.as_deref()?.get(findings[*at].span.bytes.clone())?.trim_matches('"');
        let id = text.rsplit_once([':', '.']).map_or(text, |(_, id)| id);
        (spelt(id) == named).then(|| id.replace('_', "-"))
    });
    let named = written.unwrap_or_else(|| named.replace('_', "-"));
    let count = places.len();
    let message =
        format!("nothing names the {what} `{declared}`, but {count} places name `{named}`, which does not exist");
    let finding = document.finding(Code::UnknownReference, &format!("{pointer}/id"), MemberPart::Value, message);
    let span = finding.span.clone();
    let finding = finding.help(format!("did you mean `{named}` here?")).fix(
        format!("write `{named}`"),
        span,
        format!("\"{named}\""),
    );
    Some(users_of(places, &named, findings).fold(finding, Finding::label))
}
