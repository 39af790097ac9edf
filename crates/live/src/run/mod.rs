//! What a program that keeps running does: it follows the logs of the sites and chooses anew, every interval, what to hold.
//!
//! [`Runner::look`] takes in what was logged ([`hotset_trace::read::follow`]). Names of files that nobody has asked for
//! before wait (`newcomers`) until they are looked up beneath the root of their site: what is not there is forgotten, so
//! that nobody can fill memory by inventing names. A client counts up to its share (`clients`). [`Runner::choose`] learns
//! and chooses ([`hotset_plan::Online`]), puts sites that miss their targets first (`targets`), moves no more than the churn allows
//! (`churn`), gives memory back where it is short (`ceiling`), and says what to ask the guardian for. [`Runner::save`] writes down what was learnt, for the process that comes next.

mod ceiling;
mod checkpoint;
mod churn;
mod clients;
mod figures;
mod forget;
mod known;
mod learn;
mod newcomers;
mod overview;
mod refusals;
mod run_status;
mod runner;
mod spec;
mod targets;

pub use ceiling::Pressure;
pub use checkpoint::Checkpoint;
pub use figures::{Figures, Point, ReadCounts, SiteFigures};
pub use overview::{HotFile, Move};
pub use run_status::RunStatus;
pub use runner::{Choice, RunEvent, Runner};
pub use spec::{RunSite, RunSpec};
