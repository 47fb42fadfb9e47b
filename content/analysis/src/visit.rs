//! Ways through the statements and expressions of a function.

use crate::syntax::{Expr, Item, Kind, Stmt};

/// The expressions directly inside an expression; functions are left out.
pub fn for_inner<'e>(expr: &'e Expr, visit: &mut impl FnMut(&'e Expr)) {
    match &expr.kind {
        Kind::Field(object, _) | Kind::Unary(_, object) | Kind::Brackets(object) => visit(object),
        Kind::Index(a, b) | Kind::Binary(_, a, b) => {
            visit(a);
            visit(b);
        }
        Kind::Call { callee, args } => {
            visit(callee);
            args.iter().for_each(visit);
        }
        Kind::Method { object, args, .. } => {
            visit(object);
            args.iter().for_each(visit);
        }
        Kind::Table(items) => {
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
        _ => {}
    }
}

/// An expression and everything inside it.
pub fn deep(expr: &Expr, visit: &mut impl FnMut(&Expr)) {
    visit(expr);
    let mut inner = Vec::new();
    for_inner(expr, &mut |expr| inner.push(expr));
    inner.into_iter().for_each(|expr| deep(expr, visit));
}

/// All blocks and expressions of a statement.
fn parts<'s>(stmt: &'s Stmt, expr: &mut impl FnMut(&'s Expr), block: &mut impl FnMut(&'s [Stmt])) {
    match stmt {
        Stmt::Local { values, .. } | Stmt::Return { values, .. } | Stmt::Assign { values, .. } => {
            values.iter().for_each(expr);
        }
        Stmt::LocalFunction { .. } | Stmt::Function { .. } | Stmt::Break => {}
        Stmt::Call(call) => expr(call),
        Stmt::Do(body) => block(body),
        Stmt::While { condition, body } | Stmt::Repeat { body, condition } => {
            expr(condition);
            block(body);
        }
        Stmt::If { arms, otherwise } => {
            for (condition, body) in arms {
                expr(condition);
                block(body);
            }
            if let Some(body) = otherwise {
                block(body);
            }
        }
        Stmt::Numeric { range, body, .. } => {
            range.iter().for_each(expr);
            block(body);
        }
        Stmt::Generic { values, body, .. } => {
            values.iter().for_each(expr);
            block(body);
        }
    }
}

fn each_stmt(body: &[Stmt], visit: &mut dyn FnMut(&Stmt)) {
    for stmt in body {
        visit(stmt);
        let mut inner = Vec::new();
        parts(stmt, &mut |_| {}, &mut |block| inner.push(block));
        inner.into_iter().for_each(|block| each_stmt(block, visit));
    }
}

/// Every expression of a body, without targets of assignments and without inner functions.
pub fn each_expr(body: &[Stmt], visit: &mut impl FnMut(&Expr)) {
    each_stmt(body, &mut |stmt| {
        parts(stmt, &mut |expr| deep(expr, visit), &mut |_| {});
        if let Stmt::Assign { targets, .. } = stmt {
            for target in targets {
                for_inner(target, &mut |expr| deep(expr, visit));
            }
        }
    });
}

/// Every target of an assignment.
pub fn each_target(body: &[Stmt], visit: &mut impl FnMut(&Expr)) {
    each_stmt(body, &mut |stmt| match stmt {
        Stmt::Assign { targets, .. } => targets.iter().for_each(&mut *visit),
        Stmt::Function { target, .. } => visit(target),
        _ => {}
    });
}

/// Every condition of a loop or branch.
pub fn each_condition(body: &[Stmt], visit: &mut impl FnMut(&Expr)) {
    each_stmt(body, &mut |stmt| match stmt {
        Stmt::While { condition, .. } | Stmt::Repeat { condition, .. } => visit(condition),
        Stmt::If { arms, .. } => arms.iter().for_each(|(condition, _)| visit(condition)),
        _ => {}
    });
}
