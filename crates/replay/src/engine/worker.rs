//! The event loop of one thread.
//!
//! What keeps a request cheap: five sixths of its processor time are the kernel's (perf, 1 KB from nginx on
//! the loopback), so the calls are counted, not the instructions. By `strace -c` it takes 1 `sendto`,
//! 2 `recvmsg`, one of them for the stamp of what was sent, and a share of `epoll_pwait2`; wrk's takes 1 `read`
//! instead and 2 `epoll_ctl` more.
//! - Edges instead of levels are asked for once a connection, so that no `epoll_ctl` turns writing on and off.
//! - A `recv` that fills less than its buffer has drained the socket: none is needed to hear `EAGAIN`.
//! - The next request goes out from within the event that ended the last one.
//! - Of the rest a third is recording into the histograms of all, the site and the size class.

use std::sync::atomic::Ordering;

use rustix::event::epoll::EventFlags;

use super::clock::{Clock, ns};
use super::exchange::{Progress, SCRATCH_BYTES};
use super::failures;
use super::load::{Feed, Script, Start};
use super::plan::{Plan, Shared};
use super::poller::{Event, Poller};
use super::recorder::{Body, Recorder, Times};
use super::slot::{Job, Phase, Slot};
use super::timers::Timers;
use super::wire::{Received, Wire};
use crate::{ErrorKind, ReplayError};

/// Connections started before events are looked at again.
const STARTS_AT_ONCE: usize = 64;
/// How often an idle thread looks whether it shall stop.
const LONGEST_WAIT_NS: u64 = 20_000_000;

/// One thread's event loop.
pub struct Worker<'a> {
    plan: &'a Plan<'a>,
    shared: &'a Shared,
    feed: Feed<'a>,
    poller: Poller,
    slots: Vec<Slot>,
    free: Vec<usize>,
    /// Slots whose last request failed at once: looked at after the events, never from within.
    ready: Vec<usize>,
    /// Times of next requests, and of timeouts.
    wakes: Timers,
    deadlines: Timers,
    clock: Clock,
    active: usize,
    most_active: usize,
    /// When a connection last ended while no more were allowed.
    released_ns: Option<u64>,
    recorder: Recorder,
    scratch: Vec<u8>,
    request: Vec<u8>,
    /// Address that new connections try first.
    address: usize,
    connect_timeout_ns: u64,
    response_timeout_ns: u64,
    counted: Counted,
}

/// Counts not yet told to the watching thread.
#[derive(Default)]
struct Counted {
    finished: u64,
    errors: u64,
    bytes: u64,
}

impl<'a> Worker<'a> {
    /// A loop that keeps at most `most_active` connections.
    pub fn new(
        plan: &'a Plan<'a>,
        shared: &'a Shared,
        feed: Feed<'a>,
        most_active: usize,
    ) -> Result<Self, ReplayError> {
        Ok(Self {
            plan,
            shared,
            feed,
            poller: Poller::new()?,
            slots: Vec::new(),
            free: Vec::new(),
            ready: Vec::new(),
            wakes: Timers::default(),
            deadlines: Timers::default(),
            clock: shared.clock(),
            active: 0,
            most_active,
            released_ns: None,
            recorder: Recorder::new(plan.schedule.sites.len(), plan.end_ns()),
            scratch: vec![0; SCRATCH_BYTES],
            request: Vec::new(),
            address: 0,
            connect_timeout_ns: ns(plan.options.connect_timeout),
            response_timeout_ns: ns(plan.options.response_timeout),
            counted: Counted::default(),
        })
    }

    /// Sends this thread's share.
    pub fn run(mut self) -> Result<Recorder, ReplayError> {
        let wait = self
            .shared
            .origin
            .saturating_duration_since(std::time::Instant::now());
        std::thread::sleep(wait);
        self.clock.compare(self.clock.now_ns());
        while !self.shared.stop.load(Ordering::Relaxed) {
            self.start_due();
            self.wake_due();
            self.end_overdue();
            self.advance_ready();
            if self.active == 0 && self.feed.next_start_ns().is_none() {
                break;
            }
            self.poller.wait(self.longest_wait_ns())?;
            let now = self.clock.now_ns();
            self.clock.compare(now);
            for index in 0..self.poller.events.len() {
                self.on_event(self.poller.events[index], now);
            }
            self.tell();
        }
        self.tell();
        self.count_unfinished();
        Ok(self.recorder)
    }

    /// How long nothing is due.
    fn longest_wait_ns(&self) -> u64 {
        if !self.ready.is_empty() {
            return 0;
        }
        let start = if self.active < self.most_active {
            self.feed.next_start_ns()
        } else {
            None
        };
        let due = [start, self.wakes.next_ns(), self.deadlines.next_ns()];
        let next = due.into_iter().flatten().min().unwrap_or(u64::MAX);
        next.saturating_sub(self.clock.now_ns())
            .min(LONGEST_WAIT_NS)
    }

    fn start_due(&mut self) {
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
        slot.due_ns = start.intended_ns;
        if matches!(start.script, Script::Rows { .. }) {
            if let Some(due) = self.feed.due_ns(&start.script, now, false) {
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

    fn wake_due(&mut self) {
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

    fn end_overdue(&mut self) {
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

    fn advance_ready(&mut self) {
        for index in std::mem::take(&mut self.ready) {
            if self.slots[index].phase == Phase::Closed && self.slots[index].job.is_none() {
                let now = self.clock.now_ns();
                self.advance(index, now, true);
            }
        }
    }

    /// Goes on with a slot that has no request under way, the last one having ended at `ended`.
    fn advance(&mut self, index: usize, ended: u64, lost: bool) {
        let slot = &self.slots[index];
        let due = slot
            .script
            .as_ref()
            .and_then(|script| self.feed.due_ns(script, ended, lost));
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
    fn dispatch(&mut self, index: usize, now: u64) {
        let slot = &mut self.slots[index];
        let Some(request) = slot
            .script
            .as_mut()
            .and_then(|script| self.feed.take(script, now))
        else {
            return self.release(index);
        };
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

    /// The slot has nothing more to send.
    fn release(&mut self, index: usize) {
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

    fn connect(&mut self, index: usize, now: u64) {
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
        let begun = Wire::connect(&self.plan.addresses[slot.address]).and_then(|wire| {
            self.poller.add(&wire, slot.token(index))?;
            Ok(wire)
        });
        match begun {
            Ok(wire) => {
                slot.wire = Some(wire);
                slot.phase = Phase::Connecting;
            }
            Err(error) => self.address_failed(index, failures::of_connect(&error)),
        }
    }

    /// Tries the host's next address, if there is one.
    fn address_failed(&mut self, index: usize, kind: ErrorKind) {
        let slot = &mut self.slots[index];
        slot.addresses_tried += 1;
        if kind == ErrorKind::Local || slot.addresses_tried >= self.plan.addresses.len() {
            return self.connect_failed(index, kind);
        }
        let deadline = slot.deadline_ns;
        slot.disconnect();
        slot.deadline_ns = deadline;
        slot.address = (slot.address + 1) % self.plan.addresses.len();
        self.try_address(index);
    }

    /// No connection: the request that wanted it fails.
    fn connect_failed(&mut self, index: usize, kind: ErrorKind) {
        let now = self.clock.now_ns();
        if self.slots[index].job.is_some() {
            return self.fail(index, kind, now);
        }
        // Opened ahead of its first request, which will try again at its time.
        self.slots[index].disconnect();
        self.wakes.arm(index, self.slots[index].due_ns);
    }

    fn on_event(&mut self, event: Event, now: u64) {
        let Event { token, flags } = event;
        let index = (token & u64::from(u32::MAX)) as usize;
        if self.slots[index].token(index) != token {
            return;
        }
        match self.slots[index].phase {
            Phase::Connecting => self.on_connecting(index, flags, now),
            Phase::Handshaking => self.on_handshaking(index),
            Phase::Waiting => self.on_response(index, flags, now),
            Phase::Idle => self.on_idle(index),
            Phase::Free | Phase::Closed => {}
        }
    }

    fn on_connecting(&mut self, index: usize, flags: EventFlags, now: u64) {
        let slot = &mut self.slots[index];
        let Some(wire) = &mut slot.wire else { return };
        if flags.intersects(EventFlags::ERR | EventFlags::HUP)
            && let Err(error) = wire.take_error()
        {
            return self.address_failed(index, failures::of_connect(&error));
        }
        if !flags.contains(EventFlags::OUT) {
            return;
        }
        self.address = slot.address;
        let site = slot.job.map_or(0, |job| self.plan.site(job.row));
        let Some(start) = self.plan.tls(site) else {
            self.connected(index, now);
            // What came with the connection is not reported again.
            if flags.intersects(EventFlags::IN | EventFlags::RDHUP) {
                self.on_early(index, flags, now);
            }
            return;
        };
        slot.phase = Phase::Handshaking;
        match wire.start_tls(&start) {
            Ok(()) => self.on_handshaking(index),
            Err(error) => self.connect_failed(index, failures::of_handshake(&error)),
        }
    }

    fn on_handshaking(&mut self, index: usize) {
        let Some(wire) = &mut self.slots[index].wire else {
            return;
        };
        match wire.handshake() {
            Ok(true) => {
                let now = self.clock.now_ns();
                self.connected(index, now);
            }
            Ok(false) => {}
            Err(error) => self.connect_failed(index, failures::of_handshake(&error)),
        }
    }

    fn connected(&mut self, index: usize, now: u64) {
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

    /// Sends the slot's request on its open connection.
    fn send(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let (Some(job), Some(wire)) = (&slot.job, &mut slot.wire) else {
            return;
        };
        self.plan.write_request(job.row, &mut self.request);
        let now = self.clock.now_ns();
        slot.exchange.begin(now);
        slot.phase = Phase::Waiting;
        slot.deadline_ns = now.saturating_add(self.response_timeout_ns);
        self.deadlines.arm(index, slot.deadline_ns);
        if job.recorded {
            if let Some(took) = slot.connect_took_ns.take() {
                self.recorder.connected(self.plan, job.row, took);
            }
            if !job.repeated {
                self.recorder.sent(job.intended_ns, now);
            }
        }
        if let Err(error) = slot.exchange.send(wire, &self.request, &self.clock) {
            self.lost(index, failures::of_connection(&error));
        }
    }

    fn on_idle(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let Some(wire) = &mut slot.wire else { return };
        match wire.receive(&mut self.scratch) {
            Ok(Received::Nothing) => {}
            // Closed between two requests, or bytes that nobody asked for.
            Ok(Received::End | Received::Bytes { .. }) | Err(_) => {
                slot.disconnect();
                slot.closed_by_server = true;
            }
        }
    }

    fn on_early(&mut self, index: usize, flags: EventFlags, now: u64) {
        match self.slots[index].phase {
            Phase::Waiting => self.on_response(index, flags, now),
            Phase::Idle => self.on_idle(index),
            Phase::Free | Phase::Closed | Phase::Connecting | Phase::Handshaking => {}
        }
    }

    fn on_response(&mut self, index: usize, flags: EventFlags, now: u64) {
        let slot = &mut self.slots[index];
        let Some(wire) = &mut slot.wire else { return };
        let scratch = &mut self.scratch;
        match (slot.exchange).react(wire, flags, now, scratch, &self.clock) {
            Progress::Pending => {}
            Progress::Complete {
                last_byte_ns,
                reusable,
            } => self.complete(index, last_byte_ns, reusable),
            Progress::Lost(error) => self.lost(index, failures::of_connection(&error)),
            Progress::Malformed(_) => self.fail(index, ErrorKind::Malformed, self.clock.now_ns()),
        }
    }

    /// The connection is gone under a request. One that the server closed between requests is opened
    /// again and the request repeated: servers close idle connections, and the request crossed that on
    /// its way.
    fn lost(&mut self, index: usize, kind: ErrorKind) {
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

    /// The response's last byte arrived at `last_byte_ns`.
    fn complete(&mut self, index: usize, last_byte_ns: u64, reusable: bool) {
        let slot = &mut self.slots[index];
        let Some(job) = slot.job.take() else { return };
        let response = &slot.exchange.response;
        let (status, bytes) = (response.status(), response.body_bytes());
        let times = Times {
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
        let failed = failures::of_status(status);
        self.count(bytes, failed);
        if failed.is_none() {
            let first_byte_ns = times.first_byte_ns.saturating_sub(times.sent_ns);
            self.shared.first_bytes.add(first_byte_ns);
        }
        if job.recorded {
            self.record(&job, status, &times, bytes);
        }
        self.advance(index, last_byte_ns, false);
    }

    fn record(&mut self, job: &Job, status: u16, times: &Times, bytes: u64) {
        let recorder = &mut self.recorder;
        if let Some(kind) = failures::of_status(status) {
            return recorder.failed(self.plan, job.row, kind, times.last_byte_ns, bytes);
        }
        let body = Body {
            bytes,
            whole: (200..300).contains(&status),
        };
        recorder.answered(self.plan, job.row, times, body);
    }

    /// The request gets no response.
    fn fail(&mut self, index: usize, kind: ErrorKind, now: u64) {
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
            self.recorder.failed(self.plan, job.row, kind, now, bytes);
        }
    }

    fn count(&mut self, bytes: u64, error: Option<ErrorKind>) {
        self.counted.finished += 1;
        self.counted.errors += u64::from(error.is_some());
        self.counted.bytes += bytes;
    }

    /// Tells the watching thread.
    fn tell(&mut self) {
        let counted = std::mem::take(&mut self.counted);
        if counted.finished > 0 {
            self.shared
                .finished
                .fetch_add(counted.finished, Ordering::Relaxed);
            self.shared
                .errors
                .fetch_add(counted.errors, Ordering::Relaxed);
            self.shared
                .bytes
                .fetch_add(counted.bytes, Ordering::Relaxed);
        }
    }

    fn count_unfinished(&mut self) {
        let waiting = |slot: &&Slot| slot.job.is_some_and(|job| job.recorded);
        self.recorder.unfinished = self.slots.iter().filter(waiting).count() as u64;
    }
}
