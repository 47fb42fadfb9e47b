//! The battle procedure: sides, dice, the damage count, and the winner. Card windows, removal and withdrawal are script
//! steps that the content lists between the kernel's steps.
//!
//! The count always starts from scratch, so a card, a reroll or a flip changes only its inputs.

use super::error::RuleError;
use crate::catalog::BattleStep;
use crate::ids::*;
use crate::state::{Battle, Event, FightOrder, Side, SideId, Table};

/// A query of the count: the hook point, the value before any hook, and the arguments faction and space.
pub type CountQuery = (HookPointId, i32, [Value; 2]);

/// How damage affects the pieces of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Losses {
    /// The number of felled pieces, which are the first ones of [`Side::entered`].
    pub toppled: usize,
    /// Damage on the next piece, not enough to fell it.
    pub wounds: i32,
    /// Damage beyond the last piece.
    pub excess: i32,
}

impl Battle {
    pub(crate) fn begin(table: &mut Table, order: &FightOrder) -> Result<Battle, RuleError> {
        if order.attacker == order.defender {
            return Err(RuleError::new("a battle needs two factions"));
        }
        let catalog = &table.catalog;
        let rule = catalog.battle.as_ref().ok_or_else(no_procedure)?;
        let there = || table.world.on_space(order.space);
        // Allocates enough room at once. Growing lists took a third of the time.
        let room = there().count();
        let side = |faction: FactionId| Side {
            faction,
            entered: Vec::with_capacity(room),
            added_strength: 0,
            added_shields: 0,
            face: None,
            strength: 0,
            shields: 0,
            damage: 0,
        };
        let (mut attacker, mut defender) = (side(order.attacker), side(order.defender));
        for piece in there() {
            let (fighter, owner) = (rule.fighter(&catalog.pieces, piece), table.world.piece(piece).owner());
            let side = [&mut attacker, &mut defender].into_iter().find(|side| owner == Some(side.faction));
            if let Some(Side { entered, .. }) = side.filter(|_| fighter.fights) {
                // Pieces come in id order, and pieces of the same rank stay in that order.
                let before =
                    entered.iter().rposition(|other| rule.fighter(&catalog.pieces, *other).rank <= fighter.rank);
                entered.insert(before.map_or(0, |at| at + 1), piece);
            }
        }
        for side in [&attacker, &defender] {
            if side.entered.is_empty() {
                return Err(RuleError(format!(
                    "`{}` has no pieces on `{}` that can fight",
                    catalog.id_of(Value::Faction(side.faction)),
                    catalog.id_of(Value::Space(order.space))
                )));
            }
        }
        table.emit(Event::Battle { space: order.space, attacker: order.attacker, defender: order.defender });
        Ok(Battle { space: order.space, attacker, defender, mover: order.mover, step: 0, winner: None })
    }

    /// How the damage of the last count affects the pieces of a side.
    pub fn losses(&self, table: &Table, side: SideId) -> Losses {
        let side = self.side(side);
        let catalog = &table.catalog;
        let toughness =
            |piece| catalog.battle.as_ref().map_or(1, |rule| rule.fighter(&catalog.pieces, piece).toughness).max(1);
        let mut left = side.damage;
        let mut toppled = 0;
        for piece in &side.entered {
            let needed = toughness(*piece);
            if left < needed {
                return Losses { toppled, wounds: left, excess: 0 };
            }
            left -= needed;
            toppled += 1;
        }
        Losses { toppled, wounds: 0, excess: left }
    }

    /// The winner by the last count: the side that fells all enemies and survives, otherwise the side that fells more,
    /// otherwise the one that wins ties.
    fn decide(&self, table: &Table) -> SideId {
        let (attacker, defender) = (self.losses(table, SideId::Attacker), self.losses(table, SideId::Defender));
        let standing = |side: &Side, losses: &Losses| side.entered.len() > losses.toppled;
        let tie = match table.catalog.battle.as_ref().is_none_or(|rule| rule.defender_wins_ties) {
            true => SideId::Defender,
            false => SideId::Attacker,
        };
        match (standing(&self.attacker, &attacker), standing(&self.defender, &defender)) {
            (true, false) => SideId::Attacker,
            (false, true) => SideId::Defender,
            (false, false) => tie,
            (true, true) => match defender.toppled.cmp(&attacker.toppled) {
                std::cmp::Ordering::Greater => SideId::Attacker,
                std::cmp::Ordering::Less => SideId::Defender,
                std::cmp::Ordering::Equal => tie,
            },
        }
    }
}

fn no_battle() -> RuleError {
    RuleError::new("no battle is under way")
}

fn no_procedure() -> RuleError {
    RuleError::new("the game declares no battle procedure")
}

impl Table {
    /// A battle as it would begin, for tools that look ahead. Fails if the game has no battles, or if a side cannot
    /// fight.
    pub fn stage_battle(&mut self, order: &FightOrder) -> Result<Battle, RuleError> {
        Battle::begin(self, order)
    }

    /// Takes the next step of the current battle; `None` if there are no more.
    pub(crate) fn next_battle_step(&mut self) -> Result<Option<BattleStep>, RuleError> {
        let rule = self.catalog.battle.as_ref().ok_or_else(no_procedure)?;
        let battle = self.world.battle_mut().ok_or_else(no_battle)?;
        let step = rule.steps.get(battle.step).map(|(_, step)| *step);
        battle.step += 1;
        Ok(step)
    }

    /// Rolls the dice of these sides, one after the other. Fails if there is no battle, as do the functions below.
    pub fn battle_roll<const N: usize>(&mut self, sides: [SideId; N]) -> Result<(), RuleError> {
        let faces = self.catalog.battle.as_ref().ok_or_else(no_battle)?.faces.len();
        if faces == 0 {
            return Ok(());
        }
        let rolled: [u32; N] = self.dice(faces as u32);
        sides.into_iter().zip(rolled).try_for_each(|(side, face)| self.battle_set_face(side, face as u8))
    }

    /// Turns the die of a side to a face. Fails if the die does not have the face.
    pub fn battle_set_face(&mut self, side: SideId, face: u8) -> Result<(), RuleError> {
        let rule = self.catalog.battle.as_ref().ok_or_else(no_battle)?;
        let spec = rule.faces.get(usize::from(face)).ok_or_else(|| RuleError(format!("the die has no face {face}")))?;
        let battle = self.world.battle_mut().ok_or_else(no_battle)?;
        battle.side_mut(side).face = Some(face);
        let (space, face) = (battle.space, spec.id);
        let words = &self.catalog.words;
        let side = if side == SideId::Attacker { words.attacker } else { words.defender };
        self.emit(Event::Face { space, side, face });
        Ok(())
    }

    /// Adds strength or shields to a side for the next count. `what` must be one of the two stats of
    /// [`BattleRule`](crate::catalog::BattleRule).
    pub fn battle_add(&mut self, side: SideId, what: SymbolId, amount: i32) -> Result<(), RuleError> {
        let catalog = &self.catalog;
        let rule = catalog.battle.as_ref().ok_or_else(no_battle)?;
        let side = self.world.battle_mut().ok_or_else(no_battle)?.side_mut(side);
        if what == rule.strength {
            side.added_strength = side.added_strength.saturating_add(amount);
        } else if what == rule.fortify {
            side.added_shields = side.added_shields.saturating_add(amount);
        } else {
            return Err(RuleError(format!(
                "a side of a battle has `{}` and `{}`, not `{}`",
                catalog.symbols.name(rule.strength.index()),
                catalog.symbols.name(rule.fortify.index()),
                catalog.symbols.name(what.index())
            )));
        }
        Ok(())
    }

    /// The four queries for a count: attacker's strength and shields, defender's strength and shields.
    pub fn count_queries(&self) -> Result<[CountQuery; 4], RuleError> {
        let battle = self.world.battle().ok_or_else(no_battle)?;
        let rule = self.catalog.battle.as_ref().ok_or_else(no_battle)?;
        let die = |side: &Side, what: SymbolId| {
            side.face.and_then(|face| rule.faces.get(usize::from(face))).map_or(0, |face| face.values.int(what))
        };
        let fighter = |piece| rule.fighter(&self.catalog.pieces, piece);
        let strength = |side: &Side| {
            let pieces: i32 = side.entered.iter().map(|piece| fighter(*piece).strength).sum();
            pieces + die(side, rule.strength) + side.added_strength
        };
        let shields = |side: &Side| die(side, rule.fortify) + side.added_shields;
        let pieces: i32 = self.world.on_space(battle.space).map(|piece| fighter(piece).fortify).sum();
        let place = self.catalog.spaces[battle.space.index()].props.int(rule.fortify) + pieces;
        let args = |side: &Side| [Value::Faction(side.faction), Value::Space(battle.space)];
        let kernel = &self.catalog.kernel;
        Ok([
            (kernel.battle_strength, strength(&battle.attacker), args(&battle.attacker)),
            (kernel.battle_shields, shields(&battle.attacker), args(&battle.attacker)),
            (kernel.battle_strength, strength(&battle.defender), args(&battle.defender)),
            (kernel.battle_shields, shields(&battle.defender) + place, args(&battle.defender)),
        ])
    }

    /// Computes the damage of both sides from scratch, from the results of [`Table::count_queries`] in order. All
    /// pieces that entered count, felled or not.
    pub fn apply_count(&mut self, totals: [i32; 4]) -> Result<(), RuleError> {
        let battle = self.world.battle_mut().ok_or_else(no_battle)?;
        let [attack, guard, counter, place] = totals.map(|n| n.max(0));
        (battle.attacker.strength, battle.attacker.shields) = (attack, guard);
        (battle.defender.strength, battle.defender.shields) = (counter, place);
        battle.defender.damage = (attack - place).max(0);
        battle.attacker.damage = (counter - guard).max(0);
        let space = battle.space;
        self.emit(Event::Count { space, attacker: (attack, guard), defender: (counter, place) });
        Ok(())
    }

    /// Decides the winner by the last count.
    pub fn battle_resolve(&mut self) -> Result<SideId, RuleError> {
        let battle = self.world.battle().ok_or_else(no_battle)?;
        let winner = battle.decide(self);
        let event = Event::BattleWon {
            space: battle.space,
            winner: battle.side(winner).faction,
            loser: battle.side(winner.other()).faction,
        };
        self.world.battle_mut().ok_or_else(no_battle)?.winner = Some(winner);
        self.emit(event);
        Ok(winner)
    }
}
