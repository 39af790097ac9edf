//! A figure 7: throughput of the classes by file system.

use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};
use crate::reproduce::sources::known_experiment;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-figure7",
    title: "Throughput of classes 0 to 4, and of TPC-W's browsing mix, by file system",
    section: "A figure 7, B figure 6",
    notes: &[
        "The document only draws it. GlusterFS stands for PVFS, and ext4 for ext3",
        "What built-in profiles of the documents' file systems come to is in experiments/file-system-choice",
    ],
    experiments: &[
        known_experiment!("served-classes/classes.toml"),
        known_experiment!("served-classes/shuffled.toml"),
    ],
    open: &[OpenClaim {
        text: "dynamic content: PVFS well below the local file systems, Lustre like them",
        section: "A §4.2, figure 7b",
        missing: "Not judged yet: databases are not modelled.",
    }],
    ..EMPTY
};
