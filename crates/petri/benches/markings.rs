//! Reachable markings a second of processor time on one core, with the firings between them kept. `cargo bench -p
//! hotset-petri --bench markings`; names on the command line choose rows. Each row is the median of three explorations; a
//! line is name, markings, seconds and millions a second.
#![allow(missing_docs, clippy::print_stdout, reason = "a program of its own")]

use hotset_petri::{End, Exploration, Net, nets};

mod clock;

use clock::processor_time;

#[path = "../tests/contest/mod.rs"]
#[allow(dead_code, reason = "only some are timed")]
mod contest;

const RUNS: usize = 3;

type Build = fn() -> Net;

const ROWS: &[(&str, Build)] = &[
    ("philosophers", || library("philosophers", &[("n", 30.0)])),
    ("philosophers, one fork at a time", || {
        contest::philosophers(13)
    }),
    ("kanban", || contest::kanban(5)),
    ("shared memory", || contest::shared_memory(10)),
    ("keyed join", || library("keyed-join", &[("clients", 8.0)])),
];

fn library(name: &str, set: &[(&str, f64)]) -> Net {
    let entry = nets::find(name).expect("the library has it");
    entry.build(set).expect("the parameters make sense")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| !it.starts_with("--"))
        .collect();
    for (name, build) in ROWS {
        if chosen.is_empty() || chosen.iter().any(|it| it == name) {
            let net = build();
            let mut markings = 0;
            let mut seconds = Vec::new();
            for _ in 0..RUNS {
                let started = processor_time();
                let space = Exploration::default().explore(&net, &|_| true)?;
                seconds.push(processor_time() - started);
                assert_eq!(*space.ended(), End::Complete, "{name}");
                markings = space.len();
            }
            seconds.sort_unstable_by(f64::total_cmp);
            let median = seconds[RUNS / 2];
            println!(
                "{name}\t{markings}\t{median:.3}\t{:.2}",
                markings as f64 / median / 1e6
            );
        }
    }
    Ok(())
}
