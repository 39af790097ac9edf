//! An experiment of kind databases: one of seconds where the machine allows it.

use crate::support::Workplace;
use crate::support::lab::{EXPERIMENT_RUN, lab_is_possible};
use crate::support::schema::holds_to;
use hotset_test_support::together;
use serde_json::Value;

const PROGRAMS: [(&str, &str); 7] = [
    ("/usr/sbin/mariadbd", "the package mariadb-server"),
    ("/usr/bin/mariadb", "the package mariadb-client"),
    ("/usr/bin/vmtouch", "the package vmtouch"),
    ("/usr/bin/rsync", "the package rsync"),
    ("/usr/sbin/nginx", "the package nginx-light"),
    ("/etc/php", "the packages php-fpm and php-mysql"),
    ("/usr/sbin/mkfs.ext4", "the package e2fsprogs"),
];

const NODE: &str = include_str!("../../experiment/tests/samples/databases/node.toml");
const EXPERIMENT: &str = include_str!("../../experiment/tests/samples/databases/experiment.toml");

/// What a run of an experiment prints as JSON, of the points that the options choose.
fn run_of(experiment: &str, options: &[&str]) -> Value {
    let place = Workplace::new();
    place.write("node.toml", NODE.as_bytes());
    place.write("experiment.toml", experiment.as_bytes());
    let shown = place.json(EXPERIMENT_RUN.iter().chain(options));
    holds_to("experiment.json", &shown);
    shown
}

#[test]
fn visitors_of_a_shop_in_the_lab_meet_no_errors() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let selection = [
        "--cell",
        "shopping-beside-tpcw-0",
        "--arm",
        "pin",
        "--run",
        "1",
    ];
    // Eight clients share a disk of 300 reads a second.
    let longer = EXPERIMENT.replacen("\nseconds = 2", "\nseconds = 8", 1);
    let shown = run_of(&longer, &selection);
    let result = &shown["points"][0]["result"];
    assert_eq!(
        result["settings"]["pinned"],
        serde_json::json!(["item", "author"])
    );
    assert!(result["pinned_bytes"].as_u64() > Some(1 << 20), "{result}");
    let tiers = result["tiers"].as_array().expect("tiers");
    assert_eq!(tiers.len(), 6);
    assert!(
        tiers
            .iter()
            .all(|tier| tier["ms_per_page"].as_f64() > Some(0.0)),
        "{result}"
    );
    let outcomes = shown["outcomes"].as_array().expect("outcomes");
    assert_eq!(outcomes.len(), 2);
    for outcome in outcomes {
        assert_eq!(outcome["total"]["errors"], 0, "{outcome}");
        assert!(
            outcome["total"]["requests"].as_u64() > Some(10),
            "{outcome}"
        );
    }
}

/// The second run has the copy of the first, as servers left it, made like new.
#[test]
fn a_server_that_is_restarted_loads_what_it_wrote_down_of_its_pool() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let alone = EXPERIMENT.replacen("[\"none\", \"tpcw-0\"]", "[\"none\"]", 1);
    let restart = "[databases.restart]\nways = [\"dump-100\"]\nseconds = 5\n";
    let shown = run_of(&format!("{alone}\n{restart}"), &[]);
    let points = shown["points"].as_array().expect("points");
    assert_eq!(points.len(), 2);
    for point in points {
        let restart = &point["result"]["restart"];
        assert!(restart["dumped_pages"].as_u64() > Some(50), "{restart}");
        assert!(
            restart["warm_pages_per_s"].as_f64() > Some(1.0),
            "{restart}"
        );
        let started = restart["started_seconds"].as_f64();
        assert!(started > Some(0.0), "{restart}");
    }
    let outcomes = shown["outcomes"].as_array().expect("outcomes");
    assert_eq!(outcomes.len(), 4, "after and before, of two runs");
    let first = &outcomes[0]["total"]["timeline"]["seconds"][0];
    assert!(first.as_f64() > Some(1.0), "{first}");
}

#[test]
fn a_plan_is_learnt_by_a_look_at_the_servers_and_given_to_new_ones() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let experiment = EXPERIMENT.replacen("runs = 2", "runs = 1\narms = [\"plan\"]", 1);
    let shown = run_of(&experiment, &["--cell", "shopping-beside-none"]);
    let planned = &shown["points"][0]["result"]["planned"];
    assert_eq!(planned.as_array().map(Vec::len), Some(1), "{planned}");
    assert_eq!(planned[0]["application"], "foreground");
    assert!(
        planned[0]["pool_bytes"].as_u64() >= Some(5 << 20),
        "{planned}"
    );
    let outcomes = shown["outcomes"].as_array().expect("outcomes");
    assert_eq!(outcomes[0]["total"]["errors"], 0, "{outcomes:?}");
}
