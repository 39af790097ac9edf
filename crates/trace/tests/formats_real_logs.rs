//! The two public logs are read exactly as a plain reading of each line's text would.

use hotset_test_support::skip;
use hotset_trace::Method;
use hotset_trace::formats::{FormatKind, RequestTarget, detect};
use std::path::PathBuf;

/// Path, status and size of a request; the path is empty where the request names none.
type Row = (Vec<u8>, u16, Option<u64>);

fn shared(name: &str) -> Option<Vec<u8>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(name);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        skip(format_args!("{} is not there", path.display()));
    }
    bytes
}

/// What `"(.*)" (\d{3}) (\d+|-)` captures: from the first quote of a line to the last one that a status and
/// a size follow.
fn greedy(line: &[u8]) -> Option<(&[u8], u16, Option<u64>)> {
    let first = line.iter().position(|&byte| byte == b'"')?;
    let ends = (first + 1..line.len()).rev().filter(|&at| line[at] == b'"');
    let mut found = ends.filter_map(|at| {
        let tail = std::str::from_utf8(line[at + 1..].split(|&b| b == b'"').next()?).ok()?;
        let mut words = tail.strip_prefix(' ')?.split(' ');
        let (status, size) = (words.next()?, words.next()?);
        let size = if size == "-" {
            None
        } else {
            Some(size.parse().ok()?)
        };
        (status.len() == 3).then_some((&line[first + 1..at], status.parse().ok()?, size))
    });
    found.next()
}

/// Method and path of a captured request line.
fn words(request: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut words: Vec<&[u8]> = request
        .split(|&byte| byte == b' ')
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() > 1 && words[words.len() - 1].starts_with(b"HTTP/") {
        words.pop();
    }
    if words.len() < 2 {
        return (Vec::new(), words.concat());
    }
    (words[0].to_vec(), words[1..].join(&b' '))
}

fn plainly(log: &[u8]) -> Vec<Row> {
    let lines = log
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    let found = lines.map(|line| greedy(line).expect("a request"));
    found
        .map(|(request, status, size)| (words(request).1, status, size))
        .collect()
}

fn read(log: &[u8], kind: FormatKind) -> Vec<(Method, Row)> {
    let mut format = kind.parser();
    let mut rows = Vec::new();
    for line in log.split_inclusive(|&byte| byte == b'\n') {
        if let Some(record) = format.parse(line).expect("a line that is read") {
            let RequestTarget::Url(path) = record.target else {
                panic!("a key")
            };
            rows.push((record.method, (path.to_vec(), record.status, record.bytes)));
        }
    }
    rows
}

/// GET answered 200 or 206 for a URL without a query.
fn accesses(rows: &[(Method, Row)]) -> usize {
    let counts = |(method, (path, status, _)): &&(Method, Row)| {
        *method == Method::Get && matches!(status, 200 | 206) && !path.contains(&b'?')
    };
    rows.iter().filter(counts).count()
}

fn agree(log: &[u8], name: &str, kind: FormatKind, expected_accesses: usize) {
    let detected = detect(log, name, Some(log.len() as u64)).expect("a format");
    assert_eq!(detected.kind, kind, "{}", detected.why);
    let rows = read(log, kind);
    assert_eq!(accesses(&rows), expected_accesses);
    let only_rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
    assert!(only_rows == plainly(log));
}

#[test]
fn the_semicomplete_log_is_read_as_its_text_says() {
    if let Some(log) = shared("semicomplete-2015.combined.log") {
        agree(
            &log,
            "semicomplete-2015.combined.log",
            FormatKind::COMBINED,
            7896,
        );
    }
}

#[test]
fn the_epa_log_with_its_times_without_month_is_read_as_its_text_says() {
    if let Some(log) = shared("epa-http-1995.txt") {
        agree(&log, "epa-http-1995.txt", FormatKind::COMMON, 10946);
    }
}

#[test]
fn the_epa_log_spans_the_day_it_was_taken_on() {
    let Some(log) = shared("epa-http-1995.txt") else {
        return;
    };
    let mut format = FormatKind::COMMON.parser();
    let times: Vec<i64> = log
        .split(|&byte| byte == b'\n')
        .filter_map(|line| format.parse(line).expect("a line that is read")?.time_us)
        .collect();
    let (first, last) = (times[0], times[times.len() - 1]);
    // [30:00:00:00] to [30:11:59:59], the 30th of a month that counts as January 1970.
    assert_eq!(first, 29 * 86_400 * 1_000_000);
    assert_eq!(last - first, (12 * 3600 - 1) * 1_000_000);
}

#[test]
fn the_key_only_trace_is_told_by_its_dense_keys() {
    let Some(trace) = shared("web07.trace") else {
        return;
    };
    let found = detect(&trace, "web07.trace", Some(trace.len() as u64)).expect("a format");
    assert_eq!(found.kind, FormatKind::KEYS_U32BE, "{}", found.why);
}
