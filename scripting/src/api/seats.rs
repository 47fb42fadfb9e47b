//! Seats: the players, their order, and whose turn it is.

use mlua::Value as LuaValue;
use principes_core::ids::Value;

use crate::api::chapter::{NIL, act, answer, chapter, faction, flag};
use crate::host::values::number;
use crate::types::{Ty, gives, maybe, nilable, opt, p};

chapter! { "Seats",
    look "seats" () [gives(Ty::List(&Ty::Seat))]
        "The seats that are still in the game, in turn order."
        "for _, seat in seats() do … end"
        Many |c, _| c.read(|t| c.many(t.world.seats().map(Value::Faction)));
    look "others" (p("seat", Ty::FACTION)) [gives(Ty::List(&Ty::Seat))]
        "The other seats that are still in the game, in turn order."
        "for _, other in others(seat) do … end"
        Many |c, a| { let s = a.faction(0)?; c.read(|t| c.many(t.world.seats().filter(|other| *other != s).map(Value::Faction))) };
    look "playing" (nilable("seat", Ty::FACTION)) [gives(Ty::Bool)]
        "Whether a faction is led by a player who is still in the game. False for nil."
        "while playing(seat) and not over() do … end"
        One |c, a| { let s = a.optional_faction(0); Ok(flag(c.read(|t| s.is_some_and(|s| t.world.is_led(s)))?)) };
    look "led" (nilable("faction", Ty::FACTION)) [gives(Ty::Bool)]
        "Whether a player led the faction when the game began and is still in the game. False for nil."
        "if not led(faction.red) then … end"
        One |c, a| { let s = a.optional_faction(0); Ok(flag(c.read(|t| s.is_some_and(|s| t.world.was_led(s) && t.world.is_led(s)))?)) };
    act "set_order" (p("order", Ty::List(&Ty::Seat))) []
        "Sets the turn order. The list contains every seat in the game once."
        "set_order(rounds.order(first))"
        One |c, a| {
            let mut order = Vec::new();
            c.charge(a.table(0)?.raw_len() as u64)?;
            for value in a.table(0)?.sequence_values::<LuaValue>() {
                match number(c, &value?) {
                    Some(Value::Faction(seat)) if seat.index() < c.catalog.playable => order.push(seat),
                    _ => return Err(a.refuse("the list must contain only seats")),
                }
            }
            act(c, a, |t| t.set_order(&order))?;
            Ok(NIL)
        };
    look "active" () [maybe(Ty::Seat)]
        "The seat whose turn it is, in phases that go from seat to seat."
        "if active() == seat then … end"
        One |c, _| Ok(answer(c.read(|t| faction(t.world.active()))?));
    act "set_active" (opt("seat", Ty::Seat)) []
        "Sets whose turn it is. Pass nil if it is nobody's."
        "set_active(seat)"
        One |c, a| { let s = a.optional_faction(0); c.write(|t| t.set_active(s))?; Ok(NIL) };
    act "eliminate" (p("seat", Ty::Seat)) []
        "Takes a seat out of the game. Its pieces stay and belong to a faction without a seat. The script must deal with its cards."
        "eliminate(seat)"
        One |c, a| { let s = a.faction(0)?; c.scan(c.catalog.spaces.len() + c.catalog.pieces.len())?; c.write(|t| t.eliminate(s))?; Ok(NIL) };
}
