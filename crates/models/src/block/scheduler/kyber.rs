//! kyber: requests as they come, but no more at a time than a number that keeps latencies low (`block/kyber-iosched.c`). Where requests take long
//! in the device, those kinds that are served in time get fewer at a time; a kind that is not gets more.

use std::collections::VecDeque;

use super::choice::{Choice, Scheduler};
use crate::block::Request;

/// How long requests may take, nanoseconds (`kyber_latency_targets`).
const READ_NS: u64 = 2_000_000;
const WRITE_NS: u64 = 10_000_000;
/// Most that a device has of each kind (`kyber_depth`).
const READS: usize = 256;
const WRITES: usize = 128;
/// Requests that are handed over before those of the other kind (`kyber_batch_size`).
const READ_BATCH: u32 = 16;
const WRITE_BATCH: u32 = 8;
/// A target has so many parts, and times are told up to twice the target (`KYBER_LATENCY_SHIFT`).
const PARTS: usize = 4;
/// How often it is looked how long requests took (`HZ / 10`), nanoseconds.
const LOOKS_NS: u64 = 100_000_000;
/// So many requests, or so long a time, tell enough (`calculate_percentile`).
const ENOUGH: u32 = 500;
const ENOUGH_NS: u64 = 1_000_000_000;

/// How many requests took how long, by parts of a target.
#[derive(Clone, Copy, Debug, Default)]
struct Times([u32; 2 * PARTS]);

impl Times {
    fn add(&mut self, took_ns: u64, target_ns: u64) {
        let part_ns = target_ns / PARTS as u64;
        let part = took_ns.saturating_sub(1) / part_ns;
        self.0[(part as usize).min(2 * PARTS - 1)] += 1;
    }

    fn count(&self) -> u32 {
        self.0.iter().sum()
    }

    /// The part that so many percent of requests do not exceed. Counts begin anew.
    fn take_percentile(&mut self, percent: u32) -> usize {
        let times = std::mem::take(self);
        let mut left = (times.count() * percent).div_ceil(100);
        let last = times.0.len() - 1;
        for (part, &count) in times.0[..last].iter().enumerate() {
            if count >= left {
                return part;
            }
            left -= count;
        }
        last
    }
}

/// Requests in the order in which they came, of one direction.
#[derive(Debug)]
struct Domain {
    waiting: VecDeque<Request>,
    /// Those that the device has: number, and since when.
    handed_over: Vec<(u32, u64)>,
    /// Most that it may have, and most that this ever is.
    depth: usize,
    most: usize,
    batch: u32,
    target_ns: u64,
    /// How long requests took in the device, and in all.
    device: Times,
    whole: Times,
    /// When what was seen is enough, however few requests it is.
    enough_ns: Option<u64>,
    /// The part of the target that 99 % did not exceed, when that was known last.
    last: Option<usize>,
}

impl Domain {
    fn new(most: usize, batch: u32, target_ns: u64) -> Self {
        Self {
            waiting: VecDeque::new(),
            handed_over: Vec::new(),
            depth: most,
            most,
            batch,
            target_ns,
            device: Times::default(),
            whole: Times::default(),
            enough_ns: None,
            last: None,
        }
    }

    fn take(&mut self, now_ns: u64) -> Option<Request> {
        if self.handed_over.len() >= self.depth {
            return None;
        }
        let next = self.waiting.pop_front()?;
        self.handed_over.push((next.number, now_ns));
        Some(next)
    }

    fn note_served(&mut self, now_ns: u64, request: &Request) {
        let mut all = self.handed_over.iter();
        let Some(at) = all.position(|it| it.0 == request.number) else {
            return;
        };
        let (_, since_ns) = self.handed_over.swap_remove(at);
        self.device.add(now_ns - since_ns, self.target_ns);
        self.whole.add(now_ns - request.asked_ns, self.target_ns);
    }

    /// Whether so many requests were seen, or for so long, that they tell.
    fn tells(&mut self, now_ns: u64) -> bool {
        let count = self.whole.count();
        if count == 0 {
            return false;
        }
        let enough_ns = *self.enough_ns.get_or_insert(now_ns + ENOUGH_NS);
        let tells = count >= ENOUGH || now_ns >= enough_ns;
        if tells {
            self.enough_ns = None;
        }
        tells
    }

    /// By the part of the target that 99 % did not exceed, if it is known now; `is_slow` says whether the device is.
    fn adjust(&mut self, known: Option<usize>, is_slow: bool) {
        let part = match is_slow {
            true => known.or(self.last),
            false => known,
        };
        // Once it was used it is not used again.
        self.last = match is_slow {
            true => None,
            false => known.or(self.last),
        };
        if let Some(part) = part.filter(|&part| is_slow || part >= PARTS) {
            self.depth = (self.depth * (part + 1) / PARTS).clamp(1, self.most);
        }
    }
}

/// Reads and writes, batch by batch.
#[derive(Debug)]
pub(super) struct Kyber {
    reads: Domain,
    writes: Domain,
    batch_writes: bool,
    batched: u32,
    /// When it is looked next, if it is.
    looks_ns: Option<u64>,
}

impl Default for Kyber {
    fn default() -> Self {
        Self {
            reads: Domain::new(READS, READ_BATCH, READ_NS),
            writes: Domain::new(WRITES, WRITE_BATCH, WRITE_NS),
            batch_writes: false,
            batched: 0,
            looks_ns: None,
        }
    }
}

impl Kyber {
    fn domain(&mut self, writes: bool) -> &mut Domain {
        match writes {
            true => &mut self.writes,
            false => &mut self.reads,
        }
    }

    /// Looks how long requests took, where that is due (`kyber_timer_fn`).
    fn look(&mut self, now_ns: u64) {
        if self.looks_ns.is_none_or(|looks_ns| now_ns < looks_ns) {
            return;
        }
        self.looks_ns = None;
        let mut known = [None, None];
        let mut is_slow = false;
        for (writes, known) in [false, true].into_iter().zip(&mut known) {
            let domain = self.domain(writes);
            if domain.tells(now_ns) {
                is_slow |= domain.device.take_percentile(90) >= PARTS;
                *known = Some(domain.whole.take_percentile(99));
            }
        }
        for (writes, known) in [false, true].into_iter().zip(known) {
            self.domain(writes).adjust(known, is_slow);
        }
    }
}

impl Scheduler for Kyber {
    fn add(&mut self, _now_ns: u64, request: Request) {
        self.domain(request.writes).waiting.push_back(request);
    }

    /// Goes on with the batch; else begins one of the other direction, or of the same where that has none
    /// (`kyber_dispatch_request`).
    fn next(&mut self, now_ns: u64) -> Choice {
        self.look(now_ns);
        let (batch, batched) = (self.batch_writes, self.batched);
        let domain = self.domain(batch);
        if batched < domain.batch
            && let Some(request) = domain.take(now_ns)
        {
            self.batched += 1;
            return Choice::Serve(request);
        }
        for writes in [!batch, batch] {
            if let Some(request) = self.domain(writes).take(now_ns) {
                (self.batch_writes, self.batched) = (writes, 1);
                return Choice::Serve(request);
            }
        }
        Choice::None
    }

    fn served(&mut self, now_ns: u64, request: &Request) {
        self.domain(request.writes).note_served(now_ns, request);
        if self.looks_ns.is_none() {
            self.looks_ns = Some(now_ns + LOOKS_NS);
        }
    }
}
