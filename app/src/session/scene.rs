//! A moment of a game as a viewer sees it: the table, the open decisions in words, the board.

use principes_core::*;
use principes_scripting::LuaHost;
use schemars::JsonSchema;
use serde::Serialize;

use super::preview::{previews, sentence};
use super::story::CounterChange;
use crate::board::SeenBoard;
use crate::words::Words;

/// A moment of a game, with the words to describe it.
#[derive(Clone, Copy)]
pub struct GameInWords<'a> {
    /// The game. Do not show it to viewers: it contains every secret.
    pub game: &'a Game<LuaHost>,
    /// Names and sentences.
    pub words: &'a Words,
}

/// A decision that a seat has to make, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct OpenDecision {
    /// The id of the faction that must choose.
    pub seat: String,
    /// The id of the decision.
    pub decision: String,
    /// The message that asks for the decision, with its values filled in.
    pub prompt: String,
    /// The help: prices, consequences.
    pub help: Option<String>,
    /// The card or rule that asks for it.
    pub source: Option<Source>,
    /// What it is about, as far as the display shows it: the values of its message, such as the piece that moves.
    pub about: Vec<Spot>,
    /// Every legal option, in a stable order.
    pub options: Vec<OptionInWords>,
}

/// The card or rule that asks for a decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Source {
    /// As the packs declare it.
    pub id: String,
    /// The title in the language of the viewer.
    pub name: String,
    /// The text, with numbers filled in.
    pub text: Option<String>,
}

/// A legal answer with everything that a display needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct OptionInWords {
    /// The key, which answers, saves and scenarios use.
    pub key: String,
    /// The text for people.
    pub text: String,
    /// What players should know before they take it: whom a march would fight, whose borders it would enter.
    pub note: Option<String>,
    /// What it does, if the packs say so.
    pub help: Option<String>,
    /// The text of the card or rule that it is about, with numbers filled in.
    pub detail: Option<String>,
    /// The immediate changes for the seat: `Gold −1, People +1`.
    pub preview: Option<String>,
    /// The same changes, one by one.
    pub changes: Vec<CounterChange>,
    /// The verb; `None` if the option only names a thing.
    pub verb: Option<String>,
    /// The names of its values, in order.
    pub values: Vec<String>,
    /// The locations of its values on the table, in order. Values without a location are left out.
    pub places: Vec<Spot>,
}

/// A spot on the table that a display can highlight. All fields are ids.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spot {
    /// A space of the board.
    Space(String),
    /// Pieces of a kind on a space.
    Piece {
        /// The kind of piece.
        kind: String,
        /// Where they are.
        space: String,
        /// Whose they are; `None` is nobody.
        owner: Option<String>,
    },
    /// A card in a zone.
    Card {
        /// The card's design.
        card: String,
        /// Where the card is.
        zone: String,
        /// The owner of the zone.
        owner: Option<String>,
    },
    /// A zone of cards.
    Zone(String),
    /// A faction's area of the table.
    Faction(String),
    /// A counter that the display shows.
    Counter(String),
}

/// A move that a seat has planned, but not made yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PlannedMove {
    /// What moves.
    pub piece: Spot,
    /// The id of the space that it moves to.
    pub to: String,
}

impl GameInWords<'_> {
    /// The table as a seat sees it; with `None`, as a spectator sees it.
    pub fn view_for(&self, viewer: Option<SeatId>) -> View {
        self.game.table().view(viewer)
    }

    /// The open decisions of a seat. No other seat may see them.
    pub fn decisions(&self, seat: SeatId) -> Vec<OpenDecision> {
        let view = self.view_for(Some(seat));
        view.decisions.iter().map(|decision| self.decision(decision, &view)).collect()
    }

    /// The moves that a seat has planned, in the order of its plan. No other seat may see them.
    pub fn planned_moves(&self, seat: SeatId) -> Vec<PlannedMove> {
        let (table, catalog) = (self.game.table(), self.game.catalog());
        let view = self.view_for(Some(seat));
        let own = table.world.flow().iter().filter_map(|frame| match frame {
            Frame::Movement(movement) if movement.mover() == seat => Some(movement),
            _ => None,
        });
        let planned = |(piece, _, to)| {
            let piece = spot(catalog, Value::Piece(piece), &view)?;
            Some(PlannedMove { piece, to: catalog.id_of(Value::Space(to)) })
        };
        own.flat_map(|movement| movement.drafts(table)).filter_map(planned).collect()
    }

    /// The options in words, for the seat of a view.
    pub fn options(&self, options: &[DecisionOption], view: &View) -> Vec<OptionInWords> {
        options.iter().map(|option| self.option(option, view)).collect()
    }

    /// The options of a decision, with the immediate changes of each.
    pub fn options_of(&self, decision: &Decision, view: &View) -> Vec<OptionInWords> {
        let mut options = self.options(&decision.options, view);
        for (option, preview) in options.iter_mut().zip(previews(self.game, self.words, decision)) {
            option.preview = sentence(&preview.changes);
            option.changes = preview.changes;
            if preview.only_spends_a_card && option.note.is_none() {
                option.note = Some(self.words.spent_for_nothing());
            }
        }
        options
    }

    /// The board as data.
    pub fn board(&self, viewer: Option<SeatId>) -> SeenBoard {
        SeenBoard::new(self.words, &self.view_for(viewer))
    }

    /// A decision in words, for the seat of a view.
    pub fn decision(&self, decision: &Decision, view: &View) -> OpenDecision {
        let catalog = self.game.catalog();
        let decision = &self.game.table().shown(decision);
        OpenDecision {
            seat: catalog.id_of(Value::Faction(decision.seat)),
            decision: catalog.decisions[decision.kind.index()].id.clone(),
            prompt: self.words.prompt(decision, view),
            help: self.words.help(decision, view),
            source: self.source(decision.source),
            about: decision.about.iter().filter_map(|value| spot(catalog, *value, view)).collect(),
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
            help: self.words.option_help(option, view),
            detail: option.args.iter().find_map(|value| self.words.text_of(*value)),
            preview: None,
            changes: Vec::new(),
            verb: option.verb.map(|verb| catalog.symbols.name(verb.index()).to_owned()),
            values: option.args.iter().map(|value| self.words.value(*value, Some(view))).collect(),
            places: option.args.iter().filter_map(|value| spot(catalog, *value, view)).collect(),
        }
    }
}

/// The spot of a value, if the viewer sees it.
fn spot(catalog: &Catalog, value: Value, view: &View) -> Option<Spot> {
    let id = catalog.id_of(value);
    let faction = |faction: FactionId| catalog.id_of(Value::Faction(faction));
    Some(match value {
        Value::Space(_) => Spot::Space(id),
        Value::Faction(_) => Spot::Faction(id),
        Value::Zone(_) => Spot::Zone(id),
        Value::Counter(_) => Spot::Counter(id),
        Value::Piece(piece) => {
            let seen = (*view.pieces.get(piece.index())?)?;
            let space = catalog.id_of(Value::Space(seen.space()?));
            Spot::Piece { kind: id, space, owner: seen.owner().map(faction) }
        }
        Value::Card(card) => {
            let zone = view.zones.iter().find(|zone| zone.cards.contains(&Some(card)))?;
            Spot::Card { card: id, zone: catalog.id_of(Value::Zone(zone.zone)), owner: zone.owner.map(faction) }
        }
        // Everything else is not on the board.
        _ => return None,
    })
}
