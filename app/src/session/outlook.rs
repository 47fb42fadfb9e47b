//! What an option leads to, tried in games as its seat may imagine them: what is sure, in the words of the log, and how
//! a battle that follows may end.

use principes_core::bots::{self, Players};
use principes_core::rng::Rng;
use principes_core::*;
use principes_scripting::LuaHost;
use serde::Serialize;

use super::log::comes_to_light;
use super::{Session, SessionError, story};
use crate::setup::{Player, derive_seed};

/// After so many steps without a battle, none follows.
const STEPS_TO_BATTLE: usize = 12;
/// A battle with more steps is not counted.
const STEPS_OF_BATTLE: usize = 120;

/// What an option leads to, as its seat may imagine it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Outlook {
    /// What happens for sure, in sentences. A march is told as if it were carried out at once.
    pub lines: Vec<String>,
    /// Whether chance or another seat decides what happens after that.
    pub is_open: bool,
    /// The spaces that change, by their ids.
    pub spaces: Vec<String>,
}

/// How an imagined battle ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fought {
    /// Where it was fought.
    pub space: SpaceId,
    /// Whether the seat won.
    pub is_won: bool,
}

impl Session {
    /// What an option of a seat leads to.
    ///
    /// # Errors
    /// [`SessionError::NotOffered`].
    pub fn outlook(&self, seat: SeatId, key: &str) -> Result<Outlook, SessionError> {
        let option = self.offered(seat, key)?;
        let Some(mut copy) = self.imagined(seat, option, 0) else { return Ok(Outlook::default()) };
        finish_march(&mut copy, seat);
        let catalog = copy.catalog().clone();
        let events = copy.events();
        let is_uncertain = |event: &Event| matches!(event, Event::Phase { .. }) || comes_to_light(&catalog, event);
        let end = events.iter().position(is_uncertain).unwrap_or(events.len());
        let view = copy.table().view(Some(seat));
        let seen: Vec<SeenEvent> =
            events[..end].iter().filter_map(|event| event.seen_by(&catalog, Some(seat))).collect();
        let mut spaces: Vec<String> =
            seen.iter().flat_map(|seen| spaces_of(seen.event)).map(|at| catalog.id_of(Value::Space(at))).collect();
        spaces.sort_unstable();
        spaces.dedup();
        let is_open = events[end..].iter().any(|event| comes_to_light(&catalog, event));
        Ok(Outlook { lines: story::tell(self.words(), &view, &seen, false), is_open, spaces })
    }

    /// Fights the battle that an option leads to once, in the imagined game with a number: bots that look one step ahead
    /// play all seats. None if the option leads to no battle of the seat.
    ///
    /// # Errors
    /// [`SessionError::NotOffered`].
    pub fn fight(&self, seat: SeatId, key: &str, number: u64) -> Result<Option<Fought>, SessionError> {
        let option = self.offered(seat, key)?;
        Ok(self.imagined(seat, option, number).and_then(|copy| fought(copy, seat, number)))
    }

    fn offered(&self, seat: SeatId, key: &str) -> Result<DecisionOption, SessionError> {
        let open = self.game().pending().into_iter().filter(|ask| ask.seat == seat);
        let wanted = open.flat_map(|ask| &ask.options).copied().find(|option| option.key(self.game().catalog()) == key);
        wanted.ok_or_else(|| SessionError::NotOffered(key.to_owned()))
    }

    /// A game as the seat may imagine it, after an option.
    fn imagined(&self, seat: SeatId, option: DecisionOption, number: u64) -> Option<Game<LuaHost>> {
        let game = self.game();
        // Asked for twice, the same must be imagined.
        let seed = derive_seed(game.config().seed, game.record().len() as u64);
        let mut copy = game.imagine(seat, &mut Rng::new(derive_seed(seed, number)))?;
        copy.record_events(true);
        copy.answer(seat, option).ok()?;
        Some(copy)
    }
}

/// Carries out what a seat has drafted of a march.
fn finish_march(game: &mut Game<LuaHost>, seat: SeatId) {
    let catalog = game.catalog().clone();
    let done = DecisionOption::verb(catalog.words.done, &[]);
    let is_draft = |ask: &&Decision| {
        ask.seat == seat && Some(ask.kind) == catalog.movement.as_ref().map(|rule| rule.pick) && ask.options.len() > 1
    };
    let has_draft = |ask: &Decision| ask.options.contains(&DecisionOption::verb(catalog.words.undo, &[]));
    let is_drafted = game.pending().into_iter().find(is_draft).is_some_and(has_draft);
    if is_drafted {
        // A march that cannot be carried out stays a draft.
        let _ = game.answer(seat, done);
    }
}

fn fought(mut game: Game<LuaHost>, seat: SeatId, number: u64) -> Option<Fought> {
    let seats: Vec<SeatId> = game.table().world.seats().collect();
    let bot = |of: SeatId| Some((of, Player::Greedy.bot(derive_seed(number, u64::from(of.0)), None)?));
    let mut players: Players<LuaHost> = seats.into_iter().filter_map(bot).collect();
    let mut is_fought = game.table().world.flow().iter().any(|frame| matches!(frame, Frame::Battle(_)));
    finish_march(&mut game, seat);
    for step in 0..STEPS_OF_BATTLE {
        for event in game.take_events() {
            match event {
                Event::BattleWon { space, winner, loser } => {
                    return [winner, loser].contains(&seat).then_some(Fought { space, is_won: winner == seat });
                }
                Event::Battle { .. } => is_fought = true,
                Event::Phase { .. } if !is_fought => return None,
                _ => {}
            }
        }
        let is_late = !is_fought && step >= STEPS_TO_BATTLE;
        if is_late || !bots::step(&mut game, &mut players).unwrap_or(false) {
            return None;
        }
    }
    None
}

fn spaces_of(event: Event) -> Vec<SpaceId> {
    match event {
        Event::Piece { from, to, .. } => from.into_iter().chain(to).collect(),
        Event::Control { space, .. } | Event::Tile { space, .. } => vec![space],
        Event::Given { space, .. } => space.into_iter().collect(),
        Event::Counter { owner: Value::Space(space), .. } => vec![space],
        _ => Vec::new(),
    }
}
