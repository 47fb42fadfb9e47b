//! The `principes` program: arguments, terminal and files around the library `principes-app`.
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`commands`] | the subcommands, one file each; the larger ones have a folder for their parts |
//! | [`arguments`] | arguments that several subcommands share: packs, setup, number of workers |
//! | [`packs`] | opening packs for a command, and printing what is wrong with them |
//! | [`output`] | exit codes, output formats, progress bars; the only code that writes to the standard streams |
//! | [`style`] | lines of colored text that know their width |
//! | [`board`] | drawing a board with characters |
//! | [`editors`] | schemas, stubs and settings for editors in the folder of a pack |
//! | [`stop`] | Ctrl-C and other signals |

mod arguments;
mod board;
mod commands;
mod editors;
mod output;
mod packs;
mod stop;
mod style;

use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use principes_app::workers::{self, WorkerError};

use crate::commands::{
    api, balance, bench, check, completions, diff, explain, fmt, import, learn, man, mutate, new, pack, perft, play,
    print, replay, rules, schema, show, sim, studio, test,
};
use crate::output::Exit;

const EXAMPLES: &str = "\
Examples:
  principes play                          a game against bots in the terminal
  principes studio                        the same in the browser
  principes check mods/my-pack            everything that is wrong with a pack
  principes test mods/my-pack --review    how its scenarios changed, as a diff
  principes sim --games 1000 --format json
  principes balance                       who wins, and what each card does
  principes show ID                       a card as players see it
  principes new my-cards --kind cards     a working pack to start from

Exit codes: 0 success, 1 errors, failures or differences found, 2 the command could not run,
3 `balance --gate` needs more games.";

/// Plays, checks, tests and measures board games about princes and realms, made of content packs.
#[derive(Parser)]
#[command(name = "principes", version, after_help = EXAMPLES, max_term_width = 100, propagate_version = true)]
struct Cli {
    /// When to use color.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Also in files and pipes
    Always,
    /// Not even in a terminal
    Never,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Explain(explain::Args),
    Fmt(fmt::Args),
    Test(test::Args),
    Mutate(mutate::Args),
    Play(play::Args),
    Studio(studio::Args),
    Sim(sim::Args),
    Balance(balance::Args),
    Learn(learn::Args),
    Perft(perft::Args),
    Replay(replay::Args),
    Rules(rules::Args),
    Schema(schema::Args),
    Api(api::Args),
    New(new::Args),
    Show(show::Args),
    Diff(diff::Args),
    Print(print::Args),
    Import(import::Args),
    Pack(pack::Args),
    Bench(bench::Args),
    Completions(completions::Args),
    Man(man::Args),
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
        output::error(&format!("this is a bug in the program; please report it: {}{place}", output::panic_words(info)));
    }));
    stop::survive_file_limits();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are output, not errors. A pipe that closes meanwhile is not an error either.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    principes_games::install();
    match cli.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    // Runs on a new thread, because the main thread's stack may be too small for nested scripts.
    let first = workers::thread().spawn(move || run(&cli.command));
    match first.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(Exit::Success))) => ExitCode::SUCCESS,
        Ok(Ok(Ok(Exit::Failure))) => ExitCode::from(1),
        Ok(Ok(Ok(Exit::Undecided))) => ExitCode::from(3),
        Ok(Ok(Err(error))) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            output::error(&format!("{error:#}"));
            ExitCode::from(2)
        }
        // The panic hook has already reported it.
        Ok(Err(_)) => ExitCode::from(2),
        Err(error) => {
            output::error(&WorkerError::NoThread(error).to_string());
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command) -> anyhow::Result<Exit> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Test(args) => test::run(args),
        Command::Studio(args) => studio::run(args),
        Command::Mutate(args) => mutate::run(args),
        Command::Play(args) => play::run(args),
        Command::Sim(args) => sim::run(args),
        Command::Balance(args) => balance::run(args),
        Command::Learn(args) => learn::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Rules(args) => rules::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Api(args) => api::run(args),
        Command::New(args) => new::run(args),
        Command::Show(args) => show::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Print(args) => print::run(args),
        Command::Import(args) => import::run(args),
        Command::Pack(args) => pack::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Completions(args) => completions::run(args, <Cli as clap::CommandFactory>::command()),
        Command::Man(args) => man::run(args, <Cli as clap::CommandFactory>::command()),
    }
}
