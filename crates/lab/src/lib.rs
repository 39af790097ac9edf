//! A data-centre on one machine, for measuring.
//!
//! [`Lab`] is one run of it. What a run makes of the machine hangs on it: nodes' groups ([`cgroup::NodeGroup`]), their
//! [`net::Network`], [`disk`]s, [`store`]s and [`process`]es. Each thing is written into the run's [`ledger`] before it
//! is made, and is gone again after [`Lab::teardown`], after the drop of the last reference, or, when the lab is
//! killed, after the start of the next one.

pub mod arms;
pub mod cachestat;
pub mod cgroup;
mod closed_loop;
mod command;
mod control;
pub mod disk;
mod error;
pub mod experiment;
pub mod file_systems;
mod lab;
pub mod ledger;
pub mod machine;
pub mod net;
pub mod prediction;
mod probe;
pub mod process;
mod procfs;
pub mod profile;
pub mod report;
pub mod resource;
pub mod result;
pub mod server;
pub mod shared_node;
pub mod store;
pub mod workload;

pub use control::Control;
pub use error::LabError;
pub use lab::{LEDGERS, Lab, Places};
