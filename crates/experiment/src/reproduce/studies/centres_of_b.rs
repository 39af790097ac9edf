//! The data-centre of B on each of its clusters, and with each of its disks, as `experiments/documents` has it.

use std::collections::BTreeMap;

use crate::reproduce::asked::{Asked, Layout, Popular};
use crate::reproduce::centre::{Centre, CentreFigures};
use crate::reproduce::sources::Sources;

/// What is to be known of its simulation.
pub(super) const SIMULATED: &str = "Simulated figures are of the document's machines, by its tables 1 and 3 and its §6.1, and A table 2 (experiments/documents)";

/// Its disk systems, from the slowest on.
pub(super) const DISKS: [&str; 3] = ["IDE", "SCSI", "RAID"];

/// Its data-centre on cluster 1, with these disks in all web servers.
pub(super) fn with_disk(name: &str, disk: &str, asked: Asked) -> Centre {
    let disk = disk.to_lowercase();
    let set = (0..3).map(|number| format!("store.disk{number}.profile=b1-{disk}.toml"));
    Centre {
        name: format!("b-{disk}-{name}"),
        scenario: "documents/b1.toml",
        set: set.collect(),
        asked,
    }
}

/// The same with one client, one proxy and one web server: one request is under way at a time.
pub(super) fn one_at_a_time(name: &str, (cluster, disk): (u8, &str), asked: Asked) -> Centre {
    let disk = disk.to_lowercase();
    Centre {
        name: format!("b{cluster}-{disk}-{name}-one"),
        scenario: match cluster {
            1 => "documents/b1-one-client.toml",
            2 => "documents/b2-one-client.toml",
            _ => "documents/b3-one-client.toml",
        },
        set: vec![format!("store.files.profile=b{cluster}-{disk}.toml")],
        asked,
    }
}

/// Its data-centre on a cluster, with keys that are set.
pub(super) fn on_cluster(name: &str, cluster: u8, (set, asked): (Vec<String>, Asked)) -> Centre {
    Centre {
        name: format!("b{cluster}-{name}"),
        scenario: match cluster {
            1 => "documents/b1.toml",
            2 => "documents/b2.toml",
            _ => "documents/b3.toml",
        },
        set,
        asked,
    }
}

/// A class from empty caches, as long as first accesses show: fewer requests than the document's 640 000 (B §3.2) where files are large.
pub(super) fn cold_class(class: usize, on: Layout) -> Asked {
    Asked::Site {
        of: Popular::Class(class),
        on,
        requests: match class {
            0 => 640_000,
            1 => 320_000,
            2 => 80_000,
            _ => 40_000,
        },
        warm_up_percent: 0,
    }
}

/// Simulated data-centres with a figure of each, by their names.
pub(super) struct Centres {
    figures: BTreeMap<String, CentreFigures>,
}

impl Centres {
    pub fn of(sources: &Sources, centres: &[Centre]) -> Self {
        Self {
            figures: sources.centres(centres),
        }
    }

    /// Mean response, microseconds.
    pub fn mean_us(&self, centre: &Centre) -> Option<f64> {
        self.figures.get(&centre.name)?.mean_us
    }

    /// Requests a second.
    pub fn per_s(&self, centre: &Centre) -> Option<f64> {
        self.figures.get(&centre.name)?.throughput_per_s
    }
}

/// A figure over another one.
pub(super) fn ratio(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    Some(one? / other?).filter(|it: &f64| it.is_finite())
}
