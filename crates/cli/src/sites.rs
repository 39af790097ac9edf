//! Where the files of the sites are.

use std::path::PathBuf;

use hotset_actions::Sites;
use hotset_trace::read::RootRule;

/// Which folders.
#[derive(clap::Args)]
pub struct SitesArgs {
    /// Folder of a site's files; SITE:/prefix/=DIR for an alias, DIR alone for the only site. May be repeated; not needed for sites
    /// whose plan was made with it
    #[arg(long = "root", value_name = "[SITE=]DIR")]
    roots: Vec<RootRule>,
    /// Scenario file (TOML) whose sites have a `root`: for those that no --root names
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
