//! What messages cost the processors of a node beside its server's work: its network stack, by the link that they pass.

use super::message::Message;
use super::system::{NodeStack, Tiers};
use crate::remote::LinkStack;

/// The network stack of one node.
#[derive(Clone, Debug)]
pub(crate) struct Stacks {
    at: usize,
    of_links: Vec<NodeStack>,
}

impl Stacks {
    /// That of the node `at`.
    pub fn of(tiers: &Tiers, at: usize) -> Self {
        let own = tiers.stacks.iter().filter(|it| it.node == at);
        Self {
            at,
            of_links: own.copied().collect(),
        }
    }

    /// What a message costs the node that has come, or is to be sent, or both, nanoseconds. Of a piece of an answer that a web server or a
    /// caching proxy has by itself nothing has come.
    pub fn work_ns(&self, message: &Message) -> u64 {
        if self.of_links.is_empty() {
            return 0;
        }
        let own = usize::from(message.web) == self.at;
        let received_ns = match message.is_answer && own {
            true => 0,
            false => self.received_ns(message),
        };
        // A request that is served here is answered later.
        let sent_ns = match message.is_answer || !own {
            true => self.sent_ns(message),
            false => 0,
        };
        received_ns + sent_ns
    }

    /// What the request cost the node of which a proxy has kept the answer, nanoseconds.
    pub fn kept_request_ns(&self, piece: &Message) -> u64 {
        self.received_ns(&Message {
            bytes: 0,
            is_answer: false,
            ..*piece
        })
    }

    /// What a call to a file server costs the node of which the answer has come: as if all was done then.
    pub fn call_ns(&self, answer: &Message) -> u64 {
        let server = usize::from(answer.entry);
        let stack = self.at_link_to(Some(server));
        stack.map_or(0, |it| {
            it.sent_ns((0, 1)) + it.received_ns(answer.payload(it.mtu_bytes))
        })
    }

    fn received_ns(&self, message: &Message) -> u64 {
        let stack = self.at_link_to(message.previous(self.at));
        stack.map_or(0, |it| it.received_ns(message.payload(it.mtu_bytes)))
    }

    fn sent_ns(&self, message: &Message) -> u64 {
        let stack = self.at_link_to(message.next(self.at));
        stack.map_or(0, |it| it.sent_ns(message.payload(it.mtu_bytes)))
    }

    /// What passes a link to a node: the one between both, else that to the switch.
    fn at_link_to(&self, other: Option<usize>) -> Option<&LinkStack> {
        let mut links = self.of_links.iter();
        let between = links.find(|it| it.other.is_some() && it.other == other);
        let mut links = self.of_links.iter();
        let found = between.or_else(|| links.find(|it| it.other.is_none()));
        found.map(|it| &it.stack)
    }
}
