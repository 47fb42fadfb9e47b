//! Causes that no single check can see: parts that could not be read, and things that a patch removes.

use std::collections::BTreeMap;

use principes_analysis::ScriptFile;
use principes_findings::{Code, Finding, Stage, Subject, nearest};
use principes_json::{Lost, MemberPart};
use principes_model::Merged;
use principes_source::FileRole;

use crate::checks::tie_pins;
use crate::misspelled::{self, may_mean, missing, users_of};
use crate::occurrences::spelt;

/// Ties findings to their causes.
pub fn tie(merged: &Merged, findings: &mut Vec<Finding>) {
    of_what_is_unread(merged, findings);
    of_what_is_lost(&merged.broken.lost, findings);
    of_cut_scripts(merged, findings);
    of_what_was_removed(merged, findings);
    tie_pins(merged, findings);
    misspelled::find(merged, findings);
}

/// If not everything was read, nothing is known about how the packs fit together.
fn of_what_is_unread(merged: &Merged, findings: &mut [Finding]) {
    let Some(file) = &merged.broken.unread else { return };
    for finding in findings.iter_mut().filter(|finding| finding.code.stage() >= Stage::Links) {
        finding.rests_on.push(Subject::file(file.as_str()));
    }
}

/// Lets findings about missing things depend on the parts that could not be read.
fn of_what_is_lost(lost: &[Lost], findings: &mut [Finding]) {
    let part = |lost: &Lost| Subject::Part { file: lost.file.clone(), pointer: lost.pointer.clone() };
    let mut named: BTreeMap<(String, String), usize> = BTreeMap::new();
    findings.iter().filter_map(missing).for_each(|it| *named.entry(it).or_default() += 1);
    for finding in findings.iter_mut().filter(|_| !lost.is_empty()) {
        if finding.code == Code::UnusedFunction {
            finding.rests_on.extend(lost.iter().map(part));
        }
        let is_of_script = |lost: &&Lost| matches!(FileRole::of(&lost.file), FileRole::Script(_));
        if matches!(finding.code, Code::UnknownModule | Code::UnknownFunction) && finding.misspelling.is_none() {
            finding.rests_on.extend(lost.iter().find(is_of_script).map(part));
        }
        let Some((family, id)) = missing(finding) else { continue };
        // If nothing is known about what is lost, a single name that is nearly right is still a mistake of its own.
        let is_typo = finding.misspelling.is_some() && named.get(&(family.clone(), id.clone())) == Some(&1);
        let may_be = |lost: &&Lost| {
            let is_family = lost.family.map_or(!is_typo, |lost| may_mean(&family, lost));
            let is_similar = |lost: &String| spelt(lost) == id || nearest(&id, [spelt(lost).as_str()]).is_some();
            is_family && lost.id.as_ref().is_none_or(is_similar)
        };
        let found = lost.iter().find(may_be);
        finding.rests_on.extend(found.map(part));
    }
}

/// Lets findings about what nothing uses depend on scripts that are empty or cut off: the rest may use it.
fn of_cut_scripts(merged: &Merged, findings: &mut [Finding]) {
    let is_cut = |finding: &&Finding| {
        let is_it = |script: &&ScriptFile| script.file == finding.file && script.known.parsed().is_ok();
        finding.code == Code::UnloadableScript && merged.scripts.iter().any(|script| is_it(&script))
    };
    let cut: Vec<Subject> = findings.iter().filter(is_cut).map(|it| Subject::file(it.file.as_str())).collect();
    let about_use =
        [Code::OrphanMessage, Code::LoneName, Code::LoneWord, Code::IdleCard, Code::IdleKind, Code::IdleParam];
    for finding in findings.iter_mut().filter(|finding| about_use.contains(&finding.code)) {
        finding.rests_on.extend(cut.iter().cloned());
    }
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
        let (what, count) = (family.noun(), places.len());
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
