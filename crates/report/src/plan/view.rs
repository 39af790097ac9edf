//! What a plan's view is given.

use std::path::PathBuf;

use hotset_describe::Description;
use hotset_plan::{Advice, DatabaseDivision, Plan, Proposal, Verdict};
use hotset_scenario::{PlacedFile, Placement, PlacementChanges};
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use crate::{ResourceUsage, number};

/// Where a file lies on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnDisk {
    /// Its site's document root is not known.
    NoRoot,
    /// Its site's document root does not have it.
    Missing,
    /// There.
    At(PathBuf),
}

/// Who says what store a site is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StoreBasis {
    /// The user.
    Named,
    /// The kernel, of the root of the site.
    Found,
    /// The kernel, of a virtual disk, which often says that it turns whatever it is.
    Assumed,
    /// Nobody: it is the one that is taken where nothing is known.
    Usual,
}

/// A plan with what else is said about it.
pub struct PlanView<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Names of the nodes, in the order of the plan's.
    pub nodes: &'a [String],
    /// Names of nodes that no plan is made for, because they read no site from a store.
    pub passed_over: &'a [String],
    /// Its files by name.
    pub placement: &'a Placement,
    /// Where each of them lies on disk.
    pub on_disk: &'a [OnDisk],
    /// What changes to the plan in force, where one was given.
    pub changes: Option<PlacementChanges<'a>>,
    /// The traffic it was made from.
    pub description: &'a Description,
    /// How that was read.
    pub reading: &'a ReadSummary,
    /// Name of the profile of each site's store, in the order of the plan's sites.
    pub backing: &'a [String],
    /// Who says so, in the same order.
    pub store_bases: &'a [StoreBasis],
    /// Which store would suit each site, in the same order; empty where none was compared.
    pub advice: &'a [Advice],
    /// (share of the mean response saved, bytes of memory needed; nothing where no memory does).
    pub memory_needed: &'a [(f64, Option<u64>)],
    /// Sizes to choose from, where nobody named one: the plan is for what is free.
    pub proposal: Option<&'a Proposal>,
    /// How the memory is divided between files and database servers, where there are some.
    pub databases: Option<&'a DatabaseDivision>,
    /// What planning took.
    pub usage: ResourceUsage,
}

impl<'a> PlanView<'a> {
    /// What to do about the plan.
    pub fn verdict(&self) -> Verdict {
        let verdict = self.plan.verdict(self.changes.as_ref());
        match self.databases.is_some_and(|it| !it.is_left) {
            true => Verdict::Hold,
            false => verdict,
        }
    }

    /// Whether sites differ in weight, so that the weighted mean is not the mean.
    pub(super) fn is_weighted(&self) -> bool {
        let mut sites = self.plan.sites.windows(2);
        sites.any(|pair| pair[0].weight != pair[1].weight)
    }

    /// Held files of a site, the most valuable of each node first.
    pub(super) fn files_of(&self, site: &str) -> Vec<&'a PlacedFile> {
        let files = self.placement.files.iter();
        let mut files: Vec<_> = files.filter(|file| file.site == site).collect();
        files.sort_by_key(|file| file.order);
        files
    }

    pub(super) fn has_several_nodes(&self) -> bool {
        self.nodes.len() > 1
    }

    /// Names of the stores that files come from, each once.
    pub(super) fn stores(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for name in self.backing {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        match names.is_empty() {
            true => number::NONE.to_owned(),
            false => names.join(", "),
        }
    }
}
