//! Calls of web nodes to file servers that are under way, and what was counted of those that are answered.

use std::collections::BTreeMap;

use hotset_petri::Time;

use super::message::Message;
use crate::numbered::Numbered;
use crate::remote::Work;
use crate::remote::nfs::{CallResult, FileCall};

/// Who waits for a call at the node that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// Nobody.
    Nothing,
    /// Whoever opens a file, by the number that it has there.
    Open(u32),
    /// A transfer to memory, of which it brings a part.
    Transfer(u32),
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// The node that makes it, and the file server.
    pub web: usize,
    pub server: usize,
    /// The store, by its number.
    pub store: usize,
    pub of: FileCall,
    pub awaited: Awaited,
    /// When it was made.
    pub made: Time,
}

/// Calls that are under way, and what was counted of those of each node.
#[derive(Default)]
pub(crate) struct Calls {
    under_way: Numbered<Call>,
    /// By node: by name, how many were answered and how long they took, nanoseconds.
    answered: Vec<BTreeMap<&'static str, (u64, u64)>>,
}

impl Calls {
    /// A node sends a call; its number.
    pub fn begin(&mut self, call: Call) -> u32 {
        self.under_way.add(call)
    }

    /// A call has come to its server; what it has that do.
    pub fn arrive(&mut self, number: u32) -> Work {
        self.under_way.of(number).of.work
    }

    /// The server answers a call: the answer, and the node that it goes to.
    pub fn answer(&mut self, now: Time, number: u32) -> (Message, usize) {
        let call = self.under_way.of(number);
        let message = Message::call(number, (call.web, call.server), 0, now);
        (message.answer(call.of.answer_bytes, now), call.web)
    }

    /// The node is done with the answer to a call.
    pub fn end(&mut self, now: Time, number: u32) -> Call {
        let call = self.under_way.remove(number);
        if self.answered.len() <= call.web {
            self.answered.resize_with(call.web + 1, BTreeMap::new);
        }
        let (count, ns) = self.answered[call.web].entry(call.of.name).or_default();
        *count += 1;
        *ns += (now - call.made).nanos();
        call
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self) {
        self.answered.clear();
    }

    /// Those of a node that were answered, by name.
    pub fn of_node(&self, web: usize) -> BTreeMap<&'static str, CallResult> {
        let Some(answered) = self.answered.get(web) else {
            return BTreeMap::new();
        };
        let result = |(&name, &(count, ns)): (&&'static str, &(u64, u64))| {
            let mean_us = ns as f64 / count.max(1) as f64 / 1e3;
            (name, CallResult { count, mean_us })
        };
        answered.iter().map(result).collect()
    }
}
