//! Workers of an application, and requests that wait for one.

use std::collections::VecDeque;

use hotset_outcome::Resource;

use crate::station::resource;

/// Workers, each of which has one request from its beginning to its end.
pub(super) struct Workers {
    /// Nothing where any number of requests is worked on.
    limit: Option<u32>,
    busy: u32,
    waiting: VecDeque<u32>,
    /// Time that they were busy, and that requests were there, all together, until `now_ns`.
    busy_ns: u64,
    stay_ns: u64,
    now_ns: u64,
}

impl Workers {
    pub fn new(limit: Option<u32>) -> Self {
        Self {
            limit: limit.map(|it| it.max(1)),
            busy: 0,
            waiting: VecDeque::new(),
            busy_ns: 0,
            stay_ns: 0,
            now_ns: 0,
        }
    }

    /// A browser's request comes; whether a worker begins with it.
    pub fn ask(&mut self, now_ns: u64, browser: u32) -> bool {
        self.count_until(now_ns);
        let is_free = self.limit.is_none_or(|limit| self.busy < limit);
        match is_free {
            true => self.busy += 1,
            false => self.waiting.push_back(browser),
        }
        is_free
    }

    /// A request is over; the browser whose request its worker begins with.
    pub fn release(&mut self, now_ns: u64) -> Option<u32> {
        self.count_until(now_ns);
        let next = self.waiting.pop_front();
        if next.is_none() {
            self.busy -= 1;
        }
        next
    }

    fn count_until(&mut self, now_ns: u64) {
        let passed_ns = now_ns - self.now_ns;
        self.now_ns = now_ns;
        let there = u64::from(self.busy) + self.waiting.len() as u64;
        self.busy_ns = self
            .busy_ns
            .saturating_add(passed_ns.saturating_mul(self.busy.into()));
        self.stay_ns = self.stay_ns.saturating_add(passed_ns.saturating_mul(there));
    }

    /// Forgets what was counted.
    pub fn count_anew(&mut self, now_ns: u64) {
        self.count_until(now_ns);
        (self.busy_ns, self.stay_ns) = (0, 0);
    }

    /// What they did in so long a time; nothing where their number is unlimited.
    pub fn resource(&mut self, now_ns: u64, length_ns: u64) -> Option<Resource> {
        self.count_until(now_ns);
        let limit = u64::from(self.limit?);
        Some(resource(
            "workers",
            self.busy_ns,
            self.stay_ns,
            limit,
            length_ns,
        ))
    }
}
