//! What the exporters of a plan are given.

use hotset_describe::Description;
use hotset_plan::{Advice, Plan};
use hotset_scenario::{PlacedFile, Placement};
use hotset_trace::read::ReadSummary;

use crate::{ResourceUsage, number};

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
    /// The traffic it was made from.
    pub description: &'a Description,
    /// How that was read.
    pub reading: &'a ReadSummary,
    /// Name of the profile of each site's store, in the order of the plan's sites.
    pub backing: &'a [String],
    /// Which store would suit each site, in the same order; empty where none was compared.
    pub advice: &'a [Advice],
    /// (share of the mean response saved, bytes of memory needed; nothing where no memory does).
    pub memory_needed: &'a [(f64, Option<u64>)],
    /// What planning took.
    pub usage: ResourceUsage,
}

impl<'a> PlanView<'a> {
    /// The plan file: what `-o` writes and `--previous` reads.
    ///
    /// # Errors
    /// None that today's placements can cause.
    pub fn plan_file(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self.placement)
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
        if names.is_empty() {
            number::NONE.to_owned()
        } else {
            names.join(", ")
        }
    }
}
