//! Schedulers by which processes take turns, of which each is given alike. Writes that nobody waits for are those of one process more.

use super::choice::{Choice, Scheduler};
use super::readers::Readers;
use crate::block::Request;

/// How far a disk goes back for a process (`bfq_back_max`, `cfq_back_max`, 16 * 1024 KiB).
const BACK_BYTES: u64 = 16 << 20;

/// The process whose turn it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    reader: u32,
    /// Whether nobody waits for its requests: it writes in the background.
    pub is_background: bool,
    pub since_ns: u64,
    /// Requests that the disk has of it.
    handed_over: u32,
    /// All that it was given so far.
    pub given: u32,
    /// When the last of them was served.
    pub served_ns: u64,
    /// Whether a request that somebody waits for has come in the meantime.
    pub is_pressed: bool,
    /// Whether the last that it was given is a read: for a write's successor no disk idles.
    reads: bool,
}

/// How long a turn is.
pub(super) trait Share: Default {
    /// Whether the disk has no requests of the background and others at the same time.
    const DRAINS: bool;

    fn is_over(&self, turn: &Turn, now_ns: u64) -> bool;
    /// A request of the process goes to the disk.
    fn hand_over(&mut self, _request: &Request) {}
    /// The longest that the disk waits for the process's next read.
    fn waits_ns(&self) -> u64;
    /// Until when it waits for it in this turn.
    fn waits_until_ns(&self, turn: &Turn) -> u64;
    /// What the process has had of the turn.
    fn used(&self, turn: &Turn, now_ns: u64) -> f64;
}

/// Requests that the disk has, of processes that wait and of the background.
#[derive(Clone, Copy, Debug, Default)]
struct InFlight {
    waited_for: u32,
    background: u32,
}

impl InFlight {
    fn of(&mut self, request: &Request) -> &mut u32 {
        match request.is_waited_for() {
            true => &mut self.waited_for,
            false => &mut self.background,
        }
    }
}

/// Processes take turns of this length.
#[derive(Debug, Default)]
pub(super) struct Turns<S> {
    readers: Readers,
    turn: Option<(Turn, S)>,
    in_flight: InFlight,
}

impl<S: Share> Turns<S> {
    /// What is done in the turn, unless it is over.
    fn go_on(&mut self, now_ns: u64) -> Option<Choice> {
        let (turn, share) = self.turn.as_mut()?;
        if share.is_over(turn, now_ns) {
            return None;
        }
        let others = match turn.is_background {
            true => self.in_flight.waited_for,
            false => self.in_flight.background,
        };
        if S::DRAINS && others > 0 {
            return Some(Choice::None);
        }
        if let Some(request) = self.readers.take(turn.reader, BACK_BYTES) {
            turn.handed_over += 1;
            turn.given += 1;
            turn.reads = !request.writes;
            *self.in_flight.of(&request) += 1;
            share.hand_over(&request);
            return Some(Choice::Serve(request));
        }
        if turn.is_background {
            return None;
        }
        if turn.handed_over > 0 {
            return Some(Choice::None);
        }
        let until_ns = share.waits_until_ns(turn);
        let waits = turn.reads
            && now_ns < until_ns
            && self.readers.asks_within(turn.reader, share.waits_ns());
        waits.then_some(Choice::Idle { until_ns })
    }
}

impl<S: Share> Scheduler for Turns<S> {
    fn add(&mut self, now_ns: u64, request: Request) {
        if let Some((turn, _)) = &mut self.turn {
            turn.is_pressed |= request.is_waited_for();
        }
        self.readers.add(now_ns, request);
    }

    fn next(&mut self, now_ns: u64) -> Choice {
        if let Some(choice) = self.go_on(now_ns) {
            return choice;
        }
        if let Some((turn, share)) = self.turn.take() {
            self.readers.give(turn.reader, share.used(&turn, now_ns));
        }
        let Some(reader) = self.readers.least_given() else {
            return Choice::None;
        };
        self.readers.begin(reader);
        let turn = Turn {
            reader,
            is_background: self.readers.is_background(reader),
            since_ns: now_ns,
            handed_over: 0,
            given: 0,
            served_ns: now_ns,
            is_pressed: false,
            reads: true,
        };
        self.turn = Some((turn, S::default()));
        self.go_on(now_ns).unwrap_or(Choice::None)
    }

    fn served(&mut self, now_ns: u64, request: &Request) {
        self.readers.answered(now_ns, request.reader);
        let in_flight = self.in_flight.of(request);
        *in_flight = in_flight.saturating_sub(1);
        if let Some((turn, _)) = &mut self.turn
            && turn.reader == request.reader
        {
            turn.handed_over = turn.handed_over.saturating_sub(1);
            turn.served_ns = now_ns;
        }
    }
}
