//! A figure 6: how fast data is read, over time.

use super::published_cells::at_most;
use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "tr65-figure6",
    title: "How fast the data of classes is read over the network, MB/s",
    section: "A figure 6",
    notes: &["Not simulated yet: rates of reading by store are not kept over time"],
    published: || {
        vec![
            at_most("classes 3 and 4", "data read", 40.0),
            at_most("IPoIB", "bandwidth", 200.0),
        ]
    },
    open: &[
        OpenClaim {
            text: "classes 0 to 2 hardly read the disk, class 3 does, and class 4 far more",
            section: "A §4.2, figure 6a",
            missing: "Not judged yet.",
        },
        OpenClaim {
            text: "data is read at about 40 MB/s, less than a quarter of what the network passes",
            section: "A §4.2, figure 6a",
            missing: "Not judged yet.",
        },
        OpenClaim {
            text: "dynamic content reads and writes in bursts of little data",
            section: "A §4.2, figure 6b",
            missing: "Not judged yet: databases are not modelled.",
        },
    ],
    ..EMPTY
};
