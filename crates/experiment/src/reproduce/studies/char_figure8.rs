//! B figures 8 and 9: disks by file size and by hits.

use crate::reproduce::plain_study::{EMPTY, PlainStudy};
use crate::reproduce::sources::known_experiment;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "char-figure8",
    title: "Response by disk system, file size and share of hits",
    section: "B figures 8 and 9",
    notes: &["The document only draws it"],
    experiments: &[known_experiment!("disks/files.toml")],
    ..EMPTY
};
