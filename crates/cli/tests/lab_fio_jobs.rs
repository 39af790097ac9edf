//! Experiments of kind fio-jobs: what they refuse, and one of seconds where the machine allows it.

use std::fs;

use crate::support::Workplace;
use crate::support::lab::{EXPERIMENT_RUN, lab_is_possible};
use crate::support::schema::holds_to;
use hotset_test_support::together;
use serde_json::Value;

const NODE: &str = include_str!("../../experiment/tests/samples/fio-jobs/node.toml");

const EXPERIMENT: &str = include_str!("../../experiment/tests/samples/fio-jobs/experiment.toml");

const SCAN: &str = include_str!("../../experiment/tests/samples/fio-jobs/scan.fio");
const CACHED: &str = include_str!("../../experiment/tests/samples/fio-jobs/cached.fio");

fn place(node: &str, experiment: &str, scan: &str) -> Workplace {
    let place = Workplace::new();
    for (name, text) in [
        ("node.toml", node),
        ("experiment.toml", experiment),
        ("scan.fio", scan),
        ("cached.fio", CACHED),
    ] {
        place.write(name, text.as_bytes());
    }
    place
}

#[test]
fn jobs_that_cannot_be_simulated_are_refused_before_anything_is_made() {
    let trims = SCAN.replace("rw=read", "rw=trim");
    let place = place(NODE, EXPERIMENT, &trims);
    place
        .refuses(["experiment", "list", "experiment.toml"])
        .has_code(1)
        .says("scan.fio:4: `rw=trim`: trims, which is not modelled; write read, randread");
}

const SERVED: &str = "fio version 3 iolog\n1 a/x add\n1 y add\n1 a/x open\n5 a/x read 0 32768\n9 a/x read 32768 32768\n\
    12 y open\n1012 y read 0 5000\n1020 a/x close\n1021 y close\n";

/// A store with limits on what is written, and beside the jobs of the samples: a file in one piece and one in many, a log of reads, and
/// writes that are synced. Building the lab and probing the store take longer than all of these jobs.
fn place_of_all() -> Workplace {
    let limits = "journal = { bytes = \"8MiB\", commit_s = 1 }\ndirty_limit = \"16MiB\"\n";
    let jobs = "\"scan.fio\", \"cached.fio\"";
    assert!(EXPERIMENT.contains(jobs));
    let experiment = EXPERIMENT.replace(jobs, &format!("{jobs}, \"served.fio\", \"log.fio\""));
    let grown = "profiles = \"profiles\"\ngrown = [{ file = \"aged\", size = \"4MiB\", piece = \"64KiB\" }]\n";
    let place = place(
        &format!("{NODE}{limits}"),
        &format!("{experiment}{grown}"),
        SCAN,
    );
    let cold = "size=4m\nrw=read\nbs=64k\ninvalidate=1\n";
    let of = |file: &str| format!("[{file}]\nstonewall\nfilename={file}\n{cold}");
    let cached = format!("{CACHED}\n{}{}", of("fresh"), of("aged"));
    place.write("cached.fio", cached.as_bytes());
    place.write(
        "served.fio",
        b"[served]\nread_iolog=served.iolog\nfadvise_hint=0\n",
    );
    place.write("served.iolog", SERVED.as_bytes());
    place.write(
        "log.fio",
        b"[log]\nrw=write\nbs=4k\nsize=256k\nfsync=8\nend_fsync=1\n",
    );
    place
}

const PROGRAMS: [(&str, &str); 3] = [
    ("/usr/sbin/nginx", "the package nginx-light"),
    ("/usr/bin/fio", "the package fio"),
    ("/usr/sbin/mkfs.ext4", "the package e2fsprogs"),
];

/// The cells of all jobs.
fn cells(shown: &Value) -> &Vec<Value> {
    let cells = shown["points"][0]["prediction"]["cells"].as_array();
    cells.expect("cells")
}

/// The cell of a job and a metric.
fn cell<'j>(shown: &'j Value, job: &str, metric: &str) -> &'j Value {
    let mut cells = cells(shown).iter();
    let found = cells.find(|cell| cell["job"] == job && cell["metric"] == metric);
    found.expect("the cell")
}

#[test]
fn jobs_are_measured_once_and_laid_beside_what_is_simulated() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let place = place_of_all();
    let first = place.json(EXPERIMENT_RUN);
    holds_to("experiment.json", &first);
    files_are_read_from_disk_and_memory(&first);
    files_in_pieces_are_read_where_they_are(&first);
    logs_are_read(&first);
    what_is_written_is_told_apart_and_syncs_are_measured(&first);
    assert_eq!(
        first,
        place.json(EXPERIMENT_RUN),
        "what has been measured is not measured again"
    );
    assert_eq!(
        fs::read_dir(place.path("work")).map_or(0, Iterator::count),
        0
    );
    let table = place.succeeds(["experiment", "show", "experiment.toml"]);
    assert!(
        table.contains("Published error from the measured mean: 7 %"),
        "{table}"
    );
    assert!(
        table.lines().all(|line| line.chars().count() <= 100),
        "{table}"
    );
    a_profile_is_kept_for_other_experiments(&place);
    other_logs_are_refused(&place);
}

fn a_profile_is_kept_for_other_experiments(place: &Workplace) {
    let names = place.entries_of("profiles");
    assert_eq!(names.len(), 1, "{names:?}");
    let text = fs::read(place.path("profiles").join(&names[0])).expect("readable");
    let kept: Value = serde_json::from_slice(&text).expect("JSON");
    // What this store alone has is no part of it: its limit, and how often it commits.
    assert!(
        !kept["store"].as_str().expect("words").contains("dirty"),
        "{kept}"
    );
    assert!(names[0].starts_with("ext4-on-seeking"), "{names:?}");
    assert!(kept["profile"]["write"].is_array(), "{kept}");
}

fn files_are_read_from_disk_and_memory(shown: &Value) {
    for job in ["scan-4k", "scan-64k"] {
        let device = cell(shown, job, "device_bytes");
        let all = (8 << 20) as f64;
        assert_eq!(
            (&device["low"], &device["simulated"]),
            (&all.into(), &all.into())
        );
        assert!(cell(shown, job, "mean_us")["measured"].as_f64() > Some(0.0));
    }
    // Most reads of a page find it read ahead.
    for from in ["measured", "simulated"] {
        assert!(cell(shown, "scan-4k", "hit_share")[from].as_f64() > Some(0.5));
    }
    assert!(cell(shown, "look", "bytes_per_s")["simulated"].as_f64() > Some(0.0));
    let jobs: Vec<&Value> = cells(shown).iter().map(|cell| &cell["job"]).collect();
    assert!(!jobs.contains(&&"load".into()), "{jobs:?}");
}

fn files_in_pieces_are_read_where_they_are(shown: &Value) {
    let places = &shown["points"][0]["result"]["places"];
    let pieces = |file: &str| places[file].as_array().map_or(0, Vec::len);
    assert!(pieces("aged") >= 64, "{}", pieces("aged"));
    assert!((1..=4).contains(&pieces("fresh")), "{}", pieces("fresh"));
    assert_eq!((pieces("a/x"), pieces("y")), (1, 1));
    let rate = |job, from: &str| {
        cell(shown, job, "bytes_per_s")[from]
            .as_f64()
            .unwrap_or(0.0)
    };
    for from in ["measured", "simulated"] {
        assert!(
            rate("aged", from) < 0.9 * rate("fresh", from),
            "{from}: {shown}"
        );
    }
}

fn logs_are_read(shown: &Value) {
    // Two files, of which pages are read: 65,536 bytes, and 5000 in two pages.
    let device = cell(shown, "served", "device_bytes");
    let all = f64::from(65_536 + 8192);
    assert_eq!(
        (&device["measured"], &device["simulated"]),
        (&all.into(), &all.into())
    );
}

fn what_is_written_is_told_apart_and_syncs_are_measured(shown: &Value) {
    let data = cell(shown, "log", "written_data_bytes");
    let all = 262_144.0_f64;
    assert_eq!(
        (&data["measured"], &data["simulated"]),
        (&all.into(), &all.into())
    );
    let journal = cell(shown, "log", "written_journal_bytes");
    // Each sync commits a descriptor, changed blocks and a record.
    assert!(journal["measured"].as_f64() > Some(8.0 * 3.0 * 4096.0));
    let is_sync = |it: &&Value| it["operation"] == "fsync" && it["metric"] == "mean_us";
    let sync = cells(shown).iter().find(is_sync);
    assert!(sync.expect("its syncs")["measured"].as_f64() > Some(0.0));
    let profile = &shown["points"][0]["result"]["profile"];
    assert_eq!(profile["file_system"]["journal_bytes"], 8 << 20);
    assert_eq!(profile["writing"]["dirty_limit_bytes"], 16 << 20);
}

fn other_logs_are_refused(place: &Workplace) {
    place.write("served.iolog", SERVED.replace("5000", "4000").as_bytes());
    place
        .refuses(["experiment", "show", "experiment.toml"])
        .has_code(1)
        .says("was measured with other logs");
    place.write("served.iolog", b"fio version 1 iolog\n");
    place
        .refuses(["experiment", "list", "experiment.toml"])
        .has_code(1)
        .says("served.iolog:1: is no iolog of version 2 or 3");
}
