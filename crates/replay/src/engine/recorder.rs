//! Counting what one thread measures.

use hdrhistogram::Histogram;
use hotset_outcome::{add_to_histogram, empty_histogram};

use super::requests::{Requests, Row};
use crate::{ErrorKind, Metrics, Second, SizeClass};

pub const SECOND_NS: u64 = 1_000_000_000;

/// Nanoseconds in microseconds.
fn us(ns: u64) -> f64 {
    ns as f64 / 1000.0
}

/// Times of a request that was answered, nanoseconds since time zero.
#[derive(Clone, Copy, Debug)]
pub struct RequestTimes {
    pub intended_ns: u64,
    pub sent_ns: u64,
    pub first_byte_ns: u64,
    pub last_byte_ns: u64,
}

/// The body of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub bytes: u64,
    /// Whether the server says that it is the file: 304 says the opposite.
    pub whole: bool,
}

/// What one thread measured.
pub struct Recorder {
    pub total: Metrics,
    /// By site; groups without requests take no memory.
    pub sites: Vec<Option<Box<Metrics>>>,
    pub classes: Vec<Option<Box<Metrics>>>,
    pub lateness_us: Histogram<u64>,
    pub timeline: Vec<Second>,
    /// When the first and the last recorded request were due, and when the last ended.
    pub first_due_ns: u64,
    pub last_due_ns: u64,
    pub last_end_ns: u64,
    /// Answers that count for the rate: those until `rate_end_ns`, and when the last of them arrived.
    pub answers_in_time: u64,
    pub last_answer_ns: u64,
    /// The end of a closed loop with a duration; what is still awaited then says nothing about the rate.
    pub rate_end_ns: u64,
    pub held_connections: u64,
    pub connections: u64,
    pub reopened_connections: u64,
    pub unfinished: u64,
    pub busy_share: f64,
    /// Bytes a second that each client received, where clients hold a rate.
    pub client_rates: Vec<f64>,
}

impl Recorder {
    pub fn new(sites: usize, rate_end_ns: u64) -> Self {
        Self {
            total: Metrics::default(),
            sites: (0..sites).map(|_| None).collect(),
            classes: (0..SizeClass::COUNT).map(|_| None).collect(),
            lateness_us: empty_histogram(),
            timeline: Vec::new(),
            first_due_ns: u64::MAX,
            last_due_ns: 0,
            last_end_ns: 0,
            answers_in_time: 0,
            last_answer_ns: 0,
            rate_end_ns,
            held_connections: 0,
            connections: 0,
            reopened_connections: 0,
            unfinished: 0,
            busy_share: 0.0,
            client_rates: Vec::new(),
        }
    }

    /// A request was due, and tried.
    pub fn due(&mut self, intended_ns: u64) {
        self.first_due_ns = self.first_due_ns.min(intended_ns);
        self.last_due_ns = self.last_due_ns.max(intended_ns);
    }

    /// A request was sent.
    pub fn sent(&mut self, intended_ns: u64, sent_ns: u64) {
        self.due(intended_ns);
        self.second(sent_ns).sent += 1;
    }

    /// A connection was opened for a request.
    pub fn connected(&mut self, requests: &Requests<'_>, row: Row, ns: u64) {
        let class = requests.size_class(row, 0);
        for group in self.groups(requests.site(row), class) {
            group.connect.record(us(ns));
        }
    }

    /// The client did something so long after its time.
    pub fn late(&mut self, ns: u64) {
        add_to_histogram(&mut self.lateness_us, ns / 1000);
    }

    /// A request was answered.
    pub fn answered(
        &mut self,
        requests: &Requests<'_>,
        row: Row,
        times: &RequestTimes,
        body: Body,
    ) {
        let bytes = body.bytes;
        let other = |expected| expected != bytes;
        let wrong = body.whole && requests.expected(row).is_some_and(other);
        let first_byte = times.first_byte_ns.saturating_sub(times.sent_ns);
        let from_intended = times.last_byte_ns.saturating_sub(times.intended_ns);
        let total = times.last_byte_ns.saturating_sub(times.sent_ns);
        for group in self.groups(requests.site(row), requests.size_class(row, bytes)) {
            group.requests += 1;
            group.bytes += bytes;
            group.wrong_length += u64::from(wrong);
            group.first_byte.record(us(first_byte));
            group.from_intended.record(us(from_intended));
            group.total.record(us(total));
        }
        if times.last_byte_ns <= self.rate_end_ns {
            self.answers_in_time += 1;
            self.last_answer_ns = self.last_answer_ns.max(times.last_byte_ns);
        }
        let second = self.ended(times.last_byte_ns, bytes);
        second.answered += 1;
        second.first_byte_sum_us += first_byte / 1000;
        second.from_intended_max_us = second.from_intended_max_us.max(from_intended / 1000);
    }

    /// A request failed.
    pub fn failed(
        &mut self,
        requests: &Requests<'_>,
        row: Row,
        kind: ErrorKind,
        at_ns: u64,
        bytes: u64,
    ) {
        for group in self.groups(requests.site(row), requests.size_class(row, bytes)) {
            group.fail(kind, bytes);
        }
        self.ended(at_ns, bytes).errors += 1;
    }

    fn ended(&mut self, at_ns: u64, bytes: u64) -> &mut Second {
        self.last_end_ns = self.last_end_ns.max(at_ns);
        let second = self.second(at_ns);
        second.bytes += bytes;
        second
    }

    fn groups(&mut self, site: usize, class: SizeClass) -> [&mut Metrics; 3] {
        [
            &mut self.total,
            self.sites[site].get_or_insert_default(),
            self.classes[class.index()].get_or_insert_default(),
        ]
    }

    fn second(&mut self, at_ns: u64) -> &mut Second {
        let index = (at_ns / SECOND_NS) as usize;
        if index >= self.timeline.len() {
            self.timeline.resize(index + 1, Second::default());
        }
        &mut self.timeline[index]
    }
}
