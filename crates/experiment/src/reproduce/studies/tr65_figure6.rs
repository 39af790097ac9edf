//! A figure 6: how fast data is read, over time.

use std::collections::BTreeMap;

use super::centres_of_a::{self, SIMULATED, is_near};
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
/// The text has a rate from this class on.
const FROM: usize = 3;
/// "about 40MBytes/s", and what the network passes.
const ABOUT: f64 = 40.0;
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
            "Simulated is what ext3 reads from its disk, in the mean of all time. The text gives one rate for classes 3 and 4, of the web server tier. It does not say how many servers that has",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let centres = (0..5).map(centre).chain((FROM..5).map(as_in_b));
        let centres: Vec<Centre> = centres.collect();
        let figures = sources.centres(&centres);
        let mut cells: Vec<ReproducedCell> = (0..5)
            .map(|class| {
                let published = (class >= FROM).then_some(ABOUT);
                let cause = cause(&figures, class);
                ReproducedCell::new(row(class), READ, published)
                    .simulated(rate(&figures, &centre(class)))
                    .explained(cause.as_deref())
            })
            .collect();
        cells.retain(|cell| cell.published.or(cell.simulated).is_some());
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

/// The cause of an error, where three web servers read as much as is published.
fn cause(figures: &BTreeMap<String, CentreFigures>, class: usize) -> Option<String> {
    let of_one = rate(figures, &centre(class)).filter(|_| class >= FROM)?;
    let of_three = rate(figures, &as_in_b(class))?;
    (!is_near(of_one, ABOUT) && is_near(of_three, ABOUT)).then(|| {
        format!(
            "with four proxies and three web servers, as B had them (B §3.2), it is {of_three:.0}"
        )
    })
}

fn rates(cells: &[ReproducedCell]) -> Option<Vec<f64>> {
    let rate = |class: usize| {
        let mut cells = cells.iter();
        cells.find(|cell| cell.row == row(class))?.simulated
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
        "data is read at about 40 MB/s, less than a quarter of what the network passes",
        "A §4.2, figure 6a",
        most.map(|most| most < NETWORK / 4.0),
        most.map_or_else(
            || "Not simulated.".to_owned(),
            |most| format!("Simulated: at {most:.1} MB/s at most."),
        ),
    )
}
