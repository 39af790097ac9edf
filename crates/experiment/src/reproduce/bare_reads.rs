//! What opening and reading a file takes on a parallel file system of A, simulated message by message: what its costs are fitted to.

use std::path::Path;

use hotset_models::files::{Work, simulate_cluster, simulate_parallel};
use hotset_models::remote::cluster::{ClusterProtocol, ClusterSystem, Lustre};
use hotset_models::remote::pvfs::{Protocol, Pvfs1, PvfsServer, PvfsSystem, Striping};
use hotset_models::remote::{CallCosts, Line as Link, NamedLine, ServerMachine};
use hotset_scenario::{CostLine, Profile};

use super::machine_file::Line;

/// A §4.1: I/O nodes, and bytes of a stripe.
const NODES: usize = 3;
const STRIPE_BYTES: u64 = 64 << 10;
/// Memory of a node, and bytes of other files that have pushed the one that is read out of it. Little is enough, and takes less time.
const MEMORY_BYTES: u64 = 1 << 20;
const OTHERS_BYTES: u64 = 4 << 20;
/// A §4: InfiniBand 4x. B §6.1: 27 µs one way between the same nodes, over two links. The scenarios have the same.
const BITS_PER_S: u64 = 8_000_000_000;
const DELAY_NS: u64 = 13_500;
const MTU_BYTES: u64 = 2044;
/// Bytes of a call of Lustre 1.0 with data, as the scenario has them.
const CALL_BYTES: u64 = 1 << 20;
/// What a client of 512 MB reads ahead.
const CLIENT_BYTES: u64 = 512 << 20;

/// A parallel file system on A's I/O nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnNodes {
    /// PVFS 1.6.2.
    Pvfs,
    /// Lustre 1.0.4.
    Lustre,
}

/// What it costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeCosts {
    /// Calls at a client, and at a server.
    pub client: CallCosts,
    /// The latter.
    pub server: CallCosts,
    /// A file in a server's memory, and one on its disk.
    pub memory: Line,
    /// The latter.
    pub disk: Line,
}

impl OnNodes {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Pvfs, Self::Lustre];

    /// Its name in A's tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pvfs => "pvfs",
            Self::Lustre => "lustre",
        }
    }

    /// Threads of a server, as scenarios have them.
    fn threads(self) -> usize {
        match self {
            Self::Pvfs => 1,
            Self::Lustre => Lustre::SERVER_THREADS,
        }
    }
}

impl NodeCosts {
    /// Opening a file and closing it, microseconds; nothing where that cannot be simulated.
    pub fn open_us(&self, on: OnNodes) -> Option<f64> {
        self.us(
            on,
            &on_servers(1 << 20, true),
            "open data/0 r\nclose data/0\n",
        )
    }

    /// Reading so many bytes of a file that is open, and in the servers' memory or not.
    pub fn read_us(&self, on: OnNodes, bytes: u64, is_cached: bool) -> Option<f64> {
        let files = on_servers(bytes, is_cached);
        let open = "open data/0 r\n";
        let with_read = self.us(on, &files, &format!("{open}read data/0 {bytes}\n"))?;
        Some(with_read - self.us(on, &files, open)?)
    }

    fn us(&self, on: OnNodes, files: &str, deeds: &str) -> Option<f64> {
        let work = Work::parse(&format!("{files}{deeds}"), Path::new("bare.work")).ok()?;
        let of = |line: Line| CostLine {
            fixed_us: line.fixed_us,
            bytes_per_us: line.bytes_per_us,
        };
        let profile = Profile::of_lines("disk", of(self.memory), of(self.disk), "");
        let goes_on = || true;
        let result = match on {
            OnNodes::Pvfs => simulate_parallel(&work, &self.pvfs(&profile), "web", &goes_on),
            OnNodes::Lustre => simulate_cluster(&work, &self.lustre(&profile), "web", &goes_on),
        };
        Some(result.ok()?.seconds * 1e6)
    }

    fn pvfs<'p>(&self, profile: &'p Profile) -> PvfsSystem<'p> {
        PvfsSystem {
            protocol: Protocol::Pvfs1(Pvfs1::default()),
            striping: Striping {
                strip_bytes: STRIPE_BYTES,
                stripes: NODES as u32,
            },
            clients: 1,
            client_costs: self.client,
            client_link: Some(link("web".to_owned())),
            switched: None,
            servers: self.servers(OnNodes::Pvfs, profile),
            data_servers: NODES,
            metadata: 0,
            one_machine: None,
        }
    }

    fn lustre<'p>(&self, profile: &'p Profile) -> ClusterSystem<'p> {
        ClusterSystem {
            protocol: ClusterProtocol::Lustre(Lustre {
                stripe_bytes: STRIPE_BYTES,
                stripes: NODES as u32,
                call_bytes: CALL_BYTES,
                read_ahead_bytes: Lustre::usual_read_ahead_bytes(CLIENT_BYTES),
                ..Lustre::default()
            }),
            clients: 1,
            client_costs: self.client,
            client_link: Some(link("web".to_owned())),
            switched: None,
            servers: self.servers(OnNodes::Lustre, profile),
            data_servers: NODES,
            metadata: 0,
        }
    }

    fn servers<'p>(&self, on: OnNodes, profile: &'p Profile) -> Vec<PvfsServer<'p>> {
        let server = |number: usize| PvfsServer {
            machine: ServerMachine {
                name: format!("io{number}"),
                profile,
                memory_bytes: Some(MEMORY_BYTES),
                processors: 2,
                threads: on.threads(),
                is_async: false,
                costs: self.server,
            },
            link: Some(link(format!("io{number}"))),
            is_joined: false,
        };
        (0..NODES).map(server).collect()
    }
}

fn link(name: String) -> NamedLine {
    NamedLine {
        name,
        line: Link {
            bits_per_s: Some(BITS_PER_S),
            delay_ns: DELAY_NS,
            mtu_bytes: MTU_BYTES,
            rdma_lanes: None,
        },
    }
}

/// The file that is read, and others that came into the servers' memory after it.
fn on_servers(bytes: u64, is_cached: bool) -> String {
    match is_cached {
        true => format!("on-server data 1 {bytes}\n"),
        false => format!("on-server data 1 {bytes}\non-server others 1 {OTHERS_BYTES}\n"),
    }
}
