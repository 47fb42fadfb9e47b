//! Cards: moving them between zones, drawing and shuffling.

use crate::ids::*;
use crate::state::{Event, Table};

impl Table {
    /// Puts a card on the top or at the bottom of a zone. A laid tile that moves to a zone without laid tiles is taken
    /// off the grid. `face` is whether everyone sees its face during the move.
    pub fn put_card(&mut self, card: CardId, zone: ZoneId, top: bool, face: bool) {
        self.move_card(card, zone, top, face, false);
    }

    fn move_card(&mut self, card: CardId, zone: ZoneId, top: bool, face: bool, drawn: bool) {
        let from = self.world.card_zone(card);
        self.world.detach_card(&self.catalog, card);
        self.world.attach_card(&self.catalog, card, zone, top);
        self.emit(Event::Card { card, from, to: zone, face, drawn });
        if self.catalog.tiles.is_some() {
            self.take_up(card, from, zone);
        }
    }

    /// Moves the top card of a zone to the bottom of another; `None` if the zone is empty.
    pub fn draw(&mut self, from: ZoneId, to: ZoneId) -> Option<CardId> {
        let card = self.world.top(from)?;
        self.move_card(card, to, false, false, true);
        Some(card)
    }

    /// Shuffles the cards of a zone.
    pub fn shuffle(&mut self, zone: ZoneId) {
        let mut cards: Vec<CardId> = self.world.in_zone(zone).collect();
        self.world.rng.shuffle(&mut cards);
        for card in cards {
            self.world.detach_card(&self.catalog, card);
            self.world.attach_card(&self.catalog, card, zone, false);
        }
        self.emit(Event::Shuffled { zone });
    }
}
