//! Two public logs, against a word-for-word reading of the definition of access and size.

use super::support::{read_good, read_with};
use hotset_test_support::skip;
use hotset_trace::Trace;
use hotset_trace::read::{QueryRule, ReadOptions};
use std::collections::HashMap;
use std::path::PathBuf;

fn log(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(name);
    if !path.exists() {
        skip(format_args!("{} is absent", path.display()));
        return None;
    }
    Some(path)
}

/// (object, size) of every access, by the definition: GET answered 200 or 206 whose URL has no `?`;
/// the size is the largest 200 response, at least 1 byte.
fn by_definition(path: &PathBuf) -> Vec<(Vec<u8>, u64)> {
    let log = std::fs::read(path).unwrap();
    let mut names = Vec::new();
    let mut sizes: HashMap<Vec<u8>, u64> = HashMap::new();
    for line in log.split(|&byte| byte == b'\n') {
        let Some((name, status, bytes)) = access(line) else {
            continue;
        };
        let size = sizes.entry(name.clone()).or_insert(1);
        if status == 200 {
            *size = (*size).max(bytes);
        }
        names.push(name);
    }
    names
        .into_iter()
        .map(|name| {
            let size = sizes[&name];
            (name, size)
        })
        .collect()
}

/// Path, status and bytes of a line that is an access.
fn access(line: &[u8]) -> Option<(Vec<u8>, u16, u64)> {
    // From the first quote to the last one that a status and a size follow.
    let first = line.iter().position(|&byte| byte == b'"')?;
    let (last, status, bytes) = (first + 1..line.len()).rev().find_map(|at| {
        let rest = line[at..].strip_prefix(b"\" ")?;
        let mut words = rest.split(|&byte| byte == b' ');
        let status = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
        let bytes = std::str::from_utf8(words.next()?).ok()?.trim_end();
        let bytes = if bytes == "-" { 0 } else { bytes.parse().ok()? };
        Some((at, status, bytes))
    })?;
    let request = &line[first + 1..last];
    let mut words: Vec<&[u8]> = request
        .split(|byte| byte.is_ascii_whitespace())
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() > 1 && words[words.len() - 1].starts_with(b"HTTP/") {
        words.pop();
    }
    let url = words.get(1..).filter(|url| !url.is_empty())?.join(&b' ');
    let counts = words[0] == b"GET" && (status == 200 || status == 206) && !url.contains(&b'?');
    counts.then(|| {
        (
            percent_encoding::percent_decode(&url).collect(),
            status,
            bytes,
        )
    })
}

fn excluding() -> ReadOptions {
    ReadOptions {
        query: QueryRule::Exclude,
        ..ReadOptions::default()
    }
}

fn rows(trace: &Trace) -> Vec<(Vec<u8>, u64)> {
    let rows = (0..trace.requests.len()).map(|row| trace.requests.get(row));
    rows.filter(|row| row.access)
        .map(|row| {
            let object = row.object as usize;
            (
                trace.objects.path.get(object).to_vec(),
                trace.objects.size[object],
            )
        })
        .collect()
}

fn agrees(name: &str, accesses: usize, objects: usize, object_bytes: u64) {
    let Some(path) = log(name) else { return };
    let (trace, summary) = read_good(std::slice::from_ref(&path), &excluding());
    assert_eq!(rows(&trace), by_definition(&path));
    assert_eq!(summary.accesses, accesses as u64);
    assert_eq!(trace.objects.len(), objects);
    assert_eq!(trace.objects.size.iter().sum::<u64>(), object_bytes);
    assert_eq!(
        summary.lines,
        summary.requests + summary.without_request + summary.rejected_lines
    );
    let not_files = summary.not_files;
    assert_eq!(
        summary.requests,
        trace
            .requests
            .object
            .iter()
            .filter(|&&object| object != hotset_trace::NO_OBJECT)
            .count() as u64
            + not_files.other_method
            + not_files.other_status
            + not_files.query
            + not_files.not_read_before
            + not_files.no_target
    );
}

#[test]
fn semicomplete_reads_as_defined() {
    agrees("semicomplete-2015.combined.log", 7896, 1159, 558_742_851);
}

#[test]
fn epa_reads_as_defined() {
    agrees("epa-http-1995.txt", 10946, 1876, 35_412_719);
}

#[test]
fn every_query_rule_and_c1_read_both_logs() {
    for name in ["semicomplete-2015.combined.log", "epa-http-1995.txt"] {
        let Some(path) = log(name) else { return };
        let count = |query| {
            let options = ReadOptions {
                query,
                ..ReadOptions::default()
            };
            read_with(std::slice::from_ref(&path), &options)
                .unwrap()
                .1
                .accesses
        };
        let excluded = count(QueryRule::Exclude);
        let (auto, stripped) = (count(QueryRule::Auto), count(QueryRule::Strip));
        assert!(excluded <= auto && auto <= stripped);
        assert_eq!(stripped, count(QueryRule::Keep));
    }
}
