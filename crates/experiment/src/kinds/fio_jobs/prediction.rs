//! What the model says of a store's kept jobs.

use std::path::Path;

use hotset_models::file_system::FilePlaces;
use hotset_models::fio::{Job, JobResult, System, simulate_placed};
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind, Score};

use super::result::{FileRounds, KeptJobs, Predicted, PredictedCell};
use super::template::{ExpandedFile, log_hashes};
use crate::study::Prediction;
use crate::{Axis, Deviation, ExperimentError, Point};

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
    let files = files.iter().map(|file| file.file.jobs.as_slice());
    let system = System {
        profile: &kept.detail.profile,
        memory_bytes: Some(kept.settings.file_memory_bytes),
        seed,
    };
    let (places, preparing) = (&kept.detail.places, &kept.settings.preparing);
    let files = files.zip(&kept.detail.runs);
    simulated(&kept.point, files, preparing, &system, places)
}

/// Simulates job files of a point, and lays each beside its rounds.
///
/// # Errors
/// Jobs that the model does not take.
pub(crate) fn simulated<'k>(
    point: &Point,
    files: impl Iterator<Item = (&'k [Job], &'k FileRounds)>,
    preparing: &[String],
    system: &System<'_>,
    places: &FilePlaces,
) -> Result<Prediction<Predicted>, ExperimentError> {
    let name = point.on(Axis::Store);
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.seed = Some(system.seed);
    let mut outcome = Outcome::new(format!("{name} simulated"), provenance, Score::default());
    let mut cells = Vec::new();
    for (jobs, rounds) in files {
        let results = simulate_placed(jobs, system, places, &|| true)?;
        for result in &results {
            let key = GroupKey::new(GroupKind::Job, result.outcome.name.clone());
            outcome = outcome.with_group(key, result.outcome.total.clone());
        }
        cells.extend(scored(rounds, &results, preparing));
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
fn scored(rounds: &FileRounds, results: &[JobResult], preparing: &[String]) -> Vec<PredictedCell> {
    let prepares = |job: &String| preparing.contains(job);
    let jobs = rounds.jobs.iter().zip(results);
    let jobs = jobs.filter(|(job, _)| !prepares(&job.job));
    let figures = jobs.flat_map(|(job, result)| {
        let hits = Deviation::of_hits(&job.rounds, result);
        let times = Deviation::of_times(&job.rounds, result);
        times.into_iter().chain(hits)
    });
    let first = rounds.jobs.first();
    let first = first.filter(|_| !rounds.jobs.iter().any(|job| prepares(&job.job)));
    let device = first.map(|job| Deviation::of_device(&job.job, &rounds.device_bytes, results));
    figures.chain(device).map(PredictedCell::from).collect()
}
