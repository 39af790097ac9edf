//! A data-centre on one machine, for measuring.
//!
//! It is made in one [`Deployment`](hotset_machine::Deployment), on which all that it makes of the machine hangs: nodes' groups
//! ([`ControlGroup`](hotset_machine::ControlGroup)), their [`net::Network`], [`disk`]s, [`store`]s and
//! [`server`]s.
//!
//! | deed | place |
//! | --- | --- |
//! | a scenario becomes nodes and stores | `lab`, `node`, `node_store` |
//! | what the machine must have for that; keys that the lab does not follow | `needs`; `not_honoured` |
//! | a server, a store, a disk | a file each in `server`, `store`, `disk` |
//! | several drives act as one | `disk/seeking/array`; a request in parts: `divided` |
//! | what happens at a time becomes deeds; they are done in a lab that was left up | `events`, `deed`; `play` |
//! | a lab is left up, and taken down | `up`; what is said of it, and which are up: `inventory` |

mod control;
mod deed;
pub mod disk;
mod error;
mod events;
mod inventory;
mod lab;
mod needs;
pub mod net;
mod node;
mod node_store;
mod not_honoured;
mod play;
pub mod server;
pub mod store;
mod up;

pub use control::{Control, go_on};
pub use deed::Deed;
pub use error::LabError;
pub use events::{Due, due, happen};
pub use hotset_machine::cgroup::Quota;
pub use inventory::{
    EventEntry, Inventory, LinkEntry, NodeEntry, SiteEntry, Standing, StoreEntry, standing,
};
pub use lab::Lab;
pub use needs::{basic_needs, needs};
pub use node::Node;
pub use node_store::NodeStore;
pub use not_honoured::not_honoured;
pub use play::{Played, play};
pub use up::{down, up};

/// Where the ledgers of the lab's deployments are kept, for every deployment to find those of dead ones.
pub const LEDGERS: &str = "/run/hotset-lab";
