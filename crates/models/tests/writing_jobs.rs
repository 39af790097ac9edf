//! Simulated jobs that write: what follows from a profile's lines without any simulation must come out.

use std::path::Path;

use hotset_models::fio::{Bottleneck, JobResult, Operation, OperationResult};
use hotset_scenario::{CostLine, Profile, Scheduler};
use proptest::prelude::*;

use crate::support::{drive, near, run};

/// A call of 1 µs and 8000 bytes/µs from memory; a device of 99 µs, then 500 bytes/µs; `more` besides.
fn profile(more: &str) -> Profile {
    let text = format!(
        "open_us = 0.0\n[cached]\nfixed_us = 1.0\nbytes_per_us = 8000.0\n[uncached]\nfixed_us = 100.0\nbytes_per_us = 500.0\n{more}"
    );
    Profile::parse(&text, Path::new("test.toml")).unwrap()
}

fn one(jobs: &str, profile: &Profile, memory_bytes: Option<u64>) -> JobResult {
    run(jobs, profile, memory_bytes).remove(0)
}

fn of(result: &JobResult, operation: Operation) -> OperationResult {
    let mut all = result.operations.iter().copied();
    all.find(|it| it.operation == operation)
        .unwrap_or_else(|| panic!("no {operation:?} in {result:?}"))
}

#[test]
fn writes_into_memory_cost_what_copying_does_and_wait_for_nothing() {
    let result = one("[a]\nrw=randwrite\nbs=16k\nsize=16m\n", &profile(""), None);
    let writes = of(&result, Operation::Write);
    assert_eq!((writes.requests, writes.bytes), (1024, 16 << 20));
    near(writes.mean_us, 1.0 + 16384.0 / 8000.0, 0.001);
    assert_eq!(result.outcome.total.hit_ratio(), Some(1.0));
    assert_eq!(result.device_written_bytes.data, 0);
    assert_eq!(result.device_bytes, 0, "nothing is read to be written");
    assert_eq!(result.bottleneck, Some(Bottleneck::Processor));
    assert_eq!(result.operations.len(), 1);
}

#[test]
fn writes_cost_what_the_profile_says_of_writing() {
    let rows = "[[write]]\nblock_bytes = 4096\nus = 5.0\n[[write]]\nblock_bytes = 8192\nus = 7.0\n";
    let job = |bs| format!("[a]\nrw=write\nbs={bs}\nsize=16m\n");
    for (bs, us) in [("4k", 5.0), ("8k", 7.0), ("16k", 14.0)] {
        let result = one(&job(bs), &profile(rows), None);
        near(of(&result, Operation::Write).mean_us, us, 0.001);
    }
}

#[test]
fn the_first_write_after_a_sync_costs_what_the_profile_says_of_it() {
    let rows = |more: &str| format!("[[write]]\nblock_bytes = 4096\nus = 5.0\n{more}");
    let job = "[a]\nrw=write\nbs=4k\nsize=4m\nfsync=4\n";
    let mean_us = |more: &str| {
        let result = one(job, &profile(&rows(more)), None);
        of(&result, Operation::Write).mean_us
    };
    near(mean_us(""), 5.0, 0.001);
    // Of four writes one comes first; the very first comes after no sync.
    let first = 255.0 / 1024.0 * 20.0;
    near(mean_us("after_sync_us = 25.0\n"), 5.0 + first, 0.001);
}

#[test]
fn pages_that_are_new_in_memory_cost_what_the_profile_says_of_them() {
    let rows = |more: &str| format!("[[write]]\nblock_bytes = 4096\nus = 5.0\n{more}");
    let mean_us = |loops: u32, more: &str| {
        let job = format!("[a]\nrw=write\nbs=4k\nsize=4m\ninvalidate=0\nloops={loops}\n");
        let result = one(&job, &profile(&rows(more)), None);
        of(&result, Operation::Write).mean_us
    };
    near(mean_us(1, ""), 5.0, 0.001);
    near(mean_us(1, "new_pages_us = 9.0\n"), 9.0, 0.001);
    // The second pass goes over what the first has left in memory.
    near(mean_us(2, "new_pages_us = 9.0\n"), 7.0, 0.001);
}

#[test]
fn writes_after_syncs_scatter_as_the_profile_says() {
    let job = "[a]\nrw=write\nbs=4k\nsize=4m\nfsync=4\n";
    let writes = |quantiles: &str| {
        let row = "[[write]]\nblock_bytes = 4096\nus = 5.0\nafter_sync_us = 6.0\n";
        let profile = profile(&format!("{row}after_sync_quantiles_us = {quantiles}\n"));
        of(&one(job, &profile, None), Operation::Write)
    };
    let alike = writes("[25.0, 25.0, 25.0, 25.0, 25.0, 25.0]");
    near(alike.mean_us, 5.0 + 255.0 / 1024.0 * 20.0, 0.001);
    // Half of them take 5 µs, a quarter 105 µs, and those between 55 µs on average.
    let apart = writes("[5.0, 5.0, 5.0, 105.0, 105.0, 105.0]");
    let more_us = (13.75 + 26.25 + 2.5) - 5.0;
    near(apart.mean_us, 5.0 + 255.0 / 1024.0 * more_us, 0.2);
    assert!(apart.p99_us > 90.0, "{apart:?}");
}

#[test]
fn a_sync_at_the_end_has_all_on_the_device_at_its_rate() {
    for mode in ["write", "randwrite"] {
        let job = format!("[a]\nrw={mode}\nbs=64k\nsize=256m\nend_fsync=1\n");
        let result = one(&job, &profile(""), None);
        assert_eq!(result.device_written_bytes.data, 256 << 20, "{mode}");
        assert_eq!(result.device_written_bytes.journal, 3 * 4096);
        assert_eq!(result.bottleneck, Some(Bottleneck::Flush));
        assert_eq!(of(&result, Operation::Fsync).requests, 1);
        // Copying, then the device: in the order of the file, however it was written.
        near(
            result.bytes_per_s / 1e6,
            1.0 / (1.0 / 500.0 + 1.0 / 7100.0),
            0.06,
        );
    }
    let closed = one(
        "[a]\nrw=write\nbs=64k\nsize=16m\nfsync_on_close=1\n",
        &profile(""),
        None,
    );
    assert_eq!(closed.device_written_bytes.data, 16 << 20);
}

#[test]
fn a_sync_after_each_write_takes_the_data_and_then_the_journal() {
    let job = "[a]\nrw=randwrite\nbs=4k\nsize=4m\nfsync=1\n";
    let data_us = 99.0 + 4096.0 / 500.0;
    // Descriptor, inode and the block that lists extents, once they are many; then the commit record.
    let journal_us = 2.0 * 99.0 + 16384.0 / 500.0;
    let result = one(job, &profile(""), None);
    let syncs = of(&result, Operation::Fsync);
    assert_eq!(syncs.requests, 1023, "fio ends with the last write");
    near(syncs.mean_us, 1.0 + data_us + journal_us, 0.01);
    let blocks = result.device_written_bytes.journal as f64 / 4096.0;
    near(blocks, 1023.0 * 4.0, 0.01);
    assert_eq!(result.device_written_bytes.metadata, 0, "not yet");
    assert_eq!(result.bottleneck, Some(Bottleneck::Journal));
    let without =
        profile("[file_system]\nkind = \"ext4\"\nblock_bytes = 4096\njournal = \"none\"\n");
    let result = one(job, &without, None);
    // Inode and the block that lists extents are written in place, both at once: the one is found while the other passes.
    near(
        of(&result, Operation::Fsync).mean_us,
        1.0 + data_us + 2.0 * 99.0 + 4096.0 / 500.0,
        0.01,
    );
    assert_eq!(result.device_written_bytes.journal, 0);
    let fewer = one(&job.replace("fsync=1", "fsync=16"), &without, None);
    assert_eq!(of(&fewer, Operation::Fsync).requests, 63);
}

#[test]
fn a_writer_at_the_limit_gets_the_rate_of_the_device() {
    let job = "[a]\nrw=write\nbs=64k\nsize=4g\n";
    let result = one(job, &profile(""), Some(256 << 20));
    near(result.bytes_per_s / 1e6, 500.0, 0.06);
    assert_eq!(result.bottleneck, Some(Bottleneck::Throttle));
    let limit = 256u64 << 20;
    let left = (4u64 << 30) - result.device_written_bytes.data;
    assert!(left < limit / 4, "{left} bytes are left");
    // A page is as good as any other: four writers share the rate.
    let job = "[a]\nrw=write\nbs=64k\nsize=1g\nnumjobs=4\n";
    let result = one(job, &profile(""), Some(256 << 20));
    near(result.bytes_per_s / 1e6, 500.0, 0.08);
}

#[test]
fn limits_in_bytes_hold_without_memory_being_given() {
    let job = "[a]\nrw=write\nbs=64k\nsize=1g\n";
    let limited = profile("[writing]\ndirty_limit_bytes = \"32MiB\"\n");
    let result = one(job, &limited, None);
    near(result.bytes_per_s / 1e6, 500.0, 0.08);
    let free = one(job, &profile(""), None);
    assert!(free.bytes_per_s > 5e9, "{}", free.bytes_per_s);
}

#[test]
fn requests_are_mixed_as_told_and_reads_and_writes_are_counted_apart() {
    let job = "[a]\nrw=randrw\nrwmixread=70\nbs=4k\nsize=64m\ninvalidate=0\n";
    let result = one(job, &profile(""), None);
    let (reads, writes) = (of(&result, Operation::Read), of(&result, Operation::Write));
    assert_eq!(reads.requests + writes.requests, 16_384);
    near(reads.requests as f64 / 16_384.0, 0.7, 0.02);
    assert_eq!(result.outcome.total.requests, Some(16_384));
    let all = one(&job.replace("70", "100"), &profile(""), None);
    assert_eq!(all.operations.len(), 1);
    let half = one(
        "[a]\nrw=rw\nbs=4k\nsize=64m\ninvalidate=0\n",
        &profile(""),
        None,
    );
    near(of(&half, Operation::Read).requests as f64, 8192.0, 0.04);
}

#[test]
fn reads_and_writes_in_a_row_each_go_on_where_the_last_one_ended() {
    let job = "[a]\nrw=rw\nbs=4k\nsize=64m\nend_fsync=1\n";
    let result = one(job, &profile(""), None);
    let (reads, writes) = (of(&result, Operation::Read), of(&result, Operation::Write));
    assert_eq!(reads.bytes + writes.bytes, 64 << 20);
    assert_eq!(
        result.device_written_bytes.data, writes.bytes,
        "each block once"
    );
    // What is read was read ahead, or had just been written.
    let random = one(&job.replace("rw=rw", "rw=randrw"), &profile(""), None);
    assert!(reads.mean_us < of(&random, Operation::Read).mean_us / 3.0);
}

#[test]
fn what_a_job_leaves_dirty_is_there_for_the_next_and_is_written_meanwhile() {
    let jobs = "[a]\nrw=write\nbs=64k\nsize=16m\nfilename=x\n\
                [b]\nstonewall\nrw=read\nbs=64k\nsize=16m\nfilename=x\n\
                [c]\nstonewall\nrw=write\nbs=4k\nsize=4k\nfilename=y\nstartdelay=40\n";
    let results = run(jobs, &profile(""), None);
    assert_eq!(results[0].device_written_bytes.data, 0);
    assert_eq!(results[1].device_bytes, 0, "dirty pages are not dropped");
    assert_eq!(results[1].outcome.total.hit_ratio(), Some(1.0));
    assert!(results[1].seconds < 1.0, "nobody waits for the flusher");
    assert_eq!(results[2].device_written_bytes.data, 0, "of its own file");
}

#[test]
fn write_back_throttling_has_a_read_wait_for_two_writes_of_a_drive_without_a_queue() {
    let jobs = "[read]\nrw=randread\nbs=4k\nsize=64m\nruntime=20\ntime_based\n\
                [write]\nrw=randwrite\nbs=4k\nsize=64m\nruntime=20\ntime_based\nfsync=64\n";
    let more = "scheduler = \"none\"\n";
    let profile = crate::support::profile(&drive(1 << 30, "fifo", more));
    let results = run(jobs, &profile, None);
    let [read, write] = &results[..] else {
        panic!("two jobs");
    };
    // Two of data, and what the journal writes.
    assert!(read.bytes_per_s > write.bytes_per_s / 3.0, "{results:?}");
}

/// A device of 10 ms for each request, one after the other. Both schedulers order alike; Linux had no throttling with the older one.
#[test]
fn write_back_throttling_lets_few_writes_through_where_reads_wait_long() {
    let jobs = "[read]\nrw=randread\nbs=4k\nsize=64m\ndirect=1\nruntime=60\ntime_based\n\
                [write]\nrw=randwrite\nbs=4k\nsize=64m\nruntime=60\ntime_based\nfsync=256\n";
    let read_us = |scheduler: &str| {
        let profile = crate::support::profile(&format!(
            "[device]\nkind = \"measured\"\ndelay_us = 10000.0\nbytes_per_us = 1e6\nslots = 1\n\
             total_bytes_per_us = 1e6\nmax_request_bytes = 4096\nscheduler = \"{scheduler}\"\n"
        ));
        of(&run(jobs, &profile, None)[0], Operation::Read).mean_us
    };
    let (throttled, free) = (read_us("mq-deadline"), read_us("deadline"));
    // Mostly behind fewer than sixteen others.
    assert!(throttled < 170_000.0, "{throttled}");
    assert!(throttled < 0.4 * free, "{throttled}, without {free}");
}

#[test]
fn a_drive_seeks_to_the_data_and_to_the_inode_for_a_synced_write() {
    let none = "[file_system]\nkind = \"ext4\"\nblock_bytes = 4096\njournal = \"none\"\n";
    let profile = crate::support::profile(&drive(1 << 30, "fifo", none));
    let job = "[a]\nrw=randwrite\nbs=4k\nsize=1020m\nio_size=8m\nfsync=1\n";
    let result = one(job, &profile, None);
    let expected = 8500.0 + 60e6 / 7200.0 / 2.0 + 4096.0 / 39.0;
    // To the data from the start of the device, where inodes are, and back: each a bit more than the mean between two places.
    let mean_us = of(&result, Operation::Fsync).mean_us;
    assert!(mean_us > 2.0 * expected, "{mean_us}, alone {expected}");
    assert!(mean_us < 3.3 * expected, "{mean_us}, alone {expected}");
}

/// A measured device that reads 500 bytes a microsecond, and what is told of its writes.
fn measured(max_request_bytes: u64, slots: u32, writes: &str) -> Profile {
    crate::support::profile(&format!(
        "[device]\nkind = \"measured\"\ndelay_us = 101.0\nbytes_per_us = 500.0\nslots = {slots}\n\
         total_bytes_per_us = 500.0\nmax_request_bytes = {max_request_bytes}\n{writes}"
    ))
}

#[test]
fn a_measured_device_writes_at_its_own_prices_of_writing() {
    let writes =
        "[device.write]\ndelay_us = 51.0\nbytes_per_us = 1000.0\ntotal_bytes_per_us = 2000.0\n";
    let job = "[a]\nrw=write\nbs=64k\nsize=256m\nend_fsync=1\n";
    let of = |writes| one(job, &measured(1 << 20, 4, writes), None).bytes_per_s;
    near(of(writes), 2000e6, 0.06);
    near(of(""), 500e6, 0.06);
    let reads = "[a]\nrw=read\nbs=1m\nsize=64m\ndirect=1\n";
    let read = |writes| one(reads, &measured(1 << 20, 4, writes), None);
    assert_eq!(
        read(writes).seconds,
        read("").seconds,
        "reads stay as they are"
    );
}

#[test]
fn a_write_that_goes_on_where_the_last_one_ended_has_a_delay_of_its_own() {
    let job = "[a]\nrw=write\nbs=4k\nsize=4m\nend_fsync=1\n";
    let lines =
        "[device.write]\ndelay_us = 51.0\nbytes_per_us = 1000.0\ntotal_bytes_per_us = 2000.0\n";
    let seconds = |more: &str| {
        let writes = format!("{lines}{more}");
        one(job, &measured(4096, 1, &writes), None).seconds
    };
    // Each of 1024 pages is a call of a microsecond, then a request of its own; the call is part of the delay.
    let expected = |delay_us: f64| 1024.0 * (1.0 + delay_us - 1.0 + 4.096) / 1e6;
    near(
        seconds("sequential_delay_us = 21.0\n"),
        expected(21.0),
        0.03,
    );
    near(seconds(""), expected(51.0), 0.03);
}

#[test]
fn delays_of_writes_scatter_as_the_profile_says() {
    let lines = "[device.write]\ndelay_us = 51.0\nsequential_delay_us = 21.0\nbytes_per_us = 1000.0\ntotal_bytes_per_us = 2000.0\n";
    let quantiles = "delay_quantiles_us = [51.0, 51.0, 51.0, 251.0, 251.0, 251.0]\n";
    let us = |mode: &str, more: &str| {
        let job = format!("[a]\nrw={mode}\nbs=4k\nsize=4m\ndirect=1\noverwrite=1\n");
        let profile = measured(4096, 1, &format!("{lines}{more}"));
        of(&one(&job, &profile, None), Operation::Write).mean_us
    };
    // A quarter of them take 200 µs more, and as many 100 µs more on average.
    for mode in ["randwrite", "write"] {
        near(us(mode, quantiles) - us(mode, ""), 75.0, 0.15);
    }
    assert!(us("write", "") < us("randwrite", "") - 25.0);
}

/// A row of five drives has four chunks of 64 KiB. A journal would write parts of rows besides.
#[test]
fn a_raid_with_parity_reads_what_it_computes_parity_from_but_not_for_whole_rows() {
    let none = "[file_system]\nkind = \"ext4\"\nblock_bytes = 4096\njournal = \"none\"\n";
    let of = |level: u32, disks: u32, job: &str| {
        let raid =
            format!("[device.raid]\nlevel = {level}\ndisks = {disks}\nchunk_bytes = 65536\n");
        let profile = crate::support::profile(&drive(1 << 30, "fifo", &format!("{raid}{none}")));
        one(job, &profile, None)
    };
    let small = "[a]\nrw=randwrite\nbs=4k\nsize=1g\nio_size=4m\nfsync=1\n";
    let sync_us = |level, disks| {
        let result = of(level, disks, small);
        assert_eq!(
            result.device_bytes, 0,
            "what is read is for the disks alone"
        );
        of_mean(&result)
    };
    // Each of data and inode is a seek, and half a turn or more; with parity first to what is there, then a turn later over it.
    let (striped, with_parity) = (sync_us(0, 4), sync_us(5, 5));
    let turn_us = 60e6 / 7200.0;
    let more_us = with_parity - striped;
    assert!((turn_us..5.0 * turn_us).contains(&more_us), "{more_us}");
    let large = "[a]\nrw=write\nbs=1m\nsize=256m\nend_fsync=1\n";
    let rate = |level, disks| of(level, disks, large).bytes_per_s;
    near(rate(5, 5), rate(0, 4), 0.15);
}

fn of_mean(result: &JobResult) -> f64 {
    of(result, Operation::Fsync).mean_us
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_scheduler_loses_repeats_or_withholds_a_write(
        scheduler in 0..Scheduler::ALL.len(),
        level in prop::sample::select(vec![(0_u32, 1_u32), (0, 3), (1, 2), (5, 4), (10, 4)]),
        processes in 1_u32..5,
        random in any::<bool>(),
        mixed in any::<bool>(),
        elevator in any::<bool>(),
        fsync in 0_u32..9,
        memory_bytes in prop_oneof![Just(None), (1u64..4 << 20).prop_map(Some)],
    ) {
        let raid = match level {
            (_, 1) => String::new(),
            (level, disks) => format!("[device.raid]\nlevel = {level}\ndisks = {disks}\nchunk_bytes = 16384\n"),
        };
        let queue = if elevator { "elevator" } else { "fifo" };
        let name = Scheduler::ALL[scheduler].name();
        let more = format!("scheduler = \"{name}\"\n{raid}");
        let profile = crate::support::profile(&drive(1 << 30, queue, &more));
        let mode = ["write", "randwrite", "rw", "randrw"][usize::from(random) + 2 * usize::from(mixed)];
        let jobs = format!(
            "[a]\nrw={mode}\nbs=24k\nsize=1200k\nnumjobs={processes}\nfsync={fsync}\nend_fsync=1\n"
        );
        let result = one(&jobs, &profile, memory_bytes);
        let requests: u64 = [Operation::Read, Operation::Write]
            .into_iter()
            .flat_map(|operation| result.operations.iter().filter(move |it| it.operation == operation))
            .map(|it| it.requests)
            .sum();
        prop_assert_eq!(requests, 50 * u64::from(processes));
        let written = of(&result, Operation::Write).bytes;
        prop_assert_eq!(result.device_written_bytes.data, written, "no block is written twice");
        prop_assert_eq!(one(&jobs, &profile, memory_bytes), result);
    }
}

#[test]
fn the_lines_of_a_profile_are_those_of_reads_where_it_has_none_of_writes() {
    let line = |fixed_us, bytes_per_us| CostLine {
        fixed_us,
        bytes_per_us,
    };
    let profile = Profile::of_lines("test", line(2.0, 4096.0), line(100.0, 500.0), "");
    let result = one("[a]\nrw=write\nbs=4k\nsize=1m\n", &profile, None);
    near(of(&result, Operation::Write).mean_us, 3.0, 0.001);
}
