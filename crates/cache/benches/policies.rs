//! Requests per second of processor time, in memory, of every policy and of the miss-ratio curves
//! (Linux only).
//!
//!     cargo bench -p hotset-cache --bench policies [NAME...]
//!
//! Three traces of 10 M requests: Zipf 0.9 over 1 M objects with ids in order of first request, as
//! hotset numbers them; the same with ids at random, where no two popular objects share a cache
//! line; and uniform over 20 M objects, where the state of a policy is far larger than the
//! processor's caches. The cache takes 10 % of all object bytes.
#![allow(clippy::print_stdout, missing_docs)]

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use hotset_cache::{PolicyKind, log_points, miss_ratio_curve, shards, simulate};
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Zipf};
use rand_pcg::Pcg64Mcg;

const REQUESTS: usize = 10_000_000;
const OBJECTS: u32 = 1_000_000;
const MANY_OBJECTS: u32 = 20_000_000;
const RUNS: usize = 3;

struct Workload {
    name: &'static str,
    requests: Vec<u32>,
    sizes: Vec<u64>,
}

impl Workload {
    fn new(name: &'static str, requests: Vec<u32>, objects: u32, random: &mut Pcg64Mcg) -> Self {
        let sizes = (0..objects)
            .map(|_| random.random_range(100..20_000))
            .collect();
        Self {
            name,
            requests,
            sizes,
        }
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| one == name);
    for workload in workloads() {
        for kind in PolicyKind::ALL
            .into_iter()
            .filter(|kind| is_wanted(kind.name()))
        {
            print(&workload, kind.name(), || black_box(scan(&workload, kind)));
        }
        if is_wanted("curve") {
            print(&workload, "curve", || black_box(exact(&workload)));
        }
        if is_wanted("shards") {
            print(&workload, "shards", || black_box(sampled(&workload)));
        }
    }
}

fn workloads() -> [Workload; 3] {
    let mut random = Pcg64Mcg::seed_from_u64(9);
    let zipf = zipf(&mut random);
    let uniform = (0..REQUESTS)
        .map(|_| random.random_range(0..MANY_OBJECTS))
        .collect();
    [
        Workload::new(
            "zipf",
            in_order_of_first_request(&zipf),
            OBJECTS,
            &mut random,
        ),
        Workload::new("zipf, ids at random", zipf, OBJECTS, &mut random),
        Workload::new("uniform, 20 M objects", uniform, MANY_OBJECTS, &mut random),
    ]
}

/// Ranks drawn from Zipf's law with exponent 0.9, scattered over the ids.
fn zipf(random: &mut Pcg64Mcg) -> Vec<u32> {
    let Ok(law) = Zipf::new(f64::from(OBJECTS), 0.9) else {
        return vec![];
    };
    // The factor is a prime that does not divide the number of objects, so every rank has an id of
    // its own.
    let scatter = |rank: f64| (rank as u64 * 982_451_653 % u64::from(OBJECTS)) as u32;
    (0..REQUESTS).map(|_| scatter(law.sample(random))).collect()
}

fn in_order_of_first_request(requests: &[u32]) -> Vec<u32> {
    let mut ids = vec![u32::MAX; OBJECTS as usize];
    let mut next = 0;
    let number = |&id: &u32| {
        let slot = &mut ids[id as usize];
        if *slot == u32::MAX {
            *slot = next;
            next += 1;
        }
        *slot
    };
    requests.iter().map(number).collect()
}

fn scan(workload: &Workload, kind: PolicyKind) -> f64 {
    let capacity = workload.sizes.iter().sum::<u64>() / 10;
    simulate(
        kind,
        capacity,
        &workload.requests,
        &workload.sizes,
        None,
        |_, _| {},
    )
    .map_or(f64::NAN, |counts| counts.hit_ratio())
}

fn exact(workload: &Workload) -> f64 {
    let total = workload.sizes.iter().sum::<u64>();
    let points = log_points(total / 10_000, total, 100);
    miss_ratio_curve(&workload.requests, &workload.sizes, &points, None)
        .map_or(f64::NAN, |curve| curve.hit_ratio(total / 10))
}

fn sampled(workload: &Workload) -> f64 {
    let total = workload.sizes.iter().sum::<u64>();
    let sampling = shards::Sampling {
        rate: 0.01,
        salts: 6,
        seed: 1,
    };
    shards::sampled_curve(
        &workload.requests,
        &workload.sizes,
        &[total / 10],
        sampling,
        None,
    )
    .map_or(f64::NAN, |curve| 1.0 - curve.points[0].miss_ratio)
}

fn print(workload: &Workload, name: &str, run: impl Fn() -> f64) {
    let (seconds, hit_ratio) = median(run);
    let millions = workload.requests.len() as f64 / seconds.as_secs_f64() / 1e6;
    println!(
        "{:<22} {name:<9} {millions:8.1} M requests/s   hit ratio {hit_ratio:.4}",
        workload.name
    );
}

fn median(run: impl Fn() -> f64) -> (Duration, f64) {
    let mut hit_ratio = f64::NAN;
    let mut times: Vec<Duration> = (0..RUNS).map(|_| timed(&run, &mut hit_ratio)).collect();
    times.sort_unstable();
    (times[RUNS / 2], hit_ratio)
}

fn timed(run: &impl Fn() -> f64, hit_ratio: &mut f64) -> Duration {
    let start = processor_time();
    *hit_ratio = run();
    processor_time() - start
}

/// Processor time of all threads so far, which a busy machine disturbs less than the clock on the
/// wall.
fn processor_time() -> Duration {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else {
        return Duration::ZERO;
    };
    tasks
        .flatten()
        .filter_map(|task| on_processor(&task.path().join("schedstat")))
        .sum()
}

/// The first field is nanoseconds on a processor (Documentation/scheduler/sched-stats.rst of the
/// kernel).
fn on_processor(schedstat: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(schedstat).ok()?;
    let nanoseconds = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
