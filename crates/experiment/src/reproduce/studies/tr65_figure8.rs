//! A figure 8: throughput of TPC-W's other mixes.

use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-figure8",
    title: "Throughput of TPC-W's shopping and ordering mixes by file system",
    section: "A figure 8",
    notes: &["The document only draws it, and databases are not modelled yet"],
    open: &[OpenClaim {
        text: "throughput falls from browsing to shopping to ordering, as there are more updates",
        section: "A §4.2, figure 8",
        missing: "Not judged yet: databases are not modelled.",
    }],
    ..EMPTY
};
