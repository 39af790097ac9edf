//! Processor time of a group with a quota, as the kernel hands it out (`kernel/sched/fair.c`, "CFS bandwidth control"; Turner, Rao and
//! Rao, "CPU bandwidth control for CFS", Linux Symposium 2010).
//!
//! Each period fills a pool with the quota. Who runs takes slices of the pool. When both are used up, the group stands still until the
//! period ends. Who has nothing to do gives back what is left of the slice but for a millisecond, which is kept beyond the period's end.

use super::system::Quota;

/// What is taken of the pool at a time: `sched_cfs_bandwidth_slice_us`, 5 ms.
const SLICE_NS: f64 = 5e6;
/// What a processor that has nothing to do keeps of its slice (`min_cfs_rq_runtime`).
const KEPT_NS: f64 = 1e6;
/// Times this close are one, nanoseconds.
const CLOSE_NS: f64 = 1e-4;

/// What a group has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    quota: Quota,
    /// The period that the pool is of, by number.
    period: u64,
    /// What nobody has taken, and what is left of slices that were. Nanoseconds of processors.
    pool_ns: f64,
    slice_ns: f64,
}

impl Budget {
    /// That of a group that has not run yet.
    pub fn new(quota: Quota) -> Self {
        Self {
            quota,
            period: 0,
            pool_ns: quota.budget_ns as f64,
            slice_ns: 0.0,
        }
    }

    /// So many processors have work from one time to another. For how many nanoseconds of that they run.
    pub fn run(&mut self, from_ns: u64, until_ns: u64, processors: f64) -> f64 {
        let (mut now_ns, mut ran_ns) = (from_ns, 0.0);
        while now_ns < until_ns {
            let end_ns = self.refill(now_ns).min(until_ns);
            let passed_ns = (end_ns - now_ns) as f64;
            let used_ns = (passed_ns * processors).min(self.left_ns());
            self.use_up(used_ns);
            ran_ns += used_ns / processors;
            now_ns = end_ns;
        }
        ran_ns
    }

    /// When so many processors will have run for so long, if they have work from now on.
    pub fn end_ns(mut self, from_ns: u64, ran_ns: f64, processors: f64) -> u64 {
        let (mut now_ns, mut wanted_ns) = (from_ns, ran_ns * processors);
        loop {
            let end_ns = self.refill(now_ns);
            let most_ns = ((end_ns - now_ns) as f64 * processors).min(self.left_ns());
            if wanted_ns <= most_ns + CLOSE_NS || end_ns == u64::MAX {
                return now_ns.saturating_add((wanted_ns / processors).ceil() as u64);
            }
            wanted_ns -= most_ns;
            self.use_up(most_ns);
            now_ns = end_ns.saturating_add(self.whole_periods_ns(&mut wanted_ns, processors));
        }
    }

    /// How long the periods take that are used up as a whole, where nothing is left over from the one before. What they give is taken off.
    fn whole_periods_ns(&self, wanted_ns: &mut f64, processors: f64) -> u64 {
        let Quota {
            budget_ns,
            period_ns,
            ..
        } = self.quota;
        let each_ns = budget_ns as f64;
        if self.left_ns() > 0.0 || each_ns > period_ns as f64 * processors {
            return 0;
        }
        // The last one is looked at more closely.
        let periods = ((*wanted_ns / each_ns).ceil() - 1.0).max(0.0);
        *wanted_ns -= periods * each_ns;
        (periods as u64).saturating_mul(period_ns)
    }

    /// So many processors have nothing to do any more.
    pub fn rest(&mut self, processors: f64) {
        let given_back_ns = (self.slice_ns - KEPT_NS * processors).max(0.0);
        self.slice_ns -= given_back_ns;
        self.pool_ns += given_back_ns;
    }

    /// Fills the pool where a period has begun; when the period ends.
    fn refill(&mut self, now_ns: u64) -> u64 {
        let Quota {
            budget_ns,
            period_ns,
            phase_ns,
        } = self.quota;
        let period = now_ns.saturating_add(phase_ns) / period_ns;
        if period > self.period {
            self.period = period;
            self.pool_ns = budget_ns as f64;
        }
        // Later than now, unless the clock ends before.
        let end_ns = (period + 1).saturating_mul(period_ns) - phase_ns;
        end_ns.max(now_ns.saturating_add(1))
    }

    fn left_ns(&self) -> f64 {
        self.pool_ns + self.slice_ns
    }

    /// Uses so much of what is left, slice after slice.
    fn use_up(&mut self, used_ns: f64) {
        let lacking_ns = used_ns - self.slice_ns;
        if lacking_ns > 0.0 {
            let slices_ns = (lacking_ns / SLICE_NS).ceil() * SLICE_NS;
            let taken_ns = slices_ns.min(self.pool_ns);
            self.pool_ns -= taken_ns;
            self.slice_ns += taken_ns;
        }
        self.slice_ns = (self.slice_ns - used_ns).max(0.0);
    }
}
