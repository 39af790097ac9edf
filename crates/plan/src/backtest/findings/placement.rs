//! A plan's files by name, for placing them.

use hotset_scenario::{FilePath, PlacedFile, PlacedGroup, PlacedNode, Placement};

use super::plan::{HeldObject, NodePlan, Plan};
use crate::backtest::candidates::memory_use::GroupSize;
use crate::value::Catalogue;

/// Where a plan's files are to be held.
#[derive(Clone, Copy, Debug)]
pub struct Destination<'a> {
    /// Names of the nodes that hold them, in the order of the plan.
    pub nodes: &'a [&'a str],
    /// Memory store that holds them.
    pub store: &'a str,
}

/// What a placement says of a file and a planner does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileIdentity {
    /// Path within its site.
    pub path: FilePath,
    /// When the file was last changed, in nanoseconds since 1970, where known.
    pub mtime_ns: Option<i64>,
}

impl Plan {
    /// The plan's files for placing them at `destination`, node by node in the order of moving; `identify` says which file
    /// an object is.
    pub fn placement(
        &self,
        files: &Catalogue,
        destination: Destination,
        identify: impl Fn(u32) -> FileIdentity,
    ) -> Placement {
        let place = |node: &str, order: usize, held: &HeldObject| {
            let FileIdentity { path, mtime_ns } = identify(held.object);
            PlacedFile {
                site: files.sites[files.site(held.object)].clone(),
                path,
                size_bytes: held.reason.size_bytes,
                mtime_ns,
                store: destination.store.to_owned(),
                node: node.to_owned(),
                order: order as u32,
                reason: held.reason.clone(),
            }
        };
        let of_node = |(node, plan): (&&str, &NodePlan)| {
            let held = plan.objects.iter().enumerate();
            let files = held.map(|(order, held)| place(node, order, held));
            files.collect::<Vec<_>>()
        };
        let nodes = || destination.nodes.iter().zip(&self.nodes);
        let groups = |(node, plan): (&&str, &NodePlan)| {
            let group = |(site, group): (&String, &GroupSize)| PlacedGroup {
                node: (*node).to_owned(),
                site: site.clone(),
                memory_bytes: group.memory_bytes,
                floor_bytes: group.floor_bytes,
            };
            let sites = files.sites.iter().zip(&plan.groups);
            let with_files = sites.filter(|(_, group)| group.memory_bytes > 0);
            with_files.map(group).collect::<Vec<_>>()
        };
        let memory = |(node, plan): (&&str, &NodePlan)| PlacedNode {
            name: (*node).to_owned(),
            memory_bytes: plan.memory_bytes,
        };
        let has_several = destination.nodes.len() > 1;
        Placement {
            version: Placement::VERSION,
            memory_bytes: self.memory_bytes,
            nodes: nodes().filter(|_| has_several).map(memory).collect(),
            held_pages: self.held.pages,
            all_files_bytes: None,
            groups: nodes().flat_map(groups).collect(),
            roots: Vec::new(),
            databases: Vec::new(),
            files: nodes().flat_map(of_node).collect(),
        }
    }
}
