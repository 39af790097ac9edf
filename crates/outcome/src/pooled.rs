//! Runs that are alike but for chance, as one.

use crate::{Distribution, Latencies, Score, empty_histogram};

impl Distribution {
    /// The values of several distributions as one, from their counts, means and histograms. In which order they came is lost.
    #[must_use]
    pub fn pooled<'d>(parts: impl IntoIterator<Item = &'d Distribution>) -> Distribution {
        let mut histogram = empty_histogram();
        let (mut count, mut sum_us) = (0.0, 0.0);
        for part in parts {
            for &(us, times) in &part.histogram {
                let recorded = histogram.record_n(us, times);
                debug_assert!(recorded.is_ok(), "a histogram that grows takes every value");
            }
            let own = part.count.unwrap_or(0) as f64;
            count += own;
            sum_us += own * part.mean_us.unwrap_or(0.0);
        }
        Distribution::of(&histogram).with_mean(sum_us / count)
    }
}

impl Score {
    /// The requests of several runs as one score; what only some of them know is left out. A rate takes how long they ran, and what is
    /// over time is of one run alone: both are left out.
    #[must_use]
    pub fn pooled(runs: &[&Score]) -> Score {
        let sum =
            |of: fn(&Score) -> Option<u64>| -> Option<u64> { runs.iter().map(|run| of(run)).sum() };
        let latency = |of: fn(&Latencies) -> Option<&Distribution>| {
            let parts = runs.iter().map(|run| of(&run.latencies));
            let parts: Option<Vec<&Distribution>> = parts.collect();
            parts.map(Distribution::pooled)
        };
        Score {
            requests: sum(|it| it.requests),
            errors: sum(|it| it.errors),
            hits: sum(|it| it.hits),
            bytes: sum(|it| it.bytes),
            hit_bytes: sum(|it| it.hit_bytes),
            throughput_per_s: None,
            latencies: Latencies {
                connect: latency(|it| it.connect.as_ref()),
                first_byte: latency(|it| it.first_byte.as_ref()),
                from_intended: latency(|it| it.from_intended.as_ref()),
                total: latency(|it| it.total.as_ref()),
                response: latency(|it| it.response.as_ref()),
            },
            timeline: None,
        }
    }
}
