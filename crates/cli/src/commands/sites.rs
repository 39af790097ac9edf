//! Where the files of the sites are.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hotset_live::SiteFolder;
use hotset_scenario::Scenario;
use hotset_trace::read::{RootRule, Roots};

use crate::output::Usage;

/// Which folders.
#[derive(clap::Args)]
pub struct SitesArgs {
    /// Folder of a site's files; SITE:/prefix/=DIR for an alias. May be repeated
    #[arg(long = "root", value_name = "SITE=DIR")]
    roots: Vec<RootRule>,
    /// Scenario file (TOML) whose sites have a `root`: for those that no --root names
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
}

impl SitesArgs {
    /// Sites that --root names.
    pub fn named(&self) -> Vec<&str> {
        self.roots.iter().map(|rule| rule.site.as_str()).collect()
    }

    /// The folders by whole paths: a guardian runs elsewhere. `scenario` stands for `--scenario` where that is not given.
    ///
    /// # Errors
    /// When there are none.
    pub fn folders(&self, scenario: Option<&Path>) -> Result<Vec<SiteFolder>> {
        let _checked = Roots::new(self.roots.clone())?;
        let mut folders: Vec<SiteFolder> =
            self.roots.iter().cloned().map(SiteFolder::from).collect();
        if let Some(file) = self.scenario.as_deref().or(scenario) {
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
        if folders.is_empty() {
            bail!(Usage(
                "no site has a folder: name it with --root SITE=DIR, or as `root` of a [[site]] of --scenario".to_owned()
            ));
        }
        for folder in &mut folders {
            folder.folder = std::path::absolute(&folder.folder)?;
        }
        Ok(folders)
    }
}
