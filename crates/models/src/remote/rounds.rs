//! Calls of clients that only read files of several servers. Those of one round are made together, and the next round begins when all of them are
//! answered.

use super::nfs::FileCall;

/// A call to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoundCall {
    pub round: u32,
    /// The place of the server among those of the store.
    pub server: u32,
    pub call: FileCall,
    /// What it costs the client's processors and the server's beside the usual, nanoseconds.
    pub client_ns: u64,
    pub server_ns: u64,
}

/// What a client does whose call a server does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// It asks this server this.
    Asks(u32, FileCall),
    /// What others have answered is enough.
    GoesOn,
    /// It waits on.
    Waits,
    /// What wanted the call fails.
    Fails,
}

/// A file by its number at the servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ServedFile {
    pub number: u32,
    pub bytes: u64,
}
