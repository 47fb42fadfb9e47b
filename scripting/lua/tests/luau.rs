//! Compares our parser with Luau's own: both must accept the same texts and read them in the same way.
//!
//! Texts are generated with a grammar, and by mutating all scripts in the repository and generated ones. The seed is
//! fixed. `LUA_FUZZ_SECONDS` and `LUA_FUZZ_SEED` make a longer run with another seed.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use mlua::Lua;
use mlua::chunk::{ChunkMode, Compiler};
use principes_lua::tree::{ExprKind, StmtKind};
use principes_lua::visit::each_stmt;
use principes_lua::{
    Extension, FoundToken, Parsed, SyntaxError, SyntaxErrorKind, TokenKind, parse, text_bytes, tokens,
};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

// Made texts ----------------------------------------------------------------------------------------------------------

const NAMES: &[&str] = &["a", "b", "M", "self", "continue", "type", "const", "export", "x1", "_", "typeof", "read"];
const LITERALS: &[&str] = &[
    "nil",
    "true",
    "false",
    "1",
    "0x1F",
    "1e3",
    ".5",
    "3.",
    "1_000",
    "0b11",
    "\"t\"",
    "'q\\'s'",
    "[[long]]",
    "[==[a]]b]==]",
    "`plain`",
    "'\\65\\x41\\z  \\u{e9}\\q'",
    "...",
    "\"a\\\nb\"",
    "1e",
    "0x",
    "\"\\300\"",
    "'\\xg'",
    "`\\u{41}`",
    "5i",
];
const BINARY: &[&str] =
    &["+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or", "!=", "&&"];

fn expr(r: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return if r.below(2) == 0 { r.pick(NAMES).to_owned() } else { r.pick(LITERALS).to_owned() };
    }
    let d = depth - 1;
    match r.below(17) {
        0..=2 => expr(r, 0),
        3..=5 => format!("{} {} {}", expr(r, d), r.pick(BINARY), expr(r, d)),
        6 => format!("{} {}", r.pick(&["not", "-", "#", "- -"]), expr(r, d)),
        7 => format!("({})", expr(r, d)),
        8 => format!("{}.{}", prefix(r, d), r.pick(NAMES)),
        9 => format!("{}[{}]", prefix(r, d), expr(r, d)),
        10 => call(r, d),
        11 | 12 => table(r, d),
        13 => format!("function({}) {} end", r.pick(&["", "a", "a, b", "...", "a, ..."]), block(r, d)),
        14 => format!("if {} then {} else {}", expr(r, d), expr(r, d), expr(r, d)),
        15 => format!("`x{{{}}}y`", expr(r, d)),
        _ => format!("{} :: any", expr(r, d)),
    }
}

fn table(r: &mut Random, depth: usize) -> String {
    let items: Vec<String> = (0..r.below(4))
        .map(|_| match r.below(3) {
            0 => expr(r, depth),
            1 => format!("{} = {}", r.pick(NAMES), expr(r, depth)),
            _ => format!("[{}] = {}", expr(r, depth), expr(r, depth)),
        })
        .collect();
    format!("{{{}{}}}", items.join(r.pick(&[", ", "; "])), if items.is_empty() { "" } else { r.pick(&["", ",", " ;"]) })
}

fn prefix(r: &mut Random, depth: usize) -> String {
    match r.below(4) {
        0 if depth > 0 => format!("({})", expr(r, depth - 1)),
        1 if depth > 0 => call(r, depth - 1),
        _ => r.pick(NAMES).to_owned(),
    }
}

fn call(r: &mut Random, depth: usize) -> String {
    let args = match r.below(6) {
        0 => table(r, depth.saturating_sub(1)),
        1 => r.pick(&["'s'", "[[s]]", "\"s\""]).to_owned(),
        2 => "()".to_owned(),
        3 => format!("\n({})", expr(r, depth.saturating_sub(1))),
        _ => format!("({}, {})", expr(r, depth.saturating_sub(1)), expr(r, depth.saturating_sub(1))),
    };
    let method = if r.below(4) == 0 { ":m" } else { "" };
    format!("{}{method}{args}", prefix(r, depth))
}

fn statement(r: &mut Random, depth: usize) -> String {
    let d = depth.saturating_sub(1);
    match r.below(if depth == 0 { 7 } else { 18 }) {
        0 | 1 => format!("local {} = {}", r.pick(&["a", "b, c", "M", "type"]), expr(r, depth)),
        2 | 3 => format!("{} = {}", r.pick(&["a", "a.b", "a[1], b", "M.x", "(a)", "a()", "const"]), expr(r, depth)),
        4 => format!("{} {} {}", r.pick(&["a", "a.b"]), r.pick(&["+=", "-=", "..=", "//=", "^="]), expr(r, depth)),
        5 => call(r, depth),
        6 => r
            .pick(&["local a", "break", "continue", "return", "const a = 1", "type T = {a: b}", ";", "local f: T"])
            .to_owned(),
        7 => format!("do {} end", block(r, d)),
        8 => format!("while {} do {} end", expr(r, d), block(r, d)),
        9 => format!("repeat {} until {}", block(r, d), expr(r, d)),
        10 | 11 => format!("if {} then {} else {} end", expr(r, d), block(r, d), block(r, d)),
        12 => format!("if {} then {} elseif b then {} end", expr(r, d), block(r, d), block(r, d)),
        13 => format!("for i = 1, {} do {} end", expr(r, d), block(r, d)),
        14 => format!("for k, v in {} do {} end", expr(r, d), block(r, d)),
        15 => format!("function M.{}({}) {} end", r.pick(&["f", "f.g"]), r.pick(&["", "a", "..."]), block(r, d)),
        16 => format!("local function f() {} end", block(r, d)),
        _ => format!("function M:f(a) {} return {} end", block(r, d), expr(r, d)),
    }
}

fn block(r: &mut Random, depth: usize) -> String {
    let breaks = ["\n", " ", "; ", "\n-- note\n", " --[[ note ]] ", "\r\n"];
    let mut out = String::new();
    for _ in 0..r.below(4) {
        out.push_str(&statement(r, depth));
        out.push_str(r.pick(&breaks));
    }
    out
}

/// Makes a small change in a text.
fn mutate(r: &mut Random, text: &str, other: &str) -> String {
    const BITS: &[&str] = &[
        "end", "then", "(", ")", "{", "}", "[", "]", "\"", "'", "`", "--", "--[[", "]]", "[=[", "\\", "\r", "\r\n",
        "\n", "=", "==", ",", ";", ":", "::", ".", "..", "...", "if", "else", "elseif", "function", "local", "return",
        "break", "continue", "not", "-", "#", "+=", "//", "1", "0x", "1e+", "a", "é", "\u{0}", "\u{b}", "~", "~=", "!",
        "&", "|", "?", "@", "$", "<", "<<", ">", "{{", "\\u{", "\\z", "\\x4", "_", "1..2", "until", "in", "do", "goto",
        "%", "nil", "type", "const",
    ];
    let mut bytes: Vec<char> = text.chars().collect();
    for _ in 0..1 + r.below(3) {
        let at = r.below(bytes.len() + 1);
        match r.below(5) {
            0 | 1 => drop(bytes.splice(at..at, r.pick(BITS).chars())),
            2 => {
                let end = (at + 1 + r.below(6)).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            3 => {
                let end = (at + r.below(30)).min(bytes.len());
                let copy: Vec<char> = bytes[at.min(end)..end].to_vec();
                let to = r.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            _ => {
                let from = r.below(other.len());
                let piece: String = other.chars().skip(from).take(r.below(40)).collect();
                bytes.splice(at..at, piece.chars());
            }
        }
    }
    bytes.into_iter().collect()
}

/// All scripts in the repository.
fn corpus(folder: &Path, found: &mut Vec<String>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            corpus(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "lua" || ext == "luau") {
            found.extend(std::fs::read_to_string(&path).ok().filter(|text| text.len() < 20_000));
        }
    }
}

// The comparison ------------------------------------------------------------------------------------------------------

/// Whether we refuse on purpose what Luau accepts.
fn is_refused(parsed: &Parsed) -> bool {
    let types = |(extension, _): &(Extension, _)| *extension == Extension::Types;
    parsed.chunk.extensions.iter().any(types)
        || parsed.errors.iter().any(|error| match &error.kind {
            SyntaxErrorKind::Control(_)
            | SyntaxErrorKind::TooDeep
            | SyntaxErrorKind::Unsupported(_)
            | SyntaxErrorKind::TooMany => true,
            SyntaxErrorKind::Foreign { found, .. } => *found == "null",
            _ => false,
        })
}

/// Whether a string in backticks continues with the beginning of another one. Luau accepts `` `a{b `c{d}e` ``, although
/// the first one is never closed. We refuse it.
fn continues_in_another(error: &SyntaxError) -> bool {
    match &error.kind {
        SyntaxErrorKind::Expected { expected: "`}`", found: FoundToken::Token(token) } => token.starts_with('`'),
        _ => false,
    }
}

/// Whether Luau refuses a valid text, because it is too large or does something forbidden.
fn is_limit(message: &str) -> bool {
    ["Out of", "Exceeded", "jumps over", "limit"].iter().any(|word| message.contains(word))
}

/// The string table of compiled code: literals and names.
fn strings(code: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut at = 2;
    let number = |at: &mut usize| {
        let (mut value, mut shift) = (0usize, 0);
        loop {
            let byte = code[*at];
            *at += 1;
            value |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    };
    let count = number(&mut at);
    (0..count)
        .map(|_| {
            let length = number(&mut at);
            at += length;
            code[at - length..at].to_vec()
        })
        .collect()
}

fn compiler() -> Compiler {
    Compiler::new().set_optimization_level(0).set_debug_level(1)
}

/// The indexes of functions that nothing receives: `f = 1, function() end`. Luau does not compile them, nor what is inside
/// them.
fn unreceived(parsed: &Parsed) -> BTreeSet<usize> {
    let functions = &parsed.chunk.functions;
    let mut found = BTreeSet::new();
    for function in functions {
        each_stmt(&function.body, &mut |stmt| {
            let spare = match &stmt.kind {
                StmtKind::Assign { targets, values } => values.get(targets.len()..),
                StmtKind::Local { locals, values } => values.get(locals.len()..),
                _ => None,
            };
            found.extend(spare.unwrap_or_default().iter().filter_map(|value| match value.kind {
                ExprKind::Function(at) => Some(at),
                _ => None,
            }));
        });
    }
    // An outer function stands before those inside it.
    for (at, function) in functions.iter().enumerate() {
        if function.parent.is_some_and(|parent| found.contains(&parent)) {
            found.insert(at);
        }
    }
    found
}

/// Fails unless both parsers read the same strings.
fn compare_meaning(lua: &Lua, text: &str, parsed: &Parsed, code: &[u8]) {
    let tokens = tokens(text).tokens;
    // Code after a block that always leaves is not compiled.
    let leaves = tokens.iter().any(|token| ["return", "break", "continue"].contains(&&text[token.span.clone()]));
    if !tokens.iter().any(|token| matches!(token.kind, TokenKind::TemplateStart | TokenKind::Template)) {
        let of = |kind: TokenKind| {
            tokens.iter().filter(move |token| token.kind == kind).map(|token| &text[token.span.clone()])
        };
        let ours: BTreeSet<Vec<u8>> = of(TokenKind::Text).map(|literal| text_bytes(literal).unwrap()).collect();
        let theirs = strings(code);
        for literal in &ours {
            assert!(
                theirs.contains(literal) || literal.is_empty() || leaves,
                "Luau does not have {literal:?}:\n{text}"
            );
        }
        let names: BTreeSet<Vec<u8>> = of(TokenKind::Name).map(|name| name.as_bytes().to_vec()).collect();
        for string in &theirs {
            assert!(ours.contains(string) || names.contains(string), "only Luau has {string:?}:\n{text}");
        }
    }
    let mut theirs = Vec::new();
    let covering = compiler().set_coverage_level(1).compile(text).unwrap();
    let chunk = lua.load(covering).set_mode(ChunkMode::Binary).into_function().unwrap();
    chunk.coverage(|function| {
        if function.depth > 0 {
            theirs.push(usize::try_from(function.line_defined).unwrap_or_default());
        }
    });
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    let unreceived = unreceived(parsed);
    let received = parsed.chunk.functions.iter().enumerate().skip(1).filter(|(at, _)| !unreceived.contains(at));
    let mut ours: Vec<usize> = received.map(|(_, function)| line(function.head.start)).collect();
    ours.sort_unstable();
    theirs.sort_unstable();
    if leaves {
        ours.retain(|line| theirs.contains(line));
        ours.dedup();
        theirs.dedup();
    }
    assert_eq!(ours, theirs, "{text}");
}

/// The result of comparing a text.
#[derive(PartialEq, Eq)]
enum Fate {
    Accepted,
    SyntaxErrorKind,
    Skipped,
}

fn compare(lua: &Lua, text: &str) -> Fate {
    let parsed = parse(text);
    for error in &parsed.errors {
        assert!(text.get(error.span.clone()).is_some(), "{error:?} is not a range of\n{text}");
    }
    let compiled = compiler().compile(text);
    if is_refused(&parsed) {
        return Fate::Skipped;
    }
    match compiled {
        Ok(_) if parsed.errors.iter().any(continues_in_another) => Fate::Skipped,
        Ok(code) => {
            assert!(parsed.errors.is_empty(), "Luau accepts it, we say {:?}:\n{text}", parsed.errors);
            compare_meaning(lua, text, &parsed, &code);
            Fate::Accepted
        }
        Err(error) if is_limit(&error.to_string()) => Fate::Skipped,
        Err(error) => {
            assert!(!parsed.errors.is_empty(), "we accept it, Luau says {error}:\n{text}");
            Fate::SyntaxErrorKind
        }
    }
}

#[test]
fn both_parsers_agree() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let limit = Duration::from_secs(number("LUA_FUZZ_SECONDS").unwrap_or(8));
    let wanted = if number("LUA_FUZZ_SECONDS").is_some() { usize::MAX } else { 6_000 };
    let mut random = Random(number("LUA_FUZZ_SEED").unwrap_or(20));
    let mut texts = Vec::new();
    corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), &mut texts);
    assert!(texts.len() > 50, "the scripts of the repository are not where they were: {}", texts.len());
    let lua = Lua::new();
    let begun = Instant::now();
    let mut fates = [0usize; 3];
    let mut count = |fate: Fate| fates[fate as usize] += 1;
    texts.iter().for_each(|text| count(compare(&lua, text)));
    let mut made = 0;
    while made < wanted && begun.elapsed() < limit {
        let text = match random.below(3) {
            0 => block(&mut random, 4),
            at => {
                let (one, other) = (random.below(texts.len()), random.below(texts.len()));
                // Short texts give more results in the same time.
                let text = &texts[one];
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                let from = random.below(lines.len());
                let part: String = lines[if at == 1 { 0 } else { from }..].iter().take(40).copied().collect();
                mutate(&mut random, &part, &texts[other])
            }
        };
        count(compare(&lua, &text));
        if text.len() < 2_000 && random.below(20) == 0 {
            texts.push(text);
        }
        made += 1;
    }
    let [accepted, wrong, skipped] = fates;
    assert!(accepted * 10 > made && wrong * 10 > made && skipped < made / 2, "{fates:?} of {made}");
}

/// What a long run has found.
#[test]
fn functions_that_nothing_receives_are_compared() {
    let lua = Lua::new();
    for text in [
        "f = 1, function(...)  end do  end",
        "local f = 1, function() return function() end end",
        "local f, g = 1, function() h = 2, function() end end",
    ] {
        assert!(compare(&lua, text) == Fate::Accepted, "{text}");
    }
}

/// Ambiguous texts, such as code that is hidden by the end of a comment.
#[test]
fn ambiguous_texts_are_refused() {
    for (text, at) in [
        ("-- note\rstash = 1", 7),
        ("--[[ note ]] x()\r", 16),
        ("local s = 'a\\\rb'", 13),
        ("local s = [[a\rb]]", 13),
        ("local s = `a\rb`", 12),
        ("a = 1 \u{0} b = 2", 6),
        ("a = 1 \u{b} b = 2", 6),
        ("-- \u{1b}[2J", 3),
        ("-- \u{7f}", 3),
        ("\u{feff}a = 1", 0),
    ] {
        let errors = parse(text).errors;
        let found =
            errors.iter().any(|error| matches!(error.kind, SyntaxErrorKind::Control(_)) && error.span.start == at);
        assert!(found, "{text:?}: {errors:?}");
    }
    let nested = "a = `x{c `x{d}y`";
    assert!(compiler().compile(nested).is_ok(), "Luau no longer accepts it: {nested}");
    assert!(parse(nested).errors.iter().any(continues_in_another), "{:?}", parse(nested).errors);
    for text in ["-- note\r\nlocal a = 1\r\nlocal b = [[x\r\ny]]\r\n", "local s = 'a\\\r\nb'\r\n", "\tlocal a = 1\n"] {
        assert!(parse(text).errors.is_empty(), "{text:?}: {:?}", parse(text).errors);
    }
}
