//! Pieces: their spaces and owners, and how they enter and leave the board.

use principes_core::PieceFilter;
use principes_core::ids::{PieceId, SpaceId, Value};

use crate::api::args::Args;
use crate::api::chapter::{NIL, answer, chapter, faction, far, int};
use crate::api::entities::property;
use crate::host::context::Context;
use crate::types::{Field, Ty, field, gives, maybe, opt, p};

const PIECE_FILTER: &[Field] = &[
    field("at", Ty::SPACE, "the space it is on"),
    field("owner", Ty::FACTION, "its owner"),
    field("kind", Ty::KIND, "its kind"),
    field("class", Ty::Word, "the class of its kind"),
    field("occupying", Ty::Bool, "whether its kind occupies"),
    field("on", Ty::OneOf(&["map", "pool"]), "where it is"),
    field("near", Ty::SPACE, "on it, or at most `steps` steps from it"),
    field("steps", Ty::Int, "the number of steps for `near`"),
];

chapter! { "Pieces",
    look "pieces" (opt("filter", Ty::Fields(PIECE_FILTER))) [gives(Ty::List(&Ty::PIECE))]
        "The pieces that match all given fields."
        "pieces{owner = seat, occupying = true, near = capital, steps = 2}"
        Many |c, a| {
            let filter = piece_filter(c, a)?;
            match near(a)? {
                None => c.read(|t| c.many(t.find_pieces(&filter).map(Value::Piece))),
                Some((from, most)) => c.read(|t| c.many(t.find_pieces_near(&filter, from, most).map(Value::Piece))),
            }
        };
    look "the_piece" (opt("filter", Ty::Fields(PIECE_FILTER))) [maybe(Ty::PIECE)]
        "The piece that matches all given fields: the first one in id order if there are several, nil if there is none."
        "local prince = the_piece{owner = seat, kind = kind.prince, on = \"map\"}"
        One |c, a| {
            let filter = piece_filter(c, a)?;
            let found = match near(a)? {
                None => c.read(|t| t.find_pieces(&filter).next())?,
                Some((from, most)) => c.read(|t| t.find_pieces_near(&filter, from, most).next())?,
            };
            Ok(answer(found.map_or(Value::Nil, Value::Piece)))
        };
    look "count" (opt("filter", Ty::Fields(PIECE_FILTER))) [gives(Ty::Int)]
        "How many pieces match. The fields are those of `pieces`."
        "if count{kind = kind.castle, on = \"pool\"} > 0 then … end"
        One |c, a| {
            let filter = piece_filter(c, a)?;
            Ok(int(match near(a)? {
                None => c.read(|t| t.find_pieces(&filter).count()),
                Some((from, most)) => c.read(|t| t.find_pieces_near(&filter, from, most).count()),
            }? as i32))
        };
    look "tally" (opt("filter", Ty::Fields(PIECE_FILTER))) [gives(Ty::Map(&Ty::SPACE, &Ty::Int))]
        "How many pieces match on each space, as a table from spaces to numbers. Spaces without such pieces are not in it. The fields are those of `pieces`."
        "local garrisons = tally{owner = seat, class = \"unit\"}"
        Pairs |c, a| {
            let (filter, near) = (piece_filter(c, a)?, near(a)?);
            c.scan(c.catalog.spaces.len())?;
            c.read(|t| {
                let counts = match near {
                    None => t.tally(t.find_pieces(&filter)),
                    Some((from, most)) => t.tally(t.find_pieces_near(&filter, from, most)),
                };
                c.many(counts.into_iter().flat_map(|(space, count)| [Value::Space(space), Value::Int(count as i32)]))
            })
        };
    look "at" (p("piece", Ty::PIECE)) [maybe(Ty::SPACE)]
        "The space on which a piece is, or nil in the pool."
        "local land = at(prince)"
        One |c, a| { let n = a.piece(0)?; Ok(answer(c.read(|t| t.world.piece(n).space().map_or(Value::Nil, Value::Space))?)) };
    look "owner" (p("piece", Ty::PIECE)) [maybe(Ty::FACTION)]
        "The owner of a piece."
        "if owner(piece) ~= seat then … end"
        One |c, a| { let n = a.piece(0)?; Ok(answer(c.read(|t| faction(t.world.piece(n).owner()))?)) };
    look "kindof" (p("piece", Ty::PIECE)) [gives(Ty::KIND)]
        "The kind of a piece."
        "if kindof(piece) == kind.knight then … end"
        Checks |c, a| { let n = a.piece(0)?; Ok(answer(Value::Kind(c.catalog.pieces[n.index()].kind))) },
        lua "return host.looked_up(host.facts.kinds, host.kindof)";
    look "stat" (p("piece", Ty::PieceOrKind), p("name", Ty::Stat)) [gives(Ty::Int)]
        "A stat of a kind, or 0 if the kind does not have it."
        "local swords = stat(kind.knight, \"swords\")"
        Checks |c, a| {
            let kind = match a.value(0) {
                Value::Piece(piece) => c.catalog.pieces[piece.index()].kind,
                _ => a.kind(0)?,
            };
            let name = property(c, a, 1)?;
            Ok(int(c.catalog.kinds[kind.index()].stats.int(name)))
        }, lua "return host.looked_up_by_name(host.facts.stats, host.stat)";
    act "place" (p("kind", Ty::KIND), opt("owner", Ty::FACTION), p("space", Ty::SPACE)) [maybe(Ty::PIECE)]
        "Takes a piece from the pool and puts it on a space. Returns nil if the pool has none."
        "local piece = place(kind.footman, seat, land)"
        One |c, a| {
            let (kind, owner, space) = (a.kind(0)?, a.optional_faction(1), a.space(2)?);
            c.scan(c.catalog.pieces.span(Some(kind)).len())?;
            c.read(|t| c.scan_space(t, space))??;
            Ok(answer(c.write(|t| t.place(kind, owner, space))?.map_or(Value::Nil, Value::Piece)))
        };
    act "move" (p("piece", Ty::PIECE), p("space", Ty::SPACE)) []
        "Moves a piece to a space, from the map or the pool, without the rules of movement."
        "move(prince, capital)"
        One |c, a| { let (n, s) = (a.piece(0)?, a.space(1)?); leaving(c, n)?; c.read(|t| c.scan_space(t, s))??; c.write(|t| t.move_piece(n, Some(s)))?; Ok(NIL) };
    act "remove" (p("piece", Ty::PIECE)) []
        "Puts a piece back into the pool."
        "remove(castle)"
        One |c, a| { let n = a.piece(0)?; leaving(c, n)?; c.write(|t| t.move_piece(n, None))?; Ok(NIL) };
    act "give" (p("piece", Ty::PIECE), opt("owner", Ty::FACTION)) []
        "Gives a piece to another faction, or to nobody with nil. The piece stays where it is. When it is removed, it goes to the pool of its new owner."
        "give(castle, winner)"
        One |c, a| { let (n, owner) = (a.piece(0)?, a.optional_faction(1)); leaving(c, n)?; c.write(|t| t.give_piece(n, owner))?; Ok(NIL) };
    look "occupants" (p("space", Ty::SPACE)) [gives(Ty::List(&Ty::FACTION))]
        "The factions with occupying pieces on a space."
        "if #occupants(land) > 1 then … end"
        Many |c, a| { let s = a.space(0)?; c.read(|t| c.scan_space(t, s))??; c.read(|t| c.many(t.world.occupants(&t.catalog, s).map(Value::Faction))) };
}

/// The filter for [`PIECE_FILTER`], except for `near`.
///
/// The call is charged for the pieces that it examines: those on the space, those of the kind, or all.
fn piece_filter(c: &Context, a: &Args) -> mlua::Result<PieceFilter> {
    match a.optional_space(0) {
        Some(space) => c.read(|t| c.scan_space(t, space))??,
        None => c.scan(c.catalog.pieces.span(a.optional_kind(2)).len())?,
    }
    Ok(PieceFilter {
        at: a.optional_space(0),
        owner: a.optional_faction(1),
        kind: a.optional_kind(2),
        class: a.optional_symbol(3),
        occupying: a.which(4).map(|truth| truth == 1),
        // In the order of the field's values.
        on_map: a.which(5).map(|place| place == 0),
    })
}

/// The space and the number of steps in [`PIECE_FILTER`].
fn near(a: &Args) -> mlua::Result<Option<(SpaceId, u16)>> {
    let (space, steps) = (a.optional_space(6), a.optional_int(7));
    if space.is_some() != steps.is_some() {
        return Err(a.refuse("`near` and `steps` go together: a space, and the number of steps from it"));
    }
    Ok(space.zip(steps.map(far)))
}

/// Charges for the pieces on the same space, which must be walked when a piece leaves.
fn leaving(c: &Context, piece: PieceId) -> mlua::Result<()> {
    c.read(|t| t.world.piece(piece).space().map_or(Ok(()), |space| c.scan_space(t, space)))?
}
