//! B section 6.1 and figure 15: TCP/IP on three clusters.

use hotset_scenario::{Offload, StackCosts};

use super::centres_of_b::{Centres, on_cluster, ratio};
use crate::reproduce::asked::{Asked, Layout, Popular};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::Centre;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::Sources;

/// Latency and bandwidth, and what they come to in the data-centre.
pub(super) struct Tcp;

const CLUSTERS: [u8; 3] = [1, 2, 3];
/// The document does not print its exponents.
const EXPONENTS: [f64; 3] = [0.5, 0.75, 0.9];
const LATENCY: &str = "latency of 4 bytes, µs";
const BANDWIDTH: &str = "bandwidth, Mbit/s";

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
            "Simulated latencies are fitted: cards and cable, and the work of a processor of 1 GHz, are two numbers for three clusters. So they are inputs and have no error",
            "Bandwidths are inputs: the machines of experiments/documents are made of them. Links of clusters 2 and 3 pass no more, as their buses are the limit (B §6.1)",
            "Requests a second are simulated with proxies that keep answers, and files of 1 KB to 4 MB, as synthetic workloads had them (B §3.1): those of class 2. The document only draws them, and does not print its exponents",
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
        vec![overtaking(cells), differences_shrink(cells)]
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
        of: Popular::SmallExponent(exponent),
        on: Layout::One,
        requests: 60_000,
        warm_up_percent: 70,
    };
    let keeps = (0..4).map(|proxy| format!("node.proxy{proxy}.cache=true"));
    let name = format!("small-exponent-{exponent}");
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

/// Latency and bandwidth.
fn published() -> Vec<ReproducedCell> {
    let table = PublishedTable::of(include_str!("../published/char-tcp.csv"));
    let rows = table.rows().map(|of| {
        let name = format!("cluster {}", of.name());
        let latency = ReproducedCell::new(&name, LATENCY, of.figure("latency_us"));
        [
            // Its two costs are fitted to these three.
            latency
                .simulated(of.figure("cpu_mhz").map(latency_us))
                .into_input(),
            ReproducedCell::new(&name, BANDWIDTH, of.figure("bandwidth_mbps")),
        ]
    });
    rows.flatten().collect()
}

/// How long a packet of 4 bytes takes between processors of so many MHz: their work, that of cards, and the cable.
fn latency_us(mhz: f64) -> f64 {
    const CARDS_AND_CABLE_US: f64 = 14.0;
    let costs = StackCosts::PENTIUM_III_700;
    let packet = (4, 1);
    let work_ns = costs.sent_ns(packet, Offload::None) + costs.received_ns(packet, Offload::None);
    CARDS_AND_CABLE_US + work_ns / 1e3 * 700.0 / mhz
}

/// From which size on cluster 3 is sooner than cluster 2: with the simulated latency, and bytes beyond at the published bandwidth.
fn overtaking(cells: &[ReproducedCell]) -> DocumentClaim {
    let of = |cluster: &str, column: &str| {
        let mut cells = cells.iter();
        cells.find(|it| it.row == cluster && it.column == column)
    };
    let line = |cluster: &str| {
        let fixed_us = of(cluster, LATENCY)?.simulated?;
        Some((fixed_us, 8.0 / of(cluster, BANDWIDTH)?.published?))
    };
    let lines = line("cluster 2").zip(line("cluster 3"));
    let bytes = lines.map(|((fast_us, slow_byte_us), (slow_us, fast_byte_us))| {
        (slow_us - fast_us) / (slow_byte_us - fast_byte_us)
    });
    let why = match bytes {
        Some(bytes) => format!(
            "Calculated: from {bytes:.0} bytes on, with simulated latencies and published bandwidths. It would be 512 to 2048, the sizes \
             beside 1 KB."
        ),
        None => "A figure is missing.".to_owned(),
    };
    DocumentClaim::new(
        "above 1 KB the slow processors with the fast bus pass the fast processors with the slow bus",
        "B §6.1, figure 14a",
        bytes.map(|bytes| (512.0..=2048.0).contains(&bytes)),
        why,
    )
}
