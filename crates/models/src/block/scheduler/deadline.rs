//! The deadline scheduler (`block/mq-deadline.c`; before 5.0 `block/deadline-iosched.c`, which orders requests alike).

use super::choice::{Choice, Scheduler};
use crate::block::Request;
use crate::disk::{Key, SortedRequests};

/// A read that has waited longer goes first, once a batch is over (`read_expire`).
const READ_EXPIRES_NS: u64 = 500_000_000;
/// The same of a write (`write_expire`).
const WRITE_EXPIRES_NS: u64 = 5_000_000_000;
/// Batches of reads that may come before waiting writes (`writes_starved`).
const WRITES_STARVED: u32 = 2;
/// Requests that are handed over upwards before ages are looked at (`fifo_batch`).
const BATCH: u32 = 16;

/// Requests of one direction.
#[derive(Debug)]
struct Direction {
    waiting: SortedRequests<Request>,
    /// Where the last one that was handed over ends.
    end: u64,
    expires_ns: u64,
}

impl Direction {
    fn new(expires_ns: u64) -> Self {
        Self {
            waiting: SortedRequests::default(),
            end: 0,
            expires_ns,
        }
    }

    /// The next one upwards.
    fn next(&self) -> Option<Key> {
        self.waiting.at_or_beyond(self.end)
    }

    /// The first of a batch: the oldest, where it has waited too long or none lies beyond the last.
    fn first(&self, now_ns: u64) -> Option<Key> {
        let expired = self
            .waiting
            .oldest_before(now_ns.saturating_sub(self.expires_ns));
        expired
            .or_else(|| self.next())
            .or_else(|| self.waiting.oldest())
    }
}

/// Upwards from the last request, in batches of reads or of writes.
#[derive(Debug)]
pub(super) struct Deadline {
    reads: Direction,
    writes: Direction,
    /// The direction of the batch, and how many of it were handed over.
    batch_writes: bool,
    batched: u32,
    /// Batches of reads that came before waiting writes.
    starved: u32,
}

impl Default for Deadline {
    fn default() -> Self {
        Self {
            reads: Direction::new(READ_EXPIRES_NS),
            writes: Direction::new(WRITE_EXPIRES_NS),
            batch_writes: false,
            batched: 0,
            starved: 0,
        }
    }
}

impl Deadline {
    fn direction(&mut self, writes: bool) -> &mut Direction {
        match writes {
            true => &mut self.writes,
            false => &mut self.reads,
        }
    }

    /// Whether the next batch is of writes; nothing where none waits (`__dd_dispatch_request`).
    fn choose_direction(&mut self) -> Option<bool> {
        let (reads, writes) = (
            !self.reads.waiting.is_empty(),
            !self.writes.waiting.is_empty(),
        );
        let is_starved = self.starved >= WRITES_STARVED;
        match (reads, writes) {
            (false, false) => None,
            (true, false) => Some(false),
            (true, true) if !is_starved => {
                self.starved += 1;
                Some(false)
            }
            (_, true) => {
                self.starved = 0;
                Some(true)
            }
        }
    }
}

impl Scheduler for Deadline {
    fn add(&mut self, now_ns: u64, request: Request) {
        let direction = self.direction(request.writes);
        direction.waiting.add(now_ns, request.offset, request);
    }

    fn next(&mut self, now_ns: u64) -> Choice {
        let batch = self.batch_writes;
        let next = match self.batched < BATCH {
            true => self.direction(batch).next(),
            false => None,
        };
        let (writes, key) = match next {
            Some(key) => (batch, Some(key)),
            None => {
                let Some(writes) = self.choose_direction() else {
                    return Choice::None;
                };
                (self.batch_writes, self.batched) = (writes, 0);
                (writes, self.direction(writes).first(now_ns))
            }
        };
        let direction = self.direction(writes);
        let Some(request) = key.and_then(|key| direction.waiting.remove(key)) else {
            return Choice::None;
        };
        direction.end = request.end();
        self.batched += 1;
        Choice::Serve(request)
    }
}
