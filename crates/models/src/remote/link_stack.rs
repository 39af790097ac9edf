//! What messages cost the processors at an end of a link, beside what servers and clients cost them.

use hotset_scenario::{Offload, StackCosts};

use super::connection::HEADER_BYTES;

/// What messages cost the processors at an end of a link, of processors of speed 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkStack {
    /// What bytes, packets and interrupts cost.
    pub costs: StackCosts,
    /// What the network card does of that.
    pub offload: Offload,
    /// Largest packet, bytes, with its headers of IP and TCP.
    pub mtu_bytes: u64,
}

impl LinkStack {
    /// What a message takes who sends it, nanoseconds: so many bytes in so many packets.
    pub(crate) fn sent_ns(&self, message: (u64, u64)) -> u64 {
        self.costs.sent_ns(message, self.offload) as u64
    }

    /// What it takes who receives it, nanoseconds.
    pub(crate) fn received_ns(&self, message: (u64, u64)) -> u64 {
        self.costs.received_ns(message, self.offload) as u64
    }

    /// What a call and its answer take at one end beside the bytes of files, nanoseconds: a packet each way.
    pub(crate) fn call_ns(&self) -> u64 {
        self.sent_ns((0, 1)) + self.received_ns((0, 1))
    }

    /// What a byte of a file takes that is sent, and that is received, nanoseconds. Each has its part of what a long message takes.
    pub(crate) fn ns_per_byte(&self) -> [f64; 2] {
        const LONG_BYTES: u64 = 1 << 20;
        let segment_bytes = self.mtu_bytes.saturating_sub(HEADER_BYTES).max(1);
        let message = (LONG_BYTES, LONG_BYTES.div_ceil(segment_bytes));
        [
            self.costs.sent_ns(message, self.offload),
            self.costs.received_ns(message, self.offload),
        ]
        .map(|ns| ns / LONG_BYTES as f64)
    }
}
