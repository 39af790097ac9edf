//! Replays traces as HTTP requests and measures what clients see.
//!
//! A [`Schedule`] says what to send when, [`Options`] how; [`replay`](replay()) sends it and returns what was
//! [`Measured`]. In an open loop requests go out at their times whether the server keeps up or not, and
//! [`Measured::from_intended`] has the wait that a stalled server causes; in a closed loop clients send
//! when they have their answers. Connections are few and cheap: one thread with one event loop sends tens
//! of thousands of requests a second.

mod engine;
mod error;
mod error_kind;
mod measured;
mod observer;
mod options;
mod outcome;
mod replayed;
pub mod response;
pub mod schedule;
mod size_class;
mod target;

pub use engine::{Answer, Client, RequestError, replay};
pub use error::ReplayError;
pub use error_kind::{ErrorCounts, ErrorKind};
pub use measured::{Latency, Measured};
pub use observer::{Observer, Progress, Unobserved};
pub use options::{Clients, Closed, HostHeader, Load, Options, WarmUp};
pub use replayed::{ClientLimit, Replayed, Second};
pub use size_class::SizeClass;
pub use target::Target;

/// What to send, in columns; rows sorted by (intended start of connection, connection, order in it).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Site names.
    pub sites: Vec<String>,
    /// Request targets: percent-encoded paths.
    pub targets: Vec<Box<[u8]>>,
    /// Index of the site of each request.
    pub site: Vec<u16>,
    /// Index of the target of each request.
    pub target: Vec<u32>,
    /// Connection of each request, dense, in order of start.
    pub connection: Vec<u32>,
    /// Intended start of each connection, microseconds from the replay's start.
    pub start_us: Vec<i64>,
    /// Microseconds after its connection's start, for each request, never falling within a connection.
    pub offset_us: Vec<i64>,
    /// Bytes of the body expected, for each request; [`UNKNOWN_BYTES`] where that is not known.
    pub expected_bytes: Vec<u64>,
}

/// In [`Schedule::expected_bytes`]: the size is not known and no length is wrong.
pub const UNKNOWN_BYTES: u64 = u64::MAX;
