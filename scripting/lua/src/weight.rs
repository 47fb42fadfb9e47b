//! What code costs that runs without a loop turn or a call: Luau counts those, and nothing else.
//!
//! Every statement and expression has a weight, about the nanoseconds that it can take at worst. What a function or a loop
//! turn does for itself is free up to [`FREE`]; for each further [`FREE`] the script is compiled with an empty loop turn
//! before the statement that exceeds it, which takes a step. Scripts that people write have few such places.

use crate::tree::{Chunk, Expr, Item, Kind, Stmt, StmtKind};
use crate::visit::{for_inner, targets};

/// The weight that one step pays for.
pub const FREE: u64 = 64;

/// Loop turns to put at a place of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Toll {
    /// The place, where a statement may begin.
    pub at: usize,
    /// How many turns.
    pub turns: u64,
}

/// All places of a script where steps are due.
pub(crate) fn tolls(text: &str, chunk: &Chunk) -> Vec<Toll> {
    let mut meter = Meter { text, chunk, tolls: Vec::new() };
    for function in &chunk.functions {
        meter.block(&function.body, &mut 0);
    }
    meter.tolls
}

struct Meter<'a> {
    text: &'a str,
    chunk: &'a Chunk,
    tolls: Vec<Toll>,
}

impl Meter<'_> {
    /// Goes through statements of which so much weight before is not paid for; says how much it is after them.
    fn block(&mut self, body: &[Stmt], unpaid: &mut u64) {
        for stmt in body {
            *unpaid += head(stmt);
            self.pay(stmt.span.start, unpaid);
            self.inside(stmt, unpaid);
        }
    }

    fn pay(&mut self, at: usize, unpaid: &mut u64) {
        if *unpaid > FREE {
            self.tolls.push(Toll { at, turns: *unpaid / FREE });
            *unpaid %= FREE;
        }
    }

    /// The blocks in a statement.
    fn inside(&mut self, stmt: &Stmt, unpaid: &mut u64) {
        match &stmt.kind {
            StmtKind::Do(body) => self.block(body, unpaid),
            StmtKind::If { arms, otherwise, .. } => {
                let before = *unpaid;
                let blocks = arms.iter().map(|arm| &arm.body).chain(otherwise.iter().map(|last| &last.body));
                for block in blocks {
                    let mut arm = before;
                    self.block(block, &mut arm);
                    *unpaid = (*unpaid).max(arm);
                }
            }
            // Each turn takes a step and begins again.
            StmtKind::Numeric { body, .. } | StmtKind::Generic { body, .. } => self.block(body, &mut 0),
            StmtKind::While { condition, body } => {
                let mut turn = weigh(condition);
                let word = self.chunk.next_token(self.text, condition.span.end);
                self.pay(body.first().map_or(word + "do".len(), |first| first.span.start), &mut turn);
                self.block(body, &mut turn);
            }
            StmtKind::Repeat { body, condition } => {
                let mut turn = weigh(condition);
                self.pay(body.first().map_or(stmt.span.start + "repeat".len(), |first| first.span.start), &mut turn);
                self.block(body, &mut turn);
            }
            _ => {}
        }
    }
}

/// What a statement weighs without the blocks in it.
fn head(stmt: &Stmt) -> u64 {
    let sum = |list: &[Expr]| list.iter().map(weigh).sum::<u64>();
    let assigned = || targets(stmt).iter().map(|target| 2 + weigh(target)).sum::<u64>();
    match &stmt.kind {
        StmtKind::Local { values, .. } | StmtKind::Return { values } => 1 + sum(values),
        StmtKind::Assign { values, .. } => assigned() + sum(values),
        StmtKind::Compound { value, .. } => 2 + assigned() + weigh(value),
        StmtKind::LocalFunction { .. } | StmtKind::Function { .. } => CLOSURE + assigned(),
        StmtKind::Call(call) => weigh(call),
        StmtKind::While { condition, .. } => weigh(condition),
        StmtKind::If { arms, .. } => arms.iter().map(|arm| 1 + weigh(&arm.condition)).sum(),
        StmtKind::Numeric { range, .. } => 2 + sum(range),
        StmtKind::Generic { values, .. } => 2 + sum(values),
        StmtKind::Do(_) | StmtKind::Repeat { .. } | StmtKind::Break | StmtKind::Continue | StmtKind::Type => 1,
    }
}

/// A function that is made where it is written.
const CLOSURE: u64 = 8;
/// A table that is made, without what is in it.
const TABLE: u64 = 8;

/// What an expression weighs, with everything inside it.
fn weigh(expr: &Expr) -> u64 {
    let own = match &expr.kind {
        Kind::Brackets(_) | Kind::Cast(_) => 0,
        Kind::Vararg => 8,
        Kind::Function(_) => CLOSURE,
        Kind::Table(items) => {
            TABLE + items.iter().map(|item| 1 + u64::from(matches!(item, Item::Keyed(..)))).sum::<u64>()
        }
        // A function of the library may run without a call.
        Kind::Call { callee, .. } => match &callee.kind {
            Kind::Field(_, name) if name.text == "fmod" => 16,
            _ => 3,
        },
        Kind::Method { .. } => 3,
        // Texts may be compared, and read as numbers.
        Kind::Binary("<" | "<=" | ">" | ">=" | "^", ..) => 6,
        Kind::Binary("+" | "-" | "*" | "/" | "//" | "%", ..) | Kind::Unary("-", _) => 2,
        _ => 1,
    };
    let mut sum = own;
    for_inner(expr, &mut |part| sum += weigh(part));
    sum
}
