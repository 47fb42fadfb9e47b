//! Many games on several workers. A batch is played with the same weights; then the weights follow all its games, in
//! their order. The result therefore does not depend on the number of workers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use principes_app::failure::start_failure;
use principes_app::packs::{OpenPacks, PackError};
use principes_app::setup::derive_seed;
use principes_app::workers::WorkerError;
use principes_app::workers::ordered::{Next, Ordered};
use principes_core::bots::Model;
use principes_core::bots::features::PositionFeatures;
use principes_core::catalog::Trained;
use principes_core::rng::Stream;
use principes_core::*;
use principes_scripting::LuaHost;

use super::episode::{Learner, Teacher, play};
use super::gradient::{Gradient, gradient};
use super::learned::{Learned, Rates};
use super::weights::Weights;

/// Games of one batch.
const BATCH: u64 = 32;
/// One in this many games is played against older selves.
const LEAGUE: u32 = 4;
/// The number of older selves.
const OLDER: u64 = 12;
/// The step sizes at the beginning: of the policy while it learns from its own play, of the policy while it learns from
/// lessons, of the value.
const POLICY_RATE: f64 = 0.3;
const LESSON_RATE: f64 = 0.1;
const VALUE_RATE: f64 = 0.02;
/// The part of the games in which the policy learns from its own play.
const OWN_PLAY: f64 = 0.9;
/// One in this many decisions is a lesson.
const LESSON_EVERY: u32 = 8;

/// Why a training failed.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The packs cannot be played.
    #[error(transparent)]
    Packs(#[from] PackError),
    /// A thread failed.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// A game cannot be started.
    #[error("a game cannot be started: {0}")]
    Start(String),
}

/// What to train.
pub struct Settings<'a> {
    /// The game to learn.
    pub packs: &'a OpenPacks,
    /// A player to train further; all games give it lessons. Without one, training begins from nothing.
    pub start: Option<&'a Trained>,
    /// The number of games.
    pub games: u64,
    /// The seed of all chance.
    pub seed: u64,
    /// The number of workers.
    pub jobs: usize,
    /// Ends the training early if set.
    pub stop: &'a AtomicBool,
    /// Learns of every batch.
    pub progress: &'a (dyn Fn(&Progress) + Sync),
}

/// How far a training is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The games played.
    pub games: u64,
    /// The mean squared error of the predicted chances in the last batch.
    pub error: f64,
}

/// Who plays a batch.
#[derive(Clone)]
struct Players {
    weights: Arc<Weights>,
    older: Vec<Arc<Weights>>,
    /// Who gives lessons, if the policy learns from them.
    teacher: Option<Arc<Teacher>>,
}

/// What was learned so far, and the results of the batch that is played.
struct Sum {
    /// The end of the batch.
    end: u64,
    results: Vec<Option<Gradient>>,
    learned: Learned,
    players: Players,
}

type Queue<'a> = Ordered<'a, Sum, Option<Gradient>>;

/// Trains a player.
///
/// # Errors
/// [`LearnError`].
pub fn learn(settings: &Settings<'_>) -> Result<Learned, LearnError> {
    let features = PositionFeatures::new(&settings.packs.catalog);
    let learned = match settings.start {
        Some(player) => Learned::continued(&features, player),
        None => Learned::new(&features, usual_end(settings, &features)?),
    };
    let teacher = settings.start.map(|_| teacher(settings, &learned));
    let players = Players { weights: learned.weights.clone(), older: Vec::new(), teacher };
    let sum = Sum { end: settings.games.min(BATCH), results: Vec::new(), learned, players };
    let queue = Queue::new(0, BATCH as usize, settings.stop, sum);
    Ok(queue.work(settings.jobs, |queue| work(settings, queue))?.learned)
}

/// The mean of the last iterations of a few random games.
fn usual_end(settings: &Settings<'_>, features: &PositionFeatures) -> Result<i32, LearnError> {
    const GAMES: i32 = 32;
    let (host, weights) = (
        settings.packs.host()?,
        Arc::new(Weights { value: vec![[0.0; 2]; features.count()], usual_end: 1, ..Weights::default() }),
    );
    let mut sum = 0;
    for at in 0..GAMES {
        let mut rng = Stream::new(derive_seed(settings.seed, u64::MAX - at as u64));
        let config = config(settings.packs, &mut rng);
        let players = config.seats.iter().map(|seat| Learner { seat: *seat, weights: weights.clone(), learns: false });
        let players: Vec<Learner> = players.collect();
        sum += play(start(settings.packs, &host, config)?, features, &players, None, &mut rng).end;
    }
    Ok((sum / GAMES).max(1))
}

/// A random setup: number of seats, factions, seed.
fn config(packs: &OpenPacks, rng: &mut Stream) -> GameConfig {
    let catalog = &packs.catalog;
    let (least, most) = (u32::from(catalog.seats.0.max(1)), u32::from(catalog.seats.1));
    // A game alone teaches nothing about winning against others.
    let least = if most > 1 { least.max(2) } else { least };
    let count = least + rng.below(most.saturating_sub(least) + 1);
    let mut seats: Vec<FactionId> = (0..catalog.playable).map(FactionId::at).collect();
    rng.shuffle(&mut seats);
    seats.truncate(count as usize);
    seats.sort_unstable();
    let seed = u64::from(rng.below(u32::MAX));
    GameConfig { seats, seed, options: Vec::new() }
}

fn start(packs: &OpenPacks, host: &LuaHost, config: GameConfig) -> Result<Game<LuaHost>, LearnError> {
    packs.start(host, config).map_err(|error| LearnError::Start(start_failure(&error)))
}

fn work(settings: &Settings<'_>, queue: &Queue) -> Result<(), LearnError> {
    let catalog = Arc::new(Catalog::clone(&settings.packs.catalog));
    let host = settings.packs.host_of(catalog.clone())?;
    let features = PositionFeatures::new(&catalog);
    let next = |sum: &mut Sum, next| match next {
        next if next >= settings.games => Next::End,
        next if next < sum.end => Next::Take(1, sum.players.clone()),
        _ => Next::Wait,
    };
    while let Some((games, players)) = queue.take(next) {
        let result = one_game(settings, &catalog, &host, &features, games.start, &players)?;
        // The weights can be changed in place once nobody else holds them.
        drop(players);
        queue.hand_in(games, result, |sum, result| {
            add(settings, sum, result);
            Ok::<_, LearnError>(())
        })?;
    }
    Ok(())
}

/// Plays a game and returns what it changes; `None` if it did not end.
fn one_game(
    settings: &Settings<'_>,
    catalog: &Arc<Catalog>,
    host: &LuaHost,
    features: &PositionFeatures,
    at: u64,
    players: &Players,
) -> Result<Option<Gradient>, LearnError> {
    let mut rng = Stream::new(derive_seed(settings.seed, at));
    let config = config(settings.packs, &mut rng);
    let (older, teacher) = (&players.older, players.teacher.as_deref());
    let learner = rng.below(config.seats.len() as u32) as usize;
    let league = !older.is_empty() && rng.below(LEAGUE) == 0;
    let mut learners = Vec::new();
    for (place, seat) in config.seats.iter().enumerate() {
        let old = league && place != learner;
        let weights = if old { &older[rng.below(older.len() as u32) as usize] } else { &players.weights };
        learners.push(Learner { seat: *seat, weights: weights.clone(), learns: !old });
    }
    let game =
        Game::new(catalog.clone(), host.clone(), config).map_err(|error| LearnError::Start(start_failure(&error)))?;
    let episode = play(game, features, &learners, teacher, &mut rng);
    if !episode.finished {
        return Ok(None);
    }
    let seats: Vec<SeatId> = learners.iter().filter(|player| player.learns).map(|player| player.seat).collect();
    Ok(Some(gradient(&episode, &seats, teacher.is_some())))
}

/// Adds a result. The last one of a batch lets the weights follow.
fn add(settings: &Settings<'_>, sum: &mut Sum, result: Option<Gradient>) {
    sum.results.push(result);
    let games = sum.results.len() as u64;
    if games != batch_len(sum.end) {
        return;
    }
    let batch: Vec<Gradient> = std::mem::take(&mut sum.results).into_iter().flatten().collect();
    // Nobody plays between two batches: with this, only `learned` holds the weights.
    sum.players.weights = Arc::default();
    sum.learned.follow(&batch, games, rates(settings, sum.end));
    let error = batch.iter().map(|gradient| gradient.error).sum::<f64>() / batch.len().max(1) as f64;
    sum.players.weights = sum.learned.weights.clone();
    let every = (settings.games / OLDER).max(BATCH);
    if sum.end / every > (sum.end - games) / every {
        sum.players.older.push(sum.learned.weights.clone());
    }
    if sum.end >= own_play(settings) {
        if sum.players.teacher.is_none() {
            sum.learned.begin_lessons();
        }
        sum.players.teacher = Some(teacher(settings, &sum.learned));
    }
    (settings.progress)(&Progress { games: sum.end, error });
    sum.end = (sum.end + BATCH).min(settings.games);
}

/// The number of games in the batch that ends here.
fn batch_len(end: u64) -> u64 {
    match end % BATCH {
        0 => BATCH,
        rest => rest,
    }
}

/// The number of games after which lessons begin.
fn own_play(settings: &Settings<'_>) -> u64 {
    if settings.start.is_some() { 0 } else { (OWN_PLAY * settings.games as f64) as u64 }
}

/// What was learned so far gives the lessons.
fn teacher(settings: &Settings<'_>, learned: &Learned) -> Arc<Teacher> {
    let model = Model::new(&settings.packs.catalog, Arc::new(learned.trained()));
    Arc::new(Teacher { model, every: LESSON_EVERY })
}

/// The step sizes after this many games. Own play and lessons each begin with large steps and come to rest.
fn rates(settings: &Settings<'_>, games: u64) -> Rates {
    let lessons = own_play(settings);
    let own = games <= lessons;
    let (done, all) = if own { (games, lessons) } else { (games - lessons, settings.games - lessons) };
    let part = done as f64 / all as f64;
    let fade = |from: f64, to: f64| ((to - part) / (to - from)).clamp(0.0, 1.0);
    match own {
        true => Rates { policy: POLICY_RATE * fade(0.6, 0.85), value: VALUE_RATE * fade(0.75, 1.0) },
        false => Rates { policy: LESSON_RATE * fade(0.3, 0.9), value: VALUE_RATE * fade(0.3, 1.0) },
    }
}
