//! Clients, proxies and web servers in simulated time: each request is a token of a net that is built from the nodes. A web node's
//! storage is an object of the run, so what its page cache holds follows from the requests.
//!
//! | deed | place |
//! | --- | --- |
//! | the nodes, their links and who asks them | `system.rs` |
//! | the files, and the requests for them | `traffic.rs` |
//! | what a request costs a server; a node's network stack; what it has on a link | `costs.rs`; `stacks.rs`; `message.rs` |
//! | the net, a file for each of its pages | `net/` |
//! | files being sent, through the way of reads; what is read of them at a time; which a node's storage has; which of them a node has to follow; which memory keeps whole; how fast disks are | `file_reader.rs`; `read_blocks.rs`; `node_files.rs`; `own_files.rs`; `whole_files.rs`; `speeds.rs` |
//! | what takes place at a node's stores, and when | `storage_events.rs` |
//! | connections of servers whose workers stay with them | `connections.rs` |
//! | files that are held by the traffic, and who chooses them | `holder.rs`; `chooser.rs` |
//! | what a server takes beside the files of sites: files of the system; its log; its workers' memory; inodes of files | `needs.rs`: `system_files.rs`; `log_writer.rs`; `worker_memory.rs`; `inodes.rs` |
//! | processors that serve one message after the other; that processes share; what is left of a quota | `servers.rs`; `sharing.rs`; `budget.rs` |
//! | a way of a link: what is in line for it; what is held back, which flows share | `link_queue.rs`; `held_back.rs`; who of those that share ends first: `finish_tags.rs` |
//! | stores of file servers: as web nodes mount them; calls under way; the server | `mounted_stores.rs`; `calls.rs`; `served_files.rs` |
//! | what becomes of calls whose packets are lost | `deliveries.rs` |
//! | which node is asked next; answers that a proxy keeps | `balancer.rs`; `proxy_cache.rs` |
//! | what fails, and what becomes of requests thereby; which of them clients give up | `faults.rs`; `patience.rs` |
//! | what is counted; over time; how busy things were then | `counts.rs`; `over_time.rs`; `busy.rs` |
//! | the run, and when it is measured | `simulate.rs` |
//! | what came of it; of several runs; how sure that is | `result.rs`; `pooled.rs`; `batches.rs` |

mod balancer;
mod batches;
mod budget;
mod busy;
mod calls;
mod chooser;
mod connections;
mod costs;
mod counts;
mod deliveries;
mod error;
mod faults;
mod file_reader;
mod finish_tags;
mod held_back;
mod holder;
mod inodes;
mod link_queue;
mod log_writer;
mod message;
mod mounted_stores;
mod needs;
mod net;
mod node_files;
mod over_time;
mod own_files;
mod patience;
mod pooled;
mod proxy_cache;
mod read_blocks;
mod result;
mod served_files;
mod servers;
mod sharing;
mod simulate;
mod speeds;
mod stacks;
mod storage_events;
mod system;
mod system_files;
mod traffic;
mod whole_files;
mod worker_memory;

pub(crate) use balancer::by_hash;
pub use batches::{BatchFigures, interval};
pub use chooser::{Chooser, Follow, FollowSince, MakeChooser, Moves};
pub(crate) use costs::Sending;
pub use costs::{PROXY_ANSWER_US, PROXY_NS_PER_BYTE, REQUEST_FILE_BYTES, REQUEST_US, request_ns};
pub use error::TiersError;
pub(crate) use message::{
    HEAD_BYTES, PIECE_BYTES, REQUEST_BYTES, Wire, call_packet_bytes, packet_bytes,
};
pub use needs::{LOG_LINE_BYTES, Needs, SystemFiles};
pub use net::drawn;
pub use proxy_cache::Kept;
pub(crate) use proxy_cache::ProxyCache;
pub use result::{CacheCounts, LinkCounts, MemoryCounts, NodeResult, OtherLink, TiersResult};
pub(crate) use sharing::Sharing;
pub use simulate::{WarmUp, simulate, simulate_warmed};
pub use system::{
    Arrivals, ByClass, Change, ClientClass, ClientNode, DirectLink, Event, Export, Files, Link,
    Node, NodeStack, Processors, Proxy, Quota, Role, Store, Switches, Tiers, Web,
};
pub use traffic::{File, Traffic};
