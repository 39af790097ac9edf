//! A trace in memory.

use serde::{Deserialize, Serialize};

use crate::{Method, NO_OBJECT, Objects, PathTable, Requests};

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

/// What follows the path of a file in the URL of a script's answer that is made of the file.
pub const SCRIPT_QUERY: &str = "?dynamic";

impl Trace {
    /// Whether a script makes the answer to the request in row `row` out of a file, as for dynamic GETs of SPECweb99: it is
    /// longer than the file, which it reads.
    ///
    /// # Panics
    /// When `row` is not below the number of requests.
    pub fn is_scripted(&self, row: usize) -> bool {
        let requests = &self.requests;
        let (object, method) = (requests.object[row], requests.method[row]);
        let is_read = requests.access[row] && method == Method::Get && object != NO_OBJECT;
        is_read && requests.bytes[row] > self.objects.size[object as usize]
    }
}
