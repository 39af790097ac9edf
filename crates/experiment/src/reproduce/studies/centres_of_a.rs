//! The data-centre of A with each of its file systems, as `experiments/documents` has it.

use crate::reproduce::asked::{Asked, Layout, Popular};
use crate::reproduce::centre::Centre;

/// What is to be known of its simulation.
pub(super) const SIMULATED: &str = "Simulated figures are of the document's machines, by A table 2, its 200 MB/s over IPoIB, and B's 27 µs between the same nodes. PVFS and Lustre are followed message by message on three I/O nodes (experiments/documents)";

/// Its scenario.
const ONE_SITE: &str = "documents/a.toml";
/// Those with calls to I/O nodes.
const ON_PVFS: &str = "documents/a-on-pvfs.toml";
const ON_LUSTRE: &str = "documents/a-on-lustre.toml";
/// One request is under way at a time.
const ONE_CLIENT: &str = "client.crowd.clients=1";

/// The file systems.
pub(super) const FILE_SYSTEMS: [&str; 4] = ["ext3", "ramfs", "pvfs", "lustre"];

/// Memory of the three I/O nodes, which caches files of network file systems.
const OF_THREE_NODES: &str = "node.web.memory=1536MiB";

/// The data-centre with a file system, and one client or as many as there were. Calls to I/O nodes are followed.
pub(super) fn centre(
    name: String,
    file_system: &str,
    (clients, asked): (Clients, Asked),
) -> Centre {
    let scenario = match file_system {
        "pvfs" => ON_PVFS,
        "lustre" => ON_LUSTRE,
        _ => return by_lines(name, file_system, (clients, asked)),
    };
    Centre {
        name,
        scenario,
        set: clients.set(),
        asked,
    }
}

/// The same where reads take what lines through A table 2 say. Network file systems have the memory of their I/O nodes as the web server's page cache.
fn by_lines(name: String, file_system: &str, (clients, asked): (Clients, Asked)) -> Centre {
    let mut set = vec![format!("store.files.profile=a-{file_system}.toml")];
    if ["pvfs", "lustre"].contains(&file_system) {
        set.push(OF_THREE_NODES.to_owned());
    }
    set.extend(clients.set());
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

impl Clients {
    /// The keys that say so.
    fn set(self) -> Vec<String> {
        match self {
            Self::One => vec![ONE_CLIENT.to_owned()],
            Self::All => Vec::new(),
        }
    }
}

/// Another setting of the data-centre, to see whether what it sets is the cause of an error.
pub(super) struct Switch {
    /// What names its data-centres.
    name: &'static str,
    /// The file systems.
    of: &'static [&'static str],
    /// Whether it is about cached files, or about others; about both where that is nothing.
    is_cached: Option<bool>,
    /// Who has to ask for it to matter; whoever, where that is nothing.
    clients: Option<Clients>,
    /// What it changes.
    change: Change,
    /// What that is.
    with: &'static str,
}

/// What a switch changes.
enum Change {
    /// A key.
    Key(&'static str),
    /// Reads take what lines say, in place of calls to I/O nodes, and these keys are set.
    Lines(&'static [&'static str]),
}

static SWITCHES: [Switch; 4] = [
    Switch {
        name: "seeking",
        of: &["ext3"],
        is_cached: Some(false),
        clients: None,
        change: Change::Key("store.files.profile=a-ext3-seeking.toml"),
        with: "with a disk that seeks and reads 39 MB/s (B table 1) in place of the reads of A table 2",
    },
    Switch {
        name: "lines",
        of: &["pvfs", "lustre"],
        is_cached: None,
        clients: None,
        change: Change::Lines(&[]),
        with: "with lines through A table 2 in place of calls to I/O nodes",
    },
    Switch {
        name: "at-136-mb",
        of: &["pvfs"],
        is_cached: Some(true),
        clients: None,
        change: Change::Lines(&["store.files.profile=b1-pvfs.toml"]),
        with: "with lines in place of calls to I/O nodes, and PVFS reading 136 MB/s (B table 1) in place of the reads of A table 2,",
    },
    Switch {
        name: "in-turn",
        of: &["pvfs", "lustre"],
        is_cached: Some(true),
        clients: Some(Clients::All),
        change: Change::Lines(&["node.web.cpus=1"]),
        with: "with lines in place of calls to I/O nodes, and a web server's requests that wait for each other, as opens do at one metadata server,",
    },
];

impl Switch {
    /// Those of a file system and a state of its files, where these clients ask.
    pub fn of(file_system: &str, (is_cached, clients): (bool, Clients)) -> Vec<&'static Self> {
        let is_of_it = |it: &&Self| {
            let is_asked = it.clients.is_none_or(|of| of == clients);
            let is_state = it.is_cached.is_none_or(|of| of == is_cached);
            it.of.contains(&file_system) && is_state && is_asked
        };
        SWITCHES.iter().filter(is_of_it).collect()
    }

    /// A data-centre of a file system and these clients with it.
    pub fn put_in(&self, centre: &Centre, (file_system, clients): (&str, Clients)) -> Centre {
        let name = format!("{}-{}", centre.name, self.name);
        let (mut changed, keys) = match &self.change {
            Change::Key(key) => (
                Centre {
                    name,
                    ..centre.clone()
                },
                std::slice::from_ref(key),
            ),
            Change::Lines(keys) => (by_lines(name, file_system, (clients, centre.asked)), *keys),
        };
        changed.set.extend(keys.iter().map(|key| (*key).to_owned()));
        changed
    }

    /// The cause of an error, where a figure that is too far off is near with the switch.
    pub fn cause(&self, published: f64, simulated: f64, switched: f64) -> Option<String> {
        const NEAR: f64 = 0.2;
        let is_near = |figure: f64| (figure / published - 1.0).abs() <= NEAR;
        let is_it = !is_near(simulated) && is_near(switched);
        is_it.then(|| format!("{} it is {switched:.0}", self.with))
    }
}
