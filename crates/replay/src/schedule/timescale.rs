//! From times of the trace to times of the replay.

use super::moment::micros;
use super::{Cut, Pace, SCALES, ScheduleError, ScheduleOptions};

/// How the starts of connections are moved together.
pub(super) struct Timescale {
    scale: f64,
    gap_max_us: Option<i64>,
}

impl Timescale {
    /// # Errors
    /// A scale that is none.
    pub fn of(options: &ScheduleOptions) -> Result<Timescale, ScheduleError> {
        let scale = match options.pace {
            Pace::Trace(scale) if SCALES.contains(&scale) => scale,
            Pace::Trace(scale) => return Err(ScheduleError::Scale(scale)),
            Pace::AsAnswered => 1.0,
        };
        Ok(Timescale {
            scale,
            gap_max_us: options.gap_max.map(micros),
        })
    }

    /// Starts of the replay, the first at 0, from rising starts of the trace; and what was cut.
    pub fn starts(&self, of_trace: &[i64]) -> (Vec<i64>, Cut) {
        let mut cut = Cut::default();
        let (mut prior, mut elapsed) = (of_trace.first().copied().unwrap_or(0), 0_i64);
        let mut start = |&time_us: &i64| {
            let gap = time_us.saturating_sub(std::mem::replace(&mut prior, time_us));
            elapsed = elapsed.saturating_add(self.kept(gap, &mut cut));
            // Scaling what has elapsed, not each gap, keeps rounding from adding up.
            (elapsed as f64 / self.scale).round() as i64
        };
        let starts = of_trace.iter().map(&mut start).collect();
        (starts, cut)
    }

    /// What is kept of a gap.
    fn kept(&self, gap_us: i64, cut: &mut Cut) -> i64 {
        cut.longest_us = cut.longest_us.max(gap_us);
        let kept = self.gap_max_us.map_or(gap_us, |most| gap_us.min(most));
        cut.gaps += u64::from(kept < gap_us);
        cut.total_us = cut.total_us.saturating_add(gap_us - kept);
        kept
    }
}
