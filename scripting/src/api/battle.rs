//! The current battle.

use mlua::Value as LuaValue;
use principes_core::catalog::Face;
use principes_core::ids::{PieceId, Value};
use principes_core::{Battle, SideId};
use principes_core::{RuleError, Table};

use crate::api::args::Args;
use crate::api::chapter::{NIL, act, answer, chapter, faction, flag, look};
use crate::api::entities::property;
use crate::host::context::Context;
use crate::machine::wire::Answer;
use crate::types::{Ty, gives, maybe, p};

chapter! { "Battle",
    look "battle.active" () [gives(Ty::Bool)]
        "Whether there is a battle now."
        "if battle.active() then … end"
        One |c, _| Ok(flag(c.read(|t| t.world.battle().is_some())?));
    look "battle.space" () [gives(Ty::SPACE)]
        "The space on which the battle is fought."
        "local land = battle.space()"
        One |c, a| fight(c, a, |_, b| Ok(Value::Space(b.space)));
    look "battle.faction" (p("side", Ty::Side)) [gives(Ty::FACTION)]
        "The faction whose pieces fight on a side."
        "local foe = battle.faction(\"defender\")"
        One |c, a| { let side = a.side(c, 0)?; fight(c, a, |_, b| Ok(Value::Faction(b.side(side).faction))) };
    look "battle.player" (p("side", Ty::Side)) [maybe(Ty::Seat)]
        "The seat that leads the faction of a side, or nil."
        "local seat = battle.player(\"attacker\")"
        One |c, a| {
            let side = a.side(c, 0)?;
            fight(c, a, |t, b| Ok(faction(Some(b.side(side).faction).filter(|f| t.world.is_led(*f)))))
        };
    look "battle.mover" () [maybe(Ty::Seat)]
        "The seat that moved the attacker, if it is not the attacker itself."
        "local helper = battle.mover()"
        One |c, a| fight(c, a, |_, b| Ok(faction(b.mover)));
    look "battle.side" (p("seat", Ty::FACTION)) [maybe(Ty::Side)]
        "The side on which a faction fights, or nil."
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
    look "battle.units" (p("side", Ty::Side)) [gives(Ty::List(&Ty::PIECE))]
        "The pieces with which a side entered the battle, in the order in which they take damage."
        "local strength = #battle.units(\"attacker\")"
        Many |c, a| units(c, a, |_, entered| entered);
    look "battle.standing" (p("side", Ty::Side)) [gives(Ty::List(&Ty::PIECE))]
        "The pieces of a side that its damage does not fell."
        "if #battle.standing(\"defender\") == 0 then … end"
        Many |c, a| units(c, a, |toppled, entered| &entered[toppled.min(entered.len())..]);
    look "battle.toppled" (p("side", Ty::Side)) [gives(Ty::List(&Ty::PIECE))]
        "The pieces of a side that its damage fells."
        "for _, piece in battle.toppled(side) do remove(piece) end"
        Many |c, a| units(c, a, |toppled, entered| &entered[..toppled.min(entered.len())]);
    look "battle.wounds" (p("side", Ty::Side)) [gives(Ty::Int)]
        "Damage on the next piece to fall."
        "if battle.wounds(side) > 0 then … end"
        One |c, a| { let side = a.side(c, 0)?; fight(c, a, |t, b| Ok(Value::Int(b.losses(t, side).wounds))) };
    look "battle.damage" (p("side", Ty::Side)) [gives(Ty::Int)]
        "The damage that a side takes, as of the last count."
        "local hits = battle.damage(\"defender\")"
        One |c, a| { let side = a.side(c, 0)?; fight(c, a, |_, b| Ok(Value::Int(b.side(side).damage))) };
    look "battle.total" (p("side", Ty::Side), p("what", Ty::Word)) [gives(Ty::Int)]
        "Strength or shields of a side as of the last count, under the names of the battle procedure."
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
        "Adds strength or shields to a side for this battle, from the next count on."
        "battle.add(side, \"swords\", self.swords)"
        One |c, a| {
            let (side, what, n) = (a.side(c, 0)?, a.symbol(1)?, a.int(2)?);
            if !(-999..=999).contains(&n) {
                return Err(a.refuse(format!("3rd argument (amount) must be between -999 and 999, found {n}")));
            }
            act(c, a, |t| t.battle_add(side, what, n))?;
            Ok(NIL)
        };
    look "battle.face" (p("side", Ty::Side)) [maybe(Ty::Face)]
        "The face that the die of a side shows, or nil before it is rolled."
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
        "A value of the face that the die of a side shows, or 0 before it is rolled."
        "if battle.face_value(side, \"coin\") > 0 then … end"
        One |c, a| {
            let (side, what) = (a.side(c, 0)?, property(c, a, 1)?);
            fight(c, a, |t, b| Ok(Value::Int(shown(t, b, side).map_or(0, |(_, face)| face.values.int(what)))))
        };
    act "battle.count" () []
        "Computes strengths, shields and damage of both sides from scratch."
        "battle.count()"
        Machine |c, lua, a| {
            let queries = look(c, a, |t| t.count_queries())?;
            let mut totals = [0; 4];
            for (total, (point, value, args)) in totals.iter_mut().zip(queries) {
                *total = c.query(lua, point, value, &args)?;
            }
            act(c, a, |t| t.apply_count(totals))?;
            Ok(LuaValue::Nil)
        };
    look "battle.winner" () [maybe(Ty::Side)]
        "The side that won, or nil before that is known."
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

/// Reads the current battle.
fn fight(c: &Context, a: &Args, f: impl FnOnce(&Table, &Battle) -> Result<Value, RuleError>) -> mlua::Result<Answer> {
    let value = look(c, a, |t| match t.world.battle() {
        Some(battle) => f(t, battle),
        None => Err(RuleError::new("no battle is under way")),
    })?;
    Ok(answer(value))
}

fn shown<'a>(table: &'a Table, battle: &Battle, side: SideId) -> Option<(u8, &'a Face)> {
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
