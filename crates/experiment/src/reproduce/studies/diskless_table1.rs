//! C table 1: the production workloads.

use super::published_cells;
use crate::reproduce::plain_study::{EMPTY, PlainStudy};

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "diskless-table1",
    title: "The workloads of one day: Olympics, NYSE and a proxy",
    section: "C table 1",
    notes: &[
        "An input: `hotset generate twin` makes workloads that measure as these do",
        "The logs themselves are not public",
    ],
    published: || published_cells::of(include_str!("../published/diskless-table1.csv"), ""),
    ..EMPTY
};
