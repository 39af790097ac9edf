//! Experiments of kind sensitivity: what they refuse, a ranking that follows by hand, and that what was simulated is kept.

use hotset_experiment::Selection;
use serde_json::Value;

use crate::place::{Place, Sheet, says};

const NODE: &str = include_str!("samples/sensitivity/node.toml");

const EXPERIMENT: &str = include_str!("samples/sensitivity/experiment.toml");

const JOBS: &str = include_str!("samples/sensitivity/jobs.fio");

fn place(experiment: &str) -> Place {
    Place::with(&[
        ("node.toml", NODE),
        ("experiment.toml", experiment),
        ("jobs.fio", JOBS),
    ])
}

/// Runs everything that is to do.
fn run(place: &Place) -> usize {
    let run = place.run(&Selection::default(), "work");
    run.expect("nothing is in its way")
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
        let place = place(&EXPERIMENT.replace(from, to));
        says(place.run(&Selection::default(), "work"), wanted);
    }
}

/// The first label of each row.
fn parameters(table: &Sheet) -> Vec<&str> {
    let rows = table.rows[1..].iter().map(|row| row[0].as_str());
    rows.map(|label| label.split(' ').next().unwrap_or_default())
        .collect()
}

#[test]
fn jobs_in_memory_are_moved_by_copying_and_blocks_and_by_no_disk() {
    let place = place(EXPERIMENT);
    assert_eq!(run(&place), 1);
    let report = place.show().expect("it was simulated");
    let shown = serde_json::to_value(&report).expect("JSON");
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
    let titles: Vec<&str> = report.tables.iter().map(|(it, _)| it.as_str()).collect();
    assert_eq!(
        titles,
        [
            "base: greatest over least throughput",
            "base: elasticity of throughput"
        ]
    );
    let [swings, elasticities] =
        ["base: greatest", "base: elasticity"].map(|it| Sheet::of(&report, it));
    assert_eq!(
        swings.rows[0][2..],
        ["cached", "mean"],
        "load only prepares"
    );
    let ranked = parameters(&swings);
    let rank = |name: &str| ranked.iter().position(|it| *it == name);
    assert!(rank("copying") < rank("transfer"), "{ranked:?}");
    let copying = &swings.rows[1 + rank("copying").expect("its row")];
    assert_eq!(copying[..2], ["copying 1000 … 4000", "processor"]);
    let elasticity = |name: &str| {
        let row = parameters(&elasticities).iter().position(|it| *it == name);
        let figures = &elasticities.rows[1 + row.expect("its row")][2..];
        figures[0].parse::<f64>().expect("a quantity")
    };
    assert!(elasticity("copying") > 0.5);
    assert_eq!(elasticity("transfer"), 0.0);
    let [remark] = &report.remarks[..] else {
        panic!("{:?}", report.remarks)
    };
    assert!(remark.starts_with("base: greatest mean swing of a parameter by part: "));
    assert!(remark.contains("processor "), "{remark}");
    assert!(remark.contains("disk 1.00"), "{remark}");
}

#[test]
fn what_was_simulated_under_the_same_settings_is_not_simulated_again() {
    let place = place(EXPERIMENT);
    let is_measured = || {
        let items = place.list(&Selection::default()).expect("points");
        items.iter().all(|item| item.measured)
    };
    assert!(!is_measured());
    assert!(place.show().expect("nothing is kept").points.is_empty());
    assert_eq!(run(&place), 1);
    assert!(is_measured());
    assert_eq!(run(&place), 0, "it is kept");
    let kept = std::fs::read_to_string(place.path("results/base.json")).expect("a result");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!(kept["date"], "2026-11-24");
    assert_eq!(kept["store"], "base");

    place.write("experiment.toml", &EXPERIMENT.replace("\"64k\"", "\"32k\""));
    assert!(!is_measured(), "other settings");
    let shown = place.show().expect("what was kept");
    assert_eq!(shown.points.len(), 1);
    let said = "1 of 1 points were measured under other settings than the experiment has now.";
    assert!(shown.remarks.iter().any(|it| it.starts_with(said)));
    assert_eq!(run(&place), 1);
    assert!(is_measured());
    place.write("results/base.json", "{}");
    let message = place.list(&Selection::default());
    says(message, "results/base.json");
}
