//! What a call runs, as far as the compiler may know it: it counts some calls as no step.

use crate::tree::{Chunk, Expr, Kind, Stmt, StmtKind};
use crate::visit::each_stmt;

/// What counts a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cost {
    /// It takes a step.
    Step,
    /// A function of Lua's library, which the machine may run without a call.
    Library,
    /// A function of the script, whose code the compiler may put in place of the call.
    Body(usize),
    /// A function in a table of the script, which the compiler may know.
    Either,
}

/// Where locals get their values.
#[derive(Clone, Copy)]
enum Origin<'a> {
    /// Nothing is known: a parameter, a variable of a loop, one of several results.
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

/// Where each local of a script gets its value.
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

    /// What a call of this costs.
    pub fn cost(&self, callee: &Expr) -> Cost {
        let mut callee = callee;
        // A name for a name for a name: what is declared later cannot be an origin, so this ends.
        loop {
            callee = match &callee.kind {
                Kind::Brackets(inner) | Kind::Cast(inner) => inner,
                Kind::Function(function) => return Cost::Body(*function),
                Kind::Global(name) if LIBRARY.contains(&name.as_str()) => return Cost::Library,
                Kind::Local(local) => match self.origin(*local) {
                    Origin::Value(value) => value,
                    Origin::Function(function) => return Cost::Body(function),
                    Origin::Unknown => return Cost::Step,
                },
                Kind::Field(object, _) => return self.cost_of_field(object),
                Kind::Global(_) | Kind::Call { .. } | Kind::Method { .. } | Kind::Index(..) => return Cost::Step,
                // Whatever else can be called is not thought of here.
                _ => return Cost::Library,
            };
        }
    }

    /// What it costs to call a field of something.
    fn cost_of_field(&self, object: &Expr) -> Cost {
        match &object.kind {
            // What modules are kept in.
            Kind::Local(local) => match self.origin(*local) {
                Origin::Unknown => Cost::Step,
                Origin::Value(Expr { kind: Kind::Call { .. }, .. }) => Cost::Step,
                Origin::Value(Expr { kind: Kind::Table(items), .. }) if items.is_empty() => Cost::Step,
                Origin::Value(Expr { kind: Kind::Table(_), .. }) => Cost::Either,
                _ => Cost::Library,
            },
            _ => Cost::Library,
        }
    }

    fn origin(&self, local: usize) -> Origin<'a> {
        if self.chunk.locals[local].assigned { Origin::Unknown } else { self.origins[local] }
    }
}
