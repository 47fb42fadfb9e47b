//! What the API functions of one machine share: the catalog, the table while a hook runs, budgets, and what is asked.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use mlua::{Function, Lua, LuaString, Table as LuaTable, Value as LuaValue};
use principes_core::battle::FightOrder;
use principes_core::catalog::{Catalog, HookSource, PointKind};
use principes_core::decision::{Ask, Choice};
use principes_core::event::Event;
use principes_core::ids::*;
use principes_core::movement::MoveOrder;
use principes_core::scripts::{ScriptError, ScriptErrorKind};
use principes_core::table::{LiveHook, Table};
use rustc_hash::FxHashMap;

use crate::fault::Fault;
use crate::names::hint;
use crate::raw::{self, Answer};
use crate::sandbox::{Meter, WINDOW};

/// One Lua module of a pack.
#[derive(Clone, Debug)]
pub struct ScriptSource {
    /// Its name in hooks and `import`: `cards/court`.
    pub module: String,
    /// Its file as the pack names it: `scripts/cards/court.lua`.
    pub path: String,
    /// The Lua text.
    pub text: Arc<str>,
    /// What the compiler made of it.
    pub compiled: Compiled,
}

impl ScriptSource {
    /// A module that was not compiled before.
    pub fn new(module: impl Into<String>, path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        ScriptSource { module: module.into(), path: path.into(), text: text.into(), compiled: Compiled::default() }
    }

    /// The module with another text.
    #[must_use]
    pub fn with_text(self, text: impl Into<Arc<str>>) -> Self {
        ScriptSource::new(self.module, self.path, text)
    }
}

/// What the compiler made of a module, for the next machine. Copies share it.
#[derive(Clone, Default)]
pub struct Compiled(Arc<[OnceLock<Code>; 2]>);

/// A text and what the compiler made of it.
type Code = (String, Vec<u8>);

impl Compiled {
    /// The code for machines that count lines, or do not, if this is what was compiled.
    pub(crate) fn of(&self, text: &str, counts_lines: bool) -> Option<&[u8]> {
        let (known, code) = self.0[usize::from(counts_lines)].get()?;
        (known == text).then_some(code)
    }

    pub(crate) fn keep(&self, text: &str, counts_lines: bool, code: Vec<u8>) {
        // Where another thread was faster it has made the same.
        let _ = self.0[usize::from(counts_lines)].set((text.to_owned(), code));
    }
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Compiled")
    }
}

/// Loop turns and calls that one call of a hook, with everything it calls, may take.
pub const STEP_BUDGET: u64 = 1_000_000;

/// Bytes that one machine may hold.
pub const MEMORY_LIMIT: usize = 16 * 1024 * 1024;

/// Hooks that may be inside of each other.
const DEEPEST: usize = 64;

/// What a script waits for.
pub enum Request {
    Ask(Ask),
    Move(MoveOrder),
    Fight(FightOrder),
}

/// A hook that is running; the innermost one is the source of questions and of errors.
#[derive(Clone)]
pub struct Running {
    pub hook: HookId,
    pub source: Value,
    pub owner: Option<FactionId>,
    /// The point whose value it was asked for by a script.
    pub asked: Option<PointId>,
    /// Whether it may only look, until it is at its end: it was asked for a value, or lists options.
    pub looks: bool,
    /// Hooks of the same point that run after it, the next one last.
    pub rest: Vec<LiveHook>,
}

impl Running {
    pub fn new(hook: HookId, source: Value, owner: Option<FactionId>) -> Self {
        Running { hook, source, owner, asked: None, looks: false, rest: Vec::new() }
    }
}

/// Something that an effect hook did itself, not another hook or procedure that it started.
#[derive(Clone, Copy, Debug)]
pub struct Deed {
    /// The hook.
    pub hook: HookId,
    /// The card, design or rule that it belongs to; nothing for functions of the flow.
    pub source: Value,
    /// Whom it works for.
    pub owner: Option<FactionId>,
    /// What it did.
    pub did: Did,
}

/// What a hook can do.
#[derive(Clone, Copy, Debug)]
pub enum Did {
    /// It changed the table.
    Event(Event),
    /// It started a movement.
    Move,
    /// It started a battle.
    Fight,
}

/// What hooks have done, while somebody watches.
#[derive(Default)]
pub struct Watch {
    /// How many events of the table are told already.
    told: usize,
    deeds: Vec<Deed>,
}

/// A property that cards of a filter must have.
#[derive(Clone, Copy)]
pub enum CardProp {
    Type,
    Faction,
    Named(SymbolId),
}

/// How far a module has come.
pub enum Module {
    /// Not loaded yet: position among the sources.
    Waiting(usize),
    /// Running its main part. Whoever imports it now gets the stand-in and may look into it later.
    Loading(Option<LuaTable>),
    Loaded(LuaTable),
    Failed,
}

/// Names that the catalog knows, by the address of the one string that Luau keeps for each text. A script's string is
/// found by its address without reading it.
pub struct Spelling {
    /// Keeps the strings, and so their addresses; keywords come first, by [`SymbolId`].
    strings: Vec<LuaString>,
    symbols: FxHashMap<usize, SymbolId>,
    points: FxHashMap<usize, PointId>,
    decisions: FxHashMap<usize, DecisionId>,
    /// The texts that the API itself knows.
    texts: FxHashMap<usize, &'static str>,
    /// Where the names of the properties lie that all cards have.
    card_type: usize,
    card_faction: usize,
}

impl Spelling {
    pub fn new(lua: &Lua, catalog: &Catalog) -> mlua::Result<Self> {
        let mut strings = Vec::new();
        let mut keep = |name: &str| -> mlua::Result<usize> {
            let text = lua.create_string(name)?;
            let address = text.to_pointer().addr();
            strings.push(text);
            Ok(address)
        };
        let mut symbols = FxHashMap::default();
        for (at, name) in catalog.symbols.iter().enumerate() {
            symbols.insert(keep(name)?, SymbolId::at(at));
        }
        let mut points = FxHashMap::default();
        for (at, point) in catalog.points.iter().enumerate() {
            points.insert(keep(&point.id)?, PointId::at(at));
        }
        let mut decisions = FxHashMap::default();
        for (at, decision) in catalog.decisions.iter().enumerate() {
            decisions.insert(keep(&decision.id)?, DecisionId::at(at));
        }
        let mut texts = FxHashMap::default();
        let fields = crate::api::entries().filter_map(|entry| entry.fields()).flatten();
        let own = fields.flat_map(|field| field.ty.texts().iter().chain([&field.name]));
        for text in own.chain(&[ABOUT, SOURCE, ALWAYS]) {
            texts.insert(keep(text)?, *text);
        }
        let (card_type, card_faction) = (keep("type")?, keep("faction")?);
        Ok(Spelling { strings, symbols, points, decisions, texts, card_type, card_faction })
    }

    /// Where a text lies that the API itself knows.
    pub fn address(&self, text: &str) -> Option<usize> {
        self.texts.iter().find_map(|(address, known)| (*known == text).then_some(*address))
    }

    /// The text at an address, if it is one that the API itself knows.
    #[inline]
    pub fn text(&self, address: usize) -> Option<&'static str> {
        self.texts.get(&address).copied()
    }

    /// The property of cards whose name lies at an address.
    #[inline]
    pub fn card_prop(&self, address: usize) -> Option<CardProp> {
        match address {
            _ if address == self.card_type => Some(CardProp::Type),
            _ if address == self.card_faction => Some(CardProp::Faction),
            _ => self.symbol(address).map(CardProp::Named),
        }
    }

    /// The keyword that lies at an address.
    #[inline]
    pub fn symbol(&self, address: usize) -> Option<SymbolId> {
        self.symbols.get(&address).copied()
    }
}

/// What a question may be given.
pub const ABOUT: &str = "about";
pub const SOURCE: &str = "source";
pub const ALWAYS: &str = "always";

/// The `self` of each entity for each owner.
struct Selves {
    /// For each source and owner (see [`Selves::place`]) how long the list was when theirs came to it: 0 where it never did.
    numbers: Vec<u32>,
    list: Vec<SelfOf>,
}

impl Selves {
    fn new(catalog: &Catalog) -> Self {
        let sources = catalog.cards.len() + catalog.designs.len() + catalog.rules.len() + 1;
        Selves { numbers: vec![0; sources * (catalog.factions.len() + 1)], list: Vec::new() }
    }

    /// Cards come first, then designs, rules and the flow; for each of them nobody and then the factions.
    fn place(catalog: &Catalog, source: Value, owner: Option<FactionId>) -> usize {
        let (cards, designs) = (catalog.cards.len(), catalog.designs.len());
        let source = match source {
            Value::Card(card) => card.index(),
            Value::Design(design) => cards + design.index(),
            Value::Rule(rule) => cards + designs + rule.index(),
            _ => cards + designs + catalog.rules.len(),
        };
        source * (catalog.factions.len() + 1) + owner.map_or(0, |owner| owner.index() + 1)
    }
}

/// The `self` of the hooks of one source that work for one faction.
struct SelfOf {
    source: Value,
    owner: Option<FactionId>,
    /// Made when it is asked for.
    table: Option<Rc<LuaTable>>,
}

/// Shared by the API functions of one machine.
pub struct Context {
    pub catalog: Arc<Catalog>,
    /// The table, while a hook runs; otherwise some older table that only keeps the place.
    pub table: RefCell<Option<Table>>,
    pub in_hook: Cell<bool>,
    /// How many query hooks and option functions we are inside of.
    pub pure: Cell<u32>,
    /// Steps that the last call took of its budget.
    pub steps_used: Cell<u64>,
    pub meter: Meter,
    /// Of how many entities of each type there are handles, by [`Value::handle_parts`].
    pub extents: [u32; HANDLE_TYPES],
    /// A fault that no `pcall` makes undone.
    pub latch: RefCell<Option<Fault>>,
    /// A fault on its way from the short way through a function to where it is raised.
    pub raised: RefCell<Option<mlua::Error>>,
    pub request: RefCell<Option<Request>>,
    pub running: RefCell<Vec<Running>>,
    pub watch: RefCell<Option<Watch>>,
    pub sources: Vec<ScriptSource>,
    pub modules: RefCell<BTreeMap<String, Module>>,
    /// Tables that the module which is loading has made.
    pub kept: RefCell<Vec<LuaTable>>,
    pub load_faults: RefCell<Vec<ScriptError>>,
    pub environment: OnceCell<LuaTable>,
    /// The function of each hook.
    pub functions: OnceCell<Vec<Function>>,
    /// The same for the prelude, by their number and one.
    pub hooks: OnceCell<LuaTable>,
    /// How often each hook has run.
    pub runs: Vec<Cell<u64>>,
    /// The main function of each module, where lines are counted.
    pub counted: Option<RefCell<BTreeMap<String, Function>>>,
    pub spelling: OnceCell<Spelling>,
    /// Calls a function that lists options, and takes them over.
    pub options_of: OnceCell<Function>,
    /// What came of a movement, until the script that started it goes on.
    pub march: RefCell<Vec<f64>>,
    /// Takes a list of options over.
    pub take_options: OnceCell<Function>,
    /// Options that a script has listed, until they are asked about.
    pub options: RefCell<Vec<Choice>>,
    /// Properties that the call under way asks of cards, as the short way has taken them over.
    pub wanted: RefCell<Vec<(CardProp, Value)>>,
    /// Whose options are listed, as messages name it.
    pub listing: Cell<&'static str>,
    selves: RefCell<Selves>,
    spare: RefCell<Vec<Vec<LiveHook>>>,
}

impl Context {
    pub fn new(catalog: Arc<Catalog>, sources: &[ScriptSource], counts_lines: bool) -> Self {
        let modules = sources.iter().enumerate().map(|(at, s)| (s.module.clone(), Module::Waiting(at))).collect();
        let runs = vec![Cell::new(0); catalog.hooks.len()];
        let extents = extents(&catalog);
        let selves = Selves::new(&catalog);
        Context {
            catalog,
            extents,
            runs,
            counted: counts_lines.then(RefCell::default),
            table: RefCell::new(None),
            in_hook: Cell::new(false),
            pure: Cell::new(0),
            steps_used: Cell::new(0),
            meter: Meter::default(),
            latch: RefCell::new(None),
            raised: RefCell::new(None),
            request: RefCell::new(None),
            running: RefCell::new(Vec::new()),
            watch: RefCell::new(None),
            sources: sources.to_vec(),
            modules: RefCell::new(modules),
            kept: RefCell::default(),
            load_faults: RefCell::new(Vec::new()),
            environment: OnceCell::new(),
            functions: OnceCell::new(),
            hooks: OnceCell::new(),
            spelling: OnceCell::new(),
            options_of: OnceCell::new(),
            march: RefCell::default(),
            take_options: OnceCell::new(),
            options: RefCell::default(),
            wanted: RefCell::default(),
            listing: Cell::new("choose"),
            selves: RefCell::new(selves),
            spare: RefCell::new(Vec::new()),
        }
    }

    /// Reads the table. The borrow must end before Lua runs again.
    pub fn read<T>(&self, look: impl FnOnce(&Table) -> T) -> mlua::Result<T> {
        match &*self.table.borrow() {
            Some(table) if self.in_hook.get() => Ok(look(table)),
            _ => Err(no_game()),
        }
    }

    /// Changes the table. The borrow must end before Lua runs again.
    pub fn write<T>(&self, change: impl FnOnce(&mut Table) -> T) -> mlua::Result<T> {
        match &mut *self.table.borrow_mut() {
            Some(table) if self.in_hook.get() => Ok(change(table)),
            _ => Err(no_game()),
        }
    }

    /// Raises an error that stays raised whatever the script catches.
    pub fn latched(&self, kind: ScriptErrorKind, message: String) -> mlua::Error {
        let fault = Fault { message, kind, echo: false, place: None };
        self.latch.borrow_mut().get_or_insert_with(|| fault.clone());
        mlua::Error::external(fault)
    }

    /// A call begins with a full budget.
    pub fn refill(&self) {
        raw::set_steps(STEP_BUDGET);
        raw::look_after(WINDOW);
    }

    /// One step of the budget, or many where a library function loops.
    pub fn charge(&self, steps: u64) -> mlua::Result<()> {
        if raw::take_steps(steps) {
            return Ok(());
        }
        // The budget stays at zero, so that a script which catches this error gets it again at its next step.
        Err(self.latched(
            ScriptErrorKind::Steps,
            format!("the script took more than {STEP_BUDGET} steps; it probably loops without end"),
        ))
    }

    /// The keyword that a Lua string is.
    #[inline]
    pub fn symbol(&self, text: &LuaString) -> Option<SymbolId> {
        self.spelling.get()?.symbol(text.to_pointer().addr())
    }

    /// The hook point whose name lies at an address.
    #[inline]
    pub fn point_at(&self, address: usize) -> Option<PointId> {
        self.spelling.get()?.points.get(&address).copied()
    }

    /// The hook point with a name.
    pub fn point(&self, function: &str, name: &LuaString) -> mlua::Result<PointId> {
        self.point_at(name.to_pointer().addr()).ok_or_else(|| {
            let name = name.to_string_lossy();
            let hint = hint(&name, self.catalog.points.iter().map(|point| point.id.as_str()));
            Fault::runtime(format!("{function}: no hook point is called `{name}`{hint}"))
        })
    }

    /// A hook point, which must be of a kind and take so many arguments.
    #[inline]
    pub fn taking(&self, function: &str, id: PointId, kind: PointKind, given: usize) -> mlua::Result<PointId> {
        let point = &self.catalog.points[id.index()];
        let name = &point.id;
        if point.kind != kind {
            return Err(Fault::runtime(match kind {
                PointKind::Query => format!("{function}: `{name}` is an effect point; use trigger or perform"),
                PointKind::Effect => format!("{function}: `{name}` is a query point; use query"),
            }));
        }
        if given > point.args.len() {
            let wants = point.args.join(", ");
            return Err(Fault::runtime(format!("{function}: `{name}` takes ({wants}), got {given} arguments")));
        }
        Ok(id)
    }

    /// The decision whose name lies at an address.
    pub fn decision_at(&self, address: usize) -> Option<DecisionId> {
        self.spelling.get()?.decisions.get(&address).copied()
    }

    /// The decision with a name.
    pub fn decision(&self, function: &str, name: &LuaString) -> mlua::Result<DecisionId> {
        self.decision_at(name.to_pointer().addr()).ok_or_else(|| {
            let name = name.to_string_lossy();
            let hint = hint(&name, self.catalog.decisions.iter().map(|decision| decision.id.as_str()));
            Fault::runtime(format!("{function}: no decision is called `{name}`{hint}"))
        })
    }

    /// A value as Lua sees it.
    #[inline]
    pub fn to_lua(&self, value: Value) -> LuaValue {
        match value {
            Value::Nil => LuaValue::Nil,
            Value::Int(n) => LuaValue::Number(f64::from(n)),
            Value::Symbol(word) => self.word(word),
            handle => LuaValue::Number(handle.to_bits().into()),
        }
    }

    /// A keyword as Lua sees it.
    pub fn word(&self, word: SymbolId) -> LuaValue {
        match self.spelling.get().and_then(|spelling| spelling.strings.get(word.index())) {
            Some(text) => LuaValue::String(text.clone()),
            None => LuaValue::Nil,
        }
    }

    /// What a function of the API gives back, for mlua.
    pub fn give(&self, answer: Answer) -> LuaValue {
        match answer {
            Answer::Nil => LuaValue::Nil,
            Answer::Truth(truth) => LuaValue::Boolean(truth),
            Answer::Number(number) => LuaValue::Number(number),
            Answer::Word(word) => self.word(word),
        }
    }

    /// A list of handles as Lua sees them.
    pub fn many(&self, values: impl IntoIterator<Item = Value>) -> Vec<f64> {
        let mut list = raw::spare_list();
        // Chains of filters are gone through faster from inside.
        values.into_iter().for_each(|value| list.push(value.to_bits().into()));
        list
    }

    /// The number of the `self` of a hook, from 1 on.
    fn number_of(&self, source: Value, owner: Option<FactionId>) -> u32 {
        let Selves { numbers, list } = &mut *self.selves.borrow_mut();
        let number = &mut numbers[Selves::place(&self.catalog, source, owner)];
        if *number == 0 {
            list.push(SelfOf { source, owner, table: None });
            // There are as many as numbers at most.
            *number = list.len() as u32;
        }
        *number
    }

    /// The frozen `self` of a hook: id, parameters, the card and its owner.
    pub fn self_of(&self, lua: &Lua, source: Value, owner: Option<FactionId>) -> mlua::Result<Rc<LuaTable>> {
        self.self_at(lua, self.number_of(source, owner))
    }

    /// The same by its number.
    pub fn self_at(&self, lua: &Lua, number: u32) -> mlua::Result<Rc<LuaTable>> {
        let at = (number as usize).wrapping_sub(1);
        let (source, owner) = match self.selves.borrow().list.get(at) {
            Some(SelfOf { table: Some(table), .. }) => return Ok(table.clone()),
            Some(new) => (new.source, new.owner),
            None => return Err(Fault::runtime("there is no such `self`")),
        };
        let table = lua.create_table()?;
        let params = match source {
            Value::Card(card) => Some(&self.catalog.design_of(card).params),
            Value::Design(design) => Some(&self.catalog.designs[design.index()].params),
            Value::Rule(rule) => Some(&self.catalog.rules[rule.index()].params),
            _ => None,
        };
        for (name, value) in params.into_iter().flatten() {
            table.raw_set(name.as_str(), *value)?;
        }
        table.raw_set("id", self.catalog.id_of(source))?;
        if matches!(source, Value::Card(_)) {
            table.raw_set("card", self.to_lua(source))?;
        }
        table.raw_set("owner", self.to_lua(owner.map_or(Value::Nil, Value::Faction)))?;
        table.set_readonly(true);
        let table = Rc::new(table);
        self.selves.borrow_mut().list[at].table = Some(table.clone());
        Ok(table)
    }

    /// The entity behind a hook.
    pub fn source(&self, hook: HookId, card: Option<CardId>) -> Value {
        match (card, self.catalog.hooks[hook.index()].source) {
            (Some(card), _) => Value::Card(card),
            (None, HookSource::Design(design)) => Value::Design(design),
            (None, HookSource::Rule(rule)) => Value::Rule(rule),
            (None, HookSource::Flow) => Value::Nil,
        }
    }

    /// A hook is about to be run.
    pub fn count_run(&self, hook: HookId) {
        if let Some(runs) = self.runs.get(hook.index()) {
            runs.set(runs.get() + 1);
        }
    }

    /// The function of a hook, about to be run.
    pub fn function(&self, hook: HookId) -> mlua::Result<&Function> {
        self.count_run(hook);
        self.functions
            .get()
            .and_then(|list| list.get(hook.index()))
            .ok_or_else(|| Fault::runtime("the hook is not part of this catalog"))
    }

    /// Runs `inside` with changes and questions forbidden.
    pub fn purely<T>(&self, inside: impl FnOnce() -> mlua::Result<T>) -> mlua::Result<T> {
        let depth = self.pure.get();
        self.pure.set(depth + 1);
        let result = inside();
        self.pure.set(depth);
        result
    }

    /// Skips what happened before a script goes on.
    pub fn watch_from_here(&self) {
        if let (Some(watch), Some(table)) = (&mut *self.watch.borrow_mut(), &*self.table.borrow()) {
            watch.told = table.events.len();
        }
    }

    /// Notes what has happened since the last time as deeds of the innermost hook.
    pub fn note_deeds(&self, more: Option<Did>) {
        let mut watch = self.watch.borrow_mut();
        let Some(watch) = &mut *watch else { return };
        let table = self.table.borrow();
        let Some(table) = &*table else { return };
        if let Some(&Running { hook, source, owner, .. }) = self.running.borrow().last() {
            let events = table.events.get(watch.told..).unwrap_or_default().iter().map(|event| Did::Event(*event));
            watch.deeds.extend(events.chain(more).map(|did| Deed { hook, source, owner, did }));
        }
        watch.told = table.events.len();
    }

    /// Notes what hooks do from now on, and gives what was noted so far.
    pub fn watch(&self) -> Vec<Deed> {
        self.watch.borrow_mut().get_or_insert_default().deeds.drain(..).collect()
    }

    /// The last of these hooks runs from here on, and then those before it. Gives what the prelude is told of it: its number
    /// and one, that of its `self`, its owner.
    pub fn begin(&self, mut hooks: Vec<LiveHook>, asked: Option<PointId>) -> mlua::Result<Option<[Answer; 3]>> {
        let Some(next) = hooks.pop() else {
            self.spare.borrow_mut().push(hooks);
            return Ok(None);
        };
        let source = self.source(next.hook, next.card);
        self.count_run(next.hook);
        let looks = asked.is_some();
        self.go_deeper(Running { hook: next.hook, source, owner: next.owner, asked, looks, rest: hooks })?;
        let this = self.number_of(source, next.owner);
        let owner = next.owner.map_or(Value::Nil, Value::Faction);
        Ok(Some([Answer::Number(f64::from(next.hook.0) + 1.0), Answer::Number(this.into()), owner.into()]))
    }

    /// The innermost hook is at its end; the next of its point runs from here on, if there is one.
    pub fn go_on(&self) -> mlua::Result<Option<[Answer; 3]>> {
        self.note_deeds(None);
        let Some(ended) = self.running.borrow_mut().pop() else { return Ok(None) };
        self.looks_again(&ended);
        self.begin(ended.rest, ended.asked)
    }

    /// The innermost hook from here on.
    pub fn go_deeper(&self, hook: Running) -> mlua::Result<()> {
        self.note_deeds(None);
        let mut running = self.running.borrow_mut();
        if running.len() >= DEEPEST {
            return Err(Fault::runtime(format!("hooks call each other more than {DEEPEST} levels deep")));
        }
        if hook.looks {
            self.pure.set(self.pure.get() + 1);
        }
        running.push(hook);
        Ok(())
    }

    /// A hook lists options from here on.
    pub fn begin_listing(&self) -> mlua::Result<()> {
        let innermost = self.running.borrow().last().map(|&Running { hook, source, owner, .. }| (hook, source, owner));
        let Some((hook, source, owner)) = innermost else { return Err(Fault::runtime("no hook is running")) };
        self.go_deeper(Running { looks: true, ..Running::new(hook, source, owner) })
    }

    /// The innermost hook has listed its options.
    pub fn end_listing(&self) {
        if let Some(ended) = self.running.borrow_mut().pop() {
            self.looks_again(&ended);
        }
    }

    /// An empty list, perhaps one that was used before.
    pub fn spare(&self) -> Vec<LiveHook> {
        self.spare.borrow_mut().pop().unwrap_or_default()
    }

    /// Runs all live query hooks of a point over a value.
    pub fn query(&self, lua: &Lua, point: PointId, value: i32, args: &[Value]) -> mlua::Result<i32> {
        let mut hooks = self.spare();
        self.read(|table| {
            if table.anyone_listens(point) {
                table.live_hooks(point, &mut hooks);
            }
        })?;
        let result =
            self.purely(|| hooks.iter().try_fold(value, |value, live| self.ask(lua, point, live, value, args)));
        hooks.clear();
        self.spare.borrow_mut().push(hooks);
        result
    }

    /// Runs one query hook.
    fn ask(&self, lua: &Lua, point: PointId, live: &LiveHook, value: i32, args: &[Value]) -> mlua::Result<i32> {
        let source = self.source(live.hook, live.card);
        self.go_deeper(Running::new(live.hook, source, live.owner))?;
        let this = &*self.self_of(lua, source, live.owner)?;
        let owner = self.to_lua(live.owner.map_or(Value::Nil, Value::Faction));
        let function = self.function(live.hook)?;
        let arg = |at: usize| self.to_lua(args[at]);
        let result: LuaValue = match args.len() {
            0 => function.call((this, value, owner))?,
            1 => function.call((this, value, owner, arg(0)))?,
            2 => function.call((this, value, owner, arg(0), arg(1)))?,
            3 => function.call((this, value, owner, arg(0), arg(1), arg(2)))?,
            _ => function.call((this, value, owner, arg(0), arg(1), arg(2), arg(3)))?,
        };
        let answer = whole(&result).ok_or_else(|| self.no_number(point, live.hook, &result))?;
        self.running.borrow_mut().pop();
        Ok(answer)
    }

    /// The fault where a query hook returns something else than a whole number: it is the hook's, not that of the line which
    /// asked.
    fn no_number(&self, point: PointId, hook: HookId, result: &LuaValue) -> mlua::Error {
        let id = &self.catalog.points[point.index()].id;
        let message = format!("a hook of `{id}` must return a whole number, got {}", say(result));
        let place = self.functions.get().and_then(|list| list.get(hook.index())).and_then(begins);
        mlua::Error::external(Fault { message, kind: ScriptErrorKind::Runtime, echo: false, place })
    }

    /// The fault of a query hook that a script asked.
    pub fn answered_wrongly(&self, result: &LuaValue) -> mlua::Error {
        match self.running.borrow().last() {
            Some(Running { hook, asked: Some(point), .. }) => self.no_number(*point, *hook, result),
            _ => Fault::runtime("no query hook is running"),
        }
    }

    /// Hooks that were running are no more, which an error has ended.
    pub fn unwind(&self, depth: usize) {
        let mut running = self.running.borrow_mut();
        while running.len() > depth {
            running.pop().iter().for_each(|ended| self.looks_again(ended));
        }
    }

    /// After what may only look its caller may do what it might before.
    fn looks_again(&self, ended: &Running) {
        if ended.looks {
            self.pure.set(self.pure.get().saturating_sub(1));
        }
    }
}

/// What [`Context::extents`] says.
fn extents(catalog: &Catalog) -> [u32; HANDLE_TYPES] {
    let first = [
        (Value::Nil, 1),
        (Value::Faction(FactionId(0)), catalog.factions.len()),
        (Value::Space(SpaceId(0)), catalog.spaces.len()),
        (Value::Kind(KindId(0)), catalog.kinds.len()),
        (Value::Piece(PieceId(0)), catalog.pieces.len()),
        (Value::Card(CardId(0)), catalog.cards.len()),
        (Value::Design(DesignId(0)), catalog.designs.len()),
        (Value::Zone(ZoneKindId(0)), catalog.zones.len()),
        (Value::Counter(CounterId(0)), catalog.counters.len()),
        (Value::Symbol(SymbolId(0)), catalog.symbols.len()),
        (Value::Rule(RuleId(0)), catalog.rules.len()),
    ];
    let mut extents = [0; HANDLE_TYPES];
    for (value, count) in first {
        if let Some((family, _)) = Value::handle_parts(value.to_bits()) {
            extents[family] = count as u32;
        }
    }
    extents
}

/// File and line in which a function of a script begins.
pub fn begins(function: &Function) -> Option<(String, u32)> {
    let about = function.info();
    Some((about.source?.strip_prefix('@')?.to_owned(), u32::try_from(about.line_defined?).ok()?))
}

fn no_game() -> mlua::Error {
    Fault::runtime("there is no game yet while modules load: call this inside a function")
}

/// A Lua value as a whole number; truth counts as 1 and 0.
pub fn whole(value: &LuaValue) -> Option<i32> {
    match value {
        // Minus zero, which `-x` gives, is not an integer to mlua.
        LuaValue::Number(0.0) => Some(0),
        // What lies below are handles.
        LuaValue::Integer(n) => i32::try_from(*n).ok().filter(|n| *n >= Value::LEAST),
        LuaValue::Boolean(b) => Some(i32::from(*b)),
        _ => None,
    }
}

/// A Lua value in an error message, never with an address.
pub fn say(value: &LuaValue) -> String {
    match value {
        LuaValue::Nil => "nothing".to_owned(),
        LuaValue::Boolean(b) => b.to_string(),
        LuaValue::Integer(n) => n.to_string(),
        LuaValue::Number(n) => n.to_string(),
        LuaValue::String(text) => format!("\"{}\"", text.to_string_lossy()),
        LuaValue::Table(_) => "a table".to_owned(),
        LuaValue::Function(_) => "a function".to_owned(),
        other => format!("a {}", other.type_name()),
    }
}
