//! One game at the terminal: the game, its players, its record, its log.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use principes_core::bots::{self, Players};
use principes_core::catalog::{PhaseBody, Visible};
use principes_core::search::Crew;
use principes_core::*;

use crate::crew::Threads;
use crate::packs::{Host, Ready};
use crate::save::{Save, answer_words};
use crate::setup::{Player, Setup, derive_seed};
use crate::words::Words;

/// A game with everything around it.
pub struct Session {
    ready: Ready,
    setup: Setup,
    host: Host,
    game: Game<Host>,
    bots: Players<Host>,
    /// Who searches for the bots.
    crew: Option<Rc<dyn Crew>>,
    save: Save,
    file: Option<PathBuf>,
    language: String,
    words: Words,
    /// All that happened: after how many answers, and what.
    events: Vec<(usize, Event)>,
    /// How many events each viewer has been told.
    told: BTreeMap<Option<SeatId>, usize>,
    /// Events that nobody needs to be told: those of a resumed game.
    old: usize,
}

impl Session {
    /// Starts a game.
    pub fn start(ready: Ready, setup: Setup, language: &str) -> Result<Self> {
        let host = ready.host()?;
        let mut game = ready.start(&host, setup.config.clone())?;
        let save = Save::begin(&game, ready.packs.clone(), &setup.players);
        let searching = setup.players.iter().any(|(_, player)| matches!(player, Player::Mcts(_)));
        let crew = if searching { Threads::start(&ready.loaded) } else { None };
        let bots = make_bots(&setup, 0, crew.as_ref());
        let words = ready.words(language);
        let events = game.take_events().into_iter().map(|event| (0, event)).collect();
        let language = language.to_owned();
        Ok(Session {
            ready,
            setup,
            host,
            game,
            bots,
            crew,
            save,
            file: None,
            language,
            words,
            events,
            told: BTreeMap::new(),
            old: 0,
        })
    }

    /// Goes on with a recorded game.
    pub fn resume(ready: Ready, save: &Save, language: &str) -> Result<Self> {
        save.check_packs(&ready.catalog, &ready.packs)?;
        let setup = save.setup(&ready.catalog)?;
        let mut session = Session::start(ready, setup, language)?;
        if session.game.digest() != save.start {
            return Err(anyhow!("/start: the first state has another digest than the file says"));
        }
        for (at, answer) in save.answers.iter().enumerate() {
            Save::play(&mut session.game, at, answer)?;
            session.after_answer_unsaved();
            if session.save.answers.last().map(|own| &own.then) != Some(&answer.then) {
                return Err(anyhow!(
                    "/answers/{at}/then: the state after this answer has another digest than the file says"
                ));
            }
        }
        if session.save.digest != save.digest {
            return Err(anyhow!("/digest: the last state has another digest than the file says"));
        }
        session.bots = make_bots(&session.setup, save.answers.len(), session.crew.as_ref());
        session.old = session.events.len();
        Ok(session)
    }

    /// The game.
    pub fn game(&self) -> &Game<Host> {
        &self.game
    }
    /// The packs it is played with.
    pub fn ready(&self) -> &Ready {
        &self.ready
    }
    /// Its record so far.
    pub fn record(&self) -> &Save {
        &self.save
    }
    /// Names and sentences.
    pub fn words(&self) -> &Words {
        &self.words
    }
    /// The packs' title.
    pub fn title(&self) -> String {
        self.words.message("pack.title", &[], None).unwrap_or_else(|| self.game.catalog().game.clone())
    }
    /// How many seats there are.
    pub fn seat_count(&self) -> usize {
        self.setup.players.len()
    }
    /// The seats that people play.
    pub fn humans(&self) -> Vec<SeatId> {
        self.setup.players.iter().filter(|(_, player)| *player == Player::Human).map(|(seat, _)| *seat).collect()
    }
    /// The file that is written after every answer.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
    /// Folders whose files the game was loaded from.
    pub fn folders(&self) -> &[PathBuf] {
        &self.ready.folders
    }

    /// How many turns of a seat, and how many loops of the whole game, have begun: the board is drawn anew with each.
    pub fn turns_of(&self, seat: SeatId) -> usize {
        let catalog = self.game.catalog();
        let loops = catalog.flow.iter().filter_map(|phase| match &catalog.phases[phase.index()].body {
            PhaseBody::Repeat { counter, .. } => *counter,
            _ => None,
        });
        let loops: Vec<CounterId> = loops.collect();
        let begins = |event: &Event| match event {
            Event::Phase { seat: Some(of), .. } => *of == seat,
            Event::Counter { counter, .. } => loops.contains(counter),
            _ => false,
        };
        self.events.iter().filter(|(_, event)| begins(event)).count()
    }

    /// Writes the game to a file now and after every answer from now on.
    pub fn save_to(&mut self, file: PathBuf) -> Result<()> {
        self.save.write(&file)?;
        self.file = Some(file);
        Ok(())
    }

    /// The first open decision of a person.
    pub fn question(&self) -> Option<Ask> {
        let humans = self.humans();
        self.game.pending().into_iter().find(|ask| humans.contains(&ask.seat)).cloned()
    }

    /// Answers a decision.
    pub fn answer(&mut self, seat: SeatId, choice: Choice) -> Result<()> {
        self.game.answer(seat, choice).map_err(|error| anyhow!("{}", answer_words(&error)))?;
        self.after_answer()
    }

    /// What a seat may do beside the decisions.
    pub fn asides(&mut self, seat: SeatId) -> Result<Vec<Choice>> {
        self.game.asides(seat).map_err(|error| anyhow!("{}", crate::save::script_words(&error)))
    }

    /// Plays beside the decisions.
    pub fn play_aside(&mut self, seat: SeatId, choice: Choice) -> Result<()> {
        self.game.play_aside(seat, choice).map_err(|error| anyhow!("{}", answer_words(&error)))?;
        self.after_answer()
    }

    /// Lets bots play until a person is asked or the game is over.
    pub fn run_bots(&mut self) -> Result<()> {
        while self.bot_step()? {}
        Ok(())
    }

    /// Lets the bots make one step. False where they have nothing to do.
    pub fn bot_step(&mut self) -> Result<bool> {
        // A person whose turn has come is not kept waiting by plays of bots at any time.
        let moved = bots::step(&mut self.game, &mut self.bots).map_err(|error| anyhow!("{}", answer_words(&error)))?;
        if moved {
            self.after_answer()?;
        }
        Ok(moved)
    }

    fn after_answer_unsaved(&mut self) {
        self.save.follow(&self.game);
        let answers = self.game.record().len();
        self.events.extend(self.game.take_events().into_iter().map(|event| (answers, event)));
    }

    fn after_answer(&mut self) -> Result<()> {
        self.after_answer_unsaved();
        match &self.file {
            Some(file) => self.save.write(file),
            None => Ok(()),
        }
    }

    /// Takes the last answer back, where it was a person's and nothing has come to light since: no die, no card, no
    /// choice of anybody else.
    pub fn undo(&mut self) -> Result<Undo> {
        let humans = self.humans();
        let record = self.game.record();
        let Some(answer) = record.last() else { return Ok(Undo::Nothing) };
        if !humans.contains(&answer.seat) {
            return Ok(if record.iter().any(|a| humans.contains(&a.seat)) { Undo::TooLate } else { Undo::Nothing });
        }
        let last = record.len() - 1;
        if self.events.iter().any(|(after, event)| *after > last && comes_to_light(self.game.catalog(), event)) {
            return Ok(Undo::TooLate);
        }
        let answers: Vec<_> = self.save.answers[..last].to_vec();
        let mut game = self.ready.start(&self.host, self.setup.config.clone())?;
        game.record_events(false);
        for (at, answer) in answers.iter().enumerate() {
            Save::play(&mut game, at, answer)?;
        }
        game.record_events(true);
        self.game = game;
        self.save.answers = answers;
        self.save.digest = self.game.digest();
        self.events.retain(|(after, _)| *after <= last);
        let events = self.events.len();
        self.told.values_mut().for_each(|told| *told = (*told).min(events));
        self.old = self.old.min(events);
        if let Some(file) = &self.file {
            self.save.write(file)?;
        }
        Ok(Undo::Done)
    }

    /// Replays the game on other packs. On an error everything is as it was.
    pub fn reload(&mut self, ready: Ready) -> Result<usize> {
        let setup = self.save.setup(&ready.catalog)?;
        let host = ready.host()?;
        let mut game = ready.start(&host, setup.config.clone())?;
        let mut save = Save::begin(&game, ready.packs.clone(), &setup.players);
        let mut events: Vec<(usize, Event)> = game.take_events().into_iter().map(|event| (0, event)).collect();
        for (at, answer) in self.save.answers.iter().enumerate() {
            Save::play(&mut game, at, answer)?;
            save.follow(&game);
            events.extend(game.take_events().into_iter().map(|event| (at + 1, event)));
        }
        self.words = ready.words(&self.language);
        self.bots = make_bots(&setup, save.answers.len(), self.crew.as_ref());
        (self.ready, self.setup, self.host, self.game, self.save) = (ready, setup, host, game, save);
        self.told.clear();
        self.old = events.len();
        self.events = events;
        if let Some(file) = &self.file {
            self.save.write(file)?;
        }
        Ok(self.save.answers.len())
    }

    /// The log lines since this was called last for a seat, as the seat may read them.
    pub fn news(&mut self, seat: Option<SeatId>, view: &View) -> Vec<String> {
        let told = self.told.insert(seat, self.events.len()).unwrap_or(0);
        self.lines(told.max(self.old), seat, view)
    }

    /// The whole log, as a seat may read it.
    pub fn log(&self, seat: Option<SeatId>, view: &View) -> Vec<String> {
        self.lines(0, seat, view)
    }

    fn lines(&self, from: usize, seat: Option<SeatId>, view: &View) -> Vec<String> {
        let catalog: &Arc<Catalog> = self.game.catalog();
        let seen = self.events[from..].iter().filter_map(|(_, event)| event.seen_by(catalog, seat));
        let mut lines: Vec<(String, usize)> = Vec::new();
        for line in seen.filter_map(|event| self.words.event(&event, view)) {
            match lines.last_mut() {
                Some((last, count)) if *last == line => *count += 1,
                _ => lines.push((line, 1)),
            }
        }
        lines.into_iter().map(|(line, count)| if count > 1 { format!("{line} ×{count}") } else { line }).collect()
    }
}

fn make_bots(setup: &Setup, answers: usize, crew: Option<&Rc<dyn Crew>>) -> Players<Host> {
    let seed = derive_seed(setup.config.seed, answers as u64);
    let bot =
        |(seat, player): &(SeatId, Player)| Some((*seat, player.bot(derive_seed(seed, 1 + u64::from(seat.0)), crew)?));
    setup.players.iter().filter_map(bot).collect()
}

/// What came of taking a choice back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// It is taken back.
    Done,
    /// Nobody has chosen anything yet.
    Nothing,
    /// Something has come to light since.
    TooLate,
}

/// Whether an event tells somebody what nobody knew before.
fn comes_to_light(catalog: &Catalog, event: &Event) -> bool {
    match *event {
        Event::Rolled { .. } | Event::Face { .. } | Event::Shuffled { .. } | Event::Revealed { .. } => true,
        Event::Card { from, .. } => {
            let (zone, _) = catalog.zone_list[from.index()];
            catalog.zones[zone.index()].visible == Visible::Nobody
        }
        _ => false,
    }
}
