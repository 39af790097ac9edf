//! What was measured of a group of requests.

use hotset_outcome::{Latencies, Times};

use crate::{ErrorCounts, ErrorKind};

/// What was measured of a group of requests: all, those of a site, or those of a size class.
///
/// Every recorded request is counted once in `requests`; it failed if it is among `errors`. Times are
/// those of requests that did not fail.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    /// Requests that ended, with a response or an error.
    pub requests: u64,
    /// Those that failed, by kind.
    pub errors: ErrorCounts,
    /// Responses without error whose body's length is not the expected one.
    pub wrong_length: u64,
    /// Bytes of bodies received, those of failed requests included.
    pub bytes: u64,
    /// Opening a connection, TLS included. One value for each connection that was opened.
    pub connect: Times,
    /// From sending a request on an open connection to the first byte of its response.
    pub first_byte: Times,
    /// From the time at which a request was due to the last byte of its response.
    pub from_intended: Times,
    /// From sending a request to the last byte of its response.
    pub total: Times,
}

impl Metrics {
    /// Requests that got a response without error.
    pub fn answered(&self) -> u64 {
        self.requests - self.errors.total()
    }

    /// The times as outcomes have them.
    pub fn latencies(&self) -> Latencies {
        Latencies {
            connect: Some(self.connect.distribution()),
            first_byte: Some(self.first_byte.distribution()),
            from_intended: Some(self.from_intended.distribution()),
            total: Some(self.total.distribution()),
            response: None,
        }
    }

    /// Adds what another thread measured.
    pub(crate) fn merge(&mut self, other: &Metrics) {
        self.requests += other.requests;
        self.errors.merge(&other.errors);
        self.wrong_length += other.wrong_length;
        self.bytes += other.bytes;
        self.connect.merge(&other.connect);
        self.first_byte.merge(&other.first_byte);
        self.from_intended.merge(&other.from_intended);
        self.total.merge(&other.total);
    }

    /// Counts a failed request.
    pub(crate) fn fail(&mut self, kind: ErrorKind, bytes: u64) {
        self.requests += 1;
        self.errors.add(kind);
        self.bytes += bytes;
    }
}
