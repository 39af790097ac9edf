//! One HTML page that opens offline: no script, nothing fetched, plots inside.

mod compare;
mod describe;
mod document;
mod footer;
mod plan;
mod rate;
mod replay;

pub use compare::compare;
pub use describe::describe;
pub use plan::plan;
pub use replay::replayed;
