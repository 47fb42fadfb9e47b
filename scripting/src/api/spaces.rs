//! Spaces: their control, distances, and filters.

use principes_core::catalog::Scope;
use principes_core::ids::Value;
use principes_core::{KindOrClass, SpaceFilter};

use crate::api::args::Args;
use crate::api::chapter::{NIL, answer, chapter, faction, far, int};
use crate::host::context::Context;
use crate::types::{Field, Ty, field, gives, maybe, opt, p};

const SPACE_FILTER: &[Field] = &[
    field("kind", Ty::Word, "its kind"),
    field("home", Ty::FACTION, "the faction inside whose borders it is"),
    field("controller", Ty::FACTION, "the faction that controls it"),
    field("prop", Ty::Prop, "a prop that is not 0"),
    field("neutral", Ty::Bool, "true: nobody controls it"),
    field("empty", Ty::Bool, "true: no occupying pieces"),
    field("without", Ty::KindOrClass, "a kind, or the keyword of a class: no such piece is on it"),
    field("first_of", Ty::Prop, "a prop: only the first space in id order for each of its values"),
    field("uncontrolled_by", Ty::FACTION, "a faction that does not control it"),
    field("fewer", Ty::KindOrClass, "fewer such pieces are on it than the value of the prop `than`"),
    field("than", Ty::Prop, "the prop to compare with `fewer`; a space without it does not match"),
    field("beside", Ty::SPACE, "a neighbor of this space"),
    field("marked", Ty::COUNTER, "a counter of spaces that is not 0 there"),
    field("unmarked", Ty::COUNTER, "a counter of spaces that is 0 there"),
];

chapter! { "Spaces",
    look "controller" (p("space", Ty::SPACE)) [maybe(Ty::Seat)]
        "The faction that controls a space, or nil."
        "local lord = controller(land)"
        One |c, a| { let s = a.space(0)?; Ok(answer(c.read(|t| faction(t.world.controller(s)))?)) };
    look "home" (p("space", Ty::SPACE)) [maybe(Ty::FACTION)]
        "The faction inside whose borders a space is, or nil."
        "if home(land) == seat then … end"
        Checks |c, a| { let s = a.space(0)?; Ok(answer(faction(c.catalog.spaces[s.index()].home))) },
        lua "return host.looked_up(host.facts.homes, host.home)";
    look "neighbors" (p("space", Ty::SPACE)) [gives(Ty::List(&Ty::SPACE))]
        "The spaces next to a space, with a way in both directions."
        "for _, land in neighbors(space) do … end"
        Many |c, a| {
            let s = a.space(0)?;
            Ok(c.many(c.catalog.spaces.neighbors(s).iter().map(|n| Value::Space(*n))))
        };
    look "exits" (p("space", Ty::SPACE)) [gives(Ty::List(&Ty::SPACE))]
        "The spaces that can be entered from a space, including one-way exits."
        "local ways = exits(area)"
        Many |c, a| { let s = a.space(0)?; Ok(c.many(c.catalog.spaces[s.index()].exits.iter().map(|n| Value::Space(*n)))) };
    look "distance" (p("from", Ty::SPACE), p("to", Ty::SPACE)) [maybe(Ty::Int)]
        "The number of steps from one space to another, or nil if there is no route."
        "if distance(a, b) == 1 then … end"
        One |c, a| {
            let (from, to) = (a.space(0)?, a.space(1)?);
            Ok(c.read(|t| t.distance(from, to))?.map_or(NIL, |n| int(i32::from(n))))
        };
    look "within" (p("space", Ty::SPACE), p("steps", Ty::Int)) [gives(Ty::List(&Ty::SPACE))]
        "The spaces at most this many steps from a space, including itself, in id order."
        "for _, land in within(capital, 2) do … end"
        Many |c, a| {
            let (from, most) = (a.space(0)?, far(a.int(1)?));
            c.scan(c.catalog.spaces.len())?;
            c.read(|t| c.many(t.within(from, most).map(Value::Space)))
        };
    look "spaces" (opt("filter", Ty::Fields(SPACE_FILTER))) [gives(Ty::List(&Ty::SPACE))]
        "The spaces that match all given fields."
        "spaces{home = seat, prop = \"capital\"}"
        Many |c, a| {
            let filter = space_filter(c, a)?;
            c.read(|t| c.many(t.find_spaces(&filter).map(Value::Space)))
        };
    look "the_space" (opt("filter", Ty::Fields(SPACE_FILTER))) [maybe(Ty::SPACE)]
        "The space that matches all given fields: the first one in id order if there are several, nil if there is none."
        "local capital = the_space{home = seat, prop = \"capital\"}"
        One |c, a| {
            let filter = space_filter(c, a)?;
            Ok(answer(c.read(|t| t.find_spaces(&filter).next())?.map_or(Value::Nil, Value::Space)))
        };
    look "row" (p("space", Ty::SPACE), p("seat", Ty::FACTION)) [gives(Ty::Int)]
        "The length of the longest straight row without gaps of spaces that a faction controls, through a given space; 0 if the faction does not control that space. A row continues if the next space is next to the last one, at the same distance and in the same direction."
        "if row(cell, seat) >= 4 then win(seat, \"row\") end"
        One |c, a| { let (s, seat) = (a.space(0)?, a.faction(1)?); c.scan(c.catalog.spaces.len())?; Ok(int(c.read(|t| t.row(s, seat))? as i32)) };
    look "gained" (p("space", Ty::SPACE), p("counter", Ty::COUNTER)) [gives(Ty::Int)]
        "How much of a counter the current controller of a space really gained there, when it took the space or since then."
        "local won = gained(land, counter.people)"
        One |c, a| { let (s, n) = (a.space(0)?, a.counter(1)?); Ok(int(c.read(|t| t.gained(s, n))?)) };
}

/// The filter for [`SPACE_FILTER`].
///
/// The call is charged for the spaces that it examines, and for the pieces on them if they matter.
fn space_filter(c: &Context, a: &Args) -> mlua::Result<SpaceFilter> {
    let sort = |at: usize| a.optional_kind(at).map(KindOrClass::Kind).or(a.optional_symbol(at).map(KindOrClass::Class));
    let (fewer, than) = (sort(9), a.optional_symbol(10));
    if fewer.is_some() != than.is_some() {
        return Err(
            a.refuse("`fewer` and `than` go together: fewer pieces of a kind or class than a prop of the space says")
        );
    }
    let (marked, unmarked) = (a.optional_counter(12), a.optional_counter(13));
    for counter in [marked, unmarked].into_iter().flatten().map(|counter| &c.catalog.counters[counter.index()]) {
        if counter.scope != Scope::Space {
            return Err(a.refuse(format!("the counter `{}` must have scope `space`", counter.id)));
        }
    }
    let (empty, without) = (a.which(5) == Some(1), sort(6));
    let asks_pieces = empty || without.is_some() || fewer.is_some();
    c.scan(c.catalog.spaces.len() + if asks_pieces { c.catalog.pieces.len() } else { 0 })?;
    Ok(SpaceFilter {
        kind: a.optional_symbol(0),
        home: a.optional_faction(1),
        controller: a.optional_faction(2),
        prop: a.optional_symbol(3),
        neutral: a.which(4) == Some(1),
        empty,
        without,
        first_of: a.optional_symbol(7),
        uncontrolled_by: a.optional_faction(8),
        fewer: fewer.zip(than),
        beside: a.optional_space(11),
        marked,
        unmarked,
    })
}
