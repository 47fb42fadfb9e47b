//! The tables of constants: what scripts write before the dot, the types of the values, and the families behind them.

use principes_core::ids::HandleType;
use principes_schemas::Family;

use crate::types::{self as t, Bits};

/// A table of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// Its name in scripts, and the type of its values.
    pub of: HandleType,
    /// The family whose ids it holds.
    pub family: Family,
}

impl Constants {
    /// Its name in scripts.
    pub fn table(self) -> &'static str {
        self.of.word()
    }

    /// The type of its values.
    pub(crate) fn bits(self) -> Bits {
        t::handle(self.of)
    }

    /// All tables of constants.
    pub fn all() -> impl Iterator<Item = Constants> + Clone {
        HandleType::ALL.iter().filter_map(|of| Constants::of(*of))
    }

    fn of(of: HandleType) -> Option<Constants> {
        Some(Constants { of, family: Family::with_handle(of.word())? })
    }

    /// The table with the ids of a family.
    pub fn of_family(family: Family) -> Option<Constants> {
        Constants::all().find(|constants| constants.family == family)
    }

    /// The table with a name.
    pub(crate) fn named(table: &str) -> Option<Constants> {
        HandleType::ALL.iter().find(|of| of.word() == table).and_then(|of| Constants::of(*of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel knows the tables of constants, and the families know whose ids are in them.
    #[test]
    fn every_table_of_constants_has_a_family() {
        let tables: Vec<&str> = HandleType::ALL.iter().filter(|of| of.named().is_some()).map(|of| of.word()).collect();
        assert_eq!(Constants::all().map(Constants::table).collect::<Vec<_>>(), tables);
        for family in Family::with_handles() {
            let constants = Constants::of_family(family).unwrap_or_else(|| panic!("{family:?} has no table"));
            assert_eq!((Constants::named(constants.table()), constants.family), (Some(constants), family));
            assert_eq!(t::tell(constants.bits()), constants.of.one());
        }
    }
}
