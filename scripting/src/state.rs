//! What can be said about a script without running it: names that exist nowhere, and state kept in modules.
//!
//! A suspended script is rebuilt by running it again, so what a function leaves behind in its module would be there twice
//! or not at all. Tables and variables of a module cannot be frozen from outside; this reads the text instead. It sees
//! assignments and `table.insert`, `table.remove` and `table.sort` on names of the module. Under another name a table is
//! still read-only: tables that a module makes are frozen once it is loaded. So that there are no others, and no closures
//! with variables of their own, a module may not call its functions while it loads.

use std::ops::Range;

/// A token: an identifier or keyword, a symbol, or a literal whose text does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Name(&'a str),
    Sign(&'a str),
    Literal,
}

const SIGNS: [&str; 17] =
    ["...", "..=", "//=", "..", "==", "~=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=", "//", "::", "->"];
const ASSIGNS: [&str; 9] = ["=", "+=", "-=", "*=", "/=", "%=", "^=", "..=", "//="];

fn tokens(text: &str) -> Vec<(u32, Token<'_>)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1u32);
    // Open braces, and how many there were where an expression inside a string in backticks began.
    let (mut braces, mut inside) = (0usize, Vec::new());
    while at < bytes.len() {
        let byte = bytes[at];
        let from = at;
        let goes_on = byte == b'}' && inside.last() == Some(&braces);
        if byte.is_ascii_whitespace() {
            at += 1;
        } else if text[at..].starts_with("--") {
            at += 2;
            at = match long_bracket(text, at) {
                Some(end) => end,
                None => text[at..].find('\n').map_or(text.len(), |n| at + n),
            };
        } else if let Some(end) = long_bracket(text, at) {
            found.push((line, Token::Literal));
            at = end;
        } else if byte == b'`' || goes_on {
            if goes_on {
                inside.pop();
                found.push((line, Token::Sign("..")));
            }
            at += 1;
            while at < bytes.len() && !matches!(bytes[at], b'`' | b'{') {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            found.push((line, Token::Literal));
            if bytes.get(at) == Some(&b'{') {
                inside.push(braces);
                found.push((line, Token::Sign("..")));
            }
            at = (at + 1).min(bytes.len());
        } else if byte == b'"' || byte == b'\'' {
            at += 1;
            while at < bytes.len() && bytes[at] != byte {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at = (at + 1).min(bytes.len());
            found.push((line, Token::Literal));
        } else if byte.is_ascii_alphabetic() || byte == b'_' {
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
            found.push((line, Token::Name(&text[from..at])));
        } else if byte.is_ascii_digit() {
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' || bytes[at] == b'.') {
                if text[at..].starts_with("..") {
                    break;
                }
                at += 1;
            }
            found.push((line, Token::Literal));
        } else if let Some(sign) = SIGNS.iter().find(|sign| text[at..].starts_with(**sign)) {
            at += sign.len();
            found.push((line, Token::Sign(sign)));
        } else {
            at += 1;
            while !text.is_char_boundary(at) {
                at += 1;
            }
            match byte {
                b'{' => braces += 1,
                b'}' => braces = braces.saturating_sub(1),
                _ => {}
            }
            found.push((line, Token::Sign(&text[from..at])));
        }
        while !text.is_char_boundary(at) {
            at += 1;
        }
        line += bytes[from..at].iter().filter(|b| **b == b'\n').count() as u32;
    }
    found
}

/// The end of a `[[ ]]` or `[=[ ]=]` that begins here.
fn long_bracket(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].strip_prefix('[')?;
    let level = rest.bytes().take_while(|b| *b == b'=').count();
    rest[level..].strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(level));
    Some(text[at..].find(&close).map_or(text.len(), |n| at + n + close.len()))
}

/// A region in which names are declared.
struct Scope<'a> {
    names: Vec<&'a str>,
    /// How many functions it lies in.
    depth: usize,
    /// What opened it: a table constructor has fields, not assignments.
    table: bool,
}

/// Words of the language, which are no names.
const RESERVED: [&str; 22] = [
    "and", "break", "continue", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// What may be called while a module loads: nothing that calls back or gives a table.
const AT_LOAD: [&str; 9] = ["assert", "error", "import", "ipairs", "pairs", "select", "tonumber", "tostring", "type"];
const STRING_AT_LOAD: [&str; 12] =
    ["byte", "char", "find", "format", "gmatch", "len", "lower", "match", "rep", "reverse", "sub", "upper"];
const TABLE_AT_LOAD: [&str; 4] = ["concat", "find", "insert", "remove"];

/// What is wrong with a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// A function writes a variable of the module.
    Kept(String),
    /// A name that is neither local nor global, or a field that a global table has not got.
    Unknown(String, Option<String>),
    /// A function that is called while the module loads, as messages name it.
    Early(String),
    /// A loop over something else than `pairs`, `ipairs` and `string.gmatch` give.
    Loop,
}

/// What a script's text shows.
#[derive(Debug, Default)]
pub struct Review {
    /// What is wrong, by line.
    pub findings: Vec<(u32, Finding)>,
    /// Bytes of the table constructors outside of functions, the outermost ones.
    pub tables: Vec<Range<usize>>,
}

/// Reads a script. `exists` says whether a global exists, or a field of it; fields of globals that are no tables exist.
pub fn review(text: &str, exists: &dyn Fn(&str, Option<&str>) -> bool) -> Review {
    let list = tokens(text);
    let name = |at: usize| match list.get(at) {
        Some((_, Token::Name(name))) => *name,
        _ => "",
    };
    let is = |at: usize, sign: &str| matches!(list.get(at), Some((_, Token::Sign(s))) if *s == sign);
    let mut scopes: Vec<Scope> = vec![Scope { names: Vec::new(), depth: 0, table: false }];
    let mut found = Vec::new();
    let (mut tables, mut constructors) = (Vec::new(), Vec::new());
    // Names of `local a, b` and `for a, b`, which count from after their statement's `=`, or inside the loop.
    let mut declaring = false;
    let mut loop_names: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < list.len() {
        let depth = scopes.last().map_or(0, |scope| scope.depth);
        let open = |names: Vec<_>, depth, table| Scope { names, depth, table };
        let (line, token) = list[at];
        if depth == 0
            && let Some(callee) = early_call(&list, at, &scopes)
        {
            // A name that does not exist is told of by itself.
            let unknown = name(at - 1) == callee && !is(at.wrapping_sub(2), ".") && !is(at.wrapping_sub(2), ":");
            let local = scopes.iter().any(|scope| scope.names.contains(&callee.as_str()));
            if !unknown || local || exists(&callee, None) {
                let told = if callee.contains(' ') { callee } else { format!("`{callee}`") };
                found.push((line, Finding::Early(told)));
            }
        }
        match token {
            Token::Name("function") => {
                let mut next = at + 1;
                let mut names = Vec::new();
                if at > 0
                    && name(at - 1) == "local"
                    && let Some(scope) = scopes.last_mut()
                {
                    scope.names.push(name(next));
                } else if !name(next).is_empty() && depth > 0 && module_level(&scopes, name(next)) {
                    found.push((line, Finding::Kept(name(next).to_owned())));
                }
                while next < list.len() && !is(next, "(") {
                    if is(next, ":") {
                        names.push("self");
                    }
                    next += 1;
                }
                while next < list.len() && !is(next, ")") {
                    if !name(next).is_empty() {
                        names.push(name(next));
                    }
                    next += 1;
                }
                scopes.push(open(names, depth + 1, false));
                at = next;
                declaring = false;
            }
            Token::Name("local") if name(at + 1) != "function" => {
                let mut next = at + 1;
                let mut names = Vec::new();
                while !name(next).is_empty() {
                    names.push(name(next));
                    next += 1;
                    if !is(next, ",") {
                        break;
                    }
                    next += 1;
                }
                if let Some(scope) = scopes.last_mut() {
                    scope.names.extend(names);
                }
                declaring = is(next, "=");
                at = next - 1;
            }
            Token::Name("for") => {
                let mut next = at + 1;
                while !name(next).is_empty() && name(next) != "in" {
                    loop_names.push(name(next));
                    next += 1;
                    if is(next, ",") {
                        next += 1;
                    }
                }
                declaring = is(next, "=");
                if name(next) == "in" && !known_loop(&list, next + 1, &scopes) {
                    found.push((line, Finding::Loop));
                }
                at = next - 1;
            }
            Token::Name("do" | "then" | "repeat" | "else") => {
                if name(at) == "else" && scopes.len() > 1 {
                    scopes.pop();
                }
                let names = if name(at) == "do" { std::mem::take(&mut loop_names) } else { Vec::new() };
                let depth = scopes.last().map_or(0, |scope| scope.depth);
                scopes.push(open(names, depth, false));
            }
            Token::Sign(brace @ "{") => {
                let outermost = depth == 0 && !scopes.iter().any(|scope| scope.table);
                constructors.push(outermost.then(|| offset(text, brace)));
                scopes.push(open(Vec::new(), depth, true));
            }
            // The condition after `until` still sees the names of the loop.
            Token::Name("until") if scopes.len() > 1 => {
                let inner = scopes.pop().map_or_else(Vec::new, |scope| scope.names);
                if let Some(scope) = scopes.last_mut() {
                    scope.names.extend(inner);
                }
            }
            Token::Name("end" | "elseif") | Token::Sign("}") if scopes.len() > 1 => {
                scopes.pop();
                if let Token::Sign(brace) = token
                    && let Some(Some(start)) = constructors.pop()
                {
                    tables.push(start..offset(text, brace) + 1);
                }
            }
            Token::Sign(sign) if ASSIGNS.contains(&sign) => {
                let in_table = scopes.last().is_some_and(|scope| scope.table);
                if !std::mem::take(&mut declaring) && !in_table && depth > 0 {
                    for target in targets(&list, at) {
                        if module_level(&scopes, target) {
                            found.push((line, Finding::Kept(target.to_owned())));
                        }
                    }
                }
            }
            Token::Name("table")
                if depth > 0
                    && is(at + 1, ".")
                    && ["insert", "remove", "sort"].contains(&name(at + 2))
                    && is(at + 3, "(")
                    && (is(at + 5, ",") || is(at + 5, ")"))
                    && module_level(&scopes, name(at + 4)) =>
            {
                found.push((line, Finding::Kept(name(at + 4).to_owned())));
            }
            Token::Name(word) if !RESERVED.contains(&word) => {
                let is_field = at > 0 && (is(at - 1, ".") || is(at - 1, ":"));
                let is_key = is(at + 1, "=") && scopes.last().is_some_and(|scope| scope.table);
                let is_local = scopes.iter().any(|scope| scope.names.contains(&word));
                if !is_field && !is_key && !is_local {
                    let field = if is(at + 1, ".") { Some(name(at + 2)).filter(|name| !name.is_empty()) } else { None };
                    if !exists(word, None) {
                        found.push((line, Finding::Unknown(word.to_owned(), None)));
                    } else if let Some(field) = field
                        && !exists(word, Some(field))
                    {
                        found.push((line, Finding::Unknown(word.to_owned(), Some(field.to_owned()))));
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    Review { findings: found, tables }
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// The function that is called by the token here, outside of all functions, unless it may be.
fn early_call(list: &[(u32, Token)], at: usize, scopes: &[Scope]) -> Option<String> {
    if !matches!(list[at].1, Token::Sign("(" | "{") | Token::Literal) || at == 0 {
        return None;
    }
    let local = |name: &str| scopes.iter().any(|scope| scope.names.contains(&name));
    let before = |back: usize| at.checked_sub(back).map(|at| list[at].1);
    match list[at - 1].1 {
        Token::Name(word) if RESERVED.contains(&word) => None,
        Token::Name(word) => match (before(2), before(3)) {
            (Some(Token::Sign(".")), Some(Token::Name(library))) => {
                let joined = matches!(before(4), Some(Token::Sign("." | ":")));
                let may = match library {
                    "math" => true,
                    "string" => STRING_AT_LOAD.contains(&word),
                    "table" => TABLE_AT_LOAD.contains(&word),
                    _ => false,
                };
                (!may || joined || local(library)).then(|| format!("{library}.{word}"))
            }
            (Some(Token::Sign("." | ":")), _) => Some(word.to_owned()),
            _ => (!AT_LOAD.contains(&word) || local(word)).then(|| word.to_owned()),
        },
        Token::Sign(")" | "]") => Some("a function".to_owned()),
        _ => None,
    }
}

/// Whether a `for` goes through what `pairs`, `ipairs` or `gmatch` gives: anything else could be a table, whose order is
/// not looked at.
fn known_loop(list: &[(u32, Token)], at: usize, scopes: &[Scope]) -> bool {
    let sign = |at: usize, sign: &str| matches!(list.get(at), Some((_, Token::Sign(s))) if *s == sign);
    let name = |at: usize| match list.get(at) {
        Some((_, Token::Name(name))) => *name,
        _ => "",
    };
    let local = |name: &str| scopes.iter().any(|scope| scope.names.contains(&name));
    let mut open = match name(at) {
        "pairs" | "ipairs" if !local(name(at)) => at + 1,
        "string" if sign(at + 1, ".") && name(at + 2) == "gmatch" && !local("string") => at + 3,
        // A method of anything else than a text could give a table.
        _ if sign(at, "(")
            && matches!(list.get(at + 1), Some((_, Token::Literal)))
            && sign(at + 2, ")")
            && sign(at + 3, ":")
            && name(at + 4) == "gmatch" =>
        {
            at + 5
        }
        _ => return false,
    };
    if !sign(open, "(") {
        return false;
    }
    let mut depth = 0;
    while open < list.len() {
        match list[open].1 {
            Token::Sign("(") => depth += 1,
            Token::Sign(")") => depth -= 1,
            _ => {}
        }
        open += 1;
        if depth == 0 {
            return name(open) == "do";
        }
    }
    // The end is missing: a syntax error, which is told elsewhere.
    true
}

/// Whether a name that is used here was declared outside of all functions.
fn module_level(scopes: &[Scope], name: &str) -> bool {
    scopes.iter().rev().find(|scope| scope.names.contains(&name)).is_some_and(|scope| scope.depth == 0)
}

/// The first names of what stands left of an assignment: `a.b[c], d = …` has `a` and `d`.
fn targets<'a>(list: &[(u32, Token<'a>)], assign: usize) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut at = assign;
    loop {
        // Backwards over one target: suffixes, then its first name.
        let mut first = None;
        while at > 0 {
            at -= 1;
            match list[at].1 {
                Token::Sign("]") => {
                    let mut open = 1;
                    while at > 0 && open > 0 {
                        at -= 1;
                        match list[at].1 {
                            Token::Sign("]") => open += 1,
                            Token::Sign("[") => open -= 1,
                            _ => {}
                        }
                    }
                }
                Token::Name(name) => {
                    if at > 0 && matches!(list[at - 1].1, Token::Sign("." | ":")) {
                        at -= 1;
                        continue;
                    }
                    first = Some(name);
                    break;
                }
                _ => break,
            }
        }
        let Some(name) = first else { return found };
        found.push(name);
        if at == 0 || list[at - 1].1 != Token::Sign(",") {
            return found;
        }
        at -= 1;
    }
}
