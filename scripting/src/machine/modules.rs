//! The modules of the packs in one machine: how they are loaded, import each other, and are frozen.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Function, Lua, Table as LuaTable, Value as LuaValue};
use principes_core::catalog::{Change, Hook};
use principes_core::ids::HookId;
use principes_core::scripts::{ScriptError, ScriptErrorKind};

use crate::error::{ApiError, describe, say};
use crate::machine::budget::Budget;
use crate::machine::library::NOT_BUILT_IN;
use crate::machine::vetting::{Vetted, all_exist, vet};
use crate::source::{Code, ScriptSource, UsedNames};
use crate::suggest::{Hint, hint};

/// The number of runs of each line of each module, by module and line from 1. Lines without code are left out.
pub type LineHits = BTreeMap<String, BTreeMap<u32, u64>>;

/// The state of a module.
enum Module {
    /// Not loaded yet. The index of its source.
    Waiting(usize),
    /// Running its main part. Code that imports it now gets the stand-in, which works later.
    Loading(Option<LuaTable>),
    Loaded(LuaTable),
    Failed,
}

/// The modules of one machine.
pub struct Modules {
    sources: Vec<ScriptSource>,
    list: RefCell<BTreeMap<String, Module>>,
    /// The tables that the loading module has made.
    kept: RefCell<Vec<LuaTable>>,
    errors: RefCell<Vec<ScriptError>>,
    /// The environment of modules.
    environment: OnceCell<LuaTable>,
    /// The main function of each module, if lines are counted.
    counted: Option<RefCell<BTreeMap<String, Function>>>,
}

impl Modules {
    pub fn new(sources: &[ScriptSource], counts_lines: bool) -> Self {
        let list = sources.iter().enumerate().map(|(at, s)| (s.module.clone(), Module::Waiting(at))).collect();
        Modules {
            sources: sources.to_vec(),
            list: RefCell::new(list),
            kept: RefCell::default(),
            errors: RefCell::default(),
            environment: OnceCell::new(),
            counted: counts_lines.then(RefCell::default),
        }
    }

    /// Sets the environment of modules.
    pub fn set_environment(&self, environment: LuaTable) {
        let _ = self.environment.set(environment);
    }

    /// Keeps a table that a module makes while it loads, so that it can be frozen afterward.
    pub fn keep(&self, table: LuaTable) {
        self.kept.borrow_mut().push(table);
    }

    /// Loads all modules. Returns their errors.
    pub fn load_all(&self, lua: &Lua, budget: &Budget) -> Vec<ScriptError> {
        for source in &self.sources {
            // All errors are recorded.
            let _ = self.load(lua, budget, &source.module);
        }
        self.errors.take()
    }

    /// The result of `import`.
    pub fn import(&self, lua: &Lua, budget: &Budget, name: &LuaValue) -> mlua::Result<LuaTable> {
        match name {
            LuaValue::String(name) => self.load(lua, budget, &name.to_string_lossy()),
            other => {
                let got = say(other);
                Err(ApiError::raise(format!("import: 1st argument must be the name of a module, found {got}")))
            }
        }
    }

    /// The table of a module, which is loaded if necessary. A module that imports one that is still loading gets a
    /// stand-in that works after loading.
    fn load(&self, lua: &Lua, budget: &Budget, name: &str) -> mlua::Result<LuaTable> {
        let at = {
            let mut modules = self.list.borrow_mut();
            match modules.get_mut(name) {
                None => {
                    let hint = hint(name, modules.keys().map(String::as_str));
                    return Err(ApiError::raise_with(format_args!("import: unknown module `{name}`"), hint));
                }
                Some(Module::Loaded(table)) => return Ok(table.clone()),
                Some(Module::Failed) => return Err(ApiError::echo(format!("import: module `{name}` has errors"))),
                Some(Module::Loading(Some(stand_in))) => return Ok(stand_in.clone()),
                Some(Module::Loading(none)) => {
                    let stand_in = stand_in(lua, name)?;
                    *none = Some(stand_in.clone());
                    return Ok(stand_in);
                }
                Some(slot @ Module::Waiting(_)) => match std::mem::replace(slot, Module::Loading(None)) {
                    Module::Waiting(at) => at,
                    _ => return Err(ApiError::raise("import: the module no longer exists")),
                },
            }
        };
        let result = self.run(lua, budget, &self.sources[at]);
        let mut modules = self.list.borrow_mut();
        let state = match &result {
            Ok(table) => Module::Loaded(table.clone()),
            Err(_) => Module::Failed,
        };
        if let Some(Module::Loading(Some(stand_in))) = modules.insert(name.to_owned(), state)
            && let (Ok(table), Some(meta)) = (&result, stand_in.metatable())
        {
            meta.raw_set("__index", table)?;
            meta.set_readonly(true);
        }
        drop(modules);
        result.map_err(|error| {
            let described = describe(&error);
            if described.echo {
                return error;
            }
            let mut error = described.into_error(None, &self.sources);
            error.file.get_or_insert_with(|| self.sources[at].path.clone());
            self.errors.borrow_mut().push(error);
            ApiError::echo(format!("import: module `{name}` has errors"))
        })
    }

    fn run(&self, lua: &Lua, budget: &Budget, source: &ScriptSource) -> mlua::Result<LuaTable> {
        let environment = self.environment.get().ok_or_else(|| ApiError::raise("the machine is not ready"))?;
        budget.begin(lua);
        let counts = self.counted.is_some();
        let compiler = Compiler::new()
            // Lines of inlined functions would be counted elsewhere.
            .set_optimization_level(if counts { 1 } else { 2 })
            .set_debug_level(1)
            .set_coverage_level(if counts { 2 } else { 0 })
            .set_disabled_builtins(NOT_BUILT_IN.iter().copied());
        let load = |chunk: &[u8], mode: ChunkMode| {
            lua.load(chunk)
                .set_name(format!("@{}", source.module))
                .set_mode(mode)
                .set_environment(environment.clone())
                .set_compiler(compiler.clone())
                .into_function()
        };
        let known = source.compiled.of(&source.text, counts).filter(|code| all_exist(&code.names, environment));
        let chunk = match known {
            Some(code) => load(&code.bytes, ChunkMode::Binary)?,
            None => {
                let Some((text, names)) = self.vet(environment, source)? else {
                    return Err(ApiError::echo(format!("module `{}` has errors", source.module)));
                };
                match compiler.compile(&text) {
                    Ok(bytes) => {
                        let chunk = load(&bytes, ChunkMode::Binary)?;
                        source.compiled.keep(counts, Code { text: Arc::clone(&source.text), names, bytes });
                        chunk
                    }
                    // There are too many variables, or a jump is too long. The compiler's error is about the text.
                    Err(_) => load(text.as_bytes(), ChunkMode::Text)?,
                }
            }
        };
        if let Some(counted) = &self.counted {
            counted.borrow_mut().insert(source.module.clone(), chunk.clone());
        }
        let outer = self.kept.take();
        let result: mlua::Result<LuaValue> = chunk.call(());
        let kept = self.kept.replace(outer);
        match result? {
            LuaValue::Table(table) => {
                freeze(&table)?;
                for table in kept {
                    freeze(&table)?;
                }
                Ok(table)
            }
            other => Err(ApiError::raise(format!(
                "a module must end with `return` and a table of functions, found {}",
                say(&other)
            ))),
        }
    }

    /// The text of a module for the compiler, and the names that it uses. If it has an error, the error is recorded.
    fn vet(&self, environment: &LuaTable, source: &ScriptSource) -> mlua::Result<Option<(String, UsedNames)>> {
        let told = self.errors.borrow().len();
        Ok(match vet(environment, source, told)? {
            Vetted::Text(text, names) => Some((text, names)),
            Vetted::Errors(errors) => {
                self.errors.borrow_mut().extend(errors);
                None
            }
        })
    }

    /// The functions of all hooks. A missing function is an error.
    ///
    /// `changing` makes the function of a hook that changes a value without a script.
    pub fn functions(
        &self,
        hooks: &[Hook],
        changing: impl Fn(&Change) -> mlua::Result<Function>,
        errors: &mut Vec<ScriptError>,
    ) -> Vec<Function> {
        let mut functions = Vec::with_capacity(hooks.len());
        for (at, hook) in hooks.iter().enumerate() {
            let found = match &hook.change {
                Some(change) => changing(change).map(Some).map_err(|e| (describe(&e).message, Hint::default())),
                None => self.function(hook),
            };
            match found {
                Ok(function) => functions.extend(function),
                Err((message, hint)) => {
                    let source = self.sources.iter().find(|source| source.module == hook.module);
                    errors.push(ScriptError {
                        message: format!("{message}{hint}"),
                        suggestion: hint.0,
                        file: source.map(|source| source.path.clone()),
                        line: None,
                        trace: Vec::new(),
                        hook: Some(HookId::at(at)),
                        kind: ScriptErrorKind::Runtime,
                        steps: 0,
                    });
                }
            }
        }
        functions
    }

    /// The function of a hook; `None` if its module has failed, which has been reported. The error has a message and a
    /// suggestion.
    fn function(&self, hook: &Hook) -> Result<Option<Function>, (String, Hint)> {
        let modules = self.list.borrow();
        match modules.get(&hook.module) {
            Some(Module::Loaded(table)) => match table.raw_get::<LuaValue>(hook.function.as_str()) {
                Ok(LuaValue::Function(function)) => Ok(Some(function)),
                Ok(LuaValue::Nil) => {
                    let names: Vec<String> =
                        table.pairs::<String, LuaValue>().filter_map(|pair| Some(pair.ok()?.0)).collect();
                    let hint = hint(&hook.function, names.iter().map(String::as_str));
                    Err((format!("module `{}` has no function `{}`", hook.module, hook.function), hint))
                }
                Ok(other) => {
                    let message =
                        format!("`{}.{}` must be a function, found {}", hook.module, hook.function, say(&other));
                    Err((message, Hint::default()))
                }
                Err(error) => Err((describe(&error).message, Hint::default())),
            },
            None => {
                let hint = hint(&hook.module, modules.keys().map(String::as_str));
                Err((format!("unknown module `{}`", hook.module), hint))
            }
            Some(_) => Ok(None),
        }
    }

    /// Adds the number of runs of each line of each module to `hits`.
    pub fn add_line_hits(&self, hits: &mut LineHits) {
        for (module, chunk) in self.counted.iter().flat_map(|counted| counted.borrow().clone()) {
            let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
            // A line can belong to a function and to one inside it. The greater number counts.
            chunk.coverage(|function| {
                for (line, count) in function.hits.iter().enumerate().filter(|(_, count)| **count >= 0) {
                    let most = lines.entry(line as u32).or_default();
                    *most = (*most).max(count.unsigned_abs().into());
                }
            });
            let sums = hits.entry(module).or_default();
            lines.into_iter().for_each(|(line, count)| *sums.entry(line).or_default() += count);
        }
    }
}

fn stand_in(lua: &Lua, name: &str) -> mlua::Result<LuaTable> {
    let name = name.to_owned();
    let early = lua.create_function(move |_, (_, key): (LuaValue, LuaValue)| -> mlua::Result<LuaValue> {
        let key = say(&key);
        Err(ApiError::raise(format!(
            "module `{name}` is still loading, because it imports this one: use {key} inside a function, not while modules load"
        )))
    })?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", early)?;
    let stand_in = lua.create_table()?;
    stand_in.set_metatable(Some(meta))?;
    stand_in.set_readonly(true);
    Ok(stand_in)
}

/// Makes a table and the tables in it read-only.
fn freeze(table: &LuaTable) -> mlua::Result<()> {
    let mut open = vec![table.clone()];
    while let Some(table) = open.pop() {
        if table.is_readonly() {
            continue;
        }
        table.set_readonly(true);
        for pair in table.pairs::<LuaValue, LuaValue>() {
            let (key, value) = pair?;
            open.extend([key, value].into_iter().filter_map(|part| match part {
                LuaValue::Table(inner) => Some(inner),
                _ => None,
            }));
        }
    }
    Ok(())
}
