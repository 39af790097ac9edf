//! Why a replay does not start.

use std::io;
use std::time::Duration;

/// Why a replay did not start. What happens to single requests afterwards is counted instead, see
/// [`ErrorKind`](crate::ErrorKind).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// Not a URL that requests can be sent to.
    #[error("URL `{url}`: {why}; write http://HOST[:PORT][/FOLDER] or https://…")]
    Url {
        /// As given.
        url: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The host has no address.
    #[error("host `{host}` cannot be resolved: {source}; check its spelling or give an address")]
    Dns {
        /// The name.
        host: String,
        /// The resolver's answer.
        source: io::Error,
    },
    /// No address of the host takes a connection.
    #[error("{url} takes no connections: {source}; check that a server listens there")]
    Connect {
        /// The endpoint's URL.
        url: String,
        /// What the last address answered.
        source: io::Error,
    },
    /// No address of the host answered in time.
    #[error("{url} did not take a connection within {} s; check the address and firewalls", timeout.as_secs_f64())]
    ConnectTimeout {
        /// The endpoint's URL.
        url: String,
        /// How long was waited.
        timeout: Duration,
    },
    /// TLS cannot be spoken with the host.
    #[error("TLS with {url}: {why}")]
    Tls {
        /// The endpoint's URL.
        url: String,
        /// The handshake's error and the fix.
        why: String,
    },
    /// The host's certificate is not valid for it.
    #[error("{url}: {why}; accept it unverified if you trust the network")]
    Certificate {
        /// The endpoint's URL.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// More connections than this process may open.
    #[error(
        "{connections} connections need {needed} file descriptors and this process may open {limit}: \
         raise the limit (`ulimit -n {needed}`) or allow fewer connections"
    )]
    FileDescriptors {
        /// Connections asked for.
        connections: usize,
        /// Descriptors they need, with those already open.
        needed: u64,
        /// The hard limit.
        limit: u64,
    },
    /// A value that makes no replay.
    #[error("{name}: {why}")]
    Option {
        /// Which value.
        name: &'static str,
        /// What is wrong with it and what to give instead.
        why: String,
    },
    /// Columns of the schedule that do not fit together.
    #[error("the schedule's columns do not fit together: {0}")]
    Schedule(&'static str),
    /// The operating system refused what the event loop needs.
    #[error("{what}: {source}")]
    System {
        /// What was asked of it.
        what: &'static str,
        /// Its answer.
        source: io::Error,
    },
}
