//! B section 6.1: TCP/IP on three clusters.

use hotset_scenario::{Offload, StackCosts};

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{OpenClaim, open_claims};
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::Sources;

/// Latency and bandwidth of the clusters.
pub(super) struct Tcp;

const LATENCY: &str = "latency of 4 bytes, µs";
const BANDWIDTH: &str = "bandwidth, Mbit/s";

const OPEN: &[OpenClaim] = &[OpenClaim {
    text: "clusters differ less as the exponent of popularity rises, as the proxy answers more",
    section: "B §6.2, figure 15",
    missing: "Not judged yet: the documents' machines have no profile.",
}];

impl DocumentStudy for Tcp {
    fn name(&self) -> &'static str {
        "char-tcp"
    }

    fn title(&self) -> &'static str {
        "Latency and bandwidth of TCP/IP on three clusters"
    }

    fn section(&self) -> &'static str {
        "B §6.1, figure 14"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Simulated latencies are fitted: cards and cable, and the work of a processor of 1 GHz, are two numbers for three clusters",
            "Bandwidths are not simulated: buses are not modelled",
        ]
    }

    fn cells(&self, _sources: &Sources) -> Vec<ReproducedCell> {
        let table = PublishedTable::of(include_str!("../published/char-tcp.csv"));
        let rows = table.rows().map(|of| {
            let name = format!("cluster {}", of.name());
            let latency = ReproducedCell::new(&name, LATENCY, of.figure("latency_us"));
            [
                latency.simulated(of.figure("cpu_mhz").map(latency_us)),
                ReproducedCell::new(&name, BANDWIDTH, of.figure("bandwidth_mbps")),
            ]
        });
        rows.flatten().collect()
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let open = open_claims(OPEN);
        std::iter::once(overtaking(cells)).chain(open).collect()
    }
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
        "B §6.1, figure 14b",
        bytes.map(|bytes| (512.0..=2048.0).contains(&bytes)),
        why,
    )
}
