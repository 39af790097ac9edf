//! B figures 11 and 12: disks file by file.

use crate::reproduce::plain_study::{EMPTY, PlainStudy};
use crate::reproduce::sources::known_experiment;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "char-figure11",
    title: "First accesses by disk system and class",
    section: "B figures 11 and 12",
    notes: &["The document only draws it"],
    experiments: &[known_experiment!("disks/cold.toml")],
    ..EMPTY
};
