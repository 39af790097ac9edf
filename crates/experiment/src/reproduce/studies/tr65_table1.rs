//! A table 1: the interactions of TPC-W.

use super::published_cells;
use crate::reproduce::plain_study::{EMPTY, PlainStudy};

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-table1",
    title: "TPC-W's interactions by mix, percent",
    section: "A table 1",
    notes: &["An input of the documents' dynamic workloads, which are not simulated yet"],
    published: || published_cells::of(include_str!("../published/tr65-table1.csv"), ""),
    ..EMPTY
};
