//! B section 6.1 and figure 15: TCP/IP on three clusters.

use super::centres_of_b::{Centres, on_cluster, ratio};
use crate::reproduce::asked::{Asked, Layout, Popular};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::Centre;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{OpenClaim, open_claims};
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::Sources;

/// Latency and bandwidth, and what they come to in the data-centre.
pub(super) struct Tcp;

const CLUSTERS: [u8; 3] = [1, 2, 3];
/// The document does not print its exponents.
const EXPONENTS: [f64; 3] = [0.5, 0.75, 0.9];
const OPEN: [OpenClaim; 1] = [OpenClaim {
    text: "above 1 KB the slow processors with the fast bus pass the fast processors with the slow bus",
    section: "B §6.1, figure 14b",
    missing: "Not judged: latency and bandwidth are inputs of the machines, and buses are not modelled.",
}];

impl DocumentStudy for Tcp {
    fn name(&self) -> &'static str {
        "char-tcp"
    }

    fn title(&self) -> &'static str {
        "Latency and bandwidth of TCP/IP on three clusters, and requests a second by Zipf exponent"
    }

    fn section(&self) -> &'static str {
        "B §6.1, figures 14 and 15"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Latency and bandwidth are inputs: the machines of experiments/documents are made of them",
            "Requests a second are simulated with 4 GB of files and proxies that keep answers. The document only draws them, and does not print its exponents",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let mut cells = published();
        let pairs = EXPONENTS
            .into_iter()
            .flat_map(|exponent| CLUSTERS.map(|cluster| (exponent, cluster)));
        let pairs: Vec<(f64, u8)> = pairs.collect();
        let centres = pairs.iter().map(|&pair| centre(pair));
        let centres: Vec<Centre> = centres.collect();
        let simulated = Centres::of(sources, &centres);
        let rates = pairs.into_iter().zip(&centres);
        cells.extend(rates.filter_map(|((exponent, cluster), centre)| {
            let per_s = simulated.per_s(centre)?;
            let cell = ReproducedCell::new(row(cluster), column(exponent), None);
            Some(cell.simulated(Some(per_s)))
        }));
        cells
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = vec![differences_shrink(cells)];
        claims.extend(open_claims(&OPEN));
        claims
    }
}

fn row(cluster: u8) -> String {
    format!("cluster {cluster}")
}

fn column(exponent: f64) -> String {
    format!("requests a second, exponent {exponent}")
}

fn centre((exponent, cluster): (f64, u8)) -> Centre {
    let asked = Asked::Site {
        of: Popular::Exponent(exponent),
        on: Layout::One,
        requests: 20_000,
        warm_up_percent: 70,
    };
    let keeps = (0..4).map(|proxy| format!("node.proxy{proxy}.cache=true"));
    let name = format!("exponent-{exponent}");
    on_cluster(&name, cluster, (keeps.collect(), asked))
}

/// Whether the fastest cluster is less ahead of the others as the exponent rises.
fn differences_shrink(cells: &[ReproducedCell]) -> DocumentClaim {
    let per_s = |cluster: u8, exponent: f64| {
        let (row, column) = (row(cluster), column(exponent));
        let mut cells = cells.iter();
        let cell = cells.find(|cell| cell.row == row && cell.column == column);
        cell?.simulated
    };
    let lead = |exponent: f64| {
        let others = [per_s(2, exponent)?, per_s(3, exponent)?];
        ratio(per_s(1, exponent), Some(others[0].min(others[1])))
    };
    let leads: Option<Vec<f64>> = EXPONENTS.into_iter().map(lead).collect();
    DocumentClaim::new(
        "clusters differ less as the exponent of popularity rises, as the proxy answers more",
        "B §6.2, figure 15",
        leads
            .as_ref()
            .map(|leads| leads.iter().rev().is_sorted() && leads.first() != leads.last()),
        leads.map_or_else(
            || "Not simulated.".to_owned(),
            |leads| {
                let leads: Vec<String> = leads.iter().map(|lead| format!("{lead:.2}")).collect();
                format!(
                    "Simulated: with exponents of 0.5, 0.75 and 0.9 cluster 1 answers {} times as many as the slowest.",
                    leads.join(", ")
                )
            },
        ),
    )
}

fn published() -> Vec<ReproducedCell> {
    let table = PublishedTable::of(include_str!("../published/char-tcp.csv"));
    let row = |of: &str, latency: Option<f64>, bandwidth: Option<f64>| {
        let name = format!("cluster {of}");
        [
            ReproducedCell::new(&name, "latency of 4 bytes, µs", latency),
            ReproducedCell::new(&name, "bandwidth, Mbit/s", bandwidth),
        ]
    };
    let rows = table.rows().map(|of| {
        row(
            of.name(),
            of.figure("latency_us"),
            of.figure("bandwidth_mbps"),
        )
    });
    rows.flatten().collect()
}
