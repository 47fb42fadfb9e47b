//! Coverage in the format of lcov.

use std::io::Write;

use anyhow::Result;

use super::tested::Tested;

/// Prints how often each line and branch of a pack ran.
pub(super) fn print(out: &mut impl Write, tested: &Tested) -> Result<()> {
    for module in tested.coverage.iter().flatten() {
        // The lcov format has a test name, but it does not allow all characters of pack ids.
        writeln!(out, "TN:\nSF:{}", module.file)?;
        for (at, branch) in module.branches.iter().enumerate() {
            writeln!(out, "BRDA:{},0,{at},{}", branch.line, branch.hits)?;
        }
        writeln!(out, "BRF:{}\nBRH:{}", module.branches.len(), module.branches_hit())?;
        for (line, hits) in &module.lines {
            writeln!(out, "DA:{line},{hits}")?;
        }
        writeln!(out, "LF:{}\nLH:{}\nend_of_record", module.lines.len(), module.lines_hit())?;
    }
    Ok(())
}
