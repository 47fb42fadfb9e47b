//! The tree of a script, with every name resolved.

use crate::{ByteSpan, Extension};

/// A name and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// As the script writes it.
    pub text: String,
    /// The range.
    pub span: ByteSpan,
}

/// A whole script.
#[derive(Debug, Default)]
pub struct Chunk {
    /// All functions. The first is the script itself.
    pub functions: Vec<Function>,
    /// All local variables and parameters, in the order of their declarations.
    pub locals: Vec<Local>,
    /// All comments, including their hyphens, in order.
    pub comments: Vec<ByteSpan>,
    /// The features that Lua 5.1 does not have, in order.
    pub extensions: Vec<(Extension, ByteSpan)>,
}

/// A local variable or parameter.
#[derive(Debug)]
pub struct Local {
    /// The name at its declaration.
    pub name: Name,
    /// The function that declares it, in [`Chunk::functions`].
    pub function: usize,
    /// Whether a nested function uses it.
    pub captured: bool,
    /// Whether it is assigned to after its declaration.
    pub assigned: bool,
    /// Whether assignments to it are forbidden: `const`.
    pub constant: bool,
    /// Its index as a parameter of its function, from 0. `self` of a method counts.
    pub param: Option<usize>,
}

/// One `function` of the script, with or without a name.
#[derive(Debug, Default)]
pub struct Function {
    /// The enclosing function; `None` for the script.
    pub parent: Option<usize>,
    /// The last part of its name; `None` for functions without a name.
    pub name: Option<Name>,
    /// The parameters, in [`Chunk::locals`].
    pub params: Vec<usize>,
    /// Whether it is variadic.
    pub vararg: bool,
    /// The statements.
    pub body: Vec<Stmt>,
    /// The range from `function` to the closing parenthesis of the parameters.
    pub head: ByteSpan,
    /// The range of the opening parenthesis of the parameters.
    pub open: ByteSpan,
    /// The range of its `end`.
    pub end: ByteSpan,
    /// The annotations of parameters in the comment above.
    pub notes: Vec<Note>,
    /// Whether the comment above says `---@public`: other packs call it.
    pub is_public: bool,
}

/// `---@param name? type` in the comment above a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The parameter.
    pub name: String,
    /// Whether it may be omitted.
    pub optional: bool,
    /// The type as written, which may be empty.
    pub ty: String,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it does, with its parts.
    pub kind: StmtKind,
    /// The range from the first token to the last, without a `;`.
    pub span: ByteSpan,
}

/// The kinds of statements.
#[derive(Debug)]
pub enum StmtKind {
    /// `local a, b = …`
    Local {
        /// The variables, in [`Chunk::locals`].
        locals: Vec<usize>,
        /// Right of the sign; empty if there is none.
        values: Vec<Expr>,
    },
    /// `local function a() end`
    LocalFunction {
        /// The variable, in [`Chunk::locals`].
        local: usize,
        /// The function, in [`Chunk::functions`].
        function: usize,
    },
    /// `a, b.c = …`
    Assign {
        /// The targets: variables, fields and indexes.
        targets: Vec<Expr>,
        /// Right of the sign.
        values: Vec<Expr>,
    },
    /// `a.b += …`
    Compound {
        /// What changes: a local variable, a field or an index.
        target: Expr,
        /// The operand.
        value: Expr,
    },
    /// `function a.b() end`
    Function {
        /// The target. The last field of a method is like any other.
        target: Expr,
        /// The function, in [`Chunk::functions`].
        function: usize,
    },
    /// A call whose results nobody reads.
    Call(Expr),
    /// `do … end`
    Do(Vec<Stmt>),
    /// `while … do … end`
    While {
        /// Read before each pass.
        condition: Expr,
        /// Between `do` and `end`.
        body: Vec<Stmt>,
    },
    /// `repeat … until …`
    Repeat {
        /// Between `repeat` and `until`.
        body: Vec<Stmt>,
        /// The condition. It sees the locals of the body.
        condition: Expr,
    },
    /// `if … then … elseif … then … else … end`
    If {
        /// The branches with conditions.
        arms: Vec<Arm>,
        /// The branch without a condition.
        otherwise: Option<ElseBranch>,
        /// The range of its `end`.
        end: ByteSpan,
    },
    /// `for i = 1, 2 do … end`
    Numeric {
        /// The variable, in [`Chunk::locals`].
        local: usize,
        /// The start, the limit and, optionally, the step.
        range: Vec<Expr>,
        /// Between `do` and `end`.
        body: Vec<Stmt>,
    },
    /// `for k, v in … do … end`
    Generic {
        /// The variables, in [`Chunk::locals`].
        locals: Vec<usize>,
        /// The operands.
        values: Vec<Expr>,
        /// Between `do` and `end`.
        body: Vec<Stmt>,
    },
    /// `return …`
    Return {
        /// Empty if it returns nothing.
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
    /// The range of its `if` or `elseif`.
    pub keyword: ByteSpan,
    /// Between `if` or `elseif` and `then`.
    pub condition: Expr,
    /// Up to the next `elseif`, `else` or `end`.
    pub body: Vec<Stmt>,
}

/// The last branch of an `if`.
#[derive(Debug)]
pub struct ElseBranch {
    /// The range of its `else`.
    pub keyword: ByteSpan,
    /// Between `else` and `end`.
    pub body: Vec<Stmt>,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it computes, with its parts.
    pub kind: ExprKind,
    /// The range from the first token to the last.
    pub span: ByteSpan,
    /// The depth of nesting.
    pub(crate) height: u16,
}

/// The kinds of expressions.
#[derive(Debug)]
pub enum ExprKind {
    /// `nil`
    Nil,
    /// `true`
    True,
    /// `false`
    False,
    /// Its value is in the text of the span.
    Number,
    /// A string with escapes resolved. Bytes that are not UTF-8 are replaced with U+FFFD.
    Text(String),
    /// The expressions in a string in backticks.
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
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `a:name(…)`
    Method {
        /// What is left of the colon.
        object: Box<Expr>,
        /// The method.
        name: Name,
        /// The arguments, without the object.
        args: Vec<Expr>,
    },
    /// `{ … }`
    Table(Vec<Item>),
    /// An operator between two values.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `not`, `-` or `#`.
    Unary(&'static str, Box<Expr>),
    /// An expression in parentheses, which reduce several values to one.
    Brackets(Box<Expr>),
    /// `x :: T`
    Cast(Box<Expr>),
    /// `if a then b else c`. An `elseif` is another one in the last position.
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
    /// The start of the next token, from a position between two tokens.
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
