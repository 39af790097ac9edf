//! A plan as `--json` prints it, by `schemas/plan.json`.

use hotset_plan::{
    Advice, DatabaseDivision, NodePlan, Plan, Proposal, SitePlan, Verdict, WriterEffect,
};
use hotset_scenario::{FilePath, PlacedFile, PlacementChanges};
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use super::view::{PlanView, StoreBasis};
use crate::ResourceUsage;

/// The plan, whose keys are declared in `hotset_plan`, and what else is known of it.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Value<'a> {
    #[serde(flatten)]
    plan: &'a Plan,
    /// The plan's sites with what is known of their stores, in their place.
    sites: Vec<Site<'a>>,
    /// What to do: hold the files of the plan; nothing, because they are held already, and no others; or leave the
    /// memory to the page cache.
    verdict: Verdict,
    /// What changes to the plan in force (--previous); left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Changes<'a>>,
    /// Node by node, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Node<'a>>,
    /// Programs of the scenario that write beside nodes' servers; left out without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    writers: Vec<NodeWriter<'a>>,
    /// Nodes of the scenario that no plan is made for: proxies read no site from a store; left out without any.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    passed_over: &'a [String],
    /// Memory that a gain takes, for --for-gain; else empty.
    memory_for_gain: Vec<MemoryForGain>,
    /// Sizes to choose from, where no memory was named: the plan is for what is free here; else left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<&'a Proposal>,
    /// How the memory is divided between files and the database servers of the scenario; left out without any. Then all other
    /// figures are of the files' part.
    #[serde(skip_serializing_if = "Option::is_none")]
    databases: Option<&'a DatabaseDivision>,
    /// How the input was read, with the keys of import.json from rules to steps_back.
    reading: &'a ReadSummary,
    #[serde(flatten)]
    usage: &'a ResourceUsage,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Site<'a> {
    #[serde(flatten)]
    plan: &'a SitePlan,
    /// Profile of the store that its files are read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    backing: Option<&'a String>,
    /// Who says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    backing_basis: Option<StoreBasis>,
    /// Which store suits the site, each by the plan that is best for it if every site lived there; left out where no
    /// store is weighed.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'a Advice>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Node<'a> {
    /// Name of the node.
    name: &'a String,
    #[serde(flatten)]
    plan: &'a NodePlan,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct NodeWriter<'a> {
    /// Name of the node that it is on.
    node: &'a String,
    #[serde(flatten)]
    effect: &'a WriterEffect,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct MemoryForGain {
    /// Share of the weighted mean response saved, 0 to 1.
    gain: f64,
    /// Least memory found whose plan saves it, bytes; null where none tried does.
    memory_bytes: Option<u64>,
}

/// What changes to the plan in force.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Changes<'a> {
    /// Files held by this plan and not by the one in force, the most valuable first.
    added: ChangedFiles<'a>,
    /// Files held by the plan in force and not by this one.
    dropped: ChangedFiles<'a>,
    /// Files held by both.
    kept: FileCount,
    /// Whether the memory groups of sites are others, or of other sizes.
    groups_differ: bool,
    /// Whether database servers get other memory.
    databases_differ: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ChangedFiles<'a> {
    #[serde(flatten)]
    count: FileCount,
    /// Each of them.
    files: Vec<ChangedFile<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct FileCount {
    /// Files.
    objects: u64,
    /// Sum of their sizes, bytes.
    bytes: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ChangedFile<'a> {
    /// Node that holds it.
    node: &'a str,
    /// Site it belongs to.
    site: &'a str,
    /// Path within the site; a list of byte values where it is not UTF-8.
    path: &'a FilePath,
    /// Its size, bytes.
    size_bytes: u64,
}

impl<'a> From<&'a PlanView<'_>> for Value<'a> {
    fn from(view: &'a PlanView) -> Self {
        let sites = view.plan.sites.iter().enumerate();
        let nodes = view.nodes.iter().zip(&view.plan.nodes);
        let writers = nodes.clone().flat_map(|(node, plan)| {
            let effects = plan.writers.iter();
            effects.map(move |effect| NodeWriter { node, effect })
        });
        let writers = writers.collect();
        let nodes = nodes.filter(|_| view.has_several_nodes());
        let needed = view.memory_needed.iter();
        Self {
            plan: view.plan,
            sites: sites
                .map(|(index, plan)| Site {
                    plan,
                    backing: view.backing.get(index),
                    backing_basis: view.store_bases.get(index).copied(),
                    advice: view.advice.get(index),
                })
                .collect(),
            verdict: view.verdict(),
            changes: view.changes.as_ref().map(Changes::from),
            nodes: nodes.map(|(name, plan)| Node { name, plan }).collect(),
            writers,
            passed_over: view.passed_over,
            memory_for_gain: needed
                .map(|&(gain, memory_bytes)| MemoryForGain { gain, memory_bytes })
                .collect(),
            proposal: view.proposal,
            databases: view.databases,
            reading: view.reading,
            usage: &view.usage,
        }
    }
}

impl<'a> From<&'a PlacementChanges<'_>> for Changes<'a> {
    fn from(changes: &'a PlacementChanges) -> Self {
        Self {
            added: ChangedFiles::of(&changes.added),
            dropped: ChangedFiles::of(&changes.dropped),
            kept: FileCount::of(&changes.kept),
            groups_differ: changes.groups_differ,
            databases_differ: changes.databases_differ,
        }
    }
}

impl<'a> ChangedFiles<'a> {
    fn of(files: &'a [&PlacedFile]) -> Self {
        let file = |file: &&'a PlacedFile| ChangedFile {
            node: &file.node,
            site: &file.site,
            path: &file.path,
            size_bytes: file.size_bytes,
        };
        Self {
            count: FileCount::of(files),
            files: files.iter().map(file).collect(),
        }
    }
}

impl FileCount {
    fn of(files: &[&PlacedFile]) -> Self {
        Self {
            objects: files.len() as u64,
            bytes: files.iter().map(|file| file.size_bytes).sum(),
        }
    }
}
