//! Opening connections.

use rustix::event::epoll::EventFlags;

use super::Worker;
use crate::ErrorKind;
use crate::engine::slot::Phase;
use crate::engine::wire::Wire;

impl Worker<'_> {
    pub(super) fn connect(&mut self, index: usize, now: u64) {
        let slot = &mut self.slots[index];
        self.recorder.reopened_connections += u64::from(slot.closed_by_server);
        slot.closed_by_server = false;
        slot.connect_began_ns = now;
        slot.deadline_ns = now.saturating_add(self.connect_timeout_ns);
        slot.address = self.address;
        slot.addresses_tried = 0;
        self.deadlines.arm(index, slot.deadline_ns);
        self.try_address(index);
    }

    fn try_address(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let begun = Wire::connect(&self.requests.addresses[slot.address]).and_then(|wire| {
            self.poller.add(&wire, slot.token(index))?;
            Ok(wire)
        });
        match begun {
            Ok(wire) => {
                slot.wire = Some(wire);
                slot.phase = Phase::Connecting;
            }
            Err(error) => self.address_failed(index, ErrorKind::of_connect(&error)),
        }
    }

    /// Tries the host's next address, if there is one.
    fn address_failed(&mut self, index: usize, kind: ErrorKind) {
        let slot = &mut self.slots[index];
        slot.addresses_tried += 1;
        if kind == ErrorKind::Local || slot.addresses_tried >= self.requests.addresses.len() {
            return self.connect_failed(index, kind);
        }
        let deadline = slot.deadline_ns;
        slot.disconnect();
        slot.deadline_ns = deadline;
        slot.address = (slot.address + 1) % self.requests.addresses.len();
        self.try_address(index);
    }

    /// No connection: the request that wanted it fails.
    pub(super) fn connect_failed(&mut self, index: usize, kind: ErrorKind) {
        let now = self.clock.now_ns();
        if self.slots[index].job.is_some() {
            return self.fail(index, kind, now);
        }
        // Opened ahead of its first request, which will try again at its time.
        self.slots[index].disconnect();
        self.wakes.arm(index, self.slots[index].due_ns);
    }

    pub(super) fn on_connecting(&mut self, index: usize, flags: EventFlags, now: u64) {
        let slot = &mut self.slots[index];
        let Some(wire) = &mut slot.wire else { return };
        if flags.intersects(EventFlags::ERR | EventFlags::HUP)
            && let Err(error) = wire.take_error()
        {
            return self.address_failed(index, ErrorKind::of_connect(&error));
        }
        if !flags.contains(EventFlags::OUT) {
            return;
        }
        self.address = slot.address;
        let site = slot.job.map_or(0, |job| self.requests.site(job.row));
        let Some(start) = self.requests.tls(site) else {
            self.connected(index, now);
            // What arrived with the connection is not reported again.
            if flags.intersects(EventFlags::IN | EventFlags::RDHUP) {
                self.on_early(index, flags, now);
            }
            return;
        };
        slot.phase = Phase::Handshaking;
        match wire.start_tls(&start) {
            Ok(()) => self.on_handshaking(index),
            Err(error) => self.connect_failed(index, ErrorKind::of_handshake(&error)),
        }
    }

    pub(super) fn on_handshaking(&mut self, index: usize) {
        let Some(wire) = &mut self.slots[index].wire else {
            return;
        };
        match wire.handshake() {
            Ok(true) => {
                let now = self.clock.now_ns();
                self.connected(index, now);
            }
            Ok(false) => {}
            Err(error) => self.connect_failed(index, ErrorKind::of_handshake(&error)),
        }
    }

    pub(super) fn connected(&mut self, index: usize, now: u64) {
        self.recorder.connections += 1;
        let slot = &mut self.slots[index];
        slot.phase = Phase::Idle;
        slot.deadline_ns = u64::MAX;
        slot.connect_took_ns = Some(now.saturating_sub(slot.connect_began_ns));
        if slot.job.is_some() {
            self.send(index);
        } else {
            self.wakes.arm(index, slot.due_ns);
        }
    }
}
