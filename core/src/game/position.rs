//! When two games are in the same position: for tools that count positions or want to think about each only once.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::game::Game;
use crate::catalog::{Catalog, Scope};
use crate::ids::*;
use crate::rng::Rng;
use crate::scripts::Scripts;
use crate::state::{Frame, Outcome, World};

/// 128 bits that represent a position. Equal positions have equal keys on every machine; unequal ones have different
/// keys for all practical purposes.
pub type PositionKey = u128;

impl<S: Scripts> Game<S> {
    /// What is on the table, hidden things included, and what is asked. Pieces of one kind and owner that have changed
    /// places make no difference, nor do copies of a card, nor how the game came here.
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

    /// What can come: two running games with equal keys offer the same, and continue alike under the same answers. Finer
    /// than [`Game::position`] while scripts are suspended, because they remember what they were told. As there, pieces
    /// of one kind and owner count as one another.
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

/// Appends plain data, each with its length, so that no two lists run into each other.
fn write(bytes: &mut Vec<u8>, data: &impl Serialize) {
    // Plain data without maps or floats always serializes.
    let part = postcard::to_allocvec(data).unwrap_or_default();
    bytes.extend((part.len() as u32).to_le_bytes());
    bytes.extend(part);
}

/// What a position says of seats and chance.
#[derive(Serialize)]
struct Seats<'a> {
    led: u32,
    playing: u32,
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
    // Where cards have counters of their own, copies of a card differ.
    let cards_differ = catalog.counters.iter().any(|counter| counter.scope == Scope::Card);
    let name = |card: CardId| if cards_differ { card.index() } else { catalog.cards[card.index()].index() };
    let zones: Vec<Vec<usize>> = (0..catalog.zone_list.len())
        .map(|zone| {
            let mut cards: Vec<usize> = world.in_zone(ZoneId::at(zone)).map(name).collect();
            // In which order tiles were laid makes no difference.
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
