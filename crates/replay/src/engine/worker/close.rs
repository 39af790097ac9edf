//! Closing connections: at their end, when they break, when a response takes too long.

use std::sync::atomic::Ordering;

use super::Worker;
use crate::engine::slot::Phase;
use crate::{ErrorKind, Load, Pause};

impl Worker<'_> {
    /// The slot has nothing more to send.
    pub(super) fn release(&mut self, index: usize) {
        self.note_client_rate(index, 0);
        let slot = &mut self.slots[index];
        slot.disconnect();
        slot.phase = Phase::Free;
        slot.script = None;
        self.free.push(index);
        if self.active == self.most_active {
            self.released_ns = Some(self.clock.now_ns());
        }
        self.active -= 1;
        self.shared.connections.fetch_sub(1, Ordering::Relaxed);
    }

    /// What the client that ends has received a second, where clients hold a rate; at `end_ns` at the earliest.
    pub(super) fn note_client_rate(&mut self, index: usize, end_ns: u64) {
        let Load::Closed(closed) = &self.requests.options.load else {
            return;
        };
        if let Pause::Rate(rate) = closed.pause {
            let received = self.slots[index].client.bytes_per_second(rate, end_ns);
            self.recorder.client_rates.extend(received);
        }
    }

    pub(super) fn end_overdue(&mut self) {
        let now = self.clock.now_ns();
        while let Some(index) = self.deadlines.pop(now) {
            let slot = &self.slots[index];
            if slot.deadline_ns > now {
                if slot.deadline_ns != u64::MAX {
                    self.deadlines.arm(index, slot.deadline_ns);
                }
                continue;
            }
            match slot.phase {
                Phase::Connecting | Phase::Handshaking => {
                    self.connect_failed(index, ErrorKind::ConnectTimeout)
                }
                Phase::Waiting => self.fail(index, ErrorKind::ResponseTimeout, now),
                Phase::Free | Phase::Closed | Phase::Idle => {}
            }
        }
    }

    /// The connection is gone under a request. One that the server closed between requests is opened
    /// again and the request repeated: servers close idle connections, and the request crossed that on
    /// its way.
    pub(super) fn lost(&mut self, index: usize, kind: ErrorKind) {
        let now = self.clock.now_ns();
        let slot = &mut self.slots[index];
        let crossed = slot.served > 0 && kind != ErrorKind::Tls;
        match &mut slot.job {
            Some(job) if crossed && slot.exchange.first_byte_ns == 0 && !job.repeated => {
                job.repeated = true;
                slot.disconnect();
                slot.closed_by_server = true;
                self.connect(index, now);
            }
            _ => self.fail(index, kind, now),
        }
    }

    /// The request gets no response.
    pub(super) fn fail(&mut self, index: usize, kind: ErrorKind, now: u64) {
        let slot = &mut self.slots[index];
        let sent = matches!(slot.phase, Phase::Waiting);
        let bytes = if sent {
            slot.exchange.response.body_bytes()
        } else {
            0
        };
        slot.disconnect();
        self.ready.push(index);
        let Some(job) = slot.job.take() else { return };
        self.count(bytes, Some(kind));
        if job.recorded {
            if !sent && !job.repeated {
                self.recorder.due(job.intended_ns);
            }
            self.recorder
                .failed(self.requests, job.row, kind, now, bytes);
        }
    }
}
