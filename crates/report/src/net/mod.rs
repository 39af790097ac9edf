//! `hotset net`: a file for each of its subcommands.

mod check;
mod list;
mod run;

pub use check::{Growth, NetCheckView};
pub use list::NetsView;
pub use run::NetRunView;
