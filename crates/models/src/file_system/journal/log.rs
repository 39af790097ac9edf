//! The area of a journal on the device.

/// Bytes of the device that are written from their start to their end, and again. What is written stays taken until it is given back.
#[derive(Clone, Debug)]
pub(super) struct Log {
    start: u64,
    bytes: u64,
    /// Where it is written next, from its start.
    next: u64,
    free: u64,
}

impl Log {
    /// Of so many bytes, from a byte of the device on.
    pub fn new(start: u64, bytes: u64) -> Self {
        Self {
            start,
            bytes,
            next: 0,
            free: bytes,
        }
    }

    /// Where it begins.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Bytes of it that are not taken.
    pub fn free(&self) -> u64 {
        self.free
    }

    /// Takes so many bytes, no more than it has: one place, or two where it begins anew.
    pub fn take(&mut self, bytes: u64) -> Vec<(u64, u64)> {
        let bytes = bytes.min(self.bytes);
        let until_end = bytes.min(self.bytes - self.next);
        let mut places = vec![(self.start + self.next, until_end)];
        if bytes > until_end {
            places.push((self.start, bytes - until_end));
        }
        self.next = (self.next + bytes) % self.bytes.max(1);
        self.free = self.free.saturating_sub(bytes);
        places.retain(|place| place.1 > 0);
        places
    }

    /// Gives the oldest bytes back.
    pub fn give_back(&mut self, bytes: u64) {
        self.free = self.bytes.min(self.free + bytes);
    }
}
