//! Traffic on models: a trace through a cache, jobs of fio on a store.

mod cache;
#[cfg(feature = "beyond-logs")]
pub mod fio;
mod importance;
mod options;
mod sampled;
mod scan;
pub mod trace;
mod unit;

pub use unit::Unit;
