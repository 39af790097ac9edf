//! Sending a request on an open connection and receiving its response.

use std::io;

use rustix::event::epoll::EventFlags;

use super::arrival::Arrival;
use super::clock::Clock;
use super::wire::{ReadResult, Wire};
use crate::response::{Malformed, Response};

/// Bytes received at once: the kernel's own largest receive buffer by default is 6 MB, filled only by
/// large bodies, which are discarded without a copy.
pub const SCRATCH_BYTES: usize = 256 * 1024;
/// Bytes of a response received first. Heads and small files come whole; of a large one the stamp is not
/// that of segments far behind the first.
const FIRST_BYTES: usize = 4096;
/// From so many bytes of certain body on, they are discarded instead of read.
const DISCARD_FROM: u64 = 4096;

/// A request that was sent, and what has arrived of its response.
#[derive(Default)]
pub struct Exchange {
    /// Nanoseconds since time zero, as all times here.
    pub sent_ns: u64,
    /// 0: no byte has arrived.
    pub first_byte_ns: u64,
    pub response: Response,
}

/// How far a response is.
pub enum Progress {
    /// More is to arrive.
    Pending,
    /// Its last byte has arrived.
    Complete {
        last_byte_ns: u64,
        /// Whether another request may follow on the connection.
        reusable: bool,
    },
    /// The connection ended or failed first.
    Lost(io::Error),
    /// What arrived is not HTTP.
    Malformed(Malformed),
}

impl Exchange {
    /// Forgets the last exchange; a request is sent at `now_ns`.
    pub fn begin(&mut self, now_ns: u64) {
        self.response.reset();
        self.sent_ns = now_ns;
        self.first_byte_ns = 0;
    }

    /// Sends `request`. Where the kernel says when it left, that is when it was sent.
    pub fn send(&mut self, wire: &mut Wire, request: &[u8], clock: &Clock) -> io::Result<()> {
        wire.send(request)?;
        if let Some(stamp) = wire.sent(clock.stamp_at(self.sent_ns)) {
            self.sent_ns = clock.ns_of(stamp).min(clock.now_ns());
        }
        Ok(())
    }

    /// Does what an event of the connection calls for. `event_ns`: when it was reported.
    pub fn react(
        &mut self,
        wire: &mut Wire,
        flags: EventFlags,
        event_ns: u64,
        scratch: &mut [u8],
        clock: &Clock,
    ) -> Progress {
        if flags.contains(EventFlags::OUT)
            && let Err(error) = wire.flush()
        {
            return Progress::Lost(error);
        }
        // An error alone may be a stamp that waits: what ends a connection hangs up, too.
        let ending = flags.intersects(EventFlags::RDHUP | EventFlags::HUP);
        if !ending && !flags.contains(EventFlags::IN) {
            return Progress::Pending;
        }
        self.receive_all(wire, ending, event_ns, scratch, clock)
    }

    /// Receives what there is of the response.
    fn receive_all(
        &mut self,
        wire: &mut Wire,
        ending: bool,
        event_ns: u64,
        scratch: &mut [u8],
        clock: &Clock,
    ) -> Progress {
        let mut event_ns = Some(event_ns);
        loop {
            let discardable = self.response.discardable();
            let discarding = discardable >= DISCARD_FROM;
            let received = if discarding {
                wire.discard(scratch, discardable)
            } else if self.first_byte_ns == 0 {
                wire.receive(&mut scratch[..FIRST_BYTES])
            } else {
                wire.receive(scratch)
            };
            let (bytes, drained, stamp) = match received {
                Ok(ReadResult::Bytes {
                    count,
                    drained,
                    stamp,
                }) => (count, drained, stamp),
                Ok(ReadResult::Nothing) => return Progress::Pending,
                Ok(ReadResult::End) => return self.end(clock),
                Err(error) => return Progress::Lost(error),
            };
            let last_byte_ns = self.note(&Arrival { stamp, event_ns }, clock);
            let used = if discarding {
                self.response.discarded(bytes as u64);
                bytes
            } else {
                match self.response.read(&scratch[..bytes]) {
                    Ok(used) => used,
                    Err(malformed) => return Progress::Malformed(malformed),
                }
            };
            if self.response.is_complete() {
                // Bytes beyond the response leave nothing to trust on this connection.
                let reusable = !ending && used == bytes && self.response.keep_alive();
                return Progress::Complete {
                    last_byte_ns,
                    reusable,
                };
            }
            if drained && !ending {
                return Progress::Pending;
            }
            event_ns = None;
        }
    }

    /// When the last of the bytes that arrived did.
    fn note(&mut self, arrival: &Arrival, clock: &Clock) -> u64 {
        let last_ns = arrival.last_ns(clock, self.sent_ns.max(self.first_byte_ns));
        if self.first_byte_ns == 0 {
            self.first_byte_ns = arrival.first_ns(last_ns, self.sent_ns);
        }
        last_ns
    }

    /// The server closed the connection, which may be the response's end.
    fn end(&mut self, clock: &Clock) -> Progress {
        if self.response.close() {
            return Progress::Complete {
                last_byte_ns: clock.now_ns(),
                reusable: false,
            };
        }
        let early = "the server closed the connection before the end of its response";
        Progress::Lost(io::Error::new(io::ErrorKind::UnexpectedEof, early))
    }
}
