//! Experiments of kind open-trace: their points, and what they refuse.

use std::fs;

use hotset_experiment::Selection;
use serde_json::json;

use crate::place::{Place, says};

const NODES: &str = include_str!("samples/open-trace/node.toml");
const TRACE: &str = include_str!("samples/open-trace/experiment.toml");
const TWINS: &str = "twins = { nyse = [8, 64] }";

/// SHA-256 of `abc`, as FIPS 180-4 has it among its examples.
const OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

fn place(experiment: &str) -> Place {
    Place::with(&[("node.toml", NODES), ("experiment.toml", experiment)])
}

#[test]
fn a_point_is_a_trace_at_a_scale_on_a_node_in_a_run() {
    let items = place(TRACE).list(&Selection::default()).expect("points");
    let names: Vec<String> = items.iter().map(|item| item.point.to_string()).collect();
    let wanted = [
        "nyse-8x local 1",
        "nyse-64x local 1",
        "nyse-8x local 2",
        "nyse-64x local 2",
    ];
    assert_eq!(names, wanted);
}

#[test]
fn what_cannot_be_sent_or_emptied_is_refused() {
    for (from, to, wanted) in [
        ("nyse = [8, 64]", "nyse = [0]", "write a list of scales"),
        ("nyse = [8, 64]", "nyse = [8, 8]", "a scale is there twice"),
        (
            "nyse = [8, 64]",
            "shop = [1]",
            "is not a workload: use olympics98, nyse, proxy",
        ),
        ("twins = { nyse = [8, 64] }", "", "names nothing to send"),
        (
            "content = \"disk\"",
            "content = \"tape\"",
            "has no store `tape`",
        ),
        (
            "content = \"disk\"",
            "content = \"memory\"",
            "whose cache cannot be emptied",
        ),
        (
            "twin_minutes = 3",
            "twin_minutes = 1441",
            "not between 1 and 1440",
        ),
        ("twin_minutes = 3", "seconds = 0", "not between 1 and 86400"),
        (
            "twin_minutes = 3",
            "seconds = 3600",
            "sends 3840 minutes of a twin at scale 64",
        ),
        // 1440.3 minutes take half an hour at this scale. Twins have whole ones, and no day has so many.
        (
            "runs = 2\ntwins = { nyse = [8, 64] }",
            "seconds = 1800\ntwins = { nyse = [48.01] }",
            "sends 1441 minutes of a twin at scale 48.01",
        ),
        (
            TWINS,
            "logs = { shop = { file = \"shop.log\", scales = [1], rule = \"c2\" } }",
            "`c2` is none of default, c1",
        ),
    ] {
        assert!(TRACE.contains(from), "{from}");
        says(
            place(&TRACE.replacen(from, to, 1)).list(&Selection::default()),
            wanted,
        );
    }
}

/// The sample with a log in place of its twins, which has these keys too.
fn with_log(keys: &str) -> String {
    let log = format!("logs = {{ shop = {{ file = \"shop.log\", scales = [1]{keys} }} }}");
    TRACE.replacen(TWINS, &log, 1)
}

/// A kept result of a log with this hash, of which only the settings matter.
fn kept(log_sha256: &str) -> serde_json::Value {
    json!({ "settings": {
        "trace": "shop",
        "twin_minutes": null,
        "log": "shop.log",
        "log_sha256": log_sha256,
        "scale": 1.0,
        "content": "ext4 on Plain",
        "system": "ext4 on Plain",
        "is_diskless": false,
        "memory_bytes": 256 << 20,
        "cpus": null,
        "link_bits_per_s": null,
        "seed": 0,
    } })
}

#[test]
fn a_result_stands_for_the_log_that_it_was_measured_with_and_its_rule() {
    let place = place(&with_log(""));
    let is_measured = || {
        let items = place.list(&Selection::default()).expect("points");
        items[0].measured
    };
    let result = "results/shop-1x/local/1.json";
    let mut of_abc = kept(OF_ABC);
    place.write("shop.log", "abc");
    place.write(result, &of_abc.to_string());
    assert!(is_measured());
    place.write("shop.log", "abd");
    assert!(!is_measured(), "another log of the same name");
    place.write("shop.log", "abc");
    place.write("experiment.toml", &with_log(", rule = \"c1\""));
    assert!(!is_measured(), "another rule");
    of_abc["settings"]["rule"] = json!("c1");
    place.write(result, &of_abc.to_string());
    assert!(is_measured());
    fs::remove_file(place.path("shop.log")).expect("it is there");
    says(place.list(&Selection::default()), "shop.log");
}

#[test]
fn a_log_whose_files_collide_is_refused_with_the_key_that_gives_them_other_names() {
    let place = place(&with_log(""));
    let line = |path: &str, bytes: u64| {
        format!(
            "192.0.2.7 - - [17/May/2015:10:05:03 +0000] \"GET {path} HTTP/1.1\" 200 {bytes} \"-\" \"-\"\n"
        )
    };
    let log = [line("/", 900), line("/index.html", 901)].concat();
    place.write("shop.log", &log);
    for wanted in [
        "the files of shop: ",
        "are one file, of two sizes",
        "(`rule = \"c1\"` of a log)",
    ] {
        says(place.run(&Selection::default(), "work"), wanted);
    }
}
