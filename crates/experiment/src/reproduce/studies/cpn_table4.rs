//! D table 4: what a production PVFS is asked.

use super::published_cells;
use crate::reproduce::plain_study::{EMPTY, PlainStudy};
use crate::reproduce::sources::known_experiment;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "cpn-table4",
    title: "What a production PVFS of 276 TB is asked, percent",
    section: "D table 4",
    notes: &["An input: experiments/local-write-pvfs-mix writes and reads in these shares"],
    published: || published_cells::of(include_str!("../published/cpn-table4.csv"), ""),
    experiments: &[known_experiment!("local-write-pvfs-mix/experiment.toml")],
    ..EMPTY
};
