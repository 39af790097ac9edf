//! Kept results of two sites on a node, as they are shown: tables, ratios and remarks.

use hotset_experiment::Report;
use serde_json::{Value, json};

use crate::place::{Place, Sheet, says};

const NODE: &str = r#"[[node]]
name = "web"
memory = "4GiB"

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"
"#;

const EXPERIMENT: &str = r#"name = "kept"
kind = "shared-node"
scenario = "node.toml"
seed = 1
scale = 100
not-measured = { "0x4" = "takes a day" }

[shared-node]
cells = ["0x1"]
requests = [100, 100, 100, 100, 100]
arms = ["page-cache", "vmtouch", "plan-weight", "run"]
weight = 10
runs = 5
daemon_interval = 1
"#;

/// The result of a point, with what is kept of it beside its settings.
fn kept(arm: &str, run: &str, detail: &Value) -> Value {
    let mut result = json!({
        "experiment": "kept",
        "cell": "0x1",
        "arm": arm,
        "run": run,
        "settings": {
            "workload": { "classes": [0, 1], "alpha": 0.9, "requests": 100, "scale": 100, "seed": 1 },
            "memory_bytes": 42_949_672,
            "cpus": null,
            "store": "Ext4 on Plain",
            "server": "Nginx, 4 workers",
            "clients": 8,
            "throughput_seconds": 15,
        },
        "date": "2026-11-24",
        "held": { "means": "nothing", "files": 0, "bytes": 0, "page_bytes": 0, "objects": [] },
        "usable_bytes": 40_000_000,
        "quietness": null,
        "outcomes": [],
    });
    let (Some(result_of), Some(detail)) = (result.as_object_mut(), detail.as_object()) else {
        panic!("both are objects")
    };
    result_of.extend(detail.clone());
    result
}

fn counts() -> Value {
    json!({
        "seconds": 15.0, "requests": 100, "cached": null, "uncached": null, "bytes": 1, "disk_reads": 1,
        "disk_read_bytes": 4096, "server_cpu_us": 1,
    })
}

/// A run with so many requests a second of each site.
fn run(foreground: f64, background: f64) -> Value {
    json!({ "throughput": {
        "clients": 8, "counts": counts(), "foreground_per_s": foreground, "background_per_s": background,
    } })
}

/// Rates of five runs of each arm.
const RATES: [(&str, [f64; 5]); 4] = [
    ("page-cache", [100.0, 104.0, 98.0, 102.0, 96.0]),
    ("vmtouch", [200.0, 210.0, 190.0, 205.0, 195.0]),
    ("plan-weight", [150.0, 160.0, 140.0, 155.0, 145.0]),
    ("run", [101.0, 103.0, 99.0, 101.0, 97.0]),
];

fn place() -> Place {
    let place = Place::with(&[("node.toml", NODE), ("experiment.toml", EXPERIMENT)]);
    for (arm, rates) in RATES {
        for (number, rate) in rates.into_iter().enumerate() {
            let run_number = (number + 1).to_string();
            let result = kept(arm, &run_number, &run(rate, 50.0));
            place.write(
                &format!("results/0x1/{arm}/{run_number}.json"),
                &result.to_string(),
            );
        }
    }
    place
}

fn shown() -> Report {
    place().show().expect("the results are whole")
}

#[test]
fn runs_of_an_arm_are_a_row_with_its_median_and_its_ratio_to_the_best_unplanned_arm() {
    let report = shown();
    let runs = Sheet::of(
        &report,
        "Requests a second with several clients of each site, median",
    );
    assert_eq!(runs.rows[0][..2], ["cell", "memory"]);
    let arms: Vec<&str> = runs.rows[1..].iter().map(|row| row[1].as_str()).collect();
    assert_eq!(arms, RATES.map(|(arm, _)| arm), "in the experiment's order");
    let value = |arm: &str, column: usize| runs.figure(&["0x1", arm], column);
    assert_eq!(value("plan-weight", 0), Some(5.0));
    assert_eq!(value("plan-weight", 1), Some(150.0));
    let ratio = value("plan-weight", 2).expect("a ratio to vmtouch");
    assert!((ratio - 0.75).abs() < 0.01, "{ratio}");
    let line = runs.line(&["plan-weight"]);
    assert!(
        line.contains("0.750 [0.737 0.762]"),
        "five runs have an interval: {line}"
    );
    // The best has no interval to itself.
    assert_eq!(value("vmtouch", 2), Some(1.0));
    assert!(runs.line(&["vmtouch"]).contains("  1.000  "));
    assert_eq!(value("page-cache", 3), Some(1.0));
    assert_eq!(value("run", 5), Some(1.0), "the background's ratio");
}

#[test]
fn results_say_how_sizes_and_popularity_hang_together() {
    let shuffled = "File sizes are shuffled: they say nothing about popularity.";
    assert_eq!(
        shown().remarks[0],
        shuffled,
        "as kept before it was written"
    );
    let place = place();
    let mut correlated = kept("page-cache", "1", &run(100.0, 50.0));
    correlated["settings"]["workload"]["size_correlation"] = json!(-0.5);
    place.write("results/0x1/page-cache/1.json", &correlated.to_string());
    let remarks = place.show().expect("the results are whole").remarks;
    let said = "The rank correlation of file size and popularity is -0.5.";
    assert!(remarks[..2].contains(&said.to_owned()), "{remarks:?}");
    assert!(remarks[..2].contains(&shuffled.to_owned()), "{remarks:?}");
}

#[test]
fn a_priority_that_is_starved_is_named_and_a_site_that_is_as_fast_is_not() {
    let remarks = shown().remarks;
    assert_eq!(
        remarks[1..3],
        [
            "foreground ÷ best unplanned: 0.95 is reached or within the interval in 0 of 1 cases; below it with the \
             whole interval: 0x1 plan-weight",
            "sites ÷ page cache: 0.95 is reached or within the interval in 2 of 2 cases",
        ]
    );
}

#[test]
fn results_of_other_settings_are_counted() {
    let remarks = shown().remarks;
    let said = "20 of 20 points were measured under other settings than the experiment has now. ";
    let last = remarks.last().expect("a remark");
    assert!(last.starts_with(said), "their sizes are shuffled: {last}");
}

#[test]
fn runs_have_no_row_among_results_that_were_measured_once() {
    let report = shown();
    for title in [
        "One client in the order of the trace",
        "Mean response by site",
        "Requests a second with several clients of each site",
    ] {
        let shown = Sheet::of(&report, title);
        assert_eq!(shown.rows.len(), 1, "{title}: {:?}", shown.rows);
    }
    assert_eq!(report.points.len(), 20);
    assert!(report.points.iter().all(|point| point.agrees.is_none()));
    assert_eq!(report.not_measured["0x4"], "takes a day");
}

#[test]
fn a_mean_response_is_laid_beside_that_of_the_page_cache() {
    let place = Place::with(&[("node.toml", NODE), ("experiment.toml", EXPERIMENT)]);
    let paced = |arm: &str, mean_us: f64, uncached: u64| {
        let mut counts = counts();
        counts["cached"] = (30 - uncached).into();
        counts["uncached"] = uncached.into();
        let memory = json!({
            "limit_bytes": 42_949_672, "anonymous_bytes": 1_000_000, "kernel_bytes": 1_949_672, "file_bytes": 0,
            "unevictable_bytes": 0,
        });
        let outcome = json!({
            "name": format!("0x1 {arm} paced, paced"),
            "provenance": { "kind": "measured" },
            "total": { "requests": 30, "latencies": { "total": { "mean_us": mean_us } } },
            "groups": [{
                "kind": "site", "name": "foreground", "requests": 15,
                "latencies": { "total": { "mean_us": mean_us / 2.0 } },
            }],
        });
        let detail = json!({
            "paced": { "counts": counts, "sites": [], "memory": memory, "timeline": [] },
            "outcomes": [outcome],
        });
        let file = format!("results/0x1/{arm}/paced.json");
        place.write(&file, &kept(arm, "paced", &detail).to_string());
    };
    paced("page-cache", 4000.0, 20);
    paced("vmtouch", 3000.0, 12);
    let report = place.show().expect("the results are whole");
    let one_client = Sheet::of(&report, "One client in the order of the trace");
    let value = |arm: &str, column: usize| one_client.figure(&["0x1", arm], column);
    assert_eq!(
        [0, 1, 2, 3].map(|column| value("vmtouch", column)),
        [Some(3000.0), Some(0.75), Some(12.0), Some(4096.0)]
    );
    assert_eq!(value("page-cache", 1), Some(1.0));
    let by_site = Sheet::of(&report, "Mean response by site");
    let site = |column| by_site.figure(&["0x1", "vmtouch"], column);
    assert_eq!(site(0), Some(1500.0));
    assert!(site(1).is_none(), "nothing is known of the background");
    // Costs of single requests are not kept, so nothing is predicted.
    assert!(report.points.iter().all(|point| point.prediction.is_none()));
}

/// The page cache with one client, as it was kept: with or without the word that only the training part came before.
fn page_cache_with_one_client(follows_training: bool) -> Report {
    let place = Place::with(&[("node.toml", NODE), ("experiment.toml", EXPERIMENT)]);
    let mut counts = counts();
    counts["cached"] = 20.into();
    counts["uncached"] = 10.into();
    counts["requests"] = 30.into();
    let memory = json!({
        "limit_bytes": 42_949_672, "anonymous_bytes": 1_000_000, "kernel_bytes": 1_949_672, "file_bytes": 0,
        "unevictable_bytes": 0,
    });
    let mut paced = json!({ "counts": counts, "sites": [], "memory": memory, "timeline": [] });
    if follows_training {
        paced["follows_training"] = true.into();
    }
    let outcome = json!({
        "name": "0x1 page-cache paced, paced",
        "provenance": { "kind": "measured" },
        "total": { "requests": 30, "latencies": { "total": { "mean_us": 4000.0 } } },
    });
    let detail = json!({ "paced": paced, "outcomes": [outcome] });
    let mut result = kept("page-cache", "paced", &detail);
    result["settings"]["daemon_interval"] = 1.into();
    let line = json!({ "fixed_us": 100.0, "bytes_per_us": 1000.0 });
    let profile = json!({ "name": "measured", "open_us": 0.0, "cached": line, "uncached": line, "source": "test" });
    let costs = json!({
        "settings": result["settings"],
        "costs": { "backing": [profile, profile], "memory": profile, "samples": [] },
    });
    place.write("results/0x1/page-cache/paced.json", &result.to_string());
    place.write("results/0x1/costs.json", &costs.to_string());
    place.show().expect("the results are whole")
}

#[test]
fn requests_that_had_been_asked_before_are_laid_beside_no_prediction() {
    let unseen = page_cache_with_one_client(true);
    assert!(unseen.points[0].prediction.is_some());
    let again_of = |report: &Report| -> Vec<String> {
        let remarks = report
            .remarks
            .iter()
            .filter(|it| it.contains("no prediction beside"));
        remarks.cloned().collect()
    };
    assert_eq!(again_of(&unseen), Vec::<String>::new());
    let again = page_cache_with_one_client(false);
    assert!(again.points[0].prediction.is_none());
    let remarks = again_of(&again);
    let [remark] = &remarks[..] else {
        panic!("{:?}", again.remarks);
    };
    assert!(
        remark.starts_with("no prediction beside 1 of the phases with one client"),
        "{remark}"
    );
}

#[test]
fn a_result_that_cannot_be_read_is_named() {
    let place = place();
    place.write("results/0x1/run/1.json", "{\"experiment\": 7}");
    says(place.show(), "results/0x1/run/1.json");
}
