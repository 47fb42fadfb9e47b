//! Warnings that packs answer: they are right as they are, for a reason.
//!
//! An entity answers in its field `allow`, a script in a comment, and everything else in the manifest. The rest of a
//! check applies the [answers](principes_findings::Answers) when all findings are known.

use principes_analysis::script_answers;
use principes_findings::{AnsweredPlace, Answers, Code, Finding, WarningAnswer};
use principes_json::MemberPart;
use principes_model::Merged;
use principes_schemas::Family;
use serde_json::Value;

/// The answers of all packs. Reports those that answer what cannot be answered.
pub fn gather(merged: &Merged, findings: &mut Vec<Finding>) -> Answers {
    let mut gathered = Gathered { merged, answers: Answers::default(), findings };
    gathered.of_entities();
    gathered.of_scripts();
    gathered.of_manifests();
    gathered.answers
}

struct Gathered<'m, 'f> {
    merged: &'m Merged,
    answers: Answers,
    findings: &'f mut Vec<Finding>,
}

impl Gathered<'_, '_> {
    /// Adds an answer, or says why there can be none. `at` makes a finding where the answer is.
    fn add(&mut self, code: &str, path: &str, places: Vec<AnsweredPlace>, at: impl Fn(Code, String) -> Finding) {
        let Some(known) = Code::ALL.iter().copied().find(|known| known.as_str() == code) else {
            let message = format!("there is no finding with the code `{code}`");
            self.findings.push(at(Code::UnfitAnswer, message).help("write the code of the warning"));
            return;
        };
        if !Answers::can_answer(known) {
            let message = format!("{code} cannot be allowed: {}", known.title());
            self.findings.push(at(Code::UnfitAnswer, message).help("only warnings about the content can be allowed"));
            return;
        }
        let finding = at(Code::IdleAnswer, format!("nothing here causes {code}, so allowing it has no effect"));
        // A pack that builds on this one may change what causes the warning.
        let is_own = self.merged.packs.last().is_some_and(|pack| pack.source.label(path) == finding.file);
        let idle = is_own.then(|| finding.help("remove the code and its reason"));
        let answer = WarningAnswer { code: known, places, idle, is_used: false };
        if !self.answers.0.contains(&answer) {
            self.answers.0.push(answer);
        }
    }

    /// `"allow": {"P0611": "bots alone read it"}` in an entity.
    fn of_entities(&mut self) {
        let merged = self.merged;
        for document in &merged.documents.0 {
            let Some(family) = document.family.filter(|it| !matches!(it, Family::Messages | Family::Patches)) else {
                continue;
            };
            let outer = (0..document.entities().len()).map(|at| format!("/{}/{at}", family.key()));
            let inner =
                document.named().iter().map(|(pointer, _)| pointer.clone()).filter(|_| family == Family::Phases);
            for pointer in outer.chain(inner) {
                let allow = document.value.pointer(&format!("{pointer}/allow")).and_then(Value::as_object);
                for code in allow.into_iter().flat_map(|allow| allow.keys()) {
                    let part = document.written(&pointer, MemberPart::Key);
                    let place = AnsweredPlace::Part { file: document.file.clone(), pointer: part };
                    self.add(code, &document.path, vec![place], |kind, message| {
                        document.finding(kind, &format!("{pointer}/allow/{code}"), MemberPart::Key, message)
                    });
                }
            }
        }
    }

    /// `-- allow P0325: …` in the line of the warning or above it.
    fn of_scripts(&mut self) {
        for script in &self.merged.scripts {
            for answer in script_answers(&script.text) {
                let at =
                    |kind, message| Finding::new(kind, &script.file, message).at(&script.text, answer.span.clone());
                if answer.reason.is_empty() {
                    let message = format!("{} is allowed without a reason", answer.code);
                    let help = format!("write the reason after a colon: `-- allow {}: …`", answer.code);
                    self.findings.push(at(Code::UnfitAnswer, message).help(help));
                    continue;
                }
                let place = AnsweredPlace::Line { file: script.file.clone(), line: answer.line };
                self.add(&answer.code, &script.path, vec![place], at);
            }
        }
    }

    /// `"allow": [{"code": …, "at": …, "reason": …}]` in a manifest.
    fn of_manifests(&mut self) {
        let merged = self.merged;
        for (pack, entry) in merged.packs.iter().enumerate() {
            for (nth, allowance) in entry.manifest.allow.iter().enumerate() {
                let at = |field: &'static str| {
                    move |kind, message| {
                        entry.document.finding(kind, &format!("/allow/{nth}/{field}"), MemberPart::Value, message)
                    }
                };
                let places = self.places(pack, &allowance.at);
                if places.is_empty() {
                    let message = format!("`{}` is neither a file of the pack nor a family with an id", allowance.at);
                    let help = "write a path inside the pack, or an id such as `cards/my-card` or `messages/log.paid`";
                    self.findings.push(at("at")(Code::UnfitAnswer, message).help(help));
                    continue;
                }
                self.add(&allowance.code, "pack.json", places, at("code"));
            }
        }
    }

    /// The places that a manifest names.
    fn places(&self, pack: usize, at: &str) -> Vec<AnsweredPlace> {
        let merged = self.merged;
        let source = &merged.packs[pack].source;
        let is_file = at == "pack.json" || source.list().is_ok_and(|all| all.iter().any(|path| path == at));
        if is_file {
            return vec![AnsweredPlace::Part { file: source.label(at), pointer: String::new() }];
        }
        let Some((family, id)) = at.split_once('/') else { return Vec::new() };
        let is_it = |document: &&principes_json::Document| {
            document.pack == pack && document.family.is_some_and(|it| it.key() == family)
        };
        let documents = merged.documents.0.iter().filter(is_it);
        let part = |document: &principes_json::Document, pointer: &str| AnsweredPlace::Part {
            file: document.file.clone(),
            pointer: document.written(pointer, MemberPart::Key),
        };
        let mut found = Vec::new();
        for document in documents {
            if family == Family::Messages.key() {
                let pointer = format!("/{family}/{}", principes_json::escape(id));
                found.extend(document.value.pointer(&pointer).map(|_| part(document, &pointer)));
            } else {
                let same = document.named().iter().filter(|(_, named)| named == id);
                found.extend(same.map(|(pointer, _)| part(document, pointer)));
            }
        }
        found
    }
}
