//! The world before the first phase.

use super::slots::{CardSlot, NONE, POOL, Piece, ZoneSlot};
use super::world::World;
use crate::catalog::{Catalog, FactionSet, GameConfig, Scope, StartWhen};
use crate::ids::*;
use crate::rng::Rng;

impl World {
    /// The table before the first phase: the box unpacked, starting pieces on their spaces, cards in their start zones.
    pub(crate) fn new(catalog: &Catalog, config: &GameConfig) -> World {
        let led = config.seats.iter().fold(0, |mask: FactionSet, seat| mask | 1 << seat.0);
        let mut order = config.seats.clone();
        order.sort_unstable();
        let mut world = World {
            counters: vec![0; catalog.counter_values],
            pieces: catalog
                .pieces
                .iter()
                .map(|spec| Piece { place: POOL, next: NONE, owner: spec.owner.map_or(u8::MAX, |f| f.0) })
                .collect(),
            heads: vec![NONE; catalog.spaces.len()],
            control: vec![u8::MAX; catalog.spaces.len()],
            cards: vec![CardSlot { zone: NONE, next: NONE, prev: NONE }; catalog.cards.len()],
            zones: vec![ZoneSlot { head: NONE, tail: NONE, len: 0 }; catalog.zone_list.len()],
            live: vec![0; catalog.points.len()],
            led,
            playing: led,
            order,
            active: None,
            rng: Rng::new(config.seed),
            flow: Vec::new(),
            next_frame: 1,
            triggers: Vec::new(),
            gains: Vec::new(),
            outcome: None,
        };
        for counter in &catalog.counters {
            let values = match counter.scope {
                Scope::Game => 1,
                Scope::Faction => catalog.playable,
                Scope::Space => catalog.spaces.len(),
                Scope::Card => catalog.cards.len(),
            };
            world.counters[counter.offset..counter.offset + values].fill(counter.start);
        }
        for (counter, value) in &config.options {
            world.counters[catalog.counters[counter.index()].offset] = *value;
        }
        for (at, design) in catalog.cards.iter().enumerate() {
            world.attach_card(catalog, CardId::at(at), catalog.designs[design.index()].start, false);
        }
        for (at, space) in catalog.spaces.iter().enumerate() {
            for start in &space.pieces {
                let is_led = start.faction.is_some_and(|f| world.is_led(f));
                let placed = match start.when {
                    StartWhen::Always => true,
                    StartWhen::Led => is_led,
                    StartWhen::Unled => !is_led,
                };
                for _ in 0..if placed { start.count } else { 0 } {
                    if let Some(piece) = world.pooled(catalog, start.kind, start.faction) {
                        world.set_piece(piece, Some(SpaceId::at(at)));
                    }
                }
            }
        }
        world
    }
}
