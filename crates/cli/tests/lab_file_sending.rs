//! Experiments of kind file-sending: what they refuse, and one of seconds where the machine allows it.

use std::fs;

use crate::support::Workplace;
use crate::support::lab::{EXPERIMENT_RUN, lab_is_possible};
use crate::support::schema::holds_to;
use hotset_test_support::together;
use serde_json::Value;

const NODE: &str = include_str!("../../experiment/tests/samples/file-sending/node.toml");

const EXPERIMENT: &str =
    include_str!("../../experiment/tests/samples/file-sending/experiment.toml");

fn place(node: &str, experiment: &str) -> Workplace {
    let place = Workplace::new();
    place.write("node.toml", node.as_bytes());
    place.write("experiment.toml", experiment.as_bytes());
    place
}

const PROGRAMS: [(&str, &str); 1] = [("/usr/sbin/mkfs.ext4", "the package e2fsprogs")];

/// The cell of a job and a metric.
fn cell<'j>(shown: &'j Value, job: &str, metric: &str) -> &'j Value {
    let cells = shown["points"][0]["prediction"]["cells"].as_array();
    let mut cells = cells.expect("cells").iter();
    let found = cells.find(|cell| cell["job"] == job && cell["metric"] == metric);
    found.expect("the cell")
}

#[test]
fn every_way_sends_the_whole_file_from_memory_or_from_the_disk() {
    if !lab_is_possible(&PROGRAMS, together) {
        return;
    }
    let place = place(NODE, EXPERIMENT);
    let shown = place.json(EXPERIMENT_RUN);
    holds_to("experiment.json", &shown);
    let all = (8 << 20) as f64;
    for way in ["read-write", "mmap-write", "sendfile"] {
        for block in ["4K", "256K"] {
            let bytes = |from: &str| cell(&shown, &format!("{way}-{block}-{from}"), "device_bytes");
            let (memory, device) = (bytes("memory"), bytes("device"));
            for figure in ["measured", "simulated"] {
                assert_eq!(memory[figure].as_f64(), Some(0.0), "{way} {block} {figure}");
                assert_eq!(device[figure].as_f64(), Some(all), "{way} {block} {figure}");
            }
            let rate = cell(&shown, &format!("{way}-{block}-memory"), "bytes_per_s");
            assert!(rate["measured"].as_f64() > Some(0.0));
            assert!(rate["simulated"].as_f64() > Some(0.0));
        }
    }
    assert_eq!(
        fs::read_dir(place.path("work")).map_or(0, Iterator::count),
        0
    );
}
