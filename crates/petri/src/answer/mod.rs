//! From runs to answers: warm-up, replications, intervals, outcomes.

mod estimate;
mod interval;
mod outcome;
mod replications;
mod series;
mod warm_up;
mod watcher;

pub use estimate::{Estimate, Kind};
pub use interval::{batch_means, mean_and_half_width};
pub use replications::{Answer, Experiment, StoppingRule};
pub use watcher::Watcher;
