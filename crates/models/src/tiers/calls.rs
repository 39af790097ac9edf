//! Calls of web nodes to file servers that are under way, and what was counted of those that are answered.

use std::collections::BTreeMap;

use hotset_petri::Time;

use super::message::Message;
use crate::numbered::Numbered;
use crate::remote::nfs::{CallResult, FileCall};
use crate::remote::{CallTimer, Expiry, Outage, Protocol, Transport, Work};

/// Who waits for a call at the node that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// Nobody.
    Nothing,
    /// Whoever opens a file, by the number that it has there.
    Open(u32),
    /// A transfer to memory, of which it brings a part.
    Transfer(u32),
    /// An operation of several rounds of calls.
    Operation(u32),
    /// What writes the log.
    Log,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// The node that makes it, and the file server.
    pub web: usize,
    pub server: usize,
    /// The store, by its number, and how calls of it travel.
    pub store: usize,
    pub transport: Transport,
    pub of: FileCall,
    pub awaited: Awaited,
    /// When it was made, and how often the same was asked before.
    pub made: Time,
    pub tries: u32,
    /// What it costs the server beside the usual, nanoseconds.
    pub server_ns: u64,
}

/// A call that was sent.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    call: Call,
    /// A number that no other call has; [`OVER`] of one that has gone.
    row: u32,
    /// Whether the server works on it, and whether its node waits for it no more.
    is_at_server: bool,
    is_over: bool,
    timer: Option<CallTimer>,
}

/// No call.
const OVER: u32 = u32::MAX;
/// How long timers of a call run at most, or a run would not end where a server never comes back. TCP sends again for about as long.
const LONGEST: Time = Time::from_nanos(15 * 60 * 1_000_000_000);

/// Calls that are under way, and what was counted of those of each node.
#[derive(Default)]
pub(crate) struct Calls {
    under_way: Numbered<UnderWay>,
    rows: u32,
    /// By node: by name, how many were answered and how long they took, nanoseconds.
    answered: Vec<BTreeMap<&'static str, (u64, u64)>>,
}

impl Calls {
    /// A node sends a call: its message.
    pub fn begin(&mut self, now: Time, call: Call) -> Message {
        self.rows = (self.rows + 1) % OVER;
        let number = self.under_way.add(UnderWay {
            call,
            row: self.rows,
            is_at_server: false,
            is_over: false,
            timer: call.transport.timer(now.nanos()),
        });
        self.message(now, number)
    }

    /// The message of a call.
    fn message(&mut self, now: Time, number: u32) -> Message {
        let &mut UnderWay { call, row, .. } = self.under_way.of(number);
        let ends = (call.web, call.server);
        Message {
            is_datagram: call.transport.protocol == Protocol::Udp,
            ..Message::call((number, row), ends, call.of.call_bytes, now)
        }
    }

    /// The call of a number and a row, where its node still waits for it.
    fn awaited(&mut self, (number, row): (u32, u32)) -> Option<&mut UnderWay> {
        let of = self.under_way.of(number);
        (of.row == row && !of.is_over).then_some(of)
    }

    /// A call has come to its server; what it has that do, and what that costs beside the usual. Nothing of one that it has already, or that nobody waits for.
    pub fn arrive(&mut self, call: (u32, u32)) -> Option<(Work, u64)> {
        let of = self.awaited(call)?;
        let is_there = std::mem::replace(&mut of.is_at_server, true);
        (!is_there).then_some((of.call.of.work, of.call.server_ns))
    }

    /// The server answers a call: the answer, and the node that it goes to. Nothing where that waits for it no more.
    pub fn answer(&mut self, now: Time, number: u32) -> Option<(Message, usize)> {
        let of = self.under_way.of(number);
        of.is_at_server = false;
        if of.is_over {
            self.remove(number);
            return None;
        }
        let call = of.call;
        let message = self.message(now, number);
        Some((message.answer(call.of.answer_bytes, now), call.web))
    }

    /// How long the timer of a call runs, nanoseconds; nothing where it has none.
    pub fn wait_ns(&mut self, call: (u32, u32)) -> Option<u64> {
        Some(self.awaited(call)?.timer?.wait_ns())
    }

    /// The server of a call that a node still waits for.
    pub fn server_of(&mut self, call: (u32, u32)) -> Option<usize> {
        Some(self.awaited(call)?.call.server)
    }

    /// The timer of a call has run out: what its node does. Nothing where the call has its answer, or was tried for long enough. The server may be out
    /// of reach.
    pub fn expire(&mut self, now: Time, call: (u32, u32), is_out_of_reach: bool) -> Option<Expiry> {
        let of = self.awaited(call)?;
        if now - of.call.made > LONGEST {
            return None;
        }
        // A server that works on it says that it is there.
        let is_kept = of.call.transport.outage == Outage::SendsOn;
        if !is_kept && of.is_at_server && !is_out_of_reach {
            return Some(Expiry::Waits);
        }
        let timer = of.timer.as_mut()?;
        Some(timer.expire(now.nanos()))
    }

    /// What a node waits for no more when it gives a call up: that, or all calls to the same server.
    pub fn lost_with(&mut self, call: (u32, u32)) -> Vec<(u32, u32)> {
        let Some(&mut UnderWay { call: of, .. }) = self.awaited(call) else {
            return Vec::new();
        };
        if of.transport.outage != Outage::Breaks {
            return vec![call];
        }
        let is_lost = |it: &UnderWay| {
            let is_awaited = it.row != OVER && !it.is_over;
            is_awaited && (it.call.web, it.call.server) == (of.web, of.server)
        };
        let all = self.under_way.all();
        let lost = all.filter(|&(_, it)| is_lost(it));
        lost.map(|(number, it)| (number, it.row)).collect()
    }

    /// The message of a call that is sent again.
    pub fn again(&mut self, now: Time, (number, _): (u32, u32)) -> Message {
        self.message(now, number)
    }

    /// The node is done with the answer to a call. Nothing where it was done before.
    pub fn end(&mut self, now: Time, call: (u32, u32)) -> Option<Call> {
        let ended = self.give_up(call)?;
        if self.answered.len() <= ended.web {
            self.answered.resize_with(ended.web + 1, BTreeMap::new);
        }
        let of_node = &mut self.answered[ended.web];
        let (count, ns) = of_node.entry(ended.of.name).or_default();
        *count += 1;
        *ns += (now - ended.made).nanos();
        Some(ended)
    }

    /// The node waits for a call no more.
    pub fn give_up(&mut self, call: (u32, u32)) -> Option<Call> {
        let of = self.awaited(call)?;
        of.is_over = true;
        let ended = of.call;
        // Its number stays its own while the server works on it.
        if !of.is_at_server {
            self.remove(call.0);
        }
        Some(ended)
    }

    fn remove(&mut self, number: u32) {
        self.under_way.of(number).row = OVER;
        self.under_way.remove(number);
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
