//! What the planner's model says of a placement that was measured: from the trace, the memory and the costs alone,
//! so that stored results can be predicted again after the model has changed.

use hotset_plan::{ArmScore, Evaluation, PlanError, ProfileCosts, evaluate};
use serde::{Deserialize, Serialize};

use crate::profile::MeasuredCosts;
use crate::workload::{self, CellWorkload};

/// What the model says of the held-out accesses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
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

/// Predicts holding the objects `held` in `memory_bytes` of memory for file data.
///
/// # Errors
/// Objects that the workload does not have, too little memory.
pub fn predict(
    workload: &CellWorkload,
    memory_bytes: u64,
    costs: &MeasuredCosts,
    held: &[u32],
) -> Result<Prediction, PlanError> {
    let planned = workload.planned();
    let model = ProfileCosts {
        memory: &costs.memory,
        backing: &costs.backing,
        files: planned.files,
    };
    let options = workload::options(memory_bytes, 0);
    Ok(prediction(&evaluate(&planned, &model, &options, held)?))
}

fn prediction(evaluation: &Evaluation) -> Prediction {
    let ArmScore {
        mean_us,
        gain,
        traffic,
        ..
    } = &evaluation.total;
    Prediction {
        mean_us: *mean_us,
        ratio: 1.0 - gain.unwrap_or(0.0),
        held: traffic.held.accesses,
        hits: traffic.hit.accesses,
        misses: traffic.miss.accesses,
        read_bytes: traffic.read_bytes,
        site_mean_us: evaluation.sites.iter().map(|site| site.mean_us).collect(),
    }
}
