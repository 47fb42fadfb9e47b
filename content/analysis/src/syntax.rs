//! The syntax tree of a Lua 5.1 file, with every name resolved to what it stands for.

use std::ops::Range;

use crate::lexer::{Token, tokens};

/// A stretch of a text.
pub type Bytes = Range<usize>;

/// Nothing may be nested deeper.
const DEEPEST: u16 = 120;

/// Why a text is no Lua.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError {
    /// Where.
    pub bytes: Bytes,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

/// A name where it stands.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub bytes: Bytes,
}

/// A file.
#[derive(Debug, Default)]
pub struct Chunk {
    /// All functions; the first is the file itself.
    pub functions: Vec<Function>,
    /// All local variables.
    pub locals: Vec<Local>,
}

/// A local variable or parameter.
#[derive(Debug)]
pub struct Local {
    pub name: Name,
    /// The function that declares it.
    pub function: usize,
    /// Whether a function inside that one uses it.
    pub captured: bool,
    /// Whether it is assigned to after its declaration.
    pub assigned: bool,
    /// Which parameter of its function it is.
    pub param: Option<usize>,
}

/// A function.
#[derive(Debug, Default)]
pub struct Function {
    /// The function around it; none for the file.
    pub parent: Option<usize>,
    /// What it is called: the last part of its name, empty for functions without one.
    pub name: Option<Name>,
    /// Its parameters.
    pub params: Vec<usize>,
    /// Whether it takes more.
    pub vararg: bool,
    pub body: Vec<Stmt>,
    /// From `function` to the closing bracket of the parameters.
    pub head: Bytes,
    /// Its `end`.
    pub end: Bytes,
    /// What the comment above says of parameters.
    pub notes: Vec<Note>,
}

/// `---@param name? type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub name: String,
    pub optional: bool,
    pub ty: String,
}

/// A statement.
#[derive(Debug)]
pub enum Stmt {
    Local {
        locals: Vec<usize>,
        values: Vec<Expr>,
    },
    LocalFunction {
        local: usize,
        function: usize,
    },
    Assign {
        targets: Vec<Expr>,
        values: Vec<Expr>,
    },
    /// `function a.b() end`
    Function {
        target: Expr,
        function: usize,
    },
    Call(Expr),
    Do(Vec<Stmt>),
    While {
        condition: Expr,
        body: Vec<Stmt>,
    },
    Repeat {
        body: Vec<Stmt>,
        condition: Expr,
    },
    If {
        arms: Vec<(Expr, Vec<Stmt>)>,
        otherwise: Option<Vec<Stmt>>,
    },
    Numeric {
        local: usize,
        range: Vec<Expr>,
        body: Vec<Stmt>,
    },
    Generic {
        locals: Vec<usize>,
        values: Vec<Expr>,
        body: Vec<Stmt>,
    },
    Return {
        values: Vec<Expr>,
        bytes: Bytes,
    },
    Break,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    pub kind: Kind,
    pub bytes: Bytes,
    /// How deep it is nested.
    height: u16,
}

/// What an expression is.
#[derive(Debug)]
pub enum Kind {
    Nil,
    True,
    False,
    Number,
    Text(String),
    Vararg,
    Function(usize),
    Local(usize),
    Global(String),
    /// `a.name`
    Field(Box<Expr>, Name),
    /// `a[b]`
    Index(Box<Expr>, Box<Expr>),
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    /// `a:name(…)`
    Method {
        object: Box<Expr>,
        name: Name,
        args: Vec<Expr>,
    },
    Table(Vec<Item>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Unary(&'static str, Box<Expr>),
    /// In brackets, which cut several values down to one.
    Brackets(Box<Expr>),
}

/// An item of a table constructor.
#[derive(Debug)]
pub enum Item {
    Plain(Expr),
    Named(Name, Expr),
    Keyed(Expr, Expr),
}

/// Reads a file.
pub fn parse(text: &str) -> Result<Chunk, SyntaxError> {
    let (tokens, wrong) = tokens(text);
    if let Some(error) = wrong {
        return Err(error);
    }
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        depth: 0,
        chunk: Chunk::default(),
        function: 0,
        loops: 0,
        scopes: vec![Vec::new()],
    };
    let mut main = Function { vararg: true, end: text.len()..text.len(), ..Function::default() };
    parser.chunk.functions.push(Function::default());
    main.body = parser.block()?;
    if !matches!(parser.peek(), Token::End) {
        return Err(parser.unexpected("a statement"));
    }
    parser.chunk.functions[0] = main;
    Ok(parser.chunk)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token, Bytes)>,
    at: usize,
    depth: u16,
    chunk: Chunk,
    /// The function that is being read.
    function: usize,
    /// How many loops of that function are open.
    loops: usize,
    scopes: Vec<Vec<usize>>,
}

type Parsed<T> = Result<T, SyntaxError>;

const BINARY: [(&str, u8, u8); 14] = [
    ("or", 1, 1),
    ("and", 2, 2),
    ("<", 3, 3),
    (">", 3, 3),
    ("<=", 3, 3),
    (">=", 3, 3),
    ("~=", 3, 3),
    ("==", 3, 3),
    ("..", 5, 4),
    ("+", 6, 6),
    ("-", 6, 6),
    ("*", 7, 7),
    ("/", 7, 7),
    ("%", 7, 7),
];
const POWER: (&str, u8, u8) = ("^", 10, 9);
const UNARY: u8 = 8;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }
    fn bytes(&self) -> Bytes {
        self.tokens[self.at].1.clone()
    }
    /// The end of the last token taken.
    fn last(&self) -> Bytes {
        self.tokens[self.at.saturating_sub(1)].1.clone()
    }
    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }
    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.at += 1;
        }
        found
    }
    fn need(&mut self, sign: &'static str) -> Parsed<()> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }
    /// The sign that closes what was opened at `open`.
    fn close(&mut self, sign: &'static str, open: &Bytes) -> Parsed<()> {
        if self.take(sign) {
            return Ok(());
        }
        let mut error = self.unexpected(&format!("`{sign}`"));
        let line = 1 + self.text[..open.start].matches('\n').count();
        let opened = &self.text[open.clone()];
        error.help = error.help.or_else(|| Some(format!("it closes the `{opened}` of line {line}")));
        Err(error)
    }
    fn name(&mut self) -> Parsed<Name> {
        let bytes = self.bytes();
        match self.peek() {
            Token::Name(text) => {
                let name = Name { text: text.clone(), bytes };
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn unexpected(&self, wanted: &str) -> SyntaxError {
        let bytes = self.bytes();
        let found = &self.text[bytes.clone()];
        let before = &self.text[self.last()];
        let (message, bytes) = match self.peek() {
            // Where a file ends too soon, the last thing that is there is what to look at.
            Token::End => (format!("{wanted} is missing before the file ends"), self.last()),
            _ => (format!("{wanted} must stand here, not `{}`", found.lines().next().unwrap_or_default()), bytes),
        };
        let luau = |what: &str| Some(format!("scripts are written in Lua 5.1, which has no {what}"));
        let next = self.tokens.get(self.at + 1).map_or("", |(_, bytes)| &self.text[bytes.clone()]);
        let help = match (before, found) {
            (_, "+" | "-" | "*" | "/" | "%" | "^" | "..") if next == "=" => {
                luau(&format!("`{found}=`: write `x = x {found} …`"))
            }
            ("continue", _) => luau("`continue`"),
            ("/", "/") => luau("`//`: use math.floor"),
            (_, ":") => luau("types"),
            _ => None,
        };
        SyntaxError { bytes, message, help }
    }

    fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.too_deep()) } else { Ok(()) }
    }
    fn too_deep(&self) -> SyntaxError {
        SyntaxError { bytes: self.bytes(), message: format!("nested more than {DEEPEST} levels deep"), help: None }
    }
    fn expr_of(&self, kind: Kind, from: usize, below: u16) -> Parsed<Expr> {
        let height = below + 1;
        if height > DEEPEST {
            return Err(self.too_deep());
        }
        Ok(Expr { kind, bytes: from..self.last().end, height })
    }

    // Names ---------------------------------------------------------------------------------------------------------

    fn declare(&mut self, name: Name, param: Option<usize>) -> usize {
        let local = Local { name, function: self.function, captured: false, assigned: false, param };
        self.chunk.locals.push(local);
        self.chunk.locals.len() - 1
    }
    fn show(&mut self, local: usize) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(local);
        }
    }
    fn find(&mut self, name: &str) -> Option<usize> {
        let locals = &self.chunk.locals;
        let found = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.iter().rev().copied().find(|local| locals[*local].name.text == name))?;
        if locals[found].function != self.function {
            self.chunk.locals[found].captured = true;
        }
        Some(found)
    }

    // Statements ----------------------------------------------------------------------------------------------------

    fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.push(Vec::new());
        let result = inner(self);
        self.scopes.pop();
        result
    }

    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.deeper()?;
        let mut list = Vec::new();
        loop {
            if matches!(self.peek(), Token::End | Token::Sign("end" | "else" | "elseif" | "until")) {
                break;
            }
            let ends = self.is("return") || self.is("break");
            list.push(self.statement()?);
            self.take(";");
            if ends {
                break;
            }
        }
        self.depth -= 1;
        Ok(list)
    }

    fn body(&mut self, locals: &[usize], open: &Bytes) -> Parsed<Vec<Stmt>> {
        self.loops += 1;
        let body = self.scoped(|p| {
            locals.iter().for_each(|local| p.show(*local));
            p.block()
        })?;
        self.loops -= 1;
        self.close("end", open)?;
        Ok(body)
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let open = self.bytes();
        if self.take("local") {
            return self.local(open.start);
        }
        if self.take("function") {
            return self.function_statement(open);
        }
        if self.take("if") {
            return self.if_statement(open);
        }
        if self.take("while") {
            let condition = self.expr()?;
            self.need("do")?;
            return Ok(Stmt::While { condition, body: self.body(&[], &open)? });
        }
        if self.take("for") {
            return self.for_statement(open);
        }
        if self.take("do") {
            let body = self.scoped(Self::block)?;
            self.close("end", &open)?;
            return Ok(Stmt::Do(body));
        }
        if self.take("repeat") {
            self.loops += 1;
            let (body, condition) = self.scoped(|p| {
                let body = p.block()?;
                p.close("until", &open)?;
                Ok((body, p.expr()?))
            })?;
            self.loops -= 1;
            return Ok(Stmt::Repeat { body, condition });
        }
        if self.take("return") {
            let ends = matches!(self.peek(), Token::End | Token::Sign("end" | "else" | "elseif" | "until" | ";"));
            let values = if ends { Vec::new() } else { self.exprs()? };
            return Ok(Stmt::Return { bytes: open.start..self.last().end, values });
        }
        if self.take("break") {
            if self.loops == 0 {
                return Err(SyntaxError { bytes: open, message: "`break` stands in no loop".to_owned(), help: None });
            }
            return Ok(Stmt::Break);
        }
        self.call_or_assignment()
    }

    fn local(&mut self, start: usize) -> Parsed<Stmt> {
        if self.is("function") {
            let open = self.bytes();
            self.at += 1;
            let name = self.name()?;
            let local = self.declare(name.clone(), None);
            self.show(local);
            let function = self.function(open, Some(name), self.notes_above(start), false)?;
            return Ok(Stmt::LocalFunction { local, function });
        }
        let mut names = vec![self.name()?];
        while self.take(",") {
            names.push(self.name()?);
        }
        let mut values = if self.take("=") { self.exprs()? } else { Vec::new() };
        for (name, value) in names.iter().zip(&mut values) {
            self.call_it(value, name, start);
        }
        let locals: Vec<usize> = names.into_iter().map(|name| self.declare(name, None)).collect();
        locals.iter().for_each(|local| self.show(*local));
        Ok(Stmt::Local { locals, values })
    }

    /// A function that is given a name.
    fn call_it(&mut self, value: &Expr, name: &Name, start: usize) {
        if let Kind::Function(function) = value.kind {
            let notes = self.notes_above(start);
            let function = &mut self.chunk.functions[function];
            function.name = Some(name.clone());
            function.notes.extend(notes);
        }
    }

    fn function_statement(&mut self, open: Bytes) -> Parsed<Stmt> {
        let first = self.name()?;
        let mut target = self.variable(first.clone());
        let (mut last, mut method) = (first, false);
        while !method && (self.is(".") || self.is(":")) {
            method = self.is(":");
            self.at += 1;
            last = self.name()?;
            let height = target.height;
            target = self.expr_of(Kind::Field(Box::new(target), last.clone()), open.start, height)?;
        }
        target.bytes.start = match &target.kind {
            Kind::Field(object, _) => object.bytes.start,
            _ => target.bytes.start,
        };
        if let Kind::Local(local) = target.kind {
            self.chunk.locals[local].assigned = true;
        }
        let notes = self.notes_above(open.start);
        let function = self.function(open, Some(last), notes, method)?;
        Ok(Stmt::Function { target, function })
    }

    /// From the opening bracket of the parameters on.
    fn function(&mut self, open: Bytes, name: Option<Name>, notes: Vec<Note>, method: bool) -> Parsed<usize> {
        self.deeper()?;
        let id = self.chunk.functions.len();
        self.chunk.functions.push(Function { parent: Some(self.function), name, notes, ..Function::default() });
        let around = (std::mem::replace(&mut self.function, id), std::mem::take(&mut self.loops));
        self.scopes.push(Vec::new());
        let mut params = Vec::new();
        if method {
            let name = Name { text: "self".to_owned(), bytes: open.clone() };
            params.push(self.declare(name, Some(0)));
        }
        self.need("(")?;
        let mut vararg = false;
        while !self.is(")") && !vararg {
            if self.take("...") {
                vararg = true;
            } else {
                let name = self.name()?;
                params.push(self.declare(name, Some(params.len())));
            }
            if !self.is(")") && !self.take(",") {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        self.need(")")?;
        let head = open.start..self.last().end;
        params.iter().for_each(|local| self.show(*local));
        self.chunk.functions[id].vararg = vararg;
        let body = self.block()?;
        let end = self.bytes();
        self.close("end", &open)?;
        self.scopes.pop();
        (self.function, self.loops) = around;
        self.depth -= 1;
        let function = &mut self.chunk.functions[id];
        (function.params, function.body, function.head, function.end) = (params, body, head, end);
        Ok(id)
    }

    /// What the comment directly above a place says of parameters.
    fn notes_above(&self, start: usize) -> Vec<Note> {
        let mut notes = Vec::new();
        for line in self.text[..start].lines().rev().skip_while(|line| line.trim().is_empty() && !line.is_empty()) {
            let Some(comment) = line.trim_start().strip_prefix("--") else { break };
            let Some(note) = comment.trim_start_matches('-').trim_start().strip_prefix("@param") else { continue };
            let mut words = note.split_whitespace();
            let (Some(name), ty) = (words.next(), words.next().unwrap_or_default()) else { continue };
            let optional = name.ends_with('?') || ty.ends_with('?');
            notes.push(Note {
                name: name.trim_end_matches('?').to_owned(),
                optional,
                ty: ty.trim_end_matches('?').to_owned(),
            });
        }
        notes
    }

    fn if_statement(&mut self, open: Bytes) -> Parsed<Stmt> {
        let (mut arms, mut otherwise) = (Vec::new(), None);
        loop {
            let condition = self.expr()?;
            self.need("then")?;
            arms.push((condition, self.scoped(Self::block)?));
            if self.take("elseif") {
                continue;
            }
            if self.take("else") {
                otherwise = Some(self.scoped(Self::block)?);
            }
            break;
        }
        self.close("end", &open)?;
        Ok(Stmt::If { arms, otherwise })
    }

    fn for_statement(&mut self, open: Bytes) -> Parsed<Stmt> {
        let first = self.name()?;
        if self.take("=") {
            let range = self.exprs()?;
            if !(2..=3).contains(&range.len()) {
                let bytes = range[0].bytes.start..self.last().end;
                let message = "a loop over numbers goes from, to, and perhaps by".to_owned();
                return Err(SyntaxError { bytes, message, help: None });
            }
            self.need("do")?;
            let local = self.declare(first, None);
            return Ok(Stmt::Numeric { local, range, body: self.body(&[local], &open)? });
        }
        let mut names = vec![first];
        while self.take(",") {
            names.push(self.name()?);
        }
        self.need("in")?;
        let values = self.exprs()?;
        self.need("do")?;
        let locals: Vec<usize> = names.into_iter().map(|name| self.declare(name, None)).collect();
        let body = self.body(&locals, &open)?;
        Ok(Stmt::Generic { locals, values, body })
    }

    fn call_or_assignment(&mut self) -> Parsed<Stmt> {
        let start = self.bytes().start;
        let first = self.suffixed()?;
        if !self.is("=") && !self.is(",") {
            return match first.kind {
                Kind::Call { .. } | Kind::Method { .. } => Ok(Stmt::Call(first)),
                _ => Err(self.unexpected("`=` or a call")),
            };
        }
        let mut targets = vec![first];
        while self.take(",") {
            targets.push(self.suffixed()?);
        }
        self.need("=")?;
        let values = self.exprs()?;
        for (at, target) in targets.iter().enumerate() {
            match &target.kind {
                Kind::Local(local) => self.chunk.locals[*local].assigned = true,
                Kind::Field(_, name) => {
                    let name = name.clone();
                    if let Some(value) = values.get(at) {
                        self.call_it(value, &name, start);
                    }
                }
                Kind::Global(_) | Kind::Index(..) => {}
                _ => {
                    let message = "this cannot be assigned to".to_owned();
                    return Err(SyntaxError { bytes: target.bytes.clone(), message, help: None });
                }
            }
        }
        Ok(Stmt::Assign { targets, values })
    }

    // Expressions ---------------------------------------------------------------------------------------------------

    fn exprs(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        while self.take(",") {
            list.push(self.expr()?);
        }
        Ok(list)
    }

    fn expr(&mut self) -> Parsed<Expr> {
        self.binary(0)
    }

    fn binary(&mut self, above: u8) -> Parsed<Expr> {
        self.deeper()?;
        let start = self.bytes().start;
        let unary = ["not", "-", "#"].into_iter().find(|sign| self.is(sign));
        let mut left = match unary {
            Some(sign) => {
                self.at += 1;
                let operand = self.binary(UNARY)?;
                let height = operand.height;
                self.expr_of(Kind::Unary(sign, Box::new(operand)), start, height)?
            }
            None => self.simple()?,
        };
        while let Token::Sign(sign) = *self.peek() {
            let Some(&(sign, binds, right)) = BINARY.iter().chain([&POWER]).find(|(known, ..)| *known == sign) else {
                break;
            };
            if binds <= above {
                break;
            }
            self.at += 1;
            let operand = self.binary(right)?;
            let height = left.height.max(operand.height);
            left = self.expr_of(Kind::Binary(sign, Box::new(left), Box::new(operand)), start, height)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn simple(&mut self) -> Parsed<Expr> {
        let start = self.bytes().start;
        let kind = match self.peek() {
            Token::Number => Kind::Number,
            Token::Text(text) => Kind::Text(text.clone()),
            Token::Sign("nil") => Kind::Nil,
            Token::Sign("true") => Kind::True,
            Token::Sign("false") => Kind::False,
            Token::Sign("...") => {
                if !self.chunk.functions[self.function].vararg && self.function > 0 {
                    let message = "this function takes no `...`".to_owned();
                    return Err(SyntaxError { bytes: self.bytes(), message, help: None });
                }
                Kind::Vararg
            }
            Token::Sign("{") => return self.table(),
            Token::Sign("function") => {
                let open = self.bytes();
                self.at += 1;
                let function = self.function(open, None, Vec::new(), false)?;
                return self.expr_of(Kind::Function(function), start, 0);
            }
            _ => return self.suffixed(),
        };
        self.at += 1;
        self.expr_of(kind, start, 0)
    }

    fn variable(&mut self, name: Name) -> Expr {
        let kind = match self.find(&name.text) {
            Some(local) => Kind::Local(local),
            None => Kind::Global(name.text),
        };
        Expr { kind, bytes: name.bytes, height: 1 }
    }

    fn suffixed(&mut self) -> Parsed<Expr> {
        let open = self.bytes();
        let start = open.start;
        let mut expr = if self.take("(") {
            let inner = self.expr()?;
            self.close(")", &open)?;
            let height = inner.height;
            self.expr_of(Kind::Brackets(Box::new(inner)), start, height)?
        } else if matches!(self.peek(), Token::Name(_)) {
            let name = self.name()?;
            self.variable(name)
        } else {
            return Err(self.unexpected("a value"));
        };
        loop {
            let height = expr.height;
            if self.take(".") {
                let name = self.name()?;
                expr = self.expr_of(Kind::Field(Box::new(expr), name), start, height)?;
            } else if self.is("[") {
                let open = self.bytes();
                self.at += 1;
                let key = self.expr()?;
                self.close("]", &open)?;
                let height = height.max(key.height);
                expr = self.expr_of(Kind::Index(Box::new(expr), Box::new(key)), start, height)?;
            } else if self.take(":") {
                let name = self.name()?;
                let (args, inner) = self.args()?;
                let kind = Kind::Method { object: Box::new(expr), name, args };
                expr = self.expr_of(kind, start, height.max(inner))?;
            } else if self.is("(") || self.is("{") || matches!(self.peek(), Token::Text(_)) {
                let (args, inner) = self.args()?;
                expr = self.expr_of(Kind::Call { callee: Box::new(expr), args }, start, height.max(inner))?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn args(&mut self) -> Parsed<(Vec<Expr>, u16)> {
        let open = self.bytes();
        let list = if self.take("(") {
            let list = if self.is(")") { Vec::new() } else { self.exprs()? };
            self.close(")", &open)?;
            list
        } else if self.is("{") || matches!(self.peek(), Token::Text(_)) {
            vec![self.simple()?]
        } else {
            return Err(self.unexpected("`(`"));
        };
        let height = list.iter().map(|arg| arg.height).max().unwrap_or_default();
        Ok((list, height))
    }

    fn table(&mut self) -> Parsed<Expr> {
        self.deeper()?;
        let open = self.bytes();
        self.at += 1;
        let (mut items, mut height) = (Vec::new(), 0);
        while !self.is("}") {
            let named =
                matches!((self.peek(), self.tokens.get(self.at + 1)), (Token::Name(_), Some((Token::Sign("="), _))));
            let item = if named {
                let name = self.name()?;
                let start = name.bytes.start;
                self.at += 1;
                let value = self.expr()?;
                self.call_it(&value, &name, start);
                height = height.max(value.height);
                Item::Named(name, value)
            } else if self.is("[") {
                let bracket = self.bytes();
                self.at += 1;
                let key = self.expr()?;
                self.close("]", &bracket)?;
                self.need("=")?;
                let value = self.expr()?;
                height = height.max(key.height).max(value.height);
                Item::Keyed(key, value)
            } else {
                let value = self.expr()?;
                height = height.max(value.height);
                Item::Plain(value)
            };
            items.push(item);
            if !self.take(",") && !self.take(";") && !self.is("}") {
                self.close("}", &open)?;
            }
        }
        self.close("}", &open)?;
        self.depth -= 1;
        self.expr_of(Kind::Table(items), open.start, height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> (String, String) {
        let error = parse(text).expect_err(text);
        (text[error.bytes].to_owned(), error.message)
    }

    #[test]
    fn names_are_resolved() {
        let text = "local M = {}\nlocal n = 0\n-- Adds.\n---@param by? integer\nfunction M.add(by)\n  n = n + (by or x)\nend\nreturn M";
        let chunk = parse(text).expect("a file");
        assert_eq!(chunk.functions.len(), 2);
        let names: Vec<(&str, bool, bool)> =
            chunk.locals.iter().map(|l| (l.name.text.as_str(), l.captured, l.assigned)).collect();
        assert_eq!(names, vec![("M", false, false), ("n", true, true), ("by", false, false)]);
        let note = Note { name: "by".to_owned(), optional: true, ty: "integer".to_owned() };
        assert_eq!(chunk.functions[1].notes, vec![note]);
        assert_eq!(&text[chunk.functions[1].head.clone()], "function M.add(by)");
    }

    #[test]
    fn operators_bind_as_in_lua() {
        let text = "return 1 + 2 * 3 ^ 2 ^ 2 .. 'a' .. 'b' == x and not y or -z";
        let chunk = parse(text).expect("a file");
        let Stmt::Return { values, .. } = &chunk.functions[0].body[0] else { panic!("a return") };
        fn show(e: &Expr) -> String {
            match &e.kind {
                Kind::Binary(sign, a, b) => format!("({} {sign} {})", show(a), show(b)),
                Kind::Unary(sign, a) => format!("({sign} {})", show(a)),
                Kind::Number => "0".to_owned(),
                Kind::Text(text) | Kind::Global(text) => text.clone(),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(show(&values[0]), "(((((0 + (0 * (0 ^ (0 ^ 0)))) .. (a .. b)) == x) and (not y)) or (- z))");
    }

    #[test]
    fn faults_point_at_what_is_wrong() {
        assert_eq!(wrong("function M.play(self seat) end").0, "seat");
        assert_eq!(
            parse("x += 1").expect_err("").help.as_deref(),
            Some("scripts are written in Lua 5.1, which has no `+=`: write `x = x + …`")
        );
        assert_eq!(wrong("if x then y()"), (")".to_owned(), "`end` is missing before the file ends".to_owned()));
        assert_eq!(wrong("local s = \"abc\nreturn s").0, "\"abc");
        assert_eq!(wrong("f(\"a\\qb\")").0, "\\q");
        assert_eq!(wrong("break").0, "break");
        assert_eq!(wrong("x = (1 + 2").1, "`)` is missing before the file ends");
        assert_eq!(wrong("x = é").0, "é");
        assert_eq!(wrong("f() = 1").1, "this cannot be assigned to");
        assert_eq!(wrong("local x: number = 1").0, ":");
        assert!(parse("return f{a = 1; 2, ['b'] = [[c]]}, g'x', a.b:c(...), 0x1F, 1e-3, '\\065'").is_ok());
    }

    #[test]
    fn depth_has_an_end() {
        for text in [
            "x = ".to_owned() + &"(".repeat(5_000),
            "x = 1".to_owned() + &" + 1".repeat(5_000),
            "x = 1".to_owned() + &" .. 1".repeat(5_000),
            "x = a".to_owned() + &".a".repeat(5_000),
            "x = ".to_owned() + &"- ".repeat(5_000) + "1",
            "do ".repeat(5_000),
            "x = ".to_owned() + &"{".repeat(5_000),
            "x = ".to_owned() + &"function() return ".repeat(5_000),
            "f".to_owned() + &"{f".repeat(5_000),
        ] {
            assert!(parse(&text).is_err());
        }
    }
}
