//! What the model says of a store's kept jobs.

use hotset_models::fio::{JobResult, Operation, System, simulate_placed};
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind, Score};

use super::job_kind::JobKind;
use super::result::{Detail, FileRounds, JobDeviation, JobPredictions};
use crate::kept::PointResult;
use crate::study::Prediction;
use crate::{Axis, Deviation, ExperimentError};

/// Simulates the kept groups on the kept profile, and lays each beside its rounds.
///
/// # Errors
/// Jobs that the model no longer takes; a log that has changed since.
pub(super) fn of<K: JobKind>(
    jobs: &K,
    kept: &PointResult<K::Settings, Detail>,
    seed: u64,
) -> Result<Prediction<JobPredictions>, ExperimentError> {
    let detail = &kept.measured.detail;
    let system = System {
        profile: &detail.profile,
        memory_bytes: K::file_memory_bytes(&kept.settings),
        seed,
    };
    let name = kept.point.on(Axis::Store);
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.seed = Some(seed);
    let mut outcome = Outcome::new(format!("{name} simulated"), provenance, Score::default());
    let mut cells = Vec::new();
    let aside = jobs.set_aside();
    for (jobs, rounds) in jobs.kept_jobs(kept)?.iter().zip(&detail.runs) {
        let results = simulate_placed(jobs, &system, &detail.places, &|| true)?;
        for result in &results {
            let key = GroupKey::new(GroupKind::Job, result.outcome.name.clone());
            outcome = outcome.with_group(key, result.outcome.total.clone());
        }
        let own = scored(rounds, &results, K::preparing(&kept.settings));
        let is_set_aside = aside.iter().any(|name| name == rounds.name());
        cells.extend(own.map(|cell| JobDeviation {
            is_set_aside,
            ..cell
        }));
    }
    Ok(Prediction {
        outcome,
        ratio: None,
        detail: JobPredictions { cells },
    })
}

/// The figures of a job file. What the disk read is known of all its jobs together, so it is left out where some of them
/// prepare for others.
fn scored(
    rounds: &FileRounds,
    results: &[JobResult],
    preparing: &[String],
) -> impl Iterator<Item = JobDeviation> {
    let prepares = |job: &String| preparing.contains(job);
    let jobs = rounds.jobs.iter().zip(results);
    let jobs = jobs.filter(|(job, _)| !prepares(&job.job));
    let figures = jobs.flat_map(|(job, result)| {
        let hits = Deviation::of_hits(&job.rounds, result);
        let reads = Deviation::of_times(Operation::Read, &job.rounds, result);
        let writes = Deviation::of_times(Operation::Write, &job.writes, result);
        let syncs = Deviation::of_times(Operation::Fsync, &job.syncs, result);
        reads.into_iter().chain(writes).chain(syncs).chain(hits)
    });
    let mut all: Vec<Deviation> = figures.collect();
    let first = rounds.jobs.first();
    let first = first.filter(|_| !rounds.jobs.iter().any(|job| prepares(&job.job)));
    all.extend(first.and_then(|job| Deviation::of_device(&job.job, &rounds.device_bytes, results)));
    // Jobs that prepare write what is measured and simulated as well.
    if let Some(job) = rounds.jobs.iter().find(|job| !prepares(&job.job)) {
        all.extend(Deviation::of_written(&job.job, &rounds.written, results));
    }
    all.into_iter().map(JobDeviation::from)
}
