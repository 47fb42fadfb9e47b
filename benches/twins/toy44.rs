//! The synthetic game toy44 without the kernel: a plain loop with the pack's own hooks in Luau, in the simplest host
//! that mlua allows: only a memory limit and a closure that counts steps, which every sandbox needs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mlua::{Function, Lua, Table, VmState};

use super::arena::Dice;

/// Lands of the board.
pub const LANDS: usize = 44;
const COURTS: usize = 4;
const TURNS: usize = 1_000;
const STEPS: u32 = 1_000_000;
const MEMORY: usize = 16 * 1024 * 1024;
const LEAST_TAX: i32 = 1;

/// Counters, as the hooks know them.
const GOLD: u32 = 1;
const HOLDER: u32 = 2;
/// The numbers of courts begin here; no land has such a number.
const FIRST_COURT: u32 = 100;

/// What changes in a game.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Gold of each court.
    pub gold: [i32; COURTS],
    /// Where each court is.
    pub place: [usize; COURTS],
    /// The court that holds a land.
    pub holder: Vec<Option<usize>>,
}

/// The machine with the hooks.
pub struct Loop {
    _lua: Lua,
    world: Rc<RefCell<World>>,
    steps: Rc<Cell<u32>>,
    tax: (Function, Table),
    entered: (Function, Table),
    taken: Function,
    upkeep: (Function, Table),
}

fn court(number: u32) -> usize {
    (number - FIRST_COURT) as usize
}

fn number(court: usize) -> u32 {
    FIRST_COURT + court as u32
}

impl Loop {
    /// A machine over the text of the pack's hooks.
    pub fn new(hooks: &str) -> mlua::Result<Self> {
        let (lua, world) = (Lua::new(), Rc::new(RefCell::new(World::default())));
        lua.set_memory_limit(MEMORY)?;
        let steps = Rc::new(Cell::new(STEPS));
        let left = steps.clone();
        lua.set_interrupt(move |_| {
            left.set(left.get().checked_sub(1).ok_or_else(|| mlua::Error::runtime("too many steps"))?);
            Ok(VmState::Continue)
        });
        let globals = lua.globals();
        let counters = lua.create_table()?;
        counters.set("gold", GOLD)?;
        counters.set("holder", HOLDER)?;
        globals.set("counter", counters)?;
        let w = world.clone();
        let get = move |_: &Lua, (counter, owner): (u32, u32)| {
            let world = w.borrow();
            Ok(match counter {
                GOLD => Some(f64::from(world.gold[court(owner)])),
                _ => world.holder[owner as usize].map(|court| f64::from(number(court))),
            })
        };
        globals.set("get", lua.create_function(get)?)?;
        let w = world.clone();
        let set = move |_: &Lua, (_, seat, land): (u32, u32, usize)| {
            w.borrow_mut().holder[land] = Some(court(seat));
            Ok(())
        };
        globals.set("set", lua.create_function(set)?)?;
        let w = world.clone();
        let transfer = move |_: &Lua, (_, amount, from, to): (u32, i32, u32, u32)| {
            let mut world = w.borrow_mut();
            let moved = amount.min(world.gold[court(from)]);
            world.gold[court(from)] -= moved;
            world.gold[court(to)] += moved;
            Ok(moved)
        };
        globals.set("transfer", lua.create_function(transfer)?)?;
        let module: Table = lua.load(hooks).eval()?;
        let this = |params: &[(&str, i32)]| {
            let this = lua.create_table()?;
            params.iter().try_for_each(|(name, value)| this.set(*name, *value))?;
            mlua::Result::Ok(this)
        };
        Ok(Loop {
            tax: (module.get("fief")?, this(&[("bonus", 1)])?),
            entered: (module.get("toll")?, this(&[("gold", 1)])?),
            taken: module.get("take")?,
            upkeep: (module.get("garrison")?, this(&[("rich", 20), ("gold", 1)])?),
            _lua: lua,
            world,
            steps,
        })
    }

    /// One game of a thousand decisions. Returns its end.
    pub fn play(&self, dice: &mut Dice) -> mlua::Result<World> {
        let place = std::array::from_fn(|court| 11 * court);
        *self.world.borrow_mut() = World { gold: [0; COURTS], place, holder: vec![None; LANDS] };
        let mut ways = Vec::new();
        for turn in 0..TURNS {
            let court = turn % COURTS;
            let here = self.world.borrow().place[court];
            ways.clear();
            ways.extend([1, LANDS - 1, 7, LANDS - 7].map(|step| (here + step) % LANDS));
            ways.sort_unstable();
            let land = ways[dice.below(ways.len())];
            self.world.borrow_mut().place[court] = land;
            let seat = number(court);
            let tax = self.ask(&self.tax, LEAST_TAX, seat, land)?;
            self.full();
            self.entered.0.call::<()>((&self.entered.1, mlua::Nil, seat, land))?;
            self.world.borrow_mut().gold[court] += tax;
            self.full();
            self.taken.call::<()>((mlua::Nil, mlua::Nil, seat, land))?;
            let upkeep = self.ask(&self.upkeep, 0, seat, land)?;
            let gold = &mut self.world.borrow_mut().gold[court];
            *gold = (*gold - upkeep).max(0);
        }
        Ok(self.world.borrow().clone())
    }

    fn ask(&self, (hook, this): &(Function, Table), value: i32, seat: u32, land: usize) -> mlua::Result<i32> {
        self.full();
        hook.call((this, value, mlua::Nil, seat, land))
    }

    /// Resets the steps for each call.
    fn full(&self) {
        self.steps.set(STEPS);
    }
}
