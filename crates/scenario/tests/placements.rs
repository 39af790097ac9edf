//! A plan's file list survives being written and read.

use hotset_scenario::{FilePath, PlacedFile, PlacedGroup, Placement, Reason};
use proptest::prelude::*;

fn file(path: Vec<u8>, order: u32, size_bytes: u64, mtime_ns: Option<i64>) -> PlacedFile {
    let reason = Reason {
        requests_per_hour: mtime_ns.map(|_| 0.5),
        requests: 3,
        size_bytes,
        saved_us_per_byte: 0.25,
    };
    let (site, store, node) = ("shop".into(), "memory".into(), "web1".into());
    PlacedFile {
        site,
        path: FilePath(path),
        size_bytes,
        mtime_ns,
        store,
        node,
        order,
        reason,
    }
}

#[test]
fn a_readable_path_is_written_as_text() {
    let json = serde_json::to_value(file("/ä b".into(), 0, 1, None)).expect("json");
    assert_eq!(json["path"], "/ä b");
    assert_eq!(json["reason"]["saved_us_per_byte"], 0.25);
}

proptest! {
    #[test]
    fn what_is_written_reads_back(
        paths in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..8),
        size_bytes: u64,
        mtime_ns: Option<i64>,
    ) {
        let files = paths.into_iter().enumerate();
        let files: Vec<PlacedFile> = files.map(|(order, path)| file(path, order as u32, size_bytes, mtime_ns)).collect();
        let groups = files.iter().map(|file| PlacedGroup {
            node: file.node.clone(),
            site: file.site.clone(),
            memory_bytes: file.size_bytes,
            floor_bytes: 1,
        });
        let groups = groups.collect();
        let placement = Placement { version: Placement::VERSION, memory_bytes: 1 << 40, nodes: Vec::new(), held_pages: 7, all_files_bytes: Some(1 << 41), groups, roots: Vec::new(), databases: Vec::new(), files };
        let json = serde_json::to_vec(&placement).expect("json");
        prop_assert_eq!(Placement::from_json(&json).expect("back"), placement);
    }
}

#[test]
fn a_plan_file_of_another_version_is_refused_with_the_version_and_the_fix() {
    let newer = refused(r#"{"version": 7, "nodes": []}"#);
    assert!(
        newer.contains("version 7")
            && newer.contains("reads version 1")
            && newer.contains("hotset plan -o"),
        "{newer}"
    );
}

fn refused(json: impl AsRef<[u8]>) -> String {
    let error = Placement::from_json(json.as_ref()).expect_err("no plan file");
    error.to_string()
}

#[test]
fn a_damaged_plan_file_is_refused_in_words_with_the_place_and_the_fix() {
    let whole = r#"{"version": 1, "memory_bytes": 4096, "held_pages": 0, "files": []}"#;
    assert!(Placement::from_json(whole.as_bytes()).is_ok());
    let cases = [
        (
            &b"[]"[..],
            "another kind of value belongs there (line 1, column",
        ),
        (b"", "it ends too early (line 1, column 0)"),
        (
            &whole.as_bytes()[..40],
            "it ends too early (line 1, column 40)",
        ),
        (b"/a.html\n", "this is not JSON (line 1, column 1)"),
        (b"\xff\xfe", "this is not JSON (line 1, column 1)"),
        (br#"{"files": []}"#, "`version` is missing"),
        (br#"{"version": 1}"#, "`memory_bytes` is missing"),
        (
            br#"{"version": 1, "flies": []}"#,
            "plans have no key `flies`",
        ),
        (
            br#"{"version": "1"}"#,
            "another kind of value belongs there",
        ),
        (
            br#"{"version": 1, "version": 1}"#,
            "`version` stands there twice",
        ),
    ];
    for (json, says) in cases {
        let message = refused(json);
        assert!(message.starts_with("not a plan file"), "{message}");
        assert!(message.contains(says), "{says:?} is not in {message}");
        assert!(message.ends_with("; plan anew with -o"), "{message}");
        for word in ["struct", "u32", "u64", "EOF", "expected"] {
            assert!(!message.contains(word), "{message}");
        }
    }
}
