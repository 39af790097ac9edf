//! How requests fail, and what an error of the system, of TLS or of the server counts as.

use std::io::{Error, ErrorKind as Io};

use rustix::io::Errno;
use strum::{EnumCount, IntoStaticStr, VariantArray};

/// How a request failed. A host that cannot be resolved is no kind: it ends the replay before its
/// start ([`ReplayError::Dns`](crate::ReplayError::Dns)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The connection was refused.
    Refused,
    /// No way to the host.
    Unreachable,
    /// No connection within the timeout.
    ConnectTimeout,
    /// TLS failed.
    Tls,
    /// The connection was reset, before or within the response.
    Reset,
    /// The connection was closed before the end of the response.
    ClosedEarly,
    /// No complete response within the timeout.
    ResponseTimeout,
    /// What was received is not an HTTP/1 response.
    Malformed,
    /// A status of 3xx other than 304; redirects are not followed.
    Redirect,
    /// A status of 4xx.
    #[strum(serialize = "status_4xx")]
    ClientError,
    /// A status of 5xx.
    #[strum(serialize = "status_5xx")]
    ServerError,
    /// This machine ran out of ports, descriptors or memory.
    Local,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [Self; Self::COUNT] = *Self::VARIANTS.first_chunk().unwrap();

    /// As documents write it.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What an error of the system counts as while connecting.
    pub(crate) fn of_connect(error: &Error) -> Self {
        match error.kind() {
            Io::ConnectionRefused => Self::Refused,
            Io::ConnectionReset | Io::ConnectionAborted => Self::Reset,
            Io::TimedOut => Self::ConnectTimeout,
            Io::HostUnreachable | Io::NetworkUnreachable | Io::NetworkDown => Self::Unreachable,
            _ => local(error).unwrap_or(Self::Unreachable),
        }
    }

    /// What an error counts as while TLS is set up.
    pub(crate) fn of_handshake(error: &Error) -> Self {
        match error.kind() {
            Io::ConnectionReset | Io::BrokenPipe => Self::Reset,
            _ => local(error).unwrap_or(Self::Tls),
        }
    }

    /// What an error counts as on an open connection.
    pub(crate) fn of_connection(error: &Error) -> Self {
        match error.kind() {
            Io::InvalidData => Self::Tls,
            Io::UnexpectedEof => Self::ClosedEarly,
            Io::TimedOut => Self::ResponseTimeout,
            _ => local(error).unwrap_or(Self::Reset),
        }
    }

    /// What a response counts as by its status; nothing if the request did not fail.
    pub(crate) fn of_status(status: u16) -> Option<Self> {
        match status {
            304 => None,
            300..=399 => Some(Self::Redirect),
            400..=499 => Some(Self::ClientError),
            500.. => Some(Self::ServerError),
            _ => None,
        }
    }
}

/// Failed requests by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorCounts {
    counts: [u64; ErrorKind::ALL.len()],
}

impl ErrorCounts {
    /// How many failed so.
    pub fn get(&self, kind: ErrorKind) -> u64 {
        self.counts[kind as usize]
    }

    /// How many failed.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The kinds that occurred, and how often.
    pub fn iter(&self) -> impl Iterator<Item = (ErrorKind, u64)> {
        let all = ErrorKind::ALL.into_iter();
        all.map(|kind| (kind, self.get(kind)))
            .filter(|&(_, count)| count > 0)
    }

    pub(crate) fn add(&mut self, kind: ErrorKind) {
        self.counts[kind as usize] += 1;
    }

    pub(crate) fn merge(&mut self, other: &ErrorCounts) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}

/// Whether this machine ran out of something.
fn local(error: &Error) -> Option<ErrorKind> {
    let exhausted = [
        Errno::MFILE,
        Errno::NFILE,
        Errno::NOBUFS,
        Errno::NOMEM,
        Errno::NOSPC,
        Errno::ADDRNOTAVAIL,
        Errno::ADDRINUSE,
    ];
    let errno = Errno::from_io_error(error)?;
    exhausted.contains(&errno).then_some(ErrorKind::Local)
}
