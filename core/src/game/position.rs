//! Keys that tell whether two games are in the same position, for tools that count positions or consider each only
//! once.
//!
//! There are two keys: one for what is on the table, and one for everything that can still happen.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::game::Game;
use crate::catalog::{Catalog, FactionSet, Scope};
use crate::ids::*;
use crate::rng::Rng;
use crate::scripts::Scripts;
use crate::state::{Frame, Outcome, World};

/// 128 bits that identify a position. Equal positions have equal keys on every machine. Unequal positions have
/// different keys for all practical purposes.
pub type PositionKey = u128;

impl<S: Scripts> Game<S> {
    /// The table, including hidden things, and the open decisions. Pieces of the same kind and owner are
    /// interchangeable, and so are copies of a card. The way to the position does not matter.
    pub fn position(&self) -> PositionKey {
        let mut bytes = Vec::with_capacity(512);
        let world = &self.table.world;
        describe(&self.table.catalog, world, &mut bytes);
        for frame in &world.flow {
            if let Frame::Turns(turns) = frame {
                write(&mut bytes, turns);
            }
        }
        for decision in self.pending() {
            write(&mut bytes, decision);
        }
        key(&bytes)
    }

    /// The possible futures: two running games with equal keys offer the same options, and continue alike with the same
    /// answers. It is finer than [`Game::position`] while scripts are suspended, because scripts remember what they
    /// received. Pieces of the same kind and owner are interchangeable here too.
    pub fn future(&self) -> PositionKey {
        let mut bytes = Vec::with_capacity(512);
        describe(&self.table.catalog, &self.base, &mut bytes);
        write(&mut bytes, &self.base.flow);
        write(&mut bytes, &self.since);
        key(&bytes)
    }
}

fn key(bytes: &[u8]) -> PositionKey {
    let digest = Sha256::digest(bytes);
    digest.iter().take(16).fold(0, |key, byte| key << 8 | u128::from(*byte))
}

/// Appends data with its length, so that no two lists run together.
fn write(bytes: &mut Vec<u8>, data: &impl Serialize) {
    // Plain data without maps or floats can always be serialized.
    let part = postcard::to_allocvec(data).unwrap_or_default();
    bytes.extend((part.len() as u32).to_le_bytes());
    bytes.extend(part);
}

/// The part of a position that concerns seats.
#[derive(Serialize)]
struct Seats<'a> {
    led: FactionSet,
    playing: FactionSet,
    order: &'a [SeatId],
    active: Option<SeatId>,
    outcome: Option<Outcome>,
    rng: &'a Rng,
}

fn describe(catalog: &Catalog, world: &World, bytes: &mut Vec<u8>) {
    let mut pieces: Vec<_> =
        world.pieces().map(|(id, piece)| (piece.space(), catalog.pieces[id.index()].kind, piece.owner())).collect();
    pieces.sort_unstable();
    write(bytes, &pieces);
    // If cards have counters, copies of a card differ.
    let cards_differ = catalog.counters.iter().any(|counter| counter.scope == Scope::Card);
    let name = |card: CardId| if cards_differ { card.index() } else { catalog.cards[card.index()].index() };
    let zones: Vec<Vec<usize>> = (0..catalog.zone_list.len())
        .map(|zone| {
            let mut cards: Vec<usize> = world.in_zone(ZoneId::at(zone)).map(name).collect();
            // The order in which tiles were laid does not matter.
            if catalog.tiles.as_ref().is_some_and(|tiles| tiles.zones.contains(&catalog.zone_list[zone].0)) {
                cards.sort_unstable();
            }
            cards
        })
        .collect();
    write(bytes, &zones);
    let mut gains: Vec<_> = world.gains.iter().map(|gain| (gain.space, gain.counter, gain.amount)).collect();
    gains.sort_unstable();
    let counters = &world.counters[..catalog.tiles.as_ref().map_or(world.counters.len(), |tiles| tiles.offset)];
    write(bytes, &(counters, &world.control, gains, &world.triggers));
    if let Some(tiles) = &catalog.tiles {
        let laid: Vec<_> = world.laid_tiles(tiles).collect();
        let laid: Vec<_> =
            laid.iter().map(|(cell, laid)| (cell, name(laid.card), laid.rotation, laid.joined)).collect();
        write(bytes, &laid);
    }
    let World { led, playing, order, active, outcome, rng, .. } = world;
    write(bytes, &Seats { led: *led, playing: *playing, order, active: *active, outcome: *outcome, rng });
}
