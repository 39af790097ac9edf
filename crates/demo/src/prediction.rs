//! What requests will take, before any of them is sent.

use crate::requests::Requests;
use crate::{Costs, Figures};
use std::collections::HashSet;

/// Predicts, for each site and then for all together. Each request costs what a file of its size cost in single requests: from
/// memory if its file is to be held, else from disk. A page cache is not reckoned with.
pub fn predict(requests: &Requests, held: &HashSet<u32>, costs: &Costs) -> Vec<Figures> {
    let sites = requests.trace.sites.len();
    let mut sums = vec![Sums::default(); sites + 1];
    for (site, object) in requests.iter() {
        let bytes = requests.trace.objects.size[object as usize];
        sums[site].add(bytes, held.contains(&object), costs);
        sums[sites].add(bytes, held.contains(&object), costs);
    }
    sums.into_iter().map(Sums::means).collect()
}

#[derive(Clone, Copy, Default)]
struct Sums {
    requests: u64,
    from_memory: u64,
    before_us: f64,
    after_us: f64,
}

impl Sums {
    fn add(&mut self, bytes: u64, is_held: bool, costs: &Costs) {
        let disk_us = costs.disk.us(bytes);
        self.requests += 1;
        self.from_memory += u64::from(is_held);
        self.before_us += disk_us;
        self.after_us += if is_held {
            costs.memory.us(bytes)
        } else {
            disk_us
        };
    }

    fn means(self) -> Figures {
        let requests = self.requests as f64;
        Figures {
            hit_ratio: self.from_memory as f64 / requests,
            before_us: self.before_us / requests,
            after_us: self.after_us / requests,
        }
    }
}
