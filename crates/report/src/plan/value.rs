//! A plan as `--json` prints it, by `schemas/plan.json`.

use hotset_plan::{Advice, NodePlan, Plan, SitePlan, Verdict};
use hotset_scenario::{FilePath, PlacedFile, PlacementChanges};
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use super::view::PlanView;
use crate::ResourceUsage;

/// The plan, whose keys are declared in `hotset_plan`, and what else is known of it.
#[derive(Serialize)]
pub(super) struct Value<'a> {
    #[serde(flatten)]
    plan: &'a Plan,
    /// The plan's sites with what is known of their stores, in their place.
    sites: Vec<Site<'a>>,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Changes<'a>>,
    /// Node by node, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Node<'a>>,
    /// Nodes that no plan is made for.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    passed_over: &'a [String],
    memory_for_gain: Vec<MemoryForGain>,
    reading: &'a ReadSummary,
    #[serde(flatten)]
    usage: &'a ResourceUsage,
}

#[derive(Serialize)]
struct Site<'a> {
    #[serde(flatten)]
    plan: &'a SitePlan,
    #[serde(skip_serializing_if = "Option::is_none")]
    backing: Option<&'a String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'a Advice>,
}

#[derive(Serialize)]
struct Node<'a> {
    name: &'a String,
    #[serde(flatten)]
    plan: &'a NodePlan,
}

#[derive(Serialize)]
struct MemoryForGain {
    gain: f64,
    memory_bytes: Option<u64>,
}

/// What changes to the plan in force.
#[derive(Serialize)]
struct Changes<'a> {
    added: ChangedFiles<'a>,
    dropped: ChangedFiles<'a>,
    kept: FileCount,
    groups_differ: bool,
}

#[derive(Serialize)]
struct ChangedFiles<'a> {
    #[serde(flatten)]
    count: FileCount,
    files: Vec<ChangedFile<'a>>,
}

#[derive(Serialize)]
struct FileCount {
    objects: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct ChangedFile<'a> {
    node: &'a str,
    site: &'a str,
    path: &'a FilePath,
    size_bytes: u64,
}

impl<'a> From<&'a PlanView<'_>> for Value<'a> {
    fn from(view: &'a PlanView) -> Self {
        let sites = view.plan.sites.iter().enumerate();
        let nodes = view.nodes.iter().zip(&view.plan.nodes);
        let nodes = nodes.filter(|_| view.has_several_nodes());
        let needed = view.memory_needed.iter();
        Self {
            plan: view.plan,
            sites: sites
                .map(|(index, plan)| Site {
                    plan,
                    backing: view.backing.get(index),
                    advice: view.advice.get(index),
                })
                .collect(),
            verdict: view.verdict(),
            changes: view.changes.as_ref().map(Changes::from),
            nodes: nodes.map(|(name, plan)| Node { name, plan }).collect(),
            passed_over: view.passed_over,
            memory_for_gain: needed
                .map(|&(gain, memory_bytes)| MemoryForGain { gain, memory_bytes })
                .collect(),
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
