//! What connections and clients send.

use crate::engine::requests::Row;

/// What a connection (open loop) or a client (closed loop) is to send.
#[derive(Clone, Copy, Debug)]
pub enum Script {
    /// Rows from `next` to before `end`.
    Rows { next: Row, end: Row },
    /// The row that no client of the closed loop has taken yet.
    Any,
}

/// A connection or client that starts.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub script: Script,
    pub intended_ns: u64,
}

/// A request that is to be sent now.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub row: Row,
    /// Whether it is recorded, or warms up.
    pub recorded: bool,
}
