//! The time of games, hook calls, copies and packs, measured by criterion and compared with the last run: `cargo bench
//! --bench engine`, or only a part: `cargo bench --bench engine -- clone`. For one game: `PRINCIPES_ONLY=mods/hex cargo
//! bench --bench engine`.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../tests/it/common/packs.rs"]
#[allow(dead_code, reason = "the rest serves tests/it")]
mod common;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use principes_content::{LoadOptions, check};
use principes_core::bots::{Bot, MctsBot};
use principes_core::*;
use principes_lab::measure::work::{self, Work};
use principes_source::{PackSource, folder};

use self::common::{load, options, pack_folders};

const SEED: u64 = 1;
/// The number of games to average, because their lengths differ.
const GAMES: u64 = 8;
const PLAYOUTS: u32 = 32;
/// A limit of decisions that no game reaches.
const MOST_DECISIONS: usize = 20_000;

/// The packs under `content/` and `mods/` that are games, and their files.
fn games() -> Vec<(Work, Arc<dyn PackSource>)> {
    let all = pack_folders()
        .into_iter()
        .map(|path| folder(&path))
        .map(|source| (load(std::slice::from_ref(&source)), source));
    let own = all.filter(|(loaded, _)| loaded.packs.last().is_some_and(|pack| pack.manifest.id == loaded.manifest.id));
    own.map(|(loaded, source)| {
        let seats = (0..usize::from(loaded.catalog.seats.1)).map(FactionId::at).collect();
        let config = GameConfig { seats, seed: SEED, options: Vec::new() };
        (Work { host: loaded.host().unwrap(), loaded, config, most_decisions: MOST_DECISIONS }, source)
    })
    .collect()
}

fn whole_games(c: &mut Criterion) {
    let mut group = c.benchmark_group("games of random bots, decisions");
    group.sample_size(10);
    for (work, _) in games() {
        let play = || (0..GAMES).map(|seed| work.play(&work.host, seed, usize::MAX).unwrap().record().len()).sum();
        let decisions: usize = play();
        group.throughput(Throughput::Elements(decisions as u64));
        group.bench_function(&work.loaded.catalog.game, |b| b.iter(play));
    }
}

/// Benches from the middle of a game: hook calls, copies, and digests of a state.
fn one_state(c: &mut Criterion) {
    for (work, _) in games() {
        let mut game = work.midway(SEED).unwrap();
        let mut group = c.benchmark_group(&work.loaded.catalog.game);
        if let Some(point) = work::quiet_query(&game) {
            group.bench_function("query without hooks", |b| b.iter(|| game.query(point, 1, &[])));
        }
        let saved = work::save(&game).unwrap();
        let seat = work.config.seats.first().copied();
        group.bench_function("clone", |b| b.iter(|| game.clone()));
        group.bench_function("save", |b| b.iter(|| work::save(&game).unwrap()));
        group.bench_function("load", |b| b.iter(|| work.restore(&saved).unwrap()));
        group.bench_function("view", |b| b.iter(|| black_box(game.table().view(seat))));
        group.bench_function("state hash", |b| b.iter(|| game.digest()));
        if game.outcome().is_none() {
            let rebuild = || work::answer_copy(&game).unwrap();
            group.bench_function("answer to a copy, its scripts rebuilt", |b| b.iter(rebuild));
            let mut bot = MctsBot::new(SEED, PLAYOUTS, None);
            let choices = work.options(SEED).unwrap();
            group.sample_size(10).throughput(Throughput::Elements(u64::from(PLAYOUTS) * choices.len() as u64));
            let mut think = || choices.iter().for_each(|(game, ask)| _ = black_box(bot.choose(game, ask)));
            group.bench_function("mcts, playouts", |b| b.iter(&mut think));
        }
    }
}

/// All legal placements of all tiles that are left, late in a game: at the end of the one of a few with the most tiles.
fn late_placements(c: &mut Criterion) {
    for (work, _) in games() {
        let catalog = &work.loaded.catalog;
        let Some(tiles) = catalog.tiles.as_deref() else { continue };
        let laid = |table: &Table| table.world.laid_tiles(tiles).count();
        let ends = (0..GAMES).map(|seed| work.play(&work.host, seed, usize::MAX).unwrap().table().clone());
        let table = ends.max_by_key(laid).unwrap();
        let left = (0..catalog.cards.len()).map(CardId::at).filter(|card| table.laid_at(*card).is_none());
        let cards = table.distinct_tiles(left);
        let list = |root: Option<&Stretch>| table.placements(tiles, &cards, &table.frontier(tiles, root));
        let roots = table.world.laid_tiles(tiles).filter(|_| !tiles.networks.is_empty());
        let roots = roots.map(|(cell, _)| NetworkRoot { network: 0, cell }.stretch());
        let root = roots.max_by_key(|root| list(Some(root)).len());
        let mut group = c.benchmark_group(&catalog.game);
        for (name, root) in [("placements", None), ("placements that reach the best root", root.as_ref())] {
            let name = format!("{name}: {} of {} tiles beside {}", list(root).len(), cards.len(), laid(&table));
            group.bench_function(name, |b| b.iter(|| black_box(list(root))));
        }
    }
}

fn packs(c: &mut Criterion) {
    let mut group = c.benchmark_group("packs");
    group.sample_size(10);
    for (work, source) in games() {
        let game = &work.loaded.catalog.game;
        let sources = [source];
        let cold = |_| check(&sources, &options());
        group.bench_function(BenchmarkId::new("check", game), |b| b.iter_batched(|| (), cold, BatchSize::PerIteration));
        let edited = work::edited(&sources).unwrap();
        let known = || {
            let options: LoadOptions = options();
            check(&sources, &options);
            options
        };
        let again = |options: LoadOptions| check(&edited, &options);
        group.bench_function(BenchmarkId::new("check after an edit", game), |b| {
            b.iter_batched(known, again, BatchSize::PerIteration);
        });
        group.bench_function(BenchmarkId::new("script host", game), |b| b.iter(|| work.loaded.host().unwrap()));
    }
}

criterion_group!(benches, whole_games, one_state, late_placements, packs);
criterion_main!(benches);
