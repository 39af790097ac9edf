//! What changes when one plan takes the place of another.

use hotset_scenario::{FilePath, PlacedFile, PlacedGroup, Placement, Reason};
use proptest::prelude::*;

fn file(node: &str, site: &str, path: &str, size_bytes: u64) -> PlacedFile {
    PlacedFile {
        site: site.to_owned(),
        path: FilePath::from(path),
        size_bytes,
        mtime_ns: None,
        store: "memory".to_owned(),
        node: node.to_owned(),
        order: 0,
        reason: Reason {
            requests_per_hour: None,
            requests: 1,
            size_bytes,
            saved_us_per_byte: 1.0,
        },
    }
}

fn placement(files: Vec<PlacedFile>) -> Placement {
    Placement {
        version: Placement::VERSION,
        memory_bytes: 1 << 20,
        nodes: Vec::new(),
        held_pages: 0,
        all_files_bytes: None,
        groups: Vec::new(),
        roots: Vec::new(),
        databases: Vec::new(),
        files,
    }
}

#[test]
fn a_file_goes_by_node_site_and_path() {
    let before = placement(vec![
        file("a", "shop", "/x", 1),
        file("a", "shop", "/y", 2),
        file("b", "shop", "/x", 3),
    ]);
    let now = placement(vec![
        file("a", "blog", "/x", 4),
        file("a", "shop", "/y", 5),
        file("b", "shop", "/x", 3),
    ]);
    let changes = now.changes_from(&before);
    assert_eq!(changes.added, [&now.files[0]]);
    assert_eq!(changes.kept, [&now.files[1], &now.files[2]]);
    assert_eq!(changes.dropped, [&before.files[0]]);
    assert!(!changes.is_empty() && now.changes_from(&now).is_empty());
}

#[test]
fn memory_groups_of_other_sizes_are_a_change() {
    let group = |memory_bytes| PlacedGroup {
        node: "a".to_owned(),
        site: "shop".to_owned(),
        memory_bytes,
        floor_bytes: 0,
    };
    let of = |memory_bytes| Placement {
        groups: vec![group(memory_bytes)],
        ..placement(vec![file("a", "shop", "/x", 1)])
    };
    assert!(of(1 << 20).changes_from(&of(1 << 20)).is_empty());
    assert!(!of(1 << 20).changes_from(&of(2 << 20)).is_empty());
}

proptest! {
    #[test]
    fn every_file_is_added_kept_or_dropped(
        before in prop::collection::btree_set(0u8..20, 0..20),
        now in prop::collection::btree_set(0u8..20, 0..20),
    ) {
        let of = |paths: &std::collections::BTreeSet<u8>| {
            placement(paths.iter().map(|path| file("a", "all", &format!("/{path}"), 1)).collect())
        };
        let (before_files, now_files) = (of(&before), of(&now));
        let changes = now_files.changes_from(&before_files);
        prop_assert_eq!(changes.added.len(), now.difference(&before).count());
        prop_assert_eq!(changes.kept.len(), now.intersection(&before).count());
        prop_assert_eq!(changes.dropped.len(), before.difference(&now).count());
    }
}
