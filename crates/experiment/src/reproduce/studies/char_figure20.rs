//! B figures 19 to 22: processors, how fast and how many.

use super::centres_of_b::{self, Centres, on_cluster, one_at_a_time, ratio};
use crate::reproduce::asked::{Asked, Layout, Popular};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::Centre;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{OpenClaim, open_claims};
use crate::reproduce::sources::Sources;

/// Throughput and response by processors.
pub(super) struct Figure20;

const SIZES: [(&str, u64); 2] = [("4K", 4 << 10), ("1M", 1 << 20)];
const CLUSTERS: [u8; 3] = [1, 2, 3];
/// Rows of the World Cup's workload.
const WORLD_CUP: &str = "World Cup";
/// Fast processors, few; and slow ones, many.
const FEW_FAST: u8 = 1;
const MANY_SLOW: u8 = 3;
/// Processors of cluster 3 that are used.
const PROCESSORS: [u8; 3] = [1, 2, 4];
/// Four processors get so many times as much done as one where throughput is linear.
const LINEAR: f64 = 3.2;
const PER_S: &str = "requests a second";
const RESPONSE: &str = "response of one at a time, µs";

const OPEN: [OpenClaim; 1] = [OpenClaim {
    text: "dynamic content keeps computing and reading interleaved for large pages too",
    section: "B §7.1, figure 20b",
    missing: "Not judged yet: answers of scripts are not modelled.",
}];

impl DocumentStudy for Figure20 {
    fn name(&self) -> &'static str {
        "char-figure20"
    }

    fn title(&self) -> &'static str {
        "Response and throughput by speed and number of processors, static content and the World Cup"
    }

    fn section(&self) -> &'static str {
        "B figures 19 to 22"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document only draws it",
            centres_of_b::SIMULATED,
            "The World Cup's files are those of 1 May 1998, as `hotset generate world-cup` has them. Clients that wait for answers follow no rates",
            "Of the World Cup, 640,000 requests that read a file are simulated from empty caches. The document does not say which days it took, nor whether answers without a file are among its requests",
            "Cluster 1 has two processors of 2.4 GHz in each node, cluster 2 two of 1 GHz, cluster 3 four of 700 MHz",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let mut rows: Vec<(String, &str, Centre)> = Vec::new();
        for size in SIZES {
            for cluster in CLUSTERS {
                let row = row(size.0, cluster);
                rows.push((row.clone(), PER_S, many(size, cluster)));
                rows.push((row, RESPONSE, one(size, cluster)));
            }
            for processors in PROCESSORS {
                let row = limited_row(size.0, processors);
                rows.push((row, PER_S, limited(size, processors)));
            }
        }
        let of_world_cup =
            CLUSTERS.map(|cluster| (row(WORLD_CUP, cluster), PER_S, world_cup(cluster)));
        rows.extend(of_world_cup);
        let centres: Vec<Centre> = rows.iter().map(|(.., centre)| centre.clone()).collect();
        let simulated = Centres::of(sources, &centres);
        let cells = rows.into_iter().filter_map(|(row, column, centre)| {
            let figure = match column {
                PER_S => simulated.per_s(&centre),
                _ => simulated.mean_us(&centre),
            };
            let cell = ReproducedCell::new(row, column, None);
            figure.map(|figure| cell.simulated(Some(figure)))
        });
        cells.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = vec![
            many_or_fast(
                cells,
                ("4K", MANY_SLOW, FEW_FAST),
                "small static files: many slow processors get more done than few fast ones",
            ),
            many_or_fast(
                cells,
                ("1M", FEW_FAST, MANY_SLOW),
                "large static files: few fast processors get more done than many slow ones",
            ),
            fastest_answers_sooner(cells),
            world_cup_does_as_files_do(cells),
            linear(cells),
        ];
        claims.extend(open_claims(&OPEN));
        claims
    }
}

fn row(size: &str, cluster: u8) -> String {
    format!("{size} on cluster {cluster}")
}

fn limited_row(size: &str, processors: u8) -> String {
    format!("{size} on {processors} of cluster 3's processors")
}

fn file(bytes: u64) -> Asked {
    Asked::OneFile {
        bytes,
        requests: 8000,
    }
}

fn many((size, bytes): (&str, u64), cluster: u8) -> Centre {
    on_cluster(&format!("file-{size}"), cluster, (Vec::new(), file(bytes)))
}

/// The World Cup's workload, with as many requests as in the document's experiments (B §3.2), from empty caches.
fn world_cup(cluster: u8) -> Centre {
    let asked = Asked::Site {
        of: Popular::WorldCup,
        on: Layout::One,
        requests: 640_000,
        warm_up_percent: 0,
    };
    on_cluster("world-cup", cluster, (Vec::new(), asked))
}

fn one((size, bytes): (&str, u64), cluster: u8) -> Centre {
    let asked = Asked::OneFile {
        bytes,
        requests: 200,
    };
    one_at_a_time(&format!("file-{size}"), (cluster, "IDE"), asked)
}

/// As many processors in each proxy and web server of cluster 3.
fn limited((size, bytes): (&str, u64), processors: u8) -> Centre {
    let nodes = [
        "proxy0", "proxy1", "proxy2", "proxy3", "web0", "web1", "web2",
    ];
    let set = nodes.map(|node| format!("node.{node}.cpus={processors}"));
    let name = format!("file-{size}-{processors}-processors");
    on_cluster(&name, MANY_SLOW, (set.to_vec(), file(bytes)))
}

fn simulated(cells: &[ReproducedCell], row: &str, column: &str) -> Option<f64> {
    let mut cells = cells.iter();
    cells
        .find(|cell| cell.row == row && cell.column == column)?
        .simulated
}

/// Whether one cluster gets more done than another.
fn many_or_fast(
    cells: &[ReproducedCell],
    (size, one, other): (&str, u8, u8),
    text: &str,
) -> DocumentClaim {
    let per_s = |cluster: u8| simulated(cells, &row(size, cluster), PER_S);
    let all = [per_s(1), per_s(2), per_s(3)];
    let more = ratio(per_s(one), per_s(other));
    let in_words: Vec<String> = all.iter().flatten().map(|it| format!("{it:.0}")).collect();
    DocumentClaim::new(
        text,
        "B §7.1, figure 20a",
        more.map(|more| more > 1.0),
        match more {
            None => "Not simulated.".to_owned(),
            Some(_) => format!(
                "Simulated with {size}: clusters 1 to 3 answer {} requests a second.",
                in_words.join(", ")
            ),
        },
    )
}

/// Whether cluster 1 answers sooner than both others. For small files all are equal (B §7.1), so that large ones decide.
fn fastest_answers_sooner(cells: &[ReproducedCell]) -> DocumentClaim {
    let response = |cluster: u8| simulated(cells, &row("1M", cluster), RESPONSE);
    let all: Option<Vec<f64>> = CLUSTERS.into_iter().map(response).collect();
    DocumentClaim::new(
        "with one request at a time the cluster with the fastest processors answers sooner than both others, but for small files",
        "B §7.1, figure 19a",
        all.as_ref()
            .map(|all| all[1..].iter().all(|other| all[0] < *other)),
        all.map_or_else(
            || "Not simulated.".to_owned(),
            |all| {
                let all: Vec<String> = all.iter().map(|us| format!("{us:.0} µs")).collect();
                format!("Simulated with 1M on clusters 1 to 3: {}.", all.join(", "))
            },
        ),
    )
}

/// How much more the many slow processors get done than the few fast ones.
fn lead_of_many(cells: &[ReproducedCell], of: &str) -> Option<f64> {
    let per_s = |cluster: u8| simulated(cells, &row(of, cluster), PER_S);
    ratio(per_s(MANY_SLOW), per_s(FEW_FAST))
}

/// Whether the World Cup's workload prefers the same processors as files of 4K. Of the sizes here, that is the nearest to the 8 KB that it asks for in the mean.
fn world_cup_does_as_files_do(cells: &[ReproducedCell]) -> DocumentClaim {
    let lead = |of: &str| lead_of_many(cells, of);
    let leads = lead(WORLD_CUP).zip(lead("4K")).zip(lead("1M"));
    DocumentClaim::new(
        "the World Cup workload does as static files do",
        "B §7.1, figure 22",
        leads.map(|((world_cup, small), _)| (world_cup > 1.0) == (small > 1.0)),
        leads.map_or_else(
            || "Not simulated.".to_owned(),
            |((world_cup, small), large)| {
                format!("Simulated: many slow processors answer {world_cup:.2} times as many requests as few fast ones. For files of 4K it is {small:.2} times, and for 1M {large:.2} times. Its requests are for 8 KB in the mean, so files of 4K decide.")
            },
        ),
    )
}

fn linear(cells: &[ReproducedCell]) -> DocumentClaim {
    let speedup = |size: &str| {
        let per_s = |processors: u8| simulated(cells, &limited_row(size, processors), PER_S);
        ratio(per_s(4), per_s(1))
    };
    let both = speedup("4K").zip(speedup("1M"));
    DocumentClaim::new(
        "throughput of small files grows linearly with the number of processors, that of large ones does not",
        "B §7.2, figure 21a",
        both.map(|(small, large)| small >= LINEAR && large < LINEAR),
        both.map_or_else(
            || "Not simulated.".to_owned(),
            |(small, large)| {
                format!("Simulated on cluster 3: four processors answer {small:.2} times as many requests for 4K as one does, and {large:.2} times as many for 1M.")
            },
        ),
    )
}
