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
/// Row, and the job of it: how it reads, file and block. Of a mixed job half of the reads go on where the last one ended: assumed.
const JOBS: [(&str, &str, &str, &str); 3] = [
    ("pure random", "randread", "64m", "4k"),
    (MIXED, "randread", "64m", "64k"),
    ("large block sequential", "read", "400m", "100m"),
];
const MIXED: &str = "mixed random and sequential";
const HALF_AT_RANDOM: &str = "percentage_random=50\n";
/// All of it, in the shares of the table.
const PRODUCTION: &str = "all, in these shares of what is read";
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
            "What a client gets is simulated with blocks of 4 KB at random, of 64 KB half at random, and of 100 MB in sequence, from files in the servers' memory. All together is calculated, by shares of bytes",
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
        if let Some(rate) = production(&cells) {
            let cell = ReproducedCell::new(PRODUCTION, RATE, None);
            cells.push(cell.simulated(Some(rate)));
        }
        cells
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = sources.claims(EXPERIMENT);
        claims.push(random_is_slow(cells));
        claims
    }
}

fn bench((row, operation, size, block): (&str, &str, &str, &str)) -> Bench {
    let name = format!("{operation}-{block}-alone");
    let mut text = job(operation, size, block);
    if row == MIXED {
        text.push_str(HALF_AT_RANDOM);
    }
    on_pvfs(&name, (1, false), text)
}

/// What a client gets of all kinds one after the other, MB/s: each has its share of the bytes, and takes as long as by itself.
fn production(cells: &[ReproducedCell]) -> Option<f64> {
    let of_kind = |(row, ..): (&str, &str, &str, &str)| {
        let mut own = cells.iter().filter(|cell| cell.row == row);
        let percent = own.clone().find_map(|cell| cell.published)?;
        Some(percent / 100.0 / own.find_map(|cell| cell.simulated)?)
    };
    let seconds: Option<Vec<f64>> = JOBS.into_iter().map(of_kind).collect();
    Some(1.0 / seconds?.iter().sum::<f64>())
}

/// Whether reading at random in small blocks is far slower than in sequence in large ones.
fn random_is_slow(cells: &[ReproducedCell]) -> DocumentClaim {
    let [random, _, sequential] = JOBS.map(|(row, ..)| {
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
