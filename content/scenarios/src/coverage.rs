//! Which lines and branches of a pack's scripts have run.
//!
//! The interpreter counts lines. So that `if x then return end` gives two counts and not one, every statement is put on
//! a separate line before the text is compiled, and an `if` without `else` gets an empty `else`. Results are reported
//! for the original lines.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use principes_core::Catalog;
use principes_core::scripts::ScriptError;
use principes_lua::tree::{Function, Stmt, StmtKind};
use principes_lua::visit::each_stmt;
use principes_model::Loaded;
use principes_scripting::{LineHits, LuaHost, ScriptSource};

use crate::files::{own_modules, pack_under_test};
pub use crate::result::percent;

/// A branch that a script can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchKind {
    /// Into a function.
    Function,
    /// Into the body of a loop.
    Loop,
    /// Into the part after `then`.
    Then,
    /// Into the part after `else`, or past an `if` that has none.
    Else,
}

impl BranchKind {
    /// What never happened, in words.
    pub fn missed(self) -> &'static str {
        match self {
            BranchKind::Function => "function never called",
            BranchKind::Loop => "loop never entered",
            BranchKind::Then => "condition never true",
            BranchKind::Else => "condition never false",
        }
    }
}

/// A branch and how often it was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Line of the keyword that opens it, from 1.
    pub line: u32,
    /// Which way.
    pub way: BranchKind,
    /// How often.
    pub hits: u64,
}

/// Which lines and branches of a module have run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleCoverage {
    /// Its name.
    pub module: String,
    /// Its file as users name it.
    pub file: String,
    /// How often each line with code has run, from 1.
    pub lines: BTreeMap<u32, u64>,
    /// Its branches, in order of their lines.
    pub branches: Vec<Branch>,
}

impl ModuleCoverage {
    /// The number of lines that have run.
    pub fn lines_hit(&self) -> usize {
        self.lines.values().filter(|hits| **hits > 0).count()
    }
    /// The number of branches that were taken.
    pub fn branches_hit(&self) -> usize {
        self.branches.iter().filter(|branch| branch.hits > 0).count()
    }
    /// Ranges of lines that have not run.
    pub fn missed_lines(&self) -> Vec<Range<u32>> {
        let mut missed: Vec<Range<u32>> = Vec::new();
        let mut before = None;
        for (line, hits) in &self.lines {
            if *hits == 0 {
                match missed.last_mut() {
                    Some(last) if before == Some(last.end - 1) => last.end = line + 1,
                    _ => missed.push(*line..line + 1),
                }
            }
            before = Some(*line);
        }
        missed
    }
}

/// A script host that counts lines for [`measure`]. The lines in its errors are not those of the files.
pub fn counting_host(catalog: Arc<Catalog>, sources: &[ScriptSource]) -> Result<LuaHost, Vec<ScriptError>> {
    let spread: Vec<ScriptSource> =
        sources.iter().map(|source| source.clone().with_text(spread(&source.text).text)).collect();
    LuaHost::counting_lines(catalog, &spread)
}

/// The coverage of the modules of the pack under test, from the counts of a [`counting_host`].
pub fn measure(loaded: &Loaded, hits: &LineHits) -> Vec<ModuleCoverage> {
    let own = own_modules(loaded, pack_under_test(loaded));
    let scripts = loaded.scripts.iter().filter(|script| own.contains(script.module.as_str()));
    scripts
        .map(|script| {
            let none = BTreeMap::new();
            let hits = hits.get(&script.module).unwrap_or(&none);
            let spread = spread(&script.text);
            let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
            for (line, count) in hits {
                let Some(from) = spread.origins.get(*line as usize - 1).copied().flatten() else { continue };
                let most = lines.entry(from).or_default();
                *most = (*most).max(*count);
            }
            let taken = |(line, way, at): &(u32, BranchKind, u32)| {
                Some(Branch { line: *line, way: *way, hits: *hits.get(at)? })
            };
            let mut branches: Vec<Branch> = spread.branches.iter().filter_map(taken).collect();
            branches.sort_by_key(|branch| branch.line);
            ModuleCoverage { module: script.module.clone(), file: script.path.clone(), lines, branches }
        })
        .collect()
}

/// A text with every statement on a separate line.
#[derive(Default)]
struct Spread {
    text: String,
    /// The original line of each line; `None` for added lines.
    origins: Vec<Option<u32>>,
    /// Branches: line of the keyword, way, and the line in `text` that counts it.
    branches: Vec<(u32, BranchKind, u32)>,
}

fn spread(text: &str) -> Spread {
    let mut cuts = Cuts::default();
    let parsed = principes_lua::parse(text);
    if parsed.errors.is_empty() {
        parsed.chunk.functions.iter().enumerate().for_each(|(at, function)| cuts.function(text, at, function));
    }
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line_of = |at: usize| starts.partition_point(|start| *start <= at) as u32;
    let mut spread = Spread::default();
    // The new line on which each statement begins.
    let mut begins: BTreeMap<usize, u32> = BTreeMap::new();
    let mut at = 0;
    let mut origin = Some(1);
    for (cut, kind) in &cuts.places {
        for piece in text[at..*cut].split_inclusive('\n') {
            spread.text.push_str(piece);
            if piece.ends_with('\n') {
                spread.origins.push(origin);
                origin = Some(line_of(at + piece.len()));
            }
            at += piece.len();
        }
        match kind {
            Cut::Statement => {
                spread.text.push('\n');
                spread.origins.push(origin);
                origin = Some(line_of(*cut));
            }
            Cut::Else => {
                spread.text.push_str("\nelse\nlocal _\n");
                spread.origins.extend([origin, None, None]);
                origin = Some(line_of(*cut));
            }
        }
        let line = spread.origins.len() as u32;
        begins.insert(*cut, if *kind == Cut::Else { line } else { line + 1 });
    }
    spread.text.push_str(&text[at..]);
    spread.origins.push(origin);
    for _ in text[at..].matches('\n') {
        let next = spread.origins.last().copied().flatten().map(|line| line + 1);
        spread.origins.push(next);
    }
    let branch =
        |(keyword, way, counted): &(usize, BranchKind, usize)| Some((line_of(*keyword), *way, *begins.get(counted)?));
    spread.branches = cuts.branches.iter().filter_map(branch).collect();
    spread
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// A statement begins.
    Statement,
    /// The `end` of an `if` without `else`.
    Else,
}

/// Where line breaks are inserted, and the branches: offset of the keyword, kind, offset of the break that counts it.
#[derive(Default)]
struct Cuts {
    places: BTreeMap<usize, Cut>,
    branches: Vec<(usize, BranchKind, usize)>,
}

impl Cuts {
    /// A block that starts with a statement is counted by it.
    fn branch(&mut self, keyword: usize, way: BranchKind, block: &[Stmt]) {
        self.branches.extend(block.first().map(|first| (keyword, way, first.span.start)));
    }

    fn function(&mut self, text: &str, at: usize, function: &Function) {
        if at > 0 {
            self.branch(function.open.start, BranchKind::Function, &function.body);
        }
        each_stmt(&function.body, &mut |stmt| {
            // A parenthesis on a new line would be read as a call of what precedes it.
            if !text[stmt.span.start..].starts_with('(') {
                self.places.insert(stmt.span.start, Cut::Statement);
            }
            self.statement(stmt);
        });
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { arms, otherwise, end } => {
                for arm in arms {
                    self.branch(arm.keyword.start, BranchKind::Then, &arm.body);
                }
                let last = arms.last().map_or(stmt.span.start, |arm| arm.keyword.start);
                match otherwise {
                    Some(otherwise) => self.branch(otherwise.keyword.start, BranchKind::Else, &otherwise.body),
                    None => {
                        self.places.insert(end.start, Cut::Else);
                        self.branches.push((last, BranchKind::Else, end.start));
                    }
                }
            }
            StmtKind::While { body, .. } | StmtKind::Numeric { body, .. } | StmtKind::Generic { body, .. } => {
                self.branch(stmt.span.start, BranchKind::Loop, body);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_stand_on_lines_of_their_own() {
        let text = "local M = {}\nfunction M.f(a)\n  if a then return 1 end return 2\nend\nreturn M\n";
        let spread = spread(text);
        assert!(principes_lua::parse(&spread.text).errors.is_empty(), "{}", spread.text);
        let lines: Vec<(&str, Option<u32>)> = spread
            .text
            .lines()
            .zip(spread.origins.iter().copied())
            .filter(|(line, _)| !line.trim().is_empty())
            .collect();
        assert_eq!(
            lines,
            [
                ("local M = {}", Some(1)),
                ("function M.f(a)", Some(2)),
                ("if a then ", Some(3)),
                ("return 1 ", Some(3)),
                ("else", None),
                ("local _", None),
                ("end ", Some(3)),
                ("return 2", Some(3)),
                ("end", Some(4)),
                ("return M", Some(5)),
            ]
        );
        let at = |line: u32| spread.text.lines().nth(line as usize - 1).unwrap_or_default();
        let branches: Vec<(u32, BranchKind, &str)> =
            spread.branches.iter().map(|(line, way, counted)| (*line, *way, at(*counted))).collect();
        assert_eq!(
            branches,
            [
                (2, BranchKind::Function, "if a then "),
                (3, BranchKind::Then, "return 1 "),
                (3, BranchKind::Else, "local _")
            ]
        );
    }

    #[test]
    fn neighbors_are_told_together() {
        let lines = BTreeMap::from([(1, 1), (2, 0), (4, 0), (5, 1), (7, 0)]);
        let module = ModuleCoverage { module: String::new(), file: String::new(), lines, branches: Vec::new() };
        assert_eq!(module.missed_lines(), [2..5, 7..8]);
    }
}
