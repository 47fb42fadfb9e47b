//! From the options of the command line to a table: who sits where, which variant, which setup options.

use std::rc::Rc;

use anyhow::{Context as _, Result, anyhow, bail};
use principes_core::bots::{Bot, GreedyBot, MctsBot, RandomBot};
use principes_core::catalog::Variant;
use principes_core::scripts::Scripts;
use principes_core::search::Crew;
use principes_core::*;
use serde::{Deserialize, Serialize};

use crate::packs::hint;

pub use principes_core::rng::derive_seed;

/// A game with more decisions than this is taken for one that never ends.
pub const MOST_DECISIONS: usize = 20_000;
/// What is wrong with a game that stands still.
pub const STUCK: &str = "nobody has anything to decide, and the game is not over";

/// How a game is set up.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SetupArgs {
    /// A variant that the game offers.
    #[arg(long, value_name = "ID")]
    pub variant: Option<String>,
    /// A setup option of the game; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// How many seats are played.
    #[arg(long, value_name = "N")]
    pub players: Option<usize>,
}

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Player {
    /// Somebody at the keyboard.
    Human,
    /// A bot that takes any option.
    Random,
    /// A bot that looks one step ahead.
    Greedy,
    /// A bot that searches, with so many playouts for each decision.
    Mcts(u32),
}

/// Playouts of a decision that nobody would wait for.
const MOST_PLAYOUTS: u32 = 1_000_000;

impl Player {
    /// Player from its name.
    pub fn parse(name: &str) -> Result<Self> {
        const NAMES: [&str; 4] = ["human", "random", "greedy", "mcts"];
        if let Some((kind, playouts)) = name.trim().split_once(':') {
            return match (kind, playouts.parse::<u32>()) {
                ("mcts", Ok(n)) if (1..=MOST_PLAYOUTS).contains(&n) => Ok(Player::Mcts(n)),
                ("mcts", _) => Err(anyhow!("`{name}`: playouts go from 1 to {MOST_PLAYOUTS}, as in mcts:200")),
                _ => Err(anyhow!("unknown player `{name}`; only mcts takes a number, as in mcts:200")),
            };
        }
        match name.trim() {
            "human" => Ok(Player::Human),
            "random" => Ok(Player::Random),
            "greedy" => Ok(Player::Greedy),
            "mcts" => Err(anyhow!("`mcts` needs a number of playouts for each decision, as in mcts:200")),
            other => {
                let hint = hint(other, NAMES);
                Err(anyhow!("unknown player `{other}`, there are human, random, greedy and mcts:N{hint}"))
            }
        }
    }

    /// Its name.
    pub fn name(self) -> String {
        match self {
            Player::Human => "human".to_owned(),
            Player::Random => "random".to_owned(),
            Player::Greedy => "greedy".to_owned(),
            Player::Mcts(playouts) => format!("mcts:{playouts}"),
        }
    }

    /// The bot; none for a human. With a crew a search uses more than this thread.
    pub fn bot<S: Scripts>(self, seed: u64, crew: Option<&Rc<dyn Crew>>) -> Option<Box<dyn Bot<S>>> {
        match self {
            Player::Human => None,
            Player::Random => Some(Box::new(RandomBot::new(seed))),
            Player::Greedy => Some(Box::new(GreedyBot::new(seed))),
            Player::Mcts(playouts) => Some(Box::new(MctsBot::new(seed, playouts, crew.cloned()))),
        }
    }
}

impl From<Player> for String {
    fn from(player: Player) -> String {
        player.name()
    }
}
impl TryFrom<String> for Player {
    type Error = String;
    fn try_from(name: String) -> Result<Self, String> {
        Player::parse(&name).map_err(|error| error.to_string())
    }
}

/// A table: what the game is started with and who plays.
#[derive(Clone, Debug)]
pub struct Setup {
    /// For the kernel.
    pub config: GameConfig,
    /// In seat order.
    pub players: Vec<(SeatId, Player)>,
}

/// Sets up a table. `seats` is what `--seats` says: a list in seat order, or `faction=player` pairs; where it says too
/// little, `rest` plays. `lead` is a faction that the first player of the list must lead.
pub fn setup(
    catalog: &Catalog,
    args: &SetupArgs,
    seats: &[String],
    first: Player,
    rest: Player,
    lead: Option<&str>,
    seed: u64,
) -> Result<Setup> {
    let variant = args.variant.as_deref().map(|id| find_variant(catalog, id)).transpose()?;
    let (least, most) = variant.map_or(catalog.seats, |variant| variant.seats);
    let (least, most) = (usize::from(least.max(catalog.seats.0)), usize::from(most.min(catalog.seats.1)));
    let mut named: Vec<(SeatId, Player)> = Vec::new();
    let mut listed: Vec<Player> = Vec::new();
    for entry in seats.iter().flat_map(|text| text.split(',')) {
        match entry.split_once('=') {
            Some((faction, player)) => {
                let seat = playable(catalog, faction.trim())?;
                if named.iter().any(|(other, _)| *other == seat) {
                    bail!("--seats names `{faction}` twice");
                }
                named.push((seat, Player::parse(player)?));
            }
            None => listed.push(Player::parse(entry)?),
        }
    }
    if !named.is_empty() && !listed.is_empty() {
        bail!("--seats is either a list of players in seat order or `faction=player` pairs, not both");
    }
    let said = named.len().max(listed.len());
    let count = args.players.unwrap_or(if said > 1 || !named.is_empty() { said } else { most });
    if count < said {
        bail!("--seats names {said} players, but --players is {count}");
    }
    if !(least..=most).contains(&count) {
        let of = variant.map_or(format!("`{}`", catalog.game), |variant| format!("variant `{}`", variant.id));
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        bail!("{of} is for {range} seats, got {count}");
    }
    let lead = lead.map(|id| playable(catalog, id)).transpose()?;
    let players = if named.is_empty() {
        let mut factions: Vec<SeatId> = (0..catalog.playable).map(FactionId::at).collect();
        if let Some(lead) = lead {
            factions.retain(|faction| *faction != lead);
            factions.insert(0, lead);
        }
        // One player in the list stands for the first seat of a game, and for all seats of a simulation.
        factions.truncate(count);
        let player =
            |at: usize| listed.get(at).copied().unwrap_or(if at == 0 && listed.is_empty() { first } else { rest });
        factions.into_iter().enumerate().map(|(at, seat)| (seat, player(at))).collect()
    } else {
        if let Some(lead) = lead
            && !named.iter().any(|(seat, _)| *seat == lead)
        {
            bail!("--faction and --seats name different factions");
        }
        let mut free = (0..catalog.playable)
            .map(FactionId::at)
            .filter(|f| !named.iter().any(|(seat, _)| seat == f))
            .collect::<Vec<_>>();
        free.reverse();
        while named.len() < count {
            let Some(seat) = free.pop() else { break };
            named.push((seat, rest));
        }
        named
    };
    let mut players: Vec<(SeatId, Player)> = players;
    players.sort_unstable_by_key(|(seat, _)| *seat);
    let mut options = variant.map(|variant| variant.options.clone()).unwrap_or_default();
    for text in &args.options {
        let (counter, value) = option(catalog, text)?;
        options.retain(|(other, _)| *other != counter);
        options.push((counter, value));
    }
    options.sort_unstable();
    let config = GameConfig { seats: players.iter().map(|(seat, _)| *seat).collect(), seed, options };
    Ok(Setup { config, players })
}

fn find_variant<'a>(catalog: &'a Catalog, id: &str) -> Result<&'a Variant> {
    catalog.variants.iter().find(|variant| variant.id == id).ok_or_else(|| {
        let ids: Vec<&str> = catalog.variants.iter().map(|variant| variant.id.as_str()).collect();
        if ids.is_empty() {
            return anyhow!("unknown variant `{id}`: `{}` offers none", catalog.game);
        }
        let hint = hint(id, ids.iter().copied());
        anyhow!("unknown variant `{id}`, `{}` offers: {}{hint}", catalog.game, ids.join(", "))
    })
}

/// The playable faction with an id.
pub fn playable(catalog: &Catalog, id: &str) -> Result<SeatId> {
    let ids: Vec<&str> = catalog.factions[..catalog.playable].iter().map(|faction| faction.id.as_str()).collect();
    match ids.iter().position(|known| *known == id) {
        Some(at) => Ok(FactionId::at(at)),
        None => {
            let hint = hint(id, ids.iter().copied());
            bail!("`{id}` is no faction that can be led; there are {}{hint}", ids.join(", "))
        }
    }
}

fn option(catalog: &Catalog, text: &str) -> Result<(CounterId, i32)> {
    let (key, value) = text.split_once('=').with_context(|| format!("--set wants KEY=VALUE, got `{text}`"))?;
    let value: i32 = value.parse().with_context(|| format!("--set {key}: `{value}` is no whole number"))?;
    let options: Vec<&str> =
        catalog.counters.iter().filter(|counter| counter.option).map(|counter| counter.id.as_str()).collect();
    let found = catalog.counter(key).filter(|counter| catalog.counters[counter.index()].option);
    let Some(counter) = found else {
        let hint = hint(key, options.iter().copied());
        bail!("`{key}` is no setup option; there are: {}{hint}", options.join(", "));
    };
    let spec = &catalog.counters[counter.index()];
    if !(spec.min..=spec.max).contains(&value) {
        bail!("--set {key}: from {} to {}, got {value}", spec.min, spec.max);
    }
    Ok((counter, value))
}

/// A seed that nobody chose.
pub fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    // Short enough to be typed again.
    derive_seed(now.map_or(0, |now| now.as_nanos() as u64), u64::from(std::process::id())) % 1_000_000_000
}
