//! Switches between nodes, as models have them.

use hotset_models::switches::Topology;
use hotset_scenario::{NetworkTopology, Scenario};

/// How the switches of a network are linked.
#[must_use]
pub fn topology_of(network: NetworkTopology) -> Topology {
    match network {
        NetworkTopology::FatTree { ports } => Topology::FatTree { ports },
        NetworkTopology::Mesh { size } => Topology::Mesh { size },
        NetworkTopology::Torus { size } => Topology::Torus { size },
    }
}

/// The place of a node: its number in the file. One that is not there is at the first.
#[must_use]
pub fn place_of(scenario: &Scenario, name: &str) -> usize {
    let mut nodes = scenario.nodes.iter();
    nodes.position(|node| node.name == name).unwrap_or(0)
}
