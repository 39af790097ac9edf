//! Closed loops of two sites on a node: what is simulated beside kept results, where it can be calculated by hand.

use hotset_experiment::Report;
use serde_json::{Value, json};

use crate::place::{Place, Sheet};

const EXPERIMENT: &str = r#"name = "closed"
kind = "shared-node"
scenario = "node.toml"
seed = 1

[shared-node]
cells = ["0x1"]
requests = [400, 400, 400, 400, 400]
arms = ["page-cache", "run"]
alpha = 0.9
size_correlation = 0
clients = 2
throughput_seconds = 30
daemon_interval = 1
"#;

/// A request takes the only processor a millisecond, whatever its size.
const SERVERS: &str = "[nginx]\nrequest_us = 1000.0\nns_per_byte = 0.0\n";

/// A node whose disk reads so many megabytes in a second.
fn node(megabytes: u64) -> String {
    format!(
        r#"server_profile = "servers.toml"

[[node]]
name = "web"
memory = "512MiB"
cpus = 1.0

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"

[store.disk]
kind = "throttled"
rate = "{megabytes}MB"
"#
    )
}

/// What is kept of an arm on such a node with so much memory for file data.
fn kept(arm: &str, means: &str, megabytes: u64, usable_bytes: u64) -> Value {
    let bytes_per_s = megabytes * 1_000_000;
    json!({
        "experiment": "closed",
        "cell": "0x1",
        "arm": arm,
        "settings": {
            "workload": { "classes": [0, 1], "alpha": 0.9, "requests": 400, "scale": 1, "seed": 1 },
            "memory_bytes": 536_870_912,
            "cpus": 1,
            "store": format!("Ext4 on Throttled {{ bytes_per_s: Some({bytes_per_s}), reads_per_s: None }}"),
            "server": "Nginx, 4 workers",
            "clients": 2,
            "throughput_seconds": 30,
            "daemon_interval": 1,
        },
        "date": "2026-11-26",
        "held": { "means": means, "files": 0, "bytes": 0, "page_bytes": 0, "objects": [] },
        "usable_bytes": usable_bytes,
        "throughput": {
            "clients": 2,
            "counts": {
                "seconds": 30.0, "requests": 100, "cached": null, "uncached": null, "bytes": 1, "disk_reads": 1,
                "disk_read_bytes": 4096, "server_cpu_us": 1,
            },
            "foreground_per_s": 500.0,
            "background_per_s": 250.0,
        },
        "quietness": null,
        "outcomes": [{
            "name": format!("0x1 {arm}, throughput"),
            "provenance": { "kind": "measured" },
            "total": { "requests": 100 },
            "groups": [{
                "kind": "site", "name": "foreground", "requests": 50,
                "latencies": { "total": { "mean_us": 5000.0 } },
            }],
        }],
    })
}

fn shown(megabytes: u64, results: &[Value]) -> Report {
    let place = Place::with(&[
        ("node.toml", &node(megabytes)),
        ("servers.toml", SERVERS),
        ("experiment.toml", EXPERIMENT),
    ]);
    for result in results {
        let arm = result["arm"].as_str().expect("an arm");
        place.write(&format!("results/0x1/{arm}.json"), &result.to_string());
    }
    place.show().expect("the results are whole")
}

/// What is simulated of the page cache alone.
fn simulated(megabytes: u64, usable_bytes: u64) -> Value {
    let result = kept("page-cache", "nothing", megabytes, usable_bytes);
    let report = shown(megabytes, &[result]);
    let prediction = report.points[0].prediction.as_ref();
    prediction.expect("a prediction")["closed"].clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[track_caller]
fn near(value: &Value, expected: f64, share: f64) {
    let value = number(value);
    assert!(
        (value / expected - 1.0).abs() <= share,
        "{value}, expected {expected}"
    );
}

/// A thousand requests a second, which four clients share evenly: each waits for the other three.
#[test]
fn with_all_in_memory_the_processors_are_the_limit() {
    let closed = simulated(100, 500_000_000);
    let [foreground, background] = [&closed["sites"][0], &closed["sites"][1]];
    assert_eq!(foreground["site"], "foreground");
    near(&foreground["rate"]["simulated"], 500.0, 0.01);
    near(&background["rate"]["simulated"], 500.0, 0.01);
    near(&foreground["response"]["simulated"], 4_000.0, 0.01);
    near(&closed["processors"], 1.0, 0.01);
    near(&closed["cpus"], 1.0, 0.0);
    assert!(number(&closed["disk_bytes_per_s"]) < 1_000_000.0);
    // The background was measured with half of that.
    assert!(number(&foreground["rate"]["beyond"]) < 1.0);
    near(&background["rate"]["beyond"], 100.0, 0.02);
    assert_eq!(closed["has_measured_costs"], true);
}

#[test]
fn with_next_to_nothing_in_memory_the_disk_is_the_limit() {
    let [slow, fast] = [1, 2].map(|megabytes| simulated(megabytes, 1 << 20));
    near(&slow["disk_bytes_per_s"], 1e6, 0.1);
    near(&fast["disk_bytes_per_s"], 2e6, 0.1);
    let background = |closed: &Value| number(&closed["sites"][1]["rate"]["simulated"]);
    let ratio = background(&fast) / background(&slow);
    assert!((1.7..2.3).contains(&ratio), "{ratio}");
    // A request for a file of 147 KB on average.
    assert!(background(&fast) < 50.0, "{fast}");
    assert!(number(&fast["processors"]) < 0.9);
}

#[test]
fn rates_are_laid_beside_each_other_and_scored_unless_others_were_at_work() {
    let quiet = kept("page-cache", "nothing", 100, 500_000_000);
    let report = shown(100, std::slice::from_ref(&quiet));
    let sheet = Sheet::of(&report, "Closed loops of several clients of each site");
    assert_eq!(
        sheet.figure(&["0x1", "page-cache", "foreground"], 0),
        Some(500.0)
    );
    let line = sheet.line(&["page-cache", "background"]);
    assert!(line.contains("250 ("), "{line}");
    let says = |report: &Report, wanted: &str| report.remarks.iter().any(|it| it.contains(wanted));
    assert!(
        says(&report, "closed loops: 2 rates of sites are"),
        "{:?}",
        report.remarks
    );
    let mut noisy = quiet;
    noisy["quietness"] = json!({
        "seconds": 30.0, "others_cpu_share": 0.3, "stolen_cpu_share": 0.0, "own_cpu_share": 0.5, "load_average": 1.0,
        "cpu_pressure": null, "io_pressure": null, "memory_pressure": null,
    });
    let report = shown(100, &[noisy]);
    let sheet = Sheet::of(&report, "Closed loops of several clients of each site");
    let line = sheet.line(&["page-cache", "foreground"]);
    assert!(line.contains("noisy"), "{line}");
    assert!(
        says(
            &report,
            "closed loops: no way is counted, as others disturbed each"
        ),
        "{:?}",
        report.remarks
    );
}

/// The page cache has room for a part of the foreground's files, which are asked for most.
#[test]
fn run_follows_the_traffic_and_holds_what_it_decides() {
    let alone = kept("page-cache", "nothing", 2, 8 << 20);
    let run = kept("run", "run", 2, 8 << 20);
    let report = shown(2, &[alone, run]);
    let closed = |arm: usize| {
        let prediction = report.points[arm].prediction.as_ref();
        prediction.expect("a prediction")["closed"].clone()
    };
    let rates = |closed: &Value| {
        let sites = closed["sites"].as_array().expect("sites").iter();
        let rates = sites.map(|site| number(&site["rate"]["simulated"]));
        rates.sum::<f64>()
    };
    let (alone, run) = (closed(0), closed(1));
    assert_ne!(alone["disk_bytes_per_s"], run["disk_bytes_per_s"]);
    assert!(rates(&run) > 0.5 * rates(&alone), "{run}");
}

#[test]
fn nothing_is_simulated_where_run_followed_what_came_before() {
    let mut both = kept("run", "run", 100, 500_000_000);
    both["paced"] = json!({
        "counts": {
            "seconds": 1.0, "requests": 10, "cached": 10, "uncached": 0, "bytes": 1, "disk_reads": 0,
            "disk_read_bytes": 0, "server_cpu_us": 1,
        },
        "sites": [],
        "memory": {
            "limit_bytes": 536_870_912, "anonymous_bytes": 1, "kernel_bytes": 1, "file_bytes": 1, "unevictable_bytes": 1,
        },
        "timeline": [],
    });
    let report = shown(100, &[both]);
    assert!(report.points[0].prediction.is_none());
}

/// The files of both sites take more than the page cache has; a group keeps enough for those of the foreground.
#[test]
fn a_site_that_starves_is_found() {
    let shared = kept("page-cache", "nothing", 1, 1 << 20);
    let mut own = kept("own-group", "own-group", 1, 80 << 20);
    own["held"]["group_bytes"] = json!([64 << 20, 1 << 20]);
    let experiment = EXPERIMENT.replace("\"run\"", "\"own-group\"");
    let place = Place::with(&[
        ("node.toml", &node(1)),
        ("servers.toml", SERVERS),
        ("experiment.toml", &experiment),
    ]);
    let (mut starved, mut fed) = (shared, own);
    starved["throughput"]["foreground_per_s"] = json!(20.0);
    fed["throughput"]["foreground_per_s"] = json!(900.0);
    for (arm, result) in [("page-cache", &starved), ("own-group", &fed)] {
        place.write(&format!("results/0x1/{arm}.json"), &result.to_string());
    }
    let remarks = place.show().expect("the results are whole").remarks;
    let wanted = "closed loops: 1 of 1 starved sites are found, which get less than a tenth";
    assert!(
        remarks.iter().any(|it| it.starts_with(wanted)),
        "{remarks:?}"
    );
}
