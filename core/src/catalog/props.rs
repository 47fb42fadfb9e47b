//! Properties: values by keyword, as packs declare them.

use crate::ids::{SymbolId, Value};

/// Properties of an entity, sorted by keyword, each keyword at most once. [`Props::set`] keeps the order.
#[derive(Clone, Debug, Default)]
pub struct Props(pub Vec<(SymbolId, Value)>);

impl Props {
    /// The value of the property `name`, if the entity has it.
    pub fn get(&self, name: SymbolId) -> Option<Value> {
        self.0.binary_search_by_key(&name, |(key, _)| *key).ok().map(|at| self.0[at].1)
    }
    /// The property as a number; 0 if the entity does not have it or it is not a number.
    pub fn int(&self, name: SymbolId) -> i32 {
        match self.get(name) {
            Some(Value::Int(n)) => n,
            _ => 0,
        }
    }
    /// Sets a property, or replaces it.
    pub fn set(&mut self, name: SymbolId, value: Value) {
        match self.0.binary_search_by_key(&name, |(key, _)| *key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (name, value)),
        }
    }
}
