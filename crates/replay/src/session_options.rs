//! How sessions are replayed.

use std::time::Duration;

use crate::{Endpoint, Header, HostHeader, ReplayError};

/// How the sessions of a mix are replayed.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// Where to.
    pub endpoint: Endpoint,
    /// What the Host header says; a mix has no sites, so that [`HostHeader::Site`] is the URL's host.
    pub host: HostHeader,
    /// Header fields that every request has besides.
    pub headers: Vec<Header>,
    /// Emulated browsers.
    pub clients: usize,
    /// How long they ask for pages, ramp and warm-up included; what is under way then is still awaited.
    pub duration: Duration,
    /// Browsers start one after the other over this time. What is asked for in it is not recorded.
    pub ramp: Duration,
    /// What is asked for before this time from the start is not recorded.
    pub warm_up: Duration,
    /// Longest wait for a connection.
    pub connect_timeout: Duration,
    /// Longest time from sending a request to the last byte of its page.
    pub response_timeout: Duration,
    /// Threads that send, at least 1.
    pub threads: usize,
    /// Seed of every random choice.
    pub seed: u64,
}

impl SessionOptions {
    /// One browser for a minute on one thread, with timeouts of 10 s for connections and 30 s for pages.
    pub fn new(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            host: HostHeader::Url,
            headers: Vec::new(),
            clients: 1,
            duration: Duration::from_secs(60),
            ramp: Duration::ZERO,
            warm_up: Duration::ZERO,
            connect_timeout: Duration::from_secs(10),
            response_timeout: Duration::from_secs(30),
            threads: 1,
            seed: 0,
        }
    }

    /// When recording begins, from the start.
    pub fn recorded_from(&self) -> Duration {
        self.ramp.max(self.warm_up)
    }

    /// Whether anything can be sent so.
    pub(crate) fn check(&self) -> Result<(), ReplayError> {
        let (name, why) = match self {
            Self { clients: 0, .. } => ("clients", "0 clients send nothing; use at least 1"),
            Self { threads: 0, .. } => ("threads", "0 threads send nothing; use at least 1"),
            _ if self.endpoint.tls => (
                "url",
                "sessions are sent without TLS; give the http:// port of the server",
            ),
            _ if self.duration <= self.recorded_from() => (
                "duration",
                "ramp and warm-up take all of it; make it longer",
            ),
            _ => return Ok(()),
        };
        Err(ReplayError::Option {
            name,
            why: why.to_owned(),
        })
    }
}
