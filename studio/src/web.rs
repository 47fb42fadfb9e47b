//! Routes and access control.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::access::PageRequest;
use crate::assets;
use crate::command::RequestError;
use crate::house::{House, Services};
use crate::requests::requests;

/// The open services, for a route.
type Shared = State<Arc<Services>>;

/// Allows scripts and styles from the studio's own files only, and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// All routes of the studio.
pub fn router(house: House) -> Router {
    let add = |routes: Router<House>, request: PageRequest| routes.route(request.path, request.route());
    let routes = requests().into_iter().fold(Router::new(), add);
    routes
        .route("/drawing.css", get(style))
        .fallback(get(asset))
        .layer(middleware::from_fn_with_state(house.clone(), guard))
        .with_state(house)
}

/// Refuses other hosts and origins, and adds security headers to every response.
async fn guard(State(studio): Shared, request: Request, next: Next) -> Response {
    let refusal = refusal(&studio, request.method(), request.headers());
    // A game that is left ends while pages wait for it.
    drop(studio);
    let mut response = match refusal {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refusal(studio: &Services, method: &Method, headers: &HeaderMap) -> Option<RequestError> {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    if !is_own_host(host, studio.addresses.bound.port()) {
        return Some(RequestError(
            421,
            "this is not the address of the studio; use the link that it printed".to_owned(),
        ));
    }
    let origin = text(header::ORIGIN);
    let own = format!("http://{host}");
    let strange = match origin {
        Some(origin) => origin != own,
        None => method != Method::GET && method != Method::HEAD,
    };
    strange.then(|| RequestError(403, "requests from other pages are refused".to_owned()))
}

/// Whether a host is an address of this machine. A name is refused, because anybody can make a name point here.
fn is_own_host(host: &str, port: u16) -> bool {
    let Some((name, given)) = host.rsplit_once(':') else { return false };
    let number = name.trim_start_matches('[').trim_end_matches(']');
    given.parse() == Ok(port) && (name == "localhost" || number.parse::<IpAddr>().is_ok())
}

/// Looks are not secret, and browsers request style sheets without a key. Pictures of the lobby have their own.
async fn style(State(studio): Shared) -> Result<Response, RequestError> {
    let text = match &studio.table {
        Some(table) => table.act(|table| Ok(table.style())).await?,
        None => String::new(),
    };
    Ok(([(header::CONTENT_TYPE, "text/css; charset=utf-8")], text).into_response())
}

async fn asset(request: Request) -> Response {
    match assets::find(request.uri().path()) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.media)], asset.bytes).into_response(),
        None => RequestError(404, "this page does not exist".to_owned()).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_that_point_to_this_machine_are_refused() {
        for (host, own) in [
            ("127.0.0.1:80", true),
            ("localhost:80", true),
            ("[::1]:80", true),
            ("192.168.1.7:80", true),
            ("127.0.0.1:81", false),
            ("127.0.0.1", false),
            ("evil.example:80", false),
            ("localhost.evil.example:80", false),
            ("", false),
        ] {
            assert_eq!(is_own_host(host, 80), own, "{host}");
        }
    }
}
