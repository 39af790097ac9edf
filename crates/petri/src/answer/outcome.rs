//! An answer as the one result type.

use hdrhistogram::Histogram;
use hotset_outcome::{
    Distribution, GroupKey, GroupKind, Interval, Latencies, Outcome, Provenance, Resource, Score,
    empty_histogram,
};

use super::estimate::{Estimate, Kind};
use super::replications::Answer;

/// The nominal coverage of intervals.
const LEVEL: f64 = 0.95;
const NANOS_IN_MICRO: u64 = 1000;

impl Answer {
    /// The answer as an outcome. Times and rates are groups of their monitors' names; numbers of tokens and utilisations
    /// are resources. Intervals are kept for means of times; values of no known unit have no place in outcomes.
    #[must_use]
    pub fn outcome(&self, name: &str, provenance: Provenance) -> Outcome {
        let mut outcome = Outcome::new(name, provenance, Score::default());
        for it in &self.estimates {
            match it.kind {
                Kind::Times | Kind::Rate => {
                    let key = GroupKey::new(GroupKind::Job, &it.name);
                    outcome = outcome.with_group(key, self.score(it));
                }
                Kind::Tokens | Kind::Utilisation => outcome.resources.push(resource(it)),
                Kind::Values => {}
            }
        }
        outcome
    }

    fn score(&self, it: &Estimate) -> Score {
        let seconds = self.length.secs() * self.replications as f64;
        Score {
            requests: it.count,
            throughput_per_s: match it.kind {
                Kind::Rate => Some(it.mean),
                _ => it.count.map(|count| count as f64 / seconds),
            },
            latencies: Latencies {
                response: it.histogram.as_ref().map(|times| distribution(it, times)),
                ..Latencies::default()
            },
            ..Score::default()
        }
    }
}

fn resource(it: &Estimate) -> Resource {
    let is_share = it.kind == Kind::Utilisation;
    Resource {
        name: it.name.clone(),
        utilisation: is_share.then_some(it.mean),
        mean_queue_length: (!is_share).then_some(it.mean),
        timeline: None,
    }
}

/// Times in microseconds. Quantiles are those of nanoseconds; the histogram is of whole microseconds.
fn distribution(it: &Estimate, nanos: &Histogram<u64>) -> Distribution {
    let micros = |seconds: f64| seconds * 1e6;
    let quantile = |share: f64| it.quantile(share).map(micros);
    let mut histogram = empty_histogram();
    for bucket in nanos.iter_recorded() {
        let value = (bucket.value_iterated_to() + NANOS_IN_MICRO / 2) / NANOS_IN_MICRO;
        let recorded = histogram.record_n(value, bucket.count_at_value());
        debug_assert!(recorded.is_ok(), "a histogram that grows takes every value");
    }
    Distribution {
        p50_us: quantile(0.5),
        p95_us: quantile(0.95),
        p99_us: quantile(0.99),
        max_us: it.longest().map(micros),
        mean_interval: Some(Interval {
            // No time is below zero.
            low: micros(it.low.max(0.0)),
            high: micros(it.high),
            level: LEVEL,
        }),
        ..Distribution::of(&histogram).with_mean(micros(it.mean))
    }
}
