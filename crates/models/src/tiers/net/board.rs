//! What all pages of the net share.

use std::sync::Arc;

use hotset_petri::{Fifo, Object, Place};

use super::events::Events;
use crate::tiers::counts::Counts;
use crate::tiers::message::Message;
use crate::tiers::proxy_cache::ProxyCache;
use crate::tiers::sharing::Sharing;
use crate::tiers::traffic::Traffic;

/// Where messages wait for their turn.
pub(super) type Queue = Place<Fifo<Message>>;

/// Monitors of a node, by number, and what of it counts by itself.
#[derive(Clone, Copy, Default)]
pub(in crate::tiers) struct Watched {
    /// The number of a monitor: the share that is busy of those that each have a process.
    pub busy: usize,
    /// The number of a monitor: its workers that have no request, where they are limited.
    pub free_workers: Option<usize>,
    /// Answers that it keeps.
    pub proxy_cache: Option<Object<ProxyCache>>,
    /// Those that processes share.
    pub sharing: Option<Object<Sharing<Message>>>,
}

/// What all pages share.
pub(super) struct Board {
    /// Where messages for each node come to from the switch.
    pub inbox: Vec<Queue>,
    /// Where they come to by links from other nodes, where it has such links.
    pub direct: Vec<Option<Queue>>,
    /// Nodes that have a link to each other, both ways, rising.
    pub joined: Vec<[usize; 2]>,
    /// Where answers for clients come to.
    pub answered: Queue,
    /// What happens, where something does.
    pub events: Option<Events>,
    pub counts: Object<Counts>,
    pub traffic: Arc<Traffic>,
    /// Which nodes have a link.
    pub has_link: Arc<[bool]>,
    /// Monitors so far.
    pub monitors: usize,
}

impl Board {
    /// Where messages come to from the node `at` for the node `to`.
    pub fn inbox_from(&self, at: usize, to: usize) -> Queue {
        let is_direct = self.joined.binary_search(&[at, to]).is_ok();
        self.direct[to]
            .filter(|_| is_direct)
            .unwrap_or(self.inbox[to])
    }

    /// The number of a monitor that is added now.
    pub fn monitor(&mut self) -> usize {
        self.monitors += 1;
        self.monitors - 1
    }
}
