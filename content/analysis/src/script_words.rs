//! The words in quotes and the keys of tables in one script, and how they are used.

use std::collections::{BTreeMap, BTreeSet};

use principes_lua::ByteSpan;
use principes_lua::tree::{Chunk, Expr, ExprKind, Item};
use principes_lua::visit::{each_expr, each_target};

/// How a text is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// As a whole word.
    Whole,
    /// As a key of a table.
    Key,
    /// As the beginning, middle or end of a longer text.
    Begin,
    Middle,
    End,
    /// As a text for people, or checked elsewhere.
    Free,
}

/// Words of a script by their first byte.
#[derive(Default)]
pub struct ScriptWords {
    /// The texts that may be words, and the keys of tables.
    pub found: BTreeMap<usize, (ByteSpan, String, Use)>,
    /// How often each text or key occurs.
    pub counts: BTreeMap<String, usize>,
}

impl ScriptWords {
    /// The words of a syntax tree.
    pub fn of(chunk: &Chunk) -> ScriptWords {
        let mut words = ScriptWords::default();
        for function in &chunk.functions {
            each_expr(&function.body, &mut |expr| words.note(expr));
            each_target(&function.body, &mut |target| match &target.kind {
                ExprKind::Field(_, name) => words.count(&name.text),
                ExprKind::Index(_, key) => words.take(key, Use::Key),
                _ => {}
            });
        }
        words
    }

    fn count(&mut self, word: &str) {
        *self.counts.entry(word.to_owned()).or_default() += 1;
    }

    /// Notes how a text is used; the first note counts.
    fn take(&mut self, expr: &Expr, how: Use) {
        if let ExprKind::Text(text) = &expr.kind {
            self.found.entry(expr.span.start).or_insert_with(|| (expr.span.clone(), text.clone(), how));
        }
    }

    /// Reads an expression, before those inside it.
    fn note(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Text(text) => {
                self.count(text);
                self.take(expr, Use::Whole);
            }
            ExprKind::Field(_, name) => self.count(&name.text),
            ExprKind::Table(items) => {
                for item in items {
                    match item {
                        Item::Named(name, _) => {
                            self.count(&name.text);
                            self.found.insert(name.span.start, (name.span.clone(), name.text.clone(), Use::Key));
                        }
                        Item::Keyed(key, _) => self.take(key, Use::Key),
                        Item::Plain(_) => {}
                    }
                }
            }
            ExprKind::Binary("..", ..) => {
                let mut parts = Vec::new();
                joined(expr, &mut parts);
                let last = parts.len().saturating_sub(1);
                for (at, part) in parts.into_iter().enumerate() {
                    let how = match at {
                        0 => Use::Begin,
                        at if at == last => Use::End,
                        _ => Use::Middle,
                    };
                    self.take(part, how);
                }
            }
            ExprKind::Call { callee, args } if is_for_people(callee) => {
                for arg in args {
                    let mut parts = Vec::new();
                    joined(arg, &mut parts);
                    parts.into_iter().for_each(|part| self.take(part, Use::Free));
                }
            }
            ExprKind::Method { args, .. } => args.iter().for_each(|arg| self.take(arg, Use::Free)),
            _ => {}
        }
    }
}

/// Signs between the parts of a name.
const BETWEEN: [char; 4] = ['-', '_', '.', ':'];

impl ScriptWords {
    /// The texts to which the script seems to add the rest of a name, and whether they are its beginning or its end.
    pub fn built(&self) -> Vec<(String, bool)> {
        let is_sign = |(_, text, _): &&(ByteSpan, String, Use)| text.len() == 1 && text.starts_with(BETWEEN);
        let signs: BTreeSet<&str> = self.found.values().filter(is_sign).map(|(_, text, _)| text.as_str()).collect();
        let mut built = Vec::new();
        for (_, text, how) in self.found.values() {
            // `string.format` fills in the middle.
            if let (Some(first), Some(last)) = (text.find('%'), text.rfind('%')) {
                built.push((text[..first].to_owned(), true));
                built.extend(text.get(last + 2..).map(|end| (end.to_owned(), false)));
                continue;
            }
            match how {
                Use::Begin => built.push((text.clone(), true)),
                Use::End => built.push((text.clone(), false)),
                _ if text.ends_with(BETWEEN) => built.push((text.clone(), true)),
                _ if text.starts_with(BETWEEN) => built.push((text.clone(), false)),
                // It may be in a variable, to which the script adds a hyphen and the rest.
                _ => built.extend(signs.iter().map(|sign| (format!("{text}{sign}"), true))),
            }
        }
        built
    }
}

/// The parts that `..` joins, from left to right.
fn joined<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary("..", a, b) => {
            joined(a, parts);
            joined(b, parts);
        }
        ExprKind::Brackets(inner) => joined(inner, parts),
        _ => parts.push(expr),
    }
}

/// Whether a function takes sentences, patterns or the name of a module.
fn is_for_people(callee: &Expr) -> bool {
    match &callee.kind {
        ExprKind::Global(name) => ["assert", "error", "import"].contains(&name.as_str()),
        ExprKind::Field(object, _) => matches!(&object.kind, ExprKind::Global(name) if name == "string"),
        _ => false,
    }
}
