//! Experiments of kind fio-jobs: what they refuse, and one of seconds where the machine allows it.

#![allow(clippy::print_stdout, reason = "a test that is skipped says why")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::schema::holds_to;
use support::{Failure, Workplace};

const NODE: &str = r#"[[node]]
name = "node"
memory = "512MiB"
server_memory = "16MiB"

[[store]]
name = "ext4"
profile = "hdd-7200"
kind = "ext4"
disk = { kind = "seeking", rate = "255MB" }
"#;

const EXPERIMENT: &str = r#"name = "smoke"
kind = "fio-jobs"
scenario = "node.toml"

[fio-jobs]
jobs = ["scan.fio", "cached.fio"]
values = { block = ["4k", "64k"] }
preparing = ["load"]
rounds = 5
published = [{ what = "the same elsewhere", error_percent = 7 }]
"#;

const SCAN: &str =
    "[scan-${block}]\nfilename=data\nsize=8m\nrw=read\nbs=${block}\nioengine=psync\n";
const CACHED: &str = "[global]\nfilename=cached\nsize=8m\nioengine=psync\ninvalidate=0\n\
    [load]\nrw=read\nbs=1m\n[look]\nstonewall\nrw=randread\nbs=4k\n";

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

fn refused(node: &str, experiment: &str, scan: &str) -> Failure {
    Failure::of(place(node, experiment, scan).hotset(["experiment", "list", "experiment.toml"]))
}

#[test]
fn jobs_that_cannot_be_measured_or_simulated_are_refused_before_anything_is_made() {
    for (from, to, wanted) in [
        (
            "\"scan.fio\"",
            "\"none.fio\"",
            "there is no such file; name a job file",
        ),
        (
            "block =",
            "size =",
            "nothing stands for ${block}; add `block` to [fio-jobs.values]",
        ),
        (
            "\"64k\"",
            "\"4k\"",
            "two jobs are called scan-4k; put a place such as ${block}",
        ),
        ("[\"load\"]", "[\"lode\"]", "no job is called lode"),
        (
            "rounds = 5",
            "rounds = 4",
            "`rounds` in [fio-jobs]: must be from 5 to 1000",
        ),
        ("rounds = 5", "round = 5", "did you mean `rounds`?"),
    ] {
        assert!(EXPERIMENT.contains(from), "{from}");
        refused(NODE, &EXPERIMENT.replace(from, to), SCAN)
            .has_code(1)
            .says(wanted);
    }
    let writes = SCAN.replace("rw=read", "rw=write");
    refused(NODE, EXPERIMENT, &writes)
        .has_code(1)
        .says("scan.fio:4: `[scan-4k]` writes, which no model is of yet; take it out");
    let memory = NODE
        .replace("\"ext4\"\ndisk", "\"tmpfs\"\n#")
        .replace("kind = \"ext4\"", "kind = \"tmpfs\"");
    refused(&memory, EXPERIMENT, SCAN)
        .has_code(1)
        .says("on tmpfs; jobs are simulated on ext3, ext4 and xfs");
}

fn obstacle() -> Option<&'static str> {
    let programs = ["/usr/bin/fio", "/usr/sbin/nginx", "/usr/sbin/mkfs.ext4"];
    if !rustix::process::geteuid().is_root() {
        Some("needs root")
    } else if !programs.iter().all(|program| Path::new(program).exists()) {
        Some("needs the packages fio, nginx-light and e2fsprogs")
    } else if !Path::new("/dev/fuse").exists() || !Path::new("/dev/loop-control").exists() {
        Some("needs /dev/fuse and /dev/loop-control")
    } else {
        None
    }
}

/// The cell of a job and a metric.
fn cell<'j>(shown: &'j Value, job: &str, metric: &str) -> &'j Value {
    let cells = shown["points"][0]["prediction"]["cells"].as_array();
    let mut cells = cells.expect("cells").iter();
    let found = cells.find(|cell| cell["job"] == job && cell["metric"] == metric);
    found.expect("the cell")
}

#[test]
fn jobs_are_measured_once_and_laid_beside_what_is_simulated() {
    if let Some(obstacle) = obstacle() {
        println!("skipped: {obstacle}");
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
