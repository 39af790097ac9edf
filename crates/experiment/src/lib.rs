//! Experiments: a grid of points, each measured on a lab, predicted by a model or quoted from what is published, all as
//! outcomes that can be laid side by side.
//!
//! An [`Experiment`] is a TOML file. What is done with every kind of it is written once: [`Experiment::list`] says what there
//! is, [`Experiment::run`] measures what has not been measured, [`Experiment::show`] lays kept results beside
//! predictions and published figures. A kind is a folder of [`kinds`]. [`validate`] lays simulated jobs of fio
//! beside fio itself.
//!
//! | deed | place |
//! | --- | --- |
//! | an experiment file is read | `experiment`; what all kinds have in it: `header` |
//! | what a kind has to say | `study`; the grid: `point` |
//! | points are listed, measured, resumed | `harness`; what a kind is given for it: `session` |
//! | experiments below a folder; several of them summed up | `collection` |
//! | results are kept and found again | `kept`; settings that put them out of date: `Settings` of each kind, in its `result` or `mod` |
//! | results beside predictions and published tables | `show`, `comparison`, `quoted` |
//! | a proxy and the web nodes behind it | `tiers` |
//! | what documents claim, and whether it holds | `claims` |
//! | every table, figure and claim of the documents beside ours | [`reproduce`] |
//! | disks and links are read before and after a phase | `readings` |
//! | clients ask and wait | `clients`; one client's answers: `answers` |
//! | fio is run, and its files found | the table in `fio` |
//! | how far simulated jobs are off; in all | `deviation`; `scores` |

mod answers;
mod claims;
mod clients;
mod collection;
mod comparison;
mod deviation;
mod error;
mod experiment;
mod figure;
mod fio;
mod harness;
mod header;
mod kept;
pub mod kinds;
mod node;
mod point;
mod quantile;
mod quoted;
mod readings;
pub mod reproduce;
mod scores;
mod section_values;
mod session;
mod show;
mod study;
mod tiers;
pub mod validate;

pub use claims::{ClaimReport, Verdict};
pub use clients::{Clients, Watch};
pub use collection::{ExperimentEntry, ScoredExperiment, Scores, below, scores_of};
pub use comparison::{AGREEMENT, GroupComparison, MeanResponse};
pub use deviation::{Deviation, ErrorSummary, Metric};
pub use error::ExperimentError;
pub use experiment::Experiment;
pub use fio::FioError;
pub use harness::Item;
pub use kinds::databases::{reads_are_steady, seconds_until_warm};
pub use point::{Axis, Point, Selection};
pub use quantile::quantile;
pub use scores::{FigureScore, ScoredFigure};
pub use session::Tools;
pub use show::{PointReport, Report};
