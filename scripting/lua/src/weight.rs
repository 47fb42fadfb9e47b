//! Charges for code that runs without an iteration or a call, because Luau counts only those.
//!
//! Every statement and expression has a weight, about the nanoseconds that it takes at worst. Each iteration, call and
//! return takes a step, which pays for [`FREE`] of it. If a script owes more, an empty iteration is compiled before the
//! statement that exceeds it. Scripts written by people have few such positions.
//!
//! The compiler may inline a small local function, and then its call takes no step. The unpaid weight of such a
//! function is therefore added to its caller, and the call pays for nothing.

use crate::callees::{Callees, Cost};
use crate::tree::{Chunk, Expr, ExprKind, Function, Item, Stmt, StmtKind};
use crate::visit::{for_inner, targets};

/// The weight that one step pays for.
pub const FREE: u64 = 64;
const STEP: i64 = FREE as i64;
/// The most weight that may be unpaid when a loop begins, over everything around it.
const MOST_OWED: i64 = 4 * STEP;

/// Iterations to insert at a position of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Toll {
    /// The position, where a statement may begin.
    pub at: usize,
    /// The number of iterations.
    pub turns: u64,
}

/// All positions of a script where iterations are inserted.
pub(crate) fn tolls(text: &str, chunk: &Chunk) -> Vec<Toll> {
    let mut meter = Meter {
        text,
        chunk,
        callees: Callees::of(chunk),
        left: vec![None; chunk.functions.len()],
        tolls: Vec::new(),
        around: 0,
        breaks: 0,
        most: 0,
    };
    // In the compiler's order: a function follows those that are inside it or end before it.
    let mut order: Vec<usize> = (0..chunk.functions.len()).collect();
    order.sort_by_key(|function| (chunk.functions[*function].end.end, std::cmp::Reverse(*function)));
    // The script itself has no `end`.
    order.retain(|function| *function != 0);
    for function in order.into_iter().chain([0]) {
        (meter.around, meter.breaks, meter.most) = (0, 0, 0);
        let mut owed = 0;
        let Function { body, end, .. } = &chunk.functions[function];
        meter.block(body, &mut owed);
        meter.settle(body, end.start, &mut owed);
        meter.left[function] = Some(meter.most.max(owed));
    }
    meter.tolls
}

struct Meter<'a> {
    text: &'a str,
    chunk: &'a Chunk,
    callees: Callees<'a>,
    /// The unpaid weight at the end of each function, as far as it is known.
    left: Vec<Option<i64>>,
    tolls: Vec<Toll>,
    /// The unpaid weight of the function outside the current loop.
    around: i64,
    /// The most unpaid weight at an exit from inside the current loop.
    breaks: i64,
    /// The most unpaid weight at an exit from inside the function.
    most: i64,
}

impl Meter<'_> {
    /// Processes statements, and updates the unpaid weight.
    fn block(&mut self, body: &[Stmt], owed: &mut i64) {
        for stmt in body {
            *owed += self.head(stmt);
            let at = stmt.span.start;
            match &stmt.kind {
                StmtKind::Return { .. } => {
                    *owed += self.around;
                    self.pay(at, owed);
                    self.most = self.most.max(*owed);
                    *owed -= self.around;
                }
                StmtKind::Numeric { .. } | StmtKind::Generic { .. } | StmtKind::While { .. }
                    if *owed > 0 && self.around + *owed > MOST_OWED =>
                {
                    self.pay_all(at, owed);
                }
                _ => self.pay(at, owed),
            }
            self.inside(stmt, owed);
        }
    }

    fn pay(&mut self, at: usize, owed: &mut i64) {
        if *owed > STEP {
            self.tolls.push(Toll { at, turns: owed.unsigned_abs() / FREE });
            *owed %= STEP;
        }
    }

    /// Pays at the end of a block, unless it is left before.
    fn settle(&mut self, body: &[Stmt], end: usize, owed: &mut i64) {
        if !leaves(body) {
            self.pay(end, owed);
        }
    }

    fn pay_all(&mut self, at: usize, owed: &mut i64) {
        self.tolls.push(Toll { at, turns: owed.unsigned_abs().div_ceil(FREE) });
        *owed = 0;
    }

    /// Processes the blocks in a statement.
    fn inside(&mut self, stmt: &Stmt, owed: &mut i64) {
        match &stmt.kind {
            StmtKind::Do(body) => self.block(body, owed),
            StmtKind::If { arms, otherwise, .. } => {
                let before = *owed;
                let blocks = arms.iter().map(|arm| &arm.body).chain(otherwise.iter().map(|last| &last.body));
                let mut most = if otherwise.is_some() { None } else { Some(before) };
                for block in blocks {
                    let mut arm = before;
                    self.block(block, &mut arm);
                    if !leaves(block) {
                        most = Some(most.map_or(arm, |most| most.max(arm)));
                    }
                }
                *owed = most.unwrap_or(before);
            }
            StmtKind::Break | StmtKind::Continue => self.breaks = self.breaks.max(*owed),
            // Each iteration takes a step.
            StmtKind::Numeric { body, .. } | StmtKind::Generic { body, .. } => {
                self.turn(owed, |meter, turn| {
                    meter.block(body, turn);
                    meter.settle(body, stmt.span.end - "end".len(), turn);
                });
            }
            StmtKind::While { condition, body } => self.turn(owed, |meter, turn| {
                *turn += meter.weigh(condition, true);
                let word = meter.chunk.next_token(meter.text, condition.span.end);
                meter.pay(body.first().map_or(word + "do".len(), |first| first.span.start), turn);
                meter.block(body, turn);
                meter.settle(body, stmt.span.end - "end".len(), turn);
            }),
            // The first iteration takes no step.
            StmtKind::Repeat { body, condition } => {
                let mut left = 0;
                self.turn(owed, |meter, turn| {
                    *turn += meter.weigh(condition, false);
                    let start = stmt.span.start + "repeat".len();
                    meter.pay(body.first().map_or(start, |first| first.span.start), turn);
                    meter.block(body, turn);
                    left = (*turn).max(0);
                });
                *owed += left;
            }
            _ => {}
        }
    }

    /// One iteration of a loop. Unpaid weight at an exit from inside remains after the loop.
    fn turn(&mut self, owed: &mut i64, body: impl FnOnce(&mut Self, &mut i64)) {
        let (around, breaks) = (self.around, std::mem::take(&mut self.breaks));
        self.around += (*owed).max(0);
        body(self, &mut 0);
        *owed += self.breaks;
        (self.around, self.breaks) = (around, breaks);
    }

    /// The weight of a statement without its blocks, minus the steps that it certainly takes.
    fn head(&self, stmt: &Stmt) -> i64 {
        let sum = |list: &[Expr]| list.iter().map(|expr| self.weigh(expr, true)).sum::<i64>();
        let assigned = || targets(stmt).iter().map(|target| 2 + self.weigh(target, true)).sum::<i64>();
        match &stmt.kind {
            StmtKind::Local { values, .. } | StmtKind::Return { values } => 1 + sum(values),
            StmtKind::Assign { values, .. } => assigned() + sum(values),
            StmtKind::Compound { value, .. } => 2 + assigned() + self.weigh(value, true),
            StmtKind::LocalFunction { .. } | StmtKind::Function { .. } => CLOSURE + assigned(),
            StmtKind::Call(call) => self.weigh(call, true),
            StmtKind::While { condition, .. } => self.weigh(condition, true),
            StmtKind::If { arms, .. } => {
                arms.iter().enumerate().map(|(at, arm)| 1 + self.weigh(&arm.condition, at == 0)).sum()
            }
            StmtKind::Numeric { range, .. } => 3 + sum(range),
            StmtKind::Generic { values, .. } => 2 + sum(values),
            StmtKind::Do(_) | StmtKind::Repeat { .. } | StmtKind::Break | StmtKind::Continue | StmtKind::Type => 1,
        }
    }

    /// The weight of an expression with everything inside it, minus the steps that it takes if `surely` all of it runs.
    fn weigh(&self, expr: &Expr, surely: bool) -> i64 {
        let own = match &expr.kind {
            ExprKind::Brackets(_) | ExprKind::Cast(_) => 0,
            ExprKind::Vararg => 8,
            ExprKind::Function(_) => CLOSURE,
            ExprKind::Table(items) => {
                TABLE + items.iter().map(|item| 1 + i64::from(matches!(item, Item::Keyed(..)))).sum::<i64>()
            }
            ExprKind::Call { callee, .. } => match self.callees.cost(callee) {
                Cost::Step if surely => 3 - STEP,
                Cost::Step => 3,
                // A function of the library may run without a call.
                Cost::Library => match &callee.kind {
                    ExprKind::Field(_, name) if name.text == "fmod" => 16,
                    _ => 3,
                },
                // A function that is called by its own name is not inlined, nor is one that ends later.
                Cost::Either => 3 + STEP,
                Cost::Body(function) => self.left[function].map_or(3, |left| 3 + left.max(0)),
            },
            ExprKind::Method { .. } if surely => 3 - STEP,
            ExprKind::Method { .. } => 3,
            // Strings may be compared, and parsed as numbers.
            ExprKind::Binary("<" | "<=" | ">" | ">=" | "^", ..) => 6,
            ExprKind::Binary("+" | "-" | "*" | "/" | "//" | "%", ..) | ExprKind::Unary("-", _) => 2,
            _ => 1,
        };
        let mut sum = own;
        match &expr.kind {
            ExprKind::Binary("and" | "or", first, second) => {
                sum += self.weigh(first, surely) + self.weigh(second, false);
            }
            ExprKind::If(parts) => {
                sum += self.weigh(&parts[0], surely) + self.weigh(&parts[1], false) + self.weigh(&parts[2], false);
            }
            _ => for_inner(expr, &mut |part| sum += self.weigh(part, surely)),
        }
        sum
    }
}

/// Whether a block ends with a statement that leaves it.
fn leaves(body: &[Stmt]) -> bool {
    let last = body.last().map(|last| &last.kind);
    matches!(last, Some(StmtKind::Return { .. } | StmtKind::Break | StmtKind::Continue))
}

/// The weight of making a closure.
const CLOSURE: i64 = 8;
/// The weight of making a table, without its content.
const TABLE: i64 = 8;
