//! All groups of jobs in turn, round after round; before them, what copying takes at that moment.

use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, Score};
use hotset_scenario::Profile;

use super::bench::Bench;
use super::job_kind::JobKind;
use super::result::{Detail, FileRounds};
use crate::comparison::mean_score;
use crate::kept::Measurement;
use crate::quantile::median;
use crate::session::{QuietWatch, Session};
use crate::{Axis, ExperimentError, Point};

/// Measures a store. What drifts on the machine drifts for all jobs.
pub(super) fn measure<K: JobKind>(
    jobs: &K,
    bench: &Bench,
    point: &Point,
    session: &Session,
) -> Result<Measurement<Detail>, ExperimentError> {
    session.step(K::PREPARATION)?;
    bench.set_delays(false)?;
    let mut copying = bench.copying(session)?;
    let places = jobs.lay_out(bench)?;
    bench.set_delays(true)?;
    let quiet = QuietWatch::begin(session.labs_cpu_us()?)?;
    let rounds = jobs.rounds();
    let mut runs: Vec<FileRounds> = jobs.names().into_iter().map(FileRounds::of).collect();
    for round in usize::from(K::FIRST_COUNTS)..=rounds {
        for (group, runs) in runs.iter_mut().enumerate() {
            session.step(&format!("round {round} of {rounds}, {}", runs.name()))?;
            if jobs.samples_before(group) {
                copying.sample()?;
            }
            let measured = jobs.run(bench, group)?;
            if round > 0 {
                runs.add(measured);
            }
        }
    }
    let detail = Detail {
        fio: K::version()?,
        profile: Profile {
            copy: copying.costs(),
            ..bench.profile.clone()
        },
        places,
        runs,
    };
    let provenance = session.provenance(point, &[("rounds", rounds.to_string())]);
    Ok(Measurement {
        quietness: Some(quiet.end(session.labs_cpu_us()?)?),
        base: None,
        outcomes: vec![outcome(point.on(Axis::Store), provenance, &detail.runs)],
        detail,
    })
}

/// Medians of the rounds, a group for each job.
fn outcome(name: &str, provenance: Provenance, runs: &[FileRounds]) -> Outcome {
    let jobs = runs.iter().flat_map(|file| &file.jobs);
    jobs.fold(
        Outcome::new(name, provenance, Score::default()),
        |outcome, job| {
            // Of a job that reads and writes, its reads.
            let rounds = if job.rounds.is_empty() {
                &job.writes
            } else {
                &job.rounds
            };
            let mean_us = median(rounds.iter().map(|it| it.mean_us));
            let score = Score {
                throughput_per_s: median(rounds.iter().map(|it| it.requests_per_s)),
                ..mean_score(mean_us)
            };
            outcome.with_group(GroupKey::new(GroupKind::Job, job.job.clone()), score)
        },
    )
}
