//! Files are replaced whole or not at all.

use hotset_machine::file;
use std::fs;
use std::io::{self, Write as _};

#[test]
fn a_file_that_cannot_be_finished_leaves_the_old_one_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    file::write(&path, b"old").unwrap();
    let failed = file::write_with(&path, |new| {
        new.write_all(b"ha")?;
        Err(io::Error::other("full"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "full");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_document_is_read_as_it_was_written_and_a_missing_one_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made/with/it.json");
    let none: Option<Vec<u64>> = file::read_json(&path).unwrap();
    assert_eq!(none, None);
    file::write_json(&path, &[1_u64, 2]).unwrap();
    assert_eq!(file::read_json(&path).unwrap(), Some(vec![1_u64, 2]));
    fs::write(&path, "rubbish").unwrap();
    let error = file::read_json::<Vec<u64>>(&path).unwrap_err().to_string();
    assert!(
        error.contains("it.json") && error.contains("remove it"),
        "{error}"
    );
}
