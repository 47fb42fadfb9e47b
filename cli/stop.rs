//! Handles signals: Ctrl-C, for commands that run until they are stopped, and the one for files that grow too large.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
#[cfg(unix)]
use signal_hook::consts::SIGXFSZ;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub fn flag() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 130, stop.clone()).context("cannot listen for Ctrl-C")?;
        flag::register(signal, stop.clone()).context("cannot listen for Ctrl-C")?;
    }
    Ok(stop)
}

/// Makes the write fail, as on a full disk, if a file reaches the system's size limit. By default the signal ends the
/// program.
#[cfg(unix)]
pub fn survive_file_limits() {
    // If the handler cannot be registered, the program still works; it only ends at the limit.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Other systems do not have this signal.
#[cfg(not(unix))]
pub fn survive_file_limits() {}
