//! Which draws are an experiment: cards that lie in random order in zones that nobody sees.
//!
//! After a shuffle, every order of the cards of a zone is equally likely, whatever has happened before. Nobody can see
//! them, so no choice depends on them. If the next card is drawn unseen, each card of the zone was equally likely to be
//! it. That is an experiment: chance alone decides who gets what, and its odds are known exactly.
//!
//! Cards that can still change places without anybody noticing form a *group*. A shuffle makes one group of all cards of
//! a zone. A card leaves its group when somebody sees it or a script picks it for what it is. A card that is drawn from
//! one unseen zone to another stays in its group. A card that is put into a zone joins no group until the next shuffle.
//!
//! What this cannot notice: a script that looks at a hidden card and lets the decision to draw depend on it.

use std::collections::BTreeMap;

use principes_core::catalog::Visible;
use principes_core::*;

/// The cards of a game that lie in random order.
pub struct Decks<'c> {
    catalog: &'c Catalog,
    zones: Vec<ZoneId>,
    /// The group of each card.
    groups: Vec<Option<usize>>,
    /// For each group, the number of its cards of each design.
    members: Vec<BTreeMap<DesignId, u32>>,
}

/// A card that a seat got at random.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Who got it.
    pub seat: SeatId,
    /// The design of the card.
    pub design: DesignId,
    /// The number of cards of each design that it could have been.
    pub among: BTreeMap<DesignId, u32>,
}

impl<'c> Decks<'c> {
    /// The cards at the beginning of a game, before any event.
    pub fn new(catalog: &'c Catalog) -> Self {
        let zones = catalog.cards.iter().map(|design| catalog.designs[design.index()].start).collect();
        Decks { catalog, zones, groups: vec![None; catalog.cards.len()], members: Vec::new() }
    }

    /// Follows an event. Returns the draw if it was one.
    pub fn follow(&mut self, event: &Event) -> Option<Draw> {
        match *event {
            Event::Shuffled { zone } if is_hidden(self.catalog, zone) => {
                self.shuffle(zone);
                None
            }
            Event::Revealed { card } => {
                self.see(card);
                None
            }
            Event::Card { card, from, to, face, drawn } => {
                self.zones[card.index()] = to;
                if drawn && is_hidden(self.catalog, from) && is_hidden(self.catalog, to) && !face {
                    return None;
                }
                let group = self.see(card)?;
                let seat = self.catalog.zone_list[to.index()].1.filter(|_| drawn)?;
                let design = self.catalog.cards[card.index()];
                let mut among = self.members[group].clone();
                *among.entry(design).or_default() += 1;
                Some(Draw { seat, design, among })
            }
            _ => None,
        }
    }

    /// Notes that somebody sees a card or can tell it from others. Returns the group that it leaves.
    pub fn see(&mut self, card: CardId) -> Option<usize> {
        let group = self.groups.get_mut(card.index())?.take()?;
        let design = self.catalog.cards[card.index()];
        if let Some(count) = self.members[group].get_mut(&design) {
            *count -= 1;
            if *count == 0 {
                self.members[group].remove(&design);
            }
        }
        Some(group)
    }

    fn shuffle(&mut self, zone: ZoneId) {
        let cards: Vec<CardId> = (0..self.zones.len()).filter(|at| self.zones[*at] == zone).map(CardId::at).collect();
        let mut members = BTreeMap::new();
        for card in cards {
            self.see(card);
            self.groups[card.index()] = Some(self.members.len());
            *members.entry(self.catalog.cards[card.index()]).or_default() += 1;
        }
        self.members.push(members);
    }
}

/// Whether nobody sees the cards of a zone.
fn is_hidden(catalog: &Catalog, zone: ZoneId) -> bool {
    catalog.zones[catalog.zone_list[zone.index()].0.index()].visible == Visible::Nobody
}

#[cfg(test)]
mod tests {
    use principes_core::catalog::{Design, Faction, Props, Scope, ZoneKind, ZoneKinds};

    use super::*;

    const DECK: ZoneId = ZoneId(0);
    const PILE: ZoneId = ZoneId(1);
    const HAND: ZoneId = ZoneId(2);

    /// Two hidden zones of the game and a hand of one seat; three copies of the first design and one of the second.
    fn catalog() -> Catalog {
        let mut catalog = CatalogParts::new("test");
        let zone =
            |id: &str, scope, visible, offset| ZoneKind { id: id.to_owned(), scope, visible, active: false, offset };
        catalog.zones = ZoneKinds::from(vec![
            zone("deck", Scope::Game, Visible::Nobody, 0),
            zone("pile", Scope::Game, Visible::Nobody, 1),
            zone("hand", Scope::Faction, Visible::Owner, 2),
        ]);
        catalog.zone_list = vec![(ZoneKindId(0), None), (ZoneKindId(1), None), (ZoneKindId(2), Some(FactionId(0)))];
        let design = |id: &str, copies| Design {
            id: id.to_owned(),
            card_type: SymbolId(0),
            faction: None,
            start: DECK,
            copies,
            props: Props::default(),
            params: BTreeMap::new(),
            listeners: Vec::new(),
        };
        catalog.designs = vec![design("common", 3), design("rare", 1)];
        catalog.cards = [0, 0, 0, 1].map(DesignId).to_vec();
        catalog.playable = 1;
        catalog.factions.push(Faction::new("red", SymbolId(0)));
        catalog.build().unwrap()
    }

    fn moved(card: u16, from: ZoneId, to: ZoneId, drawn: bool) -> Event {
        Event::Card { card: CardId(card), from, to, face: false, drawn }
    }

    #[test]
    fn a_draw_knows_its_odds() {
        let catalog = catalog();
        let mut decks = Decks::new(&catalog);
        assert_eq!(decks.follow(&moved(0, DECK, HAND, true)), None, "the deck was not shuffled");
        decks.follow(&Event::Shuffled { zone: DECK });
        let draw = decks.follow(&moved(3, DECK, HAND, true)).unwrap();
        assert_eq!((draw.seat, draw.design), (FactionId(0), DesignId(1)));
        assert_eq!(draw.among, BTreeMap::from([(DesignId(0), 2), (DesignId(1), 1)]));
        let draw = decks.follow(&moved(1, DECK, HAND, true)).unwrap();
        assert_eq!(draw.among, BTreeMap::from([(DesignId(0), 2)]), "the drawn card is not among the others anymore");
    }

    #[test]
    fn a_card_that_a_script_picks_is_no_experiment() {
        let catalog = catalog();
        let mut decks = Decks::new(&catalog);
        decks.follow(&Event::Shuffled { zone: DECK });
        assert_eq!(decks.follow(&moved(3, DECK, HAND, false)), None);
        decks.follow(&moved(3, HAND, DECK, false));
        assert_eq!(decks.follow(&moved(3, DECK, HAND, true)), None, "everybody knew where it lay");
        let draw = decks.follow(&moved(0, DECK, HAND, true)).unwrap();
        assert_eq!(draw.among, BTreeMap::from([(DesignId(0), 3)]));
    }

    #[test]
    fn cards_stay_random_on_their_way_through_hidden_zones() {
        let catalog = catalog();
        let mut decks = Decks::new(&catalog);
        decks.follow(&Event::Shuffled { zone: DECK });
        decks.follow(&moved(3, DECK, PILE, true));
        let draw = decks.follow(&moved(3, PILE, HAND, true)).unwrap();
        assert_eq!(draw.among.values().sum::<u32>(), 4, "any of the four could have been under the pile");
        decks.follow(&moved(0, DECK, PILE, true));
        decks.follow(&Event::Revealed { card: CardId(0) });
        assert_eq!(decks.follow(&moved(0, PILE, HAND, true)), None, "everyone has seen it");
    }
}
