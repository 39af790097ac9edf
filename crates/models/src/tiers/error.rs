//! Why tiers cannot be simulated.

use hotset_petri::{NetError, RunError};

use crate::storage::StorageError;

/// Why tiers cannot be simulated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TiersError {
    /// A node's files cannot be followed.
    #[error("node `{node}`: {source}")]
    Storage {
        /// The node.
        node: String,
        /// Why.
        source: StorageError,
    },
    /// There is nothing to simulate.
    #[error("there are {requests} requests, of which {warm_up} warm the caches up; give more")]
    TooFewRequests {
        /// Requests.
        requests: usize,
        /// Those before measuring begins.
        warm_up: usize,
    },
    /// Hit ratios of file servers are to be approximated.
    #[error(
        "what file servers have in memory follows from what nodes lack, which Che's approximation does not tell: take the exact hit ratios"
    )]
    FileServers,
    /// Several servers have a store whose calls are to be calculated.
    #[error(
        "store `{store}` is on several file servers, whose calls are simulated, not calculated; use `hotset simulate scenario`, or give it kind \"nfs3\" or \"nfs4\""
    )]
    SeveralServers {
        /// The store.
        store: String,
    },
    /// More nodes or classes of clients than tokens can tell apart.
    #[error("there are more than {most} {what}; give fewer")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// The net cannot be built.
    #[error(transparent)]
    Net(#[from] NetError),
    /// Its run ended before its time.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}
