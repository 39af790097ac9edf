//! One connection of an open loop, or one client of a closed one.

use super::client_rate::ClientRate;
use super::exchange::Exchange;
use super::load::Script;
use super::requests::Row;
use super::wire::Wire;

/// Where a slot's connection stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// The slot serves nobody.
    #[default]
    Free,
    /// There is no connection.
    Closed,
    /// TCP or TLS is being set up.
    Connecting,
    Handshaking,
    /// The connection is open and no request under way.
    Idle,
    /// A request was sent.
    Waiting,
}

/// A request that is to be sent or was sent.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub row: Row,
    pub recorded: bool,
    pub intended_ns: u64,
    /// Whether it was sent before, on a connection that the server was closing.
    pub repeated: bool,
}

/// A slot. Its memory is used again by the next connection.
#[derive(Default)]
pub struct Slot {
    pub phase: Phase,
    /// Tells events of this connection from those of earlier ones.
    pub generation: u32,
    pub wire: Option<Wire>,
    pub exchange: Exchange,
    pub job: Option<Job>,
    pub script: Option<Script>,
    /// What the client of a closed loop has received.
    pub client: ClientRate,
    /// When the next request is due, while none is under way.
    pub due_ns: u64,
    /// When what is under way takes too long; `u64::MAX`: nothing is.
    pub deadline_ns: u64,
    pub connect_began_ns: u64,
    /// How long connecting took, until it has been recorded.
    pub connect_took_ns: Option<u64>,
    /// The address that is tried, and how many were tried before.
    pub address: usize,
    pub addresses_tried: usize,
    /// Responses received on this connection.
    pub served: u64,
    /// Whether the server closed the last connection between requests.
    pub closed_by_server: bool,
}

impl Slot {
    /// Drops the connection.
    pub fn disconnect(&mut self) {
        self.wire = None;
        self.generation = self.generation.wrapping_add(1);
        self.phase = Phase::Closed;
        self.served = 0;
        self.deadline_ns = u64::MAX;
    }

    /// What epoll gives back with an event.
    pub fn token(&self, index: usize) -> u64 {
        u64::from(self.generation) << 32 | index as u64
    }
}
