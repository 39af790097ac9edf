//! A data-centre on one machine, for measuring.
//!
//! It is made in one [`Run`](hotset_machine::Run), on which all that it makes of the machine hangs: nodes' groups
//! ([`ControlGroup`](hotset_machine::cgroup::ControlGroup)), their [`net::Network`], [`disk`]s, [`store`]s and
//! [`server`]s.

mod control;
pub mod data_centre;
pub mod disk;
mod error;
pub mod net;
pub mod server;
pub mod standing;
pub mod store;

pub use control::{Control, go_on};
pub use data_centre::{DataCentre, basic_needs};
pub use error::LabError;

/// Where the ledgers of the lab's runs are kept, for every run to find those of dead ones.
pub const LEDGERS: &str = "/run/hotset-lab";
