//! What monitors say, over all rows of an experiment.

use hdrhistogram::Histogram;

use super::interval;
use super::series::{Runs, Series};
use crate::monitor::Monitor;
use crate::net::Net;

/// What a monitor's mean is the mean of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// Tokens in places, averaged over time.
    Tokens,
    /// The share of servers that are busy, averaged over time.
    Utilisation,
    /// Firings in a second of simulated time.
    Rate,
    /// Spans of time, in seconds.
    Times,
    /// Other values.
    Values,
}

impl Kind {
    fn of(monitor: &Monitor) -> Kind {
        match monitor {
            Monitor::Tokens { .. } => Kind::Tokens,
            Monitor::Utilisation { .. } | Monitor::Busy { .. } => Kind::Utilisation,
            Monitor::Firings { .. } => Kind::Rate,
            Monitor::Times => Kind::Times,
            Monitor::Samples => Kind::Values,
        }
    }

    /// As documents write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What a monitor says.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The monitor's name.
    pub name: String,
    /// What is meant.
    pub kind: Kind,
    /// The mean over replications, or over batches of one.
    pub mean: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Firings or values of all replications; nothing for averages over time.
    pub count: Option<u64>,
    /// All times of all replications, in nanoseconds within 0.1 %, where times were recorded.
    pub histogram: Option<Histogram<u64>>,
}

impl Estimate {
    /// The time in seconds that this share of the times does not exceed; nothing where no times were recorded.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let histogram = self.histogram.as_ref()?;
        Some(histogram.value_at_quantile(share) as f64 / 1e9)
    }

    /// The longest time, in seconds.
    #[must_use]
    pub fn longest(&self) -> Option<f64> {
        Some(self.histogram.as_ref()?.max() as f64 / 1e9)
    }
}

/// The values of a monitor in all rows that have one.
fn values_of<'a>(all: impl IntoIterator<Item = &'a Series>, monitor: usize) -> Vec<f64> {
    let rows = all.into_iter().flat_map(|series| &series.rows);
    rows.filter_map(|row| row[monitor]).collect()
}

/// Whether each interval's half width is at most this share of its mean.
pub(super) fn is_precise(net: &Net, all: &[&Series], share: f64) -> bool {
    (0..net.monitors.len()).all(|monitor| {
        let values = values_of(all.iter().copied(), monitor);
        let interval = interval::mean_and_half_width(&values);
        interval.is_none_or(|(mean, half_width)| half_width <= share * mean.abs())
    })
}

/// Monitors that saw something in at least two rows: replications, or batches of a single one, which follow each other.
pub(super) fn estimates(net: &Net, runs: &Runs) -> Vec<Estimate> {
    let all = &runs.each;
    let of_values = match all.len() {
        1 => interval::batch_means,
        _ => interval::mean_and_half_width,
    };
    let monitors = net.monitors.iter().enumerate();
    let estimates = monitors.filter_map(|(monitor, spec)| {
        let (mean, half_width) = of_values(&values_of(all, monitor))?;
        Some(Estimate {
            name: spec.name.clone(),
            kind: Kind::of(&spec.kind),
            mean,
            low: mean - half_width,
            high: mean + half_width,
            count: all.iter().map(|series| series.counts[monitor]).sum(),
            histogram: runs.histograms.get(monitor).cloned().flatten(),
        })
    });
    estimates.collect()
}
