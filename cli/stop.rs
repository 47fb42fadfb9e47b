//! Signals: Ctrl-C, for commands that run until they are stopped, and files that grow too large.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
#[cfg(unix)]
use signal_hook::consts::SIGXFSZ;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that Ctrl-C sets. The second Ctrl-C ends the program at once.
pub fn flag() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 130, stop.clone()).context("cannot listen for Ctrl-C")?;
        flag::register(signal, stop.clone()).context("cannot listen for Ctrl-C")?;
    }
    Ok(stop)
}

/// Makes a file that reaches the system's limit an error of the write, as a full disk is, and not the end of the
/// program.
#[cfg(unix)]
pub fn survive_file_limits() {
    // Without it, the program ends at the limit, which is no reason not to start.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Other systems have no such signal.
#[cfg(not(unix))]
pub fn survive_file_limits() {}
