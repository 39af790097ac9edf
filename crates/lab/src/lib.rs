//! A data-centre on one machine, for measuring.
//!
//! [`Lab`] is one run of it. What a run makes of the machine hangs on it: nodes' groups ([`cgroup::NodeGroup`]), their
//! [`net::Network`], [`disk`]s, [`store`]s and [`process`]es. Each thing is written into the run's [`ledger`] before it
//! is made, and is gone again after [`Lab::teardown`], after the drop of the last reference, or, when the lab is
//! killed, after the start of the next one.

pub mod cachestat;
pub mod cgroup;
mod command;
mod control;
pub mod disk;
mod error;
pub mod file_systems;
mod lab;
pub mod ledger;
pub mod machine;
pub mod net;
pub mod process;
mod procfs;
pub mod resource;
pub mod result;
pub mod server;
pub mod store;

pub use control::{Control, go_on};
pub use error::{LabError, OnFile};
pub use lab::{LEDGERS, Lab, Places};
