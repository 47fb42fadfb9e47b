//! Visits the statements and expressions of a tree.

use crate::tree::{Expr, ExprKind, Item, Stmt, StmtKind};

/// The expressions directly inside an expression, without functions.
pub fn for_inner<'e>(expr: &'e Expr, visit: &mut impl FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Field(object, _)
        | ExprKind::Unary(_, object)
        | ExprKind::Brackets(object)
        | ExprKind::Cast(object) => visit(object),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::Call { callee, args } => {
            visit(callee);
            args.iter().for_each(visit);
        }
        ExprKind::Method { object, args, .. } => {
            visit(object);
            args.iter().for_each(visit);
        }
        ExprKind::Table(items) => {
            for item in items {
                match item {
                    Item::Plain(value) | Item::Named(_, value) => visit(value),
                    Item::Keyed(key, value) => {
                        visit(key);
                        visit(value);
                    }
                }
            }
        }
        ExprKind::Interpolated(parts) => parts.iter().for_each(visit),
        ExprKind::If(parts) => parts.iter().for_each(visit),
        _ => {}
    }
}

/// An expression and everything inside it, from the outside in.
pub fn deep<'e>(expr: &'e Expr, visit: &mut impl FnMut(&'e Expr)) {
    visit(expr);
    let mut inner = Vec::new();
    for_inner(expr, &mut |expr| inner.push(expr));
    inner.into_iter().for_each(|expr| deep(expr, visit));
}

/// All blocks and expressions of a statement, except the targets of assignments, which [`targets`] returns.
pub fn parts<'s>(stmt: &'s Stmt, expr: &mut impl FnMut(&'s Expr), block: &mut impl FnMut(&'s [Stmt])) {
    match &stmt.kind {
        StmtKind::Local { values, .. } | StmtKind::Return { values } | StmtKind::Assign { values, .. } => {
            values.iter().for_each(expr);
        }
        StmtKind::Compound { value, .. } => expr(value),
        StmtKind::Call(call) => expr(call),
        StmtKind::Do(body) => block(body),
        StmtKind::While { condition, body } | StmtKind::Repeat { body, condition } => {
            expr(condition);
            block(body);
        }
        StmtKind::If { arms, otherwise, .. } => {
            for arm in arms {
                expr(&arm.condition);
                block(&arm.body);
            }
            if let Some(otherwise) = otherwise {
                block(&otherwise.body);
            }
        }
        StmtKind::Numeric { range, body, .. } => {
            range.iter().for_each(expr);
            block(body);
        }
        StmtKind::Generic { values, body, .. } => {
            values.iter().for_each(expr);
            block(body);
        }
        StmtKind::LocalFunction { .. }
        | StmtKind::Function { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Type => {}
    }
}

/// The targets of a statement, besides the locals that it declares.
pub fn targets(stmt: &Stmt) -> &[Expr] {
    match &stmt.kind {
        StmtKind::Assign { targets, .. } => targets,
        StmtKind::Compound { target, .. } | StmtKind::Function { target, .. } => std::slice::from_ref(target),
        _ => &[],
    }
}

/// All statements of a body, including those in its blocks, but not in nested functions.
pub fn each_stmt<'s>(body: &'s [Stmt], visit: &mut dyn FnMut(&'s Stmt)) {
    for stmt in body {
        visit(stmt);
        let mut inner = Vec::new();
        parts(stmt, &mut |_| {}, &mut |block| inner.push(block));
        inner.into_iter().for_each(|block| each_stmt(block, visit));
    }
}

/// All expressions of a body, without targets of assignments and without nested functions. Expressions inside a target
/// are included.
pub fn each_expr<'s>(body: &'s [Stmt], visit: &mut impl FnMut(&'s Expr)) {
    each_stmt(body, &mut |stmt| {
        parts(stmt, &mut |expr| deep(expr, visit), &mut |_| {});
        if !matches!(stmt.kind, StmtKind::Function { .. }) {
            for target in targets(stmt) {
                for_inner(target, &mut |expr| deep(expr, visit));
            }
        }
    });
}

/// All targets of assignments.
pub fn each_target<'s>(body: &'s [Stmt], visit: &mut impl FnMut(&'s Expr)) {
    each_stmt(body, &mut |stmt| targets(stmt).iter().for_each(&mut *visit));
}

/// All conditions of loops and branches.
pub fn each_condition<'s>(body: &'s [Stmt], visit: &mut impl FnMut(&'s Expr)) {
    each_stmt(body, &mut |stmt| match &stmt.kind {
        StmtKind::While { condition, .. } | StmtKind::Repeat { condition, .. } => visit(condition),
        StmtKind::If { arms, .. } => arms.iter().for_each(|arm| visit(&arm.condition)),
        _ => {}
    });
}
