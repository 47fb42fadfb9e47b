//! Values: the types of expressions.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use principes_lua::tree::{Expr, ExprKind, Item, Name};
use principes_lua::{ByteSpan, constant_name};

use principes_findings::{Code, Suggestion, listing, suggestion, with_article};

use crate::constants::Constants;
use crate::facts::LIBRARIES;
use crate::help::Help;
use crate::methods::has_no_fields;
use crate::missing;
use crate::types::{self as t, Callee, Detail, TableShape, Type};
use crate::walk::Walk;

impl Walk<'_, '_> {
    pub fn own_function(&mut self, at: usize) -> Type {
        Type::function(Callee::Own(self.program.modules[self.module].base + at))
    }

    /// Notes that the functions that a value may be are passed on, so that their callers are not known.
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

    /// The types of a list of values. Unless `escapes` is false, functions among them may be called from anywhere.
    pub fn values_of(&mut self, values: &[Expr], escapes: bool) -> Vec<Type> {
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

    /// The types of a list of values, cut or filled to a number of them.
    pub fn values_for(&mut self, values: &[Expr], count: usize, escapes: bool) -> Vec<Type> {
        let mut list = self.values_of(values, escapes);
        let rest = match values.last().map(|value| &value.kind) {
            Some(ExprKind::Call { .. } | ExprKind::Method { .. } | ExprKind::Vararg) if list.len() < count => {
                self.unknown_rest(values)
            }
            _ => Type::of(t::NIL),
        };
        list.resize(count, rest);
        list
    }

    /// The type of what a call returns beyond its known results.
    pub fn unknown_rest(&mut self, values: &[Expr]) -> Type {
        if let Some(ExprKind::Call { callee, .. }) = values.last().map(|value| &value.kind) {
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

    /// The types of all values of an expression.
    pub fn multi(&mut self, expr: &Expr) -> Vec<Type> {
        self.program.effort.take(1);
        match &expr.kind {
            ExprKind::Call { callee, args } => self.call(callee, args),
            ExprKind::Method { object, name, args } => vec![self.method(object, name, args)],
            ExprKind::Vararg => vec![Type::ANY],
            _ => vec![self.peek(expr)],
        }
    }

    /// The type of an expression that is passed on. From then on, its functions may be called from anywhere.
    pub fn eval(&mut self, expr: &Expr) -> Type {
        let ty = self.peek(expr);
        self.escape(&ty);
        ty
    }

    /// The type of an expression.
    pub fn peek(&mut self, expr: &Expr) -> Type {
        self.program.effort.take(1);
        match &expr.kind {
            ExprKind::Nil => Type::of(t::NIL),
            ExprKind::True => Type::of(t::TRUE),
            ExprKind::False => Type::of(t::FALSE),
            ExprKind::Number => Type::of(t::NUMBER),
            ExprKind::Text(text) => Type::word(t::TEXT, text),
            ExprKind::Vararg => Type::ANY,
            ExprKind::Function(at) => {
                let ty = self.own_function(*at);
                self.edges(&ty, &expr.span);
                ty
            }
            ExprKind::Local(local) => {
                let ty = self.local(*local);
                self.edges(&ty, &expr.span);
                ty
            }
            ExprKind::Global(name) => self.global(name, &expr.span),
            ExprKind::Field(object, name) => self.field(object, name),
            ExprKind::Index(object, key) => self.index(object, key),
            ExprKind::Call { callee, args } => self.call(callee, args).into_iter().next().unwrap_or(Type::of(t::NIL)),
            ExprKind::Method { object, name, args } => self.method(object, name, args),
            ExprKind::Table(items) => self.table(items),
            ExprKind::Binary(sign, a, b) => self.binary(expr, sign, a, b),
            ExprKind::Unary(sign, operand) => self.unary(sign, operand),
            ExprKind::Brackets(inner) => self.peek(inner),
            // Beyond Lua 5.1.
            ExprKind::Interpolated(_) | ExprKind::Cast(_) | ExprKind::If(_) => Type::ANY,
        }
    }

    /// Notes that a function names the functions that a value may be.
    pub fn edges(&mut self, ty: &Type, bytes: &ByteSpan) {
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

    pub fn is_global(&self, name: &str) -> bool {
        name == "import"
            || LIBRARIES.contains(&name)
            || Constants::named(name).is_some()
            || self.program.api.contains_key(name)
            || self.program.library.contains_key(name)
    }

    pub fn global(&mut self, name: &str, bytes: &ByteSpan) -> Type {
        if let Some(entry) = self.program.api.get(name) {
            return Type::function(Callee::Api(entry));
        }
        if let Some(function) = self.program.library.get(name) {
            return Type::function(Callee::Library(function));
        }
        // The syntax check has already reported that `null` is not Lua.
        if !self.is_global(name) && name != "null" && self.reports() {
            let plain = |name: &&&str| !name.contains('.');
            let known: Vec<&str> = self.program.api.keys().filter(plain).copied().collect();
            let chunk = Arc::clone(&self.chunk);
            let locals = chunk.locals.iter().map(|local| local.name.text.as_str());
            let tables = Constants::all().map(|constants| constants.table()).chain(LIBRARIES).chain(["import"]);
            let library = self.program.library.keys().filter(plain).copied();
            let all: Vec<&str> = known.into_iter().chain(locals).chain(tables).chain(library).collect();
            let help = suggestion(name, all.iter().copied());
            if let Some(near) = &help {
                self.program.excused.insert((self.module, near.name.clone()));
            }
            let message = format!("unknown name `{name}`");
            match missing::why(name) {
                Some(why) => self.report(Code::UnknownName, bytes, message, why),
                None => {
                    let sought =
                        "it is neither a variable of this script nor a name of the API; `principes api` lists those";
                    self.report(Code::UnknownName, bytes, message, Help::or(help, sought));
                }
            }
        }
        Type::UNKNOWN
    }

    pub fn field(&mut self, object: &Expr, name: &Name) -> Type {
        if let ExprKind::Global(table) = &object.kind {
            if let Some(constants) = Constants::named(table) {
                return self.constant(constants, &name.text, &name.span);
            }
            if LIBRARIES.contains(&table.as_str()) {
                return self.library(table, name);
            }
        }
        let base = self.peek(object);
        self.needs(object);
        self.field_of(&base, object, name)
    }

    pub fn library(&mut self, table: &str, name: &Name) -> Type {
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
            let help = suggestion(&name.text, all.iter().copied()).map(Suggestion::of_program);
            let help = match missing::why(&whole) {
                Some(why) => why.into(),
                None => Help::from(help),
            };
            self.report(Code::UnknownName, &name.span, format!("`{table}` has no `{}`", name.text), help);
        }
        Type::UNKNOWN
    }

    pub fn constant(&mut self, of: Constants, name: &str, bytes: &ByteSpan) -> Type {
        if let Some(id) = self.program.facts.constant(of.table(), name) {
            return Type::word(of.bits(), id);
        }
        self.unknown_constant(of, name, bytes);
        Type::of(of.bits())
    }

    pub fn unknown_constant(&mut self, of: Constants, name: &str, bytes: &ByteSpan) {
        let unsure = self.program.facts.unsure.iter().any(|id| constant_name(id) == name || id == name);
        if unsure || !self.reports() {
            return;
        }
        let (table, what) = (of.table(), of.family.noun());
        let facts = &self.program.facts;
        let has = |other: &Constants| *other != of && facts.constant(other.table(), name).is_some();
        let others: Vec<Constants> = Constants::all().filter(has).collect();
        if let Some(other) = others.first() {
            let nouns: Vec<String> = others.iter().map(|other| with_article(other.family.noun())).collect();
            let message =
                format!("`{name}` is {}; {} is needed for `{table}.`", nouns.join(" and "), with_article(what));
            let help = format!("write `{}.{name}` if that is what you meant", other.table());
            self.report(Code::UnknownConstant, bytes, message, help.as_str());
            return;
        }
        let near = suggestion(name, facts.constants_of(table));
        let help = Help::or(near, "constants are ids with `_` for `-` and `.`").lacking(of.family.key(), name);
        self.report(Code::UnknownConstant, bytes, format!("unknown {what} `{table}.{name}`"), help);
    }

    pub fn field_of(&mut self, base: &Type, object: &Expr, name: &Name) -> Type {
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
        if real == t::TEXT {
            return self.function_of_text(name);
        }
        if has_no_fields(real) {
            let message = format!("{} has no fields", base.only(!t::NIL).tell());
            let help = (real & t::HANDLES != 0)
                .then(|| format!("use `prop` or `stat`: `prop({}, \"{}\")`", self.text(object), name.text));
            self.report(Code::WrongArgumentType, &object.span, message, help);
        } else {
            self.check_field_name(name);
        }
        Type::ANY
    }

    /// Reports reading a field that no script writes.
    pub fn check_field_name(&mut self, name: &Name) {
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

    pub fn module_field(&mut self, module: usize, name: &Name) -> Type {
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
            let file = self.program.modules[module].script.file.clone();
            let help = Help::or(help, format!("declare it in {file}"));
            self.report(Code::UnknownName, &name.span, format!("the module `{of}` has no `{}`", name.text), help);
        }
        Type::UNKNOWN
    }

    pub fn index(&mut self, object: &Expr, key: &Expr) -> Type {
        if let ExprKind::Global(table) = &object.kind
            && let Some(constants) = Constants::named(table)
        {
            let ty = self.eval(key);
            if let ExprKind::Text(text) = &key.kind {
                return self.constant(constants, text, &key.span);
            }
            let ids: Option<BTreeSet<Rc<str>>> =
                ty.words().filter(|_| ty.bits & !t::NIL == t::TEXT).and_then(|words| {
                    words
                        .iter()
                        .map(|word| self.program.facts.constant(constants.table(), word).map(Rc::from))
                        .collect()
                });
            return match ids {
                Some(ids) => Type { bits: constants.bits(), detail: Detail::Words(Rc::new(ids)) },
                None => Type::of(constants.bits()),
            };
        }
        let base = self.peek(object);
        self.needs(object);
        if let ExprKind::Text(text) = &key.kind {
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

    pub fn table(&mut self, items: &[Item]) -> Type {
        let mut shape =
            TableShape { fields: BTreeMap::new(), open: false, keys: Type::NEVER, items: Type::NEVER, of: None };
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

    /// The types of the variables of a `for` loop over `pairs`, `ipairs` or a plain table, which works like `pairs`.
    pub fn iterated(&mut self, values: &[Expr], count: usize) -> Vec<Type> {
        let call = values.first().and_then(|value| match &value.kind {
            ExprKind::Call { callee, args } => match &callee.kind {
                ExprKind::Global(name) if name == "ipairs" || name == "pairs" => {
                    args.first().map(|arg| (name.as_str(), arg))
                }
                _ => Some(("pairs", value)),
            },
            _ => Some(("pairs", value)),
        });
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
}
