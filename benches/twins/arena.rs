//! The base game and its twin on the same bare map: four seats, knights and footmen, no cards, no tokens.

use std::sync::Arc;

use principes_core::catalog::BattleStep;
use principes_core::rng::Rng;
use principes_core::*;
use principes_core::{LiveHook, Table};
use principes_scripting::{LuaHost, ScriptSource};

use super::war::{Choice, Face, Kind, LANDS, Land, Map, NONE, SEATS, War};
use crate::common::Pack;

/// Kinds of units, those of the twin in this order.
const KINDS: [&str; 2] = ["knight", "footman"];
const GOLD: i32 = 5;
const SUPPORT: i32 = 4;

/// Picks the same options for both, quickly, so that picking does not affect the measurement.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    /// A generator with its own seed.
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }
}

/// The pack, with its procedures as separate hooks, and the numbers that the twin needs.
pub struct Arena {
    catalog: Arc<Catalog>,
    host: LuaHost,
    map: Arc<Map>,
    /// The pieces that are units of the twin, in its order.
    units: Vec<PieceId>,
    march: LiveHook,
    fights: LiveHook,
}

/// A separate script: one battle after another on the same land.
const SCRIPT: &str = "local M = {}
function M.fights(space, attacker, defender, times)
  for _ = 1, times do
    battle_at{ space = space, attacker = attacker, defender = defender }
  end
end
return M
";

impl Arena {
    /// If `whole` is false, battles have only the kernel's steps.
    pub fn new(pack: &Pack, whole: bool) -> Self {
        let mut catalog = Catalog::clone(pack.catalog());
        let mut hook = |module: &str, function: &str| LiveHook {
            hook: catalog.add_function(module, function),
            owner: None,
            card: None,
            priority: 0,
        };
        let (march, fights) = (hook("war/march", "action"), hook("arena", "fights"));
        let mut parts = catalog.into_parts();
        let mut spaces = parts.spaces.to_vec();
        spaces.iter_mut().for_each(|space| space.pieces.clear());
        parts.spaces = spaces.into();
        if !whole {
            let steps = &mut parts.battle.as_mut().unwrap().steps;
            steps.retain(|(_, step)| !matches!(step, BattleStep::Run(_)));
        }
        let catalog = parts.build().unwrap();
        let kinds: Vec<KindId> = KINDS.iter().map(|id| catalog.kind(id).unwrap()).collect();
        let units: Vec<PieceId> = (0..catalog.pieces.len())
            .map(PieceId::at)
            .filter(|piece| {
                let spec = catalog.pieces[piece.index()];
                kinds.contains(&spec.kind) && spec.owner.is_some_and(|owner| owner.index() < SEATS)
            })
            .collect();
        let map = Arc::new(map_of(&catalog, &kinds, &units));
        let catalog = Arc::new(catalog);
        let mut scripts = pack.loaded.scripts.to_vec();
        scripts.push(ScriptSource::new("arena", "scripts/arena.lua", SCRIPT));
        let host = LuaHost::new(Arc::clone(&catalog), &scripts);
        let host = host.unwrap_or_else(|errors| panic!("{errors:?}"));
        Arena { catalog, host, map, units, march, fights }
    }

    /// Both, with the same units on the same lands. Each land belongs to one seat, except in the `crowd`, where two
    /// seats are on one land.
    pub fn begin(&self, seed: u64, crowd: bool) -> (Game<LuaHost>, War) {
        let mut rng = Rng::new(!seed);
        let lands: Vec<u8> =
            (0..self.map.lands.len() as u8).filter(|land| self.map.lands[usize::from(*land)].home != NONE).collect();
        let lords: Vec<usize> = lands.iter().map(|_| rng.below(SEATS as u32 + 2) as usize).collect();
        let at: Vec<u8> = (self.map.units.iter())
            .map(|(owner, _)| {
                let own = lands.iter().zip(&lords).filter(|(_, lord)| **lord == usize::from(*owner));
                let own: Vec<u8> = own.map(|(land, _)| *land).collect();
                match (crowd, rng.below(own.len() as u32) as usize) {
                    (true, pick) if *owner < 2 && pick % 2 == 0 => lands[0],
                    (true, _) => NONE,
                    (false, pick) => own.get(pick).copied().unwrap_or(NONE),
                }
            })
            .collect();
        let config = GameConfig { seats: (0..SEATS).map(FactionId::at).collect(), seed, options: Vec::new() };
        let prepare = |table: &mut Table| {
            self.lay_out(table, &at);
            Ok(())
        };
        let game = Game::prepared(Arc::clone(&self.catalog), self.host.clone(), config, false, prepare);
        (game.unwrap(), War::new(Arc::clone(&self.map), at, GOLD, SUPPORT, [SUPPORT; SEATS], seed))
    }

    fn lay_out(&self, table: &mut Table, at: &[u8]) {
        for (piece, land) in self.units.iter().zip(at).filter(|(_, land)| **land != NONE) {
            table.move_piece(*piece, Some(SpaceId(u16::from(*land))));
        }
        // Units without a leader wait on a remote land; otherwise some of them would return from the box.
        let spaces = &self.catalog.spaces;
        let is_entered = |space: &SpaceId| spaces.iter().any(|other| other.exits.contains(space));
        let remote = (0..spaces.len()).map(SpaceId::at).find(|space| !is_entered(space));
        for piece in (0..self.catalog.pieces.len()).map(PieceId::at) {
            if self.catalog.pieces[piece.index()].owner.is_some_and(|owner| owner.index() >= SEATS) {
                table.move_piece(piece, remote);
            }
        }
        for seat in (0..SEATS).map(FactionId::at) {
            for (counter, value) in [("gold", GOLD), ("people", SUPPORT), ("clergy", SUPPORT)] {
                table.set(self.catalog.counter(counter).unwrap(), value, Value::Faction(seat)).unwrap();
            }
        }
        // Nobody draws cards.
        let zone = |id| self.catalog.zone_of(self.catalog.zone(id).unwrap(), None).unwrap();
        while table.draw(zone("battle-deck"), zone("box")).is_some() {}
    }

    /// A seat marches, in both.
    pub fn march(&self, game: &mut Game<LuaHost>, seat: usize) {
        game.run_hook(self.march, &[Value::Faction(FactionId::at(seat))]).unwrap();
    }

    /// The two seats of a crowd fight a number of battles, one after another.
    pub fn fights(&self, game: &mut Game<LuaHost>, times: usize) {
        let [attacker, defender] = [0, 1].map(|seat| Value::Faction(FactionId::at(seat)));
        let land = Value::Space(SpaceId(u16::from(self.crowded())));
        game.run_hook(self.fights, &[land, attacker, defender, Value::Int(times as i32)]).unwrap();
    }

    /// The land of a crowd.
    pub fn crowded(&self) -> u8 {
        (0..LANDS as u8).find(|land| self.map.lands[usize::from(*land)].home != NONE).unwrap()
    }

    /// The pack's key of a twin's option.
    pub fn key(&self, choice: Choice) -> String {
        let land = |land: u8| self.catalog.spaces[usize::from(land)].id.clone();
        match choice {
            Choice::Move(kind, from) => format!("move {} {}", KINDS[usize::from(kind)], land(from)),
            Choice::To(to) => format!("to {}", land(to)),
            Choice::Land(at) => land(at),
            Choice::PayClergy => "pay-clergy".to_owned(),
            Choice::PayGold => "pay-gold".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    /// The pack's table as the twin would show it: places, control, gold and both tracks.
    pub fn state(&self, game: &Game<LuaHost>) -> State {
        let table = game.table();
        let of = |counter: &str| {
            let counter = self.catalog.counter(counter).unwrap();
            std::array::from_fn(|seat| table.get(counter, Value::Faction(FactionId::at(seat))).unwrap())
        };
        State {
            at: self.units.iter().map(|unit| table.world.piece(*unit).space().map_or(NONE, |s| s.0 as u8)).collect(),
            control: (0..self.catalog.spaces.len())
                .map(|land| table.world.controller(SpaceId::at(land)).map_or(NONE, |seat| seat.0))
                .collect(),
            gold: of("gold"),
            people: of("people"),
            clergy: of("clergy"),
        }
    }
}

/// What is on the table.
#[derive(PartialEq, Eq, Debug)]
pub struct State {
    at: Vec<u8>,
    control: Vec<u8>,
    gold: [i32; SEATS],
    people: [i32; SEATS],
    clergy: [i32; SEATS],
}

impl State {
    /// The twin's table.
    pub fn of(war: &War, lands: usize) -> Self {
        let War { at, control, gold, people, clergy, .. } = war;
        State { at: at.clone(), control: control[..lands].to_vec(), gold: *gold, people: *people, clergy: *clergy }
    }
}

fn map_of(catalog: &Catalog, kinds: &[KindId], units: &[PieceId]) -> Map {
    let [movement, battle] = [catalog.movement.as_ref().unwrap().stat, catalog.battle.as_ref().unwrap().fortify];
    let rule = catalog.battle.as_ref().unwrap();
    let clergy = catalog.counter("clergy").unwrap();
    let [coin, toughness, rank] = ["coin", "toughness", "rank"].map(|word| catalog.symbol(word).unwrap());
    assert!(catalog.spaces.len() <= LANDS);
    Map {
        lands: (catalog.spaces.iter())
            .map(|space| Land {
                exits: space.exits.iter().map(|exit| exit.0 as u8).collect(),
                home: space.home.filter(|home| home.index() < SEATS).map_or(NONE, |home| home.0),
                shields: space.props.int(battle),
                clergy: space.on_control.iter().filter(|score| score.counter == clergy).map(|score| score.amount).sum(),
            })
            .collect(),
        kinds: (kinds.iter().map(|kind| &catalog.kinds[kind.index()].stats))
            .map(|stats| Kind {
                reach: stats.int(movement) as usize,
                swords: stats.int(rule.strength),
                toughness: stats.int(toughness),
                rank: stats.int(rank),
            })
            .collect(),
        units: (units.iter().map(|unit| catalog.pieces[unit.index()]))
            .map(|spec| {
                let kind = kinds.iter().position(|kind| *kind == spec.kind).unwrap();
                (spec.owner.unwrap().0, kind as u8)
            })
            .collect(),
        faces: (rule.faces.iter().map(|face| &face.values))
            .map(|face| Face {
                swords: face.int(rule.strength),
                shields: face.int(rule.fortify),
                coin: face.int(coin) > 0,
            })
            .collect(),
        stubborn: catalog.faction("masovia").unwrap().0,
        top: catalog.counters[clergy.index()].max,
    }
}
