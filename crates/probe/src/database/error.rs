//! Why a server cannot be measured.

use std::path::PathBuf;

use hotset_machine::MachineError;

/// Why a server cannot be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseProbeError {
    /// There is no socket of this name.
    #[error("{}: is not a socket; name the one that the server listens on (its setting `socket`)", .0.display())]
    NotASocket(PathBuf),
    /// The server's client program is not there.
    #[error("there is no program mariadb; install the package mariadb-client")]
    NoClient,
    /// It is not MariaDB.
    #[error("{}: is {version}; only MariaDB is measured", socket.display())]
    OtherServer {
        /// The socket.
        socket: PathBuf,
        /// What the server says it is.
        version: String,
    },
    /// The server, or its client program, refuses.
    #[error(
        "{}: {message}; the user needs the privileges PROCESS, SUPER and SELECT ON *.*, and a password belongs into ~/.my.cnf",
        socket.display()
    )]
    Refused {
        /// The socket.
        socket: PathBuf,
        /// What was said.
        message: String,
    },
    /// The server lists no tables, and InnoDB has some.
    #[error("{}: lists no tables to this user, and InnoDB has some; grant the user SELECT ON *.*", .0.display())]
    NoTables(PathBuf),
    /// The server was started anew while it was looked at.
    #[error("{}: the server was started anew while it was looked at, and counts from nothing since; measure it again", .0.display())]
    Restarted(PathBuf),
    /// The server's answer is not what was asked for.
    #[error("{}: unexpected answer to `{statement}`: {answer}", socket.display())]
    Unexpected {
        /// The socket.
        socket: PathBuf,
        /// What was asked.
        statement: String,
        /// A row of the answer.
        answer: String,
    },
    /// The caller no longer wants to know.
    #[error("interrupted")]
    Interrupted,
    /// The machine refuses.
    #[error(transparent)]
    Machine(#[from] MachineError),
}
