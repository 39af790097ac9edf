//! Receiving responses.

use rustix::event::epoll::EventFlags;

use super::Worker;
use crate::ErrorKind;
use crate::engine::exchange::Progress;
use crate::engine::recorder::{Body, RequestTimes};
use crate::engine::slot::{Job, Phase};
use crate::engine::wire::ReadResult;

impl Worker<'_> {
    pub(super) fn on_idle(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let Some(wire) = &mut slot.wire else { return };
        match wire.receive(&mut self.scratch) {
            Ok(ReadResult::Nothing) => {}
            // Closed between two requests, or bytes that nobody asked for.
            Ok(ReadResult::End | ReadResult::Bytes { .. }) | Err(_) => {
                slot.disconnect();
                slot.closed_by_server = true;
            }
        }
    }

    pub(super) fn on_early(&mut self, index: usize, flags: EventFlags, now: u64) {
        match self.slots[index].phase {
            Phase::Waiting => self.on_response(index, flags, now),
            Phase::Idle => self.on_idle(index),
            Phase::Free | Phase::Closed | Phase::Connecting | Phase::Handshaking => {}
        }
    }

    pub(super) fn on_response(&mut self, index: usize, flags: EventFlags, now: u64) {
        let slot = &mut self.slots[index];
        let Some(wire) = &mut slot.wire else { return };
        let scratch = &mut self.scratch;
        match (slot.exchange).react(wire, flags, now, scratch, &self.clock) {
            Progress::Pending => {}
            Progress::Complete {
                last_byte_ns,
                reusable,
            } => self.complete(index, last_byte_ns, reusable),
            Progress::Lost(error) => self.lost(index, ErrorKind::of_connection(&error)),
            Progress::Malformed(_) => self.fail(index, ErrorKind::Malformed, self.clock.now_ns()),
        }
    }

    /// The response's last byte arrived at `last_byte_ns`.
    fn complete(&mut self, index: usize, last_byte_ns: u64, reusable: bool) {
        let slot = &mut self.slots[index];
        let Some(job) = slot.job.take() else { return };
        let response = &slot.exchange.response;
        let (status, bytes) = (response.status(), response.body_bytes());
        let times = RequestTimes {
            intended_ns: job.intended_ns,
            sent_ns: slot.exchange.sent_ns,
            first_byte_ns: slot.exchange.first_byte_ns,
            last_byte_ns,
        };
        slot.served += 1;
        slot.phase = Phase::Idle;
        slot.deadline_ns = u64::MAX;
        if !reusable {
            slot.disconnect();
            slot.closed_by_server = true;
        }
        let failed = ErrorKind::of_status(status);
        self.count(bytes, failed);
        if failed.is_none() {
            self.slots[index].client.receive(bytes, last_byte_ns);
            let first_byte_ns = times.first_byte_ns.saturating_sub(times.sent_ns);
            self.shared.first_bytes.add(first_byte_ns);
        }
        if job.recorded {
            self.record(&job, status, &times, bytes);
        }
        self.advance(index, last_byte_ns, false);
    }

    fn record(&mut self, job: &Job, status: u16, times: &RequestTimes, bytes: u64) {
        let recorder = &mut self.recorder;
        if let Some(kind) = ErrorKind::of_status(status) {
            return recorder.failed(self.requests, job.row, kind, times.last_byte_ns, bytes);
        }
        let body = Body {
            bytes,
            whole: (200..300).contains(&status),
        };
        recorder.answered(self.requests, job.row, times, body);
    }
}
