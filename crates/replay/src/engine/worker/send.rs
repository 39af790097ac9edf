//! Sending requests.

use super::Worker;
use crate::ErrorKind;
use crate::engine::slot::Phase;

impl Worker<'_> {
    /// Sends the slot's request on its open connection.
    pub(super) fn send(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let (Some(job), Some(wire)) = (&slot.job, &mut slot.wire) else {
            return;
        };
        self.requests.write_request(job.row, &mut self.request);
        let now = self.clock.now_ns();
        slot.exchange.begin(now);
        slot.phase = Phase::Waiting;
        slot.deadline_ns = now.saturating_add(self.response_timeout_ns);
        self.deadlines.arm(index, slot.deadline_ns);
        if job.recorded {
            if let Some(took) = slot.connect_took_ns.take() {
                self.recorder.connected(self.requests, job.row, took);
            }
            if !job.repeated {
                self.recorder.sent(job.intended_ns, now);
            }
        }
        if let Err(error) = slot.exchange.send(wire, &self.request, &self.clock) {
            self.lost(index, ErrorKind::of_connection(&error));
        }
    }
}
