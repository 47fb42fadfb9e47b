//! The figures of one game as data.

use std::collections::BTreeMap;

use principes_app::packs::{OpenPacks, PackRef};
use principes_app::setup::{Setup, SetupRequest};
use principes_app::words::Words;
use principes_core::Value;
use principes_model::Promises;
use serde::Serialize;

use super::figures::{Effect, Figure, Measured, Sample};
use super::promises::{Gate, judge};
use super::run::{Games, Stopped};
use crate::numbers::factor;
use crate::simulation::game::Fault;

/// The confidence of all intervals.
pub const CONFIDENCE: f64 = 0.95;

/// The figures of a game.
#[derive(Clone, Debug, Serialize)]
pub struct BalanceReport {
    /// The format of this report.
    pub format: &'static str,
    /// Raised when a field changes its meaning or disappears.
    pub version: u32,
    /// How the games were played.
    pub setting: Setting,
    /// The number of games that were played.
    pub games: u64,
    /// Why no more were played.
    pub stopped: Stopped,
    /// The digest of all final states in the order of the games.
    pub state_hash: String,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// Win shares by faction, in seat order.
    pub factions: Vec<Row>,
    /// Win shares by place in the turn order at the beginning.
    pub places: Vec<Row>,
    /// Whether every place belongs to the same faction in all games, so that the two cannot be told apart.
    pub order_is_fixed: bool,
    /// How games end.
    pub endings: Vec<Row>,
    /// The share of games without a winner.
    pub no_winner: Row,
    /// Lengths: rounds, if they are counted, and answers.
    pub lengths: Vec<Row>,
    /// The share of games that the leader after each quarter wins. Empty if the game has no tracks.
    pub leads: Vec<Row>,
    /// The share of games whose winner was last at half-time.
    pub comebacks: Option<Row>,
    /// The cards, by id.
    pub cards: Vec<CardRow>,
    /// Whether the promises of the pack are kept, if that is tested.
    pub promises: Option<Gate>,
    /// The number of failed games. They are in no figure.
    pub faulty: u64,
    /// The number of failed games that only took too many answers or steps.
    pub unfinished: u64,
    /// The first failed games.
    pub faults: Vec<Fault>,
}

/// How the games of a report were played.
#[derive(Clone, Debug, Serialize)]
pub struct Setting {
    /// The id of the game.
    pub game: String,
    /// The name of the game.
    pub title: String,
    /// The packs by id and version.
    pub packs: Vec<PackRef>,
    /// The id of the chosen variant; `None` is the game without one.
    pub variant: Option<String>,
    /// The setup options that were set.
    pub options: BTreeMap<String, i32>,
    /// The bots by seat.
    pub players: Vec<PlayerRow>,
    /// The seed from which the seeds of the games are derived.
    pub seed: u64,
}

/// Who plays a faction.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerRow {
    /// The id of the faction.
    pub faction: String,
    /// The word that `--bots` takes for it, such as `value`.
    pub bot: String,
}

/// A figure.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Which one: the id of a faction, the number of a place or of a quarter, the keyword of an ending, `rounds`,
    /// `answers`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The estimate: a share from 0 to 1, a number, or a difference of two shares.
    pub value: f64,
    /// The ends of its interval; `None` if there are too few games.
    pub interval: Option<[f64; 2]>,
    /// What it rests on: games or, for cards, draws or seats of games.
    pub events: u64,
    /// The number of games with such an event.
    pub games: u64,
}

/// The figures of a card design.
#[derive(Clone, Debug, Serialize)]
pub struct CardRow {
    /// The id of the design.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Its keyword in the packs.
    pub card_type: String,
    /// By how much drawing it instead of another card of its deck changes the chance of winning. This is causal: chance
    /// alone decides what is drawn. `None` if no seat draws it at random.
    pub draw: Option<Row>,
    /// By how much the win share of seats that have it at the end differs from those of the same faction that do not.
    /// This is not causal.
    pub hold: Option<Row>,
    /// By how much the win share of seats that play it differs from those of the same faction that do not. This is not
    /// causal.
    pub play: Option<Row>,
}

impl CardRow {
    /// The figure of an effect.
    pub fn effect(&self, effect: Effect) -> Option<&Row> {
        match effect {
            Effect::Draw => self.draw.as_ref(),
            Effect::Hold => self.hold.as_ref(),
            Effect::Play => self.play.as_ref(),
        }
    }
}

/// Makes rows of figures.
pub struct Rows<'a> {
    sample: &'a Sample<'a>,
    words: Words,
}

impl BalanceReport {
    /// The report of some games, with the test of promises if there are any.
    pub fn new(
        packs: &OpenPacks,
        request: &SetupRequest,
        table: &Setup,
        games: Games,
        promises: Option<&Promises>,
    ) -> BalanceReport {
        let catalog = &packs.catalog;
        let sample = Sample::new(catalog, table, &games.records);
        let figures = sample.figures();
        let rows = Rows { sample: &sample, words: packs.words("en") };
        let plain = |wanted: &dyn Fn(&Figure) -> bool| -> Vec<Row> {
            let wanted = figures.iter().filter(|figure| wanted(figure));
            wanted.filter_map(|figure| rows.row(figure, factor(CONFIDENCE, 1))).collect()
        };
        let faction = |(seat, _): &(_, _)| Figure::Faction(catalog.id_of(Value::Faction(*seat)));
        BalanceReport {
            format: "principes-balance",
            version: 1,
            setting: Setting::new(packs, request, table),
            games: games.played,
            stopped: games.stopped,
            state_hash: games.state_hash.clone(),
            confidence: CONFIDENCE,
            factions: table
                .players
                .iter()
                .filter_map(|player| rows.row(&faction(player), factor(CONFIDENCE, 1)))
                .collect(),
            places: plain(&|figure| matches!(figure, Figure::Place(_))),
            order_is_fixed: sample.order_is_fixed(),
            endings: plain(&|figure| matches!(figure, Figure::Ending(_))),
            no_winner: rows.row(&Figure::NoWinner, factor(CONFIDENCE, 1)).unwrap_or_else(Row::nothing),
            lengths: plain(&|figure| matches!(figure, Figure::Rounds | Figure::Answers)),
            leads: plain(&|figure| matches!(figure, Figure::Leader(_))),
            comebacks: plain(&|figure| matches!(figure, Figure::Comeback)).pop(),
            cards: rows.cards(&figures),
            promises: promises.map(|promises| judge(&sample, promises, &rows.words)),
            faulty: games.faulty,
            unfinished: games.unfinished,
            faults: games.faults.clone(),
        }
    }
}

impl Setting {
    /// How the games of a table are played.
    pub fn new(packs: &OpenPacks, request: &SetupRequest, table: &Setup) -> Setting {
        let catalog = &packs.catalog;
        let player = |(seat, player): &(principes_core::SeatId, principes_app::setup::Player)| PlayerRow {
            faction: catalog.id_of(Value::Faction(*seat)),
            bot: player.name(),
        };
        Setting {
            game: catalog.game.clone(),
            title: packs.loaded.manifest.title.clone(),
            packs: packs.packs.clone(),
            variant: request.variant.clone(),
            options: request.options.clone(),
            players: table.players.iter().map(player).collect(),
            seed: request.seed,
        }
    }
}

impl Rows<'_> {
    fn row(&self, figure: &Figure, z: f64) -> Option<Row> {
        let Measured { estimate, events, games, is_enough } = self.sample.measure(figure)?;
        let (id, name) = names(&self.words, figure);
        let interval = is_enough.then(|| estimate.interval(z)).map(|(low, high)| [rounded(low), rounded(high)]);
        Some(Row { id, name, value: rounded(estimate.value), interval, events, games })
    }

    /// The rows of the cards. All intervals of one effect are right together.
    fn cards(&self, figures: &[Figure]) -> Vec<CardRow> {
        let mut cards: BTreeMap<&str, CardRow> = BTreeMap::new();
        for effect in Effect::ALL {
            let of_effect: Vec<(&Figure, &String)> = figures
                .iter()
                .filter_map(|figure| match figure {
                    Figure::Card(found, id) if *found == effect => Some((figure, id)),
                    _ => None,
                })
                .collect();
            let z = factor(CONFIDENCE, of_effect.len());
            for (figure, id) in of_effect {
                let row = self.row(figure, z);
                if row.is_none() {
                    continue;
                }
                let card = cards.entry(id).or_insert_with(|| self.card(id));
                match effect {
                    Effect::Draw => card.draw = row,
                    Effect::Hold => card.hold = row,
                    Effect::Play => card.play = row,
                }
            }
        }
        let mut cards: Vec<CardRow> = cards.into_values().collect();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for card in &cards {
            *names.entry(card.name.clone()).or_default() += 1;
        }
        for card in cards.iter_mut().filter(|card| names[&card.name] > 1) {
            card.name = format!("{} ({})", card.name, card.id);
        }
        cards
    }

    fn card(&self, id: &str) -> CardRow {
        let catalog = self.words.catalog();
        let card_type = catalog.design(id).map(|design| catalog.designs[design.index()].card_type);
        let card_type = card_type.map_or_else(String::new, |keyword| self.words.value(Value::Symbol(keyword), None));
        CardRow { id: id.to_owned(), name: self.words.title("card", id), card_type, draw: None, hold: None, play: None }
    }
}

/// The id and the name of a figure.
pub(super) fn names(words: &Words, figure: &Figure) -> (String, String) {
    let fixed = |id: &str, name: &str| (id.to_owned(), name.to_owned());
    match figure {
        Figure::Faction(id) => (id.clone(), words.named("faction", id)),
        Figure::Place(place) => (place.to_string(), format!("seat {place} in turn order")),
        Figure::Ending(cause) => (cause.clone(), cause.replace(['-', '_'], " ")),
        Figure::NoWinner => fixed("no-winner", "no winner"),
        Figure::Rounds => fixed("rounds", "rounds"),
        Figure::Answers => fixed("answers", "answers"),
        Figure::Leader(quarter) => (quarter.to_string(), format!("the leader after {}", quarters(*quarter))),
        Figure::Comeback => fixed("comeback", "the last at half-time"),
        Figure::Card(_, id) => (id.clone(), words.title("card", id)),
    }
}

fn quarters(quarter: usize) -> &'static str {
    match quarter {
        1 => "a quarter of the game",
        2 => "half of the game",
        _ => "three quarters of the game",
    }
}

impl Row {
    fn nothing() -> Row {
        Row { id: String::new(), name: String::new(), value: 0.0, interval: None, events: 0, games: 0 }
    }
}

/// Six digits: more than any figure is worth, and few enough to read.
pub(super) fn rounded(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}
