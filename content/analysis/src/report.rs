//! Findings about the program as a whole: functions that are missing, unused, or act where they may only read.

use principes_lua::ByteSpan;
use std::collections::{BTreeMap, BTreeSet};

use principes_findings::{Code, Subject, Suggestion, listing, suggestion};
use principes_scripting::api::Entry;

use crate::facts::Role;
use crate::help::Help;
use crate::program::{Program, ScriptSpan};
use crate::types::Type;

/// A function that the content names but no script defines.
#[derive(Clone, Debug)]
pub struct MissingFunction {
    /// The reference that names it, as a position in the facts.
    pub reference: usize,
    /// What is wrong.
    pub message: String,
    /// Where to add it.
    pub help: String,
    /// The name that was probably meant.
    pub near: Option<Suggestion>,
}

/// Finds all of it. Errors in the content are returned, errors in scripts are reported.
pub fn finish(program: &mut Program<'_>) -> Vec<MissingFunction> {
    let missing = missing_functions(program);
    for reference in &program.facts.references {
        match program.by_name.get(&reference.module) {
            Some(module) if program.exported(&reference.module, &reference.function).is_none() => {
                let exports = program.modules[*module].exports.keys().map(String::as_str);
                if let Some(near) = suggestion(&reference.function, exports) {
                    program.excused.insert((*module, near.name));
                }
            }
            Some(_) => {}
            None => {
                let everywhere = (0..program.modules.len()).map(|module| (module, reference.function.clone()));
                program.excused.extend(everywhere);
            }
        }
    }
    left_out(program);
    crate::omissions::report(program);
    torn(program);
    hook_params(program);
    self_fields(program);
    impure(program);
    unused(program);
    crate::words::lone(program);
    missing
}

/// Functions that the content names but no script defines.
fn missing_functions(program: &Program<'_>) -> Vec<MissingFunction> {
    let mut found = Vec::new();
    for (at, reference) in program.facts.references.iter().enumerate() {
        let Some(module) = program.by_name.get(&reference.module) else { continue };
        let module = &program.modules[*module];
        if module.dynamic {
            continue;
        }
        let there = module.exports.get(&reference.function);
        let message = match there {
            None => format!("the module `{}` has no function `{}`", reference.module, reference.function),
            Some(ty) if ty.bits != 0 && ty.bits & crate::types::FUNCTION == 0 => {
                format!("`{}` of the module `{}` is not a function", reference.function, reference.module)
            }
            Some(_) => continue,
        };
        let near = suggestion(&reference.function, module.exports.keys().map(String::as_str));
        let near = near.map(|near| {
            let whole = format!("{}.{}", reference.module, near.name);
            near.write(whole)
        });
        let help = format!("declare it in {}", module.script.file);
        found.push(MissingFunction { reference: at, message, help, near });
    }
    found
}

/// Parameters that callers leave out although no comment marks them as optional. One call may have forgotten the
/// argument; if there are several, it is intended, and the function should say so.
fn left_out(program: &mut Program<'_>) {
    for ((id, at), places) in std::mem::take(&mut program.left_out) {
        let module = &program.modules[program.functions[id].module];
        let Some(param) = program.function(id).params.get(at).map(|local| module.chunk.locals[*local].name.clone())
        else {
            continue;
        };
        let name = program.name_of(id);
        let help = format!("if it is optional, say so above the function: `---@param {}? …`", param.text);
        let mut all = places.iter();
        match (all.next(), all.next()) {
            (Some(ScriptSpan { module, start, end }), None) => {
                let message = format!("`{name}` is called without `{}`", param.text);
                program.report(*module, Code::UnmarkedOptional, &(*start..*end), message, help.into());
            }
            _ => {
                let message = format!("`{}` is missing in {} calls of `{name}`", param.text, places.len());
                let module = program.functions[id].module;
                program.report(module, Code::UnmarkedOptional, &param.span, message, help.into());
            }
        }
    }
}

/// Parameters that are used as two different types.
fn torn(program: &mut Program<'_>) {
    for ((id, param), (place, before, there)) in std::mem::take(&mut program.torn) {
        // A function that tells types apart may use a value as several.
        if program.functions[id].params[param].tested {
            continue;
        }
        let chunk = &program.modules[program.functions[id].module].chunk;
        let Some(local) = program.function(id).params.get(param) else { continue };
        let name = &chunk.locals[*local].name.text;
        let message = format!(
            "{} is needed here, but `{name}` is used as {} elsewhere in `{}`",
            crate::types::tell(there),
            crate::types::tell(before),
            program.name_of(id)
        );
        let help = "an argument before it may be missing".into();
        program.report(place.module, Code::WrongArgumentType, &(place.start..place.end), message, help);
    }
}

/// Hooks with more parameters than they receive values.
fn hook_params(program: &mut Program<'_>) {
    for at in 0..program.facts.references.len() {
        let Some(handed) = program.handed(at) else { continue };
        let reference = &program.facts.references[at];
        let Some(id) = program.exported(&reference.module, &reference.function) else { continue };
        let function = program.function(id);
        // The arguments of `perform` may be added.
        let Some(extra) = function.params.get(handed.len()) else { continue };
        let known = &program.functions[id];
        if known.params.get(handed.len()).is_some_and(|param| param.optional || param.ty.bits & !crate::types::NIL != 0)
        {
            continue;
        }
        let module = known.module;
        let local = &program.modules[module].chunk.locals[*extra];
        let (name, bytes) = (local.name.text.clone(), local.name.span.clone());
        let list = match (reference.role, reference.point.as_deref()) {
            (Role::Query | Role::Effect, Some(point)) => {
                let args = program.facts.points.get(point).map(|point| point.args.clone()).unwrap_or_default();
                let first: &[&str] =
                    if reference.role == Role::Query { &["self", "value", "owner"] } else { &["self", "owner"] };
                let all: Vec<&str> = first.iter().copied().chain(args.iter().map(String::as_str)).collect();
                format!("`{point}` passes ({})", all.join(", "))
            }
            (Role::Seat | Role::Options, _) => format!("{} passes (seat)", reference.entity),
            (Role::SeatAndSpace, _) => format!("{} passes (seat, space)", reference.entity),
            (Role::SeatAndOption, _) => {
                format!("{} passes (seat, option) or (seat, keyword, a, b)", reference.entity)
            }
            _ => format!("{} passes nothing", reference.entity),
        };
        program.report(module, Code::WrongArguments, &bytes, format!("`{name}` never gets a value"), list.into());
    }
}

/// Fields of `self` that one of the entities lacks.
fn self_fields(program: &mut Program<'_>) {
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, reference) in program.facts.references.iter().enumerate() {
        if reference.this.is_some()
            && let Some(id) = program.exported(&reference.module, &reference.function)
        {
            found.entry(id).or_default().push(at);
        }
    }
    for (id, references) in found {
        let reads = crate::self_reads::self_reads(program, id);
        for (name, bytes) in reads {
            let has = |at: &usize| {
                let reference = &program.facts.references[*at];
                reference
                    .this
                    .as_ref()
                    .and_then(Type::shape)
                    .is_none_or(|shape| shape.fields.contains_key(name.as_str()))
            };
            let Some(lacking) = references.iter().find(|at| !has(at)).copied() else { continue };
            let reference = &program.facts.references[lacking];
            let known: Vec<String> = reference
                .this
                .as_ref()
                .and_then(Type::shape)
                .map(|shape| shape.fields.keys().map(|name| name.to_string()).collect())
                .unwrap_or_default();
            let message = format!("{} has no param `{name}`", reference.entity);
            let near = suggestion(&name, known.iter().map(String::as_str));
            // The other entities have a param of this name.
            let others = references.iter().filter(|at| has(at)).count();
            let help = Help { others, ..Help::or(near, format!("its `self` has {}", listing(&known))) };
            let module = program.functions[id].module;
            program.report(module, Code::UnknownScriptField, &bytes, message, help);
        }
    }
}

/// Functions that act where they may only read.
fn impure(program: &mut Program<'_>) {
    let acting = acting(program);
    // If effects also call it, a function may act: then the call from the query is wrong.
    let roots = roots(program);
    let free = reached(program, |program, id| {
        let known = &program.functions[id];
        known.pure.is_none() && (known.escaped || known.at == 0 || roots.contains(&id))
    });
    let mut list = Vec::new();
    for id in 0..program.functions.len() {
        let Some(why) = program.functions[id].pure.clone() else { continue };
        let mut seen = BTreeSet::from([id]);
        let mut next = vec![id];
        while let Some(at) = next.pop() {
            let known = &program.functions[at];
            let own = at == id;
            for (entry, bytes) in &known.acts {
                list.push((known.module, bytes.clone(), message_of(entry, &why, own)));
            }
            for (callee, bytes) in &known.calls {
                if !acting.contains(callee) || program.functions[*callee].pure.is_some() {
                    continue;
                }
                if free.contains(callee) {
                    let message = format!(
                        "`{}` changes the game or asks for a decision, but {why} may only read",
                        program.name_of(*callee)
                    );
                    list.push((known.module, bytes.clone(), message));
                } else if seen.insert(*callee) {
                    next.push(*callee);
                }
            }
        }
    }
    for (module, bytes, message) in list {
        let help = "query hooks and lists of options may only read: move this into an effect hook".into();
        program.report(module, Code::ImpureQuery, &bytes, message, help);
    }
}

fn message_of(entry: &Entry, why: &str, own: bool) -> String {
    let what = match entry.name {
        "choose" | "confirm" | "move_units" | "battle_at" => "asks for a decision",
        _ => "changes the game or asks for a decision",
    };
    match own {
        true => format!("`{}` {what}, but {why} may only read", entry.name),
        false => format!("`{}` {what}, but {why}, which calls this, may only read", entry.name),
    }
}

/// Functions that act, themselves or through others.
fn acting(program: &Program<'_>) -> BTreeSet<usize> {
    let mut found: BTreeSet<usize> =
        (0..program.functions.len()).filter(|id| !program.functions[*id].acts.is_empty()).collect();
    loop {
        let before = found.len();
        for (id, known) in program.functions.iter().enumerate() {
            // Separate functions list the options, and they are checked separately.
            let calls = |callee: &usize| found.contains(callee) && program.functions[*callee].pure.is_none();
            if known.calls.iter().any(|(callee, _)| calls(callee)) {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The functions that the content names, as far as it can be read.
fn roots(program: &Program<'_>) -> BTreeSet<usize> {
    let references = program.facts.references.iter().map(|it| (it.module.as_str(), it.function.as_str()));
    let unread = program.facts.called.iter().filter_map(|name| name.rsplit_once('.'));
    references.chain(unread).filter_map(|(module, function)| program.exported(module, function)).collect()
}

/// Everything that is called from some functions, including themselves.
fn reached(program: &Program<'_>, begins: impl Fn(&Program<'_>, usize) -> bool) -> BTreeSet<usize> {
    let mut next: Vec<usize> = (0..program.functions.len()).filter(|id| begins(program, *id)).collect();
    let mut seen: BTreeSet<usize> = next.iter().copied().collect();
    while let Some(id) = next.pop() {
        for (callee, _) in &program.functions[id].calls {
            if program.functions[*callee].pure.is_none() && seen.insert(*callee) {
                next.push(*callee);
            }
        }
    }
    seen
}

/// Functions that nothing calls.
fn unused(program: &mut Program<'_>) {
    if program.partial || !program.facts.has_flow {
        return;
    }
    let roots = roots(program);
    let mut next: Vec<usize> = Vec::new();
    for id in 0..program.functions.len() {
        let known = &program.functions[id];
        let is_public = program.function(id).is_public;
        if known.at == 0 || is_public || roots.contains(&id) || program.modules[known.module].dynamic {
            next.push(id);
        }
    }
    let mut used: BTreeSet<usize> = next.iter().copied().collect();
    while let Some(id) = next.pop() {
        next.extend(
            program.functions[id].calls.iter().map(|(callee, _)| *callee).filter(|callee| used.insert(*callee)),
        );
    }
    // A function that only unused functions call is a consequence.
    let called: BTreeSet<usize> = (0..program.functions.len())
        .filter(|id| !used.contains(id))
        .flat_map(|id| program.functions[id].calls.iter().map(move |(callee, _)| (id, *callee)))
        .filter(|(id, callee)| id != callee)
        .map(|(_, callee)| callee)
        .collect();
    let mut list: Vec<(usize, ByteSpan, String)> = Vec::new();
    for id in (0..program.functions.len()).filter(|id| !used.contains(id) && !called.contains(id)) {
        let function = program.function(id);
        let Some(name) = function.name.clone() else { continue };
        let module = program.functions[id].module;
        if !program.excused.contains(&(module, name.text.clone())) {
            list.push((module, name.span, name.text));
        }
    }
    for (module, bytes, name) in list {
        let help = "remove it, call it, or name it as a hook in the content; if other packs call it, write `---@public` above it";
        let help = help.into();
        program.report(module, Code::UnusedFunction, &bytes, format!("the function `{name}` is never used"), help);
        if let Some(finding) = program.findings.last_mut() {
            finding.rests_on.push(Subject::file(finding.file.clone()));
        }
    }
}
