//! Words in quotes and keys of tables that appear nowhere else: not in the content, not in the API, not in another line
//! of a script. Such a word is nearly always misspelled.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use principes_findings::budget::MOST_FINDINGS;
use principes_findings::{Code, Suggestion, suggestion};
use principes_lua::constant_name;
use principes_scripting::api::{LIBRARY, Ty, entries};

use crate::constants::Constants;
use crate::help::Help;
use crate::program::Program;
use crate::script_words::{ScriptWords, Use};

/// Names of fields and words of the API.
static OF_THE_API: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
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
});

/// Whether the API or the library of scripts knows a name.
pub fn is_of_the_api(name: &str) -> bool {
    let is_last = |whole: &str| whole.rsplit('.').next() == Some(name);
    OF_THE_API.contains(name)
        || entries().any(|entry| is_last(entry.name))
        || LIBRARY.iter().any(|function| is_last(function.name))
        || Constants::named(name).is_some()
}

/// Whether a text is a word, not a sentence or pattern.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

/// Signs between the parts of a name.
const BETWEEN: [char; 4] = ['-', '_', '.', ':'];

/// Whether a name consists of parts of which one or several are a text, to which a script may join the others.
fn has_part(word: &str, text: &str) -> bool {
    let part = text.trim_matches(BETWEEN);
    let is_end =
        |at: usize| at == 0 || at == word.len() || word[at..].starts_with(BETWEEN) || word[..at].ends_with(BETWEEN);
    !part.is_empty() && word.match_indices(part).any(|(at, _)| is_end(at) && is_end(at + part.len()))
}

/// The known word, or the part of one, that is most like a text.
fn similar(text: &str, how: Use, known: &BTreeSet<&str>) -> Option<Suggestion> {
    let length = text.chars().count();
    let begins = |word: &&'_ str| word.char_indices().nth(length).map(|(at, _)| at);
    let parts: BTreeSet<&str> = match how {
        Use::Begin => known.iter().filter_map(|word| Some(&word[..begins(word)?])).collect(),
        Use::End => {
            let start = |word: &str| word.char_indices().rev().nth(length.saturating_sub(1)).map(|(at, _)| at);
            known.iter().filter_map(|word| Some(&word[start(word)?..])).collect()
        }
        Use::Middle | Use::Free => BTreeSet::new(),
        Use::Whole | Use::Key => return suggestion(text, known.iter().copied()),
    };
    suggestion(text, parts).filter(|_| length > 2)
}

/// Reports words that appear only once.
pub fn lone(program: &mut Program<'_>) {
    if program.partial || program.facts.vocabulary.partial {
        return;
    }
    let modules: Vec<&ScriptWords> = program.modules.iter().map(|module| module.script.known.words()).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (word, count) in modules.iter().flat_map(|words| &words.counts) {
        *counts.entry(word).or_default() += count;
    }
    let facts = program.facts;
    let mut found = Vec::new();
    for (module, words) in modules.iter().enumerate() {
        for (bytes, text, how) in words.found.values().filter(|(_, text, _)| is_word(text)) {
            let is_known = match how {
                Use::Free => true,
                Use::Whole | Use::Key => {
                    counts.get(text.as_str()).is_some_and(|count| *count > 1)
                        || OF_THE_API.contains(text.as_str())
                        || program.joined.contains(text.as_str())
                        || facts.is_word(text)
                        || facts.unsure.contains(text)
                        || facts.some_word(|word| has_part(word, text))
                }
                // Constants are spelled with `_`.
                Use::Begin => facts.some_word(|word| word.starts_with(text) || constant_name(word).starts_with(text)),
                Use::Middle => facts.some_word(|word| word.contains(text) || constant_name(word).contains(text)),
                Use::End => facts.some_word(|word| word.ends_with(text) || constant_name(word).ends_with(text)),
            };
            // Another finding there says more.
            if !is_known && !program.has_finding_at(module, bytes) {
                found.push((module, bytes.clone(), text.clone(), *how));
            }
        }
    }
    if found.is_empty() {
        return;
    }
    let mut known = facts.all_words();
    known.extend(counts.keys());
    // One more than the limit shows that the budget is exhausted.
    for (module, bytes, text, how) in found.into_iter().take(MOST_FINDINGS + 1) {
        // A word that is like no other may mean something to its script alone.
        let Some(near) = similar(&text, how, &known) else { continue };
        let (what, help) = match how {
            Use::Key => ("nothing reads the key", "read it in a script, or remove it"),
            _ => ("nothing else uses the word", "declare it in the content, or use it in a script"),
        };
        program.report(module, Code::LoneWord, &bytes, format!("{what} `{text}`"), Help::or(Some(near), help));
    }
}
