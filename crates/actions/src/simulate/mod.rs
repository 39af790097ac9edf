//! Traffic on models: a trace through a cache, jobs of fio on a store, operations on files of a file server, requests on the nodes of a scenario.

mod cache;
#[cfg(feature = "beyond-logs")]
mod export;
#[cfg(feature = "beyond-logs")]
pub mod files;
#[cfg(feature = "beyond-logs")]
pub mod fio;
mod importance;
mod options;
#[cfg(feature = "beyond-logs")]
mod reached_cluster;
#[cfg(feature = "beyond-logs")]
mod reached_parallel;
#[cfg(feature = "beyond-logs")]
mod reached_store;
mod sampled;
mod scan;
#[cfg(feature = "scenarios")]
pub mod scenario;
pub mod trace;
mod unit;

pub use unit::Unit;
