//! What a parallel file system is made of: protocol, machines and links.

use hotset_scenario::Profile;

use super::striping::Striping;
use crate::remote::connection::Line;
use crate::remote::costs::CallCosts;
use crate::remote::file_server::ServerMachine;
use crate::remote::network::NamedLine;
use crate::remote::switched::Switched;

/// How clients and servers speak with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Protocol {
    /// PVFS 1: a manager, and a daemon on each server that does one thing at a time.
    Pvfs1(Pvfs1),
    /// PVFS 2, which is OrangeFS today.
    OrangeFs(OrangeFs),
}

/// What taking a packet into a client's receive buffer costs a server of PVFS 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiveCost {
    /// So many nanoseconds, whatever the buffer holds.
    Constant(u64),
    /// So many nanoseconds for each packet that the buffer holds then, with the new one: it is a list that is walked.
    Linear(u64),
}

impl ReceiveCost {
    /// What so many packets cost that come to a buffer which holds `held`, nanoseconds.
    #[must_use]
    pub fn ns(self, held: u64, packets: u64) -> u64 {
        match self {
            Self::Constant(ns) => packets.saturating_mul(ns),
            Self::Linear(ns) => {
                let own = packets.saturating_mul(packets.saturating_add(1)) / 2;
                held.saturating_mul(packets)
                    .saturating_add(own)
                    .saturating_mul(ns)
            }
        }
    }
}

/// What PVFS 1 may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pvfs1 {
    /// What receive buffers cost.
    pub receive: ReceiveCost,
}

impl Default for Pvfs1 {
    /// Assumed: a microsecond a packet.
    fn default() -> Self {
        Self {
            receive: ReceiveCost::Constant(1_000),
        }
    }
}

/// How programs reach the file system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClientKind {
    /// They call its library.
    Library,
    /// Through FUSE: a daemon that does one thing at a time, past the page cache.
    Fuse {
        /// Most bytes that the kernel asks for at a time.
        request_bytes: u64,
        /// What a request costs beside what the library takes.
        costs: CallCosts,
    },
}

impl ClientKind {
    /// FUSE as OrangeFS 2.10 has it. The costs are what the least reads of 4 KB and 64 KB took beyond those of the library on loopback: 14.1 and
    /// 30.2 µs.
    pub const FUSE: Self = Self::Fuse {
        request_bytes: 128 << 10,
        costs: CallCosts {
            call_ns: 13_000,
            ns_per_byte: 0.262,
            stack_ns_per_byte: [0.0; 2],
        },
    };
}

/// What OrangeFS may be told, and what its processors take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrangeFs {
    /// Largest message that is sent without asking first, bytes.
    pub eager_bytes: u64,
    /// Bytes of a buffer of a flow.
    pub flow_buffer_bytes: u64,
    /// Buffers of a flow.
    pub flow_buffers: u32,
    /// How long names and attributes are taken to hold, nanoseconds; 0 where they are not cached.
    pub cache_ns: u64,
    /// How long sizes are, which servers change more often.
    pub size_cache_ns: u64,
    /// Handles of files that a metadata server gets at a time from each server with data.
    pub precreated: u64,
    /// How programs reach it.
    pub client: ClientKind,
    /// What a buffer of a flow costs beside its bytes, at a server and at the client, nanoseconds.
    pub server_buffer_ns: u64,
    /// The latter.
    pub client_buffer_ns: u64,
    /// What a buffer that is written costs a server more than one that is read, with its share of the last answer of the flow.
    pub written: CallCosts,
    /// What it costs a server to note that its part of a file has grown, nanoseconds.
    pub growth_ns: u64,
}

impl Default for OrangeFs {
    /// As version 2.10 has it. Costs follow from measurements on loopback:
    ///
    /// - Buffers: as [`OrangeFs::SERVER_COSTS`]. The sources tell that they are of a buffer and not of a flow. For each, the server
    ///   allocates and clears memory, starts a thread and sends by itself (`flowproto-multiqueue.c`, `pint-malloc.c`, `dbpf-alt-aio.c`). Those
    ///   beyond [`OrangeFs::flow_buffers`] have their memory already, which is not followed.
    /// - Buffers that are written: the least write of 64 KB took 22.1 µs more than a read, one of 1 MB 84.2 µs. The latter has four flows on
    ///   two processors, so a buffer has half of that. That gives 15.4 µs and 0.102 ns a byte: for the size that is looked up, and for the last
    ///   answer (`aio_progress_notification`, `dbpf-bstream.c`; `io.sm`). A write of 4 KB took no longer than a read.
    /// - Growth: a server puts the new size into its database, a transaction by itself (`dbpf_dspace_attr_set`, `dbpf_db_put`). The least create
    ///   took 299.4 µs: two calls of 42.6 µs, as a small read, and 16 such transactions. Twelve are of the object and its four handles, four of
    ///   the entry (`create.sm`, `crdirent.sm`). That gives 13.4 µs.
    fn default() -> Self {
        Self {
            eager_bytes: 16 << 10,
            flow_buffer_bytes: 256 << 10,
            flow_buffers: 8,
            cache_ns: 60_000_000_000,
            size_cache_ns: 10_000_000_000,
            precreated: 1024,
            client: ClientKind::Library,
            server_buffer_ns: 92_000,
            client_buffer_ns: 24_500,
            written: CallCosts {
                call_ns: 15_400,
                ns_per_byte: 0.102,
                stack_ns_per_byte: [0.0; 2],
            },
            growth_ns: 13_400,
        }
    }
}

impl OrangeFs {
    /// What calls cost a server. Measured on loopback: reads of 4 KB, 64 KB and 1 MB took 38, 141 and 703 µs of all servers. A read of 4 KB
    /// is one call; one of 64 KB is a flow of one buffer, and one of 1 MB has four. That gives 37 µs, 92 µs of a buffer, 0.177 ns a byte.
    /// Copies from and to the page cache are in them.
    pub const SERVER_COSTS: CallCosts = CallCosts {
        call_ns: 37_000,
        ns_per_byte: 0.177,
        stack_ns_per_byte: [0.0; 2],
    };
    /// What they cost a client: from 15, 44 and 234 µs in the same way.
    pub const CLIENT_COSTS: CallCosts = CallCosts {
        call_ns: 14_700,
        ns_per_byte: 0.074,
        stack_ns_per_byte: [0.0; 2],
    };
    /// Threads of a server that read and write, one for each operation.
    pub const SERVER_THREADS: usize = 16;

    /// The same on processors that are so many times as fast.
    #[must_use]
    pub fn at_speed(self, speed: f64) -> Self {
        let client = match self.client {
            ClientKind::Library => ClientKind::Library,
            ClientKind::Fuse {
                request_bytes,
                costs,
            } => ClientKind::Fuse {
                request_bytes,
                costs: costs.at_speed(speed),
            },
        };
        Self {
            client,
            server_buffer_ns: (self.server_buffer_ns as f64 / speed) as u64,
            client_buffer_ns: (self.client_buffer_ns as f64 / speed) as u64,
            written: self.written.at_speed(speed),
            growth_ns: (self.growth_ns as f64 / speed) as u64,
            ..self
        }
    }
}

/// A server, and the link that it is reached by.
#[derive(Clone, Debug)]
pub struct PvfsServer<'p> {
    /// Its machine.
    pub machine: ServerMachine<'p>,
    /// Its link; none where it is never the limit.
    pub link: Option<NamedLine>,
    /// That link joins it with clients, whose own carries nothing of what they say to each other.
    pub is_joined: bool,
}

/// A parallel file system, and the way there.
#[derive(Clone, Debug)]
pub struct PvfsSystem<'p> {
    /// How it is spoken to.
    pub protocol: Protocol,
    /// How files are divided.
    pub striping: Striping,
    /// Clients, all alike.
    pub clients: usize,
    /// What calls cost a client's processors.
    pub client_costs: CallCosts,
    /// Link that each client has for itself.
    pub client_link: Option<NamedLine>,
    /// Switches between clients and servers; one that all links end at where there is nothing.
    pub switched: Option<Switched>,
    /// The servers, those with data first.
    pub servers: Vec<PvfsServer<'p>>,
    /// How many of them have data.
    pub data_servers: usize,
    /// The number of the one that has the metadata.
    pub metadata: usize,
    /// Where clients and servers are all on one machine: its processors.
    pub one_machine: Option<usize>,
}

/// Where its costs were measured: one metadata server and four with data, on the loopback interface of a machine that clients share.
impl<'p> PvfsSystem<'p> {
    const MEASURED_PROCESSORS: usize = 2;
    const MEASURED_SERVERS: usize = 4;
    /// Half of the round trip of a small message there, 5 µs.
    const MEASURED_DELAY_NS: u64 = 2_500;

    /// OrangeFS there, with so many clients. All is in memory, of which `profile` has the costs. Other work leaves this share of the processors.
    #[must_use]
    pub fn as_measured(
        profile: &'p Profile,
        (client, clients): (ClientKind, usize),
        share: f64,
    ) -> Self {
        let server = |number: usize| PvfsServer {
            machine: ServerMachine {
                name: format!("io{number}"),
                profile,
                memory_bytes: None,
                processors: Self::MEASURED_PROCESSORS,
                threads: OrangeFs::SERVER_THREADS,
                is_async: true,
                costs: OrangeFs::SERVER_COSTS.at_speed(share),
            },
            link: None,
            is_joined: false,
        };
        let options = OrangeFs {
            client,
            ..OrangeFs::default()
        };
        Self {
            protocol: Protocol::OrangeFs(options.at_speed(share)),
            striping: Striping::usual(Self::MEASURED_SERVERS as u32),
            clients,
            client_costs: OrangeFs::CLIENT_COSTS.at_speed(share),
            client_link: Some(NamedLine {
                name: "lo".to_owned(),
                line: Line {
                    delay_ns: Self::MEASURED_DELAY_NS,
                    ..Line::default()
                },
            }),
            switched: None,
            servers: (0..=Self::MEASURED_SERVERS).map(server).collect(),
            data_servers: Self::MEASURED_SERVERS,
            metadata: Self::MEASURED_SERVERS,
            one_machine: Some(Self::MEASURED_PROCESSORS),
        }
    }
}
