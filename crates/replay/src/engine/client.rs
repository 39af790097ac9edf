//! One client that asks for one file at a time.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::clock::{Clock, ns};
use super::exchange::{Exchange, Progress, SCRATCH_BYTES};
use super::poller::Poller;
use super::preflight;
use super::wire::Wire;
use crate::request;
use crate::{ReplayError, Unobserved};

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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{url}: {problem}")]
pub struct RequestError {
    /// What was asked for.
    pub url: String,
    /// What went wrong.
    pub problem: String,
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
        let failed = |problem: String| RequestError {
            url: format!("http://{address}/"),
            problem,
        };
        let mut client = Self {
            address,
            fields: request::fields(host),
            timeout,
            clock: Clock::since(Instant::now()),
            poller: Poller::new().map_err(|error| failed(error.to_string()))?,
            wire: None,
            exchange: Exchange::default(),
            request: Vec::new(),
            scratch: vec![0; SCRATCH_BYTES],
        };
        client.wire = Some(client.open().map_err(failed)?);
        Ok(client)
    }

    /// Asks for `path`, which is percent-encoded, and waits for the whole response.
    ///
    /// # Errors
    /// No answer of status 200 with a body of `expected_bytes`. The next request is sent on a new connection.
    pub fn get(&mut self, path: &str, expected_bytes: u64) -> Result<Answer, RequestError> {
        let answer = self.exchange(path).and_then(|answer| {
            self.check(&answer, expected_bytes)?;
            Ok(answer)
        });
        answer.map_err(|problem| {
            self.wire = None;
            RequestError {
                url: format!("http://{}{path}", self.address),
                problem,
            }
        })
    }

    fn open(&self) -> Result<Wire, String> {
        let opened = preflight::connect(&self.address, self.timeout, &Unobserved);
        let wire = opened.and_then(|wire| {
            let wire = wire.ok_or(io::ErrorKind::Interrupted)?;
            self.poller.add(&wire, 0)?;
            Ok(wire)
        });
        wire.map_err(|error| format!("no connection: {error}; does a server listen there?"))
    }

    /// Sends the request and receives its response.
    fn exchange(&mut self, path: &str) -> Result<Answer, String> {
        if !request::is_path(path.as_bytes()) {
            return Err("not a percent-encoded path that begins with /".to_owned());
        }
        let mut wire = match self.wire.take() {
            Some(wire) => wire,
            None => self.open()?,
        };
        request::write(&mut self.request, "", path.as_bytes(), &self.fields);
        self.clock.compare(self.clock.now_ns());
        self.exchange.begin(self.clock.now_ns());
        let sent = self.exchange.send(&mut wire, &self.request, &self.clock);
        sent.map_err(|error| self.lost(&error))?;
        let (last_byte_ns, reusable) = self.receive(&mut wire)?;
        self.wire = reusable.then_some(wire);
        let sent_ns = self.exchange.sent_ns;
        let since_sent = |ns: u64| Duration::from_nanos(ns.saturating_sub(sent_ns));
        Ok(Answer {
            first_byte: since_sent(self.exchange.first_byte_ns),
            total: since_sent(last_byte_ns),
            body_bytes: self.exchange.response.body_bytes(),
        })
    }

    /// When the response's last byte arrived, and whether the connection can be used again.
    fn receive(&mut self, wire: &mut Wire) -> Result<(u64, bool), String> {
        let end_ns = self.clock.now_ns().saturating_add(ns(self.timeout));
        loop {
            let left_ns = end_ns.saturating_sub(self.clock.now_ns());
            if left_ns == 0 {
                return Err(self.lost(&io::ErrorKind::TimedOut.into()));
            }
            let waited = self.poller.wait(left_ns);
            waited.map_err(|error: ReplayError| error.to_string())?;
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
                Progress::Lost(error) => return Err(self.lost(&error)),
                Progress::Malformed(malformed) => return Err(malformed.to_string()),
            }
        }
    }

    fn lost(&self, error: &io::Error) -> String {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                let bytes = self.exchange.response.body_bytes();
                format!("the server closed the connection after {bytes} bytes of the body")
            }
            io::ErrorKind::TimedOut => format!("no whole response within {:?}", self.timeout),
            _ => format!("the connection failed: {error}"),
        }
    }

    fn check(&self, answer: &Answer, expected_bytes: u64) -> Result<(), String> {
        let status = self.exchange.response.status();
        if status != 200 {
            return Err(format!(
                "status {status} instead of 200; does the server have the file?"
            ));
        }
        if answer.body_bytes != expected_bytes {
            return Err(format!(
                "a body of {} bytes instead of {expected_bytes}; is it the right file?",
                answer.body_bytes
            ));
        }
        Ok(())
    }
}
