//! Cards of a world: linked lists for zones, and the number of cards that listen to each hook point.

use super::slots::{CardSlot, NONE, ZoneSlot};
use super::world::World;
use crate::catalog::Catalog;
use crate::ids::*;

impl World {
    /// Where a card is now.
    pub fn card_zone(&self, card: CardId) -> ZoneId {
        ZoneId(self.cards[card.index()].zone)
    }
    /// The number of cards in a zone.
    pub fn zone_len(&self, zone: ZoneId) -> usize {
        usize::from(self.zones[zone.index()].len)
    }
    /// The cards of a zone, top first.
    pub fn in_zone(&self, zone: ZoneId) -> impl Iterator<Item = CardId> + '_ {
        let mut at = self.zones[zone.index()].head;
        std::iter::from_fn(move || {
            (at != NONE).then(|| {
                let card = CardId(at);
                at = self.cards[card.index()].next;
                card
            })
        })
    }
    /// The top card of a zone.
    pub fn top(&self, zone: ZoneId) -> Option<CardId> {
        let head = self.zones[zone.index()].head;
        (head != NONE).then_some(CardId(head))
    }
    pub(crate) fn detach_card(&mut self, catalog: &Catalog, card: CardId) {
        let CardSlot { zone, next, prev } = self.cards[card.index()];
        if zone == NONE {
            return;
        }
        let slot = &mut self.zones[usize::from(zone)];
        slot.len -= 1;
        if slot.head == card.0 {
            slot.head = next;
        }
        if slot.tail == card.0 {
            slot.tail = prev;
        }
        if next != NONE {
            self.cards[usize::from(next)].prev = prev;
        }
        if prev != NONE {
            self.cards[usize::from(prev)].next = next;
        }
        self.count_live(catalog, card, ZoneId(zone), false);
        self.cards[card.index()] = CardSlot { zone: NONE, next: NONE, prev: NONE };
    }
    pub(crate) fn attach_card(&mut self, catalog: &Catalog, card: CardId, zone: ZoneId, top: bool) {
        let ZoneSlot { head, tail, len } = self.zones[zone.index()];
        let slot = &mut self.zones[zone.index()];
        slot.len = len + 1;
        if top {
            slot.head = card.0;
            if tail == NONE {
                slot.tail = card.0;
            }
            if head != NONE {
                self.cards[usize::from(head)].prev = card.0;
            }
            self.cards[card.index()] = CardSlot { zone: zone.0, next: head, prev: NONE };
        } else {
            slot.tail = card.0;
            if head == NONE {
                slot.head = card.0;
            }
            if tail != NONE {
                self.cards[usize::from(tail)].next = card.0;
            }
            self.cards[card.index()] = CardSlot { zone: zone.0, next: NONE, prev: tail };
        }
        self.count_live(catalog, card, zone, true);
    }
    fn count_live(&mut self, catalog: &Catalog, card: CardId, zone: ZoneId, enters: bool) {
        let kind = catalog.zone_list[zone.index()].0;
        if !catalog.zones[kind.index()].active {
            return;
        }
        for listener in &catalog.design_of(card).listeners {
            let count = &mut self.live[listener.point.index()];
            *count = if enters { *count + 1 } else { *count - 1 };
        }
    }
}
