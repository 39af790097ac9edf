//! What calls cost processors.

/// What a call costs the processors at one end, all of the network's layers included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallCosts {
    /// A call and its answer, beside the bytes of files in them, nanoseconds.
    pub call_ns: u64,
    /// A byte of a file, nanoseconds.
    pub ns_per_byte: f64,
}

impl CallCosts {
    /// Assumed, nothing was measured: 15 µs, and the 4 GB/s of hotset's definition of memory.
    pub const ASSUMED: Self = Self {
        call_ns: 15_000,
        ns_per_byte: 0.25,
    };

    /// The same on processors that are so many times as fast.
    #[must_use]
    pub fn at_speed(self, speed: f64) -> Self {
        Self {
            call_ns: (self.call_ns as f64 / speed) as u64,
            ns_per_byte: self.ns_per_byte / speed,
        }
    }

    /// What so many bytes of a file cost, nanoseconds.
    #[inline]
    pub(crate) fn bytes_ns(self, bytes: u64) -> u64 {
        (bytes as f64 * self.ns_per_byte) as u64
    }
}
