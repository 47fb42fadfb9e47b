//! `principes new`: writes a working pack from a template.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use include_dir::{Dir, include_dir};
use principes_app::storage::is_taken;
use principes_content::{Stage, check};
use principes_schemas::NAME_LENGTH;
use principes_source::{MemoryPack, folder};

use crate::editors;
use crate::output::{self, Exit};
use crate::packs;

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/cli/templates");

const EXAMPLES: &str = "\
Examples:
  principes new mods/my-cards --kind cards     a card for the base game, its script and scenario
  principes new mods/my-game --kind game       a small complete game
  principes check mods/my-cards && principes test mods/my-cards";

/// Writes a working pack to start from.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder to create; its name becomes the pack's id.
    #[arg(value_name = "NAME")]
    path: PathBuf,
    /// The template.
    #[arg(long, value_enum, default_value_t = Template::Expansion)]
    kind: Template,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Template {
    /// New cards and a new rule for the base game.
    Expansion,
    /// New cards for the base game.
    Cards,
    /// Changes to the map of the base game.
    Map,
    /// A complete game.
    Game,
}

pub fn run(args: &Args) -> Result<Exit> {
    let id = args.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if is_taken(&args.path) {
        bail!("`{}` already exists", args.path.display());
    }
    let base = base()?;
    if base.id == id {
        bail!("`{id}` is the id of the base game");
    }
    let name = args.kind.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    let template = TEMPLATES.get_dir(&name).with_context(|| format!("unknown template `{name}`"))?;
    let mut templates = Vec::new();
    collect(template, &mut templates);
    let filled = templates.iter().map(|(path, text)| {
        let relative = path.strip_prefix(&name).unwrap_or(path);
        (fill(&relative.to_string_lossy(), &id, &base), fill(text, &id, &base))
    });
    let files: Vec<(String, String)> = filled.collect();
    refuse_what_check_refuses(&id, &files)?;
    let mut written = Vec::new();
    let unfinished = Unfinished::begin(&args.path)?;
    for (path, text) in &files {
        let target = args.path.join(path);
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("cannot create the folder `{}`", parent.display()))?;
        }
        std::fs::write(&target, text).with_context(|| format!("cannot write `{}`", target.display()))?;
        written.push(target);
    }
    editors::write(&args.path)?;
    // The snapshots are made now, because they depend on the current base game.
    let ready = packs::load_sources(&[folder(&args.path)], None)?;
    let report = principes_scenarios::run_all(&ready.loaded, None, true).map_err(packs::refuse)?;
    unfinished.keep();
    let snapshots = report.results.iter().map(|result| PathBuf::from(&result.snapshot_file));
    written.extend(snapshots);
    written.sort();
    written.dedup();
    let mut out = output::stdout();
    writeln!(out, "{}", args.path.display())?;
    out.flush()?;
    for file in &written {
        output::note(&format!("  {}", file.display()));
    }
    output::note(&format!(
        "  {}, .luarc.json: schemas and type stubs for editors",
        args.path.join(".vscode").display()
    ));
    output::note(&format!(
        "Next:\n  principes check {0}\n  principes test {0}\n  principes play --pack {0} --watch",
        args.path.display()
    ));
    Ok(Exit::failure_if(!report.passed()))
}

/// Checks the files before anything is written, so that `new` accepts the names that `check` accepts.
fn refuse_what_check_refuses(id: &str, files: &[(String, String)]) -> Result<()> {
    let pack = files.iter().fold(MemoryPack::new(id), |pack, (path, text)| pack.with(path, text.as_bytes()));
    let checked = check(&[Arc::new(pack)], &packs::options(None, Stage::Scripts));
    let errors = || checked.findings.iter().filter(|finding| finding.is_error());
    if errors().any(|finding| finding.pointer == "/id" && finding.file.ends_with("pack.json")) {
        bail!(
            "`{id}` is not a pack id: use at most {NAME_LENGTH} lower-case letters, digits and `-`, such as `my-cards`"
        );
    }
    match errors().next() {
        Some(error) => bail!("a pack cannot be called `{id}`: {} ({})", error.message, error.file),
        None => Ok(()),
    }
}

/// A new folder, and the new folders above it. Unless it is kept, it is removed with everything in it.
struct Unfinished(Vec<PathBuf>);

impl Unfinished {
    /// Makes the folder; fails if there is one.
    fn begin(path: &Path) -> Result<Self> {
        let failed = || format!("cannot create the folder `{}`", path.display());
        let above = path.ancestors().skip(1).take_while(|above| !above.as_os_str().is_empty() && !is_taken(above));
        let mut unfinished = Unfinished(Vec::new());
        for folder in above.collect::<Vec<_>>().into_iter().rev().chain([path]) {
            std::fs::create_dir(folder).with_context(failed)?;
            unfinished.0.push(folder.to_owned());
        }
        Ok(unfinished)
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // The first error is reported. What somebody else has written into a folder above stays.
        let Some(pack) = self.0.pop() else { return };
        let _ = std::fs::remove_dir_all(pack);
        for above in self.0.iter().rev() {
            let _ = std::fs::remove_dir(above);
        }
    }
}

/// The id and version of the base game.
struct Base {
    id: String,
    version: String,
}

fn base() -> Result<Base> {
    let mut findings = Vec::new();
    let entry = principes_content::packs::read_manifest(&principes_app::packs::base()?, &mut findings)
        .context("the base game has no manifest")?;
    Ok(Base { id: entry.manifest.id.to_string(), version: entry.manifest.version.to_string() })
}

fn collect<'a>(dir: &'a Dir<'a>, files: &mut Vec<(&'a Path, &'a str)>) {
    for file in dir.files() {
        files.extend(file.contents_utf8().map(|text| (file.path(), text)));
    }
    for inner in dir.dirs() {
        collect(inner, files);
    }
}

fn fill(text: &str, id: &str, base: &Base) -> String {
    text.replace("__id__", id)
        .replace("__title__", &principes_app::words::humanize(id))
        .replace("__base__", &base.id)
        .replace("__base_version__", &base.version)
}
