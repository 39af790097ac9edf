//! The event loop of one thread: its visitors and their connections.

use std::sync::atomic::Ordering;
use std::time::Instant;

use rustix::event::epoll::EventFlags;

use super::measured::Measured;
use super::setting::Setting;
use super::visitor::Visitor;
use crate::engine::clock::{Clock, ns};
use crate::engine::exchange::{Exchange, Progress, SCRATCH_BYTES};
use crate::engine::poller::{Event, Poller};
use crate::engine::recorder::RequestTimes;
use crate::engine::shared::{Counts, Shared};
use crate::engine::timers::Timers;
use crate::engine::wire::{ReadResult, Wire};
use crate::{ErrorKind, ReplayError, SessionCounts, request};

/// How often an idle thread looks whether it shall stop.
const LONGEST_WAIT_NS: u64 = 20_000_000;
/// Shortest pause after a page without an answer: a server that is gone answers at once, and asking it again at once would be
/// a busy loop.
const FAILURE_PAUSE_NS: u64 = 10_000_000;

/// One thread's visitors.
pub struct Crowd<'a> {
    setting: &'a Setting<'a>,
    shared: &'a Shared,
    poller: Poller,
    places: Vec<Place>,
    /// Times of next requests, and of timeouts.
    wakes: Timers,
    deadlines: Timers,
    clock: Clock,
    measured: Measured,
    /// What visitors did before anything is recorded.
    unrecorded: SessionCounts,
    scratch: Vec<u8>,
    request: Vec<u8>,
    /// Not yet told to the thread that watches.
    counted: Counts,
}

/// A visitor and the connection.
struct Place {
    visitor: Visitor,
    state: State,
    wire: Option<Wire>,
    exchange: Exchange,
    /// Tells events of this connection from those of earlier ones.
    generation: u32,
    /// Pages received on this connection.
    served: u64,
    has_begun: bool,
    /// Whether the server closed the last connection between two requests.
    closed_by_server: bool,
    /// Whether the request was sent before, on a connection that the server was closing.
    repeated: bool,
    /// When the next request is due, and when what is under way takes too long.
    due_ns: u64,
    deadline_ns: u64,
    connect_began_ns: u64,
}

/// What a visitor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Thinking,
    Connecting,
    Waiting,
    Gone,
}

impl Place {
    fn disconnect(&mut self) {
        self.wire = None;
        self.generation = self.generation.wrapping_add(1);
        self.served = 0;
        self.deadline_ns = u64::MAX;
    }

    fn token(&self, index: usize) -> u64 {
        u64::from(self.generation) << 32 | index as u64
    }
}

impl<'a> Crowd<'a> {
    /// The `index`-th of `threads` shares of the visitors.
    pub fn new(
        setting: &'a Setting<'a>,
        shared: &'a Shared,
        index: usize,
        threads: usize,
    ) -> Result<Self, ReplayError> {
        let poller = Poller::new().map_err(|source| ReplayError::System {
            what: "epoll is not available",
            source,
        })?;
        let mut wakes = Timers::default();
        let mut places = Vec::new();
        for number in (index..setting.options.clients).step_by(threads.max(1)) {
            let mut exchange = Exchange::default();
            exchange.response.keep_body();
            let due_ns = setting.start_ns(number);
            wakes.arm(places.len(), due_ns);
            places.push(Place {
                visitor: Visitor::new(setting, number),
                state: State::Thinking,
                wire: None,
                exchange,
                generation: 0,
                served: 0,
                has_begun: false,
                closed_by_server: false,
                repeated: false,
                due_ns,
                deadline_ns: u64::MAX,
                connect_began_ns: 0,
            });
        }
        Ok(Self {
            setting,
            shared,
            poller,
            places,
            wakes,
            deadlines: Timers::default(),
            clock: shared.clock(),
            measured: Measured::new(setting),
            unrecorded: SessionCounts::default(),
            scratch: vec![0; SCRATCH_BYTES],
            request: Vec::new(),
            counted: Counts::default(),
        })
    }

    /// Lets the visitors ask until the end of the duration.
    pub fn run(mut self) -> Result<Measured, ReplayError> {
        let wait = self.shared.origin.saturating_duration_since(Instant::now());
        std::thread::sleep(wait);
        self.clock.compare(self.clock.now_ns());
        while !self.shared.stop.load(Ordering::Relaxed) {
            self.wake_due();
            self.end_overdue();
            if self.places.iter().all(|place| place.state == State::Gone) {
                break;
            }
            let waited = self.poller.wait(self.longest_wait_ns());
            waited.map_err(|source| ReplayError::System {
                what: "waiting for events failed (epoll_pwait2, Linux 5.11 or newer)",
                source,
            })?;
            let now = self.clock.now_ns();
            self.clock.compare(now);
            for number in 0..self.poller.events.len() {
                self.on_event(self.poller.events[number], now);
            }
            self.shared.add(std::mem::take(&mut self.counted));
        }
        let is_recorded = |place: &&Place| {
            place.state == State::Waiting && self.setting.is_recorded(place.due_ns)
        };
        self.measured.unfinished = self.places.iter().filter(is_recorded).count() as u64;
        Ok(self.measured)
    }

    fn longest_wait_ns(&self) -> u64 {
        let due = [self.wakes.next_ns(), self.deadlines.next_ns()];
        let next = due.into_iter().flatten().min().unwrap_or(u64::MAX);
        next.saturating_sub(self.clock.now_ns())
            .min(LONGEST_WAIT_NS)
    }

    fn wake_due(&mut self) {
        let now = self.clock.now_ns();
        while let Some(index) = self.wakes.pop(now) {
            let place = &self.places[index];
            match place.state {
                State::Thinking if place.due_ns > now => self.wakes.arm(index, place.due_ns),
                State::Thinking => self.ask(index),
                State::Connecting | State::Waiting | State::Gone => {}
            }
        }
    }

    fn end_overdue(&mut self) {
        let now = self.clock.now_ns();
        while let Some(index) = self.deadlines.pop(now) {
            let place = &self.places[index];
            if place.deadline_ns > now {
                if place.deadline_ns != u64::MAX {
                    self.deadlines.arm(index, place.deadline_ns);
                }
                continue;
            }
            match place.state {
                State::Connecting => self.fail(index, ErrorKind::ConnectTimeout),
                State::Waiting => self.fail(index, ErrorKind::ResponseTimeout),
                State::Thinking | State::Gone => {}
            }
        }
    }

    /// Sends what is due, or opens a connection for it. Nothing is sent after the end.
    fn ask(&mut self, index: usize) {
        let now = self.clock.now_ns();
        let place = &mut self.places[index];
        if place.due_ns >= self.setting.end_ns || now >= self.setting.end_ns {
            self.leave(index);
            return;
        }
        if !place.has_begun {
            place.has_begun = true;
            self.shared.connections.fetch_add(1, Ordering::Relaxed);
            let counts = match self.setting.is_recorded(place.due_ns) {
                true => &mut self.measured.sessions,
                false => &mut self.unrecorded,
            };
            place.visitor.begin(self.setting, now, counts);
        }
        place.repeated = false;
        match place.wire.is_some() {
            true => self.send(index),
            false => self.connect(index),
        }
    }

    fn leave(&mut self, index: usize) {
        let place = &mut self.places[index];
        place.disconnect();
        place.state = State::Gone;
        if place.has_begun {
            self.shared.connections.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn connect(&mut self, index: usize) {
        let now = self.clock.now_ns();
        let place = &mut self.places[index];
        self.measured.reopened_connections += u64::from(place.closed_by_server);
        place.closed_by_server = false;
        place.state = State::Connecting;
        place.connect_began_ns = now;
        place.deadline_ns = now.saturating_add(ns(self.setting.options.connect_timeout));
        self.deadlines.arm(index, place.deadline_ns);
        let begun = Wire::connect(&self.setting.address).and_then(|wire| {
            self.poller.add(&wire, place.token(index))?;
            Ok(wire)
        });
        match begun {
            Ok(wire) => place.wire = Some(wire),
            Err(error) => self.fail(index, ErrorKind::of_connect(&error)),
        }
    }

    fn send(&mut self, index: usize) {
        let place = &mut self.places[index];
        let Some(wire) = &mut place.wire else { return };
        let (prefix, fields) = (self.setting.prefix(), &self.setting.fields);
        let asked = &place.visitor.request;
        match &asked.body {
            Some(body) => {
                request::write_form(&mut self.request, prefix, &asked.target, fields, body);
            }
            None => request::write(&mut self.request, prefix, &asked.target, fields),
        }
        let now = self.clock.now_ns();
        place.exchange.begin(now);
        place.state = State::Waiting;
        place.deadline_ns = now.saturating_add(ns(self.setting.options.response_timeout));
        self.deadlines.arm(index, place.deadline_ns);
        if self.setting.is_recorded(place.due_ns) && !place.repeated {
            self.measured.sent(now);
        }
        let sent = (place.exchange).send(wire, &self.request, &self.clock);
        if let Err(error) = sent {
            self.lost(index, ErrorKind::of_connection(&error));
        }
    }

    fn on_event(&mut self, event: Event, now: u64) {
        let Event { token, flags } = event;
        let index = (token & u64::from(u32::MAX)) as usize;
        if self.places[index].token(index) != token {
            return;
        }
        match self.places[index].state {
            State::Connecting => self.on_connecting(index, flags, now),
            State::Waiting => self.on_response(index, flags, now),
            State::Thinking => self.on_idle(index),
            State::Gone => {}
        }
    }

    fn on_connecting(&mut self, index: usize, flags: EventFlags, now: u64) {
        let place = &self.places[index];
        let Some(wire) = &place.wire else { return };
        if flags.intersects(EventFlags::ERR | EventFlags::HUP)
            && let Err(error) = wire.take_error()
        {
            return self.fail(index, ErrorKind::of_connect(&error));
        }
        if !flags.contains(EventFlags::OUT) {
            return;
        }
        self.measured.connections += 1;
        if self.setting.is_recorded(place.due_ns) {
            let took_ns = now.saturating_sub(place.connect_began_ns);
            let page = place.visitor.request.page;
            self.measured.connected(page, took_ns);
        }
        self.send(index);
        // What arrived with the connection is not reported again.
        if flags.intersects(EventFlags::IN | EventFlags::RDHUP)
            && self.places[index].state == State::Waiting
        {
            self.on_response(index, flags, now);
        }
    }

    /// The connection was closed between two requests, or has bytes that nobody asked for.
    fn on_idle(&mut self, index: usize) {
        let place = &mut self.places[index];
        let Some(wire) = &mut place.wire else { return };
        match wire.receive(&mut self.scratch) {
            Ok(ReadResult::Nothing) => {}
            Ok(ReadResult::End | ReadResult::Bytes { .. }) | Err(_) => {
                place.disconnect();
                place.closed_by_server = true;
            }
        }
    }

    fn on_response(&mut self, index: usize, flags: EventFlags, now: u64) {
        let place = &mut self.places[index];
        let Some(wire) = &mut place.wire else { return };
        let scratch = &mut self.scratch;
        match (place.exchange).react(wire, flags, now, scratch, &self.clock) {
            Progress::Pending => {}
            Progress::Complete {
                last_byte_ns,
                reusable,
            } => self.complete(index, last_byte_ns, reusable),
            Progress::Lost(error) => self.lost(index, ErrorKind::of_connection(&error)),
            Progress::Malformed(_) => self.fail(index, ErrorKind::Malformed),
        }
    }

    /// The page's last byte arrived at `last_byte_ns`.
    fn complete(&mut self, index: usize, last_byte_ns: u64, reusable: bool) {
        let place = &mut self.places[index];
        place.served += 1;
        place.deadline_ns = u64::MAX;
        let (status, bytes) = {
            let response = &place.exchange.response;
            (response.status(), response.body_bytes())
        };
        let failed = ErrorKind::of_status(status);
        self.counted.finished += 1;
        self.counted.errors += u64::from(failed.is_some());
        self.counted.bytes += bytes;
        let times = RequestTimes {
            intended_ns: place.due_ns,
            sent_ns: place.exchange.sent_ns,
            first_byte_ns: place.exchange.first_byte_ns,
            last_byte_ns,
        };
        let is_recorded = self.setting.is_recorded(place.due_ns);
        let page = place.visitor.request.page;
        let counts = match is_recorded {
            true => &mut self.measured.sessions,
            false => &mut self.unrecorded,
        };
        match failed {
            Some(_) => place.visitor.give_up(self.setting, last_byte_ns, counts),
            None => {
                let html = place.exchange.response.body();
                (place.visitor).go_on(self.setting, html, last_byte_ns, counts);
                let first_byte_ns = times.first_byte_ns.saturating_sub(times.sent_ns);
                self.shared.first_bytes.add(first_byte_ns);
            }
        }
        match failed {
            Some(kind) if is_recorded => self.measured.failed(page, kind, last_byte_ns, bytes),
            None if is_recorded => self.measured.answered(page, &times, bytes),
            _ => {}
        }
        if !reusable {
            place.disconnect();
            place.closed_by_server = true;
        }
        self.rest(index, last_byte_ns, failed.is_some());
    }

    /// Thinks about what was received at `ended_ns`, or leaves where nothing is to be sent after that.
    fn rest(&mut self, index: usize, ended_ns: u64, has_failed: bool) {
        let place = &mut self.places[index];
        let think_ns = place.visitor.think_ns(self.setting);
        let pause_ns = match has_failed {
            true => think_ns.max(FAILURE_PAUSE_NS),
            false => think_ns,
        };
        place.state = State::Thinking;
        place.due_ns = ended_ns.saturating_add(pause_ns);
        match place.due_ns < self.setting.end_ns {
            true => self.wakes.arm(index, place.due_ns),
            false => self.leave(index),
        }
    }

    /// The connection is gone under a request. One that the server closed between two requests is opened again, and the
    /// request repeated unless it changes something: servers close idle connections, and the request crossed that on its way.
    fn lost(&mut self, index: usize, kind: ErrorKind) {
        let place = &mut self.places[index];
        let has_crossed = place.served > 0 && place.exchange.first_byte_ns == 0;
        let is_repeatable = place.visitor.request.body.is_none() && !place.repeated;
        if has_crossed && is_repeatable {
            place.repeated = true;
            place.disconnect();
            place.closed_by_server = true;
            self.connect(index);
        } else {
            self.fail(index, kind);
        }
    }

    /// The request gets no answer.
    fn fail(&mut self, index: usize, kind: ErrorKind) {
        let now = self.clock.now_ns();
        let place = &mut self.places[index];
        let bytes = match place.state {
            State::Waiting => place.exchange.response.body_bytes(),
            _ => 0,
        };
        place.disconnect();
        self.counted.finished += 1;
        self.counted.errors += 1;
        self.counted.bytes += bytes;
        let page = place.visitor.request.page;
        let is_recorded = self.setting.is_recorded(place.due_ns);
        let counts = match is_recorded {
            true => &mut self.measured.sessions,
            false => &mut self.unrecorded,
        };
        place.visitor.give_up(self.setting, now, counts);
        if is_recorded {
            self.measured.failed(page, kind, now, bytes);
        }
        self.rest(index, now, true);
    }
}
