//! A figures 11b and 12: hot tables of a database in a memory file system.

use super::published_cells::at_most;
use crate::reproduce::plain_study::{Contradiction, EMPTY, OpenClaim, PlainStudy};

const MISSING: &str = "Not judged yet: databases are not modelled.";

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-figure12",
    title: "Gain of TPC-W sites by hot tables in a memory file system, percent",
    section: "A figures 11b and 12",
    notes: &["Not simulated yet: databases are not modelled"],
    published: || {
        vec![at_most(
            "browsing beside TPC-W class 3, at most",
            "ramfs",
            40.0,
        )]
    },
    open: &[
        OpenClaim {
            text: "browsing gains up to 40 % beside TPC-W class 3",
            section: "A §4.5, figure 11b",
            missing: MISSING,
        },
        OpenClaim {
            text: "shopping and ordering gain less than browsing",
            section: "A §4.5, figure 12",
            missing: MISSING,
        },
    ],
    contradictions: &[Contradiction {
        passages: ["Dynamic content gains up to 40 %", "the slides have 41 %"],
        section: "A §4.5, slides",
        why: "Rounding may be the cause; the figure is only drawn.",
    }],
    ..EMPTY
};
