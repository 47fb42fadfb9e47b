//! One moment of a game as a viewer sees it: the table, the open decisions in words, the board.

use principes_core::*;
use principes_scripting::LuaHost;
use serde::Serialize;

use super::preview::previews;
use crate::board::Board;
use crate::words::Words;

/// One moment of a game, with the words to describe it.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The game. Not for viewers: it knows every secret.
    pub game: &'a Game<LuaHost>,
    /// Names and sentences.
    pub words: &'a Words,
}

/// A decision that a seat has to make, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpenDecision {
    /// Who must choose: the id of a faction.
    pub seat: String,
    /// Id of the kind of decision.
    pub decision: String,
    /// The question, as a sentence.
    pub prompt: String,
    /// What to know about the decision: prices, consequences.
    pub help: Option<String>,
    /// The card or rule that asks.
    pub source: Option<Source>,
    /// Every legal option, in a stable order.
    pub options: Vec<OptionInWords>,
}

/// The card or rule behind a decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Source {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Its text, numbers filled in.
    pub text: Option<String>,
}

/// An option, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OptionInWords {
    /// What answers are given by, and what saves and scenarios say.
    pub key: String,
    /// What it says to people.
    pub text: String,
    /// What to know before it is taken: whom a march would fight, whose borders it would enter.
    pub note: Option<String>,
    /// The text of the card or rule that it is about, numbers filled in.
    pub detail: Option<String>,
    /// What it changes at once for the seat: `Gold −1, People +1`.
    pub preview: Option<String>,
    /// Its verb; none if the option is just a thing to pick.
    pub verb: Option<String>,
    /// The names of its values, in order.
    pub values: Vec<String>,
    /// The places of its values on the table, in order; values without a place have none.
    pub places: Vec<Place>,
}

/// A place on the table that a display can light. All fields are ids.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A space of the board.
    Space(String),
    /// Pieces of a kind on a space.
    Piece {
        /// The kind of piece.
        kind: String,
        /// Where it is.
        space: String,
        /// Whose it is.
        owner: Option<String>,
    },
    /// A card in a zone.
    Card {
        /// The card's design.
        card: String,
        /// The zone it is in.
        zone: String,
        /// Whose zone.
        owner: Option<String>,
    },
    /// A zone of cards.
    Zone(String),
    /// A faction's place at the table.
    Faction(String),
    /// A counter.
    Counter(String),
}

impl Scene<'_> {
    /// The table as a seat may see it; with none as a spectator may.
    pub fn view_for(&self, viewer: Option<SeatId>) -> View {
        self.game.table().view(viewer)
    }

    /// The open decisions of a seat. Nobody else may see them.
    pub fn decisions(&self, seat: SeatId) -> Vec<OpenDecision> {
        let view = self.view_for(Some(seat));
        view.decisions.iter().map(|decision| self.decision(decision, &view)).collect()
    }

    /// Options in words, as the seat of a view may read them.
    pub fn options(&self, options: &[DecisionOption], view: &View) -> Vec<OptionInWords> {
        options.iter().map(|option| self.option(option, view)).collect()
    }

    /// The options of a decision, with what each changes at once.
    pub fn options_of(&self, decision: &Decision, view: &View) -> Vec<OptionInWords> {
        let mut options = self.options(&decision.options, view);
        for (option, preview) in options.iter_mut().zip(previews(self.game, self.words, decision)) {
            option.preview = preview;
        }
        options
    }

    /// The board as data.
    pub fn board(&self, viewer: Option<SeatId>) -> Board {
        Board::new(self.words, &self.view_for(viewer))
    }

    /// A decision in words, as the seat of a view may read it.
    pub fn decision(&self, decision: &Decision, view: &View) -> OpenDecision {
        let catalog = self.game.catalog();
        OpenDecision {
            seat: catalog.id_of(Value::Faction(decision.seat)),
            decision: catalog.decisions[decision.kind.index()].id.clone(),
            prompt: self.words.prompt(decision, view),
            help: self.words.help(decision, view),
            source: self.source(decision.source),
            options: self.options_of(decision, view),
        }
    }

    fn source(&self, value: Value) -> Option<Source> {
        if value == Value::Nil {
            return None;
        }
        let text = self.words.text_of(value);
        Some(Source { id: self.game.catalog().id_of(value), name: self.words.value(value, None), text })
    }

    fn option(&self, option: &DecisionOption, view: &View) -> OptionInWords {
        let catalog = self.game.catalog();
        OptionInWords {
            key: option.key(catalog),
            text: self.words.option(option, view),
            note: self.words.note(option, view),
            detail: option.args.iter().find_map(|value| self.words.text_of(*value)),
            preview: None,
            verb: option.verb.map(|verb| catalog.symbols.name(verb.index()).to_owned()),
            values: option.args.iter().map(|value| self.words.value(*value, Some(view))).collect(),
            places: option.args.iter().filter_map(|value| place(catalog, *value, view)).collect(),
        }
    }
}

/// The place of a value, if the viewer sees it.
fn place(catalog: &Catalog, value: Value, view: &View) -> Option<Place> {
    let id = catalog.id_of(value);
    let faction = |faction: FactionId| catalog.id_of(Value::Faction(faction));
    Some(match value {
        Value::Space(_) => Place::Space(id),
        Value::Faction(_) => Place::Faction(id),
        Value::Zone(_) => Place::Zone(id),
        Value::Counter(_) => Place::Counter(id),
        Value::Piece(piece) => {
            let seen = (*view.pieces.get(piece.index())?)?;
            let space = catalog.id_of(Value::Space(seen.space()?));
            Place::Piece { kind: id, space, owner: seen.owner().map(faction) }
        }
        Value::Card(card) => {
            let zone = view.zones.iter().find(|zone| zone.cards.contains(&Some(card)))?;
            Place::Card { card: id, zone: catalog.id_of(Value::Zone(zone.zone)), owner: zone.owner.map(faction) }
        }
        Value::Nil | Value::Int(_) | Value::Kind(_) | Value::Design(_) | Value::Symbol(_) | Value::Rule(_) => {
            return None;
        }
    })
}
