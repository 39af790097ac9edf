//! What is told of changes to the paths of files.

use hotset_live::PathWatch;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

/// Files that two links lead to, and what covers the path through both.
fn watched() -> (TempDir, PathWatch) {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir_all(at("releases/1/docs")).unwrap();
    fs::write(at("releases/1/docs/page"), b"one").unwrap();
    symlink("releases/1", at("stable")).unwrap();
    symlink("stable", at("current")).unwrap();
    let mut watch = PathWatch::default();
    assert!(watch.cover([at("current/docs/page"), at("current/absent/page")].into_iter()));
    watch.has_news();
    (place, watch)
}

#[test]
fn whatever_changes_what_a_path_leads_to_is_news() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 8] = [
        ("written", |at| {
            fs::write(at.join("releases/1/docs/page"), b"two").unwrap()
        }),
        ("removed", |at| {
            fs::remove_file(at.join("releases/1/docs/page")).unwrap()
        }),
        ("renamed over", |at| {
            fs::write(at.join("new"), b"new").unwrap();
            fs::rename(at.join("new"), at.join("releases/1/docs/page")).unwrap();
        }),
        ("a folder renamed", |at| {
            fs::rename(at.join("releases/1/docs"), at.join("releases/1/old")).unwrap();
        }),
        ("a folder far above renamed", |at| {
            fs::rename(at.join("releases"), at.join("old")).unwrap();
        }),
        ("the inner link switched", |at| {
            symlink("releases/2", at.join("next")).unwrap();
            fs::rename(at.join("next"), at.join("stable")).unwrap();
        }),
        ("the outer link removed", |at| {
            fs::remove_file(at.join("current")).unwrap()
        }),
        ("what was missing made", |at| {
            fs::create_dir(at.join("releases/1/absent")).unwrap()
        }),
    ];
    for (name, change) in changes {
        let (place, watch) = watched();
        assert!(!watch.has_news(), "before: {name}");
        change(place.path());
        assert!(watch.has_news(), "{name}");
        assert!(!watch.has_news(), "after: {name}");
    }
}

#[test]
fn what_happens_to_other_names_and_reading_is_no_news() {
    let (place, watch) = watched();
    fs::write(place.path().join("releases/1/docs/other"), b"other").unwrap();
    fs::write(place.path().join("log"), b"line").unwrap();
    fs::read(place.path().join("current/docs/page")).unwrap();
    assert!(!watch.has_news());
}

#[test]
fn what_is_not_covered_any_more_is_no_news() {
    let (place, mut watch) = watched();
    fs::write(place.path().join("single"), b"one").unwrap();
    assert!(watch.cover([place.path().join("single")].into_iter()));
    watch.has_news();
    fs::write(place.path().join("releases/1/docs/page"), b"two").unwrap();
    assert!(!watch.has_news());
}
