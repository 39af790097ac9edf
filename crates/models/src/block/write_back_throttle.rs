//! Write-back throttling: how many writes of dirty pages a device has at a time, so that reads do not wait for too many of them
//! (`block/blk-wbt.c` and `block/blk-rq-qos.c` of Linux 6.18).
//!
//! Each tenth of a second it is looked how long the fastest read took that was served beside writes. Where that is too long, fewer are let
//! through, else more. Where nothing is read, more are let through as well.

use hotset_scenario::Scheduler;

/// Most writes where reads neither hold them back nor are lacking (`RWB_DEF_DEPTH`).
const DEPTH: usize = 16;
/// Most requests of a device's queue, and most that write where nothing throttles (`BLKDEV_DEFAULT_RQ`).
const QUEUE: usize = 128;
/// How often it is looked (`RWB_WINDOW_NSEC`), nanoseconds.
const WINDOW_NS: u64 = 100_000_000;
/// Looks without reads or writes after which a step is taken back (`RWB_UNKNOWN_BUMP`).
const PATIENCE: u32 = 5;
/// Writes that have to be seen beside reads (`RWB_MIN_WRITE_SAMPLES`).
const LEAST_WRITES: u32 = 3;
/// How long a read may take, nanoseconds (`wbt_default_latency_nsec`): of disks that turn, and of others.
const TURNING_NS: u64 = 75_000_000;
const OTHER_NS: u64 = 2_000_000;
/// A program that was paused in the meantime has the device write as much as it takes (`wb_recent_wait`), nanoseconds.
const RECENT_NS: u64 = 1_000_000_000;

/// What was seen since the last look.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    reads: u32,
    writes: u32,
    least_read_ns: u64,
}

/// What a look comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Latency {
    Exceeded,
    Fine,
    /// Nothing was read.
    WritesAlone,
    Unknown,
}

/// How many writes of dirty pages a device has at a time.
#[derive(Clone, Debug)]
pub(crate) struct WriteBackThrottle {
    /// Whether the kernel has one: not with BFQ, nor before Linux 4.10.
    is_on: bool,
    queue_depth: usize,
    target_ns: u64,
    /// How far the depth is below the usual one, or above it where negative (`scale_step`).
    step: i32,
    depth: usize,
    /// Whether the depth cannot be higher (`scaled_max`).
    is_highest: bool,
    unknown: u32,
    seen: Seen,
    /// When it is looked next, if it is, and how long after the last time.
    looks_ns: Option<u64>,
    window_ns: u64,
    /// Writes under way.
    writes: u32,
    /// When a program was paused last.
    paused_ns: Option<u64>,
}

impl WriteBackThrottle {
    /// For a device that has so many requests at a time, behind a scheduler. `turns`: it is a disk that turns.
    pub fn new(scheduler: Scheduler, slots: usize, turns: bool) -> Self {
        use Scheduler::{Kyber, MqDeadline, None};
        let mut throttle = Self {
            is_on: matches!(scheduler, None | MqDeadline | Kyber),
            queue_depth: slots.min(QUEUE),
            target_ns: if turns { TURNING_NS } else { OTHER_NS },
            step: 0,
            depth: 0,
            is_highest: false,
            unknown: 0,
            seen: Seen::default(),
            looks_ns: Option::None,
            window_ns: WINDOW_NS,
            writes: 0,
            paused_ns: Option::None,
        };
        throttle.is_highest = throttle.set_depth();
        throttle
    }

    /// Writes of dirty pages that may be under way: those that a program waits for, or those of the flusher (`get_limit`).
    pub fn most(&self, now_ns: u64, syncs: bool) -> usize {
        if !self.is_on {
            return QUEUE;
        }
        let background = match self.depth {
            ..=2 => 1,
            depth => depth.div_ceil(4),
        };
        match syncs || self.is_pressed(now_ns) {
            true => self.depth,
            false => background,
        }
    }

    /// A program is paused as too much is dirty.
    pub fn note_pause(&mut self, now_ns: u64) {
        self.paused_ns = Some(now_ns);
    }

    /// A write begins.
    pub fn note_write(&mut self, now_ns: u64) {
        self.writes += 1;
        if self.looks_ns.is_none() {
            self.looks_ns = Some(now_ns + self.window_ns);
        }
    }

    /// A request that the device has had for so long is served.
    pub fn note_served(&mut self, writes: bool, took_ns: u64) {
        if writes {
            self.writes = self.writes.saturating_sub(1);
            self.seen.writes += 1;
            return;
        }
        self.seen.least_read_ns = match self.seen.reads {
            0 => took_ns,
            _ => self.seen.least_read_ns.min(took_ns),
        };
        self.seen.reads += 1;
    }

    /// Looks as often as that is due by now. `oldest_read_ns` is since when the device has the oldest read that it has not served.
    pub fn look(&mut self, now_ns: u64, oldest_read_ns: impl Fn() -> Option<u64>) {
        while let Some(at_ns) = self.looks_ns.filter(|&at_ns| at_ns <= now_ns) {
            let held_ns = oldest_read_ns().map(|since_ns| at_ns.saturating_sub(since_ns));
            match self.latency(at_ns, held_ns) {
                Latency::Exceeded => self.lower(true),
                Latency::Fine | Latency::WritesAlone => self.raise(),
                Latency::Unknown => self.forget(),
            }
            self.seen = Seen::default();
            // A narrower device is looked at more often (`rwb_arm_timer`).
            self.window_ns = match self.step {
                ..=0 => WINDOW_NS,
                step => (WINDOW_NS as f64 / f64::from(step + 1).sqrt()) as u64,
            };
            let goes_on = self.step != 0 || self.writes > 0;
            self.looks_ns = goes_on.then_some(at_ns + self.window_ns);
        }
    }

    /// By what was seen (`latency_exceeded`).
    fn latency(&self, at_ns: u64, held_ns: Option<u64>) -> Latency {
        let Seen {
            reads,
            writes,
            least_read_ns,
        } = self.seen;
        let is_held =
            |held_ns: u64| held_ns > self.window_ns || held_ns > self.target_ns && reads == 0;
        if held_ns.is_some_and(is_held) {
            return Latency::Exceeded;
        }
        if reads == 0 || writes < LEAST_WRITES {
            return match writes > 0 || self.writes > 0 || self.is_pressed(at_ns) {
                true => Latency::WritesAlone,
                false => Latency::Unknown,
            };
        }
        match least_read_ns > self.target_ns {
            true => Latency::Exceeded,
            false => Latency::Fine,
        }
    }

    fn is_pressed(&self, now_ns: u64) -> bool {
        let until_ns = self.paused_ns.map(|it| it + RECENT_NS);
        until_ns.is_some_and(|until_ns| now_ns < until_ns)
    }

    /// Nothing tells how much may be written: step by step it becomes what is usual again.
    fn forget(&mut self) {
        self.unknown += 1;
        if self.unknown < PATIENCE {
            return;
        }
        match self.step {
            1.. => self.raise(),
            0 => {}
            _ => self.lower(false),
        }
    }

    /// One step more (`scale_up`).
    fn raise(&mut self) {
        if self.is_highest {
            return;
        }
        self.step -= 1;
        self.is_highest = self.set_depth();
        self.unknown = 0;
    }

    /// One step less; from above what is usual at once to that, where reads are held up (`scale_down`).
    fn lower(&mut self, at_once: bool) {
        if self.depth == 1 {
            return;
        }
        self.step = match at_once && self.step < 0 {
            true => 0,
            false => self.step + 1,
        };
        self.is_highest = false;
        self.unknown = 0;
        self.set_depth();
    }

    /// The depth of a step; whether it cannot be higher (`rq_depth_calc_max_depth`).
    fn set_depth(&mut self) -> bool {
        if self.queue_depth == 1 {
            let is_usual = self.step <= 0;
            self.depth = if is_usual { 2 } else { 1 };
            return is_usual;
        }
        let usual = DEPTH.min(self.queue_depth);
        if self.step > 0 {
            self.depth = 1 + ((usual - 1) >> self.step.min(31));
            return false;
        }
        let more = 1 + ((usual - 1) << (-self.step).min(31));
        let most = 3 * self.queue_depth / 4;
        let is_highest = self.step < 0 && more > most;
        self.depth = if is_highest { most } else { more };
        is_highest
    }
}
