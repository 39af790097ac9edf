//! Logs of reads: what is read of them, what is refused, and what replaying them comes to.
use hotset_test_support::skip;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hotset_models::fio::{
    Action, ActionKind, Iolog, JobFile, JobResult, Operation, System, simulate,
};
use hotset_scenario::{CostLine, Profile};
use proptest::prelude::*;

fn read(log: &str) -> Result<Iolog, String> {
    Iolog::read(log.as_bytes(), Path::new("log")).map_err(|error| error.to_string())
}

/// A folder of this test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _gone = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Opening in 20 µs; a call of 1 µs and 8000 bytes/µs from memory, 100 µs and 500 bytes/µs from the device.
fn profile() -> Profile {
    let line = |fixed_us, bytes_per_us| CostLine {
        fixed_us,
        bytes_per_us,
    };
    Profile {
        name: "test".to_owned(),
        open_us: 20.0,
        cached: line(1.0, 8000.0),
        uncached: line(100.0, 500.0),
        ..Profile::builtin("memory").unwrap()
    }
}

/// What the job with these options makes of `log`.
fn replayed(name: &str, log: &str, options: &str) -> JobResult {
    let folder = folder(name);
    let (log_path, jobs) = (folder.join("log"), folder.join("jobs.fio"));
    fs::write(&log_path, log).unwrap();
    let text = format!("[a]\nread_iolog={}\n{options}\n", log_path.display());
    fs::write(&jobs, text).unwrap();
    let file = JobFile::load(&jobs).unwrap();
    let profile = profile();
    let system = System {
        profile: &profile,
        memory_bytes: None,
        seed: 0,
    };
    simulate(&file.jobs, &system, &|| true).unwrap().remove(0)
}

const SMALL: &str = "fio version 2 iolog\n\
    x add\ny add\nx open\ny open\nx read 0 4096\ny write 0 4096\ny read 8192 512\nx sync 0 0\ny datasync 0 0\ny trim 0 4096\nx wait 30 0\nx close\ny close\n";

#[test]
fn actions_files_and_what_is_left_out_are_kept() {
    let log = read(SMALL).unwrap();
    let files: Vec<_> = log
        .files
        .iter()
        .map(|it| (&it.name[..], it.bytes))
        .collect();
    assert_eq!(files, [("x", 4096), ("y", 8704)]);
    let read = |file, offset, bytes| ActionKind::Read {
        file,
        offset,
        bytes,
    };
    let written = ActionKind::Write {
        file: 1,
        offset: 0,
        bytes: 4096,
    };
    let expected = [
        ActionKind::Open(0),
        ActionKind::Open(1),
        read(0, 0, 4096),
        written,
        read(1, 8192, 512),
        ActionKind::Sync(0),
        ActionKind::DataSync(1),
        ActionKind::Wait(30),
        ActionKind::Close(0),
        ActionKind::Close(1),
    ];
    assert!(log.actions.iter().map(|it| it.what).eq(expected));
    assert_eq!(
        log.left_out.into_iter().collect::<Vec<_>>(),
        [("trim".to_owned(), 1)]
    );
}

#[test]
fn times_of_version_3_pass_also_where_a_line_is_left_out() {
    let log = "fio version 3 iolog\n0 x add\n100 x open\n150 x trim 0 512\n400 x read 0 512\n390 x read 512 512\n450 x close\n";
    let log = read(log).unwrap();
    let times: Vec<u64> = log.actions.iter().map(|it| it.after_us).collect();
    assert_eq!(times, [0, 300, 0, 60]);
}

#[test]
fn each_refusal_names_line_and_what_mends_it() {
    let after = |line: &str| format!("fio version 2 iolog\nx add\n{line}\n");
    for (log, says) in [
        (String::new(), "log:1: is empty; its first line is"),
        (
            "\u{1}\u{2}".to_owned(),
            "log:1: is no iolog of version 2 or 3",
        ),
        (
            "fio version 3 iolog\nx add\n".to_owned(),
            "log:2: write the time in microseconds",
        ),
        (
            "fio version 2 iolog\n".to_owned(),
            "log:1: has no read and no write",
        ),
        (
            after("x read 0 512"),
            "log:3: x is not open; write `x open` before",
        ),
        (
            after("y open"),
            "log:3: y was not added; write `y add` before",
        ),
        (after("x open\nx open"), "log:4: opens x, which is open"),
        (after("x close"), "log:3: x is not open"),
        (after("x add"), "log:3: adds x, which was added"),
        (
            after("x open\nx read 0 0"),
            "log:4: a read has from 1 to 2147479552 bytes",
        ),
        (
            after("x open\nx read 0 5000000000"),
            "log:4: a read has from 1",
        ),
        (
            after("x open\nx read 18446744073709551615 1"),
            "log:4: reads behind 16 TiB",
        ),
        (after("x open\nx read -1 1"), "log:4: write a file, and add"),
        (
            after("x wait 18446744073709551615 0"),
            "log:3: waits longer than ten years",
        ),
        (
            "fio version 3 iolog\n1 x add\n600000000000000 x open\n".to_owned(),
            "log:3: is later than ten years after the first line",
        ),
        (
            after("x open\nx write 0 0"),
            "log:4: a write has from 1 to 2147479552 bytes",
        ),
        (after("x sync 0 0"), "log:3: x is not open"),
        (after("x eat 0 1"), "log:3: `eat`: is not known"),
        (
            after("x read 0 512 7"),
            "log:3: `x read 0 512 7`: write a file, and add",
        ),
        (after(&"x".repeat(5000)), "log:3: is longer than 4095 bytes"),
        (
            after(&format!("{} add", "y".repeat(300))),
            "log:3: names a file with more than 255 bytes",
        ),
    ] {
        let message = read(&log).expect_err(&log);
        assert!(message.contains(says), "{log:?}: {message}");
    }
    let zeros = Iolog::load(Path::new("/dev/zero")).unwrap_err();
    assert!(
        zeros.to_string().starts_with("/dev/zero:1: is longer"),
        "{zeros}"
    );
    let nowhere = Iolog::load(Path::new("nowhere")).unwrap_err();
    assert!(nowhere.to_string().starts_with("nowhere: "), "{nowhere}");
}

#[test]
fn a_replayed_log_reads_what_it_says_from_files_opened_anew() {
    let log = "fio version 2 iolog\nx add\ny add\nx open\nx read 0 4096\nx read 0 4096\nx close\nx open\nx read 0 4096\n\
               y open\ny read 65536 4096\n";
    let cold = replayed("cold", log, "");
    let total = &cold.outcome.total;
    assert_eq!(
        (total.requests, total.bytes, total.hits),
        (Some(4), Some(4 * 4096), Some(1))
    );
    let kept = replayed("kept", log, "invalidate=0");
    assert_eq!(kept.outcome.total.hits, Some(4));
    // Four reads of a call and 4096 bytes, three files opened, fio's own loop after each read but the last.
    let expected_us = 4.0 * (1.0 + 4096.0 / 8000.0) + 3.0 * 20.0 + 3.0 * 0.122;
    assert!(
        (kept.seconds * 1e6 / expected_us - 1.0).abs() < 0.01,
        "{kept:?}"
    );
}

#[test]
fn writes_and_syncs_of_a_log_are_done_whatever_the_mode_says() {
    let log = "fio version 2 iolog\nx add\nx open\nx write 0 4096\nx sync 0 0\nx write 4096 4096\nx datasync 0 0\nx close\n";
    let result = replayed("writes", log, "rw=randread");
    let of = |operation: Operation| {
        let mut all = result.operations.iter();
        *all.find(|it| it.operation == operation).unwrap()
    };
    assert_eq!(result.outcome.total.requests, Some(2));
    assert_eq!(of(Operation::Write).requests, 2);
    assert_eq!(result.device_written_bytes.data, 2 * 4096);
    let data_us = 99.0 + 4096.0 / 500.0;
    // Descriptor and inode, then the record. The second write changes nothing that it takes to find its data.
    let journal_us = 2.0 * 99.0 + 3.0 * 4096.0 / 500.0;
    let expected_us = (2.0 * (1.0 + data_us) + journal_us) / 2.0;
    let mean_us = of(Operation::Fsync).mean_us;
    assert!(
        (mean_us / expected_us - 1.0).abs() < 0.01,
        "{mean_us}, expected {expected_us}"
    );
}

#[test]
fn of_a_page_that_is_written_in_part_the_rest_is_read_before() {
    let log = "fio version 2 iolog\nx add\nx open\nx write 100 50\nx write 5000 100\nx write 200 50\nx write 8192 4096\nx close\n";
    let cold = replayed("parts", log, "");
    assert_eq!(cold.device_bytes, 2 * 4096, "two pages in part, one whole");
    let kept = replayed("parts-kept", log, "invalidate=0");
    assert_eq!(kept.device_bytes, 0, "all is in memory");
    let read_us = 99.0 + 4096.0 / 500.0;
    let mean_us = |result: &JobResult| result.operations[0].mean_us;
    let expected_us = mean_us(&kept) + 2.0 * read_us / 4.0;
    assert!(
        (mean_us(&cold) / expected_us - 1.0).abs() < 0.01,
        "{}, expected {expected_us}",
        mean_us(&cold)
    );
}

#[test]
fn a_log_with_writes_syncs_its_files_when_it_closes_them_and_at_its_end() {
    let log = "fio version 2 iolog\nx add\ny add\nx open\ny open\nx write 0 4096\ny write 0 4096\nx close\n";
    let fsyncs = |options: &str| {
        let result = replayed("closes", log, options);
        let mut all = result.operations.iter();
        let found = all.find(|it| it.operation == Operation::Fsync);
        (
            found.map_or(0, |it| it.requests),
            result.device_written_bytes.data,
        )
    };
    assert_eq!(fsyncs(""), (0, 0));
    assert_eq!(fsyncs("end_fsync=1"), (2, 2 * 4096));
    // When x is closed, and both at the end.
    assert_eq!(fsyncs("fsync_on_close=1"), (3, 2 * 4096));
}

#[test]
fn reads_come_when_the_log_says_unless_the_last_one_takes_longer() {
    let log = "fio version 3 iolog\n1 x add\n1 x open\n1001 x read 0 4096\n501001 x read 4096 4096\n501002 x read 8192 4096\n";
    let result = replayed("timed", log, "fadvise_hint=0");
    assert!((result.seconds - 0.501).abs() < 0.001, "{}", result.seconds);
    let waits =
        "fio version 2 iolog\nx add\nx open\nx read 0 4096\nx wait 250 0\nx read 4096 4096\n";
    let result = replayed("waits", waits, "");
    assert!((result.seconds - 0.25).abs() < 0.001, "{}", result.seconds);
}

#[test]
fn a_log_replayed_at_once_waits_for_nothing() {
    for log in [
        "fio version 3 iolog\n1 x add\n1 x open\n1001 x read 0 4096\n501001 x read 4096 4096\n",
        "fio version 2 iolog\nx add\nx open\nx read 0 4096\nx wait 500 0\nx read 4096 4096\n",
    ] {
        assert!(replayed("stalls", log, "").seconds > 0.49);
        let at_once = replayed("at-once", log, "replay_no_stall=1");
        assert!(at_once.seconds < 0.1, "{}", at_once.seconds);
        assert_eq!(at_once.outcome.total.requests, Some(2));
    }
    let message = JobFile::parse("[a]\nsize=1m\nreplay_no_stall\n", Path::new("jobs.fio"));
    let message = message.unwrap_err().to_string();
    assert!(message.contains("replay_no_stall is of logs"), "{message}");
}

#[test]
fn jobs_that_logs_do_not_go_with_are_refused() {
    let folder = folder("refused");
    let log = folder.join("log");
    fs::write(&log, SMALL).unwrap();
    let load = |options: &str| {
        let jobs = folder.join("jobs.fio");
        fs::write(
            &jobs,
            format!("[a]\nread_iolog={}\n{options}\n", log.display()),
        )
        .unwrap();
        JobFile::load(&jobs).map_err(|error| error.to_string())
    };
    assert!(load("rw=randread\nbs=64k").is_ok());
    assert!(load("direct=1").is_ok());
    let several = load("numjobs=2").unwrap_err();
    assert!(
        several.contains("read_iolog and numjobs together"),
        "{several}"
    );
    fs::write(&log, SMALL.replace("512", "500")).unwrap();
    let parts = load("direct=1").unwrap_err();
    assert!(
        parts.contains("log:1: direct=1 needs reads of whole sectors"),
        "{parts}"
    );
}

#[test]
fn fio_itself_reads_what_is_written_for_it() {
    if Command::new("fio").arg("--version").output().is_err() {
        skip("no fio");
        return;
    }
    for (name, log) in [
        ("second", SMALL),
        (
            "third",
            "fio version 3 iolog\n0 x add\n0 y add\n5 x open\n9 y open\n20 x read 0 4096\n30 y read 8192 512\n",
        ),
    ] {
        let folder = folder(name);
        let log = read(log).unwrap();
        let renamed = |name: &str| format!("file.{name}");
        for file in &log.files {
            fs::write(
                folder.join(renamed(&file.name)),
                vec![1; file.bytes as usize],
            )
            .unwrap();
        }
        fs::write(
            folder.join("log"),
            log.renamed(Path::new("log"), &renamed).to_fio(),
        )
        .unwrap();
        fs::write(
            folder.join("jobs.fio"),
            "[a]\nread_iolog=log\nwrite_iolog=ignored\n",
        )
        .unwrap();
        let status = Command::new("fio")
            .args(["--output-format=json", "--output=out", "jobs.fio"])
            .current_dir(&folder)
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success());
        let out = fs::read_to_string(folder.join("out")).unwrap();
        assert!(out.contains("\"total_ios\" : 2,"), "{out}");
        assert!(out.contains("\"io_bytes\" : 4608,"), "{out}");
    }
}

proptest! {
    #[test]
    fn what_is_written_for_fio_is_read_as_the_same_log(
        version in 2u8..4, reads in proptest::collection::vec((0u32..3, 0u64..1 << 40, 1u32..2_000_000_000, 0u64..1000), 1..20),
    ) {
        let mut log = format!("fio version {version} iolog\n");
        let mut time = 1;
        let mut put = |line: String, after: u64| {
            time += after;
            log += &if version == 3 { format!("{time} {line}\n") } else { format!("{line}\n") };
        };
        for file in 0..3 {
            put(format!("f{file} add"), 0);
            put(format!("f{file} open"), 0);
        }
        for (file, offset, bytes, after) in reads {
            put(format!("f{file} read {offset} {bytes}"), after);
        }
        let first = read(&log).unwrap();
        let again = read(&first.to_fio()).unwrap();
        prop_assert_eq!(first, again);
    }

    #[test]
    fn no_log_makes_it_panic(lines in "(([0-9]{1,3} )?[xy] (add|open|close|read|wait|write)( [0-9]{1,5} [0-9]{1,5})?\n){0,9}", version in 1u8..4) {
        let _read_or_refused = read(&format!("fio version {version} iolog\n{lines}"));
    }
}

#[test]
fn actions_are_kept_small() {
    assert!(std::mem::size_of::<Action>() <= 32);
}
