//! Firings a second of processor time on one core, under `Fair`. `cargo bench -p hotset-petri`; names on the command line
//! choose rows. Each row is the median of five runs; a line is name, firings, seconds and millions a second.
#![allow(missing_docs, clippy::print_stdout, reason = "a program of its own")]

use std::fs;
use std::time::Instant;

use hotset_petri::{Choice, Delay, Net, NetError, nets};

const RUNS: u64 = 5;

type Build = fn() -> Result<Net, NetError>;

const ROWS: &[(&str, Build, u64)] = &[
    ("closed network", || library("closed-network"), 10_000_000),
    (
        "producer-consumer",
        || library("producer-consumer"),
        10_000_000,
    ),
    ("guards and join", || library("keyed-join"), 10_000_000),
    ("1 M pending", pending, 5_000_000),
];

fn library(name: &str) -> Result<Net, NetError> {
    nets::find(name).expect("the library has it").build(&[])
}

/// A million tokens that are always on their way.
fn pending() -> Result<Net, NetError> {
    Net::build("pending", |page| {
        let travellers = page.bag("travellers", 0..1_000_000_u32);
        page.transition("travel")
            .take(&travellers)
            .put(&travellers)
            .delay(Delay::exponential(1.0))
            .fire(|traveller, _| traveller);
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| !it.starts_with("--"))
        .collect();
    for (name, build, firings) in ROWS {
        if chosen.is_empty() || chosen.iter().any(|it| it == name) {
            let net = build()?;
            let mut seconds: Vec<f64> = (0..RUNS)
                .map(|run| timed(&net, run, *firings))
                .collect::<Result<_, _>>()?;
            seconds.sort_unstable_by(f64::total_cmp);
            let median = seconds[seconds.len() / 2];
            println!(
                "{name}\t{firings}\t{median:.3}\t{:.2}",
                *firings as f64 / median / 1e6
            );
        }
    }
    Ok(())
}

/// Seconds of processor time for so many firings, after a tenth as many.
fn timed(net: &Net, run: u64, firings: u64) -> Result<f64, hotset_petri::RunError> {
    let mut simulation = net.simulate(1, run, Choice::Fair);
    // A million travellers set out before anything is measured.
    simulation.run_firings(1_000_000)?;
    let started = processor_time();
    simulation.run_firings(firings)?;
    Ok(processor_time() - started)
}

/// Processor time of this thread, in seconds; the time of day where the kernel does not say.
fn processor_time() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let elapsed = START.get_or_init(Instant::now).elapsed();
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.and_then(|stat| stat.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or(elapsed.as_secs_f64(), |nanos| nanos / 1e9)
}
