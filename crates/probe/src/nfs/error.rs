//! Why a server of NFS cannot be asked.

use std::io;
use std::net::SocketAddr;

use super::fault::Fault;

/// Why a server of NFS cannot be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NfsError {
    /// There is no connection, or it breaks.
    #[error("{server}: cannot {action}: {source}; a server of NFS 3 over TCP has to listen there")]
    Connection {
        /// The server.
        server: SocketAddr,
        /// What was tried.
        action: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// An answer is none, or the server refuses.
    #[error("{server}: {call} of {subject}: {fault}")]
    Call {
        /// The server.
        server: SocketAddr,
        /// The call.
        call: &'static str,
        /// What it is about.
        subject: String,
        /// What is wrong.
        fault: Fault,
    },
    /// A file is shorter than what is to be read or written of it, or a call moves less than was asked for.
    #[error(
        "{server}: {file} has {has_bytes} bytes where {wanted_bytes} are wanted; make it longer, or ask for less at a time"
    )]
    Less {
        /// The server.
        server: SocketAddr,
        /// The file.
        file: String,
        /// Bytes that are there.
        has_bytes: u64,
        /// Bytes that are wanted.
        wanted_bytes: u64,
    },
}
