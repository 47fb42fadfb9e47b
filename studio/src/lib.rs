//! `principes studio`: tables and cards in the browser, served by this program on this machine.
//!
//! | module | what it does |
//! | --- | --- |
//! | `wish` | what pages can ask for |
//! | `table` | the game, in a thread of its own: answers, bots, saves, changed files |
//! | `odds` | battles imagined for a page |
//! | `picture` | what a page gets to know, for one viewer |
//! | `keys` | who a key lets in |
//! | `workbench` | the files behind the game, for its designer |
//! | `lab` | many games between bots, and what they show |
//! | `design` | addresses of the workbench |
//! | `web` | addresses, and who may ask for what |
//! | `assets` | the page itself |
//!
//! A page proves by a key who it is. The key stands behind the `#` of its link, which browsers do not send; scripts of the
//! page send it with each request. Requests that name another host or come from another origin are refused, so that
//! neither another page nor a name that points here can use the key or read an answer. A seat's key gets the view of that
//! seat and nothing else.
//!
//! # Example
//!
//! A studio that cannot be opened says why, and serves nothing:
//!
//! ```
//! use principes_app::packs::PackRequest;
//! use principes_app::setup::{Player, SetupRequest};
//! use principes_studio::{Request, StudioError, serve};
//!
//! let request = Request {
//!     packs: PackRequest { paths: vec!["no/such/pack".into()], ..PackRequest::default() },
//!     setup: SetupRequest::all(Player::Human, 1),
//!     language: "en".to_owned(),
//!     save: "game.json".into(),
//!     address: ([127, 0, 0, 1], 0).into(),
//! };
//! let result = serve(request, |links| println!("{}", links.host));
//! assert!(matches!(result, Err(StudioError::Packs(_))));
//! ```

mod assets;
mod design;
mod keys;
mod lab;
mod odds;
mod picture;
mod request;
mod table;
mod web;
mod wish;
mod workbench;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

pub use crate::request::{Links, Request, StudioError};

/// Opens the studio, tells its links, and serves it until the program is stopped.
///
/// # Errors
/// [`StudioError`]; nothing is served then.
pub fn serve(request: Request, announce: impl FnOnce(&Links)) -> Result<(), StudioError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| StudioError::System(error.to_string()))?;
    let address = request.address;
    let workbench = workbench::Workbench::start(request.packs.clone(), request.setup.clone())?;
    let lab = lab::Lab::new(request.packs.clone(), request.setup.clone(), request.language.clone());
    let (table, seats) = table::open(request)?;
    let keys = keys::Keys::new(seats.iter().map(|seat| seat.id.clone()))?;
    runtime.block_on(async {
        let failed = |source| StudioError::Listen { address, source };
        let listener = tokio::net::TcpListener::bind(address).await.map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let link = |address: SocketAddr, key: &str| format!("http://{address}/#{key}");
        let for_others = SocketAddr::new(reachable(bound.ip()), bound.port());
        let own = if bound.ip().is_unspecified() { local(bound) } else { bound };
        let links = Links {
            host: link(own, keys.host()),
            seats: seats
                .iter()
                .filter_map(|seat| Some((seat.name.clone(), link(for_others, keys.of_seat(&seat.id)?))))
                .collect(),
            spectators: link(for_others, keys.spectators()),
        };
        announce(&links);
        axum::serve(listener, web::router(web::Parts { table, workbench, lab, keys, links, port: bound.port() }))
            .await
            .map_err(failed)
    })
}

/// This machine for itself.
fn local(bound: SocketAddr) -> SocketAddr {
    let ip = if bound.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    SocketAddr::new(ip, bound.port())
}

/// The address under which others reach what listens on an address.
fn reachable(ip: IpAddr) -> IpAddr {
    if !ip.is_unspecified() {
        return ip;
    }
    // Nothing is sent: the system only says which of its addresses it would send from.
    let towards = |socket: UdpSocket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    };
    let found = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(towards);
    found.map_or(ip, |address| address.ip())
}
