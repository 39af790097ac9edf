//! D table 2 and figures 13, 14 and 30: copying between kernel and user space.

use super::published_cells;
use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};
use crate::reproduce::sources::known_experiment;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "cpn-table2",
    title: "Block size from which copying is slower, by size of the second-level cache, KB",
    section: "D table 2",
    notes: &[
        "An input of the net `ext3-read`. What copying takes here is in experiments/local-read-copy-threshold",
    ],
    published: || published_cells::of(include_str!("../published/cpn-table2.csv"), "L2 of KB: "),
    experiments: &[known_experiment!(
        "local-read-copy-threshold/experiment.toml"
    )],
    open: &[OpenClaim {
        text: "copying a block is slower from about an eighth of the second-level cache on",
        section: "D §3.2.3, table 2",
        missing: "Not judged here: experiments/local-read-copy-threshold lays the measurement beside the model.",
    }],
    ..EMPTY
};
