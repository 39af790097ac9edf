//! What a program that keeps running does: it follows the logs of the sites and chooses anew, every interval, what to hold.
//!
//! [`Daemon::look`] takes in what was logged ([`hotset_trace::read::follow`]). Names of files that nobody has asked for
//! before wait (`newcomers`) until they are looked up beneath the root of their site: what is not there is forgotten, so
//! that nobody can fill memory by inventing names. A client counts up to its share (`clients`). [`Daemon::decide`] learns
//! and chooses ([`hotset_plan::Online`]), puts sites that miss their targets first (`targets`), moves no more than the churn allows
//! (`churn`), gives memory back where it is short (`ceiling`), and says what to ask the guardian for. [`Daemon::save`] writes down what was learnt, for the process that comes next.

mod ceiling;
mod churn;
mod clients;
mod decide;
mod figures;
mod forget;
mod known;
mod learn;
mod newcomers;
mod published;
mod refused;
mod saved;
mod sight;
mod spec;
mod targets;

pub use ceiling::Pressure;
pub use decide::{Daemon, DaemonEvent, Decision};
pub use figures::{Figures, Point, Served, SiteFigures};
pub use published::Published;
pub use saved::Saved;
pub use sight::{HotFile, Move};
pub use spec::{DaemonSite, DaemonSpec};
