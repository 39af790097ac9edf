//! What models say of a point. The planner's model says it of a placement that was measured: from the trace, the memory and the costs alone,
//! so that kept results can be predicted again after the model has changed.

use hotset_outcome::{Outcome, Provenance, ProvenanceKind, Score};
use hotset_plan::{Evaluation, ProfileCosts, Traffic, evaluate, evaluate_groups};
use serde::Serialize;

use super::closed_accuracy::ClosedPrediction;
use super::cost_lines::MeasuredCosts;
use super::result::{CellResult, Detail, Settings};
use super::workload::{CellWorkload, SITES};
use crate::ExperimentError;
use crate::comparison::mean_score;
use crate::study::{Comparison, Prediction};

/// What models say of a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct CellPrediction {
    /// What the planner's model says of the paced phase; null without it.
    pub paced: Option<PacedPrediction>,
    /// What the simulation says of the throughput phase; null without it.
    pub closed: Option<ClosedPrediction>,
}

/// What the planner's model says of the held-out accesses.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct PacedPrediction {
    /// Mean response, microseconds.
    pub mean_us: f64,
    /// Mean response over that of the page cache alone.
    pub ratio: f64,
    /// Accesses to held files.
    pub held: u64,
    /// Accesses that find the page cache.
    pub hits: u64,
    /// Accesses that read the disk.
    pub misses: u64,
    /// Bytes that they read: of files partly in memory, the missing pages.
    pub read_bytes: u64,
    /// Mean response of each site, microseconds.
    pub site_mean_us: Vec<f64>,
}

/// A point as its tables show it.
pub(super) type CellComparison = Comparison<Settings, Detail, CellPrediction>;

/// Predicts what the paced phase of a kept result measured: its held files and its groups in its memory for file data. Nothing
/// for a result without that phase or whose requests had been asked before, and for groups whose sizes it does not tell.
///
/// # Errors
/// Objects that the workload does not have, too little memory.
pub(super) fn of(
    kept: &CellResult,
    workload: &CellWorkload,
    costs: &MeasuredCosts,
) -> Result<Option<Prediction<PacedPrediction>>, ExperimentError> {
    let is_predictable = kept.measured.detail.held.tells_all() && !asks_again(kept);
    let Some(paced) = kept
        .measured
        .detail
        .paced
        .as_ref()
        .filter(|_| is_predictable)
    else {
        return Ok(None);
    };
    let mut sum = Sum::default();
    for segment in workload.segments(paced.counts.requests as usize) {
        sum.add(&evaluated(kept, &segment, costs)?);
    }
    let predicted = sum.predicted();
    Ok(Some(Prediction {
        outcome: outcome(kept, &predicted),
        ratio: Some(predicted.ratio),
        detail: predicted,
    }))
}

/// Whether the paced phase of a kept result asked what clients had asked right before it. What is predicted is traffic that
/// nobody has seen.
pub(super) fn asks_again(kept: &CellResult) -> bool {
    let paced = kept.measured.detail.paced.as_ref();
    kept.settings.daemon_interval.is_some() && paced.is_some_and(|paced| !paced.follows_training)
}

/// A segment's accesses with the kept result's files and groups.
fn evaluated(
    kept: &CellResult,
    segment: &CellWorkload,
    costs: &MeasuredCosts,
) -> Result<Evaluation, ExperimentError> {
    let planned = segment.planned();
    let model = ProfileCosts {
        memory: &costs.memory,
        backing: &costs.backing,
        files: planned.files,
    };
    let options = segment.options(kept.measured.detail.usable_bytes);
    let held = &kept.measured.detail.held;
    let objects = held.in_memory();
    let evaluation = match held.group_bytes.as_slice() {
        [] => evaluate(&planned, &model, &options, objects),
        groups => evaluate_groups(&planned, &model, &options, objects, groups),
    };
    evaluation.map_err(|error| ExperimentError::Unusable(format!("{}: {error}", kept.point)))
}

/// Segments together.
#[derive(Default)]
struct Sum {
    us: f64,
    /// Of the page cache alone.
    base_us: f64,
    traffic: Traffic,
    /// Accesses of each site, and what they take.
    sites: [(u64, f64); 2],
}

impl Sum {
    fn add(&mut self, segment: &Evaluation) {
        let total = &segment.total;
        let us = total.mean_us * total.traffic.accesses() as f64;
        self.us += us;
        self.base_us += us / (1.0 - total.gain.unwrap_or(0.0));
        self.traffic = self.traffic.and(total.traffic);
        for ((accesses, us), site) in self.sites.iter_mut().zip(&segment.sites) {
            let more = site.traffic.accesses();
            *accesses += more;
            // A site without accesses has no mean.
            if more > 0 {
                *us += site.mean_us * more as f64;
            }
        }
    }

    fn predicted(&self) -> PacedPrediction {
        let traffic = &self.traffic;
        PacedPrediction {
            mean_us: self.us / traffic.accesses() as f64,
            ratio: self.us / self.base_us,
            held: traffic.held.accesses,
            hits: traffic.hit.accesses,
            misses: traffic.miss.accesses,
            read_bytes: traffic.read_bytes,
            site_mean_us: self
                .sites
                .iter()
                .map(|(accesses, us)| us / *accesses as f64)
                .collect(),
        }
    }
}

fn outcome(kept: &CellResult, predicted: &PacedPrediction) -> Outcome {
    let score = |mean_us: f64| mean_score(Some(mean_us));
    let hits = predicted.held + predicted.hits;
    let total = Score {
        requests: Some(hits + predicted.misses),
        hits: Some(hits),
        ..score(predicted.mean_us)
    };
    let point = kept.point.values();
    let provenance = Provenance {
        seed: Some(kept.settings.workload.seed),
        settings: point
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        ..Provenance::new(ProvenanceKind::Simulated)
    };
    let outcome = Outcome::new(format!("{}, predicted", kept.point), provenance, total);
    let sites = SITES.iter().zip(&predicted.site_mean_us);
    sites.fold(outcome, |outcome, (site, mean_us)| {
        outcome.with_site(*site, score(*mean_us))
    })
}
