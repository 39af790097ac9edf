//! D figures 17 and 18: throughput of PVFS by file size and block size.

use super::benches::{self, job, mb_per_s, on_pvfs};
use crate::reproduce::bench::Bench;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::Sources;

/// Throughput by file size.
pub(super) struct Figure17;

/// Sizes of files, and the largest blocks that they are written and read in.
const SIZES: [(&str, &str); 8] = [
    ("64k", "64k"),
    ("256k", "256k"),
    ("512k", "512k"),
    ("1m", "1m"),
    ("2m", "2m"),
    ("4m", "4m"),
    ("16m", "4m"),
    ("64m", "4m"),
];
/// "greater than 2Mbytes", and what is no peak.
const PEAK_FROM: &str = "2m";
const NEAR_PEAK: f64 = 0.9;

impl DocumentStudy for Figure17 {
    fn name(&self) -> &'static str {
        "cpn-figure17"
    }

    fn title(&self) -> &'static str {
        "Throughput of PVFS by file size, MB/s"
    }

    fn section(&self) -> &'static str {
        "D figures 17 and 18"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document only draws it",
            benches::SIMULATED,
            "A file is written or read by one client in one block, of 4 MB at most",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let pairs = ["read", "write"]
            .into_iter()
            .flat_map(|operation| SIZES.map(|size| (operation, size)));
        let places: Vec<(&str, (&str, &str))> = pairs.collect();
        let benches: Vec<Bench> = places.iter().map(|&place| bench(place)).collect();
        let figures = sources.benches(&benches);
        let cells = places.into_iter().zip(&benches);
        let cells = cells.filter_map(|((operation, (size, _)), bench)| {
            let simulated = mb_per_s(&figures, &bench.name, "job")?;
            let cell = ReproducedCell::new(row(size), operation, None);
            Some(cell.simulated(Some(simulated)))
        });
        cells.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        vec![peak(cells)]
    }
}

fn bench((operation, (size, block)): (&str, (&str, &str))) -> Bench {
    let name = format!("{operation}-file-{size}");
    on_pvfs(&name, (1, false), job(operation, size, block))
}

fn row(size: &str) -> String {
    format!("file of {size}")
}

/// Whether writes are as fast as they get from files of 2 MB on, and not before.
fn peak(cells: &[ReproducedCell]) -> DocumentClaim {
    let of = |(size, _): (&str, &str)| {
        let row = row(size);
        let mut cells = cells.iter();
        let cell = cells.find(|cell| cell.row == row && cell.column == "write");
        Some((size.to_owned(), cell?.simulated?))
    };
    let rates: Option<Vec<(String, f64)>> = SIZES.into_iter().map(of).collect();
    let first = rates.as_ref().and_then(|rates| {
        let most = rates.iter().map(|(_, rate)| *rate).max_by(f64::total_cmp)?;
        let near = |(_, rate): &&(String, f64)| *rate >= NEAR_PEAK * most;
        rates.iter().find(near).map(|(size, _)| size.clone())
    });
    DocumentClaim::new(
        "writes peak only from files of 2 MB on",
        "D §3.9, figure 18",
        first.as_deref().map(|size| size == PEAK_FROM),
        first.map_or_else(
            || "Not simulated.".to_owned(),
            |size| {
                format!(
                    "Simulated: the smallest file that is written at nine tenths of the highest rate has {size}."
                )
            },
        ),
    )
}
