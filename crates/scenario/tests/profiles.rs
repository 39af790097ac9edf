//! Profiles: the built-in ones against the figures they stand for, and files.

use hotset_test_support::skip;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use hotset_scenario::{
    BUILTIN, DeviceKind, Journal, MeasuredWrites, PageKeeping, Profile, RaidLevel,
};

fn builtin(name: &str) -> Profile {
    Profile::builtin(name).expect(name)
}

fn assert_close(seen: f64, wanted: f64, what: &str) {
    assert!(
        (seen - wanted).abs() <= 1e-6 * wanted,
        "{what}: {seen} is not {wanted}"
    );
}

#[test]
fn the_disk_costs_10_ms_and_39_mb_a_second() {
    let hdd = builtin("hdd");
    assert_close(hdd.uncached_us(3900), 10_100.0, "uncached");
    assert_close(hdd.cached_us(4000), 6.0, "cached");
    assert_close(builtin("memory").uncached_us(4000), 6.0, "memory");
}

#[test]
fn stores_of_today_hit_the_figures_of_their_sources() {
    for (name, us_for_4k, mb_per_s) in [("nvme", 85.0, 3200.0), ("sata-ssd", 110.0, 500.0)] {
        let profile = builtin(name);
        assert_close(profile.uncached_us(4096), us_for_4k, name);
        assert_close(profile.uncached.bytes_per_us, mb_per_s, name);
    }
    for (name, open_us, cached_us, uncached_us) in [
        ("hdd-7200", 4.73, [1.26, 130.0], [8_900.0, 13_000.0]),
        ("moosefs", 198.0, [1.78, 133.0], [8_100.0, 13_900.0]),
    ] {
        let profile = builtin(name);
        for (at, bytes) in [4096, 1 << 20].into_iter().enumerate() {
            assert_close(profile.cached_us(bytes), open_us + cached_us[at], name);
            assert_close(profile.uncached_us(bytes), open_us + uncached_us[at], name);
        }
    }
}

#[test]
fn every_built_in_profile_is_positive_and_dearer_uncached() {
    for name in BUILTIN {
        let profile = builtin(name);
        assert_eq!(profile.name, name);
        assert!(!profile.source.is_empty());
        // Beyond the largest size measured, 1 MB, the two lines of ramfs-2004 cross.
        for bytes in [1, 4096, 1 << 20] {
            assert!(profile.cached_us(bytes) > 0.0, "{name} {bytes}");
            assert!(
                profile.uncached_us(bytes) >= profile.cached_us(bytes),
                "{name} {bytes}"
            );
        }
    }
}

#[test]
fn the_2004_testbed_hits_its_published_latencies() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/reference/tr65_table2_fs_latency.csv");
    let Ok(text) = std::fs::read_to_string(&table) else {
        skip(format_args!("no {}", table.display()));
        return;
    };
    let rows = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("file_system"));
    for row in rows {
        let (name, figures) = row.split_once(',').expect("columns");
        let figures: Vec<f64> = figures
            .split(',')
            .map(|figure| figure.parse().expect("number"))
            .collect();
        let profile = builtin(&format!("{name}-2004"));
        assert_close(profile.cached_us(4096), figures[0] + figures[2], name);
        assert_close(profile.cached_us(1 << 20), figures[1] + figures[3], name);
        assert_close(profile.uncached_us(4096), figures[0] + figures[4], name);
        assert_close(profile.uncached_us(1 << 20), figures[1] + figures[5], name);
    }
}

const FILE: &str = "open_us = 1\n[cached]\nfixed_us = 2\nbytes_per_us = 4000\n[uncached]\nfixed_us = 80\nbytes_per_us = 500.5\n";

#[test]
fn a_cold_reading_has_a_line_of_its_own_or_that_of_any_other() {
    let plain = Profile::parse(FILE, Path::new("flash.toml")).expect("profile");
    assert_close(plain.cold_us(1001), plain.uncached_us(1001), "none given");
    let text = format!("{FILE}[cold]\nfixed_us = 160\nbytes_per_us = 1001\n");
    let with_cold = Profile::parse(&text, Path::new("flash.toml")).expect("profile");
    assert_close(with_cold.cold_us(1001), 162.0, "cold");
    let text = format!("{FILE}[cold]\nfixed_us = 160\n");
    let error = Profile::parse(&text, Path::new("flash.toml")).unwrap_err();
    assert!(error.to_string().contains("bytes_per_us"), "{error}");
}

#[test]
fn a_file_is_a_profile_named_after_it() {
    let profile = Profile::parse(FILE, Path::new("fast/flash.toml")).expect("profile");
    assert_eq!(
        (profile.name.as_str(), profile.source.as_str()),
        ("flash", "fast/flash.toml")
    );
    assert_close(profile.uncached_us(1001), 83.0, "uncached");
}

fn complaint(text: &str) -> String {
    Profile::parse(text, Path::new("p.toml"))
        .expect_err(text)
        .to_string()
}

#[test]
fn a_misspelt_key_names_the_nearest_with_its_place() {
    let message = complaint(&FILE.replace("\nbytes_per_us = 4000", "\nbyte_per_us = 4000"));
    assert!(
        message.starts_with("p.toml:4:1: `byte_per_us` in [cached]: unknown key"),
        "{message}"
    );
    assert!(
        message.contains("did you mean `bytes_per_us`?"),
        "{message}"
    );
}

#[test]
fn costs_that_cannot_be_are_refused_with_their_line() {
    assert!(
        complaint(&FILE.replace("500.5", "0"))
            .starts_with("p.toml:7:16: `bytes_per_us` in [uncached]")
    );
    assert!(complaint(&FILE.replace("500.5", "nan")).contains("finite"));
    assert!(complaint(&FILE.replace("= 80", "= -2")).starts_with("p.toml:6:12: `fixed_us`"));
    assert!(
        complaint(&FILE.replace("open_us = 1", "open_us = -1")).contains("must not be negative")
    );
    assert!(complaint("open_us = 1").contains("`cached` is missing; add it"));
    assert!(complaint("cached = 1\nopen_us = 1").contains("must be a table"));
}

#[test]
fn a_profile_may_be_a_pipe() {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    let text = Profile::builtin("ssd").unwrap().to_toml().unwrap();
    writer.write_all(text.as_bytes()).expect("room in the pipe");
    drop(writer);
    let path = format!("/proc/self/fd/{}", reader.as_raw_fd());
    let read = Profile::named_or_file(&path).expect("a profile");
    assert_eq!(read.name, "ssd");
}

#[test]
fn a_device_without_an_end_is_refused() {
    let message = Profile::named_or_file("/dev/zero").expect_err("no profile");
    assert_eq!(
        message.to_string(),
        "/dev/zero: cannot read: it is larger than 64 MiB; name an existing TOML file"
    );
}

#[test]
fn neither_a_name_nor_a_file_says_what_there_is() {
    let message = Profile::named_or_file("hddd")
        .expect_err("unknown")
        .to_string();
    assert!(
        message.contains("did you mean `hdd`?") && message.contains("lustre-2004"),
        "{message}"
    );
    let message = Profile::named_or_file("/nowhere/p.toml")
        .expect_err("missing")
        .to_string();
    assert!(
        message.starts_with("/nowhere/p.toml: cannot read"),
        "{message}"
    );
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    assert!(
        Profile::load(&folder)
            .expect_err("folder")
            .to_string()
            .contains("cannot read")
    );
}

const COPY: &str = "[[copy]]\nblock_bytes = 4096\nsequential_us = 0.5\nrandom_us = 1\n\
    [[copy]]\nblock_bytes = 65536\nsequential_us = 4.0\nrandom_us = 16\n\
    [[copy]]\nblock_bytes = \"1MiB\"\nsequential_us = 128\nrandom_us = 256\n";

/// A working set where rows have none.
const ANY: u64 = 1 << 20;

/// The same rows of two working sets, twice as slow in the larger.
fn levels() -> String {
    let of = |size: &str, times: f64| {
        let row = |block: &str, us: f64| {
            let us = us * times;
            format!(
                "[[copy]]\nworking_set_bytes = {size}\nblock_bytes = {block}\nsequential_us = {us}\nrandom_us = {us}\n"
            )
        };
        row("4096", 1.0) + &row("65536", 10.0)
    };
    of("\"1MiB\"", 1.0) + &of("\"16MiB\"", 2.0)
}

#[test]
fn copying_follows_the_working_set_between_two_levels() {
    let text = format!("{FILE}{}", levels());
    let profile = Profile::parse(&text, Path::new("flash.toml")).expect("profile");
    for (working_set, us) in [
        (4096, 10.0),
        (1 << 20, 10.0),
        // Half of the way in logarithms.
        (4 << 20, 10.0 * 2_f64.sqrt()),
        (16 << 20, 20.0),
        (1 << 40, 20.0),
        (u64::MAX, 20.0),
    ] {
        assert_close(profile.copy_us(65_536, true, working_set), us, "a level");
    }
    let written = profile.to_toml().expect("finite");
    let read = Profile::parse(&written, Path::new("flash.toml")).expect(&written);
    assert_eq!(read, profile, "{written}");
}

#[test]
fn working_sets_that_fall_or_are_missing_in_some_rows_are_refused() {
    let falls = levels().replace("16MiB", "512KiB");
    let message =
        "`working_set_bytes` in [[copy]]: must be at least 1048576, that of the row before";
    assert!(complaint(&format!("{FILE}{falls}")).contains(message));
    let missing = levels().replacen("working_set_bytes = \"1MiB\"\n", "", 1);
    let message = "`working_set_bytes` in [[copy]]: must stand in all rows, or in none";
    assert!(complaint(&format!("{FILE}{missing}")).contains(message));
    let none = levels().replace("\"1MiB\"", "0");
    assert!(complaint(&format!("{FILE}{none}")).contains("`working_set_bytes` in [[copy]]"));
}

#[test]
fn copying_follows_the_measured_blocks_between_and_beyond_them() {
    let text = format!("{FILE}{COPY}");
    let profile = Profile::parse(&text, Path::new("flash.toml")).expect("profile");
    for (bytes, us) in [(4096, 0.5), (65_536, 4.0), (1 << 20, 128.0)] {
        assert_close(profile.copy_us(bytes, true, ANY), us, "a row");
    }
    // From 4 KiB to 64 KiB, sixteen times the bytes take sixteen times as long: in proportion.
    assert_close(profile.copy_us(16_384, false, ANY), 4.0, "between two rows");
    // Sixteen times the bytes take 32 times as long: four times, 32^(1/2) times.
    let quarter = profile.copy_us(262_144, true, ANY);
    assert_close(quarter, 4.0 * 32_f64.sqrt(), "between two others");
    assert_close(
        profile.copy_us(4 << 20, true, ANY),
        512.0,
        "beyond the last",
    );
    // 3.5 us for 60 KiB more: the first row's call is 0.5 us less 4 KiB of it.
    let call = 0.5 - 3.5 / 15.0;
    assert_close(profile.copy_us(0, true, ANY), call, "below the first");
    assert_close(
        profile.copy_us(2048, true, ANY),
        call + 3.5 / 30.0,
        "halfway",
    );
}

#[test]
fn copying_follows_the_line_of_cached_files_where_no_block_was_measured() {
    let profile = Profile::parse(FILE, Path::new("flash.toml")).expect("profile");
    assert_close(
        profile.copy_us(4000, false, ANY),
        3.0,
        "2 us, then 4000 bytes/us",
    );
}

const DEVICES: [&str; 3] = [
    "kind = \"measured\"\ndelay_us = 80.5\nbytes_per_us = 900\nslots = 16\ntotal_bytes_per_us = 2500.0\n\
     max_request_bytes = \"1280KiB\"\ndelay_quantiles_us = [60, 70, 80.5, 90, 110, 400]\n\
     in_flight_us = [[1, 85], [2, 90.5], [8, 300]]\nsegment_us = 3.5\nstream_bytes_per_us = 1500\n",
    "kind = \"drive\"\ntrack_to_track_us = 800\naverage_seek_us = 8500\nrevolutions_per_minute = 7200\nbytes_per_s = 39e6\n\
     read_ahead_bytes = 1048576\ncapacity_bytes = \"2GiB\"\nqueue = \"elevator\"\nmax_request_bytes = 1310720\n\
     overhead_us = 70\ninterface_bytes_per_us = 3000\nwrite_cache_bytes = \"64MiB\"\n",
    "kind = \"ssd\"\nchannels = 8\npage_bytes = 16384\nread_us = 50\nbus_bytes_per_us = 800\ninterface_bytes_per_us = 3200\n\
     command_us = 5\nqueue_depth = 64\ncapacity_bytes = \"1TB\"\nwrite_us = 600\nwrite_cache_bytes = 0\n",
];

fn with_device(device: &str) -> String {
    format!("{FILE}[file_system]\nkind = \"ext4\"\nblock_bytes = 4096\n[device]\n{device}")
}

#[test]
fn a_profile_with_every_table_is_written_as_it_is_read() {
    for device in DEVICES {
        for more in [
            "",
            "scheduler = \"mq-deadline\"\n",
            "[device.raid]\nlevel = 5\ndisks = 4\n",
        ] {
            let text = format!("{}{more}{COPY}", with_device(device));
            let profile = Profile::parse(&text, Path::new("store.toml")).expect(&text);
            assert!(profile.device.is_some() && profile.file_system.is_some());
            assert_eq!(profile.copy.len(), 3);
            let written = profile.to_toml().expect("finite");
            let read = Profile::parse(&written, Path::new("store.toml")).expect(&written);
            assert_eq!(read, profile, "{written}");
        }
    }
}

#[test]
fn a_raid_has_the_chunk_of_mdadm_unless_told_another() {
    let text = format!(
        "{}[device.raid]\nlevel = 0\ndisks = 2\n",
        with_device(DEVICES[0])
    );
    let device = Profile::parse(&text, Path::new("p.toml"))
        .expect("profile")
        .device;
    let raid = device.expect("device").raid.expect("raid");
    assert_eq!(
        (raid.level, raid.disks, raid.chunk_bytes),
        (RaidLevel::Raid0, 2, 512 << 10)
    );
}

/// `complaint` about a profile whose device says `wrong` instead of `right`.
fn device_complaint(device: usize, right: &str, wrong: &str) -> String {
    let text = with_device(DEVICES[device]);
    assert!(text.contains(right), "{right}");
    complaint(&text.replace(right, wrong))
}

#[test]
fn devices_that_cannot_be_are_refused_with_line_key_and_bound() {
    for (device, right, wrong, message) in [
        (
            0,
            "slots = 16\n",
            "",
            "p.toml:11:1: [device]: `slots` is missing; add it",
        ),
        (
            0,
            "slots = 16",
            "slots = 0",
            "p.toml:15:9: `slots` in [device]: must be from 1 to 65536",
        ),
        (
            0,
            "delay_us = 80.5",
            "delay_us = -1",
            "p.toml:13:12: `delay_us` in [device]: must be from 0 to 30000000 microseconds",
        ),
        (
            0,
            "delay_us = 80.5",
            "delay_us = 1e9",
            "must be from 0 to 30000000 microseconds",
        ),
        (
            0,
            "2500.0",
            "0",
            "`total_bytes_per_us` in [device]: must be positive, from 0.000001",
        ),
        (
            0,
            "1280KiB",
            "100B",
            "`max_request_bytes` in [device]: must be from 512 to",
        ),
        (
            0,
            "[60, 70,",
            "[90, 70,",
            "`delay_quantiles_us` in [device]: must be six delays",
        ),
        (0, "[60, 70,", "[70,", "must be six delays"),
        (
            0,
            "[[1, 85], ",
            "[",
            "`in_flight_us` in [device]: must be pairs",
        ),
        (
            0,
            "segment_us = 3.5",
            "segment_us = -1",
            "`segment_us` in [device]: must be from 0 to 30000000",
        ),
        (0, "[2, 90.5]", "[9, 90.5]", "must be pairs"),
        (0, "[2, 90.5]", "[2, 0]", "must be pairs"),
        (
            0,
            "[2, 90.5]",
            "[2, -1]",
            "`in_flight_us` in [device]: must be from 0 to 30000000",
        ),
        (
            0,
            "slots = 16",
            "slot = 16",
            "`slot` in [device]: unknown key; did you mean `slots`?",
        ),
        (
            0,
            "\"measured\"",
            "\"tape\"",
            "p.toml:12:8: `kind` in [device]: `tape` is none of measured, drive, ssd",
        ),
        (0, "kind = \"measured\"\n", "", "`kind` is missing; add it"),
        (
            1,
            "= 7200",
            "= 0",
            "`revolutions_per_minute` in [device]: must be from 1 to 100000 turns a minute",
        ),
        (
            1,
            "interface_bytes_per_us = 3000",
            "interface_bytes_per_us = 0",
            "p.toml:22:26: `interface_bytes_per_us` in [device]: must be positive, from 0.000001",
        ),
        (
            1,
            "overhead_us = 70",
            "overhead_us = -70",
            "`overhead_us` in [device]: must be from 0 to 30000000 microseconds",
        ),
        (
            1,
            "= 39e6",
            "= 0",
            "`bytes_per_s` in [device]: must be from 1",
        ),
        (
            1,
            "\"elevator\"",
            "\"lift\"",
            "`queue` in [device]: `lift` is none of elevator, sweep, fifo",
        ),
        (
            1,
            "\"2GiB\"",
            "100",
            "`capacity_bytes` in [device]: must be from 512 to",
        ),
        (
            2,
            "channels = 8",
            "channels = 70000",
            "`channels` in [device]: must be from 1 to 65536",
        ),
        (
            2,
            "kind = \"ssd\"",
            "kind = \"ssd\"\nslots = 3",
            "`slots` in [device]: unknown key",
        ),
        (
            2,
            "kind = \"ssd\"",
            "kind = \"ssd\"\nscheduler = \"noop\"",
            "`scheduler` in [device]: `noop` is none of none, mq-deadline",
        ),
    ] {
        let seen = device_complaint(device, right, wrong);
        assert!(seen.contains(message), "{seen}\nlacks {message}");
    }
}

#[test]
fn a_raid_of_too_few_disks_is_refused() {
    for (raid, message) in [
        ("level = 5\ndisks = 2", "level 5 needs 3 or more"),
        ("level = 10\ndisks = 5", "level 10 needs pairs"),
        ("level = 6\ndisks = 5", "must be 0, 1, 5 or 10"),
        (
            "level = 1\ndisks = 2\nchunk_bytes = 7",
            "must be from 512 to",
        ),
        (
            "level = 5\ndisks = 5\nchunk_bytes = 4611686018427387904",
            "must be from 512 to 1073741824",
        ),
    ] {
        let text = format!("{}[device.raid]\n{raid}\n", with_device(DEVICES[1]));
        assert!(complaint(&text).contains(message), "{}", complaint(&text));
    }
}

#[test]
fn copies_that_cannot_be_are_refused_with_line_key_and_bound() {
    for (right, wrong, message) in [
        (
            "65536",
            "4096",
            "p.toml:12:1: `block_bytes` in [[copy]]: must be more than 4096",
        ),
        (
            "= 0.5",
            "= 0",
            "p.toml:10:17: `sequential_us` in [[copy]]: must be positive",
        ),
        ("random_us = 16\n", "", "`random_us` is missing; add it"),
        (
            "= 256",
            "= 1e13",
            "`random_us` in [[copy]]: must be at most",
        ),
        ("\"1MiB\"", "\"much\"", "`block_bytes` in [[copy]]"),
    ] {
        let text = format!("{FILE}{COPY}").replace(right, wrong);
        assert!(complaint(&text).contains(message), "{}", complaint(&text));
    }
    let text = format!("{FILE}[file_system]\nkind = \"ext4\"\nblock_bytes = 0\n");
    assert!(complaint(&text).contains("`block_bytes` in [file_system]"));
}

#[test]
fn a_mount_has_a_call_and_says_what_the_page_cache_keeps() {
    let parse = |more: &str| Profile::parse(&format!("{FILE}{more}"), Path::new("p.toml"));
    let plain = parse("[mount]\ncall_us = 260.0\n").unwrap();
    let mount = plain.mount.unwrap();
    assert_eq!((mount.call_us, mount.writes_through), (260.0, false));
    assert_eq!(plain.page_keeping(), PageKeeping::Kept);
    let told = "[mount]\ncall_us = 260.0\nkeeps = \"until-opened\"\nwrites_through = true\n";
    let told = parse(told).unwrap();
    assert_eq!(told.page_keeping(), PageKeeping::UntilOpened);
    let again = Profile::parse(&told.to_toml().unwrap(), Path::new("p.toml"));
    assert_eq!(again.unwrap(), told);
    assert!(parse("[mount]\ncall_us = 260.0\nkeeps = \"always\"\n").is_err());
    assert!(parse("[mount]\ncall_us = -1.0\n").is_err());
    assert!(parse("[mount]\nkeeps = \"never\"\n").is_err(), "no call");
}

#[test]
fn writing_has_the_kernels_defaults_and_rows_of_its_own() {
    let lines = "open_us = 1.0\n[cached]\nfixed_us = 1.0\nbytes_per_us = 1000.0\n[uncached]\nfixed_us = 9.0\nbytes_per_us = 100.0\n";
    let parse = |more: &str| Profile::parse(&format!("{lines}{more}"), Path::new("p.toml"));
    let profile = parse(
        "[[write]]\nblock_bytes = 4096\nus = 2.0\n[[write]]\nblock_bytes = 8192\nus = 4.0\n\
         [writing]\ndirty_limit_bytes = \"64MiB\"\n[file_system]\nkind = \"ext4\"\nblock_bytes = 4096\njournal = \"none\"\n",
    )
    .unwrap();
    let writing = profile.writing.unwrap();
    let percent = (writing.dirty_background_ratio, writing.dirty_limit_ratio);
    assert_eq!(percent, (10.0, 20.0));
    assert_eq!((writing.expire_s, writing.flush_s), (30.0, 5.0));
    assert_eq!(writing.dirty_limit_bytes, Some(64 << 20));
    assert_eq!(writing.dirty_background_bytes, None);
    assert_close(profile.write_us(4096).unwrap(), 2.0, "a row");
    assert_close(profile.write_us(16384).unwrap(), 8.0, "beyond the last");
    let written = profile.to_toml().unwrap();
    assert_eq!(
        Profile::parse(&written, Path::new("p.toml")).unwrap(),
        profile
    );
    assert_eq!(parse("").unwrap().write_us(4096), None, "not measured");
    assert_eq!(
        profile.write_new_pages_us(4096),
        Some(2.0),
        "as over a file"
    );
    assert_eq!(profile.write_after_sync_quantiles_us(4096), None);
    assert_eq!(
        parse("").unwrap().lacks_of_writing(),
        ["[[write]]", "[writing]"]
    );
    assert!(profile.lacks_of_writing().is_empty());
    let measured =
        parse("[calls]\ncreate_us = 9.5\n[[fsync]]\nbytes = 4096\nwriters = 2\nus = 800.0\n")
            .unwrap();
    assert_eq!(measured.calls.unwrap().create_us, Some(9.5));
    assert_eq!(measured.calls.unwrap().rename_us, None);
    assert_eq!(measured.fsync[0].writers, 2);
    let again = measured.to_toml().unwrap();
    assert_eq!(
        Profile::parse(&again, Path::new("p.toml")).unwrap(),
        measured
    );
    for (more, says) in [
        ("[writing]\nflush_s = 0.0\n", "must be from 0.01"),
        ("[calls]\nrename_us = 0.0\n", "calls take time"),
        (
            "[writing]\ndirty_limit_ratio = 101.0\n",
            "must be from 0 to 100 percent",
        ),
        (
            "[[write]]\nblock_bytes = 4096\nus = 0.0\n",
            "writing takes time",
        ),
        (
            "[[write]]\nblock_bytes = 4096\nus = 1.0\nafter_sync_quantiles_us = [2.0, 1.0]\n",
            "must be six delays",
        ),
        (
            "[file_system]\nkind = \"ext4\"\nblock_bytes = 4096\njournal = \"full\"\n",
            "full",
        ),
    ] {
        let error = parse(more).unwrap_err().to_string();
        assert!(error.contains(says), "{more}: {error}");
    }
}

#[test]
fn writes_of_new_pages_and_after_a_sync_have_rows_of_their_own() {
    let lines = "open_us = 1.0\n[cached]\nfixed_us = 1.0\nbytes_per_us = 1000.0\n[uncached]\nfixed_us = 9.0\nbytes_per_us = 100.0\n";
    let row = |bytes: u64, us: f64| {
        format!(
            "[[write]]\nblock_bytes = {bytes}\nus = {us:?}\nnew_pages_us = {:?}\n\
             after_sync_us = {:?}\nafter_sync_quantiles_us = [1.0, 1.0, {us:?}, {us:?}, {us:?}, 100.0]\n",
            2.0 * us,
            3.0 * us,
        )
    };
    let text = format!("{lines}{}{}", row(4096, 2.0), row(8192, 4.0));
    let profile = Profile::parse(&text, Path::new("p.toml")).unwrap();
    assert_eq!(profile.write_new_pages_us(4096), Some(4.0));
    let beyond = profile.write_new_pages_us(16_384).unwrap();
    assert_close(beyond, 16.0, "beyond the last");
    let quantiles = profile.write_after_sync_quantiles_us(8192).unwrap();
    assert_eq!(quantiles, [1.0, 1.0, 4.0, 4.0, 4.0, 100.0]);
    let again = Profile::parse(&profile.to_toml().unwrap(), Path::new("p.toml"));
    assert_eq!(again.unwrap(), profile);
}

#[test]
fn a_flush_takes_what_its_rows_say_after_so_many_bytes() {
    let lines = "open_us = 1.0\nflush_us = 90.0\n[cached]\nfixed_us = 1.0\nbytes_per_us = 1000.0\n[uncached]\nfixed_us = 9.0\nbytes_per_us = 100.0\n";
    let parse = |more: &str| Profile::parse(&format!("{lines}{more}"), Path::new("p.toml"));
    let after_us = |profile: &Profile, bytes| profile.flush_after(bytes).unwrap().us;
    let older = parse("").unwrap();
    assert_eq!(after_us(&older, 0), 90.0);
    assert_eq!(after_us(&older, 1 << 30), 90.0);
    let rows = "[[flush]]\nbytes = 4096\nus = 100.0\nquantiles_us = [90.0, 95.0, 100.0, 100.0, 150.0, 2000.0]\n\
                [[flush]]\nbytes = 8192\nus = 200.0\n";
    let profile = parse(rows).unwrap();
    assert_eq!(
        profile.flush_us,
        Some(90.0),
        "for models that know no bytes"
    );
    for (bytes, us) in [(0, 100.0), (4096, 100.0), (6144, 150.0), (12_288, 200.0)] {
        assert_close(after_us(&profile, bytes), us, "by rows");
    }
    let times = profile.flush_after(6144).unwrap();
    assert_eq!(times.quantiles_us, None, "not all rows have some");
    let alone = parse(rows.split("[[flush]]\nbytes = 8192").next().unwrap()).unwrap();
    let quantiles = alone.flush_after(1 << 20).unwrap().quantiles_us.unwrap();
    assert_eq!((quantiles[0], quantiles[5]), (90.0, 2000.0));
    assert_eq!(profile.flush_after(0).unwrap().new_tick_us, None);
    let ticks = rows.replace("us = 200.0\n", "us = 200.0\nnew_tick_us = 1700.0\n");
    let ticks = ticks.replace("us = 100.0\n", "us = 100.0\nnew_tick_us = 1500.0\n");
    let times = parse(&ticks).unwrap().flush_after(6144).unwrap();
    assert_close(times.new_tick_us.unwrap(), 1600.0, "first of a tick");
    let again = Profile::parse(&profile.to_toml().unwrap(), Path::new("p.toml"));
    assert_eq!(again.unwrap(), profile);
    let text = format!("{}{rows}", lines.replace("flush_us = 90.0\n", ""));
    let by_rows = Profile::parse(&text, Path::new("p.toml")).unwrap();
    assert_eq!(by_rows.flush_us, Some(100.0), "that of the first row");
    // What is set aside from the file holds after any bytes.
    let set = profile.with(&["flush_us=7".parse().unwrap()]).unwrap();
    assert_eq!(after_us(&set, 12_288), 7.0);
    for (more, says) in [
        ("[[flush]]\nbytes = 4096\nus = 0.0\n", "a flush takes time"),
        (
            "[[flush]]\nbytes = 4096\nus = 1.0\nnew_tick_quantiles_us = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]\n",
            "is not used without `new_tick_us`",
        ),
        (
            "[[flush]]\nbytes = 4096\nus = 1.0\n[[flush]]\nbytes = 4096\nus = 1.0\n",
            "`bytes` in [[flush]]: must be more than 4096",
        ),
    ] {
        let error = parse(more).unwrap_err().to_string();
        assert!(error.contains(says), "{more}: {error}");
    }
}

#[test]
fn journals_have_times_sizes_and_barriers_within_bounds() {
    let lines = "open_us = 1.0\nflush_us = 4000.0\nwake_us = 20.0\nfua = true\n[cached]\nfixed_us = 1.0\nbytes_per_us = 1000.0\n[uncached]\nfixed_us = 9.0\nbytes_per_us = 100.0\n";
    let parse = |more: &str| {
        let text = format!("{lines}[file_system]\nkind = \"ext4\"\nblock_bytes = 4096\n{more}");
        Profile::parse(&text, Path::new("p.toml"))
    };
    let profile = parse(
        "journal = \"writeback\"\ncommit_s = 0.5\njournal_bytes = \"8MiB\"\njournal_at = \"512MiB\"\nbarrier = false\n",
    )
    .unwrap();
    let system = profile.file_system.clone().unwrap();
    assert_eq!(system.journal, Some(Journal::Writeback));
    assert_eq!(system.commit_s, Some(0.5));
    assert_eq!(system.journal_bytes, Some(8 << 20));
    assert_eq!(system.journal_at, Some(512 << 20));
    assert_eq!(system.barrier, Some(false));
    assert_eq!((profile.flush_us, profile.fua), (Some(4000.0), Some(true)));
    assert_eq!(profile.wake_us, Some(20.0));
    let written = profile.to_toml().unwrap();
    assert_eq!(
        Profile::parse(&written, Path::new("p.toml")).unwrap(),
        profile
    );
    let setting = "file_system.journal=data".parse().unwrap();
    let set = parse("").unwrap().with(&[setting]).unwrap();
    assert_eq!(set.file_system.unwrap().journal, Some(Journal::Data));
    for (more, says) in [
        ("journal_bytes = 4096\n", "must be from 4194304"),
        ("commit_s = 0.0\n", "must be from 0.01"),
        (
            "journal_at = \"18446744073709551615\"\n",
            "must be from 512 to",
        ),
    ] {
        let error = parse(more).unwrap_err().to_string();
        assert!(error.contains(says), "{more}: {error}");
    }
}

const WRITES: &str = "[device.write]\ndelay_us = 30\nsequential_delay_us = 20.5\nbytes_per_us = 700\ntotal_bytes_per_us = 1400\n\
    in_flight_us = [[1, 35], [4, 60]]\nsegment_us = 0.5\n";

fn writes_of(profile: &Profile) -> Option<&MeasuredWrites> {
    match &profile.device.as_ref()?.kind {
        DeviceKind::Measured(device) => device.write.as_ref(),
        _ => None,
    }
}

#[test]
fn a_measured_device_may_have_prices_of_writing_and_says_where_it_has_none() {
    let text = |more: &str| format!("{}scheduler = \"none\"\n{more}", with_device(DEVICES[0]));
    let parse = |more: &str| Profile::parse(&text(more), Path::new("p.toml")).expect(more);
    let older = parse("");
    assert_eq!(writes_of(&older), None);
    let lacks = ["[[write]]", "[writing]", "[device.write]"];
    assert_eq!(older.lacks_of_writing(), lacks);
    let profile = parse(WRITES);
    let expected = MeasuredWrites {
        delay_us: 30.0,
        sequential_delay_us: 20.5,
        bytes_per_us: 700.0,
        total_bytes_per_us: 1400.0,
        delay_quantiles_us: None,
        in_flight_us: Some(vec![(1, 35.0), (4, 60.0)]),
        segment_us: 0.5,
    };
    assert_eq!(writes_of(&profile), Some(&expected));
    assert_eq!(profile.lacks_of_writing(), lacks[..2]);
    let written = profile.to_toml().expect("finite");
    let read = Profile::parse(&written, Path::new("p.toml")).expect(&written);
    assert_eq!(read, profile, "{written}");
    let set = older.with(&["device.write.delay_us=5".parse().expect("a setting")]);
    let error = set.expect_err("the other keys").to_string();
    assert!(error.contains("is missing"), "{error}");
    let least = "[device.write]\ndelay_us = 30\nbytes_per_us = 700\ntotal_bytes_per_us = 1400\n";
    let delay_us = writes_of(&parse(least)).map(|it| it.sequential_delay_us);
    assert_eq!(delay_us, Some(30.0), "as at random places");
    let wrong = complaint(&text(&WRITES.replace("= 1400", "= 0")));
    let says = "`total_bytes_per_us` in [device.write]: must be positive";
    assert!(wrong.contains(says), "{wrong}");
    let unknown = complaint(&text(&WRITES.replace("segment_us", "segments_us")));
    assert!(unknown.contains("did you mean `segment_us`?"), "{unknown}");
}
