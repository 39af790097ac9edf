//! What monitors have seen.

use hdrhistogram::Histogram;
use hotset_outcome::{add_to_histogram, empty_histogram};

use crate::monitor::Monitor;
use crate::time::Time;

/// What a monitor has seen since the last cut.
pub(crate) enum Tally {
    Tokens {
        now_there: u64,
        /// Tokens times nanoseconds.
        area: u128,
        since: u64,
        per: f64,
    },
    Firings {
        transitions: Vec<u32>,
        before: u64,
        /// Firings before the last reset.
        forgotten: u64,
    },
    Times {
        /// Nanoseconds.
        sum: u128,
        count: u64,
        /// Nanoseconds since the last reset.
        histogram: Histogram<u64>,
    },
    Samples {
        sum: f64,
        count: u64,
        /// Values between the last reset and the last cut.
        before: u64,
    },
}

impl Tally {
    pub fn of(monitor: &Monitor) -> Tally {
        let tokens = |servers: u32| Tally::Tokens {
            now_there: 0,
            area: 0,
            since: 0,
            per: f64::from(servers),
        };
        match monitor {
            Monitor::Tokens { .. } => tokens(1),
            Monitor::Utilisation { servers, .. } | Monitor::Busy { servers, .. } => {
                tokens(*servers)
            }
            Monitor::Firings { transitions } => Tally::Firings {
                transitions: transitions.iter().map(|it| it.index).collect(),
                before: 0,
                forgotten: 0,
            },
            Monitor::Times => Tally::Times {
                sum: 0,
                count: 0,
                histogram: empty_histogram(),
            },
            Monitor::Samples => Tally::Samples {
                sum: 0.0,
                count: 0,
                before: 0,
            },
        }
    }

    /// The number of tokens changes.
    #[inline]
    pub fn tokens(&mut self, now: u64, change: i64) {
        if let Tally::Tokens {
            now_there,
            area,
            since,
            ..
        } = self
        {
            *area += u128::from(*now_there) * u128::from(now - *since);
            *since = now;
            *now_there = now_there.wrapping_add_signed(change);
        }
    }

    #[inline]
    pub fn time(&mut self, span: Time) {
        if let Tally::Times {
            sum,
            count,
            histogram,
        } = self
        {
            *sum += u128::from(span.nanos());
            *count += 1;
            add_to_histogram(histogram, span.nanos());
        }
    }

    #[inline]
    pub fn sample(&mut self, value: f64) {
        if let Tally::Samples { sum, count, .. } = self {
            *sum += value;
            *count += 1;
        }
    }

    /// Forgets what was seen until now.
    pub fn reset(&mut self, now: u64, fired: &[u64]) {
        self.cut(now, fired);
        match self {
            Tally::Tokens { .. } => {}
            Tally::Firings {
                before, forgotten, ..
            } => *forgotten = *before,
            Tally::Times { histogram, .. } => histogram.reset(),
            Tally::Samples { before, .. } => *before = 0,
        }
    }

    /// Means begin anew, histograms and counts go on.
    pub fn cut(&mut self, now: u64, fired: &[u64]) {
        self.tokens(now, 0);
        match self {
            Tally::Tokens { area, .. } => *area = 0,
            Tally::Firings {
                transitions,
                before,
                ..
            } => *before = firings(transitions, fired),
            Tally::Times { sum, count, .. } => (*sum, *count) = (0, 0),
            Tally::Samples { sum, count, before } => {
                *before += *count;
                (*sum, *count) = (0.0, 0);
            }
        }
    }

    /// The mean over the span since the last cut; nothing where nothing was seen.
    pub fn value(&mut self, now: u64, span: u64, fired: &[u64]) -> Option<f64> {
        self.tokens(now, 0);
        let seconds = span as f64 / 1e9;
        let value = match self {
            Tally::Tokens { area, per, .. } => *area as f64 / span as f64 / *per,
            Tally::Firings {
                transitions,
                before,
                ..
            } => (firings(transitions, fired) - *before) as f64 / seconds,
            Tally::Times { sum, count, .. } => *sum as f64 / *count as f64 / 1e9,
            Tally::Samples { sum, count, .. } => *sum / *count as f64,
        };
        value.is_finite().then_some(value)
    }

    /// How many firings or values there were since the last reset; nothing for what is not counted.
    pub fn count(&self, fired: &[u64]) -> Option<u64> {
        match self {
            Tally::Tokens { .. } => None,
            Tally::Firings {
                transitions,
                forgotten,
                ..
            } => Some(firings(transitions, fired) - *forgotten),
            Tally::Times { histogram, .. } => Some(histogram.len()),
            Tally::Samples { count, before, .. } => Some(before + count),
        }
    }

    /// The histogram since the last reset, in nanoseconds, of one that has it.
    pub fn histogram(&self) -> Option<&Histogram<u64>> {
        match self {
            Tally::Times { histogram, .. } => Some(histogram),
            _ => None,
        }
    }
}

fn firings(transitions: &[u32], fired: &[u64]) -> u64 {
    transitions.iter().map(|&it| fired[it as usize]).sum()
}
