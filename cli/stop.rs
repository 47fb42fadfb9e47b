//! Ctrl-C, for commands that go on until somebody has had enough.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that Ctrl-C raises. Who presses it twice does not want to wait for what is under way.
pub fn flag() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 130, stop.clone()).context("cannot listen for Ctrl-C")?;
        flag::register(signal, stop.clone()).context("cannot listen for Ctrl-C")?;
    }
    Ok(stop)
}
