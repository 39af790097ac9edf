//! D figures 5 to 12: throughput by file size, block size, memory, dirty ratio and hardware.

use std::collections::BTreeMap;

use hotset_outcome::{GroupKey, GroupKind};
use serde::Deserialize;

use super::benches::{self, job, mb_per_s, on_disks};
use crate::reproduce::bench::Bench;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
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

/// Disks of the document.
const DISKS: [(&str, &str); 3] = [
    ("single", "documents/d-single.toml"),
    ("RAID-0", "documents/d-raid0.toml"),
    ("SAN", "documents/d-san.toml"),
];
/// Row, file, and what is done with it. The file of the first two fits in memory, that of the third does not; that of the fifth is beyond the dirty ratio.
const ROWS: [(&str, &str, &str); 5] = [
    (READ_SMALL, "64m", "read"),
    (READ_FITTING, "3g", "read"),
    (READ_LARGE, "5g", "read"),
    (WRITTEN_SMALL, "64m", "write"),
    (WRITTEN_LARGE, "2g", "write"),
];
const READ_SMALL: &str = "64 MB read again";
const READ_FITTING: &str = "3 GB read again";
const READ_LARGE: &str = "5 GB read again";
const WRITTEN_SMALL: &str = "64 MB written";
const WRITTEN_LARGE: &str = "2 GB written";
/// What is alike.
const ALIKE: f64 = 1.1;
/// A write rate that falls falls at least to this share.
const FALLS: f64 = 0.8;

impl DocumentStudy for Figure5 {
    fn name(&self) -> &'static str {
        "cpn-figure5"
    }

    fn title(&self) -> &'static str {
        "Throughput by file size and block size, memory, dirty ratio and hardware, MB/s"
    }

    fn section(&self) -> &'static str {
        "D figures 5 to 12"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec!["The document only draws it", benches::SIMULATED]
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

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let places = ROWS
            .into_iter()
            .flat_map(|row| DISKS.map(|disk| (row, disk)));
        let places: Vec<_> = places.collect();
        let benches: Vec<Bench> = places.iter().map(|&place| bench(place)).collect();
        let figures = sources.benches(&benches);
        let cells = places.into_iter().zip(&benches);
        let cells = cells.filter_map(|(((row, ..), (disk, _)), bench)| {
            let simulated = mb_per_s(&figures, &bench.name, "job")?;
            let cell = ReproducedCell::new(row, disk, None);
            Some(cell.simulated(Some(simulated)))
        });
        cells.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        vec![
            cliff(sources).and_simulated(simulated_cliff(cells)),
            ranking(sources),
            dirty_ratio(cells),
            hides_hardware(cells),
        ]
    }
}

fn bench(
    ((row, size, operation), (_, profile)): ((&str, &str, &str), (&str, &'static str)),
) -> Bench {
    let disk = profile.trim_start_matches("documents/d-");
    let disk = disk.trim_end_matches(".toml");
    let name = format!("{disk}-{}", row.replace(' ', "-"));
    on_disks(&name, profile, job(operation, size, "1m"))
}

fn simulated(cells: &[ReproducedCell], row: &str, disk: &str) -> Option<f64> {
    let mut cells = cells.iter();
    cells
        .find(|cell| cell.row == row && cell.column == disk)?
        .simulated
}

/// Whether reading falls where a file outgrows the document's memory.
fn simulated_cliff(cells: &[ReproducedCell]) -> Option<(bool, String)> {
    let of = |row: &str| simulated(cells, row, DISKS[0].0);
    let fall = of(READ_FITTING)? / of(READ_LARGE)?;
    let words = format!(
        "Simulated on the document's machine: a file of 5 GB is read again {fall:.0} times as slowly as one of 3 GB."
    );
    Some((fall >= STEEP, words))
}

/// Whether writing falls where files outgrow the dirty ratio.
fn dirty_ratio(cells: &[ReproducedCell]) -> DocumentClaim {
    let of = |row: &str| simulated(cells, row, DISKS[0].0);
    let both = of(WRITTEN_SMALL).zip(of(WRITTEN_LARGE));
    DocumentClaim::new(
        "throughput of writes falls where files outgrow the dirty ratio",
        "D §3.2.2, figure 10",
        both.map(|(small, large)| large < FALLS * small),
        both.map_or_else(
            || "Not simulated. experiments/local-write-dirty-limit lays the measurement beside the model.".to_owned(),
            |(small, large)| {
                format!("Simulated: 64 MB are written at {small:.0} MB/s, and 2 GB at {large:.0}. 512 MB may be dirty, as on the document's machine.")
            },
        ),
    )
}

/// Whether disks are alike while files fit in memory.
fn hides_hardware(cells: &[ReproducedCell]) -> DocumentClaim {
    let spread = |row: &str| {
        let rates = DISKS.map(|(disk, _)| simulated(cells, row, disk));
        let rates: Vec<f64> = rates.into_iter().collect::<Option<_>>()?;
        let most = rates.iter().copied().fold(f64::MIN, f64::max);
        let least = rates.iter().copied().fold(f64::MAX, f64::min);
        Some(most / least)
    };
    let both = spread(READ_SMALL).zip(spread(WRITTEN_SMALL));
    DocumentClaim::new(
        "the file system hides the hardware: a disk, RAID-0 and a SAN are alike while files fit in memory",
        "D §3.2.3, figures 11 and 12",
        both.map(|(reads, writes)| reads <= ALIKE && writes <= ALIKE),
        both.map_or_else(
            || "Not simulated. experiments/local-read-devices lays the measurement beside the model.".to_owned(),
            |(reads, writes)| {
                format!("Simulated: the fastest of the three is {reads:.2} times as fast as the slowest at reading 64 MB again, and {writes:.2} at writing them.")
            },
        ),
    )
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
        "D §3.2.2, figure 9",
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
