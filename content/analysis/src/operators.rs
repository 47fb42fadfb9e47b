//! Operators, and what conditions imply about variables.

use std::collections::BTreeSet;
use std::rc::Rc;

use principes_lua::tree::{Expr, ExprKind};

use principes_findings::{Code, listing, suggestion};

use crate::help::Help;
use crate::types::{self as t, Detail, Type};
use crate::walk::{Env, Walk};

/// What `type` may return.
const LUA_TYPES: [&str; 8] = ["nil", "boolean", "number", "string", "table", "function", "thread", "userdata"];

impl Walk<'_, '_> {
    pub fn text(&self, expr: &Expr) -> String {
        let text = &self.program.modules[self.module].script.text[expr.span.clone()];
        if text.len() > 40 { "x".to_owned() } else { text.to_owned() }
    }

    /// Checks that an operand may have one of these types. `help` is for handles.
    pub fn takes(&mut self, operand: &Expr, ty: &Type, bits: t::Bits, what: &str, help: Option<&str>) {
        self.needs(operand);
        if ty.bits != 0 && !ty.is_any() && ty.bits & bits == 0 {
            let help = help.filter(|_| ty.bits & t::HANDLES != 0).map(str::to_owned);
            self.report(Code::WrongArgumentType, &operand.span, format!("{what}, found {}", ty.got()), help);
        }
    }

    pub fn needs_number(&mut self, operand: &Expr, ty: &Type, what: &str) {
        let help = Some("a handle is not a number");
        self.takes(operand, ty, t::NUMBER | t::TEXT, &format!("{what} needs a number"), help);
    }

    pub fn binary(&mut self, expr: &Expr, sign: &'static str, a: &Expr, b: &Expr) -> Type {
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
                if sign == "or" {
                    self.check_lost(expr, a, b);
                }
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
                    self.takes(
                        operand,
                        &ty,
                        t::NUMBER | t::TEXT,
                        "`..` joins texts and numbers",
                        Some("use `idof` to get its id"),
                    );
                    self.program.joined.extend(ty.words().into_iter().flatten().cloned());
                }
                Type::of(t::TEXT).made()
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

    /// Checks that both sides can be equal.
    pub fn check_equal(&mut self, expr: &Expr, left: &Type, right: &Type, a: &Expr, b: &Expr) {
        if !self.reports() || left.bits == 0 || right.bits == 0 {
            return;
        }
        if left.bits & right.bits == 0 && (left.bits | right.bits) & !t::NIL & !t::BOOL != 0 {
            // `x == nil` is not wrong even if `x` is never nil.
            if left.bits == t::NIL || right.bits == t::NIL {
                return;
            }
            let (left, right) = (left.only(!t::NIL), right.only(!t::NIL));
            if left.bits != 0 && right.bits != 0 {
                let message = format!("{} never equals {}", left.tell(), right.tell());
                self.report(Code::WrongArgumentType, &expr.span, message, Help::NONE);
            }
            return;
        }
        let is_literal = |side: &Expr| matches!(side.kind, ExprKind::Text(_));
        if let (Some(mine), Some(theirs)) = (left.words(), right.words())
            && (left.bits & !t::NIL, right.bits & !t::NIL) == (t::TEXT, t::TEXT)
            && mine.is_disjoint(theirs)
            && !is_literal(a)
            && !is_literal(b)
        {
            let list = |words: &BTreeSet<Rc<str>>| listing(&words.iter().map(|word| &**word).collect::<Vec<&str>>());
            let message = format!("one side can be {}, the other {}: they are never equal", list(mine), list(theirs));
            self.report(Code::UnknownWord, &expr.span, message, Help::NONE);
            return;
        }
        for (side, other) in [(a, right), (b, left)] {
            let ExprKind::Text(text) = &side.kind else { continue };
            let is_made = matches!(other.detail, Detail::Made) || (other.is_any() && self.program.makes_texts);
            if let Some(words) = other.words().filter(|_| other.bits & !t::NIL == t::TEXT) {
                if !words.contains(text.as_str()) {
                    let known: Vec<&str> = words.iter().map(|word| &**word).collect();
                    let near = suggestion(text, known.iter().copied());
                    let help = Help::or(near, format!("it can be {}", listing(&known)));
                    self.report(Code::UnknownWord, &side.span, format!("this can never be \"{text}\""), help);
                }
            } else if !self.program.partial
                && !is_made
                && !self.program.facts.is_word(text)
                && !self.program.made.contains(text)
                && !LUA_TYPES.contains(&text.as_str())
            {
                let mut known = self.program.facts.all_words();
                known.extend(self.program.made.iter().map(String::as_str));
                let help = suggestion(text, known);
                self.report(Code::UnknownWord, &side.span, format!("nothing ever equals \"{text}\""), help);
            }
        }
    }

    /// `a and b or c` gives `c` if `b` is nil. In a condition, that is right; as a value, it is a trap.
    fn check_lost(&mut self, expr: &Expr, a: &Expr, b: &Expr) {
        let (ExprKind::Binary("and", condition, kept), false) =
            (&a.kind, matches!(b.kind, ExprKind::Nil | ExprKind::False))
        else {
            return;
        };
        // An item of a list may be nil as far as is known here, but rarely is.
        let is_listed = matches!(&kept.kind, ExprKind::Index(_, key) if !matches!(key.kind, ExprKind::Text(_)));
        if !self.reports() || is_listed || self.tested.contains(&expr.span.start) {
            return;
        }
        let before = self.env.clone();
        self.narrow(condition, true);
        let ty = self.silently(|walk| walk.peek(kept));
        self.env = before;
        if ty.is_any() || ty.bits & t::NIL == 0 || ty.bits == t::NIL {
            return;
        }
        let (kept, instead) = (self.text(kept), self.text(b));
        let message = format!("if `{kept}` is nil, this gives `{instead}` even if the condition is true");
        self.report(Code::LostValue, &expr.span, message, "write it with `if` and `else`");
    }

    /// Notes that an expression is used only as a condition.
    pub fn test(&mut self, condition: &Expr) {
        match &condition.kind {
            ExprKind::Brackets(inner) | ExprKind::Unary("not", inner) => self.test(inner),
            ExprKind::Binary("and" | "or", a, b) => {
                self.tested.insert(condition.span.start);
                self.test(a);
                self.test(b);
            }
            _ => {}
        }
    }

    pub fn unary(&mut self, sign: &'static str, operand: &Expr) -> Type {
        if sign == "not" {
            self.test(operand);
        }
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

    /// Narrows types: a condition is true, or false.
    pub fn env_where(&mut self, condition: &Expr, holds: bool) -> Env {
        let before = self.env.clone();
        self.narrow(condition, holds);
        std::mem::replace(&mut self.env, before)
    }

    /// What a condition implies about variables if it is true, or false.
    pub fn narrow(&mut self, condition: &Expr, holds: bool) {
        match &condition.kind {
            ExprKind::Brackets(inner) => self.narrow(inner, holds),
            ExprKind::Unary("not", inner) => self.narrow(inner, !holds),
            ExprKind::Binary("and", a, b) if holds => {
                self.narrow(a, true);
                self.narrow(b, true);
            }
            ExprKind::Binary("or", a, b) if !holds => {
                self.narrow(a, false);
                self.narrow(b, false);
            }
            ExprKind::Local(local) => {
                let bits = if holds { !(t::NIL | t::FALSE) } else { t::NIL | t::FALSE };
                self.restrict(*local, bits);
            }
            ExprKind::Binary(sign @ ("==" | "~="), a, b) => {
                let same = (*sign == "==") == holds;
                for (side, other) in [(a, b), (b, a)] {
                    let ExprKind::Local(local) = side.kind else { continue };
                    match other.kind {
                        ExprKind::Nil => self.restrict(local, if same { t::NIL } else { !t::NIL }),
                        ExprKind::Text(_) | ExprKind::Number if same => self.restrict(local, !t::NIL),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    pub fn restrict(&mut self, local: usize, bits: t::Bits) {
        let known = &self.chunk.locals[local];
        let captured = known.captured;
        if captured && known.assigned {
            return;
        }
        let ty = self.local(local);
        let narrowed = ty.only(bits);
        // A contradiction only means that not everything is known yet.
        if narrowed.bits != ty.bits && narrowed.bits != 0 && !(ty.bits & t::TABLE != 0 && captured) {
            self.env.insert(local, narrowed);
        }
    }

    /// Tables that are passed to scripts.
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
