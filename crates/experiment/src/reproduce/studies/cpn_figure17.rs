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
/// Smaller blocks of the surface, and the files that they are written and read in.
const BLOCKS: [&str; 3] = ["4k", "64k", "1m"];
const FILES: [&str; 3] = ["1m", "16m", "64m"];
/// "greater than 2Mbytes", and what is no peak.
const PEAK_FROM: &str = "2m";
const NEAR_PEAK: f64 = 0.9;

impl DocumentStudy for Figure17 {
    fn name(&self) -> &'static str {
        "cpn-figure17"
    }

    fn title(&self) -> &'static str {
        "Throughput of PVFS by file size and block size, MB/s"
    }

    fn section(&self) -> &'static str {
        "D figures 17 and 18"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document only draws it",
            benches::SIMULATED,
            "A file is written or read by one client in one block, of 4 MB at most, and where it is said in smaller ones",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let pairs = ["read", "write"]
            .into_iter()
            .flat_map(|operation| SIZES.map(|size| (operation, size)));
        let largest: Vec<(&str, (&str, &str))> = pairs.collect();
        let smaller: Vec<(&str, (&str, &str))> = smaller_blocks().collect();
        let all = largest.iter().chain(&smaller);
        let benches: Vec<Bench> = all.map(|&place| bench(place)).collect();
        let figures = sources.benches(&benches);
        let cell = |place: (&str, (&str, &str)), column: String| {
            let simulated = mb_per_s(&figures, &bench(place).name, "job")?;
            let (_, (size, _)) = place;
            let cell = ReproducedCell::new(row(size), column, None);
            Some(cell.simulated(Some(simulated)))
        };
        let of_largest = largest.iter();
        let of_largest = of_largest.filter_map(|&place| cell(place, place.0.to_owned()));
        let mut cells: Vec<ReproducedCell> = of_largest.collect();
        let of_smaller = smaller.iter();
        cells.extend(of_smaller.filter_map(|&place| {
            let (operation, (_, block)) = place;
            cell(place, format!("{operation}, blocks of {block}"))
        }));
        cells
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        vec![peak(cells)]
    }
}

/// The rest of the surface.
fn smaller_blocks() -> impl Iterator<Item = (&'static str, (&'static str, &'static str))> {
    let files = FILES.into_iter();
    let pairs = files.flat_map(|size| BLOCKS.map(|block| (size, block)));
    // A file of one block is there already.
    let pairs = pairs.filter(|(size, block)| size != block);
    pairs.flat_map(|pair| ["read", "write"].map(|operation| (operation, pair)))
}

fn bench((operation, (size, block)): (&str, (&str, &str))) -> Bench {
    let name = match SIZES.contains(&(size, block)) {
        true => format!("{operation}-file-{size}"),
        false => format!("{operation}-file-{size}-blocks-{block}"),
    };
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
        "D §3.3.3, figure 18",
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
