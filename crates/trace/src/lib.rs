//! Traces of web requests: readers for access logs, the trace folder and sessions.
//!
//! A [`Trace`] holds requests as columns, one entry a request, in *log order*: the order of lines in
//! the log, several logs merged by the running maximum of their times.

mod file_names;
pub mod folder;
pub mod formats;
mod objects;
mod period;
pub mod read;
mod requests;
pub mod sessions;
mod size_limits;
mod trace;
mod url_encoding;
mod value_names;
mod zone;

pub use file_names::{file_name, sized_path};
pub use objects::{Objects, PathTable};
pub use period::{LeftOut, Period};
pub use requests::{Method, NO_OBJECT, Protocol, Request, Requests};
pub use size_limits::MAX_TOTAL_BYTES;
pub use trace::{SCRIPT_QUERY, Trace, TraceOrigin};
pub use url_encoding::{encoded_path, encoded_query};
pub use value_names::not_one_of;
pub use zone::Zone;
