//! `principes replay`: a recorded game, step by step.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use principes_content::source::visible;
use principes_core::*;

use crate::ink;
use crate::out::{self, Exit};
use crate::packs::PackArgs;
use crate::record::{self, Order};
use crate::save::{Save, short};

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
    /// A game that `play --save` wrote.
    file: PathBuf,
    #[command(flatten)]
    packs: PackArgs,
    /// Replays it silently and compares the digest of every state with the recorded one.
    #[arg(long)]
    verify: bool,
    /// Makes it a scenario of the pack: writes scenarios/ID.json with its snapshot.
    #[arg(long, value_name = "ID", conflicts_with_all = ["verify", "seat"])]
    scenario: Option<String>,
    /// What the scenario shows.
    #[arg(long, value_name = "TEXT", requires = "scenario")]
    title: Option<String>,
    /// The answer from which on the scenario looks at what changes; those before it only lead there. 1 unless said.
    #[arg(long, value_name = "N", requires = "scenario", value_parser = clap::value_parser!(u32).range(1..))]
    from: Option<u32>,
    /// The last answer of the scenario; the last of the game unless said.
    #[arg(long, value_name = "N", requires = "scenario")]
    until: Option<u32>,
    /// Only what this seat could see.
    #[arg(long, value_name = "FACTION", conflicts_with = "verify")]
    seat: Option<String>,
    /// Language of names and sentences.
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let save = Save::read(&args.file)?;
    let ready = crate::packs::load(&args.packs)?;
    let shown = args.file.display().to_string();
    save.check_packs(&ready.catalog, &ready.packs).with_context(|| shown.clone())?;
    if let Some(id) = &args.scenario {
        let order = Order {
            id,
            title: args.title.as_deref(),
            from: args.from.map_or(0, |from| from as usize - 1),
            until: args.until.map_or(save.answers.len(), |until| until as usize),
        };
        let file = record::make(&ready, &save, &order)?;
        writeln!(out::stdout(), "{} and its snapshot are written; the scenario passes", file.display())?;
        return Ok(Exit::Fine);
    }
    let setup = save.setup(&ready.catalog).with_context(|| shown.clone())?;
    let host = ready.host()?;
    let mut game = ready.start(&host, setup.config).with_context(|| shown.clone())?;
    let mut out = out::stdout();
    if args.verify {
        return Ok(match save.replay(&mut game, true) {
            Ok(()) => {
                writeln!(out, "{} answers, every state as recorded, digest {}", save.answers.len(), game.digest())?;
                Exit::Fine
            }
            Err(error) => {
                out::complain(&format!("{shown}: {error:#}"));
                Exit::Faults
            }
        });
    }
    ready.require_language(&args.lang)?;
    let words = ready.words(&args.lang);
    let seat = args.seat.as_deref().map(|id| crate::setup::playable(&ready.catalog, id)).transpose()?;
    let (bold, dim) = (ink::bold(), ink::dim());
    tell(&mut out, &mut game, &words, seat, args.seat.is_none())?;
    for (at, answer) in save.answers.iter().enumerate() {
        let faction =
            crate::setup::playable(&ready.catalog, &answer.seat).with_context(|| format!("{shown}: /answers/{at}"))?;
        if seat.is_none_or(|seat| seat == faction) {
            let name = words.value(Value::Faction(faction), None);
            let aside = if answer.aside { " *" } else { "" };
            writeln!(
                out,
                "{dim}{:>5}{dim:#} {bold}{name}{bold:#}: {}{aside} {dim}{}{dim:#}",
                at + 1,
                visible(&answer.choose),
                visible(&short(&answer.then))
            )?;
        }
        Save::play(&mut game, at, answer).with_context(|| shown.clone())?;
        tell(&mut out, &mut game, &words, seat, args.seat.is_none())?;
    }
    out.flush()?;
    Ok(Exit::Fine)
}

/// The events since the last answer; with `all` those that are secret too.
fn tell(
    out: &mut impl std::io::Write,
    game: &mut Game<crate::packs::Host>,
    words: &crate::words::Words,
    seat: Option<SeatId>,
    all: bool,
) -> Result<()> {
    let events = game.take_events();
    let view = game.table().view(seat);
    for event in events {
        let seen = match all {
            true => Some(principes_core::event::SeenEvent { event, hidden: false }),
            false => event.seen_by(game.catalog(), seat),
        };
        if let Some(line) = seen.and_then(|seen| words.event(&seen, &view)) {
            writeln!(out, "      {line}")?;
        }
    }
    Ok(())
}
