//! Simulated jobs: what follows from a profile's lines without any simulation must come out.

use std::path::Path;

use hotset_models::fio::{Bottleneck, JobFile, JobResult, System, simulate};
use hotset_scenario::{CostLine, PageCacheKind, Profile, ReadAheadKind, Reading};

/// A call of 1 µs and 8000 bytes/µs from memory; a device of 99 µs, then 500 bytes/µs.
fn profile(reading: Reading) -> Profile {
    let cached = CostLine {
        fixed_us: 1.0,
        bytes_per_us: 8000.0,
    };
    let uncached = CostLine {
        fixed_us: 100.0,
        bytes_per_us: 500.0,
    };
    Profile {
        reading: Some(reading),
        ..Profile::of_lines("test", cached, uncached, "")
    }
}

fn run_with(jobs: &str, reading: Reading, memory_bytes: Option<u64>) -> Vec<JobResult> {
    let file = JobFile::parse(jobs, Path::new("jobs.fio")).unwrap();
    let profile = profile(reading);
    let system = System {
        profile: &profile,
        memory_bytes,
        seed: 7,
    };
    simulate(&file.jobs, &system, &|| true).unwrap()
}

fn run(jobs: &str) -> JobResult {
    run_with(jobs, Reading::default(), None).remove(0)
}

fn mean_us(result: &JobResult) -> f64 {
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
fn reads_from_memory_cost_what_the_cached_line_says() {
    let result = run("[a]\nrw=randread\nbs=16k\nsize=16m\ninvalidate=0\n");
    assert_eq!(result.outcome.total.hit_ratio(), Some(1.0));
    assert_eq!(result.device_bytes, 0);
    near(mean_us(&result), 1.0 + 16384.0 / 8000.0, 0.001);
    assert_eq!(result.bottleneck, Some(Bottleneck::Processor));
}

#[test]
fn random_reads_from_the_device_cost_what_the_uncached_line_says() {
    let result = run("[a]\nrw=randread\nbs=4k\nsize=16m\n");
    assert_eq!(result.outcome.total.hits, Some(0));
    assert_eq!(
        result.device_bytes,
        16 << 20,
        "advice against read-ahead is heeded"
    );
    near(
        mean_us(&result),
        100.0 + 4096.0 / 500.0 + 4096.0 / 8000.0,
        0.001,
    );
    assert_eq!(result.bottleneck, Some(Bottleneck::Device));
}

#[test]
fn a_sequential_reader_gets_the_rate_of_the_device_by_read_ahead() {
    for bs in ["4k", "64k", "1m"] {
        let result = run(&format!("[a]\nrw=read\nbs={bs}\nsize=256m\n"));
        near(result.bytes_per_s / 1e6, 500.0, 0.05);
        assert_eq!(result.device_bytes, 256 << 20, "{bs}");
    }
}

#[test]
fn without_advice_small_random_reads_are_not_read_ahead_but_sequential_ones_are() {
    let random = run("[a]\nrw=randread\nbs=4k\nsize=64m\nio_size=1m\nfadvise_hint=0\n");
    assert!(random.device_bytes < 3 << 20, "{}", random.device_bytes);
    let sequential = run("[a]\nrw=read\nbs=4k\nsize=64m\nfadvise_hint=0\n");
    let hits = sequential.outcome.total.hit_ratio().unwrap();
    assert!(hits > 0.9, "{hits}");
}

#[test]
fn memory_smaller_than_the_file_serves_its_share_of_random_reads() {
    let jobs = "[a]\nrw=randread\nbs=4k\nsize=64m\nloops=8\ninvalidate=0\nnorandommap\n";
    let result = run_with(jobs, Reading::default(), Some(32 << 20)).remove(0);
    near(result.outcome.total.hit_ratio().unwrap(), 0.5, 0.05);
    let tiny = run_with(jobs, Reading::default(), Some(4096)).remove(0);
    assert!(tiny.outcome.total.hit_ratio().unwrap() < 0.01);
    let none = run_with(
        "[a]\nrw=read\nbs=64k\nsize=1m\n",
        Reading::default(),
        Some(0),
    )
    .remove(0);
    assert_eq!(none.outcome.total.requests, Some(16));
}

#[test]
fn a_deep_queue_gets_as_much_as_the_device_does_at_once() {
    let job = |depth| {
        format!("[a]\nrw=randread\nbs=4k\nsize=64m\ndirect=1\nioengine=libaio\niodepth={depth}\n")
    };
    let reading = Reading {
        parallel: 8.0,
        ..Reading::default()
    };
    let rate = |depth| run_with(&job(depth), reading, None).remove(0).bytes_per_s;
    near(rate(2) / rate(1), 2.0, 0.05);
    // parallel is of blocks of 64 KiB: 8 × 99 of 230 µs overlap, so 3 delays at a time.
    near(rate(64) / rate(1), 3.0, 0.15);
}

#[test]
fn libaio_reads_through_the_page_cache_one_after_the_other_and_takes_each_back_late() {
    let job =
        |depth| format!("[a]\nrw=randread\nbs=4k\nsize=16m\nioengine=libaio\niodepth={depth}\n");
    let (one, deep) = (run(&job(1)), run(&job(8)));
    near(deep.bytes_per_s, one.bytes_per_s, 0.001);
    near(mean_us(&deep), 8.0 * mean_us(&one), 0.01);
    assert_eq!(deep.outcome.total.requests, Some(4096));
}

#[test]
fn io_uring_has_reads_through_the_page_cache_under_way_at_the_same_time() {
    let job = |direct, depth| {
        format!(
            "[a]\nrw=randread\nbs=4k\nsize=16m\nioengine=io_uring\ndirect={direct}\niodepth={depth}\n"
        )
    };
    let reading = Reading {
        parallel: 8.0,
        ..Reading::default()
    };
    let rate = |direct, depth| {
        run_with(&job(direct, depth), reading, None)
            .remove(0)
            .bytes_per_s
    };
    near(rate(0, 8), rate(1, 8), 0.03);
    assert!(rate(0, 8) > 2.0 * rate(0, 1));
}

#[test]
fn processes_share_the_processors() {
    let job = |count| {
        format!("[a]\nrw=randread\nbs=64k\nsize=16m\ninvalidate=0\nnumjobs={count}\nloops=4\n")
    };
    let reading = Reading {
        processors: 2,
        ..Reading::default()
    };
    let rate = |count| run_with(&job(count), reading, None).remove(0).bytes_per_s;
    near(rate(2) / rate(1), 2.0, 0.02);
    near(rate(4) / rate(1), 2.0, 0.02);
}

#[test]
fn pauses_and_rates_are_kept() {
    let rated = run("[a]\nrw=read\nbs=64k\nsize=64m\nrate=10m\n");
    near(rated.bytes_per_s, 10.0 * (1 << 20) as f64, 0.02);
    assert_eq!(rated.bottleneck, Some(Bottleneck::Pauses));
    let pausing = run("[a]\nrw=read\nbs=4k\nsize=4m\nthinktime=1000\n");
    near(
        pausing.outcome.total.throughput_per_s.unwrap(),
        1000.0,
        0.05,
    );
}

#[test]
fn time_ends_a_job_or_begins_it_anew() {
    let cut = run("[a]\nrw=read\nbs=64k\nsize=64g\nruntime=1s\n");
    near(cut.seconds, 1.0, 0.01);
    let again = run("[a]\nrw=read\nbs=64k\nsize=1m\nruntime=1s\ntime_based\nramp_time=1s\n");
    near(again.seconds, 1.0, 0.01);
    assert!(again.outcome.total.requests.unwrap() > 5000);
}

#[test]
fn bytes_and_times_are_those_of_reads_of_several_sizes() {
    for order in ["read", "randread\nnorandommap"] {
        let result = run(&format!(
            "[a]\nrw={order}\nbssplit=4k/50:64k/50\nsize=64m\nio_size=256m\ninvalidate=0\n"
        ));
        let reads = result.outcome.total.requests.unwrap() as f64;
        let bytes = result.outcome.total.bytes.unwrap() as f64;
        near(bytes, f64::from(256 << 20), 0.001);
        near(bytes / reads, f64::from((4 << 10) + (64 << 10)) / 2.0, 0.03);
        near(mean_us(&result), 1.0 + bytes / reads / 8000.0, 0.002);
    }
}

#[test]
fn a_pass_at_random_reads_all_bytes_once_whatever_their_sizes() {
    for sizes in [
        "bssplit=4k/50:64k/50",
        "bsrange=4k-64k",
        "bs=12k",
        "bssplit=12k/90:64k",
    ] {
        let result = run(&format!(
            "[a]\nrw=randread\n{sizes}\nsize=12m\nloops=2\ninvalidate=1\n"
        ));
        assert_eq!(result.outcome.total.bytes, Some(24 << 20), "{sizes}");
        assert_eq!(result.outcome.total.hits, Some(0), "{sizes}");
    }
}

#[test]
fn a_job_that_begins_later_is_counted_from_then_on() {
    let later = run("[a]\nrw=read\nbs=64k\nsize=64g\nruntime=1s\nstartdelay=5s\n");
    near(later.seconds, 1.0, 0.01);
    assert_eq!(later.bottleneck, Some(Bottleneck::Device));
    let rated = run("[a]\nrw=read\nbs=64k\nsize=64m\nrate_iops=160\nstartdelay=3s\n");
    near(rated.seconds, 1024.0 / 160.0, 0.02);
}

#[test]
fn what_the_device_and_processors_do_in_a_ramp_is_not_counted() {
    // Blocks are drawn anew each time, so that the file is dropped from memory at the start alone.
    let job = "[a]\nrw=randread\nbs=4k\nsize=1m\nnorandommap\ntime_based\nruntime=100ms\n";
    let cold = run(job);
    assert_eq!(cold.device_bytes, 1 << 20, "each block once");
    let warm = run(&format!("{job}ramp_time=100ms\n"));
    near(warm.seconds, 0.1, 0.01);
    assert_eq!(warm.outcome.total.hit_ratio(), Some(1.0));
    assert_eq!(warm.device_bytes, 0);
    assert_eq!(warm.bottleneck, Some(Bottleneck::Processor));
    let busy = |result: &JobResult, name: &str| {
        let mut resources = result.outcome.resources.iter();
        let found = resources.find(|it| it.name.starts_with(name)).unwrap();
        found.utilisation.unwrap()
    };
    assert!(busy(&cold, "device") > 0.1);
    assert_eq!(busy(&warm, "device"), 0.0);
    assert!(busy(&warm, "processors") > busy(&cold, "processors"));
}

#[test]
fn a_counted_read_that_waits_reads_its_block_whenever_the_ramp_ends() {
    let job = "[a]\nrw=randread\nbs=4k\nsize=8m\nnorandommap\ntime_based\nruntime=1s\n";
    for ramp in ["", "ramp_time=1s\n"] {
        let jobs = format!("{job}{ramp}");
        let result = run_with(&jobs, Reading::default(), Some(4 << 20)).remove(0);
        let total = &result.outcome.total;
        let missed = total.requests.unwrap() - total.hits.unwrap();
        assert!(missed > 1000, "{missed}");
        assert_eq!(result.device_bytes, missed * 4096, "{ramp}");
    }
}

#[test]
fn nothing_is_counted_of_a_job_that_ends_within_its_ramp() {
    let result = run("[a]\nrw=read\nbs=64k\nsize=1m\nramp_time=2s\n");
    assert_eq!(result.outcome.total.requests, Some(0));
    assert_eq!((result.device_bytes, result.bottleneck), (0, None));
    let mut resources = result.outcome.resources.iter();
    assert!(resources.all(|it| it.utilisation == Some(0.0)));
    // The next stage is not concerned.
    let jobs = "[a]\nrw=read\nsize=1m\nramp_time=2s\n[b]\nstonewall\nrw=read\nsize=1m\n";
    let after = run_with(jobs, Reading::default(), None).remove(1);
    assert_eq!(after.device_bytes, 1 << 20);
    assert!(after.outcome.resources[0].utilisation > Some(0.0));
}

#[test]
fn a_stonewall_waits_and_finds_what_was_read_before() {
    let jobs = "[cold]\nrw=read\nbs=64k\nsize=16m\nfilename=x\n[warm]\nstonewall\nrw=read\nbs=64k\nsize=16m\nfilename=x\n\
                invalidate=0\n";
    let results = run_with(jobs, Reading::default(), None);
    assert!(results[0].device_bytes == 16 << 20 && results[1].device_bytes == 0);
    assert_eq!(results[1].outcome.total.hit_ratio(), Some(1.0));
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let jobs = "[a]\nrw=randread\nbs=4k\nsize=16m\nnumjobs=3\n[b]\nrw=read\nbs=12k\nsize=9m\noffset=5000\n";
    let once = run_with(jobs, Reading::default(), Some(8 << 20));
    assert_eq!(once, run_with(jobs, Reading::default(), Some(8 << 20)));
}

#[test]
fn jobs_too_large_to_be_followed_are_refused() {
    let file = JobFile::parse("[a]\nrw=read\nbs=4k\nsize=16t\n", Path::new("jobs.fio")).unwrap();
    let profile = profile(Reading::default());
    let system = System {
        profile: &profile,
        memory_bytes: None,
        seed: 0,
    };
    let error = simulate(&file.jobs, &system, &|| true).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("give smaller sizes or larger blocks"),
        "{error}"
    );
}

#[test]
fn jobs_that_take_longer_than_times_can_say_are_refused() {
    let slow = Profile {
        uncached: CostLine {
            fixed_us: 1e12,
            bytes_per_us: 1e-6,
        },
        ..profile(Reading::default())
    };
    let usual = profile(Reading::default());
    for (jobs, profile) in [
        ("[a]\nsize=4g\nbs=1m\nrate=1\n", &usual),
        ("[a]\nsize=1g\nthinktime=30d\n", &usual),
        ("[a]\nrw=randread\nsize=1g\n", &slow),
        (
            "[a]\nrw=randread\nsize=1g\ndirect=1\nioengine=libaio\niodepth=64\n",
            &slow,
        ),
        ("[a]\nrw=read\nsize=8t\nbs=1g\ndirect=1\n", &slow),
    ] {
        let file = JobFile::parse(jobs, Path::new("jobs.fio")).unwrap();
        let system = System {
            profile,
            memory_bytes: None,
            seed: 0,
        };
        let error = simulate(&file.jobs, &system, &|| true).unwrap_err();
        assert!(
            error.to_string().contains("longer than a hundred years"),
            "{jobs}: {error}"
        );
    }
}

#[test]
fn a_rate_does_not_hold_a_job_beyond_its_runtime() {
    let jobs = "[a]\nsize=1g\nbs=1m\nrate=1k\nruntime=2s\n[b]\nstonewall\nsize=1m\n";
    let results = run_with(jobs, Reading::default(), None);
    let busy = &results[0].outcome.resources[0];
    assert!(results[0].outcome.total.requests == Some(1), "{busy:?}");
    assert!(busy.utilisation.unwrap() > 1e-5, "{busy:?}");
}

#[test]
fn files_read_past_the_page_cache_may_be_larger_than_it_could_follow() {
    let jobs = "[a]\nrw=randread\nsize=4t\nio_size=4m\ndirect=1\nnorandommap\n";
    assert_eq!(run(jobs).outcome.total.requests, Some(1024));
}

#[test]
fn older_kernels_read_the_same_bytes_by_other_policies() {
    for page_cache in [
        PageCacheKind::Linux,
        PageCacheKind::MultiGenerational,
        PageCacheKind::TwoQueues,
    ] {
        for read_ahead in [
            ReadAheadKind::OnDemand,
            ReadAheadKind::EarlyOnDemand,
            ReadAheadKind::TwoWindows,
            ReadAheadKind::PreFetch,
            ReadAheadKind::Adaptive,
        ] {
            let reading = Reading {
                page_cache,
                read_ahead,
                ..Reading::default()
            };
            let scan = "[a]\nrw=read\nbs=64k\nsize=32m\n";
            let scan = run_with(scan, reading, Some(8 << 20)).remove(0);
            assert_eq!(scan.device_bytes, 32 << 20, "{page_cache:?} {read_ahead:?}");
            near(scan.bytes_per_s / 1e6, 500.0, 0.25);
            let random = "[a]\nrw=randread\nbs=4k\nsize=32m\nloops=8\ninvalidate=0\nnorandommap\n";
            let random = run_with(random, reading, Some(16 << 20)).remove(0);
            let hits = random.outcome.total.hit_ratio().unwrap();
            assert!(
                (0.3..0.7).contains(&hits),
                "{page_cache:?} {read_ahead:?}: {hits}"
            );
        }
    }
}
