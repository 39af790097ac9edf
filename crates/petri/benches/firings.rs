//! Firings a second of processor time on one core, under `Fair`. `cargo bench -p hotset-petri`; names on the command line
//! choose rows. Each row is the median of five runs; a line is name, firings, seconds and millions a second. The row
//! `replications` runs them on one thread and on all, by the clock: its last figure is the rate of a core beside that of one
//! core alone, and needs a machine that does nothing else.
#![allow(missing_docs, clippy::print_stdout, reason = "a program of its own")]

use std::time::Instant;

use hotset_petri::{
    Choice, Delay, Experiment, Fifo, Net, NetError, Place, RunError, StoppingRule, Time, nets,
};

mod clock;

use clock::processor_time;

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
    ("1,000 stations", || stations(1000), 5_000_000),
    ("10,000 stations", || stations(10_000), 1_000_000),
];

fn library(name: &str) -> Result<Net, NetError> {
    nets::find(name).expect("the library has it").build(&[])
}

/// A ring of so many stations, each with three customers at the start.
fn stations(count: u32) -> Result<Net, NetError> {
    Net::build("stations", |page| {
        let queues = (0..count).map(|it| page.fifo(&format!("queue {it}"), [it; 3]));
        let queues: Vec<Place<Fifo<u32>>> = queues.collect();
        for (it, queue) in queues.iter().enumerate() {
            let name = format!("station {it}");
            let station = page.station(&name, 1, Delay::exponential(1e-3));
            page.connect(&station.queue, queue);
            page.connect(&station.served, &queues[(it + 1) % queues.len()]);
        }
    })
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
    if chosen.is_empty() || chosen.iter().any(|it| it == "replications") {
        replications()?;
    }
    Ok(())
}

/// Replications of the closed network on one thread and on all, in turn.
fn replications() -> Result<(), Box<dyn std::error::Error>> {
    let net = library("closed-network")?;
    let all = std::thread::available_parallelism()?.get();
    let timed = |threads| -> Result<(u64, f64), RunError> {
        let experiment = Experiment {
            length: Time::from_nanos(200_000_000_000),
            warm_up: Some(Time::ZERO),
            enough: StoppingRule::Replications(20 * all),
            threads,
            ..Experiment::default()
        };
        let started = Instant::now();
        let answer = experiment.run(&net, &())?;
        Ok((answer.firings, started.elapsed().as_secs_f64()))
    };
    let mut pairs = Vec::new();
    for _ in 0..RUNS {
        let ((firings, alone), (_, together)) = (timed(1)?, timed(all)?);
        pairs.push((alone / together / all as f64, firings, together));
    }
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (share, firings, seconds) = pairs[pairs.len() / 2];
    println!("replications on {all} threads\t{firings}\t{seconds:.3}\t{share:.2}");
    Ok(())
}

/// Seconds of processor time for so many firings, after a tenth as many.
fn timed(net: &Net, run: u64, firings: u64) -> Result<f64, RunError> {
    let mut simulation = net.simulate(1, run, Choice::Fair);
    // A million travellers set out before anything is measured.
    simulation.run_firings(1_000_000)?;
    let started = processor_time();
    simulation.run_firings(firings)?;
    Ok(processor_time() - started)
}
