//! The anticipatory scheduler of Linux 2.6.0 to 2.6.32 (`block/as-iosched.c`; S. Iyer, P. Druschel, "Anticipatory scheduling",
//! 2001). Requests that somebody waits for have their batches, and writes in the background have theirs. Between two batches the disk is drained.

use super::choice::{Choice, Scheduler};
use super::think_time::ThinkTimes;
use crate::block::Request;
use crate::disk::SortedRequests;

/// The longest that it waits for a process's next read (`default_antic_expire`, HZ / 150).
const WAITS_NS: u64 = 1_000_000_000 / 150;
/// A read that has waited longer goes first (`default_read_expire`, HZ / 8).
const EXPIRES_NS: u64 = 125_000_000;
/// The same of a write in the background (`default_write_expire`, HZ / 4).
const WRITE_EXPIRES_NS: u64 = 250_000_000;
/// How long a batch of reads lasts where writes wait (`default_read_batch_expire`, HZ / 2).
const BATCH_NS: u64 = 500_000_000;
/// How long one of writes lasts where reads wait (`default_write_batch_expire`, HZ / 8).
const WRITE_BATCH_NS: u64 = 125_000_000;
/// Writes of a batch at first: a tenth of the ticks of its time (`write_batch_count`, 1000 ticks a second).
const WRITE_BATCH: u32 = 12;
/// How far it goes back (`MAXBACK`, 1024 * 1024 sectors).
const BACK_BYTES: u64 = 512 << 20;
/// As near as this is as good as the process's own (`as_close_req`: 64 sectors at first).
const CLOSE_BYTES: u64 = 32 << 10;

/// Requests of a kind of batch.
#[derive(Debug, Default)]
struct Direction {
    waiting: SortedRequests<Request>,
    /// Where the last one that was handed over ends.
    end: u64,
}

/// Upwards from the last request, waiting for its process.
#[derive(Debug)]
pub(super) struct Anticipatory {
    waited_for: Direction,
    background: Direction,
    thinking: ThinkTimes,
    /// The process whose next read is waited for, and since when.
    awaited: Option<(u32, u64)>,
    /// The process of the last request that was handed over, if it is a read.
    last: Option<u32>,
    /// Whether the batch is of the background; when it began, and whether it begins when the disk is drained (`changed_batch`).
    is_background: bool,
    since_ns: u64,
    begins: bool,
    /// Whether nothing of a batch of reads was served yet: its time has yet to begin (`new_batch`).
    is_new: bool,
    /// Writes of a batch, and those that are left of this one.
    batch: u32,
    left: u32,
    in_flight: u32,
}

impl Default for Anticipatory {
    fn default() -> Self {
        Self {
            waited_for: Direction::default(),
            background: Direction::default(),
            thinking: ThinkTimes::default(),
            awaited: None,
            last: None,
            is_background: false,
            since_ns: 0,
            begins: false,
            is_new: false,
            batch: WRITE_BATCH,
            left: WRITE_BATCH,
            in_flight: 0,
        }
    }
}

impl Anticipatory {
    fn direction(&mut self, is_background: bool) -> &mut Direction {
        match is_background {
            true => &mut self.background,
            false => &mut self.waited_for,
        }
    }

    /// Whether a batch has had its time, where both kinds wait (`as_batch_expired`).
    fn is_over(&self, now_ns: u64) -> bool {
        match self.is_background {
            true => now_ns > self.since_ns + WRITE_BATCH_NS || self.left == 0,
            false => !self.is_new && now_ns > self.since_ns + BATCH_NS,
        }
    }

    /// Until when it waits instead of serving `candidate`, if there is one.
    fn waits_until(&self, now_ns: u64, candidate: Option<&Request>) -> Option<u64> {
        let (reader, since_ns) = self.awaited?;
        let until_ns = since_ns + WAITS_NS;
        let is_as_good = candidate.is_some_and(|it| {
            it.reader == reader || it.offset.abs_diff(self.waited_for.end) <= CLOSE_BYTES
        });
        let waits = !is_as_good && now_ns < until_ns && self.thinking.is_within(reader, WAITS_NS);
        waits.then_some(until_ns)
    }

    /// Goes on with a batch of those that somebody waits for; nothing where there is none to serve, nor to wait for.
    fn go_on(&mut self, now_ns: u64) -> Option<Choice> {
        let Direction { waiting, end } = &self.waited_for;
        let expired = waiting.oldest_before(now_ns.saturating_sub(EXPIRES_NS));
        let chosen = expired.or_else(|| waiting.nearest(*end, BACK_BYTES));
        let candidate = chosen.and_then(|key| waiting.get(key));
        if expired.is_none()
            && let Some(until_ns) = self.waits_until(now_ns, candidate)
        {
            return Some(Choice::Idle { until_ns });
        }
        let Some(chosen) = chosen else {
            return self.is_to_come().then_some(Choice::None);
        };
        let request = self.waited_for.waiting.remove(chosen)?;
        if self.background.waiting.is_empty() {
            self.since_ns = now_ns;
        }
        Some(self.hand_over(request))
    }

    /// Whether a read is under way whose process is expected to go on (`ANTIC_WAIT_REQ`).
    fn is_to_come(&self) -> bool {
        let last = self.last.filter(|_| self.in_flight > 0);
        last.is_some_and(|reader| self.thinking.is_within(reader, WAITS_NS))
    }

    /// Goes on with a batch of the background; nothing where none waits.
    fn go_on_writing(&mut self, now_ns: u64) -> Option<Choice> {
        let Direction { waiting, end } = &mut self.background;
        let expired = waiting.oldest_before(now_ns.saturating_sub(WRITE_EXPIRES_NS));
        let chosen = expired.or_else(|| waiting.nearest(*end, BACK_BYTES));
        let request = waiting.remove(chosen?)?;
        self.left = self.left.saturating_sub(1);
        Some(self.hand_over(request))
    }

    fn hand_over(&mut self, request: Request) -> Choice {
        self.awaited = None;
        self.last = (!request.writes).then_some(request.reader);
        self.in_flight += 1;
        self.direction(!request.is_waited_for()).end = request.end();
        Choice::Serve(request)
    }

    /// Begins a batch of the other kind; whether the disk is drained, so that something of it may be served.
    fn change(&mut self, now_ns: u64, is_background: bool) -> bool {
        self.is_background = is_background;
        self.begins = true;
        self.awaited = None;
        if is_background {
            self.left = self.batch;
        }
        self.begin(now_ns)
    }

    /// The time of a batch begins once the disk is drained (`as_completed_request`); whether it is.
    fn begin(&mut self, now_ns: u64) -> bool {
        if self.in_flight > 0 {
            return false;
        }
        self.begins = false;
        if !self.is_background {
            self.learn(now_ns);
            self.is_new = true;
        }
        self.since_ns = now_ns;
        true
    }

    /// Has the next batch of writes take about as long as it may, by what the last one took (`update_write_batch`).
    fn learn(&mut self, now_ns: u64) {
        let took_ns = now_ns.saturating_sub(self.since_ns);
        if took_ns > WRITE_BATCH_NS {
            self.batch = match took_ns > 3 * WRITE_BATCH_NS {
                true => self.batch / 2,
                false => self.batch - 1,
            };
        } else if self.left == 0 {
            self.batch = match 3 * took_ns < WRITE_BATCH_NS {
                true => self.batch * 2,
                false => self.batch + 1,
            };
        }
        self.batch = self.batch.clamp(1, MOST_WRITES);
    }
}

/// Far more than a disk serves in a batch's time.
const MOST_WRITES: u32 = 1 << 20;

impl Scheduler for Anticipatory {
    fn add(&mut self, now_ns: u64, request: Request) {
        self.thinking.note_request(now_ns, request.reader);
        let direction = self.direction(!request.is_waited_for());
        direction.waiting.add(now_ns, request.offset, request);
    }

    /// As `as_dispatch_request`.
    fn next(&mut self, now_ns: u64) -> Choice {
        let reads = !self.waited_for.waiting.is_empty();
        let writes = !self.background.waiting.is_empty();
        if !reads && !writes || self.begins && !self.begin(now_ns) {
            return Choice::None;
        }
        if !(reads && writes && self.is_over(now_ns)) {
            let choice = match self.is_background {
                true => self.go_on_writing(now_ns),
                false => self.go_on(now_ns),
            };
            if let Some(choice) = choice {
                return choice;
            }
        }
        let is_background = writes && !(reads && self.is_background);
        if is_background != self.is_background && !self.change(now_ns, is_background) {
            return Choice::None;
        }
        let choice = match is_background {
            true => self.go_on_writing(now_ns),
            false => self.go_on(now_ns),
        };
        choice.unwrap_or(Choice::None)
    }

    fn served(&mut self, now_ns: u64, request: &Request) {
        self.thinking.note_answer(now_ns, request.reader);
        self.in_flight = self.in_flight.saturating_sub(1);
        if !request.is_waited_for() {
            return;
        }
        if std::mem::take(&mut self.is_new) {
            self.since_ns = now_ns;
        }
        // Who has written goes on elsewhere.
        self.awaited = (!request.writes).then_some((request.reader, now_ns));
    }
}
