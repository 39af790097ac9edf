//! Profiles of devices whose times can be computed by hand, and jobs run on them.

pub mod pending;
pub mod random_tiers;

use std::path::Path;

use hotset_models::fio::{JobFile, JobResult, System, simulate};
use hotset_scenario::Profile;

/// A profile whose calls take a microsecond and whose copying takes next to nothing, with a device as told.
pub fn profile(device: &str) -> Profile {
    let text = format!(
        "open_us = 0.0\n[cached]\nfixed_us = 1.0\nbytes_per_us = 1e6\n[uncached]\nfixed_us = 1.0\nbytes_per_us = 1e6\n\
         [reading]\nprocessors = 8\n{device}"
    );
    Profile::parse(&text, Path::new("test.toml")).unwrap()
}

/// The seeking drive of the lab, with a capacity and a queue.
pub fn drive(capacity_bytes: u64, queue: &str, more: &str) -> String {
    format!(
        "[device]\nkind = \"drive\"\ntrack_to_track_us = 800.0\naverage_seek_us = 8500.0\nrevolutions_per_minute = 7200.0\n\
         bytes_per_s = 39e6\nread_ahead_bytes = 1048576\ncapacity_bytes = {capacity_bytes}\nqueue = \"{queue}\"\n\
         max_request_bytes = 1310720\n{more}"
    )
}

pub fn run(jobs: &str, profile: &Profile, memory_bytes: Option<u64>) -> Vec<JobResult> {
    let file = JobFile::parse(jobs, Path::new("jobs.fio")).unwrap();
    let system = System {
        profile,
        memory_bytes,
        seed: 7,
    };
    simulate(&file.jobs, &system, &|| true).unwrap()
}

/// Bytes a second of all jobs together.
pub fn rate(results: &[JobResult]) -> f64 {
    let bytes: f64 = results.iter().map(|it| it.bytes_per_s * it.seconds).sum();
    bytes / results.iter().map(|it| it.seconds).fold(0.0, f64::max)
}

pub fn mean_us(result: &JobResult) -> f64 {
    result.outcome.total.mean_us().unwrap()
}

#[track_caller]
pub fn near(value: f64, expected: f64, share: f64) {
    assert!(
        (value / expected - 1.0).abs() <= share,
        "{value}, expected {expected}"
    );
}
