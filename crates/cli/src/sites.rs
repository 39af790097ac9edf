//! Where the files of the sites are.

use std::path::PathBuf;

use hotset_actions::Sites;
use hotset_trace::read::RootRule;

/// Which folders.
#[derive(clap::Args)]
pub struct SitesArgs {
    /// Folder of a site's files: DIR, or SITE=DIR; may be repeated
    ///
    /// DIR alone is for the only site; SITE:/prefix/=DIR is an alias. Not needed for sites whose plan was made with
    /// it.
    #[arg(long = "root", value_name = "[SITE=]DIR")]
    roots: Vec<RootRule>,
    /// Scenario file (TOML) whose sites have a `root`
    ///
    /// For sites, and URLs of sites, that no --root names.
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
}

impl SitesArgs {
    pub fn sites(&self) -> Sites {
        Sites {
            roots: self.roots.clone(),
            scenario: self.scenario.clone(),
        }
    }
}
