//! Methods, and fields of values that are not tables: `word:upper()`.

use principes_lua::tree::{Expr, ExprKind, Name};

use principes_findings::{Code, Suggestion};
use principes_scripting::api::LibraryFunction;

use crate::facts::LIBRARIES;
use crate::help::Help;
use crate::types::{self as t, Callee, Detail, Type};
use crate::walk::Walk;

impl Walk<'_, '_> {
    /// `object:name(args)`.
    pub fn method(&mut self, object: &Expr, name: &Name, args: &[Expr]) -> Type {
        if let ExprKind::Global(table) = &object.kind
            && LIBRARIES.contains(&table.as_str())
        {
            return self.method_of_library(object, table, name, args);
        }
        let base = self.eval(object);
        let mut first = None;
        for arg in args {
            let ty = self.eval(arg);
            first.get_or_insert(ty);
            self.hand_on(arg);
        }
        let real = base.bits & !t::NIL;
        if real == t::TEXT {
            return self.method_of_text(object, name, args);
        }
        if base.is_unknown() {
            return Type::UNKNOWN;
        }
        if has_no_fields(real) {
            let message = format!("{} has no methods", base.only(!t::NIL).tell());
            let library = self.program.api.contains_key(name.text.as_str());
            let help = library.then(|| format!("write `{}({}, …)`", name.text, self.text(object)));
            self.report(Code::WrongArgumentType, &object.span, message, help);
            return Type::UNKNOWN;
        }
        let held = match &base.detail {
            Detail::Module(_) => self.field_of(&base, object, name),
            Detail::Table(shape) => shape.fields.get(name.text.as_str()).cloned().unwrap_or(Type::ANY),
            _ => Type::ANY,
        };
        if held.bits != 0 && held.bits & t::FUNCTION == 0 && held.bits != t::NIL {
            let message = format!("{} cannot be called", held.only(!t::NIL).tell());
            self.report(Code::WrongArgumentType, &name.span, message, Help::NONE);
        }
        if let Detail::Functions(list) = &held.detail
            && let [Callee::Own(id)] = list.as_slice()
            && !self.program.function(*id).vararg
            && args.len() >= self.program.functions[*id].params.len()
        {
            let (object, id) = (self.text(object), *id);
            let names: Vec<String> = (0..args.len()).map(|at| self.param_name(id, at)).collect();
            let message = format!("`{object}:{}` passes `{object}` before its arguments", name.text);
            let help = format!("the function takes ({}): write `{object}.{}`", names.join(", "), name.text);
            self.report(Code::WrongArguments, &name.span, message, help);
        }
        if held.is_any() && !self.program.library.contains_key(format!("string.{}", name.text).as_str()) {
            self.check_field_name(name);
        }
        Type::ANY
    }

    /// `battle:space()`: a function of a library never takes its table.
    fn method_of_library(&mut self, object: &Expr, table: &str, name: &Name, args: &[Expr]) -> Type {
        args.iter().for_each(|arg| drop(self.eval(arg)));
        let ty = self.library(table, name);
        if matches!(ty.detail, Detail::Functions(_)) {
            let dotted = format!("{table}.{}", name.text);
            let message = format!("`{table}:{}` passes `{table}` before its arguments", name.text);
            let near = Suggestion { name: dotted.clone(), text: dotted, only: true, of_program: true };
            self.report(Code::WrongArguments, &(object.span.start..name.span.end), message, Some(near));
        }
        Type::ANY
    }

    /// A function of the library that a text offers.
    pub fn function_of_text(&mut self, name: &Name) -> Type {
        match self.program.library.get(format!("string.{}", name.text).as_str()) {
            Some(function) => Type::function(Callee::Library(function)),
            None => self.library("string", name),
        }
    }

    fn method_of_text(&mut self, object: &Expr, name: &Name, args: &[Expr]) -> Type {
        let ty = self.function_of_text(name);
        let Detail::Functions(list) = &ty.detail else { return ty };
        let Some(Callee::Library(function)) = list.first() else { return ty };
        let lacking = function.params.iter().skip(1 + args.len()).find(|param| param.written && !param.rest);
        if let Some(param) = lacking {
            let message = format!("`{}:{}` needs `{}`", self.text(object), name.text, param.name);
            self.report(Code::WrongArguments, &name.span, message, Help::NONE);
        }
        function.returns.first().map_or(Type::of(t::NIL), Type::of_result)
    }

    /// Reports `word.upper()` where `word:upper()` was meant: the function does not get the text. Returns whether it
    /// did.
    pub fn lacks_its_text(&mut self, function: &LibraryFunction, callee: &Expr, args: &[Expr]) -> bool {
        let ExprKind::Field(object, name) = &callee.kind else { return false };
        if matches!(&object.kind, ExprKind::Global(library) if function.name == format!("{library}.{}", name.text)) {
            return false;
        }
        let needed = function.params.iter().filter(|param| param.written && !param.rest).count();
        if let Some(first) = args.first().filter(|_| args.len() >= needed) {
            let ty = self.silently(|walk| walk.peek(first));
            if ty.bits == 0 || ty.bits & t::TEXT != 0 {
                return false;
            }
        }
        let (dot, colon) = (self.text(callee), format!("{}:{}", self.text(object), name.text));
        let message = format!("`{dot}` is called without its text");
        let near = Suggestion { name: colon.clone(), text: colon, only: true, of_program: true };
        self.report(Code::WrongArguments, &callee.span, message, Some(near));
        true
    }
}

/// Whether a value with these types can have neither fields nor methods.
pub fn has_no_fields(real: t::Bits) -> bool {
    real != 0 && real & !(t::HANDLES | t::NUMBER | t::BOOL | t::FUNCTION) == 0
}
