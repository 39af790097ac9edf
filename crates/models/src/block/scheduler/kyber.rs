//! kyber: requests as they come, but no more at a time than a number that keeps latencies low (`block/kyber-iosched.c`). Here the numbers
//! stay at their most: that they fall where latencies rise is not followed.

use std::collections::VecDeque;

use super::choice::{Choice, Scheduler};
use crate::block::Request;

/// Requests in the order in which they came, of one direction.
#[derive(Debug)]
struct Domain {
    waiting: VecDeque<Request>,
    handed_over: usize,
    /// Most that the disk has (`kyber_depth`).
    most: usize,
    /// Requests that are handed over before those of the other direction (`kyber_batch_size`).
    batch: u32,
}

impl Domain {
    fn new(most: usize, batch: u32) -> Self {
        Self {
            waiting: VecDeque::new(),
            handed_over: 0,
            most,
            batch,
        }
    }

    fn take(&mut self) -> Option<Request> {
        if self.handed_over == self.most {
            return None;
        }
        let next = self.waiting.pop_front();
        self.handed_over += usize::from(next.is_some());
        next
    }
}

/// Reads and writes, batch by batch.
#[derive(Debug)]
pub(super) struct Kyber {
    reads: Domain,
    writes: Domain,
    batch_writes: bool,
    batched: u32,
}

impl Default for Kyber {
    fn default() -> Self {
        Self {
            reads: Domain::new(256, 16),
            writes: Domain::new(128, 8),
            batch_writes: false,
            batched: 0,
        }
    }
}

impl Kyber {
    fn domain(&mut self, writes: bool) -> &mut Domain {
        match writes {
            true => &mut self.writes,
            false => &mut self.reads,
        }
    }
}

impl Scheduler for Kyber {
    fn add(&mut self, _now_ns: u64, request: Request) {
        self.domain(request.writes).waiting.push_back(request);
    }

    /// Goes on with the batch; else begins one of the other direction, or of the same where that has none
    /// (`kyber_dispatch_request`).
    fn next(&mut self, _now_ns: u64) -> Choice {
        let (batch, batched) = (self.batch_writes, self.batched);
        let domain = self.domain(batch);
        if batched < domain.batch
            && let Some(request) = domain.take()
        {
            self.batched += 1;
            return Choice::Serve(request);
        }
        for writes in [!batch, batch] {
            if let Some(request) = self.domain(writes).take() {
                (self.batch_writes, self.batched) = (writes, 1);
                return Choice::Serve(request);
            }
        }
        Choice::None
    }

    fn served(&mut self, _now_ns: u64, request: &Request) {
        let domain = self.domain(request.writes);
        domain.handed_over = domain.handed_over.saturating_sub(1);
    }
}
