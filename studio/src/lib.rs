//! `principes studio`: serves tables and cards to browsers, from this machine.
//!
//! | module | what it does |
//! | --- | --- |
//! | `command` | what pages send to the game, and the errors of requests |
//! | `messages` | what pages get of a game, as types |
//! | `table` | the game, on a separate thread: answers, bots, saves, changed files |
//! | `queue` | answers that wait for the bots |
//! | `odds` | battles imagined for a page |
//! | `picture` | the data of a page, for one viewer |
//! | `house` | what is open: a game with its services, or none yet |
//! | `lobby` | the games that can be chosen, and the saved games |
//! | `keys` | the holders of keys |
//! | `requests` | the requests of pages: the path of each, who may make it, what it does |
//! | `access` | what the holder of a key may see and do |
//! | `workbench` | the files behind the game, for its designer |
//! | `trials` | searches for games in which a card can be played |
//! | `rules` | the rulebook |
//! | `lab` | many games between bots, and their results |
//! | `visits` | how games are opened and left, and how pages learn of changes |
//! | `declarations` | the types of requests for the scripts of the page |
//! | `design` | requests that concern several services |
//! | `web` | the routes; requests from elsewhere are refused |
//! | `assets` | the files of the page |
//! | `request` | what opens a studio, and why that can fail |
//!
//! # What this crate must not know
//!
//! The rules and files of games: `principes-app` plays and saves, `principes-author` edits, `principes-lab` measures.
//! The terminal: links go to the caller.
//!
//! # Access
//!
//! A page authenticates with a key. The key comes after the `#` of its link, which browsers do not send; the page's
//! script sends it with each request. Requests that name another host or come from another origin are refused, so that
//! neither another page nor a name that points to this machine can use the key or read a response. The key of a seat
//! gives access to the view of that seat only.
//!
//! # Example
//!
//! A studio that cannot be opened returns an error and serves nothing:
//!
//! ```
//! use principes_app::packs::PackRequest;
//! use principes_app::session::WhenChanged;
//! use principes_app::setup::{Player, SetupRequest};
//! use principes_studio::{First, Lobby, Request, StudioError, serve};
//!
//! let request = Request {
//!     packs: PackRequest { paths: vec!["no/such/pack".into()], ..PackRequest::default() },
//!     setup: SetupRequest::all(Player::Human, 1),
//!     language: "en".to_owned(),
//!     save: "game.json".into(),
//!     journal: "journal".into(),
//!     when_changed: WhenChanged::Stop,
//! };
//! let lobby =
//!     Lobby { search: Vec::new(), saves: "saves".into(), journal: "journal".into(), language: "en".to_owned() };
//! let first = First::Game(Box::new(request));
//! let result = serve(first, lobby, ([127, 0, 0, 1], 0).into(), |links| println!("{}", links.host));
//! assert!(matches!(result, Err(StudioError::Packs(_))));
//! ```

mod access;
mod assets;
mod command;
mod declarations;
mod design;
mod house;
mod keys;
mod lab;
mod lobby;
mod messages;
mod odds;
mod picture;
mod queue;
mod request;
mod requests;
mod rules;
mod table;
mod trials;
mod visits;
mod web;
mod workbench;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

pub use crate::access::{HttpMethod, PageRequest, Who};
use crate::house::{Addresses, House, Services};
use crate::keys::Keys;
pub use crate::lobby::Lobby;
pub use crate::request::{First, Links, Request, StudioError};
pub use crate::requests::requests;

/// Opens the studio, announces its links, and serves it until the program stops. Port 0 of the address chooses a free
/// port.
///
/// # Errors
/// [`StudioError`]; then nothing is served.
pub fn serve(
    first: First,
    lobby: Lobby,
    address: SocketAddr,
    announce: impl FnOnce(&Links),
) -> Result<(), StudioError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| StudioError::System(error.to_string()))?;
    runtime.block_on(async {
        let failed = |cause| StudioError::Listen { address, cause };
        let listener = tokio::net::TcpListener::bind(address).await.map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let others = SocketAddr::new(reachable(bound.ip()), bound.port());
        let own = if bound.ip().is_unspecified() { local(bound) } else { bound };
        let addresses = Addresses { bound, own, others };
        let keys = Keys::new(std::iter::empty())?;
        let services = match first {
            First::Game(request) => Services::open(*request, addresses, &keys)?,
            First::Lobby => Services::none(&lobby.idle(), addresses, keys)?,
        };
        announce(&services.links);
        axum::serve(listener, web::router(House::new(services, lobby))).await.map_err(failed)
    })
}

/// The address for a browser on this machine.
fn local(bound: SocketAddr) -> SocketAddr {
    let ip = if bound.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    SocketAddr::new(ip, bound.port())
}

/// The address for other machines.
fn reachable(ip: IpAddr) -> IpAddr {
    if !ip.is_unspecified() {
        return ip;
    }
    // Nothing is sent: the system only reports which of its addresses it would use.
    let towards = |socket: UdpSocket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    };
    let found = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(towards);
    found.map_or(ip, |address| address.ip())
}
