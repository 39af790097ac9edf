//! The sites of a scenario, as readers of logs are told of them.

use std::fs;
use std::path::Path;

use hotset_scenario::Scenario;
use hotset_trace::read::ReadOptions;

use crate::JobError;
use crate::error::refuse;

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

/// Refuses roots of the scenario in `file` that are no folders. Readers would name options that nobody gave.
pub(crate) fn check_roots(scenario: &Scenario, file: &Path) -> Result<(), JobError> {
    for site in &scenario.sites {
        let Some(root) = &site.root else { continue };
        let why = match fs::metadata(root) {
            Ok(data) if data.is_dir() => continue,
            Ok(_) => "not a folder".to_owned(),
            Err(error) => error.to_string(),
        };
        refuse!(
            "{}: `root` of the [[site]] {}: {}: {why}: name the folder of the site's files",
            file.display(),
            site.name,
            root.display()
        );
    }
    Ok(())
}
