//! A figure 5: packets by file system and workload.

use std::collections::BTreeMap;

use super::centres_of_a::{self, SIMULATED};
use crate::reproduce::asked::Popular;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::{Centre, CentreFigures};
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{OpenClaim, open_claims};
use crate::reproduce::sources::Sources;

/// Network traffic of the web server.
pub(super) struct Figure5;

/// The text has ramfs do as ext3 does.
const FILE_SYSTEMS: [&str; 3] = ["ext3", "pvfs", "lustre"];
/// Those of figure 5a.
const CLASSES: [usize; 4] = [0, 1, 2, 3];
const PACKETS: &str = "packets for a request";
const KB: &str = "KB for a request";
/// "very close to that of the local file system": up to so many times as much.
const VERY_CLOSE: f64 = 1.2;
/// "increases proportionally": as many times as much in all classes, within a quarter.
const PROPORTIONAL: f64 = 1.25;
/// More than the local file system: at least so many times as much.
const MORE: f64 = 1.2;

const OPEN: [OpenClaim; 2] = [
    OpenClaim {
        text: "traffic of dynamic content does not grow with the data",
        section: "A §4.2, figure 5b",
        missing: "Not judged yet: databases are not simulated on these machines.",
    },
    OpenClaim {
        text: "dynamic content asks for little at a time, in bursts",
        section: "A §4.2, figures 5b and 6b",
        missing: "Not judged yet: databases are not simulated on these machines.",
    },
];

impl DocumentStudy for Figure5 {
    fn name(&self) -> &'static str {
        "tr65-figure5"
    }

    fn title(&self) -> &'static str {
        "Packets and bytes that the web server sends and receives, by file system and class"
    }

    fn section(&self) -> &'static str {
        "A figure 5"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document only draws it",
            SIMULATED,
            "As `netstat` counts them on the web server: those of proxies and of I/O nodes together. Acknowledgements are among the packets",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let places = CLASSES
            .into_iter()
            .flat_map(|class| FILE_SYSTEMS.map(|file_system| (class, file_system)));
        let places: Vec<(usize, &str)> = places.collect();
        let centres: Vec<Centre> = places.iter().map(|&place| centre(place)).collect();
        let figures = sources.centres(&centres);
        let pairs = places.into_iter().zip(&centres);
        let cells = pairs.filter_map(|((class, file_system), centre)| {
            Some(of_place(class, file_system, figures.get(&centre.name)?))
        });
        cells.flatten().collect()
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = vec![grows(cells), is_close(cells)];
        claims.extend(open_claims(&OPEN));
        claims
    }
}

fn centre((class, file_system): (usize, &str)) -> Centre {
    centres_of_a::with_site(Popular::Class(class), file_system)
}

fn row(class: usize, what: &str) -> String {
    format!("class {class}, {what}")
}

fn of_place(class: usize, file_system: &str, figures: &CentreFigures) -> Vec<ReproducedCell> {
    let kb = figures.web_bytes_per_request.map(|bytes| bytes / 1e3);
    let both = [(PACKETS, figures.web_packets_per_request), (KB, kb)];
    let cells = both.into_iter().filter_map(|(what, figure)| {
        let cell = ReproducedCell::new(row(class, what), file_system, None);
        Some(cell.simulated(Some(figure?)))
    });
    cells.collect()
}

/// Packets of a file system over those of ext3, class by class; nothing where one is not simulated.
pub(super) fn over_local(cells: &[ReproducedCell], file_system: &str) -> Option<Vec<f64>> {
    let packets: BTreeMap<(&str, &str), f64> = cells
        .iter()
        .filter_map(|cell| Some(((cell.row.as_str(), cell.column.as_str()), cell.simulated?)))
        .collect();
    let ratio = |class: usize| {
        let row = row(class, PACKETS);
        let own = packets.get(&(row.as_str(), file_system))?;
        Some(own / packets.get(&(row.as_str(), "ext3"))?)
    };
    CLASSES.into_iter().map(ratio).collect()
}

/// Ratios of the classes, in words.
pub(super) fn in_words(ratios: Option<&[f64]>, of: &str) -> String {
    ratios.map_or_else(
        || "Not simulated.".to_owned(),
        |ratios| {
            let ratios: Vec<String> = ratios.iter().map(|it| format!("{it:.2}")).collect();
            format!(
                "Simulated: {of} has {} times the packets of ext3, by class 0 to 3.",
                ratios.join(", ")
            )
        },
    )
}

fn grows(cells: &[ReproducedCell]) -> DocumentClaim {
    let ratios = over_local(cells, "pvfs");
    let holds = ratios.as_deref().map(|ratios| {
        let most = ratios.iter().copied().fold(f64::MIN, f64::max);
        let least = ratios.iter().copied().fold(f64::MAX, f64::min);
        least >= MORE && most <= PROPORTIONAL * least
    });
    DocumentClaim::new(
        "traffic of PVFS grows with the data that is served, in proportion to that of the local file system",
        "A §4.2, figure 5a",
        holds,
        in_words(ratios.as_deref(), "PVFS"),
    )
}

fn is_close(cells: &[ReproducedCell]) -> DocumentClaim {
    let ratios = over_local(cells, "lustre");
    let holds = ratios
        .as_deref()
        .map(|ratios| ratios.iter().all(|ratio| *ratio <= VERY_CLOSE));
    DocumentClaim::new(
        "traffic of Lustre is very close to that of a local file system, as its client caches",
        "A §4.2, figure 5a",
        holds,
        in_words(ratios.as_deref(), "Lustre"),
    )
}
