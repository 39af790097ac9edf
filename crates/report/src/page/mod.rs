//! One HTML page that opens offline: no script, nothing fetched, plots inside.

mod describe;
mod document;
mod footer;
mod plan;
mod rate;

pub use describe::describe;
pub use plan::plan;
