//! Traffic on models: a trace through a cache, jobs of fio on a store, operations on files of a file server, requests on the nodes of a scenario.

mod cache;
#[cfg(feature = "scenarios")]
#[cfg_attr(
    not(feature = "beyond-logs"),
    expect(dead_code, reason = "jobs and works need the rest")
)]
mod export;
#[cfg(feature = "beyond-logs")]
pub mod files;
#[cfg(feature = "beyond-logs")]
pub mod fio;
mod importance;
mod options;
#[cfg(feature = "scenarios")]
#[cfg_attr(
    not(feature = "beyond-logs"),
    expect(dead_code, reason = "jobs and works need the rest")
)]
mod reached_cluster;
#[cfg(feature = "scenarios")]
#[cfg_attr(
    not(feature = "beyond-logs"),
    expect(dead_code, reason = "jobs and works need the rest")
)]
mod reached_parallel;
#[cfg(feature = "scenarios")]
#[cfg_attr(
    not(feature = "beyond-logs"),
    expect(dead_code, reason = "jobs and works need the rest")
)]
mod reached_store;
mod sampled;
mod scan;
#[cfg(feature = "scenarios")]
pub mod scenario;
pub mod trace;
mod unit;

pub use unit::Unit;
