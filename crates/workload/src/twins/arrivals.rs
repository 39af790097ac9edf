//! When a twin's requests arrive and from whom.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::f64::consts::TAU;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::table::Workload;
use crate::arrivals::geometric_quantile;
use crate::bisection::last_where;

/// Times in microseconds and clients, in order of time.
pub(super) struct Arrivals {
    pub requests: Vec<(i64, u32)>,
    pub clients: u32,
}

const SECOND_US: i64 = 1_000_000;
const MINUTE_US: i64 = 60 * SECOND_US;

/// Deals the target's requests to `minutes` minutes and to connections; `None` where so few minutes
/// cannot hold them.
pub(super) fn arrivals(
    target: &Workload,
    minutes: usize,
    random: &mut Pcg64Mcg,
) -> Option<Arrivals> {
    let per_minute = requests_per_minute(target, minutes, random)?;
    let mut connections = Connections::new(connection_lengths(target, random));
    let mut requests = Vec::with_capacity(target.requests as usize);
    for (minute, count) in per_minute.into_iter().enumerate() {
        let start = target.start_us + minute as i64 * MINUTE_US;
        let mut times: Vec<i64> = (0..count)
            .map(|_| start + random.random_range(0..MINUTE_US))
            .collect();
        times.sort_unstable();
        requests.extend(
            times
                .into_iter()
                .map(|time| (time, connections.serve(time, random))),
        );
    }
    Some(Arrivals {
        requests,
        clients: connections.clients,
    })
}

/// When in the day the busiest minute comes, as a share of it.
const PEAK_AT: f64 = 0.58;
/// Noise on the rate of a minute.
const NOISE: f64 = 0.05;
/// Upper end of the interval in which the steepness of the wave lies.
const STEEPEST: f64 = 500.0;

/// Requests of each minute: exp(k cos) over the day, k such that the busiest minute is the table's.
fn requests_per_minute(
    target: &Workload,
    minutes: usize,
    random: &mut Pcg64Mcg,
) -> Option<Vec<u64>> {
    let peak = (target.peak_rate_per_second * 60.0).round() as u64;
    let mean = target.requests as f64 / minutes as f64;
    if minutes < 2 || mean > peak as f64 {
        return None;
    }
    let busiest = ((minutes as f64 * PEAK_AT) as usize).min(minutes - 1);
    let wave = |k: f64, minute: usize| {
        let angle = TAU * (minute as f64 - busiest as f64) / minutes as f64;
        (k * (angle.cos() - 1.0)).exp()
    };
    let height = |k: f64| minutes as f64 / (0..minutes).map(|minute| wave(k, minute)).sum::<f64>();
    let steepness = peak as f64 / mean;
    if height(STEEPEST) < steepness {
        return None;
    }
    let k = last_where(0.0..STEEPEST, 60, |k| height(k) < steepness);
    let mut counts: Vec<u64> = (0..minutes)
        .map(|minute| {
            let noise = random.random_range(1.0 - NOISE..1.0 + NOISE);
            (peak as f64 * wave(k, minute) * noise).round() as u64
        })
        .map(|count| count.min(peak))
        .collect();
    counts[busiest] = peak;
    settle(&mut counts, busiest, peak, target.requests, random);
    Some(counts)
}

/// Adds or takes single requests at random minutes until they add up; the busiest minute stays.
fn settle(counts: &mut [u64], busiest: usize, peak: u64, requests: u64, random: &mut Pcg64Mcg) {
    let mut sum: u64 = counts.iter().sum();
    // Ends: the mean is below the peak and at least one minute is not the busiest.
    while sum != requests {
        let minute = random.random_range(0..counts.len());
        if minute == busiest {
            continue;
        }
        if sum < requests && counts[minute] < peak {
            counts[minute] += 1;
            sum += 1;
        } else if sum > requests && counts[minute] > 0 {
            counts[minute] -= 1;
            sum -= 1;
        }
    }
}

// How the requests of a connection follow each other: files of a page close together, and pages after people have read. The document groups requests
// by client and time alone, so a connection may have several pages. What is below is what P. Barford and M. Crovella found in logs of browsers
// ("Generating representative Web workloads for network and server performance evaluation", 1998).

/// Files that a page has beside the first: Pareto from 1 on, of this shape.
const EMBEDDED_SHAPE: f64 = 2.43;
/// Seconds between two files of a page: Weibull.
const PART_GAP_SHAPE: f64 = 1.46;
const PART_GAP_SCALE_S: f64 = 0.382;
/// Seconds between two pages: Pareto from 1 s on, of this shape, up to [`LONGEST_READING_S`].
const READING_SHAPE: f64 = 1.5;
/// Where people read for longer, the 15-second rule may begin another connection: requests come a little after they are due.
const LONGEST_READING_S: f64 = 8.0;
/// A client may come back after so long, well past the 15 seconds that end a connection.
const SHORTEST_ABSENCE_US: i64 = 120 * SECOND_US;
/// Share of connections that come from a client seen before, where one may come back.
const RETURNING: f64 = 0.6;

/// Geometric lengths, as many as give the table's mean, that add up to the requests.
fn connection_lengths(target: &Workload, random: &mut Pcg64Mcg) -> Vec<u32> {
    let mean = target.requests_per_connection;
    let count = (target.requests as f64 / mean).round().max(1.0) as usize;
    let quantile = |index| geometric_quantile(mean, (index as f64 + 0.5) / count as f64);
    let mut lengths: Vec<u32> = (0..count).map(quantile).collect();
    let mut sum: u64 = lengths.iter().map(|length| u64::from(*length)).sum();
    // Ends: there are at least as many requests as connections.
    while sum != target.requests {
        let length = &mut lengths[random.random_range(0..count)];
        if sum < target.requests {
            *length += 1;
            sum += 1;
        } else if *length > 1 {
            *length -= 1;
            sum -= 1;
        }
    }
    lengths.shuffle(random);
    lengths
}

/// Open connections, the one whose next request is due first on top, and clients that have left.
struct Connections {
    /// Requests of the connections that are still to be opened.
    lengths: Vec<u32>,
    open: BinaryHeap<Reverse<Connection>>,
    opened: u32,
    left: VecDeque<(i64, u32)>,
    clients: u32,
}

/// A connection, in the order in which their next requests are due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Connection {
    due_us: i64,
    /// Of all that were opened.
    number: u32,
    client: u32,
    requests_left: u32,
    /// Files of its page that were not asked for.
    parts_left: u32,
}

impl Connections {
    fn new(lengths: Vec<u32>) -> Self {
        Self {
            lengths,
            open: BinaryHeap::new(),
            opened: 0,
            left: VecDeque::new(),
            clients: 0,
        }
    }

    /// Gives the request at `time_us` to the connection that was due first, or else to a new one; returns its client.
    fn serve(&mut self, time_us: i64, random: &mut Pcg64Mcg) -> u32 {
        let first = self.open.peek();
        let is_due = first.is_some_and(|Reverse(it)| it.due_us <= time_us);
        let waiting = match is_due || self.lengths.is_empty() {
            true => self.open.pop(),
            false => None,
        };
        let mut connection = match waiting {
            Some(Reverse(connection)) => connection,
            None => self.begin(time_us, random),
        };
        connection.requests_left -= 1;
        if connection.requests_left == 0 {
            self.left.push_back((time_us, connection.client));
        } else {
            connection.due_us = time_us + connection.gap_us(random);
            self.open.push(Reverse(connection));
        }
        connection.client
    }

    fn begin(&mut self, time_us: i64, random: &mut Pcg64Mcg) -> Connection {
        self.opened += 1;
        Connection {
            due_us: time_us,
            number: self.opened,
            client: self.client(time_us, random),
            // The lengths add up to the requests, so that one is left whenever one is needed.
            requests_left: self.lengths.pop().unwrap_or(1),
            parts_left: embedded(random),
        }
    }

    fn client(&mut self, time_us: i64, random: &mut Pcg64Mcg) -> u32 {
        let may_return = self
            .left
            .front()
            .is_some_and(|(left_us, _)| time_us - left_us > SHORTEST_ABSENCE_US);
        if may_return
            && random.random_bool(RETURNING)
            && let Some((_, client)) = self.left.pop_front()
        {
            return client;
        }
        self.clients += 1;
        self.clients - 1
    }
}

impl Connection {
    /// How long after a request the next one is due.
    fn gap_us(&mut self, random: &mut Pcg64Mcg) -> i64 {
        let seconds = if self.parts_left > 0 {
            self.parts_left -= 1;
            PART_GAP_SCALE_S * (-share(random).ln()).powf(1.0 / PART_GAP_SHAPE)
        } else {
            self.parts_left = embedded(random);
            let beyond = LONGEST_READING_S.powf(-READING_SHAPE);
            let within = beyond + (1.0 - beyond) * share(random);
            within.powf(-1.0 / READING_SHAPE)
        };
        (seconds * SECOND_US as f64) as i64
    }
}

/// Files that a page has beside the first.
fn embedded(random: &mut Pcg64Mcg) -> u32 {
    share(random).powf(-1.0 / EMBEDDED_SHAPE).round() as u32
}

/// Above 0, at most 1, all alike.
fn share(random: &mut Pcg64Mcg) -> f64 {
    1.0 - random.random::<f64>()
}
