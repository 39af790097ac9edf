//! Logs that are read on as servers write them, through every rotation, and across restarts of the reader.
//!
//! A [`Follower`] hands over each request once, in the order of the lines of its log. It goes on in the next file when the
//! server does: when the log is renamed and begun anew, copied and truncated, or named after a new day. It says where it
//! is ([`Place`]), so that another process goes on there, in a file that was renamed or compressed meanwhile too.
//!
//! Nothing grows with the number of lines or of distinct requests.
//!
//! | deed | file |
//! | --- | --- |
//! | all logs of a program that keeps running are looked at | `follower` |
//! | lines of a log become requests; what is told of a log | `log` |
//! | the next file of a log: rotation, truncation | `tail`, `siblings` (which files are of one log) |
//! | bytes of one file, plain, compressed or a pipe, from a place on | `file` |
//! | where a reader is, for the process that comes next | `place` |
//! | which sites logs can have, before they are followed | `sites_beforehand` |

mod file;
mod follower;
mod log;
mod place;
mod siblings;
mod sites_beforehand;
mod tail;

pub use follower::Follower;
pub use log::{LogEvent, LoggedRequest, LoggedUse};
pub use place::Place;
pub use sites_beforehand::sites_without_hosts;
