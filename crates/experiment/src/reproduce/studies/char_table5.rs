//! B table 5: what a byte costs the network stack.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};
use crate::reproduce::published_table::PublishedTable;

const MISSING: &str = "Not judged yet: network stacks are not modelled by the byte.";

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "char-table5",
    title: "What 1 KB costs a network stack, by operation, µs",
    section: "B table 5",
    notes: &["Not simulated yet: network stacks are not modelled by the byte"],
    published,
    open: &[
        OpenClaim {
            text: "checksum offload gains up to 15 % end to end with messages of 16 KB",
            section: "B §6.3.1, figure 17b",
            missing: MISSING,
        },
        OpenClaim {
            text: "checksum offload gains hardly anything in a micro-benchmark, as copying then misses the cache",
            section: "B §6.3.1, figure 16",
            missing: MISSING,
        },
        OpenClaim {
            text: "TCP offload pays only where most of it is in hardware",
            section: "B §6.3.2, figure 18",
            missing: MISSING,
        },
    ],
    ..EMPTY
};

fn published() -> Vec<ReproducedCell> {
    let table = PublishedTable::of(include_str!("../published/char-table5.csv"));
    let mut cells = Vec::new();
    for row in table.rows() {
        let name = format!("{}: {}", row.name(), row.text("operation"));
        let figures = row.figures(2);
        cells.extend(
            figures.map(|(header, figure)| ReproducedCell::new(&name, header, Some(figure))),
        );
    }
    cells
}
