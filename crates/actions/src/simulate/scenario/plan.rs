//! The files that a plan holds on the nodes, and the memory groups that it makes of them; or what `hotset run` holds there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hotset_cache::PAGE_BYTES;
use hotset_models::tiers::FollowSince;
use hotset_scenario::{Node, PlacedFile, Placement, Scenario};
use hotset_topology::{Followed, Following, Held, Nodes, TopologyError};

use super::options::Options;
use crate::error::{refuse, refused};
use crate::plan::{call_only_node, held_on};
use crate::{Input, JobError};

/// A plan, where one is given.
pub(super) struct Plan(Option<Placement>);

impl Plan {
    /// The plan in the file at `path`, for the `nodes` that read a store and the sites of `input`. The file of a single node may call
    /// it by another name.
    ///
    /// # Errors
    /// A file that is no plan, one for other nodes, and one for other sites.
    pub fn read(path: Option<&Path>, nodes: &[&Node], input: &Input) -> Result<Self, JobError> {
        let Some(path) = path else {
            return Ok(Self(None));
        };
        let name = path.display().to_string();
        let json = fs::read(path).map_err(|error| {
            refused(format!(
                "cannot read {name} (`hotset plan -o {name} …` makes a plan): {error}"
            ))
        })?;
        let mut plan = Placement::from_json(&json).map_err(|error| JobError::at(&name, error))?;
        let readers = nodes.iter().filter(|node| node.reads_store());
        let readers: Vec<&str> = readers.map(|node| node.name.as_str()).collect();
        call_only_node(&mut plan, &readers);
        let of_files = plan.files.iter().map(|file| file.node.as_str());
        let of_groups = plan.groups.iter().map(|group| group.node.as_str());
        let mut of_plan = of_files.chain(of_groups);
        if let Some(other) = of_plan.find(|it| !readers.contains(it)) {
            refuse!(
                "{name}: is a plan for `{other}`, which is none of the nodes that send files here ({}); plan for these with \
                 `hotset plan --scenario`",
                readers.join(", ")
            );
        }
        check_sites(&name, &plan.sites(), &input.trace.sites)?;
        Ok(Self(Some(plan)))
    }

    /// What it makes of the memory of `node`.
    pub fn on(&self, node: &Node, input: &Input) -> Held {
        let groups = input.trace.sites.iter().map(|site| self.group(node, site));
        let groups: Vec<Option<u64>> = groups.collect();
        let files = match self.files(node).next() {
            Some(_) => held_on(self.0.as_ref(), &node.name, input),
            None => Vec::new(),
        };
        Held {
            files: files.into(),
            bytes: bytes(self.files(node)),
            groups: groups.into(),
            follow: None,
        }
    }

    fn files<'p>(&'p self, node: &'p Node) -> impl Iterator<Item = &'p PlacedFile> {
        let files = self.0.iter().flat_map(|plan| &plan.files);
        files.filter(|file| file.node == node.name)
    }

    /// Bytes of the page cache in the group of a site, beside what is held in it.
    fn group(&self, node: &Node, site: &str) -> Option<u64> {
        let mut groups = self.0.iter().flat_map(|plan| &plan.groups);
        let group = groups.find(|group| group.node == node.name && group.site == site)?;
        let held = self.files(node).filter(|file| file.site == site);
        Some(group.memory_bytes.saturating_sub(bytes(held)))
    }
}

/// What `hotset run` would hold on `nodes` from the first request on, where the options say so.
///
/// # Errors
/// What it would not do.
pub(super) fn followed(
    options: &Options,
    scenario: &Scenario,
    nodes: &Nodes<'_>,
    input: &Input,
) -> Result<Followed, TopologyError> {
    let Some(interval) = options.run else {
        return Ok(Followed::default());
    };
    let following = Following {
        interval,
        since: FollowSince::Start,
    };
    following.on(scenario, &nodes.nodes, &input.trace)
}

/// Refuses the plan `name` where it is for none of the sites of the traffic.
fn check_sites(name: &str, of_plan: &BTreeSet<&str>, sites: &[String]) -> Result<(), JobError> {
    let is_of_plan = |site: &String| of_plan.contains(site.as_str());
    if !of_plan.is_empty() && !sites.iter().any(is_of_plan) {
        refuse!(
            "{name}: is a plan for the sites {}, and the requests are for {}; name a plan for these",
            listed(of_plan),
            sites.join(", ")
        );
    }
    Ok(())
}

/// Bytes of whole pages of files.
fn bytes<'p>(files: impl Iterator<Item = &'p PlacedFile>) -> u64 {
    let pages = files.map(|file| file.size_bytes.div_ceil(PAGE_BYTES));
    let pages = pages.fold(0, u64::saturating_add);
    pages.saturating_mul(PAGE_BYTES)
}

fn listed(names: &BTreeSet<&str>) -> String {
    names.iter().copied().collect::<Vec<_>>().join(", ")
}
