//! B section 6.1: TCP/IP on three clusters.

use hotset_scenario::{Offload, StackCosts};

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};
use crate::reproduce::published_table::PublishedTable;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "char-tcp",
    title: "Latency and bandwidth of TCP/IP on three clusters",
    section: "B §6.1, figure 14",
    notes: &[
        "Simulated latencies are fitted: cards and cable, and the work of a processor of 1 GHz, are two numbers for three clusters",
        "Bandwidths are not simulated: buses are not modelled",
    ],
    published,
    open: &[
        OpenClaim {
            text: "above 1 KB the slow processors with the fast bus pass the fast processors with the slow bus",
            section: "B §6.1, figure 14b",
            missing: "Not judged yet: buses are not modelled.",
        },
        OpenClaim {
            text: "clusters differ less as the exponent of popularity rises, as the proxy answers more",
            section: "B §6.2, figure 15",
            missing: "Not judged yet: the documents' machines have no profile.",
        },
    ],
    ..EMPTY
};

fn published() -> Vec<ReproducedCell> {
    let table = PublishedTable::of(include_str!("../published/char-tcp.csv"));
    let rows = table.rows().map(|of| {
        let name = format!("cluster {}", of.name());
        let latency = ReproducedCell::new(&name, "latency of 4 bytes, µs", of.figure("latency_us"));
        [
            latency.simulated(of.figure("cpu_mhz").map(latency_us)),
            ReproducedCell::new(&name, "bandwidth, Mbit/s", of.figure("bandwidth_mbps")),
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
