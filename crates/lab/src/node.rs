//! Nodes: a network namespace and a control group each.

use crate::LabError;
use crate::needs;
use crate::net::{LinkRate, Namespace, Network};
use crate::server::{PORT, Place, WORKERS};
use hotset_machine::ControlGroup;
use hotset_machine::Deployment;
use hotset_machine::cgroup::Limits;
use hotset_scenario::{Node as NodeSpec, Scenario, ServerSpec};
use std::sync::Arc;

/// A node of the lab.
#[derive(Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its memory, processors and disk traffic.
    pub group: Arc<ControlGroup>,
    /// Its network.
    pub namespace: Namespace,
    /// All of its memory, bytes.
    pub memory_bytes: u64,
    /// The server that it runs.
    pub server: ServerSpec,
    /// Worker processes of an nginx.
    pub workers: usize,
    reads_store: bool,
}

impl Node {
    /// Where its server runs.
    #[must_use]
    pub fn place(&self) -> Place<'_> {
        Place {
            namespace: &self.namespace,
            group: &self.group,
            port: PORT,
            starter: &[],
        }
    }

    /// Whether it reads sites from a store; a proxy does not.
    #[must_use]
    pub fn reads_store(&self) -> bool {
        self.reads_store
    }
}

pub(crate) fn build(
    deployment: &Deployment,
    network: &Network,
    scenario: &Scenario,
) -> Result<Vec<Node>, LabError> {
    let nodes = scenario.nodes.iter();
    nodes
        .map(|spec| node(deployment, network, spec, rate(scenario, &spec.name)))
        .collect()
}

fn node(
    deployment: &Deployment,
    network: &Network,
    spec: &NodeSpec,
    rate: LinkRate,
) -> Result<Node, LabError> {
    let memory_bytes = needs::memory_bytes(spec)?;
    let limits = Limits {
        memory_bytes: Some(memory_bytes),
        processors: spec.cpus,
    };
    Ok(Node {
        name: spec.name.clone(),
        namespace: network.namespace(&spec.name, rate)?,
        group: Arc::new(ControlGroup::create(deployment, &spec.name, &limits)?),
        memory_bytes,
        server: spec.server.clone(),
        workers: spec.workers.map_or(WORKERS, |workers| workers as usize),
        reads_store: spec.reads_store(),
    })
}

/// The rate of a node's link.
fn rate(scenario: &Scenario, node: &str) -> LinkRate {
    let link = scenario.links.iter().find(|link| link.node == node);
    link.map_or(LinkRate::Unlimited, |link| {
        LinkRate::BitsPerS(link.bits_per_s)
    })
}
