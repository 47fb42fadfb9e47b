//! All scripts of the packs together: which function calls which with what types, evaluated until nothing changes.

use principes_lua::ByteSpan;
use principes_lua::tree::{Chunk, Expr, ExprKind, Function, Item, StmtKind};
use principes_lua::visit::{deep, each_condition, each_expr, each_stmt, each_target, for_inner, parts, targets};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use principes_core::catalog::HookPointKind;
use principes_findings::budget::{Effort, MOST_FINDINGS};
use principes_findings::{Code, Finding, Span};
use principes_scripting::api::{Entry, LIBRARY, LibraryFunction, Ty, entries};

use crate::constants::Constants;
use crate::facts::{Facts, Role};
use crate::help::Help;
use crate::script::ScriptFile;
use crate::types::{self as t, Bits, Callee, Type};
use crate::walk::Walk;

/// The limit of rounds. Types settle long before.
const MOST_ROUNDS: usize = 40;

/// A script.
pub struct Module<'m> {
    pub script: &'m ScriptFile,
    pub chunk: Arc<Chunk>,
    /// The number of its first function among all functions.
    pub base: usize,
    /// The local variable that the file returns.
    pub table: Option<usize>,
    /// The fields of the table that it returns.
    pub exports: BTreeMap<String, Type>,
    /// Whether the table is used in a way that hides its fields.
    pub dynamic: bool,
    /// The types of local variables that several functions share.
    pub slots: Vec<Type>,
}

/// What is known about a function.
#[derive(Default)]
pub struct FunctionInfo {
    pub module: usize,
    pub at: usize,
    pub params: Vec<ParamInfo>,
    pub results: Vec<Type>,
    /// Whether it may be called from anywhere.
    pub escaped: bool,
    /// Functions that it calls or passes on, with the spans.
    pub calls: Vec<(usize, ByteSpan)>,
    /// Calls that change the game or ask for a decision, with the spans.
    pub acts: Vec<(&'static Entry, ByteSpan)>,
    /// The types that it must return, if any, and their name in messages.
    pub must: Option<(Bits, &'static str)>,
    /// Why it may only read, if it may only read.
    pub pure: Option<String>,
    /// Whether it passes a function a value that the function does not take.
    pub misfits: bool,
}

/// A part of a module's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptSpan {
    /// Position of the module in the list of modules.
    pub module: usize,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// An optional parameter, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptionalParam {
    /// Of a function of the API, by its name.
    Api(&'static str, usize),
    /// Of a function of a script, by its number.
    Own(usize, usize),
}

/// The calls of a function with an optional parameter.
#[derive(Default)]
pub struct OptionalUses {
    /// Those that pass it.
    pub passing: BTreeSet<ScriptSpan>,
    /// Those that do not, with the end of their arguments.
    pub leaving_out: BTreeMap<ScriptSpan, usize>,
    /// Whether some call says that it passes nothing.
    pub is_free: bool,
}

/// What is known about a parameter.
pub struct ParamInfo {
    pub ty: Type,
    /// The types that the function needs; `None` if it takes several.
    pub demand: Option<Bits>,
    /// Whether callers may leave it out, because the comment says so.
    pub optional: bool,
    /// Whether the function tests it for nil.
    pub tested: bool,
    /// Whether the function fails if it is nil.
    pub needed: bool,
}

/// The functions that have read about each function and each module.
#[derive(Default)]
struct Readers {
    functions: Vec<BTreeSet<usize>>,
    modules: Vec<BTreeSet<usize>>,
}

/// All scripts and everything that is known about them.
pub struct Program<'m> {
    pub facts: &'m Facts,
    pub modules: Vec<Module<'m>>,
    pub by_name: BTreeMap<String, usize>,
    /// Whether files are missing, so that nothing is reported as unused or never written.
    pub partial: bool,
    pub functions: Vec<FunctionInfo>,
    /// What hook points of packs are called with.
    pub point_args: BTreeMap<String, Vec<Type>>,
    /// Names of fields that are written somewhere.
    pub written: BTreeSet<String>,
    /// Texts that scripts produce, as opposed to those that they only compare.
    pub made: BTreeSet<String>,
    /// Words that are joined to others.
    pub joined: BTreeSet<Rc<str>>,
    /// Whether a script takes texts apart, so that any value may be any text.
    pub makes_texts: bool,
    pub api: BTreeMap<&'static str, &'static Entry>,
    pub library: BTreeMap<&'static str, &'static LibraryFunction>,
    changed: bool,
    /// The readers of what is known about each function, and about each module's variables and exports.
    readers: Readers,
    /// Functions to visit again, because something that they have read has changed.
    stale: Vec<bool>,
    /// Whether demands are known. If so, values that do not meet them are left out.
    pub settled: bool,
    /// Whether this is the last round, which reports findings.
    pub last: bool,
    pub findings: Vec<Finding>,
    /// By function and parameter, the calls that leave out a parameter that may be nil.
    pub left_out: BTreeMap<(usize, usize), BTreeSet<ScriptSpan>>,
    /// Which calls pass optional arguments.
    pub omissions: BTreeMap<OptionalParam, OptionalUses>,
    /// Parameters that a call inside of their function uses as another type than the rest of the function, although the
    /// call would fit if an argument before them was missing: the span, what the rest needs, and what the call needs.
    pub torn: BTreeMap<(usize, usize), (ScriptSpan, Bits, Bits)>,
    /// Functions that seem unused only because a name is misspelled: module and name.
    pub excused: BTreeSet<(usize, String)>,
    seen: BTreeSet<(usize, Code, usize, usize)>,
    /// The statements and expressions that were looked at, and how many may be.
    pub effort: Effort,
    /// Whether that ended before everything was analyzed.
    pub is_late: bool,
}

impl<'m> Program<'m> {
    pub fn new(facts: &'m Facts, chunks: Vec<(&'m ScriptFile, Arc<Chunk>)>, partial: bool) -> Self {
        let mut program = Program {
            facts,
            modules: Vec::new(),
            by_name: BTreeMap::new(),
            partial,
            functions: Vec::new(),
            point_args: BTreeMap::new(),
            written: BTreeSet::new(),
            made: BTreeSet::new(),
            joined: BTreeSet::new(),
            makes_texts: false,
            api: entries().map(|entry| (entry.name, entry)).collect(),
            library: LIBRARY.iter().map(|function| (function.name, function)).collect(),
            changed: true,
            readers: Readers::default(),
            stale: Vec::new(),
            settled: false,
            last: false,
            findings: Vec::new(),
            left_out: BTreeMap::new(),
            omissions: BTreeMap::new(),
            torn: BTreeMap::new(),
            excused: BTreeSet::new(),
            seen: BTreeSet::new(),
            effort: Effort::endless(),
            is_late: false,
        };
        for (script, chunk) in chunks {
            program.add(script, chunk);
        }
        program.note_api_fields();
        program.readers.functions.resize_with(program.functions.len(), BTreeSet::new);
        program.readers.modules.resize_with(program.modules.len(), BTreeSet::new);
        program
    }

    fn add(&mut self, script: &'m ScriptFile, chunk: Arc<Chunk>) {
        let (module, base) = (self.modules.len(), self.functions.len());
        let mut nil_tests = BTreeSet::new();
        for function in &chunk.functions {
            each_expr(&function.body, &mut |expr| {
                self.note(expr);
                note_nil_tests(expr, &mut nil_tests);
            });
            each_condition(&function.body, &mut |condition| note_tested(condition, &mut nil_tests));
            each_target(&function.body, &mut |target| {
                if let ExprKind::Field(_, name) = &target.kind {
                    self.written.insert(name.text.clone());
                }
            });
        }
        for (at, function) in chunk.functions.iter().enumerate() {
            let param = |local: &usize| {
                let name = &chunk.locals[*local].name.text;
                let note = function.notes.iter().find(|note| note.name == *name);
                ParamInfo {
                    ty: Type::NEVER,
                    demand: note.map_or(Some(t::ALL), |note| annotated(&note.ty)),
                    optional: note.is_some_and(|note| note.optional),
                    tested: nil_tests.contains(local),
                    needed: false,
                }
            };
            let params = function.params.iter().map(param).collect();
            let escaped = function.is_public;
            self.functions.push(FunctionInfo { module, at, params, escaped, ..FunctionInfo::default() });
        }
        let (table, mut exports, dynamic) = returned(&chunk, base);
        if let Some(local) = table {
            for function in &chunk.functions {
                each_target(&function.body, &mut |target| {
                    if let ExprKind::Field(object, name) = &target.kind
                        && matches!(object.kind, ExprKind::Local(found) if found == local)
                    {
                        exports.entry(name.text.clone()).or_insert(Type::NEVER);
                    }
                });
            }
        }
        let mut slots = vec![Type::NEVER; chunk.locals.len()];
        if let Some(local) = table {
            slots[local] = Type { bits: t::TABLE, detail: t::Detail::Module(module) };
        }
        let dynamic = dynamic || table.is_some_and(|local| is_handed_on(&chunk, local));
        self.by_name.insert(script.module.clone(), module);
        self.modules.push(Module { script, chunk, base, table, exports, dynamic, slots });
    }

    /// Notes the fields and texts that an expression produces.
    fn note(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Table(items) => {
                for item in items {
                    match item {
                        Item::Named(name, _) => drop(self.written.insert(name.text.clone())),
                        Item::Keyed(key, _) => self.make(key),
                        Item::Plain(_) => {}
                    }
                }
            }
            ExprKind::Binary("==" | "~=", a, b) => {
                for side in [a, b] {
                    if !matches!(side.kind, ExprKind::Text(_)) {
                        self.make(side);
                    }
                }
                return;
            }
            _ => {}
        }
        for_inner(expr, &mut |inner| self.make(inner));
    }
    fn make(&mut self, expr: &Expr) {
        if let ExprKind::Text(text) = &expr.kind {
            self.made.insert(text.clone());
            self.written.insert(text.clone());
        }
    }

    fn note_api_fields(&mut self) {
        fn visit(ty: Ty, written: &mut BTreeSet<String>) {
            match ty {
                Ty::Fields(fields) => {
                    for field in fields {
                        written.insert(field.name.to_owned());
                        visit(field.ty, written);
                    }
                }
                Ty::List(inner) => visit(*inner, written),
                _ => {}
            }
        }
        for entry in entries() {
            entry.params.iter().for_each(|param| visit(param.ty, &mut self.written));
            entry.returns.iter().for_each(|result| visit(result.ty, &mut self.written));
        }
        self.written.extend(["id", "card", "owner", "n"].map(str::to_owned));
    }

    pub fn function(&self, id: usize) -> &Function {
        let known = &self.functions[id];
        &self.modules[known.module].chunk.functions[known.at]
    }

    /// What to call a function: `hand.draw`, or `draw` inside its own file.
    pub fn name_of(&self, id: usize) -> String {
        match &self.function(id).name {
            Some(name) => name.text.clone(),
            None => "a function".to_owned(),
        }
    }

    // Rounds ------------------------------------------------------------------------------------------------------

    /// Analyzes everything and reports findings, unless that takes too long.
    pub fn run(&mut self, effort: Effort) {
        self.effort = effort;
        self.settle();
        self.settled = true;
        if self.functions.iter().any(|known| known.misfits) {
            self.settle_again();
        }
        self.last = true;
        self.mark_hooks();
        self.round();
    }

    /// Analyzes everything again from the start, now leaving out values that do not meet demands, so that one wrong
    /// call does not spoil the types of all others.
    fn settle_again(&mut self) {
        for known in &mut self.functions {
            known.results.clear();
            let chunk = &self.modules[known.module].chunk;
            known.escaped = chunk.functions[known.at].is_public;
            for param in &mut known.params {
                param.ty = Type::NEVER;
                param.demand = param.demand.filter(|demand| demand & !t::NIL != 0);
            }
        }
        for module in &mut self.modules {
            for (at, slot) in module.slots.iter_mut().enumerate() {
                if module.table != Some(at) {
                    *slot = Type::NEVER;
                }
            }
        }
        self.point_args.clear();
        self.settle();
    }

    /// Notes that a function reads what is known about another one.
    pub fn reads_function(&mut self, reader: usize, id: usize) {
        self.readers.functions[id].insert(reader);
    }

    /// Notes that a function reads the types of a module's variables and exports.
    pub fn reads_module(&mut self, reader: usize, module: usize) {
        self.readers.modules[module].insert(reader);
    }

    /// Notes that a function's parameters have changed.
    pub fn params_changed(&mut self, id: usize) {
        self.stale[id] = true;
        self.function_changed(id);
    }

    /// Notes that a function has changed.
    pub fn function_changed(&mut self, id: usize) {
        self.changed = true;
        self.readers.functions[id].iter().for_each(|reader| self.stale[*reader] = true);
    }

    /// Notes that a module's variables or exports have changed.
    pub fn module_changed(&mut self, module: usize) {
        self.changed = true;
        self.readers.modules[module].iter().for_each(|reader| self.stale[*reader] = true);
    }

    /// Notes that the arguments of a hook point have changed.
    pub fn point_changed(&mut self) {
        self.changed = true;
    }

    fn settle(&mut self) {
        self.stale = vec![true; self.functions.len()];
        // Hooks can be found only when the results of modules are known.
        for module in 0..self.modules.len() {
            self.walk(self.modules[module].base);
        }
        for _ in 0..MOST_ROUNDS {
            self.changed = false;
            self.enter_hooks();
            self.round();
            if !self.changed {
                break;
            }
        }
    }

    fn round(&mut self) {
        // A function is usually above its callers, so this order visits it after most of them.
        for id in (0..self.functions.len()).rev() {
            if self.functions[id].escaped || self.modules[self.functions[id].module].dynamic && self.is_export(id) {
                for at in 0..self.functions[id].params.len() {
                    self.flow(id, at, &Type::ANY);
                }
            }
            // Visiting a function again finds nothing new if nothing that it reads has changed.
            if self.last || self.stale[id] {
                self.walk(id);
            }
        }
    }

    fn walk(&mut self, id: usize) {
        if self.is_too_late() {
            return;
        }
        self.stale[id] = false;
        self.functions[id].misfits = false;
        Walk::function(self, id);
    }

    /// Whether the analysis must end, because of its steps or the time.
    pub fn is_too_late(&mut self) -> bool {
        self.is_late |= self.effort.is_over();
        self.is_late
    }

    fn is_export(&self, id: usize) -> bool {
        let module = &self.modules[self.functions[id].module];
        let own = |ty: &Type| matches!(&ty.detail, t::Detail::Functions(list) if list.contains(&Callee::Own(id)));
        module.exports.values().any(own)
    }

    /// Notes a value that may be passed as a parameter.
    pub fn flow(&mut self, id: usize, at: usize, ty: &Type) {
        if let Some(param) = self.functions[id].params.get_mut(at) {
            let joined = param.ty.join(ty);
            if joined != param.ty {
                param.ty = joined;
                self.params_changed(id);
            }
        }
    }

    /// The function that a name in the content refers to.
    pub fn exported(&self, module: &str, function: &str) -> Option<usize> {
        let export = self.modules[*self.by_name.get(module)?].exports.get(function)?;
        match &export.detail {
            t::Detail::Functions(list) => list.iter().find_map(|callee| match callee {
                Callee::Own(id) => Some(*id),
                _ => None,
            }),
            _ => None,
        }
    }

    /// Notes what the kernel passes to hooks.
    fn enter_hooks(&mut self) {
        for at in 0..self.facts.references.len() {
            let reference = &self.facts.references[at];
            let Some(id) = self.exported(&reference.module, &reference.function) else { continue };
            for (at, ty) in self.handed(at).into_iter().flatten().enumerate() {
                self.flow(id, at, &ty);
            }
        }
    }

    /// What a reference passes to its function; `None` if that is unknown.
    pub fn handed(&self, reference: usize) -> Option<Vec<Type>> {
        let reference = &self.facts.references[reference];
        let owner = Type::of(t::FACTION | t::NIL);
        let mut list = match reference.role {
            Role::Open => return None,
            Role::Plain => return Some(Vec::new()),
            Role::Seat | Role::Options => return Some(vec![Type::of(t::FACTION)]),
            Role::SeatAndSpace => return Some(vec![Type::of(t::FACTION), Type::of(t::SPACE | t::NIL)]),
            Role::SeatAndOption => return Some(vec![Type::of(t::FACTION), Type::ANY, Type::ANY, Type::ANY]),
            Role::Query => vec![reference.this.clone()?, Type::of(t::NUMBER), owner],
            Role::Effect => vec![reference.this.clone()?, owner],
        };
        let id = reference.point.as_ref()?;
        let point = self.facts.points.get(id)?;
        let given = self.point_args.get(id);
        list.extend(point.args.iter().enumerate().map(|(at, name)| {
            let named = Constants::named(name).map(Constants::bits);
            let named = named.or(match name.as_str() {
                "seat" => Some(t::FACTION),
                "card" => Some(t::CARD),
                "piece" => Some(t::PIECE),
                _ => None,
            });
            match (point.kernel, named) {
                (true, Some(bits)) => Type::of(bits | t::NIL),
                (true, None) => Type::ANY,
                (false, _) => given.and_then(|given| given.get(at)).cloned().unwrap_or(Type::NEVER),
            }
        }));
        Some(list)
    }

    /// Notes what hooks must return and must not do.
    fn mark_hooks(&mut self) {
        for at in 0..self.facts.references.len() {
            let reference = &self.facts.references[at];
            let Some(id) = self.exported(&reference.module, &reference.function) else { continue };
            let point = reference.point.clone().unwrap_or_default();
            let known = &mut self.functions[id];
            match reference.role {
                Role::Query => {
                    known.must = Some((t::NUMBER | t::BOOL, "a number"));
                    known.pure.get_or_insert_with(|| format!("a hook of the query `{point}`"));
                }
                Role::Options => {
                    known.must = Some((t::TABLE, "a list of options"));
                    known.pure.get_or_insert_with(|| "a list of options".to_owned());
                }
                _ => {}
            }
        }
    }

    // Findings ----------------------------------------------------------------------------------------------------

    /// Reports a finding at a span of a script, once.
    pub fn report(&mut self, module: usize, code: Code, bytes: &ByteSpan, message: String, help: Help) {
        let is_full = self.findings.len() > MOST_FINDINGS;
        if self.last && !is_full && self.seen.insert((module, code, bytes.start, bytes.end)) {
            let script = self.modules[module].script;
            let mut finding = Finding::new(code, &script.file, message)
                .at(&script.text, Span::new(&script.text, bytes.clone()))
                .maybe_help(help.words)
                .suggest(help.near)
                .rests_on(help.missing);
            if let Some(misspelling) = &mut finding.misspelling {
                misspelling.agree += help.others;
            }
            self.findings.push(finding);
        }
    }

    /// Whether there is a finding at exactly this span.
    pub fn has_finding_at(&self, module: usize, bytes: &ByteSpan) -> bool {
        self.seen.iter().any(|(of, _, start, end)| (*of, *start, *end) == (module, bytes.start, bytes.end))
    }

    pub fn kind_of_point(&self, id: &str) -> Option<HookPointKind> {
        self.facts.points.get(id).map(|point| point.kind)
    }
}

/// The bits of the type in a comment; `None` if it names no type.
fn annotated(ty: &str) -> Option<Bits> {
    ty.split('|').try_fold(0, |bits, name| {
        let one = match name {
            "Seat" => t::FACTION,
            "integer" | "number" => t::NUMBER,
            "string" | "Side" => t::TEXT,
            "boolean" => t::BOOL,
            "table" => t::TABLE,
            "function" => t::FUNCTION,
            "nil" => t::NIL,
            list if list.ends_with("[]") => t::TABLE,
            class => t::with_class(class)?,
        };
        Some(bits | one | t::NIL)
    })
}

/// What a file returns: the local variable, or the fields of a table that is written out.
fn returned(chunk: &Chunk, base: usize) -> (Option<usize>, BTreeMap<String, Type>, bool) {
    let mut exports = BTreeMap::new();
    let list = |items: &[Item], exports: &mut BTreeMap<String, Type>| {
        for item in items {
            if let Item::Named(name, value) = item {
                let ty = match value.kind {
                    ExprKind::Function(at) => Type::function(Callee::Own(base + at)),
                    _ => Type::NEVER,
                };
                exports.insert(name.text.clone(), ty);
            }
        }
    };
    let Some(StmtKind::Return { values }) = chunk.functions[0].body.last().map(|last| &last.kind) else {
        return (None, exports, true);
    };
    match values.first().map(|value| &value.kind) {
        Some(ExprKind::Local(local)) => {
            for stmt in &chunk.functions[0].body {
                if let StmtKind::Local { locals, values } = &stmt.kind
                    && let Some(at) = locals.iter().position(|found| found == local)
                    && let Some(ExprKind::Table(items)) = values.get(at).map(|value| &value.kind)
                {
                    list(items, &mut exports);
                    return (Some(*local), exports, false);
                }
            }
            (Some(*local), exports, true)
        }
        Some(ExprKind::Table(items)) => {
            list(items, &mut exports);
            (None, exports, false)
        }
        _ => (None, exports, true),
    }
}

/// Whether the table that a file returns is used in other ways than by the names of its fields: read or written under a
/// computed key, or passed to something else. `M.name = …` only names a field.
fn is_handed_on(chunk: &Chunk, table: usize) -> bool {
    let mut plain = 0;
    let mut all = 0;
    let is_table = |expr: &Expr| matches!(expr.kind, ExprKind::Local(local) if local == table);
    for function in &chunk.functions {
        let mut count = |expr: &Expr| {
            all += usize::from(is_table(expr));
            if let ExprKind::Field(object, _) = &expr.kind {
                plain += usize::from(is_table(object));
            }
        };
        // Visits each statement and target once; `each_expr` also visits what is inside of targets.
        each_stmt(&function.body, &mut |stmt| {
            parts(stmt, &mut |expr| deep(expr, &mut count), &mut |_| {});
            targets(stmt).iter().for_each(|target| deep(target, &mut count));
        });
    }
    // The remaining one is the `return` of the file.
    all > plain + 1
}

/// Local variables that an expression tests for nil.
fn note_nil_tests(expr: &Expr, found: &mut BTreeSet<usize>) {
    match &expr.kind {
        ExprKind::Binary("and", a, _) | ExprKind::Binary("or", a, _) | ExprKind::Unary("not", a) => {
            note_tested(a, found)
        }
        ExprKind::Binary("==" | "~=", a, b) => {
            for (side, other) in [(a, b), (b, a)] {
                if matches!(other.kind, ExprKind::Nil) {
                    note_tested(side, found);
                }
            }
        }
        _ => {}
    }
}
fn note_tested(expr: &Expr, found: &mut BTreeSet<usize>) {
    match &expr.kind {
        ExprKind::Local(local) => drop(found.insert(*local)),
        ExprKind::Brackets(inner) => note_tested(inner, found),
        _ => {}
    }
}
