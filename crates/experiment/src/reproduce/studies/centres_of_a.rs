//! The data-centre of A with each of its file systems, as `experiments/documents` has it.

use crate::reproduce::asked::{Asked, Layout, Popular};
use crate::reproduce::centre::Centre;

/// What is to be known of its simulation.
pub(super) const SIMULATED: &str = "Simulated figures are of the document's machines, by A table 2, its 200 MB/s over IPoIB, and B's 27 µs between the same nodes (experiments/documents)";

/// Its scenario.
const ONE_SITE: &str = "documents/a.toml";

/// The file systems.
pub(super) const FILE_SYSTEMS: [&str; 4] = ["ext3", "ramfs", "pvfs", "lustre"];

/// Memory of the three I/O nodes, which caches files of network file systems.
const OF_THREE_NODES: &str = "node.web.memory=1536MiB";

/// The data-centre with a file system, and one client or as many as there were.
pub(super) fn centre(
    name: String,
    file_system: &str,
    (clients, asked): (Clients, Asked),
) -> Centre {
    let mut set = vec![format!("store.files.profile=a-{file_system}.toml")];
    if ["pvfs", "lustre"].contains(&file_system) {
        set.push(OF_THREE_NODES.to_owned());
    }
    if clients == Clients::One {
        set.push("client.crowd.clients=1".to_owned());
    }
    Centre {
        name,
        scenario: ONE_SITE,
        set,
        asked,
    }
}

/// Requests for a site, of which the first 70 % warm the caches up.
const REQUESTS: u32 = 20_000;
const WARM_UP_PERCENT: u32 = 70;

/// The data-centre with a site of popular files on a file system.
pub(super) fn with_site(of: Popular, file_system: &str) -> Centre {
    let asked = Asked::Site {
        of,
        on: Layout::One,
        requests: REQUESTS,
        warm_up_percent: WARM_UP_PERCENT,
    };
    let name = format!("a-{file_system}-{}", of.name());
    centre(name, file_system, (Clients::All, asked))
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clients {
    /// One request is under way at a time.
    One,
    /// Eight threads on each of eight nodes.
    All,
}

/// Another setting of the data-centre, to see whether what it sets is the cause of an error.
pub(super) struct Switch {
    /// What names its data-centres.
    name: &'static str,
    /// The file systems.
    of: &'static [&'static str],
    /// Whether it is about cached files.
    is_cached: bool,
    /// Who has to ask for it to matter; whoever, where that is nothing.
    clients: Option<Clients>,
    /// The key that it sets.
    set: &'static str,
    /// What that is.
    with: &'static str,
}

static SWITCHES: [Switch; 3] = [
    Switch {
        name: "seeking",
        of: &["ext3"],
        is_cached: false,
        clients: None,
        set: "store.files.profile=a-ext3-seeking.toml",
        with: "with a disk that seeks and reads 39 MB/s (B table 1) in place of the reads of A table 2",
    },
    Switch {
        name: "at-136-mb",
        of: &["pvfs"],
        is_cached: true,
        clients: None,
        set: "store.files.profile=b1-pvfs.toml",
        with: "with PVFS reading 136 MB/s (B table 1) in place of the reads of A table 2",
    },
    Switch {
        name: "in-turn",
        of: &["pvfs", "lustre"],
        is_cached: true,
        clients: Some(Clients::All),
        set: "node.web.cpus=1",
        with: "where a web server's requests wait for each other, as opens do at one metadata server,",
    },
];

impl Switch {
    /// Those of a file system and a state of its files, where these clients ask.
    pub fn of(file_system: &str, (is_cached, clients): (bool, Clients)) -> Vec<&'static Self> {
        let is_of_it = |it: &&Self| {
            let is_asked = it.clients.is_none_or(|of| of == clients);
            it.of.contains(&file_system) && it.is_cached == is_cached && is_asked
        };
        SWITCHES.iter().filter(is_of_it).collect()
    }

    /// A data-centre with it.
    pub fn put_in(&self, centre: &Centre) -> Centre {
        let mut set = centre.set.clone();
        set.push(self.set.to_owned());
        Centre {
            name: format!("{}-{}", centre.name, self.name),
            set,
            ..centre.clone()
        }
    }

    /// The cause of an error, where a figure that is too far off is near with the switch.
    pub fn cause(&self, published: f64, simulated: f64, switched: f64) -> Option<String> {
        const NEAR: f64 = 0.2;
        let is_near = |figure: f64| (figure / published - 1.0).abs() <= NEAR;
        let is_it = !is_near(simulated) && is_near(switched);
        is_it.then(|| format!("{} it is {switched:.0}", self.with))
    }
}
