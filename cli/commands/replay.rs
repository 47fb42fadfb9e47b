//! `principes replay`: shows a recorded game step by step.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use principes_app::packs::OpenPacks;
use principes_app::save::{PacksNow, Save, give, short};
use principes_app::session::SessionError;
use principes_app::setup::playable;
use principes_app::words::Words;
use principes_author::scenario_from_save::{self, ScenarioRequest};
use principes_content::Stage;
use principes_core::SeenEvent;
use principes_core::*;
use principes_findings::escape;
use principes_scripting::LuaHost;

use crate::arguments::{PackArgs, number};
use crate::output::{self, Exit};
use crate::packs;
use crate::style;

const EXAMPLES: &str = "\
Examples:
  principes replay evening.json
  principes replay evening.json --verify       compares the digest of every state
  principes replay evening.json --seat FACTION  what that seat could see
  principes replay evening.json --pack mods/my-pack --scenario last-siege --from 41 --until 52";

/// Shows a recorded game step by step.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A game that `play --save` saved.
    file: PathBuf,
    #[command(flatten)]
    packs: PackArgs,
    /// Replays the game without output and compares the digest of every state with the record.
    #[arg(long)]
    verify: bool,
    /// Turns the game into a scenario of the pack: writes ID.scenarios.json and its snapshot.
    #[arg(long, value_name = "ID", conflicts_with_all = ["verify", "seat"])]
    scenario: Option<String>,
    /// The title of the scenario.
    #[arg(long, value_name = "TEXT", requires = "scenario")]
    title: Option<String>,
    /// The first answer whose changes the scenario expects. Earlier answers only set the scene. Default: 1.
    #[arg(long, value_name = "N", requires = "scenario", value_parser = number(1..=u32::MAX))]
    from: Option<u32>,
    /// The last answer of the scenario. Default: the last of the game.
    #[arg(long, value_name = "N", requires = "scenario", value_parser = number(0..=u32::MAX))]
    until: Option<u32>,
    /// Shows only what this seat could see.
    #[arg(long, value_name = "FACTION", conflicts_with = "verify")]
    seat: Option<String>,
    /// The language of names and messages.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
}

pub fn run(args: &Args) -> Result<Exit> {
    let save = Save::read(&args.file)?;
    let ready = packs::load(&args.packs)?;
    let shown = args.file.display().to_string();
    let now = save.packs_now(&ready).with_context(|| shown.clone())?;
    if now == PacksNow::Changed {
        output::note("the packs have changed since the game was saved");
    }
    if let Some(id) = &args.scenario {
        return make_scenario(args, id, &ready, &save);
    }
    let setup = save.setup(&ready.catalog).with_context(|| shown.clone())?;
    let host = ready.host().map_err(|error| packs::explained(error.into()))?;
    let mut game = ready.start(&host, setup.config).map_err(SessionError::from).with_context(|| shown.clone())?;
    if args.verify {
        return verify(&save, &ready, &mut game, &shown);
    }
    ready.require_language(&args.lang)?;
    let words = ready.words(&args.lang);
    let seat = args.seat.as_deref().map(|id| playable(&ready.catalog, id)).transpose()?;
    let (bold, dim) = (style::bold(), style::dim());
    let mut out = output::stdout();
    tell(&mut out, &mut game, &words, seat)?;
    let mut alike = 0;
    let mut differs = save.check_start(&game).err();
    for (at, answer) in save.answers.iter().enumerate() {
        let faction = playable(&ready.catalog, &answer.seat).with_context(|| format!("{shown}: /answers/{at}"))?;
        if seat.is_none_or(|seat| seat == faction) {
            let name = words.value(Value::Faction(faction), None);
            let aside = if answer.aside { " *" } else { "" };
            writeln!(
                out,
                "{dim}{:>5}{dim:#} {bold}{name}{bold:#}: {}{aside} {dim}{}{dim:#}",
                at + 1,
                escape::line(&answer.choose),
                escape::line(&short(&answer.then))
            )?;
        }
        if let Err(error) = give(&mut game, at, answer) {
            differs = differs.or(Some(error));
            break;
        }
        tell(&mut out, &mut game, &words, seat)?;
        differs = differs.or_else(|| save.check_answer(at, &game).err());
        if differs.is_none() {
            alike = at + 1;
        }
    }
    out.flush()?;
    match differs.or_else(|| save.check_end(&game).err()) {
        None => Ok(Exit::Success),
        Some(why) => {
            let error = save.departure(&ready, alike, why)?;
            output::error(&format!("{shown}: {error}"));
            Ok(Exit::Failure)
        }
    }
}

/// Compares every state with the record.
fn verify(save: &Save, ready: &OpenPacks, game: &mut Game<LuaHost>, shown: &str) -> Result<Exit> {
    match save.verify(ready, game) {
        Ok(()) => {
            let answers = save.answers.len();
            writeln!(output::stdout(), "{answers} answers, every state matches the record, digest {}", save.digest)?;
            Ok(Exit::Success)
        }
        Err(error) => {
            output::error(&format!("{shown}: {error}"));
            Ok(Exit::Failure)
        }
    }
}

fn make_scenario(args: &Args, id: &str, ready: &OpenPacks, save: &Save) -> Result<Exit> {
    let request = ScenarioRequest {
        id,
        title: args.title.as_deref(),
        from: args.from.map_or(0, |from| from as usize - 1),
        until: args.until.map_or(save.answers.len(), |until| until as usize),
    };
    let file = scenario_from_save::make(ready, save, &request, &packs::options(None, Stage::Scripts));
    let file = file.map_err(|error| packs::explained(error.into()))?;
    writeln!(output::stdout(), "wrote {} and its snapshot; the scenario passes", file.display())?;
    Ok(Exit::Success)
}

/// Prints the events since the last answer, as a seat saw them. Without a seat, secret events are included.
fn tell(out: &mut impl std::io::Write, game: &mut Game<LuaHost>, words: &Words, seat: Option<SeatId>) -> Result<()> {
    let events = game.take_events();
    let view = game.table().view(seat);
    for event in events {
        let seen = match seat {
            None => Some(SeenEvent { event, hidden: false }),
            Some(_) => event.seen_by(game.catalog(), seat),
        };
        if let Some(line) = seen.and_then(|seen| words.event(&seen, &view)) {
            writeln!(out, "      {line}")?;
        }
    }
    Ok(())
}
