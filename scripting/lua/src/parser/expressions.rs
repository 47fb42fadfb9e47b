//! Expressions.

use super::statements::Head;
use super::{Parser, Read};
use crate::lexer::{TokenKind, text_bytes};
use crate::tree::{Expr, ExprKind, Item, Name};
use crate::{Extension, SyntaxError, SyntaxErrorKind};

/// The left and right binding power of an operator.
fn binds(sign: &str) -> Option<(u8, u8)> {
    Some(match sign {
        "or" => (1, 1),
        "and" => (2, 2),
        "<" | ">" | "<=" | ">=" | "~=" | "==" => (3, 3),
        ".." => (5, 4),
        "+" | "-" => (6, 6),
        "*" | "/" | "//" | "%" => (7, 7),
        "^" => (10, 9),
        _ => return None,
    })
}

const UNARY: u8 = 8;

impl Parser<'_> {
    pub(super) fn exprs(&mut self) -> Read<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        while self.take(",") {
            list.push(self.expr()?);
        }
        Ok(list)
    }

    pub(super) fn expr(&mut self) -> Read<Expr> {
        self.binary(0)
    }

    fn binary(&mut self, above: u8) -> Read<Expr> {
        self.deeper()?;
        let start = self.span().start;
        let mut left = match self.unary_sign() {
            Some(sign) => {
                self.step();
                let operand = self.binary(UNARY)?;
                let height = operand.height;
                self.expr_of(ExprKind::Unary(sign, Box::new(operand)), start, height)?
            }
            None => self.simple()?,
        };
        while let Some((sign, right)) = self.binary_sign(above) {
            self.step();
            let operand = self.binary(right)?;
            let height = left.height.max(operand.height);
            left = self.expr_of(ExprKind::Binary(sign, Box::new(left), Box::new(operand)), start, height)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn unary_sign(&mut self) -> Option<&'static str> {
        match self.peek() {
            TokenKind::Sign(sign @ ("not" | "-" | "#")) => Some(sign),
            TokenKind::Sign("!") => {
                self.slip(self.span(), "!", "not");
                Some("not")
            }
            _ => None,
        }
    }

    /// The next operator, if its binding power is high enough, and its right binding power.
    fn binary_sign(&mut self, above: u8) -> Option<(&'static str, u8)> {
        let TokenKind::Sign(found) = self.peek() else { return None };
        let sign = match found {
            "!=" => "~=",
            "&&" => "and",
            "||" => "or",
            other => other,
        };
        let (left, right) = binds(sign)?;
        if left <= above {
            return None;
        }
        if sign != found {
            self.slip(self.span(), found, sign);
        }
        if sign == "//" {
            self.beyond(Extension::FloorDivision, self.span());
        }
        Some((sign, right))
    }

    /// A value without operators, optionally with a type.
    fn simple(&mut self) -> Read<Expr> {
        let start = self.span().start;
        let expr = self.plain()?;
        if !self.is("::") {
            return Ok(expr);
        }
        let sign = self.span();
        self.step();
        self.beyond(Extension::Types, sign);
        self.type_()?;
        let height = expr.height;
        self.expr_of(ExprKind::Cast(Box::new(expr)), start, height)
    }

    fn plain(&mut self) -> Read<Expr> {
        let span = self.span();
        let kind = match self.peek() {
            TokenKind::Number => ExprKind::Number,
            TokenKind::Text => self.text(),
            TokenKind::Template => {
                self.beyond(Extension::Interpolation, span.clone());
                ExprKind::Interpolated(Vec::new())
            }
            TokenKind::TemplateStart => return self.template(),
            TokenKind::Sign("nil") => ExprKind::Nil,
            TokenKind::Sign("true") => ExprKind::True,
            TokenKind::Sign("false") => ExprKind::False,
            TokenKind::Sign("...") => {
                if !self.chunk.functions[self.function].vararg {
                    self.note(SyntaxError::new(span.clone(), SyntaxErrorKind::NoVararg));
                }
                ExprKind::Vararg
            }
            TokenKind::Sign("{") => return self.table(),
            TokenKind::Sign("function") => {
                self.step();
                let function =
                    self.function(Head { open: span.clone(), name: None, comments_above: None, method: false })?;
                return self.expr_of(ExprKind::Function(function), span.start, 0);
            }
            TokenKind::Sign("if") => return self.if_expression(),
            TokenKind::Sign("@") => return self.fail(span, SyntaxErrorKind::Unsupported("attributes")),
            TokenKind::Name | TokenKind::Sign("(") => return self.suffixed(),
            _ => return self.unexpected("a value"),
        };
        self.step();
        self.expr_of(kind, span.start, 0)
    }

    fn text(&self) -> ExprKind {
        let bytes = text_bytes(self.slice(self.span())).unwrap_or_default();
        ExprKind::Text(
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        )
    }

    /// A string in backticks with expressions in braces.
    fn template(&mut self) -> Read<Expr> {
        self.deeper()?;
        let open = self.span();
        self.beyond(Extension::Interpolation, open.clone());
        let (mut parts, mut height) = (Vec::new(), 0);
        loop {
            self.step();
            let part = self.expr()?;
            height = height.max(part.height);
            parts.push(part);
            match self.peek() {
                TokenKind::TemplateMiddle => {}
                TokenKind::TemplateEnd => break,
                _ => return self.unexpected("`}`"),
            }
        }
        self.step();
        self.depth -= 1;
        self.expr_of(ExprKind::Interpolated(parts), open.start, height)
    }

    fn if_expression(&mut self) -> Read<Expr> {
        self.deeper()?;
        let open = self.span();
        self.step();
        if open.len() == "if".len() {
            self.beyond(Extension::IfExpression, open.clone());
        }
        let condition = self.expr()?;
        self.need("then", "`then`")?;
        let yes = self.expr()?;
        let no = if self.is("elseif") {
            self.if_expression()?
        } else {
            self.need("else", "`else`")?;
            self.expr()?
        };
        self.depth -= 1;
        let height = condition.height.max(yes.height).max(no.height);
        self.expr_of(ExprKind::If(Box::new([condition, yes, no])), open.start, height)
    }

    pub(super) fn variable(&mut self, name: Name) -> Expr {
        let span = name.span.clone();
        let kind = match self.scopes.find(&name.text) {
            Some(local) => {
                if self.chunk.locals[local].function != self.function {
                    self.chunk.locals[local].captured = true;
                }
                ExprKind::Local(local)
            }
            None => ExprKind::Global(name.text),
        };
        Expr { kind, span, height: 1 }
    }

    /// A name or an expression in parentheses, followed by fields, indexes and calls.
    pub(super) fn suffixed(&mut self) -> Read<Expr> {
        let open = self.span();
        let start = open.start;
        let mut expr = if self.take("(") {
            let inner = self.expr()?;
            self.close(")", "`)`", &open)?;
            let height = inner.height;
            self.expr_of(ExprKind::Brackets(Box::new(inner)), start, height)?
        } else {
            let name = self.name()?;
            let expr = self.variable(name);
            if matches!(&expr.kind, ExprKind::Global(name) if name == "null") {
                self.slip(expr.span.clone(), "null", "nil");
            }
            expr
        };
        loop {
            let height = expr.height;
            match self.peek() {
                TokenKind::Sign(".") => {
                    self.step();
                    let name = self.name()?;
                    expr = self.expr_of(ExprKind::Field(Box::new(expr), name), start, height)?;
                }
                TokenKind::Sign("[") => {
                    let open = self.span();
                    self.step();
                    let key = self.expr()?;
                    self.close("]", "`]`", &open)?;
                    let height = height.max(key.height);
                    expr = self.expr_of(ExprKind::Index(Box::new(expr), Box::new(key)), start, height)?;
                }
                TokenKind::Sign(":") => {
                    self.step();
                    let name = self.name()?;
                    if self.is("<") && self.peek_next() == TokenKind::Sign("<") {
                        return self.fail(self.span(), SyntaxErrorKind::Unsupported("explicit type arguments"));
                    }
                    let (args, inner) = self.args()?;
                    let kind = ExprKind::Method { object: Box::new(expr), name, args };
                    expr = self.expr_of(kind, start, height.max(inner))?;
                }
                TokenKind::Sign("(" | "{") | TokenKind::Text => {
                    let (args, inner) = self.args()?;
                    expr = self.expr_of(ExprKind::Call { callee: Box::new(expr), args }, start, height.max(inner))?;
                }
                TokenKind::Sign("<") if self.peek_next() == TokenKind::Sign("<") => {
                    return self.fail(self.span(), SyntaxErrorKind::Unsupported("explicit type arguments"));
                }
                _ => return Ok(expr),
            }
        }
    }

    fn args(&mut self) -> Read<(Vec<Expr>, u16)> {
        let open = self.span();
        let list = match self.peek() {
            TokenKind::Sign("(") => {
                if self.on_new_line() {
                    self.note(SyntaxError::new(open.clone(), SyntaxErrorKind::CallOnNewLine));
                }
                self.step();
                let list = if self.is(")") { Vec::new() } else { self.exprs()? };
                if !self.is(")") && self.peek() != TokenKind::End {
                    return self.unexpected("`,` or `)`");
                }
                self.close(")", "`)`", &open)?;
                list
            }
            TokenKind::Sign("{") | TokenKind::Text => vec![self.plain()?],
            _ => return self.unexpected("`(`"),
        };
        let height = list.iter().map(|arg| arg.height).max().unwrap_or_default();
        Ok((list, height))
    }

    fn table(&mut self) -> Read<Expr> {
        self.deeper()?;
        let open = self.span();
        self.step();
        let (mut items, mut height) = (Vec::new(), 0);
        while !self.is("}") {
            let (item, below) = self.item()?;
            height = height.max(below);
            items.push(item);
            if !self.take(",") && !self.take(";") && !self.is("}") {
                break;
            }
        }
        if !self.is("}") && self.peek() != TokenKind::End {
            return self.unexpected("`,` or `}`");
        }
        self.close("}", "`}`", &open)?;
        self.depth -= 1;
        self.expr_of(ExprKind::Table(items), open.start, height)
    }

    /// An item of a table, and its depth.
    fn item(&mut self) -> Read<(Item, u16)> {
        if self.peek() == TokenKind::Name && self.peek_next() == TokenKind::Sign("=") {
            let name = self.name()?;
            self.step();
            let value = self.expr()?;
            self.call_it(&value, &name, name.span.start);
            let height = value.height;
            return Ok((Item::Named(name, value), height));
        }
        if !self.is("[") {
            let value = self.expr()?;
            let height = value.height;
            return Ok((Item::Plain(value), height));
        }
        let open = self.span();
        self.step();
        let key = self.expr()?;
        self.close("]", "`]`", &open)?;
        self.need("=", "`=`")?;
        let value = self.expr()?;
        let height = key.height.max(value.height);
        Ok((Item::Keyed(key, value), height))
    }
}
