//! The consequences of an option, tried in games as its seat may imagine them: certain changes, in the words of the
//! log, and possible results of a battle.

use principes_core::bots::{self, Players};
use principes_core::rng::Rng;
use principes_core::*;
use principes_scripting::LuaHost;
use schemars::JsonSchema;
use serde::Serialize;

use super::log::is_revealing;
use super::{GameInWords, Session, SessionError, story};
use crate::setup::{Player, derive_seed};

/// If no battle has begun after this many steps, none follows.
const STEPS_TO_BATTLE: usize = 12;
/// A battle with more steps is not counted.
const STEPS_OF_BATTLE: usize = 120;

/// The consequences of an option, as its seat may imagine them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Outlook {
    /// The certain changes, in sentences. A march is shown as if it were carried out at once.
    pub lines: Vec<String>,
    /// Whether chance or another seat decides what happens next.
    pub is_open: bool,
    /// The ids of the spaces that change.
    pub spaces: Vec<String>,
}

/// The result of an imagined battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fought {
    /// The space of the battle.
    pub space: SpaceId,
    /// Whether the seat won.
    pub is_won: bool,
}

impl Session {
    /// The consequences of an option of a seat.
    ///
    /// # Errors
    /// [`SessionError::NotOffered`].
    pub fn outlook(&self, seat: SeatId, key: &str) -> Result<Outlook, SessionError> {
        let option = self.offered(seat, key)?;
        let Some(mut copy) = self.imagined(seat, option, 0) else { return Ok(Outlook::default()) };
        finish_march(&mut copy, seat);
        let catalog = copy.catalog().clone();
        let events = copy.events();
        let is_uncertain = |event: &Event| matches!(event, Event::Phase { .. }) || is_revealing(&catalog, event);
        let end = events.iter().position(is_uncertain).unwrap_or(events.len());
        let view = copy.table().view(Some(seat));
        let seen: Vec<SeenEvent> =
            events[..end].iter().filter_map(|event| event.seen_by(&catalog, Some(seat))).collect();
        let mut spaces: Vec<String> =
            seen.iter().flat_map(|seen| spaces_of(seen.event)).map(|at| catalog.id_of(Value::Space(at))).collect();
        spaces.sort_unstable();
        spaces.dedup();
        let is_open = events[end..].iter().any(|event| is_revealing(&catalog, event));
        let lines = story::tell(self.words(), &view, &seen, false).into_iter().map(|told| told.line).collect();
        Ok(Outlook { lines, is_open, spaces })
    }

    /// Shows the game as the seat may imagine it after an option. `None` if it cannot be imagined.
    ///
    /// # Errors
    /// [`SessionError::NotOffered`].
    pub fn imagine<T>(
        &self,
        seat: SeatId,
        key: &str,
        show: impl FnOnce(GameInWords<'_>) -> T,
    ) -> Result<Option<T>, SessionError> {
        let option = self.offered(seat, key)?;
        let copy = self.imagined(seat, option, 0);
        Ok(copy.map(|game| show(GameInWords { game: &game, words: self.words() })))
    }

    /// Plays the battle that follows an option once, in imagined game number `number`. Greedy bots play all seats.
    /// `None` if no battle of the seat follows.
    ///
    /// # Errors
    /// [`SessionError::NotOffered`].
    pub fn fight(&self, seat: SeatId, key: &str, number: u64) -> Result<Option<Fought>, SessionError> {
        let option = self.offered(seat, key)?;
        Ok(self.imagined(seat, option, number).and_then(|copy| fought(copy, seat, number)))
    }

    fn offered(&self, seat: SeatId, key: &str) -> Result<DecisionOption, SessionError> {
        let open = self.game().pending().into_iter().filter(|decision| decision.seat == seat);
        let wanted = open
            .flat_map(|decision| &decision.options)
            .copied()
            .find(|option| option.key(self.game().catalog()) == key);
        wanted.ok_or_else(|| SessionError::NotOffered(key.to_owned()))
    }

    /// A game as the seat may imagine it, after the option.
    fn imagined(&self, seat: SeatId, option: DecisionOption, number: u64) -> Option<Game<LuaHost>> {
        let game = self.game();
        // The same question must give the same imagined game.
        let seed = derive_seed(game.config().seed, game.record().len() as u64);
        let mut copy = game.imagine(seat, &mut Rng::new(derive_seed(seed, number)))?;
        copy.record_events(true);
        copy.answer(seat, option).ok()?;
        Some(copy)
    }
}

/// Carries out the march that a seat has drafted.
fn finish_march(game: &mut Game<LuaHost>, seat: SeatId) {
    let catalog = game.catalog().clone();
    let done = DecisionOption::verb(catalog.words.done, &[]);
    let is_draft = |decision: &&Decision| {
        decision.seat == seat
            && Some(decision.kind) == catalog.movement.as_ref().map(|rule| rule.pick)
            && decision.options.len() > 1
    };
    let has_draft = |decision: &Decision| decision.options.contains(&DecisionOption::verb(catalog.words.undo, &[]));
    let is_drafted = game.pending().into_iter().find(is_draft).is_some_and(has_draft);
    if is_drafted {
        // A march that is not possible stays a draft.
        let _ = game.answer(seat, done);
    }
}

fn fought(mut game: Game<LuaHost>, seat: SeatId, number: u64) -> Option<Fought> {
    let seats: Vec<SeatId> = game.table().world.seats().collect();
    let catalog = game.catalog().clone();
    let bot = |of: SeatId| Some((of, Player::Greedy.bot(&catalog, derive_seed(number, u64::from(of.0)), None)?));
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
