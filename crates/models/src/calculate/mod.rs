//! What simulations take long for, calculated: queues, caches, and the nodes of a data-centre.
//!
//! | deed | place |
//! | --- | --- |
//! | what requests ask of a station; a network of stations | `demand.rs`; `network.rs` |
//! | closed networks: over all populations, of the whole one alone | `exact.rs`; `approximate.rs` |
//! | open queues; two in a row | `open.rs`; `tandem.rs` |
//! | what throughput cannot be below or above | `bounds.rs` |
//! | hit ratios of a cache | `che.rs` |
//! | a store's devices | `device.rs` |
//! | pages that an application makes with a database | `dynamic.rs` |
//! | the nodes of a data-centre, with the requests of a log | `tiers/` |
//! | connections that SPECweb99 would rate a server with | `specweb99.rs` |

mod approximate;
mod bounds;
mod che;
mod demand;
mod device;
mod dynamic;
mod exact;
mod network;
mod open;
pub mod specweb99;
mod tandem;
mod tiers;

pub use approximate::approximate;
pub use bounds::{Bounds, asymptotic, balanced};
pub use che::{Popularity, che};
pub use demand::{Demand, Visits};
pub use dynamic::calculate_visits;
pub use exact::exact;
pub use network::{Class, Network, Order, Solution, Station};
pub use open::open;
pub use tandem::second_wait_s;
pub use tiers::{
    Calculated, ClassBounds, HitRatioMethod, Method, MountPrice, ResourceDemand, calculate,
    mount_prices,
};
