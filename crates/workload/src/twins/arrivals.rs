//! When a twin's requests arrive and from whom.

use std::collections::VecDeque;
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
        let open = (count as f64 / 60.0 * MEAN_GAP_S).ceil().max(1.0) as usize;
        requests.extend(
            times
                .into_iter()
                .map(|time| (time, connections.serve(time, open, random))),
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

/// Mean seconds from one request of a connection to the next.
const MEAN_GAP_S: f64 = 2.0;
/// A connection that has waited so long is served next, so that the 15-second rule keeps it whole.
const LONGEST_GAP_US: i64 = 8 * SECOND_US;
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

/// Open connections, longest waiting first, and clients that have left.
struct Connections {
    /// Requests of the connections that are still to be opened.
    lengths: Vec<u32>,
    open: VecDeque<Connection>,
    left: VecDeque<(i64, u32)>,
    clients: u32,
}

#[derive(Clone, Copy)]
struct Connection {
    client: u32,
    requests_left: u32,
    last_us: i64,
}

impl Connections {
    fn new(lengths: Vec<u32>) -> Self {
        Self {
            lengths,
            open: VecDeque::new(),
            left: VecDeque::new(),
            clients: 0,
        }
    }

    /// Gives the request at `time_us` to a connection while about `wanted` are open; returns its client.
    fn serve(&mut self, time_us: i64, wanted: usize, random: &mut Pcg64Mcg) -> u32 {
        let mut connection = self
            .take_waiting(time_us, wanted, random)
            .unwrap_or_else(|| {
                let client = self.client(time_us, random);
                // The lengths add up to the requests, so that one is left whenever one is needed.
                let requests_left = self.lengths.pop().unwrap_or(1);
                Connection {
                    client,
                    requests_left,
                    last_us: time_us,
                }
            });
        connection.requests_left -= 1;
        connection.last_us = time_us;
        if connection.requests_left == 0 {
            self.left.push_back((time_us, connection.client));
        } else {
            self.open.push_back(connection);
        }
        connection.client
    }

    fn take_waiting(
        &mut self,
        time_us: i64,
        wanted: usize,
        random: &mut Pcg64Mcg,
    ) -> Option<Connection> {
        let oldest = self.open.front()?;
        if time_us - oldest.last_us > LONGEST_GAP_US {
            return self.open.pop_front();
        }
        if self.open.len() < wanted && !self.lengths.is_empty() {
            return None;
        }
        // Any of the longer waiting half: no two connections keep in step.
        let index = random.random_range(0..self.open.len().div_ceil(2));
        self.open.remove(index)
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
