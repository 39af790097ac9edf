//! Connections and arrival times within the second, rebuilt from what an access log says.
//!
//! The rules are those of "A Study of the Performance of Diskless Web Servers", section 3.3:
//!
//! - *Connections*: "any request received from the same client within 15 seconds of a prior request is
//!   grouped into a connection with that prior request". Read as it stands: whatever the protocol.
//!   (Were every HTTP/1.0 request a connection of its own, the 12 requests a connection that the
//!   document finds in a log of February 1998, and the 31 in a proxy log that names no protocol,
//!   could not come out.)
//! - *Arrival within the logged second*: new connections and all HTTP/1.0 requests arrive uniformly
//!   within it, and so does a lone follow-up; several follow-ups in one second arrive together, "as a
//!   burst at a random time".
//!
//! The document does not say what keeps a follow-up from arriving before the request it follows. Here
//! arrivals of one connection keep the order of the log: in the second in which a connection opens,
//! its follow-ups arrive uniformly in what is left of that second. A burst is a run of follow-ups
//! without an HTTP/1.0 request in between; a request whose protocol is not known counts as persistent.
//!
//! Where any time of the trace is finer than a second, all times are left as they are.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{Protocol, Requests};

/// Longest gap between two requests of one connection ("A Study of the Performance of Diskless Web
/// Servers", section 3.3), microseconds.
pub const CONNECTION_GAP_US: i64 = 15 * SECOND_US;

const SECOND_US: i64 = 1_000_000;

/// Connections and arrival times of a trace's requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    /// Connection of each request, numbered in the order in which the log first names them.
    pub connection: Vec<u32>,
    /// Arrival of each request, microseconds since 1970-01-01 UTC.
    pub time_us: Vec<i64>,
    /// Number of connections.
    pub connections: u32,
}

impl Sessions {
    /// Mean number of requests of a connection; 0 without requests.
    pub fn requests_per_connection(&self) -> f64 {
        if self.connections == 0 {
            return 0.0;
        }
        self.connection.len() as f64 / f64::from(self.connections)
    }
}

/// Rebuilds connections and arrivals of `requests`, which may be in any order.
///
/// Each draw depends on `seed`, the client and the second only, so that rows of other clients change
/// nothing. At most 2^32 requests. Client ids are dense: memory goes by the highest.
pub fn sessions(requests: &Requests, seed: u64) -> Sessions {
    let rows = rows_by_client_and_time(requests);
    let mut sessions = Sessions {
        connection: connections(requests, &rows),
        time_us: requests.time_us.clone(),
        connections: 0,
    };
    if requests.time_us.iter().all(|time| time % SECOND_US == 0) {
        spread(
            requests,
            &rows,
            &sessions.connection,
            seed,
            &mut sessions.time_us,
        );
    }
    sessions.connections = number_by_first_row(&mut sessions.connection);
    sessions
}

/// Row numbers sorted by client, then time, then place in the log.
fn rows_by_client_and_time(requests: &Requests) -> Vec<u32> {
    let mut starts = starts_by_client(&requests.client);
    let mut rows = vec![0; requests.len()];
    for (row, client) in requests.client.iter().enumerate() {
        let place = &mut starts[*client as usize];
        rows[*place as usize] = row as u32;
        *place += 1;
    }
    // Most logs are in order of time already, which this sort takes as it finds it.
    let same_client =
        |a: &u32, b: &u32| requests.client[*a as usize] == requests.client[*b as usize];
    for of_client in rows.chunk_by_mut(same_client) {
        of_client.sort_by_key(|row| requests.time_us[*row as usize]);
    }
    rows
}

/// Where the rows of each client start when they are sorted by client.
fn starts_by_client(clients: &[u32]) -> Vec<u32> {
    let count = clients
        .iter()
        .max()
        .map_or(0, |highest| *highest as usize + 1);
    let mut starts = vec![0; count];
    clients
        .iter()
        .for_each(|client| starts[*client as usize] += 1);
    let mut sum = 0;
    for start in &mut starts {
        sum += std::mem::replace(start, sum);
    }
    starts
}

/// Connection of each row, numbered along `rows`.
fn connections(requests: &Requests, rows: &[u32]) -> Vec<u32> {
    let mut connection = vec![0; requests.len()];
    let mut current = 0;
    for (index, row) in rows.iter().map(|row| *row as usize).enumerate() {
        if index > 0 && opens(requests, rows[index - 1] as usize, row) {
            current += 1;
        }
        connection[row] = current;
    }
    connection
}

/// Whether `row` opens a connection, `prior` being the request sorted before it.
fn opens(requests: &Requests, prior: usize, row: usize) -> bool {
    requests.client[prior] != requests.client[row]
        || requests.time_us[row].saturating_sub(requests.time_us[prior]) > CONNECTION_GAP_US
}

/// Gives every request a time within its second.
fn spread(requests: &Requests, rows: &[u32], connection: &[u32], seed: u64, time_us: &mut [i64]) {
    let same_second = |a: &u32, b: &u32| {
        let (a, b) = (*a as usize, *b as usize);
        connection[a] == connection[b] && requests.time_us[a] == requests.time_us[b]
    };
    let mut prior = None;
    let mut offsets = Vec::new();
    for group in rows.chunk_by(same_second) {
        let first = group[0] as usize;
        let is_new = prior != Some(connection[first]);
        prior = Some(connection[first]);
        let protocols = group.iter().map(|row| requests.protocol[*row as usize]);
        let mut random = stream(seed, requests.client[first], requests.time_us[first]);
        arrivals(protocols, is_new, &mut random, &mut offsets);
        for (row, offset) in group.iter().zip(&offsets) {
            time_us[*row as usize] += offset;
        }
    }
}

/// Offsets within the second, microseconds, of the requests that one connection makes in it; never
/// falling. `is_new` when the first of them opens the connection.
fn arrivals(
    protocols: impl ExactSizeIterator<Item = Protocol>,
    is_new: bool,
    random: &mut Pcg64Mcg,
    offsets: &mut Vec<i64>,
) {
    offsets.clear();
    if protocols.len() == 1 {
        // By far the most common case: the general one would draw the same number.
        offsets.push(random.random_range(0..SECOND_US));
        return;
    }
    let mut units = Vec::with_capacity(protocols.len());
    let mut in_burst = false;
    for (index, protocol) in protocols.enumerate() {
        let joins_burst = !(is_new && index == 0) && protocol != Protocol::Http10;
        let joined = joins_burst && in_burst;
        units.push(units.last().map_or(0, |unit| unit + usize::from(!joined)));
        in_burst = joins_burst;
    }
    let drawn = draw(units.last().map_or(0, |unit| unit + 1), is_new, random);
    offsets.extend(units.into_iter().map(|unit| drawn[unit]));
}

/// `count` rising arrivals in the second: uniform, but that of a new connection before all others.
fn draw(count: usize, is_new: bool, random: &mut Pcg64Mcg) -> Vec<i64> {
    let start = random.random_range(0..SECOND_US);
    let rest_from = if is_new { start } else { 0 };
    let mut drawn = vec![start];
    drawn.extend((1..count).map(|_| random.random_range(rest_from..SECOND_US)));
    drawn.sort_unstable();
    drawn
}

/// The random stream of one client in one second. A client has one connection in any second.
fn stream(seed: u64, client: u32, time_us: i64) -> Pcg64Mcg {
    let second = time_us.div_euclid(SECOND_US).cast_unsigned();
    Pcg64Mcg::seed_from_u64(mix(mix(mix(seed) ^ u64::from(client)) ^ second))
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
/// 2014), so that neighbouring clients and seconds get unrelated streams.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Renumbers connections in the order of their first rows; returns how many there are.
fn number_by_first_row(connection: &mut [u32]) -> u32 {
    let highest = connection
        .iter()
        .max()
        .map_or(0, |highest| *highest as usize + 1);
    let mut numbers = vec![u32::MAX; highest];
    let mut next = 0;
    for id in connection {
        let number = &mut numbers[*id as usize];
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
        *id = *number;
    }
    next
}
