//! What a plan asks of a machine.

use hotset_live::{GroupSize, Request, SiteFolder};
use hotset_scenario::{FilePath, PlacedFile, PlacedGroup, Placement, Reason};

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
        nodes: Vec::new(),
        held_pages: 0,
        all_files_bytes: None,
        groups: vec![group("web"), group("other")],
        roots: Vec::new(),
        databases: Vec::new(),
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
        held_bytes: 0,
    };
    assert_eq!(Request::group_of(&plan, "web", &[shop]), Some(wanted));
}

#[test]
fn the_files_of_the_sites_that_a_server_serves_are_what_its_group_never_gives_back() {
    let page = hotset_machine::memory::page_bytes();
    let file = |node: &str, site: &str, size_bytes: u64| PlacedFile {
        site: site.into(),
        path: FilePath::from("/file"),
        size_bytes,
        mtime_ns: None,
        store: "memory".into(),
        node: node.into(),
        order: 0,
        reason: Reason {
            requests_per_hour: None,
            requests: 1,
            size_bytes,
            saved_us_per_byte: 0.0,
        },
    };
    let group = |site: &str, pages: u64| PlacedGroup {
        node: "web".into(),
        site: site.into(),
        memory_bytes: 10 * pages * page,
        floor_bytes: pages * page,
    };
    let plan = Placement {
        version: Placement::VERSION,
        memory_bytes: 100 * page,
        nodes: Vec::new(),
        held_pages: 0,
        all_files_bytes: None,
        groups: vec![group("shop", 8), group("blog", 2), group("other", 1)],
        roots: Vec::new(),
        databases: Vec::new(),
        files: vec![
            file("web", "shop", 1),
            file("web", "shop", page + 1),
            file("web", "blog", 4 * page),
            file("web", "other", 1),
            file("elsewhere", "shop", page),
        ],
    };
    let folder = |site: &str| SiteFolder {
        site: site.into(),
        prefix: "/".into(),
        folder: "/srv".into(),
    };
    let size = Request::group_of(&plan, "web", &[folder("shop"), folder("blog")]).unwrap();
    assert_eq!(
        size,
        GroupSize {
            memory_bytes: 100 * page,
            floor_bytes: 10 * page,
            held_bytes: 7 * page,
        }
    );
    // What processes and the kernel need comes on top of all three, in whole pages.
    let with_own = size.with_own(3 * page + 1);
    assert_eq!(
        (
            with_own.memory_bytes,
            with_own.floor_bytes,
            with_own.held_bytes
        ),
        (103 * page, 13 * page, 10 * page)
    );
    // Held files beyond the floor are not guaranteed.
    let beyond = GroupSize {
        held_bytes: 99 * page,
        ..size
    };
    assert_eq!(beyond.with_own(0).held_bytes, 10 * page);
}
