//! `principes new`: writes a working pack from a template.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use include_dir::{Dir, include_dir};
use principes_app::storage::{Disk, FileSet, is_taken};
use principes_content::{Stage, check};
use principes_schemas::NAME_LENGTH;
use principes_source::{MemoryPack, PackSource};

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
    let mut files: Vec<(String, String)> = filled.collect();
    refuse_what_check_refuses(&id, &files)?;
    // All files are made before the folder, which is held: somebody may exchange it for a link.
    let pack: Arc<dyn PackSource> = Arc::new(in_memory(&args.path.to_string_lossy(), &files));
    let report = {
        // The snapshots are made now, because they depend on the current base game.
        let ready = packs::load_sources(&[Arc::clone(&pack)], None)?;
        let report = principes_scenarios::run_all(&ready.loaded, None, false).map_err(packs::refuse)?;
        files.extend(principes_scenarios::first_snapshots(&ready.loaded, &report.results));
        report
    };
    files.sort();
    let mut set = FileSet::in_new_folder(&Disk, &args.path)?;
    for (path, text) in files.iter().chain(&editors::first_files(&pack)) {
        set.add(Path::new(path), text.as_bytes())?;
    }
    set.finish()?;
    let mut out = output::stdout();
    writeln!(out, "{}", args.path.display())?;
    out.flush()?;
    for (file, _) in &files {
        output::note(&format!("  {}", args.path.join(file).display()));
    }
    output::note(&format!(
        "  {}, .luarc.json: schemas and type stubs for editors",
        args.path.join(".vscode").display()
    ));
    output::note(&format!(
        "Next:\n  principes check {0}\n  principes test {0}\n  principes play --pack {0} --watch",
        args.path.display()
    ));
    Ok(Exit::failure_if(report.results.iter().any(|result| !result.failures.is_empty())))
}

fn in_memory(name: &str, files: &[(String, String)]) -> MemoryPack {
    files.iter().fold(MemoryPack::new(name), |pack, (path, text)| pack.with(path, text.as_bytes()))
}

/// Checks the files before anything is written, so that `new` accepts the names that `check` accepts.
fn refuse_what_check_refuses(id: &str, files: &[(String, String)]) -> Result<()> {
    let checked = check(&[Arc::new(in_memory(id, files))], &packs::options(None, Stage::Scripts));
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
