//! Where the files of the sites are.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use hotset_live::SiteFolder;
use hotset_scenario::{Placement, Scenario, SiteRoot};
use hotset_trace::read::{RootRule, Roots};

use crate::error::{misuse, usage};
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
        let sites = self.roots.iter().map(|rule| rule.site.as_deref());
        sites.flatten().collect()
    }

    /// The folders by whole paths: a guardian runs elsewhere. A site that no root names has those of the scenario, else those
    /// that the plan was made with. `scenario` stands for the field where that is not given.
    ///
    /// # Errors
    /// When there are none, or a root names no site where there may be several.
    pub fn folders(
        &self,
        plan: Option<&Placement>,
        scenario: Option<&Path>,
    ) -> Result<Vec<SiteFolder>, JobError> {
        let _checked = Roots::new(self.roots.clone())?;
        let mut folders = self.folders_of_roots(plan)?;
        if let Some(file) = self.scenario.as_deref().or(scenario) {
            let sites = Scenario::load(file)?.sites.into_iter();
            let of_site = |site: hotset_scenario::Site| {
                Some(SiteFolder {
                    site: site.name,
                    prefix: "/".to_owned(),
                    folder: site.root?,
                })
            };
            add_unnamed(&mut folders, sites.filter_map(of_site).collect());
        }
        let of_plan = plan.into_iter().flat_map(|plan| &plan.roots);
        let of_plan = of_plan.map(|root: &SiteRoot| SiteFolder {
            site: root.site.clone(),
            prefix: root.prefix.clone(),
            folder: OsStr::from_bytes(&root.folder.0).into(),
        });
        add_unnamed(&mut folders, of_plan.collect());
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

    /// Those that are given; one without a site is of the only site of the plan.
    fn folders_of_roots(&self, plan: Option<&Placement>) -> Result<Vec<SiteFolder>, JobError> {
        let sites: Vec<&str> = plan
            .map(|plan| plan.sites().into_iter().collect())
            .unwrap_or_default();
        let folder = |rule: &RootRule| match (&rule.site, &sites[..]) {
            (Some(site), _) => Ok(SiteFolder::of(rule, site)),
            (None, [only]) => Ok(SiteFolder::of(rule, only)),
            (None, []) => Err(usage(format!(
                "{} {}: no site is known here; write SITE=DIR",
                Field::Root,
                rule.text()
            ))),
            (None, several) => Err(usage(format!(
                "{} {}: the plan has several sites; write SITE=DIR, with one of {}",
                Field::Root,
                rule.text(),
                several.join(", ")
            ))),
        };
        self.roots.iter().map(folder).collect()
    }
}

/// Adds folders of URLs that have none yet.
fn add_unnamed(folders: &mut Vec<SiteFolder>, more: Vec<SiteFolder>) {
    let is_same =
        |one: &SiteFolder, other: &SiteFolder| one.site == other.site && one.prefix == other.prefix;
    let has = |new: &SiteFolder| folders.iter().any(|it| is_same(it, new));
    let more: Vec<SiteFolder> = more.into_iter().filter(|it| !has(it)).collect();
    folders.extend(more);
}
