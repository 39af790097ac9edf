//! D figures 55 to 70: PVFS with one client to eight.

use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};

const MISSING: &str = "Not judged yet: PVFS is not modelled.";

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "cpn-figure55",
    title: "Throughput of PVFS with one client to eight, simulated and measured",
    section: "D figures 55 to 70",
    notes: &["The document only draws its errors, and PVFS is not modelled yet"],
    open: &[
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
    ],
    ..EMPTY
};
