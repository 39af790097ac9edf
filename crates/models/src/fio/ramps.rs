//! Ramps of the jobs of a stage: when figures begin that are not of single requests.

use std::cmp::Reverse;

use super::Job;
use super::result::Counts;

/// Ramps of jobs that are not over yet.
pub(super) struct Ramps {
    /// When each ends, and of which job it is; the next comes last.
    left: Vec<(u64, usize)>,
    /// When the first job is counted, and with it what machines do.
    pub first_ns: u64,
}

impl Ramps {
    /// Those of `jobs` in a stage that begins at `start_ns`. A job without one is counted from then on.
    pub fn of(jobs: &[Job], counts: &[Counts], start_ns: u64) -> Self {
        let ends = counts.iter().enumerate();
        let ends = ends.map(|(job, counts)| (counts.from_ns, job));
        let ends = ends.filter(|&(_, job)| jobs[job].ramp_us > 0.0);
        let mut left: Vec<(u64, usize)> = ends.collect();
        left.sort_unstable_by_key(|&ramp| Reverse(ramp));
        let first = left.last().filter(|_| left.len() == jobs.len());
        Self {
            first_ns: first.map_or(start_ns, |ramp| ramp.0),
            left,
        }
    }

    /// A ramp that is over at `now_ns`: when it ended, and of which job it was. Each is given once.
    pub fn next_over(&mut self, now_ns: u64) -> Option<(u64, usize)> {
        self.left.pop_if(|ramp| ramp.0 <= now_ns)
    }
}
