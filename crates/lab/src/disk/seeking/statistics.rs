//! What a drive has done.

use serde::{Deserialize, Serialize};

/// What a drive has done with its delays on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Statistics {
    /// Requests, to read or write.
    pub requests: u64,
    /// Those that it had in its buffer, or that passed under its head anyway.
    pub buffer_hits: u64,
    /// Time of moving the head, microseconds.
    pub seek_us: u64,
    /// Time of waiting for the place to come round, microseconds.
    pub rotation_us: u64,
    /// Time with a request in service, microseconds; what is neither of the two is the transfer.
    pub busy_us: u64,
    /// Replies more than a millisecond later than the drive's: the machine was too slow to play it.
    pub late: u64,
}

impl Statistics {
    /// What it has done since an earlier reading.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            requests: self.requests - before.requests,
            buffer_hits: self.buffer_hits - before.buffer_hits,
            seek_us: self.seek_us - before.seek_us,
            rotation_us: self.rotation_us - before.rotation_us,
            busy_us: self.busy_us - before.busy_us,
            late: self.late - before.late,
        }
    }

    /// With what it has done in another time.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            buffer_hits: self.buffer_hits + other.buffer_hits,
            seek_us: self.seek_us + other.seek_us,
            rotation_us: self.rotation_us + other.rotation_us,
            busy_us: self.busy_us + other.busy_us,
            late: self.late + other.late,
        }
    }
}
