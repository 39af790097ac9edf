//! Starting connections and clients at their times.

use std::sync::atomic::Ordering;

use super::Worker;
use crate::engine::client_rate::ClientRate;
use crate::engine::load::{Script, Start};
use crate::engine::slot::Slot;

/// Connections started before events are looked at again.
const STARTS_AT_ONCE: usize = 64;

impl Worker<'_> {
    pub(super) fn start_due(&mut self) {
        for _ in 0..STARTS_AT_ONCE {
            let now = self.clock.now_ns();
            let due = self.feed.next_start_ns().is_some_and(|start| start <= now);
            if !due || self.active >= self.most_active {
                return;
            }
            if let Some(start) = self.feed.start() {
                self.begin(start, now);
            }
        }
    }

    /// Starts a connection or client.
    fn begin(&mut self, start: Start, now: u64) {
        let held = self
            .released_ns
            .is_some_and(|released| start.intended_ns <= released);
        self.recorder.held_connections += u64::from(held);
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() - 1
        });
        self.active += 1;
        self.shared.connections.fetch_add(1, Ordering::Relaxed);
        let slot = &mut self.slots[index];
        slot.disconnect();
        slot.script = Some(start.script);
        slot.closed_by_server = false;
        slot.connect_took_ns = None;
        slot.client = ClientRate::default();
        slot.due_ns = start.intended_ns;
        if matches!(start.script, Script::Rows { .. }) {
            let due = self.feed.due_ns(&start.script, &slot.client, now, false);
            if let Some(due) = due {
                self.slots[index].due_ns = due;
            }
            if !held {
                self.recorder.late(now - start.intended_ns);
            }
        }
        if self.slots[index].due_ns > now {
            // Opened at its time, its first request following later.
            self.connect(index, now);
            self.wakes.arm(index, self.slots[index].due_ns);
        } else {
            self.dispatch(index, now);
        }
    }
}
