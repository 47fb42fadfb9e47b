//! Calls: whether the arguments fit the function.

use principes_lua::ByteSpan;
use principes_lua::tree::{Expr, ExprKind};

use principes_findings::{Code, listing, suggestion};

use crate::help::Help;
use crate::program::ScriptSpan;
use crate::types::{self as t, Bits, Callee, Detail, Type};
use crate::walk::Walk;

/// What a call passes, and whether it may pass more than can be seen.
pub struct CallArguments<'e> {
    pub args: &'e [Expr],
    pub types: Vec<Type>,
    /// Whether the last argument may return more values than are known.
    pub open: bool,
    /// What is called.
    pub callee: &'e Expr,
}

impl CallArguments<'_> {
    /// Whether there is no argument at a position.
    pub fn lacks(&self, at: usize) -> bool {
        at >= self.types.len() && !self.open
    }
    /// The type of what follows the known arguments.
    pub fn rest(&self) -> Type {
        if self.open { Type::ANY } else { Type::of(t::NIL) }
    }
    pub fn literal(&self, at: usize) -> Option<(&str, &ByteSpan)> {
        match self.args.get(at) {
            Some(Expr { kind: ExprKind::Text(text), span, .. }) => Some((text, span)),
            _ => None,
        }
    }
    /// The span of an argument. Additional values of the last argument share its span.
    pub fn bytes(&self, at: usize) -> &ByteSpan {
        self.args.get(at).or(self.args.last()).map_or(&self.callee.span, |arg| &arg.span)
    }
}

/// An argument whose type does not fit its parameter.
pub struct Misfit {
    /// The position of both.
    pub at: usize,
    pub message: String,
}

/// The most arguments that are tried in another order.
const MOST_REORDERED: usize = 4;

/// Whether the arguments at some positions fit the parameters there in another order. `taken` are arguments that have
/// a place.
fn fit_reordered(at: &[usize], taken: &mut Vec<usize>, fits: &impl Fn(usize, usize) -> bool) -> bool {
    let Some(param) = at.get(taken.len()).copied() else { return true };
    at.iter().any(|arg| {
        !taken.contains(arg) && fits(*arg, param) && {
            taken.push(*arg);
            let all = fit_reordered(at, taken, fits);
            taken.pop();
            all
        }
    })
}

impl Walk<'_, '_> {
    /// Reports arguments with wrong types. If they fit in another order, that is one mistake. `fits` says whether an
    /// argument fits a parameter.
    pub fn report_misfits(
        &mut self,
        name: &str,
        misfits: Vec<Misfit>,
        given: &CallArguments<'_>,
        fits: impl Fn(usize, usize) -> bool,
        param: impl Fn(usize) -> String,
        help: impl Fn() -> Help,
    ) {
        let at: Vec<usize> = misfits.iter().map(|misfit| misfit.at).collect();
        let are_written = at.last().is_some_and(|last| *last < given.args.len());
        if (2..=MOST_REORDERED).contains(&at.len()) && are_written && fit_reordered(&at, &mut Vec::new(), &fits) {
            let names: Vec<String> = at.iter().map(|at| param(*at)).collect();
            let message = format!("the values for {} of `{name}` are in the wrong order", listing(&names));
            self.report(Code::WrongArgumentType, given.bytes(at[0]), message, help());
            return;
        }
        misfits.into_iter().for_each(|misfit| self.report_misfit(misfit, given, help()));
    }

    pub fn report_misfit(&mut self, misfit: Misfit, given: &CallArguments<'_>, help: Help) {
        self.report(Code::WrongArgumentType, given.bytes(misfit.at), misfit.message, help);
    }

    /// Checks a call and returns the types of its results.
    pub fn call(&mut self, callee: &Expr, args: &[Expr]) -> Vec<Type> {
        if matches!(&callee.kind, ExprKind::Global(name) if name == "import") {
            return vec![self.import(callee, args)];
        }
        let target = self.peek(callee);
        self.needs(callee);
        let callees: Vec<Callee> = match &target.detail {
            Detail::Functions(list) => list.to_vec(),
            _ => Vec::new(),
        };
        match callees.as_slice() {
            [Callee::Api(entry)] => self.call_api(entry, callee, args),
            [Callee::Library(function)] if self.lacks_its_text(function, callee, args) => {
                self.given(callee, args, true);
                function.returns.iter().map(Type::of_result).collect()
            }
            [Callee::Library(function)] => self.call_library(function, callee, args),
            [Callee::Own(id)] => self.call_own(*id, callee, args),
            [] => {
                self.given(callee, args, true);
                self.handed_on(args);
                if target.bits == 0 {
                    return vec![Type::NEVER];
                }
                if target.is_unknown() {
                    return vec![Type::UNKNOWN];
                }
                if target.bits & t::FUNCTION == 0 && target.bits != t::NIL {
                    let message = format!("{} cannot be called", target.only(!t::NIL).tell());
                    self.report(Code::WrongArgumentType, &callee.span, message, Help::NONE);
                }
                vec![Type::ANY]
            }
            several => {
                let given = self.given(callee, args, true);
                self.count_several(several, &given);
                self.handed_on(args);
                let mut results: Vec<Type> = Vec::new();
                for callee in several {
                    let list = match callee {
                        Callee::Own(id) => {
                            self.program.reads_function(self.id, *id);
                            for at in 0..self.program.functions[*id].params.len() {
                                let ty = given.types.get(at).cloned().unwrap_or_else(|| given.rest());
                                self.program.flow(*id, at, &ty);
                            }
                            self.program.functions[*id].results.clone()
                        }
                        _ => vec![Type::ANY],
                    };
                    for (at, ty) in list.into_iter().enumerate() {
                        match results.get_mut(at) {
                            Some(result) => *result = result.join(&ty),
                            None => results.push(ty),
                        }
                    }
                }
                if results.is_empty() { vec![Type::NEVER] } else { results }
            }
        }
    }

    /// Evaluates the arguments. If `escapes`, functions among them may be called from anywhere.
    pub fn given<'e>(&mut self, callee: &'e Expr, args: &'e [Expr], escapes: bool) -> CallArguments<'e> {
        let mut types = Vec::with_capacity(args.len());
        let mut open = false;
        for (at, arg) in args.iter().enumerate() {
            if at + 1 < args.len() {
                types.push(self.peek(arg));
                continue;
            }
            let list = self.multi(arg);
            open = match &arg.kind {
                ExprKind::Vararg | ExprKind::Method { .. } => true,
                ExprKind::Call { callee, .. } => list.len() > 1 || self.is_unknown(callee),
                _ => false,
            };
            types.extend(list.into_iter().take(if open { usize::MAX } else { 1 }));
        }
        if escapes {
            types.iter().for_each(|ty| self.escape(ty));
        }
        CallArguments { args, types, open, callee }
    }

    /// Whether nothing is known about a function.
    pub fn is_unknown(&mut self, callee: &Expr) -> bool {
        if matches!(&callee.kind, ExprKind::Global(name) if name == "import") {
            return false;
        }
        let ty = self.silently(|walk| walk.peek(callee));
        !matches!(ty.detail, Detail::Functions(_))
    }

    pub fn import(&mut self, callee: &Expr, args: &[Expr]) -> Type {
        let given = self.given(callee, args, true);
        let Some((name, bytes)) = given.literal(0) else {
            if given.lacks(0) {
                let message = "`import` needs the name of a module".to_owned();
                self.report(Code::WrongArguments, &callee.span, message, Help::NONE);
            }
            return Type::ANY;
        };
        if let Some(extra) = args.get(1) {
            self.report(Code::WrongArguments, &extra.span, "`import` takes one name", Help::NONE);
        }
        if let Some(module) = self.program.by_name.get(name) {
            return Type { bits: t::TABLE, detail: Detail::Module(*module) };
        }
        let facts = self.program.facts;
        if !facts.modules.contains(name) && !facts.unsure.contains(name) {
            let near = suggestion(name, facts.modules.iter().map(String::as_str));
            let outside = name.starts_with('/') || name.split('/').any(|part| part == "..");
            let help = match outside {
                true => "name a script of the pack, without `.lua`, by its path inside the pack".into(),
                false => Help::or(near, format!("a module is a file of the pack: {name}.lua")),
            };
            self.report(Code::UnknownModule, bytes, format!("unknown script module `{name}`"), help);
        }
        Type::UNKNOWN
    }

    // Functions of scripts ------------------------------------------------------------------------------------------

    pub fn call_own(&mut self, id: usize, callee: &Expr, args: &[Expr]) -> Vec<Type> {
        self.program.reads_function(self.id, id);
        let given = self.given(callee, args, true);
        let count = self.program.functions[id].params.len();
        // If the number of arguments is wrong, type errors are a consequence.
        let is_miscounted =
            self.has_too_many(id, &given) || self.first_missing(id, &given).is_some_and(|at| self.is_needed(id, at));
        let mut misfits = Vec::new();
        for at in 0..count {
            let Some(ty) = given.types.get(at) else {
                self.program.flow(id, at, &given.rest());
                continue;
            };
            self.demanded(&given, at, self.program.functions[id].params[at].demand);
            let param = &self.program.functions[id].params[at];
            if param.needed
                && !param.tested
                && !param.optional
                && let Some(arg) = args.get(at)
            {
                self.needs(arg);
            }
            let demand = self.program.functions[id].params[at].demand;
            let real = ty.bits & !t::NIL;
            let meets = demand.is_none_or(|demand| real == 0 || real & demand != 0);
            self.program.functions[self.id].misfits |= !meets;
            if self.program.settled && !meets {
                if self.reports() && !is_miscounted {
                    let (name, param) = (self.text(callee), self.param_name(id, at));
                    let wanted = t::tell(demand.unwrap_or(t::ALL) & !t::NIL);
                    let message = format!("`{name}` needs {wanted} as `{param}`, found {}", t::tell(real));
                    misfits.push(Misfit { at, message });
                }
            } else {
                self.program.flow(id, at, ty);
            }
        }
        if !misfits.is_empty() {
            let function = &self.program.functions[id];
            let demands: Vec<Option<Bits>> = function.params.iter().map(|param| param.demand).collect();
            let fits =
                |arg: usize, at: usize| demands[at].is_none_or(|demand| given.types[arg].bits & !t::NIL & demand != 0);
            let (name, params) = (self.text(callee), (0..count).map(|at| self.param_name(id, at)));
            let params: Vec<String> = params.collect();
            self.report_misfits(&name, misfits, &given, fits, |at| params[at].clone(), || Help::NONE);
        }
        self.handed_on(args);
        if self.reports() {
            self.count_own(id, &given);
            self.note_own_options(id, &given);
        }
        let results = self.program.functions[id].results.clone();
        if results.is_empty() { vec![Type::NEVER] } else { results }
    }

    pub fn param_name(&self, id: usize, at: usize) -> String {
        let module = &self.program.modules[self.program.functions[id].module];
        let function = &module.chunk.functions[self.program.functions[id].at];
        function.params.get(at).map_or_else(String::new, |local| module.chunk.locals[*local].name.text.clone())
    }

    pub fn has_too_many(&self, id: usize, given: &CallArguments<'_>) -> bool {
        !self.program.function(id).vararg && given.args.len() > self.program.functions[id].params.len()
    }

    pub fn first_missing(&self, id: usize, given: &CallArguments<'_>) -> Option<usize> {
        let known = &self.program.functions[id].params;
        (0..known.len()).find(|at| given.lacks(*at) && !known[*at].optional)
    }

    /// Whether a function fails if it is called without a parameter.
    pub fn is_needed(&self, id: usize, at: usize) -> bool {
        let param = &self.program.functions[id].params[at];
        param.needed && !param.tested
    }

    /// A call of any function of a table: every one of them must get what it needs.
    fn count_several(&mut self, callees: &[Callee], given: &CallArguments<'_>) {
        if !self.reports() {
            return;
        }
        let lacks = callees.iter().find_map(|callee| match callee {
            Callee::Own(id) => Some((*id, self.first_missing(*id, given).filter(|at| self.is_needed(*id, *at))?)),
            _ => None,
        });
        if let Some((id, at)) = lacks {
            let (name, param) = (self.program.name_of(id), self.param_name(id, at));
            let message = format!("`{name}`, which may be called here, needs `{param}`");
            self.report(Code::WrongArguments, &given.callee.span, message, Help::NONE);
        }
    }

    pub fn count_own(&mut self, id: usize, given: &CallArguments<'_>) {
        let name = self.text(given.callee);
        let count = self.program.functions[id].params.len();
        let names: Vec<String> = (0..count).map(|at| self.param_name(id, at)).collect();
        if self.has_too_many(id, given)
            && let Some(extra) = given.args.get(count)
        {
            let bytes = extra.span.start..given.args.last().map_or(extra.span.end, |last| last.span.end);
            let message = format!("`{name}` takes only ({})", names.join(", "));
            self.report(Code::WrongArguments, &bytes, message, Help::NONE);
            return;
        }
        if let Some(at) = self.first_missing(id, given) {
            if self.is_needed(id, at) {
                let wanted = self.program.functions[id].params[at].demand.map(|demand| demand & !t::NIL);
                let wanted = wanted.filter(|demand| *demand != t::ALL & !t::NIL && *demand != 0);
                let wanted = wanted.map_or_else(String::new, |demand| format!(", {}", t::tell(demand)));
                let message = format!("`{name}` needs `{}`{wanted}", names[at]);
                let help = format!("it takes ({})", names.join(", "));
                self.report(Code::WrongArguments, &given.callee.span, message, help);
            } else {
                let span = &given.callee.span;
                let place = ScriptSpan { module: self.module, start: span.start, end: span.end };
                self.program.left_out.entry((id, at)).or_default().insert(place);
            }
        }
    }

    /// Notes that the function fails if this expression is nil. If it is a parameter, callers must pass it.
    pub fn needs(&mut self, expr: &Expr) {
        if let Some((id, param)) = self.own_param(expr) {
            let param = &mut self.program.functions[id].params[param];
            if !std::mem::replace(&mut param.needed, true) {
                self.program.function_changed(id);
            }
        }
    }

    /// The parameter that an expression names, if nothing is assigned to it.
    pub fn own_param(&self, expr: &Expr) -> Option<(usize, usize)> {
        let ExprKind::Local(local) = expr.kind else { return None };
        let known = &self.chunk.locals[local];
        let param = known.param.filter(|_| !known.assigned && !self.program.settled)?;
        Some((self.program.modules[self.module].base + known.function, param))
    }

    /// Notes that a parameter that is passed on unchanged must fit the called function.
    /// Returns the parameter and its earlier types if it cannot meet both demands.
    pub fn demanded(
        &mut self,
        given: &CallArguments<'_>,
        at: usize,
        needs: Option<Bits>,
    ) -> Option<((usize, usize), Bits)> {
        let (needs, arg) = needs.zip(given.args.get(at))?;
        let (id, param) = self.own_param(arg)?;
        let ExprKind::Local(local) = arg.kind else { return None };
        let name = &self.chunk.locals[local].name.text;
        if self.program.function(id).notes.iter().any(|note| note.name == *name) {
            return None;
        }
        let demand = &mut self.program.functions[id].params[param].demand;
        let before = (*demand)?;
        let both = before & (needs | t::NIL);
        *demand = (both & !t::NIL != 0).then_some(both);
        let is_torn = demand.is_none();
        if *demand != Some(before) {
            self.program.function_changed(id);
        }
        is_torn.then_some(((id, param), before & !t::NIL))
    }

    /// Runs `look` without reporting anything.
    pub fn silently<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let seen = look(self);
        self.quiet -= 1;
        seen
    }
}
