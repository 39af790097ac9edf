//! A figure 8: throughput of TPC-W's other mixes.

use crate::reproduce::plain_study::{Contradiction, EMPTY, OpenClaim, PlainStudy};

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
    contradictions: &[Contradiction {
        passages: [
            "Figures 8a and 8b show the shopping and the browsing mix (§4.2)",
            "their captions are the shopping and the ordering mix",
        ],
        section: "A §4.2, figure 8",
        why: "Figure 7b has the browsing mix, so the captions are right.",
    }],
    ..EMPTY
};
