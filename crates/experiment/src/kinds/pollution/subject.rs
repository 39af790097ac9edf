//! The point that is measured, and how its outcomes came about.

use hotset_outcome::{Outcome, Score};

use super::result::Settings;
use crate::Point;
use crate::readings::PhaseCounts;
use crate::session::Session;

/// A point that is being measured.
#[derive(Clone, Copy)]
pub(super) struct Subject<'m> {
    pub session: &'m Session<'m>,
    pub point: &'m Point,
    pub settings: &'m Settings,
}

impl Subject<'_> {
    /// The outcome of one of its phases, without its sites.
    pub fn outcome(&self, phase: &str, total: Score, counted: PhaseCounts) -> Outcome {
        let text = |value: &dyn std::fmt::Display| value.to_string();
        let settings = [
            ("memory_bytes", text(&self.settings.memory_bytes)),
            ("scale", text(&self.settings.workload.scale)),
            ("requests", text(&self.settings.workload.requests)),
            ("store", self.settings.store.clone()),
        ];
        let provenance = self.session.provenance(self.point, &settings);
        counted.on(Outcome::new(
            format!("{}, {phase}", self.point),
            provenance,
            total,
        ))
    }
}
