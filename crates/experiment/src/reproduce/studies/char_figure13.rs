//! B table 4 and figure 13: how files are laid over disks.

use crate::reproduce::plain_study::{EMPTY, PlainStudy};
use crate::reproduce::sources::known_experiment;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "char-figure13",
    title: "Response by how files are laid over disks: single, random, popularity, size, RAID",
    section: "B table 4, figure 13",
    notes: &["The document only draws it"],
    experiments: &[known_experiment!("disk-layout/experiment.toml")],
    ..EMPTY
};
