//! Simulated reads and writes a second of processor time on one core, through page cache, read-ahead, write-back, I/O scheduler and disk.
//! `cargo bench -p hotset-models`; names on the command line choose rows. Each row is the median of five runs; a line is name,
//! requests, seconds and millions a second.
#![allow(missing_docs, clippy::print_stdout, reason = "a program of its own")]

use std::path::Path;

use hotset_models::fio::{
    Job, JobFile, JobResult, SimulationError, System, simulate, simulate_remote,
};
use hotset_models::remote::nfs::{Mount, RemoteSystem, Version};
use hotset_models::remote::{CallCosts, Line, NamedLine, Protocol, ServerMachine};
use hotset_scenario::Profile;

#[path = "../../petri/benches/clock/mod.rs"]
mod clock;

use clock::processor_time;

const RUNS: usize = 5;

/// The lab's drive behind the kernel's usual scheduler for disks, under ext4.
const PROFILE: &str = "
open_us = 4.7
cached = { fixed_us = 0.8, bytes_per_us = 8000.0 }
uncached = { fixed_us = 8900.0, bytes_per_us = 255.0 }
reading = { read_ahead_bytes = 131072, processors = 2 }
file_system = { kind = 'ext4', block_bytes = 4096 }

[device]
kind = 'drive'
track_to_track_us = 800
average_seek_us = 8500
revolutions_per_minute = 7200
bytes_per_s = 255000000
read_ahead_bytes = 2097152
capacity_bytes = 2000000000000
queue = 'elevator'
max_request_bytes = 1310720
scheduler = 'mq-deadline'
";

/// Memory of the rows whose files do not fit.
const LITTLE_MEMORY: u64 = 256 << 20;

/// Name, job, and memory for files.
const ROWS: &[(&str, &str, Option<u64>)] = &[
    (
        "cached scan",
        "rw=read\nbs=4k\nsize=256m\nloops=40\ninvalidate=0",
        None,
    ),
    (
        "cached random",
        "rw=randread\nbs=4k\nsize=256m\nloops=40\ninvalidate=0",
        None,
    ),
    (
        "uncached scan",
        "rw=read\nbs=4k\nsize=4g\nloops=2",
        Some(LITTLE_MEMORY),
    ),
    (
        "uncached random",
        "rw=randread\nbs=4k\nsize=4g",
        Some(LITTLE_MEMORY),
    ),
    (
        "uncached random direct",
        "rw=randread\nbs=4k\nsize=4g\ndirect=1\nioengine=libaio\niodepth=16",
        Some(LITTLE_MEMORY),
    ),
    (
        "writes into memory",
        "rw=write\nbs=4k\nsize=1g\nloops=4",
        None,
    ),
    (
        "writes at the limit",
        "rw=write\nbs=4k\nsize=4g",
        Some(LITTLE_MEMORY),
    ),
    (
        "writes with fsync",
        "rw=write\nbs=4k\nsize=1g\nfsync=1",
        Some(LITTLE_MEMORY),
    ),
    (
        "8 readers",
        "rw=randread\nbs=4k\nsize=512m\nnumjobs=8",
        Some(LITTLE_MEMORY),
    ),
];

/// Name and job of rows on a file server that has all files in memory, one link away.
const REMOTE_ROWS: &[(&str, &str)] = &[
    ("remote random", "rw=randread\nbs=4k\nsize=4g"),
    (
        "remote random direct",
        "rw=randread\nbs=4k\nsize=4g\ndirect=1\nioengine=libaio\niodepth=16",
    ),
    ("remote scan", "rw=read\nbs=4k\nsize=4g"),
    ("remote writes", "rw=write\nbs=4k\nsize=1g"),
];

/// A server one link of 10 Gbit/s away, mounted by version 4.2.
fn remote(profile: &Profile) -> RemoteSystem<'_> {
    RemoteSystem {
        mount: Mount {
            version: Version::V4 { minor: 2 },
            protocol: Protocol::Tcp,
            read_bytes: 1 << 20,
            write_bytes: 1 << 20,
            attributes_s: None,
            sync: false,
        },
        clients: 1,
        client_costs: CallCosts::ASSUMED,
        client_link: Some(NamedLine {
            name: "cable".to_owned(),
            line: Line {
                bits_per_s: Some(10_000_000_000),
                delay_ns: 20_000,
                mtu_bytes: 1500,
            },
        }),
        server_link: None,
        server: ServerMachine {
            name: "server".to_owned(),
            profile,
            memory_bytes: None,
            processors: 4,
            threads: 8,
            is_async: false,
            costs: CallCosts::ASSUMED,
        },
    }
}

/// Simulates jobs with a seed.
type Simulation<'a> = dyn Fn(&[Job], u64) -> Result<Vec<JobResult>, SimulationError> + 'a;

/// Runs a row as often as is needed for its median.
fn measure(name: &str, job: &str, run: &Simulation<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let text = format!("[job]\n{job}\n");
    let jobs = JobFile::parse(&text, Path::new("bench.fio"))?.jobs;
    let mut timed = Vec::new();
    for seed in 0..RUNS {
        let started = processor_time();
        let results = run(&jobs, seed as u64)?;
        let seconds = processor_time() - started;
        let reads: u64 = results
            .iter()
            .filter_map(|it| it.outcome.total.requests)
            .sum();
        timed.push((seconds, reads));
    }
    timed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (seconds, reads) = timed[RUNS / 2];
    println!(
        "{name}\t{reads}\t{seconds:.3}\t{:.2}",
        reads as f64 / seconds / 1e6
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let profile = Profile::parse(PROFILE, Path::new("drive.toml"))?;
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| !it.starts_with("--"))
        .collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|it| it == name);
    let system = |memory_bytes, seed| System {
        profile: &profile,
        memory_bytes,
        seed,
    };
    for (name, job, memory_bytes) in ROWS.iter().filter(|row| is_chosen(row.0)) {
        measure(name, job, &|jobs, seed| {
            simulate(jobs, &system(*memory_bytes, seed), &|| true)
        })?;
    }
    let remote = remote(&profile);
    for (name, job) in REMOTE_ROWS.iter().filter(|row| is_chosen(row.0)) {
        measure(name, job, &|jobs, seed| {
            simulate_remote(jobs, &system(Some(LITTLE_MEMORY), seed), &remote, &|| true)
        })?;
    }
    Ok(())
}
