//! Servers that take what comes in its order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Alike servers before which one queue forms, first come, first served.
#[derive(Clone, Debug)]
pub(crate) struct Station {
    /// When each server is free, the first on top.
    free_at_ns: BinaryHeap<Reverse<u64>>,
    /// Time that servers spent serving.
    busy_ns: u64,
    /// Time that all spent here, waiting or served.
    stay_ns: u64,
}

impl Station {
    pub fn new(servers: usize) -> Self {
        Self {
            free_at_ns: (0..servers.max(1)).map(|_| Reverse(0)).collect(),
            busy_ns: 0,
            stay_ns: 0,
        }
    }

    /// Serves what comes at `now_ns` and takes so long; when that is done. What came before was handed over before.
    pub fn serve(&mut self, now_ns: u64, service_ns: u64) -> u64 {
        let Reverse(free_at_ns) = self.free_at_ns.pop().unwrap_or_default();
        let done_ns = free_at_ns.max(now_ns) + service_ns;
        self.free_at_ns.push(Reverse(done_ns));
        self.busy_ns += service_ns;
        self.stay_ns += done_ns - now_ns;
        done_ns
    }

    /// Share of the servers' time in which they served.
    pub fn utilisation(&self, length_ns: u64) -> f64 {
        let time_ns = length_ns as f64 * self.free_at_ns.len() as f64;
        (self.busy_ns as f64 / time_ns.max(1.0)).min(1.0)
    }

    /// Mean number waiting or served (J. D. C. Little, "A proof for the queuing formula L = λW", 1961).
    pub fn mean_queue_length(&self, length_ns: u64) -> f64 {
        self.stay_ns as f64 / length_ns.max(1) as f64
    }

    /// Forgets what was counted, not who is served.
    pub fn count_anew(&mut self) {
        (self.busy_ns, self.stay_ns) = (0, 0);
    }
}
