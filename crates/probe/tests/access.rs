//! Files are written once, and each is read in every round.

use hotset_probe::{AccessTimes, FileSet, Job, spread};
use std::collections::BTreeSet;
use std::fs;

#[test]
fn a_job_reads_every_file_that_another_wrote_once_a_round() {
    let folder = tempfile::tempdir().unwrap();
    let set = FileSet {
        folder: folder.path().join("files"),
        sizes: vec![1, 4096],
        files: 5,
    };
    run(&Job::Write(vec![set.clone()]));
    let lengths = [1, 4096].map(|bytes| fs::metadata(set.file(bytes, 4)).unwrap().len());
    assert_eq!(lengths, [1, 4096]);

    let result = folder.path().join("times.json");
    run(&Job::Read {
        set,
        rounds: 3,
        result: result.clone(),
    });
    let times: Vec<AccessTimes> = serde_json::from_slice(&fs::read(result).unwrap()).unwrap();
    let counts: Vec<_> = times
        .iter()
        .map(|times| (times.open_close_ns.len(), times.read_ns.len()))
        .collect();
    assert_eq!(counts, [(15, 15), (15, 15)]);
}

/// As a process does it that gets the job in its argument.
fn run(job: &Job) {
    Job::parse(&job.argument().unwrap()).unwrap().run().unwrap();
}

#[test]
fn a_file_that_is_not_there_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let set = FileSet {
        folder: folder.path().to_owned(),
        sizes: vec![1],
        files: 1,
    };
    let error = hotset_probe::read(&set, 1).unwrap_err().to_string();
    assert!(error.contains(set.file(1, 0).to_str().unwrap()), "{error}");
}

#[test]
fn every_file_is_come_by_once_whatever_their_number() {
    for files in [0, 1, 2, 100, 7919, 2 * 7919] {
        let seen: BTreeSet<usize> = spread(files).collect();
        assert_eq!(seen, (0..files).collect());
    }
}
