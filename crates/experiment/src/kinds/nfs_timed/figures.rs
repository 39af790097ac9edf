//! What calls came to.

use serde::{Deserialize, Serialize};

/// Calls of all clients of a cell in one round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct CallFigures {
    /// Calls in a second.
    pub calls_per_s: f64,
    /// Mean time of a call, microseconds.
    pub mean_us: f64,
    /// What 99 % of the calls do not exceed, microseconds: of the client where that is longest.
    pub p99_us: f64,
}

/// The same, with what a call took of processors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calls {
    pub figures: CallFigures,
    /// Processor time of the client by call, microseconds.
    pub client_us: f64,
    /// That of the server.
    pub server_us: f64,
}
