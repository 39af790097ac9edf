//! A plan as `--json` prints it, by `schemas/plan.json`.

use hotset_outcome::Outcome;
use hotset_plan::{
    Advice, Bound, CurvePoint, Held, Lever, NodePlan, Rejected, Reversal, SitePlan, TotalPlan,
    Validation, Verdict,
};
use hotset_scenario::{FilePath, Objective, PlacedFile, PlacementChanges};
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use super::view::PlanView;
use crate::{ResourceUsage, json};

pub(super) fn text(view: &PlanView) -> serde_json::Result<String> {
    json::text(&Document::from(view))
}

/// What the keys mean is said where the values come from.
#[derive(Serialize)]
struct Document<'a> {
    verdict: Verdict,
    objective: Objective,
    lever: Lever,
    memory_bytes: u64,
    held: Held,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up: Option<Held>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<&'a Rejected>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Changes<'a>>,
    page_cache_bytes: u64,
    page_cache_floor_bytes: u64,
    share: f64,
    validated: Validation,
    bound: Bound,
    training_accesses: u64,
    moved_bytes: u64,
    seed: u64,
    sites: Vec<Site<'a>>,
    total: &'a TotalPlan,
    curve: &'a [CurvePoint],
    knee_memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    reversals: &'a [Reversal],
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
    /// Page cache alone, plan and clairvoyant plan, for `hotset compare`.
    outcomes: &'a [Outcome],
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

#[derive(Serialize)]
struct Node<'a> {
    name: &'a String,
    #[serde(flatten)]
    plan: &'a NodePlan,
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
struct MemoryForGain {
    gain: f64,
    memory_bytes: Option<u64>,
}

impl<'a> From<&'a PlanView<'_>> for Document<'a> {
    fn from(view: &'a PlanView) -> Self {
        let plan = view.plan;
        Document {
            verdict: view.verdict(),
            objective: plan.objective,
            lever: plan.lever,
            memory_bytes: plan.memory_bytes,
            held: plan.held,
            given_up: plan.given_up,
            rejected: plan.rejected.as_ref(),
            changes: view.changes.as_ref().map(Changes::from),
            page_cache_bytes: plan.page_cache_bytes,
            page_cache_floor_bytes: plan.page_cache_floor_bytes,
            share: plan.share,
            validated: plan.validated,
            bound: plan.bound,
            training_accesses: plan.training_accesses,
            moved_bytes: plan.moved_bytes,
            seed: plan.seed,
            sites: sites(view),
            total: &plan.total,
            curve: &plan.curve,
            knee_memory_bytes: plan.knee_memory_bytes,
            reversals: &plan.reversals,
            nodes: nodes(view),
            passed_over: view.passed_over,
            memory_for_gain: memory_for_gain(view),
            reading: view.reading,
            usage: &view.usage,
            outcomes: &plan.outcomes,
        }
    }
}

fn nodes<'a>(view: &'a PlanView) -> Vec<Node<'a>> {
    let nodes = view.nodes.iter().zip(&view.plan.nodes);
    let nodes = nodes.filter(|_| view.has_several_nodes());
    nodes.map(|(name, plan)| Node { name, plan }).collect()
}

fn sites<'a>(view: &'a PlanView) -> Vec<Site<'a>> {
    let sites = view.plan.sites.iter().enumerate();
    let site = |(index, plan)| Site {
        plan,
        backing: view.backing.get(index),
        advice: view.advice.get(index),
    };
    sites.map(site).collect()
}

fn memory_for_gain(view: &PlanView) -> Vec<MemoryForGain> {
    let needed = view.memory_needed.iter();
    let entry = |&(gain, memory_bytes): &(f64, Option<u64>)| MemoryForGain { gain, memory_bytes };
    needed.map(entry).collect()
}
