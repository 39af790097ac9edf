//! C table 2: time to first byte, by where a web server's files are.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::plain_study::{Contradiction, EMPTY, OpenClaim, PlainStudy};
use crate::reproduce::published_table::{PublishedRow, PublishedTable};
use crate::reproduce::sources::known_experiment;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "diskless-table2",
    title: "Time to first byte by load and by where the files are, ms",
    section: "C table 2",
    notes: &[
        "Not simulated yet: the document's machine has no profile, and web servers are not simulated on NFS",
        "local: on a disk; nfs: content over NFS; dsa: all files over NFS, without swap",
    ],
    published,
    experiments: &[known_experiment!("diskless/experiment.toml")],
    open: &[
        OpenClaim {
            text: "Olympics: the knee is near 1000 requests a second",
            section: "C §4, figure 7",
            missing: "Not judged yet: knees are not simulated.",
        },
        OpenClaim {
            text: "neither requests nor bytes a second alone are the limit: knees are at 5500 KB/s and 500 KB/s",
            section: "C §4, figures 10 and 11",
            missing: "Not judged yet: knees are not simulated.",
        },
        OpenClaim {
            text: "a higher ratio of peak to mean moves the knee down by a third",
            section: "C §4, figure 10",
            missing: "Not judged yet: knees are not simulated.",
        },
        OpenClaim {
            text: "without swap the diskless node runs out of memory at six times the load of Proxy",
            section: "C §4",
            missing: "Not judged yet: swap is not modelled.",
        },
    ],
    contradictions: &[
        Contradiction {
            passages: [
                "Proxy at 1x and 2x: both remote nodes are 25 % and 40 % slower at the 95th percentile (§8)",
                "table 2 has them 21 % and 43 % slower at 1x, and 33 % and 32 % faster at 2x",
            ],
            section: "C §8, table 2",
            why: "The two figures are those of NFS and of the diskless node at 1x, roughly.",
        },
        Contradiction {
            passages: [
                "Proxy over NFS at 3x and 4x is 52 % and 75 % slower (§8)",
                "table 2 has 52 % and 71 %",
            ],
            section: "C §8, table 2",
            why: "386.9 / 254.1 and 841.1 / 493.2.",
        },
        Contradiction {
            passages: [
                "NYSE at 32x is unacceptable with a local disk (§8)",
                "table 2 has a 95th percentile of 2.96 ms there",
            ],
            section: "C §8, table 2",
            why: "The line between acceptable and not is drawn at 500 ms.",
        },
        Contradiction {
            passages: [
                "The diskless Proxy has its knee at 500 KB/s (§4)",
                "table 2 has it break down between 2x and 3x, which is 237 to 355 KB/s; 473 KB/s is the knee over NFS",
            ],
            section: "C §4, table 2",
            why: "Bytes a second follow from table 1: 10172 MB in a day, times the scale.",
        },
        Contradiction {
            passages: [
                "Where remote files became unacceptably slow, local ones were too (abstract)",
                "Proxy at 3x takes 254 ms with a local disk and 20.4 s without any",
            ],
            section: "C abstract, table 2",
            why: "Both are 95th percentiles of table 2.",
        },
    ],
    ..EMPTY
};

/// Where the files are, and figures of the time.
const NODES: [&str; 3] = ["local", "nfs", "dsa"];
const FIGURES: [&str; 4] = ["mean", "p50", "p95", "p99"];

fn published() -> Vec<ReproducedCell> {
    let table = PublishedTable::of(include_str!("../published/diskless-table2.csv"));
    table.rows().flat_map(row).collect()
}

fn row(of: PublishedRow<'_>) -> Vec<ReproducedCell> {
    let name = format!("{} {}x", of.name(), of.text("scale"));
    let mut cells = Vec::new();
    for figure in FIGURES {
        for node in NODES {
            let published = of.figure(&format!("{node}_{figure}"));
            cells.extend(
                published
                    .map(|it| ReproducedCell::new(&name, format!("{figure} {node}"), Some(it))),
            );
        }
    }
    cells
}
