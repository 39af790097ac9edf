//! All job files in turn, round after round; before each, what copying takes at that moment.

use hotset_models::file_system::FilePlaces;
use hotset_models::fio::Job;
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, Score};
use hotset_scenario::Profile;

use super::bench::Bench;
use super::result::{Detail, FileRounds, JobRounds};
use super::section::Section;
use super::template::ExpandedFile;
use crate::comparison::mean_score;
use crate::fio::{Round, version};
use crate::quantile::median;
use crate::session::{Quiet, Session};
use crate::study::PointResult;
use crate::{Axis, ExperimentError, Point};

/// Measures a store. What drifts on the machine drifts for all jobs.
pub(super) fn measure(
    bench: &Bench,
    files: &[ExpandedFile],
    section: &Section,
    point: &Point,
    session: &Session,
) -> Result<PointResult<Detail>, ExperimentError> {
    session.step("laying files out")?;
    bench.set_delays(false)?;
    let mut copying = bench.copying(session)?;
    let places = lay_out(bench, files, section)?;
    bench.set_delays(true)?;
    let quiet = Quiet::begin(0)?;
    let rounds = section.rounds;
    let mut runs: Vec<FileRounds> = files.iter().map(empty).collect();
    for round in 1..=rounds {
        for (file, runs) in files.iter().zip(&mut runs) {
            let first = file.file.jobs.first().map_or("", |job| job.name.as_str());
            session.step(&format!("round {round} of {rounds}, {first}"))?;
            copying.sample()?;
            add(runs, bench.run(&file.file.jobs)?);
        }
    }
    let detail = Detail {
        fio: version()?,
        profile: Profile {
            copy: copying.costs(),
            ..bench.profile.clone()
        },
        places,
        runs,
    };
    let settings = [("rounds", rounds.to_string())];
    let provenance = session.provenance(point, &settings);
    Ok(PointResult {
        quietness: Some(quiet.end(0)?),
        base: None,
        outcomes: vec![outcome(point.on(Axis::Store), provenance, &detail.runs)],
        detail,
    })
}

/// Makes all files, by running the jobs once; where they are.
fn lay_out(
    bench: &Bench,
    files: &[ExpandedFile],
    section: &Section,
) -> Result<FilePlaces, ExperimentError> {
    section.grown.iter().try_for_each(|it| bench.grow(it))?;
    for file in files {
        bench.lay_out(&file.file.jobs)?;
        bench.run(&file.file.jobs)?;
    }
    let jobs: Vec<Job> = files.iter().flat_map(|it| it.file.jobs.clone()).collect();
    Ok(bench.places(&jobs)?)
}

fn empty(file: &ExpandedFile) -> FileRounds {
    let jobs = file.file.jobs.iter().map(|job| JobRounds {
        job: job.name.clone(),
        rounds: Vec::new(),
    });
    FileRounds {
        jobs: jobs.collect(),
        device_bytes: Vec::new(),
    }
}

fn add(runs: &mut FileRounds, round: Round) {
    runs.device_bytes.push(round.device_bytes);
    for (job, figures) in runs.jobs.iter_mut().zip(round.figures) {
        job.rounds.push(figures);
    }
}

/// Medians of the rounds, a group for each job.
pub(crate) fn outcome(name: &str, provenance: Provenance, runs: &[FileRounds]) -> Outcome {
    let jobs = runs.iter().flat_map(|file| &file.jobs);
    jobs.fold(
        Outcome::new(name, provenance, Score::default()),
        |outcome, job| {
            let mean_us = median(job.rounds.iter().map(|it| it.mean_us));
            let reads_per_s = median(job.rounds.iter().map(|it| it.reads_per_s));
            let score = Score {
                throughput_per_s: reads_per_s,
                ..mean_score(mean_us)
            };
            outcome.with_group(GroupKey::new(GroupKind::Job, job.job.clone()), score)
        },
    )
}
