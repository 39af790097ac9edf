//! B section 6.1: TCP/IP on three clusters.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};
use crate::reproduce::published_table::PublishedTable;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "char-tcp",
    title: "Latency and bandwidth of TCP/IP on three clusters",
    section: "B §6.1, figure 14",
    notes: &["Not simulated yet: the documents' machines have no profile"],
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
