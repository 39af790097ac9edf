//! Where the files of the sites are.

use std::path::{Path, PathBuf};

use hotset_live::SiteFolder;
use hotset_scenario::Scenario;
use hotset_trace::read::{RootRule, Roots};

use crate::error::misuse;
use crate::{Field, JobError};

/// Where the files of the sites are.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    /// Folders of sites' files, and aliases.
    pub roots: Vec<RootRule>,
    /// Scenario file whose sites have a `root`: for those that `roots` does not name.
    pub scenario: Option<PathBuf>,
}

impl Sites {
    /// Sites whose roots are named.
    pub fn named(&self) -> Vec<&str> {
        self.roots.iter().map(|rule| rule.site.as_str()).collect()
    }

    /// The folders by whole paths: a guardian runs elsewhere. `scenario` stands for the field where that is not given.
    ///
    /// # Errors
    /// When there are none.
    pub fn folders(&self, scenario: Option<&Path>) -> Result<Vec<SiteFolder>, JobError> {
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
            misuse!(
                "no site has a folder: name it with {} SITE=DIR, or as `root` of a [[site]] of {}",
                Field::Root,
                Field::Scenario
            );
        }
        for folder in &mut folders {
            folder.folder = std::path::absolute(&folder.folder)?;
        }
        Ok(folders)
    }
}
