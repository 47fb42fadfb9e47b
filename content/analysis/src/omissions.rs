//! Optional arguments that one call leaves out, although all others pass them.

use principes_findings::{Code, Finding};
use principes_lua::ByteSpan;
use principes_lua::tree::ExprKind;
use principes_scripting::api::{Entry, Ty};

use crate::calls::CallArguments;
use crate::program::{OptionalParam, Program, ScriptSpan};
use crate::walk::Walk;

/// The number of calls that must agree, because a few may pass an argument by chance.
const ENOUGH: usize = 4;

impl Walk<'_, '_> {
    /// Notes whether a call passes the optional arguments of a function of the API.
    pub fn note_api_options(&mut self, entry: &'static Entry, given: &CallArguments<'_>) {
        // Without its only argument, a call asks for something else: `pieces()` is all pieces.
        for (at, param) in entry.params.iter().enumerate().skip(1) {
            // Whether a counter or a zone has an owner depends on its scope.
            let depends = matches!(param.ty, Ty::Owner | Ty::ZoneOwner | Ty::HeldValue);
            if !param.written && !param.rest && !depends {
                self.note_option(OptionalParam::Api(entry.name, at), at, given);
            }
        }
    }

    /// Notes whether a call passes the optional arguments of a function of a script.
    pub fn note_own_options(&mut self, id: usize, given: &CallArguments<'_>) {
        for at in 0..self.program.functions[id].params.len() {
            if self.program.functions[id].params[at].optional {
                self.note_option(OptionalParam::Own(id, at), at, given);
            }
        }
    }

    fn note_option(&mut self, param: OptionalParam, at: usize, given: &CallArguments<'_>) {
        if !self.reports() {
            return;
        }
        let span = &given.callee.span;
        let place = ScriptSpan { module: self.module, start: span.start, end: span.end };
        let uses = self.program.omissions.entry(param).or_default();
        // Who writes `nil` leaves it out on purpose.
        uses.is_free |= given.args.get(at).is_some_and(|arg| matches!(arg.kind, ExprKind::Nil));
        if given.lacks(at) {
            uses.leaving_out.insert(place, given.args.last().map_or(span.end, |last| last.span.end));
        } else {
            uses.passing.insert(place);
        }
    }
}

/// Reports the only call that leaves out an argument.
pub fn report(program: &mut Program<'_>) {
    for (param, uses) in std::mem::take(&mut program.omissions) {
        if uses.is_free {
            continue;
        }
        let mut all = uses.leaving_out.iter();
        let (Some((place, end)), None) = (all.next(), all.next()) else { continue };
        let pack = |place: &&ScriptSpan| program.modules[place.module].script.pack;
        // A pack that builds on this one must not make its calls suspicious.
        let passing = uses.passing.iter().filter(|other| pack(other) <= pack(&place)).count();
        // An error in the call says more.
        if passing < ENOUGH || has_error_in(program, place.module, place.start..*end) {
            continue;
        }
        let (function, name) = names(program, param);
        let message = format!("`{function}` is called without `{name}`, but all {passing} other calls pass it");
        let help = "pass it, or say why not in a comment above: `-- allow P0327: …`";
        program.report(place.module, Code::LoneOmission, &(place.start..place.end), message, help.into());
    }
}

/// Whether an error in a part of a module is known.
fn has_error_in(program: &Program<'_>, module: usize, part: ByteSpan) -> bool {
    let file = &program.modules[module].script.file;
    let is_there = |finding: &Finding| finding.file == *file && part.contains(&finding.span.bytes.start);
    program.findings.iter().any(|finding| finding.is_error() && is_there(finding))
}

/// The names of the function and of the parameter.
fn names(program: &Program<'_>, param: OptionalParam) -> (String, String) {
    match param {
        OptionalParam::Api(function, at) => {
            let param = program.api.get(function).and_then(|entry| entry.params.get(at));
            (function.to_owned(), param.map_or_else(String::new, |param| param.name.to_owned()))
        }
        OptionalParam::Own(id, at) => {
            let chunk = &program.modules[program.functions[id].module].chunk;
            let local = program.function(id).params.get(at).map(|local| chunk.locals[*local].name.text.clone());
            (program.name_of(id), local.unwrap_or_default())
        }
    }
}
