//! A table 3: the classes of static workloads.

use super::published_cells;
use crate::reproduce::plain_study::{Contradiction, EMPTY, PlainStudy};

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-table3",
    title: "The classes of static workloads: file sizes, bytes of all files, Zipf exponent",
    section: "A table 3, B table 2",
    notes: &[
        "An input: `hotset generate zipf --class` makes these workloads",
        "The popular files of all classes are small (A §4.2, §4.4, §4.5; B §4.3, §4.4)",
    ],
    published: || published_cells::of(include_str!("../published/tr65-table3.csv"), "class "),
    contradictions: &[Contradiction {
        passages: [
            "Servers have 512 MB of memory and clients 2 GB",
            "the slides give the nodes with 2 GB as cluster 1, which has the servers in the paper",
        ],
        section: "A §4, slides",
        why: "The experiments here take 512 MB, with which classes 3 and 4 do not fit as the text says.",
    }],
    ..EMPTY
};
