//! From times of the trace to times of the replay.

use super::moment::micros;
use super::{Cut, Pace, SCALES, ScheduleError, ScheduleOptions};

/// How the starts of connections are moved together.
pub(super) struct Timescale {
    scale: f64,
    gap_max_us: Option<i64>,
    ramp_us: f64,
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
            ramp_us: match options.pace {
                Pace::Trace(_) => micros(options.ramp) as f64,
                Pace::AsAnswered => 0.0,
            },
        })
    }

    /// What has elapsed of the trace at each of its rising starts, the first at 0, without what is cut; and what was cut.
    pub fn elapsed(&self, of_trace: &[i64]) -> (Vec<i64>, Cut) {
        let mut cut = Cut::default();
        let (mut prior, mut elapsed) = (of_trace.first().copied().unwrap_or(0), 0_i64);
        let mut start = |&time_us: &i64| {
            let gap = time_us.saturating_sub(std::mem::replace(&mut prior, time_us));
            elapsed = elapsed.saturating_add(self.kept(gap, &mut cut));
            elapsed
        };
        let starts = of_trace.iter().map(&mut start).collect();
        (starts, cut)
    }

    /// When what comes `elapsed_us` after the start of the trace is due in the replay. Scaling what has elapsed, not each gap, keeps
    /// rounding from adding up.
    pub fn due(&self, elapsed_us: i64) -> i64 {
        self.ramped(elapsed_us as f64 / self.scale).round() as i64
    }

    /// When what is due `us` after the start is sent. At time t of a ramp of length R the rate is t/R of the full one,
    /// so that t²/2R of the schedule has passed, and half a ramp of it at the end.
    fn ramped(&self, us: f64) -> f64 {
        if us < self.ramp_us / 2.0 {
            (2.0 * self.ramp_us * us).sqrt()
        } else {
            us + self.ramp_us / 2.0
        }
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
