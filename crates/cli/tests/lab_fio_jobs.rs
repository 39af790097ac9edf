//! Experiments of kind fio-jobs: what they refuse, and one of seconds where the machine allows it.

use std::fs;

use crate::support::Workplace;
use crate::support::lab::lab_is_possible;
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

const AGED: &str = r#"name = "aged"
kind = "fio-jobs"
scenario = "node.toml"

[fio-jobs]
jobs = ["aged.fio", "served.fio"]
grown = [{ file = "aged", size = "4MiB", piece = "64KiB" }]
rounds = 5
"#;

const SERVED: &str = "fio version 3 iolog\n1 a/x add\n1 y add\n1 a/x open\n5 a/x read 0 32768\n9 a/x read 32768 32768\n\
    12 y open\n1012 y read 0 5000\n1020 a/x close\n1021 y close\n";

fn place_of_logs() -> Workplace {
    let place = place(NODE, AGED, SCAN);
    let reads = "size=4m\nrw=read\nbs=64k\nioengine=psync\n";
    let aged = format!("[fresh]\nfilename=fresh\n{reads}[aged]\nstonewall\nfilename=aged\n{reads}");
    place.write("aged.fio", aged.as_bytes());
    place.write(
        "served.fio",
        b"[served]\nread_iolog=served.iolog\nfadvise_hint=0\n",
    );
    place.write("served.iolog", SERVED.as_bytes());
    place
}

const PROGRAMS: [(&str, &str); 3] = [
    ("/usr/sbin/nginx", "the package nginx-light"),
    ("/usr/bin/fio", "the package fio"),
    ("/usr/sbin/mkfs.ext4", "the package e2fsprogs"),
];

/// The cell of a job and a metric.
fn cell<'j>(shown: &'j Value, job: &str, metric: &str) -> &'j Value {
    let cells = shown["points"][0]["prediction"]["cells"].as_array();
    let mut cells = cells.expect("cells").iter();
    let found = cells.find(|cell| cell["job"] == job && cell["metric"] == metric);
    found.expect("the cell")
}

#[test]
fn jobs_are_measured_once_and_laid_beside_what_is_simulated() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let place = place(NODE, EXPERIMENT, SCAN);
    let run = [
        "experiment",
        "run",
        "experiment.toml",
        "--work",
        "work",
        "--json",
    ];
    let first = place.json(run);
    holds_to("experiment.json", &first);
    for job in ["scan-4k", "scan-64k"] {
        let device = cell(&first, job, "device_bytes");
        let all = (8 << 20) as f64;
        assert_eq!(
            (&device["low"], &device["simulated"]),
            (&all.into(), &all.into())
        );
        assert!(cell(&first, job, "mean_us")["measured"].as_f64() > Some(0.0));
    }
    // Most reads of a page find it read ahead.
    for from in ["measured", "simulated"] {
        assert!(cell(&first, "scan-4k", "hit_share")[from].as_f64() > Some(0.5));
    }
    assert!(cell(&first, "look", "bytes_per_s")["simulated"].as_f64() > Some(0.0));
    let cells = first["points"][0]["prediction"]["cells"].as_array();
    let jobs: Vec<&Value> = cells
        .expect("cells")
        .iter()
        .map(|cell| &cell["job"])
        .collect();
    assert!(!jobs.contains(&&"load".into()), "{jobs:?}");
    assert_eq!(
        first,
        place.json(run),
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
}

#[test]
fn logs_and_files_in_pieces_are_read_where_they_are() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let place = place_of_logs();
    let run = [
        "experiment",
        "run",
        "experiment.toml",
        "--work",
        "work",
        "--json",
    ];
    let shown = place.json(run);
    holds_to("experiment.json", &shown);
    let places = &shown["points"][0]["result"]["places"];
    let pieces = |file: &str| places[file].as_array().map_or(0, Vec::len);
    assert!(pieces("aged") >= 64, "{}", pieces("aged"));
    assert!((1..=4).contains(&pieces("fresh")), "{}", pieces("fresh"));
    assert_eq!((pieces("a/x"), pieces("y")), (1, 1));
    let rate = |job, from: &str| {
        cell(&shown, job, "bytes_per_s")[from]
            .as_f64()
            .unwrap_or(0.0)
    };
    for from in ["measured", "simulated"] {
        assert!(
            rate("aged", from) < 0.9 * rate("fresh", from),
            "{from}: {shown}"
        );
    }
    // Two files, of which pages are read: 65,536 bytes, and 5000 in two pages.
    let device = cell(&shown, "served", "device_bytes");
    let all = f64::from(65_536 + 8192);
    assert_eq!(
        (&device["measured"], &device["simulated"]),
        (&all.into(), &all.into())
    );

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

const WRITES: &str = r#"name = "writes"
kind = "fio-jobs"
scenario = "node.toml"

[fio-jobs]
jobs = ["log.fio"]
rounds = 5
"#;

#[test]
fn what_jobs_write_is_told_apart_and_syncs_are_measured() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let limits = "journal = { bytes = \"8MiB\", commit_s = 1 }\ndirty_limit = \"16MiB\"\n";
    let place = place(&format!("{NODE}{limits}"), WRITES, SCAN);
    place.write(
        "log.fio",
        b"[log]\nrw=write\nbs=4k\nsize=256k\nfsync=8\nend_fsync=1\n",
    );
    let run = [
        "experiment",
        "run",
        "experiment.toml",
        "--work",
        "work",
        "--json",
    ];
    let first = place.json(run);
    holds_to("experiment.json", &first);
    let data = cell(&first, "log", "written_data_bytes");
    let all = 262_144.0_f64;
    assert_eq!(
        (&data["measured"], &data["simulated"]),
        (&all.into(), &all.into())
    );
    let journal = cell(&first, "log", "written_journal_bytes");
    // Each sync commits a descriptor, changed blocks and a record.
    assert!(journal["measured"].as_f64() > Some(8.0 * 3.0 * 4096.0));
    let cells = first["points"][0]["prediction"]["cells"].as_array();
    let is_sync = |it: &&Value| it["operation"] == "fsync" && it["metric"] == "mean_us";
    let sync = cells.expect("cells").iter().find(is_sync);
    assert!(sync.expect("its syncs")["measured"].as_f64() > Some(0.0));
    let profile = &first["points"][0]["result"]["profile"];
    assert_eq!(profile["file_system"]["journal_bytes"], 8 << 20);
    assert_eq!(profile["writing"]["dirty_limit_bytes"], 16 << 20);
}
