//! Replays traces as HTTP requests and measures what clients see.
//!
//! A [`Schedule`] says what to send when, [`Options`] how; [`replay`](replay()) sends it and returns what was
//! [`Metrics`]. In an open loop requests go out at their times whether the server keeps up or not, and
//! [`Metrics::from_intended`] has the wait that a stalled server causes; in a closed loop clients send
//! when they have their answers. Connections are few and cheap: one thread with one event loop sends tens
//! of thousands of requests a second.
//!
//! | deed | place |
//! | --- | --- |
//! | what to send, and when | `schedule/` |
//! | which request is next | `engine/load/` |
//! | open, send, receive, close | `engine/worker/`, a file each |
//! | parse an answer | `response/` |
//! | sessions of emulated browsers; links and forms of what they receive | `engine/browsers/`; `links.rs` |
//! | whether a connection is kept after an answer | what the server says: `response/head.rs`; what is done: `engine/worker/receive.rs` |
//! | what counts as an error, by status or errno | `error_kind.rs` |
//! | which connections conform to SPECweb99's rule | `conforming.rs` |
//! | count it | `engine/recorder.rs` |
//! | what was measured, as an outcome | `metrics.rs`, `outcome.rs` |

mod condition;
mod conforming;
mod endpoint;
mod engine;
mod error;
mod error_kind;
mod header;
pub mod links;
mod metrics;
mod observer;
mod options;
mod outcome;
mod replay_result;
mod request;
pub mod response;
pub mod schedule;
mod session_options;
mod sessions_result;
mod size_class;

pub use condition::{Condition, Figure};
pub use conforming::{CONFORMING_BYTES_PER_SECOND, ConformingConnections};
pub use endpoint::Endpoint;
pub use engine::{Answer, Client, RequestError, replay, replay_sessions};
pub use error::ReplayError;
pub use error_kind::{ErrorCounts, ErrorKind};
pub use header::Header;
pub use metrics::Metrics;
pub use observer::{NoObserver, Observer, Progress};
pub use options::{ClosedLoad, HostHeader, Load, Options, Pause, WarmUp};
pub use replay_result::{ClientLimit, ReplayResult, Second};
pub use schedule::{Schedule, UNKNOWN_BYTES};
pub use session_options::SessionOptions;
pub use sessions_result::{SessionCounts, SessionsResult};
pub use size_class::SizeClass;
