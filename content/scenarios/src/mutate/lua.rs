//! Places in Lua texts where a small change would be a mistake that somebody could make.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use full_moon::ast::*;
use full_moon::node::Node;
use full_moon::tokenizer::{Symbol, TokenReference, TokenType};
use full_moon::visitors::Visitor;
use principes_scripting::api::{Entry, entries};

use super::{Class, NamePool, Site, typo};

/// How many arguments a library function needs at least.
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

/// A comment with these words keeps its line from being changed.
const SKIP: &str = "mutate: skip";

/// All places of a Lua text; none where it is not Lua.
pub(super) fn sites(text: &str, names: &NamePool) -> Vec<Site> {
    let Ok(tree) = full_moon::parse(text) else { return Vec::new() };
    let mut declared = Declared::default();
    declared.visit_ast(&tree);
    let api = entries().map(|entry| (entry.name, entry)).collect();
    let mut finder = Finder { text, names, declared: declared.names, api, depth: 0, sites: Vec::new() };
    finder.visit_ast(&tree);
    let mut sites = finder.sites;
    let skipped: Vec<Range<usize>> = skipped_lines(text);
    sites.retain(|site| !skipped.iter().any(|line| line.contains(&site.range.start)));
    sites
}

/// Lines with a comment that says so.
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

/// NamePool that the text declares itself: they are no names of the API.
#[derive(Default)]
struct Declared {
    names: BTreeSet<String>,
}

impl Declared {
    fn add(&mut self, token: &TokenReference) {
        self.names.insert(token.token().to_string());
    }
}

impl Visitor for Declared {
    fn visit_local_assignment(&mut self, node: &LocalAssignment) {
        node.names().iter().for_each(|name| self.add(name));
    }
    fn visit_local_function(&mut self, node: &LocalFunction) {
        self.add(node.name());
    }
    fn visit_generic_for(&mut self, node: &GenericFor) {
        node.names().iter().for_each(|name| self.add(name));
    }
    fn visit_numeric_for(&mut self, node: &NumericFor) {
        self.add(node.index_variable());
    }
    fn visit_parameter(&mut self, node: &Parameter) {
        if let Parameter::Name(name) = node {
            self.add(name);
        }
    }
}

struct Finder<'a> {
    text: &'a str,
    names: &'a NamePool,
    declared: BTreeSet<String>,
    api: BTreeMap<&'static str, &'static Entry>,
    /// How many functions we are inside of.
    depth: usize,
    sites: Vec<Site>,
}

fn range(node: &impl Node) -> Option<Range<usize>> {
    let (start, end) = node.range()?;
    Some(start.bytes()..end.bytes())
}

/// A plain name, or a name and one field.
fn callee(prefix: &Prefix, before: &[&Suffix]) -> Option<String> {
    let Prefix::Name(name) = prefix else { return None };
    match before {
        [] => Some(name.token().to_string()),
        [Suffix::Index(Index::Dot { name: field, .. })] => Some(format!("{}.{}", name.token(), field.token())),
        _ => None,
    }
}

impl Finder<'_> {
    fn add(&mut self, class: Class, range: Range<usize>, with: impl Into<String>) {
        let with = with.into();
        if self.text.get(range.clone()).is_some_and(|old| old != with) {
            self.sites.push(Site { class, range, with });
        }
    }

    fn negate(&mut self, condition: &Expression) {
        if let Some(range) = range(condition) {
            let with = format!("not ({})", &self.text[range.clone()]);
            self.add(Class::Condition, range, with);
        }
    }

    fn typo(&mut self, class: Class, token: &TokenReference) {
        if let Some(range) = range(token) {
            self.add(class, range, typo(&token.token().to_string()));
        }
    }

    fn is_api(&self, name: &str) -> bool {
        let first = name.split('.').next().unwrap_or_default();
        !self.declared.contains(first)
            && (self.api.contains_key(name) || LIBRARY.iter().any(|(library, _)| *library == name))
    }

    /// How many arguments a function needs; what stands after them may be left out.
    fn needed(&self, callee: Option<&str>) -> usize {
        let Some(name) = callee.filter(|name| self.is_api(name)) else { return usize::MAX };
        match self.api.get(name) {
            Some(entry) => entry.params.iter().filter(|param| !param.optional && !param.rest).count(),
            None => LIBRARY.iter().find(|(library, _)| *library == name).map_or(0, |(_, least)| *least),
        }
    }

    /// Indexes and calls that follow a name.
    fn chain(&mut self, prefix: &Prefix, suffixes: &[&Suffix]) {
        if let Prefix::Name(name) = prefix {
            self.names_of(name, suffixes);
        }
        for (at, suffix) in suffixes.iter().enumerate() {
            match suffix {
                Suffix::Call(Call::AnonymousCall(args)) => {
                    self.arguments(callee(prefix, &suffixes[..at]).as_deref(), args)
                }
                Suffix::Call(Call::MethodCall(call)) => self.arguments(None, call.args()),
                _ => {}
            }
        }
    }

    /// A name with what follows it: a function of the API or of a module, a constant, a field.
    fn names_of(&mut self, name: &TokenReference, suffixes: &[&Suffix]) {
        let word = name.token().to_string();
        let is_call = |at: usize| matches!(suffixes.get(at), Some(Suffix::Call(_)));
        if let Some(Suffix::Index(Index::Dot { name: field, .. })) = suffixes.first() {
            let member = field.token().to_string();
            if let (Some(ids), false) = (self.names.constants.get(word.as_str()), self.declared.contains(&word)) {
                self.typo(Class::ConstantTypo, field);
                let at = ids.iter().position(|id| *id == member);
                if let (Some(at), Some(range)) = (at, range(field)) {
                    self.add(Class::Constant, range, ids[(at + 1) % ids.len()].clone());
                }
            } else if self.is_api(&format!("{word}.{member}")) {
                self.typo(Class::ApiTypo, field);
                self.other(&format!("{word}.{member}"), field);
            } else if is_call(1) {
                self.typo(Class::FunctionTypo, field);
            } else {
                self.typo(Class::FieldTypo, field);
            }
        } else if is_call(0) && self.is_api(&word) {
            self.typo(Class::ApiTypo, name);
            self.other(&word, name);
        }
    }

    /// Another function of the same chapter that takes as many arguments and acts, or does not, as this one.
    fn other(&mut self, name: &str, token: &TokenReference) {
        let Some(entry) = self.api.get(name) else { return };
        let alike: Vec<&Entry> = entries()
            .filter(|other| {
                (other.group, other.params.len(), other.acts) == (entry.group, entry.params.len(), entry.acts)
                    && other.name.contains('.') == name.contains('.')
            })
            .collect();
        let at = alike.iter().position(|other| other.name == name).unwrap_or(0);
        let next = alike[(at + 1) % alike.len()].name;
        if let Some(range) = range(token) {
            self.add(Class::OtherCall, range, next.rsplit('.').next().unwrap_or(next));
        }
    }

    fn arguments(&mut self, callee: Option<&str>, args: &FunctionArgs) {
        let FunctionArgs::Parentheses { arguments, .. } = args else { return };
        let places: Vec<Range<usize>> = arguments.iter().filter_map(range).collect();
        let needed = self.needed(callee);
        for (at, place) in places.iter().enumerate() {
            let class = if at < needed { Class::DroppedArgument } else { Class::DroppedOption };
            // With the comma that parts it from its neighbour.
            let gap = match (places.get(at + 1), at.checked_sub(1)) {
                (Some(next), _) => place.start..next.start,
                (None, Some(before)) => places[before].end..place.end,
                (None, None) => place.clone(),
            };
            self.add(class, gap, "");
            // The order of these does not matter.
            let any_order = matches!(callee, Some("math.max" | "math.min"));
            if let Some(next) = places.get(at + 1).filter(|_| !any_order) {
                let whole = place.start..next.end;
                let (first, second) = (&self.text[place.clone()], &self.text[next.clone()]);
                let with = format!("{second}{}{first}", &self.text[place.end..next.start]);
                self.add(Class::SwappedArguments, whole, with);
            }
        }
    }

    fn operator(&mut self, operator: &BinOp) {
        let (class, with) = match operator {
            BinOp::LessThan(_) => (Class::Comparison, "<="),
            BinOp::LessThanEqual(_) => (Class::Comparison, "<"),
            BinOp::GreaterThan(_) => (Class::Comparison, ">="),
            BinOp::GreaterThanEqual(_) => (Class::Comparison, ">"),
            BinOp::TwoEqual(_) => (Class::Comparison, "~="),
            BinOp::TildeEqual(_) => (Class::Comparison, "=="),
            BinOp::Plus(_) => (Class::Arithmetic, "-"),
            BinOp::Minus(_) => (Class::Arithmetic, "+"),
            BinOp::Star(_) => (Class::Arithmetic, "+"),
            BinOp::Slash(_) | BinOp::DoubleSlash(_) | BinOp::Percent(_) => (Class::Arithmetic, "*"),
            BinOp::And(_) => (Class::Condition, "or"),
            BinOp::Or(_) => (Class::Condition, "and"),
            _ => return,
        };
        if let Some(range) = range(operator.token()) {
            self.add(class, range, with);
        }
    }

    fn literal(&mut self, token: &TokenReference) {
        let Some(range) = range(token) else { return };
        match token.token_type() {
            TokenType::Number { text } => {
                if let Ok(number) = text.parse::<i64>() {
                    self.add(Class::Literal, range.clone(), (number + 1).to_string());
                    self.add(Class::Literal, range, (number - 1).to_string());
                }
            }
            TokenType::StringLiteral { literal, .. } if literal.len() > 1 => {
                let inner = range.start + 1..range.end - 1;
                self.add(Class::WordTypo, inner, typo(literal));
            }
            TokenType::Symbol { symbol: Symbol::True } => self.add(Class::Literal, range, "false"),
            TokenType::Symbol { symbol: Symbol::False } => self.add(Class::Literal, range, "true"),
            _ => {}
        }
    }

    fn dropped(&mut self, statement: &impl Node, class: Class) {
        if self.depth > 0
            && let Some(range) = range(statement)
        {
            self.add(class, range, "");
        }
    }
}

impl Visitor for Finder<'_> {
    fn visit_function_body(&mut self, _: &FunctionBody) {
        self.depth += 1;
    }
    fn visit_function_body_end(&mut self, _: &FunctionBody) {
        self.depth -= 1;
    }
    fn visit_if(&mut self, node: &If) {
        self.negate(node.condition());
    }
    fn visit_else_if(&mut self, node: &ElseIf) {
        self.negate(node.condition());
    }
    fn visit_while(&mut self, node: &While) {
        self.negate(node.condition());
    }
    fn visit_repeat(&mut self, node: &Repeat) {
        self.negate(node.until());
    }
    fn visit_expression(&mut self, node: &Expression) {
        match node {
            Expression::BinaryOperator { binop, .. } => self.operator(binop),
            Expression::UnaryOperator { unop: UnOp::Not(_), expression } => {
                if let (Some(whole), Some(inner)) = (range(node), range(&**expression)) {
                    let with = self.text[inner].to_owned();
                    self.add(Class::Condition, whole, with);
                }
            }
            Expression::UnaryOperator { unop: UnOp::Minus(token), .. } => {
                if let Some(range) = range(token) {
                    self.add(Class::Arithmetic, range, "");
                }
            }
            Expression::Number(token) | Expression::String(token) | Expression::Symbol(token) => self.literal(token),
            _ => {}
        }
    }
    fn visit_field(&mut self, node: &Field) {
        if let Field::NameKey { key, .. } = node
            && self.depth > 0
        {
            self.typo(Class::FieldTypo, key);
        }
    }
    fn visit_function_call(&mut self, node: &FunctionCall) {
        self.chain(node.prefix(), &node.suffixes().collect::<Vec<_>>());
    }
    fn visit_var_expression(&mut self, node: &VarExpression) {
        // What is assigned to on the module's level are its functions.
        if self.depth > 0
            || matches!(node.prefix(), Prefix::Name(name) if self.names.constants.contains_key(name.token().to_string().as_str()))
        {
            self.chain(node.prefix(), &node.suffixes().collect::<Vec<_>>());
        }
    }
    fn visit_stmt(&mut self, node: &Stmt) {
        match node {
            Stmt::FunctionCall(call) => self.dropped(call, Class::DroppedCall),
            Stmt::Assignment(assignment) => self.dropped(assignment, Class::DroppedAssignment),
            Stmt::CompoundAssignment(assignment) => self.dropped(assignment, Class::DroppedAssignment),
            _ => {}
        }
    }
    fn visit_return(&mut self, node: &Return) {
        let Some(values) = range(node.returns()).filter(|_| self.depth > 0) else { return };
        self.add(Class::DroppedReturn, values, "");
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
            (Class::Literal, "x = 3", vec!["x = 4", "x = 2"]),
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
    fn a_marked_line_is_left_alone() {
        assert!(changed("function M.f() return 1 end -- mutate: skip, both are right", Class::Literal).is_empty());
    }

    #[test]
    fn names_of_the_text_itself_are_not_the_api() {
        assert!(changed("local function place(a) end function M.f() place(1) end", Class::ApiTypo).is_empty());
    }
}
