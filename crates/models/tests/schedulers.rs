//! What schedulers are for shows in what readers get.

use crate::support::{drive, near, profile, rate, run};
use hotset_scenario::Scheduler;
use proptest::prelude::*;

const GIB: u64 = 1 << 30;

fn on(scheduler: &str, jobs: &str) -> f64 {
    let more = format!("scheduler = \"{scheduler}\"\n");
    rate(&run(jobs, &profile(&drive(GIB, "fifo", &more)), None))
}

/// Two readers of files of their own, who ask for the next block when they have the last.
const TWO_STREAMS: &str = "[a]\nrw=read\nbs=64k\nsize=32m\nnumjobs=2\ndirect=1\n";

#[test]
fn waiting_for_a_readers_next_block_keeps_streams_apart() {
    // S. Iyer, P. Druschel, "Anticipatory scheduling", 2001, figure 1: deceptive idleness.
    let without = on("deadline", TWO_STREAMS);
    for scheduler in ["anticipatory", "cfq", "bfq"] {
        let times = on(scheduler, TWO_STREAMS) / without;
        assert!(times > 2.5, "{scheduler}: {times}");
    }
}

#[test]
fn nobody_waits_for_a_reader_who_thinks_too_long() {
    let jobs = "[a]\nrw=read\nbs=64k\nsize=4m\nnumjobs=2\ndirect=1\nthinktime=30000\n";
    let without = on("deadline", jobs);
    for scheduler in ["anticipatory", "cfq", "bfq"] {
        near(on(scheduler, jobs), without, 0.1);
    }
}

#[test]
fn going_upwards_serves_a_deep_queue_faster_than_as_they_come() {
    let jobs =
        "[a]\nrw=randread\nbs=4k\nsize=1g\nio_size=4m\ndirect=1\nioengine=libaio\niodepth=32\n";
    assert!(on("mq-deadline", jobs) > 1.2 * on("none", jobs));
    near(on("kyber", jobs), on("none", jobs), 1e-9);
}

#[test]
fn fair_schedulers_give_readers_alike() {
    let jobs = "[a]\nrw=read\nbs=64k\nsize=64m\ndirect=1\nruntime=2s\n[b]\nrw=randread\nbs=64k\nsize=64m\ndirect=1\nruntime=2s\n";
    let more = "scheduler = \"cfq\"\n";
    let results = run(jobs, &profile(&drive(GIB, "fifo", more)), None);
    // By time, so the reader in sequence gets many times as many bytes, and the other one is not starved.
    let random = &results[1];
    assert!(random.outcome.total.requests.unwrap() > 40);
    assert!(results[0].bytes_per_s > 3.0 * random.bytes_per_s);
}

/// Bytes a second of a reader beside a writer who is slowed down to what the device writes, as a share of what it reads alone; and bytes that
/// were written.
fn beside_a_writer(scheduler: &str) -> (f64, u64) {
    let read = "[read]\nrw=randread\nbs=4k\nsize=64m\ndirect=1\nruntime=20\ntime_based\n";
    let write = "[write]\nrw=randwrite\nbs=4k\nsize=256m\nruntime=20\ntime_based\n";
    let more = format!("scheduler = \"{scheduler}\"\n");
    let profile = profile(&drive(GIB, "fifo", &more));
    let alone = run(read, &profile, Some(64 << 20)).remove(0);
    let results = run(&format!("{read}{write}"), &profile, Some(64 << 20));
    let written = results[1].device_written_bytes.data;
    (results[0].bytes_per_s / alone.bytes_per_s, written)
}

#[test]
fn who_waits_for_a_read_comes_before_what_is_written_in_the_background() {
    // CFQ: slices of 100 ms and of 40 ms. BFQ: a byte of the background counts thrice. Anticipation: half a second, then an eighth.
    for scheduler in ["cfq", "bfq", "anticipatory"] {
        let (share, written) = beside_a_writer(scheduler);
        assert!((0.45..0.97).contains(&share), "{scheduler}: {share}");
        assert!(written > 1 << 20, "{scheduler}: {written} bytes");
    }
    // Batches of sixteen writes go before each read, which comes when the last one is over.
    let (deadline, _) = beside_a_writer("deadline");
    assert!(deadline < 0.35, "{deadline}");
}

#[test]
fn two_batches_of_reads_come_before_one_of_writes_where_both_always_wait() {
    let jobs = "[read]\nrw=randread\nbs=4k\nsize=64m\ndirect=1\nioengine=libaio\niodepth=64\nruntime=20\ntime_based\n\
                [write]\nrw=randwrite\nbs=4k\nsize=256m\nruntime=20\ntime_based\n";
    let more = "scheduler = \"deadline\"\n";
    let results = run(jobs, &profile(&drive(GIB, "fifo", more)), Some(64 << 20));
    let reads = results[0].outcome.total.requests.unwrap() as f64;
    let writes = results[1].device_written_bytes.data as f64 / 4096.0;
    // Batches of sixteen, but for those that end at the end of the disk.
    let times = reads / writes;
    assert!(
        (1.4..2.4).contains(&times),
        "{times}: {reads} reads, {writes} writes"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_scheduler_loses_repeats_or_withholds_a_read(
        scheduler in 0..Scheduler::ALL.len(),
        level in prop::sample::select(vec![(0_u32, 1_u32), (0, 3), (1, 2), (5, 4), (10, 4)]),
        depth in 1_u32..9,
        processes in 1_u32..5,
        random in any::<bool>(),
        direct in any::<bool>(),
        elevator in any::<bool>(),
    ) {
        let name = Scheduler::ALL[scheduler].name();
        let raid = match level {
            (_, 1) => String::new(),
            (level, disks) => format!("[device.raid]\nlevel = {level}\ndisks = {disks}\nchunk_bytes = 16384\n"),
        };
        let queue = if elevator { "elevator" } else { "fifo" };
        let profile = profile(&drive(GIB, queue, &format!("scheduler = \"{name}\"\n{raid}")));
        let depth = if direct { depth } else { 1 };
        let jobs = format!(
            "[a]\nrw={}\nbs=24k\nsize=1200k\nnumjobs={processes}\ndirect={}\nioengine=libaio\niodepth={depth}\n",
            if random { "randread" } else { "read" },
            u8::from(direct),
        );
        let result = run(&jobs, &profile, None).remove(0);
        let total = &result.outcome.total;
        prop_assert_eq!(total.requests, Some(50 * u64::from(processes)));
        prop_assert_eq!(result.device_bytes, u64::from(processes) * 1200 * 1024);
        prop_assert_eq!(run(&jobs, &profile, None).remove(0), result);
    }
}

/// A device of 5 ms for each request, one after the other, is slower than kyber wants of reads and of several writes.
#[test]
fn kyber_holds_nothing_back_where_nothing_is_in_time() {
    let jobs = "[read]\nrw=randread\nbs=4k\nsize=64m\ndirect=1\nioengine=libaio\niodepth=4\nruntime=30\ntime_based\n\
                [write]\nrw=randwrite\nbs=4k\nsize=64m\nruntime=30\ntime_based\nfsync=1\n";
    let device = |scheduler: &str| {
        format!(
            "[device]\nkind = \"measured\"\ndelay_us = 5000.0\nbytes_per_us = 1e6\nslots = 1\n\
             total_bytes_per_us = 1e6\nmax_request_bytes = 4096\nscheduler = \"{scheduler}\"\n"
        )
    };
    let of = |scheduler: &str| run(jobs, &profile(&device(scheduler)), None);
    let (kyber, none) = (of("kyber"), of("none"));
    // Nothing is in time here, so nothing is held back, and nobody is left without service.
    near(rate(&kyber[..1]), rate(&none[..1]), 0.25);
    assert!(kyber[1].bytes_per_s > 0.5 * none[1].bytes_per_s);
}
