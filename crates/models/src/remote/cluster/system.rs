//! What a file system on several servers is made of whose clients cache: protocol, machines and links.

use hotset_cache::PAGE_BYTES;

use crate::remote::costs::CallCosts;
use crate::remote::network::NamedLine;
use crate::remote::pvfs::PvfsServer;
use crate::remote::switched::Switched;

/// How clients and servers speak with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClusterProtocol {
    /// Lustre.
    Lustre(Lustre),
    /// GlusterFS.
    GlusterFs(GlusterFs),
    /// MooseFS.
    MooseFs(MooseFs),
}

impl ClusterProtocol {
    /// How long a client waits for an answer before it takes the server for gone, nanoseconds. Lustre pings its servers by then (`PING_INTERVAL`, a
    /// quarter of `obd_timeout`), GlusterFS waits for `network.ping-timeout`. That of MooseFS is assumed.
    #[must_use]
    pub fn patience_ns(&self) -> u64 {
        match self {
            Self::Lustre(_) => 25_000_000_000,
            Self::GlusterFs(_) => 42_000_000_000,
            Self::MooseFs(_) => 2_000_000_000,
        }
    }

    /// Most bytes that a client's kernel asks for at a time.
    #[must_use]
    pub fn most_bytes(&self) -> u64 {
        match self {
            Self::Lustre(options) => options.call_bytes,
            Self::GlusterFs(_) | Self::MooseFs(_) => GlusterFs::PAGE_BYTES,
        }
    }

    /// What a request of the kernel for so many bytes costs the client's daemon, if it has one, nanoseconds.
    pub(crate) fn daemon_ns(&self, bytes: u64) -> u64 {
        let of = |costs: CallCosts| costs.call_ns + costs.bytes_ns(bytes);
        match self {
            Self::Lustre(_) => 0,
            Self::GlusterFs(options) => of(options.fuse),
            Self::MooseFs(options) => of(options.fuse),
        }
    }
}

/// How many servers a file system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterServers {
    /// All of them, those with data first.
    pub count: usize,
    /// How many of them have data.
    pub with_data: usize,
    /// The number of the metadata server of Lustre, or of the master of MooseFS.
    pub metadata: usize,
}

/// What one of the servers has of a file system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterPart {
    /// How it is spoken to.
    pub protocol: ClusterProtocol,
    /// All of its servers, and the number of this one among them.
    pub servers: ClusterServers,
    /// The latter.
    pub place: usize,
}

/// What Lustre may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lustre {
    /// Bytes of a stripe (`lfs setstripe -S`).
    pub stripe_bytes: u64,
    /// Object servers that have a part of each file (`lfs setstripe -c`).
    pub stripes: u32,
    /// Calls with data that a client has under way with a server (`osc.*.max_rpcs_in_flight`).
    pub calls_in_flight: u32,
    /// Most bytes of one of them (`osc.*.max_pages_per_rpc`).
    pub call_bytes: u64,
    /// Most bytes that are read ahead in a file (`llite.*.max_read_ahead_per_file_mb`); 0 for none.
    pub read_ahead_bytes: u64,
    /// A file of at most so many bytes is read whole from its second read on (`llite.*.max_read_ahead_whole_mb`).
    pub whole_bytes: u64,
}

impl Default for Lustre {
    /// As version 2.15 has it: `OBD_MAX_RIF_DEFAULT` (8) of `lustre/include/obd.h`, calls of 4 MiB, stripes of 1 MiB on one server, whole
    /// files up to 2 MiB (`SBI_DEFAULT_READ_AHEAD_WHOLE_MAX`). It reads ahead what a client with 8 GiB of memory does.
    fn default() -> Self {
        Self {
            stripe_bytes: 1 << 20,
            stripes: 1,
            calls_in_flight: 8,
            call_bytes: 4 << 20,
            read_ahead_bytes: 64 << 20,
            whole_bytes: 2 << 20,
        }
    }
}

impl Lustre {
    /// Threads of a server (`threads_min` of `ost_io`). Assumed to be enough.
    pub const SERVER_THREADS: usize = 64;

    /// Most bytes that a client with so much memory reads ahead in a file: a quarter of what it does for all. That is a 32nd of its memory, up to
    /// 1 GiB (`ll_init_sbi`, `lustre/llite/llite_lib.c`).
    #[must_use]
    pub fn usual_read_ahead_bytes(memory_bytes: u64) -> u64 {
        let of_all = (memory_bytes / 32).min(1 << 30);
        (of_all / 4).min(256 << 20) / PAGE_BYTES * PAGE_BYTES
    }
}

/// What a request of the kernel costs a daemon of FUSE beside its calls. Taken from what requests of 4 KB and 128 KiB had the processors do
/// beyond the library of OrangeFS 2.10 on loopback: neither daemon was measured.
pub(super) const FUSE_COSTS: CallCosts = CallCosts {
    call_ns: 20_000,
    ns_per_byte: 0.12,
    stack_ns_per_byte: [0.0; 2],
};

/// What GlusterFS may be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlusterFs {
    /// Bricks of a dispersed volume that may be lost; 0 for a distributed one, which has each file whole on a brick.
    pub redundancy: u32,
    /// Bytes of the translator io-cache (`performance.cache-size`); 0 where it is off.
    pub io_cache_bytes: u64,
    /// Bytes that the translator read-ahead fetches ahead; 0 where it is off.
    pub read_ahead_bytes: u64,
    /// Files of at most so many bytes come with the answer to their lookup (quick-read, `max-file-size`); 0 where it is off.
    pub quick_read_bytes: u64,
    /// How long names and attributes hold (`entry-timeout` and `attribute-timeout` of the mount, `md-cache-timeout`), and what quick-read and
    /// io-cache have (`cache-refresh-timeout`), nanoseconds.
    pub cache_ns: u64,
    /// What a request of the kernel costs the client's daemon.
    pub fuse: CallCosts,
}

impl Default for GlusterFs {
    /// As version 10 has a new volume: io-cache and read-ahead are off, quick-read has files up to 64 KiB, and all holds for a second.
    fn default() -> Self {
        Self {
            redundancy: 0,
            io_cache_bytes: 0,
            read_ahead_bytes: 0,
            quick_read_bytes: 64 << 10,
            cache_ns: 1_000_000_000,
            fuse: FUSE_COSTS,
        }
    }
}

impl GlusterFs {
    /// Threads of a brick (`performance.io-thread-count`).
    pub const SERVER_THREADS: usize = 16;
    /// Bytes of a page of the translators, and most bytes that the kernel asks a daemon of FUSE for (32 pages,
    /// `FUSE_DEFAULT_MAX_PAGES_PER_REQ` of `fs/fuse/fuse_i.h`).
    pub const PAGE_BYTES: u64 = 128 << 10;
}

/// What MooseFS may be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MooseFs {
    /// Copies of each chunk (`mfssetgoal`).
    pub copies: u32,
    /// Bytes that a client reads ahead (`mfsreadaheadleng`); 0 for none.
    pub read_ahead_bytes: u64,
    /// How long attributes hold (`mfsattrcacheto`), nanoseconds.
    pub cache_ns: u64,
    /// How long names do (`mfsentrycacheto`).
    pub entry_cache_ns: u64,
    /// What a request of the kernel costs the client's daemon.
    pub fuse: CallCosts,
}

impl Default for MooseFs {
    /// As version 3 has it (`man mfsmount`), with one copy, as the lab makes it.
    fn default() -> Self {
        Self {
            copies: 1,
            read_ahead_bytes: 1 << 20,
            cache_ns: 1_000_000_000,
            entry_cache_ns: 0,
            fuse: FUSE_COSTS,
        }
    }
}

impl MooseFs {
    /// Bytes of a chunk, and of a block of it (`MFSCHUNKSIZE` and `MFSBLOCKSIZE`).
    pub const CHUNK_BYTES: u64 = 64 << 20;
    /// The latter.
    pub const BLOCK_BYTES: u64 = 64 << 10;
    /// Threads of a chunk server. Assumed to be enough: it starts as many as it needs.
    pub const SERVER_THREADS: usize = 32;
}

/// A file system on several servers whose clients cache, and the way there.
#[derive(Clone, Debug)]
pub struct ClusterSystem<'p> {
    /// How it is spoken to.
    pub protocol: ClusterProtocol,
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
    /// The number of the metadata server of Lustre, or of the master of MooseFS. GlusterFS has none.
    pub metadata: usize,
}
