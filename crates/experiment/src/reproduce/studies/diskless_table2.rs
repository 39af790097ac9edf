//! C table 2: time to first byte, by where a web server's files are.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::drawing::Drawing;
use crate::reproduce::plain_study::{Contradiction, OpenClaim, PlainStudy};
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
    drawings,
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
};

/// Where the files are, and figures of the time.
const NODES: [&str; 3] = ["local", "nfs", "dsa"];
const FIGURES: [&str; 4] = ["mean", "p50", "p95", "p99"];

/// Workloads, and their figures in the document.
const DRAWN: [(&str, &str); 3] = [
    ("olympics98", "Figure 7: Olympics"),
    ("nyse", "Figure 8: NYSE"),
    ("proxy", "Figure 9: Proxy"),
];
/// What is drawn of the times.
const P95: &str = "p95";
const US_PER_MS: f64 = 1e3;

fn table() -> PublishedTable {
    PublishedTable::of(include_str!("../published/diskless-table2.csv"))
}

fn published() -> Vec<ReproducedCell> {
    table().rows().flat_map(row).collect()
}

/// Name of a row: workload and scale.
fn name(of: PublishedRow<'_>) -> String {
    format!("{} {}x", of.name(), of.text("scale"))
}

/// The 95th percentile by the rate of requests, for each workload.
fn drawings(cells: &[ReproducedCell]) -> Vec<Drawing> {
    let drawing = |(workload, title): (&str, &'static str)| Drawing {
        title,
        description: "The 95th percentile of the times to the first byte. The document takes 500 ms for the bound of what is acceptable.",
        x: "requests a second",
        y: "first byte, 95th percentile",
        has_times: true,
        lines: lines(workload, cells),
    };
    DRAWN.into_iter().map(drawing).collect()
}

/// A line for each place of the files: published, and ours where it is known.
fn lines(workload: &str, cells: &[ReproducedCell]) -> Vec<(String, Vec<(f64, f64)>)> {
    let table = table();
    let points = |node: &str, figure: fn(&ReproducedCell) -> Option<f64>| {
        let column = format!("{P95} {node}");
        let rows = table.rows().filter(|row| row.name() == workload);
        let points = rows.filter_map(|row| {
            let name = name(row);
            let mut cells = cells.iter();
            let cell = cells.find(|cell| cell.row == name && cell.column == column)?;
            Some((row.figure("rate_rps")?, figure(cell)? * US_PER_MS))
        });
        points.collect::<Vec<(f64, f64)>>()
    };
    let mut lines = Vec::new();
    for node in NODES {
        lines.push((
            format!("{node}, published"),
            points(node, |cell| cell.published),
        ));
        lines.push((
            format!("{node}, simulated"),
            points(node, |cell| cell.simulated),
        ));
        lines.push((
            format!("{node}, measured here"),
            points(node, |cell| cell.measured),
        ));
    }
    lines.retain(|(_, points)| !points.is_empty());
    lines
}

fn row(of: PublishedRow<'_>) -> Vec<ReproducedCell> {
    let name = name(of);
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
