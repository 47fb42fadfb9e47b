//! Calls that the compiler has removed. It runs small functions inside their callers, so stack traces lack them.

use crate::callees::{Callees, Cost};
use crate::lines::Lines;
use crate::parser::parse;
use crate::tree::{ExprKind, Function};
use crate::visit::each_expr;

/// The longest chain of removed calls that is looked for.
const LONGEST_CHAIN: usize = 6;

/// The most calls that a search looks at. Nobody writes a script that needs more.
const MOST_CALLS: usize = 10_000;

/// A call that a stack trace should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlinedCall {
    /// The line of the call, from 1; the line where its function begins if there are several such calls.
    pub line: u32,
    /// The name of the function that makes the call.
    pub function: Option<String>,
}

/// Which function of a script calls which, as far as the compiler may know it.
#[derive(Debug)]
pub struct KnownCalls {
    functions: Vec<Known>,
}

/// A function.
#[derive(Debug)]
struct Known {
    name: Option<String>,
    /// Its first and last line.
    lines: (u32, u32),
    /// The functions that it calls, and the lines of these calls.
    calls: Vec<(usize, u32)>,
}

impl KnownCalls {
    /// The calls of a script.
    pub fn of(text: &str) -> Self {
        let chunk = parse(text).chunk;
        let lines = Lines::of(text);
        let line = |byte: usize| lines.at(byte) as u32;
        let callees = Callees::of(&chunk);
        let known = |function: &Function| {
            let mut calls = Vec::new();
            each_expr(&function.body, &mut |expr| {
                if let ExprKind::Call { callee, .. } = &expr.kind
                    && let Cost::Body(called) = callees.cost(callee)
                {
                    calls.push((called, line(expr.span.start)));
                }
            });
            let name = function.name.as_ref().map(|name| name.text.clone());
            Known { name, lines: (line(function.head.start), line(function.end.start)), calls }
        };
        KnownCalls { functions: chunk.functions.iter().map(known).collect() }
    }

    /// The calls that led from a function to a line, innermost first, and the name of the function that has the line.
    /// `function` is the name in the stack trace, which is that of the caller if the compiler has removed the calls.
    ///
    /// `None` if the line belongs to that function itself, or if no such calls are known.
    pub fn to_line(&self, line: u32, function: &str) -> Option<(String, Vec<InlinedCall>)> {
        let at_line = self.innermost(line)?;
        let own = self.functions[at_line].name.clone().filter(|own| own != function)?;
        let is_outer = |at: &usize| self.functions[*at].name.as_deref() == Some(function);
        let mut outer = (0..self.functions.len()).filter(is_outer);
        let (Some(outer), None) = (outer.next(), outer.next()) else { return None };
        let mut search = Search { to: at_line, chain: Vec::new(), chains: Vec::new(), left: MOST_CALLS };
        search.follow(self, outer);
        let call =
            |(caller, line): &(usize, u32)| InlinedCall { line: *line, function: self.functions[*caller].name.clone() };
        let calls = match search.chains.as_slice() {
            _ if search.left == 0 => return None,
            [] => return None,
            [only] => only.iter().rev().map(call).collect(),
            _ => vec![call(&(outer, self.functions[outer].lines.0))],
        };
        Some((own, calls))
    }

    /// The innermost function that has a line. If several begin there, the last one.
    fn innermost(&self, line: u32) -> Option<usize> {
        let has = |at: &usize| {
            let (first, last) = self.functions[*at].lines;
            first <= line && line <= last
        };
        (1..self.functions.len()).filter(has).max_by_key(|at| (self.functions[*at].lines.0, *at))
    }
}

/// A search for chains of calls that end in a function.
struct Search {
    to: usize,
    /// Callers, and the lines of their calls.
    chain: Vec<(usize, u32)>,
    /// The chains, up to two of them.
    chains: Vec<Vec<(usize, u32)>>,
    /// How many more calls are looked at.
    left: usize,
}

impl Search {
    /// Follows all calls of a function.
    fn follow(&mut self, known: &KnownCalls, from: usize) {
        for (called, line) in &known.functions[from].calls {
            if self.left == 0 || self.chains.len() > 1 || self.chain.len() == LONGEST_CHAIN {
                return;
            }
            self.left -= 1;
            if *called == from || self.chain.iter().any(|(caller, _)| caller == called) {
                continue;
            }
            self.chain.push((from, *line));
            match *called == self.to {
                true => self.chains.push(self.chain.clone()),
                false => self.follow(known, *called),
            }
            self.chain.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "local M = {}
local function deeper(seat)
  add(counter.gold, 10 / 4, seat)
end
local function middle(seat)
  deeper(seat)
end
function M.play(self, seat)
  middle(seat)
end
function M.twice(self, seat)
  deeper(seat)
  deeper(seat)
end
return M
";

    fn inlined_calls(text: &str, line: u32, function: &str) -> Option<(String, Vec<InlinedCall>)> {
        KnownCalls::of(text).to_line(line, function)
    }

    fn call(line: u32, function: &str) -> InlinedCall {
        InlinedCall { line, function: Some(function.to_owned()) }
    }

    #[test]
    fn removed_calls_are_found_from_the_line_outward() {
        let known = inlined_calls(SCRIPT, 3, "play");
        assert_eq!(known, Some(("deeper".to_owned(), vec![call(6, "middle"), call(9, "play")])));
        assert_eq!(inlined_calls(SCRIPT, 3, "middle"), Some(("deeper".to_owned(), vec![call(6, "middle")])));
    }

    #[test]
    fn of_several_calls_the_function_is_known() {
        assert_eq!(inlined_calls(SCRIPT, 3, "twice"), Some(("deeper".to_owned(), vec![call(11, "twice")])));
    }

    #[test]
    fn a_line_of_the_function_itself_needs_no_calls() {
        assert_eq!(inlined_calls(SCRIPT, 3, "deeper"), None);
        assert_eq!(inlined_calls(SCRIPT, 9, "play"), None);
        assert_eq!(inlined_calls(SCRIPT, 3, "unknown"), None);
        assert_eq!(inlined_calls("local function f(", 1, "f"), None);
        assert_eq!(inlined_calls("", 7, "f"), None);
    }

    #[test]
    fn a_search_among_very_many_calls_ends() {
        let all: String = (0..60).map(|at| format!("f{at}()")).collect::<Vec<_>>().join(" ");
        let functions: String = (0..60).map(|at| format!("local function f{at}() {all} end\n")).collect();
        let script = format!("{functions}local function last()\n  error(1)\nend\nlocal function first() {all} end\n");
        assert_eq!(inlined_calls(&script, 62, "first"), None);
    }

    #[test]
    fn recursion_ends() {
        let script = "local a\nlocal function b()\n  b()\n  a()\nend\nfunction a()\n  b()\nend\nreturn b\n";
        assert_eq!(inlined_calls(script, 4, "a"), Some(("b".to_owned(), vec![call(7, "a")])));
        let script = "local function b()\n  b()\n  error(1)\nend\nlocal function c()\n  b()\nend\nreturn c\n";
        assert_eq!(inlined_calls(script, 3, "c"), Some(("b".to_owned(), vec![call(6, "c")])));
    }
}
