//! `hotset net`: a file for each of its subcommands.

mod check;
mod list;
mod run;
mod trace;

pub use check::{Growth, NetCheckView};
pub use list::NetsView;
pub use run::NetRunView;
pub use trace::{NetTraceView, TracedFiring};
