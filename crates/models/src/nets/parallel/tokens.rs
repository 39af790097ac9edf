//! What tokens of a parallel file system are.

use std::collections::VecDeque;

use hotset_petri::{Colour, Time};

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

/// What passes the network: a request, which has no data, or a segment of what a server has read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub client: u32,
    pub server: u32,
    /// Bytes of the server's file: of a request those that are still to be read, of a segment the chunk that it is of.
    pub at: u64,
    pub end: u64,
    /// Of a request: nothing of it is read yet. Of a segment: it is the last of its chunk.
    pub is_marked: bool,
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

    /// A request has come.
    pub fn with(mut self, request: Packet) -> Self {
        let of_client = self.0.iter_mut().find(|it| it.0 == request.client);
        match of_client {
            Some((_, buffer)) => buffer.push_back(request),
            None => self.0.push_back((request.client, [request].into())),
        }
        self
    }

    /// The request that is looked at next, which leaves.
    pub fn take(&mut self) -> Option<Packet> {
        self.0.front_mut()?.1.pop_front()
    }

    /// A chunk was read of the request that was taken, and this is what is left. The next client is looked at.
    pub fn after(mut self, rest: Packet) -> Self {
        let Some((client, mut buffer)) = self.0.pop_front() else {
            return self;
        };
        if rest.at < rest.end {
            buffer.push_front(rest);
        }
        if !buffer.is_empty() {
            self.0.push_back((client, buffer));
        }
        self
    }
}
