//! Which way to hold files suits a file system.

use hotset_live::{PlacerKind, SiteFolder, suitable};
use std::path::Path;

#[test]
fn files_on_a_local_file_system_are_pinned_where_they_are() {
    let root = tempfile::tempdir().unwrap();
    let folder = |folder: &Path| SiteFolder {
        site: "shop".to_owned(),
        prefix: "/".to_owned(),
        folder: folder.to_owned(),
    };
    let chosen = suitable(&[folder(root.path())], None).unwrap();
    assert_eq!(chosen, PlacerKind::Pin);
    // As before its file system is mounted.
    let absent = suitable(&[folder(Path::new("/no/such/folder"))], None).unwrap();
    assert_eq!(absent, PlacerKind::Pin);
    let turning = root.path().join("turning");
    std::os::unix::fs::symlink(&turning, &turning).unwrap();
    let problem = suitable(&[folder(&turning)], None).unwrap_err();
    assert!(problem.to_string().contains("turning"), "{problem}");
}
