//! What a program that keeps running does: it follows the logs of the sites and chooses anew, every interval, what to hold.
//!
//! [`Runner::look`] takes in what was logged ([`hotset_trace::read::follow`]). Names of files that nobody has asked for
//! before wait (`newcomers`) until they are looked up beneath the root of their site: what is not there is forgotten, so
//! that nobody can fill memory by inventing names. A client counts up to its share (`clients`). [`Runner::choose`] learns
//! and chooses ([`hotset_plan::Online`]), puts sites that miss their targets first (`targets`), moves no more than the churn allows
//! (`churn`), gives memory back where it is short (`ceiling`), and says what to ask the guardian for. [`Runner::save`] writes down what was learnt, for the process that comes next.
//!
//! | deed | place |
//! | --- | --- |
//! | a request becomes a read of a known file, or of a new name | `learn.rs`; `known.rs`, `newcomers.rs` |
//! | nobody makes files hot alone; what is forgotten | `clients.rs`; `forget.rs` |
//! | choose what to hold | `choosing.rs`; when: `runner.rs` |
//! | the same in simulated time | `simulated.rs` |
//! | targets of sites; bytes moved a minute | `targets.rs`; `churn.rs` |
//! | how much may be held at most, and less where memory is short | `ceiling.rs`; whether it is: `pressure.rs` |
//! | what the page cache alone would have had; whether holding pays | `baseline.rs` |
//! | a figure of `hotset run`; hottest files and moves | `figures.rs`; `overview.rs` |
//! | what happened, as a `RunEvent`; the words it is printed in | `runner.rs`; `actions/src/run/event.rs` |
//! | what is told to other processes; what is kept for the next one | `run_status.rs`; `checkpoint.rs` |
//! | the loop around a runner: how often logs are looked at, choices made, checkpoints written, scenarios read anew | `actions/src/run/service.rs` |

mod baseline;
mod ceiling;
mod checkpoint;
mod choosing;
mod churn;
mod clients;
mod figures;
mod forget;
mod known;
mod learn;
mod newcomers;
mod overview;
mod pressure;
mod refusals;
mod run_status;
mod runner;
mod simulated;
mod spec;
mod targets;

pub use baseline::{Payoff, Saving, Savings, SiteSaving};
pub use ceiling::Ceiling;
pub use checkpoint::Checkpoint;
pub use churn::Churn;
pub use clients::Clients;
pub use figures::{Figures, Point, ReadCounts, SiteFigures};
pub use forget::staying;
pub use overview::{HotFile, Move};
pub use pressure::Pressure;
pub use refusals::Refusals;
pub use run_status::RunStatus;
pub use runner::{Choice, RunEvent, Runner};
pub use simulated::{SimulatedFile, SimulatedRun};
pub use spec::{RunSite, RunSpec};
pub use targets::{MissedTargets, TargetTurn, Targets};
