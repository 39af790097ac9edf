//! Scenario files as `hotset plan` uses them.

mod support;

use serde_json::Value;
use support::{Failure, Workplace};

/// A log of 3000 file reads, a few files taking most of them.
fn workload(place: &Workplace) {
    let zipf = ["generate", "zipf", "--objects", "300", "--requests", "3000"];
    let rest = ["--working-set", "8MiB", "-o", "a.trace"];
    place.succeeds(zipf.iter().chain(&rest));
}

fn plan(place: &Workplace, scenario: &str, options: &[&str]) -> Value {
    place.write("scenario.toml", scenario.as_bytes());
    let plan = ["plan", "--json", "--scenario", "scenario.toml", "a.trace"];
    place.json(plan.iter().chain(options))
}

/// All of a plan but what differs from run to run.
fn figures(mut json: Value) -> Value {
    let keys = json.as_object_mut().expect("an object");
    keys.remove("peak_memory_bytes");
    keys.remove("outcomes");
    json
}

#[test]
fn a_plan_is_made_from_the_scenarios_of_the_labs_experiments() {
    let place = Workplace::new();
    workload(&place);
    let experiments = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    for (file, store) in [
        ("pollution/node.toml", "hdd"),
        ("file-systems/nodes.toml", "memory"),
    ] {
        let scenario = format!("{experiments}/{file}");
        let json = place.json([
            "plan",
            "--json",
            "--memory",
            "2MiB",
            "--scenario",
            &scenario,
            "a.trace",
        ]);
        assert_eq!(json["memory_bytes"], 2 << 20, "{file}");
        assert_eq!(json["sites"][0]["backing"], store, "{file}");
    }
}

const NODE: &str = "[[node]]\nname = \"web\"\nmemory = \"2MiB\"\n";
const STORE: &str = "[[store]]\nname = \"flash\"\nprofile = \"ssd\"\n";

#[test]
fn a_scenario_without_sites_is_one_site_on_its_first_store() {
    let place = Workplace::new();
    workload(&place);
    let backing = |scenario: &str, options: &[&str]| {
        let json = plan(&place, scenario, options);
        json["sites"][0]["backing"].as_str().map(str::to_owned)
    };
    let stores = format!("{NODE}{STORE}[[store]]\nname = \"filer\"\nprofile = \"nfs\"\n");
    assert_eq!(backing(&stores, &[]).as_deref(), Some("ssd"));
    assert_eq!(
        backing(&stores, &["--backing", "nfs"]).as_deref(),
        Some("nfs")
    );
    assert_eq!(backing(NODE, &[]).as_deref(), Some("hdd"));
}

#[test]
fn memory_of_the_server_means_the_same_as_a_key_and_as_an_option() {
    let place = Workplace::new();
    workload(&place);
    let key = format!("{NODE}server_memory = \"1MiB\"\n");
    let by_key = figures(plan(&place, &key, &[]));
    assert_eq!(by_key["memory_bytes"], 1 << 20);
    let by_option = plan(&place, NODE, &["--server-memory", "1MiB"]);
    assert_eq!(by_key, figures(by_option));
    let option_wins = plan(&place, &key, &["--server-memory", "512KiB"]);
    assert_eq!(option_wins["memory_bytes"], 3 << 19);
}

#[test]
fn a_server_without_memory_for_files_is_refused_where_it_stands() {
    let place = Workplace::new();
    workload(&place);
    let scenario = format!("{NODE}server_memory = \"2MiB\"\n");
    place.write("scenario.toml", scenario.as_bytes());
    let failure = Failure::of(place.hotset(["plan", "--scenario", "scenario.toml", "a.trace"]));
    failure
        .has_code(1)
        .says("scenario.toml:4:17: `server_memory` in [[node]]");
}
