//! The data-centre of a scenario by formulas: what a simulation of it would come to, in milliseconds.

mod options;
pub mod specweb99;

use hotset_report::ModelView;

use crate::simulate::scenario;
use crate::{JobError, Watch};

pub use hotset_models::calculate::HitRatioMethod;
pub use options::Options;

/// Calculates what the traffic would come to on the scenario's nodes.
///
/// # Errors
/// A scenario or logs that cannot be read, and what is not calculated yet.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<ModelView, JobError> {
    let of = scenario::Options {
        scenario: options.scenario.clone(),
        set: options.set.clone(),
        logs: options.logs.clone(),
        sessions: options.sessions.clone(),
        application: options.application.clone(),
        strict_keys: options.strict_keys,
        ..scenario::Options::default()
    };
    if of.sessions.is_some() || of.application.is_some() {
        return scenario::calculate_pages(&of, watch);
    }
    scenario::calculate(&of, options.hit_ratio_method, watch)
}
