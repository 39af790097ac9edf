//! What hotset can be asked to do: options in, a result out.
//!
//! The command and the Python package both call it, so that an option means the same in both. Each command has a module of
//! its name: its `Options`, whose fields are called as the options are, and `run`, which gives what reports show. Nothing
//! here prints, and nothing knows how an option is spelled: messages name it as a [`Field`].
//!
//! Without the feature `beyond-logs` there are only the commands that take logs alone, those that simulate scenarios with the feature
//! `scenarios`, and few crates to build.
//!
//! | deed | place |
//! | --- | --- |
//! | logs or a trace folder become a trace; options for reading that do not go together | [`Logs`], `input.rs`; [`check_rule`] |
//! | a format as it is named; times, keys and periods as they are written | `format.rs`, `times.rs`, `client_key.rs` |
//! | results are kept from overwriting each other and what is read | [`Results`] |
//! | why a job cannot be done; what is said of options | [`JobError`], [`Message`] |
//! | whoever follows a job: progress, warnings, Ctrl-C | [`Watch`] |
//! | how a result came about | [`provenance`] |
//! | which outcomes of which documents are compared | [`ChosenOutcomes`] |
//! | whether all files fit in the memory that is free | `free_memory.rs` |
//! | what a plan takes beside the traffic: nodes, stores, sites' terms; database servers | `plan/setting.rs`; `plan/databases.rs` |
//! | what of a plan is applied to database servers | `apply_databases.rs` |
//! | where sites' files are; how files are held, and for which server | [`Sites`], [`Holding`] |
//! | a scenario becomes what a runner is told; what it holds by, and whom it tells | `run/spec.rs`; `run/service.rs` |
//! | what has to be known before a replay's figures are believed | `replay/problems.rs` |
//! | defaults of generated workloads, and their memory | `generate/workload.rs`, `memory.rs` |
//! | how large a database of a class is | `generate/database.rs` |
//! | how long a database is looked at | `probe/database.rs` |

#[cfg(feature = "beyond-logs")]
pub mod apply;
#[cfg(feature = "beyond-logs")]
mod apply_databases;
mod chosen_outcomes;
mod client_key;
pub mod compare;
#[cfg(feature = "beyond-logs")]
pub mod config;
#[cfg(feature = "beyond-logs")]
pub mod demo;
pub mod describe;
mod error;
mod error_line;
#[cfg(feature = "beyond-logs")]
pub mod exec;
#[cfg(feature = "beyond-logs")]
pub mod experiment;
mod format;
mod free_memory;
pub mod generate;
#[cfg(feature = "beyond-logs")]
mod holding;
pub mod import;
mod input;
#[cfg(feature = "beyond-logs")]
pub mod lab;
#[cfg(feature = "beyond-logs")]
pub mod live;
mod logs;
pub mod merge;
mod message;
#[cfg(feature = "scenarios")]
pub mod model;
#[cfg(feature = "beyond-logs")]
pub mod net;
pub mod part;
pub mod plan;
#[cfg(feature = "beyond-logs")]
pub mod probe;
pub mod provenance;
#[cfg(feature = "beyond-logs")]
pub mod release;
#[cfg(feature = "beyond-logs")]
pub mod replay;
#[cfg(feature = "beyond-logs")]
pub mod reproduce;
mod results;
#[cfg(feature = "beyond-logs")]
pub mod run;
mod scenario_sites;
pub mod simulate;
#[cfg(feature = "beyond-logs")]
mod sites;
#[cfg(feature = "beyond-logs")]
pub mod status;
#[cfg(feature = "scenarios")]
pub mod sweep;
mod times;
mod timings;
#[cfg(feature = "beyond-logs")]
pub mod validate;
mod watch;

pub use chosen_outcomes::ChosenOutcomes;
pub use client_key::{ClientKey, client_key};
pub use error::JobError;
pub use error_line::one_line;
pub use format::FormatNames;
#[cfg(feature = "beyond-logs")]
pub use holding::{Holding, STALENESS};
pub use input::{Input, name_of, only_folder};
pub use logs::{Logs, check_rule};
pub use message::{Field, Message};
pub use results::Results;
#[cfg(feature = "beyond-logs")]
pub use sites::Sites;
pub use times::{WrittenTime, period};
pub use timings::Timings;
pub use watch::{NoWatch, Part, Watch};
