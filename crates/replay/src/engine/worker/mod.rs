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

mod close;
mod next;
mod open;
mod receive;
mod send;
mod start;

use std::sync::atomic::Ordering;

use super::clock::{Clock, ns};
use super::exchange::SCRATCH_BYTES;
use super::load::Feed;
use super::poller::{Event, Poller};
use super::recorder::Recorder;
use super::requests::Requests;
use super::shared::{Counts, Shared};
use super::slot::{Phase, Slot};
use super::timers::Timers;
use crate::{ErrorKind, ReplayError};

/// How often an idle thread looks whether it shall stop.
const LONGEST_WAIT_NS: u64 = 20_000_000;

/// One thread's event loop.
pub struct Worker<'a> {
    requests: &'a Requests<'a>,
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
    /// Not yet told to the thread that watches.
    counted: Counts,
}

impl<'a> Worker<'a> {
    /// A loop that keeps at most `most_active` connections.
    pub fn new(
        requests: &'a Requests<'a>,
        shared: &'a Shared,
        feed: Feed<'a>,
        most_active: usize,
    ) -> Result<Self, ReplayError> {
        Ok(Self {
            requests,
            shared,
            feed,
            poller: Poller::new().map_err(|source| ReplayError::System {
                what: "epoll is not available",
                source,
            })?,
            slots: Vec::new(),
            free: Vec::new(),
            ready: Vec::new(),
            wakes: Timers::default(),
            deadlines: Timers::default(),
            clock: shared.clock(),
            active: 0,
            most_active,
            released_ns: None,
            recorder: Recorder::new(requests.schedule.sites.len(), requests.end_ns()),
            scratch: vec![0; SCRATCH_BYTES],
            request: Vec::new(),
            address: 0,
            connect_timeout_ns: ns(requests.options.connect_timeout),
            response_timeout_ns: ns(requests.options.response_timeout),
            counted: Counts::default(),
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
            let waited = self.poller.wait(self.longest_wait_ns());
            waited.map_err(|source| ReplayError::System {
                what: "waiting for events failed (epoll_pwait2, Linux 5.11 or newer)",
                source,
            })?;
            let now = self.clock.now_ns();
            self.clock.compare(now);
            for index in 0..self.poller.events.len() {
                self.on_event(self.poller.events[index], now);
            }
            self.shared.add(std::mem::take(&mut self.counted));
        }
        self.end_clients();
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

    fn count(&mut self, bytes: u64, error: Option<ErrorKind>) {
        self.counted.finished += 1;
        self.counted.errors += u64::from(error.is_some());
        self.counted.bytes += bytes;
    }

    /// Clients that are still there were interrupted.
    fn end_clients(&mut self) {
        let now = self.clock.now_ns();
        for index in 0..self.slots.len() {
            if self.slots[index].phase != Phase::Free {
                self.note_client_rate(index, now);
            }
        }
    }

    fn count_unfinished(&mut self) {
        let waiting = |slot: &&Slot| slot.job.is_some_and(|job| job.recorded);
        self.recorder.unfinished = self.slots.iter().filter(waiting).count() as u64;
    }
}
