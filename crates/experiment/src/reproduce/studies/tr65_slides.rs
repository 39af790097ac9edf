//! The slides' table: which file system suits which workload.

use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-slides",
    title: "Which file system suits which workload",
    section: "A slides",
    notes: &[
        "The document has words and no figures",
        "The choice of hotset for the documents' workloads is in experiments/file-system-choice; its table is not read here yet",
    ],
    open: &[
        OpenClaim {
            text: "ext3, ramfs and Lustre make the least network traffic, PVFS more",
            section: "A slides, characterisation",
            missing: "Not judged yet.",
        },
        OpenClaim {
            text: "PVFS and Lustre use the memory of several nodes, ext3 and ramfs that of one",
            section: "A slides, characterisation",
            missing: "Not judged yet.",
        },
        OpenClaim {
            text: "ext3, PVFS and Lustre suffer from polluted caches, ramfs does not",
            section: "A slides, characterisation",
            missing: "Not judged yet.",
        },
        OpenClaim {
            text: "memory and a local file system suit workloads with much locality",
            section: "A slides",
            missing: "Not judged yet: the table of experiments/file-system-choice is not read here.",
        },
        OpenClaim {
            text: "memory and a network file system suit workloads with little locality",
            section: "A slides",
            missing: "Not judged yet: the table of experiments/file-system-choice is not read here.",
        },
    ],
    ..EMPTY
};
