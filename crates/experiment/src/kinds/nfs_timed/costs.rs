//! What calls cost both ends, from jobs that are not compared: calls that do nothing, and records of two sizes.

use serde::{Deserialize, Serialize};

use super::figures::Calls;
use crate::quantile::median;

/// What calls cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Costs {
    /// A client's processors, of reading.
    pub client_reads: EndCosts,
    /// The server's, of reading.
    pub server_reads: EndCosts,
    /// A client's, of writing.
    pub client_writes: EndCosts,
    /// The server's, of writing.
    pub server_writes: EndCosts,
    /// How long it takes until a process runs that waits for a message that has come: half of what a call that does nothing takes beyond both
    /// ends' processors, microseconds.
    pub wake_us: f64,
}

/// What a call costs the processors at one end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct EndCosts {
    /// Beside bytes of the file, microseconds.
    pub call_us: f64,
    /// A byte of the file, nanoseconds.
    pub ns_per_byte: f64,
}

impl EndCosts {
    /// By what calls of two sizes took, the smaller one first.
    fn of(bytes: [u64; 2], [small_us, large_us]: [f64; 2]) -> Self {
        let [small, large] = bytes.map(|bytes| bytes as f64);
        let us_per_byte = ((large_us - small_us) / (large - small)).max(0.0);
        Self {
            call_us: (small_us - small * us_per_byte).max(0.0),
            ns_per_byte: 1e3 * us_per_byte,
        }
    }
}

impl Costs {
    /// By calls that do nothing, and by reads and writes of two sizes, all of one client.
    pub(super) fn of(
        bytes: [u64; 2],
        nothing: Calls,
        reads: [Calls; 2],
        writes: [Calls; 2],
    ) -> Self {
        let client = |calls: [Calls; 2]| EndCosts::of(bytes, calls.map(|it| it.client_us));
        let server = |calls: [Calls; 2]| EndCosts::of(bytes, calls.map(|it| it.server_us));
        let waiting_us = nothing.figures.mean_us - nothing.client_us - nothing.server_us;
        Self {
            client_reads: client(reads),
            server_reads: server(reads),
            client_writes: client(writes),
            server_writes: server(writes),
            wake_us: (waiting_us / 2.0).max(0.0),
        }
    }

    /// The median of each figure; nothing of none.
    pub(super) fn median(all: &[Self]) -> Option<Self> {
        let middle = |of: &dyn Fn(&Self) -> f64| median(all.iter().map(of));
        let end = |of: fn(&Self) -> EndCosts| {
            Some(EndCosts {
                call_us: middle(&|it| of(it).call_us)?,
                ns_per_byte: middle(&|it| of(it).ns_per_byte)?,
            })
        };
        Some(Self {
            client_reads: end(|it| it.client_reads)?,
            server_reads: end(|it| it.server_reads)?,
            client_writes: end(|it| it.client_writes)?,
            server_writes: end(|it| it.server_writes)?,
            wake_us: middle(&|it| it.wake_us)?,
        })
    }
}
