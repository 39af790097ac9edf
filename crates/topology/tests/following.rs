//! What `hotset run` would hold on the nodes of a scenario.

use std::path::Path;
use std::time::Duration;

use hotset_models::tiers::{FollowSince, Moves};
use hotset_scenario::Scenario;
use hotset_topology::{Followed, Following, Nodes, TopologyError};
use hotset_trace::Trace;

const NODES: &str = r#"
[[node]]
name = "front"
memory = "1GiB"
server = "nginx-proxy"
upstream = ["web"]

[[node]]
name = "web"
memory = "20KiB"

[[store]]
name = "disk"
profile = "hdd"
"#;

const SITE: &str = "[[site]]\nname = \"shop\"\nmatch = \"/shop/*\"\nstore = \"disk\"\n";

fn followed(text: &str) -> Result<Followed, TopologyError> {
    let scenario = Scenario::parse(text, Path::new("s.toml")).expect("a scenario");
    let following = Following {
        interval: Duration::from_secs(10),
        since: FollowSince::Start,
    };
    let mut trace = Trace {
        sites: vec!["others".to_owned(), "shop".to_owned()],
        ..Trace::default()
    };
    trace.objects.site = vec![0, 1, 1];
    trace.objects.size = vec![4096; 3];
    following.on(&scenario, &Nodes::of(&scenario)?.nodes, &trace)
}

#[test]
fn files_of_its_sites_are_held_and_no_others() {
    let scenario = Scenario::parse(NODES, Path::new("s.toml")).expect("a scenario");
    let followed = followed(&format!("{NODES}{SITE}")).expect("it can be followed");
    assert!(followed.on(&scenario.nodes[0]).is_none(), "a proxy");
    let follow = followed.on(&scenario.nodes[1]).expect("it is followed");
    assert_eq!(follow.interval_ns, 10_000_000_000);
    let mut chooser = (follow.chooser)();
    for file in [0, 0, 0, 1, 2, 2] {
        chooser.read(0, file);
    }
    assert_eq!(chooser.choose(1_000_000_000), Moves::default(), "too soon");
    let moves = chooser.choose(10_000_000_000);
    assert!(moves.given_up.is_empty(), "{moves:?}");
    assert_eq!(moves.taken, [2, 1], "the most valuable first");
}

#[test]
fn what_run_refuses_is_refused() {
    let refused = |text: &str| followed(text).expect_err("refused").to_string();
    assert!(refused(NODES).contains("no [[site]]"));
    let parted = NODES.replace("\"20KiB\"", "\"20KiB\"\ngroups = true");
    let why = refused(&format!("{parted}{SITE}"));
    assert!(why.contains("`groups` of the node `web`"), "{why}");
}
