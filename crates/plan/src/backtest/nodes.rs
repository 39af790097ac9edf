//! Nodes that share the traffic: each is asked in turn.

use std::borrow::Cow;
use std::sync::Arc;

use hotset_cache::PAGE_BYTES;

use super::candidates::groups::Groups;
use super::judgement::check_targets;
use super::options::PlanOptions;
use super::prepare::Backtest;
use super::sampling::Sampling;
use super::workload::Workload;
use crate::PlanError;
use crate::value::{Catalogue, ProfileCosts};

/// The accesses that one node serves.
pub(crate) struct NodeAccesses<'a> {
    accesses: Cow<'a, [u32]>,
    times_us: Option<Cow<'a, [i64]>>,
    files: Catalogue<'a>,
}

/// The accesses of each of `nodes` nodes that are asked in turn.
pub(crate) fn deal<'a>(workload: &Workload<'a>, nodes: usize) -> Vec<NodeAccesses<'a>> {
    let dealt = |node| NodeAccesses {
        accesses: every(workload.accesses, node, nodes),
        times_us: workload.times_us.map(|times| every(times, node, nodes)),
        files: workload.files,
    };
    (0..nodes).map(dealt).collect()
}

/// The entry at `first` and every `step`-th after it.
fn every<T: Copy>(all: &[T], first: usize, step: usize) -> Cow<'_, [T]> {
    match step {
        1 => Cow::Borrowed(all),
        _ => all.iter().copied().skip(first).step_by(step).collect(),
    }
}

impl NodeAccesses<'_> {
    fn workload(&self) -> Workload<'_> {
        Workload {
            accesses: &self.accesses,
            times_us: self.times_us.as_deref(),
            files: self.files,
        }
    }
}

/// A node with its accesses.
pub(crate) struct Node<'a> {
    pub test: Backtest<'a>,
    /// What is learnt for memory groups of the sites, where they may have some.
    pub groups: Option<Arc<Groups>>,
}

impl<'a> Node<'a> {
    pub fn prepare(
        workload: &Workload<'a>,
        costs: &ProfileCosts,
        options: &PlanOptions,
    ) -> Result<Self, PlanError> {
        let test = Backtest::prepare(workload, costs, options)?;
        check_targets(&test, &options.targets)?;
        let may_have_groups = options.groups && workload.files.has_several_sites();
        let groups = may_have_groups.then(|| Groups::of(&test)).transpose()?;
        Ok(Self {
            test,
            groups: groups.map(Arc::new),
        })
    }

    /// The groups, where the memory is enough for some.
    pub fn fitting_groups(&self) -> Option<&Groups> {
        let groups = self.groups.as_deref();
        groups.filter(|groups| groups.fit(&self.test))
    }

    fn with_memory(&self, pages: u64) -> Self {
        Self {
            test: self.test.with_memory(pages),
            groups: self.groups.clone(),
        }
    }

    fn sampled(&self, sampling: Sampling) -> Self {
        Self {
            test: Backtest {
                sampling: Some(sampling),
                ..self.test.clone()
            },
            groups: self.groups.clone(),
        }
    }
}

/// Nodes with their accesses; at least one.
pub(crate) struct Nodes<'a> {
    nodes: Vec<Node<'a>>,
    /// Memory asked for all of them together, bytes; whole pages of each node's are used.
    pub memory_bytes: u64,
}

impl<'a> Nodes<'a> {
    /// Each node's accesses with its options.
    pub fn prepare(
        dealt: &'a [NodeAccesses],
        costs: &ProfileCosts,
        nodes: &[PlanOptions],
    ) -> Result<Self, PlanError> {
        let prepared = dealt.iter().zip(nodes);
        Ok(Self {
            nodes: prepared
                .map(|(dealt, options)| Node::prepare(&dealt.workload(), costs, options))
                .collect::<Result<_, _>>()?,
            memory_bytes: (nodes.iter()).fold(0, |sum, node| node.memory_bytes.saturating_add(sum)),
        })
    }

    /// Each node.
    pub fn iter(&self) -> std::slice::Iter<'_, Node<'a>> {
        self.nodes.iter()
    }

    /// Memory of all nodes together, pages.
    pub fn memory_pages(&self) -> u64 {
        (self.iter()).fold(0, |sum, node| node.test.memory_pages.saturating_add(sum))
    }

    /// Accesses of all nodes together.
    pub fn accesses(&self) -> usize {
        self.iter()
            .map(|node| node.test.workload.accesses.len())
            .sum()
    }

    /// Pages that hold every file in every node.
    pub fn object_pages(&self) -> u64 {
        let pages = self
            .iter()
            .flat_map(|node| node.test.values.all_pages().iter());
        pages.sum()
    }

    /// The same where stretches of the accesses are scored instead of all of them; nothing where these are few enough.
    pub fn sampled(&self, options: &PlanOptions) -> Option<Self> {
        let accesses = self.accesses();
        (accesses > options.scored_up_to).then(|| {
            let sampling = Sampling {
                share: options.sampled_accesses as f64 / accesses as f64,
                seed: options.seed,
            };
            Self {
                nodes: self.iter().map(|node| node.sampled(sampling)).collect(),
                memory_bytes: self.memory_bytes,
            }
        })
    }

    /// Shares counts of accesses with `other`, which has the same accesses.
    pub fn count_with(&mut self, other: &Self) {
        for (node, other) in self.nodes.iter_mut().zip(other.iter()) {
            node.test.counts = other.test.counts.clone();
        }
    }

    /// The same nodes with `pages` of memory together, divided as theirs is; each has at least one.
    pub fn with_memory(&self, pages: u64) -> Self {
        let all = u128::from(self.memory_pages().max(1));
        let part = |node: &Node| u128::from(pages) * u128::from(node.test.memory_pages) / all;
        Self {
            nodes: self
                .iter()
                .map(|node| node.with_memory((part(node) as u64).max(1)))
                .collect(),
            // The memory asked for need not be whole pages, and readers look for that very number.
            memory_bytes: if pages == self.memory_pages() {
                self.memory_bytes
            } else {
                pages * PAGE_BYTES
            },
        }
    }
}

/// The mean of `values`, each with its weight; that of one value is the value itself, to the last bit. NaN of no value.
pub(crate) fn weighted_mean(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    let sum = values.reduce(|(mean, total), (value, weight)| {
        let all = total + weight;
        match all {
            0.0 => (mean, total),
            _ if total == 0.0 => (value, weight),
            _ => (mean + (value - mean) * (weight / all), all),
        }
    });
    sum.map_or(f64::NAN, |(mean, _)| mean)
}
