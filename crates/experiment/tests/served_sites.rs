//! Experiments of kind served-sites: their points, what they refuse, and what is claimed of their results.

use std::fs;

use hotset_experiment::{Axis, Selection, Verdict};
use serde_json::{Value, json};

use crate::place::{Place, says, selects_nothing};

const NODES: &str = include_str!("samples/served-sites/node.toml");
const SITES: &str = include_str!("samples/served-sites/experiment.toml");

fn place(experiment: &str) -> Place {
    Place::with(&[("node.toml", NODES), ("experiment.toml", experiment)])
}

#[test]
fn each_run_begins_with_another_store_and_files_without_room_in_memory_are_left_out() {
    let place = place(SITES);
    let names: Vec<String> = place
        .list(&Selection::default())
        .expect("points")
        .iter()
        .map(|item| item.point.to_string())
        .collect();
    assert_eq!(names[..2], ["class-0 memory 1", "class-0 disk 1"]);
    assert!(names.contains(&"2-sites-4K-cached-50 memory 2".to_owned()));
    let second = names.iter().find(|name| name.ends_with(" 2"));
    assert_eq!(second.map(String::as_str), Some("class-0 disk 2"));
    // 6 GiB do not fit into 256 MiB.
    assert!(names.contains(&"class-4 disk 1".to_owned()));
    assert!(!names.contains(&"class-4 memory 1".to_owned()));
    let remarks = place.show().expect("a report").remarks;
    let wanted = "memory has no room in memory for the files of class-4, 2-sites-class-4.";
    assert!(remarks.iter().any(|remark| remark == wanted), "{remarks:?}");
}

#[test]
fn what_cannot_be_served_is_refused() {
    let spread = "\n[served-sites.spread.dealt]\nstores = [\"disk\"]\nby = \"size\"\n";
    for (from, to, wanted) in [
        (
            "runs = 2",
            "size_correlations = [-2]",
            "correlations from -1 to 1",
        ),
        ("of = [0, 4]", "of = [5]", "classes from 0 to 4"),
        ("of = [0, 4]", "of = [0, 0]", "has cell `class-0` twice"),
        ("of = [\"4KiB\"]", "of = [\"8388608TiB\"]", "to 1 GiB"),
        (
            "warm_up = [10, 10, 10, 10, 10]",
            "warm_up = [10]",
            "has no number for class 4",
        ),
        (
            "cached = [0, 50]",
            "cached = [101]",
            "percentages from 0 to 100",
        ),
        ("least = 1.5\n", spread, "names one store only"),
        (
            "least = 1.5\n",
            &spread.replace("\"disk\"", "\"tape\", \"disk\""),
            "has no store `tape`",
        ),
    ] {
        assert!(SITES.contains(from), "{from}");
        says(
            place(&SITES.replacen(from, to, 1)).list(&Selection::default()),
            wanted,
        );
    }
    let on = Selection::default().with(Axis::Cell, &["class-7".to_owned()]);
    selects_nothing(place(SITES).list(&on), "no cell `class-7`");
}

/// Keeps a result with this rate of a run of class 0.
fn keep(place: &Place, store: &str, run: usize, rate: f64) {
    let point =
        json!({"experiment": "smoke", "cell": "class-0", "store": store, "run": run.to_string()});
    let total = json!({"requests": 10, "throughput_per_s": rate});
    let outcome = json!({"name": format!("class-0 {store} {run}, throughput"), "version": 1,
        "provenance": {"kind": "measured", "settings": []}, "groups": [], "total": total});
    let settings = json!({"cell": {"site": {"class": {"class": 0, "warm_up": 10}}, "sites": 1, "size_correlation": -0.5},
        "stores": [store], "by": "single", "servers": 1, "memory_bytes": 1, "cpus": null,
        "link_bits_per_s": [null, null], "paced_requests": 20, "paced_seconds": 10, "clients": 2,
        "throughput_seconds": 1, "scale": 1, "seed": 0});
    let mut result = json!({"settings": settings, "date": "2026-11-24", "files_bytes": 1, "open_close_us": 2.0,
        "quietness": null, "outcomes": [outcome]});
    for (key, value) in point.as_object().into_iter().flatten() {
        result[key] = Value::clone(value);
    }
    place.write(
        &format!("results/class-0/{store}/{run}.json"),
        &result.to_string(),
    );
}

#[test]
fn results_say_how_sizes_and_popularity_hang_together() {
    let place = place(SITES);
    keep(&place, "disk", 1, 100.0);
    let said = "The rank correlation of file size and popularity is -0.5.";
    let remarks = place.show().expect("a report").remarks;
    assert_eq!(remarks[0], said);
    let kept = fs::read_to_string(place.path("results/class-0/disk/1.json")).expect("a result");
    let mut shuffled: Value = serde_json::from_str(&kept).expect("JSON");
    shuffled["run"] = json!("2");
    shuffled["settings"]["cell"]["size_correlation"] = json!(0.0);
    place.write("results/class-0/disk/2.json", &shuffled.to_string());
    let remarks = place.show().expect("a report").remarks;
    let wanted = "File sizes are shuffled: they say nothing about popularity.";
    assert_eq!(remarks[..2], [said, wanted]);
}

#[test]
fn a_claim_holds_where_all_of_five_runs_do() {
    let place = place(&SITES.replacen("runs = 2", "runs = 5", 1));
    let verdict = || place.show().expect("a report").claims.remove(0);
    assert_eq!(verdict().verdict, Verdict::NotMeasured);
    for run in 1..=5 {
        keep(&place, "disk", run, 100.0);
        keep(&place, "memory", run, 200.0 + run as f64);
        let wanted = match run {
            5 => Verdict::Holds,
            _ => Verdict::TooFewRuns,
        };
        assert_eq!(verdict().verdict, wanted);
    }
    let claim = verdict();
    assert_eq!(claim.measured, Some(2.03));
    assert_eq!(
        claim.interval.map(|it| (it.low, it.high)),
        Some((2.01, 2.05))
    );
    assert_eq!(claim.at.as_deref(), Some("class-0 memory"));
    keep(&place, "memory", 3, 100.0);
    assert_eq!(verdict().verdict, Verdict::Undecided);
    for run in 1..=5 {
        keep(&place, "memory", run, 50.0);
    }
    assert_eq!(verdict().verdict, Verdict::Fails);
    assert!(fs::read_dir(place.path("results")).is_ok());
}
