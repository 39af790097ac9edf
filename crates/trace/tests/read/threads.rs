//! However many threads read, and whatever blocks they cut: what is read is what one thread reads line by line.

use super::compression::{bzip2, gzip, xz, zstd};
use super::support::{line, read_good, read_with, write};
use hotset_trace::Trace;
use hotset_trace::formats::{FormatKind, RequestTarget};
use hotset_trace::read::{FormatChoice, QueryRule, ReadOptions, ReadSummary};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// How a log is read, which must make no difference.
#[derive(Clone, Debug)]
struct Way {
    threads: usize,
    block_bytes: usize,
    compression: usize,
}

type Compress = fn(&[u8]) -> Vec<u8>;

const COMPRESSIONS: [Compress; 5] = [<[u8]>::to_vec, gzip, bzip2, xz, zstd];

fn way() -> impl Strategy<Value = Way> {
    (1..6usize, 1..3000usize, 0..COMPRESSIONS.len()).prop_map(
        |(threads, block_bytes, compression)| Way {
            threads,
            block_bytes,
            compression,
        },
    )
}

/// One thread, and blocks that hold whole files.
const PLAINLY: Way = Way {
    threads: 1,
    block_bytes: 1 << 20,
    compression: 0,
};

fn read_files(
    folder: &Path,
    files: &[(String, String)],
    way: &Way,
    options: &ReadOptions,
) -> Result<(Trace, ReadSummary), String> {
    let inputs: Vec<PathBuf> = files
        .iter()
        .map(|(name, text)| write(folder, name, COMPRESSIONS[way.compression](text.as_bytes())))
        .collect();
    let options = ReadOptions {
        threads: NonZeroUsize::new(way.threads).unwrap(),
        block_bytes: way.block_bytes,
        ..options.clone()
    };
    read_with(&inputs, &options).map_err(|error| error.to_string())
}

/// A line of the combined format, or noise.
fn any_line() -> impl Strategy<Value = String> {
    let request = "GET /[a-d]{0,2}(\\?v=[0-9])? HTTP/1.1|HEAD /a HTTP/1.0|POST /[ab] HTTP/2.0|-";
    let good = (0..9u8, 0..200_000u32, request, 0..3usize, 0..900u32).prop_map(
        |(client, second, request, status, bytes)| {
            let status = [200, 206, 404][status];
            line(
                &format!("10.0.0.{client}"),
                second,
                &request,
                status,
                &bytes.to_string(),
            )
        },
    );
    // Times without a month: which one it is depends on the lines before.
    let without_month = (1..32u8, 0..24u8).prop_map(|(day, hour)| {
        format!("a - - [{day:02}:{hour:02}:00:00] \"GET /e HTTP/1.0\" 200 7\n")
    });
    prop_oneof![
        12 => good,
        1 => without_month,
        1 => "[ -~]{0,300}\n",
        1 => Just("\r\n".to_owned()),
        1 => Just("a - - [17/May/2015:00:00:01 +0000] \"GET /\\x41\\\"b HTTP/1.1\" 200 5\r\n".to_owned()),
    ]
}

fn text() -> impl Strategy<Value = String> {
    (prop::collection::vec(any_line(), 0..120), any::<bool>()).prop_map(|(lines, ends)| {
        let text = lines.concat();
        match ends {
            true => text,
            false => text.trim_end().to_owned(),
        }
    })
}

/// Files of one log and of several.
fn files() -> impl Strategy<Value = Vec<(String, String)>> {
    let names = ["a.log", "a.log.1", "b.log", "c.log"];
    prop::collection::vec(text(), 1..=names.len()).prop_map(move |texts| {
        let names = names.iter().map(|name| name.to_string());
        names.zip(texts).collect()
    })
}

fn options() -> impl Strategy<Value = ReadOptions> {
    let format = prop::sample::select(vec![FormatKind::COMBINED, FormatKind::VHOST_COMBINED]);
    (format, any::<bool>(), any::<bool>(), 0..4usize).prop_map(|(kind, strict, all, query)| {
        let queries = [
            QueryRule::Auto,
            QueryRule::Exclude,
            QueryRule::Strip,
            QueryRule::Keep,
        ];
        ReadOptions {
            format: Some(FormatChoice::Known(kind)),
            strict: strict && !all,
            max_rejected_share: all.then_some(1.0),
            query: queries[query],
            keep_clients: true,
            ..ReadOptions::default()
        }
    })
}

type ReferenceRow = (i64, Vec<u8>, u16, u64);

/// What a log's lines say, by one parser and a loop: times, clients, statuses and sizes of requests; numbers of
/// rejected lines; lines without a request.
fn plain_reference(text: &str) -> (Vec<ReferenceRow>, u64, u64) {
    let mut parser = FormatKind::COMBINED.parser();
    let (mut rows, mut rejected, mut without_request) = (Vec::new(), 0, 0);
    let mut last_us = None;
    for line in text.split_inclusive('\n') {
        match parser.parse(line.trim_end_matches('\n').as_bytes()) {
            Ok(Some(record)) => {
                assert!(matches!(record.target, RequestTarget::Url(_)));
                last_us = record.time_us.or(last_us);
                let bytes = record.bytes.unwrap_or(0);
                rows.push((
                    last_us.unwrap(),
                    record.client.to_vec(),
                    record.status,
                    bytes,
                ));
            }
            Ok(None) => without_request += 1,
            Err(_) => rejected += 1,
        }
    }
    (rows, rejected, without_request)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_way_reads_the_same_or_fails_alike(files in files(), options in options(), way in way()) {
        let folder = tempfile::tempdir().unwrap();
        let plainly = read_files(folder.path(), &files, &PLAINLY, &options);
        prop_assert_eq!(read_files(folder.path(), &files, &way, &options), plainly);
    }

    #[test]
    fn every_way_reads_what_a_loop_over_the_lines_reads(text in text(), way in way()) {
        let (rows, rejected, without_request) = plain_reference(&text);
        prop_assume!(!rows.is_empty());
        let folder = tempfile::tempdir().unwrap();
        let options = ReadOptions {
            format: Some(FormatChoice::Known(FormatKind::COMBINED)),
            max_rejected_share: Some(1.0),
            keep_clients: true,
            ..ReadOptions::default()
        };
        let files = [("a.log".to_owned(), text)];
        let (trace, summary) = read_files(folder.path(), &files, &way, &options).unwrap();
        let read: Vec<_> = (0..trace.requests.len())
            .map(|row| trace.requests.get(row))
            .map(|row| {
                let client = trace.clients.get(row.client as usize).to_vec();
                (row.time_us, client, row.status, row.bytes)
            })
            .collect();
        prop_assert_eq!(read, rows);
        prop_assert_eq!(summary.rejected_lines, rejected);
        prop_assert_eq!(summary.without_request, without_request);
    }

    #[test]
    fn directives_hold_across_blocks(
        rows in prop::collection::vec((0..24u8, "/[a-c]{1,3}", prop::bool::weighted(0.1)), 1..200),
        way in way(),
    ) {
        let mut text = "#Fields: date time cs-uri-stem sc-status\n".to_owned();
        for (hour, path, turns) in rows {
            if turns {
                text += "#Date: 2015-05-18\n#Fields: time sc-status cs-uri-stem\n";
            }
            text += &match text.contains("#Date") {
                true => format!("{hour:02}:00:00 200 {path}\n"),
                false => format!("2015-05-17 {hour:02}:00:00 {path} 200\n"),
            };
        }
        let folder = tempfile::tempdir().unwrap();
        let (files, options) = ([("a.log".to_owned(), text)], ReadOptions::default());
        let plainly = read_files(folder.path(), &files, &PLAINLY, &options);
        prop_assert!(plainly.is_ok());
        prop_assert_eq!(read_files(folder.path(), &files, &way, &options), plainly);
    }
}

#[test]
fn lines_that_are_too_long_are_rejected_in_blocks_of_any_size() {
    const MEBIBYTE: usize = 1 << 20;
    let good = |second| line("10.0.0.1", second, "GET /a HTTP/1.1", 200, "1");
    let long = "x".repeat(MEBIBYTE + 1) + "\n";
    let start = good(2).trim_end().to_owned();
    let longest = start.clone() + &" ".repeat(MEBIBYTE - start.len()) + "\n";
    let text = [good(1), long.repeat(2), longest, good(3), long].concat();
    let folder = tempfile::tempdir().unwrap();
    let files = [("a.log".to_owned(), text)];
    let options = ReadOptions {
        format: Some(FormatChoice::Known(FormatKind::COMBINED)),
        ..ReadOptions::default()
    };
    for block_bytes in [100, 5000, 3 * MEBIBYTE, 16 * MEBIBYTE] {
        for threads in [1, 3] {
            let way = Way {
                threads,
                block_bytes,
                compression: 0,
            };
            let (trace, summary) = read_files(folder.path(), &files, &way, &options).unwrap();
            assert_eq!((trace.requests.len(), summary.lines), (3, 6));
            let rejected = &summary.sources[0].rejected[0];
            let lines: Vec<u64> = rejected
                .examples
                .iter()
                .map(|example| example.line)
                .collect();
            assert_eq!(lines, [2, 3, 6], "{way:?}");
        }
    }
}

#[test]
fn many_logs_are_merged_alike_by_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = (0..60u32)
        .map(|site| {
            let lines = (0..200).map(|i| {
                let path = format!("GET /{} HTTP/1.1", i * site % 17);
                line(&format!("10.0.{site}.1"), i * 60 + site, &path, 200, "5")
            });
            write(
                folder.path(),
                &format!("site{site}.example.log"),
                lines.collect::<String>(),
            )
        })
        .collect();
    let read = |threads| {
        let options = ReadOptions {
            threads: NonZeroUsize::new(threads).unwrap(),
            block_bytes: 1000,
            ..ReadOptions::default()
        };
        read_good(&files, &options)
    };
    let alone = read(1);
    assert!(alone.0.requests.time_us.is_sorted());
    for threads in [2, 4] {
        assert_eq!(read(threads), alone);
    }
}
