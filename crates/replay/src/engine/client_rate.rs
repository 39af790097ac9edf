//! What a client of a closed loop has received, and how fast.

/// Bytes that a client received since it began, or since its first request that is recorded.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientRate {
    /// None before its first request.
    began_ns: Option<u64>,
    is_recorded: bool,
    bytes: u64,
    ended_ns: u64,
}

const SECOND_NS: f64 = 1e9;

impl ClientRate {
    /// A request is sent at `now_ns`.
    pub fn send(&mut self, now_ns: u64, is_recorded: bool) {
        if self.began_ns.is_none() || is_recorded && !self.is_recorded {
            *self = Self {
                began_ns: Some(now_ns),
                is_recorded,
                bytes: 0,
                ended_ns: now_ns,
            };
        }
    }

    /// An answer of `bytes` has arrived.
    pub fn receive(&mut self, bytes: u64, now_ns: u64) {
        self.bytes += bytes;
        self.ended_ns = now_ns;
    }

    /// When the client has received no more than `rate` bytes a second.
    pub fn due_ns(&self, rate: f64) -> u64 {
        let pause_ns = self.bytes as f64 / rate * SECOND_NS;
        let began_ns = self.began_ns.unwrap_or(self.ended_ns);
        began_ns.saturating_add(pause_ns.ceil() as u64)
    }

    /// Bytes a second that it received until `end_ns` or the end of its last pause, whichever is later; none where nothing
    /// was recorded.
    pub fn bytes_per_second(&self, rate: f64, end_ns: u64) -> Option<f64> {
        let began_ns = self.began_ns.filter(|_| self.is_recorded)?;
        let end_ns = end_ns.max(self.ended_ns).max(self.due_ns(rate));
        let seconds = end_ns.saturating_sub(began_ns) as f64 / SECOND_NS;
        Some(match seconds > 0.0 {
            true => self.bytes as f64 / seconds,
            false => 0.0,
        })
    }
}
