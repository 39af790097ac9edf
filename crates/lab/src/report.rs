//! The results that are there, laid beside each other and beside what the planner's model says.

use hotset_outcome::{Bootstrap, Interval, Outcome, Score, ratio_interval};
use serde::Serialize;

use crate::LabError;
use crate::arms::ArmKind;
use crate::experiment::{Experiment, SharedNode};
use crate::prediction::{Prediction, predict};
use crate::profile::MeasuredCosts;
use crate::result::{self, ArmResult, CostsResult, Results};
use crate::workload::CellWorkload;

/// Predicted and measured ratios closer than this agree.
pub const AGREEMENT: f64 = 0.05;

/// One arm of a cell.
#[derive(Clone, Debug, Serialize)]
pub struct ArmReport {
    /// What was measured; its outcomes are given once, for all.
    #[serde(serialize_with = "without_outcomes")]
    pub result: ArmResult,
    /// Measured mean response, microseconds.
    pub mean_us: f64,
    /// Over that of the page cache alone, both measured; nothing where the other requests were asked for.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio by block bootstrap over the requests.
    pub ratio_interval: Option<Interval>,
    /// What the model says of the same held files.
    pub prediction: Option<Prediction>,
    /// The ratio it says.
    pub predicted_ratio: Option<f64>,
    /// Whether both ratios are within [`AGREEMENT`] of each other.
    pub agrees: Option<bool>,
}

/// The arms of a cell that have been measured.
#[derive(Clone, Debug, Serialize)]
pub struct CellReport {
    /// The cell.
    pub cell: String,
    /// Its arms, in the experiment's order.
    pub arms: Vec<ArmReport>,
}

fn without_outcomes<S: serde::Serializer>(
    result: &ArmResult,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let bare = ArmResult {
        outcomes: Vec::new(),
        ..result.clone()
    };
    bare.serialize(serializer)
}

/// Reports on every cell that has a result.
///
/// # Errors
/// A result that cannot be read.
pub fn cells(experiment: &Experiment, plan: &SharedNode) -> Result<Vec<CellReport>, LabError> {
    let results = Results(experiment.results.clone());
    let costs = plan
        .cells
        .iter()
        .filter_map(|cell| result::read(&results.costs(&cell.to_string())).transpose())
        .collect::<Result<Vec<CostsResult>, LabError>>()?;
    let mut cells = Vec::new();
    for cell in &plan.cells {
        let cell = cell.to_string();
        let mut found: Vec<ArmResult> = Vec::new();
        for &arm in &plan.arms {
            found.extend(result::read(&results.arm(&cell, arm))?);
        }
        let arms = arms(found, &costs)?;
        if !arms.is_empty() {
            cells.push(CellReport { cell, arms });
        }
    }
    Ok(cells)
}

fn arms(found: Vec<ArmResult>, costs: &[CostsResult]) -> Result<Vec<ArmReport>, LabError> {
    let base = found
        .iter()
        .find(|result| result.arm == ArmKind::PageCache)
        .cloned();
    let workload = found
        .first()
        .map(|result| CellWorkload::generate(&result.settings.workload));
    let Some(workload) = workload else {
        return Ok(Vec::new());
    };
    let workload = workload.map_err(|error| LabError::Unusable(error.to_string()))?;
    let costs = costs
        .iter()
        .find(|of| of.settings == found[0].settings)
        .map(|of| &of.costs);
    found
        .into_iter()
        .map(|result| arm(result, base.as_ref(), costs, &workload))
        .collect()
}

fn arm(
    result: ArmResult,
    base: Option<&ArmResult>,
    costs: Option<&MeasuredCosts>,
    workload: &CellWorkload,
) -> Result<ArmReport, LabError> {
    let same = |base: &&ArmResult| base.settings == result.settings && result.arm != ArmKind::Alone;
    let base = base.filter(same);
    let ratio = base.and_then(|base| Some(mean_us(&result)? / mean_us(base)?));
    let ratio_interval = base.and_then(|base| {
        let bootstrap = Bootstrap::seeded(result.settings.workload.seed);
        ratio_interval(series(&result)?, series(base)?, &bootstrap)
    });
    let prediction = match costs {
        // One memory for two servers, or other requests: not what the model is of.
        Some(costs) if !matches!(result.arm, ArmKind::Alone | ArmKind::OwnGroup) => {
            let predicted = predict(workload, result.usable_bytes, costs, &result.held.objects);
            Some(predicted.map_err(|error| LabError::Unusable(error.to_string()))?)
        }
        _ => None,
    };
    let predicted_ratio = prediction.as_ref().map(|prediction| prediction.ratio);
    let agrees = ratio
        .zip(predicted_ratio)
        .map(|(measured, predicted)| (measured - predicted).abs() <= AGREEMENT);
    Ok(ArmReport {
        mean_us: mean_us(&result).unwrap_or(f64::NAN),
        ratio,
        ratio_interval,
        prediction,
        predicted_ratio,
        agrees,
        result,
    })
}

fn paced(result: &ArmResult) -> Option<&Score> {
    result.outcomes.first().map(|Outcome { total, .. }| total)
}

fn mean_us(result: &ArmResult) -> Option<f64> {
    paced(result)?.latencies.total.as_ref()?.mean_us
}

fn series(result: &ArmResult) -> Option<&hotset_outcome::CostSeries> {
    paced(result)?.latencies.total.as_ref()?.series.as_ref()
}
