//! What a replay of sessions measured.

use std::time::Duration;

use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, Score, Timeline};
use serde::Serialize;

use crate::{Metrics, Second};

/// What a replay of sessions measured. Ramp and warm-up are in none of it.
#[derive(Clone, Debug)]
pub struct SessionsResult {
    /// All pages.
    pub total: Metrics,
    /// By type of page, in the order of the mix; a type may have no pages.
    pub pages: Vec<(String, Metrics)>,
    /// Pages a second that were answered, from the end of ramp and warm-up to the end of the duration, or to where the replay
    /// was interrupted.
    pub pages_per_s: f64,
    /// That time.
    pub elapsed: Duration,
    /// What visitors did.
    pub sessions: SessionCounts,
    /// Connections opened.
    pub connections: u64,
    /// Connections opened again because the server had closed them between two requests.
    pub reopened_connections: u64,
    /// Largest share of a sending thread's time that it was busy, 0 to 1.
    pub busy_share: f64,
    /// What happened in each second, from the first recorded one on.
    pub timeline: Vec<Second>,
    /// Whether it was ended from outside.
    pub interrupted: bool,
    /// Requests that were under way then.
    pub unfinished: u64,
}

/// What visitors did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SessionCounts {
    /// Sessions that began.
    pub begun: u64,
    /// Sessions that ended as the mix has it.
    pub ended: u64,
    /// Sessions that a page without an answer ended.
    pub broken: u64,
    /// Pages that a link of the page before led to.
    pub links: u64,
    /// Pages that a form of the page before led to.
    pub forms: u64,
    /// Forms among them that were sent by POST.
    pub posts: u64,
    /// Values that a page received gave, in links and forms that were followed.
    pub carried: u64,
    /// Values that the visitor filled in.
    pub filled: u64,
    /// Pages that no link or form of the page before led to; what was sent for them was made up.
    pub without_link: u64,
    /// Pages that were gone back to.
    pub back: u64,
}

impl SessionCounts {
    pub(crate) fn merge(&mut self, other: &SessionCounts) {
        self.begun += other.begun;
        self.ended += other.ended;
        self.broken += other.broken;
        self.links += other.links;
        self.forms += other.forms;
        self.posts += other.posts;
        self.carried += other.carried;
        self.filled += other.filled;
        self.without_link += other.without_link;
        self.back += other.back;
    }
}

impl SessionsResult {
    /// The outcome of this replay: in total and by type of page.
    pub fn outcome(&self, name: &str, provenance: Provenance) -> Outcome {
        let total = Score {
            timeline: Some(self.over_time()),
            ..self.score_of(&self.total)
        };
        let mut outcome = Outcome::new(name, provenance, total);
        for (page, part) in self.pages.iter().filter(|(_, part)| part.requests > 0) {
            let page = GroupKey::new(GroupKind::Page, page);
            outcome = outcome.with_group(page, self.score_of(part));
        }
        outcome
    }

    fn score_of(&self, part: &Metrics) -> Score {
        let share = match self.total.answered() {
            0 => 0.0,
            all => part.answered() as f64 / all as f64,
        };
        Score {
            requests: Some(part.answered()),
            errors: Some(part.errors.total()),
            bytes: Some(part.bytes),
            throughput_per_s: Some(self.pages_per_s * share),
            latencies: part.latencies(),
            ..Score::default()
        }
    }

    fn over_time(&self) -> Timeline {
        let seconds = &self.timeline;
        Timeline {
            seconds: (1..=seconds.len()).map(|second| second as f64).collect(),
            requests: seconds.iter().map(|of| of.answered).collect(),
            errors: seconds.iter().map(|of| of.errors).collect(),
            bytes: seconds.iter().map(|of| of.bytes).collect(),
            ..Timeline::default()
        }
    }
}
