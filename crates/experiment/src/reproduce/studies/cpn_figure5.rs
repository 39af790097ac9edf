//! D figures 5 to 12: throughput by file size, block size, memory, dirty ratio and hardware.

use crate::reproduce::plain_study::{EMPTY, OpenClaim, PlainStudy};
use crate::reproduce::sources::known_experiment;

pub(super) static STUDY: PlainStudy = PlainStudy {
    name: "cpn-figure5",
    title: "Throughput by file size and block size, memory, dirty ratio and hardware",
    section: "D figures 5 to 12",
    notes: &["The document only draws it"],
    experiments: &[
        known_experiment!("local-read-surface/experiment.toml"),
        known_experiment!("local-write-surface/experiment.toml"),
        known_experiment!("local-read-memory-cliff/experiment.toml"),
        known_experiment!("local-write-memory-cliff/experiment.toml"),
        known_experiment!("local-read-devices/experiment.toml"),
        known_experiment!("local-read-sensitivity/experiment.toml"),
        known_experiment!("local-write-sensitivity/experiment.toml"),
    ],
    open: &[
        OpenClaim {
            text: "throughput falls steeply where files outgrow memory",
            section: "D §3.3, figure 9",
            missing: "Not judged here: experiments/local-read-memory-cliff lays the measurement beside the model.",
        },
        OpenClaim {
            text: "throughput of writes falls where files outgrow the dirty ratio",
            section: "D §3.4, figure 10",
            missing: "Not judged here: experiments/local-write-dirty-limit has no results yet.",
        },
        OpenClaim {
            text: "the file system hides the hardware: a disk, RAID-0 and a SAN are alike while files fit in memory",
            section: "D §3.5, figures 11 and 12",
            missing: "Not judged here: experiments/local-read-devices lays the measurement beside the model.",
        },
        OpenClaim {
            text: "parameters of the file system matter more than those of the disks",
            section: "D abstract",
            missing: "Not judged here: experiments/local-read-sensitivity and local-write-sensitivity rank them.",
        },
    ],
    ..EMPTY
};
