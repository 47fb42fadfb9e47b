//! What each function of the API does.

use mlua::{Function, Table as LuaTable, Value as LuaValue, Variadic};
use principes_core::battle::{Battle, FightOrder, SideId};
use principes_core::catalog::PointKind;
use principes_core::decision::{Ask, Choice};
use principes_core::event::Event;
use principes_core::ids::{Args as Values, *};
use principes_core::movement::MoveOrder;
use principes_core::table::{LiveHook, PieceFilter, RuleError, Sort, SpaceFilter, Table};

use crate::api::{Entry, Run};
use crate::args::{Args, any, keyword, no_value, number, told, value_of};
use crate::context::{ABOUT, ALWAYS, CardProp, Context, Request, SOURCE, say, whole};
use crate::facts::{self, BUILT_IN};
use crate::fault::{Fault, refused};
use crate::names::hint;
use crate::raw::{Answer, Raw};
use crate::types::{Field, Ty, field, gives, maybe, needed, opt, p, rest};

const SPACE_FILTER: &[Field] = &[
    field("kind", Ty::Word, "its kind"),
    field("home", Ty::Faction, "inside whose borders it lies"),
    field("controller", Ty::Faction, "who controls it"),
    field("prop", Ty::Prop, "a property that is not 0"),
    field("neutral", Ty::Bool, "true: nobody controls it"),
    field("empty", Ty::Bool, "true: no occupying pieces"),
    field("without", Ty::KindOrClass, "a kind, or the keyword of a class: no such piece stands there"),
    field("first_of", Ty::Prop, "a property: of the spaces where it has the same value only the first in id order"),
    field("uncontrolled_by", Ty::Faction, "a faction that does not control it"),
    field("fewer", Ty::KindOrClass, "fewer such pieces stand there than the property `than` says"),
    field("than", Ty::Prop, "the property that `fewer` speaks of; a space where it is missing does not fit"),
    field("beside", Ty::Space, "from it one can go there and come back"),
];
const PIECE_FILTER: &[Field] = &[
    field("at", Ty::Space, "where it stands"),
    field("owner", Ty::Faction, "whose it is"),
    field("kind", Ty::Kind, "its kind"),
    field("class", Ty::Word, "the class of its kind"),
    field("occupying", Ty::Bool, "whether its kind occupies"),
    field("on", Ty::OneOf(&["map", "pool"]), "where it is"),
    field("near", Ty::Space, "on it, or at most `steps` steps from it"),
    field("steps", Ty::Int, "how many steps `near` speaks of"),
];
const QUESTION: &[Field] = &[
    field(ABOUT, Ty::List(&Ty::Any), "up to three values for the prompt"),
    field(SOURCE, Ty::Any, "the card that asks"),
    field(ALWAYS, Ty::Bool, "true: ask also where there is a single option"),
];
const MOVE_ORDER: &[Field] = &[
    needed("mover", Ty::Seat, "who moves"),
    needed("pieces", Ty::List(&Ty::Piece), "what may be moved"),
    field("limits", Ty::Map(&Ty::Kind, &Ty::Int), "how many of a kind"),
    field("forbid", Ty::List(&Ty::Space), "where no move may end"),
    field("source", Ty::Any, "the card that lets move"),
];
const FIGHT_ORDER: &[Field] = &[
    needed("space", Ty::Space, "where"),
    needed("attacker", Ty::Faction, "who came"),
    needed("defender", Ty::Faction, "who was there"),
    field("mover", Ty::Seat, "who moved the attacker, where that is another"),
];
const MARCH: &[Field] = &[
    needed("ended", Ty::List(&Ty::Space), "where moves ended"),
    needed("moved", Ty::List(&Ty::Fields(MOVED)), "what moved"),
    needed("before", Ty::Map(&Ty::Space, &Ty::Lua), "who controlled it before, or false"),
];
const MOVED: &[Field] =
    &[needed("piece", Ty::Piece, "what"), needed("from", Ty::Space, "from where"), needed("to", Ty::Space, "where to")];

/// The most fields that are read from a table.
pub const MOST_FIELDS: usize = SPACE_FILTER.len();
const _: () = assert!(MOST_FIELDS >= PIECE_FILTER.len() && MOST_FIELDS >= QUESTION.len());
const _: () = assert!(MOST_FIELDS >= FIGHT_ORDER.len() && MOST_FIELDS > crate::args::MOST);

/// One chapter of entries. `look` functions only read, `act` functions change the game or ask.
macro_rules! group {
    ($name:ident, $title:literal, $($mode:ident $fun:literal ($($param:expr),*) [$($returns:expr),*] $doc:literal $example:literal
        $how:ident $run:expr;)*) => {
        static $name: &[Entry] = &[$(Entry {
            name: $fun,
            group: $title,
            params: &[$($param),*],
            returns: &[$($returns),*],
            acts: group!(@ $mode),
            doc: $doc,
            example: $example,
            run: Run::$how($run),
        }),*];
    };
    (@ look) => { false };
    (@ act) => { true };
}

/// All chapters.
pub static GROUPS: &[&[Entry]] =
    &[COUNTERS, SPACES, PIECES, CARDS, ENTITIES, SEATS, CHOICES, HOOKS, PROCEDURES, BATTLE, GAME, HELPERS];

type Result = mlua::Result<Answer>;

const NIL: Answer = Answer::Nil;

fn int(n: i32) -> Answer {
    Answer::Number(f64::from(n))
}
fn flag(b: bool) -> Answer {
    Answer::Truth(b)
}
fn answer(value: Value) -> Answer {
    value.into()
}
fn faction(id: Option<FactionId>) -> Value {
    id.map_or(Value::Nil, Value::Faction)
}

/// Reads the table; what it refuses is a fault of the call.
fn look<T>(c: &Context, a: &Args, f: impl FnOnce(&Table) -> std::result::Result<T, RuleError>) -> mlua::Result<T> {
    c.read(f)?.map_err(|error| refused(a.function, error))
}
/// Changes the table; what it refuses is a fault of the call.
fn act<T>(c: &Context, a: &Args, f: impl FnOnce(&mut Table) -> std::result::Result<T, RuleError>) -> mlua::Result<T> {
    c.write(f)?.map_err(|error| refused(a.function, error))
}

group! { COUNTERS, "Counters",
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

group! { SPACES, "Spaces",
    look "controller" (p("space", Ty::Space)) [maybe(Ty::Seat)]
        "Who controls a space."
        "local lord = controller(land)"
        One |c, a| { let s = a.space(0)?; Ok(answer(c.read(|t| faction(t.world.controller(s)))?)) };
    look "home" (p("space", Ty::Space)) [maybe(Ty::Faction)]
        "The faction inside whose borders a space lies."
        "if home(land) == seat then … end"
        Prelude |c, a| { let s = a.space(0)?; Ok(answer(faction(c.catalog.spaces[s.index()].home))) };
    look "neighbors" (p("space", Ty::Space)) [gives(Ty::List(&Ty::Space))]
        "Spaces that lie beside a space: one can go there and come back."
        "for _, land in ipairs(neighbors(space)) do … end"
        Many |c, a| {
            let s = a.space(0)?;
            Ok(c.many(c.catalog.spaces.neighbors(s).iter().map(|n| Value::Space(*n))))
        };
    look "exits" (p("space", Ty::Space)) [gives(Ty::List(&Ty::Space))]
        "Spaces that can be entered from a space, one-way exits included."
        "local ways = exits(area)"
        Many |c, a| { let s = a.space(0)?; Ok(c.many(c.catalog.spaces[s.index()].exits.iter().map(|n| Value::Space(*n)))) };
    look "distance" (p("from", Ty::Space), p("to", Ty::Space)) [maybe(Ty::Int)]
        "Steps from one space to another; nil where no way leads."
        "if distance(a, b) == 1 then … end"
        One |c, a| {
            let (from, to) = (a.space(0)?, a.space(1)?);
            Ok(c.read(|t| t.distance(from, to))?.map_or(NIL, |n| int(i32::from(n))))
        };
    look "within" (p("space", Ty::Space), p("steps", Ty::Int)) [gives(Ty::List(&Ty::Space))]
        "Spaces at most so many steps from a space, itself included, in id order."
        "for _, land in ipairs(within(capital, 2)) do … end"
        Many |c, a| {
            let (from, most) = (a.space(0)?, far(a.int(1)?));
            c.read(|t| c.many(t.within(from, most).map(Value::Space)))
        };
    look "spaces" (opt("filter", Ty::Fields(SPACE_FILTER))) [gives(Ty::List(&Ty::Space))]
        "Spaces that fit every given field."
        "spaces{home = seat, prop = \"capital\"}"
        Many |c, a| {
            let filter = space_filter(a)?;
            c.read(|t| c.many(t.find_spaces(&filter).map(Value::Space)))
        };
    look "row" (p("space", Ty::Space), p("seat", Ty::Faction)) [gives(Ty::Int)]
        "How many spaces the longest straight row has that goes through a space and that a faction controls without a gap: 0 where it does not control the space. A row goes on where the next space lies beside the last one, as far away on the map and in the same direction."
        "if row(cell, seat) >= 4 then win(seat, \"row\") end"
        One |c, a| { let (s, seat) = (a.space(0)?, a.faction(1)?); Ok(int(c.read(|t| t.row(s, seat))? as i32)) };
    look "gained" (p("space", Ty::Space), p("counter", Ty::Counter)) [gives(Ty::Int)]
        "What the present controller of a space really gained there of a counter, at the takeover or since."
        "local won = gained(land, counter.people)"
        One |c, a| { let (s, n) = (a.space(0)?, a.counter(1)?); Ok(int(c.read(|t| t.gained(s, n))?)) };
}

group! { PIECES, "Pieces",
    look "pieces" (opt("filter", Ty::Fields(PIECE_FILTER))) [gives(Ty::List(&Ty::Piece))]
        "Pieces that fit every given field."
        "pieces{owner = seat, occupying = true, near = capital, steps = 2}"
        Many |c, a| {
            let filter = piece_filter(a);
            match near(a)? {
                None => c.read(|t| c.many(t.find_pieces(&filter).map(Value::Piece))),
                Some((from, most)) => c.read(|t| c.many(t.find_pieces_near(&filter, from, most).map(Value::Piece))),
            }
        };
    look "count" (opt("filter", Ty::Fields(PIECE_FILTER))) [gives(Ty::Int)]
        "How many pieces fit; the fields are those of pieces."
        "if count{kind = kind.castle, on = \"pool\"} > 0 then … end"
        One |c, a| {
            let filter = piece_filter(a);
            Ok(int(match near(a)? {
                None => c.read(|t| t.find_pieces(&filter).count()),
                Some((from, most)) => c.read(|t| t.find_pieces_near(&filter, from, most).count()),
            }? as i32))
        };
    look "at" (p("piece", Ty::Piece)) [maybe(Ty::Space)]
        "The space on which a piece stands; nil in the pool."
        "local land = at(prince)"
        One |c, a| { let n = a.piece(0)?; Ok(answer(c.read(|t| t.world.piece(n).space().map_or(Value::Nil, Value::Space))?)) };
    look "owner" (p("piece", Ty::Piece)) [maybe(Ty::Faction)]
        "Whose a piece is."
        "if owner(piece) ~= seat then … end"
        One |c, a| { let n = a.piece(0)?; Ok(answer(c.read(|t| faction(t.world.piece(n).owner()))?)) };
    look "kindof" (p("piece", Ty::Piece)) [gives(Ty::Kind)]
        "The kind of a piece."
        "if kindof(piece) == kind.knight then … end"
        Prelude |c, a| { let n = a.piece(0)?; Ok(answer(Value::Kind(c.catalog.pieces[n.index()].kind))) };
    look "stat" (p("piece", Ty::PieceOrKind), p("name", Ty::Stat)) [gives(Ty::Int)]
        "A number of a kind of piece; 0 where the kind has none of that name."
        "local swords = stat(kind.knight, \"swords\")"
        Prelude |c, a| {
            let kind = match a.value(0) {
                Value::Piece(piece) => c.catalog.pieces[piece.index()].kind,
                _ => a.kind(0)?,
            };
            let name = property(c, a, 1)?;
            Ok(int(c.catalog.kinds[kind.index()].stats.int(name)))
        };
    act "place" (p("kind", Ty::Kind), opt("owner", Ty::Faction), p("space", Ty::Space)) [maybe(Ty::Piece)]
        "Takes a piece from the pool and puts it on a space; nil where the pool has none."
        "local piece = place(kind.footman, seat, land)"
        One |c, a| {
            let (kind, owner, space) = (a.kind(0)?, a.optional_faction(1), a.space(2)?);
            Ok(answer(c.write(|t| t.place(kind, owner, space))?.map_or(Value::Nil, Value::Piece)))
        };
    act "move" (p("piece", Ty::Piece), p("space", Ty::Space)) []
        "Moves a piece to a space, from the map or the pool, without any rule of movement."
        "move(prince, capital)"
        One |c, a| { let (n, s) = (a.piece(0)?, a.space(1)?); c.write(|t| t.move_piece(n, Some(s)))?; Ok(NIL) };
    act "remove" (p("piece", Ty::Piece)) []
        "Puts a piece back into the pool."
        "remove(castle)"
        One |c, a| { let n = a.piece(0)?; c.write(|t| t.move_piece(n, None))?; Ok(NIL) };
    act "give" (p("piece", Ty::Piece), opt("owner", Ty::Faction)) []
        "Gives a piece to another faction, or with nil to nobody; it stays where it is. The new owner keeps it in its pool once it is removed."
        "give(castle, winner)"
        One |c, a| { let (n, owner) = (a.piece(0)?, a.optional_faction(1)); c.write(|t| t.give_piece(n, owner))?; Ok(NIL) };
    look "occupants" (p("space", Ty::Space)) [gives(Ty::List(&Ty::Faction))]
        "Factions whose occupying pieces stand on a space."
        "if #occupants(land) > 1 then … end"
        Many |c, a| { let s = a.space(0)?; c.read(|t| c.many(t.world.occupants(&t.catalog, s).map(Value::Faction))) };
}

group! { CARDS, "Cards",
    look "cards" (p("zone", Ty::Zone), opt("owner", Ty::ZoneOwner), opt("props", Ty::Map(&Ty::Prop, &Ty::Any))) [gives(Ty::List(&Ty::Card))]
        "The cards of a zone, top first; of those only the ones whose properties have the given values, each as prop answers it. Zones of the game have no owner."
        "for _, card in ipairs(cards(zone.hand, seat, { type = \"court\" })) do … end"
        Many |c, a| { let z = a.zone(c, 0, 1)?; with_props(c, a, 2, |t, wanted| c.many(cards_with(t, z, wanted).map(Value::Card))) };
    look "size" (p("zone", Ty::Zone), opt("owner", Ty::ZoneOwner), opt("props", Ty::Map(&Ty::Prop, &Ty::Any))) [gives(Ty::Int)]
        "How many cards a zone holds, or how many of them have the given properties, as in cards."
        "if size(zone.hand, seat) == 0 then return end"
        One |c, a| {
            let z = a.zone(c, 0, 1)?;
            let count = with_props(c, a, 2, |t, wanted| match wanted {
                [] => t.world.zone_len(z),
                _ => cards_with(t, z, wanted).count(),
            })?;
            Ok(int(count as i32))
        };
    look "top" (p("zone", Ty::Zone), opt("owner", Ty::ZoneOwner)) [maybe(Ty::Card)]
        "The top card of a zone."
        "local prince = top(zone.reigning, seat)"
        One |c, a| { let z = a.zone(c, 0, 1)?; Ok(answer(c.read(|t| t.world.top(z))?.map_or(Value::Nil, Value::Card))) };
    act "put" (p("card", Ty::Card), p("zone", Ty::Zone), opt("owner", Ty::ZoneOwner), opt("where", Ty::OneOf(&["top", "bottom"]))) []
        "Puts a card into a zone, at the \"bottom\" or, if said so, at the \"top\"."
        "put(card, zone.court_deck, nil, \"top\")"
        One |c, a| {
            let (card, z) = (a.card(0)?, a.zone(c, 1, 2)?);
            c.write(|t| t.put_card(card, z, a.is(3, "top"), false))?;
            Ok(NIL)
        };
    act "draw" (p("from", Ty::Zone), opt("from_owner", Ty::ZoneOwner), p("to", Ty::Zone), opt("to_owner", Ty::ZoneOwner)) [maybe(Ty::Card)]
        "Moves the top card of one zone under the bottom of another; nil where there is none."
        "local card = draw(zone.court_deck, nil, zone.hand, seat)"
        One |c, a| {
            let (from, to) = (a.zone(c, 0, 1)?, a.zone(c, 2, 3)?);
            Ok(answer(c.write(|t| t.draw(from, to))?.map_or(Value::Nil, Value::Card)))
        };
    act "shuffle" (p("zone", Ty::Zone), opt("owner", Ty::ZoneOwner)) []
        "Puts the cards of a zone into a random order."
        "shuffle(zone.battle_deck)"
        One |c, a| { let z = a.zone(c, 0, 1)?; c.write(|t| t.shuffle(z))?; Ok(NIL) };
    look "zoneof" (p("card", Ty::Card)) [gives(Ty::Zone), maybe(Ty::Seat)]
        "The zone a card is in, and whose zone it is."
        "local where, whose = zoneof(card)"
        Two |c, a| {
            let card = a.card(0)?;
            let (zone, owner) = c.read(|t| t.catalog.zone_list[t.world.card_zone(card).index()])?;
            Ok((answer(Value::Zone(zone)), answer(faction(owner))))
        };
    look "designof" (p("card", Ty::Card)) [gives(Ty::Design)]
        "What is printed on a card; copies share it."
        "if designof(card) == design.windfall then … end"
        Prelude |c, a| { let card = a.card(0)?; Ok(answer(Value::Design(c.catalog.cards[card.index()]))) };
    act "reveal" (p("card", Ty::Card)) []
        "Shows a card to everyone."
        "reveal(card)"
        One |c, a| { let card = a.card(0)?; c.write(|t| t.emit(Event::Revealed { card }))?; Ok(NIL) };
}

group! { ENTITIES, "Entities",
    look "prop" (p("entity", Ty::Entity), p("name", Ty::Prop)) [maybe(Ty::Any)]
        "A property of an entity; nil where it has none of that name. Spaces also answer to `kind` and `home`, factions to `group`, kinds and pieces to `class`, pieces to `kind` and `faction`, cards to `type` and `faction`."
        "if prop(card, \"timing\") == \"turn\" then … end"
        Prelude |c, a| Ok(answer(prop(c, a)?));
    look "has" (p("entity", Ty::Entity), p("name", Ty::Prop)) [gives(Ty::Bool)]
        "Whether an entity has a property that is neither 0 nor missing."
        "if has(land, \"capital\") then … end"
        Prelude |c, a| {
            let name = a.text(1)?;
            let known = BUILT_IN.contains(&name.as_str()) || c.catalog.symbol(&name).is_some();
            Ok(flag(known && !matches!(prop(c, a)?, Value::Nil | Value::Int(0))))
        };
    look "idof" (p("entity", Ty::Any)) [gives(Ty::Text)]
        "The id of an entity as packs write it; of a card the design's, of a piece the kind's."
        "log(\"seen\", idof(card))"
        Lua |c, lua, a| lua.create_string(c.catalog.id_of(a.value(0))).map(LuaValue::String);
    look "param" (p("card", Ty::CardOrDesign), p("name", Ty::ParamName)) [gives(Ty::Int)]
        "A parameter of a card or design: the number its text shows."
        "local gold = param(card, \"gold\")"
        One |c, a| {
            let design = match a.value(0) {
                Value::Card(card) => c.catalog.design_of(card),
                Value::Design(design) => &c.catalog.designs[design.index()],
                _ => return Err(a.fault("no design")),
            };
            let name = a.text(1)?;
            match design.params.get(&name) {
                Some(value) => Ok(int(*value)),
                None => {
                    let hint = hint(&name, design.params.keys().map(String::as_str));
                    Err(a.fault(format!("`{}` has no parameter `{name}`{hint}", design.id)))
                }
            }
        };
}

group! { SEATS, "Seats",
    look "seats" () [gives(Ty::List(&Ty::Seat))]
        "The seats still playing, in turn order."
        "for _, seat in ipairs(seats()) do … end"
        Many |c, _| c.read(|t| c.many(t.world.seats().map(Value::Faction)));
    look "others" (p("seat", Ty::Faction)) [gives(Ty::List(&Ty::Seat))]
        "The seats still playing beside this one, in turn order."
        "for _, other in ipairs(others(seat)) do … end"
        Many |c, a| { let s = a.faction(0)?; c.read(|t| c.many(t.world.seats().filter(|other| *other != s).map(Value::Faction))) };
    look "playing" (opt("seat", Ty::Faction)) [gives(Ty::Bool)]
        "Whether a faction is led by a player who is still in the game."
        "while playing(seat) and not over() do … end"
        One |c, a| { let s = a.optional_faction(0); Ok(flag(c.read(|t| s.is_some_and(|s| t.world.is_led(s)))?)) };
    look "led" (opt("faction", Ty::Faction)) [gives(Ty::Bool)]
        "Whether a player led the faction when the game began and is still in the game."
        "if not led(faction.red) then … end"
        One |c, a| { let s = a.optional_faction(0); Ok(flag(c.read(|t| s.is_some_and(|s| t.world.was_led(s) && t.world.is_led(s)))?)) };
    act "set_order" (p("order", Ty::List(&Ty::Seat))) []
        "Sets the turn order; the list names every playing seat once."
        "set_order(rounds.order(first))"
        One |c, a| {
            let mut order = Vec::new();
            c.charge(a.table(0)?.raw_len() as u64)?;
            for value in a.table(0)?.sequence_values::<LuaValue>() {
                match number(c, &value?) {
                    Some(Value::Faction(seat)) if seat.index() < c.catalog.playable => order.push(seat),
                    _ => return Err(a.fault("the list must hold seats only")),
                }
            }
            act(c, a, |t| t.set_order(&order))?;
            Ok(NIL)
        };
    look "active" () [maybe(Ty::Seat)]
        "Whose turn it is, in phases that go from seat to seat."
        "if active() == seat then … end"
        One |c, _| Ok(answer(c.read(|t| faction(t.world.active()))?));
    act "set_active" (opt("seat", Ty::Seat)) []
        "Sets whose turn it is; nil is nobody's."
        "set_active(seat)"
        One |c, a| { let s = a.optional_faction(0); c.write(|t| t.set_active(s))?; Ok(NIL) };
    act "eliminate" (p("seat", Ty::Seat)) []
        "Takes a seat out of the game. Its pieces stay and belong to a faction that nobody leads; cards are the script's business."
        "eliminate(seat)"
        One |c, a| { let s = a.faction(0)?; c.write(|t| t.eliminate(s))?; Ok(NIL) };
}

group! { CHOICES, "Choices",
    act "choose" (p("seat", Ty::Seat), p("decision", Ty::Decision), p("options", Ty::Options), opt("about", Ty::Fields(QUESTION))) [maybe(Ty::Any), maybe(Ty::Any), maybe(Ty::Any), maybe(Ty::Any)]
        "Asks a seat. An option is a handle, a number, a keyword, or `{verb, a, b, c}`; returned is the chosen value, or verb, a, b, c. Where a value beside a verb is a list, there is an option for each of its elements: `{ \"build\", kinds, lands }` is every kind on every land. No option gives nil, a single one is taken without asking unless `always = true`. Give a function that returns the options wherever they depend on gold, hands or tracks: it is called again when something else has happened meanwhile."
        "local land = choose(seat, \"march.target\", neighbors(here), { about = { here } })"
        Asks choose;
    act "confirm" (p("seat", Ty::Seat), p("decision", Ty::Decision), opt("about", Ty::Fields(QUESTION))) [gives(Ty::Bool)]
        "Asks a seat yes or no."
        "if confirm(seat, \"toll.pay\", { about = { rival } }) then … end"
        Asks |_, _| Ok(Some(NIL));
}

group! { HOOKS, "Hooks",
    look "query" (p("point", Ty::Query), p("value", Ty::Int), rest("args", Ty::Any)) [gives(Ty::Int)]
        "Runs all live query hooks of a point over a value and returns what they make of it. Nobody listening costs nothing."
        "local income = query(\"taxes.income\", 3, seat)"
        Hooks query;
    act "trigger" (p("point", Ty::Effect), rest("args", Ty::Any)) []
        "Runs all live effect hooks of a point, one after the other. They may ask."
        "trigger(\"round.started\")"
        Hooks trigger;
    act "perform" (p("card", Ty::Entity), p("point", Ty::Effect), opt("seat", Ty::Faction), rest("args", Ty::Any)) [gives(Ty::Bool)]
        "Runs the hook that a card, design or rule has for an effect point, whether it is live or not. The seat takes the owner's place. False where it has none."
        "perform(card, \"card.play\", seat)"
        Hooks perform;
    look "listens" (p("card", Ty::Entity), p("point", Ty::Point)) [gives(Ty::Bool)]
        "Whether a card, design or rule has a hook for a point."
        "if listens(tile, \"combined.assembly\") then … end"
        One |c, a| {
            let point = a.point(1)?;
            Ok(flag(c.read(|t| t.own_hook(a.value(0), point))?.is_some()))
        };
}

group! { PROCEDURES, "Procedures",
    act "move_units" (p("order", Ty::Fields(MOVE_ORDER))) [gives(Ty::Fields(MARCH))]
        "Lets a seat move pieces by the movement procedure. Returns where moves `ended`, what `moved` (piece, from, to), and who controlled each of those spaces `before`, or false."
        "local march = move_units{ mover = seat, pieces = pieces{owner = seat, on = \"map\"} }"
        Prelude move_units;
    act "battle_at" (p("order", Ty::Fields(FIGHT_ORDER))) [gives(Ty::Side)]
        "Fights a battle by the battle procedure. Returns the side that won."
        "if battle_at{ space = land, attacker = seat, defender = rival } == \"attacker\" then … end"
        Rests battle_at;
}

group! { BATTLE, "Battle",
    look "battle.active" () [gives(Ty::Bool)]
        "Whether a battle is under way."
        "if battle.active() then … end"
        One |c, _| Ok(flag(c.read(|t| t.world.battle().is_some())?));
    look "battle.space" () [gives(Ty::Space)]
        "Where the battle is fought."
        "local land = battle.space()"
        One |c, a| fight(c, a, |_, b| Ok(Value::Space(b.space)));
    look "battle.faction" (p("side", Ty::Side)) [gives(Ty::Faction)]
        "Whose pieces fight on a side."
        "local foe = battle.faction(\"defender\")"
        One |c, a| { let side = a.side(c, 0)?; fight(c, a, |_, b| Ok(Value::Faction(b.side(side).faction))) };
    look "battle.player" (p("side", Ty::Side)) [maybe(Ty::Seat)]
        "The seat that leads the faction of a side; nil where nobody does."
        "local seat = battle.player(\"attacker\")"
        One |c, a| {
            let side = a.side(c, 0)?;
            fight(c, a, |t, b| Ok(faction(Some(b.side(side).faction).filter(|f| t.world.is_led(*f)))))
        };
    look "battle.mover" () [maybe(Ty::Seat)]
        "The seat that moved the attacker, where that is another."
        "local helper = battle.mover()"
        One |c, a| fight(c, a, |_, b| Ok(faction(b.mover)));
    look "battle.side" (p("seat", Ty::Faction)) [maybe(Ty::Side)]
        "The side on which a faction fights; nil where it does not."
        "if battle.side(owner) == \"defender\" then … end"
        One |c, a| {
            let who = a.faction(0)?;
            let words = c.catalog.words;
            fight(c, a, |_, b| Ok(match who {
                f if f == b.attacker.faction => Value::Symbol(words.attacker),
                f if f == b.defender.faction => Value::Symbol(words.defender),
                _ => Value::Nil,
            }))
        };
    look "battle.units" (p("side", Ty::Side)) [gives(Ty::List(&Ty::Piece))]
        "The pieces with which a side entered the battle, in the order in which they take damage."
        "local strength = #battle.units(\"attacker\")"
        Many |c, a| units(c, a, |_, entered| entered);
    look "battle.standing" (p("side", Ty::Side)) [gives(Ty::List(&Ty::Piece))]
        "The pieces of a side that its damage does not topple."
        "if #battle.standing(\"defender\") == 0 then … end"
        Many |c, a| units(c, a, |toppled, entered| &entered[toppled.min(entered.len())..]);
    look "battle.toppled" (p("side", Ty::Side)) [gives(Ty::List(&Ty::Piece))]
        "The pieces of a side that its damage topples."
        "for _, piece in ipairs(battle.toppled(side)) do remove(piece) end"
        Many |c, a| units(c, a, |toppled, entered| &entered[..toppled.min(entered.len())]);
    look "battle.wounds" (p("side", Ty::Side)) [gives(Ty::Int)]
        "Damage on the piece that is next to topple."
        "if battle.wounds(side) > 0 then … end"
        One |c, a| { let side = a.side(c, 0)?; fight(c, a, |t, b| Ok(Value::Int(b.losses(t, side).wounds))) };
    look "battle.damage" (p("side", Ty::Side)) [gives(Ty::Int)]
        "Damage that a side suffers by the last count."
        "local hits = battle.damage(\"defender\")"
        One |c, a| { let side = a.side(c, 0)?; fight(c, a, |_, b| Ok(Value::Int(b.side(side).damage))) };
    look "battle.total" (p("side", Ty::Side), p("what", Ty::Word)) [gives(Ty::Int)]
        "Strength or shields of a side by the last count, under the names of the battle procedure."
        "local swords = battle.total(\"attacker\", \"swords\")"
        One |c, a| {
            let (side, what) = (a.side(c, 0)?, a.symbol(1)?);
            fight(c, a, |t, b| match &t.catalog.battle {
                Some(rule) if rule.strength == what => Ok(Value::Int(b.side(side).strength)),
                Some(rule) if rule.fortify == what => Ok(Value::Int(b.side(side).shields)),
                _ => Err(RuleError::new(format!("a side has no total of `{}`", t.catalog.symbols.name(what.index())))),
            })
        };
    act "battle.add" (p("side", Ty::Side), p("what", Ty::Word), p("amount", Ty::Int)) []
        "Adds strength or shields to a side for this battle; counts at the next count."
        "battle.add(side, \"swords\", self.swords)"
        One |c, a| {
            let (side, what, n) = (a.side(c, 0)?, a.symbol(1)?, a.int(2)?);
            if !(-999..=999).contains(&n) {
                return Err(a.fault(format!("3rd argument (amount) must be between -999 and 999, got {n}")));
            }
            act(c, a, |t| t.battle_add(side, what, n))?;
            Ok(NIL)
        };
    look "battle.face" (p("side", Ty::Side)) [maybe(Ty::Face)]
        "The face that the die of a side shows; nil before it is rolled."
        "if battle.face(side) == \"coin\" then … end"
        One |c, a| {
            let side = a.side(c, 0)?;
            fight(c, a, |t, b| Ok(shown(t, b, side).map_or(Value::Nil, |(_, face)| Value::Symbol(face.id))))
        };
    act "battle.set_face" (p("side", Ty::Side), p("face", Ty::Face)) []
        "Turns the die of a side to a face."
        "battle.set_face(side, \"both\")"
        One |c, a| {
            let (side, face) = (a.side(c, 0)?, a.symbol(1)?);
            act(c, a, |t| {
                let at = t.catalog.battle.as_ref().and_then(|rule| rule.faces.iter().position(|f| f.id == face));
                match at.and_then(|at| u8::try_from(at).ok()) {
                    Some(at) => t.battle_set_face(side, at),
                    None => Err(RuleError::new(format!("the die has no face `{}`", t.catalog.symbols.name(face.index())))),
                }
            })?;
            Ok(NIL)
        };
    act "battle.reroll" (p("side", Ty::Side)) []
        "Rolls the die of a side again."
        "battle.reroll(side)"
        One |c, a| { let side = a.side(c, 0)?; act(c, a, |t| t.battle_roll([side]))?; Ok(NIL) };
    act "battle.flip" (p("side", Ty::Side)) []
        "Turns the die of a side to the opposite face."
        "battle.flip(side)"
        One |c, a| {
            let side = a.side(c, 0)?;
            act(c, a, |t| {
                let opposite = t.world.battle().and_then(|b| shown(t, b, side)).map(|(_, face)| face.opposite);
                match opposite {
                    Some(at) => t.battle_set_face(side, at),
                    None => Err(RuleError::new("the die shows no face yet")),
                }
            })?;
            Ok(NIL)
        };
    look "battle.face_value" (p("side", Ty::Side), p("what", Ty::FaceValue)) [gives(Ty::Int)]
        "A value of the face that the die of a side shows; 0 before it is rolled."
        "if battle.face_value(side, \"coin\") > 0 then … end"
        One |c, a| {
            let (side, what) = (a.side(c, 0)?, property(c, a, 1)?);
            fight(c, a, |t, b| Ok(Value::Int(shown(t, b, side).map_or(0, |(_, face)| face.values.int(what)))))
        };
    act "battle.count" () []
        "Computes strengths, shields and damage of both sides from scratch."
        "battle.count()"
        Lua |c, lua, a| {
            let queries = look(c, a, |t| t.count_queries())?;
            let mut totals = [0; 4];
            for (total, (point, value, args)) in totals.iter_mut().zip(queries) {
                *total = c.query(lua, point, value, &args)?;
            }
            act(c, a, |t| t.apply_count(totals))?;
            Ok(LuaValue::Nil)
        };
    look "battle.winner" () [maybe(Ty::Side)]
        "The side that has won; nil before that is known."
        "if battle.winner() == \"attacker\" then … end"
        One |c, a| {
            let words = c.catalog.words;
            fight(c, a, |_, b| Ok(match b.winner {
                Some(SideId::Attacker) => Value::Symbol(words.attacker),
                Some(SideId::Defender) => Value::Symbol(words.defender),
                None => Value::Nil,
            }))
        };
}

group! { GAME, "Game",
    act "roll" (p("sides", Ty::Int)) [gives(Ty::Int)]
        "Rolls a die: 1 to `sides`."
        "if roll(6) >= 5 then … end"
        One |c, a| {
            let sides = a.int(0)?;
            if sides < 1 {
                return Err(a.fault(format!("a die needs at least one side, got {sides}")));
            }
            Ok(int(c.write(|t| t.roll(sides))?))
        };
    act "log" (p("key", Ty::Message), rest("values", Ty::Any)) []
        "Writes the message `log.<key>` with up to four values into the game's log."
        "log(\"city-founded\", seat, land)"
        One |c, a| {
            let (key, values) = (a.symbol(0)?, a.rest(1));
            let mut args = Values::NONE;
            for value in values {
                args.push(value).ok_or_else(|| a.fault("a message takes up to four values"))?;
            }
            c.write(|t| t.emit(Event::Log { key, args }))?;
            Ok(NIL)
        };
    act "win" (p("seat", Ty::Seat), p("cause", Ty::Cause)) []
        "Ends the game: the seat wins. The first end counts."
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

group! { HELPERS, "Helpers",
    look "sorted" (p("list", Ty::List(&Ty::Lua)), opt("before", Ty::Function)) [gives(Ty::Like)]
        "A sorted copy of a list: numbers and handles first, then keywords; or by a function that says whether its first argument comes before its second."
        "for _, name in ipairs(sorted(names)) do … end"
        Prelude |_, _| Ok(NIL);
    look "contains" (p("list", Ty::List(&Ty::Lua)), p("value", Ty::Lua)) [gives(Ty::Bool)]
        "Whether a list holds a value."
        "if contains(seats(), seat) then … end"
        Prelude |_, _| Ok(NIL);
    look "filter" (p("list", Ty::List(&Ty::Lua)), p("keep", Ty::Function)) [gives(Ty::Like)]
        "The elements of a list that a function says yes to, in order."
        "filter(spaces{controller = seat}, function(land) return has(land, \"capital\") end)"
        Prelude |_, _| Ok(NIL);
}

// Filters -------------------------------------------------------------------------------------------------------------

/// The field that a key of a table names; unknown names are an error.
fn field_named<'k>(a: &Args, known: &'k [Field], key: &LuaValue) -> mlua::Result<&'k Field> {
    let LuaValue::String(name) = key else {
        return Err(a.fault(format!("fields have names, got {}", say(key))));
    };
    let name = name.as_bytes();
    known.iter().find(|field| field.name.as_bytes() == &*name).ok_or_else(|| {
        let name = String::from_utf8_lossy(&name);
        let hint = hint(&name, known.iter().map(|field| field.name));
        a.fault(format!("there is no field `{name}`{hint}"))
    })
}

/// Raises what is wrong with a table of fields.
pub fn refuse_fields(c: &Context, a: &Args, known: &[Field]) -> mlua::Result<()> {
    a.table(0)?.for_each(|key: LuaValue, value: LuaValue| a.refuse_field(c, field_named(a, known, &key)?, &value))
}

/// Reads the named fields of a table argument.
fn fields(
    c: &Context,
    a: &Args,
    table: &LuaTable,
    known: &[Field],
    mut take: impl FnMut(&str, &LuaValue) -> mlua::Result<()>,
) -> mlua::Result<()> {
    table.for_each(|key: LuaValue, value: LuaValue| {
        let Field { name, ty, .. } = field_named(a, known, &key)?;
        let given = match (ty, &value) {
            (Ty::Any, _) => true,
            (Ty::Bool, LuaValue::Boolean(_)) => true,
            (Ty::List(_) | Ty::Map(..), LuaValue::Table(_)) => true,
            (Ty::Faction, v) => matches!(number(c, v), Some(Value::Faction(_))),
            (Ty::Seat, v) => matches!(number(c, v), Some(Value::Faction(f)) if f.index() < c.catalog.playable),
            (Ty::Space, v) => matches!(number(c, v), Some(Value::Space(_))),
            _ => false,
        };
        if !given {
            let got = number(c, &value).map_or_else(|| say(&value), |found| told(c, found));
            return Err(a.fault(format!("field `{name}` must be {}, got {got}", ty.wanted())));
        }
        take(name, &value)
    })
}

fn as_faction(c: &Context, value: &LuaValue) -> Option<FactionId> {
    match number(c, value) {
        Some(Value::Faction(id)) => Some(id),
        _ => None,
    }
}
fn as_kind(c: &Context, value: &LuaValue) -> Option<KindId> {
    match number(c, value) {
        Some(Value::Kind(id)) => Some(id),
        _ => None,
    }
}
/// What [`SPACE_FILTER`] says.
fn space_filter(a: &Args) -> mlua::Result<SpaceFilter> {
    let sort = |at: usize| a.optional_kind(at).map(Sort::Kind).or(a.optional_symbol(at).map(Sort::Class));
    let (fewer, than) = (sort(9), a.optional_symbol(10));
    if fewer.is_some() != than.is_some() {
        return Err(a.fault("`fewer` and `than` go together: fewer pieces of a sort than a property of the space says"));
    }
    Ok(SpaceFilter {
        kind: a.optional_symbol(0),
        home: a.optional_faction(1),
        controller: a.optional_faction(2),
        prop: a.optional_symbol(3),
        neutral: a.which(4) == Some(1),
        empty: a.which(5) == Some(1),
        without: sort(6),
        first_of: a.optional_symbol(7),
        uncontrolled_by: a.optional_faction(8),
        fewer: fewer.zip(than),
        beside: a.optional_space(11),
    })
}

/// What [`PIECE_FILTER`] says of the pieces themselves.
fn piece_filter(a: &Args) -> PieceFilter {
    PieceFilter {
        at: a.optional_space(0),
        owner: a.optional_faction(1),
        kind: a.optional_kind(2),
        class: a.optional_symbol(3),
        occupying: a.which(4).map(|truth| truth == 1),
        // As the field lists them.
        on_map: a.which(5).map(|place| place == 0),
    }
}

/// From which space [`PIECE_FILTER`] wants them to be at most so many steps away.
fn near(a: &Args) -> mlua::Result<Option<(SpaceId, u16)>> {
    let (space, steps) = (a.optional_space(6), a.optional_int(7));
    if space.is_some() != steps.is_some() {
        return Err(a.fault("`near` and `steps` go together: a space, and how far from it"));
    }
    Ok(space.zip(steps.map(far)))
}

/// So many steps; those below none are none.
fn far(steps: i32) -> u16 {
    u16::try_from(steps.max(0)).unwrap_or(u16::MAX)
}

/// Looks at the table with the properties that the argument at a position asks of cards; nothing where none is given.
fn with_props<T>(
    c: &Context,
    a: &Args,
    at: usize,
    look: impl FnOnce(&Table, &[(CardProp, Value)]) -> T,
) -> mlua::Result<T> {
    let mut wanted = c.wanted.take();
    // Only what the short way has just read is from this call.
    if a.short().is_none_or(|given| given.table.is_empty()) {
        wanted.clear();
    }
    c.charge(wanted.len() as u64)?;
    if a.given(at) {
        a.table(at)?.for_each(|key: LuaValue, value: LuaValue| {
            let LuaValue::String(name) = &key else {
                return Err(a.fault(format!("properties have names, got {}", say(&key))));
            };
            let prop = match &*name.as_bytes() {
                b"type" => CardProp::Type,
                b"faction" => CardProp::Faction,
                _ => CardProp::Named(a.property(c, name)?),
            };
            wanted.push((prop, any(c, a.function, "the value of a property", &value)?));
            c.charge(1)
        })?;
    }
    let found = c.read(|table| look(table, &wanted));
    c.wanted.replace(wanted);
    found
}

/// The cards of a zone that have these properties, top first.
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

// Properties ----------------------------------------------------------------------------------------------------------

fn property(c: &Context, a: &Args, at: usize) -> mlua::Result<SymbolId> {
    a.property(c, a.name(at)?)
}

/// Any property of any entity. The prelude comes here only for what [`facts`] has not got.
fn prop(c: &Context, a: &Args) -> mlua::Result<Value> {
    let (entity, name) = (a.value(0), a.text(1)?);
    if let (Value::Piece(piece), "faction") = (entity, name.as_str()) {
        return c.read(|t| faction(t.world.piece(piece).owner()));
    }
    if let Some(found) = facts::built_in(&c.catalog, entity, &name) {
        return Ok(found);
    }
    if BUILT_IN.contains(&name.as_str()) && c.catalog.symbol(&name).is_none() {
        return Ok(Value::Nil);
    }
    let key = property(c, a, 1)?;
    Ok(facts::props(&c.catalog, entity).and_then(|props| props.get(key)).unwrap_or_default())
}

// Choices -------------------------------------------------------------------------------------------------------------

/// Options that a question may have; a board of a thousand spaces with four ways to go from each has no more.
pub const MOST_OPTIONS: usize = 4096;

/// Takes over the options that a script has listed. False where something is wrong with them.
pub fn take_options(c: &Context, list: &[Raw]) -> mlua::Result<bool> {
    c.charge(list.len() as u64)?;
    let mut options = c.options.borrow_mut();
    options.clear();
    options.reserve(list.len());
    let mut rest = list;
    while !rest.is_empty() {
        match option(c, rest, &mut options) {
            Some(after) if options.len() <= MOST_OPTIONS => rest = after,
            _ => return Ok(false),
        }
    }
    // What lists stand for costs as much as if it had been written out.
    c.charge(options.len().saturating_sub(list.len()) as u64)?;
    Ok(true)
}

/// Takes over the first option of a list; gives what follows it.
fn option<'a>(c: &Context, list: &'a [Raw], options: &mut Vec<Choice>) -> Option<&'a [Raw]> {
    let (first, rest) = list.split_first()?;
    let choice = match first {
        Raw::Nil => return None,
        Raw::List(size) => return with_verb(c, *size, rest, options),
        _ => match value_of(c, *first)? {
            Value::Symbol(verb) => Choice::verb(verb, &[]),
            value => Choice::value(value),
        },
    };
    options.push(choice);
    Some(rest)
}

/// Takes over an option with a verb and values. Where a value is a list, there is an option for each of its elements.
fn with_verb<'a>(c: &Context, size: usize, list: &'a [Raw], options: &mut Vec<Choice>) -> Option<&'a [Raw]> {
    let (verb, mut rest) = list.split_first()?;
    let from = options.len();
    options.push(Choice::verb(as_verb(value_of(c, *verb)?)?, &[]));
    for _ in 1..size {
        let (value, after) = rest.split_first()?;
        let (elements, after) = match value {
            Raw::List(length) => after.split_at_checked(*length)?,
            _ => (std::slice::from_ref(value), after),
        };
        rest = after;
        if let [value] = elements {
            let value = option_value(c, *value)?;
            options[from..].iter_mut().try_for_each(|option| option.args.push(value))?;
            continue;
        }
        let begun = options.len() - from;
        // After an empty list there are none to put the elements on, and they must still be such as an option may have.
        if begun == 0 {
            elements.iter().try_for_each(|value| option_value(c, *value).map(|_| ()))?;
        }
        for at in from..from + begun {
            for (which, value) in elements.iter().enumerate() {
                // What an element is, the first round tells.
                let value = match options.get(from + begun + which).filter(|_| at > from) {
                    Some(first) => *first.args.last()?,
                    None => option_value(c, *value)?,
                };
                let mut option = options[at];
                option.args.push(value)?;
                options.push(option);
            }
            if options.len() - begun > MOST_OPTIONS {
                return None;
            }
        }
        options.drain(from..from + begun);
    }
    Some(rest)
}

fn option_value(c: &Context, value: Raw) -> Option<Value> {
    value_of(c, value).filter(|value| *value != Value::Nil)
}

fn as_verb(value: Value) -> Option<SymbolId> {
    match value {
        Value::Symbol(verb) => Some(verb),
        _ => None,
    }
}

/// Raises what is wrong with a list of options.
pub fn refuse_options(c: &Context, list: &LuaValue) -> mlua::Result<()> {
    let function = c.listing.get();
    let LuaValue::Table(table) = list else {
        return Err(Fault::runtime(format!("{function}: the options must be a list, got {}", say(list))));
    };
    let too_many =
        |count: usize| Fault::runtime(format!("{function}: a question has up to {MOST_OPTIONS} options, got {count}"));
    let length = table.raw_len();
    if length > MOST_OPTIONS {
        return Err(too_many(length));
    }
    let mut count = 0usize;
    for at in 1..=length {
        count = count.saturating_add(refuse_option(c, function, &table.raw_get(at)?)?);
    }
    if count > MOST_OPTIONS {
        return Err(too_many(count));
    }
    Err(Fault::runtime(format!("{function}: these options cannot be read")))
}

/// Raises what is wrong with an element of the list of options; otherwise gives how many options it stands for.
fn refuse_option(c: &Context, function: &str, option: &LuaValue) -> mlua::Result<usize> {
    match option {
        LuaValue::Nil => Err(Fault::runtime(format!("{function}: nil is no option"))),
        LuaValue::Table(parts) => {
            let LuaValue::String(verb) = parts.raw_get(1)? else {
                return Err(Fault::runtime(format!(
                    "{function}: an option in a table begins with its verb: {{verb, a, b, c}}"
                )));
            };
            keyword(c, function, &verb)?;
            let length = parts.raw_len();
            if length > 5 {
                let values = length - 1;
                return Err(Fault::runtime(format!("{function}: an option has up to four values, got {values}")));
            }
            let refuse = |part: &LuaValue| match part {
                LuaValue::Nil => Err(no_value(function, "a value of an option", part)),
                part => any(c, function, "a value of an option", part).map(|_| ()),
            };
            let mut count = 1usize;
            for at in 2..=length {
                match parts.raw_get(at)? {
                    LuaValue::Table(several) => {
                        let many = several.raw_len();
                        c.charge(many as u64)?;
                        (1..=many.min(MOST_OPTIONS)).try_for_each(|at| refuse(&several.raw_get(at)?))?;
                        count = count.saturating_mul(many);
                    }
                    part => refuse(&part)?,
                }
            }
            Ok(count)
        }
        other => any(c, function, "an option", other).map(|_| 1),
    }
}

/// The options that a function lists, called with these arguments.
pub fn list_options(
    c: &Context,
    name: &'static str,
    function: &Function,
    args: impl IntoIterator<Item = LuaValue>,
) -> mlua::Result<Vec<Choice>> {
    let take = c.options_of.get().ok_or_else(|| Fault::runtime("the machine is not ready"))?;
    let args: Variadic<LuaValue> = args.into_iter().collect();
    let outer = c.listing.replace(name);
    let taken = c.purely(|| take.call::<()>((function, args)));
    c.listing.set(outer);
    taken.map(|()| c.options.take())
}

/// What a question is given beside its options.
struct About {
    values: Values,
    source: Value,
    always: bool,
}

/// What a question is given, as the short way reads it. `None` where something is wrong with it.
fn about(c: &Context, table: &[Raw], source: Value) -> Option<About> {
    let known = c.spelling.get()?;
    let mut about = About { values: Values::NONE, source, always: false };
    let mut rest = table;
    while let [Raw::Text(name), value, after @ ..] = rest {
        rest = after;
        match value {
            Raw::Truth(truth) if known.text(*name) == Some(ALWAYS) => about.always = *truth,
            Raw::List(size) if known.text(*name) == Some(ABOUT) => {
                let (values, after) = rest.split_at_checked(*size)?;
                rest = after;
                values.iter().take(4).try_for_each(|raw| about.values.push(value_of(c, *raw)?))?;
            }
            value if known.text(*name) == Some(SOURCE) => about.source = value_of(c, *value)?,
            _ => return None,
        }
    }
    rest.is_empty().then_some(about)
}

fn choose(c: &Context, a: &Args) -> mlua::Result<Option<Answer>> {
    let seat = a.faction(0)?;
    let decision = a.decision(1)?;
    let source = c.running.borrow().last().map_or(Value::Nil, |running| running.source);
    let fields_given = match a.short() {
        Some(given) if given.arg(2) != Raw::Table => given.table,
        Some(given) if take_options(c, given.table)? => given.fields,
        Some(_) => return Ok(None),
        None => &[],
    };
    let Some(mut told) = about(c, fields_given, source) else { return Ok(None) };
    if let LuaValue::Table(list) = a.lua(2) {
        let take = c.take_options.get().ok_or_else(|| Fault::runtime("the machine is not ready"))?;
        take.call::<()>(list)?;
    }
    if a.given(3) {
        fields(c, a, a.table(3)?, QUESTION, |name, value| {
            match (name, value) {
                (ABOUT, LuaValue::Table(list)) => {
                    for at in 1..=list.raw_len().min(4) {
                        let value = any(c, a.function, ABOUT, &list.raw_get::<LuaValue>(at)?)?;
                        // There is room for four.
                        let _ = told.values.push(value);
                    }
                }
                (SOURCE, value) => told.source = any(c, a.function, SOURCE, value)?,
                (_, value) => told.always = *value == LuaValue::Boolean(true),
            }
            Ok(())
        })?;
    }
    c.read(|_| ())?;
    let options = c.options.take();
    let ask = Ask { seat, decision, source: told.source, about: told.values, options, always: told.always };
    *c.request.borrow_mut() = Some(Request::Ask(ask));
    Ok(Some(NIL))
}

// Hooks ---------------------------------------------------------------------------------------------------------------

/// The live hooks of a point, the last one first; the first of them begins.
fn begin(c: &Context, point: PointId, asked: Option<PointId>) -> mlua::Result<Option<[Answer; 3]>> {
    if !c.read(|t| t.anyone_listens(point))? {
        return Ok(None);
    }
    let mut hooks = c.spare();
    c.read(|t| t.live_hooks(point, &mut hooks))?;
    hooks.reverse();
    c.begin(hooks, asked)
}

fn query(c: &Context, a: &Args) -> mlua::Result<Option<[Answer; 3]>> {
    a.int(1)?;
    let point = c.taking(a.function, a.point(0)?, PointKind::Query, a.rest(2).len())?;
    begin(c, point, Some(point))
}

fn trigger(c: &Context, a: &Args) -> mlua::Result<Option<[Answer; 3]>> {
    begin(c, c.taking(a.function, a.point(0)?, PointKind::Effect, a.rest(1).len())?, None)
}

/// Nothing where the entity has no such hook.
fn perform(c: &Context, a: &Args) -> mlua::Result<Option<[Answer; 3]>> {
    let point = c.taking(a.function, a.point(1)?, PointKind::Effect, a.rest(3).len())?;
    let (entity, owner) = (a.value(0), a.optional_faction(2));
    let Some(hook) = c.read(|t| t.own_hook(entity, point))? else { return Ok(None) };
    let card = match entity {
        Value::Card(card) => Some(card),
        _ => None,
    };
    let mut hooks = c.spare();
    hooks.push(LiveHook { hook, owner, card, priority: 0 });
    c.begin(hooks, None)
}

// Procedures ----------------------------------------------------------------------------------------------------------

fn missing(a: &Args, field: &str) -> mlua::Error {
    a.fault(format!("field `{field}` is missing"))
}

fn handles<T>(
    c: &Context,
    a: &Args,
    field: &str,
    list: &LuaValue,
    pick: impl Fn(Value) -> Option<T>,
) -> mlua::Result<Vec<T>> {
    let LuaValue::Table(list) = list else { return Ok(Vec::new()) };
    let length = list.raw_len();
    c.charge(length as u64)?;
    let mut found = Vec::with_capacity(length);
    for at in 1..=length {
        let value = list.raw_get::<LuaValue>(at)?;
        let handle = number(c, &value).and_then(&pick);
        found.push(handle.ok_or_else(|| {
            let got = number(c, &value).map_or_else(|| say(&value), |found| told(c, found));
            a.fault(format!("field `{field}` holds {got}, which does not belong there"))
        })?);
    }
    Ok(found)
}

fn move_units(c: &Context, a: &Args) -> Result {
    let (mut mover, mut pieces) = (None, None);
    let (mut limits, mut forbid) = (Vec::new(), Vec::new());
    let mut source = c.running.borrow().last().map_or(Value::Nil, |running| running.source);
    fields(c, a, a.table(0)?, MOVE_ORDER, |name, value| {
        match name {
            "mover" => mover = as_faction(c, value),
            "pieces" => {
                let mut list = handles(c, a, name, value, |v| match v {
                    Value::Piece(id) => Some(id),
                    _ => None,
                })?;
                list.sort_unstable();
                list.dedup();
                pieces = Some(list);
            }
            "forbid" => {
                forbid = handles(c, a, name, value, |v| match v {
                    Value::Space(id) => Some(id),
                    _ => None,
                })?
            }
            "limits" => {
                if let LuaValue::Table(table) = value {
                    for pair in table.pairs::<LuaValue, LuaValue>() {
                        let (kind, limit) = pair?;
                        let limit = whole(&limit).and_then(|n| u32::try_from(n).ok());
                        match (as_kind(c, &kind), limit) {
                            (Some(kind), Some(limit)) => limits.push((kind, limit)),
                            _ => return Err(a.fault("field `limits` maps kinds to numbers: { [kind.knight] = 1 }")),
                        }
                    }
                    limits.sort_unstable();
                }
            }
            _ => source = any(c, a.function, "source", value)?,
        }
        Ok(())
    })?;
    let mover = mover.ok_or_else(|| missing(a, "mover"))?;
    let pieces = pieces.ok_or_else(|| missing(a, "pieces"))?;
    let order = MoveOrder { mover, pieces, limits, forbid, source };
    c.read(|_| ())?;
    *c.request.borrow_mut() = Some(Request::Move(order));
    Ok(NIL)
}

fn battle_at(c: &Context, a: &Args) -> Result {
    // As FIGHT_ORDER lists them.
    let order = FightOrder {
        space: a.optional_space(0).ok_or_else(|| missing(a, "space"))?,
        attacker: a.optional_faction(1).ok_or_else(|| missing(a, "attacker"))?,
        defender: a.optional_faction(2).ok_or_else(|| missing(a, "defender"))?,
        mover: a.optional_faction(3),
    };
    c.read(|_| ())?;
    *c.request.borrow_mut() = Some(Request::Fight(order));
    Ok(NIL)
}

// Battle --------------------------------------------------------------------------------------------------------------

/// Reads the battle under way.
fn fight(c: &Context, a: &Args, f: impl FnOnce(&Table, &Battle) -> std::result::Result<Value, RuleError>) -> Result {
    let value = look(c, a, |t| match t.world.battle() {
        Some(battle) => f(t, battle),
        None => Err(RuleError::new("no battle is under way")),
    })?;
    Ok(answer(value))
}

fn shown<'a>(table: &'a Table, battle: &Battle, side: SideId) -> Option<(u8, &'a principes_core::catalog::Face)> {
    let at = battle.side(side).face?;
    Some((at, table.catalog.battle.as_ref()?.faces.get(usize::from(at))?))
}

fn units(c: &Context, a: &Args, part: impl Fn(usize, &[PieceId]) -> &[PieceId]) -> mlua::Result<Vec<f64>> {
    let side = a.side(c, 0)?;
    look(c, a, |t| match t.world.battle() {
        Some(battle) => {
            let units = part(battle.losses(t, side).toppled, &battle.side(side).entered);
            Ok(c.many(units.iter().map(|piece| Value::Piece(*piece))))
        }
        None => Err(RuleError::new("no battle is under way")),
    })
}
