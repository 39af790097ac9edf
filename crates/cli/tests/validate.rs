//! `hotset validate`: what cannot be validated is refused, and whatever happens nothing stays.

use hotset_test_support::skip;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace, hotset};

fn has_fio() -> bool {
    Command::new("fio").arg("--version").output().is_ok()
}

fn prepared(jobs: &str) -> Workplace {
    let place = Workplace::new();
    place.write("jobs.fio", jobs.as_bytes());
    fs::create_dir(place.path("store")).unwrap();
    place
}

#[test]
fn without_fio_the_fix_is_named() {
    let place = prepared("[a]\nsize=1m\n");
    let mut validate = Command::new(hotset());
    validate.args(["validate", "jobs.fio", "--on", "store"]);
    let output = validate
        .env("PATH", place.folder())
        .current_dir(place.folder())
        .output();
    Failure::of(output.unwrap())
        .has_code(1)
        .says("fio is not installed; on Debian, apt-get install fio");
}

#[test]
fn jobs_that_only_trim_are_refused_with_the_fix() {
    let place = prepared("[global]\nsize=1m\n[t]\nrw=randtrim\n[u]\nrw=trimwrite\n");
    place
        .refuses(["validate", "jobs.fio", "--on", "store"])
        .has_code(1)
        .says("jobs.fio:4: `[t]` trims, and so do all other jobs")
        .says("add a job that reads or writes, such as rw=randwrite");
}

#[test]
fn jobs_are_run_and_simulated_and_trimming_ones_named() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    let place = prepared(
        "[scan]\nrw=read\nbs=64k\nsize=4m\n[log]\nstonewall\nrw=write\nsize=1m\nend_fsync=1\n[t]\nrw=trim\n",
    );
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile", "ssd"];
    let json = place.json(validate.iter().copied().chain(["--json"]));
    holds_to("validate.json", &json);
    let cells = json["cells"].as_array().unwrap();
    let operations: Vec<_> = cells.iter().map(|it| &it["operation"]).collect();
    assert_eq!(
        operations,
        ["read", "read", "read", "write", "write", "write"]
    );
    assert_eq!(json["skipped"][0]["mode"], "trim");
    let scores = json["scores"].as_array().unwrap();
    assert_eq!(scores.len(), 6, "{scores:?}");
    assert!(scores.iter().all(|it| it["cells"] == 1), "{scores:?}");
    // Without 99th percentiles.
    assert_eq!(json["errors"]["figures"], 4);
    for cell in json["cells"].as_array().unwrap() {
        let [low, measured, high] =
            ["low", "measured", "high"].map(|key| cell[key].as_f64().unwrap());
        assert!(0.0 < low && low <= measured && measured <= high, "{cell}");
    }
    let device = &json["device"][0];
    assert_eq!(device["read_bytes"], 4.0 * 1048576.0);
    // A file system without a device, such as the one of a container's temporary folder, reads nothing from it.
    let measured = device["measured_bytes"].as_f64().unwrap();
    assert!((0.0..8.0 * 1048576.0).contains(&measured), "{device}");
    assert_eq!(fs::read_dir(place.path("store")).unwrap().count(), 0);
}

/// How many processes work in a folder below this one.
fn working_below(folder: &Path) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let folders = processes.filter_map(|it| fs::read_link(it.path().join("cwd")).ok());
    folders.filter(|it| it.starts_with(folder)).count()
}

#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let give_up = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < give_up, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn whoever_kills_it_ends_fio_and_the_next_one_removes_the_files() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    let place = prepared("[a]\nrw=write\nsize=1m\nrate=1m\ntime_based\nruntime=60\n");
    let store = fs::canonicalize(place.path("store")).unwrap();
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile", "ssd"];
    let mut running = Command::new(hotset())
        .args(validate)
        .current_dir(place.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("fio runs", || working_below(&store) > 0);
    running.kill().unwrap();
    running.wait().unwrap();
    wait_until("fio has ended", || working_below(&store) == 0);
    assert_ne!(fs::read_dir(&store).unwrap().count(), 0);
    place.write("jobs.fio", b"[a]\nrw=write\nsize=1m\n");
    place.succeeds(validate);
    assert_eq!(fs::read_dir(&store).unwrap().count(), 0);
}

#[test]
fn what_lies_elsewhere_is_refused_before_anything_is_written() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    let place = prepared("[a]\nsize=1m\nfilename=/etc/passwd\n");
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile", "ssd"];
    place
        .refuses(validate)
        .has_code(1)
        .says("jobs.fio:1: `[a]` reads /etc/passwd");
    assert_eq!(fs::read_dir(place.path("store")).unwrap().count(), 0);
}

#[test]
fn a_job_that_ends_within_its_ramp_time_has_no_figures() {
    let place = prepared("[a]\nsize=1m\nramp_time=2\n");
    let printed = place.succeeds(["simulate", "fio", "jobs.fio", "--profile", "ssd"]);
    let says = "No read of a was counted; give a longer runtime, or a shorter ramp_time.";
    assert!(printed.replace('\n', " ").contains(says), "{printed}");
}

#[test]
fn on_a_file_system_that_does_not_tell_where_files_lie_jobs_are_validated_all_the_same() {
    let memory = std::path::Path::new("/dev/shm");
    if !has_fio() || !memory.is_dir() {
        return skip("needs fio and /dev/shm");
    }
    let place = prepared("[scan]\nrw=read\nbs=64k\nsize=1m\n");
    let on = ["--on", "/dev/shm", "--profile", "memory"];
    let validate = ["validate", "jobs.fio"].into_iter().chain(on);
    let json = place.json(validate.clone().chain(["--json"]));
    holds_to("validate.json", &json);
    assert_eq!(json["places_known"], false);
    let output = place.hotset(validate);
    let told = String::from_utf8_lossy(&output.stdout).replace('\n', " ");
    assert!(told.contains("Where files lie is not known"), "{told}");
}
