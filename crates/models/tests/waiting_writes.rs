//! Writes that wait for the device, or go past the page cache, and files made in different ways: what follows from a profile's lines by hand.

use std::path::Path;

use hotset_models::fio::{Bottleneck, JobResult, Operation, OperationResult};
use hotset_scenario::Profile;

use crate::support::{near, run};

/// A call and copying 4 KiB, microseconds.
const COPY_US: f64 = 1.0 + 4096.0 / 8000.0;
/// What the device takes for 4 KiB.
const DATA_US: f64 = 99.0 + 4096.0 / 500.0;
/// A commit of one block: descriptor and block, then the record.
const COMMIT_US: f64 = 2.0 * 99.0 + 3.0 * 4096.0 / 500.0;

/// A call of 1 µs and 8000 bytes/µs from memory; a device of 99 µs, then 500 bytes/µs, one request at a time.
fn store(top: &str, system: &str) -> Profile {
    let text = format!(
        "open_us = 0.0\n{top}[cached]\nfixed_us = 1.0\nbytes_per_us = 8000.0\n[uncached]\nfixed_us = 100.0\nbytes_per_us = 500.0\n{system}"
    );
    Profile::parse(&text, Path::new("test.toml")).unwrap()
}

fn ext4() -> Profile {
    store("", "")
}

fn on(kind: &str) -> Profile {
    store(
        "",
        &format!("[file_system]\nkind = \"{kind}\"\nblock_bytes = 4096\n"),
    )
}

fn one(jobs: &str, profile: &Profile) -> JobResult {
    run(jobs, profile, None).remove(0)
}

fn found(result: &JobResult, operation: Operation) -> Option<OperationResult> {
    let mut all = result.operations.iter().copied();
    all.find(|it| it.operation == operation)
}

fn of(result: &JobResult, operation: Operation) -> OperationResult {
    found(result, operation).unwrap_or_else(|| panic!("no {operation:?} in {result:?}"))
}

fn write_us(jobs: &str, profile: &Profile) -> f64 {
    of(&one(jobs, profile), Operation::Write).mean_us
}

fn sync_us(jobs: &str, profile: &Profile) -> f64 {
    of(&one(jobs, profile), Operation::Fsync).mean_us
}

/// Blocks that the journal was given for each of so many syncs.
fn blocks(result: &JobResult, syncs: f64) -> f64 {
    result.device_written_bytes.journal as f64 / 4096.0 / syncs
}

#[test]
fn a_synchronous_write_takes_copying_its_data_and_the_commit_as_one_write() {
    let job = "[a]\nrw=write\nbs=4k\nsize=400k\nsync=1\n";
    let result = one(job, &ext4());
    let writes = of(&result, Operation::Write);
    assert_eq!((writes.requests, writes.bytes), (100, 400 << 10));
    assert!(found(&result, Operation::Fsync).is_none(), "{result:?}");
    near(writes.mean_us, COPY_US + DATA_US + COMMIT_US, 0.01);
    near(blocks(&result, 100.0), 3.0, 0.001);
    assert_eq!(result.outcome.total.hits, Some(0));
    assert_eq!(result.bottleneck, Some(Bottleneck::Journal));
    // As much as writing, and a sync after each write, but for the call.
    let apart = one(&job.replace("sync=1", "fsync=1"), &ext4());
    let sum_us = of(&apart, Operation::Write).mean_us + of(&apart, Operation::Fsync).mean_us - 1.0;
    near(writes.mean_us, sum_us, 0.01);
}

#[test]
fn a_synchronous_write_waits_for_its_own_bytes_alone() {
    let jobs = "[other]\nrw=write\nbs=64k\nsize=64m\nfilename=x\noverwrite=1\n\
                [log]\nrw=write\nbs=4k\nsize=4k\nfilename=x\noffset=64m\nsync=dsync\nstartdelay=1\noverwrite=1\n";
    let results = run(jobs, &ext4(), None);
    assert_eq!(
        results[0].device_written_bytes.data, 4096,
        "of both jobs' file"
    );
    near(
        of(&results[1], Operation::Write).mean_us,
        COPY_US + DATA_US,
        0.01,
    );
    // A sync takes all of the file.
    let whole = run(&jobs.replace("sync=dsync", "end_fsync=1"), &ext4(), None);
    assert!(of(&whole[1], Operation::Fsync).mean_us > 64.0 * 1048576.0 / 500.0);
}

#[test]
fn data_alone_needs_no_commit_where_nothing_but_the_time_of_change_is_new() {
    let over = "[a]\nrw=write\nbs=4k\nsize=400k\noverwrite=1\n";
    let dsync = one(&format!("{over}sync=dsync\n"), &ext4());
    near(
        of(&dsync, Operation::Write).mean_us,
        COPY_US + DATA_US,
        0.01,
    );
    assert_eq!(dsync.device_written_bytes.journal, 0);
    let fdatasync = format!("{over}fdatasync=1\n");
    near(sync_us(&fdatasync, &ext4()), 1.0 + DATA_US, 0.01);
    near(sync_us(&fdatasync, &on("xfs")), 1.0 + DATA_US, 0.01);
    // A time of change is new after each tick of 4 ms, so some of the writes commit it.
    let all_us = write_us(&format!("{over}sync=1\n"), &ext4());
    let least_us = COPY_US + DATA_US;
    assert!(all_us > least_us * 1.02, "{all_us}");
    assert!(all_us < least_us + COMMIT_US / 10.0, "{all_us}");
    // Of a new file the blocks are new to be found.
    let new = "[a]\nrw=write\nbs=4k\nsize=400k\nfdatasync=1\n";
    near(sync_us(new, &ext4()), 1.0 + DATA_US + COMMIT_US, 0.01);
}

#[test]
fn data_alone_is_flushed_from_the_devices_cache() {
    let job = "[a]\nrw=write\nbs=4k\nsize=400k\noverwrite=1\nsync=dsync\n";
    let flushing = store("flush_us = 1000.0\n", "");
    near(write_us(job, &flushing), COPY_US + DATA_US + 1000.0, 0.01);
    let direct = format!("{job}direct=1\n");
    near(write_us(&direct, &flushing), 1.0 + DATA_US + 1000.0, 0.01);
    // A write past the page cache may go past the device's as well.
    let forcing = store("flush_us = 1000.0\nfua = true\n", "");
    near(write_us(job, &forcing), COPY_US + DATA_US + 1000.0, 0.01);
    near(write_us(&direct, &forcing), 1.0 + DATA_US, 0.01);
}

#[test]
fn a_file_is_synced_once_more_after_each_read_until_it_is_written_to_again() {
    let job = "[a]\nrw=randrw\nbs=4k\nsize=64m\nfsync=4\ninvalidate=0\n";
    let result = one(job, &ext4());
    let writes = of(&result, Operation::Write).requests as f64;
    // Half of the requests are reads: one comes before each write on average.
    near(
        of(&result, Operation::Fsync).requests as f64,
        writes / 2.0,
        0.06,
    );
}

#[test]
fn a_range_is_handed_over_and_waited_for_as_its_flags_say() {
    let job =
        |flags: &str| format!("[a]\nrw=write\nbs=4k\nsize=400k\nsync_file_range={flags}:20\n");
    let range_us = 99.0 + 81920.0 / 500.0;
    for (flags, us) in [
        ("write", 1.0),
        ("wait_after", 1.0),
        // Nothing of what was written since the last one is under way.
        ("wait_before,write", 1.0),
        ("write,wait_after", 1.0 + range_us),
        ("wait_before,write,wait_after", 1.0 + range_us),
    ] {
        let result = one(&job(flags), &ext4());
        let syncs = of(&result, Operation::Fsync);
        assert_eq!(syncs.requests, 4, "{flags}: fio ends with the last write");
        near(syncs.mean_us, us, 0.01);
        assert_eq!(result.device_written_bytes.journal, 0, "{flags}");
        let pages = if flags == "wait_after" { 0 } else { 80 };
        assert_eq!(result.device_written_bytes.data, pages * 4096, "{flags}");
    }
    // What the last one has handed over is waited for before the same pages are once more.
    let again =
        "[a]\nrw=write\nbs=4k\nsize=80k\nio_size=400k\nsync_file_range=wait_before,write:20\n";
    let before = one(again, &ext4());
    let syncs = of(&before, Operation::Fsync);
    let between_us = 20.0 * (COPY_US + 0.122) + 1.0;
    near(syncs.mean_us, 1.0 + 0.75 * (range_us - between_us), 0.02);
}

#[test]
fn the_first_of_several_syncs_that_are_due_is_the_only_one() {
    let job =
        "[a]\nrw=write\nbs=4k\nsize=400k\noverwrite=1\nfdatasync=2\nsync_file_range=write:2\n";
    let result = one(job, &ext4());
    assert_eq!(of(&result, Operation::Fsync).requests, 49);
    near(
        of(&result, Operation::Fsync).mean_us,
        1.0 + 99.0 + 8192.0 / 500.0,
        0.01,
    );
}

#[test]
fn a_write_past_the_page_cache_takes_a_call_and_the_device() {
    for mode in ["write", "randwrite"] {
        let job = format!("[a]\nrw={mode}\nbs=4k\nsize=400k\ndirect=1\n");
        let result = one(&job, &ext4());
        near(of(&result, Operation::Write).mean_us, 1.0 + DATA_US, 0.01);
        assert_eq!(result.device_written_bytes.data, 400 << 10);
        assert_eq!(result.device_written_bytes.journal, 0, "not yet");
        assert_eq!(result.outcome.total.hits, Some(0));
        assert_eq!(result.bottleneck, Some(Bottleneck::Device));
    }
    // Of a new file blocks get their first data: each write commits that.
    let synced = "[a]\nrw=write\nbs=4k\nsize=400k\ndirect=1\nsync=1\n";
    near(write_us(synced, &ext4()), 1.0 + DATA_US + COMMIT_US, 0.01);
    let fsynced = "[a]\nrw=write\nbs=4k\nsize=400k\ndirect=1\nfsync=1\n";
    near(sync_us(fsynced, &ext4()), 1.0 + COMMIT_US, 0.01);
    near(
        write_us("[a]\nrw=write\nbs=512\nsize=40k\ndirect=1\n", &ext4()),
        1.0 + 99.0 + 512.0 / 500.0,
        0.01,
    );
}

#[test]
fn a_write_past_the_page_cache_writes_what_is_dirty_there_and_drops_it() {
    let jobs = "[memory]\nrw=write\nbs=64k\nsize=1m\nfilename=x\n\
                [past]\nstonewall\nrw=write\nbs=64k\nsize=1m\nfilename=x\ndirect=1\ninvalidate=0\n\
                [read]\nstonewall\nrw=randread\nbs=64k\nsize=1m\nfilename=x\ninvalidate=0\n";
    let results = run(jobs, &ext4(), None);
    // The last job finds the file there, so it was before: nothing is new, but all is dirty.
    assert_eq!(results[0].device_written_bytes.data, 0);
    assert_eq!(results[1].device_written_bytes.data, 2 << 20);
    let once_us = 99.0 + 65536.0 / 500.0;
    near(
        of(&results[1], Operation::Write).mean_us,
        1.0 + 2.0 * once_us,
        0.01,
    );
    assert_eq!(results[2].device_bytes, 1 << 20);
}

#[test]
fn writes_that_make_a_file_longer_come_one_after_the_other() {
    let profile = store("", "[reading]\nparallel = 8.0\n");
    let rate = |engine: &str, made: &str| {
        let job = format!("[a]\nrw=write\nbs=4k\nsize=4m\ndirect=1\n{engine}{made}");
        one(&job, &profile).bytes_per_s
    };
    let (alone, four) = ("", "ioengine=libaio\niodepth=4\n");
    let (once, longer) = (rate(alone, ""), rate(four, "fallocate=none\n"));
    assert!(rate(four, "") > 2.5 * once, "{} and {once}", rate(four, ""));
    near(longer, once, 0.03);
    assert!(rate(four, "overwrite=1\n") > 2.5 * once);
    // Behind the end of a file of xfs all others are waited for.
    let xfs = store(
        "",
        "[reading]\nparallel = 8.0\n[file_system]\nkind = \"xfs\"\nblock_bytes = 4096\n",
    );
    let job = format!("[a]\nrw=write\nbs=4k\nsize=4m\ndirect=1\nfallocate=keep\n{four}");
    near(one(&job, &xfs).bytes_per_s, once, 0.03);
}

#[test]
fn all_requests_under_way_are_over_before_the_file_is_synced_at_the_end() {
    for engine in ["libaio", "io_uring"] {
        let job = format!(
            "[a]\nrw=randrw\nbs=4k\nsize=4m\ndirect=1\nioengine={engine}\niodepth=16\nfsync=32\nend_fsync=1\n"
        );
        let result = one(&job, &ext4());
        let (reads, writes) = (of(&result, Operation::Read), of(&result, Operation::Write));
        assert_eq!(reads.requests + writes.requests, 1024, "{engine}");
        assert_eq!(result.device_written_bytes.data, writes.bytes, "{engine}");
        assert!(of(&result, Operation::Fsync).requests > writes.requests / 32);
    }
}

#[test]
fn writes_through_the_page_cache_are_taken_back_as_their_engine_does() {
    let us = |engine: &str| {
        let job = format!("[a]\nrw=write\nbs=4k\nsize=4m\n{engine}");
        (write_us(&job, &ext4()), one(&job, &ext4()).bytes_per_s)
    };
    let (once, alone) = us("");
    for engine in ["libaio", "io_uring"] {
        let (mean_us, rate) = us(&format!("ioengine={engine}\niodepth=4\n"));
        near(rate, alone, 0.01);
        near(mean_us, 4.0 * once + 3.0 * 0.122, 0.02);
    }
}

#[test]
fn blocks_that_are_not_allocated_before_are_committed_with_their_bitmap_and_descriptor() {
    let job = |made: &str| format!("[a]\nrw=write\nbs=4k\nsize=400k\nfsync=1\n{made}");
    let of = |made: &str, kind: &str| blocks(&one(&job(made), &on(kind)), 99.0);
    for made in ["", "fallocate=posix\n", "fallocate=keep\n"] {
        near(of(made, "ext4"), 3.0, 0.001);
    }
    for made in [
        "fallocate=none\n",
        "fallocate=truncate\n",
        "create_on_open=1\n",
    ] {
        near(of(made, "ext4"), 5.0, 0.001);
    }
    // ext3 has no fallocate. The C library writes to each block in its stead, and then they are there.
    let plain = of("", "ext3");
    assert!(plain >= 5.0, "{plain}");
    near(of("fallocate=keep\n", "ext3"), plain, 1e-9);
    assert!(of("fallocate=posix\n", "ext3") < 0.2);
    assert!(of("overwrite=1\n", "ext4") < 0.2, "times of change alone");
}

#[test]
fn ext3_fills_holes_through_the_page_cache() {
    let job =
        |mode: &str| format!("[a]\nrw={mode}\nbs=4k\nsize=400k\ndirect=1\nfallocate=truncate\n");
    let by_memory_us = COPY_US + 1.0 + DATA_US;
    near(write_us(&job("randwrite"), &on("ext3")), by_memory_us, 0.01);
    near(
        write_us(&job("randwrite"), &on("ext4")),
        1.0 + DATA_US,
        0.01,
    );
    // One that makes the file longer goes past it.
    let longer = job("write").replace("truncate", "none");
    near(write_us(&longer, &on("ext3")), 1.0 + DATA_US, 0.01);
    // Where the journal has data, all goes through memory and waits for nothing.
    let full = store(
        "",
        "[file_system]\nkind = \"ext4\"\nblock_bytes = 4096\njournal = \"data\"\n",
    );
    near(write_us(&job("write"), &full), COPY_US + 1.0, 0.01);
}

#[test]
fn parts_of_pages_are_written_after_the_rest_was_read_where_there_is_any() {
    let job = "[a]\nrw=randwrite\nbs=512\nsize=1m\n";
    let new = one(job, &ext4());
    assert_eq!(new.device_bytes, 0, "a new file has nothing to be read");
    let over = one(&format!("{job}overwrite=1\n"), &ext4());
    assert_eq!(over.device_bytes, 1 << 20, "each page once");
    let kept = one(&format!("{job}overwrite=1\ninvalidate=0\n"), &ext4());
    assert_eq!(kept.device_bytes, 0);
    let whole = one("[a]\nrw=randwrite\nbs=4k\nsize=1m\noverwrite=1\n", &ext4());
    assert_eq!(whole.device_bytes, 0, "whole pages need nothing");
}

#[test]
fn a_job_that_appends_writes_behind_what_is_there() {
    let jobs = "[a]\nrw=write\nbs=4k\nsize=64k\nfilename=x\nend_fsync=1\n\
                [b]\nstonewall\nrw=write\nbs=4k\nsize=64k\nfilename=x\nfile_append=1\nend_fsync=1\n";
    let results = run(jobs, &ext4(), None);
    for result in &results {
        assert_eq!(result.device_written_bytes.data, 64 << 10);
        // New blocks, not those of the other job.
        assert_eq!(result.device_written_bytes.journal, 3 * 4096);
    }
}

#[test]
fn each_direction_keeps_to_the_rate_of_its_own() {
    for (share, name) in [(50, "half"), (90, "most are reads")] {
        let job =
            format!("[a]\nrw=randrw\nrwmixread={share}\nbs=4k\nsize=4m\ninvalidate=0\nrate=1m\n");
        let result = one(&job, &ext4());
        let (reads, writes) = (of(&result, Operation::Read), of(&result, Operation::Write));
        // Who is behind comes first, whatever the share says.
        near(reads.bytes as f64, writes.bytes as f64, 0.02);
        near(result.seconds, 2.0, 0.02);
        assert_eq!(reads.bytes + writes.bytes, 4 << 20, "{name}");
    }
    let alone = one(
        "[a]\nrw=randrw\nrwmixread=100\nbs=4k\nsize=4m\ninvalidate=0\nrate=4m\n",
        &ext4(),
    );
    near(alone.seconds, 1.0, 0.01);
}

#[test]
fn reads_and_writes_in_a_row_begin_anew_with_each_pass() {
    let job = "[a]\nrw=rw\nbs=4k\nsize=1m\nloops=4\nend_fsync=1\n";
    let result = one(job, &ext4());
    let (reads, writes) = (of(&result, Operation::Read), of(&result, Operation::Write));
    assert_eq!(reads.requests + writes.requests, 1024);
    // Each pass writes to the same half of the file, so that no more than that is dirty.
    let written = result.device_written_bytes.data;
    assert!(written < (1 << 20) * 6 / 10, "{written}");
    assert!(writes.bytes > written * 3, "{} of {written}", writes.bytes);
}

/// The jobs of the experiment on synchronous writes.
#[test]
fn the_jobs_of_the_experiment_on_synchronous_writes_are_simulated() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/local-write-synchronous");
    let mut count = 0;
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "fio") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for kind in ["ext3", "ext4", "xfs"] {
            let result = one(&text, &on(kind));
            let writes = of(&result, Operation::Write);
            assert!(writes.mean_us > DATA_US, "{} on {kind}", path.display());
            assert!(found(&result, Operation::Fsync).is_none());
        }
        count += 1;
    }
    assert_eq!(count, 6);
}
