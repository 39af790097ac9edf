//! B figures 19 to 22: processors, how fast and how many.

use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};

const MISSING: &str = "Not judged yet: the documents' machines have no profile.";

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "char-figure20",
    title: "Response and throughput by speed and number of processors, static and dynamic",
    section: "B figures 19 to 22",
    notes: &["The document only draws it, and its World Cup workload has no twin yet"],
    open: &[
        OpenClaim {
            text: "small static files: many slow processors get more done than few fast ones",
            section: "B §7.1, figure 20a",
            missing: MISSING,
        },
        OpenClaim {
            text: "large static files: few fast processors get more done than many slow ones",
            section: "B §7.1, figure 20a",
            missing: MISSING,
        },
        OpenClaim {
            text: "with one request at a time the faster processor answers sooner",
            section: "B §7.1, figure 19a",
            missing: MISSING,
        },
        OpenClaim {
            text: "throughput of small files grows linearly with the number of processors, that of large ones does not",
            section: "B §7.2, figure 21a",
            missing: MISSING,
        },
        OpenClaim {
            text: "dynamic content keeps computing and reading interleaved for large pages too",
            section: "B §7.1, figure 20b",
            missing: MISSING,
        },
        OpenClaim {
            text: "the World Cup workload does as static files do",
            section: "B §7.1, figure 22",
            missing: "Not judged yet: there is no twin of it.",
        },
    ],
    ..EMPTY
};
