//! The results that are there, laid beside each other and beside what the planner's model says.

use hotset_outcome::{Bootstrap, CostSeries, Interval, Outcome, ratio_interval};
use serde::Serialize;

use crate::arms::ArmKind;
use crate::experiment::{Experiment, SharedNode};
use crate::prediction::{Prediction, predict};
use crate::profile::MeasuredCosts;
use crate::result::{ArmResult, CostsResult, Results};
use crate::workload::CellWorkload;
use hotset_lab::LabError;
use hotset_machine::{MachineError, file};

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
    /// That of the page cache alone, measured in turn with it or else by itself; nothing where other requests were asked for.
    pub base_mean_us: Option<f64>,
    /// One over the other.
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
        base: None,
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
        .filter_map(|cell| file::read_json(&results.costs(&cell.to_string())).transpose())
        .collect::<Result<Vec<CostsResult>, MachineError>>()?;
    let mut cells = Vec::new();
    for cell in &plan.cells {
        let cell = cell.to_string();
        let mut found: Vec<ArmResult> = Vec::new();
        for &arm in &plan.arms {
            found.extend(file::read_json(&results.arm(&cell, arm))?);
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
    let of_base = result.base.as_ref().or(base.and_then(paced));
    let ratio = of_base.and_then(|base| Some(mean_us(paced(&result)?)? / mean_us(base)?));
    let ratio_interval = of_base.and_then(|base| {
        let bootstrap = Bootstrap::seeded(result.settings.workload.seed);
        ratio_interval(series(paced(&result)?)?, series(base)?, &bootstrap)
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
        mean_us: paced(&result).and_then(mean_us).unwrap_or(f64::NAN),
        base_mean_us: of_base.and_then(mean_us),
        ratio,
        ratio_interval,
        prediction,
        predicted_ratio,
        agrees,
        result,
    })
}

fn paced(result: &ArmResult) -> Option<&Outcome> {
    result.outcomes.first()
}

fn mean_us(outcome: &Outcome) -> Option<f64> {
    outcome.total.latencies.total.as_ref()?.mean_us
}

fn series(outcome: &Outcome) -> Option<&CostSeries> {
    outcome.total.latencies.total.as_ref()?.series.as_ref()
}
