//! What a script means to the machine.

use std::collections::HashMap;

use crate::tree::ExprKind;
use crate::visit::{deep, each_stmt, parts, targets};
use crate::{TokenKind, parse, tokens};

/// The tokens of a script without comments, positions and the names of locals, in a form that can be compared. Scripts
/// with the same meaning run alike, except for the lines that messages of errors name.
///
/// ```
/// use principes_lua::meaning;
///
/// assert_eq!(meaning("local a = 1 return a"), meaning("local coins = 1 -- all of them\nreturn coins"));
/// assert_ne!(meaning("local a = 1 return a"), meaning("local a = 2 return a"));
/// ```
pub fn meaning(text: &str) -> Vec<u8> {
    let locals = locals(text);
    let mut meaning = Vec::with_capacity(text.len());
    for token in tokens(text).tokens {
        let part = text.get(token.span.clone()).unwrap_or_default();
        let (mark, bytes) = match (token.kind, locals.get(&token.span.start)) {
            (TokenKind::Name, Some(local)) => (b'l', local.to_le_bytes().to_vec()),
            (TokenKind::Text, _) => (b't', crate::text_bytes(part).unwrap_or_else(|| part.as_bytes().to_vec())),
            _ => (b'p', part.as_bytes().to_vec()),
        };
        // Tokens cannot be confused, because each says how long it is.
        meaning.push(mark);
        meaning.extend((bytes.len() as u64).to_le_bytes());
        meaning.extend(bytes);
    }
    meaning
}

/// The local of each name that means one, by the start of the name.
fn locals(text: &str) -> HashMap<usize, usize> {
    let chunk = parse(text).chunk;
    let declared = chunk.locals.iter().enumerate().map(|(at, local)| (local.name.span.start, at));
    let mut found: HashMap<usize, usize> = declared.collect();
    let mut note = |start: usize, kind: &ExprKind| {
        if let ExprKind::Local(local) = kind {
            found.insert(start, *local);
        }
    };
    for function in &chunk.functions {
        each_stmt(&function.body, &mut |stmt| {
            parts(stmt, &mut |expr| deep(expr, &mut |inner| note(inner.span.start, &inner.kind)), &mut |_| {});
            for target in targets(stmt) {
                deep(target, &mut |inner| note(inner.span.start, &inner.kind));
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::meaning;

    const SCRIPT: &str = "local M = {}\nfunction M.pay(seat, amount)\n  local left = gold[seat] - amount\n  if left < 0 then\n    return false\n  end\n  gold[seat] = left\n  return true\nend\nreturn M\n";

    #[test]
    fn what_nobody_can_notice_means_nothing() {
        for (old, new) in [
            ("local M", "-- how to pay\nlocal M"),
            ("left", "rest"),
            ("amount", "price"),
            ("  if left", "\n\n      if  left"),
            ("\n", "\r\n"),
        ] {
            let changed = SCRIPT.replace(old, new);
            assert_ne!(changed, SCRIPT);
            assert_eq!(meaning(&changed), meaning(SCRIPT), "{old:?} to {new:?}");
        }
        assert_eq!(meaning("say('it\\'s')"), meaning("say(\"it's\")"));
    }

    #[test]
    fn everything_else_has_a_meaning() {
        for (old, new) in [
            ("M.pay", "M.paid"),
            ("- amount", "+ amount"),
            ("< 0", "<= 0"),
            ("gold[seat] = left", "gold[seat] = amount"),
            ("return true", "return false"),
            ("gold", "coins"),
            ("(seat, amount)", "(amount, seat)"),
            ("local left", "left"),
        ] {
            let changed = SCRIPT.replace(old, new);
            assert_ne!(changed, SCRIPT);
            assert_ne!(meaning(&changed), meaning(SCRIPT), "{old:?} to {new:?}");
        }
        // A name of another local that shadows a global.
        assert_ne!(meaning("local a = 1 return b"), meaning("local b = 1 return b"));
        assert_ne!(meaning("say('a', 'b')"), meaning("say('a, b')"));
    }
}
