//! Where requests are sent.

use std::net::{SocketAddr, ToSocketAddrs};

use crate::ReplayError;

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
        let parts = Parts::parse(url).map_err(|why| ReplayError::Url {
            url: url.to_owned(),
            why,
        })?;
        let addresses = parts.addresses().map_err(|source| ReplayError::Dns {
            host: parts.host.to_owned(),
            source,
        })?;
        Ok(Endpoint {
            url: url.to_owned(),
            tls: parts.tls,
            host: parts.host.to_owned(),
            port: parts.port,
            prefix: parts.prefix.to_owned(),
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

/// What a URL says.
struct Parts<'a> {
    tls: bool,
    host: &'a str,
    port: u16,
    prefix: &'a str,
}

impl<'a> Parts<'a> {
    fn parse(url: &'a str) -> Result<Self, &'static str> {
        let (tls, rest) = scheme(url)?;
        let (authority, prefix) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if rest.contains(['?', '#']) {
            return Err("a query or fragment has no place in it");
        }
        if rest.bytes().any(|byte| byte <= b' ' || byte >= 0x7f) {
            return Err("write spaces and letters beyond ASCII percent-encoded");
        }
        if authority.contains('@') {
            return Err("user names and passwords are not sent");
        }
        let (host, port) = host_and_port(authority, tls)?;
        Ok(Self {
            tls,
            host,
            port,
            prefix: prefix.trim_end_matches('/'),
        })
    }

    fn addresses(&self) -> std::io::Result<Vec<SocketAddr>> {
        let found: Vec<_> = (self.host, self.port).to_socket_addrs()?.collect();
        if found.is_empty() {
            return Err(std::io::Error::other("the name has no address"));
        }
        Ok(found)
    }
}

fn scheme(url: &str) -> Result<(bool, &str), &'static str> {
    let (scheme, rest) = url
        .split_once("://")
        .ok_or("it does not begin with http:// or https://")?;
    match scheme.to_ascii_lowercase().as_str() {
        "http" => Ok((false, rest)),
        "https" => Ok((true, rest)),
        _ => Err("only http:// and https:// are spoken"),
    }
}

/// Host without brackets, and port.
fn host_and_port(authority: &str, tls: bool) -> Result<(&str, u16), &'static str> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']').ok_or("a bracket is not closed")?,
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    if host.is_empty() {
        return Err("it names no host");
    }
    match port.strip_prefix(':') {
        None if port.is_empty() => Ok((host, default_port(tls))),
        None => Err("something stands between host and path"),
        Some(port) => match port.parse() {
            Ok(port) if port > 0 => Ok((host, port)),
            _ => Err("the port is no number from 1 to 65535"),
        },
    }
}

fn default_port(tls: bool) -> u16 {
    if tls { 443 } else { 80 }
}
