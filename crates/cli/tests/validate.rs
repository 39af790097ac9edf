//! `hotset validate`: what cannot be validated is refused, and whatever happens nothing stays.

use hotset_test_support::skip;
use std::fs;
use std::process::Command;

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
fn jobs_are_run_and_simulated_and_writing_ones_named() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    let place = prepared(
        "[scan]\nrw=read\nbs=64k\nsize=4m\n[look]\nstonewall\nrw=randread\nsize=1m\n[w]\nrw=write\nfsync=1\n",
    );
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile", "ssd"];
    let json = place.json(validate.iter().copied().chain(["--json"]));
    holds_to("validate.json", &json);
    assert_eq!(json["cells"].as_array().unwrap().len(), 4);
    assert_eq!(json["skipped"][0]["mode"], "write");
    for cell in json["cells"].as_array().unwrap() {
        let [low, measured, high] =
            ["low", "measured", "high"].map(|key| cell[key].as_f64().unwrap());
        assert!(0.0 < low && low <= measured && measured <= high, "{cell}");
    }
    let device = &json["device"][0];
    assert_eq!(device["read_bytes"], 5.0 * 1048576.0);
    // A file system without a device, such as the one of a container's temporary folder, reads nothing from it.
    let measured = device["measured_bytes"].as_f64().unwrap();
    assert!((0.0..8.0 * 1048576.0).contains(&measured), "{device}");
    assert_eq!(fs::read_dir(place.path("store")).unwrap().count(), 0);
}

#[test]
fn mapped_files_are_read_by_fio_and_simulated_with_advice_and_without() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    let jobs = "[global]\nioengine=mmap\nrw=randread\nsize=4m\nstonewall\n\
                [advised]\nfilename=one\n[unadvised]\nfilename=two\nfadvise_hint=0\nio_size=1m\n";
    let place = prepared(jobs);
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile", "ssd"];
    let json = place.json(validate.iter().copied().chain(["--json"]));
    holds_to("validate.json", &json);
    let cells = json["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 4);
    for cell in cells {
        let [measured, simulated] =
            ["measured", "simulated"].map(|key| cell[key].as_f64().unwrap());
        assert!(measured > 0.0 && simulated > 0.0, "{cell}");
    }
    assert_eq!(fs::read_dir(place.path("store")).unwrap().count(), 0);
}

#[test]
fn logs_of_reads_are_replayed_by_fio_on_files_made_for_them() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    let place = prepared("[a]\nread_iolog=served.log\ndirectory=/srv/nowhere\n");
    place.write(
        "served.log",
        b"fio version 3 iolog\n0 /a/b add\n0 %x add\n5 /a/b open\n9 %x open\n20 /a/b read 8192 4096\n30 %x write 0 512\n\
          90 %x read 0 1000\n",
    );
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile", "ssd"];
    let json = place.json(validate.iter().copied().chain(["--json"]));
    assert_eq!(json["cells"].as_array().unwrap().len(), 2);
    assert_eq!(json["device"][0]["read_bytes"], 5096.0);
    assert_eq!(fs::read_dir(place.path("store")).unwrap().count(), 0);
}

#[test]
fn what_does_not_fit_or_lies_elsewhere_is_refused_before_anything_is_written() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    for (jobs, on, says) in [
        ("[a]\nsize=15t\nbs=1m\n", "store", "the jobs need"),
        (
            "[a]\nsize=1m\nfilename=/etc/passwd\n",
            "store",
            "jobs.fio:1: `[a]` reads /etc/passwd",
        ),
        ("[a]\nsize=1m\n", "nowhere", "is not a folder"),
    ] {
        let place = prepared(jobs);
        let validate = ["validate", "jobs.fio", "--on", on, "--profile", "ssd"];
        Failure::of(place.hotset(validate)).has_code(1).says(says);
        assert_eq!(fs::read_dir(place.path("store")).unwrap().count(), 0);
    }
}

#[test]
fn jobs_that_the_model_refuses_are_refused_before_fio_is_started() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    let place = prepared("[a]\nsize=64m\n");
    let device = "[device]\nkind = 'drive'\ntrack_to_track_us = 800\naverage_seek_us = 8500\nrevolutions_per_minute = 7200\n\
                  bytes_per_s = 39000000\nread_ahead_bytes = 0\ncapacity_bytes = '600K'\nqueue = 'fifo'\nmax_request_bytes = 4096\n";
    let lines = "open_us = 1\nsource = 'made up'\n[cached]\nfixed_us = 1\nbytes_per_us = 1000\n\
                 [uncached]\nfixed_us = 100\nbytes_per_us = 100\n";
    place.write("small.toml", (lines.to_owned() + device).as_bytes());
    // What a killed validation left is in nobody's way.
    fs::create_dir(place.path("store/.validate.hotset-aB3dE9")).unwrap();
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile"];
    Failure::of(place.hotset(validate.iter().chain(&["small.toml"])))
        .has_code(1)
        .says("the jobs' files take 65536 KiB, and the profile's device has 600 KiB");
    assert_eq!(fs::read_dir(place.path("store")).unwrap().count(), 0);
}

#[test]
fn a_job_that_ends_within_its_ramp_time_has_no_figures() {
    let place = prepared("[a]\nsize=1m\nramp_time=2\n");
    let printed = place.succeeds(["simulate", "fio", "jobs.fio", "--profile", "ssd"]);
    let says = "No read of a was counted; give a longer runtime, or a shorter ramp_time.";
    assert!(printed.replace('\n', " ").contains(says), "{printed}");
    if !has_fio() {
        return skip("fio is not installed");
    }
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile", "ssd"];
    Failure::of(place.hotset(validate))
        .has_code(1)
        .says("a job of which nothing was counted");
}

#[test]
fn jobs_may_have_files_of_any_name() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    let place = prepared(
        "[global]\nsize=1m\nstonewall\n[one]\nfilename=result.json\n[two]\nfilename=0.json\n[three]\nfilename=-x\n",
    );
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile", "ssd"];
    let json = place.json(validate.iter().copied().chain(["--json"]));
    assert_eq!(json["cells"].as_array().unwrap().len(), 6);
}

const HITS: &str = "[global]\nrw=randread\nbs=4k\nsize=4m\nfilename=f\n[memory]\ninvalidate=0\n[device]\nstonewall\ndirect=1\n\
                    [not-told]\nstonewall\nbs=4m\n";

#[test]
fn reads_that_found_all_in_memory_are_told_from_those_that_waited() {
    if !has_fio() {
        return skip("fio is not installed");
    }
    let place = prepared(HITS);
    let validate = ["validate", "jobs.fio", "--on", "store", "--profile", "ssd"];
    let json = place.json(validate.iter().copied().chain(["--json"]));
    holds_to("validate.json", &json);
    let hits = json["hits"].as_array().unwrap();
    let jobs: Vec<_> = hits.iter().map(|it| it["job"].as_str().unwrap()).collect();
    assert_eq!(jobs, ["memory", "device"]);
    let of = |number: usize, key: &str| hits[number][key].as_f64().unwrap();
    assert_eq!(of(0, "simulated_share"), 1.0);
    assert!(of(0, "measured_share") > 0.9, "{hits:?}");
    assert_eq!(of(1, "simulated_share"), 0.0);
    // Where there is no device, its reads take no longer than others.
    let device = json["device"][0]["measured_bytes"].as_f64().unwrap();
    assert!(
        device == 0.0 || of(1, "measured_share") < of(0, "measured_share"),
        "{hits:?}"
    );
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
