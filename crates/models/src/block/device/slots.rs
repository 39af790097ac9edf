//! A device as `hotset probe` has measured it: what a request takes alone, how many it serves at a time, and what it gives
//! at most.

use hotset_outcome::Resource;
use hotset_scenario::MeasuredDevice;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::Device;
use crate::block::Request;
use crate::station::Station;

/// A request takes a delay, then its own bytes at a rate; all together pass at a rate that is higher.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    /// Quantiles of the delay, nanoseconds, after their shares: one where nothing more is known.
    delays_ns: Vec<(f64, f64)>,
    ns_per_byte: f64,
    total_ns_per_byte: f64,
    slots: Station,
    total: Station,
    random: Pcg64Mcg,
}

impl Slots {
    /// `call_ns`: what of a delay as measured is the call, which the reader pays by itself.
    pub fn new(spec: &MeasuredDevice, call_ns: f64, seed: u64) -> Self {
        let ns = |us: f64| (us * 1e3 - call_ns).max(0.0);
        let delays_ns = match &spec.delay_quantiles_us {
            Some(quantiles) => {
                let pairs = MeasuredDevice::QUANTILES.into_iter().zip(quantiles);
                pairs.map(|(share, &us)| (share, ns(us))).collect()
            }
            None => vec![(0.5, ns(spec.delay_us))],
        };
        Self {
            delays_ns,
            ns_per_byte: 1e3 / spec.bytes_per_us,
            total_ns_per_byte: 1e3 / spec.total_bytes_per_us,
            slots: Station::new(spec.slots),
            total: Station::new(1),
            random: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    /// A delay drawn from its distribution, between quantiles linearly.
    fn delay_ns(&mut self) -> f64 {
        let (Some(&first), Some(&last)) = (self.delays_ns.first(), self.delays_ns.last()) else {
            return 0.0;
        };
        if self.delays_ns.len() == 1 {
            return first.1;
        }
        let share: f64 = self.random.random();
        let above = self.delays_ns.partition_point(|it| it.0 < share);
        if above == 0 {
            return first.1;
        }
        let Some(&(to, to_ns)) = self.delays_ns.get(above) else {
            return last.1;
        };
        let (from, from_ns) = self.delays_ns[above - 1];
        from_ns + (to_ns - from_ns) * (share - from) / (to - from)
    }
}

impl Device for Slots {
    /// It has a queue of its own.
    fn slots(&self) -> usize {
        usize::MAX
    }

    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        let bytes = request.bytes as f64;
        let alone_ns = self.delay_ns() + bytes * self.ns_per_byte;
        let alone_ns = self.slots.serve(now_ns, alone_ns as u64);
        let together_ns = self
            .total
            .serve(now_ns, (bytes * self.total_ns_per_byte) as u64);
        begun.push((alone_ns.max(together_ns), request.number));
    }

    fn count_anew(&mut self) {
        self.slots.count_anew();
        self.total.count_anew();
    }

    fn resources(&self, length_ns: u64) -> Vec<Resource> {
        vec![
            self.slots.resource("device, slots", length_ns),
            self.total.resource("device, transfer", length_ns),
        ]
    }
}
