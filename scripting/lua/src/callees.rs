//! The cost of calls. The compiler and the machine can run some calls without a step.

use crate::tree::{Chunk, Expr, ExprKind, Stmt, StmtKind};
use crate::visit::each_stmt;

/// What a call costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cost {
    /// The machine counts the call.
    Step,
    /// A function of Lua's library, which the machine may run without a call.
    Library,
    /// A function of the script, which the compiler may inline.
    Body(usize),
    /// A function in a table of the script, which the compiler may know.
    Either,
}

/// The origin of a local's value.
#[derive(Clone, Copy)]
enum Origin<'a> {
    /// Unknown: a parameter, a variable of a loop, one of several results.
    Unknown,
    Value(&'a Expr),
    Function(usize),
}

/// Functions of Lua's library that the machine may run without a call, and those that scripts do not have.
const LIBRARY: [&str; 13] = [
    "assert",
    "getmetatable",
    "rawequal",
    "rawget",
    "rawlen",
    "rawset",
    "select",
    "setmetatable",
    "tonumber",
    "tostring",
    "type",
    "typeof",
    "unpack",
];

/// The origins of all locals of a script.
pub(crate) struct Callees<'a> {
    chunk: &'a Chunk,
    origins: Vec<Origin<'a>>,
}

impl<'a> Callees<'a> {
    pub fn of(chunk: &'a Chunk) -> Self {
        let mut origins = vec![Origin::Unknown; chunk.locals.len()];
        for function in &chunk.functions {
            each_stmt(&function.body, &mut |stmt: &'a Stmt| match &stmt.kind {
                StmtKind::Local { locals, values } => {
                    for (local, value) in locals.iter().zip(values) {
                        origins[*local] = Origin::Value(value);
                    }
                }
                StmtKind::LocalFunction { local, function } => origins[*local] = Origin::Function(*function),
                _ => {}
            });
        }
        Callees { chunk, origins }
    }

    /// The cost of a call of an expression.
    pub fn cost(&self, callee: &Expr) -> Cost {
        let mut callee = callee;
        // A name may refer to another name. A later declaration cannot be an origin, so the loop ends.
        loop {
            callee = match &callee.kind {
                ExprKind::Brackets(inner) | ExprKind::Cast(inner) => inner,
                ExprKind::Function(function) => return Cost::Body(*function),
                ExprKind::Global(name) if LIBRARY.contains(&name.as_str()) => return Cost::Library,
                ExprKind::Local(local) => match self.origin(*local) {
                    Origin::Value(value) => value,
                    Origin::Function(function) => return Cost::Body(function),
                    Origin::Unknown => return Cost::Step,
                },
                ExprKind::Field(object, _) => return self.cost_of_field(object),
                ExprKind::Global(_) | ExprKind::Call { .. } | ExprKind::Method { .. } | ExprKind::Index(..) => {
                    return Cost::Step;
                }
                // Other expressions are rare, so they get the highest cost.
                _ => return Cost::Library,
            };
        }
    }

    /// The cost of a call of a field.
    fn cost_of_field(&self, object: &Expr) -> Cost {
        match &object.kind {
            // Modules are kept in locals.
            ExprKind::Local(local) => match self.origin(*local) {
                Origin::Unknown => Cost::Step,
                Origin::Value(Expr { kind: ExprKind::Call { .. }, .. }) => Cost::Step,
                Origin::Value(Expr { kind: ExprKind::Table(items), .. }) if items.is_empty() => Cost::Step,
                Origin::Value(Expr { kind: ExprKind::Table(_), .. }) => Cost::Either,
                _ => Cost::Library,
            },
            _ => Cost::Library,
        }
    }

    fn origin(&self, local: usize) -> Origin<'a> {
        if self.chunk.locals[local].assigned { Origin::Unknown } else { self.origins[local] }
    }
}
