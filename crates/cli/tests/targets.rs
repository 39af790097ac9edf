//! Targets, objective and memory groups of `hotset plan`.

use crate::support::{Failure, Workplace, combined_line};
use serde_json::Value;

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
        (&["shop=p99<=1ms"][..], "write < without ="),
        (&["shop=p99<-5ms"][..], "`-5ms` is negative"),
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

/// A scenario of both sites on one node.
fn scenario(place: &Workplace, objective: &str, target: &str) {
    let text = format!(
        "{objective}\n[[node]]\nname = \"web\"\nmemory = \"2MiB\"\n[[store]]\nname = \"disk\"\nprofile = \"hdd\"\n\
         [[site]]\nname = \"shop\"\nmatch = \"host:shop\"\nstore = \"disk\"\n{target}\n\
         [[site]]\nname = \"video\"\nmatch = \"host:video\"\nstore = \"disk\"\n"
    );
    place.write("scenario.toml", text.as_bytes());
}

const BY_SCENARIO: [&str; 4] = ["plan", "--scenario", "scenario.toml", "access.log"];

#[test]
fn targets_on_the_command_line_replace_those_of_the_scenario_with_a_word() {
    let place = two_sites();
    scenario(&place, "", "target = [\"p99 < 1s\", \"mean < 9ms\"]");
    let json = ["--json", "--target", "shop=p95 < 1ms"];
    let output = place.hotset(BY_SCENARIO.iter().chain(&json));
    let plan: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let targets = plan["sites"][0]["targets"].as_array().expect("targets");
    assert_eq!(targets.len(), 1);
    let warning = String::from_utf8_lossy(&output.stderr);
    let says = "in place of the scenario's targets of shop: p99 < 1 s, mean < 9 ms";
    assert!(warning.contains(says), "{warning}");
    let other = place.hotset(BY_SCENARIO.iter().chain(&["--target", "video=p95 < 9s"]));
    assert!(other.stderr.is_empty(), "no target is replaced");
}

#[test]
fn the_objective_targets_needs_a_target() {
    let place = two_sites();
    let option = ["--objective", "targets"];
    Failure::of(place.hotset(PLAN.iter().chain(&option)))
        .has_code(2)
        .says("--objective targets: no site has a target: name one with --target SITE=TARGET");
    scenario(&place, "objective = \"targets\"", "");
    Failure::of(place.hotset(BY_SCENARIO))
        .has_code(1)
        .says("scenario.toml: `objective` is targets, but no site has a target");
    place.succeeds(BY_SCENARIO.iter().chain(&["--target", "shop=p95 < 1ms"]));
    place.succeeds(BY_SCENARIO.iter().chain(&["--objective", "mean"]));
}

#[test]
fn groups_that_cannot_be_are_said_to_be_missing() {
    let place = two_sites();
    let says = "node `node` gets no memory groups: they take two sites or more, and 1 MiB of memory for each";
    place.write(
        "one.log",
        combined_line("/a.css", 4_000).repeat(200).as_bytes(),
    );
    let warning = |memory: &str, log: &[&str]| {
        let plan = ["plan", "--memory", memory, "--groups"];
        let output = place.hotset(plan.iter().chain(log));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(warning("2MiB", &["one.log"]).contains(says));
    assert!(warning("1MiB", &PLAN[3..]).contains(says));
    assert_eq!(warning("2MiB", &PLAN[3..]), "");
}
