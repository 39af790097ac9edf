//! Compressed copies read as the log itself; damaged ones are refused by name.

use super::support::{get, read_good, read_with, write};
use hotset_trace::Trace;
use hotset_trace::read::{ReadError, ReadOptions};
use std::io::Write;
use std::path::Path;

/// Larger than one block, so that files are read in several pieces.
fn log() -> String {
    (0..6000)
        .map(|i| get(i, &format!("/file-{}", i * 7919 % 500)))
        .collect()
}

pub fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn bzip2(data: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), Default::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(data: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(data: &[u8]) -> Vec<u8> {
    zstd::encode_all(data, 1).unwrap()
}

type Compress = fn(&[u8]) -> Vec<u8>;
const ALL: [(&str, Compress); 4] = [("gz", gzip), ("zst", zstd), ("bz2", bzip2), ("xz", xz)];

fn read_bytes(folder: &Path, name: &str, data: &[u8]) -> Result<Trace, ReadError> {
    let path = write(folder, name, data);
    read_with(&[path], &ReadOptions::default()).map(|(trace, _)| trace)
}

#[test]
fn frames_that_are_skipped_may_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let log = log();
    let plain = read_bytes(folder.path(), "plain.log", log.as_bytes()).unwrap();
    // Magic number, and the length of what is skipped (RFC 8878, section 3.1.2), as of pzstd.
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
    let data = [&skipped[..], &zstd(log.as_bytes())].concat();
    let read = read_bytes(folder.path(), "a.log.zst", &data).unwrap();
    assert_eq!(read, plain);
}

#[test]
fn every_compression_reads_as_the_plain_log_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let log = log();
    let plain = read_bytes(folder.path(), "plain.log", log.as_bytes()).unwrap();
    for (suffix, compress) in ALL {
        let data = compress(log.as_bytes());
        for name in [format!("a.log.{suffix}"), format!("{suffix}-misnamed.log")] {
            assert_eq!(
                read_bytes(folder.path(), &name, &data).unwrap(),
                plain,
                "{name}"
            );
        }
    }
}

#[test]
fn several_streams_in_one_file_are_read_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let log = log();
    let (head, tail) = log.as_bytes().split_at(log.len() / 3);
    let plain = read_bytes(folder.path(), "plain.log", log.as_bytes()).unwrap();
    for (suffix, compress) in ALL {
        let data = [compress(head), compress(tail)].concat();
        assert_eq!(
            read_bytes(folder.path(), suffix, &data).unwrap(),
            plain,
            "{suffix}"
        );
    }
}

#[test]
fn truncated_stream_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for (suffix, compress) in ALL {
        let data = compress(log().as_bytes());
        for length in [data.len() / 2, data.len() - 1] {
            let name = format!("cut.{suffix}");
            let error = read_bytes(folder.path(), &name, &data[..length]).unwrap_err();
            assert!(
                matches!(error, ReadError::Truncated { .. }),
                "{suffix} {length}: {error:?}"
            );
            assert!(error.to_string().contains(&name));
        }
    }
}

#[test]
fn damaged_stream_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for (suffix, compress) in ALL {
        let mut data = compress(log().as_bytes());
        let middle = data.len() / 2;
        data[middle..middle + 40].fill(0xaa);
        let error = read_bytes(folder.path(), suffix, &data).unwrap_err();
        let named = error.to_string().contains(suffix);
        assert!(
            matches!(error, ReadError::Corrupt { .. }) && named,
            "{suffix}: {error:?}"
        );
    }
}

#[test]
fn rotated_compressed_parts_read_as_the_whole_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = log();
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let part = |range: std::ops::Range<usize>| lines[range].concat();
    let current = write(folder.path(), "access.log", part(4000..6000));
    let last = write(folder.path(), "access.log.1", part(2000..4000));
    let oldest = write(
        folder.path(),
        "access.log.2.gz",
        gzip(part(0..2000).as_bytes()),
    );
    let whole = read_bytes(folder.path(), "whole.log", log.as_bytes()).unwrap();
    for inputs in [[&current, &last, &oldest], [&last, &oldest, &current]] {
        let inputs: Vec<_> = inputs.into_iter().cloned().collect();
        let (trace, summary) = read_good(&inputs, &ReadOptions::default());
        assert_eq!(trace, whole);
        assert_eq!(summary.logs, 1);
    }
}
