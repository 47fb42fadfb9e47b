//! Who can play a seat: one table of all players. What `--seats` takes, help, errors, the lobby, the lab and the docs
//! follow from it.
//!
//! A new bot needs its implementation in `principes_core::bots`, an entry in `players!`, and `.ci/generate` for
//! `docs/bots.md`.

use std::rc::Rc;
use std::str::FromStr;

use principes_core::Catalog;
use principes_core::bots::{Bot, GreedyBot, MctsBot, PolicyBot, RandomBot, ValueBot, Workers};
use principes_core::scripts::Scripts;
use principes_findings::{hint, nearest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The greatest number that a bot takes, such as that of the playouts for one decision.
const MOST: u32 = 1_000_000;

/// What all players of one kind share, whatever their number.
#[derive(Clone, Copy, Debug)]
pub struct PlayerKind {
    /// Its name in `--seats`, without a number.
    pub name: &'static str,
    /// How it chooses, on one short line.
    pub chooses: &'static str,
    /// What it is good for, on one line.
    pub use_for: &'static str,
    /// The key of the words with which pages name it.
    pub word: &'static str,
    /// Whether only games with a trained player have it.
    pub is_trained: bool,
    /// Whether it searches, on several threads if there are some.
    pub searches: bool,
    /// Makes such a player, if it takes a number.
    pub numbered: Option<fn(u32) -> Player>,
}

/// What a bot is made from.
struct Making<'a> {
    catalog: &'a Catalog,
    seed: u64,
    /// For searches that use several threads.
    workers: Option<&'a Rc<dyn Workers>>,
}

/// Makes the type of players and all that depends on the kind of a player. A number in parentheses is the usual one.
macro_rules! players {
    ($of:ident; $(
        $(#[$doc:meta])*
        $player:ident $(($number:ident: $type:ty = $usual:literal))? {
            $($fact:ident: $value:expr,)*
        } => $made:expr;
    )*) => {
        /// The player of a seat.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        pub enum Player {
            $($(#[$doc])* $player $(($type))?,)*
        }

        impl Player {
            /// One player of each kind, with its usual number if it takes one.
            pub const ALL: &[Player] = &[$(Player::$player $(($usual))?,)*];

            /// What is known of such players.
            #[allow(unused_variables)]
            pub const fn kind(self) -> PlayerKind {
                match self {
                    $(Player::$player $(($number))? => PlayerKind { $($fact: $value,)* },)*
                }
            }

            /// The number of a player that has one.
            fn number(self) -> Option<u32> {
                match self {
                    $(Player::$player $(($number))? => {
                        let number: &[u32] = &[$($number)?];
                        number.first().copied()
                    })*
                }
            }

            /// The bot for a game of a catalog; `None` for a human. With workers, a search uses several threads.
            pub fn bot<S: Scripts>(
                self,
                catalog: &Catalog,
                seed: u64,
                workers: Option<&Rc<dyn Workers>>,
            ) -> Option<Box<dyn Bot<S>>> {
                let $of = Making { catalog, seed, workers };
                match self {
                    $(Player::$player $(($number))? => $made,)*
                }
            }
        }
    };
}

players! {
    of;
    /// A person.
    Human {
        name: "human",
        chooses: "a person",
        use_for: "playing",
        word: "page.person",
        is_trained: false,
        searches: false,
        numbered: None,
    } => None;
    /// A bot that chooses options at random.
    Random {
        name: "random",
        chooses: "takes any option",
        use_for: "testing a pack: it reaches every corner",
        word: "page.bot-random",
        is_trained: false,
        searches: false,
        numbered: None,
    } => Some(Box::new(RandomBot::new(of.seed)));
    /// A bot that looks one step ahead.
    Greedy {
        name: "greedy",
        chooses: "tries its options once each, and takes the one with the best result",
        use_for: "many games; a first opponent",
        word: "page.bot-greedy",
        is_trained: false,
        searches: false,
        numbered: None,
    } => Some(Box::new(GreedyBot::new(of.seed)));
    /// A trained bot that does not look ahead.
    Policy {
        name: "policy",
        chooses: "takes the option that a trained player prefers, without looking ahead",
        use_for: "thousands of good games",
        word: "page.bot-policy",
        is_trained: true,
        searches: false,
        numbered: None,
    } => Some(Box::new(PolicyBot::new(of.catalog)));
    /// A trained bot that looks one step ahead.
    Value {
        name: "value",
        chooses: "tries what a trained player likes, to the end of the turn",
        use_for: "a strong, quick opponent",
        word: "page.bot-value",
        is_trained: true,
        searches: false,
        numbered: None,
    } => Some(Box::new(ValueBot::new(of.catalog, of.seed)));
    /// A bot that searches, with the number of playouts for each decision: 1 to 1,000,000.
    Mcts(playouts: u32 = 50) {
        name: "mcts",
        chooses: "imagines N worlds for each decision, and looks ahead in each",
        use_for: "the strongest opponent; balance between good players",
        word: "page.bot-mcts",
        is_trained: false,
        searches: true,
        numbered: Some(Player::Mcts),
    } => Some(Box::new(MctsBot::new(of.seed, playouts, of.workers.cloned())));
}

/// A strength of bots that the lobby offers.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    /// Its name; `page.who-NAME` is its words.
    pub name: &'static str,
    /// The bot.
    player: Player,
    /// The bot in games with a trained player.
    trained: Player,
}

impl Strength {
    /// The strengths, from the weakest.
    pub const ALL: &[Strength] = &[
        Strength { name: "easy", player: Player::Random, trained: Player::Random },
        Strength { name: "normal", player: Player::Greedy, trained: Player::Greedy },
        Strength { name: "strong", player: Player::Mcts(60), trained: Player::Value },
        Strength { name: "strongest", player: Player::Mcts(300), trained: Player::Mcts(200) },
    ];

    /// The bot of this strength.
    pub fn player(self, is_trained: bool) -> Player {
        if is_trained { self.trained } else { self.player }
    }
}

impl Player {
    /// The word that `--seats` takes for it, such as `mcts:50`.
    pub fn name(self) -> String {
        let name = self.kind().name;
        self.number().map_or_else(|| name.to_owned(), |number| format!("{name}:{number}"))
    }

    /// The words that `--seats` takes for players of its kind, such as `mcts:N`.
    pub fn pattern(self) -> String {
        let kind = self.kind();
        if kind.numbered.is_some() { format!("{}:N", kind.name) } else { kind.name.to_owned() }
    }

    /// Whether it is not a person.
    pub fn is_bot(self) -> bool {
        self != Player::Human
    }
}

/// The words of `--seats` for some players, as a list in a sentence.
pub fn listed(players: impl Iterator<Item = Player>) -> String {
    let mut names: Vec<String> = players.map(Player::pattern).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} or {last}", names.join(", ")) }
}

/// The names of the players that take a number, and an example of one.
fn numbered() -> (String, String) {
    let all = || Player::ALL.iter().filter(|player| player.kind().numbered.is_some());
    let names: Vec<String> = all().map(|player| format!("`{}`", player.kind().name)).collect();
    (names.join(" or "), all().next().map_or_else(String::new, |player| player.name()))
}

/// Why a text is not a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// The number is out of range or not a number.
    #[error("`{text}`: the number after `{}` must be from 1 to {MOST}, such as `{}`", example.kind().name, example.name())]
    Range {
        /// What the user wrote instead of a player.
        text: String,
        /// A player of this kind.
        example: Player,
    },
    /// The number is missing.
    #[error("`{}` needs a number from 1 to {MOST}, such as `{}`", _0.kind().name, _0.name())]
    NoNumber(Player),
    /// A number after another name.
    #[error("unknown player `{0}`; only {names} takes a number, such as `{example}`", names = numbered().0, example = numbered().1)]
    Number(String),
    /// An unknown name.
    #[error("unknown player `{name}`; expected {}{}", listed(Player::ALL.iter().copied()), hint(near.as_deref()))]
    Unknown {
        /// What the user wrote instead of a player.
        name: String,
        /// A similar known name.
        near: Option<String>,
    },
}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let text = text.trim();
        let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        let known = Player::ALL.iter().copied().find(|player| player.kind().name == name);
        match (known, known.and_then(|player| player.kind().numbered), number) {
            (Some(player), None, None) => Ok(player),
            (Some(player), Some(_), None) => Err(PlayerError::NoNumber(player)),
            (Some(example), Some(make), Some(number)) => {
                let number = number.parse().ok().filter(|number| (1..=MOST).contains(number));
                number.map(make).ok_or_else(|| PlayerError::Range { text: text.to_owned(), example })
            }
            (_, _, Some(_)) => Err(PlayerError::Number(text.to_owned())),
            (None, _, None) => {
                let near = nearest(name, Player::ALL.iter().map(|player| player.kind().name));
                Err(PlayerError::Unknown { name: name.to_owned(), near })
            }
        }
    }
}

impl From<Player> for String {
    fn from(player: Player) -> String {
        player.name()
    }
}
impl TryFrom<String> for Player {
    type Error = PlayerError;
    fn try_from(name: String) -> Result<Self, PlayerError> {
        name.parse()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::words::own_words;

    /// The longest line that help prints without a break.
    const LONGEST_LINE: usize = 75;

    #[test]
    fn every_player_has_a_name_that_is_read_again_and_words() {
        let names: BTreeSet<&str> = Player::ALL.iter().map(|player| player.kind().name).collect();
        assert_eq!(names.len(), Player::ALL.len());
        for player in Player::ALL {
            let kind = player.kind();
            assert_eq!(player.name().parse(), Ok(*player));
            assert_eq!(player.number().is_some(), kind.numbered.is_some(), "{}", kind.name);
            assert!(kind.chooses.len() <= LONGEST_LINE, "{}", kind.name);
            for language in ["en", "de", "pl"] {
                assert!(own_words(language).contains_key(kind.word), "{language}: {}", kind.word);
            }
        }
    }

    #[test]
    fn every_strength_has_words_and_a_bot_that_its_games_have() {
        for strength in Strength::ALL {
            assert!(own_words("en").contains_key(&format!("page.who-{}", strength.name)), "{}", strength.name);
            assert!(strength.player.is_bot() && strength.trained.is_bot());
            assert!(!strength.player(false).kind().is_trained, "{}", strength.name);
        }
    }

    #[test]
    fn what_is_not_a_player_is_refused_with_what_would_be_right() {
        let refused = |text: &str| text.parse::<Player>().unwrap_err().to_string();
        for (text, wanted) in [
            ("gready", "did you mean `greedy`?"),
            ("mcts", "`mcts` needs a number from 1 to 1000000, such as `mcts:50`"),
            ("mcts:0", "the number after `mcts` must be from 1 to 1000000"),
            ("mcts:many", "the number after `mcts` must be from 1 to 1000000"),
            ("greedy:3", "unknown player `greedy:3`; only `mcts` takes a number"),
        ] {
            assert!(refused(text).contains(wanted), "{}", refused(text));
        }
    }
}
