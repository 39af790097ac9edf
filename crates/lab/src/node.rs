//! Nodes: a network namespace and a control group each.

use crate::LabError;
use crate::needs;
use crate::net::{Cable, Direct, Namespace, Network};
use crate::server::{PORT, Place, WORKERS};
use hotset_machine::ControlGroup;
use hotset_machine::Deployment;
use hotset_machine::cgroup::Limits;
use hotset_scenario::{LinkEnds, Node as NodeSpec, Scenario, ServerSpec};
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

    /// Whether it answers requests; one with clients alone does not.
    #[must_use]
    pub fn has_server(&self) -> bool {
        !matches!(self.server, ServerSpec::Files | ServerSpec::None)
    }
}

pub(crate) fn build(
    deployment: &Deployment,
    network: &Network,
    scenario: &Scenario,
) -> Result<Vec<Node>, LabError> {
    let nodes = scenario.nodes.iter();
    nodes
        .map(|spec| node(deployment, network, spec, cable(scenario, &spec.name)))
        .collect()
}

/// Makes the links between two nodes each.
pub(crate) fn connect(
    network: &Network,
    scenario: &Scenario,
    nodes: &[Node],
) -> Result<Vec<(LinkEnds, Direct)>, LabError> {
    let namespace = |name: &String| {
        let node = nodes.iter().find(|node| node.name == *name);
        let missing = || LabError::Unusable(format!("no node is called `{name}`"));
        node.map(|node| &node.namespace).ok_or_else(missing)
    };
    let links = scenario.links_between();
    let direct = links.map(|(link, [one, other])| {
        let ends = [namespace(one)?, namespace(other)?];
        Ok((link.ends.clone(), network.direct(ends, link.into())?))
    });
    direct.collect()
}

fn node(
    deployment: &Deployment,
    network: &Network,
    spec: &NodeSpec,
    cable: Cable,
) -> Result<Node, LabError> {
    let memory_bytes = needs::memory_bytes(spec)?;
    let limits = Limits {
        memory_bytes: Some(memory_bytes),
        processors: spec.cpus,
    };
    Ok(Node {
        name: spec.name.clone(),
        namespace: network.namespace(&spec.name, cable)?,
        group: Arc::new(ControlGroup::create(deployment, &spec.name, &limits)?),
        memory_bytes,
        server: spec.server.clone(),
        workers: spec.workers.map_or(WORKERS, |workers| workers as usize),
        reads_store: spec.reads_store(),
    })
}

/// The cable of a node to the switch.
fn cable(scenario: &Scenario, node: &str) -> Cable {
    let link = scenario.link_of(node);
    link.map_or_else(Cable::default, Cable::from)
}
