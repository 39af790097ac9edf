//! A figure 6: how fast data is read, over time.

use std::collections::BTreeMap;

use super::centres_of_a::{self, SIMULATED};
use crate::reproduce::asked::Popular;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::{Centre, CentreFigures};
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{OpenClaim, open_claims};
use crate::reproduce::sources::Sources;

/// How fast classes are read.
pub(super) struct Figure6;

const READ: &str = "data read";
/// The same with as many proxies and web servers as in B (B §3.2).
const READ_AS_IN_B: &str = "data read, with four proxies and three web servers";
/// From this class on the disk is read.
const FROM: usize = 3;
/// What the network passes.
const NETWORK: f64 = 200.0;
/// A class that reads less than this hardly reads, MB/s.
const HARDLY: f64 = 1.0;

const OPEN: [OpenClaim; 1] = [OpenClaim {
    text: "dynamic content reads and writes in bursts of little data",
    section: "A §4.2, figure 6b",
    missing: "Not judged yet: databases are not modelled.",
}];

impl DocumentStudy for Figure6 {
    fn name(&self) -> &'static str {
        "tr65-figure6"
    }

    fn title(&self) -> &'static str {
        "How fast the data of classes is read, MB/s"
    }

    fn section(&self) -> &'static str {
        "A figure 6"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            SIMULATED,
            "Simulated is what ext3 reads from its disks, in the mean of all time. The document does not say how many web servers there are",
            "The text has one rate, of what is read over the network. It names no class, so that no class has a published rate",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let of_one = (0..5).map(|class| (class, READ, centre(class)));
        let of_three = (FROM..5).map(|class| (class, READ_AS_IN_B, as_in_b(class)));
        let places: Vec<(usize, &str, Centre)> = of_one.chain(of_three).collect();
        let centres: Vec<Centre> = places.iter().map(|(.., centre)| centre.clone()).collect();
        let figures = sources.centres(&centres);
        let cells = places.into_iter().filter_map(|(class, column, centre)| {
            let rate = rate(&figures, &centre)?;
            let cell = ReproducedCell::new(row(class), column, None);
            Some(cell.simulated(Some(rate)))
        });
        let mut cells: Vec<ReproducedCell> = cells.collect();
        cells.push(ReproducedCell::new("IPoIB", "bandwidth", Some(NETWORK)));
        cells
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = vec![which_read(cells), less_than_a_quarter(cells)];
        claims.extend(open_claims(&OPEN));
        claims
    }
}

fn row(class: usize) -> String {
    format!("class {class}")
}

fn centre(class: usize) -> Centre {
    centres_of_a::with_site(Popular::Class(class), "ext3")
}

/// The same with B's three web servers.
fn as_in_b(class: usize) -> Centre {
    centres_of_a::with_site_as_in_b(Popular::Class(class), "ext3")
}

/// MB/s that the web servers of a data-centre read.
fn rate(figures: &BTreeMap<String, CentreFigures>, centre: &Centre) -> Option<f64> {
    let figures = figures.get(&centre.name)?;
    Some(figures.read_bytes_per_s / 1e6)
}

fn rates(cells: &[ReproducedCell]) -> Option<Vec<f64>> {
    let rate = |class: usize| {
        let mut cells = cells.iter();
        let cell = cells.find(|cell| cell.row == row(class) && cell.column == READ);
        cell?.simulated
    };
    (0..5).map(rate).collect()
}

fn which_read(cells: &[ReproducedCell]) -> DocumentClaim {
    let rates = rates(cells);
    let in_words = |rates: &[f64]| {
        let rates: Vec<String> = rates.iter().map(|rate| format!("{rate:.1}")).collect();
        rates.join(", ")
    };
    DocumentClaim::new(
        "classes 0 to 2 hardly read the disk, class 3 does, and class 4 far more",
        "A §4.2, figure 6a",
        rates.as_deref().map(|rates| {
            let small = rates[..3].iter().all(|rate| *rate < HARDLY);
            small && rates[3] > HARDLY && rates[4] > rates[3]
        }),
        rates.as_deref().map_or_else(
            || "Not simulated.".to_owned(),
            |rates| format!("Simulated: classes 0 to 4 read {} MB/s.", in_words(rates)),
        ),
    )
}

fn less_than_a_quarter(cells: &[ReproducedCell]) -> DocumentClaim {
    let most = rates(cells).and_then(|rates| rates.into_iter().max_by(f64::total_cmp));
    DocumentClaim::new(
        "data is read over the network at about 40 MB/s, less than a quarter of what that passes",
        "A §4.2, figure 6a",
        most.map(|most| most < NETWORK / 4.0),
        most.map_or_else(
            || "Not simulated.".to_owned(),
            |most| format!("Simulated: ext3 reads {most:.1} MB/s from its disk at most."),
        ),
    )
}
