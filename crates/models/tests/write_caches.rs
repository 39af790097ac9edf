//! What a device's volatile cache of writes takes from a sync, and what flushing it adds.

use std::path::Path;

use hotset_models::fio::Operation;
use hotset_scenario::Profile;

use crate::support::{drive, near, run};

/// Calls of a microsecond, on a device.
fn profile(top: &str, device: &str) -> Profile {
    let text = format!(
        "open_us = 0.0\n{top}[cached]\nfixed_us = 1.0\nbytes_per_us = 1e6\n[uncached]\nfixed_us = 1.0\nbytes_per_us = 1e6\n{device}"
    );
    Profile::parse(&text, Path::new("test.toml")).unwrap()
}

/// A page passes the interface in 8 µs and its bus in 16 µs.
fn ssd(more: &str, barrier: bool) -> String {
    format!(
        "[device]\nkind = \"ssd\"\nchannels = 4\npage_bytes = 16384\nread_us = 50.0\nbus_bytes_per_us = 1024.0\n\
         interface_bytes_per_us = 2048.0\ncommand_us = 5.0\nqueue_depth = 64\ncapacity_bytes = 1073741824\n{more}\
         [file_system]\nkind = \"ext4\"\nblock_bytes = 4096\nbarrier = {barrier}\n"
    )
}

/// Mean time of a sync after each write of 4 KiB, microseconds.
fn sync_us(profile: &Profile) -> f64 {
    let job = "[a]\nrw=randwrite\nbs=4k\nsize=64m\nio_size=1m\nfsync=1\n";
    let result = run(job, profile, None).remove(0);
    let mut operations = result.operations.iter();
    let sync = operations.find(|it| it.operation == Operation::Fsync);
    sync.unwrap().mean_us
}

/// What a sync takes longer where a page takes 100 µs more to program.
fn longer_us(more: &str, barrier: bool) -> f64 {
    let of = |us: u32| {
        let device = ssd(&format!("write_us = {us}\n{more}"), barrier);
        sync_us(&profile("", &device))
    };
    of(300) - of(200)
}

#[test]
fn without_a_cache_each_of_data_journal_and_record_is_programmed_before_the_next() {
    near(longer_us("", true), 300.0, 0.01);
    near(longer_us("", false), 300.0, 0.01);
    // Those three pass command, interface and bus, and are programmed. The journal's blocks are three or less.
    let device = ssd("write_us = 200\n", true);
    let least = 3.0 * (5.0 + 2.0 + 4.0 + 200.0);
    let us = sync_us(&profile("", &device));
    assert!(
        (least..least + 30.0).contains(&us),
        "{us}, at least {least}"
    );
}

#[test]
fn with_a_cache_only_flushes_wait_for_what_is_programmed() {
    let cache = "write_cache_bytes = \"1MiB\"\n";
    // Once behind data and journal, which are programmed side by side, and once behind the record.
    near(longer_us(cache, true), 200.0, 0.01);
    let free = longer_us("write_cache_bytes = \"64MiB\"\n", false);
    assert!(free.abs() < 1.0, "{free}");
}

#[test]
fn a_full_cache_has_writes_wait_until_something_is_programmed() {
    let job = "[a]\nrw=write\nbs=64k\nsize=64m\nend_fsync=1\n";
    let seconds = |cache: &str| {
        let device = ssd(&format!("write_us = 200\n{cache}"), true);
        run(job, &profile("", &device), None).remove(0).seconds
    };
    // Four channels, each 216 µs for a page, whatever the cache.
    let expected = 64.0 * 1048576.0 / 16384.0 / 4.0 * 216e-6;
    near(seconds(""), expected, 0.05);
    near(seconds("write_cache_bytes = \"1MiB\"\n"), expected, 0.05);
}

#[test]
fn a_write_past_the_cache_saves_the_flush_behind_it() {
    let of = |top: &str, write_us: u32| {
        let more = format!("write_us = {write_us}\nwrite_cache_bytes = \"1MiB\"\n");
        sync_us(&profile(top, &ssd(&more, true)))
    };
    let (flush, fua) = ("flush_us = 5000.0\n", "flush_us = 5000.0\nfua = true\n");
    near(of(flush, 200) - of(fua, 200), 5000.0, 0.1);
    // It is programmed before it is answered. The first flush takes longer than what it waits for.
    near(of(fua, 300) - of(fua, 200), 100.0, 0.01);
}

#[test]
fn a_drive_answers_from_its_cache_and_pays_when_it_is_flushed() {
    let of = |more: &str, barrier: bool| {
        let system = format!(
            "{more}[file_system]\nkind = \"ext4\"\nblock_bytes = 4096\nbarrier = {barrier}\n"
        );
        sync_us(&profile("", &drive(1 << 30, "fifo", &system)))
    };
    let cache = "write_cache_bytes = \"32MiB\"\n";
    let without = of("", true);
    assert!(without > 10_000.0, "a seek and turns: {without}");
    let free = of(cache, false);
    assert!(free < without / 20.0, "{free}, without a cache {without}");
    let flushed = of(cache, true);
    assert!(
        flushed > without / 3.0 && flushed < 1.3 * without,
        "{flushed}, without a cache {without}"
    );
    near(of("write_cache_bytes = 0\n", true), without, 1e-9);
}

#[test]
fn a_solid_state_drive_writes_as_it_reads_where_it_has_no_time_of_programming() {
    let us = |more: &str| sync_us(&profile("", &ssd(more, true)));
    let (unknown, same) = (us(""), us("write_us = 50\n"));
    near(unknown, same, 0.1);
}
