//! Counters: the numbers of the game, of seats, spaces and cards.

use principes_core::Event;
use principes_core::ids::{Args as Values, Value};

use crate::api::args::Args;
use crate::api::chapter::{NIL, act, answer, chapter, int, look};
use crate::host::context::Context;
use crate::machine::wire::Answer;
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
    act "gain" (p("counter", Ty::Counter), p("amount", Ty::Int), opt("owner", Ty::Owner), opt("message", Ty::Message)) [gives(Ty::Int)]
        "Adds to a counter like add, but never takes away: a negative amount is an error. Returns how much it really was. With a message, and unless that is 0, it writes `log.<message>` with the owner, that number and the counter."
        "gain(counter.people, self.people, seat, \"support-gained\")"
        One |c, a| { let (counter, n) = (a.counter(0)?, positive(a)?); tell(c, a, act(c, a, |t| t.add(counter, n, a.value(2)))?) };
    act "lose" (p("counter", Ty::Counter), p("amount", Ty::Int), opt("owner", Ty::Owner), opt("message", Ty::Message)) [gives(Ty::Int)]
        "Takes away from a counter as far as there is any; a negative amount is an error. Returns how much it really was, as a positive number. With a message, and unless that is 0, it writes `log.<message>` with the owner, that number and the counter."
        "local loss = lose(counter.people, self.people, rival, \"support-lost\")"
        One |c, a| { let (counter, n) = (a.counter(0)?, positive(a)?); tell(c, a, -act(c, a, |t| t.add(counter, -n, a.value(2)))?) };
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

/// The amount, which is not negative.
fn positive(a: &Args) -> mlua::Result<i32> {
    match a.int(1)? {
        n @ 0.. => Ok(n),
        n => Err(a.refuse(format!("2nd argument (amount) must not be negative, got {n}"))),
    }
}

/// Writes the message that goes with a change of a counter, where one is given; the change is the result.
fn tell(c: &Context, a: &Args, change: i32) -> mlua::Result<Answer> {
    if let Some(key) = a.optional_symbol(3).filter(|_| change != 0) {
        let args = Values::new(&[a.value(2), Value::Int(change), a.value(0)]);
        c.write(|t| t.emit(Event::Log { key, args }))?;
    }
    Ok(int(change))
}
