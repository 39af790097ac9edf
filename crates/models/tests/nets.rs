//! The nets of file systems read as plain loops over pages do, and as the simulation of fio's jobs does.

mod plain;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use hotset_models::fio::{JobFile, JobResult, System, simulate};
use hotset_models::nets::{CopyCost, CopyLevel};
use hotset_models::nets::{NetDisk, NetReadAhead, NetScheduler, ReadJob, ext3_read, ext4_read};
use hotset_petri::{Choice, Net, NetError};
use hotset_scenario::{CostLine, FileSystemSpec, PageCacheKind, Profile, ReadAheadKind, Reading};
use plain::{Totals, ext3, ext4};
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

/// What a net's only run counts until nothing can fire any more.
fn run(net: &Net) -> Totals {
    let mut run = net.simulate(1, 0, Choice::Fair);
    run.run_firings(u64::MAX).unwrap();
    let names: Vec<&str> = net.monitors().collect();
    let at = |name: &str| names.iter().position(|it| *it == name).unwrap();
    let counts = run.counts();
    let count = |name: &str| counts[at(name)].unwrap();
    let response = at("application read/response time");
    let mean = run.monitors()[response].unwrap_or(0.0);
    Totals {
        hits: count("application read/blocks from memory"),
        misses: count("application read/blocks from the disk"),
        pages_read: count("disk/pages"),
        map_blocks_read: count("disk/map blocks"),
        requests: count("disk/requests"),
        // Whole nanoseconds: the mean of so few is exact enough.
        response_ns: (mean * counts[response].unwrap() as f64 * 1e9).round() as u64,
    }
}

/// How the net of ext3 reads ahead.
const POLICIES: [NetReadAhead; 3] = [
    NetReadAhead::OnDemand,
    NetReadAhead::TwoWindows,
    NetReadAhead::PreFetch {
        least_bytes: 16 << 10,
    },
];

fn sequential(file_bytes: u64, block_bytes: u64) -> ReadJob {
    let blocks = file_bytes / block_bytes;
    ReadJob {
        file_bytes,
        offsets: (0..blocks).map(|it| it * block_bytes).collect(),
        block_bytes,
        repeats: false,
        memory_bytes: 1 << 30,
        cached: false,
        mapped: false,
        read_ahead_bytes: 128 << 10,
        read_ahead: NetReadAhead::OnDemand,
        loop_ns: 122,
        call_ns: 1000,
        copy: CopyCost::constant(512.0),
        scheduler: NetScheduler::None,
        disk: NetDisk::constant(99_000, 2.0),
        // That of simulated jobs, whose profile has two queues.
        unused_ns: 30_000_000_000,
    }
}

/// The same with blocks in a random order.
fn random(job: ReadJob, seed: u64) -> ReadJob {
    let mut blocks: Vec<u32> = (0..job.offsets.len() as u32).collect();
    blocks.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
    let offsets = blocks
        .iter()
        .map(|it| u64::from(*it) * job.block_bytes)
        .collect();
    ReadJob { offsets, ..job }
}

fn twice(mut job: ReadJob) -> ReadJob {
    job.offsets.extend_from_within(..);
    job
}

fn jobs() -> Vec<ReadJob> {
    let mut jobs = Vec::new();
    for block in [512, 4096, 6000, 16384, 65536, 300_000] {
        for memory in [1 << 20, 1 << 30] {
            for cached in [false, true] {
                let job = ReadJob {
                    memory_bytes: memory,
                    cached,
                    mapped: cached,
                    ..sequential(5 << 20, block)
                };
                jobs.push(twice(job.clone()));
                jobs.push(twice(random(job, 3)));
            }
        }
    }
    jobs
}

#[test]
fn the_net_of_ext3_reads_as_a_plain_loop_over_pages() {
    for (number, job) in jobs().into_iter().enumerate() {
        let job = ReadJob {
            unused_ns: 3_000_000,
            // Each job with one policy, each policy with jobs of every kind: there are four of a size.
            read_ahead: POLICIES[(number / 4 + number) % 3],
            ..job
        };
        let (net, plain) = (run(&ext3_read(&job).unwrap()), ext3(&job));
        assert_eq!(net, plain, "{}, {:?}", shown(&job), job.read_ahead);
    }
}

#[test]
fn the_net_of_ext4_reads_as_a_plain_loop_over_pages() {
    for job in jobs() {
        let (net, plain) = (run(&ext4_read(&job).unwrap()), ext4(&job));
        assert_eq!(net, plain, "{}", shown(&job));
    }
}

fn shown(job: &ReadJob) -> String {
    let first: Vec<u64> = job.offsets.iter().copied().take(6).collect();
    let (block, memory, cached) = (job.block_bytes, job.memory_bytes, job.cached);
    format!("{block} bytes at {first:?}…, memory {memory}, cached {cached}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_order_of_blocks_is_read_as_by_a_plain_loop(
        places in prop::collection::vec(0u64..300, 1..150),
        block in prop::sample::select(vec![1000u64, 4096, 8192]),
        memory_pages in 40u64..400,
        read_ahead_pages in 0u64..33,
        unused_ms in 1u64..50,
        read_ahead in prop::sample::select(POLICIES.to_vec()),
    ) {
        let job = ReadJob {
            read_ahead,
            offsets: places.iter().map(|it| it * block).collect(),
            memory_bytes: memory_pages * 4096,
            read_ahead_bytes: read_ahead_pages * 4096,
            unused_ns: unused_ms * 1_000_000,
            copy: CopyCost {
                levels: vec![CopyLevel { threshold_bytes: 4096, page_ns: 300.0 }],
                memory_page_ns: 700.0,
            },
            ..sequential(300 * block, block)
        };
        prop_assert_eq!(run(&ext3_read(&job).unwrap()), ext3(&job));
        prop_assert_eq!(run(&ext4_read(&job).unwrap()), ext4(&job));
    }
}

/// A net and what a profile has for the same, but for costs.
struct Pair {
    file_system: &'static str,
    net: fn(&ReadJob) -> Result<Net, NetError>,
    reading: Reading,
}

fn of_today() -> Pair {
    Pair {
        file_system: "ext4",
        net: ext4_read,
        reading: Reading::default(),
    }
}

/// The net of ext3 under a policy of read-ahead.
fn of_linux_2_6(read_ahead: NetReadAhead) -> Pair {
    Pair {
        file_system: "ext3",
        net: ext3_read,
        reading: Reading {
            page_cache: PageCacheKind::TwoQueues,
            read_ahead: match read_ahead {
                NetReadAhead::OnDemand => ReadAheadKind::EarlyOnDemand,
                NetReadAhead::TwoWindows => ReadAheadKind::TwoWindows,
                NetReadAhead::PreFetch { .. } => ReadAheadKind::PreFetch,
            },
            ..Reading::default()
        },
    }
}

/// A job under every policy of the net of ext3, simulated.
#[track_caller]
fn is_simulated_alike_of_linux_2_6(job: &ReadJob) {
    for read_ahead in POLICIES {
        let job = ReadJob {
            read_ahead,
            ..job.clone()
        };
        is_simulated_alike(&job, &of_linux_2_6(read_ahead), slack(&job));
    }
}

/// The profile whose costs those of [`sequential`] are: a call of 1 µs, 8000 bytes/µs from memory; 99 µs, then 500 bytes/µs.
fn profile(pair: &Pair, read_ahead_bytes: u64) -> Profile {
    Profile {
        open_us: 0.0,
        cached: CostLine {
            fixed_us: 1.0,
            bytes_per_us: 8000.0,
        },
        uncached: CostLine {
            fixed_us: 100.0,
            bytes_per_us: 500.0,
        },
        reading: Some(Reading {
            read_ahead_bytes,
            ..pair.reading
        }),
        file_system: Some(FileSystemSpec::new(pair.file_system, 4096)),
        ..Profile::builtin("memory").unwrap()
    }
}

/// Logs written by this test.
static LOGS: AtomicU32 = AtomicU32::new(0);

/// The same job simulated as fio's that replays a log of its reads.
fn simulated(job: &ReadJob, pair: &Pair) -> JobResult {
    let mut log = "fio version 2 iolog\nfile add\nfile open\n".to_owned();
    for offset in &job.offsets {
        log += &format!("file read {offset} {}\n", job.block_bytes);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let number = LOGS.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("nets-{number}.log"));
    fs::write(&path, log + "file close\n").unwrap();
    let text = format!(
        "[job]\nread_iolog={}\nfadvise_hint=0\ninvalidate={}\n",
        path.display(),
        u8::from(!job.cached),
    );
    let jobs = folder.join(format!("nets-{number}.fio"));
    fs::write(&jobs, text).unwrap();
    let file = JobFile::load(&jobs).unwrap();
    let profile = profile(pair, job.read_ahead_bytes);
    let system = System {
        profile: &profile,
        memory_bytes: Some(job.memory_bytes),
        seed: 7,
    };
    simulate(&file.jobs, &system, &|| true).unwrap().remove(0)
}

/// The net of a job counts what the simulation of the same reads counts, but for `slack` blocks. It takes as long, but for that
/// slack and a block's time at each request: the simulation goes through all pages of a read that are in memory before it
/// copies them, and asks for what is ahead of them then; the net copies page by page.
#[track_caller]
fn is_simulated_alike(job: &ReadJob, pair: &Pair, slack: u64) {
    let job = ReadJob {
        mapped: true,
        ..job.clone()
    };
    let net = run(&(pair.net)(&job).unwrap());
    let fast = simulated(&job, pair);
    let shown = format!("{}, {}", pair.file_system, shown(&job));
    let hits = fast.outcome.total.hits.unwrap();
    assert!(
        net.hits.abs_diff(hits) <= slack,
        "{} hits, simulated {hits}: {shown}",
        net.hits
    );
    let pages = fast.device_bytes / 4096;
    let pages_apart = net.pages_read.abs_diff(pages);
    let pages_of_a_block = match job.read_ahead {
        NetReadAhead::PreFetch { least_bytes } => least_bytes / 4096,
        NetReadAhead::OnDemand | NetReadAhead::TwoWindows => 1,
    };
    assert!(
        pages_apart <= slack * pages_of_a_block,
        "{} pages, simulated {pages}: {shown}",
        net.pages_read
    );
    let blocks = job.offsets.len() as u64;
    let net_ns = (net.response_ns + (blocks - 1) * job.loop_ns) as f64;
    let fast_ns = fast.seconds * 1e9;
    let block_ns = match job.block_bytes {
        4096 => 0.0,
        bytes => job.call_ns as f64 + bytes as f64 / 8.0,
    };
    // A block of the slack may wait for a window of its own: the delay, and 128 KiB at 500 bytes/µs.
    let slack_ns = slack as f64 * (99_000.0 + 262_144.0);
    // Nanoseconds that either cuts off.
    let rounding = 3.0 * blocks as f64;
    let most = net.requests as f64 * block_ns + slack_ns + rounding;
    assert!(
        (net_ns - fast_ns).abs() <= most,
        "{net_ns} ns, simulated {fast_ns} ns, at most {most} ns apart: {shown}"
    );
}

/// Blocks by which the net of ext3 and the simulation may differ where memory is smaller than the file: half a percent, and
/// eight. Indirect blocks of the simulation take room in memory, those of the net do not.
fn slack(job: &ReadJob) -> u64 {
    match job.memory_bytes < job.file_bytes {
        true => 8 + job.offsets.len() as u64 / 200,
        false => 0,
    }
}

#[test]
fn jobs_that_read_in_a_row_are_simulated_as_the_nets_read() {
    for block in [4096, 16384, 65536] {
        for memory in [4 << 20, 1 << 30] {
            let job = ReadJob {
                memory_bytes: memory,
                ..sequential(16 << 20, block)
            };
            is_simulated_alike(&job, &of_today(), 0);
            is_simulated_alike_of_linux_2_6(&job);
        }
    }
}

#[test]
fn jobs_that_read_at_random_are_simulated_as_the_nets_read() {
    for memory in [4 << 20, 1 << 30] {
        let job = ReadJob {
            memory_bytes: memory,
            ..random(sequential(16 << 20, 4096), 5)
        };
        is_simulated_alike(&job, &of_today(), 0);
        for job in [job.clone(), twice(job)] {
            is_simulated_alike(&job, &of_today(), 0);
            is_simulated_alike_of_linux_2_6(&job);
        }
    }
}

#[test]
fn jobs_whose_file_was_read_before_are_simulated_as_the_nets_read() {
    for memory in [8 << 20, 1 << 30] {
        let job = ReadJob {
            memory_bytes: memory,
            cached: true,
            ..sequential(16 << 20, 4096)
        };
        for job in [job.clone(), twice(random(job, 5))] {
            is_simulated_alike(&job, &of_today(), 0);
            is_simulated_alike_of_linux_2_6(&job);
        }
    }
}
