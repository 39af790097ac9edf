//! When the adaptive plan is renewed.

use std::ops::Range;

use crate::Renewal;
use crate::problem::Problem;

/// Renewals of [`Renewal::HundredTimes`].
const RENEWALS: usize = 100;

/// The stretches between renewals, with the clock at the end of each in renewal intervals.
pub(super) struct Schedule {
    pub stretches: Vec<Range<usize>>,
    pub clocks: Vec<f64>,
}

impl Schedule {
    pub fn new(problem: &Problem, renewal: Renewal) -> Self {
        let accesses = problem.workload.accesses.len();
        let by_count = |every: usize| Self::by_accesses(accesses, every.max(1));
        match (renewal, problem.workload.times_us) {
            (Renewal::Accesses(every), _) => by_count(usize::try_from(every).unwrap_or(usize::MAX)),
            (Renewal::Microseconds(every), Some(times)) => Self::by_time(times, every as f64),
            (_, Some(times)) if duration(times) > 0.0 => {
                Self::by_time(times, duration(times) / RENEWALS as f64)
            }
            _ => by_count(accesses / RENEWALS),
        }
    }

    fn by_accesses(accesses: usize, every: usize) -> Self {
        let starts = (0..accesses).step_by(every);
        let stretches: Vec<_> = starts
            .map(|start| start..start.saturating_add(every).min(accesses))
            .collect();
        let clocks = (1..=stretches.len())
            .map(|renewal| renewal as f64)
            .collect();
        Self { stretches, clocks }
    }

    /// Renews whenever the latest time seen passes another multiple of `every` microseconds.
    fn by_time(times: &[i64], every: f64) -> Self {
        let first = times.first().copied().unwrap_or(0);
        let (mut stretches, mut clocks, mut start, mut tick) = (Vec::new(), Vec::new(), 0, 0.0);
        for (index, &time) in times.iter().enumerate() {
            let now = ((time as f64 - first as f64) / every).floor();
            if now > tick {
                stretches.push(start..index);
                clocks.push(now);
                (start, tick) = (index, now);
            }
        }
        stretches.push(start..times.len());
        clocks.push(tick + 1.0);
        Self { stretches, clocks }
    }
}

fn duration(times: &[i64]) -> f64 {
    let (first, last) = (times.iter().min(), times.iter().max());
    first
        .zip(last)
        .map_or(0.0, |(&first, &last)| last as f64 - first as f64)
}
