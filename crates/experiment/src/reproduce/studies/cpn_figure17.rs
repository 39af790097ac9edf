//! D figures 17 and 18: throughput of PVFS by file size and block size.

use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "cpn-figure17",
    title: "Throughput of PVFS by file size and block size",
    section: "D figures 17 and 18",
    notes: &["The document only draws it, and PVFS is not modelled yet"],
    open: &[OpenClaim {
        text: "writes peak only from files of 2 MB on",
        section: "D §3.9, figure 18",
        missing: "Not judged yet: PVFS is not modelled.",
    }],
    ..EMPTY
};
