//! Decides whether a script is safe to run, from its tree.
//!
//! A suspended script is rebuilt by running it again, so changes that a function makes in its module would be there
//! twice or not at all. Functions therefore must not write to variables of the module. The tables that a module makes
//! are frozen after it has loaded; [`Review::guarded`] passes them to the host for that. So that there are no other
//! tables, and no closures with variables, a module does not call its own functions while it loads.
//!
//! A table or function as a key is stored by its address, which differs between machines and runs and changes the order
//! of the other keys. Every key that could be one is therefore checked before it is used.
//!
//! The C library's powers differ between systems, so the host computes them.
//!
//! Iterations and calls are counted where the script runs. Slow operations without them are limited or charged for:
//! strings have a greatest length, functions take and return a limited number of values, and straight-line code has a
//! price ([`weight`](crate::weight)).

use crate::tree::{Chunk, Expr, ExprKind, Item, Stmt, StmtKind};
use crate::visit::{each_stmt, for_inner, parts, targets};
use crate::weight::{Toll, tolls};
use crate::{ByteSpan, Extension};

/// Why a script is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewError {
    /// The range of the error.
    pub span: ByteSpan,
    /// The reason.
    pub why: Reason,
}

/// The reasons why a script is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A function writes this variable of the module.
    Kept(String),
    /// A name that is neither a local nor a global.
    Unknown(String),
    /// A global table does not have the field.
    UnknownField {
        /// As the script names it.
        table: String,
        /// As the script names it.
        field: String,
    },
    /// A function is called while the module loads. Its name, if it has one.
    Early(Option<String>),
    /// A loop over several values: `for key in next, list do`.
    Loop,
    /// A local variable with a name that is reserved for the host: it starts with two underscores.
    Reserved(String),
    /// A feature of Luau that scripts must not use.
    Beyond(Extension),
    /// A string that is longer than [`LONGEST_TEXT`], or begins with a numeral that is longer than [`LONGEST_NUMERAL`].
    Long,
}

/// The most bytes of a string.
pub const LONGEST_TEXT: usize = 8192;

/// The most bytes of a numeral at the beginning of a string, including the space before it: Luau parses it whenever the
/// string is used as a number.
pub const LONGEST_NUMERAL: usize = 32;

/// Whether a string is too long for a script.
pub fn is_long(text: &[u8]) -> bool {
    text.len() > LONGEST_TEXT || (text.len() > LONGEST_NUMERAL && numeral_length(text) > LONGEST_NUMERAL)
}

/// The number of bytes that a C library might read as a number.
fn numeral_length(text: &[u8]) -> usize {
    let run = |from: usize, part: fn(&u8) -> bool| {
        from + text.get(from..).unwrap_or_default().iter().take_while(|byte| part(byte)).count()
    };
    let signed = run(run(0, |byte| byte.is_ascii_whitespace() || *byte == 11), |byte| b"+-".contains(byte));
    let starts =
        |word: &[u8]| text.get(signed..signed + word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if starts(b"nan(") {
        return run(signed + 4, |byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    }
    let (digits, power) = match starts(b"0x") {
        true => (run(signed + 2, |byte| byte.is_ascii_hexdigit() || *byte == b'.'), b'p'),
        false => (run(signed, |byte| byte.is_ascii_digit() || *byte == b'.'), b'e'),
    };
    match text.get(digits).is_some_and(|byte| byte.eq_ignore_ascii_case(&power)) {
        true => run(digits + 1, |byte| byte.is_ascii_digit() || b"+-".contains(byte)),
        false => digits,
    }
}

/// A part of a script that the host checks at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Guard {
    /// A table that is made while the module loads. `called` is the end of the callee, if the table is the argument of
    /// a call without parentheses.
    Table { span: ByteSpan, called: Option<usize> },
    /// A key of a table that is written. `plain` is whether it is a variable, which can be evaluated twice.
    Key { span: ByteSpan, plain: bool },
    /// Strings that are joined.
    Text(ByteSpan),
    /// The operand of a loop.
    Walk(ByteSpan),
    /// Additional return values, whose number only their function knows.
    Values(ByteSpan),
    /// The first statement of a variadic function.
    Takes(usize),
    /// The limit of a loop.
    Turns(ByteSpan),
    /// A power, and the position of its operator.
    Power { span: ByteSpan, operator: usize },
}

/// The names of the host's functions in a guarded script. They start with two underscores.
#[derive(Clone, Copy, Debug)]
pub struct Guards {
    /// Takes a table that a module makes while it loads, and returns it.
    pub table: &'static str,
    /// Checks a key and returns it.
    pub key: &'static str,
    /// Checks a string that was made and returns it.
    pub text: &'static str,
    /// Checks the operand of a loop and returns it.
    pub walk: &'static str,
    /// Checks any number of values and returns them.
    pub values: &'static str,
    /// A true value that the compiler does not know. It prevents the compiler from unrolling a loop whose limit depends
    /// on it, which would hide its iterations.
    pub turns: &'static str,
    /// Takes two values and returns the first to the power of the second.
    pub power: &'static str,
}

/// The result of a review.
#[derive(Debug, Default)]
pub struct Review {
    /// The reasons against running the script; empty if it may run.
    pub errors: Vec<ReviewError>,
    guards: Vec<Guard>,
    tolls: Vec<Toll>,
}

/// The functions that may be called while a module loads. They do not call back, return a table, or keep state.
const AT_LOAD: [&str; 9] = ["assert", "error", "import", "ipairs", "pairs", "select", "tonumber", "tostring", "type"];
const STRING_AT_LOAD: [&str; 11] =
    ["byte", "char", "find", "format", "len", "lower", "match", "rep", "reverse", "sub", "upper"];
const TABLE_AT_LOAD: [&str; 4] = ["concat", "find", "insert", "remove"];

/// Functions of `table` that change their first argument.
const CHANGING: [&str; 3] = ["insert", "remove", "sort"];

/// Reviews a script without syntax errors. `exists` tells whether a global exists, or a field of it. Fields of globals
/// that are not tables exist.
pub fn review(text: &str, chunk: &Chunk, exists: &dyn Fn(&str, Option<&str>) -> bool) -> Review {
    let plain_keys = plain_keys(chunk);
    let names_type = chunk.locals.iter().any(|local| local.name.text == "type");
    let mut reviewer = Reviewer { text, chunk, exists, plain_keys, names_type, function: 0, out: Review::default() };
    for (span, local) in chunk.locals.iter().map(|local| (&local.name.span, &local.name.text)) {
        if local.starts_with("__") {
            reviewer.refuse(span, Reason::Reserved(local.clone()));
        }
    }
    for (extension, span) in &chunk.extensions {
        if matches!(extension, Extension::Types | Extension::Const | Extension::Compound("..=" | "^=")) {
            reviewer.refuse(span, Reason::Beyond(*extension));
        }
    }
    for (at, function) in chunk.functions.iter().enumerate() {
        reviewer.function = at;
        if let Some(first) = function.body.first().filter(|_| function.vararg && at > 0) {
            reviewer.out.guards.push(Guard::Takes(first.span.start));
        }
        each_stmt(&function.body, &mut |stmt| reviewer.statement(stmt));
    }
    reviewer.out.errors.sort_by_key(|refusal| refusal.span.start);
    reviewer.out.tolls = tolls(text, chunk);
    reviewer.out
}

impl Review {
    /// The script with checks by the host, on the same lines.
    pub fn guarded(&self, text: &str, guards: Guards) -> String {
        // At the same position, closing parts come first, then what replaces an operator, then statements, then opening
        // parts, the outermost first.
        let mut parts: Vec<(usize, Order, String)> = Vec::new();
        let mut around = |span: &ByteSpan, before: &str| {
            parts.push((span.start, Order::Opens, format!("{before}(")));
            parts.push((span.end, Order::Closes, ")".to_owned()));
        };
        for guard in &self.guards {
            match guard {
                Guard::Key { span, plain: false } => around(span, guards.key),
                Guard::Text(span) => around(span, guards.text),
                Guard::Power { span, .. } => around(span, guards.power),
                Guard::Walk(span) => around(span, guards.walk),
                Guard::Values(span) => around(span, guards.values),
                Guard::Turns(span) => around(span, &format!("{} and ", guards.turns)),
                _ => {}
            }
        }
        for toll in &self.tolls {
            parts.push((toll.at, Order::Stands, format!(" for _ = 1, {} and {} do end ", guards.turns, toll.turns)));
        }
        for guard in &self.guards {
            match guard {
                Guard::Table { span, called } => {
                    parts.extend(called.map(|at| (at, Order::Opens, "(".to_owned())));
                    parts.push((span.start, Order::Opens, format!("{}(", guards.table)));
                    parts.push((span.end, Order::Closes, if called.is_some() { "))" } else { ")" }.to_owned()));
                }
                Guard::Key { span, plain: true } => {
                    let name = text.get(span.clone()).unwrap_or_default();
                    parts.push((span.start, Order::Opens, format!("if type({name}) == \"number\" then ")));
                    parts.push((span.end, Order::Closes, format!(" else {}({name})", guards.key)));
                }
                Guard::Power { operator, .. } => parts.push((*operator, Order::Replaces, ",".to_owned())),
                Guard::Takes(at) => parts.push((*at, Order::Stands, format!("{}(...) ", guards.values))),
                _ => {}
            }
        }
        parts.sort_by_key(|(at, order, _)| (*at, *order));
        let (mut out, mut from) = (String::with_capacity(text.len() + 16 * parts.len()), 0);
        for (at, order, part) in parts {
            out.push_str(text.get(from..at).unwrap_or_default());
            out.push_str(&part);
            // The operator `^` is one byte.
            from = at + usize::from(order == Order::Replaces);
        }
        out + text.get(from..).unwrap_or_default()
    }
}

/// The order of parts at the same position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Closes,
    Replaces,
    Stands,
    Opens,
}

/// For each local, whether it cannot be a table or function: a variable of a loop without other assignments.
fn plain_keys(chunk: &Chunk) -> Vec<bool> {
    let mut plain = vec![false; chunk.locals.len()];
    for function in &chunk.functions {
        each_stmt(&function.body, &mut |stmt| {
            let local = match &stmt.kind {
                StmtKind::Numeric { local, .. } => *local,
                StmtKind::Generic { locals, values, .. } if is_known_loop(values) => locals[0],
                _ => return,
            };
            plain[local] = !chunk.locals[local].assigned;
        });
    }
    plain
}

/// Whether a `for` iterates over the result of `pairs`, `ipairs` or `gmatch`, whose first value is neither a table nor
/// a function.
fn is_known_loop(values: &[Expr]) -> bool {
    match values {
        [Expr { kind: ExprKind::Call { callee, .. }, .. }] => match &callee.kind {
            ExprKind::Global(name) => name == "pairs" || name == "ipairs",
            _ => is_gmatch(callee),
        },
        // A method of a value that is not a string could return anything.
        [Expr { kind: ExprKind::Method { object, name, .. }, .. }] => {
            let of_text = matches!(&object.kind, ExprKind::Brackets(inner) if matches!(inner.kind, ExprKind::Text(_)));
            of_text && name.text == "gmatch"
        }
        _ => false,
    }
}

/// Globals that return their arguments.
const PASSING: [&str; 5] = ["assert", "import", "pcall", "select", "unpack"];

/// Whether a list has just been made, so that no element has been removed.
fn is_fresh(list: &Expr) -> bool {
    match &list.kind {
        ExprKind::Table(_) => true,
        ExprKind::Call { callee, .. } => {
            matches!(&callee.kind, ExprKind::Global(name) if !PASSING.contains(&name.as_str()))
        }
        _ => false,
    }
}

fn is_gmatch(callee: &Expr) -> bool {
    matches!(&callee.kind, ExprKind::Field(object, name)
        if name.text == "gmatch" && matches!(&object.kind, ExprKind::Global(library) if library == "string"))
}

struct Reviewer<'a> {
    text: &'a str,
    chunk: &'a Chunk,
    exists: &'a dyn Fn(&str, Option<&str>) -> bool,
    plain_keys: Vec<bool>,
    /// Whether the script declares a variable with the name `type`.
    names_type: bool,
    /// The function under review. The first one is the module.
    function: usize,
    out: Review,
}

impl Reviewer<'_> {
    fn refuse(&mut self, span: &ByteSpan, why: Reason) {
        self.out.errors.push(ReviewError { span: span.clone(), why });
    }

    fn loads(&self) -> bool {
        self.function == 0
    }

    /// The variable of the module that an expression is, or that it is part of.
    fn module_variable(&self, expr: &Expr) -> Option<String> {
        let mut root = expr;
        while let ExprKind::Field(inner, _)
        | ExprKind::Index(inner, _)
        | ExprKind::Brackets(inner)
        | ExprKind::Cast(inner) = &root.kind
        {
            root = inner;
        }
        let ExprKind::Local(local) = root.kind else { return None };
        let local = &self.chunk.locals[local];
        (local.function == 0).then(|| local.name.text.clone())
    }

    fn statement(&mut self, stmt: &Stmt) {
        for target in targets(stmt) {
            if let Some(name) = self.module_variable(target).filter(|_| !self.loads()) {
                self.refuse(&target.span, Reason::Kept(name));
            }
            if let ExprKind::Index(_, key) = &target.kind {
                self.key(key);
            }
            self.expr(target);
        }
        let mut values = Vec::new();
        parts(stmt, &mut |value| values.push(value), &mut |_| {});
        match &stmt.kind {
            // No table has an address as a key (see `Guard::Key`), so its order is the same everywhere.
            StmtKind::Generic { values, .. } if values.len() != 1 => {
                if let (Some(first), Some(last)) = (values.first(), values.last()) {
                    self.refuse(&(first.span.start..last.span.end), Reason::Loop);
                }
            }
            StmtKind::Numeric { range, .. } => {
                self.out.guards.extend(range.get(1).map(|to| Guard::Turns(to.span.clone())))
            }
            StmtKind::Return { values } => {
                if let [_, .., last] = values.as_slice()
                    && matches!(last.kind, ExprKind::Call { .. } | ExprKind::Method { .. })
                {
                    self.out.guards.push(Guard::Values(last.span.clone()));
                }
            }
            StmtKind::Generic { values: heads, .. } => {
                if let [head] = heads.as_slice()
                    && !is_fresh(head)
                    && !is_known_loop(heads)
                {
                    self.out.guards.push(Guard::Walk(head.span.clone()));
                }
                // The operand of a loop is gone when the loop ends.
                if let Some(ExprKind::Call { callee, args }) = heads.first().map(|head| &head.kind)
                    && is_gmatch(callee)
                {
                    self.expr(callee);
                    values = args.iter().collect();
                }
            }
            _ => {}
        }
        values.into_iter().for_each(|value| self.expr(value));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Global(name) if !(self.exists)(name, None) => {
                self.refuse(&expr.span, Reason::Unknown(name.clone()))
            }
            ExprKind::Field(object, field) => {
                if let ExprKind::Global(table) = &object.kind
                    && (self.exists)(table, None)
                    && !(self.exists)(table, Some(&field.text))
                {
                    let why = Reason::UnknownField { table: table.clone(), field: field.text.clone() };
                    self.refuse(&field.span, why);
                }
            }
            ExprKind::Text(text) if is_long(text.as_bytes()) => self.refuse(&expr.span, Reason::Long),
            ExprKind::Interpolated(_) => self.out.guards.push(Guard::Text(expr.span.clone())),
            ExprKind::Binary("..", ..) => {
                self.out.guards.push(Guard::Text(expr.span.clone()));
                // Strings in a row are joined at once.
                let mut rest = expr;
                while let ExprKind::Binary("..", first, more) = &rest.kind {
                    self.expr(first);
                    rest = more;
                }
                return self.expr(rest);
            }
            ExprKind::Binary("^", base, _) => {
                let operator = self.chunk.next_token(self.text, base.span.end);
                self.out.guards.push(Guard::Power { span: expr.span.clone(), operator });
            }
            ExprKind::Call { callee, args } => self.call(expr, callee, args),
            ExprKind::Method { name, args, .. } => {
                if self.loads() {
                    self.refuse(&name.span, Reason::Early(Some(name.text.clone())));
                }
                self.table_argument(name.span.end, args);
            }
            ExprKind::Table(items) => {
                if self.loads() {
                    self.out.guards.push(Guard::Table { span: expr.span.clone(), called: None });
                }
                return self.items(items);
            }
            _ => {}
        }
        let skips = self.bare_table(expr);
        let mut inner = Vec::new();
        for_inner(expr, &mut |part| inner.push(part));
        for part in inner {
            match &part.kind {
                // It is recorded with its call.
                ExprKind::Table(items) if skips => self.items(items),
                _ => self.expr(part),
            }
        }
    }

    /// The direct content of a table is frozen with it.
    fn items(&mut self, items: &[Item]) {
        for item in items {
            let value = match item {
                Item::Plain(value) | Item::Named(_, value) => value,
                Item::Keyed(key, value) => {
                    self.key(key);
                    self.expr(key);
                    value
                }
            };
            match &value.kind {
                ExprKind::Table(inner) => self.items(inner),
                _ => self.expr(value),
            }
        }
    }

    /// Whether this is a call with a table and without parentheses, while the module loads.
    fn bare_table(&self, expr: &Expr) -> bool {
        let (end, args) = match &expr.kind {
            ExprKind::Call { callee, args } => (callee.span.end, args),
            ExprKind::Method { name, args, .. } => (name.span.end, args),
            _ => return false,
        };
        self.loads() && self.bare_argument(end, args).is_some()
    }

    fn bare_argument<'e>(&self, end: usize, args: &'e [Expr]) -> Option<&'e Expr> {
        let [arg] = args else { return None };
        let bare = matches!(arg.kind, ExprKind::Table(_)) && self.chunk.next_token(self.text, end) == arg.span.start;
        bare.then_some(arg)
    }

    fn table_argument(&mut self, end: usize, args: &[Expr]) {
        if self.loads()
            && let Some(arg) = self.bare_argument(end, args)
        {
            self.out.guards.push(Guard::Table { span: arg.span.clone(), called: Some(end) });
        }
    }

    fn call(&mut self, call: &Expr, callee: &Expr, args: &[Expr]) {
        self.table_argument(callee.span.end, args);
        if self.loads() {
            if let Some(reason) = self.early(callee) {
                let has_name = matches!(reason, Reason::Early(Some(_)));
                let from = if has_name { callee.span.clone() } else { callee.span.end..call.span.end };
                self.refuse(&from, reason);
            }
            return;
        }
        let changes = matches!(&callee.kind, ExprKind::Field(object, name)
            if CHANGING.contains(&name.text.as_str()) && matches!(&object.kind, ExprKind::Global(library) if library == "table"));
        if changes
            && let Some(first) = args.first()
            && let ExprKind::Local(_) = first.kind
            && let Some(name) = self.module_variable(first)
        {
            self.refuse(&first.span, Reason::Kept(name));
        }
    }

    /// Why something must not be called while a module loads; `None` if it may be called.
    fn early(&self, callee: &Expr) -> Option<Reason> {
        let named = |name: &str| Some(Reason::Early(Some(name.to_owned())));
        match &callee.kind {
            // An unknown name is a separate error.
            ExprKind::Global(name) if AT_LOAD.contains(&name.as_str()) || !(self.exists)(name, None) => None,
            ExprKind::Global(name) => named(name),
            ExprKind::Local(local) => named(&self.chunk.locals[*local].name.text),
            ExprKind::Field(object, field) => {
                let may = match &object.kind {
                    ExprKind::Global(library) => match library.as_str() {
                        "math" => true,
                        "string" => STRING_AT_LOAD.contains(&field.text.as_str()),
                        "table" => TABLE_AT_LOAD.contains(&field.text.as_str()),
                        _ => false,
                    },
                    _ => false,
                };
                let owner = match &object.kind {
                    ExprKind::Global(name) => Some(name),
                    ExprKind::Local(local) => Some(&self.chunk.locals[*local].name.text),
                    ExprKind::Field(_, name) => Some(&name.text),
                    _ => None,
                };
                if may {
                    return None;
                }
                named(&owner.map_or_else(|| field.text.clone(), |owner| format!("{owner}.{}", field.text)))
            }
            _ => Some(Reason::Early(None)),
        }
    }

    /// Checks a key of a table that is written.
    fn key(&mut self, key: &Expr) {
        if !self.is_plain_key(key) {
            let plain = matches!(key.kind, ExprKind::Local(_)) && !self.names_type;
            self.out.guards.push(Guard::Key { span: key.span.clone(), plain });
        }
    }

    /// Whether a key can be neither a table nor a function. There are no metatables, so operators return numbers,
    /// strings and booleans.
    fn is_plain_key(&self, key: &Expr) -> bool {
        match &key.kind {
            ExprKind::Nil
            | ExprKind::True
            | ExprKind::False
            | ExprKind::Number
            | ExprKind::Text(_)
            | ExprKind::Interpolated(_) => true,
            ExprKind::Unary(..) => true,
            ExprKind::Binary("and" | "or", a, b) => self.is_plain_key(a) && self.is_plain_key(b),
            ExprKind::Binary(..) => true,
            ExprKind::Brackets(inner) => self.is_plain_key(inner),
            ExprKind::If(parts) => self.is_plain_key(&parts[1]) && self.is_plain_key(&parts[2]),
            ExprKind::Local(local) => self.plain_keys[*local],
            _ => false,
        }
    }
}
