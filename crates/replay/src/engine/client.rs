//! One client that asks for one file at a time.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::clock::{Clock, ns};
use super::exchange::{Exchange, Progress, SCRATCH_BYTES};
use super::poller::Poller;
use super::preflight;
use super::wire::Wire;
use crate::NoObserver;
use crate::request;

/// One client with one keep-alive connection, which returns with each answer.
///
/// It is for callers that look at the machine between two requests: what a disk has read by then, it read for the
/// last one. It sends, receives and times as [`replay`](crate::replay()) does. Opening the connection is in no
/// request's time; one that the server closes with an answer is opened again before the next request.
pub struct Client {
    address: SocketAddr,
    /// What stands behind the path in each request.
    fields: Vec<u8>,
    timeout: Duration,
    clock: Clock,
    poller: Poller,
    wire: Option<Wire>,
    exchange: Exchange,
    request: Vec<u8>,
    scratch: Vec<u8>,
}

/// What one request took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// From sending the request to the first byte of the response.
    pub first_byte: Duration,
    /// From sending the request to the last byte of the response.
    pub total: Duration,
    /// Bytes of the body.
    pub body_bytes: u64,
}

/// Why a request of a [`Client`] has no usable answer.
#[derive(Debug, thiserror::Error)]
#[error("{url}: {problem}")]
pub struct RequestError {
    /// What was asked for.
    pub url: String,
    /// What went wrong.
    #[source]
    pub problem: io::Error,
}

impl Client {
    /// Connects to the server at `address`, whose virtual host is `host`. Connecting, and later each response, may take
    /// `timeout`.
    ///
    /// # Errors
    /// The server accepts no connection.
    pub fn connect(
        address: SocketAddr,
        host: &str,
        timeout: Duration,
    ) -> Result<Self, RequestError> {
        let connected = Poller::new().and_then(|poller| {
            Ok(Self {
                address,
                fields: request::fields(host, &[]),
                timeout,
                clock: Clock::since(Instant::now()),
                wire: Some(open(address, timeout, &poller)?),
                poller,
                exchange: Exchange::default(),
                request: Vec::new(),
                scratch: vec![0; SCRATCH_BYTES],
            })
        });
        connected.map_err(|problem| failed(address, "/", problem))
    }

    /// Asks for `path`, which is percent-encoded, and waits for the whole response.
    ///
    /// # Errors
    /// No answer of status 200 with a body of `expected_bytes`. The next request is sent on a new connection.
    pub fn get(&mut self, path: &str, expected_bytes: u64) -> Result<Answer, RequestError> {
        let answer = self.ask(path, expected_bytes);
        answer.map_err(|problem| {
            self.wire = None;
            failed(self.address, path, problem)
        })
    }

    fn ask(&mut self, path: &str, expected_bytes: u64) -> io::Result<Answer> {
        if !request::is_path(path.as_bytes()) {
            return Err(io::Error::other(
                "not a percent-encoded path that begins with /",
            ));
        }
        let mut wire = match self.wire.take() {
            Some(wire) => wire,
            None => open(self.address, self.timeout, &self.poller)?,
        };
        request::write(&mut self.request, "", path.as_bytes(), &self.fields);
        self.clock.compare(self.clock.now_ns());
        self.exchange.begin(self.clock.now_ns());
        (self.exchange).send(&mut wire, &self.request, &self.clock)?;
        let (last_byte_ns, reusable) = self.receive(&mut wire)?;
        self.wire = reusable.then_some(wire);
        self.check(expected_bytes)?;
        let sent_ns = self.exchange.sent_ns;
        let since_sent = |ns: u64| Duration::from_nanos(ns.saturating_sub(sent_ns));
        Ok(Answer {
            first_byte: since_sent(self.exchange.first_byte_ns),
            total: since_sent(last_byte_ns),
            body_bytes: expected_bytes,
        })
    }

    /// When the response's last byte arrived, and whether the connection can be used again.
    fn receive(&mut self, wire: &mut Wire) -> io::Result<(u64, bool)> {
        let end_ns = self.clock.now_ns().saturating_add(ns(self.timeout));
        loop {
            let left_ns = end_ns.saturating_sub(self.clock.now_ns());
            if left_ns == 0 {
                let late = format!("no whole response within {:?}", self.timeout);
                return Err(io::Error::new(io::ErrorKind::TimedOut, late));
            }
            self.poller.wait(left_ns)?;
            let now_ns = self.clock.now_ns();
            let Some(event) = self.poller.events.first() else {
                continue;
            };
            let (scratch, clock) = (&mut self.scratch, &self.clock);
            match (self.exchange).react(wire, event.flags, now_ns, scratch, clock) {
                Progress::Pending => {}
                Progress::Complete {
                    last_byte_ns,
                    reusable,
                } => return Ok((last_byte_ns, reusable)),
                Progress::Lost(error) => return Err(error),
                Progress::Malformed(malformed) => return Err(io::Error::other(malformed)),
            }
        }
    }

    fn check(&self, expected_bytes: u64) -> io::Result<()> {
        let response = &self.exchange.response;
        let (status, bytes) = (response.status(), response.body_bytes());
        let fault = match status {
            200 if bytes == expected_bytes => return Ok(()),
            200 => format!(
                "a body of {bytes} bytes instead of {expected_bytes}; is it the right file?"
            ),
            _ => format!("status {status} instead of 200; does the server have the file?"),
        };
        Err(io::Error::other(fault))
    }
}

fn open(address: SocketAddr, timeout: Duration, poller: &Poller) -> io::Result<Wire> {
    let opened = preflight::connect(&address, timeout, &NoObserver)?;
    let wire = opened.ok_or(io::ErrorKind::Interrupted)?;
    poller.add(&wire, 0)?;
    Ok(wire)
}

fn failed(address: SocketAddr, path: &str, problem: io::Error) -> RequestError {
    RequestError {
        url: format!("http://{address}{path}"),
        problem,
    }
}
