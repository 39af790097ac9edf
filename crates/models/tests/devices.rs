//! What devices give follows from their data sheets.

use crate::support::{drive, mean_us, near, profile, rate, run};
use hotset_scenario::Profile;

const GIB: u64 = 1 << 30;

/// A channel takes 50 µs for a page of 16 KiB and 16 µs for its way over the bus.
fn ssd(more: &str) -> String {
    format!(
        "[device]\nkind = \"ssd\"\nchannels = 4\npage_bytes = 16384\nread_us = 50.0\nbus_bytes_per_us = 1024.0\n\
         interface_bytes_per_us = 2048.0\ncommand_us = 5.0\nqueue_depth = 64\ncapacity_bytes = 1073741824\n{more}"
    )
}

#[test]
fn a_drive_takes_a_seek_half_a_turn_and_the_transfer_for_a_random_read() {
    let profile = profile(&drive(GIB, "fifo", ""));
    let jobs = "[a]\nrw=randread\nbs=4k\nsize=1g\nio_size=8m\ndirect=1\n";
    let result = run(jobs, &profile, None).remove(0);
    let expected = 8500.0 + 60e6 / 7200.0 / 2.0 + 4096.0 / 39.0;
    near(mean_us(&result), expected, 0.03);
}

#[test]
fn the_way_to_the_drive_and_back_is_added_to_each_read() {
    let jobs = "[a]\nrw=randread\nbs=4k\nsize=1g\nio_size=8m\ndirect=1\n";
    let with = |more| mean_us(&run(jobs, &profile(&drive(GIB, "fifo", more)), None).remove(0));
    // Seek and rotation differ a little, as the platters have turned on.
    let more = with("overhead_us = 2000.0\n") - with("");
    assert!((1700.0..2300.0).contains(&more), "{more}");
}

#[test]
fn bytes_that_pass_to_the_host_are_added_to_each_read_by_its_size() {
    let of = |bs: &str, more: &str| {
        let jobs = format!("[a]\nrw=randread\nbs={bs}\nsize=1g\nio_size=64m\ndirect=1\n");
        mean_us(&run(&jobs, &profile(&drive(GIB, "fifo", more)), None).remove(0))
    };
    let rate = "interface_bytes_per_us = 100.0\n";
    // Seek and rotation differ a little, as the platters have turned on.
    near(of("256k", rate) - of("256k", ""), 2621.0, 0.1);
    assert!(of("4k", rate) - of("4k", "") < 300.0);
}

#[test]
fn a_drive_streams_at_its_rate_through_read_ahead() {
    let profile = profile(&drive(GIB, "elevator", ""));
    for bs in ["4k", "64k", "1m"] {
        let result = run(
            &format!("[a]\nrw=read\nbs={bs}\nsize=256m\n"),
            &profile,
            None,
        )
        .remove(0);
        near(result.bytes_per_s, 39e6, 0.03);
    }
}

/// What follows on the last request waits right at the head of a drive that takes no time between two requests. Where the platters turn on
/// meanwhile, it is behind the head, and the elevator goes on to another file.
#[test]
fn several_files_come_at_the_full_rate_only_of_a_drive_that_takes_no_time_between_requests() {
    let jobs = "[global]\nrw=read\nbs=64k\nsize=64m\n[a]\n[b]\n[c]\n[d]\n";
    let with = |more| rate(&run(jobs, &profile(&drive(GIB, "elevator", more)), None));
    let (at_once, later) = (with(""), with("overhead_us = 80.0\n"));
    assert!(later < 0.75 * at_once, "{later}, {at_once}");
}

#[test]
fn a_drive_that_orders_what_waits_serves_a_deep_queue_faster() {
    let jobs =
        "[a]\nrw=randread\nbs=4k\nsize=1g\nio_size=8m\ndirect=1\nioengine=libaio\niodepth=32\n";
    let of = |queue| rate(&run(jobs, &profile(&drive(GIB, queue, "")), None));
    assert!(of("elevator") > 1.3 * of("fifo"));
}

#[test]
fn a_solid_state_drive_takes_command_array_bus_and_interface_in_turn() {
    let jobs = "[a]\nrw=randread\nbs=4k\nsize=64m\nio_size=8m\ndirect=1\n";
    let result = run(jobs, &profile(&ssd("")), None).remove(0);
    // The call is a microsecond.
    near(mean_us(&result), 1.0 + 5.0 + 50.0 + 4.0 + 2.0, 0.001);
}

#[test]
fn a_deep_queue_keeps_all_channels_or_the_interface_busy() {
    let jobs = |bs| {
        format!("[a]\nrw=randread\nbs={bs}\nsize=256m\ndirect=1\nioengine=libaio\niodepth=64\n")
    };
    // Four channels, 54 µs for 4 KiB of a page, and some of them idle where places are random.
    let small = run(&jobs("4k"), &profile(&ssd("")), None);
    let bound = 4.0 * 4096.0 / 54e-6;
    let share = rate(&small) / bound;
    assert!((0.85..=1.0).contains(&share), "{share}");
    // Four pages in 66 µs are 993 MB/s, less than the interface takes.
    let large = run(&jobs("1m"), &profile(&ssd("")), None);
    near(rate(&large), 4.0 * 16384.0 / 66e-6, 0.03);
}

/// Reads a second of `blocks` at random places, so many at a time by each of some processes.
fn reads_per_s(name: &str, blocks: u64, processes: usize, depth: usize) -> f64 {
    let profile = Profile::builtin(name).unwrap();
    let job = format!(
        "[a]\nrw=randread\nbs={blocks}\nsize=1g\nio_size=64m\ndirect=1\nioengine=libaio\nnumjobs={processes}\niodepth={depth}\n"
    );
    rate(&run(&job, &profile, None)) / blocks as f64
}

/// What is chosen of a built-in drive is chosen for this; its data sheet says the rest.
#[test]
fn a_built_in_drive_serves_as_many_reads_as_its_data_sheet_rates_and_no_more() {
    // One read at a time, and the rate at a depth that so many processes share.
    for (name, alone_us, rated_per_s, processes, depth) in [
        ("nvme", 85.0, 490_000.0, 4, 128),
        ("sata-ssd", 110.0, 72_000.0, 1, 32),
        ("ssd", 150.0, 90_000.0, 1, 64),
    ] {
        let of = |depth: usize| reads_per_s(name, 4096, processes, depth / processes);
        near(reads_per_s(name, 4096, 1, 1), 1e6 / alone_us, 0.005);
        let (some, full) = (of(16), of(depth));
        assert!(6.0 < some * alone_us / 1e6 && some < full, "{name}: {some}");
        near(full, rated_per_s, 0.05);
        // Beginning and ending with so many takes its time.
        near(of(4 * depth), full, 0.06);
    }
    near(reads_per_s("sata-ssd", 8192, 1, 32), 48_000.0, 0.05);
}

#[test]
fn a_built_in_drive_streams_past_the_page_cache_at_the_rate_of_its_data_sheet() {
    let job = "[a]\nrw=read\nbs=128k\nsize=256m\ndirect=1\nioengine=libaio\niodepth=32\n";
    for (name, bytes_per_s) in [("nvme", 3.2e9), ("sata-ssd", 500e6), ("ssd", 1e9)] {
        let streamed = rate(&run(job, &Profile::builtin(name).unwrap(), None));
        near(streamed, bytes_per_s, 0.03);
    }
}

/// A block of 4 KiB takes 2 µs of a MiB that is read again and again, and 6 µs of 64 MiB; of a KiB a quarter of that.
fn with_levels() -> Profile {
    let row = |set: &str, block: u64, us: f64| {
        format!(
            "[[copy]]\nworking_set_bytes = \"{set}\"\nblock_bytes = {block}\nsequential_us = {us}\nrandom_us = {us}\n"
        )
    };
    let levels = [("1MiB", 2.0), ("64MiB", 6.0)];
    let rows = levels.map(|(set, us)| row(set, 1024, us / 4.0) + &row(set, 4096, us));
    profile(&rows.concat())
}

#[test]
fn copying_from_memory_takes_as_long_as_all_files_read_at_the_same_time_make_it() {
    let loop_us = 0.122;
    let of = |jobs: &str| mean_us(&run(jobs, &with_levels(), None).remove(0));
    let job = |name: &str, size: &str| {
        format!("[{name}]\nrw=randread\nbs=4k\nsize={size}\ninvalidate=0\n")
    };
    near(of(&job("a", "1m")), 2.0, 0.001);
    near(of(&job("a", "64m")), 6.0, 0.001);
    near(of(&job("a", "256m")), 6.0, 0.001);
    // Half of the way in logarithms.
    near(of(&job("a", "8m")), 12_f64.sqrt(), 0.001);
    near(of(&(job("a", "32m") + &job("b", "32m"))), 6.0, 0.001);
    // A file that two processes share counts once.
    near(
        of(&format!("{}numjobs=2\nfilename=x\n", job("a", "1m"))),
        2.0,
        0.001,
    );
    // What comes from the device is copied from memory: 6 µs, and nothing but calls and fio's loop besides.
    let uncached = of("[a]\nrw=randread\nbs=4k\nsize=1m\n");
    assert!((6.0..9.0 + loop_us).contains(&uncached), "{uncached}");
}

#[test]
fn striping_adds_rates_and_mirrors_share_random_reads() {
    let scan = "[a]\nrw=read\nbs=1m\nsize=256m\ndirect=1\nioengine=libaio\niodepth=8\n";
    let random =
        "[a]\nrw=randread\nbs=4k\nsize=256m\nio_size=16m\ndirect=1\nioengine=libaio\niodepth=32\n";
    let of =
        |jobs: &str, raid: &str| rate(&run(jobs, &profile(&drive(GIB, "elevator", raid)), None));
    let raid = |level: u32, disks: u32| {
        format!("[device.raid]\nlevel = {level}\ndisks = {disks}\nchunk_bytes = 65536\n")
    };
    near(of(scan, &raid(0, 4)) / of(scan, ""), 4.0, 0.1);
    for (level, disks) in [(1, 2), (10, 4), (5, 4)] {
        let times = of(random, &raid(level, disks)) / of(random, "");
        let least = 0.7 * f64::from(disks);
        assert!(
            times > least && times < 1.3 * f64::from(disks),
            "{level}: {times}"
        );
    }
}

#[test]
fn every_byte_of_a_read_is_asked_of_some_disk_once() {
    let jobs = "[a]\nrw=randread\nbs=196608\nsize=96m\ndirect=1\nioengine=libaio\niodepth=4\n";
    for (level, disks) in [(0, 3), (1, 3), (5, 5), (10, 6)] {
        let raid =
            format!("[device.raid]\nlevel = {level}\ndisks = {disks}\nchunk_bytes = 65536\n");
        let result = run(jobs, &profile(&ssd(&raid)), None).remove(0);
        assert_eq!(result.device_bytes, 96 << 20);
        assert_eq!(result.outcome.total.requests, Some(512));
        assert_eq!(result.outcome.resources.len(), 1 + 2 * disks);
    }
}

#[test]
fn a_measured_device_takes_longer_for_each_request_the_more_are_in_flight() {
    let device = "[device]\nkind = \"measured\"\ndelay_us = 101.0\nbytes_per_us = 1e6\nslots = 2\n\
                  total_bytes_per_us = 1e6\nmax_request_bytes = 1048576\nin_flight_us = [[1, 50], [4, 80], [8, 100]]\n";
    let of = |depth: u32| {
        let jobs = format!(
            "[a]\nrw=randread\nbs=4k\nsize=16m\ndirect=1\nioengine=libaio\niodepth={depth}\n"
        );
        mean_us(&run(&jobs, &profile(device), None).remove(0))
    };
    // The call, which takes a microsecond, is part of the delay.
    near(of(1), 101.0, 0.001);
    near(of(4), 101.0 * 80.0 / 50.0, 0.02);
    // Half of the way between four and eight; and twice as many as were measured.
    near(of(6), 101.0 * 90.0 / 50.0, 0.02);
    near(of(16), 2.0 * 101.0 * 100.0 / 50.0, 0.03);
}

#[test]
fn pages_that_lie_apart_in_memory_take_a_measured_device_longer() {
    let device = "[device]\nkind = \"measured\"\ndelay_us = 101.0\nbytes_per_us = 1000.0\nslots = 1\n\
                  total_bytes_per_us = 1000.0\nmax_request_bytes = 1048576\nin_flight_us = [[1, 100], [4, 200]]\n";
    let of = |jobs: &str, segment_us: f64| {
        let device = format!("{device}segment_us = {segment_us}\n");
        mean_us(&run(jobs, &profile(&device), None).remove(0))
    };
    // Sixteen pages of a random block are fifteen segments more; a page is none.
    let random = |bs: &str| format!("[a]\nrw=randread\nbs={bs}\nsize=256m\nio_size=16m\n");
    let longer = |jobs: &str| of(jobs, 3.0) - of(jobs, 0.0);
    near(longer(&random("64k")), 15.0 * 3.0, 0.01);
    near(1.0 + longer(&random("4k")), 1.0, 1e-6);
    near(longer(&format!("{}direct=1\n", random("64k"))), 45.0, 0.01);
    // Windows of a stream are in large folios.
    let scan = "[a]\nrw=read\nbs=64k\nsize=256m\n";
    assert!(longer(scan) < 0.1 * 45.0, "{}", longer(scan));
    // Requests in flight follow one another no faster than small ones do, and each with its own bytes and segments.
    let four =
        "[a]\nrw=randread\nbs=64k\nsize=256m\nio_size=16m\ndirect=1\nioengine=libaio\niodepth=8\n";
    let interval_us = (100.0 + 4.096) / 2.0 + 65.536 - 4.096 + 45.0;
    near(of(four, 3.0), 8.0 * interval_us, 0.03);
}

#[test]
fn a_stream_gets_its_own_rate_and_streams_together_that_of_the_device() {
    let device = "[device]\nkind = \"measured\"\ndelay_us = 50.0\nbytes_per_us = 4000.0\nslots = 4\n\
                  total_bytes_per_us = 2000.0\nmax_request_bytes = 1048576\nstream_bytes_per_us = 800\n";
    let of = |jobs: &str| rate(&run(jobs, &profile(device), None));
    let scan = |jobs: u32| format!("[a]\nrw=read\nbs=64k\nsize=256m\nnumjobs={jobs}\n");
    near(of(&scan(1)), 800e6, 0.05);
    near(of(&scan(2)), 1600e6, 0.05);
    near(of(&scan(4)), 2000e6, 0.05);
    let random = "[a]\nrw=randread\nbs=1m\nsize=256m\ndirect=1\nioengine=libaio\niodepth=16\n";
    near(of(random), 2000e6, 0.05);
}

#[test]
fn a_measured_device_gives_no_more_than_all_requests_got_together() {
    let device = "[device]\nkind = \"measured\"\ndelay_us = 101.0\nbytes_per_us = 1000.0\nslots = 16\n\
                  total_bytes_per_us = 2000.0\nmax_request_bytes = 1048576\n";
    let job = |bs: &str, depth| {
        format!(
            "[a]\nrw=randread\nbs={bs}\nsize=256m\ndirect=1\nioengine=libaio\niodepth={depth}\n"
        )
    };
    let of = |bs, depth| run(&job(bs, depth), &profile(device), None).remove(0);
    near(mean_us(&of("4k", 1)), 101.0 + 4.096, 0.001);
    near(
        of("4k", 16).bytes_per_s / of("4k", 1).bytes_per_s,
        16.0,
        0.02,
    );
    near(of("1m", 16).bytes_per_s, 2000e6, 0.02);
}

#[test]
fn delays_scatter_as_their_quantiles_say() {
    let device = "[device]\nkind = \"measured\"\ndelay_us = 200.0\nbytes_per_us = 1e6\nslots = 1\ntotal_bytes_per_us = 1e6\n\
                  max_request_bytes = 1048576\ndelay_quantiles_us = [100.0, 150.0, 200.0, 300.0, 500.0, 900.0]\n";
    let jobs = "[a]\nrw=randread\nbs=4k\nsize=256m\ndirect=1\n";
    let result = run(jobs, &profile(device), None).remove(0);
    let response = result.outcome.total.latencies.response.unwrap();
    near(response.p50_us.unwrap(), 200.0, 0.02);
    near(response.p99_us.unwrap(), 900.0, 0.02);
}

#[test]
fn files_larger_than_the_device_are_refused() {
    use hotset_models::fio::{JobFile, System, simulate};
    let text = "[a]\nrw=read\nbs=64k\nsize=2g\n";
    let file = JobFile::parse(text, std::path::Path::new("jobs.fio")).unwrap();
    let profile = profile(&drive(GIB, "fifo", ""));
    let system = System {
        profile: &profile,
        memory_bytes: None,
        seed: 7,
    };
    let error = simulate(&file.jobs, &system, &|| true)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("take 2097152 KiB") && error.contains("has 1048576 KiB"),
        "{error}"
    );
}

#[test]
fn indirect_blocks_are_read_again_where_memory_is_small() {
    let run_on = |kind: &str| {
        let device = drive(
            GIB,
            "fifo",
            &format!("[file_system]\nkind = \"{kind}\"\nblock_bytes = 4096\n"),
        );
        let jobs = "[a]\nrw=randread\nbs=4k\nsize=512m\nio_size=8m\n";
        run(jobs, &profile(&device), Some(1 << 20)).remove(0)
    };
    let (ext3, ext4) = (run_on("ext3"), run_on("ext4"));
    assert_eq!(ext4.device_bytes, 8 << 20);
    assert!(ext3.device_bytes > 10 << 20, "{}", ext3.device_bytes);
    assert!(mean_us(&ext3) > 1.02 * mean_us(&ext4));
}

#[test]
fn memory_too_small_for_a_map_block_does_not_hold_readers_for_ever() {
    let file_system = "[file_system]\nkind = \"ext3\"\nblock_bytes = 4096\n";
    let profile = profile(&drive(GIB, "fifo", file_system));
    for memory_bytes in [0, 4096, 8192] {
        let jobs = "[a]\nrw=randread\nbs=4k\nsize=64m\nio_size=256k\nnumjobs=3\n";
        let result = run(jobs, &profile, Some(memory_bytes)).remove(0);
        assert_eq!(result.outcome.total.requests, Some(192), "{memory_bytes}");
    }
}
