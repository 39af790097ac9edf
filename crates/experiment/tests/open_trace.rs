//! Experiments of kind open-trace: their points, and what they refuse.

use hotset_experiment::Selection;

use crate::place::{Place, says};

const NODES: &str = include_str!("samples/open-trace/node.toml");
const TRACE: &str = include_str!("samples/open-trace/experiment.toml");

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
    ] {
        assert!(TRACE.contains(from), "{from}");
        says(
            place(&TRACE.replacen(from, to, 1)).list(&Selection::default()),
            wanted,
        );
    }
}
