//! The props and stats of an entity, with their declarations.

use principes_schemas::{Family, Prop, PropOwner};
use serde_json::Value;

use crate::game::Loaded;

/// A prop or stat of an entity.
#[derive(Clone, Copy, Debug)]
pub struct EntityProp<'l> {
    /// Its name in the content.
    pub key: &'l str,
    /// As the file writes it: a number, a keyword, an id, true or false.
    pub value: &'l Value,
    /// Its declaration.
    pub prop: Option<&'l Prop>,
}

impl Loaded {
    /// The props of an entity, then its stats.
    pub fn prop_values<'l>(&'l self, family: Family, entity: &'l Value) -> Vec<EntityProp<'l>> {
        let mut list = Vec::new();
        for of in PropOwner::ALL.iter().copied().filter(|of| of.family() == family) {
            let members = if of == PropOwner::Stats { "stats" } else { "props" };
            let group = entity[of.group()].as_str().unwrap_or_default();
            for (key, value) in entity[members].as_object().into_iter().flatten() {
                let mut props = self.props.iter().map(|prop| &**prop);
                let prop = props.find(|prop| prop.of == of && prop.key() == key && prop.is_for(group));
                list.push(EntityProp { key, value, prop });
            }
        }
        list
    }
}
