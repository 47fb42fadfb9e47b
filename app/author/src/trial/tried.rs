//! What a search has tried, in numbers and in words.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// What a search has tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Tried {
    /// The number of games begun, those included that continue from a position of another game.
    pub games: u64,
    /// The number of answers in all of them.
    pub answers: u64,
    /// In how many games a zone of a seat had the card.
    pub held: u64,
    /// The kinds of zones in which the card has been.
    pub zones: Vec<String>,
    /// How often an option that named the card was tried out and did not make it act, by the verbs of the options.
    pub named: BTreeMap<String, u64>,
    /// In how many games the card acted without being chosen.
    pub acted: u64,
}

/// The most names in a list.
const NAMES: usize = 6;

impl Tried {
    /// What was tried and why it was not enough, in a sentence.
    pub fn told(&self) -> String {
        let Tried { games, answers, held, .. } = self;
        let why = self.why();
        format!(
            "the search has not found a position in which this card can be played: it tried {games} games with \
             {answers} answers; a seat had the card in {held} of them; {why}"
        )
    }

    fn why(&self) -> String {
        let acted = match self.acted {
            0 => String::new(),
            acted => format!("; it acted by itself in {acted} games"),
        };
        let zones = self.zones.iter().take(NAMES).map(|zone| format!("`{zone}`")).collect::<Vec<_>>().join(", ");
        if self.named.is_empty() {
            return format!("no option named it, and it was only in {zones}{acted}");
        }
        let verbs: Vec<String> =
            self.named.iter().take(NAMES).map(|(verb, times)| format!("{verb} ({times})")).collect();
        format!("options named it, but it did not act after them: {}{acted}", verbs.join(", "))
    }
}
