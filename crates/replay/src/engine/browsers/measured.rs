//! What a thread measured, and all together.

use std::time::Duration;

use super::setting::Setting;
use crate::engine::recorder::{RequestTimes, SECOND_NS};
use crate::{ErrorKind, Metrics, Second, SessionCounts, SessionsResult};

/// What a thread measured of what is recorded.
pub struct Measured {
    pub total: Metrics,
    /// By type of page.
    pub pages: Vec<Metrics>,
    pub sessions: SessionCounts,
    pub connections: u64,
    pub reopened_connections: u64,
    pub unfinished: u64,
    pub busy_share: f64,
    timeline: Vec<Second>,
    /// Answers until the end of the duration.
    answers_in_time: u64,
    end_ns: u64,
}

fn us(ns: u64) -> f64 {
    ns as f64 / 1000.0
}

impl Measured {
    pub fn new(setting: &Setting<'_>) -> Self {
        let none = |_: &_| Metrics::default();
        Self {
            total: Metrics::default(),
            pages: setting.mix.pages.iter().map(none).collect(),
            sessions: SessionCounts::default(),
            connections: 0,
            reopened_connections: 0,
            unfinished: 0,
            busy_share: 0.0,
            timeline: Vec::new(),
            answers_in_time: 0,
            end_ns: setting.end_ns,
        }
    }

    /// A request was sent.
    pub fn sent(&mut self, at_ns: u64) {
        self.second(at_ns).sent += 1;
    }

    /// A connection was opened for a page.
    pub fn connected(&mut self, page: usize, took_ns: u64) {
        for part in [&mut self.total, &mut self.pages[page]] {
            part.connect.record(us(took_ns));
        }
    }

    /// A page was received.
    pub fn answered(&mut self, page: usize, times: &RequestTimes, bytes: u64) {
        let first_byte = times.first_byte_ns.saturating_sub(times.sent_ns);
        let from_intended = times.last_byte_ns.saturating_sub(times.intended_ns);
        let total = times.last_byte_ns.saturating_sub(times.sent_ns);
        for part in [&mut self.total, &mut self.pages[page]] {
            part.requests += 1;
            part.bytes += bytes;
            part.first_byte.record(us(first_byte));
            part.from_intended.record(us(from_intended));
            part.total.record(us(total));
        }
        self.answers_in_time += u64::from(times.last_byte_ns <= self.end_ns);
        let second = self.second(times.last_byte_ns);
        second.answered += 1;
        second.bytes += bytes;
        second.first_byte_sum_us += first_byte / 1000;
        second.from_intended_max_us = second.from_intended_max_us.max(from_intended / 1000);
    }

    /// A page was not received.
    pub fn failed(&mut self, page: usize, kind: ErrorKind, at_ns: u64, bytes: u64) {
        for part in [&mut self.total, &mut self.pages[page]] {
            part.fail(kind, bytes);
        }
        let second = self.second(at_ns);
        second.errors += 1;
        second.bytes += bytes;
    }

    fn second(&mut self, at_ns: u64) -> &mut Second {
        let index = (at_ns / SECOND_NS) as usize;
        if index >= self.timeline.len() {
            self.timeline.resize(index + 1, Second::default());
        }
        &mut self.timeline[index]
    }

    /// Adds what another thread measured.
    pub fn merge(&mut self, other: &Measured) {
        self.total.merge(&other.total);
        for (page, more) in self.pages.iter_mut().zip(&other.pages) {
            page.merge(more);
        }
        self.sessions.merge(&other.sessions);
        self.connections += other.connections;
        self.reopened_connections += other.reopened_connections;
        self.unfinished += other.unfinished;
        self.busy_share = self.busy_share.max(other.busy_share);
        self.answers_in_time += other.answers_in_time;
        let seconds = self.timeline.len().max(other.timeline.len());
        self.timeline.resize(seconds, Second::default());
        for (second, more) in self.timeline.iter_mut().zip(&other.timeline) {
            second.merge(more);
        }
    }

    /// The result of a replay, which was stopped at `stopped_ns` if it was.
    pub fn result(self, setting: &Setting<'_>, stopped_ns: Option<u64>) -> SessionsResult {
        let from_ns = setting.recorded_from_ns;
        let end_ns = stopped_ns.map_or(self.end_ns, |at| at.min(self.end_ns));
        let elapsed_ns = end_ns.saturating_sub(from_ns);
        let rate = self.answers_in_time as f64 * SECOND_NS as f64 / elapsed_ns as f64;
        let names = setting.mix.pages.iter().map(|page| page.name.clone());
        let first = (from_ns / SECOND_NS) as usize;
        SessionsResult {
            total: self.total,
            pages: names.zip(self.pages).collect(),
            pages_per_s: if elapsed_ns > 0 { rate } else { 0.0 },
            elapsed: Duration::from_nanos(elapsed_ns),
            sessions: self.sessions,
            connections: self.connections,
            reopened_connections: self.reopened_connections,
            busy_share: self.busy_share,
            timeline: self.timeline.into_iter().skip(first).collect(),
            interrupted: stopped_ns.is_some(),
            unfinished: self.unfinished,
        }
    }
}
