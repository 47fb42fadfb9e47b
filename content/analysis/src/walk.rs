//! One function, statement by statement, with what each variable may hold.

use principes_lua::Span as Bytes;
use principes_lua::tree::{Arm, Chunk, Expr, Item, Kind, Name, Otherwise, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use principes_findings::{Code, listing, singular, suggestion};

use crate::facts::CONSTANTS;
use crate::program::{Help, Program};
use crate::types::{self as t, Callee, Detail, Shape, Type};

/// What the variables of a function may hold.
type Env = BTreeMap<usize, Type>;

/// Loops are gone through until nothing changes, but not more often.
const MOST_LOOPS: usize = 6;

/// Tables of Lua's library and of the API.
const LIBRARIES: [&str; 4] = ["battle", "math", "string", "table"];

pub struct Walk<'p, 'm> {
    pub program: &'p mut Program<'m>,
    pub chunk: Arc<Chunk>,
    pub module: usize,
    /// The function, among all.
    pub id: usize,
    env: Env,
    /// Whether control comes here at all.
    alive: bool,
    breaks: Vec<Vec<Env>>,
    /// More than 0 while loops settle: nothing is reported.
    pub quiet: usize,
}

impl<'p, 'm> Walk<'p, 'm> {
    /// Goes through a function.
    pub fn function(program: &'p mut Program<'m>, id: usize) {
        let (module, at) = (program.functions[id].module, program.functions[id].at);
        let chunk = Arc::clone(&program.modules[module].chunk);
        let mut walk = Walk {
            program,
            chunk: Arc::clone(&chunk),
            module,
            id,
            env: Env::new(),
            alive: true,
            breaks: Vec::new(),
            quiet: 0,
        };
        let function = &chunk.functions[at];
        for (at, local) in function.params.iter().enumerate() {
            let ty = walk.program.functions[id].params[at].ty.clone();
            walk.assign_local(*local, ty);
        }
        walk.block(&function.body);
        if walk.alive && at > 0 {
            walk.ends(&function.end);
        }
    }

    pub fn report(&mut self, code: Code, bytes: &Bytes, message: impl Into<String>, help: impl Into<Help>) {
        if self.quiet == 0 && self.program.last {
            self.program.report(self.module, code, bytes, message.into(), help.into());
        }
    }
    pub fn reports(&self) -> bool {
        self.quiet == 0 && self.program.last
    }

    // Results -----------------------------------------------------------------------------------------------------

    fn result(&mut self, values: &[Type]) {
        let results = &mut self.program.functions[self.id].results;
        let mut changed = false;
        for (at, ty) in values.iter().enumerate() {
            match results.get_mut(at) {
                Some(result) => {
                    let joined = result.join(ty);
                    if joined != *result {
                        *result = joined;
                        changed = true;
                    }
                }
                None => {
                    results.push(ty.clone());
                    changed = true;
                }
            }
        }
        if changed {
            self.program.function_changed(self.id);
        }
    }

    fn ends(&mut self, end: &Bytes) {
        let count = self.program.functions[self.id].results.len().max(1);
        self.result(&vec![Type::of(t::NIL); count]);
        if let Some((_, what)) = self.program.functions[self.id].must {
            let pure = self.program.functions[self.id].pure.clone().unwrap_or_default();
            let message = format!("{pure} can end here without {what}");
            self.report(Code::NoReturnValue, end, message, Some(self.return_help(what)));
        }
    }

    fn return_help(&self, what: &str) -> String {
        match what {
            "a number" => "every path returns a number: the given one where nothing changes".to_owned(),
            what => format!("every path returns {what}, an empty one where there is none"),
        }
    }

    // Variables ---------------------------------------------------------------------------------------------------

    fn local(&mut self, local: usize) -> Type {
        if self.chunk.locals[local].captured {
            self.program.reads_module(self.id, self.module);
            let slot = &self.program.modules[self.module].slots[local];
            // Where it is never assigned again, what was found out on the way holds.
            return match self.env.get(&local) {
                Some(known) if !self.chunk.locals[local].assigned && known.bits != 0 => known.clone(),
                _ => slot.clone(),
            };
        }
        self.env.get(&local).cloned().unwrap_or(Type::NEVER)
    }

    fn assign_local(&mut self, local: usize, ty: Type) {
        if self.chunk.locals[local].captured {
            self.slot(local, &ty);
            if self.chunk.locals[local].assigned {
                return;
            }
            // Tables change in the hands of closures.
            if ty.bits & t::TABLE != 0 {
                return;
            }
        }
        self.env.insert(local, ty);
    }

    fn slot(&mut self, local: usize, ty: &Type) {
        let module = &mut self.program.modules[self.module];
        if module.table == Some(local) {
            return;
        }
        let joined = module.slots[local].join(ty);
        if joined != module.slots[local] {
            module.slots[local] = joined;
            self.program.module_changed(self.module);
        }
    }

    /// Something changes inside the table that an expression gives.
    fn grow(&mut self, table: &Expr, change: &dyn Fn(&mut Shape)) {
        match &table.kind {
            Kind::Local(local) => {
                let ty = self.local(*local);
                if let Some(shape) = ty.shape() {
                    let mut shape = (**shape).clone();
                    change(&mut shape);
                    let ty = Type { bits: ty.bits, detail: Detail::Table(Rc::new(shape)) };
                    if self.chunk.locals[*local].captured {
                        self.slot(*local, &ty);
                    } else {
                        self.env.insert(*local, ty);
                    }
                }
            }
            Kind::Field(object, name) => {
                // Tables in tables: from here on nothing is known of the inner one.
                let name: Rc<str> = name.text.as_str().into();
                self.grow(object, &move |shape| {
                    if let Some(field) = shape.fields.get_mut(&name) {
                        *field = Type::of(field.bits);
                    }
                });
            }
            Kind::Index(object, _) => self.grow(object, &|shape| {
                shape.items = Type::of(shape.items.bits);
                shape.fields.values_mut().for_each(|field| *field = Type::of(field.bits));
            }),
            Kind::Brackets(inner) => self.grow(inner, change),
            _ => {}
        }
    }

    /// A table that is handed to a function of a script may hold anything afterwards.
    fn hand_on(&mut self, arg: &Expr) {
        if let Kind::Local(local) = arg.kind
            && self.local(local).shape().is_some_and(|shape| shape.of.is_none())
        {
            let bits = self.local(local).bits;
            let loose = Type::of(bits);
            if self.chunk.locals[local].captured {
                // A table of its own kind and this one together: nothing is known of what lies in it.
                let open = Shape { fields: BTreeMap::new(), open: true, keys: Type::ANY, items: Type::ANY, of: None };
                self.slot(local, &Type::table(open));
            } else {
                self.env.insert(local, loose);
            }
        }
    }

    // Statements --------------------------------------------------------------------------------------------------

    fn block(&mut self, body: &[Stmt]) {
        for stmt in body {
            let alive = self.alive;
            self.alive = true;
            self.stmt(stmt);
            self.alive &= alive;
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Local { locals, values } => {
                let list = self.values_for(values, locals.len(), false);
                for (local, (ty, value)) in
                    locals.iter().zip(list.into_iter().zip(values.iter().map(Some).chain(std::iter::repeat(None))))
                {
                    self.note_exports(*local, value);
                    self.assign_local(*local, ty);
                }
            }
            StmtKind::LocalFunction { local, function } => {
                let ty = self.own_function(*function);
                self.assign_local(*local, ty);
            }
            StmtKind::Function { target, function } => {
                let ty = self.own_function(*function);
                self.assign(target, &ty, true);
            }
            StmtKind::Assign { targets, values } => {
                let exporting = targets.iter().any(|target| self.export_name(target).is_some());
                let list = self.values_for(values, targets.len(), !exporting);
                for (target, ty) in targets.iter().zip(list) {
                    self.assign(target, &ty, false);
                }
            }
            StmtKind::Call(call) => {
                self.multi(call);
                // `error` does not come back.
                if let Kind::Call { callee, .. } = &call.kind
                    && matches!(&callee.kind, Kind::Global(name) if name == "error")
                {
                    self.alive = false;
                }
            }
            StmtKind::Do(body) => self.block(body),
            StmtKind::While { condition, body } => {
                let forever = matches!(condition.kind, Kind::True | Kind::Number);
                self.looped(|walk| {
                    walk.eval(condition);
                    let leaves = walk.env_where(condition, false);
                    walk.narrow(condition, true);
                    walk.block(body);
                    if forever { None } else { Some(leaves) }
                });
            }
            StmtKind::Repeat { body, condition } => {
                self.looped(|walk| {
                    walk.block(body);
                    let alive = walk.alive;
                    walk.eval(condition);
                    alive.then(|| walk.env_where(condition, true))
                });
            }
            StmtKind::If { arms, otherwise, .. } => self.branches(arms, otherwise.as_ref()),
            StmtKind::Numeric { local, range, body } => {
                for bound in range {
                    let ty = self.eval(bound);
                    self.needs_number(bound, &ty, "a loop over numbers");
                }
                self.looped(|walk| {
                    let leaves = walk.env.clone();
                    walk.assign_local(*local, Type::of(t::NUMBER));
                    walk.block(body);
                    Some(leaves)
                });
            }
            StmtKind::Generic { locals, values, body } => {
                let list = self.iterated(values, locals.len());
                self.looped(|walk| {
                    let leaves = walk.env.clone();
                    for (local, ty) in locals.iter().zip(&list) {
                        walk.assign_local(*local, ty.clone());
                    }
                    walk.block(body);
                    Some(leaves)
                });
            }
            StmtKind::Return { values } => {
                let main = self.program.functions[self.id].at == 0;
                let list = self.values_of(values, !main);
                self.check_return(values, &list, &stmt.span);
                let count = self.program.functions[self.id].results.len().max(list.len()).max(1);
                let mut list = list;
                list.resize(count, Type::of(t::NIL));
                self.result(&list);
                self.alive = false;
            }
            StmtKind::Break => {
                let env = self.env.clone();
                if let Some(breaks) = self.breaks.last_mut() {
                    breaks.push(env);
                }
                self.alive = false;
            }
            // Beyond Lua 5.1: scripts with these are told of and not looked at.
            StmtKind::Compound { .. } | StmtKind::Continue | StmtKind::Type => {}
        }
    }

    /// Runs a loop until what is known does not change. `once` goes through it once and says with what it may be left;
    /// `break` is another way out.
    fn looped(&mut self, mut once: impl FnMut(&mut Self) -> Option<Env>) {
        let mut head = self.env.clone();
        let mut exits;
        self.quiet += 1;
        let mut round = 0;
        loop {
            round += 1;
            if round > MOST_LOOPS {
                head.values_mut().for_each(|ty| *ty = Type::of(ty.bits));
            }
            exits = self.lap(&head, &mut once);
            let joined = if self.alive { join(&head, &self.env) } else { head.clone() };
            if joined == head || round > MOST_LOOPS + 1 {
                break;
            }
            head = joined;
        }
        self.quiet -= 1;
        if self.reports() {
            exits = self.lap(&head, &mut once);
        }
        self.go_on_from(exits);
    }

    /// Goes through a loop once; gives the ways out.
    fn lap(&mut self, head: &Env, once: &mut impl FnMut(&mut Self) -> Option<Env>) -> Vec<Env> {
        self.env = head.clone();
        self.alive = true;
        self.breaks.push(Vec::new());
        let exit = once(self);
        exit.into_iter().chain(self.breaks.pop().into_iter().flatten()).collect()
    }

    /// What is known where several ways come together.
    fn go_on_from(&mut self, ends: Vec<Env>) {
        self.alive = !ends.is_empty();
        self.env = ends.into_iter().reduce(|a, b| join(&a, &b)).unwrap_or_default();
    }

    fn branches(&mut self, arms: &[Arm], otherwise: Option<&Otherwise>) {
        let mut ends: Vec<Env> = Vec::new();
        for Arm { condition, body, .. } in arms {
            self.eval(condition);
            let before = self.env.clone();
            self.narrow(condition, true);
            self.alive = true;
            self.block(body);
            let after = std::mem::replace(&mut self.env, before);
            if self.alive {
                ends.push(after);
            }
            self.narrow(condition, false);
        }
        self.alive = true;
        if let Some(otherwise) = otherwise {
            self.block(&otherwise.body);
        }
        if self.alive {
            ends.push(std::mem::take(&mut self.env));
        }
        self.go_on_from(ends);
    }

    /// The functions written out in the table that the file returns.
    fn note_exports(&mut self, local: usize, value: Option<&Expr>) {
        if self.program.modules[self.module].table != Some(local) {
            return;
        }
        if let Some(Kind::Table(items)) = value.map(|value| &value.kind) {
            for item in items {
                if let Item::Named(name, value) = item {
                    let ty = self.peek(value);
                    self.export(&name.text, &ty);
                }
            }
        }
    }

    fn export(&mut self, name: &str, ty: &Type) {
        let export = self.program.modules[self.module].exports.entry(name.to_owned()).or_insert(Type::NEVER);
        let joined = export.join(ty);
        if joined != *export {
            *export = joined;
            self.program.module_changed(self.module);
        }
    }

    /// The field of the file's table that a target is.
    fn export_name(&self, target: &Expr) -> Option<String> {
        let Kind::Field(object, name) = &target.kind else { return None };
        let table = self.program.modules[self.module].table?;
        matches!(object.kind, Kind::Local(local) if local == table).then(|| name.text.clone())
    }

    fn assign(&mut self, target: &Expr, ty: &Type, declares: bool) {
        self.check_kept(target);
        if let Some(name) = self.export_name(target) {
            self.export(&name, ty);
            return;
        }
        if !declares {
            self.escape(ty);
        }
        match &target.kind {
            Kind::Local(local) => self.assign_local(*local, ty.clone()),
            Kind::Global(name) => {
                self.edges(ty, &target.span);
                let message = format!("`{name}` is no local variable, and globals cannot be written");
                self.report(
                    Code::ReadOnlyWrite,
                    &target.span,
                    message,
                    Some(format!("declare it first: `local {name}`")),
                );
            }
            Kind::Field(object, name) => {
                let base = self.peek(object);
                self.check_writable(object, &base);
                if declares {
                    // A function in a table of functions: called from who knows where.
                    self.escape(ty);
                    self.edges(ty, &target.span);
                }
                let (name, ty): (Rc<str>, Type) = (name.text.as_str().into(), ty.clone());
                self.grow(object, &move |shape| shape.add(&name, &ty));
            }
            Kind::Index(object, key) => {
                let base = self.peek(object);
                self.check_writable(object, &base);
                let key = self.eval(key);
                let ty = ty.clone();
                self.grow(object, &move |shape| match key.words().filter(|_| key.bits == t::TEXT) {
                    Some(words) => words.iter().for_each(|word| shape.add(word, &ty)),
                    None => {
                        shape.keys = shape.keys.join(&key);
                        shape.items = shape.items.join(&ty);
                        if key.bits & t::TEXT != 0 {
                            shape.fields.values_mut().for_each(|field| *field = field.join(&ty));
                        }
                    }
                });
            }
            _ => {}
        }
    }

    /// Names of the API and `self` are read-only.
    fn check_writable(&mut self, object: &Expr, base: &Type) {
        let global = match &object.kind {
            Kind::Global(name) => Some(name.clone()),
            _ => None,
        };
        if let Some(name) = global.filter(|name| self.is_global(name)) {
            self.report(Code::ReadOnlyWrite, &object.span, format!("`{name}` is read-only"), Help::NONE);
        } else if base.shape().is_some_and(|shape| shape.of.is_some()) {
            let help = Some("what must last lies in counters, zones and pieces".to_owned());
            self.report(Code::ReadOnlyWrite, &object.span, "`self` is read-only", help);
        }
    }

    /// What a function leaves in a variable of its file is lost when the game is rebuilt.
    pub fn check_kept(&mut self, target: &Expr) {
        if self.program.functions[self.id].at == 0 {
            return;
        }
        let mut root = target;
        while let Kind::Field(inner, _) | Kind::Index(inner, _) | Kind::Brackets(inner) = &root.kind {
            root = inner;
        }
        if let Kind::Local(local) = root.kind
            && self.chunk.locals[local].function == 0
        {
            let name = self.chunk.locals[local].name.text.clone();
            let message = format!("`{name}` belongs to the file: what a function leaves there is lost between calls");
            let help = Some("keep it in a counter, a zone or a local variable of the function".to_owned());
            self.report(Code::LeakedState, &root.span, message, help);
        }
    }

    fn check_return(&mut self, values: &[Expr], list: &[Type], bytes: &Bytes) {
        let Some((must, what)) = self.program.functions[self.id].must else { return };
        let pure = self.program.functions[self.id].pure.clone().unwrap_or_default();
        match (values.first(), list.first()) {
            (None, _) => {
                let help = Some(self.return_help(what));
                self.report(
                    Code::NoReturnValue,
                    bytes,
                    format!("{pure} returns nothing here, and must return {what}"),
                    help,
                );
            }
            (Some(value), Some(ty)) if ty.bits != t::ALL && ty.bits & !must != 0 => {
                let got = t::tell(ty.bits & !must);
                let help = Some(self.return_help(what));
                self.report(
                    Code::NoReturnValue,
                    &value.span,
                    format!("{pure} must return {what}, and this may be {got}"),
                    help,
                );
            }
            _ => {}
        }
    }

    // Values ------------------------------------------------------------------------------------------------------

    fn own_function(&mut self, at: usize) -> Type {
        Type::function(Callee::Own(self.program.modules[self.module].base + at))
    }

    /// The functions that a value may be are handed on: their callers are not known.
    pub fn escape(&mut self, ty: &Type) {
        let Detail::Functions(list) = &ty.detail else { return };
        for callee in list.iter() {
            if let Callee::Own(id) = callee
                && !std::mem::replace(&mut self.program.functions[*id].escaped, true)
            {
                self.program.function_changed(*id);
            }
        }
    }

    /// The types of a list of values. Functions among them may be called by anybody, unless `escapes` is false.
    fn values_of(&mut self, values: &[Expr], escapes: bool) -> Vec<Type> {
        let mut list = Vec::new();
        for (at, value) in values.iter().enumerate() {
            if at + 1 == values.len() {
                let last = self.multi(value);
                list.extend(last);
            } else {
                list.push(self.peek(value));
            }
        }
        for (ty, _) in list.iter().zip(values).filter(|_| escapes) {
            self.escape(ty);
        }
        list
    }

    /// As many values as are wanted.
    fn values_for(&mut self, values: &[Expr], count: usize, escapes: bool) -> Vec<Type> {
        let mut list = self.values_of(values, escapes);
        let rest = match values.last().map(|value| &value.kind) {
            Some(Kind::Call { .. } | Kind::Method { .. } | Kind::Vararg) if list.len() < count => {
                self.unknown_rest(values)
            }
            _ => Type::of(t::NIL),
        };
        list.resize(count, rest);
        list
    }

    /// What a call gives beyond what is known: nothing for functions whose results are known.
    fn unknown_rest(&mut self, values: &[Expr]) -> Type {
        if let Some(Kind::Call { callee, .. }) = values.last().map(|value| &value.kind) {
            let ty = self.silently(|walk| walk.peek(callee));
            if ty.bits == 0 {
                return Type::NEVER;
            }
            if let Detail::Functions(list) = &ty.detail
                && list.iter().all(|callee| !matches!(callee, Callee::Library(_)))
            {
                return Type::of(t::NIL);
            }
        }
        Type::ANY
    }

    /// All values of an expression.
    pub fn multi(&mut self, expr: &Expr) -> Vec<Type> {
        match &expr.kind {
            Kind::Call { callee, args } => self.call(callee, args),
            Kind::Method { object, name, args } => vec![self.method(object, name, args)],
            Kind::Vararg => vec![Type::ANY],
            _ => vec![self.peek(expr)],
        }
    }

    /// The value of an expression that is handed on: functions may be called by anybody from then on.
    pub fn eval(&mut self, expr: &Expr) -> Type {
        let ty = self.peek(expr);
        self.escape(&ty);
        ty
    }

    /// The value of an expression.
    pub fn peek(&mut self, expr: &Expr) -> Type {
        match &expr.kind {
            Kind::Nil => Type::of(t::NIL),
            Kind::True => Type::of(t::TRUE),
            Kind::False => Type::of(t::FALSE),
            Kind::Number => Type::of(t::NUMBER),
            Kind::Text(text) => Type::word(t::TEXT, text),
            Kind::Vararg => Type::ANY,
            Kind::Function(at) => {
                let ty = self.own_function(*at);
                self.edges(&ty, &expr.span);
                ty
            }
            Kind::Local(local) => {
                let ty = self.local(*local);
                self.edges(&ty, &expr.span);
                ty
            }
            Kind::Global(name) => self.global(name, &expr.span),
            Kind::Field(object, name) => self.field(object, name),
            Kind::Index(object, key) => self.index(object, key),
            Kind::Call { callee, args } => self.call(callee, args).into_iter().next().unwrap_or(Type::of(t::NIL)),
            Kind::Method { object, name, args } => self.method(object, name, args),
            Kind::Table(items) => self.table(items),
            Kind::Binary(sign, a, b) => self.binary(expr, sign, a, b),
            Kind::Unary(sign, operand) => self.unary(sign, operand),
            Kind::Brackets(inner) => self.peek(inner),
            // Beyond Lua 5.1.
            Kind::Interpolated(_) | Kind::Cast(_) | Kind::If(_) => Type::ANY,
        }
    }

    /// The functions that a value may be are named here.
    fn edges(&mut self, ty: &Type, bytes: &Bytes) {
        if let Detail::Functions(list) = &ty.detail
            && self.reports()
        {
            for callee in list.iter() {
                if let Callee::Own(id) = callee {
                    self.program.functions[self.id].calls.push((*id, bytes.clone()));
                }
            }
        }
    }

    fn is_global(&self, name: &str) -> bool {
        name == "import"
            || LIBRARIES.contains(&name)
            || CONSTANTS.iter().any(|(table, ..)| *table == name)
            || self.program.api.contains_key(name)
            || self.program.library.contains_key(name)
    }

    fn global(&mut self, name: &str, bytes: &Bytes) -> Type {
        if let Some(entry) = self.program.api.get(name) {
            return Type::function(Callee::Api(entry));
        }
        if let Some(function) = self.program.library.get(name) {
            return Type::function(Callee::Library(function));
        }
        if !self.is_global(name) && self.reports() {
            let plain = |name: &&&str| !name.contains('.');
            let known: Vec<&str> = self.program.api.keys().filter(plain).copied().collect();
            let chunk = Arc::clone(&self.chunk);
            let locals = chunk.locals.iter().map(|local| local.name.text.as_str());
            let tables = CONSTANTS.iter().map(|(table, ..)| *table).chain(LIBRARIES).chain(["import"]);
            let library = self.program.library.keys().filter(plain).copied();
            let all: Vec<&str> = known.into_iter().chain(locals).chain(tables).chain(library).collect();
            let help = suggestion(name, all.iter().copied());
            if let Some(near) = &help {
                self.program.excused.insert((self.module, near.name.clone()));
            }
            self.report(Code::UnknownName, bytes, format!("there is nothing called `{name}`"), help);
        }
        Type::UNKNOWN
    }

    fn field(&mut self, object: &Expr, name: &Name) -> Type {
        if let Kind::Global(table) = &object.kind {
            if let Some((constants, _, bits)) = CONSTANTS.iter().find(|(constants, ..)| constants == table) {
                return self.constant(constants, *bits, &name.text, &name.span);
            }
            if LIBRARIES.contains(&table.as_str()) {
                return self.library(table, name);
            }
        }
        let base = self.peek(object);
        self.needs(object);
        self.field_of(&base, object, name)
    }

    fn library(&mut self, table: &str, name: &Name) -> Type {
        let whole = format!("{table}.{}", name.text);
        if let Some(entry) = self.program.api.get(whole.as_str()) {
            return Type::function(Callee::Api(entry));
        }
        if let Some(function) = self.program.library.get(whole.as_str()) {
            return Type::function(Callee::Library(function));
        }
        if whole == "math.huge" {
            return Type::of(t::NUMBER);
        }
        if self.reports() {
            let prefix = format!("{table}.");
            let names = self.program.api.keys().chain(self.program.library.keys());
            let all: Vec<&str> = names.filter_map(|name| name.strip_prefix(&prefix)).collect();
            let help = suggestion(&name.text, all.iter().copied());
            self.report(Code::UnknownName, &name.span, format!("`{table}` has no `{}`", name.text), help);
        }
        Type::UNKNOWN
    }

    fn constant(&mut self, table: &'static str, bits: t::Bits, name: &str, bytes: &Bytes) -> Type {
        if let Some(id) = self.program.facts.constant(table, name) {
            return Type::word(bits, id);
        }
        self.unknown_constant(table, name, bytes);
        Type::of(bits)
    }

    fn unknown_constant(&mut self, table: &'static str, name: &str, bytes: &Bytes) {
        let unsure = self.program.facts.unsure.iter().any(|id| crate::facts::spelt(id) == name || id == name);
        if unsure || !self.reports() {
            return;
        }
        let family = CONSTANTS.iter().find(|(t, ..)| *t == table).map_or(table, |(_, family, _)| *family);
        let what = if table == "design" { "card" } else { singular(family) };
        let near = suggestion(name, self.program.facts.constants_of(table));
        let help = Help::or(near, "constants are ids with `_` for `-` and `.`");
        self.report(Code::UnknownConstant, bytes, format!("`{table}.{name}` names no {what}"), help);
    }

    fn field_of(&mut self, base: &Type, object: &Expr, name: &Name) -> Type {
        match &base.detail {
            Detail::Module(module) => return self.module_field(*module, name),
            Detail::Unknown => return Type::UNKNOWN,
            Detail::Table(shape) => {
                if let Some(ty) = shape.fields.get(name.text.as_str()) {
                    return ty.clone();
                }
                if let Some(of) = shape.of.clone() {
                    if self.reports() {
                        let known: Vec<&str> = shape.fields.keys().map(|name| &**name).collect();
                        let near = suggestion(&name.text, known.iter().copied());
                        let help = Help::or(near, format!("it has {}", listing(&known)));
                        let message = format!("`self` has no field `{}`: {of} has no such param", name.text);
                        self.report(Code::UnknownScriptField, &name.span, message, help);
                    }
                    return Type::ANY;
                }
            }
            _ => {}
        }
        if base.bits == 0 {
            return Type::NEVER;
        }
        let real = base.bits & !t::NIL;
        if real != 0 && real & !(t::HANDLES | t::NUMBER | t::BOOL | t::FUNCTION) == 0 {
            let message = format!("{} has no fields", base.only(!t::NIL).tell());
            let help = (real & t::HANDLES != 0)
                .then(|| format!("`prop` and the like ask about it: `prop({}, \"{}\")`", self.text(object), name.text));
            self.report(Code::WrongArgumentType, &object.span, message, help);
        } else {
            self.check_field_name(name);
        }
        Type::ANY
    }

    /// A field that is written nowhere cannot be read.
    fn check_field_name(&mut self, name: &Name) {
        if !self.reports()
            || self.program.partial
            || self.program.written.contains(&name.text)
            || self.program.facts.is_word(&name.text)
        {
            return;
        }
        let help = suggestion(&name.text, self.program.written.iter().map(String::as_str));
        self.report(
            Code::UnknownScriptField,
            &name.span,
            format!("no script ever writes a field `{}`", name.text),
            help,
        );
    }

    fn module_field(&mut self, module: usize, name: &Name) -> Type {
        self.program.reads_module(self.id, module);
        if let Some(export) = self.program.modules[module].exports.get(&name.text) {
            let ty = export.clone();
            self.edges(&ty, &name.span);
            return ty;
        }
        if self.program.modules[module].dynamic {
            return Type::ANY;
        }
        if self.reports() {
            let exports: Vec<String> = self.program.modules[module].exports.keys().cloned().collect();
            let help = suggestion(&name.text, exports.iter().map(String::as_str));
            if let Some(near) = &help {
                self.program.excused.insert((module, near.name.clone()));
            }
            let of = self.program.modules[module].script.module.clone();
            self.report(Code::UnknownName, &name.span, format!("the module `{of}` has no `{}`", name.text), help);
        }
        Type::UNKNOWN
    }

    fn index(&mut self, object: &Expr, key: &Expr) -> Type {
        if let Kind::Global(table) = &object.kind
            && let Some((constants, _, bits)) = CONSTANTS.iter().find(|(constants, ..)| constants == table)
        {
            let ty = self.eval(key);
            if let Kind::Text(text) = &key.kind {
                return self.constant(constants, *bits, text, &key.span);
            }
            let ids: Option<BTreeSet<Rc<str>>> =
                ty.words().filter(|_| ty.bits & !t::NIL == t::TEXT).and_then(|words| {
                    words.iter().map(|word| self.program.facts.constant(constants, word).map(Rc::from)).collect()
                });
            return match ids {
                Some(ids) => Type { bits: *bits, detail: Detail::Words(Rc::new(ids)) },
                None => Type::of(*bits),
            };
        }
        let base = self.peek(object);
        self.needs(object);
        if let Kind::Text(text) = &key.kind {
            let name = Name { text: text.clone(), span: key.span.clone() };
            return self.field_of(&base, object, &name);
        }
        let ty = self.eval(key);
        if base.bits == 0 {
            return Type::NEVER;
        }
        match &base.detail {
            Detail::Unknown => Type::UNKNOWN,
            Detail::Table(shape) if shape.of.is_none() => {
                let known = ty.words().filter(|_| ty.bits == t::TEXT);
                match known {
                    Some(words) if !shape.open => words
                        .iter()
                        .map(|word| shape.fields.get(word).cloned().unwrap_or_else(|| shape.items.clone().or_nil()))
                        .fold(Type::NEVER, |all, ty| all.join(&ty)),
                    _ if shape.values().is_any() => Type::ANY,
                    _ if ty.bits != 0 && ty.bits & t::TEXT == 0 => shape.items.clone().or_nil(),
                    _ => shape.values().or_nil(),
                }
            }
            _ => Type::ANY,
        }
    }

    fn table(&mut self, items: &[Item]) -> Type {
        let mut shape = Shape { fields: BTreeMap::new(), open: false, keys: Type::NEVER, items: Type::NEVER, of: None };
        for (at, item) in items.iter().enumerate() {
            match item {
                Item::Named(name, value) => {
                    let ty = self.eval(value);
                    shape.fields.insert(name.text.as_str().into(), ty);
                }
                Item::Keyed(key, value) => {
                    let (key, ty) = (self.eval(key), self.eval(value));
                    match key.words().filter(|words| key.bits == t::TEXT && words.len() == 1) {
                        Some(words) => {
                            let field = words.first().cloned().unwrap_or_else(|| "".into());
                            shape.fields.insert(field, ty);
                        }
                        None => {
                            shape.keys = shape.keys.join(&key);
                            shape.items = shape.items.join(&ty);
                        }
                    }
                }
                Item::Plain(value) => {
                    let list = if at + 1 == items.len() { self.multi(value) } else { vec![self.eval(value)] };
                    shape.keys = shape.keys.join(&Type::of(t::NUMBER));
                    for ty in list {
                        self.escape(&ty);
                        shape.items = shape.items.join(&ty);
                    }
                }
            }
        }
        Type::table(shape)
    }

    /// What a `for` loop hands out.
    fn iterated(&mut self, values: &[Expr], count: usize) -> Vec<Type> {
        let call = match values.first().map(|value| &value.kind) {
            Some(Kind::Call { callee, args }) => match &callee.kind {
                Kind::Global(name) if name == "ipairs" || name == "pairs" => {
                    args.first().map(|arg| (name.as_str(), arg))
                }
                _ => None,
            },
            _ => None,
        };
        self.values_of(values, true);
        let mut list = vec![Type::ANY; count];
        if let Some((name, arg)) = call {
            let ty = self.silently(|walk| walk.peek(arg));
            let (key, value) = match (&ty.detail, name) {
                _ if ty.bits == 0 => (Type::NEVER, Type::NEVER),
                (Detail::Table(shape), "ipairs") => (Type::of(t::NUMBER), shape.items.only(!t::NIL)),
                (Detail::Table(shape), _) if !shape.open => {
                    let names =
                        shape.fields.keys().fold(shape.keys.clone(), |all, name| all.join(&Type::word(t::TEXT, name)));
                    (names, shape.values().only(!t::NIL))
                }
                (_, "ipairs") => (Type::of(t::NUMBER), Type::ANY),
                _ => (Type::ANY, Type::ANY),
            };
            for (slot, ty) in list.iter_mut().zip([key, value]) {
                *slot = ty;
            }
        }
        list
    }

    // Operators ---------------------------------------------------------------------------------------------------

    pub fn text(&self, expr: &Expr) -> String {
        let text = &self.program.modules[self.module].script.text[expr.span.clone()];
        if text.len() > 40 { "x".to_owned() } else { text.to_owned() }
    }

    /// An operand must be able to be of these types. `help` is for handles.
    fn takes(&mut self, operand: &Expr, ty: &Type, bits: t::Bits, what: &str, help: Option<&str>) {
        self.needs(operand);
        if ty.bits != 0 && !ty.is_any() && ty.bits & bits == 0 {
            let help = help.filter(|_| ty.bits & t::HANDLES != 0).map(str::to_owned);
            self.report(Code::WrongArgumentType, &operand.span, format!("{what}, and this is {}", ty.got()), help);
        }
    }

    fn needs_number(&mut self, operand: &Expr, ty: &Type, what: &str) {
        let help = Some("handles name things; they cannot be counted with");
        self.takes(operand, ty, t::NUMBER | t::TEXT, &format!("{what} needs a number"), help);
    }

    fn binary(&mut self, expr: &Expr, sign: &'static str, a: &Expr, b: &Expr) -> Type {
        match sign {
            "and" | "or" => {
                let left = self.eval(a);
                let before = self.env.clone();
                self.narrow(a, sign == "and");
                let right = self.eval(b);
                self.env = before;
                let (kept, goes_on) = match sign {
                    "and" => (left.falsy(), left.truthy().bits != 0),
                    _ => (left.truthy(), left.falsy().bits != 0),
                };
                if left.bits == 0 {
                    return Type::NEVER;
                }
                if goes_on { kept.join(&right) } else { kept }
            }
            "==" | "~=" => {
                let (left, right) = (self.eval(a), self.eval(b));
                self.check_equal(expr, &left, &right, a, b);
                Type::of(t::BOOL)
            }
            "<" | ">" | "<=" | ">=" => {
                for operand in [a, b] {
                    let ty = self.eval(operand);
                    let bits = t::NUMBER | t::TEXT | t::HANDLES;
                    self.takes(operand, &ty, bits, &format!("`{sign}` compares numbers"), None);
                }
                Type::of(t::BOOL)
            }
            ".." => {
                for operand in [a, b] {
                    let ty = self.eval(operand);
                    self.takes(operand, &ty, t::NUMBER | t::TEXT, "`..` joins texts", Some("`idof` gives its id"));
                }
                Type::of(t::TEXT)
            }
            _ => {
                for operand in [a, b] {
                    let ty = self.eval(operand);
                    self.needs_number(operand, &ty, &format!("`{sign}`"));
                }
                Type::of(t::NUMBER)
            }
        }
    }

    /// Both sides must be able to be the same.
    fn check_equal(&mut self, expr: &Expr, left: &Type, right: &Type, a: &Expr, b: &Expr) {
        if !self.reports() || left.bits == 0 || right.bits == 0 {
            return;
        }
        if left.bits & right.bits == 0 && (left.bits | right.bits) & !t::NIL & !t::BOOL != 0 {
            // `x == nil` where x is never nil is careful, not wrong.
            if left.bits == t::NIL || right.bits == t::NIL {
                return;
            }
            let (left, right) = (left.only(!t::NIL), right.only(!t::NIL));
            if left.bits != 0 && right.bits != 0 {
                let message = format!("{} is never the same as {}", left.tell(), right.tell());
                self.report(Code::WrongArgumentType, &expr.span, message, Help::NONE);
            }
            return;
        }
        let is_literal = |side: &Expr| matches!(side.kind, Kind::Text(_));
        if let (Some(mine), Some(theirs)) = (left.words(), right.words())
            && (left.bits & !t::NIL, right.bits & !t::NIL) == (t::TEXT, t::TEXT)
            && mine.is_disjoint(theirs)
            && !is_literal(a)
            && !is_literal(b)
        {
            let said = |words: &BTreeSet<Rc<str>>| listing(&words.iter().map(|word| &**word).collect::<Vec<&str>>());
            let message = format!("one side can be {}, the other {}: never the same", said(mine), said(theirs));
            self.report(Code::UnknownWord, &expr.span, message, Help::NONE);
            return;
        }
        for (side, other) in [(a, right), (b, left)] {
            let Kind::Text(text) = &side.kind else { continue };
            if let Some(words) = other.words().filter(|_| other.bits & !t::NIL == t::TEXT) {
                if !words.contains(text.as_str()) {
                    let known: Vec<&str> = words.iter().map(|word| &**word).collect();
                    let near = suggestion(text, known.iter().copied());
                    let help = Help::or(near, format!("it can be {}", listing(&known)));
                    self.report(Code::UnknownWord, &side.span, format!("this can never be \"{text}\""), help);
                }
            } else if !self.program.partial
                && !self.program.facts.is_word(text)
                && !self.program.made.contains(text)
                && !LUA_TYPES.contains(&text.as_str())
            {
                let mut known = self.program.facts.all_words();
                known.extend(self.program.made.iter().map(String::as_str));
                let help = suggestion(text, known);
                self.report(Code::UnknownWord, &side.span, format!("nothing is ever \"{text}\""), help);
            }
        }
    }

    fn unary(&mut self, sign: &'static str, operand: &Expr) -> Type {
        let ty = self.eval(operand);
        match sign {
            "not" => {
                let mut bits = 0;
                if ty.falsy().bits != 0 {
                    bits |= t::TRUE;
                }
                if ty.truthy().bits != 0 {
                    bits |= t::FALSE;
                }
                Type::of(bits)
            }
            "#" => {
                self.takes(operand, &ty, t::TABLE | t::TEXT, "`#` counts a list", None);
                Type::of(t::NUMBER)
            }
            _ => {
                self.needs_number(operand, &ty, "`-`");
                Type::of(t::NUMBER)
            }
        }
    }

    /// What is known where a condition is true or false.
    fn env_where(&mut self, condition: &Expr, holds: bool) -> Env {
        let before = self.env.clone();
        self.narrow(condition, holds);
        std::mem::replace(&mut self.env, before)
    }

    /// What a condition says of variables where it is true or false.
    pub fn narrow(&mut self, condition: &Expr, holds: bool) {
        match &condition.kind {
            Kind::Brackets(inner) => self.narrow(inner, holds),
            Kind::Unary("not", inner) => self.narrow(inner, !holds),
            Kind::Binary("and", a, b) if holds => {
                self.narrow(a, true);
                self.narrow(b, true);
            }
            Kind::Binary("or", a, b) if !holds => {
                self.narrow(a, false);
                self.narrow(b, false);
            }
            Kind::Local(local) => {
                let bits = if holds { !(t::NIL | t::FALSE) } else { t::NIL | t::FALSE };
                self.restrict(*local, bits);
            }
            Kind::Binary(sign @ ("==" | "~="), a, b) => {
                let same = (*sign == "==") == holds;
                for (side, other) in [(a, b), (b, a)] {
                    let Kind::Local(local) = side.kind else { continue };
                    match other.kind {
                        Kind::Nil => self.restrict(local, if same { t::NIL } else { !t::NIL }),
                        Kind::Text(_) | Kind::Number if same => self.restrict(local, !t::NIL),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn restrict(&mut self, local: usize, bits: t::Bits) {
        let known = &self.chunk.locals[local];
        let captured = known.captured;
        if captured && known.assigned {
            return;
        }
        let ty = self.local(local);
        let narrowed = ty.only(bits);
        // What seems impossible here is only not known yet.
        if narrowed.bits != ty.bits && narrowed.bits != 0 && !(ty.bits & t::TABLE != 0 && captured) {
            self.env.insert(local, narrowed);
        }
    }

    fn method(&mut self, object: &Expr, name: &Name, args: &[Expr]) -> Type {
        let base = self.eval(object);
        for arg in args {
            self.eval(arg);
            self.hand_on(arg);
        }
        if base.bits & !t::NIL == t::TEXT {
            let whole = format!("string.{}", name.text);
            return match self.program.library.get(whole.as_str()) {
                Some(function) => function.returns.first().map_or(Type::of(t::NIL), Type::of_result),
                None => self.library("string", name),
            };
        }
        if base.is_unknown() {
            return Type::UNKNOWN;
        }
        if !self.program.library.contains_key(format!("string.{}", name.text).as_str()) {
            self.check_field_name(name);
        }
        Type::ANY
    }

    /// Tables that scripts get their hands on.
    pub fn handed_on(&mut self, args: &[Expr]) {
        for arg in args {
            self.hand_on(arg);
        }
    }

    /// `table.insert(list, value)`.
    pub fn inserted(&mut self, list: &Expr, value: &Type) {
        let value = value.clone();
        self.grow(list, &move |shape| {
            shape.keys = shape.keys.join(&Type::of(t::NUMBER));
            shape.items = shape.items.join(&value);
        });
    }
}

/// What `type` may say.
const LUA_TYPES: [&str; 8] = ["nil", "boolean", "number", "string", "table", "function", "thread", "userdata"];

fn join(a: &Env, b: &Env) -> Env {
    let mut joined = a.clone();
    for (local, ty) in b {
        match joined.get_mut(local) {
            Some(known) => {
                if known != ty {
                    *known = known.join(ty);
                }
            }
            None => drop(joined.insert(*local, ty.clone())),
        }
    }
    joined
}
