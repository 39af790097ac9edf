//! The folder that the demo finds for its files.

use std::fs;
use std::path::Path;

use hotset_demo::{DemoError, workplace};
use hotset_test_support::skip;

#[test]
fn folders_whose_files_are_in_memory_or_that_are_not_there_are_refused_by_name() {
    if !Path::new("/dev/shm").is_dir() {
        return skip("there is no /dev/shm");
    }
    let nowhere = Path::new("/dev/shm/there is no such folder").to_owned();
    let found = workplace(&["/dev/shm".into(), nowhere]);
    let Err(error @ DemoError::NoFolder(_)) = found else {
        panic!("{found:?}");
    };
    let message = error.to_string();
    assert!(message.contains("/dev/shm: "), "{message}");
    assert!(message.contains("no such folder: "), "{message}");
    let left = fs::read_dir("/dev/shm").expect("a folder").flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().contains("hotset-demo"));
    assert_eq!(left.count(), 0);
}

#[test]
fn the_first_folder_that_will_do_is_used_and_empty_and_removed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let found = workplace(&[folder.path().join("none"), folder.path().to_owned()]);
    let Ok(place) = found else {
        return skip("temporary files cannot be read past the page cache");
    };
    assert!(place.path().starts_with(folder.path()));
    assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 0);
    drop(place);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
