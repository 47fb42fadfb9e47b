//! `principes pack`: writes a pack as one file to share.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use principes_findings::Finding;
use std::sync::Arc;

use principes_content::{Stage, check};
use principes_model::Checked;
use principes_scenarios::findings::{of_result, orphans};
use principes_scenarios::{Renamed, ScenarioResult, Verdict};
use principes_source::archive;
use principes_source::is_packed;

use crate::output::{self, Exit};
use crate::packs;

const EXAMPLES: &str = "\
Examples:
  principes pack mods/my-cards                     writes my-cards-0.1.0.zip
  principes pack mods/my-cards --out my-cards.zip
  principes play --pack my-cards-0.1.0.zip";

/// Writes a pack as one zip file, with the same bytes on every machine.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder of the pack.
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// The file to write. Default: the pack's id and version, in the current folder.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Exit> {
    if is_packed(&args.path) {
        bail!("`{}` is already a zip file", args.path.display());
    }
    if args.path.exists() && !args.path.join("pack.json").is_file() {
        bail!("`{}` has no pack.json", args.path.display());
    }
    let source = packs::source(&args.path)?;
    let Checked { findings, loaded, .. } = check(std::slice::from_ref(&source), &packs::options(None, Stage::Scripts));
    output::findings(findings);
    let Some(loaded) = loaded else {
        output::error("the pack has errors; fix them first");
        return Ok(Exit::Failure);
    };
    let report = principes_scenarios::run_all(&loaded, None, false).map_err(packs::refuse)?;
    let failed = |outcome: &&Arc<ScenarioResult>| !outcome.failures.is_empty() || outcome.snapshot == Verdict::Changed;
    let failures: Vec<Finding> =
        report.results.iter().filter(failed).flat_map(|result| of_result(&loaded, result)).collect();
    let failures: Vec<Finding> = failures.into_iter().chain(orphans(&loaded, &Renamed::default())).collect();
    if !failures.is_empty() {
        output::findings(failures);
        output::error("some scenarios of the pack fail, or some snapshots have no scenario; fix them first");
        return Ok(Exit::Failure);
    }
    let bytes = archive::pack(&*source).with_context(|| format!("{} cannot be packed", args.path.display()))?;
    let manifest = loaded.packs.last().map(|pack| &pack.manifest);
    let name = manifest.map(|manifest| format!("{}-{}.zip", manifest.id, manifest.version)).unwrap_or_default();
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(name));
    output::write_file(&path, &bytes)?;
    let kib = bytes.len().div_ceil(1024);
    output::note(&format!("{}: {kib} KiB, sha256 {}…", path.display(), principes_app::digest::digest(&bytes)));
    Ok(Exit::Success)
}
