//! Sets up a game: who plays which seat, the variant, the setup options.

use std::collections::BTreeMap;

use principes_core::catalog::Variant;
use principes_core::*;
use principes_findings::hint_for;
use serde::{Deserialize, Serialize};

pub use crate::players::Player;
pub use principes_core::rng::derive_seed;

/// A game with more decisions is considered endless.
pub const MOST_DECISIONS: usize = principes_core::MOST_ANSWERS;
/// The error of a game that cannot continue.
pub const STUCK: &str = "no seat has a decision, but the game is not over";

/// The players, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seating {
    /// Nothing is given.
    #[default]
    Open,
    /// Players in seat order.
    List(Vec<Player>),
    /// Players by the ids of their factions.
    Named(Vec<(String, Player)>),
}

impl Seating {
    /// The number of seats that it names.
    fn len(&self) -> usize {
        match self {
            Seating::Open => 0,
            Seating::List(players) => players.len(),
            Seating::Named(players) => players.len(),
        }
    }
}

/// A request to set up a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetupRequest {
    /// A variant of the game.
    pub variant: Option<String>,
    /// Setup options by the ids of their counters.
    pub options: BTreeMap<String, i32>,
    /// The number of seats. Default: the number of players in `seating` if that is more than one, otherwise the most
    /// seats that the game allows.
    pub players: Option<usize>,
    /// The players.
    pub seating: Seating,
    /// The player of the first seat if `seating` is open.
    pub first: Player,
    /// The player of every other seat.
    pub rest: Player,
    /// The faction that the first player of a list leads.
    pub lead: Option<String>,
    /// The seed for all random numbers.
    pub seed: u64,
}

impl SetupRequest {
    /// As many seats as the game allows, all with the same player.
    pub fn all(player: Player, seed: u64) -> Self {
        SetupRequest {
            variant: None,
            options: BTreeMap::new(),
            players: None,
            seating: Seating::Open,
            first: player,
            rest: player,
            lead: None,
            seed,
        }
    }
}

/// Why a game cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The game has no variants.
    #[error("unknown variant `{id}`: `{game}` has no variants")]
    NoVariants {
        /// The id that was wanted.
        id: String,
        /// The id of the pack that is the game.
        game: String,
    },
    /// The game does not have this variant.
    #[error("unknown variant `{id}`; `{game}` has: {}{}", known.join(", "), hint_for(id, known.iter().map(String::as_str)))]
    UnknownVariant {
        /// The requested id.
        id: String,
        /// The id of the pack that is the game.
        game: String,
        /// The ids of its variants.
        known: Vec<String>,
    },
    /// No playable faction has this id.
    #[error("`{id}` is not a playable faction; the playable factions are {}{}", known.join(", "), hint_for(id, known.iter().map(String::as_str)))]
    UnknownFaction {
        /// The requested id.
        id: String,
        /// The ids of the playable factions.
        known: Vec<String>,
    },
    /// A faction has two players.
    #[error("`{0}` is listed twice; each faction has one player")]
    NamedTwice(String),
    /// There are more players than seats.
    #[error("{named} players are listed, but only {players} seats are played")]
    TooManyNamed {
        /// The number of players.
        named: usize,
        /// The number of seats.
        players: usize,
    },
    /// The game or variant needs another number of seats.
    #[error("{of} needs {} seats, found {found}", range(*least, *most))]
    SeatCount {
        /// The game or variant, in words.
        of: String,
        /// The fewest seats.
        least: usize,
        /// The most seats.
        most: usize,
        /// The requested number.
        found: usize,
    },
    /// The faction to lead has no player.
    #[error("`{0}` has no player: `--seats` lists other factions")]
    LeadWithoutPlayer(String),
    /// The packs have no trained player.
    #[error("`{player}` needs a trained player, and the packs of `{game}` have none; `principes learn` trains one")]
    NotTrained {
        /// The bot.
        player: String,
        /// The id of the pack that is the game.
        game: String,
    },
    /// No setup option has this id.
    #[error("unknown setup option `{id}`; the options are: {}{}", known.join(", "), hint_for(id, known.iter().map(String::as_str)))]
    UnknownOption {
        /// The requested id.
        id: String,
        /// The ids of the setup options.
        known: Vec<String>,
    },
    /// The number is out of the range of the setup option.
    #[error("setup option `{id}` must be from {least} to {most}, found {found}")]
    OptionRange {
        /// The option.
        id: String,
        /// The least allowed number.
        least: i32,
        /// The greatest allowed number.
        most: i32,
        /// The requested number.
        found: i32,
    },
}

fn range(least: usize, most: usize) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// The setup of a game: its configuration and its players.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The configuration for the kernel.
    pub config: GameConfig,
    /// The players, in seat order.
    pub players: Vec<(SeatId, Player)>,
}

/// Sets up a game.
///
/// # Errors
/// [`SetupError`]: the request does not fit the game.
pub fn set_up(catalog: &Catalog, request: &SetupRequest) -> Result<Setup, SetupError> {
    let variant = request.variant.as_deref().map(|id| find_variant(catalog, id)).transpose()?;
    let count = seat_count(catalog, variant, request)?;
    let lead = request.lead.as_deref().map(|id| playable(catalog, id)).transpose()?;
    let mut players = match &request.seating {
        Seating::Named(named) => by_faction(catalog, named, count, lead, request)?,
        Seating::List(list) => in_order(catalog, list, count, lead, request),
        Seating::Open => in_order(catalog, &[request.first], count, lead, request),
    };
    players.sort_unstable_by_key(|(seat, _)| *seat);
    check_trained(catalog, &players)?;
    let mut options = variant.map(|variant| variant.options.clone()).unwrap_or_default();
    for (id, value) in &request.options {
        let counter = option(catalog, id, *value)?;
        options.retain(|(other, _)| *other != counter);
        options.push((counter, *value));
    }
    options.sort_unstable();
    let config = GameConfig { seats: players.iter().map(|(seat, _)| *seat).collect(), seed: request.seed, options };
    Ok(Setup { config, players })
}

/// The number of seats.
fn seat_count(catalog: &Catalog, variant: Option<&Variant>, request: &SetupRequest) -> Result<usize, SetupError> {
    let (least, most) = variant.map_or(catalog.seats, |variant| variant.seats);
    let (least, most) = (usize::from(least.max(catalog.seats.0)), usize::from(most.min(catalog.seats.1)));
    let named = request.seating.len();
    let speaks_for_all = named > 1 || matches!(request.seating, Seating::Named(_));
    let count = request.players.unwrap_or(if speaks_for_all { named } else { most });
    if count < named {
        return Err(SetupError::TooManyNamed { named, players: count });
    }
    if !(least..=most).contains(&count) {
        let of = variant.map_or(format!("`{}`", catalog.game), |variant| format!("variant `{}`", variant.id));
        return Err(SetupError::SeatCount { of, least, most, found: count });
    }
    Ok(count)
}

/// The players of a list, in seat order. The faction to lead comes first.
fn in_order(
    catalog: &Catalog,
    list: &[Player],
    count: usize,
    lead: Option<SeatId>,
    request: &SetupRequest,
) -> Vec<(SeatId, Player)> {
    let mut factions: Vec<SeatId> = (0..catalog.playable).map(FactionId::at).collect();
    if let Some(lead) = lead {
        factions.retain(|faction| *faction != lead);
        factions.insert(0, lead);
    }
    // In a game of two, the recommended opponent of the first faction comes second.
    if let (2, Some(rival)) = (count, factions.first().and_then(|first| catalog.factions[first.index()].rival)) {
        factions.retain(|faction| *faction != rival);
        factions.insert(factions.len().min(1), rival);
    }
    factions.truncate(count);
    let player = |at: usize| list.get(at).copied().unwrap_or(request.rest);
    factions.into_iter().enumerate().map(|(at, seat)| (seat, player(at))).collect()
}

/// The given players by faction, then players for the remaining seats.
fn by_faction(
    catalog: &Catalog,
    named: &[(String, Player)],
    count: usize,
    lead: Option<SeatId>,
    request: &SetupRequest,
) -> Result<Vec<(SeatId, Player)>, SetupError> {
    let mut players: Vec<(SeatId, Player)> = Vec::new();
    for (id, player) in named {
        let seat = playable(catalog, id)?;
        if players.iter().any(|(other, _)| *other == seat) {
            return Err(SetupError::NamedTwice(id.clone()));
        }
        players.push((seat, *player));
    }
    if let (Some(lead), Some(id)) = (lead, &request.lead)
        && !players.iter().any(|(seat, _)| *seat == lead)
    {
        return Err(SetupError::LeadWithoutPlayer(id.clone()));
    }
    for seat in (0..catalog.playable).map(FactionId::at) {
        if players.len() < count && !players.iter().any(|(other, _)| *other == seat) {
            players.push((seat, request.rest));
        }
    }
    Ok(players)
}

/// Whether the packs bring what the players need.
///
/// # Errors
/// [`SetupError::NotTrained`].
pub fn check_trained(catalog: &Catalog, players: &[(SeatId, Player)]) -> Result<(), SetupError> {
    match (players.iter().find(|(_, player)| player.kind().is_trained), &catalog.trained) {
        (Some((_, player)), None) => Err(SetupError::NotTrained { player: player.name(), game: catalog.game.clone() }),
        _ => Ok(()),
    }
}

fn find_variant<'a>(catalog: &'a Catalog, id: &str) -> Result<&'a Variant, SetupError> {
    catalog.variants.iter().find(|variant| variant.id == id).ok_or_else(|| {
        let known: Vec<String> = catalog.variants.iter().map(|variant| variant.id.clone()).collect();
        let (id, game) = (id.to_owned(), catalog.game.clone());
        if known.is_empty() {
            SetupError::NoVariants { id, game }
        } else {
            SetupError::UnknownVariant { id, game, known }
        }
    })
}

/// The playable faction with an id.
///
/// # Errors
/// [`SetupError::UnknownFaction`].
pub fn playable(catalog: &Catalog, id: &str) -> Result<SeatId, SetupError> {
    let factions = &catalog.factions[..catalog.playable];
    factions.iter().position(|faction| faction.id == id).map(FactionId::at).ok_or_else(|| SetupError::UnknownFaction {
        id: id.to_owned(),
        known: factions.iter().map(|faction| faction.id.clone()).collect(),
    })
}

fn option(catalog: &Catalog, id: &str, value: i32) -> Result<CounterId, SetupError> {
    let found = catalog.counter(id).filter(|counter| catalog.counters[counter.index()].option);
    let counter = found.ok_or_else(|| {
        let options = catalog.counters.iter().filter(|counter| counter.option);
        SetupError::UnknownOption { id: id.to_owned(), known: options.map(|counter| counter.id.clone()).collect() }
    })?;
    let spec = &catalog.counters[counter.index()];
    match (spec.min..=spec.max).contains(&value) {
        true => Ok(counter),
        false => Err(SetupError::OptionRange { id: id.to_owned(), least: spec.min, most: spec.max, found: value }),
    }
}

/// A random seed below 1,000,000,000, short enough to type.
pub fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    derive_seed(now.map_or(0, |now| now.as_nanos() as u64), u64::from(std::process::id())) % 1_000_000_000
}
