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
use std::time::Duration;

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::thread::ClockId;

use super::came::Came;
use super::failures;
use super::load::{Feed, Script, Start};
use super::plan::{Plan, Shared, ns};
use super::recorder::{Body, Recorder, Times};
use super::slot::{Job, Phase, Slot};
use super::stamp::Stamp;
use super::timers::Timers;
use super::wall_clock::WallClock;
use super::wire::{Received, Wire};
use crate::{ErrorKind, ReplayError};

/// Events taken at once.
const EVENTS: usize = 256;
/// Bytes received at once: the kernel's own largest receive buffer by default is 6 MB, filled only by
/// large bodies, which are discarded without a copy.
const SCRATCH_BYTES: usize = 256 * 1024;
/// Bytes of a response received first. Heads and small files come whole; of a large one the stamp is not
/// that of segments far behind the first.
const FIRST_BYTES: usize = 4096;
/// From so many bytes of certain body on, they are discarded instead of read.
const DISCARD_FROM: u64 = 4096;
/// Connections started before events are looked at again.
const STARTS_AT_ONCE: usize = 64;
/// How often an idle thread looks whether it shall stop.
const LONGEST_WAIT_NS: u64 = 20_000_000;

/// One thread's event loop.
pub struct Worker<'a> {
    plan: &'a Plan<'a>,
    shared: &'a Shared,
    feed: Feed<'a>,
    epoll: OwnedFd,
    slots: Vec<Slot>,
    free: Vec<usize>,
    /// Slots whose last request failed at once: looked at after the events, never from within.
    ready: Vec<usize>,
    /// Times of next requests, and of timeouts.
    wakes: Timers,
    deadlines: Timers,
    wall: WallClock,
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
        let epoll = epoll::create(CreateFlags::CLOEXEC).map_err(|error| ReplayError::System {
            what: "epoll is not available",
            source: error.into(),
        })?;
        Ok(Self {
            plan,
            shared,
            feed,
            epoll,
            slots: Vec::new(),
            free: Vec::new(),
            ready: Vec::new(),
            wakes: Timers::default(),
            deadlines: Timers::default(),
            wall: WallClock::new(),
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
        self.look_at_wall_clock(self.shared.now_ns());
        let mut events: Vec<Event> = Vec::with_capacity(EVENTS);
        while !self.shared.stop.load(Ordering::Relaxed) {
            self.start_due();
            self.wake_due();
            self.end_overdue();
            self.advance_ready();
            if self.active == 0 && self.feed.next_start_ns().is_none() {
                break;
            }
            events.clear();
            self.wait(&mut events)?;
            let now = self.shared.now_ns();
            self.look_at_wall_clock(now);
            for event in &events {
                self.on_event(*event, now);
            }
            self.tell();
        }
        self.tell();
        self.count_unfinished();
        Ok(self.recorder)
    }

    fn wait(&self, events: &mut Vec<Event>) -> Result<(), ReplayError> {
        let timeout = Timespec::try_from(Duration::from_nanos(self.longest_wait_ns()));
        let waited = epoll::wait(
            &self.epoll,
            rustix::buffer::spare_capacity(events),
            timeout.ok().as_ref(),
        );
        match waited {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(ReplayError::System {
                what: "waiting for events failed (epoll_pwait2, Linux 5.11 or newer)",
                source: error.into(),
            }),
        }
    }

    fn look_at_wall_clock(&mut self, now: u64) {
        let wall = rustix::time::clock_gettime(ClockId::Realtime);
        let wall = Stamp(wall.tv_sec * 1_000_000_000 + wall.tv_nsec);
        self.wall.look(now, wall, self.shared.now_ns());
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
        next.saturating_sub(self.shared.now_ns())
            .min(LONGEST_WAIT_NS)
    }

    fn start_due(&mut self) {
        for _ in 0..STARTS_AT_ONCE {
            let now = self.shared.now_ns();
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
        let now = self.shared.now_ns();
        while let Some(index) = self.wakes.pop(now) {
            let slot = &self.slots[index];
            match slot.phase {
                Phase::Idle | Phase::Closed if slot.due_ns > now => {
                    self.wakes.arm(index, slot.due_ns)
                }
                Phase::Idle | Phase::Closed => {
                    let at = self.shared.now_ns();
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
        let now = self.shared.now_ns();
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
                let now = self.shared.now_ns();
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
        let now = self.shared.now_ns();
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
            sent_ns: 0,
            first_byte_ns: 0,
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
            self.released_ns = Some(self.shared.now_ns());
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
        let flags = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
        let token = EventData::new_u64(slot.token(index));
        let begun = Wire::connect(&self.plan.addresses[slot.address]).and_then(|wire| {
            epoll::add(&self.epoll, &wire, token, flags)?;
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
        let now = self.shared.now_ns();
        if self.slots[index].job.is_some() {
            return self.fail(index, kind, now);
        }
        // Opened ahead of its first request, which will try again at its time.
        self.slots[index].disconnect();
        self.wakes.arm(index, self.slots[index].due_ns);
    }

    fn on_event(&mut self, event: Event, now: u64) {
        let (token, flags) = (event.data.u64(), event.flags);
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
                let now = self.shared.now_ns();
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
        let (Some(job), Some(wire)) = (&mut slot.job, &mut slot.wire) else {
            return;
        };
        self.plan.write_request(job.row, &mut self.request);
        slot.response.reset();
        slot.phase = Phase::Waiting;
        job.sent_ns = self.shared.now_ns();
        job.first_byte_ns = 0;
        slot.deadline_ns = job.sent_ns.saturating_add(self.response_timeout_ns);
        self.deadlines.arm(index, slot.deadline_ns);
        if job.recorded {
            if let Some(took) = slot.connect_took_ns.take() {
                self.recorder.connected(self.plan, job.row, took);
            }
            if !job.repeated {
                self.recorder.sent(job.intended_ns, job.sent_ns);
            }
        }
        if let Err(error) = wire.send(&self.request) {
            return self.broke(index, &error);
        }
        if let Some(stamp) = wire.sent(self.wall.stamp(job.sent_ns)) {
            job.sent_ns = self.wall.replay_ns(stamp).min(self.shared.now_ns());
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
        let Some(wire) = &mut self.slots[index].wire else {
            return;
        };
        if flags.contains(EventFlags::OUT)
            && let Err(error) = wire.flush()
        {
            return self.broke(index, &error);
        }
        // An error alone may be a stamp that waits: what ends a connection hangs up, too.
        let ending = flags.intersects(EventFlags::RDHUP | EventFlags::HUP);
        if !ending && !flags.contains(EventFlags::IN) {
            return;
        }
        self.receive(index, ending, now);
    }

    /// Receives what there is of the response.
    fn receive(&mut self, index: usize, ending: bool, event_ns: u64) {
        let mut event_ns = Some(event_ns);
        loop {
            let slot = &mut self.slots[index];
            let (Some(wire), Some(job)) = (&mut slot.wire, &mut slot.job) else {
                return;
            };
            let discardable = slot.response.discardable();
            let discarding = discardable >= DISCARD_FROM;
            let received = if discarding {
                wire.discard(&mut self.scratch, discardable)
            } else if job.first_byte_ns == 0 {
                wire.receive(&mut self.scratch[..FIRST_BYTES])
            } else {
                wire.receive(&mut self.scratch)
            };
            let (bytes, drained, stamp) = match received {
                Ok(Received::Bytes {
                    count,
                    drained,
                    stamp,
                }) => (count, drained, stamp),
                Ok(Received::Nothing) => return,
                Ok(Received::End) => return self.ended(index),
                Err(error) => return self.broke(index, &error),
            };
            let came = Came { stamp, event_ns };
            let earliest_ns = job.sent_ns.max(job.first_byte_ns);
            let last_ns = came.last_ns(&self.wall, self.shared, earliest_ns);
            if job.first_byte_ns == 0 {
                job.first_byte_ns = came.first_ns(last_ns, job.sent_ns);
            }
            let used = if discarding {
                slot.response.discarded(bytes as u64);
                bytes
            } else {
                match slot.response.read(&self.scratch[..bytes]) {
                    Ok(used) => used,
                    Err(_) => {
                        let now = self.shared.now_ns();
                        return self.fail(index, ErrorKind::Malformed, now);
                    }
                }
            };
            if slot.response.is_complete() {
                // Bytes beyond the response leave nothing to trust on this connection.
                return self.complete(index, last_ns, ending || used < bytes);
            }
            if drained && !ending {
                return;
            }
            event_ns = None;
        }
    }

    /// The server closed the connection within the response, or before it.
    fn ended(&mut self, index: usize) {
        if self.slots[index].response.close() {
            let now = self.shared.now_ns();
            return self.complete(index, now, true);
        }
        self.lost(index, ErrorKind::ClosedEarly);
    }

    fn broke(&mut self, index: usize, error: &std::io::Error) {
        self.lost(index, failures::of_connection(error));
    }

    /// The connection is gone under a request. One that the server closed between requests is opened
    /// again and the request repeated: servers close idle connections, and the request crossed that on
    /// its way.
    fn lost(&mut self, index: usize, kind: ErrorKind) {
        let now = self.shared.now_ns();
        let slot = &mut self.slots[index];
        let crossed = slot.served > 0 && kind != ErrorKind::Tls;
        match &mut slot.job {
            Some(job) if crossed && job.first_byte_ns == 0 && !job.repeated => {
                job.repeated = true;
                slot.disconnect();
                slot.closed_by_server = true;
                self.connect(index, now);
            }
            _ => self.fail(index, kind, now),
        }
    }

    /// The response's last byte came at `last_byte_ns`.
    fn complete(&mut self, index: usize, last_byte_ns: u64, ending: bool) {
        let slot = &mut self.slots[index];
        let Some(job) = slot.job.take() else { return };
        let (status, bytes) = (slot.response.status(), slot.response.body_bytes());
        slot.served += 1;
        slot.phase = Phase::Idle;
        slot.deadline_ns = u64::MAX;
        if ending || !slot.response.keep_alive() {
            slot.disconnect();
            slot.closed_by_server = true;
        }
        let failed = failures::of_status(status);
        self.count(bytes, failed);
        if failed.is_none() {
            let first_byte_ns = job.first_byte_ns.saturating_sub(job.sent_ns);
            self.shared.first_bytes.add(first_byte_ns);
        }
        if job.recorded {
            self.record(&job, status, last_byte_ns, bytes);
        }
        self.advance(index, last_byte_ns, false);
    }

    fn record(&mut self, job: &Job, status: u16, last_byte_ns: u64, bytes: u64) {
        let recorder = &mut self.recorder;
        if let Some(kind) = failures::of_status(status) {
            return recorder.failed(self.plan, job.row, kind, last_byte_ns, bytes);
        }
        let times = Times {
            intended_ns: job.intended_ns,
            sent_ns: job.sent_ns,
            first_byte_ns: job.first_byte_ns,
            last_byte_ns,
        };
        let body = Body {
            bytes,
            whole: (200..300).contains(&status),
        };
        recorder.answered(self.plan, job.row, &times, body);
    }

    /// The request gets no response.
    fn fail(&mut self, index: usize, kind: ErrorKind, now: u64) {
        let slot = &mut self.slots[index];
        let sent = matches!(slot.phase, Phase::Waiting);
        let bytes = if sent { slot.response.body_bytes() } else { 0 };
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
