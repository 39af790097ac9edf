//! What the planner's model says of a placement that was measured: from the trace, the memory and the costs alone,
//! so that kept results can be predicted again after the model has changed.

use hotset_outcome::{Distribution, Latencies, Outcome, Provenance, ProvenanceKind, Score};
use hotset_plan::{ArmScore, Evaluation, ProfileCosts, evaluate};
use serde::Serialize;

use super::cost_lines::MeasuredCosts;
use super::result::KeptPoint;
use super::workload::{self, CellWorkload, SITES};
use crate::ExperimentError;
use crate::study::Prediction;

/// What the model says of the held-out accesses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Predicted {
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

/// Predicts what a kept result measured: its held files in its memory for file data.
///
/// # Errors
/// Objects that the workload does not have, too little memory.
pub(super) fn of(
    kept: &KeptPoint,
    workload: &CellWorkload,
    costs: &MeasuredCosts,
) -> Result<Prediction<Predicted>, ExperimentError> {
    let planned = workload.planned();
    let model = ProfileCosts {
        memory: &costs.memory,
        backing: &costs.backing,
        files: planned.files,
    };
    let options = workload::options(kept.detail.usable_bytes, 0);
    let evaluation = evaluate(&planned, &model, &options, &kept.detail.held.objects)
        .map_err(|error| ExperimentError::Unusable(format!("{}: {error}", kept.point)))?;
    let predicted = predicted(&evaluation);
    Ok(Prediction {
        outcome: outcome(kept, &predicted),
        ratio: predicted.ratio,
        detail: predicted,
    })
}

fn predicted(evaluation: &Evaluation) -> Predicted {
    let ArmScore {
        mean_us,
        gain,
        traffic,
        ..
    } = &evaluation.total;
    Predicted {
        mean_us: *mean_us,
        ratio: 1.0 - gain.unwrap_or(0.0),
        held: traffic.held.accesses,
        hits: traffic.hit.accesses,
        misses: traffic.miss.accesses,
        read_bytes: traffic.read_bytes,
        site_mean_us: evaluation.sites.iter().map(|site| site.mean_us).collect(),
    }
}

fn outcome(kept: &KeptPoint, predicted: &Predicted) -> Outcome {
    let score = |mean_us: f64| Score {
        latencies: Latencies {
            total: Some(Distribution::of_mean(mean_us)),
            ..Latencies::default()
        },
        ..Score::default()
    };
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
