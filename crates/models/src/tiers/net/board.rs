//! What all pages of the net share.

use std::sync::Arc;

use hotset_petri::{Fifo, Object, Place};

use super::cable::{Beyond, Cable};
use super::events::Events;
use super::inner_ways::InnerWays;
use super::lossy::Lossy;
use crate::tiers::calls::Calls;
use crate::tiers::connections::Connections;
use crate::tiers::counts::Counts;
use crate::tiers::message::Message;
use crate::tiers::proxy_cache::ProxyCache;
use crate::tiers::served_files::ServedFiles;
use crate::tiers::servers::Servers;
use crate::tiers::sharing::Sharing;
use crate::tiers::system::Tiers;
use crate::tiers::traffic::Traffic;

/// Where messages wait for their turn.
pub(super) type Queue = Place<Fifo<Message>>;

/// Monitors of a node, by number, and what of it counts by itself.
#[derive(Clone, Copy, Default)]
pub(in crate::tiers) struct Watched {
    /// The number of a monitor: the share that is busy of those that each have a process, where neither of the last two has them.
    pub busy: usize,
    /// The number of a monitor: its workers that have no request, where they are limited.
    pub free_workers: Option<usize>,
    /// Its connections, where its workers stay with them.
    pub connections: Option<Object<Connections>>,
    /// Answers that it keeps.
    pub proxy_cache: Option<Object<ProxyCache>>,
    /// Processors that each have a process.
    pub servers: Option<Object<Servers<Message>>>,
    /// Processors that processes share.
    pub sharing: Option<Object<Sharing<Message>>>,
    /// Of a file server, all of it.
    pub files: Option<Object<ServedFiles>>,
}

/// A link that messages pass ahead of their time, where they find room in line.
#[derive(Clone, Copy)]
pub(super) struct Passage {
    pub cable: Cable,
    /// Where the others go that come to it.
    pub inbox: Queue,
}

/// How messages come into a node.
#[derive(Clone, Copy)]
pub(super) struct Entrance {
    /// Where they are that come to its link, if there is one, and others than who sends them see to their passing.
    pub inbox: Option<Queue>,
    /// Where they have arrived.
    pub arrived: Queue,
    /// Its link, where it never changes.
    pub link: Option<Cable>,
    /// Whether several send, and some of them ahead of the time at which messages come: in what order is known when they do.
    pub is_mixed: bool,
}

impl Entrance {
    /// Where a message goes to that comes to the link `at_once` or later, and the link that it has passed then.
    pub fn of(&self, at_once: bool) -> (Queue, Option<Passage>) {
        match (self.inbox, self.link) {
            (Some(inbox), Some(cable)) if at_once || !self.is_mixed => {
                (self.arrived, Some(Passage { cable, inbox }))
            }
            (Some(inbox), _) => (inbox, None),
            (None, _) => (self.arrived, None),
        }
    }
}

/// Nodes that have a link to each other, both ways, rising.
pub(super) struct Joined(Vec<[usize; 2]>);

impl Joined {
    /// Those of `tiers`.
    pub fn of(tiers: &Tiers) -> Self {
        let links = tiers.direct_links.iter();
        let both = links.flat_map(|it| [it.between, [it.between[1], it.between[0]]]);
        let mut joined: Vec<[usize; 2]> = both.collect();
        joined.sort_unstable();
        Self(joined)
    }

    /// Whether what `at` sends to `to` goes by a link of theirs.
    pub fn has(&self, at: usize, to: usize) -> bool {
        self.0.binary_search(&[at, to]).is_ok()
    }
}

/// What all pages share.
pub(super) struct Board {
    /// How messages come into each node from the switch, those with clients alone among them.
    pub entrances: Vec<Entrance>,
    /// Which nodes have a link to each other.
    pub joined: Joined,
    /// By node, those with clients alone among them: the nodes with a server that send to it by the switch, rising.
    pub senders: Vec<Vec<usize>>,
    /// By node with a server: where it is told that a socket has room for more of an answer, where it waits for that.
    pub sockets: Vec<Option<Queue>>,
    /// Where answers for clients come to.
    pub answered: Queue,
    /// What happens, where something does.
    pub events: Option<Events>,
    pub counts: Object<Counts>,
    /// Calls to file servers, where there are some.
    pub calls: Option<Object<Calls>>,
    /// What is lost on their ways, where anything may be.
    pub lossy: Option<Lossy>,
    pub traffic: Arc<Traffic>,
    /// What messages meet behind links.
    pub beyond: Arc<Beyond>,
    /// Ways of links between switches.
    pub inner_ways: InnerWays,
    /// Monitors so far.
    pub monitors: usize,
}

impl Board {
    /// The number of a monitor that is added now.
    pub fn monitor(&mut self) -> usize {
        self.monitors += 1;
        self.monitors - 1
    }
}
