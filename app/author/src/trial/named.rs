//! The options of a game that name a card.

use principes_core::*;
use principes_scripting::LuaHost;

pub(super) type Playing = Game<LuaHost>;

/// Whether an option names a card.
pub(super) fn names(catalog: &Catalog, option: &DecisionOption, card: DesignId) -> bool {
    option.args.iter().any(|value| match value {
        Value::Card(of) => catalog.cards[of.index()] == card,
        Value::Design(of) => *of == card,
        _ => false,
    })
}
