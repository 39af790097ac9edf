//! Nodes that are down, links that have another rate, and what becomes of requests under way thereby.
//!
//! Where a node goes down, all its requests end there at once: their connections are reset. A proxy asks another node for those of
//! which no byte has come to it, as nginx does (`proxy_next_upstream error timeout`), and its clients see an error for the others. What
//! is still on its way for such a request is stale: it takes nothing any more, and is dropped.

use std::collections::BTreeMap;

use super::message::Message;
use super::system::{Change, Event};

/// What has failed, and requests under way. Without events nothing is kept.
pub(crate) struct Faults {
    is_used: bool,
    /// By node: whether it is down, how often it was, and the rate that its link has since an event.
    is_down: Vec<bool>,
    downs: Vec<u32>,
    rates: Vec<Option<u64>>,
    /// By place in the traffic, so that failures come in the same order each time.
    under_way: BTreeMap<u32, UnderWay>,
}

struct UnderWay {
    /// As it was last asked.
    request: Message,
    /// The node behind its proxy that has it.
    web: Option<usize>,
    /// Whether a byte of its answer has come to the proxy.
    has_begun: bool,
}

impl Faults {
    pub fn new(events: &[Event], nodes: usize) -> Self {
        Self {
            is_used: !events.is_empty(),
            is_down: vec![false; nodes],
            downs: vec![0; nodes],
            rates: vec![None; nodes],
            under_way: BTreeMap::new(),
        }
    }

    /// Whether anything may fail.
    pub fn are_possible(&self) -> bool {
        self.is_used
    }

    #[inline]
    pub fn is_down(&self, node: usize) -> bool {
        self.is_down[node]
    }

    /// How often a node has gone down.
    pub fn downs(&self, node: usize) -> u32 {
        self.downs[node]
    }

    /// The rate that a node's link has since an event, bits in a second.
    #[inline]
    pub fn rate(&self, node: usize) -> Option<u64> {
        self.rates[node]
    }

    /// Whether nobody waits for it any more.
    #[inline]
    pub fn is_stale(&self, message: &Message) -> bool {
        self.is_used && !self.is_awaited(message)
    }

    fn is_awaited(&self, message: &Message) -> bool {
        let under_way = self.under_way.get(&message.row);
        under_way.is_some_and(|it| it.request.attempt == message.attempt)
    }

    /// A client makes a request.
    pub fn ask(&mut self, request: &Message) {
        if self.is_used {
            let asked = UnderWay {
                request: *request,
                web: None,
                has_begun: false,
            };
            self.under_way.insert(request.row, asked);
        }
    }

    /// A proxy hands a request on to `web`.
    pub fn hand_on(&mut self, request: &Message, web: usize) {
        if let Some(under_way) = self.under_way.get_mut(&request.row) {
            under_way.web = Some(web);
        }
    }

    /// A piece of an answer has come to its proxy.
    pub fn answer(&mut self, piece: &Message) {
        if let Some(under_way) = self.under_way.get_mut(&piece.row) {
            under_way.has_begun = true;
            if piece.is_last {
                under_way.web = None;
            }
        }
    }

    /// A request has ended, one way or the other.
    pub fn end(&mut self, row: u32) {
        self.under_way.remove(&row);
    }

    /// What happens to nodes and links; requests that fail: those of which `web` is `entry` are answers for clients, the others are
    /// for proxies.
    pub fn happen(&mut self, change: Change) -> Vec<Message> {
        match change {
            Change::Up { node, is_up } => {
                let was_up = !std::mem::replace(&mut self.is_down[node], !is_up);
                if was_up && !is_up {
                    self.downs[node] += 1;
                    return self.fail(node);
                }
            }
            Change::Rate { node, bits_per_s } => self.rates[node] = Some(bits_per_s),
            Change::Speed { .. } => {}
        }
        Vec::new()
    }

    fn fail(&mut self, node: usize) -> Vec<Message> {
        let failed = self.under_way.values_mut();
        failed.filter_map(|it| it.failed(node)).collect()
    }
}

impl UnderWay {
    /// What becomes of it where `node` goes down; nothing where that has nothing to do with it.
    fn failed(&mut self, node: usize) -> Option<Message> {
        let entry = usize::from(self.request.entry);
        let is_behind = self.web == Some(node);
        if entry != node && !is_behind {
            return None;
        }
        self.request.attempt += 1;
        self.request.web = node as u16;
        self.web = None;
        if entry == node || self.has_begun {
            return Some(self.request.error());
        }
        Some(self.request)
    }
}
