//! Waiting requests, apart for each process.

use std::collections::BTreeMap;

use super::think_time::ThinkTimes;
use crate::block::Request;
use crate::disk::SortedRequests;

/// Processes with waiting requests, in the order of a figure that grows with what each has been given.
#[derive(Debug, Default)]
pub(super) struct Readers {
    waiting: BTreeMap<u32, SortedRequests<Request>>,
    given: BTreeMap<u32, f64>,
    /// What the one that is served now had been given when its turn came: newcomers begin there.
    level: f64,
    thinking: ThinkTimes,
    /// Where the last request that was handed over ends.
    end: u64,
}

impl Readers {
    pub fn add(&mut self, now_ns: u64, request: Request) {
        self.thinking.note_request(now_ns, request.reader);
        let given = self.given.entry(request.reader).or_insert(self.level);
        let waiting = self.waiting.entry(request.reader).or_default();
        if waiting.is_empty() {
            // Who had nothing to ask for gets no more for it later.
            *given = given.max(self.level);
        }
        waiting.add(now_ns, request.offset, request);
    }

    /// The process that has been given least of those that wait.
    pub fn least_given(&self) -> Option<u32> {
        let with_requests = self.waiting.iter().filter(|(_, it)| !it.is_empty());
        let given = |reader: &u32| self.given.get(reader).copied().unwrap_or(0.0);
        let least =
            with_requests.min_by(|a, b| given(a.0).total_cmp(&given(b.0)).then(a.0.cmp(b.0)));
        least.map(|(reader, _)| *reader)
    }

    /// Whether nobody waits for what `reader` asks for.
    pub fn is_background(&self, reader: u32) -> bool {
        let waiting = self.waiting.get(&reader);
        let oldest = waiting.and_then(|it| it.get(it.oldest()?));
        oldest.is_some_and(|request| !request.is_waited_for())
    }

    /// The turn of `reader` begins.
    pub fn begin(&mut self, reader: u32) {
        self.level = self.given.get(&reader).copied().unwrap_or(self.level);
    }

    /// `reader` was given so much.
    pub fn give(&mut self, reader: u32, amount: f64) {
        *self.given.entry(reader).or_insert(self.level) += amount;
    }

    /// Takes the request of `reader` that is nearest to the last one.
    pub fn take(&mut self, reader: u32, back_bytes: u64) -> Option<Request> {
        let waiting = self.waiting.get_mut(&reader)?;
        let nearest = waiting.nearest(self.end, back_bytes)?;
        let request = waiting.remove(nearest)?;
        self.end = request.end();
        Some(request)
    }

    pub fn answered(&mut self, now_ns: u64, reader: u32) {
        self.thinking.note_answer(now_ns, reader);
    }

    /// Whether `reader` is expected to ask within a time.
    pub fn asks_within(&self, reader: u32, time_ns: u64) -> bool {
        self.thinking.is_within(reader, time_ns)
    }
}
