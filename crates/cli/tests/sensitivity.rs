//! Experiments of kind sensitivity: what they refuse, and a ranking that follows by hand.

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace};
use serde_json::Value;

const NODE: &str = "[[node]]\nname = \"node\"\nmemory = \"80MiB\"\nserver_memory = \"16MiB\"\n\n\
    [[store]]\nname = \"base\"\nprofile = \"ssd\"\n";

const EXPERIMENT: &str = r#"name = "smoke"
kind = "sensitivity"
scenario = "node.toml"

[sensitivity]
jobs = ["jobs.fio"]
values = { block = "64k" }
preparing = ["load"]

[[sensitivity.parameters]]
name = "copying"
part = "processor"
set = "cached.bytes_per_us"
values = ["1000", "2000", "4000"]

[[sensitivity.parameters]]
name = "transfer"
part = "disk"
set = "uncached.bytes_per_us"
values = ["100", "400"]

[[sensitivity.parameters]]
name = "memory"
part = "memory"
set = "memory"
values = ["32MiB", "128MiB"]

[[sensitivity.parameters]]
name = "block"
part = "application"
set = "block"
values = ["4k", "256k"]
"#;

const JOBS: &str = "[global]\nfilename=data\nsize=16m\nrw=read\ninvalidate=0\nstonewall\n[load]\nbs=1m\n[cached]\nbs=${block}\n";

fn place(experiment: &str, jobs: &str) -> Workplace {
    let place = Workplace::new();
    for (name, text) in [
        ("node.toml", NODE),
        ("experiment.toml", experiment),
        ("jobs.fio", jobs),
    ] {
        place.write(name, text.as_bytes());
    }
    place
}

#[test]
fn values_that_cannot_be_used_are_refused_before_anything_is_simulated() {
    for (from, to, wanted) in [
        (
            "\"400\"",
            "\"fast\"",
            "parameter transfer: uncached.bytes_per_us = fast: cannot set this",
        ),
        (
            "uncached.bytes_per_us",
            "uncached.bytes",
            "parameter transfer: uncached.bytes = 100",
        ),
        ("\"128MiB\"", "\"much\"", "parameter memory: memory = much"),
        (
            "block = \"64k\"",
            "size = \"64k\"",
            "nothing stands for ${block}; add `block` to `values`",
        ),
        ("\"jobs.fio\"", "\"none.fio\"", "there is no such file"),
    ] {
        assert!(EXPERIMENT.contains(from), "{from}");
        let place = place(&EXPERIMENT.replace(from, to), JOBS);
        Failure::of(place.hotset(["experiment", "run", "experiment.toml"]))
            .has_code(1)
            .says(wanted);
    }
}

#[test]
fn jobs_in_memory_are_moved_by_copying_and_blocks_and_by_no_disk() {
    let place = place(EXPERIMENT, JOBS);
    let shown = place.json(["experiment", "run", "experiment.toml", "--json"]);
    holds_to("experiment.json", &shown);
    let varied = shown["points"][0]["result"]["varied"].as_array();
    let varied = varied.expect("values");
    let rates = |name: &str| -> Vec<f64> {
        let own = varied.iter().filter(|it| it["parameter"] == name);
        let rate = |it: &Value| it["jobs"][0]["bytes_per_s"].as_f64().unwrap_or(0.0);
        own.map(rate).collect()
    };
    assert!(rates("copying").is_sorted_by(|a, b| 1.2 * a < *b));
    assert!(rates("block").is_sorted_by(|a, b| a < b));
    for still in ["transfer", "memory"] {
        let rates = rates(still);
        assert_eq!(rates[0], rates[1], "{still}");
    }
    let table = place.succeeds(["experiment", "show", "experiment.toml"]);
    let rank = |name: &str| table.find(&format!("\n{name} ")).expect("its row");
    assert!(rank("copying") < rank("transfer"), "{table}");
    assert!(!table.contains("load"), "{table}");
    assert!(
        table.lines().all(|line| line.chars().count() <= 100),
        "{table}"
    );
}
