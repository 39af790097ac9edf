//! How far calculated data-centres are from simulated ones, on many at random: `cargo run --release -p hotset-models --example
//! calculated_beside_simulated`. A number behind it is how many of each kind there are, a second one how many requests each has. `all` prints each.
#![allow(clippy::print_stdout)]

#[path = "../tests/support/random_tiers.rs"]
mod random_tiers;

use std::time::{Duration, Instant};

use hotset_models::calculate::{HitRatioMethod, calculate};
use hotset_models::tiers::{TiersResult, simulate};
use hotset_outcome::Score;
use random_tiers::{Asking, Case, bottleneck, case, utilisations};

/// Requests of each unless told otherwise, of which the last 30 % are measured.
const REQUESTS: usize = 60_000;
/// Busier than this is no longer below saturation.
const MOST_BUSY: f64 = 0.9;

/// How far apart one is.
struct Apart {
    throughput: f64,
    response: f64,
    first_byte: f64,
    utilisation: f64,
    alike: bool,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut numbers = words.iter().filter_map(|it| it.parse::<usize>().ok());
    let count = numbers.next().unwrap_or(100);
    let requests = numbers.next().unwrap_or(REQUESTS);
    let prints = words.iter().any(|it| it == "all");
    println!(
        "asking | hit ratios | scenarios | throughput, median (p90) | response | first byte | utilisation, points | bottleneck alike | calculated in"
    );
    for asking in [Asking::Closed, Asking::Open] {
        let simulated = (0..count as u64).filter_map(|number| {
            let of = case(1_000 + number, requests, asking);
            let simulated = simulate(&of.tiers, &of.traffic, number, &|| true).expect("it runs");
            (busiest(&simulated) <= MOST_BUSY).then_some((number, of, simulated))
        });
        let simulated: Vec<(u64, Case, TiersResult)> = simulated.collect();
        for method in [HitRatioMethod::Exact, HitRatioMethod::Che] {
            row(asking, method, &simulated, prints);
        }
    }
}

fn busiest(result: &TiersResult) -> f64 {
    let all = utilisations(result);
    all.iter().map(|it| it.2).fold(0.0, f64::max)
}

fn row(asking: Asking, method: HitRatioMethod, cases: &[(u64, Case, TiersResult)], prints: bool) {
    let (mut all, mut took) = (Vec::new(), Vec::new());
    for (number, of, simulated) in cases {
        let began = Instant::now();
        let calculated = calculate(&of.tiers, &of.traffic, method).expect("it can be calculated");
        took.push(began.elapsed());
        let result = &calculated.result;
        let ratio = |of: fn(&Score) -> Option<f64>| {
            let of = |score| of(score).unwrap_or(f64::INFINITY);
            of(&result.total) / of(&simulated.total) - 1.0
        };
        let busy = utilisations(result)
            .into_iter()
            .zip(utilisations(simulated));
        let apart = Apart {
            throughput: ratio(|it| it.throughput_per_s),
            response: ratio(|it| it.mean_us()),
            first_byte: ratio(|it| it.latencies.first_byte.as_ref()?.mean_us),
            utilisation: busy
                .map(|(one, other)| (one.2 - other.2).abs())
                .fold(0.0, f64::max),
            alike: bottleneck(result) == bottleneck(simulated),
        };
        if prints {
            println!(
                "{number}: {:.2} busy, {}; throughput {:+.1} %, response {:+.1} %, first byte {:+.1} %, {:?} beside {:?}",
                busiest(simulated),
                calculated.method.name(),
                apart.throughput * 100.0,
                apart.response * 100.0,
                apart.first_byte * 100.0,
                bottleneck(result),
                bottleneck(simulated),
            );
        }
        all.push(apart);
    }
    let alike = all.iter().filter(|it| it.alike).count();
    println!(
        "{asking:?} | {} | {} | {} | {} | {} | {} | {:.0} % | {:?}",
        method.name(),
        all.len(),
        spread(all.iter().map(|it| it.throughput)),
        spread(all.iter().map(|it| it.response)),
        spread(all.iter().map(|it| it.first_byte)),
        spread(all.iter().map(|it| it.utilisation)),
        100.0 * alike as f64 / all.len() as f64,
        median(took),
    );
}

/// Median and 90th percentile of deviations, percent.
fn spread(values: impl Iterator<Item = f64>) -> String {
    let mut values: Vec<f64> = values.map(f64::abs).collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share) as usize] * 100.0;
    format!("{:.1} ({:.1})", at(0.5), at(0.9))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
