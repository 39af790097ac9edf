//! From a trace to what is sent when.
//!
//! Requests follow "A Study of the Performance of Diskless Web Servers", sections 3.3 and 3.4:
//! connections are those of [`hotset_trace::sessions`], they start at the times of the trace, and a
//! scale divides the time between their starts only. Inside a connection requests keep their distance
//! from its start: how long people think does not depend on how many of them there are.
//!
//! - *Sent* are GETs answered 200 or 206 that read a file and count as accesses. Everything else is
//!   skipped and counted: its answer depends on more than a URL. By the rule C1 everything that counts as an access is
//!   sent, as a GET of its file, whose name carries its size.
//! - *Operations of SPECweb99* are sent as such on request: dynamic GETs by the URL of a script, and POSTs.
//! - *206* is sent as a plain GET, because a log does not tell which part was asked for; the whole
//!   file is expected. How long that is is unknown where no full answer was logged.
//! - *Targets* are paths, percent-encoded again. A log's own spelling is not kept in a trace.
//! - *A connection starts* with the first of its requests that is sent.
//! - *Without clients* in the trace every request is a connection of its own.

mod columns;
mod error;
mod lengths;
mod moment;
mod operations;
mod options;
mod paths;
mod select;
mod summary;
mod timescale;
mod trace;

pub use columns::{Schedule, UNKNOWN_BYTES};
pub use error::ScheduleError;
pub use moment::Moment;
pub use operations::Operations;
pub use options::{DEFAULT_SORT_WINDOW, Pace, SCALES, ScheduleOptions};
pub use summary::{Cut, ScheduleSummary, Skipped, StepsBack};
pub use trace::schedule;
