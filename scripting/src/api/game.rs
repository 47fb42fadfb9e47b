//! The game as a whole: chance, the log, and its end.

use principes_core::ids::Args as Values;

use crate::api::chapter::{NIL, chapter, flag, int};
use crate::types::{Ty, gives, p, rest};

chapter! { "Game",
    act "roll" (p("sides", Ty::Int)) [gives(Ty::Int)]
        "Rolls a die: 1 to `sides`."
        "if roll(6) >= 5 then … end"
        One |c, a| {
            let sides = a.int(0)?;
            if sides < 1 {
                return Err(a.refuse(format!("a die needs at least one side, found {sides}")));
            }
            Ok(int(c.write(|t| t.roll(sides))?))
        };
    act "log" (p("key", Ty::Message), rest("values", Ty::Any)) []
        "Logs the message `log.<key>` with up to four values. A player who may not know a card reads \"a card\" instead of its name."
        "log(\"city-founded\", seat, land)"
        One |c, a| {
            let (key, values) = (a.symbol(0)?, a.rest(1));
            let mut args = Values::NONE;
            for value in values {
                args.push(value).ok_or_else(|| a.refuse("a message takes up to four values"))?;
            }
            c.log(key, args)?;
            Ok(NIL)
        };
    act "win" (p("seat", Ty::Seat), p("cause", Ty::Cause)) []
        "Ends the game: the seat wins. Only the first call counts."
        "win(seat, \"coronation\")"
        One |c, a| { let (s, cause) = (a.faction(0)?, a.symbol(1)?); c.write(|t| t.end(Some(s), cause))?; Ok(NIL) };
    act "draw_game" (p("cause", Ty::Cause)) []
        "Ends the game without a winner."
        "draw_game(\"uncrowned\")"
        One |c, a| { let cause = a.symbol(0)?; c.write(|t| t.end(None, cause))?; Ok(NIL) };
    look "over" () [gives(Ty::Bool)]
        "Whether the game has ended."
        "if over() then return end"
        One |c, _| Ok(flag(c.read(|t| t.world.outcome().is_some())?));
}
