//! Edits of the table.

use std::sync::Arc;

use principes_core::*;
use principes_core::{PieceFilter, Table};
use principes_schemas::{Edit, Position};

use crate::lookup::{self, Lookup};

/// Changes the table as an edit says.
pub(crate) fn apply(table: &mut Table, edit: &Edit) -> Lookup<()> {
    let catalog = Arc::clone(&table.catalog);
    match edit {
        Edit::Counter(e) => {
            let counter = lookup::counter(&catalog, e.counter.as_str())?;
            let owner = lookup::counter_owner(&catalog, counter, e.of.as_ref().map(|of| of.as_str()))?;
            let value = lookup::counter_value(&catalog, counter, &e.set)?;
            table.set_value(counter, value, owner).map_err(|error| error.0)
        }
        Edit::Place(e) => {
            let kind = lookup::kind(&catalog, e.place.as_str())?;
            let owner = e.faction.as_ref().map(|id| lookup::faction(&catalog, id.as_str())).transpose()?;
            let space = lookup::space(&catalog, e.at.as_str())?;
            for placed in 0..e.count {
                table.place(kind, owner, space).ok_or_else(|| {
                    let whose = e.faction.as_ref().map_or_else(String::new, |id| format!(" of `{id}`"));
                    format!(
                        "the pool has only {placed} `{}`{whose}, not {}; remove some from the map first",
                        e.place, e.count
                    )
                })?;
            }
            Ok(())
        }
        Edit::Remove(e) => {
            let at = match e.from.as_str() {
                "map" => None,
                id => Some(lookup::space(&catalog, id)?),
            };
            let filter = PieceFilter {
                at,
                owner: e.faction.as_ref().map(|id| lookup::faction(&catalog, id.as_str())).transpose()?,
                kind: Some(lookup::kind(&catalog, e.remove.as_str())?),
                on_map: Some(true),
                ..PieceFilter::default()
            };
            let found = table.find_pieces(&filter).take(e.count.map_or(usize::MAX, usize::from));
            let moves: Vec<(PieceId, Option<SpaceId>)> = found.map(|piece| (piece, None)).collect();
            table.move_pieces(&moves);
            Ok(())
        }
        Edit::Card(e) => {
            let zone = lookup::table_zone(&catalog, e.to.as_str(), e.of.as_ref().map(|of| of.as_str()))?;
            if let Some(at) = &e.at {
                let space = lookup::space(&catalog, at.as_str())?;
                let card = lookup::copy_to_lay(table, e.card.as_str(), zone)?;
                let rotation = e.rotation.map_or(0, i32::from);
                return table.lay(card, space, rotation, zone).map_err(|error| error.0);
            }
            let card = lookup::copy_for(table, e.card.as_str(), zone)?;
            table.put_card(card, zone, e.position == Position::Top, false);
            Ok(())
        }
        Edit::Clear(e) => {
            let to = lookup::table_zone(&catalog, e.to.as_str(), None)?;
            let kind = lookup::zone(&catalog, e.clear.as_str())?;
            let from: Vec<ZoneId> = match &e.of {
                Some(of) => vec![lookup::table_zone(&catalog, e.clear.as_str(), Some(of.as_str()))?],
                None => (0..catalog.zone_list.len())
                    .map(ZoneId::at)
                    .filter(|zone| catalog.zone_list[zone.index()].0 == kind)
                    .collect(),
            };
            for zone in from {
                let cards: Vec<CardId> = table.world.in_zone(zone).collect();
                for card in cards {
                    table.put_card(card, to, false, false);
                }
            }
            Ok(())
        }
    }
}
