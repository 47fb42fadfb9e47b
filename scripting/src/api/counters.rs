//! Counters: the numbers of the game, of seats, spaces and cards.

use crate::api::chapter::{NIL, act, answer, chapter, int, look};
use crate::types::{Ty, gives, opt, p};

chapter! { "Counters",
    look "get" (p("counter", Ty::Counter), opt("owner", Ty::Owner)) [gives(Ty::Held)]
        "The value of a counter within its bounds; for a counter that holds a handle, the handle or nil. Counters of the game have no owner."
        "local purse = get(counter.gold, seat)"
        One |c, a| { let counter = a.counter(0)?; Ok(answer(look(c, a, |t| t.value(counter, a.value(1)))?)) };
    look "raw" (p("counter", Ty::Counter), opt("owner", Ty::Owner)) [gives(Ty::Int)]
        "The value of a counter before its bounds are applied; differs from get only for derived counters."
        "if raw(counter.might, seat) > 10 then … end"
        One |c, a| { let counter = a.counter(0)?; Ok(int(look(c, a, |t| t.raw(counter, a.value(1)))?)) };
    act "add" (p("counter", Ty::Counter), p("amount", Ty::Int), opt("owner", Ty::Owner)) [gives(Ty::Int)]
        "Adds to a counter as far as its bounds and the bank allow. Returns how much it really was; negative amounts take away."
        "local gained = add(counter.gold, 3, seat)"
        One |c, a| { let (counter, n) = (a.counter(0)?, a.int(1)?); Ok(int(act(c, a, |t| t.add(counter, n, a.value(2)))?)) };
    act "set" (p("counter", Ty::Counter), opt("value", Ty::HeldValue), opt("owner", Ty::Owner)) []
        "Sets a counter; a value beyond its bounds is an error. Counters that hold a handle take a handle or nil."
        "set(counter.princeps, seat)"
        One |c, a| { let counter = a.counter(0)?; act(c, a, |t| t.set_value(counter, a.value(1), a.value(2)))?; Ok(NIL) };
    act "transfer" (p("counter", Ty::Counter), p("amount", Ty::Int), p("from", Ty::Owner), p("to", Ty::Owner)) [gives(Ty::Int)]
        "Moves points from one owner to another, as far as there are any and there is room. Returns how many."
        "transfer(counter.gold, 2, seat, rival)"
        One |c, a| {
            let (counter, n) = (a.counter(0)?, a.int(1)?);
            Ok(int(act(c, a, |t| t.transfer(counter, n, a.value(2), a.value(3)))?))
        };
    look "bank" (p("counter", Ty::Counter)) [gives(Ty::Int)]
        "What nobody has of a counter with a limited supply."
        "if bank(counter.gold) == 0 then return end"
        One |c, a| { let counter = a.counter(0)?; Ok(int(look(c, a, |t| t.bank(counter))?)) };
}
