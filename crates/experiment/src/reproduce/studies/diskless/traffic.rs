//! A trace as requests at their times.

use std::sync::Arc;

use hotset_models::tiers::{File, Traffic};
use hotset_trace::sessions::sessions;
use hotset_trace::{NO_OBJECT, Trace};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

/// The requests of a trace, with connections begun `scale` times as often. Times within a connection stay: how long people think does not depend on
/// how many there are (section 3.4 of the document). Nothing is warmed up, as the document's caches are empty at first.
pub(super) fn at_scale(trace: &Trace, scale: u32, seed: u64) -> Arc<Traffic> {
    let objects = &trace.requests.object;
    traffic(trace, timed(trace, objects, scale, seed), 0)
}

/// The requests of so many web servers, each as many as the trace has. All have the same files, which each asks for in an order of its own: a twin's is
/// by chance. The first share of them warms caches up.
pub(super) fn of_servers(trace: &Trace, servers: u32, seed: u64, warm_up: f64) -> Arc<Traffic> {
    let mut all = Vec::new();
    let mut objects = trace.requests.object.clone();
    for server in 0..servers {
        let seed = seed.wrapping_add(u64::from(server));
        if server > 0 {
            objects.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
        }
        all.extend(timed(trace, &objects, 1, seed));
    }
    let warm_up = (all.len() as f64 * warm_up) as usize;
    traffic(trace, all, warm_up)
}

/// When each request comes, microseconds after the first, and its file.
fn timed(trace: &Trace, objects: &[u32], scale: u32, seed: u64) -> Vec<(i64, u32)> {
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
        (started + (time_us - start), *object)
    });
    timed.filter(|(_, object)| *object != NO_OBJECT).collect()
}

/// These requests in the order of their times.
fn traffic(trace: &Trace, mut requests: Vec<(i64, u32)>, warm_up: usize) -> Arc<Traffic> {
    requests.sort_by_key(|(time_us, _)| *time_us);
    let objects = trace.objects.site.iter().zip(&trace.objects.size);
    Arc::new(Traffic {
        sites: trace.sites.clone(),
        files: objects
            .map(|(&site, &bytes)| File { site, bytes })
            .collect(),
        times_ns: (requests.iter())
            .map(|(time_us, _)| time_us.unsigned_abs() * 1000)
            .collect(),
        requests: requests.into_iter().map(|(_, object)| object).collect(),
        warm_up,
    })
}
