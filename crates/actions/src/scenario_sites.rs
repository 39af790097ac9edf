//! The sites of a scenario, as readers of logs are told of them.

use hotset_scenario::Scenario;
use hotset_trace::read::ReadOptions;

use crate::JobError;

/// Adds the scenario's sites and roots to how logs are read.
pub(crate) fn add_sites(scenario: &Scenario, options: &mut ReadOptions) -> Result<(), JobError> {
    for site in &scenario.sites {
        for glob in &site.matches {
            options.sites.push(format!("{}={glob}", site.name).parse()?);
        }
        if let Some(root) = &site.root {
            options
                .roots
                .push(format!("{}={}", site.name, root.display()).parse()?);
        }
    }
    Ok(())
}
