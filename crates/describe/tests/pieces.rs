//! A log that is read in ranges gives the bytes of one that is read whole.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hotset_describe::{Part, PartError, PartOptions, Piece};
use hotset_trace::read::{ReadOptions, SiteRule, ranges};
use proptest::prelude::*;
use tempfile::TempDir;

fn asked(reading: &ReadOptions) -> PartOptions<'_> {
    PartOptions {
        reading,
        node: Some("web1"),
    }
}

fn whole(log: &Path, reading: &ReadOptions) -> Result<Part, PartError> {
    let go_on = &mut |_| ControlFlow::Continue(());
    Part::read(&[log.to_owned()], &asked(reading), go_on)
}

/// The part of pieces of about so many bytes, each through its bytes, and how many there were.
fn in_pieces(log: &Path, reading: &ReadOptions, bytes: u64) -> (usize, Result<Part, PartError>) {
    let ranges = ranges(log, reading, bytes).expect("a log");
    let count = ranges.len();
    let read = |range| {
        let go_on = &mut |_| ControlFlow::Continue(());
        let piece = Piece::read(log, range, &asked(reading), go_on)?;
        Piece::of_bytes("a piece", &piece.to_bytes().expect("memory"))
    };
    let pieces: Result<Vec<Piece>, PartError> = ranges.into_iter().map(read).collect();
    let part = pieces.and_then(|pieces| Piece::join(pieces, reading));
    (count, part)
}

/// Host, client, second, request, status, bytes; or a line that is none.
fn line() -> impl Strategy<Value = String> {
    let fields = (0..3u8, 0..5u8, 0..9000i64, 0..9u8, 0..7usize, 0..90_000u64);
    let request = fields.prop_map(|(host, client, second, file, status, bytes)| {
        let method = ["GET", "GET", "GET", "HEAD", "POST"][usize::from(file % 5)];
        let status = [200, 200, 206, 304, 404, 301, 500][status];
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let path = ["/a.html", "/i/b.png", "/%61.html", "/c?x=1", "/i/d.png"][usize::from(file / 2)];
        format!(
            "h{host}.example:80 10.0.0.{client} - - [01/Mar/2026:{hour:02}:{minute:02}:{second:02} +0000] \
             \"{method} {path} HTTP/1.1\" {status} {bytes} \"-\" \"-\"\n"
        )
    });
    prop_oneof![20 => request, 1 => Just("no request\n".to_owned()), 1 => Just("\n".to_owned())]
}

fn written(folder: &Path, lines: &[String], ends: bool) -> PathBuf {
    let path = folder.join("web.log");
    let mut text = lines.concat();
    if !ends {
        text.pop();
    }
    fs::write(&path, text).expect("a log");
    path
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_ranges_give_the_bytes_of_the_whole(
        lines in prop::collection::vec(line(), 1..120),
        bytes in 1u64..6000,
        by_rules in any::<bool>(),
        ends in any::<bool>(),
    ) {
        let folder = TempDir::new().expect("a temporary folder");
        let log = written(folder.path(), &lines, ends);
        let rules: &[&str] = if by_rules { &["img=/i/*", "one=host:h1.*", "all=/*"] } else { &[] };
        let rule = |rule: &&str| rule.parse::<SiteRule>().expect("a rule");
        let reading = ReadOptions { sites: rules.iter().map(rule).collect(), ..ReadOptions::default() };
        let Ok(one) = whole(&log, &reading) else { return Ok(()); };
        let (_, part) = in_pieces(&log, &reading, bytes);
        let part = part.expect("what can be read whole and begins with times can be read in ranges");
        prop_assert_eq!(part.to_bytes().expect("memory"), one.to_bytes().expect("memory"));
    }
}

/// A log of so many requests for few files.
fn plain(requests: usize) -> String {
    let line = |at: usize| {
        format!(
            "10.0.0.{} - - [01/Mar/2026:10:{:02}:{:02} +0000] \"{} /{}.html HTTP/1.1\" 200 {} \"-\" \"-\"\n",
            at % 7,
            at / 60 % 60,
            at % 60,
            if at % 5 == 4 { "HEAD" } else { "GET" },
            at % 23,
            at % 1000,
        )
    };
    (0..requests).map(line).collect()
}

#[test]
fn a_large_log_is_cut_between_lines_and_together_its_ranges_are_the_whole() {
    let folder = TempDir::new().expect("a temporary folder");
    let log = folder.path().join("web.log");
    fs::write(&log, plain(20_000)).expect("a log");
    let reading = ReadOptions::default();
    let one = whole(&log, &reading).expect("a log");
    let (count, part) = in_pieces(&log, &reading, 100_000);
    assert!(count > 10, "{count} ranges");
    assert_eq!(part.expect("ranges"), one);
}

#[test]
fn what_depends_on_lines_before_is_not_cut() {
    let folder = TempDir::new().expect("a temporary folder");
    let reading = ReadOptions::default();
    let w3c = folder.path().join("u_ex.log");
    let head = "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n\
                #Fields: date time c-ip cs-method cs-uri-stem sc-status sc-bytes\n";
    let line = "2026-03-01 10:00:00 10.0.0.1 GET /a.html 200 5000\n";
    fs::write(&w3c, format!("{head}{}", line.repeat(500))).expect("a log");
    let packed = folder.path().join("web.log.gz");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(plain(2000).as_bytes()).expect("memory");
    fs::write(&packed, gzip.finish().expect("memory")).expect("a log");
    for log in [&w3c, &packed] {
        let cut = ranges(log, &reading, 1000).expect("a log");
        let length = fs::metadata(log).expect("a file").len();
        assert_eq!((cut.len(), &cut[0]), (1, &(0..length)), "{}", log.display());
    }
}

#[test]
fn a_log_whose_rejected_lines_may_have_it_refused_is_left_to_be_read_whole() {
    let folder = TempDir::new().expect("a temporary folder");
    let log = folder.path().join("web.log");
    fs::write(&log, plain(3000) + &"no request\n".repeat(900)).expect("a log");
    let reading = ReadOptions::default();
    let (_, part) = in_pieces(&log, &reading, 50_000);
    let refused = part.expect_err("too many rejected lines").to_string();
    assert!(refused.contains("read it whole"), "{refused}");
    assert!(whole(&log, &reading).is_err());
}

#[test]
fn a_log_that_grew_shorter_and_pieces_of_other_logs_are_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    let (log, other) = (
        folder.path().join("web.log"),
        folder.path().join("other.log"),
    );
    fs::write(&log, plain(3000)).expect("a log");
    fs::write(&other, plain(2900)).expect("a log");
    let reading = ReadOptions::default();
    let length = fs::metadata(&log).expect("a file").len();
    let go_on = &mut |_| ControlFlow::Continue(());
    assert!(Piece::read(&log, 10..length + 1, &asked(&reading), go_on).is_err());
    let first = Piece::read(&log, 0..length, &asked(&reading), go_on).expect("a log");
    let length = fs::metadata(&other).expect("a file").len();
    let second = Piece::read(&other, 0..length, &asked(&reading), go_on).expect("a log");
    assert!(Piece::join(vec![first, second], &reading).is_err());
    assert!(Piece::join(Vec::new(), &reading).is_err());
    for damaged in [&b""[..], b"hotset piece\n", b"hotset part\n"] {
        assert!(Piece::of_bytes("a piece", damaged).is_err());
    }
}
