//! Servers of one queue that each have one job at a time, first come, first served.

use std::collections::VecDeque;

use hotset_petri::Time;

/// Servers, and who waits for them. Jobs are a `T` each.
pub(crate) struct Servers<T> {
    count: u32,
    busy: u32,
    waiting: VecDeque<T>,
    /// How long servers were busy, all together, nanoseconds; and until when that is counted.
    busy_ns: u128,
    counted_until: Time,
}

impl<T> Servers<T> {
    /// So many, with nothing to do.
    pub fn new(count: u32) -> Self {
        Self {
            count,
            busy: 0,
            waiting: VecDeque::new(),
            busy_ns: 0,
            counted_until: Time::ZERO,
        }
    }

    /// A job comes. It is given back where a server begins with it at once; else it waits.
    pub fn come(&mut self, now: Time, job: T) -> Option<T> {
        if self.busy == self.count {
            self.waiting.push_back(job);
            return None;
        }
        self.count_until(now);
        self.busy += 1;
        Some(job)
    }

    /// A server has done a job, and perhaps another follows from it; what the server begins with.
    pub fn done(&mut self, now: Time, follows: Option<T>) -> Option<T> {
        let next = match self.waiting.pop_front() {
            None => follows,
            Some(first) => {
                self.waiting.extend(follows);
                Some(first)
            }
        };
        if next.is_none() {
            self.count_until(now);
            self.busy -= 1;
        }
        next
    }

    /// How many have a job.
    pub fn busy(&self) -> u32 {
        self.busy
    }

    /// Counting goes as far as this.
    pub fn count_until(&mut self, now: Time) {
        let passed = now - self.counted_until;
        self.busy_ns += u128::from(self.busy) * u128::from(passed.nanos());
        self.counted_until = now;
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self, now: Time) {
        self.count_until(now);
        self.busy_ns = 0;
    }

    /// The share of servers that was busy, in so long a time since counting began anew.
    pub fn busy_since(&self, length: Time) -> f64 {
        self.busy_ns as f64 / length.nanos().max(1) as f64 / f64::from(self.count)
    }
}
