//! `principes show --all`: shows everything below the face of a card.

use std::io::Write;

use anyhow::Result;
use principes_author::entity::{Excerpt, WholeEntity};

use crate::output;
use crate::style;

/// Prints everything that packs say about an entity.
pub fn print(out: &mut impl Write, whole: &WholeEntity) -> Result<()> {
    let (bold, dim) = (style::bold(), style::dim());
    let width = output::width();
    let head = |out: &mut dyn Write, title: &str, place: &str| -> Result<()> {
        Ok(writeln!(out, "{bold}{title}{bold:#}  {dim}{place}{dim:#}")?)
    };
    for face in &whole.faces {
        head(out, &face.title, &face.language)?;
        for line in face.text.iter().flat_map(|text| style::wrap(text, width.saturating_sub(2))) {
            writeln!(out, "  {line}")?;
        }
    }
    if !whole.values.is_empty() {
        writeln!(out, "{bold}Values{bold:#}")?;
        for value in &whole.values {
            let label = value.label.iter().map(|label| format!("  {label}"));
            writeln!(out, "  {}.{}  {}{dim}{}{dim:#}", value.of, value.id, value.value, label.collect::<String>())?;
        }
    }
    let written = |out: &mut dyn Write, title: &str, list: &[Excerpt]| -> Result<()> {
        for part in list {
            head(out, &format!("{title} {}", part.name), &format!("{}:{}", part.file, part.line))?;
            for line in part.text.lines() {
                writeln!(out, "  {line}")?;
            }
        }
        Ok(())
    };
    written(out, "JSON of", &whole.json)?;
    written(out, "Script", &whole.scripts)?;
    if whole.scenarios.is_empty() {
        writeln!(out, "{bold}Scenarios{bold:#}  none")?;
    } else {
        writeln!(out, "{bold}Scenarios{bold:#}")?;
    }
    for scenario in &whole.scenarios {
        let (style, word) = match scenario.passed {
            Some(true) => (style::color("green"), "passes"),
            Some(false) => (style::bad(), "fails"),
            None => (style::dim(), "not run"),
        };
        writeln!(out, "  {style}{word}{style:#}  {}  {dim}{}:{}{dim:#}", scenario.id, scenario.file, scenario.line)?;
        for line in style::wrap(&scenario.title, width.saturating_sub(10)) {
            writeln!(out, "          {line}")?;
        }
        if !scenario.rules.is_empty() {
            for line in style::wrap(&format!("cites {}", scenario.rules.join(", ")), width.saturating_sub(10)) {
                writeln!(out, "          {dim}{line}{dim:#}")?;
            }
        }
    }
    writeln!(out)?;
    Ok(())
}
