//! What a sender of TCP may have on its way: a window that opens by what is acknowledged (slow start, RFC 5681).
//!
//! Without loss it opens until the buffers of sockets limit it. Not followed: CUBIC's growth after a loss, and autotuned buffers.

use std::collections::VecDeque;

/// Segments that a new connection, or one that was idle, may send at first (RFC 6928; `TCP_INIT_CWND`).
const FIRST_SEGMENTS: u64 = 10;
/// Most bytes on their way: what sockets hold (`net.ipv4.tcp_wmem`, its last number).
const MOST_BYTES: u64 = 4 << 20;

/// One way of a connection.
#[derive(Clone, Debug)]
pub(super) struct Window {
    segment_bytes: u64,
    /// How long it is until its sender hears of what has come, and after how long without anything sent it begins anew.
    back_ns: u64,
    idle_ns: u64,
    /// Bytes that may be on their way, and that are.
    most_bytes: u64,
    under_way_bytes: u64,
    /// When the sender hears of what has come, with its bytes.
    heard: VecDeque<(u64, u64)>,
    /// Messages with the bytes that are still to be sent.
    pending: VecDeque<(u32, u64)>,
    /// When something was sent last.
    sent_ns: u64,
}

/// A part of a message that may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub call: u32,
    pub bytes: u64,
    /// Whether the message ends with it.
    pub is_last: bool,
}

impl Window {
    /// Of a connection whose packets have so many bytes of a message, and whose round trip takes so long. The timer runs for `idle_ns`.
    pub fn new(segment_bytes: u64, (back_ns, idle_ns): (u64, u64)) -> Self {
        Self {
            segment_bytes,
            back_ns,
            idle_ns,
            most_bytes: FIRST_SEGMENTS * segment_bytes,
            under_way_bytes: 0,
            heard: VecDeque::new(),
            pending: VecDeque::new(),
            sent_ns: 0,
        }
    }

    /// A message is to be sent.
    pub fn add(&mut self, now_ns: u64, (call, bytes): (u32, u64)) {
        self.hear(now_ns);
        if self.under_way_bytes == 0 && self.pending.is_empty() {
            self.rest(now_ns);
        }
        self.pending.push_back((call, bytes));
    }

    /// After being idle the window halves for each time that the timer would have run out (`tcp_cwnd_restart`).
    fn rest(&mut self, now_ns: u64) {
        let least = FIRST_SEGMENTS * self.segment_bytes;
        let mut idle_ns = now_ns.saturating_sub(self.sent_ns);
        while idle_ns > self.idle_ns && self.most_bytes > least {
            idle_ns -= self.idle_ns;
            self.most_bytes = (self.most_bytes / 2).max(least);
        }
    }

    /// Takes what may be sent now, of at most so many bytes.
    pub fn next(&mut self, now_ns: u64, most_bytes: u64) -> Option<Part> {
        let (call, left) = *self.pending.front()?;
        let room = self.most_bytes.saturating_sub(self.under_way_bytes);
        let whole = room.min(most_bytes) / self.segment_bytes * self.segment_bytes;
        let bytes = left.min(whole);
        // The last part of a message may have less than a segment.
        if bytes == 0 && left > 0 {
            return None;
        }
        self.under_way_bytes += bytes;
        self.sent_ns = now_ns;
        match left - bytes {
            0 => self.pending.pop_front(),
            rest => self
                .pending
                .front_mut()
                .map(|it| std::mem::replace(it, (call, rest))),
        };
        Some(Part {
            call,
            bytes,
            is_last: bytes == left,
        })
    }

    /// So many bytes have come to the other end. When the sender hears of that, where it waits for it.
    pub fn come(&mut self, now_ns: u64, bytes: u64) -> Option<u64> {
        let at_ns = now_ns + self.back_ns;
        self.heard.push_back((at_ns, bytes));
        (!self.pending.is_empty()).then_some(at_ns)
    }

    /// When the sender hears of what has come already: it has to be told then, as it waits from now on.
    pub fn hears(&self) -> impl Iterator<Item = u64> + '_ {
        self.heard.iter().map(|it| it.0)
    }

    /// Whether something waits.
    pub fn is_waiting(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The sender has heard of what had come by then. In slow start the window opens by as much, where it was the limit
    /// (`tcp_is_cwnd_limited`: more than half of it was used).
    pub fn hear(&mut self, now_ns: u64) {
        while let Some(&(at_ns, bytes)) = self.heard.front()
            && at_ns <= now_ns
        {
            self.heard.pop_front();
            let is_limit = self.under_way_bytes * 2 > self.most_bytes;
            self.under_way_bytes = self.under_way_bytes.saturating_sub(bytes);
            if is_limit || !self.pending.is_empty() {
                self.most_bytes = (self.most_bytes + bytes).min(MOST_BYTES.max(self.most_bytes));
            }
        }
    }
}
