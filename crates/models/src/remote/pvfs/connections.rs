//! Who is connected with whom, and by which links.

use std::ops::Range;

use super::system::PvfsServer;
use crate::remote::connection::Line;
use crate::remote::network::{Hop, NamedLine, Network};
use crate::remote::switched::Switched;

/// Connections by number: those of each client with all servers, then those of each server with all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::remote) struct Connections {
    clients: u32,
    servers: u32,
}

impl Connections {
    /// Those of so many clients with so many servers.
    pub fn new(clients: usize, servers: usize) -> Self {
        Self {
            clients: clients.max(1) as u32,
            servers: servers as u32,
        }
    }

    /// That of a client with a server.
    pub fn of_client(self, client: u32, server: u32) -> u32 {
        client * self.servers + server
    }

    /// That of a server with another one.
    pub fn of_server(self, from: u32, to: u32) -> u32 {
        self.clients * self.servers + from * self.servers + to
    }

    /// Those of a client.
    pub fn all_of(self, client: u32) -> Range<usize> {
        let first = self.of_client(client, 0) as usize;
        first..first + self.servers as usize
    }

    /// Those of all clients.
    pub fn all_of_clients(self) -> Range<usize> {
        0..(self.clients * self.servers) as usize
    }

    /// The links, and the way of each connection: each client's own link, unless another joins both, then that of the server. Of servers with each other, it is the link of
    /// the one that is asked: what its asker's carries of that is not followed. Links between switches lie between, where there are several.
    pub fn network(
        clients: usize,
        client_link: Option<&NamedLine>,
        servers: &[PvfsServer<'_>],
        switched: Option<&Switched>,
    ) -> Network {
        let clients = clients.max(1);
        let of_clients = client_link.into_iter().flat_map(|link| {
            (1..=clients).map(move |number| NamedLine {
                name: match number {
                    1 => link.name.clone(),
                    _ => format!("{} {number}", link.name),
                },
                line: link.line,
            })
        });
        let mut links: Vec<NamedLine> = of_clients.collect();
        let mut link_of = Vec::new();
        for server in servers {
            link_of.push(server.link.as_ref().map(|link| {
                links.push(link.clone());
                links.len() - 1
            }));
        }
        // All that have none share one that is never the limit.
        let none = links.len();
        links.push(NamedLine {
            name: String::new(),
            line: Line::default(),
        });
        let outer = links.len();
        links.extend(switched.into_iter().flat_map(Switched::links));
        let has_own = client_link.is_some();
        let mut ways: Vec<Vec<Hop>> = Vec::new();
        for client in 0..clients {
            for (server, link) in link_of.iter().enumerate() {
                let passes_own = has_own && !servers[server].is_joined;
                let own = passes_own.then_some(client).map(Hop::along);
                let between = switched.map_or_else(Vec::new, |it| it.hops(client, server, outer));
                let way = own.into_iter().chain(between);
                ways.push(way.chain(link.map(Hop::along)).collect());
            }
        }
        for from in 0..link_of.len() {
            for (to, link) in link_of.iter().enumerate() {
                let between = switched.map_or_else(Vec::new, |it| it.hops_between(from, to, outer));
                let way = between.into_iter();
                ways.push(way.chain(link.map(Hop::along)).collect());
            }
        }
        let without = ways.iter_mut().filter(|way| way.is_empty());
        without.for_each(|way| way.push(Hop::along(none)));
        Network::routed(&links, outer, &ways).without_windows()
    }
}
