//! Calls: whether what is given is what is needed.

use principes_lua::Span as Bytes;
use principes_lua::tree::{Expr, Item, Kind, Name};
use std::collections::BTreeSet;

use principes_core::catalog::PointKind;
use principes_findings::{Code, listing, suggestion};
use principes_schemas::{CounterScope, Holds, ZoneScope};
use principes_scripting::api::{Entry, Field, LibraryFunction, Param, Ty};

use crate::program::Help;
use crate::types::{self as t, Bits, Callee, Detail, Type};
use crate::walk::Walk;

/// What is given to a call.
struct Given<'e> {
    args: &'e [Expr],
    types: Vec<Type>,
    /// Whether the last argument may give more values than are known.
    open: bool,
    /// What is called.
    callee: &'e Expr,
}

impl Given<'_> {
    /// Whether nothing at all is given at a position.
    fn lacks(&self, at: usize) -> bool {
        at >= self.types.len() && !self.open
    }
    /// What is given beyond what is known.
    fn rest(&self) -> Type {
        if self.open { Type::ANY } else { Type::of(t::NIL) }
    }
    fn literal(&self, at: usize) -> Option<(&str, &Bytes)> {
        match self.args.get(at) {
            Some(Expr { kind: Kind::Text(text), span, .. }) => Some((text, span)),
            _ => None,
        }
    }
    /// The place of a value; what the last argument gives beyond the first lies there too.
    fn bytes(&self, at: usize) -> &Bytes {
        self.args.get(at).or(self.args.last()).map_or(&self.callee.span, |arg| &arg.span)
    }
}

impl Walk<'_, '_> {
    /// A call and what it gives.
    pub fn call(&mut self, callee: &Expr, args: &[Expr]) -> Vec<Type> {
        if matches!(&callee.kind, Kind::Global(name) if name == "import") {
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

    /// Works out the arguments. Functions among them may be called by anybody, where `escapes`.
    fn given<'e>(&mut self, callee: &'e Expr, args: &'e [Expr], escapes: bool) -> Given<'e> {
        let mut types = Vec::with_capacity(args.len());
        let mut open = false;
        for (at, arg) in args.iter().enumerate() {
            if at + 1 < args.len() {
                types.push(self.peek(arg));
                continue;
            }
            let list = self.multi(arg);
            open = match &arg.kind {
                Kind::Vararg | Kind::Method { .. } => true,
                Kind::Call { callee, .. } => list.len() > 1 || self.is_unknown(callee),
                _ => false,
            };
            types.extend(list.into_iter().take(if open { usize::MAX } else { 1 }));
        }
        if escapes {
            types.iter().for_each(|ty| self.escape(ty));
        }
        Given { args, types, open, callee }
    }

    /// Whether nothing is known of a function.
    fn is_unknown(&mut self, callee: &Expr) -> bool {
        if matches!(&callee.kind, Kind::Global(name) if name == "import") {
            return false;
        }
        let ty = self.silently(|walk| walk.peek(callee));
        !matches!(ty.detail, Detail::Functions(_))
    }

    fn import(&mut self, callee: &Expr, args: &[Expr]) -> Type {
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
            let help = Help::or(near, format!("a module is a file: scripts/{name}.lua"));
            self.report(Code::UnknownModule, bytes, format!("there is no script module `{name}`"), help);
        }
        Type::UNKNOWN
    }

    // Functions of scripts ------------------------------------------------------------------------------------------

    fn call_own(&mut self, id: usize, callee: &Expr, args: &[Expr]) -> Vec<Type> {
        self.program.reads_function(self.id, id);
        let given = self.given(callee, args, true);
        let count = self.program.functions[id].params.len();
        // Where the number of arguments is wrong, what does not fit is a consequence.
        let is_miscounted =
            self.has_too_many(id, &given) || self.first_missing(id, &given).is_some_and(|at| self.is_needed(id, at));
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
                    let message = format!("`{name}` needs {wanted} as `{param}`, and this is {}", t::tell(real));
                    self.report(Code::WrongArgumentType, given.bytes(at), message, Help::NONE);
                }
            } else {
                self.program.flow(id, at, ty);
            }
        }
        self.handed_on(args);
        if self.reports() {
            self.count_own(id, &given);
        }
        let results = self.program.functions[id].results.clone();
        if results.is_empty() { vec![Type::NEVER] } else { results }
    }

    fn param_name(&self, id: usize, at: usize) -> String {
        let module = &self.program.modules[self.program.functions[id].module];
        let function = &module.chunk.functions[self.program.functions[id].at];
        function.params.get(at).map_or_else(String::new, |local| module.chunk.locals[*local].name.text.clone())
    }

    fn has_too_many(&self, id: usize, given: &Given<'_>) -> bool {
        !self.program.function(id).vararg && given.args.len() > self.program.functions[id].params.len()
    }

    fn first_missing(&self, id: usize, given: &Given<'_>) -> Option<usize> {
        let known = &self.program.functions[id].params;
        (0..known.len()).find(|at| given.lacks(*at) && !known[*at].optional)
    }

    /// Whether a function fails where it is called without a parameter.
    fn is_needed(&self, id: usize, at: usize) -> bool {
        let param = &self.program.functions[id].params[at];
        param.needed && !param.tested
    }

    fn count_own(&mut self, id: usize, given: &Given<'_>) {
        let name = self.text(given.callee);
        let count = self.program.functions[id].params.len();
        let names: Vec<String> = (0..count).map(|at| self.param_name(id, at)).collect();
        if self.has_too_many(id, given)
            && let Some(extra) = given.args.get(count)
        {
            let bytes = extra.span.start..given.args.last().map_or(extra.span.end, |last| last.span.end);
            let message = format!("`{name}` takes ({}), and this is more", names.join(", "));
            self.report(Code::WrongArguments, &bytes, message, Help::NONE);
            return;
        }
        if let Some(at) = self.first_missing(id, given) {
            if self.is_needed(id, at) {
                let message = format!("`{name}` needs `{}`", names[at]);
                let help = format!("it takes ({})", names.join(", "));
                self.report(Code::WrongArguments, &given.callee.span, message, help);
            } else {
                let place = (self.module, given.callee.span.start, given.callee.span.end);
                self.program.left_out.entry((id, at)).or_default().insert(place);
            }
        }
    }

    /// A value without which this function fails: where it is a parameter, callers must give it.
    pub fn needs(&mut self, expr: &Expr) {
        if let Some((id, param)) = self.own_param(expr) {
            let param = &mut self.program.functions[id].params[param];
            if !std::mem::replace(&mut param.needed, true) {
                self.program.function_changed(id);
            }
        }
    }

    /// The parameter that an expression is, where it is never assigned to.
    fn own_param(&self, expr: &Expr) -> Option<(usize, usize)> {
        let Kind::Local(local) = expr.kind else { return None };
        let known = &self.chunk.locals[local];
        let param = known.param.filter(|_| !known.assigned && !self.program.settled)?;
        Some((self.program.modules[self.module].base + known.function, param))
    }

    /// A parameter of this function that is handed on as it is must be what is needed there.
    fn demanded(&mut self, given: &Given<'_>, at: usize, needs: Option<Bits>) {
        let (Some(needs), Some(arg)) = (needs, given.args.get(at)) else { return };
        let Some((id, param)) = self.own_param(arg) else { return };
        let Kind::Local(local) = arg.kind else { return };
        let name = &self.chunk.locals[local].name.text;
        if self.program.function(id).notes.iter().any(|note| note.name == *name) {
            return;
        }
        let demand = &mut self.program.functions[id].params[param].demand;
        let Some(before) = *demand else { return };
        let both = before & (needs | t::NIL);
        *demand = (both & !t::NIL != 0).then_some(both);
        if *demand != Some(before) {
            self.program.function_changed(id);
        }
    }

    // The API ---------------------------------------------------------------------------------------------------------

    fn call_api(&mut self, entry: &'static Entry, callee: &Expr, args: &[Expr]) -> Vec<Type> {
        let given = self.given(callee, args, false);
        if entry.acts && self.reports() {
            self.program.functions[self.id].acts.push((entry, callee.span.clone()));
        }
        self.check_params(entry.name, entry.params, &given);
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
        if let ("contains", Some(Kind::Table(items)), Some(value)) =
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

    fn call_library(&mut self, function: &'static LibraryFunction, callee: &Expr, args: &[Expr]) -> Vec<Type> {
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
        let list: Vec<Type> = function.returns.iter().map(Type::of_result).collect();
        if list.is_empty() { vec![Type::of(t::NIL)] } else { list }
    }

    /// Functions that the API calls with what lies in a list.
    fn callbacks(&mut self, name: &str, given: &Given<'_>) {
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

    fn check_params(&mut self, name: &str, params: &'static [Param], given: &Given<'_>) {
        let signature = || {
            let names: Vec<String> = params
                .iter()
                .map(|param| match (param.rest, param.optional) {
                    (true, _) => "…".to_owned(),
                    (_, true) => format!("{}?", param.name),
                    _ => param.name.to_owned(),
                })
                .collect();
            format!("{name}({})", names.join(", "))
        };
        let rest = params.last().filter(|param| param.rest);
        // Where the number of arguments is wrong they stand in wrong places: what does not fit there is a consequence.
        if rest.is_none()
            && let Some(extra) = given.args.get(params.len())
        {
            let bytes = extra.span.start..given.args.last().map_or(extra.span.end, |last| last.span.end);
            self.report(
                Code::WrongArguments,
                &bytes,
                "this argument is one too many",
                Some(format!("the function is `{}`", signature())),
            );
            return;
        }
        let scopes: Vec<Option<Bits>> = (0..params.len()).map(|at| self.scope(params, at, given)).collect();
        let needed = |at: &usize| match (params[*at].ty, scopes[*at]) {
            _ if params[*at].rest => false,
            (Ty::Owner | Ty::ZoneOwner, Some(scope)) => !params[*at].optional || scope & t::NIL == 0,
            (Ty::HeldValue, _) => true,
            _ => !params[*at].optional,
        };
        if let Some(last) = (0..params.len()).find(|at| given.lacks(*at) && needed(at)) {
            let at = skipped(params, given, last).filter(needed).unwrap_or(last);
            let param = &params[at];
            let why = match param.ty {
                Ty::Owner | Ty::ZoneOwner if param.optional => {
                    let owner = t::tell(scopes[at].unwrap_or(t::FACTION));
                    format!("`{}` belongs to {owner}: say which", self.text(&given.args[at_before(params, at)]))
                }
                _ => format!("the function is `{}`", signature()),
            };
            let message = format!("`{name}` needs `{}`", param.name);
            self.report(Code::WrongArguments, &given.callee.span, message, Some(why));
            return;
        }
        for (at, param) in params.iter().enumerate().filter(|(at, _)| !given.lacks(*at)) {
            self.check_arg(name, param, at, scopes[at], given);
        }
        if let Some(param) = rest {
            for at in params.len()..given.types.len() {
                self.check_arg(name, param, at, None, given);
            }
            let most = params.len() - 1 + 4;
            if param.ty == Ty::Any
                && let Some(extra) = given.args.get(most)
            {
                self.report(Code::WrongArguments, &extra.span, format!("`{name}` takes up to four values"), Help::NONE);
            }
        }
    }

    fn check_arg(&mut self, name: &str, param: &Param, at: usize, scope: Option<Bits>, given: &Given<'_>) {
        let Some(ty) = given.types.get(at) else { return };
        if let Some(arg) = given.args.get(at) {
            self.check_value(name, param.name, param.ty, arg, ty);
            let required = scope.map_or(!param.optional, |scope| scope & t::NIL == 0);
            if required && !param.rest && !matches!(param.ty, Ty::Lua | Ty::HeldValue) {
                self.needs(arg);
            }
        }
        self.demanded(given, at, scope.or(Some(t::accepts(param.ty))).filter(|bits| *bits != t::ALL));
        if ty.bits == 0 || ty.is_any() {
            return;
        }
        let real = ty.bits & !t::NIL;
        let accepts = match (param.ty, scope) {
            (Ty::Owner | Ty::ZoneOwner | Ty::HeldValue, Some(scope)) => scope,
            (ty, _) => t::accepts(ty) | if param.optional { t::NIL } else { 0 },
        };
        let wrong = if real == 0 { accepts & t::NIL == 0 } else { real & accepts == 0 };
        if !wrong {
            return;
        }
        let got = ty.got();
        let message = match (param.ty, scope) {
            (Ty::Owner | Ty::ZoneOwner, Some(t::NIL)) => {
                format!("`{}` belongs to nobody: leave `{}` out", self.text(&given.args[0]), param.name)
            }
            (Ty::Owner | Ty::ZoneOwner | Ty::HeldValue, Some(scope)) => {
                let what = if param.ty == Ty::HeldValue { "keeps" } else { "belongs to" };
                format!("`{}` {what} {}, and this is {got}", self.text(&given.args[0]), t::tell(scope))
            }
            _ => format!("`{name}` needs {} as `{}`, and this is {got}", param.ty.wanted(), param.name),
        };
        self.report(Code::WrongArgumentType, given.bytes(at), message, Help::NONE);
    }

    /// What an argument that depends on a counter or zone may be; nothing where that is not known. Nil alone: it must
    /// be left out.
    fn scope(&self, params: &[Param], at: usize, given: &Given<'_>) -> Option<Bits> {
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

    /// What a counter keeps.
    fn held(&self, counter: Option<&Type>) -> Type {
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

    /// What can be said of a value from what is written there.
    fn check_value(&mut self, name: &str, param: &str, ty: Ty, arg: &Expr, known: &Type) {
        match (&arg.kind, ty) {
            (Kind::Text(text), _) => self.check_name(name, param, ty, text, &arg.span),
            (Kind::Table(items), Ty::Fields(fields)) => self.check_fields(name, fields, items, arg, known),
            (Kind::Table(items), Ty::Map(Ty::Prop, _)) => self.check_wanted(items, known),
            (_, Ty::Map(Ty::Prop, _)) => self.check_wanted_shape(known, &arg.span),
            (Kind::Table(items), Ty::List(inner)) => {
                let items: Vec<&Expr> = items.iter().filter_map(plain).collect();
                for item in items {
                    let known = self.silently(|walk| walk.peek(item));
                    self.check_item(name, param, *inner, item, &known);
                }
            }
            (_, Ty::List(inner)) => {
                if let Some(shape) = known.shape() {
                    let (real, accepts) = (shape.items.bits & !t::NIL, t::accepts(*inner));
                    if real != 0 && shape.items.bits != t::ALL && real & accepts == 0 {
                        let message = format!(
                            "`{name}` needs {} in the list `{param}`, and these are each {}",
                            inner.wanted(),
                            t::tell(real)
                        );
                        self.report(Code::WrongArgumentType, &arg.span, message, Help::NONE);
                    }
                }
            }
            (_, Ty::Seat | Ty::ZoneOwner) => {
                let unled = &self.program.facts.unled;
                if let Some(words) = known.words().filter(|_| known.bits & !t::NIL == t::FACTION)
                    && words.iter().all(|id| unled.contains(&**id))
                {
                    let message = format!("`{name}` needs a seat as `{param}`, and no player may lead this faction");
                    self.report(Code::WrongArgumentType, &arg.span, message, Help::NONE);
                }
            }
            _ => {}
        }
    }

    fn check_item(&mut self, name: &str, param: &str, ty: Ty, arg: &Expr, known: &Type) {
        self.check_value(name, param, ty, arg, known);
        let real = known.bits & !t::NIL;
        if known.bits != 0 && !known.is_any() && real & t::accepts(ty) == 0 && real != 0 {
            let message = format!("`{name}` needs {} as `{param}`, and this is {}", ty.wanted(), t::tell(real));
            self.report(Code::WrongArgumentType, &arg.span, message, Help::NONE);
        }
    }

    /// A table of named fields, written out.
    fn check_fields(&mut self, name: &str, fields: &'static [Field], items: &[Item], table: &Expr, known: &Type) {
        for item in items {
            match item {
                Item::Named(key, value) => match fields.iter().find(|field| field.name == key.text) {
                    Some(field) => {
                        let ty = known.shape().and_then(|shape| shape.fields.get(key.text.as_str())).cloned();
                        self.check_item(name, field.name, field.ty, value, &ty.unwrap_or(Type::ANY));
                    }
                    None => self.unknown_field(name, fields, key),
                },
                Item::Keyed(key, value) if matches!(key.kind, Kind::Text(_)) => {
                    let Kind::Text(text) = &key.kind else { continue };
                    let key = Name { text: text.clone(), span: key.span.clone() };
                    match fields.iter().find(|field| field.name == key.text) {
                        Some(field) => {
                            let ty = self.silently(|walk| walk.peek(value));
                            self.check_item(name, field.name, field.ty, value, &ty);
                        }
                        None => self.unknown_field(name, fields, &key),
                    }
                }
                Item::Plain(value) => {
                    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                    let help = format!("the fields are {}", listing(&names));
                    self.report(
                        Code::UnknownScriptField,
                        &value.span,
                        format!("`{name}` takes fields with names here"),
                        Some(help),
                    );
                }
                Item::Keyed(..) => return,
            }
        }
        let given: BTreeSet<&str> = items
            .iter()
            .filter_map(|item| match item {
                Item::Named(key, _) => Some(key.text.as_str()),
                Item::Keyed(Expr { kind: Kind::Text(text), .. }, _) => Some(text),
                _ => None,
            })
            .collect();
        let missing: Vec<&str> = fields
            .iter()
            .filter(|field| !field.optional && !given.contains(field.name))
            .map(|field| field.name)
            .collect();
        // A misspelt field is told of already.
        let strangers = given.iter().any(|name| fields.iter().all(|field| field.name != *name));
        if !missing.is_empty() && !strangers {
            self.report(Code::WrongArguments, &table.span, format!("`{name}` needs {}", listing(&missing)), Help::NONE);
        }
    }

    fn unknown_field(&mut self, name: &str, fields: &[Field], key: &Name) {
        let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
        let near = suggestion(&key.text, names.iter().copied());
        let help = Help::or(near, format!("the fields are {}", listing(&names)));
        self.report(Code::UnknownScriptField, &key.span, format!("`{name}` knows no field `{}`", key.text), help);
    }

    /// A name that is written out.
    fn check_name(&mut self, name: &str, param: &str, ty: Ty, text: &str, bytes: &Bytes) {
        if !self.reports() || self.program.facts.unsure.contains(text) {
            return;
        }
        let facts = &self.program.facts;
        let near = |all: &BTreeSet<String>| suggestion(text, all.iter().map(String::as_str));
        let (code, message, help) = match ty {
            Ty::Query | Ty::Effect | Ty::Point => match (ty, self.program.kind_of_point(text)) {
                (_, None) => {
                    let near = suggestion(text, facts.points.keys().map(String::as_str));
                    let help = Help::or(near, "declare it in a file of `points`");
                    (Code::UnknownPoint, format!("there is no hook point `{text}`"), help)
                }
                (Ty::Query, Some(PointKind::Effect)) => (
                    Code::UnknownPoint,
                    format!("`{text}` is an effect point"),
                    "`trigger` and `perform` run effect points".into(),
                ),
                (Ty::Effect, Some(PointKind::Query)) => {
                    (Code::UnknownPoint, format!("`{text}` is a query point"), "`query` runs query points".into())
                }
                _ => return,
            },
            Ty::Decision if !facts.decisions.contains(text) => {
                let help = Help::or(near(&facts.decisions), "declare it in a file of `decisions`");
                (Code::UnknownPoint, format!("there is no decision `{text}`"), help)
            }
            Ty::Message | Ty::Cause => {
                let prefix = if ty == Ty::Message { "log." } else { "outcome." };
                if facts.holes.contains_key(&format!("{prefix}{text}")) {
                    return;
                }
                let near = suggestion(text, facts.holes.keys().filter_map(|key| key.strip_prefix(prefix)));
                let help = Help::or(near, format!("add `{prefix}{text}` to the messages of every language"));
                (Code::UnknownMessage, format!("there is no message `{prefix}{text}`"), help)
            }
            Ty::Prop => {
                self.check_prop(crate::props::asked(name), text, bytes);
                return;
            }
            Ty::Stat if !facts.stats.contains(text) => {
                (Code::UnknownWord, format!("no piece has a stat `{text}`"), near(&facts.stats).into())
            }
            Ty::ParamName if !facts.params.contains(text) => {
                (Code::UnknownWord, format!("no card has a param `{text}`"), near(&facts.params).into())
            }
            Ty::FaceValue if !facts.face_values.contains(text) => {
                (Code::UnknownWord, format!("no face of the die has a value `{text}`"), near(&facts.face_values).into())
            }
            Ty::Face if !facts.faces.contains(text) => {
                (Code::UnknownWord, format!("the die has no face `{text}`"), near(&facts.faces).into())
            }
            Ty::Word | Ty::KindOrClass | Ty::Any if !facts.is_word(text) => (
                Code::UnknownWord,
                format!("the packs know no keyword \"{text}\""),
                suggestion(text, facts.all_words()).into(),
            ),
            Ty::Side if !["attacker", "defender"].contains(&text) => {
                let near = suggestion(text, ["attacker", "defender"]);
                (Code::UnknownWord, format!("`{name}` needs {} as `{param}`", ty.wanted()), near.into())
            }
            Ty::OneOf(words) if !words.contains(&text) => {
                let near = suggestion(text, words.iter().copied());
                (Code::UnknownWord, format!("`{name}` needs {} as `{param}`", ty.wanted()), near.into())
            }
            _ => return,
        };
        self.report(code, bytes, message, help);
    }

    /// What a hook point is called with.
    fn point(&mut self, given: &Given<'_>, at: usize, from: usize) {
        let Some((id, _)) = given.literal(at) else { return };
        let Some(point) = self.program.facts.points.get(id) else { return };
        let (wanted, kernel) = (point.args.clone(), point.kernel);
        let values: Vec<Type> = given.types.get(from.min(given.types.len())..).unwrap_or_default().to_vec();
        let many = given.args.len().saturating_sub(from);
        let takes = |id: &str| format!("`{id}` hands over ({})", wanted.join(", "));
        if many > wanted.len() {
            let message = "this value is one too many".to_owned();
            self.report(Code::WrongArguments, given.bytes(from + wanted.len()), message, Some(takes(id)));
        } else if many < wanted.len() && !given.open && from < 3 {
            let message = format!("`{}` is missing", wanted[many]);
            self.report(Code::WrongArguments, &given.callee.span, message, Some(takes(id)));
        }
        if kernel {
            return;
        }
        let rest = given.rest();
        let known = self.program.point_args.entry(id.to_owned()).or_insert_with(|| vec![Type::NEVER; wanted.len()]);
        let mut changed = false;
        for (at, slot) in known.iter_mut().enumerate() {
            let joined = slot.join(values.get(at).unwrap_or(&rest));
            changed |= joined != *slot;
            *slot = joined;
        }
        if changed {
            self.program.point_changed();
        }
    }

    /// A message shows as many values as it is given: those that follow it, or the three that the verb itself gives it.
    fn message_values(&mut self, entry: &Entry, given: &Given<'_>, at: usize) {
        let Some((key, _)) = given.literal(at) else { return };
        let Some(shown) = self.program.facts.holes.get(&format!("log.{key}")) else { return };
        let by_itself = !entry.params.last().is_some_and(|last| last.rest);
        let count = if by_itself { 3 } else { given.args.len().saturating_sub(at + 1) };
        if count < *shown && !given.open {
            let message = format!("the message `log.{key}` shows {{{shown}}}, and gets {count} values");
            self.report(Code::WrongArguments, &given.callee.span, message, Help::NONE);
        }
    }

    /// A prompt shows values that the question must give.
    fn prompt(&mut self, entry: &Entry, given: &Given<'_>, at: usize) {
        let Some((id, _)) = given.literal(at) else { return };
        let shown = self.program.facts.holes.get(&format!("decision.{id}")).copied().unwrap_or_default();
        let Some(last) = entry.params.iter().position(|param| matches!(param.ty, Ty::Fields(_))) else { return };
        let count = match given.args.get(last).map(|arg| &arg.kind) {
            None if given.lacks(last) => 0,
            Some(Kind::Table(items)) => {
                let about = items.iter().find_map(|item| match item {
                    Item::Named(name, value) if name.text == "about" => Some(value),
                    _ => None,
                });
                match about.map(|about| &about.kind) {
                    None => 0,
                    Some(Kind::Table(items)) => {
                        let unsure = items.last().and_then(plain).is_some_and(|last| {
                            matches!(last.kind, Kind::Call { .. } | Kind::Vararg | Kind::Method { .. })
                        });
                        if unsure { items.len().max(shown) } else { items.len() }
                    }
                    Some(_) => return,
                }
            }
            _ => return,
        };
        if count < shown {
            let message = format!("the prompt `decision.{id}` shows {{{shown}}}, and gets {count} values");
            let help = "give them as `{ about = { … } }`".to_owned();
            self.report(Code::WrongArguments, &given.callee.span, message, Some(help));
        }
    }

    /// Options are listed by a function that only looks, or are words that packs know.
    fn options(&mut self, given: &Given<'_>, at: usize) {
        if let Some(Detail::Functions(list)) = given.types.get(at).map(|ty| &ty.detail) {
            for callee in list.clone().iter() {
                if let Callee::Own(id) = callee {
                    let known = &mut self.program.functions[*id];
                    known.must.get_or_insert((t::TABLE, "a list of options"));
                    known.pure.get_or_insert_with(|| "a function that lists options".to_owned());
                }
            }
        }
        let decision = at.checked_sub(1).and_then(|at| given.literal(at)).map(|(id, _)| id);
        if let Some(Kind::Table(items)) = given.args.get(at).map(|arg| &arg.kind) {
            for item in items.iter().filter_map(plain) {
                let word = match &item.kind {
                    Kind::Table(inner) => inner.first().and_then(plain).unwrap_or(item),
                    _ => item,
                };
                if let Kind::Text(text) = &word.kind {
                    match decision {
                        Some(decision) => self.check_option(decision, text, &word.span),
                        None => self.check_name("choose", "options", Ty::Word, text, &word.span),
                    }
                }
            }
        }
    }

    /// Looks without reporting twice.
    pub fn silently<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let seen = look(self);
        self.quiet -= 1;
        seen
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

/// The parameter whose argument was most likely left out where there is none for the one at `last`: what stands there fits
/// only the next.
fn skipped(params: &[Param], given: &Given<'_>, last: usize) -> Option<usize> {
    let fits = |at: usize, ty: &Type| ty.bits == 0 || ty.is_any() || ty.bits & t::accepts(params[at].ty) & !t::NIL != 0;
    let types = given.types.iter().enumerate().take(last);
    let (at, ty) = types.into_iter().find(|(at, ty)| !fits(*at, ty))?;
    fits(at + 1, ty).then_some(at)
}

/// The counter or zone parameter that an owner or value belongs to.
fn at_before(params: &[Param], at: usize) -> usize {
    params[..at].iter().rposition(|param| matches!(param.ty, Ty::Counter | Ty::Zone)).unwrap_or_default()
}

fn plain(item: &Item) -> Option<&Expr> {
    match item {
        Item::Plain(value) => Some(value),
        _ => None,
    }
}
