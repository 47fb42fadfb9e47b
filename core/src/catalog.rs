//! The [`Catalog`]: everything that packs compiled to. It never changes during a game and is shared by all games.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::{Deref, Range};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::ids::*;
use crate::table::SpaceFilter;

/// A list of names with a look-up by name.
#[derive(Clone, Debug, Default)]
pub struct Names {
    list: Vec<String>,
    index: BTreeMap<String, usize>,
}

impl Names {
    /// The position of `name`, which is added at the end where it is new.
    pub fn intern(&mut self, name: &str) -> usize {
        if let Some(&at) = self.index.get(name) {
            return at;
        }
        self.list.push(name.to_owned());
        self.index.insert(name.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
    /// The position of `name`.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }
    /// The name at a position.
    pub fn name(&self, at: usize) -> &str {
        self.list.get(at).map_or("?", String::as_str)
    }
    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }
    /// How many names there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }
    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Free-form properties of an entity, sorted by keyword.
#[derive(Clone, Debug, Default)]
pub struct Props(pub Vec<(SymbolId, Value)>);

impl Props {
    /// The property `name`.
    pub fn get(&self, name: SymbolId) -> Option<Value> {
        self.0.binary_search_by_key(&name, |(key, _)| *key).ok().map(|at| self.0[at].1)
    }
    /// The property as a number; 0 where it is missing or no number.
    pub fn int(&self, name: SymbolId) -> i32 {
        match self.get(name) {
            Some(Value::Int(n)) => n,
            _ => 0,
        }
    }
    /// Sets a property, keeping the order.
    pub fn set(&mut self, name: SymbolId, value: Value) {
        match self.0.binary_search_by_key(&name, |(key, _)| *key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (name, value)),
        }
    }
}

/// Points that the controller of a space gains there and loses with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlScore {
    /// Which counter (of the controller's seat).
    pub counter: CounterId,
    /// How many points.
    pub amount: i32,
}

/// A faction.
#[derive(Clone, Debug)]
pub struct Faction {
    /// Id in the pack.
    pub id: String,
    /// Whether a player may lead it.
    pub playable: bool,
    /// Group keyword.
    pub group: SymbolId,
    /// Colour word for displays.
    pub colour: String,
    /// Free-form properties.
    pub props: Props,
}

/// When a piece that the setup lists for a space is really placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartWhen {
    /// In every game.
    Always,
    /// If its faction is led by a seat.
    Led,
    /// If nobody leads its faction.
    Unled,
}

/// Pieces that stand on a space when the game begins.
#[derive(Clone, Debug)]
pub struct StartPieces {
    /// Kind of piece.
    pub kind: KindId,
    /// Owner.
    pub faction: Option<FactionId>,
    /// How many.
    pub count: u16,
    /// In which games.
    pub when: StartWhen,
}

/// A space of the board.
#[derive(Clone, Debug)]
pub struct Space {
    /// Id in the pack.
    pub id: String,
    /// Kind keyword (`land`, `area`, `hex`…).
    pub kind: SymbolId,
    /// The faction inside whose borders it lies.
    pub home: Option<FactionId>,
    /// Where to draw it: x to the east, y to the south, in units of the pack's choice.
    pub at: (i32, i32),
    /// Spaces that can be entered from here, in id order. One way where only one side lists the other.
    pub exits: Vec<SpaceId>,
    /// Points for its controller.
    pub on_control: Vec<ControlScore>,
    /// Pieces at the start.
    pub pieces: Vec<StartPieces>,
    /// Free-form properties.
    pub props: Props,
}

/// The spaces of the board.
#[derive(Clone, Debug, Default)]
pub struct Board {
    list: Vec<Space>,
    /// For each property the spaces that have it, those with the same value together.
    alike: BTreeMap<SymbolId, Vec<Vec<SpaceId>>>,
    /// For each space those to which one can go and come back.
    neighbors: Vec<Vec<SpaceId>>,
    /// For each space the steps to all of them, worked out when they are asked for; nothing on large boards.
    steps: Vec<OnceLock<Box<[u16]>>>,
}

/// On boards with more spaces steps are counted anew each time: all of them would take megabytes.
const MOST_KEPT: usize = 1024;

impl From<Vec<Space>> for Board {
    fn from(list: Vec<Space>) -> Self {
        let mut alike: BTreeMap<SymbolId, BTreeMap<Value, Vec<SpaceId>>> = BTreeMap::new();
        for (at, space) in list.iter().enumerate() {
            for (property, value) in &space.props.0 {
                alike.entry(*property).or_default().entry(*value).or_default().push(SpaceId::at(at));
            }
        }
        let alike = alike.into_iter().map(|(property, groups)| (property, groups.into_values().collect())).collect();
        let leads_back = |here: usize, there: &&SpaceId| list[there.index()].exits.contains(&SpaceId::at(here));
        let around =
            |(at, space): (usize, &Space)| space.exits.iter().filter(|there| leads_back(at, there)).copied().collect();
        let neighbors = list.iter().enumerate().map(around).collect();
        let steps = if list.len() <= MOST_KEPT { vec![OnceLock::new(); list.len()] } else { Vec::new() };
        Board { list, alike, neighbors, steps }
    }
}

impl Deref for Board {
    type Target = [Space];
    fn deref(&self) -> &[Space] {
        &self.list
    }
}

impl<'a> IntoIterator for &'a Board {
    type Item = &'a Space;
    type IntoIter = std::slice::Iter<'a, Space>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl Board {
    /// The spaces that have a property, those with the same value of it together; in id order within.
    pub fn alike(&self, prop: SymbolId) -> &[Vec<SpaceId>] {
        self.alike.get(&prop).map_or(&[], Vec::as_slice)
    }
    /// The spaces to which one can go from a space and come back, in id order.
    pub fn neighbors(&self, space: SpaceId) -> &[SpaceId] {
        &self.neighbors[space.index()]
    }

    /// What [`Board::steps`] has for a space that cannot be reached.
    pub const NO_WAY: u16 = u16::MAX;

    /// How many steps it is from a space to each of them, in id order; [`Board::NO_WAY`] where no way leads.
    pub fn steps(&self, from: SpaceId) -> Cow<'_, [u16]> {
        match self.steps.get(from.index()) {
            Some(known) => Cow::Borrowed(known.get_or_init(|| self.count_steps(from).into())),
            None => Cow::Owned(self.count_steps(from)),
        }
    }

    fn count_steps(&self, from: SpaceId) -> Vec<u16> {
        let mut steps = vec![Self::NO_WAY; self.len()];
        steps[from.index()] = 0;
        let (mut ring, mut far) = (vec![from], 0);
        while !ring.is_empty() && far + 1 < Self::NO_WAY {
            far += 1;
            let mut next = Vec::new();
            for exit in ring.iter().flat_map(|space| &self[space.index()].exits) {
                let known = &mut steps[exit.index()];
                if *known == Self::NO_WAY {
                    *known = far;
                    next.push(*exit);
                }
            }
            ring = next;
        }
        steps
    }
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Id in the pack.
    pub id: String,
    /// Class keyword (`cavalry`, `building`…).
    pub class: SymbolId,
    /// Whether pieces of this kind hold a space: they count for control, stop movement and fight.
    pub occupies: bool,
    /// Numbers that procedures and scripts read.
    pub stats: Props,
    /// Points for who controls the space it stands on.
    pub on_control: Vec<ControlScore>,
    /// Free-form properties.
    pub props: Props,
    /// Whether only its owner and those who see its space see it (see [`Catalog::fog`]).
    pub fogged: bool,
}

/// One piece of the box.
#[derive(Clone, Copy, Debug)]
pub struct PieceSpec {
    /// Its kind.
    pub kind: KindId,
    /// Its owner.
    pub owner: Option<FactionId>,
}

/// The box of pieces.
#[derive(Clone, Debug, Default)]
pub struct PieceBox {
    list: Vec<PieceSpec>,
    /// For each kind from where to where in the list its pieces lie.
    spans: Vec<Range<usize>>,
}

impl From<Vec<PieceSpec>> for PieceBox {
    fn from(list: Vec<PieceSpec>) -> Self {
        let kinds = list.iter().map(|piece| piece.kind.index() + 1).max().unwrap_or(0);
        let mut spans = vec![0..0; kinds];
        for (at, piece) in list.iter().enumerate() {
            let span = &mut spans[piece.kind.index()];
            *span = (if span.end == 0 { at } else { span.start })..at + 1;
        }
        PieceBox { list, spans }
    }
}

impl Deref for PieceBox {
    type Target = [PieceSpec];
    fn deref(&self) -> &[PieceSpec] {
        &self.list
    }
}

impl PieceBox {
    /// From where to where the pieces of a kind lie, or those of all kinds. There may be others among them.
    pub(crate) fn span(&self, kind: Option<KindId>) -> Range<usize> {
        match kind {
            Some(kind) => self.spans.get(kind.index()).cloned().unwrap_or_default(),
            None => 0..self.list.len(),
        }
    }

    /// The pieces of a kind in id order.
    pub fn of_kind(&self, kind: KindId) -> impl Iterator<Item = PieceId> + '_ {
        self.span(Some(kind)).filter(move |at| self.list[*at].kind == kind).map(PieceId::at)
    }
}

/// How many values a counter or zone has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One for the game.
    Game,
    /// One for each playable faction.
    Faction,
    /// One for each space.
    Space,
    /// One for each card of the box.
    Card,
}

/// Who may see something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visible {
    /// Everyone.
    Everyone,
    /// Only its owner.
    Owner,
    /// Nobody.
    Nobody,
    /// Whoever sees the space (see [`Catalog::fog`]); for counters of spaces.
    Fog,
}

/// A counter that is computed from the spaces its owner controls.
#[derive(Clone, Copy, Debug)]
pub struct Derived {
    /// Property of the controlled spaces that is added up.
    pub space: Option<SymbolId>,
    /// Stat of the pieces on them that is added up.
    pub piece: Option<SymbolId>,
}

/// What a counter keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A number.
    Number,
    /// A space or nothing.
    Space,
    /// A faction or nothing.
    Faction,
    /// A card or nothing.
    Card,
    /// A design or nothing.
    Design,
}

/// A counter or track.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Id in the pack.
    pub id: String,
    /// How many values it has.
    pub scope: Scope,
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
    /// Value at the start.
    pub start: i32,
    /// Who may see it.
    pub visible: Visible,
    /// All values and the bank together, where the supply is limited.
    pub supply: Option<i32>,
    /// Whether displays show it as a track.
    pub track: bool,
    /// Whether it is a setup option.
    pub option: bool,
    /// How it is computed, where it is not stored.
    pub derived: Option<Derived>,
    /// What it keeps.
    pub holds: Holds,
    /// Where its values begin in the world's list.
    pub offset: usize,
}

/// A declared zone.
#[derive(Clone, Debug)]
pub struct ZoneKind {
    /// Id in the pack.
    pub id: String,
    /// One for the game or one for each playable faction.
    pub scope: Scope,
    /// Who sees the faces of its cards.
    pub visible: Visible,
    /// Whether hooks of its cards are live.
    pub active: bool,
    /// Its first [`ZoneId`].
    pub offset: usize,
}

/// The declared zones.
#[derive(Clone, Debug, Default)]
pub struct ZoneKinds {
    list: Vec<ZoneKind>,
    /// Those in which hooks are live.
    active: Vec<usize>,
}

impl From<Vec<ZoneKind>> for ZoneKinds {
    fn from(list: Vec<ZoneKind>) -> Self {
        let active = list.iter().enumerate().filter(|(_, zone)| zone.active).map(|(at, _)| at).collect();
        ZoneKinds { list, active }
    }
}

impl Deref for ZoneKinds {
    type Target = [ZoneKind];
    fn deref(&self) -> &[ZoneKind] {
        &self.list
    }
}

impl ZoneKinds {
    /// The zones in which hooks of cards are live, in the order in which they are declared.
    pub fn active(&self) -> impl Iterator<Item = &ZoneKind> {
        self.active.iter().map(|at| &self.list[*at])
    }
}

/// A hook that listens to a hook point.
#[derive(Clone, Copy, Debug)]
pub struct Listener {
    /// The point.
    pub point: PointId,
    /// What to call.
    pub hook: HookId,
    /// Lower runs first.
    pub priority: i16,
}

/// What is printed on a card.
#[derive(Clone, Debug)]
pub struct Design {
    /// Id in the pack.
    pub id: String,
    /// Type keyword.
    pub card_type: SymbolId,
    /// Faction it belongs to.
    pub faction: Option<FactionId>,
    /// Zone in which its copies lie at the start.
    pub start: ZoneId,
    /// Copies in the box.
    pub copies: u16,
    /// Free-form properties.
    pub props: Props,
    /// Numbers that its text and its hooks read, by name.
    pub params: BTreeMap<String, i32>,
    /// Its hooks.
    pub listeners: Vec<Listener>,
}

/// A bundle of hooks that are live without a card.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Id in the pack.
    pub id: String,
    /// The faction while which is led it is live; always where none.
    pub faction: Option<FactionId>,
    /// Numbers that its text and its hooks read, by name.
    pub params: BTreeMap<String, i32>,
    /// Its hooks.
    pub listeners: Vec<Listener>,
}

/// Whether a hook point computes or acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointKind {
    /// Changes a number; may not change the world or ask.
    Query,
    /// May do anything.
    Effect,
}

/// A hook point.
#[derive(Clone, Debug)]
pub struct Point {
    /// Id.
    pub id: String,
    /// What its listeners may do.
    pub kind: PointKind,
    /// Names of its arguments.
    pub args: Vec<String>,
    /// What it is for.
    pub doc: String,
}

/// To what a hook belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookSource {
    /// The flow or a procedure.
    Flow,
    /// A card design.
    Design(DesignId),
    /// A rule.
    Rule(RuleId),
}

/// One function of one script, bound to the entity it belongs to.
#[derive(Clone, Debug)]
pub struct Hook {
    /// Script module.
    pub module: String,
    /// Function in the module's table.
    pub function: String,
    /// To what it belongs.
    pub source: HookSource,
    /// The point it listens to; none for flow functions.
    pub point: Option<PointId>,
}

/// A decision kind.
#[derive(Clone, Debug)]
pub struct DecisionKind {
    /// Id; the prompt is the message `decision.<id>`.
    pub id: String,
}

/// How often a phase is repeated.
#[derive(Clone, Copy, Debug)]
pub enum Times {
    /// A fixed number.
    Fixed(i32),
    /// The present value of a counter of the game, read before each turn of the loop.
    Counter(CounterId),
}

/// What a phase does.
#[derive(Clone, Debug)]
pub enum PhaseBody {
    /// A script once.
    Run(HookId),
    /// A script for every playing seat in turn order.
    Each(HookId),
    /// A script for every playing seat at the same time, each seeing only its own decisions.
    Simultaneous(HookId),
    /// Other phases, again and again.
    Repeat {
        /// How often.
        times: Times,
        /// The counter that shows the number of the loop, from 1.
        counter: Option<CounterId>,
        /// What is repeated.
        phases: Vec<PhaseId>,
    },
}

/// What a phase lets a seat choose from.
#[derive(Clone, Copy, Debug)]
pub enum Offer {
    /// Spaces that fit.
    Spaces {
        /// Which, but for what hangs on the seat.
        filter: SpaceFilter,
        /// Only inside the seat's own borders.
        own_home: bool,
        /// Only where the seat controls them.
        own_control: bool,
        /// Only beside the space that this counter holds for the seat.
        beside: Option<CounterId>,
    },
    /// What a script lists.
    Script(HookId),
}

/// What a seat is asked before its script begins, which is told the choice.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// What kind of decision.
    pub decision: DecisionId,
    /// The options.
    pub offer: Offer,
    /// Whether a single option is asked for too.
    pub always: bool,
}

/// A phase of the flow.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Id.
    pub id: String,
    /// What it does.
    pub body: PhaseBody,
    /// What each seat is asked first, in phases with a script for every seat.
    pub question: Option<Question>,
}

/// A face of a battle die.
#[derive(Clone, Debug)]
pub struct Face {
    /// Id; keyword of the face.
    pub id: SymbolId,
    /// Values (`swords`, `shields`, `coin`…) by keyword.
    pub values: Props,
    /// The face on the other side.
    pub opposite: u8,
}

/// A step of a battle.
#[derive(Clone, Copy, Debug)]
pub enum BattleStep {
    /// Each side rolls its die.
    Roll,
    /// Damage is computed from scratch.
    Count,
    /// The winner is found.
    Resolve,
    /// A script runs.
    Run(HookId),
}

/// Control of spaces.
#[derive(Clone, Debug, Default)]
pub struct ControlRule {
    /// A piece of this kind on a space ends the control that its home faction has without units.
    pub blocked_by: Option<KindId>,
}

/// The movement procedure.
#[derive(Clone, Debug)]
pub struct MovementRule {
    /// Stat that gives a piece's movement points.
    pub stat: SymbolId,
    /// Decision kind: pick a piece, take a move back, or finish.
    pub pick: DecisionId,
    /// Decision kind: where the picked piece goes.
    pub to: DecisionId,
    /// Decision kind: let pieces of another faction pass.
    pub consent: DecisionId,
}

/// The battle procedure.
#[derive(Clone, Debug)]
pub struct BattleRule {
    /// Stat: damage a piece deals. Also the die value and the name under which scripts add to it.
    pub strength: SymbolId,
    /// Stat of pieces and property of spaces: damage that the defender's place wards off. Also the die value.
    pub fortify: SymbolId,
    /// What each kind brings to a battle.
    pub fighters: Vec<Fighter>,
    /// Faces of a die.
    pub faces: Vec<Face>,
    /// Steps in order, each with its id.
    pub steps: Vec<(SymbolId, BattleStep)>,
    /// Whether the defender wins ties.
    pub defender_wins_ties: bool,
}

impl BattleRule {
    /// What a piece brings to a battle.
    pub fn fighter(&self, catalog: &Catalog, piece: PieceId) -> Fighter {
        self.fighters[catalog.pieces[piece.index()].kind.index()]
    }
}

/// What a piece of a kind brings to a battle: its stats under the names that the procedure has for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fighter {
    /// Whether it takes part: as those do that hold a space.
    pub fights: bool,
    /// Damage it deals.
    pub strength: i32,
    /// Damage that topples it.
    pub toughness: i32,
    /// Lower takes damage first.
    pub rank: i32,
    /// Damage it wards off for the defender.
    pub fortify: i32,
}

impl Fighter {
    /// Those of each kind. The stats have these names, in the order of the fields.
    pub fn all(kinds: &[Kind], [strength, toughness, rank, fortify]: [SymbolId; 4]) -> Vec<Fighter> {
        let of = |kind: &Kind| Fighter {
            fights: kind.occupies,
            strength: kind.stats.int(strength),
            toughness: kind.stats.int(toughness),
            rank: kind.stats.int(rank),
            fortify: kind.stats.int(fortify),
        };
        kinds.iter().map(of).collect()
    }
}

/// Plays that are open to every seat whenever the game waits for somebody.
#[derive(Clone, Debug)]
pub struct AsideRule {
    /// Script that lists what a seat may do.
    pub options: HookId,
    /// Script that does it.
    pub play: HookId,
    /// Decision kind under which they are shown.
    pub decision: DecisionId,
}

/// A named set of setup options.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Id.
    pub id: String,
    /// Options and their values.
    pub options: Vec<(CounterId, i32)>,
    /// Least and greatest number of seats.
    pub seats: (u8, u8),
}

/// Keywords the kernel itself uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keywords {
    /// `yes`
    pub yes: SymbolId,
    /// `no`
    pub no: SymbolId,
    /// `done`
    pub done: SymbolId,
    /// `undo`
    pub undo: SymbolId,
    /// `back`
    pub back: SymbolId,
    /// `move`
    pub r#move: SymbolId,
    /// `to`
    pub to: SymbolId,
    /// `withdraw-consent`
    pub withdraw_consent: SymbolId,
    /// `attacker`
    pub attacker: SymbolId,
    /// `defender`
    pub defender: SymbolId,
}

impl Keywords {
    /// Interns the kernel's keywords.
    pub fn intern(names: &mut Names) -> Self {
        let mut word = |name: &str| SymbolId::at(names.intern(name));
        Keywords {
            yes: word("yes"),
            no: word("no"),
            done: word("done"),
            undo: word("undo"),
            back: word("back"),
            r#move: word("move"),
            to: word("to"),
            withdraw_consent: word("withdraw-consent"),
            attacker: word("attacker"),
            defender: word("defender"),
        }
    }
}

/// Hook points of the kernel's own procedures.
#[derive(Clone, Copy, Debug)]
pub struct KernelPoints {
    /// query(value, faction, kind): movement points of a piece.
    pub movement_points: PointId,
    /// query(value 0/1, owner, mover): whether all spaces that `owner` controls stop movement as if units stood there.
    pub movement_guarded: PointId,
    /// query(value, faction, space): strength that a battle side adds.
    pub battle_strength: PointId,
    /// query(value, faction, space): shields that a battle side adds.
    pub battle_shields: PointId,
    /// effect(space, from, to): control of a space has changed.
    pub control_changed: PointId,
    /// effect(space, faction): the last occupying piece of the faction left the space.
    pub space_vacated: PointId,
    /// query(value, seat): how well a seat stands, for bots.
    pub bot_value: PointId,
    /// effect(seat): in a copy of the game, deal anew what the seat cannot know and the kernel cannot deal by itself.
    pub bot_imagine: PointId,
}

impl KernelPoints {
    /// The kernel's hook points, which every catalog begins with, in this order.
    pub fn declare() -> (Self, Vec<Point>) {
        let point = |id: &str, kind, args: &[&str], doc: &str| Point {
            id: id.to_owned(),
            kind,
            args: args.iter().map(|a| (*a).to_owned()).collect(),
            doc: doc.to_owned(),
        };
        use PointKind::{Effect, Query};
        let list = vec![
            point(
                "movement.points",
                Query,
                &["faction", "kind"],
                "Movement points of a piece of this kind and faction.",
            ),
            point(
                "movement.guarded",
                Query,
                &["owner", "mover"],
                "Not 0: every space that `owner` controls stops the mover's pieces as if units stood there.",
            ),
            point(
                "battle.strength",
                Query,
                &["faction", "space"],
                "Strength that a side of the battle adds to its pieces.",
            ),
            point(
                "battle.shields",
                Query,
                &["faction", "space"],
                "Shields that a side of the battle has beside die and place.",
            ),
            point(
                "control.changed",
                Effect,
                &["space", "from", "to"],
                "Control of a space has passed from one faction to another.",
            ),
            point(
                "space.vacated",
                Effect,
                &["space", "faction"],
                "The last occupying piece of the faction has left the space.",
            ),
            point(
                "bot.value",
                Query,
                &["seat"],
                "How well a seat stands, for bots that look one step ahead; 0 is even.",
            ),
            point(
                "bot.imagine",
                Effect,
                &["seat"],
                "In a copy of the game in which a bot looks ahead: set anew what `seat` cannot know. Cards, the fog and secret \
                 choices under way are dealt anew already; hidden counters are the pack's business. It may not ask.",
            ),
        ];
        let points = KernelPoints {
            movement_points: PointId(0),
            movement_guarded: PointId(1),
            battle_strength: PointId(2),
            battle_shields: PointId(3),
            control_changed: PointId(4),
            space_vacated: PointId(5),
            bot_value: PointId(6),
            bot_imagine: PointId(7),
        };
        (points, list)
    }
}

/// Everything that packs compiled to.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// Id of the game.
    pub game: String,
    /// Digest of the packs' files; saves name it.
    pub fingerprint: String,
    /// Least and greatest number of seats.
    pub seats: (u8, u8),
    /// All keywords.
    pub symbols: Names,
    /// The kernel's keywords.
    pub words: Keywords,
    /// Factions, playable ones first in seat order.
    pub factions: Vec<Faction>,
    /// How many factions are playable.
    pub playable: usize,
    /// Spaces.
    pub spaces: Board,
    /// Kinds of pieces.
    pub kinds: Vec<Kind>,
    /// The box of pieces.
    pub pieces: PieceBox,
    /// Card designs.
    pub designs: Vec<Design>,
    /// The box of cards: each card's design.
    pub cards: Vec<DesignId>,
    /// Declared zones.
    pub zones: ZoneKinds,
    /// The declared zone of each [`ZoneId`] and its owner.
    pub zone_list: Vec<(ZoneKindId, Option<FactionId>)>,
    /// Counters.
    pub counters: Vec<Counter>,
    /// Length of the world's list of counter values.
    pub counter_values: usize,
    /// Rules.
    pub rules: Vec<Rule>,
    /// Hook points, the kernel's first.
    pub points: Vec<Point>,
    /// The kernel's hook points.
    pub kernel: KernelPoints,
    /// Hooks.
    pub hooks: Vec<Hook>,
    /// Decision kinds.
    pub decisions: Vec<DecisionKind>,
    /// Phases; nested ones too.
    pub phases: Vec<Phase>,
    /// The outermost phases in order.
    pub flow: Vec<PhaseId>,
    /// Where a fog lies over the board: the counter of spaces that says who sees each, one bit for each playable
    /// faction.
    pub fog: Option<CounterId>,
    /// How spaces are controlled.
    pub control: ControlRule,
    /// Movement procedure, where the game has one.
    pub movement: Option<MovementRule>,
    /// Battle procedure, where the game has one.
    pub battle: Option<BattleRule>,
    /// Plays at any time.
    pub asides: Option<AsideRule>,
    /// Variants.
    pub variants: Vec<Variant>,
    /// For each point the rules' listeners, in order of priority and rule.
    pub rule_listeners: Vec<Vec<(RuleId, Listener)>>,
}

macro_rules! find {
    ($($(#[$doc:meta])* $fun:ident, $list:ident, $id:ident;)*) => {$(
        $(#[$doc])*
        pub fn $fun(&self, id: &str) -> Option<$id> {
            self.$list.iter().position(|item| item.id == id).map($id::at)
        }
    )*};
}

impl Catalog {
    find! {
        /// The faction with an id.
        faction, factions, FactionId;
        /// The space with an id.
        space, spaces, SpaceId;
        /// The kind of piece with an id.
        kind, kinds, KindId;
        /// The design with an id.
        design, designs, DesignId;
        /// The declared zone with an id.
        zone, zones, ZoneKindId;
        /// The counter with an id.
        counter, counters, CounterId;
        /// The hook point with an id.
        point, points, PointId;
        /// The decision kind with an id.
        decision, decisions, DecisionId;
        /// The phase with an id.
        phase, phases, PhaseId;
        /// The rule with an id.
        rule, rules, RuleId;
    }

    /// The keyword, where any pack uses it.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbols.find(name).map(SymbolId::at)
    }

    /// The zone of a declared zone for an owner (`None` for zones of the game).
    pub fn zone_of(&self, zone: ZoneKindId, owner: Option<FactionId>) -> Option<ZoneId> {
        let spec = self.zones.get(zone.index())?;
        match (spec.scope, owner) {
            (Scope::Game, None) => Some(ZoneId::at(spec.offset)),
            (Scope::Faction, Some(f)) if f.index() < self.playable => Some(ZoneId::at(spec.offset + f.index())),
            _ => None,
        }
    }

    /// The design of a card.
    pub fn design_of(&self, card: CardId) -> &Design {
        &self.designs[self.cards[card.index()].index()]
    }

    /// The id of an entity as packs write it; numbers and keywords as they are.
    pub fn id_of(&self, value: Value) -> String {
        fn id(found: Option<&String>) -> String {
            found.cloned().unwrap_or_else(|| "?".to_owned())
        }
        match value {
            Value::Nil => "none".to_owned(),
            Value::Int(n) => n.to_string(),
            Value::Faction(f) => id(self.factions.get(f.index()).map(|f| &f.id)),
            Value::Space(s) => id(self.spaces.get(s.index()).map(|s| &s.id)),
            Value::Kind(k) => id(self.kinds.get(k.index()).map(|k| &k.id)),
            Value::Piece(p) => {
                id(self.pieces.get(p.index()).and_then(|p| self.kinds.get(p.kind.index())).map(|k| &k.id))
            }
            Value::Card(c) => id(self.cards.get(c.index()).and_then(|d| self.designs.get(d.index())).map(|d| &d.id)),
            Value::Design(d) => id(self.designs.get(d.index()).map(|d| &d.id)),
            Value::Zone(z) => id(self.zones.get(z.index()).map(|z| &z.id)),
            Value::Counter(c) => id(self.counters.get(c.index()).map(|c| &c.id)),
            Value::Symbol(s) => self.symbols.name(s.index()).to_owned(),
            Value::Rule(r) => id(self.rules.get(r.index()).map(|r| &r.id)),
        }
    }
}

/// What a game is started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameConfig {
    /// Factions that are led, in any order.
    pub seats: Vec<FactionId>,
    /// Seed of all chance.
    pub seed: u64,
    /// Setup options that differ from their start values.
    pub options: Vec<(CounterId, i32)>,
}
