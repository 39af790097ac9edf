//! D figures 5 to 12: throughput by file size, block size, memory, dirty ratio and hardware.

use std::collections::BTreeMap;

use hotset_outcome::{GroupKey, GroupKind};
use serde::Deserialize;

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{OpenClaim, open_claims};
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// What throughput depends on.
pub(super) struct Figure5;

/// The document only draws its figures: what is measured here of files of these sizes that have just been read, from the largest that fits in
/// memory on.
const AROUND_MEMORY: [&str; 2] = ["again-240m", "again-256m"];
const CLIFF: &str = "local-read-memory-cliff/results/ext4.json";
/// A fall to less than a quarter is steep.
const STEEP: f64 = 4.0;
const RANKED: &str = "local-read-sensitivity/results/drive.json";

const OPEN: [OpenClaim; 2] = [
    OpenClaim {
        text: "throughput of writes falls where files outgrow the dirty ratio",
        section: "D §3.4, figure 10",
        missing: "Not judged here: experiments/local-write-dirty-limit lays the measurement beside the model.",
    },
    OpenClaim {
        text: "the file system hides the hardware: a disk, RAID-0 and a SAN are alike while files fit in memory",
        section: "D §3.5, figures 11 and 12",
        missing: "Not judged here: experiments/local-read-devices lays the measurement beside the model.",
    },
];

impl DocumentStudy for Figure5 {
    fn name(&self) -> &'static str {
        "cpn-figure5"
    }

    fn title(&self) -> &'static str {
        "Throughput by file size and block size, memory, dirty ratio and hardware"
    }

    fn section(&self) -> &'static str {
        "D figures 5 to 12"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec!["The document only draws it"]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![
            known_experiment!("local-read-surface/experiment.toml"),
            known_experiment!("local-write-surface/experiment.toml"),
            known_experiment!("local-read-memory-cliff/experiment.toml"),
            known_experiment!("local-write-memory-cliff/experiment.toml"),
            known_experiment!("local-read-devices/experiment.toml"),
            known_experiment!("local-read-sensitivity/experiment.toml"),
            known_experiment!("local-write-sensitivity/experiment.toml"),
        ]
    }

    fn cells(&self, _sources: &Sources) -> Vec<ReproducedCell> {
        Vec::new()
    }

    fn claims(&self, _cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = vec![cliff(sources), ranking(sources)];
        claims.extend(open_claims(&OPEN));
        claims
    }
}

fn not_measured() -> String {
    "Not measured yet.".to_owned()
}

/// Whether reading falls steeply where files outgrow memory.
fn cliff(sources: &Sources) -> DocumentClaim {
    let [fits, outgrows] = AROUND_MEMORY.map(|job| {
        let group = GroupKey::new(GroupKind::Job, job);
        sources.score(CLIFF, "ext4", &group)?.throughput_per_s
    });
    let fall = fits.zip(outgrows).map(|(fits, outgrows)| fits / outgrows);
    DocumentClaim::new(
        "throughput falls steeply where files outgrow memory",
        "D §3.3, figure 9",
        fall.map(|fall| fall >= STEEP),
        fall.map_or_else(not_measured, |fall| {
            format!(
                "Measured here: a file of 256 MB is read again {fall:.0} times as slowly as one of 240 MB."
            )
        }),
    )
}

/// As much of the kept result of an experiment of kind sensitivity as ranks its parameters.
#[derive(Deserialize)]
struct Ranked {
    settings: Settings,
    at_base: Vec<JobFigure>,
    varied: Vec<Variation>,
}

#[derive(Deserialize)]
struct Settings {
    parameters: Vec<Parameter>,
}

#[derive(Deserialize)]
struct Parameter {
    name: String,
    part: String,
}

#[derive(Deserialize)]
struct Variation {
    parameter: String,
    jobs: Vec<JobFigure>,
}

#[derive(Deserialize)]
struct JobFigure {
    bytes_per_s: f64,
}

impl Ranked {
    /// Greatest over least throughput by a parameter: the geometric mean over the jobs.
    fn swing(&self, parameter: &str) -> f64 {
        let varied = self.varied.iter().filter(|it| it.parameter == parameter);
        let values: Vec<&Variation> = varied.collect();
        let jobs = self.at_base.len();
        let of_job = |job: usize| {
            let rates = values.iter().filter_map(|it| it.jobs.get(job));
            let rates = rates.chain(self.at_base.get(job));
            let rates: Vec<f64> = rates.map(|it| it.bytes_per_s).collect();
            let most = rates.iter().copied().fold(f64::MIN, f64::max);
            let least = rates.iter().copied().fold(f64::MAX, f64::min);
            (most / least).ln()
        };
        let sum: f64 = (0..jobs).map(of_job).sum();
        (sum / jobs.max(1) as f64).exp()
    }

    /// The greatest swing of each part's parameters.
    fn by_part(&self) -> BTreeMap<&str, f64> {
        let mut parts = BTreeMap::new();
        for parameter in &self.settings.parameters {
            let greatest = parts.entry(parameter.part.as_str()).or_insert(1.0);
            *greatest = f64::max(*greatest, self.swing(&parameter.name));
        }
        parts
    }
}

/// Whether parameters of the file system matter more than those of the disk, for reads.
fn ranking(sources: &Sources) -> DocumentClaim {
    let ranked: Option<Ranked> = sources.kept(RANKED);
    let swings = ranked.as_ref().and_then(|ranked| {
        let parts = ranked.by_part();
        Some((*parts.get("file system")?, *parts.get("disk")?))
    });
    DocumentClaim::new(
        "parameters of the file system matter more than those of the disks",
        "D abstract",
        swings.map(|(file_system, disk)| file_system > disk),
        swings.map_or_else(not_measured, |(file_system, disk)| {
            format!(
                "Simulated reads: the strongest parameter of the file system moves throughput by a factor of {file_system:.2}, that of the disk by \
                 {disk:.2}. The document's files were in the page cache."
            )
        }),
    )
}
