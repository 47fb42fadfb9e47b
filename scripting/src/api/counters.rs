//! Counters: the numbers of the game, of seats, spaces and cards.

use principes_core::ids::{Args as Values, Value};

use crate::api::args::Args;
use crate::api::chapter::{NIL, act, answer, chapter, int, look};
use crate::host::context::Context;
use crate::machine::wire::Answer;
use crate::types::{Ty, gives, opt, p};

chapter! { "Counters",
    look "get" (p("counter", Ty::COUNTER), opt("owner", Ty::Owner)) [gives(Ty::Held)]
        "The value of a counter within its bounds, or the handle that it holds, or nil. A counter of the game has no owner."
        "local purse = get(counter.gold, seat)"
        One |c, a| { let counter = a.counter(0)?; Ok(answer(look(c, a, |t| t.value(counter, a.value(1)))?)) };
    look "raw" (p("counter", Ty::COUNTER), opt("owner", Ty::Owner)) [gives(Ty::Int)]
        "The value of a counter before its bounds apply. It differs from `get` only for derived counters."
        "if raw(counter.might, seat) > 10 then … end"
        One |c, a| { let counter = a.counter(0)?; Ok(int(look(c, a, |t| t.raw(counter, a.value(1)))?)) };
    act "add" (p("counter", Ty::COUNTER), p("amount", Ty::Int), opt("owner", Ty::Owner)) [gives(Ty::Int)]
        "Adds to a counter as far as its bounds and the bank allow. A negative amount subtracts. Returns how much the counter really changed."
        "local gained = add(counter.gold, 3, seat)"
        One |c, a| { let (counter, n) = (a.counter(0)?, a.int(1)?); Ok(int(act(c, a, |t| t.add(counter, n, a.value(2)))?)) };
    act "gain" (p("counter", Ty::COUNTER), p("amount", Ty::Int), opt("owner", Ty::Owner), opt("message", Ty::Message)) [gives(Ty::Int)]
        "Adds to a counter like `add`, but a negative amount is an error. Returns how much the counter really changed. If you pass a message and that number is not 0, it logs `log.<message>` with the owner, the number and the counter."
        "gain(counter.people, self.people, seat, \"support-gained\")"
        One |c, a| { let (counter, n) = (a.counter(0)?, positive(a)?); tell(c, a, act(c, a, |t| t.add(counter, n, a.value(2)))?) };
    act "lose" (p("counter", Ty::COUNTER), p("amount", Ty::Int), opt("owner", Ty::Owner), opt("message", Ty::Message)) [gives(Ty::Int)]
        "Subtracts from a counter as far as it goes. A negative amount is an error. Returns how much the counter really changed, as a positive number. If you pass a message and that number is not 0, it logs `log.<message>` with the owner, the number and the counter."
        "local loss = lose(counter.people, self.people, rival, \"support-lost\")"
        One |c, a| { let (counter, n) = (a.counter(0)?, positive(a)?); tell(c, a, -act(c, a, |t| t.add(counter, -n, a.value(2)))?) };
    act "set" (p("counter", Ty::COUNTER), opt("value", Ty::HeldValue), opt("owner", Ty::Owner)) []
        "Sets a counter. A value out of bounds is an error. A counter that holds a handle takes a handle or nil."
        "set(counter.princeps, seat)"
        One |c, a| { let counter = a.counter(0)?; act(c, a, |t| t.set_value(counter, a.value(1), a.value(2)))?; Ok(NIL) };
    act "transfer" (p("counter", Ty::COUNTER), p("amount", Ty::Int), p("from", Ty::Owner), p("to", Ty::Owner)) [gives(Ty::Int)]
        "Moves as much as possible of an amount from one owner to another. Returns how much."
        "transfer(counter.gold, 2, seat, rival)"
        One |c, a| {
            let (counter, n) = (a.counter(0)?, a.int(1)?);
            Ok(int(act(c, a, |t| t.transfer(counter, n, a.value(2), a.value(3)))?))
        };
    look "bank" (p("counter", Ty::COUNTER)) [gives(Ty::Int)]
        "How much of a counter with a limited supply is left in the bank."
        "if bank(counter.gold) == 0 then return end"
        One |c, a| { let counter = a.counter(0)?; Ok(int(look(c, a, |t| t.bank(counter))?)) };
}

/// The amount, which must not be negative.
fn positive(a: &Args) -> mlua::Result<i32> {
    match a.int(1)? {
        n @ 0.. => Ok(n),
        n => Err(a.refuse(format!("2nd argument (amount) must not be negative, found {n}"))),
    }
}

/// Logs the message for a change of a counter, if one is given. Returns the change.
fn tell(c: &Context, a: &Args, change: i32) -> mlua::Result<Answer> {
    if let Some(key) = a.optional_symbol(3).filter(|_| change != 0) {
        let args = Values::new(&[a.value(2), Value::Int(change), a.value(0)]);
        c.log(key, args)?;
    }
    Ok(int(change))
}
