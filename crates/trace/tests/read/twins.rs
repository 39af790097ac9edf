//! A file and its compressed twin count once; files that differ count each.

use super::support::{get, read_good, write};
use hotset_trace::read::ReadOptions;
use std::io::Write;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn log(lines: u32) -> String {
    (0..lines).map(|i| get(i, &format!("/{i}"))).collect()
}

#[test]
fn a_log_and_its_compressed_twin_count_once_in_either_order() {
    let folder = tempfile::tempdir().unwrap();
    // More than one block of those that are compared.
    let text = log(5000);
    let plain = write(folder.path(), "access.log.1", &text);
    let twin = write(folder.path(), "other-name.gz", gzip(&text));
    let zstd = write(
        folder.path(),
        "b.zst",
        zstd::encode_all(text.as_bytes(), 1).unwrap(),
    );
    for inputs in [
        [plain.clone(), twin.clone(), zstd.clone()],
        [twin, zstd, plain],
    ] {
        let (trace, summary) = read_good(&inputs, &ReadOptions::default());
        assert_eq!(
            (trace.requests.len(), summary.lines, summary.logs),
            (5000, 5000, 1)
        );
        for (source, input) in summary.sources.iter().zip(&inputs) {
            assert_eq!(source.file, input.display().to_string());
            let is_plain = source.file.ends_with(".1");
            assert_eq!(source.requests, if is_plain { 5000 } else { 0 });
            let original = source.same_as.as_deref();
            assert_eq!(
                original.is_some_and(|it| it.ends_with("access.log.1")),
                !is_plain
            );
        }
    }
}

#[test]
fn files_that_differ_anywhere_are_no_twins_whatever_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let text = log(5000);
    let plain = write(folder.path(), "access.log", &text);
    let last_byte = text.replace("/4999 HTTP", "/4998 HTTP");
    assert_eq!(last_byte.len(), text.len());
    for other in [last_byte, log(4999), log(5001), log(3)] {
        let lines = other.lines().count();
        let twin = write(folder.path(), "access.log.gz", gzip(&other));
        let (trace, summary) = read_good(&[plain.clone(), twin], &ReadOptions::default());
        assert_eq!(trace.requests.len(), 5000 + lines);
        assert!(
            summary
                .sources
                .iter()
                .all(|source| source.same_as.is_none())
        );
    }
}

#[test]
fn equal_logs_in_the_same_compression_count_each() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.log", "b.log"].map(|name| write(folder.path(), name, log(3)));
    assert_eq!(
        read_good(&paths, &ReadOptions::default()).0.requests.len(),
        6
    );
}

#[test]
fn twins_that_rules_give_to_different_sites_count_each() {
    let folder = tempfile::tempdir().unwrap();
    let plain = write(folder.path(), "a.log", log(3));
    let packed = write(folder.path(), "b.log.gz", gzip(&log(3)));
    let options = ReadOptions {
        sites: vec![
            "a=log:*a.log".parse().unwrap(),
            "b=log:*b.log.gz".parse().unwrap(),
        ],
        ..ReadOptions::default()
    };
    assert_eq!(read_good(&[plain, packed], &options).0.requests.len(), 6);
}
