//! The data of a page: the table as one viewer sees it.

use std::collections::BTreeMap;

use principes_app::board::{Name, SeenBoard, ZoneOnBoard};
use principes_app::session::{Die, EventLine, GameInWords, Group, Session, Step, Strike, Undoable, groups, rounds};
use principes_app::setup::Player;
use principes_core::*;
use principes_draw::card::{Back, Face};
use principes_draw::look::faction_color;
use principes_draw::{board, die, tracks};

use crate::command::{FaceSize, RequestError, ViewRequest};
use crate::messages::{
    BattlePicture, CardPicture, Ending, FacePicture, FindingPicture, Frame, Ghost, GroupInWords, HumanAtTable, LogLine,
    LogLines, MomentPicture, SeatPicture, TableParts, TablePicture, UndoState,
};
use crate::table::Table;

/// The most lines of the log in one response.
const LINES: usize = 400;

/// The table as a viewer sees it.
///
/// # Errors
/// [`RequestError`]: a script that lists asides failed.
pub fn table(table: &mut Table, viewer: Option<SeatId>, asked: &ViewRequest) -> Result<TablePicture, RequestError> {
    let human = viewer.filter(|seat| table.session.players().contains(&(*seat, Player::Human)));
    let asides = match human {
        Some(seat) => table.session.asides(seat).map_err(|error| RequestError(500, error.to_string()))?,
        None => Vec::new(),
    };
    let session = &table.session;
    let moment = moment(session, session.now(), viewer);
    let id = |seat: SeatId| session.game().catalog().factions[seat.index()].id.clone();
    let pending = session.game().pending();
    let humans = session
        .humans()
        .into_iter()
        .map(|seat| {
            // Only the host learns who must decide, because the host's page changes from seat to seat.
            let asked = asked.host && pending.iter().any(|decision| decision.seat == seat);
            HumanAtTable { id: id(seat), name: session.words().named("faction", &id(seat)), asked }
        })
        .collect();
    let known = if asked.epoch == table.epoch { asked.log } else { 0 };
    let mut lines = session.events_since(known, viewer);
    let skipped = lines.len().saturating_sub(LINES);
    lines.drain(..skipped);
    let from = lines.first().map_or(known, |line| line.number);
    let told = lines.iter().map(|line| told(table, line)).collect();
    // Equal dice are drawn once.
    let mut dice: BTreeMap<&Die, usize> = BTreeMap::new();
    let mut drawn = Vec::new();
    let mut rolled = Vec::new();
    for line in &lines {
        let Some(die) = &line.die else { continue };
        let at = *dice.entry(die).or_insert_with(|| {
            drawn.push(die::draw(session.game().catalog(), die, &line.text));
            drawn.len() - 1
        });
        rolled.push((line.number, at));
    }
    let view = session.view_for(viewer);
    let groups = view
        .decisions
        .iter()
        .flat_map(|decision| groups(session.game().catalog(), decision, &view))
        .map(|group| group_in_words(session, &group))
        .collect();
    Ok(TablePicture {
        moment,
        host: asked.host,
        groups,
        version: table.version,
        epoch: table.epoch,
        humans,
        asides,
        steps: table.visible_steps,
        log: LogLines { from, lines: told, rolled, dice: drawn },
        undo: human.map(|seat| undoable(session, seat)),
        trial: asked.host && table.interrupted.is_some(),
        trouble: if asked.host { table.trouble.clone() } else { Vec::new() },
        languages: session.packs().loaded.manifest.languages.clone(),
    })
}

/// A line of the log. What happened after secret answers is shown as if they were one answer.
fn told(table: &Table, line: &EventLine) -> LogLine {
    let session = &table.session;
    let catalog = session.game().catalog();
    let by = line.step.checked_sub(1).and_then(|at| session.game().record().get(at));
    LogLine {
        text: line.text.clone(),
        say: line.sentence.clone(),
        owner: line.owner.clone(),
        changes: line.changes.clone(),
        head: line.is_head,
        step: line.step.min(table.visible_steps),
        by: by.filter(|_| line.step <= table.visible_steps).map(|by| catalog.factions[by.seat.index()].id.clone()),
    }
}

/// Whether a seat can take back its last answer, and why not.
fn undoable(session: &Session, seat: SeatId) -> UndoState {
    let why = match session.undoable(&[seat]) {
        Undoable::To(_) => None,
        Undoable::Nothing => Some("page.undo-nothing"),
        Undoable::Answered => Some("page.undo-answered"),
        Undoable::Revealed => Some("page.undo-revealed"),
    };
    UndoState { can: why.is_none(), why: why.map(|key| session.words().own(key, &[])) }
}

/// The moments after `from` answers up to `until` answers in which the board changes, as a viewer sees them.
///
/// # Errors
/// [`RequestError`]: the replay failed.
pub fn trail(session: &Session, from: usize, until: usize, viewer: Option<SeatId>) -> Result<Vec<Frame>, RequestError> {
    let look = &session.packs().loaded.look;
    let title = session.title();
    let mut frames = Vec::new();
    let mut last = String::new();
    let show = |step: Step<'_>| {
        let catalog = step.scene.game.catalog();
        let drawn = board::draw(catalog, look, &step.scene.board(viewer), &title);
        if drawn != last {
            last.clone_from(&drawn);
            let seat = catalog.factions[step.seat.index()].id.clone();
            frames.push(Frame { step: step.step, seat, board: drawn });
        }
    };
    session.trail(from, until, show).map_err(|error| RequestError(409, error.to_string()))?;
    Ok(frames)
}

/// The board after an option, as its seat may imagine it, and the ids of the spaces that change. Null if nothing on the
/// board changes, or if it cannot be imagined.
pub fn ghost(session: &Session, seat: SeatId, key: &str) -> Option<Ghost> {
    // An option that is gone has no picture. The page will learn of the change.
    let outlook = session.outlook(seat, key).ok().filter(|outlook| !outlook.spaces.is_empty())?;
    let look = &session.packs().loaded.look;
    let title = session.title();
    let draw = |scene: GameInWords<'_>| board::draw(scene.game.catalog(), look, &scene.board(Some(seat)), &title);
    let drawn = session.imagine(seat, key, draw).ok().flatten();
    drawn.map(|board| Ghost { board, spaces: outlook.spaces })
}

/// Units that can march together: their space, the key of the first unit, and their names.
fn group_in_words(session: &Session, group: &Group) -> GroupInWords {
    let (words, catalog) = (session.words(), session.game().catalog());
    let units = group.units.iter().map(|(kind, count)| match count {
        1 => words.value(Value::Kind(*kind), None),
        _ => format!("{} ×{count}", words.value(Value::Kind(*kind), None)),
    });
    let units = units.collect::<Vec<_>>().join(", ");
    let first = group.units.first().map(|(kind, _)| {
        let args = [Value::Kind(*kind), Value::Space(group.from)];
        DecisionOption::verb(catalog.words.r#move, &args).key(catalog)
    });
    let place = words.value(Value::Space(group.from), None);
    GroupInWords {
        from: catalog.id_of(Value::Space(group.from)),
        key: first,
        text: words.own("play.group", &[&place, &units]),
    }
}

/// A moment of the game as a viewer sees it.
pub fn moment(session: &Session, scene: GameInWords<'_>, viewer: Option<SeatId>) -> MomentPicture {
    let catalog = scene.game.catalog();
    let seen = scene.board(viewer);
    let look = &session.packs().loaded.look;
    let title = session.title();
    let over = scene.game.outcome().map(|outcome| {
        let end = scene.words.end(outcome.winner);
        let cause = scene.words.outcome(outcome.cause, outcome.winner);
        Ending { end, cause, winner: outcome.winner.map(|seat| seat.index()) }
    });
    let decisions = viewer.map(|seat| scene.decisions(seat)).unwrap_or_default();
    let drawn = board::draw(catalog, look, &seen, &title);
    let color_of = |strike: &Strike| {
        let faction = seen.factions.iter().find(|faction| faction.id == strike.by)?;
        Some(faction_color(look, &faction.id, &faction.color))
    };
    let battle = scene.battle(viewer).map(|battle| {
        let colors = battle.strikes.each_ref().map(color_of);
        BattlePicture { title: battle.title, strikes: battle.strikes, colors }
    });
    MomentPicture {
        seat: viewer.map(|seat| catalog.factions[seat.index()].id.clone()),
        board: drawn,
        tracks: tracks::draw(look, &seen, &title),
        table: rest(session, &seen),
        rounds: rounds(scene, viewer),
        heaps: heaps(session, &seen),
        decisions,
        planned: viewer.map(|seat| scene.planned_moves(seat)).unwrap_or_default(),
        battle,
        over,
        title,
    }
}

/// Drawings of the cards that lie face down: the decks of the game, and the hands of seats, each after the seat's id.
fn heaps(session: &Session, seen: &SeenBoard) -> BTreeMap<String, String> {
    let packs = session.packs();
    let back = |zone: &ZoneOnBoard| Back::of_zone(packs, session.words(), &zone.id);
    let decks = seen.decks.iter().filter_map(|zone| Some((zone.id.clone(), back(zone)?.draw_stack(zone.count))));
    let hands = seen.seats.iter().flat_map(|seat| {
        let whose = &seen.factions[seat.faction].id;
        let is_hidden = |zone: &&ZoneOnBoard| zone.designs.is_empty();
        let hidden = seat.zones.iter().filter(is_hidden);
        hidden.filter_map(move |zone| Some((format!("{whose} {}", zone.id), back(zone)?.draw_fan(zone.count))))
    });
    decks.chain(hands).collect()
}

/// The parts of a page besides the board.
fn rest(session: &Session, seen: &SeenBoard) -> TableParts {
    let look = &session.packs().loaded.look;
    let player = |at: usize| session.players().iter().find(|(seat, _)| seat.index() == at);
    let player = |at: usize| player(at).map(|(_, by)| session.words().own(by.kind().word, &[]));
    let seats = seen.seats.iter().map(|seat| {
        let faction = &seen.factions[seat.faction];
        SeatPicture {
            faction: Name { id: faction.id.clone(), name: faction.name.clone() },
            index: seat.faction,
            playing: seat.is_playing,
            active: seat.is_active,
            player: player(seat.faction),
            spaces: seat.controlled,
            counters: seat.counters.clone(),
            zones: seat.zones.clone(),
            color: faction_color(look, &faction.id, &faction.color),
        }
    });
    TableParts {
        seats: seats.collect(),
        phase: seen.phase.clone(),
        marks: seen.marks.clone(),
        counters: seen.counters.clone(),
        zones: seen.zones.clone(),
        decks: seen.decks.clone(),
        hand: seen.hand.clone(),
    }
}

/// A finding for a page: its source line in three parts, before, at and after the span.
pub fn finding(finding: &principes_findings::Finding, load: u64) -> FindingPicture {
    let bytes = &finding.span.bytes;
    let parts = finding.source.as_deref().and_then(|text| {
        let start = text.get(..bytes.start)?.rfind('\n').map_or(0, |at| at + 1);
        let end = text.get(bytes.start..)?.find('\n').map_or(text.len(), |at| bytes.start + at);
        let to = bytes.end.min(end);
        Some([text.get(start..bytes.start)?, text.get(bytes.start..to)?, text.get(to..end)?].map(str::to_owned))
    });
    FindingPicture {
        code: finding.code.as_str().to_owned(),
        message: finding.message.clone(),
        file: finding.file.clone(),
        line: finding.span.line,
        column: finding.span.column,
        help: finding.help.clone(),
        source: parts,
        fix: finding.fix.as_ref().map(|fix| fix.message.clone()),
        load,
    }
}

/// The titles of all cards, by id.
pub fn titles(session: &Session) -> BTreeMap<String, String> {
    let designs = session.packs().catalog.designs.iter();
    designs.map(|design| (design.id.clone(), session.words().title("card", &design.id))).collect()
}

/// All card faces.
///
/// # Errors
/// [`RequestError`]: the packs do not have the language.
pub fn cards(session: &Session, language: &str) -> Result<Vec<CardPicture>, RequestError> {
    let packs = session.packs();
    packs.require_language(language).map_err(|error| RequestError(404, error.to_string()))?;
    let words = packs.words(language);
    let designs = (0..packs.catalog.designs.len()).map(DesignId::at);
    let card = |design: DesignId| {
        let face = Face::of(packs, &words, design);
        let svg = face.draw();
        let Face { id, title, card_type, text, facts, .. } = face;
        CardPicture { id, title, card_type, text, facts, svg }
    };
    Ok(designs.map(card).collect())
}

/// One card face.
///
/// # Errors
/// [`RequestError`]: the card does not exist.
pub fn face(session: &Session, id: &str, size: FaceSize) -> Result<FacePicture, RequestError> {
    let packs = session.packs();
    let design = packs.catalog.design(id).ok_or_else(|| RequestError(404, format!("unknown card `{id}`")))?;
    let face = Face::of(packs, session.words(), design);
    let drawn = match size {
        FaceSize::Full => face.draw(),
        FaceSize::Small => face.draw_small(),
    };
    Ok(FacePicture { id: face.id, title: face.title, svg: drawn })
}
