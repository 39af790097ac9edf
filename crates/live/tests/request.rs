//! What a plan asks of a machine.

use hotset_live::{GroupSize, Request, SiteFolder};
use hotset_scenario::{PlacedGroup, Placement};

#[test]
fn a_plan_of_memory_groups_alone_is_for_their_nodes() {
    let group = |node: &str| PlacedGroup {
        node: node.into(),
        site: "shop".into(),
        memory_bytes: 8192,
        floor_bytes: 4096,
    };
    let plan = Placement {
        version: Placement::VERSION,
        memory_bytes: 8192,
        held_pages: 0,
        groups: vec![group("web"), group("other")],
        files: Vec::new(),
    };
    assert_eq!(Request::nodes(&plan), ["web", "other"]);
    let shop = SiteFolder {
        site: "shop".into(),
        prefix: "/".into(),
        folder: "/srv/shop".into(),
    };
    let wanted = GroupSize {
        memory_bytes: 8192,
        floor_bytes: 4096,
    };
    assert_eq!(Request::group_of(&plan, "web", &[shop]), Some(wanted));
}
