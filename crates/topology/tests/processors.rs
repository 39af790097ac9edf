//! Processors of nodes: a fraction is a quota, as in the lab.

use std::path::Path;

use hotset_models::tiers::{Processors, Quota};
use hotset_scenario::{Node, Scenario};
use hotset_topology::{Content, Held, Nodes, Servers, Stores};
use hotset_trace::Trace;

const SCENARIO: &str = r#"
[[node]]
name = "small"
memory = "1GiB"
cpus = 0.4
workers = 4

[[node]]
name = "whole"
memory = "1GiB"
cpus = 2

[[node]]
name = "tiny"
memory = "1GiB"
cpus = 0.05

[[node]]
name = "lone"
memory = "1GiB"
cpus = 1.5
workers = 1

[[node]]
name = "all"
memory = "1GiB"

[[store]]
name = "disk"
profile = "hdd"
"#;

fn processors() -> Vec<Processors> {
    let scenario = Scenario::parse(SCENARIO, Path::new("s.toml")).expect("a scenario");
    let trace = Trace {
        sites: vec!["shop".to_owned()],
        ..Trace::default()
    };
    let stores = Stores::of(&scenario, &trace).expect("stores");
    let held = |_: &Node| Held::default();
    let nodes = Nodes::of(&scenario).expect("nodes");
    let tiers = nodes.tiers(Content {
        stores: &stores,
        held: &held,
        files_bytes: 0,
        servers: &Servers::default(),
    });
    let nodes = tiers.expect("tiers").nodes.into_iter();
    nodes.map(|node| node.processors).collect()
}

#[test]
fn a_fraction_is_the_quota_that_the_lab_gives() {
    let processors = processors();
    let times = |quota: Quota| (quota.budget_ns, quota.period_ns);
    let quotas: Vec<_> = processors.iter().map(|it| it.quota.map(times)).collect();
    let expected = [
        Some((4_000_000, 10_000_000)),
        None,
        // No quota is less than a millisecond.
        Some((1_000_000, 20_000_000)),
        None,
        None,
    ];
    assert_eq!(quotas, expected);
    let phases = processors.iter().filter_map(|it| it.quota);
    let phases: Vec<u64> = phases.map(|it| it.phase_ns).collect();
    assert_ne!(phases[0], phases[1]);
}
