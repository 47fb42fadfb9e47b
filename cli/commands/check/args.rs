//! The arguments of `principes check`.

use std::path::PathBuf;

use clap::ValueEnum;
use principes_content::Stage;

const EXAMPLES: &str = "\
Examples:
  principes check                              every pack under content/ and mods/
  principes check mods/my-pack
  principes check mods/my-pack --format json
  principes check --until play --deny warnings
  principes check mods/my-pack --diff          what --fix would change
  principes check mods/my-pack --fix
  principes check mods/my-pack --watch         again after every change of a file
  principes check --together mods/a mods/b     do they get on with each other?
  principes check mods/my-pack --explain-order which packs are loaded when, and why
  principes explain P0101                      what a code means";

/// Finds everything that is wrong with packs, with file, line and column.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Packs, or folders of packs; those under content/ and mods/ unless said, else the pack that we stand in.
    pub(super) paths: Vec<PathBuf>,
    /// How findings are written; `github` where GITHUB_ACTIONS is `true`, else `human`.
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// What also counts as a fault.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) deny: Option<Deny>,
    /// How far to go; each stage includes those before it.
    #[arg(long, value_enum, default_value_t = Until::Scenarios, value_name = "STAGE")]
    pub(super) until: Until,
    /// Mends what can be mended without doubt, then checks again.
    #[arg(long)]
    pub(super) fix: bool,
    /// Shows what `--fix` would change, and changes nothing.
    #[arg(long, visible_alias = "dry-run")]
    pub(super) diff: bool,
    /// Says nothing beside the findings.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Checks again whenever a file of the packs changes, until Ctrl-C; then the last check decides how it ends.
    /// What the files of the changed pack say comes first, then its scenarios and the packs that stand on it.
    #[arg(long, conflicts_with_all = ["fix", "diff", "format", "deny", "explain_order"])]
    pub(super) watch: bool,
    /// Checks the packs as they are when loaded together, instead of each with what it requires. Their scenarios, which
    /// are written for a pack alone, are left out.
    #[arg(long)]
    pub(super) together: bool,
    /// Which game, where several are checked together.
    #[arg(long, value_name = "ID", requires = "together")]
    pub(super) game: Option<String>,
    /// Also says in which order packs are loaded, and why.
    #[arg(long)]
    pub(super) explain_order: bool,
}

/// How findings are written.
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

/// What also counts as a fault.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Deny {
    /// Warnings are faults too.
    Warnings,
}

/// How far a check goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Until {
    /// Files can be read and are JSON.
    Syntax,
    /// Files fit their schemas.
    Schema,
    /// References lead somewhere, numbers and messages are right.
    Links,
    /// Scripts compile and have the functions that hooks name.
    Scripts,
    /// Scenarios do what they say.
    Scenarios,
    /// Random games come to an end.
    Play,
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
