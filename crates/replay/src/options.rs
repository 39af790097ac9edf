//! How to send.

use std::time::Duration;

use crate::{Endpoint, Header, ReplayError};

/// How to send a schedule.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to.
    pub endpoint: Endpoint,
    /// What the Host header (and the name in TLS) says.
    pub host: HostHeader,
    /// Header fields that every request has besides; one called User-Agent or Accept replaces the usual one.
    pub headers: Vec<Header>,
    /// When requests are sent.
    pub load: Load,
    /// How long the load grows at the start; what is due in this time is sent and not recorded. Clients of a closed
    /// loop start one after the other over it. The times of an open loop are those of the schedule, which grow if it was
    /// made so ([`ScheduleOptions::ramp`](crate::schedule::ScheduleOptions::ramp)).
    pub ramp: Duration,
    /// Most connections open at once: later starts wait, which is counted
    /// ([`ReplayResult::held_connections`](crate::ReplayResult::held_connections)). `None`: as many as the
    /// process may have file descriptors. Closed loops open one for each client.
    pub connections_max: Option<usize>,
    /// Longest wait for a connection, its TLS handshake included.
    pub connect_timeout: Duration,
    /// Longest time from sending a request to the last byte of its response.
    pub response_timeout: Duration,
    /// What is sent without being recorded. With a ramp, recording begins when both are over.
    pub warm_up: WarmUp,
    /// Whether TLS certificates are accepted unseen.
    pub insecure: bool,
    /// Threads that send, at least 1. One is enough for tens of thousands of requests a second.
    pub threads: usize,
}

impl Options {
    /// An open loop to `endpoint` on one thread, with timeouts of 10 s for connections and 30 s for
    /// responses, nothing warmed up and certificates verified.
    pub fn new(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            host: HostHeader::Url,
            headers: Vec::new(),
            load: Load::Open,
            ramp: Duration::ZERO,
            connections_max: None,
            connect_timeout: Duration::from_secs(10),
            response_timeout: Duration::from_secs(30),
            warm_up: WarmUp::None,
            insecure: false,
            threads: 1,
        }
    }

    /// Whether something can be sent so.
    pub(crate) fn check(&self) -> Result<(), ReplayError> {
        let clients = match &self.load {
            Load::Open => None,
            Load::Closed(closed) => Some(closed.clients),
        };
        let (name, why) = match (self.connections_max, clients) {
            (Some(0), _) => (
                "connections_max",
                "0 connections send nothing; allow at least 1".to_owned(),
            ),
            _ if self.threads == 0 => (
                "threads",
                "0 threads send nothing; use at least 1".to_owned(),
            ),
            (_, Some(0)) => (
                "clients",
                "0 clients send nothing; use at least 1".to_owned(),
            ),
            (Some(most), Some(clients)) if most < clients => (
                "connections_max",
                format!("{most} connections are too few for {clients} clients"),
            ),
            _ => return Ok(()),
        };
        Err(ReplayError::Option { name, why })
    }
}

/// What the Host header says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HostHeader {
    /// The host of the URL.
    #[default]
    Url,
    /// The name of the request's site.
    Site,
    /// The same for all requests.
    Fixed(String),
}

/// When requests are sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// At the times of the schedule, whether earlier responses have come or not. Requests of one
    /// connection follow each other on it: one that is due while another is under way waits for it.
    Open,
    /// By clients that each send, wait for the response, think, and send again.
    Closed(ClosedLoad),
}

/// A closed loop. Each client keeps one connection; the schedule's times do not matter.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedLoad {
    /// How many clients. They take the rows of the schedule in order, each the next one that is free.
    pub clients: usize,
    /// What is between a response's last byte and the client's next request.
    pub pause: Pause,
    /// `None`: the schedule's rows are sent once. Else rows are sent over and over until this time
    /// has passed since the start (warm-up included); what is under way then is still awaited.
    pub duration: Option<Duration>,
}

/// What a client of a closed loop does between a response and its next request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pause {
    /// It waits so long.
    Think(Duration),
    /// It waits until it has received no more than so many bytes of bodies a second since it began, and not at all where it
    /// has received less. What each client received is measured then
    /// ([`ReplayResult::client_rates`](crate::ReplayResult::client_rates)).
    Rate(f64),
}

impl Pause {
    /// None at all.
    pub const NONE: Pause = Pause::Think(Duration::ZERO);
}

/// Requests that are sent to warm caches and not recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WarmUp {
    /// None.
    #[default]
    None,
    /// Those due (closed loop: sent) before this time from the start.
    Duration(Duration),
    /// The first so many: rows of the schedule in an open loop, requests as sent in a closed one.
    Requests(u64),
}
