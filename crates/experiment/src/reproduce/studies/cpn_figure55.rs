//! D figures 55 to 70: PVFS with one client to eight.

use super::benches::{self, job, mb_per_s, on_pvfs};
use crate::reproduce::bench::Bench;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{OpenClaim, open_claims};
use crate::reproduce::sources::Sources;

/// Throughput by clients.
pub(super) struct Figure55;

const OPERATIONS: [&str; 2] = ["read", "write"];
const BLOCKS: [&str; 4] = ["4k", "64k", "1m", "16m"];
const CLIENTS: [usize; 4] = [1, 2, 4, 8];
/// Of each client.
const FILE: &str = "64m";

const MISSING: &str = "Not judged: the document draws what it measured, without numbers, so that nothing is there to hold a simulation to. `cpn-orangefs` has hotset's errors beside OrangeFS.";
const OPEN: [OpenClaim; 3] = [
    OpenClaim {
        text: "reads: within 20 % up to six clients, but for the largest blocks, and too low",
        section: "D ch. 7",
        missing: MISSING,
    },
    OpenClaim {
        text: "writes: too high with small blocks and too low with large ones, more so from four clients on",
        section: "D ch. 7",
        missing: MISSING,
    },
    OpenClaim {
        text: "simulated clients stay together, while measured ones spread from four clients on",
        section: "D p. 123, 133",
        missing: MISSING,
    },
];

impl DocumentStudy for Figure55 {
    fn name(&self) -> &'static str {
        "cpn-figure55"
    }

    fn title(&self) -> &'static str {
        "Throughput of PVFS with one client to eight, MB/s of all together"
    }

    fn section(&self) -> &'static str {
        "D figures 55 to 70"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document only draws its figures",
            benches::SIMULATED,
            "Files of 64 MB are in the servers' memory. `walked buffers` cost a server the more the more they hold, as the document wants them next",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let mut places = Vec::new();
        for operation in OPERATIONS {
            for block in BLOCKS {
                for clients in CLIENTS {
                    places.push((operation, block, (clients, false)));
                }
                places.push((operation, block, (CLIENTS[3], true)));
            }
        }
        let benches: Vec<Bench> = places.iter().map(|&place| bench(place)).collect();
        let figures = sources.benches(&benches);
        let cells = places.into_iter().zip(&benches);
        let cells = cells.filter_map(|((operation, block, clients), bench)| {
            let simulated = mb_per_s(&figures, &bench.name, "job")?;
            let cell = ReproducedCell::new(row(operation, block), column(clients), None);
            Some(cell.simulated(Some(simulated)))
        });
        cells.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims: Vec<DocumentClaim> = open_claims(&OPEN).collect();
        claims.push(walked_buffers(cells));
        claims
    }
}

fn bench((operation, block, clients): (&str, &str, (usize, bool))) -> Bench {
    let (_, is_walked) = clients;
    let buffers = match is_walked {
        true => "-walked",
        false => "",
    };
    let name = format!("{operation}-{block}{buffers}");
    on_pvfs(&name, clients, job(operation, FILE, block))
}

fn row(operation: &str, block: &str) -> String {
    format!("{operation} blocks of {block}")
}

fn column((clients, is_walked): (usize, bool)) -> String {
    match (clients, is_walked) {
        (1, _) => "1 client".to_owned(),
        (clients, false) => format!("{clients} clients"),
        (clients, true) => format!("{clients} clients, walked buffers"),
    }
}

/// Whether buffers that cost the same whatever they hold make writes of many clients too fast.
fn walked_buffers(cells: &[ReproducedCell]) -> DocumentClaim {
    let simulated = |is_walked: bool| -> Option<Vec<f64>> {
        let of_block = |block: &str| {
            let (row, column) = (row("write", block), column((CLIENTS[3], is_walked)));
            let mut cells = cells.iter();
            let cell = cells.find(|cell| cell.row == row && cell.column == column);
            cell?.simulated
        };
        BLOCKS.into_iter().map(of_block).collect()
    };
    let both = simulated(false).zip(simulated(true));
    let ratios = both.map(|(constant, walked)| {
        let pairs = constant.iter().zip(&walked);
        pairs
            .map(|(constant, walked)| walked / constant)
            .collect::<Vec<f64>>()
    });
    DocumentClaim::new(
        "receive buffers of constant cost are a cause of the errors of writes with many clients",
        "D ch. 7",
        ratios
            .as_ref()
            .map(|ratios| ratios.iter().any(|ratio| (ratio - 1.0).abs() > 0.05)),
        ratios.map_or_else(
            || "Not simulated.".to_owned(),
            |ratios| {
                let ratios: Vec<String> = ratios.iter().map(|it| format!("{it:.2}")).collect();
                format!(
                    "Simulated with eight clients: buffers that are walked get {} times as much done, by blocks of {}.",
                    ratios.join(", "),
                    BLOCKS.join(", ")
                )
            },
        ),
    )
}
