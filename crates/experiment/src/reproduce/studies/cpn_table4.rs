//! D table 4: what a production PVFS is asked.

use super::benches::{self, job, mb_per_s, on_pvfs};
use super::published_cells;
use crate::reproduce::bench::Bench;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Shares of what is asked, and what a client gets of each.
pub(super) struct Table4;

const EXPERIMENT: KnownExperiment = known_experiment!("local-write-pvfs-mix/experiment.toml");
const RATE: &str = "MB/s of a client";
/// Row, and the job of it: how it reads, file and block.
const JOBS: [(&str, &str, &str, &str); 2] = [
    ("pure random", "randread", "64m", "4k"),
    ("large block sequential", "read", "400m", "100m"),
];
/// What is "greatly degraded" gets less than this share.
const DEGRADED: f64 = 0.25;

impl DocumentStudy for Table4 {
    fn name(&self) -> &'static str {
        "cpn-table4"
    }

    fn title(&self) -> &'static str {
        "What a production PVFS of 276 TB is asked, percent"
    }

    fn section(&self) -> &'static str {
        "D table 4"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "An input: experiments/local-write-pvfs-mix writes and reads in these shares",
            benches::SIMULATED,
            "What a client gets is simulated with blocks of 4 KB at random and of 100 MB in sequence, from files in the servers' memory",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let mut cells = published_cells::of(include_str!("../published/cpn-table4.csv"), "");
        let benches: Vec<Bench> = JOBS.into_iter().map(bench).collect();
        let figures = sources.benches(&benches);
        let rates = JOBS.into_iter().zip(&benches);
        cells.extend(rates.filter_map(|((row, ..), bench)| {
            let simulated = mb_per_s(&figures, &bench.name, "job")?;
            let cell = ReproducedCell::new(row, RATE, None);
            Some(cell.simulated(Some(simulated)))
        }));
        cells
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = sources.claims(EXPERIMENT);
        claims.push(random_is_slow(cells));
        claims
    }
}

fn bench((_, operation, size, block): (&str, &str, &str, &str)) -> Bench {
    let name = format!("{operation}-{block}-alone");
    on_pvfs(&name, (1, false), job(operation, size, block))
}

/// Whether reading at random in small blocks is far slower than in sequence in large ones.
fn random_is_slow(cells: &[ReproducedCell]) -> DocumentClaim {
    let [random, sequential] = JOBS.map(|(row, ..)| {
        let mut cells = cells.iter();
        let cell = cells.find(|cell| cell.row == row && cell.column == RATE);
        cell?.simulated
    });
    let both = random.zip(sequential);
    DocumentClaim::new(
        "small files read at random degrade a parallel file system greatly",
        "D §3.3.2",
        both.map(|(random, sequential)| random < DEGRADED * sequential),
        both.map_or_else(
            || "Not simulated.".to_owned(),
            |(random, sequential)| {
                format!(
                    "Simulated: a client reads {random:.1} MB/s at random in blocks of 4 KB, and {sequential:.1} in sequence in blocks of 100 MB."
                )
            },
        ),
    )
}
