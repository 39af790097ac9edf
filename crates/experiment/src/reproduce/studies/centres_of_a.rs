//! The data-centre of A with each of its file systems, as `experiments/documents` has it.

use crate::reproduce::asked::{Asked, Layout, Popular};
use crate::reproduce::centre::Centre;

/// What is to be known of its simulation.
pub(super) const SIMULATED: &str = "Simulated figures are of the document's machines, by A table 2, its 200 MB/s over IPoIB, and B's disk and 27 µs between the same nodes. PVFS and Lustre are followed message by message on three I/O nodes (experiments/documents)";

/// Its scenario.
const ONE_SITE: &str = "documents/a.toml";
/// Those with calls to I/O nodes.
const ON_PVFS: &str = "documents/a-on-pvfs.toml";
const ON_LUSTRE: &str = "documents/a-on-lustre.toml";
/// The data-centre of B on its cluster 1, which is that of A: four proxies and three web servers.
const OF_B: &str = "documents/b1.toml";
/// One request is under way at a time. One process of the proxy has it, which has one processor.
const ONE_CLIENT: [&str; 2] = ["client.crowd.clients=1", "node.proxy.cpus=1"];

/// The file systems.
pub(super) const FILE_SYSTEMS: [&str; 4] = ["ext3", "ramfs", "pvfs", "lustre"];

/// Memory of the three I/O nodes, which caches files of network file systems.
const MEMORY_OF_THREE_NODES: &str = "1536MiB";

/// Whether files are on I/O nodes.
fn is_network(file_system: &str) -> bool {
    ["pvfs", "lustre"].contains(&file_system)
}

/// The profile of a file system behind Apache: of those on I/O nodes by lines through A table 2.
fn profile_of(file_system: &str) -> String {
    format!("a-{file_system}.toml")
}

/// Disks that a file system has files on: those of I/O nodes, or the web server's.
pub(super) fn disks(file_system: &str) -> u32 {
    match is_network(file_system) {
        true => 3,
        false => 1,
    }
}

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

/// The same where reads from PVFS and Lustre take what lines through A table 2 say. Network file systems have the memory of their I/O nodes as the web server's page cache.
fn by_lines(name: String, file_system: &str, (clients, asked): (Clients, Asked)) -> Centre {
    let mut set = vec![format!("store.files.profile={}", profile_of(file_system))];
    if is_network(file_system) {
        set.push(format!("node.web.memory={MEMORY_OF_THREE_NODES}"));
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
pub(super) const REQUESTS: u32 = 20_000;
pub(super) const WARM_UP_PERCENT: u32 = 70;

/// Requests for a site of popular files.
fn site(of: Popular) -> Asked {
    Asked::Site {
        of,
        on: Layout::One,
        requests: REQUESTS,
        warm_up_percent: WARM_UP_PERCENT,
    }
}

/// The data-centre with a site of popular files on a file system.
pub(super) fn with_site(of: Popular, file_system: &str) -> Centre {
    let name = format!("a-{file_system}-{}", of.name());
    centre(name, file_system, (Clients::All, site(of)))
}

/// The same with as many proxies and web servers as in B.
pub(super) fn with_site_as_in_b(of: Popular, file_system: &str) -> Centre {
    let name = format!("a-{file_system}-{}-as-in-b", of.name());
    as_in_b(name, file_system, site(of))
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
            Self::One => ONE_CLIENT.map(str::to_owned).to_vec(),
            Self::All => Vec::new(),
        }
    }
}

/// The same in the data-centre of B, with so many proxies and web servers as that has.
fn as_in_b(name: String, file_system: &str, asked: Asked) -> Centre {
    let profile = |web: u8| format!("store.disk{web}.profile={}", profile_of(file_system));
    let mut set: Vec<String> = (0..3).map(profile).collect();
    if is_network(file_system) {
        set.extend((0..3).map(|web| format!("node.web{web}.memory={MEMORY_OF_THREE_NODES}")));
    }
    Centre {
        name,
        scenario: OF_B,
        set,
        asked,
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
    /// Whether files are read from the web server's memory with it: what is simulated then is below a response that has no room for the read of A table 2.
    spares_read: bool,
    /// What that is.
    with: &'static str,
}

/// What a switch changes.
enum Change {
    /// A key.
    Key(&'static str),
    /// Reads take what lines say, in place of calls to I/O nodes, and these keys are set.
    Lines(&'static [&'static str]),
    /// There are as many proxies and web servers as in B. Reads take what lines say, in place of calls to I/O nodes.
    AsInB,
    /// Files are in memory.
    InMemory,
}

/// What is published of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Published {
    /// The cell's figure.
    pub figure: f64,
    /// What opening and reading take by themselves by A table 2, microseconds, where the figure is a response.
    pub bare_us: Option<f64>,
}

/// What takes the place of a disk that seeks.
const BARE: &str = "with the bare reads of A table 2, which have no seeks between files, in place of a disk that seeks and reads 39 MB/s (B table 1)";

static SWITCHES: [Switch; 10] = [
    Switch {
        name: "bare",
        of: &["ext3"],
        is_cached: Some(false),
        clients: None,
        change: Change::Key("store.files.profile=a-ext3-bare.toml"),
        spares_read: false,
        with: BARE,
    },
    Switch {
        name: "bare",
        of: &["pvfs"],
        is_cached: Some(false),
        clients: None,
        change: Change::Key("store.disk.profile=a-on-pvfs-disk.toml"),
        spares_read: false,
        with: BARE,
    },
    Switch {
        name: "bare",
        of: &["lustre"],
        is_cached: Some(false),
        clients: None,
        change: Change::Key("store.disk.profile=a-on-lustre-disk.toml"),
        spares_read: false,
        with: BARE,
    },
    Switch {
        name: "lines",
        of: &["pvfs", "lustre"],
        is_cached: None,
        clients: None,
        change: Change::Lines(&[]),
        spares_read: false,
        with: "with lines through A table 2 in place of calls to I/O nodes",
    },
    Switch {
        name: "at-136-mb",
        of: &["pvfs"],
        is_cached: Some(true),
        clients: None,
        change: Change::Lines(&["store.files.profile=b1-pvfs.toml"]),
        spares_read: false,
        with: "with lines in place of calls to I/O nodes, and PVFS reading 136 MB/s (B table 1) in place of the reads of A table 2,",
    },
    Switch {
        name: "own-memory",
        of: &["pvfs"],
        is_cached: Some(true),
        clients: None,
        change: Change::Lines(&["store.files.profile=a-ext3.toml"]),
        spares_read: true,
        with: "with reads from the web server's own memory, as of ext3, in place of those of PVFS in A table 2,",
    },
    Switch {
        name: "in-turn",
        of: &["pvfs", "lustre"],
        is_cached: Some(true),
        clients: Some(Clients::All),
        change: Change::Lines(&["node.web.cpus=1"]),
        spares_read: false,
        with: "with lines in place of calls to I/O nodes, and a web server's requests that wait for each other, as opens do at one metadata server,",
    },
    Switch {
        name: "four-proxies",
        of: &FILE_SYSTEMS,
        is_cached: Some(true),
        clients: Some(Clients::All),
        change: Change::Key("node.proxy.cpus=8"),
        spares_read: false,
        with: "with the processors of B's four proxies (B §3.2) in place of one proxy's two",
    },
    Switch {
        name: "as-in-b",
        of: &FILE_SYSTEMS,
        is_cached: None,
        clients: Some(Clients::All),
        change: Change::AsInB,
        spares_read: false,
        with: "with four proxies and three web servers, as B had them (B §3.2), and with lines in place of calls to I/O nodes,",
    },
    Switch {
        name: "in-memory",
        of: &["ramfs"],
        is_cached: Some(false),
        clients: Some(Clients::One),
        change: Change::InMemory,
        spares_read: true,
        with: "with files in memory",
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
        let asked = centre.asked;
        match &self.change {
            Change::Key(key) => with_keys(
                Centre {
                    name,
                    ..centre.clone()
                },
                std::slice::from_ref(key),
            ),
            Change::Lines(keys) => with_keys(by_lines(name, file_system, (clients, asked)), keys),
            Change::AsInB => as_in_b(name, file_system, asked),
            Change::InMemory => Centre {
                name,
                asked: asked.in_memory(),
                ..centre.clone()
            },
        }
    }

    /// The cause of an error of a figure that is too far off: it is near with the switch. Or the response is shorter than what A table 2 has for opening
    /// and reading by themselves, and longer than what is left with the switch.
    pub fn cause(&self, of: Published, simulated: f64, switched: f64) -> Option<String> {
        if is_near(simulated, of.figure) {
            return None;
        }
        let cause = format!("{} it is {switched:.0}", self.with);
        if is_near(switched, of.figure) {
            return Some(cause);
        }
        let bare_us = of.bare_us.filter(|bare_us| *bare_us > of.figure)?;
        let is_between = switched < of.figure && of.figure < simulated;
        (self.spares_read && is_between)
            .then(|| format!("{cause}, and by table 2 opening and reading alone take {bare_us:.0}"))
    }
}

/// Whether a figure is near a published one.
fn is_near(figure: f64, published: f64) -> bool {
    const NEAR: f64 = 0.2;
    (figure / published - 1.0).abs() <= NEAR
}

/// A data-centre with these keys set besides.
fn with_keys(mut centre: Centre, keys: &[&str]) -> Centre {
    let keys = keys.iter().map(|key| (*key).to_owned());
    centre.set.extend(keys);
    centre
}
