//! From runs to answers: warm-up, replications, intervals.

mod interval;
mod replications;
mod warm_up;

pub use replications::{Answer, Enough, Estimate, Experiment, Watcher};
