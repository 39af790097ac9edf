//! A replay as the outcome that it is compared by.

use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, Score, Timeline};

use crate::{Metrics, ReplayResult, Second};

impl ReplayResult {
    /// The outcome of this replay: in total, by site and by size.
    pub fn outcome(&self, name: &str, provenance: Provenance) -> Outcome {
        let total = Score {
            timeline: Some(timeline(&self.timeline)),
            ..self.score_of(&self.total)
        };
        let mut outcome = Outcome::new(name, provenance, total);
        for (site, part) in &self.sites {
            outcome = outcome.with_site(site, self.score_of(part));
        }
        for (class, part) in &self.size_classes {
            let size = GroupKey::new(GroupKind::Size, class.to_string());
            outcome = outcome.with_group(size, self.score_of(part));
        }
        outcome
    }

    /// Responses without error per second of a part of the requests: its share of [`ReplayResult::achieved_rate`], so that
    /// parts add up to it.
    fn rate_of(&self, part: &Metrics) -> f64 {
        match self.total.answered() {
            0 => 0.0,
            all => self.achieved_rate * (part.answered() as f64 / all as f64),
        }
    }

    fn score_of(&self, part: &Metrics) -> Score {
        Score {
            requests: Some(part.answered()),
            errors: Some(part.errors.total()),
            bytes: Some(part.bytes),
            throughput_per_s: Some(self.rate_of(part)),
            latencies: part.latencies(),
            ..Score::default()
        }
    }
}

fn timeline(seconds: &[Second]) -> Timeline {
    Timeline {
        seconds: (1..=seconds.len()).map(|second| second as f64).collect(),
        requests: seconds.iter().map(|of| of.answered).collect(),
        errors: seconds.iter().map(|of| of.errors).collect(),
        bytes: seconds.iter().map(|of| of.bytes).collect(),
        ..Timeline::default()
    }
}
