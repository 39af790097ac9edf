//! B table 1: bandwidth of file systems.

use super::published_cells;
use crate::reproduce::plain_study::{Contradiction, EMPTY, OpenClaim, PlainStudy};

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "char-table1",
    title: "Sequential bandwidth of file systems, MB/s",
    section: "B table 1",
    notes: &["Not simulated yet: the documents' machines have no profile"],
    published: || published_cells::of(include_str!("../published/char-table1.csv"), ""),
    open: &[
        OpenClaim {
            text: "PVFS reads as fast as three disks once the buffer spans three stripes",
            section: "B §4.1, figure 3a",
            missing: "Not judged yet: PVFS is not modelled.",
        },
        OpenClaim {
            text: "reading and writing beats sendfile on PVFS",
            section: "B §4.2, figure 4b",
            missing: "Not judged yet: PVFS is not modelled. Local file systems are in experiments/local-read-sendfile.",
        },
    ],
    contradictions: &[
        Contradiction {
            passages: [
                "The IDE disk reads 39 MB/s (table 1)",
                "the IDE disk reads 35 MB/s (table 3)",
            ],
            section: "B tables 1 and 3",
            why: "A profile of the disk fits one of them: 11 % lie between.",
        },
        Contradiction {
            passages: [
                "ramfs writes 800 MB/s (table 1)",
                "ramfs writes 91 MB/s (text of figure 3)",
            ],
            section: "B table 1, §4.1",
            why: "The same text calls the bandwidth of ramfs very high; 91 is no faster than PVFS.",
        },
    ],
    ..EMPTY
};
