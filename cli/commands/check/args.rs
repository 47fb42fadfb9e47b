//! The arguments of `principes check`.

use std::path::PathBuf;

use clap::ValueEnum;
use principes_author::check::Reach;
use principes_content::Stage;

const EXAMPLES: &str = "\
Examples:
  principes check                              every pack under content/ and mods/
  principes check mods/my-pack
  principes check mods/my-pack --format json
  principes check --until play --deny warnings
  principes check mods/my-pack --diff          shows what --fix would change
  principes check mods/my-pack --fix
  principes check mods/my-pack --watch         checks again after every change of a file
  principes check --together mods/a mods/b     two packs, loaded with each other
  principes check mods/my-pack --explain-order shows the load order, and why
  principes explain P0101                      what a code means";

/// Reports everything that is wrong with packs, with file, line and column.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Packs, or folders of packs. Default: those under content/ and mods/, or the pack in the current folder.
    pub(super) paths: Vec<PathBuf>,
    /// The output format. Default: `github` if GITHUB_ACTIONS is `true`, otherwise `human`.
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// Findings that also count as errors.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) deny: Option<Deny>,
    /// How far to check; each stage includes those before it.
    #[arg(long, value_enum, default_value_t = Until::Scenarios, value_name = "STAGE")]
    pub(super) until: Until,
    /// Applies unambiguous fixes, then checks again.
    #[arg(long)]
    pub(super) fix: bool,
    /// Shows what `--fix` would change, without changing it.
    #[arg(long, visible_alias = "dry-run")]
    pub(super) diff: bool,
    /// Prints only the findings.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Checks again whenever a file of the packs changes, until Ctrl-C. The last check decides the exit code. The
    /// changed pack is reported first, then its scenarios and the packs that build on it.
    #[arg(long, conflicts_with_all = ["fix", "diff", "format", "deny", "explain_order"])]
    pub(super) watch: bool,
    /// Checks the packs loaded together, instead of each one with the packs it requires. Leaves out their scenarios,
    /// because they are written for one pack alone.
    #[arg(long)]
    pub(super) together: bool,
    /// The game, if several are checked together.
    #[arg(long, value_name = "ID", requires = "together")]
    pub(super) game: Option<String>,
    /// Also shows the order in which packs are loaded, and why.
    #[arg(long)]
    pub(super) explain_order: bool,
}

/// The output format of findings.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
    /// For code scanning services.
    Sarif,
    /// For test reports.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
}

impl Format {
    pub(super) fn usual() -> Self {
        match std::env::var("GITHUB_ACTIONS") {
            Ok(yes) if yes == "true" => Format::Github,
            _ => Format::Human,
        }
    }
}

/// Findings that also count as errors.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Deny {
    /// Any warning
    Warnings,
}

/// How far a check goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Until {
    /// Files are readable and are valid JSON.
    Syntax,
    /// Files fit their schemas.
    Schema,
    /// References resolve; numbers and messages are right.
    Links,
    /// Scripts compile and have the functions that hooks name.
    Scripts,
    /// Scenarios pass.
    Scenarios,
    /// Random games end.
    Play,
}

impl Args {
    pub(super) fn reach(&self) -> Reach {
        let until = match self.until {
            Until::Scenarios => Stage::Scenarios,
            Until::Play => Stage::Play,
            earlier => earlier.stage(),
        };
        Reach { until, together: self.together }
    }
}

impl Until {
    pub(super) fn stage(self) -> Stage {
        match self {
            Until::Syntax => Stage::Syntax,
            Until::Schema => Stage::Schema,
            Until::Links => Stage::Links,
            _ => Stage::Scripts,
        }
    }
}
