//! `hotset experiment`: what it refuses, and a whole experiment of seconds where the machine allows it.

use crate::support;
use crate::support::lab::{EXPERIMENT_RUN, GivenCosts, lab_is_possible};
use crate::support::small_disk::SmallDisk;
use hotset_test_support::{alone, skip, together};

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Failure, Workplace};
use hotset_workload::CLASS_SIZE_CORRELATION;
use rustix::process::geteuid;
use serde_json::{Value, json};

const NODE: &str = include_str!("../../experiment/tests/samples/shared-node/node.toml");

const EXPERIMENT: &str = include_str!("../../experiment/tests/samples/shared-node/experiment.toml");

fn place(node: &str, experiment: &str) -> Workplace {
    let place = Workplace::new();
    place.write("node.toml", node.as_bytes());
    place.write("experiment.toml", experiment.as_bytes());
    place
}

fn refused(node: (&str, &str), experiment: (&str, &str)) -> Failure {
    assert!(NODE.contains(node.0) && EXPERIMENT.contains(experiment.0));
    let place = place(
        &NODE.replacen(node.0, node.1, 1),
        &EXPERIMENT.replacen(experiment.0, experiment.1, 1),
    );
    place.refuses(["experiment", "run", "experiment.toml"])
}

#[test]
fn a_bad_experiment_is_refused_where_it_stands() {
    refused(("", ""), ("\"shared-node\"", "\"shared\""))
        .has_code(1)
        .says(
            "experiment.toml:2:8: `kind`: `shared` is none of shared-node, file-systems, fio-jobs",
        );
    refused(("\"seeking\"", "\"spinning\""), ("", ""))
        .has_code(1)
        .says("node.toml:11:8: `kind` in [store.disk]: `spinning` is none of");
}

#[test]
fn an_unknown_cell_is_a_usage_error() {
    let place = place(NODE, EXPERIMENT);
    for command in ["run", "list", "show"] {
        let options = ["experiment", command, "experiment.toml", "--cell", "7x0"];
        place
            .refuses(options)
            .has_code(2)
            .says("has no cell `7x0`; there are: 0x1");
    }
}

#[test]
fn a_machine_that_lacks_something_is_told_before_anything_is_made() {
    let place = place(&NODE.replace("4GiB", "9000000GiB"), EXPERIMENT);
    let run = ["experiment", "run", "experiment.toml", "--work", "work"];
    let failure = place.refuses(run);
    failure.has_code(1).says("memory: 184320000 MiB are needed");
    assert_eq!(place.entries(), ["experiment.toml", "node.toml"]);
}

/// The command in a mount namespace of its own in which this program is not there.
fn without_program(program: &str, place: &Workplace, args: &[&str]) -> Failure {
    let hide = "for folder in /usr/sbin /usr/bin; do \
                test ! -e $folder/$0 || mount --bind /dev/null $folder/$0 || exit; done; exec \"$@\"";
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "sh", "-c", hide, program])
        .arg(support::hotset())
        .args(args)
        .env("PATH", "/usr/bin:/bin")
        .current_dir(place.folder());
    Failure::of(command.output().expect("unshare runs"))
}

#[test]
fn a_store_whose_programs_are_missing_is_refused_with_programs_and_packages() {
    if !geteuid().is_root() {
        skip("only root can hide programs");
        return;
    }
    let node = include_str!("../../experiment/tests/samples/file-systems/node.toml");
    let experiment = include_str!("../../experiment/tests/samples/file-systems/experiment.toml");
    let run = ["experiment", "run", "experiment.toml", "--work", "work"];
    for (kind, program, package) in [
        ("glusterfs", "glusterd", "glusterfs-server"),
        ("moosefs", "mfschunkserver", "moosefs-chunkserver"),
        ("xfs", "mkfs.xfs", "xfsprogs"),
    ] {
        let place = place(&node.replace("ext4", kind), experiment);
        let failure = without_program(program, &place, &run);
        failure.has_code(1).says(program).says("`apt-get install ");
        failure.says(package);
        assert_eq!(place.entries(), ["experiment.toml", "node.toml"]);
    }
}

#[test]
fn what_there_is_to_run_is_listed_without_root() {
    let place = place(NODE, EXPERIMENT);
    let list = place.succeeds(["experiment", "list", "experiment.toml"]);
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), 5, "{list}");
    assert_eq!(lines[0], "cell  arm         state");
    assert!(lines[1].starts_with("0x1   page-cache"), "{list}");
    assert!(
        lines[1..].iter().all(|line| line.ends_with("to do")),
        "{list}"
    );
    let json = place.json([
        "experiment",
        "list",
        "experiment.toml",
        "--arm",
        "plan",
        "--json",
    ]);
    let plan = serde_json::json!([{"cell": "0x1", "arm": "plan", "measured": false}]);
    assert_eq!(json["points"], plan);
}

/// An experiment whose runs are repeated, planned for the foreground.
fn repeated() -> String {
    let arms = "[\"page-cache\", \"plan-weight\", \"groups-target\"]";
    EXPERIMENT
        .replacen(
            "[\"page-cache\", \"plan\", \"size-rule\", \"own-group\"]",
            arms,
            1,
        )
        .replacen("clients = 2", "clients = 2\nruns = 2\nweight = 10", 1)
        + "\n[shared-node.targets]\n0x1 = \"mean < 1s\"\n"
}

/// The settings of an experiment with so many requests, of which so many train, and others of its `own`.
fn settings(requests: u64, training: Option<u64>, own: &Value) -> Value {
    let mut settings = json!({
        "workload": {
            "classes": [0, 1], "alpha": 0.9, "size_correlation": CLASS_SIZE_CORRELATION,
            "requests": requests, "training": training, "scale": 100, "seed": 1,
        },
        "memory_bytes": (4_u64 << 30) / 100, "cpus": null,
        "store": "Ext4 on Seeking { bytes_per_s: 39000000 }", "server": "Nginx, 4 workers",
        "clients": 2,
    });
    for (name, value) in own.as_object().expect("settings") {
        settings[name.as_str()] = value.clone();
    }
    settings
}

#[test]
fn an_interrupted_experiment_measures_the_missing_runs_alone() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let place = place(NODE, &repeated());
    let own = json!({"throughput_seconds": 1, "weight": 10.0, "target": "mean < 1 s"});
    let costs = GivenCosts::write(&place, "0x1", &settings(100, None, &own));
    let first = place.json(EXPERIMENT_RUN);
    assert_eq!(points(&first).len(), 9);
    for point in points(&first) {
        let result = &point["result"];
        let is_paced = result["run"] == "paced";
        assert_eq!(result["paced"].is_object(), is_paced, "{result}");
        assert_eq!(result["throughput"].is_object(), !is_paced, "{result}");
        assert_eq!(
            point["prediction"]["paced"].is_object(),
            is_paced,
            "{result}"
        );
    }
    let table = place.succeeds(["experiment", "show", "experiment.toml"]);
    assert!(table.contains("foreground ÷ best unplanned"), "{table}");

    let of = |run: &str| place.path(&format!("results/0x1/plan-weight/{run}.json"));
    let kept = fs::read(of("1")).expect("a result");
    fs::remove_file(of("2")).expect("a result");
    place.succeeds(EXPERIMENT_RUN);
    assert!(of("2").exists());
    assert_eq!(fs::read(of("1")).expect("a result"), kept);
    costs.are_kept();
}

/// As many requests as a narrow interval needs, and no more.
#[test]
fn measuring_ends_as_soon_as_the_interval_is_narrow_enough() {
    if !lab_is_possible(&PROGRAMS, alone) {
        return;
    }
    let experiment = EXPERIMENT
        .replacen("100, 100, 100, 100, 100", "4000, 4000, 4000, 4000, 4000", 1)
        .replacen(
            "throughput_seconds = 1",
            "throughput_seconds = 0\ninterval = 1",
            1,
        )
        .replacen(
            "clients = 2",
            "clients = 2\ntraining = [100, 100, 100, 100, 100]",
            1,
        )
        .replacen(", \"size-rule\", \"own-group\"", "", 1);
    let place = place(NODE, &experiment);
    let own = json!({"throughput_seconds": 0, "interval": 1.0});
    let costs = GivenCosts::write(&place, "0x1", &settings(4000, Some(100), &own));
    let json = place.json(EXPERIMENT_RUN);
    costs.are_kept();
    for point in points(&json) {
        let asked = &point["result"]["paced"]["counts"]["requests"];
        assert_eq!(*asked, 195, "the first of twenty looks is enough");
    }
    let plan = &points(&json)[1];
    let of = |key: &str| plan["ratio_interval"][key].as_f64().expect("an interval");
    assert!(of("high") - of("low") <= 2.0, "{plan}");
}

const PROGRAMS: [(&str, &str); 3] = [
    ("/usr/sbin/nginx", "the package nginx-light"),
    ("/usr/bin/vmtouch", "the package vmtouch"),
    ("/usr/sbin/mkfs.ext4", "the package e2fsprogs"),
];

/// An outcome says of these drives how busy they were, and of these nodes what their links carried.
fn disk_and_link_are_told(outcome: &Value, drives: &[&str], nodes: &[&str]) {
    let named = |key: &str| outcome[key].as_array().expect("an array").clone();
    let names = |key: &str| {
        named(key)
            .iter()
            .map(|of| of["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (names("resources"), names("links")),
        (
            drives.iter().map(|&name| name.into()).collect(),
            nodes.iter().map(|&name| name.into()).collect()
        )
    );
    for drive in named("resources") {
        let busy = drive["utilisation"].as_f64().expect("a share");
        assert!((0.0..=1.0).contains(&busy), "{drive}");
        assert!(drive["mean_queue_length"].as_f64() >= Some(0.0), "{drive}");
    }
    for link in named("links") {
        let sent = link["sent_bytes"].as_u64().expect("bytes");
        assert!(
            sent > link["sent_packets"].as_u64().expect("packets"),
            "{link}"
        );
        assert!(link["received_packets"].as_u64() > Some(0), "{link}");
    }
}

fn points(json: &Value) -> &Vec<Value> {
    json["points"].as_array().expect("points")
}

/// Reads, one of each worker of nginx, that may be under way when a phase begins: the drive counted them before, when they
/// began, and the kernel counts them when they end.
const UNDER_WAY: u64 = 4;

#[test]
fn a_small_experiment_runs_once_and_leaves_results_only() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let place = place(NODE, EXPERIMENT);
    let first = place.json(EXPERIMENT_RUN);
    assert_eq!(points(&first).len(), 4);
    for arm in points(&first) {
        assert_eq!(arm["result"]["paced"]["counts"]["requests"], 30);
        assert!(arm["mean_us"].as_f64().expect("a mean") > 0.0);
        let measured = arm["result"]["throughput"]["foreground_per_s"].as_f64();
        assert!(measured.expect("a rate") > 0.0);
        for phase in ["paced", "throughput"] {
            let counts = &arm["result"][phase]["counts"];
            let read = counts["disk_reads"].as_u64().expect("reads");
            let played = counts["drive"]["requests"].as_u64().expect("a drive");
            assert!(played + UNDER_WAY >= read, "{phase}: {counts}");
        }
        let file = format!(
            "results/0x1/{}.json",
            arm["result"]["arm"].as_str().expect("an arm")
        );
        let kept = fs::read_to_string(place.path(&file)).expect("a result");
        let kept: Value = serde_json::from_str(&kept).expect("JSON");
        for outcome in kept["outcomes"].as_array().expect("outcomes") {
            disk_and_link_are_told(outcome, &["web drive"], &["web"]);
        }
    }
    assert_eq!(points(&first)[0]["ratio"], 1.0);
    assert_eq!(points(&first)[2]["result"]["held"]["means"], "ramfs");
    let mounts = fs::read_to_string("/proc/mounts").expect("mounts");
    let work = place.path("work");
    let work = work.to_str().expect("UTF-8");
    assert!(!mounts.contains(work), "{mounts}");
    let left = fs::read_dir(work).map_or(0, Iterator::count);
    assert_eq!(left, 0, "disk images are left in {work}");

    let again = place.json(EXPERIMENT_RUN);
    assert_eq!(first, again, "what has been measured is not measured again");
    let list = place.succeeds(["experiment", "list", "experiment.toml"]);
    assert!(
        list.lines().skip(1).all(|line| line.ends_with("measured")),
        "{list}"
    );
    let results = ["results/0x1/page-cache.json", "results/0x1/plan.json"];
    place.succeeds(["compare", results[0], results[1]]);
    let table = place.succeeds(["experiment", "show", "experiment.toml"]);
    assert!(
        table.lines().all(|line| line.chars().count() <= 100),
        "{table}"
    );
}

const NODES: &str = include_str!("../../experiment/tests/samples/file-systems/node.toml");

const FILE_SYSTEMS: &str =
    include_str!("../../experiment/tests/samples/file-systems/experiment.toml");

fn group<'j>(store: &'j Value, outcome: usize, name: &str, operation: Option<&str>) -> &'j Value {
    let groups = store["outcomes"][outcome]["groups"]
        .as_array()
        .expect("groups");
    let mut groups = groups.iter().filter(|group| group["kind"] == "size");
    let found =
        groups.find(|group| group["name"] == name && group["operation"].as_str() == operation);
    found.expect("the group")
}

/// The published response times of the repository, to be laid beside measured ones.
fn quoted() -> String {
    let references = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/reference");
    let table = references.join("characterization-table-4.json");
    format!("\n[quoted]\nresponse-cached = {table:?}\n")
}

#[test]
fn file_systems_are_measured_once_and_laid_beside_published_figures() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let place = place(NODES, &format!("{FILE_SYSTEMS}{}", quoted()));
    let first = place.json(EXPERIMENT_RUN);
    let devices = Command::new("losetup").arg("-a").output();
    let devices = String::from_utf8_lossy(&devices.expect("losetup runs").stdout).into_owned();
    let folder = place.folder().to_str().expect("UTF-8");
    assert!(!devices.contains(folder), "{devices}");
    assert_eq!(points(&first).len(), 2);
    assert_eq!(points(&first)[0]["result"]["caches_dropped"], false);
    assert_eq!(points(&first)[1]["result"]["caches_dropped"], true);
    let disk: Value = place.json([
        "experiment",
        "show",
        "experiment.toml",
        "--json",
        "--store",
        "disk",
    ]);
    for (outcome, requests) in [(1, 20), (2, 20), (3, 100)] {
        for size in ["4K", "64K"] {
            assert_eq!(group(&disk, outcome, size, None)["requests"], requests);
            assert_eq!(group(&disk, outcome, size, None)["errors"], 0);
        }
    }
    for outcome in &disk["outcomes"].as_array().expect("outcomes")[1..] {
        disk_and_link_are_told(outcome, &["web drive"], &["web", "proxy"]);
    }
    let mean = |cache: &str| {
        let operation = format!("read {cache}");
        group(&disk, 0, "64K", Some(&operation))["mean_us"].as_f64()
    };
    assert!(
        mean("uncached") > mean("cached"),
        "a disk is slower than memory"
    );

    let published: Vec<&Value> = first["quoted"]["response-cached"]
        .as_array()
        .expect("published outcomes")
        .iter()
        .map(|outcome| &outcome["name"])
        .collect();
    assert_eq!(published, ["ext3", "ramfs", "pvfs", "lustre"]);

    let again = place.json(EXPERIMENT_RUN);
    assert_eq!(first, again, "what has been measured is not measured again");
    assert_eq!(
        fs::read_dir(place.path("work")).map_or(0, Iterator::count),
        0
    );
    let table = place.succeeds(["experiment", "show", "experiment.toml"]);
    assert!(
        table.contains("published") && table.contains("disk"),
        "{table}"
    );
    assert!(
        table.lines().all(|line| line.chars().count() <= 100),
        "{table}"
    );
    place.succeeds([
        "compare",
        "results/memory.json:memory-cached",
        "results/disk.json:disk-cached",
    ]);
}

#[test]
fn a_disk_that_fills_up_under_a_run_is_named() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let place = place(NODE, EXPERIMENT);
    let small = place.path("small");
    let Some(disk) = SmallDisk::mount(small.clone(), "700m") else {
        return;
    };
    let mut run = Command::new(support::hotset());
    run.args([
        "experiment",
        "run",
        "experiment.toml",
        "--work",
        "small/work",
    ]);
    let run = run.current_dir(place.folder()).stdout(Stdio::null());
    let child = run.stderr(Stdio::piped()).spawn().expect("hotset starts");
    let began = Instant::now();
    let images = || fs::read_dir(small.join("work")).is_ok_and(|mut runs| runs.next().is_some());
    while !images() && began.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let shrunk = disk.shrink("256k");
    let output = child.wait_with_output().expect("it ends");
    if !shrunk {
        skip("the file system was in use too soon");
        return;
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let last = errors.lines().last().expect("a reason");
    let named = last.contains("no space is left for disk images at /");
    assert!(named && last.contains("/small/work/"), "{errors}");
}
