//! C table 2: time to first byte, by where a web server's files are.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::drawing::Drawing;
use crate::reproduce::ordering::Orderings;
use crate::reproduce::plain_study::{Contradiction, EMPTY, PlainStudy};
use crate::reproduce::published_table::{PublishedRow, PublishedTable};
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

use super::diskless::{Placed, SETTINGS, WITH_SWAP, placed};
use super::diskless_knees::{Knees, NOT_SIMULATED};

/// The table.
pub(super) struct Table2;

/// What is measured of it, and what contradicts each other in it.
const PARTS: PlainStudy = PlainStudy {
    experiments: &[known_experiment!("diskless/experiment.toml")],
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
                "table 2 has it break down between 2x and 3x, which is 235 to 353 KB/s; 471 KB/s is the knee over NFS",
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

impl DocumentStudy for Table2 {
    fn name(&self) -> &'static str {
        "diskless-table2"
    }

    fn title(&self) -> &'static str {
        "Time to first byte by load and by where the files are, ms"
    }

    fn section(&self) -> &'static str {
        "C table 2"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Simulated from experiments/diskless-simulated: twins of two to four hours on the document's machines, with that share of their memory",
            "local: on a disk; nfs: content over NFS; dsa: all files over NFS, without swap",
            "Twins' times are cut to seconds and spread again by the document's rule; requests come at these times however slow answers are, and answers after the last request do not count",
            "A process of Apache stays with a connection, and answers its requests one after the other: until the client has the last of them, for 15 s without one, or for 100 requests",
            "The export is asynchronous: a WRITE waits for no disk. Each open asks for attributes, which kernels of version 2.4 took to hold for some seconds",
            "Costs of the processor are assumed, and Apache's is chosen by the knee of Olympics. Folders, local logs, times of access in inodes and the time of swapping are not simulated",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        PARTS.experiments.to_vec()
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let simulated = simulated(sources);
        let table = table();
        let rows = table.rows();
        rows.flat_map(|of| row(of, &simulated)).collect()
    }

    fn orderings(&self, cells: &[ReproducedCell]) -> Orderings {
        let slow = cells.iter().filter(|cell| cell.column.starts_with(P95));
        let slow: Vec<ReproducedCell> = slow.cloned().collect();
        Orderings::of_columns(&slow)
    }

    fn drawings(&self, cells: &[ReproducedCell]) -> Vec<Drawing> {
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

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = PARTS.claims(cells, sources);
        for claim in claims.iter_mut().filter(|it| it.is_contradiction()) {
            claim.why.push_str(&what_models_say(&claim.text, cells));
        }
        let knees = Knees {
            table: &table(),
            cells,
        };
        let simulated = simulated(sources);
        claims.extend(knees.claims());
        claims.push(peaks(&simulated));
        claims.push(out_of_memory(&simulated));
        claims
    }
}

/// Cells that each contradiction is about, by how its first passage begins: rows, and the places of the files.
const ABOUT: [(&str, &[&str], &[&str]); 5] = [
    ("Proxy at 1x", &["proxy 1x", "proxy 2x"], &NODES),
    (
        "Proxy over NFS",
        &["proxy 3x", "proxy 4x"],
        &["local", "nfs"],
    ),
    ("NYSE at 32x", &["nyse 32x"], &["local"]),
    ("The diskless Proxy", &["proxy 2x", "proxy 3x"], &["dsa"]),
    ("Where remote files", &["proxy 3x"], &["local", "dsa"]),
];

/// What is simulated of a contradiction, in a sentence after a space; nothing where a cell of it is not simulated.
fn what_models_say(text: &str, cells: &[ReproducedCell]) -> String {
    let about = ABOUT.iter().find(|(begins, ..)| text.starts_with(begins));
    let Some((_, rows, nodes)) = about else {
        return String::new();
    };
    let mut said = Vec::new();
    for row in *rows {
        for node in *nodes {
            let column = format!("{P95} {node}");
            let mut cells = cells.iter();
            let cell = cells.find(|cell| cell.row == *row && cell.column == column);
            let Some(ms) = cell.and_then(|cell| cell.simulated) else {
                return String::new();
            };
            said.push(format!("{row} {node} {ms:.2} ms"));
        }
    }
    format!(" Simulated 95th percentiles: {}.", said.join(", "))
}

fn simulated(sources: &Sources) -> Vec<Placed> {
    let simulated = sources.simulated("diskless-table2", SETTINGS, placed);
    simulated.unwrap_or_default()
}

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

/// Name of a row: workload and scale.
fn name(of: PublishedRow<'_>) -> String {
    format!("{} {}x", of.name(), of.text("scale"))
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

/// The row of a workload and a scale, with what is simulated of it.
fn row(of: PublishedRow<'_>, simulated: &[Placed]) -> Vec<ReproducedCell> {
    let name = name(of);
    let ours = |node: &str, figure: usize| {
        let mut placed = simulated.iter();
        let found = placed.find(|it| it.name() == name && it.node == node)?;
        found.first_byte_ms[figure]
    };
    let mut cells = Vec::new();
    for (number, figure) in FIGURES.into_iter().enumerate() {
        for node in NODES {
            let Some(published) = of.figure(&format!("{node}_{figure}")) else {
                continue;
            };
            let cell = ReproducedCell::new(&name, format!("{figure} {node}"), Some(published));
            cells.push(cell.simulated(ours(node, number)));
        }
    }
    cells
}

/// Peaks of a minute and means of the workloads, requests a second (table 1).
const PEAKS: [(&str, f64, f64); 2] = [("olympics98", 171.0, 97.0), ("nyse", 46.0, 16.0)];

/// Whether a higher ratio of peak to mean moves the knee down: the rate in the mean at which the busiest minute takes all of the processor.
fn peaks(simulated: &[Placed]) -> DocumentClaim {
    let knee = |(workload, peak, mean): (&str, f64, f64)| {
        let local = simulated.iter().filter(|it| it.node == "local");
        let of = local.filter(|it| it.workload == workload && it.processor > 0.0);
        let first = of.min_by_key(|it| it.scale)?;
        Some(first.per_s / first.processor * mean / peak)
    };
    let [olympics, nyse] = PEAKS.map(knee);
    let both = olympics.zip(nyse);
    DocumentClaim::new(
        "a higher ratio of peak to mean moves the knee down by a third",
        "C §4, figure 10",
        both.map(|(olympics, nyse)| (0.5..0.85).contains(&(nyse / olympics))),
        both.map_or_else(
            || NOT_SIMULATED.to_owned(),
            |(olympics, nyse)| {
                format!(
                    "Simulated: the busiest minute fills the local node's processor at {olympics:.0} requests a second of Olympics in the mean, and at \
                     {nyse:.0} of NYSE."
                )
            },
        ),
    )
}

/// Whether the diskless node runs out of memory, and what swap changes.
fn out_of_memory(simulated: &[Placed]) -> DocumentClaim {
    let of = |node: &str| {
        let proxy = simulated.iter().filter(|it| it.workload == "proxy");
        proxy.filter(|it| it.node == node).max_by_key(|it| it.scale)
    };
    let diskless = of("dsa").filter(|it| it.scale == 6);
    let with_swap = of(WITH_SWAP);
    let why = diskless.zip(with_swap).map(|(without, with)| {
        let p95 = |of: &Placed| of.first_byte_ms[2].unwrap_or_default();
        format!(
            "Simulated: {} workers at most; memory runs out {} times without swap and {} times with 1 GiB of it. The 95th percentile is {:.0} and {:.0} ms.",
            without.most_workers,
            without.shortages,
            with.shortages,
            p95(without),
            p95(with)
        )
    });
    DocumentClaim::new(
        "without swap the diskless node runs out of memory at six times the load of Proxy",
        "C §4",
        diskless.map(|it| it.shortages > 0),
        why.unwrap_or_else(|| NOT_SIMULATED.to_owned()),
    )
}
