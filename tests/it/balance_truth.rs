//! Whether the intervals of `balance` keep what they promise, on games whose truth is known.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use crate::common::program;
use crate::common::purse;
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::setup::{Player, Setup, SetupRequest, derive_seed, set_up};
use principes_core::catalog::{Design, Faction, Props, Scope, Visible, ZoneKind};
use principes_core::{Catalog, CatalogParts, DesignId, FactionId, GameConfig, SymbolId, ZoneId, ZoneKindId};
use principes_lab::balance::figures::{Effect, Figure, Sample};
use principes_lab::balance::record::{CardLine, GameRecord};
use principes_lab::balance::run::Measurement;
use principes_lab::balance::{ComparisonReport, Games, Plan, Version};
use principes_lab::numbers::factor;

const DESIGNS: usize = 12;
const SEATS: usize = 4;

/// Random numbers for made games.
struct Dice(u64, u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.1 += 1;
        usize::try_from(derive_seed(self.0, self.1) % n as u64).unwrap()
    }
    fn share(&mut self) -> f64 {
        self.below(1 << 30) as f64 / f64::from(1 << 30)
    }
}

/// A catalog with some factions and designs, and their table.
fn made() -> (Catalog, Setup) {
    let mut catalog = CatalogParts::new("made");
    catalog.factions = (0..SEATS).map(|at| Faction::new(&format!("f{at}"), SymbolId(0))).collect();
    catalog.playable = SEATS;
    catalog.designs = (0..DESIGNS)
        .map(|at| Design {
            id: format!("c{at}"),
            card_type: SymbolId(0),
            faction: None,
            start: ZoneId(0),
            copies: 1,
            props: Props::default(),
            params: BTreeMap::new(),
            listeners: Vec::new(),
        })
        .collect();
    let (id, scope, visible) = ("deck".to_owned(), Scope::Game, Visible::Nobody);
    catalog.zones = vec![ZoneKind { id, scope, visible, active: false, offset: 0 }].into();
    catalog.zone_list = vec![(ZoneKindId(0), None)];
    let seats: Vec<FactionId> = (0..SEATS).map(FactionId::at).collect();
    let players = seats.iter().map(|seat| (*seat, Player::Random)).collect();
    (catalog.build().unwrap(), Setup { config: GameConfig { seats, seed: 0, options: Vec::new() }, players })
}

/// A game in which each seat draws some cards from one deck of all designs. `winner` decides it from the hands.
fn deal(number: u64, draws: usize, dice: &mut Dice, winner: &dyn Fn(&[Vec<usize>], &mut Dice) -> usize) -> GameRecord {
    let mut deck: Vec<usize> = (0..DESIGNS).collect();
    let mut lines: BTreeMap<(usize, usize), CardLine> = BTreeMap::new();
    let mut hands = vec![Vec::new(); SEATS];
    for turn in 0..draws * SEATS {
        let seat = turn % SEATS;
        let chance = 1.0 / deck.len() as f64;
        let drawn = deck[dice.below(deck.len())];
        for design in &deck {
            let new = || CardLine::new(DesignId::at(*design), FactionId::at(seat));
            let line = lines.entry((*design, seat)).or_insert_with(new);
            line.draws += u16::from(*design == drawn);
            line.misses += u16::from(*design != drawn);
            line.surplus += f64::from(u8::from(*design == drawn)) - chance;
            line.spread += chance * (1.0 - chance);
        }
        deck.retain(|design| *design != drawn);
        hands[seat].push(drawn);
    }
    GameRecord {
        number,
        winner: Some(FactionId::at(winner(&hands, dice))),
        cause: SymbolId(0),
        order: (0..SEATS).map(FactionId::at).collect(),
        rounds: None,
        answers: u32::try_from(dice.below(100)).unwrap(),
        standings: [Vec::new(), Vec::new(), Vec::new()],
        cards: lines.into_values().collect(),
    }
}

/// The ends of the intervals of all draws, each with the number of its design.
fn draws(sample: &Sample<'_>) -> Vec<(usize, f64, f64)> {
    let z = factor(0.95, DESIGNS);
    let found = (0..DESIGNS).map(|at| {
        let measured = sample.measure(&Figure::Card(Effect::Draw, format!("c{at}"))).unwrap();
        assert!(measured.is_enough);
        let (low, high) = measured.estimate.interval(z);
        (at, low, high)
    });
    found.collect()
}

/// About one in twenty runs may have a wrong interval. More than `most_wrong` would have a chance below 1 in 1,000.
#[derive(Clone, Copy)]
struct Trial {
    runs: u64,
    most_wrong: usize,
}

const BRIEF: Trial = Trial { runs: 20, most_wrong: 5 };
const LONG: Trial = Trial { runs: 200, most_wrong: 21 };

#[test]
fn cards_that_do_nothing_are_given_no_effect() {
    no_effect_is_found(BRIEF);
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn cards_that_do_nothing_are_given_no_effect_in_many_runs() {
    no_effect_is_found(LONG);
}

fn no_effect_is_found(Trial { runs, most_wrong }: Trial) {
    let (catalog, table) = made();
    let wrong = (0..runs).filter(|run| {
        let mut dice = Dice(*run, 0);
        // The first seat wins more often, whatever the cards; two draws of a game depend on each other.
        let records: Vec<GameRecord> =
            (0..500).map(|at| deal(at, 2, &mut dice, &|_, dice| dice.below(SEATS + 2).saturating_sub(2))).collect();
        let sample = Sample::new(&catalog, &table, &records);
        draws(&sample).iter().any(|(_, low, high)| *low > 0.0 || *high < 0.0)
    });
    let wrong = wrong.count();
    assert!(wrong <= most_wrong, "{wrong} of {runs} runs have a wrong interval");
}

#[test]
fn intervals_contain_the_true_effect() {
    effects_are_found(BRIEF);
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn intervals_contain_the_true_effect_in_many_runs() {
    effects_are_found(LONG);
}

fn effects_are_found(Trial { runs, most_wrong }: Trial) {
    let (catalog, table) = made();
    // With card `d`, the first seat wins with the chance 0.1 + 0.05 d. Compared with the others of the deck, the card
    // changes it by the difference from their mean.
    let chance = |design: usize| 0.1 + 0.05 * design as f64;
    let all: f64 = (0..DESIGNS).map(chance).sum();
    let truth = |design: usize| chance(design) - (all - chance(design)) / (DESIGNS - 1) as f64;
    let (mut wrong, mut found) = (0, 0);
    for run in 0..runs {
        let mut dice = Dice(1_000 + run, 0);
        let winner = |hands: &[Vec<usize>], dice: &mut Dice| match dice.share() < chance(hands[0][0]) {
            true => 0,
            false => 1 + dice.below(SEATS - 1),
        };
        let mut records: Vec<GameRecord> = (0..2_000).map(|at| deal(at, 1, &mut dice, &winner)).collect();
        // Only what the first seat draws is measured here.
        records.iter_mut().for_each(|game| game.cards.retain(|line| line.seat == FactionId(0)));
        let sample = Sample::new(&catalog, &table, &records);
        let intervals = draws(&sample);
        wrong += usize::from(intervals.iter().any(|(at, low, high)| truth(*at) < *low || truth(*at) > *high));
        found += usize::from(intervals[0].2 < 0.0 && intervals[DESIGNS - 1].1 > 0.0);
    }
    assert!(wrong <= most_wrong, "{wrong} of {runs} runs have a wrong interval");
    assert_eq!(found, usize::try_from(runs).unwrap(), "the worst and the best card are found");
}

/// Plays games of a pack between random bots.
fn played(packs: &OpenPacks, table: &Setup, games: u64) -> Games {
    let plan = Plan { games: Some(games), ..Plan::default() };
    Measurement { packs, table, plan, stop: &AtomicBool::new(false), progress: &|| {} }.play(2).unwrap()
}

/// Compares a pack with itself 100 times, always with other games. Returns the number of comparisons that found nothing.
fn found_nothing(request: &PackRequest, games: usize) -> usize {
    let packs = OpenPacks::open(request).unwrap().only_to_play();
    let setup = SetupRequest::all(Player::Random, 5);
    let table = set_up(&packs.catalog, &setup).unwrap();
    let all = played(&packs, &table, 200 * games as u64);
    let version = |records: &[GameRecord]| Version {
        label: String::new(),
        packs: &packs,
        request: &setup,
        table: &table,
        games: Games {
            records: records.to_vec(),
            played: records.len() as u64,
            faulty: 0,
            unfinished: 0,
            faults: Vec::new(),
            state_hash: String::new(),
            stopped: all.stopped,
        },
    };
    let blocks: Vec<&[GameRecord]> = all.records.chunks(games).collect();
    assert_eq!(blocks.len(), 200);
    let compare =
        |pair: &[&[GameRecord]]| ComparisonReport::new(version(pair[0]), version(pair[1]), 0, false).changed == 0;
    blocks.chunks(2).filter(|pair| compare(pair)).count()
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn a_pack_compared_with_itself_shows_no_difference() {
    let place = program::Place::new();
    purse::write(&place, "purse", &purse::GOLD);
    let purse = PackRequest { paths: vec![place.file("purse")], ..PackRequest::default() };
    let nothing = found_nothing(&purse, 150);
    assert!(nothing >= 95, "{nothing} of 100");
    let line = concat!(env!("CARGO_MANIFEST_DIR"), "/mods/classics/tic-tac-toe");
    let line = PackRequest { paths: vec![line.into()], ..PackRequest::default() };
    let nothing = found_nothing(&line, 100);
    assert!(nothing >= 95, "{nothing} of 100");
}
