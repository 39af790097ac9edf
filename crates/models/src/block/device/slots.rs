//! A device as `hotset probe` has measured it: what a request takes alone, and with others in flight, and what it gives at most; of reads, and of
//! writes where they were measured.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hotset_outcome::Resource;
use hotset_scenario::{MeasuredDevice, MeasuredWrites};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::Device;
use crate::block::Request;
use crate::station::Station;

/// Requests in flight where their number does not bound them: as many as Linux hands to a disk of one queue (`BLKDEV_DEFAULT_RQ`,
/// `include/linux/blkdev.h`).
const MOST_IN_FLIGHT: usize = 128;

/// Bytes of the small requests of a profile's figures.
const SMALL_BYTES: f64 = MeasuredDevice::SMALL_BYTES as f64;

/// What requests of one direction take.
#[derive(Clone, Debug)]
struct Prices {
    /// Quantiles of the delay, nanoseconds, after their shares: one where nothing more is known.
    delays_ns: Vec<(f64, f64)>,
    /// The delay of a request that begins where the last one ended, and that of others; nothing where they are alike.
    sequential_ns: Option<[f64; 2]>,
    ns_per_byte: f64,
    total_ns_per_byte: f64,
    segment_ns: f64,
    /// Between two small requests when many are in flight; 0 where only `slots` is known.
    interval_ns: f64,
    /// How many times as long a request takes by how many are in flight, from one on; nothing where only `slots` is known.
    slower: Vec<(f64, f64)>,
}

impl Prices {
    /// Of reads. `call_ns`: what of a delay as measured is the call, which the reader pays by itself.
    fn of_reads(spec: &MeasuredDevice, call_ns: f64) -> Self {
        let ns = |us: f64| (us * 1e3 - call_ns).max(0.0);
        let delays_ns = delays_ns(spec.delay_quantiles_us.as_ref(), spec.delay_us, ns);
        let ns_per_byte = 1e3 / spec.bytes_per_us;
        let slower = spec.in_flight_us.as_deref().map_or(Vec::new(), slower);
        Self {
            delays_ns,
            sequential_ns: None,
            ns_per_byte,
            total_ns_per_byte: 1e3 / spec.total_bytes_per_us,
            segment_ns: spec.segment_us * 1e3,
            interval_ns: best_share(&slower) * (ns(spec.delay_us) + SMALL_BYTES * ns_per_byte),
            slower,
        }
    }

    /// Of writes, alike.
    fn of_writes(spec: &MeasuredWrites, call_ns: f64) -> Self {
        let ns = |us: f64| (us * 1e3 - call_ns).max(0.0);
        let ns_per_byte = 1e3 / spec.bytes_per_us;
        let slower = spec.in_flight_us.as_deref().map_or(Vec::new(), slower);
        Self {
            delays_ns: delays_ns(spec.delay_quantiles_us.as_ref(), spec.delay_us, ns),
            sequential_ns: Some([ns(spec.sequential_delay_us), ns(spec.delay_us)]),
            ns_per_byte,
            total_ns_per_byte: 1e3 / spec.total_bytes_per_us,
            segment_ns: spec.segment_us * 1e3,
            interval_ns: best_share(&slower) * (ns(spec.delay_us) + SMALL_BYTES * ns_per_byte),
            slower,
        }
    }

    /// How many times as long a request takes with which so many are in flight: between two measured numbers linearly, beyond the last
    /// in proportion, since a device gives no more then.
    fn slowed(&self, requests: f64) -> f64 {
        match self.slower.last() {
            None => 1.0,
            Some(&(last, times)) if last < requests => times * requests / last,
            Some(_) => between(&self.slower, requests),
        }
    }

    /// What passing a request's bytes takes beside others, but for those of a small one where its whole time is known.
    fn beyond_small(&self, bytes: f64) -> f64 {
        let counted = if self.interval_ns > 0.0 {
            SMALL_BYTES
        } else {
            0.0
        };
        (bytes - counted).max(0.0) * self.total_ns_per_byte
    }

    /// A delay drawn from its distribution, between quantiles linearly. `goes_on`: the request begins where the last one ended. Then it takes
    /// less by as much as such requests do.
    fn delay_ns(&self, goes_on: bool, random: &mut Pcg64Mcg) -> f64 {
        let sequential_ns = self.sequential_ns.filter(|_| goes_on);
        match (&self.delays_ns[..], sequential_ns) {
            ([] | [_], Some([sequential_ns, _])) => sequential_ns,
            ([], None) => 0.0,
            ([(_, alone_ns)], None) => *alone_ns,
            (quantiles, None) => between(quantiles, random.random()),
            (quantiles, Some([sequential_ns, alone_ns])) => {
                let drawn_ns = between(quantiles, random.random());
                (drawn_ns - alone_ns + sequential_ns).max(0.0)
            }
        }
    }
}

/// Delays by their shares: quantiles, where they are known, else the one delay.
fn delays_ns(
    quantiles_us: Option<&[f64; 6]>,
    delay_us: f64,
    ns: impl Fn(f64) -> f64,
) -> Vec<(f64, f64)> {
    let Some(quantiles_us) = quantiles_us else {
        return vec![(0.5, ns(delay_us))];
    };
    let pairs = MeasuredDevice::QUANTILES.into_iter().zip(quantiles_us);
    pairs.map(|(share, &us)| (share, ns(us))).collect()
}

/// A request takes a delay, then its own bytes at a rate, and some time for each segment of memory. All together pass at a rate
/// that is higher, each with the least time in which small requests follow one another. Reads and writes have prices of their own, and wait
/// for each other.
///
/// On a virtual disk these terms add up: small requests followed each other in 15 µs at best, 60 KiB more pass in 28, and 15 segments
/// take 44. Four times that is 348 µs. Four readers of 64 KiB at random waited 367 µs each (`experiments/local-read-own-disk`).
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    reads: Prices,
    /// Those of reads where none are known.
    writes: Prices,
    slots: Station,
    /// When the requests that are in flight are done, the first on top.
    done_ns: BinaryHeap<Reverse<u64>>,
    total: Station,
    /// Where the last write ends.
    write_end: Option<u64>,
    /// What a byte takes in a stream of reads, where one stream gets less than all requests together.
    stream_ns_per_byte: Option<f64>,
    /// For each reader, what its stream is.
    streams: Vec<Station>,
    random: Pcg64Mcg,
}

impl Slots {
    /// `call_ns`: what of a delay as measured is the call, which the caller pays by itself.
    pub fn new(spec: &MeasuredDevice, call_ns: f64, seed: u64) -> Self {
        let reads = Prices::of_reads(spec, call_ns);
        let writes = spec.write.as_ref().map(|it| Prices::of_writes(it, call_ns));
        Self {
            writes: writes.unwrap_or_else(|| reads.clone()),
            reads,
            slots: Station::new(match spec.in_flight_us {
                Some(_) => MOST_IN_FLIGHT,
                None => spec.slots,
            }),
            done_ns: BinaryHeap::new(),
            total: Station::new(1),
            write_end: None,
            stream_ns_per_byte: spec.stream_bytes_per_us.map(|rate| 1e3 / rate),
            streams: Vec::new(),
            random: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    /// Requests in flight, with one that comes now.
    fn in_flight(&mut self, now_ns: u64) -> f64 {
        while self.done_ns.peek().is_some_and(|done| done.0 <= now_ns) {
            self.done_ns.pop();
        }
        (self.done_ns.len() + 1) as f64
    }

    /// When a reader's stream has passed the request, at its own rate.
    fn stream(&mut self, now_ns: u64, request: &Request) -> u64 {
        let (true, Some(ns_per_byte)) = (request.streams, self.stream_ns_per_byte) else {
            return now_ns;
        };
        let reader = request.reader as usize;
        if self.streams.len() <= reader {
            self.streams.resize_with(reader + 1, || Station::new(1));
        }
        let passing_ns = request.bytes as f64 * ns_per_byte;
        self.streams[reader].serve(now_ns, passing_ns as u64)
    }

    /// Whether a write begins where the last one ended.
    fn goes_on(&mut self, request: &Request) -> bool {
        if !request.writes {
            return false;
        }
        self.write_end.replace(request.end()) == Some(request.offset)
    }
}

/// Times by numbers of requests, as multiples of the first.
fn slower(in_flight_us: &[(usize, f64)]) -> Vec<(f64, f64)> {
    let alone_us = in_flight_us.first().map_or(1.0, |it| it.1);
    let times = in_flight_us.iter();
    times
        .map(|&(requests, us)| (requests as f64, us / alone_us))
        .collect()
}

/// The least time between two small requests that are in flight with others, as a share of what one takes alone.
fn best_share(slower: &[(f64, f64)]) -> f64 {
    let shares = slower.iter().map(|&(requests, times)| times / requests);
    shares.reduce(f64::min).unwrap_or(0.0)
}

/// What a line through points has at a place; before the first and behind the last, what these have.
fn between(points: &[(f64, f64)], at: f64) -> f64 {
    let above = points.partition_point(|it| it.0 < at);
    let before = above.checked_sub(1).map(|index| points[index]);
    match (before, points.get(above)) {
        (Some((from, low)), Some(&(to, high))) => low + (high - low) * (at - from) / (to - from),
        (Some((_, alone)), None) | (None, Some(&(_, alone))) => alone,
        (None, None) => 0.0,
    }
}

impl Device for Slots {
    /// It has a queue of its own.
    fn slots(&self) -> usize {
        usize::MAX
    }

    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        let bytes = request.bytes as f64;
        let goes_on = self.goes_on(request);
        let in_flight = self.in_flight(now_ns);
        let prices = match request.writes {
            true => &self.writes,
            false => &self.reads,
        };
        let segments_ns = (request.segments() - 1) as f64 * prices.segment_ns;
        let delay_ns = prices.delay_ns(goes_on, &mut self.random) * prices.slowed(in_flight);
        let alone_ns = delay_ns + bytes * prices.ns_per_byte + segments_ns;
        let together_ns = prices.interval_ns + prices.beyond_small(bytes) + segments_ns;
        let is_counted = !prices.slower.is_empty();
        let alone_ns = self.slots.serve(now_ns, alone_ns as u64);
        let together_ns = self.total.serve(now_ns, together_ns as u64);
        let done_ns = alone_ns.max(together_ns).max(self.stream(now_ns, request));
        if is_counted {
            self.done_ns.push(Reverse(done_ns));
        }
        begun.push((done_ns, request.number));
    }

    fn count_anew(&mut self) {
        self.slots.count_anew();
        self.total.count_anew();
    }

    fn resources(&self, length_ns: u64) -> Vec<Resource> {
        vec![
            self.slots.resource("device, slots", length_ns),
            self.total.resource("device, transfer", length_ns),
        ]
    }
}
