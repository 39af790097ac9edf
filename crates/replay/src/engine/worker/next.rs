//! Going on to the next request of a connection or client.

use super::Worker;
use crate::engine::slot::{Job, Phase};

impl Worker<'_> {
    pub(super) fn wake_due(&mut self) {
        let now = self.clock.now_ns();
        while let Some(index) = self.wakes.pop(now) {
            let slot = &self.slots[index];
            match slot.phase {
                Phase::Idle | Phase::Closed if slot.due_ns > now => {
                    self.wakes.arm(index, slot.due_ns)
                }
                Phase::Idle | Phase::Closed => {
                    let at = self.clock.now_ns();
                    let due = slot.due_ns;
                    if slot.phase == Phase::Idle {
                        self.recorder.late(at - due);
                    }
                    self.dispatch(index, at);
                }
                // Its time will be looked at when the connection is open, or the slot is free.
                _ => {}
            }
        }
    }

    pub(super) fn advance_ready(&mut self) {
        for index in std::mem::take(&mut self.ready) {
            if self.slots[index].phase == Phase::Closed && self.slots[index].job.is_none() {
                let now = self.clock.now_ns();
                self.advance(index, now, true);
            }
        }
    }

    /// Goes on with a slot that has no request under way, the last one having ended at `ended`.
    pub(super) fn advance(&mut self, index: usize, ended: u64, lost: bool) {
        let slot = &self.slots[index];
        let due = slot
            .script
            .as_ref()
            .and_then(|script| self.feed.due_ns(script, &slot.client, ended, lost));
        let Some(due) = due else {
            return self.release(index);
        };
        self.slots[index].due_ns = due;
        let now = self.clock.now_ns();
        if due > now {
            self.wakes.arm(index, due);
        } else {
            self.dispatch(index, now);
        }
    }

    /// Takes the slot's next request and sends it, or opens a connection for it.
    pub(super) fn dispatch(&mut self, index: usize, now: u64) {
        let slot = &mut self.slots[index];
        let Some(request) = slot
            .script
            .as_mut()
            .and_then(|script| self.feed.take(script, now))
        else {
            return self.release(index);
        };
        slot.client.send(now, request.recorded);
        slot.job = Some(Job {
            row: request.row,
            recorded: request.recorded,
            intended_ns: slot.due_ns,
            repeated: false,
        });
        match slot.phase {
            Phase::Idle => self.send(index),
            _ => self.connect(index, now),
        }
    }
}
