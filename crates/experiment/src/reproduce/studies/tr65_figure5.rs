//! A figure 5: packets by file system and workload.

use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};

const MISSING: &str = "Not judged yet: packets of served classes are not counted by store.";

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-figure5",
    title: "Packets sent and received by file system, static and dynamic content",
    section: "A figure 5",
    notes: &["The document only draws it, and nothing here counts it yet"],
    open: &[
        OpenClaim {
            text: "traffic of PVFS grows with the data that is served",
            section: "A §4.2, figure 5a",
            missing: MISSING,
        },
        OpenClaim {
            text: "traffic of Lustre is close to that of a local file system, as its client caches",
            section: "A §4.2, figure 5a",
            missing: MISSING,
        },
        OpenClaim {
            text: "traffic of dynamic content does not grow with the data",
            section: "A §4.2, figure 5b",
            missing: "Not judged yet: databases are not modelled.",
        },
    ],
    ..EMPTY
};
