//! Where the files of the sites are.

use std::path::PathBuf;

use anyhow::Result;
use hotset_live::SiteFolder;
use hotset_scenario::Scenario;
use hotset_trace::read::{RootRule, Roots};

/// Which folders.
#[derive(clap::Args)]
pub struct SitesArgs {
    /// Folder of a site's files; SITE:/prefix/=DIR for an alias. May be repeated
    #[arg(
        long = "root",
        value_name = "SITE=DIR",
        required_unless_present = "scenario"
    )]
    roots: Vec<RootRule>,
    /// Scenario file (TOML) whose sites have a `root`: for those that no --root names
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
}

impl SitesArgs {
    /// The folders by whole paths: a guardian runs elsewhere.
    pub fn folders(&self) -> Result<Vec<SiteFolder>> {
        let _checked = Roots::new(self.roots.clone())?;
        let mut folders: Vec<SiteFolder> =
            self.roots.iter().cloned().map(SiteFolder::from).collect();
        if let Some(file) = &self.scenario {
            for site in Scenario::load(file)?.sites {
                let is_named = self.roots.iter().any(|rule| rule.site == site.name);
                if let Some(folder) = site.root.filter(|_| !is_named) {
                    folders.push(SiteFolder {
                        site: site.name,
                        prefix: "/".to_owned(),
                        folder,
                    });
                }
            }
        }
        for folder in &mut folders {
            folder.folder = std::path::absolute(&folder.folder)?;
        }
        Ok(folders)
    }
}
