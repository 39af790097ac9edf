//! Jobs whose reads go on to a local socket: what a block costs is what its parts cost.

use std::path::Path;

use hotset_models::fio::{Delivery, Job, JobFile, JobResult, SimulationError, System, simulate};
use hotset_scenario::{CopyCost, CostLine, Profile, Reading, SendCost};

const FAULT_US: f64 = 3.0;
/// Of a block of 64 KiB, microseconds.
const READ_US: f64 = 10.0;
const WRITTEN_US: f64 = 40.0;
const COLD_US: f64 = 50.0;
const SENT_US: f64 = 20.0;
const BLOCK: u64 = 64 << 10;

/// Costs that grow with the block, and a device of 100 µs, then 500 bytes/µs.
fn profile() -> Profile {
    let line = |fixed_us, bytes_per_us| CostLine {
        fixed_us,
        bytes_per_us,
    };
    let sizes = [4 << 10, BLOCK, 4 << 20];
    let share = |bytes: u64| bytes as f64 / BLOCK as f64;
    let copy = |bytes: &u64| CopyCost {
        working_set_bytes: None,
        block_bytes: *bytes,
        sequential_us: READ_US * share(*bytes),
        random_us: READ_US * share(*bytes),
    };
    let sending = |bytes: &u64| SendCost {
        block_bytes: *bytes,
        written_us: WRITTEN_US * share(*bytes),
        cold_us: COLD_US * share(*bytes),
        sent_us: SENT_US * share(*bytes),
    };
    Profile {
        reading: Some(Reading {
            fault_us: Some(FAULT_US),
            ..Reading::default()
        }),
        copy: sizes.iter().map(copy).collect(),
        sending: sizes.iter().map(sending).collect(),
        ..Profile::of_lines("test", line(1.0, 8000.0), line(101.0, 500.0), "")
    }
}

fn job(delivery: Delivery, options: &str) -> Job {
    let text = format!("[a]\nrw=read\nsize=64m\nfadvise_hint=0\n{options}");
    let mut file = JobFile::parse(&text, Path::new("jobs.fio")).unwrap();
    let mut job = file.jobs.remove(0);
    job.delivery = delivery;
    job
}

fn try_run(job: &Job, profile: &Profile) -> Result<JobResult, SimulationError> {
    let system = System {
        profile,
        memory_bytes: None,
        seed: 7,
    };
    let results = simulate(std::slice::from_ref(job), &system, &|| true);
    results.map(|mut results| results.remove(0))
}

fn mean_us(delivery: Delivery, options: &str) -> f64 {
    let result = try_run(&job(delivery, options), &profile()).unwrap();
    result.outcome.total.mean_us().unwrap()
}

#[track_caller]
fn near(value: f64, expected: f64, share: f64) {
    assert!(
        (value / expected - 1.0).abs() <= share,
        "{value}, expected {expected}"
    );
}

#[test]
fn from_memory_a_block_takes_reading_and_writing_or_faults_and_writing_or_sending() {
    let cached = "bs=64k\ninvalidate=0\n";
    near(
        mean_us(Delivery::Written, cached),
        READ_US + WRITTEN_US,
        0.001,
    );
    near(mean_us(Delivery::Sent, cached), SENT_US, 0.001);
    let mapped = format!("{cached}ioengine=mmap\n");
    near(
        mean_us(Delivery::Written, &mapped),
        FAULT_US + COLD_US,
        0.001,
    );
}

#[test]
fn from_a_slow_device_every_way_has_its_rate_and_reads_each_page_once() {
    for (delivery, engine) in [
        (Delivery::Written, "psync"),
        (Delivery::Written, "mmap"),
        (Delivery::Sent, "psync"),
    ] {
        for bs in ["4k", "64k", "1m", "4m"] {
            let job = job(delivery, &format!("bs={bs}\nioengine={engine}\n"));
            let result = try_run(&job, &profile()).unwrap();
            assert_eq!(result.device_bytes, 64 << 20, "{delivery:?} {engine} {bs}");
            let rate = result.bytes_per_s / 1e6;
            assert!(
                (250.0..=505.0).contains(&rate),
                "{delivery:?} {engine} {bs}: {rate}"
            );
        }
    }
}

/// A pipe's worth at a time is asked for, so that large blocks raise no window, and data goes on while the rest is on its way. A
/// program that reads such a block waits for all of it before it writes.
#[test]
fn sendfile_of_large_blocks_has_the_rate_of_small_ones() {
    let rate = |bs: &str| {
        let job = job(Delivery::Sent, &format!("bs={bs}\n"));
        try_run(&job, &profile()).unwrap().bytes_per_s
    };
    near(rate("4m"), rate("64k"), 0.02);
}

#[test]
fn what_cannot_be_sent_is_refused_with_what_mends_it() {
    let bare = Profile {
        sending: Vec::new(),
        ..profile()
    };
    let refusal = try_run(&job(Delivery::Sent, "bs=4k\n"), &bare).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "a: sends what it reads, and the profile has no rows [[sending]]; measure the store with hotset probe"
    );
    let direct = job(Delivery::Written, "bs=4k\ndirect=1\n");
    let refusal = try_run(&direct, &profile()).unwrap_err().to_string();
    assert!(refusal.contains("through the page cache only"), "{refusal}");
}
