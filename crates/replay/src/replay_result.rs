//! What a replay measured.

use std::time::Duration;

use hdrhistogram::Histogram;

use crate::{Metrics, SizeClass};

/// What a replay measured. Ramp and warm-up are in none of it.
#[derive(Clone, Debug)]
pub struct ReplayResult {
    /// All requests.
    pub total: Metrics,
    /// By site, in the order of the schedule; a site may have no requests.
    pub sites: Vec<(String, Metrics)>,
    /// By size, those classes that have requests.
    pub size_classes: Vec<(SizeClass, Metrics)>,
    /// Requests per second that the schedule asks for, from the first due to the last; `None` in
    /// closed loops and where all are due at once.
    pub requested_rate: Option<f64>,
    /// Responses without error per second, from the first recorded request being due to the last response,
    /// or to the last request being due where that is later. Neither the wait for a last timeout nor what
    /// comes after a closed loop's duration counts.
    pub achieved_rate: f64,
    /// From the first recorded request being due (closed loop: sent) to the end of the last.
    pub elapsed: Duration,
    /// How late requests were sent that nothing but this client held up, microseconds: connections
    /// started after their time, follow-ups sent after theirs on a connection that was free.
    pub lateness_us: Histogram<u64>,
    /// Largest share of a sending thread's time that it was busy, 0 to 1.
    pub busy_share: f64,
    /// Why the client rather than the server may have limited what was measured, if so.
    pub client_limit: Option<ClientLimit>,
    /// Connections whose start waited because too many were open.
    pub held_connections: u64,
    /// Connections opened.
    pub connections: u64,
    /// Connections opened again because the server had closed them between two requests.
    pub reopened_connections: u64,
    /// Bytes of bodies that each client received a second, its pauses included; empty but for clients that hold a rate
    /// ([`Pause::Rate`](crate::Pause::Rate)).
    pub client_rates: Vec<f64>,
    /// What happened in each second, from the first recorded one on.
    pub timeline: Vec<Second>,
    /// Whether it was ended from outside; requests that were under way then are in `unfinished`.
    pub interrupted: bool,
    /// Requests sent that were neither answered nor failed when the replay was interrupted.
    pub unfinished: u64,
}

/// One second of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Second {
    /// Requests sent.
    pub sent: u64,
    /// Responses without error that ended.
    pub answered: u64,
    /// Requests that failed.
    pub errors: u64,
    /// Bytes of bodies received of the requests that ended.
    pub bytes: u64,
    /// Sum of the times to the first byte of the responses that ended, microseconds.
    pub first_byte_sum_us: u64,
    /// Longest time from the intended time to the last byte of the responses that ended, microseconds.
    pub from_intended_max_us: u64,
}

impl Second {
    pub(crate) fn merge(&mut self, other: &Second) {
        self.sent += other.sent;
        self.answered += other.answered;
        self.errors += other.errors;
        self.bytes += other.bytes;
        self.first_byte_sum_us += other.first_byte_sum_us;
        self.from_intended_max_us = self.from_intended_max_us.max(other.from_intended_max_us);
    }
}

/// Why the client may have been the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ClientLimit {
    /// A thread was busy for more than 90 % of its time.
    Busy {
        /// Share of the time, 0 to 1.
        share: f64,
    },
    /// 1 % of the requests were sent more than 1 ms after their time, by this client's fault.
    Late {
        /// 99th percentile of the lateness, microseconds.
        p99_us: u64,
    },
    /// Connections waited because the process may open no more files.
    FileDescriptors {
        /// Most connections that were possible.
        connections: usize,
    },
}
