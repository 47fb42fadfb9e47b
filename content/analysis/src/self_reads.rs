//! What hooks read of their card.

use std::collections::BTreeSet;

use principes_lua::ByteSpan;
use principes_lua::tree::{Expr, ExprKind};
use principes_lua::visit::{each_condition, each_expr};

use crate::program::Program;

/// Fields of `self` that a hook reads without a test for nil: name and span.
pub fn self_reads(program: &Program<'_>, id: usize) -> Vec<(String, ByteSpan)> {
    let known = &program.functions[id];
    let chunk = &program.modules[known.module].chunk;
    let Some(this) = program.function(id).params.first().copied() else { return Vec::new() };
    let (mut reads, mut tested) = (Vec::new(), BTreeSet::new());
    let is_self = |expr: &Expr| matches!(expr.kind, ExprKind::Local(local) if local == this);
    let field = |expr: &Expr| match &expr.kind {
        ExprKind::Field(object, name) if is_self(object) => Some((name.text.clone(), name.span.clone())),
        ExprKind::Index(object, key) if is_self(object) => match &key.kind {
            ExprKind::Text(text) => Some((text.clone(), key.span.clone())),
            _ => None,
        },
        _ => None,
    };
    let inside = |mut at: usize| loop {
        if at == known.at {
            return true;
        }
        match chunk.functions[at].parent {
            Some(parent) => at = parent,
            None => return false,
        }
    };
    for (at, function) in chunk.functions.iter().enumerate() {
        if !inside(at) {
            continue;
        }
        each_expr(&function.body, &mut |expr| {
            reads.extend(field(expr));
            let test = match &expr.kind {
                ExprKind::Binary("and" | "or", a, _) | ExprKind::Unary("not", a) => field(a),
                ExprKind::Binary("==" | "~=", a, b) if matches!(b.kind, ExprKind::Nil) => field(a),
                _ => None,
            };
            tested.extend(test.map(|(name, _)| name));
        });
        each_condition(&function.body, &mut |condition| tested.extend(field(condition).map(|(name, _)| name)));
    }
    reads.retain(|(name, _)| !tested.contains(name));
    reads
}
