//! Finds names in scripts without reading them.

use mlua::{Lua, LuaString, Value as LuaValue};
use principes_core::catalog::Catalog;
use principes_core::ids::{DecisionId, HookPointId, SymbolId, Value};
use rustc_hash::FxHashMap;

/// A prop that a filter of cards requires.
#[derive(Clone, Copy)]
pub enum CardProp {
    Type,
    Faction,
    Named(SymbolId),
}

/// The names in the catalog, by the address of the string: Luau keeps only one string for each text, so a script's
/// string is found by its address without reading it.
pub struct Spelling {
    /// Keeps the strings alive, and so their addresses. Keywords come first, by [`SymbolId`].
    strings: Vec<LuaString>,
    symbols: FxHashMap<usize, SymbolId>,
    points: FxHashMap<usize, HookPointId>,
    decisions: FxHashMap<usize, DecisionId>,
    /// The strings that the API itself uses.
    texts: FxHashMap<usize, &'static str>,
    /// The addresses of the names of the props that all cards have.
    card_type: usize,
    card_faction: usize,
}

impl Spelling {
    /// `own` are the strings that the API itself uses.
    pub fn new(lua: &Lua, catalog: &Catalog, own: impl IntoIterator<Item = &'static str>) -> mlua::Result<Self> {
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
            points.insert(keep(&point.id)?, HookPointId::at(at));
        }
        let mut decisions = FxHashMap::default();
        for (at, decision) in catalog.decisions.iter().enumerate() {
            decisions.insert(keep(&decision.id)?, DecisionId::at(at));
        }
        let mut texts = FxHashMap::default();
        for text in own {
            texts.insert(keep(text)?, text);
        }
        let (card_type, card_faction) = (keep("type")?, keep("faction")?);
        Ok(Spelling { strings, symbols, points, decisions, texts, card_type, card_faction })
    }

    /// The address of a string that the API itself uses.
    pub fn address(&self, text: &str) -> Option<usize> {
        self.texts.iter().find_map(|(address, known)| (*known == text).then_some(*address))
    }

    /// The string at an address, if the API itself uses it.
    #[inline]
    pub fn text(&self, address: usize) -> Option<&'static str> {
        self.texts.get(&address).copied()
    }

    /// The card prop whose name is at an address.
    #[inline]
    pub fn card_prop(&self, address: usize) -> Option<CardProp> {
        match address {
            _ if address == self.card_type => Some(CardProp::Type),
            _ if address == self.card_faction => Some(CardProp::Faction),
            _ => self.symbol(address).map(CardProp::Named),
        }
    }

    /// The keyword at an address.
    #[inline]
    pub fn symbol(&self, address: usize) -> Option<SymbolId> {
        self.symbols.get(&address).copied()
    }

    /// The hook point whose name is at an address.
    #[inline]
    pub fn point(&self, address: usize) -> Option<HookPointId> {
        self.points.get(&address).copied()
    }

    /// The decision whose name is at an address.
    #[inline]
    pub fn decision(&self, address: usize) -> Option<DecisionId> {
        self.decisions.get(&address).copied()
    }

    /// A keyword as a Lua value.
    pub fn word(&self, word: SymbolId) -> LuaValue {
        self.strings.get(word.index()).map_or(LuaValue::Nil, |text| LuaValue::String(text.clone()))
    }

    /// A value as a Lua value.
    #[inline]
    pub fn value(&self, value: Value) -> LuaValue {
        match value {
            Value::Nil => LuaValue::Nil,
            Value::Int(n) => LuaValue::Number(f64::from(n)),
            Value::Symbol(word) => self.word(word),
            handle => LuaValue::Number(handle.to_bits().into()),
        }
    }
}
