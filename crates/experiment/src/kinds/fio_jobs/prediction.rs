//! What the model says of a store's kept jobs.

use std::path::Path;

use hotset_models::fio::{JobResult, System, simulate_placed};
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind, Score};

use super::result::{FileRuns, KeptJobs, Predicted, PredictedCell};
use super::template::{ExpandedFile, log_hashes};
use crate::study::Prediction;
use crate::validate::{Cell, DeviceBytes, HitShare, Metric};
use crate::{Axis, ExperimentError};

/// Simulates the kept job files on the kept profile; logs that they replay are in `folder`.
///
/// # Errors
/// Jobs that the model no longer takes; a log that has changed since.
pub(super) fn of(
    kept: &KeptJobs,
    folder: &Path,
    seed: u64,
) -> Result<Prediction<Predicted>, ExperimentError> {
    let files = job_files(kept, folder)?;
    let system = System {
        profile: &kept.detail.profile,
        memory_bytes: Some(kept.settings.file_memory_bytes),
        seed,
    };
    let name = kept.point.on(Axis::Store);
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.seed = Some(seed);
    let mut outcome = Outcome::new(format!("{name} simulated"), provenance, Score::default());
    let mut cells = Vec::new();
    for (file, runs) in files.iter().zip(&kept.detail.runs) {
        let results = simulate_placed(&file.file.jobs, &system, &kept.detail.places, &|| true)
            .map_err(|error| ExperimentError::Unusable(error.to_string()))?;
        for result in &results {
            let key = GroupKey::new(GroupKind::Job, result.outcome.name.clone());
            outcome = outcome.with_group(key, result.outcome.total.clone());
        }
        cells.extend(scored(runs, &results, &kept.settings.preparing));
    }
    Ok(Prediction {
        outcome,
        ratio: None,
        detail: Predicted { cells },
    })
}

/// The job files that were measured, with their logs.
fn job_files(kept: &KeptJobs, folder: &Path) -> Result<Vec<ExpandedFile>, ExperimentError> {
    let texts = kept.settings.job_files.iter();
    let files = texts.map(|text| ExpandedFile::parse(text, &folder.join("kept jobs")));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    match log_hashes(&files) == kept.settings.logs {
        true => Ok(files),
        false => Err(ExperimentError::Unusable(format!(
            "{} was measured with other logs than those in {}; measure it again, or bring them back",
            kept.point.on(Axis::Store),
            folder.display()
        ))),
    }
}

/// The figures of a job file. What the disk read is known of all its jobs together, so it is left out where some of them
/// prepare for others.
pub(crate) fn scored(
    runs: &FileRuns,
    results: &[JobResult],
    preparing: &[String],
) -> Vec<PredictedCell> {
    let jobs = runs.jobs.iter().zip(results);
    let jobs = jobs.filter(|(job, _)| !preparing.contains(&job.job));
    let mut cells: Vec<PredictedCell> = jobs
        .flat_map(|(job, result)| {
            let cells = Metric::ALL.map(|metric| of_cell(&Cell::of(metric, &job.rounds, result)));
            let hits = HitShare::of(&job.rounds, result);
            cells.into_iter().chain(hits.as_ref().map(of_hits))
        })
        .collect();
    if runs.jobs.iter().any(|job| preparing.contains(&job.job)) {
        return cells;
    }
    let device = DeviceBytes::of(Path::new(""), &runs.device_bytes, results);
    cells.extend(runs.jobs.first().map(|job| of_device(&job.job, &device)));
    cells
}

fn of_cell(cell: &Cell) -> PredictedCell {
    PredictedCell {
        job: cell.job.clone(),
        metric: cell.metric.name(),
        measured: cell.measured,
        low: cell.low,
        high: cell.high,
        simulated: cell.simulated,
        error_percent: Some(cell.error_percent()).filter(|error| error.is_finite()),
        beyond_percent: cell.beyond_percent(),
    }
}

fn of_hits(hits: &HitShare) -> PredictedCell {
    let error_percent = 100.0 * (hits.simulated / hits.measured - 1.0);
    PredictedCell {
        job: hits.job.clone(),
        metric: "hit_share",
        measured: hits.measured,
        low: hits.low,
        high: hits.high,
        simulated: hits.simulated,
        error_percent: Some(error_percent).filter(|error| error.is_finite()),
        beyond_percent: hits.beyond_percent(),
    }
}

fn of_device(job: &str, device: &DeviceBytes) -> PredictedCell {
    let error_percent = 100.0 * (device.simulated / device.measured - 1.0);
    PredictedCell {
        job: job.to_owned(),
        metric: "device_bytes",
        measured: device.measured,
        low: device.low,
        high: device.high,
        simulated: device.simulated,
        error_percent: Some(error_percent).filter(|error| error.is_finite()),
        beyond_percent: device.beyond_percent(),
    }
}
