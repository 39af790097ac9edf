//! Switches between clients and file servers, as links of a network.

use super::connection::Line;
use super::network::{Hop, NamedLine};
use crate::switches::Topology;

/// Switches between machines, and where these are connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switched {
    /// The switches and how they are linked.
    pub topology: Topology,
    /// What a link between two switches is like.
    pub line: Line,
    /// The places of the clients, by number. Those beyond are where the first is.
    pub clients: Vec<usize>,
    /// The places of the servers, by number.
    pub servers: Vec<usize>,
}

impl Switched {
    /// The links between switches.
    pub(super) fn links(&self) -> impl Iterator<Item = NamedLine> {
        let line = self.line;
        let links = self.topology.links().into_iter();
        links.map(move |[one, other]| NamedLine {
            name: format!("switches {one}-{other}"),
            line,
        })
    }

    /// The links between switches from a client to a server, which have the numbers from `first` on.
    pub(super) fn hops(&self, client: usize, server: usize, first: usize) -> Vec<Hop> {
        let from = self.clients.get(client).or(self.clients.first());
        self.route(from.zip(self.servers.get(server)), first)
    }

    /// Those from a server to another.
    pub(super) fn hops_between(&self, from: usize, to: usize, first: usize) -> Vec<Hop> {
        let from = self.servers.get(from);
        self.route(from.zip(self.servers.get(to)), first)
    }

    fn route(&self, places: Option<(&usize, &usize)>, first: usize) -> Vec<Hop> {
        let Some((&from, &to)) = places else {
            return Vec::new();
        };
        let route = self.topology.route(from, to).into_iter();
        let hops = route.map(|(link, backwards)| Hop {
            link: first + link,
            backwards,
        });
        hops.collect()
    }
}
