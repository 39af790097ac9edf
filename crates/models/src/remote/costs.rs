//! What calls cost processors.

use super::link_stack::LinkStack;

/// What a call costs the processors at one end. The network's layers are included where nothing is added for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallCosts {
    /// A call and its answer, beside the bytes of files in them, nanoseconds.
    pub call_ns: u64,
    /// A byte of a file, nanoseconds.
    pub ns_per_byte: f64,
    /// What the network stack adds to that of a byte that is sent, and of one that is received, nanoseconds.
    pub stack_ns_per_byte: [f64; 2],
}

impl CallCosts {
    /// Assumed, nothing was measured: 15 µs, and the 4 GB/s of hotset's definition of memory.
    pub const ASSUMED: Self = Self {
        call_ns: 15_000,
        ns_per_byte: 0.25,
        stack_ns_per_byte: [0.0; 2],
    };

    /// The same on processors that are so many times as fast.
    #[must_use]
    pub fn at_speed(self, speed: f64) -> Self {
        Self {
            call_ns: (self.call_ns as f64 / speed) as u64,
            ns_per_byte: self.ns_per_byte / speed,
            stack_ns_per_byte: self.stack_ns_per_byte.map(|ns| ns / speed),
        }
    }

    /// The same with what messages cost the network stack at this end of a link.
    #[must_use]
    pub fn with_stack(self, stack: &LinkStack) -> Self {
        let [sent, received] = stack.ns_per_byte();
        let [sent_before, received_before] = self.stack_ns_per_byte;
        Self {
            call_ns: self.call_ns + stack.call_ns(),
            stack_ns_per_byte: [sent_before + sent, received_before + received],
            ..self
        }
    }

    /// What so many bytes of a file cost, nanoseconds, without the network stack.
    #[inline]
    pub(crate) fn bytes_ns(self, bytes: u64) -> u64 {
        (bytes as f64 * self.ns_per_byte) as u64
    }

    /// What so many bytes of a file cost that this end sends, nanoseconds.
    #[inline]
    pub(crate) fn sent_bytes_ns(self, bytes: u64) -> u64 {
        (bytes as f64 * (self.ns_per_byte + self.stack_ns_per_byte[0])) as u64
    }

    /// What so many bytes of a file cost that this end receives, nanoseconds.
    #[inline]
    pub(crate) fn received_bytes_ns(self, bytes: u64) -> u64 {
        (bytes as f64 * (self.ns_per_byte + self.stack_ns_per_byte[1])) as u64
    }
}
