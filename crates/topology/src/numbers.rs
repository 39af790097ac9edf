//! Nodes and links of a scenario by the numbers that the model gives them.

use hotset_scenario::{Link, LinkEnds, Node, Scenario};

/// The nodes that are simulated: those with a server, then those with clients alone.
#[derive(Clone, Copy)]
pub struct Numbers<'n> {
    /// The scenario that they are of.
    pub scenario: &'n Scenario,
    /// Those with a server.
    pub nodes: &'n [&'n Node],
    /// Those with clients alone.
    pub of_clients: &'n [&'n Node],
}

impl<'n> Numbers<'n> {
    /// The number of a node, where it is simulated.
    #[must_use]
    pub fn of(self, name: &str) -> Option<usize> {
        let mut all = self.nodes.iter().chain(self.of_clients);
        all.position(|node| node.name == name)
    }

    /// Links between two nodes that are both simulated, by these nodes' numbers.
    pub fn direct_links(self) -> impl Iterator<Item = (&'n Link, [usize; 2])> {
        let links = self.scenario.links_between();
        links.filter_map(move |(link, [one, other])| Some((link, [self.of(one)?, self.of(other)?])))
    }

    /// The number of the link between two nodes, and those of the nodes.
    pub(crate) fn direct_link(self, ends: &LinkEnds) -> Option<(usize, [usize; 2])> {
        let first = self.nodes.len() + self.of_clients.len();
        let mut links = self.direct_links().zip(first..);
        let found = links.find(|((link, _), _)| link.ends.is_same(ends));
        found.map(|((_, between), number)| (number, between))
    }
}
