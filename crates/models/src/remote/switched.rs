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
    /// The places of the clients, by number, and that of the server.
    pub clients: Vec<usize>,
    /// That of the server.
    pub server: usize,
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

    /// The links between switches from a client to the server, which have the numbers from `first` on.
    pub(super) fn hops(&self, client: usize, first: usize) -> Vec<Hop> {
        let Some(&from) = self.clients.get(client) else {
            return Vec::new();
        };
        let route = self.topology.route(from, self.server).into_iter();
        let hops = route.map(|(link, backwards)| Hop {
            link: first + link,
            backwards,
        });
        hops.collect()
    }
}
