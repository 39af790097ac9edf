//! The nodes, stores and clients of a scenario as those that models simulate and calculate.
//!
//! | deed | place |
//! | --- | --- |
//! | nodes and clients, and which of them are asked | `nodes` |
//! | their numbers, and those of links | `numbers` |
//! | the stores of the sites become profiles with their disks | `stores` |
//! | those that are on file servers; the servers | `remote_stores`; `file_servers`; file systems on several: `several_servers` |
//! | what requests, bytes and connections cost the servers | `servers` |
//! | a site whose pages an application makes with a database | `dynamic`; its visitors: `browsers` |
//! | switches between nodes | `switches` |
//! | what `hotset run` would hold | `following` |
//! | what happens at a time | `events` |
//! | what a node did, as outcomes have it | `outcome` |

mod browsers;
mod dynamic;
mod error;
mod events;
mod file_servers;
mod following;
mod nodes;
mod numbers;
mod outcome;
mod remote_stores;
mod servers;
mod several_servers;
mod stores;
mod switches;

pub use browsers::{Browsers, BrowsersOfTwo};
pub use dynamic::{APPLICATION_WORKERS, Visited};
pub use error::TopologyError;
pub use file_servers::{
    FILE_SERVER_THREADS, call_costs, call_costs_by, link_stack, measured_costs, on_processors,
};
pub use following::{Followed, Following};
pub use nodes::{Content, Held, Nodes, workers};
pub use numbers::Numbers;
pub use outcome::{add_link, add_resources};
pub use remote_stores::{check_size, mount};
pub use servers::Servers;
pub use several_servers::{cluster_protocol, parallel_protocol, striping};
pub use stores::{Stores, local_profile};
pub use switches::{place_of, topology_of};
