//! Parses statements.

use super::{MOST_ERRORS, Parser, Read, Stop};
use crate::lexer::TokenKind;
use crate::tree::{Arm, ElseBranch, Expr, ExprKind, Function, Local, Name, Stmt, StmtKind};
use crate::{ByteSpan, Extension, SyntaxError, SyntaxErrorKind};

/// The assignment operators besides `=`.
const COMPOUND: [&str; 8] = ["+=", "-=", "*=", "/=", "//=", "%=", "^=", "..="];

/// Words that begin a statement.
const BEGINS: [&str; 8] = ["local", "function", "if", "while", "for", "repeat", "return", "do"];

/// Stands for a statement that was reported and left out.
const NOTHING: StmtKind = StmtKind::Assign { targets: Vec::new(), values: Vec::new() };

/// Whether a variable can be assigned to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mutability {
    Free,
    Const,
}

/// The head of a new function.
pub(super) struct Head {
    /// The range of its `function`.
    pub open: ByteSpan,
    /// `None` for a function without a name.
    pub name: Option<Name>,
    /// The start of the statement, above which comments may annotate it.
    pub comments_above: Option<usize>,
    /// Whether it has a `self`.
    pub method: bool,
}

impl<'t> Parser<'t> {
    /// Parses the whole text. After an error, it continues with the next top-level statement.
    pub(super) fn script(&mut self) -> Vec<Stmt> {
        let mut list = Vec::new();
        while self.peek() != TokenKind::End && self.errors.len() <= MOST_ERRORS {
            let scopes = self.scopes.enter();
            let start = self.at;
            self.else_if = None;
            match self.script_statement() {
                Ok(stmt) => {
                    let ends = matches!(stmt.kind, StmtKind::Return { .. });
                    list.push(stmt);
                    if ends && self.peek() != TokenKind::End {
                        // The rest is reported, and parsed separately.
                        let _ = self.unexpected::<()>("the end of the file after `return`");
                        self.resume(start);
                    }
                }
                Err(Stop) => {
                    (self.depth, self.function, self.loops) = (0, 0, 0);
                    self.scopes.leave(scopes);
                    self.resume(start);
                }
            }
        }
        list
    }

    fn script_statement(&mut self) -> Read<Stmt> {
        self.deeper()?;
        if let TokenKind::Sign("end" | "else" | "elseif" | "until") = self.peek() {
            return self.unexpected("a statement");
        }
        let stmt = self.statement()?;
        self.take(";");
        self.depth -= 1;
        Ok(stmt)
    }

    /// Goes to the next statement that begins a line without indentation, after the token `start`.
    fn resume(&mut self, start: usize) {
        if self.at == start {
            self.step();
        }
        let begins = |parser: &Self| match parser.peek() {
            TokenKind::End => true,
            TokenKind::Sign(sign) => BEGINS.contains(&sign),
            kind => kind == TokenKind::Name,
        };
        let begins_line = |parser: &Self| {
            let at = parser.span().start;
            parser.peek() == TokenKind::End || parser.lines.start_at(at) == at
        };
        while !(begins(self) && begins_line(self)) {
            self.step();
        }
    }

    /// A block, up to its end.
    pub(super) fn block(&mut self) -> Read<Vec<Stmt>> {
        self.deeper()?;
        let scopes = self.scopes.enter();
        let list = self.block_without_scope()?;
        self.scopes.leave(scopes);
        self.depth -= 1;
        Ok(list)
    }

    fn block_without_scope(&mut self) -> Read<Vec<Stmt>> {
        let mut list = Vec::new();
        while !matches!(self.peek(), TokenKind::End | TokenKind::Sign("end" | "else" | "elseif" | "until")) {
            let stmt = self.statement()?;
            let ends = matches!(stmt.kind, StmtKind::Return { .. } | StmtKind::Break | StmtKind::Continue);
            list.push(stmt);
            self.take(";");
            if ends {
                break;
            }
        }
        Ok(list)
    }

    fn loop_body(&mut self, locals: &[usize], open: &ByteSpan) -> Read<Vec<Stmt>> {
        self.loops += 1;
        let scopes = self.scopes.enter();
        locals.iter().for_each(|local| self.show(*local));
        let body = self.block()?;
        self.scopes.leave(scopes);
        self.loops -= 1;
        self.close("end", "`end`", open)?;
        Ok(body)
    }

    fn statement(&mut self) -> Read<Stmt> {
        let open = self.span();
        let kind = self.statement_kind(&open)?;
        Ok(Stmt { kind, span: open.start..self.last().end })
    }

    fn statement_kind(&mut self, open: &ByteSpan) -> Read<StmtKind> {
        let TokenKind::Sign(sign) = self.peek() else { return self.call_or_assignment() };
        match sign {
            "local" | "function" | "if" | "while" | "for" | "do" | "repeat" | "return" | "break" => self.step(),
            "(" => return self.call_or_assignment(),
            "@" => return self.fail(open.clone(), SyntaxErrorKind::Unsupported("attributes")),
            "//" => return Ok(self.foreign_comment()),
            _ => return self.unexpected("a statement"),
        }
        match sign {
            "local" => self.local(open.start, Mutability::Free),
            "function" => self.function_statement(open),
            "if" => self.if_statement(open),
            "while" => {
                let condition = self.condition()?;
                self.need("do", "`do`")?;
                Ok(StmtKind::While { condition, body: self.loop_body(&[], open)? })
            }
            "for" => self.for_statement(open),
            "do" => {
                let body = self.block()?;
                self.close("end", "`end`", open)?;
                Ok(StmtKind::Do(body))
            }
            "repeat" => self.repeat(open),
            "return" => {
                let ends = TokenKind::End == self.peek()
                    || ["end", "else", "elseif", "until", ";"].iter().any(|sign| self.is(sign));
                Ok(StmtKind::Return { values: if ends { Vec::new() } else { self.exprs()? } })
            }
            _ if self.loops == 0 => self.fail(open.clone(), SyntaxErrorKind::NoLoop("break")),
            _ => Ok(StmtKind::Break),
        }
    }

    /// The condition of a branch or loop. `=` instead of `==` is reported, and parsing continues.
    fn condition(&mut self) -> Read<Expr> {
        let condition = self.expr()?;
        if !self.is("=") {
            return Ok(condition);
        }
        self.slip(self.span(), "=", "==");
        self.step();
        self.expr()
    }

    fn repeat(&mut self, open: &ByteSpan) -> Read<StmtKind> {
        self.deeper()?;
        self.loops += 1;
        // The condition sees the locals of the body.
        let scopes = self.scopes.enter();
        let body = self.block_without_scope()?;
        self.loops -= 1;
        self.close("until", "`until`", open)?;
        let condition = self.condition()?;
        self.scopes.leave(scopes);
        self.depth -= 1;
        Ok(StmtKind::Repeat { body, condition })
    }

    // Variables -------------------------------------------------------------------------------------------------------

    pub(super) fn declare(&mut self, name: Name, param: Option<usize>, mutability: Mutability) -> usize {
        let constant = mutability == Mutability::Const;
        let local = Local { name, function: self.function, captured: false, assigned: false, constant, param };
        self.chunk.locals.push(local);
        self.chunk.locals.len() - 1
    }

    pub(super) fn show(&mut self, local: usize) {
        let local_of = &self.chunk.locals[local];
        let name = match local_of.param {
            Some(0) if local_of.name.text == "self" => "self",
            _ => self.slice(local_of.name.span.clone()),
        };
        self.scopes.show(name, local);
    }

    /// Records that a target is assigned to, and reports a target that cannot be.
    fn assign_to(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Local(local) if self.chunk.locals[*local].constant => {
                self.note(SyntaxError::new(target.span.clone(), SyntaxErrorKind::Constant));
            }
            ExprKind::Local(local) => self.chunk.locals[*local].assigned = true,
            ExprKind::Global(_) | ExprKind::Field(..) | ExprKind::Index(..) => {}
            _ => self.note(SyntaxError::new(target.span.clone(), SyntaxErrorKind::NotAssignable)),
        }
    }

    fn local(&mut self, start: usize, mutability: Mutability) -> Read<StmtKind> {
        if self.is("function") {
            let open = self.span();
            self.step();
            let name = self.name()?;
            let local = self.declare(name.clone(), None, mutability);
            self.show(local);
            let function =
                self.function(Head { open, name: Some(name), comments_above: Some(start), method: false })?;
            return Ok(StmtKind::LocalFunction { local, function });
        }
        if self.is("@") {
            return self.fail(self.span(), SyntaxErrorKind::Unsupported("attributes"));
        }
        let names = self.names()?;
        let values = if self.take("=") { self.exprs()? } else { Vec::new() };
        for (name, value) in names.iter().zip(&values) {
            self.call_it(value, name, start);
        }
        let many = matches!(
            values.last().map(|value| &value.kind),
            Some(ExprKind::Call { .. } | ExprKind::Method { .. } | ExprKind::Vararg)
        );
        if mutability == Mutability::Const && values.len() < names.len() && !many {
            self.note(SyntaxError::new(start..self.last().end, SyntaxErrorKind::ConstWithoutValue));
        }
        let locals: Vec<usize> = names.into_iter().map(|name| self.declare(name, None, mutability)).collect();
        locals.iter().for_each(|local| self.show(*local));
        Ok(StmtKind::Local { locals, values })
    }

    /// Declared names, optionally with types.
    fn names(&mut self) -> Read<Vec<Name>> {
        let mut names = Vec::new();
        loop {
            names.push(self.name()?);
            self.annotation()?;
            if !self.take(",") {
                return Ok(names);
            }
        }
    }

    /// Names a function.
    pub(super) fn call_it(&mut self, value: &Expr, name: &Name, start: usize) {
        if let ExprKind::Function(function) = value.kind {
            let notes = self.notes_above(start);
            let function = &mut self.chunk.functions[function];
            function.name = Some(name.clone());
            function.notes.extend(notes.params);
            function.is_public |= notes.is_public;
        }
    }

    fn function_statement(&mut self, open: &ByteSpan) -> Read<StmtKind> {
        let first = self.name()?;
        let start = first.span.start;
        let mut target = self.variable(first.clone());
        let (mut last, mut method) = (first, false);
        while !method && (self.is(".") || self.is(":")) {
            method = self.is(":");
            self.step();
            last = self.name()?;
            let height = target.height;
            target = self.expr_of(ExprKind::Field(Box::new(target), last.clone()), start, height)?;
        }
        self.assign_to(&target);
        let head = Head { open: open.clone(), name: Some(last), comments_above: Some(open.start), method };
        let function = self.function(head)?;
        Ok(StmtKind::Function { target, function })
    }

    /// A function, from what follows its name.
    pub(super) fn function(&mut self, head: Head) -> Read<usize> {
        self.deeper()?;
        self.generics()?;
        let id = self.chunk.functions.len();
        let notes = head.comments_above.map(|start| self.notes_above(start)).unwrap_or_default();
        self.chunk.functions.push(Function {
            parent: Some(self.function),
            name: head.name,
            notes: notes.params,
            is_public: notes.is_public,
            ..Function::default()
        });
        let around = (std::mem::replace(&mut self.function, id), std::mem::take(&mut self.loops));
        let scopes = self.scopes.enter();
        let open = self.span();
        self.need("(", "`(`")?;
        let mut params = Vec::new();
        if head.method {
            let name = Name { text: "self".to_owned(), span: head.open.clone() };
            params.push(self.declare(name, Some(0), Mutability::Free));
        }
        let vararg = self.params(&mut params)?;
        self.need(")", "`)`")?;
        let ends = head.open.start..self.last().end;
        self.annotation()?;
        params.iter().for_each(|local| self.show(*local));
        self.chunk.functions[id].vararg = vararg;
        let body = self.block()?;
        let end = self.span();
        self.close("end", "`end`", &head.open)?;
        self.scopes.leave(scopes);
        (self.function, self.loops) = around;
        self.depth -= 1;
        let function = &mut self.chunk.functions[id];
        (function.params, function.body, function.head) = (params, body, ends);
        (function.open, function.end) = (open, end);
        Ok(id)
    }

    /// The parameters, up to the closing parenthesis. Returns whether the function is variadic.
    fn params(&mut self, params: &mut Vec<usize>) -> Read<bool> {
        if self.is(")") {
            return Ok(false);
        }
        loop {
            if self.take("...") {
                self.annotation()?;
                return Ok(true);
            }
            let name = self.name()?;
            self.annotation()?;
            params.push(self.declare(name, Some(params.len()), Mutability::Free));
            if self.is(")") {
                return Ok(false);
            }
            self.need(",", "`,` or `)`")?;
        }
    }

    // Branches and loops ----------------------------------------------------------------------------------------------

    fn if_statement(&mut self, open: &ByteSpan) -> Read<StmtKind> {
        let (mut arms, mut otherwise) = (Vec::new(), None);
        let mut keyword = open.clone();
        loop {
            let condition = self.condition()?;
            self.need("then", "`then`")?;
            let body = self.block()?;
            arms.push(Arm { keyword: keyword.clone(), condition, body });
            keyword = self.span();
            if self.take("elseif") {
                continue;
            }
            if self.take("else") {
                if self.is("if") && !self.on_new_line() {
                    self.else_if = Some(keyword.start..self.span().end);
                }
                otherwise = Some(ElseBranch { keyword, body: self.block()? });
            }
            break;
        }
        let end = self.span();
        self.close("end", "`end`", open)?;
        Ok(StmtKind::If { arms, otherwise, end })
    }

    fn for_statement(&mut self, open: &ByteSpan) -> Read<StmtKind> {
        let first = self.name()?;
        self.annotation()?;
        if self.take("=") {
            let mut range = vec![self.expr()?];
            self.need(",", "`,` and the end of the loop")?;
            range.push(self.expr()?);
            if self.take(",") {
                range.push(self.expr()?);
            }
            self.need("do", "`do`")?;
            let local = self.declare(first, None, Mutability::Free);
            return Ok(StmtKind::Numeric { local, range, body: self.loop_body(&[local], open)? });
        }
        let mut names = vec![first];
        if self.take(",") {
            names.extend(self.names()?);
        }
        self.need("in", "`=` or `in`")?;
        let values = self.exprs()?;
        self.need("do", "`do`")?;
        let locals: Vec<usize> = names.into_iter().map(|name| self.declare(name, None, Mutability::Free)).collect();
        let body = self.loop_body(&locals, open)?;
        Ok(StmtKind::Generic { locals, values, body })
    }

    // Other statements ------------------------------------------------------------------------------------------------

    fn call_or_assignment(&mut self) -> Read<StmtKind> {
        if self.peek() != TokenKind::Name && !self.is("(") {
            return self.unexpected("a statement");
        }
        let start = self.span().start;
        let first = self.suffixed()?;
        if let ExprKind::Call { .. } | ExprKind::Method { .. } = first.kind {
            return match self.peek() {
                TokenKind::Sign(sign) if sign == "=" || sign == "," || COMPOUND.contains(&sign) => {
                    self.fail(first.span, SyntaxErrorKind::NotAssignable)
                }
                _ => Ok(StmtKind::Call(first)),
            };
        }
        match self.peek() {
            TokenKind::Sign("=" | ",") => self.assignment(first, start),
            TokenKind::Sign(sign) if COMPOUND.contains(&sign) => {
                self.assign_to(&first);
                self.beyond(Extension::Compound(sign), self.span());
                self.step();
                Ok(StmtKind::Compound { target: first, value: self.expr()? })
            }
            _ => self.contextual(&first),
        }
    }

    fn assignment(&mut self, first: Expr, start: usize) -> Read<StmtKind> {
        let mut targets = vec![first];
        while self.take(",") {
            if self.peek() != TokenKind::Name && !self.is("(") {
                return self.unexpected("a variable or a field");
            }
            targets.push(self.suffixed()?);
        }
        self.need("=", "`=`")?;
        let values = self.exprs()?;
        for (at, target) in targets.iter().enumerate() {
            self.assign_to(target);
            if let (ExprKind::Field(_, name), Some(value)) = (&target.kind, values.get(at)) {
                self.call_it(value, name, start);
            }
        }
        Ok(StmtKind::Assign { targets, values })
    }

    /// Words that are keywords only in certain contexts.
    fn contextual(&mut self, first: &Expr) -> Read<StmtKind> {
        let word = match first.kind {
            ExprKind::Global(_) | ExprKind::Local(_) => self.slice(first.span.clone()),
            _ => "",
        };
        match word {
            "continue" if self.loops == 0 => self.fail(first.span.clone(), SyntaxErrorKind::NoLoop("continue")),
            "continue" => {
                self.beyond(Extension::Continue, first.span.clone());
                Ok(StmtKind::Continue)
            }
            "const" if self.peek() == TokenKind::Name || self.is("function") => {
                self.beyond(Extension::Const, first.span.clone());
                self.local(first.span.start, Mutability::Const)
            }
            "type" if self.peek() == TokenKind::Name => self.type_alias(first.span.clone()),
            "export" if self.is_word("type") => {
                self.step();
                self.type_alias(first.span.clone())
            }
            "type" if self.is("function") => {
                self.fail(first.span.clone(), SyntaxErrorKind::Unsupported("type functions"))
            }
            _ => match self.peek() {
                TokenKind::Sign("+") if self.peek_next() == self.peek() => Ok(self.step_by_one(first)),
                _ => self.unexpected("`=` or a call"),
            },
        }
    }

    /// Reports `x++` and continues after it.
    fn step_by_one(&mut self, first: &Expr) -> StmtKind {
        let (from, end) = (self.span().start, self.tokens[self.at + 1].span.end);
        let name = self.slice(first.span.clone());
        let wrong = SyntaxErrorKind::Foreign { found: "++", lua: "= … + 1" };
        self.note(SyntaxError::new(from..end, wrong).with(first.span.start..end, format!("{name} = {name} + 1")));
        self.step();
        self.step();
        NOTHING
    }

    /// Reports a comment of another language and skips it.
    fn foreign_comment(&mut self) -> StmtKind {
        self.slip(self.span(), "//", "--");
        let line = self.line(self.span().start);
        while self.peek() != TokenKind::End && self.line(self.span().start) == line {
            self.step();
        }
        NOTHING
    }
}
