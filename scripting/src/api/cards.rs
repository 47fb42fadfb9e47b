//! Cards: the content of zones, and moving cards between them.

use mlua::Value as LuaValue;
use principes_core::Event;
use principes_core::Table;
use principes_core::ids::{CardId, Value, ZoneId};

use crate::api::args::Args;
use crate::api::chapter::{NIL, answer, chapter, faction, int};
use crate::error::say;
use crate::host::context::Context;
use crate::host::spelling::CardProp;
use crate::host::values::any;
use crate::types::{Ty, gives, maybe, opt, p};

chapter! { "Cards",
    look "cards" (p("zone", Ty::ZONE), opt("owner", Ty::ZoneOwner), opt("props", Ty::Map(&Ty::Prop, &Ty::Any))) [gives(Ty::List(&Ty::CARD))]
        "The cards of a zone, top first. If you pass props, only the cards with those values, as `prop` returns them. A zone of the game has no owner."
        "for _, card in cards(zone.hand, seat, { type = \"court\" }) do … end"
        Many |c, a| { let z = a.zone(c, 0, 1)?; with_props(c, a, (2, z), |t, wanted| c.many(cards_with(t, z, wanted).map(Value::Card))) };
    look "size" (p("zone", Ty::ZONE), opt("owner", Ty::ZoneOwner), opt("props", Ty::Map(&Ty::Prop, &Ty::Any))) [gives(Ty::Int)]
        "How many cards a zone holds, or how many of them have the given props, as in `cards`."
        "if size(zone.hand, seat) == 0 then return end"
        One |c, a| {
            let z = a.zone(c, 0, 1)?;
            let count = with_props(c, a, (2, z), |t, wanted| match wanted {
                [] => t.world.zone_len(z),
                _ => cards_with(t, z, wanted).count(),
            })?;
            Ok(int(count as i32))
        };
    look "top" (p("zone", Ty::ZONE), opt("owner", Ty::ZoneOwner)) [maybe(Ty::CARD)]
        "The top card of a zone."
        "local prince = top(zone.reigning, seat)"
        One |c, a| { let z = a.zone(c, 0, 1)?; Ok(answer(c.read(|t| t.world.top(z))?.map_or(Value::Nil, Value::Card))) };
    act "put" (p("card", Ty::CARD), p("zone", Ty::ZONE), opt("owner", Ty::ZoneOwner), opt("where", Ty::OneOf(&["top", "bottom"]))) []
        "Puts a card at the \"bottom\" or the \"top\" of a zone. Default: \"bottom\"."
        "put(card, zone.court_deck, nil, \"top\")"
        One |c, a| {
            let (card, z) = (a.card(0)?, a.zone(c, 1, 2)?);
            c.write(|t| t.put_card(card, z, a.is(3, "top"), false))?;
            Ok(NIL)
        };
    act "draw" (p("from", Ty::ZONE), opt("from_owner", Ty::ZoneOwner), p("to", Ty::ZONE), opt("to_owner", Ty::ZoneOwner)) [maybe(Ty::CARD)]
        "Moves the top card of one zone to the bottom of another. Returns nil if there is none."
        "local card = draw(zone.court_deck, nil, zone.hand, seat)"
        One |c, a| {
            let (from, to) = (a.zone(c, 0, 1)?, a.zone(c, 2, 3)?);
            Ok(answer(c.write(|t| t.draw(from, to))?.map_or(Value::Nil, Value::Card)))
        };
    act "shuffle" (p("zone", Ty::ZONE), opt("owner", Ty::ZoneOwner)) []
        "Shuffles the cards of a zone."
        "shuffle(zone.battle_deck)"
        One |c, a| {
            let z = a.zone(c, 0, 1)?;
            // Each card is drawn and moved.
            c.scan(8 * c.read(|t| t.world.zone_len(z))?)?;
            c.write(|t| t.shuffle(z))?;
            Ok(NIL)
        };
    look "zoneof" (p("card", Ty::CARD)) [gives(Ty::ZONE), maybe(Ty::Seat)]
        "The zone a card is in, and whose zone it is."
        "local where, whose = zoneof(card)"
        Two |c, a| {
            let card = a.card(0)?;
            let (zone, owner) = c.read(|t| t.catalog.zone_list[t.world.card_zone(card).index()])?;
            Ok((answer(Value::Zone(zone)), answer(faction(owner))))
        };
    look "designof" (p("card", Ty::CARD)) [gives(Ty::DESIGN)]
        "The design of a card. Copies share it."
        "if designof(card) == design.windfall then … end"
        Checks |c, a| { let card = a.card(0)?; Ok(answer(Value::Design(c.catalog.cards[card.index()]))) },
        lua "return host.looked_up(host.facts.designs, host.designof)";
    act "reveal" (p("card", Ty::CARD)) []
        "Shows a card to everyone."
        "reveal(card)"
        One |c, a| { let card = a.card(0)?; c.write(|t| t.emit(Event::Revealed { card }))?; Ok(NIL) };
}

/// Reads the table with the props that an argument requires of cards; none if the argument is nil. The call is charged
/// for the cards of the zone.
fn with_props<T>(
    c: &Context,
    a: &Args,
    (at, zone): (usize, ZoneId),
    look: impl FnOnce(&Table, &[(CardProp, Value)]) -> T,
) -> mlua::Result<T> {
    let mut wanted = c.wanted.take();
    // Only props that the fast path has read belong to this call.
    if a.fast().is_none_or(|given| given.table.is_empty()) {
        wanted.clear();
    }
    c.charge(wanted.len() as u64)?;
    if a.given(at) {
        a.table(at)?.for_each(|key: LuaValue, value: LuaValue| {
            let LuaValue::String(name) = &key else {
                return Err(a.refuse(format!("prop names must be texts, found {}", say(&key))));
            };
            let prop = match &*name.as_bytes() {
                b"type" => CardProp::Type,
                b"faction" => CardProp::Faction,
                _ => CardProp::Named(a.property(c, name)?),
            };
            wanted.push((prop, any(c, a.function, "the value of a prop", &value)?));
            c.charge(1)
        })?;
    }
    c.scan(c.read(|t| t.world.zone_len(zone))? * (1 + wanted.len()))?;
    let found = c.read(|table| look(table, &wanted));
    c.wanted.replace(wanted);
    found
}

/// The cards of a zone that have these props, top first.
fn cards_with<'a>(t: &'a Table, zone: ZoneId, wanted: &'a [(CardProp, Value)]) -> impl Iterator<Item = CardId> + 'a {
    t.world.in_zone(zone).filter(move |card| {
        wanted.is_empty() || {
            let design = t.catalog.design_of(*card);
            wanted.iter().all(|(prop, value)| match prop {
                CardProp::Type => Value::Symbol(design.card_type) == *value,
                CardProp::Faction => faction(design.faction) == *value,
                CardProp::Named(name) => design.props.get(*name).unwrap_or_default() == *value,
            })
        }
    })
}
