//! Places in Lua texts where a small change would be a mistake that an author could make.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use principes_lua::tree::{Chunk, Expr, ExprKind, Item, Name, Stmt, StmtKind};
use principes_lua::visit::{each_stmt, for_inner, parts, targets};
use principes_scripting::api::{Entry, entries};

use super::class::Class;
use super::json::other_numbers;
use super::site::{NamePool, Site, typo};

/// The least number of arguments of a library function.
const LIBRARY: [(&str, usize); 22] = [
    ("assert", 1),
    ("error", 1),
    ("import", 1),
    ("ipairs", 1),
    ("math.abs", 1),
    ("math.ceil", 1),
    ("math.clamp", 3),
    ("math.floor", 1),
    ("math.max", 1),
    ("math.min", 1),
    ("next", 1),
    ("pairs", 1),
    ("pcall", 1),
    ("select", 1),
    ("table.concat", 1),
    ("table.find", 2),
    ("table.insert", 2),
    ("table.remove", 1),
    ("table.sort", 1),
    ("tonumber", 1),
    ("tostring", 1),
    ("type", 1),
];

/// A line with this comment is not mutated.
const SKIP: &str = "mutate: skip";

/// All places of a script that can be changed; none if it cannot be parsed.
pub(super) fn sites(text: &str, names: &NamePool) -> Vec<Site> {
    let parsed = principes_lua::parse(text);
    if !parsed.errors.is_empty() {
        return Vec::new();
    }
    let chunk = &parsed.chunk;
    let declared = chunk.locals.iter().map(|local| local.name.text.as_str()).collect();
    let api = entries().map(|entry| (entry.name, entry)).collect();
    let mut finder = Finder { text, names, chunk, declared, api, depth: 0, sites: Vec::new() };
    finder.block(&chunk.functions[0].body);
    let mut sites = finder.sites;
    let skipped: Vec<Range<usize>> = skipped_lines(text);
    sites.retain(|site| !skipped.iter().any(|line| line.contains(&site.range.start)));
    sites
}

/// Lines with a comment that excludes them.
fn skipped_lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.split_once("--").is_some_and(|(_, comment)| comment.contains(SKIP)) {
            found.push(at..at + line.len());
        }
        at += line.len();
    }
    found
}

struct Finder<'a> {
    text: &'a str,
    names: &'a NamePool,
    chunk: &'a Chunk,
    /// Names that the script declares itself, which are not those of the API.
    declared: BTreeSet<&'a str>,
    api: BTreeMap<&'static str, &'static Entry>,
    /// The nesting depth of functions.
    depth: usize,
    sites: Vec<Site>,
}

impl<'a> Finder<'a> {
    fn add(&mut self, class: Class, range: Range<usize>, with: impl Into<String>) {
        let with = with.into();
        if self.text.get(range.clone()).is_some_and(|old| old != with) {
            self.sites.push(Site { class, range, with });
        }
    }

    fn source(&self, expr: &Expr) -> &'a str {
        &self.text[expr.span.clone()]
    }

    fn negate(&mut self, condition: &Expr) {
        let with = format!("not ({})", self.source(condition));
        self.add(Class::Condition, condition.span.clone(), with);
    }

    fn typo(&mut self, class: Class, name: &Name) {
        self.add(class, name.span.clone(), typo(&name.text));
    }

    fn is_api(&self, name: &str) -> bool {
        let first = name.split('.').next().unwrap_or_default();
        !self.declared.contains(first)
            && (self.api.contains_key(name) || LIBRARY.iter().any(|(library, _)| *library == name))
    }

    /// How many arguments a function needs; the others are optional.
    fn needed(&self, callee: Option<&str>) -> usize {
        let Some(name) = callee.filter(|name| self.is_api(name)) else { return usize::MAX };
        match self.api.get(name) {
            Some(entry) => entry.params.iter().filter(|param| !param.optional && !param.rest).count(),
            None => LIBRARY.iter().find(|(library, _)| *library == name).map_or(0, |(_, least)| *least),
        }
    }

    /// Whether a function takes sentences for people, in which a typo breaks nothing.
    fn is_for_people(&self, callee: Option<&str>) -> bool {
        callee.is_some_and(|name| ["assert", "error"].contains(&name) && !self.declared.contains(name))
    }

    /// A plain name.
    fn plain(&self, expr: &Expr) -> Option<Name> {
        matches!(expr.kind, ExprKind::Local(_) | ExprKind::Global(_))
            .then(|| Name { text: self.source(expr).to_owned(), span: expr.span.clone() })
    }

    /// A plain name, or a name and one field.
    fn callee(&self, callee: &Expr) -> Option<String> {
        match &callee.kind {
            ExprKind::Field(object, field) => Some(format!("{}.{}", self.plain(object)?.text, field.text)),
            _ => Some(self.plain(callee)?.text),
        }
    }

    // Statements ------------------------------------------------------------------------------------------------------

    fn block(&mut self, body: &'a [Stmt]) {
        each_stmt(body, &mut |stmt| self.statement(stmt));
    }

    fn function(&mut self, function: usize) {
        self.depth += 1;
        let chunk = self.chunk;
        self.block(&chunk.functions[function].body);
        self.depth -= 1;
    }

    fn statement(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::If { arms, .. } => arms.iter().for_each(|arm| self.negate(&arm.condition)),
            StmtKind::While { condition, .. } | StmtKind::Repeat { condition, .. } => self.negate(condition),
            StmtKind::Call(_) => self.dropped(stmt.span.clone(), Class::DroppedCall),
            StmtKind::Assign { .. } | StmtKind::Compound { .. } => {
                self.dropped(stmt.span.clone(), Class::DroppedAssignment);
            }
            StmtKind::Return { values } => {
                // What returns nothing returns nil.
                let is_nil = matches!(&values[..], [value] if matches!(value.kind, ExprKind::Nil));
                if let (Some(first), Some(last), false) = (values.first(), values.last(), is_nil) {
                    self.dropped(first.span.start..last.span.end, Class::DroppedReturn);
                }
            }
            StmtKind::LocalFunction { function, .. } => return self.function(*function),
            StmtKind::Function { function, .. } => return self.function(*function),
            _ => {}
        }
        targets(stmt).iter().for_each(|target| self.target(target));
        let mut values = Vec::new();
        parts(stmt, &mut |value| values.push(value), &mut |_| {});
        values.into_iter().for_each(|value| self.expr(value));
    }

    fn dropped(&mut self, range: Range<usize>, class: Class) {
        if self.depth > 0 {
            self.add(class, range, "");
        }
    }

    /// Assignments at the top level define the functions of the module.
    fn target(&mut self, target: &'a Expr) {
        match self.depth {
            0 => for_inner(target, &mut |inner| self.expr(inner)),
            _ => self.expr(target),
        }
    }

    // Expressions -----------------------------------------------------------------------------------------------------

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Call { .. } | ExprKind::Method { .. } => {
                return self.chain(expr);
            }
            ExprKind::Binary(sign, left, right) => {
                self.operator(sign, left.span.end);
                self.operands(sign, left, right);
            }
            ExprKind::Unary("not", inner) => self.add(Class::Condition, expr.span.clone(), self.source(inner)),
            ExprKind::Unary("-", _) => self.add(Class::Arithmetic, expr.span.start..expr.span.start + 1, ""),
            ExprKind::Number | ExprKind::Text(_) | ExprKind::True | ExprKind::False => self.literal(expr),
            ExprKind::Table(items) if self.depth > 0 => {
                for item in items {
                    if let Item::Named(key, _) = item {
                        self.typo(Class::FieldTypo, key);
                    }
                }
            }
            ExprKind::Function(function) => self.function(*function),
            _ => {}
        }
        let mut inner = Vec::new();
        for_inner(expr, &mut |part| inner.push(part));
        inner.into_iter().for_each(|part| self.expr(part));
    }

    /// Indexes and calls after an expression.
    fn chain(&mut self, expr: &'a Expr) {
        let (mut links, mut root) = (Vec::new(), expr);
        while let ExprKind::Field(inner, _)
        | ExprKind::Index(inner, _)
        | ExprKind::Call { callee: inner, .. }
        | ExprKind::Method { object: inner, .. } = &root.kind
        {
            links.push(root);
            root = inner;
        }
        links.reverse();
        let name = self.plain(root);
        let is_call = matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Method { .. });
        // Assignments at the top level define the functions of the module.
        let of_constants = name.as_ref().is_some_and(|name| self.names.constants.contains_key(name.text.as_str()));
        let shows = is_call || self.depth > 0 || of_constants;
        if let Some(name) = name.filter(|_| shows) {
            self.names_of(&name, &links);
        }
        for link in links {
            let (callee, end, args) = match &link.kind {
                ExprKind::Call { callee, args } => (self.callee(callee), callee.span.end, args.as_slice()),
                ExprKind::Method { name, args, .. } => (None, name.span.end, args.as_slice()),
                ExprKind::Index(_, key) => {
                    self.expr(key);
                    continue;
                }
                _ => continue,
            };
            if shows && self.text[self.chunk.next_token(self.text, end)..].starts_with('(') {
                self.arguments(callee.as_deref(), args);
            }
            let is_text = |arg: &&Expr| matches!(arg.kind, ExprKind::Text(_));
            let for_people = self.is_for_people(callee.as_deref());
            args.iter().filter(|arg| !(for_people && is_text(arg))).for_each(|arg| self.expr(arg));
        }
        self.expr(root);
    }

    /// A name with what follows it: a function of the API or of a module, a constant, a field.
    fn names_of(&mut self, name: &Name, links: &[&Expr]) {
        let word = name.text.as_str();
        let is_call = |at: usize| {
            matches!(links.get(at).map(|link| &link.kind), Some(ExprKind::Call { .. } | ExprKind::Method { .. }))
        };
        if let Some(ExprKind::Field(_, field)) = links.first().map(|link| &link.kind) {
            let full = format!("{word}.{}", field.text);
            if let (Some(ids), false) = (self.names.constants.get(word), self.declared.contains(word)) {
                self.typo(Class::ConstantTypo, field);
                if let Some(at) = ids.iter().position(|id| *id == field.text) {
                    self.add(Class::Constant, field.span.clone(), ids[(at + 1) % ids.len()].clone());
                }
            } else if self.is_api(&full) {
                self.typo(Class::ApiTypo, field);
                self.other(&full, field, links.get(1));
            } else if is_call(1) {
                self.typo(Class::FunctionTypo, field);
            } else {
                self.typo(Class::FieldTypo, field);
            }
        } else if is_call(0) && self.is_api(word) {
            self.typo(Class::ApiTypo, name);
            self.other(word, name, links.first());
        }
    }

    /// Another function of the same chapter with the same number of parameters, which also acts or also does not.
    fn other(&mut self, name: &str, place: &Name, call: Option<&&Expr>) {
        let Some(entry) = self.api.get(name) else { return };
        let plain = self.is_plain_counter(call);
        let is_same = |other: &str| {
            let both = |pair: [&str; 2]| pair.contains(&name) && pair.contains(&other);
            both(["playing", "led"]) || plain && both(["get", "raw"])
        };
        let alike: Vec<&Entry> = entries()
            .filter(|other| {
                (other.group, other.params.len(), other.acts) == (entry.group, entry.params.len(), entry.acts)
                    && other.name.contains('.') == name.contains('.')
                    && (other.name == name || !is_same(other.name))
            })
            .collect();
        let at = alike.iter().position(|other| other.name == name).unwrap_or(0);
        let next = alike[(at + 1) % alike.len()].name;
        self.add(Class::OtherCall, place.span.clone(), next.rsplit('.').next().unwrap_or(next));
    }

    /// Whether a call is about a counter that is not derived, which has only one value.
    fn is_plain_counter(&self, call: Option<&&Expr>) -> bool {
        let Some(ExprKind::Call { args, .. }) = call.map(|call| &call.kind) else { return false };
        let named = match args.first().map(|arg| &arg.kind) {
            Some(ExprKind::Field(table, field)) if self.source(table) == "counter" => Some(field.text.as_str()),
            _ => None,
        };
        named.map_or(self.names.derived.is_empty(), |name| !self.names.derived.contains(name))
    }

    fn arguments(&mut self, callee: Option<&str>, args: &[Expr]) {
        let needed = self.needed(callee);
        for (at, arg) in args.iter().enumerate() {
            let class = if at < needed { Class::DroppedArgument } else { Class::DroppedOption };
            let place = arg.span.clone();
            // The comma goes with it.
            let gap = match (args.get(at + 1), at.checked_sub(1)) {
                (Some(next), _) => place.start..next.span.start,
                (None, Some(before)) => args[before].span.end..place.end,
                (None, None) => place.clone(),
            };
            self.add(class, gap, "");
            // The order of these arguments does not matter.
            let any_order =
                matches!(callee, Some("math.max" | "math.min")) || callee == Some("distance") && self.names.mutual;
            if let Some(next) = args.get(at + 1).filter(|_| !any_order) {
                let between = &self.text[place.end..next.span.start];
                let with = format!("{}{between}{}", self.source(next), self.source(arg));
                self.add(Class::SwappedArguments, place.start..next.span.end, with);
            }
        }
    }

    /// Each operand of `and` or `or`, left out. Those of a chain of the same operator are found one by one.
    fn operands(&mut self, sign: &str, left: &Expr, right: &Expr) {
        if !["and", "or"].contains(&sign) {
            return;
        }
        self.add(Class::DroppedOperand, left.span.end..right.span.end, "");
        if !matches!(left.kind, ExprKind::Binary(inner, ..) if inner == sign) {
            self.add(Class::DroppedOperand, left.span.start..right.span.start, "");
        }
    }

    /// The operator after a place.
    fn operator(&mut self, sign: &str, behind: usize) {
        let (class, with) = match sign {
            "<" => (Class::Comparison, "<="),
            "<=" => (Class::Comparison, "<"),
            ">" => (Class::Comparison, ">="),
            ">=" => (Class::Comparison, ">"),
            "==" => (Class::Comparison, "~="),
            "~=" => (Class::Comparison, "=="),
            "+" => (Class::Arithmetic, "-"),
            "-" | "*" => (Class::Arithmetic, "+"),
            "/" | "//" | "%" => (Class::Arithmetic, "*"),
            "and" => (Class::Condition, "or"),
            "or" => (Class::Condition, "and"),
            _ => return,
        };
        let start = self.chunk.next_token(self.text, behind);
        self.add(class, start..start + sign.len(), with);
    }

    fn literal(&mut self, expr: &Expr) {
        let range = expr.span.clone();
        match &expr.kind {
            ExprKind::Number => {
                for other in other_numbers(self.source(expr).parse().ok()) {
                    // After another hyphen, a hyphen would begin a comment.
                    let with = if other < 0 { format!("({other})") } else { other.to_string() };
                    self.add(Class::Literal, range.clone(), with);
                }
            }
            ExprKind::Text(_) if range.len() > 3 && !self.source(expr).starts_with('[') => {
                let inner = range.start + 1..range.end - 1;
                self.add(Class::WordTypo, inner.clone(), typo(&self.text[inner]));
            }
            ExprKind::True => self.add(Class::Literal, range, "false"),
            ExprKind::False => self.add(Class::Literal, range, "true"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, class: Class) -> Vec<String> {
        let mut names = NamePool::default();
        names.constants.insert("kind", vec!["knight".to_owned(), "footman".to_owned()]);
        let found = sites(text, &names).into_iter().filter(|site| site.class == class);
        found.map(|site| format!("{}{}{}", &text[..site.range.start], site.with, &text[site.range.end..])).collect()
    }

    #[test]
    fn each_class_makes_its_change() {
        let body = |line: &str| format!("function M.f(seat) {line} end");
        for (class, line, with) in [
            (
                Class::Condition,
                "if a and b then c() end",
                vec!["if not (a and b) then c() end", "if a or b then c() end"],
            ),
            (Class::Condition, "x(not y)", vec!["x(y)"]),
            (Class::Comparison, "x = a <= b", vec!["x = a < b"]),
            (Class::Arithmetic, "x = a - 1", vec!["x = a + 1"]),
            (Class::DroppedOperand, "x = a and b", vec!["x = a", "x = b"]),
            (
                Class::DroppedOperand,
                "x = a and f(b) and not c or d",
                vec![
                    "x = f(b) and not c or d",
                    "x = a and not c or d",
                    "x = a and f(b) or d",
                    "x = a and f(b) and not c",
                    "x = d",
                ],
            ),
            (Class::DroppedOperand, "x = (a or b) == c", vec!["x = (a) == c", "x = (b) == c"]),
            (Class::Literal, "x = 3", vec!["x = 4", "x = 2", "x = 0", "x = (-3)"]),
            (Class::Literal, "x = 1", vec!["x = 2", "x = 0", "x = (-1)"]),
            (Class::Literal, "return true", vec!["return false"]),
            (Class::Constant, "x = kind.knight", vec!["x = kind.footman"]),
            (Class::ConstantTypo, "x = kind.knight", vec!["x = kind.kinght"]),
            (Class::ApiTypo, "place(a, b, c)", vec!["palce(a, b, c)"]),
            (Class::FunctionTypo, "hand.window(a)", vec!["hand.wnidow(a)"]),
            (Class::FieldTypo, "x = self.swords", vec!["x = self.sowrds"]),
            (Class::WordTypo, "x = \"found\"", vec!["x = \"fuond\""]),
            (Class::DroppedArgument, "f(a, b)", vec!["f(b)", "f(a)"]),
            (Class::DroppedOption, "choose(a, b, c, d)", vec!["choose(a, b, c)"]),
            (Class::SwappedArguments, "f(a, b)", vec!["f(b, a)"]),
            (Class::DroppedCall, "f(a)", vec![""]),
            (Class::DroppedAssignment, "x = 1", vec![""]),
            (Class::DroppedReturn, "return x", vec!["return "]),
        ] {
            let mut found = changed(&body(line), class);
            let mut wanted: Vec<String> = with.iter().map(|line| body(line)).collect();
            found.sort();
            wanted.sort();
            assert_eq!(found, wanted, "{class:?} of {line}");
        }
    }

    #[test]
    fn what_changes_nothing_is_left_alone() {
        let found = |line: &str, class| changed(&format!("function M.f(seat) {line} end"), class);
        assert!(found("x = get(counter.gold, seat)", Class::OtherCall).iter().all(|text| !text.contains("raw(")));
        assert!(found("return nil", Class::DroppedReturn).is_empty());
        assert!(!found("return false", Class::DroppedReturn).is_empty());
        assert!(found("x = playing(seat)", Class::OtherCall).iter().all(|text| !text.contains("led(")));
        assert!(found("x = led(seat)", Class::OtherCall).iter().all(|text| !text.contains("playing(")));
        let mut names = NamePool { mutual: true, ..NamePool::default() };
        names.derived.insert("might".to_owned());
        let all = |text: &str| sites(text, &names).into_iter().map(|site| (site.class, site.with)).collect::<Vec<_>>();
        let derived = all("function M.f(seat) x = get(counter.might, seat) end");
        assert!(derived.contains(&(Class::OtherCall, "raw".to_owned())), "{derived:?}");
        assert!(
            !all("function M.f(a, b) x = distance(a, b) end").contains(&(Class::SwappedArguments, "b, a".to_owned()))
        );
    }

    #[test]
    fn a_marked_line_is_left_alone() {
        assert!(changed("function M.f() return 1 end -- mutate: skip, both are right", Class::Literal).is_empty());
    }

    #[test]
    fn names_of_the_text_itself_are_not_the_api() {
        assert!(changed("local function place(a) end function M.f() place(1) end", Class::ApiTypo).is_empty());
    }
}
