//! A trace as requests at their times, each on its connection.

use std::sync::Arc;

use hotset_models::tiers::{File, Traffic};
use hotset_trace::sessions::sessions;
use hotset_trace::{NO_OBJECT, Trace};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

/// A request: when it comes, microseconds after the first, its connection and its file.
#[derive(Clone, Copy)]
struct Timed {
    time_us: i64,
    connection: u32,
    object: u32,
}

/// The requests of a trace, with connections begun `scale` times as often. Times within a connection stay: how long people think does not depend on
/// how many there are (section 3.4 of the document). Nothing is warmed up, as the document's caches are empty at first. They are those of a twin of so many
/// `minutes`.
pub(super) fn at_scale(trace: &Trace, minutes: u32, scale: u32, seed: u64) -> Arc<Traffic> {
    const MINUTE_US: i64 = 60_000_000;
    let objects = &trace.requests.object;
    let all = timed(trace, objects, scale, (0, 1), seed);
    let length_us = i64::from(minutes) * MINUTE_US / i64::from(scale.max(1));
    traffic(trace, folded(all, length_us), 0)
}

/// The same requests, all within so long. What connections have left at its end comes from the start on, over connections of its own, as if the time
/// before had been alike. Connections last minutes at any scale: otherwise the rate of a high scale would hardly be reached before it ends.
fn folded(mut requests: Vec<Timed>, length_us: i64) -> Vec<Timed> {
    let length_us = length_us.max(1);
    let connections = requests.iter().map(|it| it.connection + 1).max();
    for it in &mut requests {
        let part = u32::try_from(it.time_us / length_us).unwrap_or(u32::MAX);
        it.time_us %= length_us;
        it.connection = part
            .wrapping_mul(connections.unwrap_or_default())
            .wrapping_add(it.connection);
    }
    requests
}

/// The requests of so many web servers, each as many as the trace has. All have the same files, which each asks for in an order of its own: a twin's is
/// by chance. Connections take turns, so that those of a server have its place as the remainder of their numbers. The first share of the requests warms
/// caches up.
pub(super) fn of_servers(trace: &Trace, servers: u32, seed: u64, warm_up: f64) -> Arc<Traffic> {
    let mut all = Vec::new();
    let mut objects = trace.requests.object.clone();
    for server in 0..servers {
        let seed = seed.wrapping_add(u64::from(server));
        if server > 0 {
            objects.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
        }
        all.extend(timed(trace, &objects, 1, (server, servers), seed));
    }
    let warm_up = (all.len() as f64 * warm_up) as usize;
    traffic(trace, all, warm_up)
}

/// The requests of a server, by its place among so many. Connections are begun `scale` times as often as in the trace.
fn timed(
    trace: &Trace,
    objects: &[u32],
    scale: u32,
    (server, servers): (u32, u32),
    seed: u64,
) -> Vec<Timed> {
    let sessions = sessions(&trace.requests, seed);
    let mut starts = vec![i64::MAX; sessions.connections as usize];
    let rows = sessions.connection.iter().zip(&sessions.time_us);
    for (connection, time_us) in rows.clone() {
        let start = &mut starts[*connection as usize];
        *start = (*start).min(*time_us);
    }
    let first = starts.iter().copied().min().unwrap_or_default();
    let timed = rows.zip(objects).map(|((connection, time_us), object)| {
        let start = starts[*connection as usize];
        let started = (start - first) / i64::from(scale.max(1));
        Timed {
            time_us: started + (time_us - start),
            connection: connection * servers + server,
            object: *object,
        }
    });
    timed.filter(|it| it.object != NO_OBJECT).collect()
}

/// These requests in the order of their times.
fn traffic(trace: &Trace, mut requests: Vec<Timed>, warm_up: usize) -> Arc<Traffic> {
    requests.sort_by_key(|it| it.time_us);
    let objects = trace.objects.site.iter().zip(&trace.objects.size);
    Arc::new(Traffic {
        sites: trace.sites.clone(),
        files: objects
            .map(|(&site, &bytes)| File { site, bytes })
            .collect(),
        times_ns: (requests.iter())
            .map(|it| it.time_us.unsigned_abs() * 1000)
            .collect(),
        connections: requests.iter().map(|it| it.connection).collect(),
        requests: requests.iter().map(|it| it.object).collect(),
        warm_up,
    })
}
