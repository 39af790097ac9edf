//! Servers that take what comes in its order.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use hotset_outcome::Resource;

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

/// One that several machines have.
pub(crate) type SharedStation = Rc<RefCell<Station>>;

impl Station {
    pub fn new(servers: usize) -> Self {
        Self {
            free_at_ns: (0..servers.max(1)).map(|_| Reverse(0)).collect(),
            busy_ns: 0,
            stay_ns: 0,
        }
    }

    /// For several machines.
    pub fn shared(self) -> SharedStation {
        Rc::new(RefCell::new(self))
    }

    /// Serves what comes at `now_ns` and takes so long; when that is done. What came before was handed over before.
    #[inline]
    pub fn serve(&mut self, now_ns: u64, service_ns: u64) -> u64 {
        let Reverse(free_at_ns) = self.free_at_ns.pop().unwrap_or_default();
        // No service takes so long as to come to the end of time: what does ends the simulation.
        let done_ns = free_at_ns.max(now_ns).saturating_add(service_ns);
        self.free_at_ns.push(Reverse(done_ns));
        self.busy_ns = self.busy_ns.saturating_add(service_ns);
        self.stay_ns = self.stay_ns.saturating_add(done_ns - now_ns);
        done_ns
    }

    /// What it did in so long a time.
    pub fn resource(&self, name: &str, length_ns: u64) -> Resource {
        Self::resource_of(std::slice::from_ref(self), name, length_ns)
    }

    /// What several did, taken together.
    pub fn resource_of(stations: &[Self], name: &str, length_ns: u64) -> Resource {
        let sum = |of: &dyn Fn(&Self) -> u64| stations.iter().map(of).sum();
        let servers: u64 = sum(&|it| it.free_at_ns.len() as u64);
        let (busy_ns, stay_ns) = (sum(&|it| it.busy_ns), sum(&|it| it.stay_ns));
        resource(name, busy_ns, stay_ns, servers, length_ns)
    }

    /// Forgets what was counted, not who is served.
    pub fn count_anew(&mut self) {
        (self.busy_ns, self.stay_ns) = (0, 0);
    }
}

/// A resource of so many servers that served for `busy_ns` in all, where all spent `stay_ns`. The mean number there is that by
/// J. D. C. Little, "A proof for the queuing formula L = λW", 1961.
pub(crate) fn resource(
    name: &str,
    busy_ns: u64,
    stay_ns: u64,
    servers: u64,
    length_ns: u64,
) -> Resource {
    let time_ns = (length_ns as f64 * servers as f64).max(1.0);
    Resource {
        name: name.to_owned(),
        utilisation: Some((busy_ns as f64 / time_ns).min(1.0)),
        mean_queue_length: Some(stay_ns as f64 / length_ns.max(1) as f64),
        timeline: None,
    }
}
