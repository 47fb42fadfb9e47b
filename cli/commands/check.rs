//! `principes check`: reports everything that is wrong with packs.

mod args;
mod fix;
mod formats;
mod root;
mod watch;

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

use anyhow::{Result, bail};
use principes_app::workers;
use principes_author::check::{Findings, check_table, twins};
use principes_content::packs::After;
use principes_findings::budget;
use principes_findings::{Severity, print_human, print_json, sort};
use principes_model::PackInfo;
use principes_source::PackSource;
use serde_json::json;

pub use self::args::Args;
use self::args::{Deny, Format};
use self::root::Root;
use crate::output::{self, Exit};
use crate::packs;

pub fn run(args: &Args) -> Result<Exit> {
    if args.watch {
        return watch::watch(args);
    }
    let folders = principes_app::packs::under(&args.paths)?;
    let given = packs::sources(&folders)?;
    if args.fix || args.diff {
        let any_left = fix::fix(&given, args.until.stage(), args.diff)?;
        if args.diff {
            return Ok(Exit::failure_if(any_left));
        }
    }
    let mut result = Findings::default();
    let format = args.format.unwrap_or_else(Format::usual);
    if args.explain_order && !matches!(format, Format::Human | Format::Json) {
        bail!("--explain-order needs --format human or json");
    }
    let tables: Vec<&[Arc<dyn PackSource>]> = match args.together {
        true => vec![&given],
        false => given.chunks(1).collect(),
    };
    let options = packs::options(args.game.as_deref(), args.until.stage());
    let mut tables: Vec<_> = tables.into_iter().map(|given| (given, Findings::default())).collect();
    workers::each(workers::cores(), &mut tables, |(given, found)| {
        check_table(given, args.reach(), &options, found).map_err(|error| packs::explained(error.into()))
    })?;
    if !args.together {
        result.findings.extend(twins(&given));
        fix::spare_across(tables.iter_mut().map(|(given, found)| (&given[0], &mut found.findings)));
    }
    for (_, found) in tables {
        result.add(&found);
        result.orders.extend(found.orders);
    }
    fix::keep_own(&given, &mut result.findings);
    sort(&mut result.findings);
    budget::cut(&mut result.findings);
    sort(&mut result.findings);
    let deny = args.deny == Some(Deny::Warnings);
    let text = report(&result, format, deny, args.explain_order)?;
    let mut out = output::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    if matches!(format, Format::Human | Format::Github) && !args.quiet {
        output::note(&result.summary());
    }
    // The process ends. To free everything that was read would take a while.
    std::mem::forget(options);
    Ok(Exit::failure_if(result.fails(deny)))
}

/// The findings in the requested format.
fn report(result: &Findings, format: Format, deny: bool, explain_order: bool) -> Result<String> {
    Ok(match format {
        Format::Human => {
            let orders = if explain_order { order(result) } else { String::new() };
            orders + &print_human(&result.findings, true)
        }
        Format::Json => {
            let mut all = json!({
                "packs": result.packs,
                "findings": print_json(&result.findings),
                "summary": {
                    "errors": result.count(Severity::Error), "warnings": result.count(Severity::Warning),
                    "packs": result.packs.len(), "entities": result.entities, "hooks": result.hooks,
                    "scenarios": result.scenarios,
                },
            });
            if explain_order {
                all["order"] =
                    result.orders.iter().map(|order| order.iter().map(order_json).collect::<Vec<_>>()).collect();
            }
            output::json_text(&all)?
        }
        Format::Sarif => output::json_text(&formats::sarif(&result.findings, &Root::find()))?,
        Format::Junit => formats::junit(&result.packs, &result.findings, deny)?,
        Format::Github => formats::github(&result.findings, &Root::find()),
    })
}

/// The load orders and the reasons for them, one line for each reason.
fn order(result: &Findings) -> String {
    let mut text = String::new();
    for order in &result.orders {
        let _ = writeln!(text, "load order");
        for (at, pack) in order.iter().enumerate() {
            let manifest = &pack.manifest;
            let _ = writeln!(text, "{:>3}  {} {}  {}", at + 1, manifest.id, manifest.version, pack.file);
            if pack.reason.after.is_empty() {
                let _ = writeln!(text, "       its manifest does not name a pack that comes before it");
            }
            for after in &pack.reason.after {
                let how = if after.optional { "optional" } else { "requires" };
                let _ =
                    writeln!(text, "       after {}: {how} {} ({}:{})", after.id, after.range, pack.file, after.line);
            }
            if !pack.reason.before.is_empty() {
                let _ = writeln!(text, "       before {}: by id", pack.reason.before.join(", "));
            }
        }
        text.push('\n');
    }
    text
}

fn order_json(pack: &PackInfo) -> serde_json::Value {
    let after = |after: &After| json!({ "id": after.id, "range": after.range, "optional": after.optional, "file": pack.file, "line": after.line });
    json!({
        "id": pack.manifest.id.as_str(), "version": pack.manifest.version.as_str(), "file": pack.file,
        "after": pack.reason.after.iter().map(after).collect::<Vec<_>>(), "before_by_id": pack.reason.before,
    })
}
