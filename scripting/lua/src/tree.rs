//! The tree of a script, with every name resolved to what it represents.

use crate::{Extension, Span};

/// A name and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A whole script.
#[derive(Debug, Default)]
pub struct Chunk {
    /// All functions; the first is the script itself.
    pub functions: Vec<Function>,
    /// All local variables and parameters, in the order of their declarations.
    pub locals: Vec<Local>,
    /// All comments, from their hyphens to their ends, in order.
    pub comments: Vec<Span>,
    /// What Lua 5.1 does not know, in order.
    pub extensions: Vec<(Extension, Span)>,
}

/// A local variable or parameter.
#[derive(Debug)]
pub struct Local {
    /// Its name at its declaration.
    pub name: Name,
    /// The function that declares it, in [`Chunk::functions`].
    pub function: usize,
    /// Whether a function inside that one uses it.
    pub captured: bool,
    /// Whether it is assigned to after its declaration.
    pub assigned: bool,
    /// Whether it may not be: `const`.
    pub constant: bool,
    /// Which parameter of its function it is, from 0; `self` of a method is one.
    pub param: Option<usize>,
}

/// A function.
#[derive(Debug, Default)]
pub struct Function {
    /// The function around it; none for the script.
    pub parent: Option<usize>,
    /// What it is called: the last part of its name; none for functions without one.
    pub name: Option<Name>,
    /// Its parameters, in [`Chunk::locals`].
    pub params: Vec<usize>,
    /// Whether it takes more than those.
    pub vararg: bool,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// From `function` to the closing parenthesis of the parameters.
    pub head: Span,
    /// The opening parenthesis of the parameters.
    pub open: Span,
    /// Its `end`.
    pub end: Span,
    /// What the comment above says of parameters.
    pub notes: Vec<Note>,
}

/// `---@param name? type` in the comment above a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The parameter.
    pub name: String,
    /// Whether it may be omitted.
    pub optional: bool,
    /// Its type as written; may be empty.
    pub ty: String,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// From its first token to its last, without a `;`.
    pub span: Span,
}

/// What a statement does.
#[derive(Debug)]
pub enum StmtKind {
    /// `local a, b = …`
    Local {
        /// The variables, in [`Chunk::locals`].
        locals: Vec<usize>,
        /// Their values.
        values: Vec<Expr>,
    },
    /// `local function a() end`
    LocalFunction {
        /// Its variable, in [`Chunk::locals`].
        local: usize,
        /// The function, in [`Chunk::functions`].
        function: usize,
    },
    /// `a, b.c = …`
    Assign {
        /// What is assigned to: variables, fields and indexes.
        targets: Vec<Expr>,
        /// The values.
        values: Vec<Expr>,
    },
    /// `a.b += …`
    Compound {
        /// What is changed.
        target: Expr,
        /// By what.
        value: Expr,
    },
    /// `function a.b() end`
    Function {
        /// What is assigned to; the last field of a method is as any other.
        target: Expr,
        /// The function, in [`Chunk::functions`].
        function: usize,
    },
    /// A call.
    Call(Expr),
    /// `do … end`
    Do(Vec<Stmt>),
    /// `while … do … end`
    While {
        /// What must hold.
        condition: Expr,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// `repeat … until …`
    Repeat {
        /// What is repeated.
        body: Vec<Stmt>,
        /// What ends it; sees the locals of the body.
        condition: Expr,
    },
    /// `if … then … elseif … then … else … end`
    If {
        /// The branches with conditions.
        arms: Vec<Arm>,
        /// The branch without.
        otherwise: Option<ElseBranch>,
        /// Its `end`.
        end: Span,
    },
    /// `for i = 1, 2 do … end`
    Numeric {
        /// The variable, in [`Chunk::locals`].
        local: usize,
        /// From, to, and maybe by.
        range: Vec<Expr>,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// `for k, v in … do … end`
    Generic {
        /// The variables, in [`Chunk::locals`].
        locals: Vec<usize>,
        /// What the loop iterates over.
        values: Vec<Expr>,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// `return …`
    Return {
        /// The values.
        values: Vec<Expr>,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `type T = …`
    Type,
}

/// A branch of an `if`.
#[derive(Debug)]
pub struct Arm {
    /// Its `if` or `elseif`.
    pub keyword: Span,
    /// What must hold.
    pub condition: Expr,
    /// What is done then.
    pub body: Vec<Stmt>,
}

/// The last branch of an `if`.
#[derive(Debug)]
pub struct ElseBranch {
    /// Its `else`.
    pub keyword: Span,
    /// What is done.
    pub body: Vec<Stmt>,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Kind,
    /// From its first token to its last.
    pub span: Span,
    /// How deep it is nested.
    pub(crate) height: u16,
}

/// What an expression is.
#[derive(Debug)]
pub enum Kind {
    /// `nil`
    Nil,
    /// `true`
    True,
    /// `false`
    False,
    /// A number.
    Number,
    /// A text, escapes resolved; bytes that are not UTF-8 are U+FFFD.
    Text(String),
    /// The expressions in a text in backticks.
    Interpolated(Vec<Expr>),
    /// `...`
    Vararg,
    /// A function, in [`Chunk::functions`].
    Function(usize),
    /// A variable, in [`Chunk::locals`].
    Local(usize),
    /// A name that is not declared.
    Global(String),
    /// `a.name`
    Field(Box<Expr>, Name),
    /// `a[b]`
    Index(Box<Expr>, Box<Expr>),
    /// `a(…)`
    Call {
        /// What is called.
        callee: Box<Expr>,
        /// With what.
        args: Vec<Expr>,
    },
    /// `a:name(…)`
    Method {
        /// Whose method is called.
        object: Box<Expr>,
        /// The method.
        name: Name,
        /// With what beside the object.
        args: Vec<Expr>,
    },
    /// `{ … }`
    Table(Vec<Item>),
    /// An operator between two values.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `not`, `-` or `#`.
    Unary(&'static str, Box<Expr>),
    /// In parentheses, which cut several values down to one.
    Brackets(Box<Expr>),
    /// `x :: T`
    Cast(Box<Expr>),
    /// `if a then b else c`; an `elseif` is another one in the last place.
    If(Box<[Expr; 3]>),
}

/// An item of a table constructor.
#[derive(Debug)]
pub enum Item {
    /// `value`
    Plain(Expr),
    /// `name = value`
    Named(Name, Expr),
    /// `[key] = value`
    Keyed(Expr, Expr),
}

impl Chunk {
    /// Where the next token begins, after a position between two tokens.
    pub fn next_token(&self, text: &str, from: usize) -> usize {
        let mut at = from;
        loop {
            let rest = text.get(at..).unwrap_or_default();
            at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
            let comment = self.comments.partition_point(|comment| comment.start < at);
            match self.comments.get(comment) {
                Some(comment) if comment.start == at => at = comment.end,
                _ => return at,
            }
        }
    }
}
