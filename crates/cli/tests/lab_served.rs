//! Experiments of kinds served-sites, open-trace and tiers: one of seconds each where the machine allows it.

use crate::support::Workplace;
use crate::support::lab::{EXPERIMENT_RUN, lab_is_possible};
use crate::support::schema::holds_to;
use hotset_test_support::together;
use serde_json::Value;

const PROGRAMS: [(&str, &str); 2] = [
    ("/usr/sbin/nginx", "the package nginx-light"),
    ("/usr/sbin/mkfs.ext4", "the package e2fsprogs"),
];

fn run(node: &str, experiment: &str, selection: &[&str]) -> Value {
    let place = Workplace::new();
    place.write("node.toml", node.as_bytes());
    place.write("experiment.toml", experiment.as_bytes());
    place.write("shop.log", log().as_bytes());
    let shown = place.json(EXPERIMENT_RUN.iter().chain(selection).copied());
    holds_to("experiment.json", &shown);
    shown
}

#[test]
fn uncached_files_ask_the_disk_and_cached_ones_do_not() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let node = include_str!("../../experiment/tests/samples/served-sites/node.toml");
    let experiment = include_str!("../../experiment/tests/samples/served-sites/experiment.toml");
    let experiment = experiment
        .replace("[0, 50]", "[0, 50, 100]")
        .replace("runs = 2", "runs = 1");
    let cells = [0, 50, 100].map(|cached| format!("4K-cached-{cached}"));
    let mut selection: Vec<&str> = cells.iter().flat_map(|cell| ["--cell", cell]).collect();
    selection.extend(["--cell", "2-sites-class-0"]);
    let shown = run(node, &experiment, &selection);
    let outcomes = shown["outcomes"].as_array().expect("outcomes");
    let total = |name: &str, key: &str| {
        let mut outcomes = outcomes.iter();
        let found = outcomes.find(|outcome| outcome["name"] == name);
        found.expect("its outcome")["total"][key].as_f64()
    };
    assert_eq!(total("4K-cached-0 disk 1, paced", "hits"), Some(0.0));
    assert_eq!(total("4K-cached-50 disk 1, paced", "hits"), Some(5.0));
    assert_eq!(total("4K-cached-100 disk 1, paced", "hits"), Some(10.0));
    assert_eq!(total("4K-cached-0 memory 1, paced", "hits"), Some(10.0));
    assert!(total("2-sites-class-0 disk 1, throughput", "throughput_per_s") > Some(0.0));
}

/// Ten clients that ask for a file each, within a second, and one that sends a form.
fn log() -> String {
    let line = |number: u32| {
        format!(
            "10.0.0.{number} - - [24/Nov/2026:10:00:0{} +0000] \"GET {} HTTP/1.1\" 200 5000\n",
            number % 2,
            // A folder stands for its index, as in most logs.
            match number {
                0 => "/".to_owned(),
                _ => format!("/{number}.html"),
            }
        )
    };
    let form = "10.0.0.10 - - [24/Nov/2026:10:00:01 +0000] \"POST /form HTTP/1.1\" 200 300\n";
    (0..10).map(line).chain([form.to_owned()]).collect()
}

/// Sends the log once, with these keys beside its scale. So many of its requests are answered.
fn send_log(keys: &str, requests: u64) {
    let node = include_str!("../../experiment/tests/samples/open-trace/node.toml");
    let experiment = include_str!("../../experiment/tests/samples/open-trace/experiment.toml");
    let sent = format!("logs = {{ shop = {{ file = \"shop.log\", scales = [1]{keys} }} }}");
    let experiment = experiment.replace("twins = { nyse = [8, 64] }", &sent);
    let shown = run(node, &experiment, &["--run", "1"]);
    let result = &shown["points"][0]["result"];
    match result["refused"].as_str() {
        // A busy machine is why some point is refused, and then there is no figure.
        Some(why) => assert!(why.contains("client") || why.contains("late"), "{why}"),
        None => {
            let total = &shown["outcomes"][0]["total"];
            assert_eq!(
                (&total["errors"], &total["requests"]),
                (&0.into(), &requests.into())
            );
            assert!(total["latencies"]["first_byte"]["p95_us"].as_f64() > Some(0.0));
        }
    }
}

#[test]
fn a_log_is_sent_from_empty_caches_by_a_server_from_its_own_store() {
    if lab_is_possible(&PROGRAMS, together) {
        send_log("", 10);
    }
}

#[test]
fn a_log_is_counted_and_served_by_the_rule_that_is_named() {
    if lab_is_possible(&PROGRAMS, together) {
        send_log(", rule = \"c1\"", 11);
    }
}

#[test]
fn a_scenario_is_stood_up_and_asked_by_clients_and_at_random_times() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let nodes = include_str!("../../experiment/tests/samples/tiers/nodes.toml");
    let experiment = include_str!("../../experiment/tests/samples/tiers/experiment.toml");
    let experiment = experiment
        .replace("nodes.toml", "node.toml")
        .replace("runs = 2", "runs = 1");
    let shown = run(nodes, &experiment, &[]);
    let outcomes = shown["outcomes"].as_array().expect("outcomes");
    for (name, requests) in [("closed 1, asked", 40), ("open 1, asked", 30)] {
        let mut outcomes = outcomes.iter();
        let found = outcomes.find(|outcome| outcome["name"] == name);
        let Some(outcome) = found else {
            // A busy machine cannot send at random times in time.
            let refused = shown["remarks"].to_string();
            assert!(refused.contains("open 1 is refused"), "{name}: {refused}");
            continue;
        };
        assert_eq!(outcome["total"]["requests"], requests, "{name}");
        let resources = outcome["resources"].as_array().expect("resources");
        let names: Vec<&str> = resources
            .iter()
            .filter_map(|resource| resource["name"].as_str())
            .collect();
        let wanted = [
            "one processors",
            "two processors",
            "front processors",
            "one disk",
            "two disk",
            "one link in",
            "one link out",
        ];
        assert_eq!(names, wanted, "{name}");
    }
}
