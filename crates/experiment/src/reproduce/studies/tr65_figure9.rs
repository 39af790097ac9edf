//! A figure 9: throughput by Zipf exponent, at 4 GB of files.

use crate::reproduce::plain_study::{Contradiction, EMPTY, PlainStudy};
use crate::reproduce::sources::known_experiment;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-figure9",
    title: "Throughput by Zipf exponent with 4 GB of files, local and network file system",
    section: "A figure 9",
    notes: &[
        "The document only draws it. GlusterFS stands for PVFS, and ext4 for ext3",
        "Two claims of the experiment are the two directions: at most one of them can hold",
    ],
    experiments: &[known_experiment!("served-classes/alphas.toml")],
    contradictions: &[Contradiction {
        passages: [
            "As the exponent rises the popular files grow, and PVFS gets ahead (§4.3)",
            "a higher exponent means more locality, so that fewer files are popular (§3.1)",
        ],
        section: "A §4.3, §3.1",
        why: "§3.1 is Zipf's law. The claims of figure 9 say which direction the measurement takes.",
    }],
    ..EMPTY
};
