//! Procedures of the kernel that a script starts and waits for: movement and battle.

use mlua::Value as LuaValue;
use principes_core::FightOrder;
use principes_core::MoveOrder;
use principes_core::ids::Value;

use crate::api::args::Args;
use crate::api::binder::Binder;
use crate::api::chapter::{NIL, chapter};
use crate::api::fields::{as_faction, as_kind, fields, handles};
use crate::host::context::Context;
use crate::host::running::Request;
use crate::host::values::{any, whole};
use crate::machine::wire::Answer;
use crate::machine::wire::CallOutcome;
use crate::types::{Field, Ty, field, gives, needed, p};

const MOVE_ORDER: &[Field] = &[
    needed("mover", Ty::Seat, "the seat that moves"),
    needed("pieces", Ty::List(&Ty::PIECE), "the pieces that may move"),
    field("limits", Ty::Map(&Ty::KIND, &Ty::Int), "how many of each kind"),
    field("forbid", Ty::List(&Ty::SPACE), "the spaces where no move may end"),
    field("source", Ty::Any, "the card that allows the move"),
];

const FIGHT_ORDER: &[Field] = &[
    needed("space", Ty::SPACE, "where"),
    needed("attacker", Ty::FACTION, "the faction that came"),
    needed("defender", Ty::FACTION, "the faction that was there"),
    field("mover", Ty::Seat, "the seat that moved the attacker, if it does not lead that faction"),
];

const MARCH: &[Field] = &[
    needed("ended", Ty::List(&Ty::SPACE), "the spaces where moves ended"),
    needed("moved", Ty::List(&Ty::Fields(MOVED)), "the moves"),
    needed("before", Ty::Map(&Ty::SPACE, &Ty::Lua), "who controlled each space before, or false"),
];

const MOVED: &[Field] =
    &[needed("piece", Ty::PIECE, "what"), needed("from", Ty::SPACE, "from where"), needed("to", Ty::SPACE, "where to")];

chapter! { "Procedures" with helpers,
    act "move_units" (p("order", Ty::Fields(MOVE_ORDER))) [gives(Ty::Fields(MARCH))]
        "Lets a seat move pieces by the movement procedure. Returns the spaces where moves `ended`, what `moved` (piece, from, to), and who controlled each of those spaces `before`, or false."
        "local march = move_units{ mover = seat, pieces = pieces{owner = seat, on = \"map\"} }"
        Checks move_units, lua "
local move_units, march, yield, nothing, insert = host.move_units, host.march, host.yield, host.nothing, table.insert
return function(...)
  move_units(...)
  yield()
  local list = march()
  local ended, before, moved = {}, {}, {}
  local last = 1 + 2 * list[1]
  for at = 2, last, 2 do
    local land, seat = list[at], list[at + 1]
    insert(ended, land)
    before[land] = seat ~= nothing and seat
  end
  for at = last + 1, #list, 3 do
    insert(moved, { piece = list[at], from = list[at + 1], to = list[at + 2] })
  end
  return { ended = ended, moved = moved, before = before }
end";
    act "battle_at" (p("order", Ty::Fields(FIGHT_ORDER))) [gives(Ty::Side)]
        "Fights a battle by the battle procedure. Returns the side that won."
        "if battle_at{ space = land, attacker = seat, defender = rival } == \"attacker\" then … end"
        Rests battle_at;
}

fn missing(a: &Args, field: &str) -> mlua::Error {
    a.refuse(format!("missing field `{field}`"))
}

fn move_units(c: &Context, a: &Args) -> mlua::Result<Answer> {
    let (mut mover, mut pieces) = (None, None);
    let (mut limits, mut forbid) = (Vec::new(), Vec::new());
    let mut source = c.source_now();
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
                            _ => return Err(a.refuse("field `limits` maps kinds to numbers: { [kind.knight] = 1 }")),
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
    c.request(Request::Move(order))?;
    Ok(NIL)
}

fn battle_at(c: &Context, a: &Args) -> mlua::Result<Answer> {
    // In the order of FIGHT_ORDER.
    let order = FightOrder {
        space: a.optional_space(0).ok_or_else(|| missing(a, "space"))?,
        attacker: a.optional_faction(1).ok_or_else(|| missing(a, "attacker"))?,
        defender: a.optional_faction(2).ok_or_else(|| missing(a, "defender"))?,
        mover: a.optional_faction(3),
    };
    c.request(Request::Fight(order))?;
    Ok(NIL)
}

/// Provides the Lua part: the result of a movement.
fn helpers(binder: &Binder) -> mlua::Result<()> {
    binder.sure_helper("march", |c, _| Ok(CallOutcome::List(c.pending.march.take())))?;
    binder.host.raw_set("nothing", Value::Nil.to_bits())
}
