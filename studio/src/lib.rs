//! `principes studio`: tables and cards in the browser, served by this program on this machine.
//!
//! | module | what it does |
//! | --- | --- |
//! | `table` | the game, in a thread of its own: answers, bots, saves, changed files |
//! | `picture` | what a page gets to know, for one viewer |
//! | `keys` | who a key lets in |
//! | `web` | addresses, and who may ask for what |
//! | `assets` | the page itself |
//!
//! A page proves by a key who it is. The key stands behind the `#` of its link, which browsers do not send; scripts of the
//! page send it with each request. Requests that name another host or come from another origin are refused, so that
//! neither another page nor a name that points here can use the key or read an answer. A seat's key gets the view of that
//! seat and nothing else.

mod assets;
mod keys;
mod picture;
mod request;
mod table;
mod web;

pub use crate::request::{Links, Request, StudioError};

/// Opens the studio, tells its links, and serves it until the program is stopped.
///
/// # Errors
/// [`StudioError`]; nothing is served then.
pub fn serve(request: Request, announce: impl FnOnce(&Links)) -> Result<(), StudioError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| StudioError::System(error.to_string()))?;
    let address = request.address;
    let (table, seats) = table::open(request)?;
    let keys = keys::Keys::new(seats.iter().map(|seat| seat.id.clone()))?;
    runtime.block_on(async {
        let failed = |source| StudioError::Listen { address, source };
        let listener = tokio::net::TcpListener::bind(address).await.map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let link = |key: &str| format!("http://{bound}/#{key}");
        announce(&Links {
            host: link(keys.host()),
            seats: seats.iter().filter_map(|seat| Some((seat.name.clone(), link(keys.of_seat(&seat.id)?)))).collect(),
            spectators: link(keys.spectators()),
        });
        axum::serve(listener, web::router(table, keys, bound.port())).await.map_err(failed)
    })
}
