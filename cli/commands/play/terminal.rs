//! The player's side of the table: what is shown, and what typed lines do.

use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

use anstyle::Style;
use anyhow::{Result, bail};
use principes_app::scenario_from_save::{ScenarioRequest, make};
use principes_app::session::{Existing, Session, Undo};
use principes_app::setup::STUCK;
use principes_app::watch::Watch;
use principes_app::words::plain;
use principes_content::Stage;
use principes_core::*;

use super::input::{Input, Typed};
use super::why::why;
use crate::arguments::PackArgs;
use crate::board::Drawing;
use crate::output;
use crate::packs;
use crate::style::{self, Line};

/// Longer lists of options are shown in part.
const OPTIONS_SHOWN: usize = 24;
/// How often changed files are looked for.
const WATCH_EVERY: Duration = Duration::from_millis(400);

/// The player's side of the table.
pub struct Terminal {
    out: output::Stdout,
    input: Option<Input>,
    /// What was typed at a prompt during which the content was reloaded: it answers the prompt that follows.
    kept: Option<String>,
    watch: Option<Watch>,
    interactive: bool,
    /// The moment of the game at which the board was drawn last.
    shown_at: Option<(SeatId, usize)>,
    last_seat: Option<SeatId>,
}

/// What a typed line does.
enum Command {
    /// Takes an option.
    Take(String),
    /// Asides.
    Aside(String),
    Undo,
    Quit,
    /// Shows something and asks again.
    Shown,
    /// The question may have changed.
    AskAgain,
}

impl Terminal {
    /// A terminal at standard input and output. With folders it looks for changes in them.
    pub fn new(watched: Option<&[PathBuf]>) -> Self {
        Terminal {
            watch: watched.map(Watch::begin),
            input: None,
            kept: None,
            interactive: std::io::stdin().is_terminal() && std::io::stdout().is_terminal(),
            shown_at: None,
            last_seat: None,
            out: output::stdout(),
        }
    }

    /// Says what is played.
    pub fn greet(&mut self, session: &Session, is_resumed: bool) -> Result<()> {
        let words = session.words();
        if let (true, Some(file)) = (is_resumed, session.file()) {
            let answers = session.steps().to_string();
            self.hint(words.own("play.resumed", &[&file.display().to_string(), &answers]))?;
        }
        let count = session.players().len().to_string();
        let seed = session.game().config().seed.to_string();
        let text = words.own("play.start", &[&session.title(), &count, &seed]);
        self.say(&Line::styled(style::bold(), text))
    }

    fn say(&mut self, line: &Line) -> Result<()> {
        writeln!(self.out, "{line}")?;
        Ok(())
    }
    fn say_all(&mut self, lines: &[Line]) -> Result<()> {
        lines.iter().try_for_each(|line| self.say(line))
    }
    fn hint(&mut self, text: String) -> Result<()> {
        self.say(&Line::styled(style::dim(), text))
    }
    fn complain(&mut self, text: String) -> Result<()> {
        self.say(&Line::styled(style::bad(), text))
    }

    /// Plays until the game is over, the player leaves, or the input ends.
    pub fn play(&mut self, session: &mut Session, packs: &PackArgs) -> Result<()> {
        loop {
            if let Err(error) = self.let_bots_play(session) {
                if self.watch.is_none() {
                    return Err(error);
                }
                // A designer at work: the file is fixed, the game continues.
                self.complain(format!("{error:#}"))?;
                self.wait_for_change(session, packs)?;
                continue;
            }
            let asked = session.question();
            let viewer = asked.as_ref().map(|ask| ask.seat).or_else(|| match session.humans()[..] {
                [only] => Some(only),
                _ => None,
            });
            if let Some(ask) = &asked {
                self.pass_screen(session, ask.seat)?;
            }
            let view = session.view_for(viewer);
            self.tell_news(session, viewer)?;
            if let Some(outcome) = session.game().outcome() {
                return self.tell_end(session, &view, outcome);
            }
            let Some(ask) = asked else { bail!(STUCK) };
            let moment = (ask.seat, session.turns_of(ask.seat));
            if self.shown_at != Some(moment) {
                self.shown_at = Some(moment);
                self.show_board(session, &view)?;
            }
            self.show_question(session, &ask, &view, false)?;
            if !self.let_choose(session, &ask, &view, packs)? {
                return Ok(());
            }
        }
    }

    /// Bots play; on a terminal one sees that they do.
    fn let_bots_play(&mut self, session: &mut Session) -> Result<()> {
        if !self.interactive {
            return Ok(session.run_bots()?);
        }
        self.out.flush()?;
        let spinner = indicatif::ProgressBar::new_spinner();
        let mut result = Ok(true);
        while let Ok(true) = result {
            let waiting: Vec<String> = session
                .game()
                .pending()
                .iter()
                .map(|ask| session.words().value(Value::Faction(ask.seat), None))
                .collect();
            spinner.set_message(session.words().own("play.thinking", &[&waiting.join(", ")]));
            spinner.tick();
            result = session.bot_step();
        }
        spinner.finish_and_clear();
        Ok(result.map(|_| ())?)
    }

    /// Reads lines until the question is answered or gone. False where the player leaves.
    fn let_choose(&mut self, session: &mut Session, ask: &Decision, view: &View, packs: &PackArgs) -> Result<bool> {
        let mut only_match: Option<String> = None;
        loop {
            let prompt = format!("{} [1-{}, ?] ", session.words().own("play.prompt", &[]), ask.options.len());
            let catalog = session.game().catalog().clone();
            let Some(line) = self.read(&prompt, session, packs)? else {
                // The content was reloaded under the question, or the input has ended.
                self.kept = self.kept.take().map(|line| as_key(line, &keys(ask, &catalog)));
                return Ok(self.input_is_open());
            };
            let command = self.understand(&line, session, ask, view, &mut only_match, packs)?;
            let seat = ask.seat;
            let done = match command {
                Command::Take(key) => session.answer(seat, &key),
                Command::Aside(key) => session.play_aside(seat, &key),
                Command::Undo => match session.undo(&session.humans()) {
                    Ok(Undo::Done) => {
                        self.shown_at = None;
                        self.hint(session.words().own("play.undone", &[]))?;
                        Ok(())
                    }
                    Ok(Undo::Nothing) => {
                        self.hint(session.words().own("play.nothing-to-undo", &[]))?;
                        continue;
                    }
                    Ok(Undo::TooLate) => {
                        self.hint(session.words().own("play.too-late-to-undo", &[]))?;
                        continue;
                    }
                    Err(error) => Err(error),
                },
                Command::Quit => return Ok(false),
                Command::Shown => continue,
                Command::AskAgain => return Ok(true),
            };
            match done {
                Ok(()) => return Ok(true),
                Err(error) => self.complain(session.words().own("play.refused", &[&error.to_string()]))?,
            }
        }
    }

    fn input_is_open(&self) -> bool {
        self.input.is_some()
    }

    /// A line; `None` if the prompt must be repeated or the input has ended (then it is closed).
    fn read(&mut self, prompt: &str, session: &mut Session, packs: &PackArgs) -> Result<Option<String>> {
        let key = style::key();
        write!(self.out, "{key}{prompt}{key:#}")?;
        self.out.flush()?;
        if let Some(line) = self.kept.take() {
            writeln!(self.out, "{line}")?;
            return Ok(Some(line));
        }
        let limit = self.watch.as_ref().map(|_| WATCH_EVERY);
        loop {
            let typed = self.input.get_or_insert_with(Input::begin).next(limit);
            if self.watch.as_mut().is_some_and(Watch::changed) {
                writeln!(self.out)?;
                let reloaded = self.reload(session, packs)?;
                if reloaded {
                    if let Typed::Line(line) = typed {
                        self.kept = Some(line);
                    }
                    return Ok(None);
                }
                write!(self.out, "{key}{prompt}{key:#}")?;
                self.out.flush()?;
            }
            match typed {
                Typed::Line(line) => {
                    if !self.interactive {
                        // A transcript shows what was typed.
                        writeln!(self.out, "{line}")?;
                    }
                    return Ok(Some(line));
                }
                Typed::Nothing => {}
                Typed::End => {
                    writeln!(self.out)?;
                    self.input = None;
                    self.hint(session.words().own("play.ended", &[]))?;
                    return Ok(None);
                }
            }
        }
    }

    /// Loads the content again and replays the game on it. Returns false if the game continues with the old content.
    fn reload(&mut self, session: &mut Session, packs: &PackArgs) -> Result<bool> {
        let ready = match crate::packs::load(packs) {
            Ok(ready) => ready,
            Err(error) => {
                self.complain(format!("{error:#}"))?;
                self.hint(session.words().own("play.reload-broken", &[]))?;
                return Ok(false);
            }
        };
        match session.reload(ready) {
            Ok(answers) => {
                self.shown_at = None;
                self.hint(session.words().own("play.reloaded", &[&answers.to_string()]))?;
                Ok(true)
            }
            Err(error) => {
                self.hint(session.words().own("play.reload-misfit", &[&error.to_string()]))?;
                Ok(false)
            }
        }
    }

    fn wait_for_change(&mut self, session: &mut Session, packs: &PackArgs) -> Result<()> {
        loop {
            std::thread::sleep(WATCH_EVERY);
            if self.watch.as_mut().is_some_and(Watch::changed) && self.reload(session, packs)? {
                return Ok(());
            }
        }
    }

    /// What a line means where a question is open.
    fn understand(
        &mut self,
        line: &str,
        session: &mut Session,
        ask: &Decision,
        view: &View,
        only_match: &mut Option<String>,
        packs: &PackArgs,
    ) -> Result<Command> {
        let catalog = session.game().catalog().clone();
        let matched = only_match.take();
        if line.is_empty() {
            return Ok(match matched {
                Some(key) => Command::Take(key),
                None => {
                    self.show_question(session, ask, view, false)?;
                    Command::Shown
                }
            });
        }
        if let Ok(number) = line.parse::<usize>() {
            return Ok(match number.checked_sub(1).and_then(|at| ask.options.get(at)) {
                Some(choice) => Command::Take(choice.key(&catalog)),
                None => {
                    let count = ask.options.len().to_string();
                    self.complain(session.words().own("play.not-number", &[line, &count]))?;
                    Command::Shown
                }
            });
        }
        // The key of an option means the option, even where it is a command as well.
        let same_key = |choice: &&DecisionOption| choice.key(&catalog) == line;
        if let Some(choice) = ask.options.iter().find(same_key) {
            return Ok(Command::Take(choice.key(&catalog)));
        }
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        let width = output::width();
        let lines = match word {
            "?" | "help" => session.words().own("play.help", &[]).lines().map(Line::plain).collect(),
            "q" | "quit" | "exit" => return Ok(Command::Quit),
            "u" | "undo" => return Ok(Command::Undo),
            "a" | "aside" | "asides" => return self.choose_aside(session, ask.seat, rest, packs),
            "all" => {
                self.show_question(session, ask, view, true)?;
                return Ok(Command::Shown);
            }
            "b" | "board" | "map" => Drawing::new(session, view, width).map(),
            "t" | "tracks" | "table" => {
                let board = Drawing::new(session, view, width);
                board.middle().into_iter().chain(board.seats()).collect()
            }
            "h" | "hand" => Drawing::new(session, view, width).hand(),
            "l" | "log" => {
                let lines = session.log(Some(ask.seat));
                if lines.is_empty() { vec![session.words().own("play.log-empty", &[])] } else { lines }
                    .into_iter()
                    .map(|line| Line::plain(format!("  {line}")))
                    .collect()
            }
            "w" | "why" => why(session, ask, view, width),
            "s" | "save" => vec![self.save(session, rest)?],
            "scenario" => vec![make_scenario(session, rest)],
            _ => {
                self.filter(session, ask, view, line.trim_start_matches('/'), only_match)?;
                return Ok(Command::Shown);
            }
        };
        self.say_all(&lines)?;
        Ok(Command::Shown)
    }

    fn save(&mut self, session: &mut Session, file: &str) -> Result<Line> {
        let target = match (file, session.file()) {
            ("", None) => return Ok(Line::styled(style::dim(), session.words().own("play.save-where", &[]))),
            ("", Some(known)) => known.to_path_buf(),
            (file, _) => PathBuf::from(file),
        };
        let shown = target.display().to_string();
        Ok(match session.save_to(&target, Existing::Keep) {
            Ok(()) => Line::styled(style::dim(), session.words().own("play.saved", &[&shown])),
            Err(error) => Line::styled(style::bad(), error.to_string()),
        })
    }

    /// Shows the options with a text in them; a single one is taken by Enter.
    fn filter(
        &mut self,
        session: &Session,
        ask: &Decision,
        view: &View,
        text: &str,
        only_match: &mut Option<String>,
    ) -> Result<()> {
        let wanted = plain(text);
        let labels: Vec<String> = ask.options.iter().map(|choice| session.words().option(choice, view)).collect();
        let found: Vec<usize> = (0..labels.len()).filter(|at| plain(&labels[*at]).contains(&wanted)).collect();
        for at in &found {
            self.say(&option_line(*at, &labels[*at]))?;
        }
        match found.as_slice() {
            [] => self.complain(session.words().own("play.no-match", &[text])),
            [only] => {
                *only_match = Some(ask.options[*only].key(session.game().catalog()));
                self.hint(session.words().own("play.one-match", &[]))
            }
            _ => Ok(()),
        }
    }

    fn choose_aside(&mut self, session: &mut Session, seat: SeatId, wanted: &str, packs: &PackArgs) -> Result<Command> {
        let options = match session.asides(seat) {
            Ok(options) => options,
            Err(error) => {
                self.complain(session.words().own("play.refused", &[&error.to_string()]))?;
                return Ok(Command::Shown);
            }
        };
        if options.is_empty() {
            self.hint(session.words().own("play.aside-none", &[]))?;
            return Ok(Command::Shown);
        }
        let keys: Vec<String> = options.iter().map(|option| option.key.clone()).collect();
        let mut wanted = wanted.to_owned();
        loop {
            let by_number = wanted.parse::<usize>().ok();
            let by_key = keys.iter().position(|key| *key == wanted);
            let by_text: Vec<usize> =
                (0..keys.len()).filter(|at| plain(&options[*at].text).contains(&plain(&wanted))).collect();
            match (by_key, by_number, by_text.as_slice()) {
                (Some(at), ..) => return Ok(Command::Aside(keys[at].clone())),
                (_, Some(0), _) => return Ok(Command::AskAgain),
                (_, Some(n), _) if n <= options.len() => return Ok(Command::Aside(keys[n - 1].clone())),
                (_, Some(n), _) => {
                    let count = options.len().to_string();
                    self.complain(session.words().own("play.not-number", &[&n.to_string(), &count]))?;
                }
                (.., [only]) if !wanted.is_empty() => return Ok(Command::Aside(keys[*only].clone())),
                (.., []) => self.complain(session.words().own("play.no-match", &[&wanted]))?,
                _ => {}
            }
            let title = Line::styled(style::bold(), session.words().own("play.aside-title", &[]))
                .with(style::dim(), format!("  ({})", session.words().own("play.aside-back", &[])));
            self.say(&title)?;
            for (at, option) in options.iter().enumerate() {
                self.say(&option_line(at, &option.text))?;
            }
            let prompt = format!("{} [0-{}] ", session.words().own("play.prompt", &[]), options.len());
            match self.read(&prompt, session, packs)? {
                Some(line) => wanted = line,
                None => {
                    // Empty or 0 leads back to the question, and there it is asked again anyway.
                    let back = |line: &String| line.is_empty() || line == "0";
                    let kept = self.kept.take().filter(|line| !back(line));
                    self.kept = kept.map(|line| format!("a {}", as_key(line, &keys)));
                    return Ok(if self.input_is_open() { Command::AskAgain } else { Command::Quit });
                }
            }
            if wanted.is_empty() {
                return Ok(Command::AskAgain);
            }
        }
    }

    fn show_board(&mut self, session: &Session, view: &View) -> Result<()> {
        let board = Drawing::new(session, view, output::width());
        self.say(&Line::new())?;
        self.say_all(&board.map())?;
        self.say(&Line::new())?;
        self.say_all(&board.middle())?;
        self.say_all(&board.seats())
    }

    fn show_question(&mut self, session: &Session, ask: &Decision, view: &View, all: bool) -> Result<()> {
        let words = session.words();
        let catalog = session.game().catalog();
        let style = style::color(&catalog.factions[ask.seat.index()].color).bold();
        let mut head = Line::styled(style, words.value(Value::Faction(ask.seat), None));
        if let Some(phase) = view.phase {
            head.push(style::dim(), format!(" · {}", words.named("phase", &catalog.phases[phase.index()].id)));
        }
        if ask.source != Value::Nil {
            head.push(style::dim(), format!(" · {}", words.value(ask.source, None)));
        }
        self.say(&Line::new())?;
        self.say(&head)?;
        self.say(&Line::styled(style::bold(), words.prompt(ask, view)))?;
        let shown = if all || ask.options.len() <= OPTIONS_SHOWN + 4 { ask.options.len() } else { OPTIONS_SHOWN };
        for (at, choice) in ask.options.iter().enumerate().take(shown) {
            self.say(&option_line(at, &words.option(choice, view)))?;
        }
        if shown < ask.options.len() {
            self.hint(words.own("play.options-more", &[&(ask.options.len() - shown).to_string()]))?;
        }
        Ok(())
    }

    fn tell_news(&mut self, session: &mut Session, seat: Option<SeatId>) -> Result<()> {
        for line in session.news(seat) {
            self.say(&Line::styled(style::dim(), "│ ").with(Style::new(), line))?;
        }
        Ok(())
    }

    /// Where several people share the screen, nobody sees the intended value for another.
    fn pass_screen(&mut self, session: &Session, seat: SeatId) -> Result<()> {
        let changed = self.last_seat.replace(seat).is_some_and(|last| last != seat);
        if !(changed && self.interactive) {
            return Ok(());
        }
        let name = session.words().value(Value::Faction(seat), None);
        writeln!(self.out, "\x1b[2J\x1b[H")?;
        self.hint(session.words().own("play.pass-screen", &[&name]))?;
        if let Typed::End = self.input.get_or_insert_with(Input::begin).next(None) {
            self.input = None;
        }
        Ok(())
    }

    fn tell_end(&mut self, session: &Session, view: &View, outcome: Outcome) -> Result<()> {
        self.show_board(session, view)?;
        let words = session.words();
        let end = words.end(outcome.winner);
        let mut line = Line::styled(style::bold(), end);
        if let Some(cause) = words.outcome(outcome.cause, outcome.winner) {
            line.push(Style::new(), format!(" {cause}"));
        }
        self.say(&Line::new())?;
        self.say(&line)?;
        self.out.flush()?;
        Ok(())
    }
}

/// Makes the game so far, or its last answers, a scenario: `ID [ANSWERS]`.
fn make_scenario(session: &Session, rest: &str) -> Line {
    let words = session.words();
    let (id, last) = rest.split_once(' ').map_or((rest, None), |(id, last)| (id, Some(last.trim().parse::<usize>())));
    let until = session.record().answers.len();
    let from = match last {
        None => 0,
        Some(Ok(last)) => until.saturating_sub(last),
        Some(Err(_)) => return Line::styled(style::dim(), words.own("play.scenario-how", &[])),
    };
    if id.is_empty() {
        return Line::styled(style::dim(), words.own("play.scenario-how", &[]));
    }
    let request = ScenarioRequest { id, title: None, from, until };
    match make(session.packs(), session.record(), &request, &packs::options(None, Stage::Scripts)) {
        Ok(file) => Line::styled(style::dim(), words.own("play.scenario-made", &[&file.display().to_string()])),
        Err(error) => Line::styled(style::bad(), packs::told(error.into()).to_string()),
    }
}

/// The keys of the options of a decision.
fn keys(ask: &Decision, catalog: &Catalog) -> Vec<String> {
    ask.options.iter().map(|choice| choice.key(catalog)).collect()
}

/// What was typed, with a number as the key of its option: the number may mean another one after a reload.
fn as_key(line: String, keys: &[String]) -> String {
    let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    number.and_then(|at| keys.get(at)).map_or(line, String::clone)
}

fn option_line(at: usize, label: &str) -> Line {
    Line::styled(style::key(), format!("{:>4}", at + 1)).with(Style::new(), format!("  {label}"))
}
