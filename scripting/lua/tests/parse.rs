//! The tree of a script, and its errors.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use principes_lua::tree::{Chunk, Expr, ExprKind, Note, StmtKind};
use principes_lua::{DEEPEST, Extension, Parsed, SyntaxErrorKind, parse};

fn tree(text: &str) -> Chunk {
    let Parsed { chunk, errors } = parse(text);
    assert!(errors.is_empty(), "{text}: {errors:?}");
    chunk
}

/// The errors in a text: range and message.
fn errors_of(text: &str) -> Vec<(String, String)> {
    parse(text).errors.iter().map(|error| (text[error.span.clone()].to_owned(), error.to_string())).collect()
}

fn one(text: &str) -> (String, String) {
    let errors_of = errors_of(text);
    assert_eq!(errors_of.len(), 1, "{text}: {errors_of:?}");
    errors_of.into_iter().next().unwrap()
}

fn pair(place: &str, message: &str) -> (String, String) {
    (place.to_owned(), message.to_owned())
}

#[test]
fn names_are_resolved() {
    let text = "local M = {}\nlocal n = 0\n-- Adds.\n---@param by? integer\nfunction M.add(by)\n  n = n + (by or x)\nend\nreturn M";
    let chunk = tree(text);
    assert_eq!(chunk.functions.len(), 2);
    let names: Vec<(&str, bool, bool)> =
        chunk.locals.iter().map(|l| (l.name.text.as_str(), l.captured, l.assigned)).collect();
    assert_eq!(names, vec![("M", false, false), ("n", true, true), ("by", false, false)]);
    let note = Note { name: "by".to_owned(), optional: true, ty: "integer".to_owned() };
    assert_eq!(chunk.functions[1].notes, vec![note]);
    assert_eq!(&text[chunk.functions[1].head.clone()], "function M.add(by)");
    assert_eq!(&text[chunk.functions[1].open.clone()], "(");
    assert_eq!(chunk.comments.len(), 2);
}

#[test]
fn operators_bind_as_in_lua() {
    fn show(e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(sign, a, b) => format!("({} {sign} {})", show(a), show(b)),
            ExprKind::Unary(sign, a) => format!("({sign} {})", show(a)),
            ExprKind::Number => "0".to_owned(),
            ExprKind::Text(text) | ExprKind::Global(text) => text.clone(),
            other => panic!("{other:?}"),
        }
    }
    let chunk = tree("return 1 + 2 * 3 ^ 2 ^ 2 .. 'a' .. 'b' == x and not y or -z");
    let StmtKind::Return { values } = &chunk.functions[0].body[0].kind else { panic!("a return") };
    assert_eq!(show(&values[0]), "(((((0 + (0 * (0 ^ (0 ^ 0)))) .. (a .. b)) == x) and (not y)) or (- z))");
}

#[test]
fn spans_are_ranges_of_the_text() {
    let text = "local a = 1 -- one\nif a then f(a) elseif b then return else g() end; a.b = { x = 1 }";
    let chunk = tree(text);
    let spans: Vec<&str> = chunk.functions[0].body.iter().map(|stmt| &text[stmt.span.clone()]).collect();
    assert_eq!(spans[0], "local a = 1");
    assert_eq!(spans[2], "a.b = { x = 1 }");
    let StmtKind::If { arms, otherwise, end } = &chunk.functions[0].body[1].kind else { panic!("an if") };
    let keywords: Vec<&str> = arms.iter().map(|arm| &text[arm.keyword.clone()]).collect();
    assert_eq!(keywords, ["if", "elseif"]);
    assert_eq!(&text[otherwise.as_ref().unwrap().keyword.clone()], "else");
    assert_eq!(&text[end.clone()], "end");
    let text = "a --[[ b ]] -- c\n.d()";
    let chunk = tree(text);
    assert_eq!(chunk.comments.len(), 2);
    assert_eq!(&text[chunk.next_token(text, 1)..], ".d()");
}

#[test]
fn errors_point_at_the_wrong_token() {
    assert_eq!(one("function M.play(self seat) end"), pair("seat", "expected `,` or `)`, found `seat`"));
    assert_eq!(one("x + y"), pair("+", "expected `=` or a call, found `+`"));
    assert_eq!(one("if x then y()"), pair(")", "expected `end`, found the end of the file"));
    assert_eq!(one("local s = \"abc\nreturn s"), pair("\"abc", "unclosed string"));
    assert_eq!(one("f('a\\256')"), pair("\\256", "invalid escape"));
    assert_eq!(one("break"), pair("break", "`break` outside a loop"));
    assert_eq!(one("continue"), pair("continue", "`continue` outside a loop"));
    let inside = "while a do local f = function() continue end end";
    assert_eq!(one(inside), pair("continue", "`continue` outside a loop"));
    assert_eq!(one("x = (1 + 2"), pair("2", "expected `)`, found the end of the file"));
    assert_eq!(one("x = é"), pair("é", "`é` has no meaning in Lua"));
    assert_eq!(one("f() = 1"), pair("f()", "cannot assign to this; expected a variable or a field"));
    assert_eq!(
        one("a = b\n(c)()").1.split(',').next(),
        Some("ambiguous parenthesis: it could start a statement or call the line before")
    );
    assert_eq!(one("function f() return ... end").0, "...");
    assert_eq!(one("@native function f() end").1, "scripts may not use attributes");
    let help = |text: &str| parse(text).errors[0].help();
    assert_eq!(help("do\n f()").as_deref(), Some("it closes the `do` of line 1"));
    assert!(parse("return f{a = 1; 2, ['b'] = [[c]]}, g'x', a.b:c(...), 0x1F, 1e-3, '\\065'").errors.is_empty());
}

#[test]
fn clear_mistakes_have_fixes_and_hide_no_other_errors() {
    let text = "if a != b && c || !d then f(null) end\nlocal x = = 1\nfunction g()\n  x++\n  // note\n  if x = 1 then end\nend\n";
    let errors = parse(text).errors;
    let fixes: Vec<String> = errors
        .iter()
        .filter_map(|error| error.fix.as_ref())
        .map(|fix| format!("{} -> {}", &text[fix.span.clone()], fix.with))
        .collect();
    let wanted =
        ["!= -> ~=", "&& -> and", "|| -> or", "! -> not ", "null -> nil", "x++ -> x = x + 1", "// -> --", "= -> =="];
    assert_eq!(fixes, wanted);
    assert_eq!(errors.len(), wanted.len() + 1, "{errors:?}");
    let text = "function f()\n  if a then\n    b()\n  else if c then\n    d()\n  end\nend\n";
    let errors = parse(text).errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    let fix = errors[0].fix.as_ref().unwrap();
    assert_eq!((&text[fix.span.clone()], fix.with.as_str()), ("else if", "elseif"));
}

#[test]
fn errors_of_other_functions_are_reported_too() {
    let text = "function f()\n  local = 1\nend\n\nfunction g()\n  return 1 +\nend\n\nlocal h = 'x\nreturn 1 1\n";
    let places: Vec<usize> =
        parse(text).errors.iter().map(|error| 1 + text[..error.span.start].matches('\n').count()).collect();
    assert_eq!(places, [2, 7, 9]);
}

#[test]
fn features_beyond_lua_51_are_reported() {
    for (text, extension, place) in [
        ("x += 1", Extension::Compound("+="), "+="),
        ("while a do continue end", Extension::Continue, "continue"),
        ("x = a // b", Extension::FloorDivision, "//"),
        ("x = if a then 1 elseif b then 2 else 3", Extension::IfExpression, "if"),
        ("x = `a{b}c`", Extension::Interpolation, "`a{"),
        ("x = 1_000", Extension::Number, "1_000"),
        ("x = 0b11", Extension::Number, "0b11"),
        ("x = 'a\\x41'", Extension::Escape, "\\x41"),
        ("local x: number = 1", Extension::Types, ":"),
        ("x = y :: { [string]: (a: T) -> ...any }?", Extension::Types, "::"),
        ("type T<U> = { read x: U } | nil", Extension::Types, "type"),
        ("const x = 1", Extension::Const, "const"),
    ] {
        let chunk = tree(text);
        let found: Vec<_> = chunk.extensions.iter().map(|(what, span)| (*what, &text[span.clone()])).collect();
        assert_eq!(found, [(extension, place)], "{text}");
        let errors = parse(text).into_lua51().unwrap_err().errors;
        assert!(
            matches!(errors.as_slice(), [error] if error.kind == SyntaxErrorKind::Beyond(extension)),
            "{text}: {errors:?}"
        );
        assert!(errors[0].to_string().starts_with("scripts are written in Luau, but may not use "), "{errors:?}");
    }
}

fn hostile(times: usize) -> Vec<String> {
    vec![
        "x = ".to_owned() + &"(".repeat(times),
        "x = 1".to_owned() + &" + 1".repeat(times),
        "x = 1".to_owned() + &" .. 1".repeat(times),
        "x = a".to_owned() + &".a".repeat(times),
        "x = ".to_owned() + &"- ".repeat(times) + "1",
        "x = ".to_owned() + &"not ".repeat(times) + "1",
        "do ".repeat(times),
        "repeat ".repeat(times),
        "while a do ".repeat(times),
        "if a then ".repeat(times),
        "if a then else ".repeat(times),
        "x = ".to_owned() + &"{".repeat(times),
        "x = ".to_owned() + &"function() return ".repeat(times),
        "x = ".to_owned() + &"if a then b else ".repeat(times),
        "x = ".to_owned() + &"if a then b elseif ".repeat(times),
        "x = ".to_owned() + &"`{".repeat(times),
        "x = ".to_owned() + &"a[".repeat(times),
        "f".to_owned() + &"{f".repeat(times),
        "f".to_owned() + &"()".repeat(times),
        "local x: ".to_owned() + &"{".repeat(times),
        "local x: ".to_owned() + &"(".repeat(times),
    ]
}

#[test]
fn nesting_is_limited() {
    for text in hostile(5_000) {
        assert!(!parse(&text).errors.is_empty(), "{}", &text[..30]);
    }
    // As deep as allowed, on the stack of every thread.
    let deep = || hostile(usize::from(DEEPEST)).iter().map(|text| parse(text).errors.len()).sum::<usize>();
    std::thread::Builder::new().stack_size(2 << 20).spawn(deep).unwrap().join().unwrap();
}

#[test]
fn time_is_linear() {
    let shapes: [fn(usize) -> String; 10] = [
        |n| "[=".repeat(n),
        |n| "--[[ ".repeat(n),
        |n| "[[ ".repeat(n),
        |n| "local a = 1 ".repeat(n),
        |n| "local function f() end ".repeat(n),
        |n| " ".repeat(n) + &"local function f() end ".repeat(n / 10),
        |n| "\u{1}".repeat(n),
        |n| "§ ".repeat(n),
        |n| "end\n".repeat(n),
        |n| "'\n".repeat(n),
    ];
    for (at, shape) in shapes.iter().enumerate() {
        let text = shape(50_000);
        let begun = Instant::now();
        let parsed = parse(&text);
        assert!(begun.elapsed() < Duration::from_secs(3), "shape {at} took {:?}", begun.elapsed());
        assert!(parsed.errors.len() <= 21, "shape {at}");
    }
}
