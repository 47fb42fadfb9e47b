//! Words in quotes and keys of tables that appear nowhere else: not in the content, not in the API, not in another line
//! of a script. Such a word is nearly always misspelled.

use std::collections::{BTreeMap, BTreeSet};

use principes_findings::budget::MOST_FINDINGS;
use principes_findings::{Code, suggestion};
use principes_lua::ByteSpan;
use principes_lua::tree::{Chunk, Expr, ExprKind, Item};
use principes_lua::visit::{each_expr, each_target};
use principes_scripting::api::{Ty, entries};

use crate::facts::spelt;
use crate::help::Help;
use crate::program::Program;

/// How a text is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
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
struct ScriptWords {
    found: BTreeMap<usize, (ByteSpan, String, Use)>,
    counts: BTreeMap<String, usize>,
}

impl ScriptWords {
    fn of(chunk: &Chunk) -> ScriptWords {
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

/// Names of fields and words of the API.
fn of_the_api() -> BTreeSet<&'static str> {
    fn visit(ty: Ty, words: &mut BTreeSet<&'static str>) {
        words.extend(ty.texts());
        match ty {
            Ty::Fields(fields) => {
                for field in fields {
                    words.insert(field.name);
                    visit(field.ty, words);
                }
            }
            Ty::List(inner) | Ty::Map(_, inner) => visit(*inner, words),
            _ => {}
        }
    }
    let mut words = BTreeSet::from(["attacker", "defender", "id", "card", "owner", "n"]);
    words.extend(["nil", "boolean", "number", "string", "table", "function", "thread", "userdata"]);
    for entry in entries() {
        entry.params.iter().for_each(|param| visit(param.ty, &mut words));
        entry.returns.iter().for_each(|result| visit(result.ty, &mut words));
    }
    words
}

/// Whether a text is a word, not a sentence or pattern.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

/// Reports words that appear only once.
pub fn lone(program: &mut Program<'_>) {
    if program.partial || program.facts.vocabulary.partial {
        return;
    }
    let modules: Vec<ScriptWords> = program.modules.iter().map(|module| ScriptWords::of(&module.chunk)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (word, count) in modules.iter().flat_map(|words| &words.counts) {
        *counts.entry(word).or_default() += count;
    }
    let api = of_the_api();
    let facts = program.facts;
    let mut found = Vec::new();
    for (module, words) in modules.iter().enumerate() {
        for (bytes, text, how) in words.found.values().filter(|(_, text, _)| is_word(text)) {
            let is_known = match how {
                Use::Free => true,
                Use::Whole | Use::Key => {
                    counts.get(text.as_str()).is_some_and(|count| *count > 1)
                        || api.contains(text.as_str())
                        || facts.is_word(text)
                        || facts.unsure.contains(text)
                }
                // Constants are spelled with `_`.
                Use::Begin => facts.some_word(|word| word.starts_with(text) || spelt(word).starts_with(text)),
                Use::Middle => facts.some_word(|word| word.contains(text) || spelt(word).contains(text)),
                Use::End => facts.some_word(|word| word.ends_with(text) || spelt(word).ends_with(text)),
            };
            // Another finding there says more.
            if !is_known && !program.has_finding_at(module, bytes) {
                found.push((module, bytes.clone(), text.clone(), *how));
            }
        }
    }
    let mut known = facts.all_words();
    known.extend(counts.keys());
    // One more than the limit shows that the budget is exhausted.
    for (module, bytes, text, how) in found.into_iter().take(MOST_FINDINGS + 1) {
        let near = suggestion(&text, known.iter().copied());
        let (what, help) = match how {
            Use::Key => ("nothing reads the key", "read it in a script, or remove it"),
            _ => ("nothing knows the word", "declare it in the content, or use it in a script"),
        };
        program.report(module, Code::LoneWord, &bytes, format!("{what} `{text}`"), Help::or(near, help));
    }
}
