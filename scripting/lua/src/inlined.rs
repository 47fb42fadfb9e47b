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
    /// Where the call is made.
    pub site: CallSite,
    /// The name of the function that makes the call; `None` if it is anonymous.
    pub function: Option<String>,
}

/// Where a call is made. Lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallSite {
    /// In this line.
    Line(u32),
    /// In several lines of the function that begins here.
    Function(u32),
}

/// A function in a stack trace.
#[derive(Clone, Copy, Debug)]
pub enum Traced<'a> {
    /// A function with this name.
    Named(&'a str),
    /// A function that begins in this line, from 1. The compiler has no name for it.
    From(u32),
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

impl Known {
    fn is(&self, traced: Traced<'_>) -> bool {
        match traced {
            Traced::Named(name) => self.name.as_deref() == Some(name),
            Traced::From(line) => self.lines.0 == line,
        }
    }
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
    /// `function` is that of the stack trace, which is the caller if the compiler has removed the calls.
    ///
    /// `None` if the line belongs to that function itself, or if no such calls are known.
    pub fn to_line(&self, line: u32, function: Traced<'_>) -> Option<(String, Vec<InlinedCall>)> {
        let at_line = self.innermost(line)?;
        let mut outer = (1..self.functions.len()).filter(|at| self.functions[*at].is(function));
        let (Some(outer), None) = (outer.next(), outer.next()) else { return None };
        let own = self.functions[at_line].name.clone().filter(|_| at_line != outer)?;
        let mut search = Search { to: at_line, chain: Vec::new(), chains: Vec::new(), left: MOST_CALLS };
        search.follow(self, outer);
        let call = |caller: usize, site: CallSite| InlinedCall { site, function: self.functions[caller].name.clone() };
        let calls = match search.chains.as_slice() {
            _ if search.left == 0 => return None,
            [] => return None,
            [only] => only.iter().rev().map(|(caller, line)| call(*caller, CallSite::Line(*line))).collect(),
            _ => vec![call(outer, CallSite::Function(self.functions[outer].lines.0))],
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
        KnownCalls::of(text).to_line(line, Traced::Named(function))
    }

    fn call(line: u32, function: &str) -> InlinedCall {
        InlinedCall { site: CallSite::Line(line), function: Some(function.to_owned()) }
    }

    #[test]
    fn removed_calls_are_found_from_the_line_outward() {
        let known = inlined_calls(SCRIPT, 3, "play");
        assert_eq!(known, Some(("deeper".to_owned(), vec![call(6, "middle"), call(9, "play")])));
        assert_eq!(inlined_calls(SCRIPT, 3, "middle"), Some(("deeper".to_owned(), vec![call(6, "middle")])));
    }

    #[test]
    fn of_several_calls_the_function_is_known() {
        let twice = InlinedCall { site: CallSite::Function(11), ..call(0, "twice") };
        assert_eq!(inlined_calls(SCRIPT, 3, "twice"), Some(("deeper".to_owned(), vec![twice])));
    }

    #[test]
    fn an_anonymous_function_is_known_by_its_line() {
        let script = "local function b()\n  error(1)\nend\nlocal M = {}\nM.a = function()\n  b()\nend\nreturn M\n";
        let known = KnownCalls::of(script);
        let anonymous = call(6, "a");
        assert_eq!(known.to_line(2, Traced::From(5)), Some(("b".to_owned(), vec![anonymous])));
        assert_eq!(known.to_line(6, Traced::From(5)), None);
        assert_eq!(known.to_line(2, Traced::From(3)), None);
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
