//! SPECweb99's rule for a connection: what it has to receive.

use std::ops::RangeInclusive;

use serde::Serialize;

/// What a conforming connection receives, bytes a second: "The sleep interval in the client cycle is dynamically varied such
/// that between 40,000 and 50,000 bytes/second per connection are maintained" ("A Study of the Performance of Diskless Web
/// Servers", section 5.1).
pub const CONFORMING_BYTES_PER_SECOND: RangeInclusive<f64> = 40_000.0..=50_000.0;

/// How many connections meet the rule, each a client of a closed loop. Pauses count, those that end the replay too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ConformingConnections {
    /// Connections.
    pub connections: u64,
    /// Those that received 40,000 to 50,000 bytes of bodies a second.
    pub conforming: u64,
    /// What the slowest received, bytes a second.
    pub slowest_bytes_per_second: f64,
    /// What they received on average, bytes a second.
    pub mean_bytes_per_second: f64,
}

impl ConformingConnections {
    /// Of connections that received so many bytes a second; nothing where there are none.
    pub fn of(rates: &[f64]) -> Option<ConformingConnections> {
        let slowest = rates.iter().copied().min_by(f64::total_cmp)?;
        // A pause ends on a whole nanosecond, so that a rate may be above the limit by its last digits.
        let highest = CONFORMING_BYTES_PER_SECOND.end() * (1.0 + f64::from(f32::EPSILON));
        let conforms =
            |rate: &&f64| (*CONFORMING_BYTES_PER_SECOND.start()..=highest).contains(*rate);
        Some(ConformingConnections {
            connections: rates.len() as u64,
            conforming: rates.iter().filter(conforms).count() as u64,
            slowest_bytes_per_second: slowest,
            mean_bytes_per_second: rates.iter().sum::<f64>() / rates.len() as f64,
        })
    }
}
