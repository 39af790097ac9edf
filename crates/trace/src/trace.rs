//! A trace in memory.

use serde::{Deserialize, Serialize};

use crate::{Objects, PathTable, Requests};

/// Where a trace's times come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TraceOrigin {
    /// Times as logged or generated.
    #[default]
    Timed,
    /// A key-only trace: time is the row number in microseconds and says nothing about rates.
    Untimed,
}

/// Requests in log order with the sites, clients and objects they name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Site names; the index is the site id.
    pub sites: Vec<String>,
    /// Client pseudonyms or addresses; the index is the client id. Empty where the source names none.
    pub clients: PathTable,
    /// Files.
    pub objects: Objects,
    /// Requests in log order.
    pub requests: Requests,
    /// Where the times come from.
    pub origin: TraceOrigin,
}
