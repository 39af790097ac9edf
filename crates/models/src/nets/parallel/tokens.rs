//! What tokens of a parallel file system are.

use std::collections::VecDeque;

use hotset_petri::{Colour, Time};

use crate::remote::pvfs::ReceiveCost;

/// A block that a program reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub client: u32,
    pub from: u64,
    pub end: u64,
    /// Chunks of it that have yet to come.
    pub chunks: u64,
    pub asked: Time,
}

impl Colour for Block {}

/// What passes the network: a request, a segment of one that has data, or one of what a server answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub client: u32,
    pub server: u32,
    /// Bytes of the server's file: of a request those that are still to be read or written, of a segment the chunk that it is of.
    pub at: u64,
    pub end: u64,
    /// Of a request: nothing of it is read yet. Of a segment: it is the last of its chunk.
    pub is_marked: bool,
    /// Packets that a request has, and what taking them into a receive buffer takes, nanoseconds.
    pub packets: u64,
    pub receive_ns: u64,
}

impl Colour for Packet {}

/// Receive buffers of a server, one for each client, in the order in which they are looked into.
#[derive(Clone, Debug, Default)]
pub(super) struct ReceiveBuffers(VecDeque<(u32, VecDeque<Packet>)>);

impl Colour for ReceiveBuffers {}

impl ReceiveBuffers {
    pub fn has_any(&self) -> bool {
        !self.0.is_empty()
    }

    /// A request has come, and taking it in costs what its buffer says.
    pub fn with(mut self, request: Packet, cost: ReceiveCost) -> Self {
        let of_client = self.0.iter_mut().find(|it| it.0 == request.client);
        let held = of_client.as_ref().map_or(0, |(_, buffer)| {
            buffer.iter().map(|it| it.packets).sum::<u64>()
        });
        let request = Packet {
            receive_ns: cost.ns(held, request.packets),
            ..request
        };
        match of_client {
            Some((_, buffer)) => buffer.push_back(request),
            None => self.0.push_back((request.client, [request].into())),
        }
        self
    }

    /// The request that is looked at next. It stays until all of it is done.
    pub fn first(&self) -> Option<Packet> {
        self.0.front()?.1.front().copied()
    }

    /// A part was done of the request that was looked at, and this is what is left. The next client is looked at.
    pub fn after(mut self, rest: Packet) -> Self {
        let Some((client, mut buffer)) = self.0.pop_front() else {
            return self;
        };
        buffer.pop_front();
        if rest.at < rest.end {
            buffer.push_front(rest);
        }
        if !buffer.is_empty() {
            self.0.push_back((client, buffer));
        }
        self
    }
}
