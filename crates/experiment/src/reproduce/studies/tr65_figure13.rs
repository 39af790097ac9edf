//! A figure 13: the same for RUBiS and RUBBoS.

use super::published_cells::at_most;
use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};

const MISSING: &str = "Not judged yet: databases are not modelled.";

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-figure13",
    title: "Gain of RUBiS and RUBBoS by files in a memory file system, percent",
    section: "A figure 13",
    notes: &["Not simulated yet: databases are not modelled"],
    published: || {
        vec![
            at_most("RUBiS beside TPC-W class 3, at most", "ramfs", 8.0),
            at_most("RUBBoS beside TPC-W class 3, at most", "ramfs", 3.0),
        ]
    },
    open: &[
        OpenClaim {
            text: "RUBiS gains up to 8 % beside TPC-W class 3",
            section: "A §4.5, figure 13",
            missing: MISSING,
        },
        OpenClaim {
            text: "RUBBoS gains up to 3 % beside TPC-W class 3",
            section: "A §4.5, figure 13",
            missing: MISSING,
        },
    ],
    ..EMPTY
};
