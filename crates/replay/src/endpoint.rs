//! Where requests are sent.

use std::net::SocketAddr;

use fluent_uri::Uri;
use fluent_uri::component::{Authority, Scheme};

use crate::ReplayError;

const HTTP: &Scheme = Scheme::new_or_panic("http");
const HTTPS: &Scheme = Scheme::new_or_panic("https");

/// A server, its addresses resolved, and what stands before every request's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The URL as it was given.
    pub url: String,
    /// Whether requests go through TLS.
    pub tls: bool,
    /// Name or address of the server, IPv6 without brackets.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Put before the path of every request; empty or `/some/folder`, without a slash at its end.
    pub prefix: String,
    /// Addresses of the server in the resolver's order, never empty.
    pub addresses: Vec<SocketAddr>,
}

impl Endpoint {
    /// Reads `http(s)://host[:port][/prefix]` and resolves the host.
    ///
    /// # Errors
    /// [`ReplayError::Url`] if it is not such a URL, [`ReplayError::Dns`] if the host has no address.
    pub fn resolve(url: &str) -> Result<Endpoint, ReplayError> {
        let fault = |why| ReplayError::Url {
            url: url.to_owned(),
            why,
        };
        let uri = Uri::parse(url).map_err(|_| fault("it is not a URL"))?;
        let tls = tls(&uri).map_err(fault)?;
        let authority = authority(&uri).map_err(fault)?;
        let port = port(&authority, tls).map_err(fault)?;
        let host = authority.host().trim_matches(['[', ']']).to_owned();
        let addresses = addresses(&authority, port).map_err(|source| ReplayError::Dns {
            host: host.clone(),
            source,
        })?;
        Ok(Endpoint {
            url: url.to_owned(),
            tls,
            host,
            port,
            prefix: uri.path().as_str().trim_end_matches('/').to_owned(),
            addresses,
        })
    }

    /// The value of the Host header that the URL stands for; the scheme's own port is left out.
    pub fn host_header(&self) -> String {
        let host = if self.host.contains(':') {
            format!("[{}]", self.host)
        } else {
            self.host.clone()
        };
        if self.port == default_port(self.tls) {
            host
        } else {
            format!("{host}:{}", self.port)
        }
    }
}

/// Whether the URL is one of TLS.
fn tls(uri: &Uri<&str>) -> Result<bool, &'static str> {
    match uri.scheme() {
        scheme if scheme == HTTP => Ok(false),
        scheme if scheme == HTTPS => Ok(true),
        _ => Err("only http:// and https:// are spoken"),
    }
}

/// Host and port, where nothing is said that cannot be sent.
fn authority<'a>(uri: &Uri<&'a str>) -> Result<Authority<'a>, &'static str> {
    if uri.has_query() || uri.has_fragment() {
        return Err("a query or fragment has no place in it");
    }
    match uri.authority() {
        Some(authority) if authority.has_userinfo() => Err("user names and passwords are not sent"),
        Some(authority) if !authority.host().is_empty() => Ok(authority),
        _ => Err("it names no host"),
    }
}

fn port(authority: &Authority<'_>, tls: bool) -> Result<u16, &'static str> {
    match authority.port_to_u16() {
        Ok(None) => Ok(default_port(tls)),
        Ok(Some(port)) if port > 0 => Ok(port),
        _ => Err("the port is not a number from 1 to 65535"),
    }
}

fn addresses(authority: &Authority<'_>, port: u16) -> std::io::Result<Vec<SocketAddr>> {
    let found: Vec<_> = authority.socket_addrs(port)?.collect();
    if found.is_empty() {
        return Err(std::io::Error::other("the name has no address"));
    }
    Ok(found)
}

fn default_port(tls: bool) -> u16 {
    if tls { 443 } else { 80 }
}
