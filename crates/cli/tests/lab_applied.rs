//! Arms of an experiment whose files are held by `hotset apply` under the node's nginx, where the machine allows it.

use std::fs;

use crate::support::lab::{EXPERIMENT_RUN, GivenCosts, lab_is_possible};
use crate::support::{Workplace, hotset};
use hotset_test_support::together;
use serde_json::{Value, json};

/// So little memory that a plan has something to hold. What the server needs is said: measured, it would differ from run to run, and
/// with it the plan.
const NODE: &str = r#"[[node]]
name = "web"
memory = "2800MiB"
server_memory = "16MiB"

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"

[store.disk]
kind = "seeking"
rate = "39MB"
"#;

/// A server and those who hold its files need some 16 MiB, on one machine a few more than on another. What is stated here is enough
/// on any, so that each of two groups has room for all that the plan holds in it.
const ROOM_IN_GROUPS: &str = "memory = \"5280MiB\"\nserver_memory = \"24MiB\"";
const LITTLE_ROOM: &str = "memory = \"2800MiB\"\nserver_memory = \"16MiB\"";

/// A background that does not fit. How far arms differ is no matter here: the paced phase ends with the first interval that is no
/// wider than the ratio.
const EXPERIMENT: &str = r#"name = "smoke"
kind = "shared-node"
scenario = "node.toml"
seed = 1
scale = 100

[shared-node]
# As the costs below were measured, which name none.
size_correlation = 0
cells = ["0x4"]
requests = [2000, 2000, 2000, 2000, 2000]
arms = ["page-cache", "apply-pin", "apply-bind", "apply-hot-root"]
clients = 2
throughput_seconds = 1
interval = 1
"#;

const PROGRAMS: [(&str, &str); 3] = [
    ("/usr/sbin/nginx", "the package nginx-light"),
    ("/usr/bin/vmtouch", "the package vmtouch"),
    ("/usr/sbin/mkfs.ext4", "the package e2fsprogs"),
];

/// Command lines of this program's processes that keep files for arms whose names begin so.
fn guardians(arms: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    let program = hotset().to_str().expect("UTF-8");
    lines
        .filter(|line| line.starts_with(program) && line.contains(&format!("/state-0x4-{arms}")))
        .collect()
}

#[test]
fn an_experiment_holds_the_plan_as_users_do_and_releases_it() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    for point in holds_and_releases(NODE, EXPERIMENT, 2800, &["pin", "bind", "hot-root"]) {
        assert!(point["result"]["held"]["guaranteed_bytes"].is_null());
    }
    let node = NODE.replace(LITTLE_ROOM, ROOM_IN_GROUPS);
    let groups = EXPERIMENT.replace(
        "\"apply-pin\", \"apply-bind\", \"apply-hot-root\"",
        "\"apply-groups\"",
    );
    let points = holds_and_releases(&node, &groups, 5280, &["pin-in-groups"]);
    let held = &points[0]["result"]["held"];
    let group = held["group_bytes"][0].as_u64();
    assert!(group > Some(0), "{held}");
    assert!(held["guaranteed_bytes"].as_u64() >= group, "{held}");
}

#[test]
fn an_experiment_has_hotset_follow_the_traffic_without_a_plan() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let place = Workplace::new();
    // What is chosen is held in no time on a disk as fast as the machine's, so that choices may come soon.
    let slow = "kind = \"seeking\"\nrate = \"39MB\"";
    assert!(NODE.contains(slow));
    let node = NODE.replace(slow, "kind = \"plain\"");
    place.write("node.toml", node.as_bytes());
    let experiment = EXPERIMENT
        .replace(
            "\"apply-pin\", \"apply-bind\", \"apply-hot-root\"",
            "\"run\", \"run-weight\"",
        )
        .replace(
            "clients = 2",
            "clients = 2\nweight = 10\ndaemon_interval = 2\nruns = 2",
        );
    place.write("experiment.toml", experiment.as_bytes());
    let own = json!({"store": "Ext4 on Plain", "weight": 10.0, "daemon_interval": 2});
    let costs = GivenCosts::write(&place, "0x4", &settings(2800, &own));
    let run = ["experiment", "run", "experiment.toml", "--work", "work"];
    let json = place.json(run.iter().chain(&["--json"]));
    let points = json["points"].as_array().expect("points");
    // What follows the traffic has no phase with one client.
    assert_eq!(points.len(), 1 + 2 * 3);
    let followed = points
        .iter()
        .filter(|point| point["result"]["held"]["means"] == "run");
    for point in followed.clone() {
        let throughput = &point["result"]["throughput"];
        assert!(throughput["foreground_per_s"].as_f64() > Some(0.0));
    }
    // On a busy machine the first choice may take longer than is waited.
    let holds = |point: &Value| point["result"]["held"]["at_end"].as_u64() > Some(0);
    assert!(followed.clone().any(holds), "{json}");
    let shown = place.succeeds(["experiment", "show", "experiment.toml"]);
    assert!(shown.contains("sites ÷ page cache"), "{shown}");
    costs.are_kept();
    assert_eq!(guardians("run"), Vec::<String>::new());
}

/// The settings of an experiment whose node has so much memory, and others of its `own`.
fn settings(memory_mib: u64, own: &Value) -> Value {
    let mut settings = json!({
        "workload": {"classes": [0, 4], "alpha": 0.9, "requests": 2000, "scale": 100, "seed": 1},
        "memory_bytes": (memory_mib << 20) / 100, "cpus": null,
        "store": "Ext4 on Seeking { bytes_per_s: 39000000 }", "server": "Nginx, 4 workers",
        "clients": 2, "throughput_seconds": 1, "interval": 1.0,
    });
    for (name, value) in own.as_object().expect("settings") {
        settings[name.as_str()] = value.clone();
    }
    settings
}

/// Runs an experiment whose arms, but for the first, hold files by these means; what it says of these.
fn holds_and_releases(node: &str, experiment: &str, memory_mib: u64, means: &[&str]) -> Vec<Value> {
    let place = Workplace::new();
    let costs = GivenCosts::write(&place, "0x4", &settings(memory_mib, &json!({})));
    place.write("node.toml", node.as_bytes());
    place.write("experiment.toml", experiment.as_bytes());
    let json = place.json(EXPERIMENT_RUN);
    let points = json["points"].as_array().expect("points");
    assert_eq!(points.len(), 1 + means.len());
    for (point, means) in points[1..].iter().zip(means) {
        is_held(point, means);
    }
    costs.are_kept();
    let left = fs::read_dir(place.path("work")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "disk images are left");
    assert_eq!(guardians("apply"), Vec::<String>::new());
    points[1..].to_vec()
}

/// All that was held was held to the end, and asked for.
fn is_held(point: &Value, means: &str) {
    let result = &point["result"];
    let held = &result["held"];
    assert_eq!(held["means"], means);
    assert!(held["files"].as_u64() > Some(0), "{held}");
    assert_eq!(held["at_end"], held["files"], "{held}");
    assert!(held["left_out"].is_u64(), "{held}");
    assert!(point["prediction"].is_object(), "{result}");
    let memory = &result["paced"]["memory"];
    assert!(
        memory["unevictable_bytes"].as_u64() >= held["bytes"].as_u64().map(|bytes| bytes / 2),
        "the node pays: {memory}"
    );
}
