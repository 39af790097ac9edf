//! B figures 8 and 9: disks by file size and by hits.

use super::centres_of_b::{self, Centres, DISKS, one_at_a_time, ratio};
use crate::reproduce::asked::Asked;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::Centre;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Responses by disk.
pub(super) struct Figure8;

const EXPERIMENTS: [KnownExperiment; 2] = [
    known_experiment!("disks/files.toml"),
    known_experiment!("disks/small-files.toml"),
];
/// Files of a size: its name, their bytes, and how many they are. Fewer small ones would all be in a disk's buffer.
const SIZES: [(&str, u64, u32); 3] = [
    ("4K", 4 << 10, 2000),
    ("64K", 64 << 10, 200),
    ("1M", 1 << 20, 200),
];
const CACHED_PERCENT: [u32; 3] = [0, 50, 100];

impl DocumentStudy for Figure8 {
    fn name(&self) -> &'static str {
        "char-figure8"
    }

    fn title(&self) -> &'static str {
        "Response by disk system, file size and share of hits, µs"
    }

    fn section(&self) -> &'static str {
        "B figures 8 and 9"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec!["The document only draws it", centres_of_b::SIMULATED]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        EXPERIMENTS.to_vec()
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let mut places = Vec::new();
        for size in SIZES {
            for cached in CACHED_PERCENT {
                places.extend(DISKS.map(|disk| (size, cached, disk)));
            }
        }
        let centres: Vec<Centre> = places.iter().map(|&place| centre(place)).collect();
        let simulated = Centres::of(sources, &centres);
        let cells = places
            .into_iter()
            .zip(&centres)
            .filter_map(|(place, centre)| {
                let ((size, ..), cached, disk) = place;
                let mean_us = simulated.mean_us(centre)?;
                let cell = ReproducedCell::new(row(size, cached), disk, None);
                Some(cell.simulated(Some(mean_us)))
            });
        cells.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let claims = EXPERIMENTS.into_iter().flat_map(|experiment| {
            sources.claims_and_simulated(experiment, |says| judged(says, cells))
        });
        claims.collect()
    }
}

fn row(size: &str, cached: u32) -> String {
    format!("{size}, {cached} % cached")
}

fn centre(((size, bytes, files), cached_percent, disk): ((&str, u64, u32), u32, &str)) -> Centre {
    let asked = Asked::EachOnce {
        bytes,
        files,
        cached_percent,
        disks: 1,
    };
    one_at_a_time(&format!("{size}-cached-{cached_percent}"), (1, disk), asked)
}

/// The quotient of a claim of the experiment.
fn judged(says: &str, cells: &[ReproducedCell]) -> Option<f64> {
    let of = |size: &str, cached: u32, disk: &str| {
        let row = row(size, cached);
        let mut cells = cells.iter();
        let cell = cells.find(|cell| cell.row == row && cell.column == disk);
        cell?.simulated
    };
    match says.split_once(':')? {
        ("cached files", _) => ratio(of("1M", 100, "IDE"), of("1M", 100, "RAID")),
        ("uncached small files", _) => ratio(of("4K", 0, "IDE"), of("4K", 0, "RAID")),
        ("uncached large files", rest) if rest.contains("RAID") => {
            ratio(of("1M", 0, "SCSI"), of("1M", 0, "RAID"))
        }
        ("uncached large files", _) => ratio(of("1M", 0, "IDE"), of("1M", 0, "SCSI")),
        ("half cached", _) => ratio(of("1M", 0, "IDE"), of("1M", 50, "IDE")),
        _ => None,
    }
}
