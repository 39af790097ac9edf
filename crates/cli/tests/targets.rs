//! Targets, objective and memory groups of `hotset plan`.

mod support;

use serde_json::Value;
use support::{Failure, Workplace};

/// A place with a log of two sites: one of few small files, one whose large files come seldom.
fn two_sites() -> Workplace {
    let line = |turn: u32| {
        let (site, path, bytes) = match turn % 2 {
            0 => ("shop", format!("/a{}.css", turn / 2 * 7 % 60), 4_000),
            _ => ("video", format!("/v{}.bin", turn / 2 % 900), 60_000),
        };
        let (minute, second) = (turn / 60 % 60, turn % 60);
        format!(
            "{site} 10.0.0.1 - - [01/Jan/2026:00:{minute:02}:{second:02} +0000] \"GET {path} HTTP/1.1\" 200 {bytes} \"-\" \"-\"\n"
        )
    };
    let place = Workplace::new();
    let log: String = (0..3_000).map(line).collect();
    place.write("access.log", log.as_bytes());
    place
}

const PLAN: [&str; 8] = [
    "plan",
    "--memory",
    "2MiB",
    "--site",
    "shop=host:shop",
    "--site",
    "video=host:video",
    "access.log",
];

fn plan(place: &Workplace, options: &[&str]) -> Value {
    place.json(PLAN.iter().chain(&["--json"]).chain(options))
}

#[test]
fn a_target_comes_before_the_mean_unless_the_mean_is_asked_for() {
    let place = two_sites();
    let target = ["--target", "shop=p95 < 1ms"];
    let by_targets = plan(&place, &target);
    assert_eq!(by_targets["objective"], "targets");
    assert_eq!(by_targets["sites"][0]["targets"][0]["target"], "p95 < 1 ms");
    assert_eq!(by_targets["sites"][0]["targets"][0]["is_met"], true);
    let by_mean = plan(&place, &[&target[..], &["--objective", "mean"]].concat());
    assert_eq!(by_mean["objective"], "mean");
    assert!(by_mean["sites"][0]["targets"][0]["plan_us"].is_number());
    assert_eq!(plan(&place, &[])["objective"], "mean");
}

#[test]
fn targets_that_cannot_be_meant_are_refused() {
    let place = two_sites();
    for (targets, says) in [
        (
            &["nobody=p99<1ms"][..],
            "no request belongs to this site; the sites are shop, video",
        ),
        (
            &["shop=p99<1ms", "shop=p99<2ms"][..],
            "bound the same measure",
        ),
        (&["shop=p99"][..], "is not a target"),
        (&["p99<1ms"][..], "write the site, =, and its target"),
        (&["shop=mean<1us"][..], "even if all of them are in memory"),
    ] {
        let options: Vec<&str> = targets
            .iter()
            .flat_map(|target| ["--target", target])
            .collect();
        Failure::of(place.hotset(PLAN.iter().chain(&options))).says(says);
    }
}

#[test]
fn groups_stand_in_the_report_and_in_the_plan_file() {
    let place = two_sites();
    let plan = plan(&place, &["--groups", "-o", "plan.json"]);
    assert!(plan["total"]["held_out"]["groups"]["mean_us"].is_number());
    assert!(plan["total"]["held_out"]["groups_and_files"]["mean_us"].is_number());
    let written = std::fs::read(place.path("plan.json")).expect("a plan file");
    let written: Value = serde_json::from_slice(&written).expect("JSON");
    let groups = written["groups"].as_array().map_or(0, Vec::len);
    assert_eq!(groups, if plan["lever"] == "files" { 0 } else { 2 });
}
