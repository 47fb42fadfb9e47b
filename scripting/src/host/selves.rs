//! The `self` of hooks: one frozen table for each entity and owner, made on first use.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Lua, Table as LuaTable};
use principes_core::catalog::Catalog;
use principes_core::ids::{FactionId, Value};

use crate::error::ApiError;
use crate::host::spelling::Spelling;

/// The `self` of the hooks of one source and owner.
struct SelfOf {
    source: Value,
    owner: Option<FactionId>,
    /// Made on first use.
    table: Option<Rc<LuaTable>>,
}

/// The `self` of each entity for each owner.
pub struct Selves {
    /// For each source and owner (see [`Selves::place`]), the length of the list when theirs was added; 0 if it was
    /// not.
    numbers: RefCell<Vec<u32>>,
    list: RefCell<Vec<SelfOf>>,
}

impl Selves {
    pub fn new(catalog: &Catalog) -> Self {
        let sources = catalog.cards.len() + catalog.designs.len() + catalog.rules.len() + 1;
        let numbers = vec![0; sources * (catalog.factions.len() + 1)];
        Selves { numbers: RefCell::new(numbers), list: RefCell::default() }
    }

    /// Cards come first, then designs, rules and the flow. Each has an entry without owner, and then one for each
    /// faction.
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

    /// The number of the `self` of a hook, from 1.
    pub fn number_of(&self, catalog: &Catalog, source: Value, owner: Option<FactionId>) -> u32 {
        let number = &mut self.numbers.borrow_mut()[Selves::place(catalog, source, owner)];
        if *number == 0 {
            let mut list = self.list.borrow_mut();
            list.push(SelfOf { source, owner, table: None });
            // The list is no longer than the numbers.
            *number = list.len() as u32;
        }
        *number
    }

    /// The frozen `self` with a number: id, params, card and owner.
    pub fn table(&self, lua: &Lua, catalog: &Catalog, spelling: &Spelling, number: u32) -> mlua::Result<Rc<LuaTable>> {
        let at = (number as usize).wrapping_sub(1);
        let (source, owner) = match self.list.borrow().get(at) {
            Some(SelfOf { table: Some(table), .. }) => return Ok(table.clone()),
            Some(new) => (new.source, new.owner),
            None => return Err(ApiError::raise("there is no such `self`")),
        };
        let table = lua.create_table()?;
        let params = match source {
            Value::Card(card) => Some(&catalog.design_of(card).params),
            Value::Design(design) => Some(&catalog.designs[design.index()].params),
            Value::Rule(rule) => Some(&catalog.rules[rule.index()].params),
            _ => None,
        };
        for (name, value) in params.into_iter().flatten() {
            table.raw_set(name.as_str(), *value)?;
        }
        table.raw_set("id", catalog.id_of(source))?;
        if matches!(source, Value::Card(_)) {
            table.raw_set("card", spelling.value(source))?;
        }
        table.raw_set("owner", spelling.value(owner.map_or(Value::Nil, Value::Faction)))?;
        table.set_readonly(true);
        let table = Rc::new(table);
        self.list.borrow_mut()[at].table = Some(table.clone());
        Ok(table)
    }
}
