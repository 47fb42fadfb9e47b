//! Walks one function, statement by statement, with the types of its variables.

use principes_lua::ByteSpan;
use principes_lua::tree::{Arm, Chunk, ElseBranch, Expr, ExprKind, Item, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use principes_findings::Code;

use crate::help::Help;
use crate::program::Program;
use crate::types::{self as t, Detail, TableShape, Type};

/// The types of the variables of a function.
pub type Env = BTreeMap<usize, Type>;

/// The limit of walks through one loop. It is walked until nothing changes.
const MOST_LOOPS: usize = 6;

pub struct Walk<'p, 'm> {
    pub program: &'p mut Program<'m>,
    pub chunk: Arc<Chunk>,
    pub module: usize,
    /// The number of the function among all functions.
    pub id: usize,
    pub env: Env,
    /// Whether this code can be reached.
    alive: bool,
    breaks: Vec<Vec<Env>>,
    /// Nothing is reported while this is above 0, which it is while loops settle.
    pub quiet: usize,
    /// The first byte of each expression that is used only as a condition.
    pub tested: BTreeSet<usize>,
}

impl<'p, 'm> Walk<'p, 'm> {
    /// Walks a function.
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
            tested: BTreeSet::new(),
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

    pub fn report(&mut self, code: Code, bytes: &ByteSpan, message: impl Into<String>, help: impl Into<Help>) {
        if self.quiet == 0 && self.program.last {
            self.program.report(self.module, code, bytes, message.into(), help.into());
        }
    }
    pub fn reports(&self) -> bool {
        self.quiet == 0 && self.program.last
    }

    // Results -----------------------------------------------------------------------------------------------------

    pub fn result(&mut self, values: &[Type]) {
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

    pub fn ends(&mut self, end: &ByteSpan) {
        let count = self.program.functions[self.id].results.len().max(1);
        self.result(&vec![Type::of(t::NIL); count]);
        if let Some((_, what)) = self.program.functions[self.id].must {
            let pure = self.program.functions[self.id].pure.clone().unwrap_or_default();
            let message = format!("{pure} can end here without returning {what}");
            self.report(Code::NoReturnValue, end, message, Some(self.return_help(what)));
        }
    }

    pub fn return_help(&self, what: &str) -> String {
        match what {
            "a number" => "return a number on every path; return the given one if nothing changes".to_owned(),
            what => format!("return {what} on every path, even if it is empty"),
        }
    }

    // Variables ---------------------------------------------------------------------------------------------------

    pub fn local(&mut self, local: usize) -> Type {
        if self.chunk.locals[local].captured {
            self.program.reads_module(self.id, self.module);
            let slot = &self.program.modules[self.module].slots[local];
            // If nothing is assigned to it again, what is known about it still holds.
            return match self.env.get(&local) {
                Some(known) if !self.chunk.locals[local].assigned && known.bits != 0 => known.clone(),
                _ => slot.clone(),
            };
        }
        self.env.get(&local).cloned().unwrap_or(Type::NEVER)
    }

    pub fn assign_local(&mut self, local: usize, ty: Type) {
        if self.chunk.locals[local].captured {
            self.slot(local, &ty);
            if self.chunk.locals[local].assigned {
                return;
            }
            // Closures can change tables.
            if ty.bits & t::TABLE != 0 {
                return;
            }
        }
        self.env.insert(local, ty);
    }

    pub fn slot(&mut self, local: usize, ty: &Type) {
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

    /// Notes that something changes inside a table.
    pub fn grow(&mut self, table: &Expr, change: &dyn Fn(&mut TableShape)) {
        match &table.kind {
            ExprKind::Local(local) => {
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
            ExprKind::Field(object, name) => {
                // Nested tables: below this depth, nothing is known.
                let name: Rc<str> = name.text.as_str().into();
                self.grow(object, &move |shape| {
                    if let Some(field) = shape.fields.get_mut(&name) {
                        *field = Type::of(field.bits);
                    }
                });
            }
            ExprKind::Index(object, _) => self.grow(object, &|shape| {
                shape.items = Type::of(shape.items.bits);
                shape.fields.values_mut().for_each(|field| *field = Type::of(field.bits));
            }),
            ExprKind::Brackets(inner) => self.grow(inner, change),
            _ => {}
        }
    }

    /// Notes that a table is passed to a function of a script. It may hold anything afterward.
    pub fn hand_on(&mut self, arg: &Expr) {
        if let ExprKind::Local(local) = arg.kind
            && self.local(local).shape().is_some_and(|shape| shape.of.is_none())
        {
            let bits = self.local(local).bits;
            let loose = Type::of(bits);
            if self.chunk.locals[local].captured {
                // It may be either of two tables, so nothing is known about the fields.
                let open =
                    TableShape { fields: BTreeMap::new(), open: true, keys: Type::ANY, items: Type::ANY, of: None };
                self.slot(local, &Type::table(open));
            } else {
                self.env.insert(local, loose);
            }
        }
    }

    // Statements --------------------------------------------------------------------------------------------------

    pub fn block(&mut self, body: &[Stmt]) {
        for stmt in body {
            let alive = self.alive;
            self.alive = true;
            self.stmt(stmt);
            self.alive &= alive;
        }
    }

    pub fn stmt(&mut self, stmt: &Stmt) {
        self.program.effort.take(1);
        // The rest says nothing, because its findings are left out.
        if self.program.effort.is_used_up() {
            return;
        }
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
                if let ExprKind::Call { callee, .. } = &call.kind
                    && matches!(&callee.kind, ExprKind::Global(name) if name == "error")
                {
                    self.alive = false;
                }
            }
            StmtKind::Do(body) => self.block(body),
            StmtKind::While { .. } | StmtKind::Repeat { .. } | StmtKind::Numeric { .. } | StmtKind::Generic { .. } => {
                self.a_loop(stmt);
            }
            StmtKind::If { arms, otherwise, .. } => self.branches(arms, otherwise.as_ref()),
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
            // Beyond Lua 5.1: scripts with these are refused and not analyzed.
            StmtKind::Compound { .. } | StmtKind::Continue | StmtKind::Type => {}
        }
    }

    pub fn a_loop(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::While { condition, body } => {
                self.test(condition);
                let forever = matches!(condition.kind, ExprKind::True | ExprKind::Number);
                self.looped(|walk| {
                    walk.eval(condition);
                    let leaves = walk.env_where(condition, false);
                    walk.narrow(condition, true);
                    walk.block(body);
                    if forever { None } else { Some(leaves) }
                });
            }
            StmtKind::Repeat { body, condition } => {
                self.test(condition);
                self.looped(|walk| {
                    walk.block(body);
                    let alive = walk.alive;
                    walk.eval(condition);
                    alive.then(|| walk.env_where(condition, true))
                });
            }
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
            _ => {}
        }
    }

    /// Walks a loop until nothing changes. `once` walks it once and returns the states in which the loop may end,
    /// besides those of `break`.
    pub fn looped(&mut self, mut once: impl FnMut(&mut Self) -> Option<Env>) {
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

    /// Walks a loop once; returns the states in which it may end.
    pub fn lap(&mut self, head: &Env, once: &mut impl FnMut(&mut Self) -> Option<Env>) -> Vec<Env> {
        self.program.effort.take(head.len() as u64);
        self.env = head.clone();
        self.alive = true;
        self.breaks.push(Vec::new());
        let exit = once(self);
        exit.into_iter().chain(self.breaks.pop().into_iter().flatten()).collect()
    }

    /// What is known where several paths meet.
    pub fn go_on_from(&mut self, ends: Vec<Env>) {
        self.alive = !ends.is_empty();
        self.env = ends.into_iter().reduce(|a, b| join(&a, &b)).unwrap_or_default();
    }

    pub fn branches(&mut self, arms: &[Arm], otherwise: Option<&ElseBranch>) {
        let mut ends: Vec<Env> = Vec::new();
        for Arm { condition, body, .. } in arms {
            self.test(condition);
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
    pub fn note_exports(&mut self, local: usize, value: Option<&Expr>) {
        if self.program.modules[self.module].table != Some(local) {
            return;
        }
        if let Some(ExprKind::Table(items)) = value.map(|value| &value.kind) {
            for item in items {
                if let Item::Named(name, value) = item {
                    let ty = self.peek(value);
                    self.export(&name.text, &ty);
                }
            }
        }
    }

    pub fn export(&mut self, name: &str, ty: &Type) {
        let export = self.program.modules[self.module].exports.entry(name.to_owned()).or_insert(Type::NEVER);
        let joined = export.join(ty);
        if joined != *export {
            *export = joined;
            self.program.module_changed(self.module);
        }
    }

    /// The field of the file's table that a target names.
    pub fn export_name(&self, target: &Expr) -> Option<String> {
        let ExprKind::Field(object, name) = &target.kind else { return None };
        let table = self.program.modules[self.module].table?;
        matches!(object.kind, ExprKind::Local(local) if local == table).then(|| name.text.clone())
    }

    pub fn assign(&mut self, target: &Expr, ty: &Type, declares: bool) {
        self.check_kept(target);
        if let Some(name) = self.export_name(target) {
            self.export(&name, ty);
            return;
        }
        if !declares {
            self.escape(ty);
        }
        match &target.kind {
            ExprKind::Local(local) => self.assign_local(*local, ty.clone()),
            ExprKind::Global(name) => {
                self.edges(ty, &target.span);
                let message = format!("`{name}` is not a local variable, and globals cannot be written");
                self.report(
                    Code::ReadOnlyWrite,
                    &target.span,
                    message,
                    Some(format!("declare it first: `local {name}`")),
                );
            }
            ExprKind::Field(object, name) => {
                let base = self.peek(object);
                self.check_writable(object, &base);
                if declares {
                    // A function in a table of functions: its callers are unknown.
                    self.escape(ty);
                    self.edges(ty, &target.span);
                }
                let (name, ty): (Rc<str>, Type) = (name.text.as_str().into(), ty.clone());
                self.grow(object, &move |shape| shape.add(&name, &ty));
            }
            ExprKind::Index(object, key) => {
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
    pub fn check_writable(&mut self, object: &Expr, base: &Type) {
        let global = match &object.kind {
            ExprKind::Global(name) => Some(name.clone()),
            _ => None,
        };
        if let Some(name) = global.filter(|name| self.is_global(name)) {
            self.report(Code::ReadOnlyWrite, &object.span, format!("`{name}` is read-only"), Help::NONE);
        } else if base.shape().is_some_and(|shape| shape.of.is_some()) {
            let help = Some("keep lasting state in counters, zones and pieces".to_owned());
            self.report(Code::ReadOnlyWrite, &object.span, "`self` is read-only", help);
        }
    }

    /// Reports a function that stores a value in a variable of its file: the value is lost when the game is rebuilt.
    pub fn check_kept(&mut self, target: &Expr) {
        if self.program.functions[self.id].at == 0 {
            return;
        }
        let mut root = target;
        while let ExprKind::Field(inner, _) | ExprKind::Index(inner, _) | ExprKind::Brackets(inner) = &root.kind {
            root = inner;
        }
        if let ExprKind::Local(local) = root.kind
            && self.chunk.locals[local].function == 0
        {
            let name = self.chunk.locals[local].name.text.clone();
            let message = format!("`{name}` is a variable of the file; values stored in it are lost between calls");
            let help = Some("keep it in a counter, a zone or a local variable of the function".to_owned());
            self.report(Code::LeakedState, &root.span, message, help);
        }
    }

    pub fn check_return(&mut self, values: &[Expr], list: &[Type], bytes: &ByteSpan) {
        let Some((must, what)) = self.program.functions[self.id].must else { return };
        let pure = self.program.functions[self.id].pure.clone().unwrap_or_default();
        match (values.first(), list.first()) {
            (None, _) => {
                let help = Some(self.return_help(what));
                self.report(
                    Code::NoReturnValue,
                    bytes,
                    format!("{pure} must return {what}, but returns nothing here"),
                    help,
                );
            }
            (Some(value), Some(ty)) if ty.bits != t::ALL && ty.bits & !must != 0 => {
                let got = t::tell(ty.bits & !must);
                let help = Some(self.return_help(what));
                self.report(
                    Code::NoReturnValue,
                    &value.span,
                    format!("{pure} must return {what}, but this may be {got}"),
                    help,
                );
            }
            _ => {}
        }
    }
}

pub fn join(a: &Env, b: &Env) -> Env {
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
