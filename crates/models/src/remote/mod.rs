//! Files on other machines: what a client's kernel asks of file servers, and what that puts on the links.
//!
//! | deed | place |
//! | --- | --- |
//! | how a file is opened | `opening.rs` |
//! | messages as packets of a connection; what is lost, and who waits how long | `connection.rs`; `transport.rs`; how much of them is on its way: `window.rs` |
//! | links in time; a file server with threads, memory and disks; what calls cost processors; what a network stack adds | `network.rs`; `file_server.rs`; `costs.rs`; `link_stack.rs` |
//! | switches between them | `switched.rs` |
//! | what takes place between them; a store of whatever protocol; where files of a client are in its storage | `event.rs`; `file_store.rs`; `starts.rs` |
//! | NFS, versions 2 to 4 | [`nfs`] |
//! | PVFS 1 and OrangeFS | [`pvfs`] |
//! | stores of several servers for clients that only read: what each server has; calls round by round | `part.rs`; `rounds.rs` |
//! | Lustre, GlusterFS and MooseFS | [`cluster`] |

pub mod cluster;
mod connection;
mod costs;
mod event;
mod file_server;
mod file_store;
mod link_stack;
mod network;
pub mod nfs;
mod opening;
mod part;
pub mod pvfs;
mod rounds;
mod starts;
mod switched;
mod transport;
mod window;

pub use connection::{BothWays, Line};
pub use costs::CallCosts;
pub use event::RemoteEvent;
pub use file_server::ServerMachine;
pub(crate) use file_server::{FileServer, Work};
pub(crate) use file_store::FileStore;
pub use link_stack::LinkStack;
pub use network::{Arrival, Direction, Hop, LinkResult, NamedLine, Network};
pub use opening::{Access, Opening};
pub use part::Part;
pub(crate) use part::RoundMount;
pub(crate) use rounds::{RoundCall, ServedFile, Unanswered};
pub use switched::Switched;
pub use transport::{CallTimer, Expiry, Outage, Protocol, Transport, retransmission_ns};
pub(crate) use transport::{DUPLICATES, MOST_ATTEMPTS};
