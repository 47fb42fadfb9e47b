//! The base game's movement and battle in plain Rust: a march with its draft, consents, penalties and battles, as four
//! seats without cards and tokens play it. The data of the pack's files is in [`Map`].

use std::sync::Arc;

use principes_core::rng::Rng;

/// How many seats play.
pub const SEATS: usize = 4;
/// Lands at most.
pub const LANDS: usize = 64;
/// The longest way, in steps.
const STEPS: usize = 3;
/// Nobody, nowhere.
pub const NONE: u8 = u8::MAX;
const UNREACHED: (u8, u8) = (NONE, NONE);

/// A land.
#[derive(Clone, Debug)]
pub struct Land {
    /// The lands that can be entered from it.
    pub exits: Vec<u8>,
    /// The faction whose borders contain it.
    pub home: u8,
    /// Damage that it wards off its defender.
    pub shields: i32,
    /// Clergy Support for its controller.
    pub clergy: i32,
}

/// A kind of unit.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Movement points.
    pub reach: usize,
    /// Damage that it deals.
    pub swords: i32,
    /// Damage that topples it.
    pub toughness: i32,
    /// Lower falls first.
    pub rank: i32,
}

/// A face of the battle die.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// Strength.
    pub swords: i32,
    /// Shields.
    pub shields: i32,
    /// Whether it takes gold.
    pub coin: bool,
}

/// What never changes.
#[derive(Clone, Debug)]
pub struct Map {
    /// All lands.
    pub lands: Vec<Land>,
    /// All kinds of units.
    pub kinds: Vec<Kind>,
    /// Owner and kind of each unit.
    pub units: Vec<(u8, u8)>,
    /// The battle die.
    pub faces: Vec<Face>,
    /// The seat that may roll its die again.
    pub stubborn: u8,
    /// Where both tracks end.
    pub top: i32,
}

/// One option of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A unit of this kind on this land is moved.
    Move(u8, u8),
    /// It goes there.
    To(u8),
    /// Another one.
    Back,
    /// The last move of the draft is taken back.
    Undo,
    /// The march is over.
    Done,
    /// Units may pass.
    Yes,
    /// They may not.
    No,
    /// A penalty is paid in Support …
    PayClergy,
    /// … or in gold.
    PayGold,
    /// A battle is fought, or units withdraw, there.
    Land(u8),
    /// The die is rolled again.
    Reroll,
    /// It stays as it is.
    Pass,
}

/// What is waited for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Nothing: the march is over.
    Idle,
    /// A unit to move.
    Pick,
    /// Where it goes.
    To(u8),
    /// Consent of others, one after the other.
    Consent {
        /// The unit.
        unit: u8,
        /// Where it goes.
        to: u8,
        /// Who must let it pass, and where.
        needs: Vec<(u8, u8)>,
        /// How many have.
        given: usize,
    },
    /// How the next penalty is paid.
    Penalty,
    /// Which battle comes first.
    Field,
    /// Whether a die is rolled again: the attacker's (0) or the defender's (1).
    Reroll(usize),
    /// Where a beaten side goes.
    Withdraw(usize),
}

/// One side of a battle.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Side {
    /// Whose units.
    pub seat: u8,
    /// The units in the order in which they fall.
    pub units: Vec<u8>,
    /// What its die shows.
    pub face: u8,
    /// Strength at the last count.
    pub strength: i32,
    /// Shields at the last count.
    pub shields: i32,
    /// Damage suffered.
    pub damage: i32,
    fallen: usize,
}

/// All ways of a unit: for each number of steps, the fewest new consents to be on a land after it, and from where.
type Ways = [[(u8, u8); LANDS]; STEPS + 1];

/// Marches of four seats.
#[derive(Clone, Debug)]
pub struct War {
    map: Arc<Map>,
    /// The land of each unit.
    pub at: Vec<u8>,
    /// Who controls each land.
    pub control: [u8; LANDS],
    /// Gold of each seat.
    pub gold: [i32; SEATS],
    /// People Support of each seat.
    pub people: [i32; SEATS],
    /// Clergy Support of each seat.
    pub clergy: [i32; SEATS],
    /// All chance.
    pub rng: Rng,
    counts: [[u8; SEATS]; LANDS],
    /// What is waited for.
    pub stage: Stage,
    /// Who is asked.
    pub asked: u8,
    /// The legal answers.
    pub options: Vec<Choice>,
    mover: u8,
    /// Units and their destinations.
    drafts: Vec<(u8, u8)>,
    consents: Vec<(u8, u8, bool)>,
    ended: Vec<u8>,
    penalties: usize,
    field: u8,
    /// Attacker and defender of the last battle.
    pub sides: [Side; 2],
    /// Which of them has won.
    pub winner: usize,
}

impl War {
    /// Units on lands, with gold and Support for each seat.
    pub fn new(map: Arc<Map>, at: Vec<u8>, gold: i32, people: i32, clergy: [i32; SEATS], seed: u64) -> Self {
        let mut counts = [[0; SEATS]; LANDS];
        for (unit, land) in at.iter().enumerate().filter(|(_, land)| **land != NONE) {
            counts[usize::from(*land)][usize::from(map.units[unit].0)] += 1;
        }
        let mut war = War {
            map,
            at,
            control: [NONE; LANDS],
            gold: [gold; SEATS],
            people: [people; SEATS],
            clergy,
            rng: Rng::new(seed),
            counts,
            stage: Stage::Idle,
            asked: NONE,
            options: Vec::new(),
            mover: NONE,
            drafts: Vec::new(),
            consents: Vec::new(),
            ended: Vec::new(),
            penalties: 0,
            field: NONE,
            sides: Default::default(),
            winner: 0,
        };
        for land in 0..war.map.lands.len() as u8 {
            war.control[usize::from(land)] = war.rightful(land);
        }
        war
    }

    /// A seat marches, if it has units that can march.
    pub fn march(&mut self, seat: u8) {
        self.mover = seat;
        self.drafts.clear();
        self.consents.clear();
        self.stage = Stage::Idle;
        self.options.clear();
        if self.units_of(seat).next().is_some() {
            self.pick();
        }
    }

    /// Takes one of the options.
    pub fn answer(&mut self, choice: Choice) {
        match std::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Idle => {}
            Stage::Pick => match choice {
                Choice::Move(kind, land) => {
                    let fits = |unit: &u8| {
                        self.at[usize::from(*unit)] == land && self.kind(*unit).0 == kind && !self.is_drafted(*unit)
                    };
                    let unit = self.units_of(self.mover).find(fits);
                    if let Some(unit) = unit {
                        self.to(unit);
                    }
                }
                Choice::Undo => {
                    self.drafts.pop();
                    self.pick();
                }
                _ => self.commit(),
            },
            Stage::To(unit) => {
                let Choice::To(to) = choice else { return self.pick() };
                let open: Vec<(u8, u8)> = self
                    .needs(unit, to)
                    .into_iter()
                    .filter(|(seat, land)| self.consent(*seat, *land).is_none())
                    .collect();
                if open.is_empty() {
                    self.drafts.push((unit, to));
                    self.pick();
                } else {
                    self.ask_consent(unit, to, open, 0);
                }
            }
            Stage::Consent { unit, to, needs, given } => {
                let (seat, land) = needs[given];
                let yes = choice == Choice::Yes;
                self.consents.push((seat, land, yes));
                if yes && given + 1 < needs.len() {
                    return self.ask_consent(unit, to, needs, given + 1);
                }
                if yes {
                    self.drafts.push((unit, to));
                }
                self.pick();
            }
            Stage::Penalty => {
                self.pay(choice);
                self.punish();
            }
            Stage::Field => {
                if let Choice::Land(land) = choice {
                    self.fight(land);
                }
            }
            Stage::Reroll(side) => {
                if choice == Choice::Reroll {
                    self.roll(side);
                    self.take_coin(side);
                    self.count();
                }
                self.resolve();
            }
            Stage::Withdraw(side) => {
                if let Choice::Land(land) = choice {
                    self.withdraw(side, land);
                }
            }
        }
    }

    // Movement --------------------------------------------------------------------------------------------------------

    fn units_of(&self, seat: u8) -> impl Iterator<Item = u8> + '_ {
        let units = self.map.units.iter().zip(&self.at).enumerate();
        units.filter(move |(_, ((owner, _), at))| *owner == seat && **at != NONE).map(|(unit, _)| unit as u8)
    }

    fn kind(&self, unit: u8) -> (u8, Kind) {
        let kind = self.map.units[usize::from(unit)].1;
        (kind, self.map.kinds[usize::from(kind)])
    }

    fn is_drafted(&self, unit: u8) -> bool {
        self.drafts.iter().any(|(drafted, _)| *drafted == unit)
    }

    fn consent(&self, seat: u8, land: u8) -> Option<bool> {
        self.consents.iter().find(|(who, at, _)| (*who, *at) == (seat, land)).map(|(.., yes)| *yes)
    }

    fn pick(&mut self) {
        let mut options = std::mem::take(&mut self.options);
        options.clear();
        for unit in self.units_of(self.mover).filter(|unit| !self.is_drafted(*unit)) {
            let land = self.at[usize::from(unit)];
            let choice = Choice::Move(self.kind(unit).0, land);
            if !self.map.lands[usize::from(land)].exits.is_empty() && !options.contains(&choice) {
                options.push(choice);
            }
        }
        if !self.drafts.is_empty() {
            options.push(Choice::Undo);
        }
        options.push(Choice::Done);
        self.options = options;
        if self.options.len() == 1 {
            return self.commit();
        }
        self.ask(self.mover, Stage::Pick);
    }

    fn to(&mut self, unit: u8) {
        let ways = self.ways(unit);
        self.options.clear();
        for land in 0..self.map.lands.len() {
            if self.at[usize::from(unit)] != land as u8 && ways[1..].iter().any(|layer| layer[land] != UNREACHED) {
                self.options.push(Choice::To(land as u8));
            }
        }
        self.options.push(Choice::Back);
        self.ask(self.mover, Stage::To(unit));
    }

    fn ask_consent(&mut self, unit: u8, to: u8, needs: Vec<(u8, u8)>, given: usize) {
        self.options.clear();
        self.options.extend([Choice::Yes, Choice::No]);
        let seat = needs[given].0;
        self.ask(seat, Stage::Consent { unit, to, needs, given });
    }

    /// The seat that must consent before others walk on from a land.
    fn gatekeeper(&self, land: u8) -> Option<u8> {
        let counts = &self.counts[usize::from(land)];
        (0..SEATS as u8).find(|seat| *seat != self.mover && counts[usize::from(*seat)] > 0)
    }

    /// Whether several others are there, which ends every route.
    fn is_closed(&self, land: u8) -> bool {
        let counts = &self.counts[usize::from(land)];
        (0..SEATS).filter(|seat| *seat != usize::from(self.mover) && counts[*seat] > 0).count() > 1
    }

    fn ways(&self, unit: u8) -> Ways {
        let mut ways = [[UNREACHED; LANDS]; STEPS + 1];
        let from = self.at[usize::from(unit)];
        ways[0][usize::from(from)] = (0, from);
        for step in 0..self.kind(unit).1.reach {
            for land in 0..self.map.lands.len() as u8 {
                let (cost, _) = ways[step][usize::from(land)];
                if cost == NONE {
                    continue;
                }
                let mut toll = 0;
                if step > 0
                    && let Some(seat) = self.gatekeeper(land)
                {
                    toll = match self.consent(seat, land) {
                        _ if self.is_closed(land) => continue,
                        Some(false) => continue,
                        Some(true) => 0,
                        None => 1,
                    };
                }
                for exit in &self.map.lands[usize::from(land)].exits {
                    let known = &mut ways[step + 1][usize::from(*exit)];
                    if cost + toll < known.0 {
                        *known = (cost + toll, land);
                    }
                }
            }
        }
        ways
    }

    /// The consents on which the best way to a land rests.
    fn needs(&self, unit: u8, to: u8) -> Vec<(u8, u8)> {
        let ways = self.ways(unit);
        // Of equally cheap ways the shortest.
        let steps = (1..=STEPS).min_by_key(|step| ways[*step][usize::from(to)].0).unwrap_or(1);
        let (mut here, mut needs) = (to, Vec::new());
        for step in (2..=steps).rev() {
            here = ways[step][usize::from(here)].1;
            needs.extend(self.gatekeeper(here).map(|seat| (seat, here)));
        }
        needs.reverse();
        needs
    }

    fn commit(&mut self) {
        self.ended.clear();
        let mut touched = 0u64;
        let drafts = std::mem::take(&mut self.drafts);
        let before = self.control;
        for (unit, to) in &drafts {
            touched |= 1 << self.at[usize::from(*unit)] | 1 << to;
            self.put(*unit, *to);
            self.ended.push(*to);
        }
        self.settle(touched);
        self.drafts = drafts;
        self.ended.sort_unstable();
        self.ended.dedup();
        let trespassed = |land: &&u8| {
            let home = self.map.lands[usize::from(**land)].home;
            home != NONE && home != self.mover && before[usize::from(**land)] != self.mover
        };
        self.penalties = self.ended.iter().filter(trespassed).count();
        self.punish();
    }

    fn punish(&mut self) {
        let seat = usize::from(self.mover);
        while self.penalties > 0 {
            self.options.clear();
            if self.clergy[seat] > 0 {
                self.options.push(Choice::PayClergy);
            }
            if self.gold[seat] > 0 {
                self.options.push(Choice::PayGold);
            }
            match self.options[..] {
                [] => break,
                [only] => self.pay(only),
                _ => return self.ask(self.mover, Stage::Penalty),
            }
        }
        self.next_battle();
    }

    fn pay(&mut self, choice: Choice) {
        self.penalties -= 1;
        let purse = if choice == Choice::PayClergy { &mut self.clergy } else { &mut self.gold };
        purse[usize::from(self.mover)] -= 1;
    }

    // Battle ----------------------------------------------------------------------------------------------------------

    fn next_battle(&mut self) {
        self.options.clear();
        for land in &self.ended {
            let counts = &self.counts[usize::from(*land)];
            if counts[usize::from(self.mover)] > 0 && counts.iter().filter(|count| **count > 0).count() > 1 {
                self.options.push(Choice::Land(*land));
            }
        }
        match self.options[..] {
            [] => {}
            [Choice::Land(only)] => self.fight(only),
            _ => self.ask(self.mover, Stage::Field),
        }
    }

    fn fight(&mut self, land: u8) {
        if let Some(defender) = self.gatekeeper(land) {
            self.throw(land, self.mover, defender);
            self.take_coin(0);
            self.take_coin(1);
            self.count();
            let stubborn = (0..2).find(|side| self.sides[*side].seat == self.map.stubborn);
            if let Some(side) = stubborn {
                self.options.clear();
                self.options.extend([Choice::Reroll, Choice::Pass]);
                return self.ask(self.map.stubborn, Stage::Reroll(side));
            }
            self.resolve();
        }
    }

    fn throw(&mut self, land: u8, attacker: u8, defender: u8) {
        self.field = land;
        for (at, seat) in [attacker, defender].into_iter().enumerate() {
            let mut units = std::mem::take(&mut self.sides[at].units);
            units.clear();
            units.extend(self.units_of(seat).filter(|unit| self.at[usize::from(*unit)] == land));
            units.sort_by_key(|unit| (self.kind(*unit).1.rank, *unit));
            self.sides[at] = Side { seat, units, ..Side::default() };
        }
        let faces: [u32; 2] = self.rng.dice(self.map.faces.len() as u32);
        for (side, face) in self.sides.iter_mut().zip(faces) {
            side.face = face as u8;
        }
    }

    /// Only the dice, the count and the winner of a battle: the kernel's part of it.
    pub fn skirmish(&mut self, land: u8, attacker: u8, defender: u8) {
        self.throw(land, attacker, defender);
        self.count();
        self.decide();
    }

    fn roll(&mut self, side: usize) {
        self.sides[side].face = self.rng.below(self.map.faces.len() as u32) as u8;
    }

    fn face(&self, side: usize) -> Face {
        self.map.faces[usize::from(self.sides[side].face)]
    }

    fn take_coin(&mut self, side: usize) {
        let (taker, payer) = (usize::from(self.sides[side].seat), usize::from(self.sides[1 - side].seat));
        if self.face(side).coin && self.gold[payer] > 0 {
            self.gold[payer] -= 1;
            self.gold[taker] += 1;
        }
    }

    fn count(&mut self) {
        for side in 0..2 {
            let (face, units) = (self.face(side), &self.sides[side].units);
            let strength = face.swords + units.iter().map(|unit| self.kind(*unit).1.swords).sum::<i32>();
            let walls = if side == 1 { self.map.lands[usize::from(self.field)].shields } else { 0 };
            (self.sides[side].strength, self.sides[side].shields) = (strength, face.shields + walls);
        }
        for side in 0..2 {
            self.sides[side].damage = (self.sides[1 - side].strength - self.sides[side].shields).max(0);
        }
    }

    fn decide(&mut self) {
        for side in 0..2 {
            let (mut left, mut fallen) = (self.sides[side].damage, 0);
            for unit in &self.sides[side].units {
                left -= self.kind(*unit).1.toughness;
                if left < 0 {
                    break;
                }
                fallen += 1;
            }
            self.sides[side].fallen = fallen;
        }
        let [attacker, defender] = &self.sides;
        let stands = |side: &Side| side.fallen < side.units.len();
        let attacker_wins = match (stands(attacker), stands(defender)) {
            (true, true) => defender.fallen > attacker.fallen,
            (standing, _) => standing,
        };
        self.winner = usize::from(!attacker_wins);
    }

    fn resolve(&mut self) {
        self.decide();
        for side in 0..2 {
            for at in 0..self.sides[side].fallen {
                self.displace(self.sides[side].units[at], NONE);
            }
        }
        let side = 1 - self.winner;
        let beaten = &self.sides[side];
        if beaten.fallen == beaten.units.len() {
            return self.reward();
        }
        let seat = beaten.seat;
        self.options.clear();
        for land in &self.map.lands[usize::from(self.field)].exits {
            let others = self.counts[usize::from(*land)].iter().enumerate();
            let free = others.filter(|(who, _)| *who != usize::from(seat)).all(|(_, count)| *count == 0);
            if free && self.control[usize::from(*land)] == seat {
                self.options.push(Choice::Land(*land));
            }
        }
        match self.options[..] {
            [] => self.withdraw(side, NONE),
            [Choice::Land(only)] => self.withdraw(side, only),
            _ => self.ask(seat, Stage::Withdraw(side)),
        }
    }

    fn withdraw(&mut self, side: usize, land: u8) {
        for at in self.sides[side].fallen..self.sides[side].units.len() {
            self.displace(self.sides[side].units[at], land);
        }
        self.reward();
    }

    fn reward(&mut self) {
        let (winner, loser) = (self.sides[self.winner].seat, self.sides[1 - self.winner].seat);
        let people = &mut self.people;
        people[usize::from(winner)] = (people[usize::from(winner)] + 1).min(self.map.top);
        people[usize::from(loser)] = (people[usize::from(loser)] - 1).max(0);
        self.next_battle();
    }

    // Units and control -----------------------------------------------------------------------------------------------

    fn ask(&mut self, seat: u8, stage: Stage) {
        self.asked = seat;
        self.stage = stage;
    }

    fn put(&mut self, unit: u8, to: u8) {
        let owner = usize::from(self.map.units[usize::from(unit)].0);
        let from = std::mem::replace(&mut self.at[usize::from(unit)], to);
        for (land, step) in [(from, u8::MAX), (to, 1)] {
            if land != NONE {
                let count = &mut self.counts[usize::from(land)][owner];
                *count = count.wrapping_add(step);
            }
        }
    }

    fn displace(&mut self, unit: u8, to: u8) {
        let from = self.at[usize::from(unit)];
        self.put(unit, to);
        self.settle(1 << from | if to == NONE { 0 } else { 1 << to });
    }

    fn rightful(&self, land: u8) -> u8 {
        let counts = &self.counts[usize::from(land)];
        let mut seats = (0..SEATS as u8).filter(|seat| counts[usize::from(*seat)] > 0);
        let held = self.control[usize::from(land)];
        match (seats.next(), seats.next()) {
            (None, _) => self.map.lands[usize::from(land)].home,
            (Some(sole), None) => sole,
            _ if held != NONE && counts[usize::from(held)] > 0 => held,
            _ => NONE,
        }
    }

    /// Makes control true again: all losses, then all gains.
    fn settle(&mut self, touched: u64) {
        let mut changed = 0u64;
        for land in (0..self.map.lands.len() as u8).filter(|land| touched >> land & 1 == 1) {
            let held = self.control[usize::from(land)];
            if held != self.rightful(land) {
                changed |= 1 << land;
                self.score(held, -self.map.lands[usize::from(land)].clergy);
            }
        }
        for land in (0..self.map.lands.len() as u8).filter(|land| changed >> land & 1 == 1) {
            let lord = self.rightful(land);
            self.control[usize::from(land)] = lord;
            self.score(lord, self.map.lands[usize::from(land)].clergy);
        }
    }

    fn score(&mut self, seat: u8, points: i32) {
        if seat != NONE {
            let clergy = &mut self.clergy[usize::from(seat)];
            *clergy = (*clergy + points).clamp(0, self.map.top);
        }
    }
}
