//! Calls of the API and of Lua's library: the number of arguments, and their types.

use principes_lua::tree::{Expr, ExprKind, Item};

use principes_findings::Code;
use principes_schemas::{CounterScope, Holds, ZoneScope};
use principes_scripting::api::{Entry, LibraryFunction, Param, Ty};

use crate::calls::{CallArguments, Misfit};
use crate::help::Help;
use crate::program::ScriptSpan;
use crate::types::{self as t, Bits, Callee, Detail, Type};
use crate::walk::Walk;

/// Functions for texts that make no other ones, or add to those that are written out.
const KEEP_WORDS: [&str; 4] = ["string.byte", "string.find", "string.format", "string.len"];

impl Walk<'_, '_> {
    pub fn call_api(&mut self, entry: &'static Entry, callee: &Expr, args: &[Expr]) -> Vec<Type> {
        let given = self.given(callee, args, false);
        if entry.acts && self.reports() {
            self.program.functions[self.id].acts.push((entry, callee.span.clone()));
        }
        self.check_params(entry.name, entry.params, &given);
        self.note_api_options(entry, &given);
        self.callbacks(entry.name, &given);
        for (at, param) in entry.params.iter().enumerate() {
            match param.ty {
                Ty::Query => self.point(&given, at, at + 2),
                Ty::Effect => self.point(&given, at, if entry.params[0].ty == Ty::Effect { 1 } else { at + 2 }),
                Ty::Message => self.message_values(entry, &given, at),
                Ty::Decision => self.prompt(entry, &given, at),
                Ty::Options => self.options(&given, at),
                _ => {}
            }
        }
        if entry.name == "prop" {
            let arg = |at: usize| given.types.get(at).cloned().unwrap_or(Type::ANY);
            return vec![self.prop_value(&arg(0), &arg(1), given.bytes(1))];
        }
        if entry.name == "has" {
            let arg = |at: usize| given.types.get(at).cloned().unwrap_or(Type::ANY);
            self.prop_value(&arg(0), &arg(1), given.bytes(1));
        }
        if let ("confirm", Some((decision, bytes))) = (entry.name, given.literal(1)) {
            ["yes", "no"].iter().for_each(|word| self.check_option(decision, word, bytes));
        }
        if let ("contains", Some(ExprKind::Table(items)), Some(value)) =
            (entry.name, args.first().map(|arg| &arg.kind), given.types.get(1))
        {
            self.check_contained(items, value);
        }
        let result = |walk: &Self, ty: Ty| match ty {
            Ty::Held => walk.held(given.types.first()),
            Ty::Like => match given.types.first().and_then(Type::shape) {
                Some(shape) => Type::list(shape.items.only(!t::NIL)),
                None if given.types.first().is_some_and(|ty| ty.bits == 0) => Type::NEVER,
                None => Type::of(t::TABLE),
            },
            ty => Type::of_ty(ty),
        };
        let list: Vec<Type> = entry
            .returns
            .iter()
            .map(|ret| {
                let ty = result(self, ret.ty);
                if ret.optional { ty.or_nil() } else { ty }
            })
            .collect();
        if list.is_empty() { vec![Type::of(t::NIL)] } else { list }
    }

    pub fn call_library(&mut self, function: &'static LibraryFunction, callee: &Expr, args: &[Expr]) -> Vec<Type> {
        let given = self.given(callee, args, matches!(function.name, "pcall" | "table.insert" | "table.pack"));
        self.check_params(function.name, function.params, &given);
        self.callbacks(function.name, &given);
        match function.name {
            "table.insert" => {
                if let Some(list) = args.first() {
                    self.check_kept(list);
                    let value = given.types.get(if args.len() > 2 { 2 } else { 1 }).cloned().unwrap_or(Type::ANY);
                    self.inserted(list, &value);
                }
            }
            "table.remove" | "table.sort" => {
                if let Some(list) = args.first() {
                    self.check_kept(list);
                }
                if function.name == "table.remove"
                    && let Some(shape) = given.types.first().and_then(Type::shape)
                {
                    return vec![shape.items.clone().or_nil()];
                }
            }
            _ => {}
        }
        if function.name == "assert" {
            return given.types.first().map(Type::truthy).into_iter().collect();
        }
        // A format keeps its words, and the check of words knows them.
        self.program.makes_texts |= function.name.starts_with("string.") && !KEEP_WORDS.contains(&function.name);
        let list: Vec<Type> = function.returns.iter().map(|result| Type::of_result(result).made()).collect();
        if list.is_empty() { vec![Type::of(t::NIL)] } else { list }
    }

    /// API functions that call a function of the script with the items of a list.
    pub fn callbacks(&mut self, name: &str, given: &CallArguments<'_>) {
        let count = match name {
            "filter" => 1,
            "sorted" | "table.sort" => 2,
            _ => 0,
        };
        let item = match given.types.first() {
            Some(ty) if ty.bits == 0 => Type::NEVER,
            Some(ty) => ty.shape().map_or(Type::ANY, |shape| shape.items.only(!t::NIL)),
            None => return,
        };
        for ty in given.types.iter().skip(1) {
            let Detail::Functions(list) = &ty.detail else { continue };
            for callee in list.clone().iter() {
                if let Callee::Own(id) = callee {
                    for at in 0..count {
                        self.program.flow(*id, at, &item);
                    }
                }
            }
        }
    }

    pub fn check_params(&mut self, name: &str, params: &'static [Param], given: &CallArguments<'_>) {
        let signature = || {
            let names: Vec<String> = params
                .iter()
                .map(|param| match (param.rest, !param.written) {
                    (true, _) => "…".to_owned(),
                    (_, true) => format!("{}?", param.name),
                    _ => param.name.to_owned(),
                })
                .collect();
            format!("{name}({})", names.join(", "))
        };
        let rest = params.last().filter(|param| param.rest);
        // If the number of arguments is wrong, they are in wrong positions: type errors are a consequence.
        if rest.is_none()
            && let Some(extra) = given.args.get(params.len())
        {
            let bytes = extra.span.start..given.args.last().map_or(extra.span.end, |last| last.span.end);
            self.report(
                Code::WrongArguments,
                &bytes,
                "too many arguments",
                Some(format!("the function is `{}`", signature())),
            );
            return;
        }
        let scopes: Vec<Option<Bits>> = (0..params.len()).map(|at| self.scope(params, at, given)).collect();
        let needed = |at: &usize| match (params[*at].ty, scopes[*at]) {
            _ if params[*at].rest => false,
            (Ty::Owner | Ty::ZoneOwner, Some(scope)) => !params[*at].optional || scope & t::NIL == 0,
            (Ty::HeldValue, _) => true,
            _ => params[*at].written,
        };
        if let Some(last) = (0..params.len()).find(|at| given.lacks(*at) && needed(at)) {
            let at = skipped(params, given, last).filter(needed).unwrap_or(last);
            let param = &params[at];
            let why = match param.ty {
                Ty::Owner | Ty::ZoneOwner if param.optional => {
                    let owner = t::tell(scopes[at].unwrap_or(t::FACTION));
                    format!("`{}` belongs to {owner}: name it", self.text(&given.args[at_before(params, at)]))
                }
                _ => format!("the function is `{}`", signature()),
            };
            let message = format!("`{name}` needs `{}`, {}", param.name, param.ty.wanted());
            self.report(Code::WrongArguments, &given.callee.span, message, Some(why));
            return;
        }
        let mut misfits = Vec::new();
        for (at, param) in params.iter().enumerate().filter(|(at, _)| !given.lacks(*at)) {
            misfits.extend(self.check_arg((name, params), param, at, scopes[at], given));
        }
        let fits = |arg: usize, at: usize| {
            let accepts = scopes[at].unwrap_or(t::accepts(params[at].ty));
            given.types[arg].bits & !t::NIL & accepts != 0
        };
        let help = || Help::from(format!("the function is `{}`", typed(name, params)));
        self.report_misfits(name, misfits, given, fits, |at| params[at].name.to_owned(), help);
        if let Some(param) = rest {
            for at in params.len()..given.types.len() {
                let misfit = self.check_arg((name, params), param, at, None, given);
                misfit.into_iter().for_each(|misfit| self.report_misfit(misfit, given, help()));
            }
            let most = params.len() - 1 + 4;
            if param.ty == Ty::Any
                && let Some(extra) = given.args.get(most)
            {
                self.report(Code::WrongArguments, &extra.span, format!("`{name}` takes up to four values"), Help::NONE);
            }
        }
    }

    /// Checks an argument. Returns a wrong type, which is not yet reported.
    fn check_arg(
        &mut self,
        (name, params): (&str, &[Param]),
        param: &Param,
        at: usize,
        scope: Option<Bits>,
        given: &CallArguments<'_>,
    ) -> Option<Misfit> {
        let ty = given.types.get(at)?;
        // Named fields where a list belongs: the argument before them was left out.
        if let (Ty::Options, Some(Expr { kind: ExprKind::Table(items), .. })) = (param.ty, given.args.get(at))
            && items.iter().any(|item| matches!(item, Item::Named(..)))
        {
            let help = format!("the function is `{}`", typed(name, params));
            let message = format!("`{name}` needs a list as `{}`, found named fields", param.name);
            self.report(Code::WrongArgumentType, given.bytes(at), message, help.as_str());
            return None;
        }
        if let Some(arg) = given.args.get(at) {
            self.check_value(name, param.name, param.ty, arg, ty);
            let required = scope.map_or(!param.optional, |scope| scope & t::NIL == 0);
            if required && !param.rest && !matches!(param.ty, Ty::Lua | Ty::HeldValue) {
                self.needs(arg);
            }
        }
        let needs = scope.unwrap_or(t::accepts(param.ty));
        if let Some((torn, before)) = self.demanded(given, at, Some(needs).filter(|bits| *bits != t::ALL))
            && let Some(next) = params.get(at + 1)
            && (next.rest || given.lacks(params.len() - 1))
            && before & t::accepts(next.ty) != 0
        {
            let span = &given.bytes(at).clone();
            let place = ScriptSpan { module: self.module, start: span.start, end: span.end };
            self.program.torn.entry(torn).or_insert((place, before, needs & !t::NIL));
        }
        if ty.bits == 0 || ty.is_any() {
            return None;
        }
        let real = ty.bits & !t::NIL;
        let accepts = match (param.ty, scope) {
            (Ty::Owner | Ty::ZoneOwner | Ty::HeldValue, Some(scope)) => scope,
            (ty, _) => t::accepts(ty) | if param.optional { t::NIL } else { 0 },
        };
        let wrong = if real == 0 { accepts & t::NIL == 0 } else { real & accepts == 0 };
        if !wrong {
            return None;
        }
        let got = ty.got();
        let message = match (param.ty, scope) {
            (Ty::Owner | Ty::ZoneOwner, Some(t::NIL)) => {
                format!("`{}` has no owner: leave out `{}`", self.text(&given.args[0]), param.name)
            }
            (Ty::Owner | Ty::ZoneOwner | Ty::HeldValue, Some(scope)) => {
                let what = if param.ty == Ty::HeldValue { "holds" } else { "belongs to" };
                format!("`{}` {what} {}, found {got}", self.text(&given.args[0]), t::tell(scope))
            }
            _ => format!("`{name}` needs {} as `{}`, found {got}", param.ty.wanted(), param.name),
        };
        Some(Misfit { at, message })
    }

    /// The types of an argument that depends on a counter or zone; `None` if that is not known. Nil alone means that it
    /// must be left out.
    pub fn scope(&self, params: &[Param], at: usize, given: &CallArguments<'_>) -> Option<Bits> {
        let ty = params[at].ty;
        if !matches!(ty, Ty::Owner | Ty::ZoneOwner | Ty::HeldValue) {
            return None;
        }
        let words = given.types.get(at_before(params, at))?.words()?;
        let facts = &self.program.facts;
        words.iter().try_fold(0, |bits, id| {
            Some(
                bits | match ty {
                    Ty::ZoneOwner => match facts.zones.get(&**id)? {
                        ZoneScope::Game => t::NIL,
                        ZoneScope::Faction => t::FACTION,
                    },
                    Ty::Owner => match facts.counters.get(&**id)?.0 {
                        CounterScope::Game => t::NIL,
                        CounterScope::Faction => t::FACTION,
                        CounterScope::Space => t::SPACE,
                        CounterScope::Card => t::CARD,
                    },
                    _ => match facts.counters.get(&**id)?.1 {
                        None => t::NUMBER | t::BOOL,
                        Some(holds) => held(holds) | t::NIL,
                    },
                },
            )
        })
    }

    /// The type of a counter's value.
    pub fn held(&self, counter: Option<&Type>) -> Type {
        let Some(counter) = counter else { return Type::ANY };
        if counter.bits == 0 {
            return Type::NEVER;
        }
        let counters = &self.program.facts.counters;
        let of = |holds: Option<Holds>| holds.map_or(t::NUMBER, |holds| held(holds) | t::NIL);
        let known: Option<Bits> = match counter.words() {
            Some(words) => words.iter().try_fold(0, |bits, id| Some(bits | of(counters.get(&**id)?.1))),
            None => Some(counters.values().fold(0, |bits, (_, holds)| bits | of(*holds))),
        };
        known.map_or(Type::ANY, Type::of)
    }
}

fn held(holds: Holds) -> Bits {
    match holds {
        Holds::Space => t::SPACE,
        Holds::Faction => t::FACTION,
        Holds::Card => t::CARD,
        Holds::Design => t::DESIGN,
    }
}

/// A function with the types of its parameters, as editors write them: `add(counter: Counter, amount: integer)`.
fn typed(name: &str, params: &[Param]) -> String {
    let one = |param: &Param| match param.rest {
        true => format!("...: {}", param.ty.stub()),
        false => format!("{}{}: {}", param.name, if param.optional { "?" } else { "" }, param.ty.stub()),
    };
    format!("{name}({})", params.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// The counter or zone parameter that an owner or value belongs to.
fn at_before(params: &[Param], at: usize) -> usize {
    params[..at].iter().rposition(|param| matches!(param.ty, Ty::COUNTER | Ty::ZONE)).unwrap_or_default()
}

/// If the parameter at `last` has no argument: the parameter whose argument was most likely left out. The argument in
/// its position fits only the parameter after it.
fn skipped(params: &[Param], given: &CallArguments<'_>, last: usize) -> Option<usize> {
    let fits = |at: usize, ty: &Type| ty.bits == 0 || ty.is_any() || ty.bits & t::accepts(params[at].ty) & !t::NIL != 0;
    let types = given.types.iter().enumerate().take(last);
    let (at, ty) = types.into_iter().find(|(at, ty)| !fits(*at, ty))?;
    fits(at + 1, ty).then_some(at)
}
