//! Every bad input gets one clear line: which input, what is wrong, what to do.

use super::support::{get, line, read_good, read_text, read_with, write};
use hotset_test_support::skip;
use hotset_trace::read::{ReadError, ReadOptions, read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn error_of(inputs: &[PathBuf]) -> ReadError {
    read_with(inputs, &ReadOptions::default()).expect_err("a bad input")
}

fn one_line_naming(error: &ReadError, name: &str) {
    let text = error.to_string();
    assert!(text.contains(name) && !text.contains('\n'), "{text}");
}

#[test]
fn no_input() {
    assert!(matches!(error_of(&[]), ReadError::NoInput));
}

#[test]
fn missing_file_and_pattern_without_match() {
    for name in ["/nonexistent/access.log", "/nonexistent/*.log"] {
        let error = error_of(&[name.into()]);
        assert!(matches!(error, ReadError::NotFound { .. }));
        one_line_naming(&error, name);
    }
}

#[test]
fn directory() {
    let folder = tempfile::tempdir().unwrap();
    let error = error_of(&[folder.path().into()]);
    assert!(matches!(error, ReadError::Directory { .. }));
    one_line_naming(&error, &folder.path().display().to_string());
}

#[test]
fn empty_file_alone_but_not_beside_a_full_one() {
    let folder = tempfile::tempdir().unwrap();
    let empty = write(folder.path(), "access.log", "");
    let full = write(folder.path(), "access.log.1", get(1, "/a"));
    let error = error_of(std::slice::from_ref(&empty));
    assert!(matches!(error, ReadError::Empty { .. }));
    one_line_naming(&error, "access.log");
    let (trace, summary) = read_good(&[empty, full], &ReadOptions::default());
    assert_eq!((trace.requests.len(), summary.sources.len()), (1, 2));
    assert_eq!(summary.sources[0].lines, 0);
}

#[test]
fn unreadable_file() {
    // Reading the memory of a process from its beginning fails for everyone, root included.
    let path = Path::new("/proc/self/mem");
    if !path.exists() {
        skip(format_args!("{} is absent", path.display()));
        return;
    }
    let error = error_of(&[path.into()]);
    assert!(matches!(error, ReadError::Unreadable { .. }), "{error:?}");
    one_line_naming(&error, "/proc/self/mem");
}

#[test]
fn binary_file() {
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..100_003u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let error = error_of(&[write(folder.path(), "picture.png", bytes)]);
    assert!(matches!(error, ReadError::Format(_)), "{error:?}");
    one_line_naming(&error, "picture.png");
}

#[test]
fn text_that_is_no_log() {
    let folder = tempfile::tempdir().unwrap();
    let text = "It was a dark and stormy night.\n".repeat(100);
    one_line_naming(
        &error_of(&[write(folder.path(), "novel.txt", text)]),
        "novel.txt",
    );
}

#[test]
fn mixed_formats_are_an_error_with_the_share_and_an_example() {
    let folder = tempfile::tempdir().unwrap();
    let good: String = (0..5000).map(|i| get(i, "/a")).collect();
    let odd = "{\"level\":\"info\"}\n".repeat(1000);
    let path = write(folder.path(), "mixed.log", good.clone() + &odd);
    let error = error_of(&[path]);
    assert!(matches!(error, ReadError::MixedFormats { .. }), "{error:?}");
    one_line_naming(&error, "1000 of 6000 lines");
    one_line_naming(&error, "line 5001");
    let few = "{\"level\":\"info\"}\n".repeat(500);
    let (_, summary) = read_text(&(good + &few), &ReadOptions::default());
    assert_eq!(summary.rejected_lines, 500);
}

#[test]
fn rejected_lines_are_counted_by_reason_with_the_first_three() {
    let odd: String = (0..5).map(|i| format!("orphan {i} \x07 line\n")).collect();
    let good: String = (0..50).map(|i| get(i, "/a")).collect();
    let (_, summary) = read_text(&(good + &odd), &ReadOptions::default());
    assert_eq!(
        (summary.lines, summary.requests, summary.rejected_lines),
        (55, 50, 5)
    );
    let rejected = &summary.sources[0].rejected;
    assert_eq!(
        rejected.iter().map(|rejected| rejected.count).sum::<u64>(),
        5
    );
    let examples = &rejected[0].examples;
    assert_eq!(examples.len(), 3);
    assert_eq!(
        (examples[0].line, examples[0].text.as_str()),
        (51, "orphan 0 \\x07 line")
    );
}

#[test]
fn strict_makes_the_first_rejected_line_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let text = [get(1, "/a"), get(2, "/b"), "orphan\n".into(), get(3, "/c")].concat();
    let text = text + &get(4, "/d").repeat(10);
    let path = write(folder.path(), "a.log", text);
    let options = ReadOptions {
        strict: true,
        ..ReadOptions::default()
    };
    let error = read_with(&[path], &options).unwrap_err();
    assert!(matches!(error, ReadError::Strict { .. }));
    one_line_naming(&error, "a.log:3:");
}

#[test]
fn blank_lines_alone_hold_no_usable_request() {
    let folder = tempfile::tempdir().unwrap();
    one_line_naming(
        &error_of(&[write(folder.path(), "blank.log", "\n\n\n")]),
        "blank.log",
    );
}

#[test]
fn line_longer_than_the_bound_is_rejected_and_reading_goes_on() {
    let long = "x".repeat(5_000_000);
    let text = [
        get(1, "/a"),
        long + "\n",
        get(2, "/b"),
        "y".repeat(2_000_000),
    ]
    .concat();
    let (trace, summary) = read_text(&text, &ReadOptions::default());
    assert_eq!(
        (trace.requests.len(), summary.rejected_lines, summary.lines),
        (2, 2, 4)
    );
    assert_eq!(summary.sources[0].rejected[0].reason, "longer than 1 MiB");
    assert_eq!(summary.sources[0].rejected[0].examples[0].line, 2);
}

#[test]
fn long_line_below_the_bound_is_read() {
    let path = format!("/{}", "p".repeat(900_000));
    let (trace, _) = read_text(
        &[get(1, "/a"), get(2, &path), get(3, "/b")].concat(),
        &ReadOptions::default(),
    );
    assert_eq!(trace.requests.len(), 3);
    assert_eq!(trace.objects.path.get(1).len(), path.len());
}

#[test]
fn carriage_returns_and_a_missing_last_line_end_do_not_matter() {
    let text = [get(1, "/a"), get(2, "/b")].concat();
    let (plain, _) = read_text(&text, &ReadOptions::default());
    let (windows, _) = read_text(
        text.replace('\n', "\r\n").trim_end(),
        &ReadOptions::default(),
    );
    assert_eq!(plain, windows);
}

#[test]
fn same_file_twice_would_count_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.log", get(1, "/a"));
    let error = error_of(&[path, folder.path().join("./*.log")]);
    assert!(matches!(error, ReadError::Twice { .. }));
}

#[test]
fn partial_record_at_the_end_of_a_binary_trace_is_counted() {
    use hotset_trace::formats::FormatKind;
    use hotset_trace::read::FormatChoice;
    let folder = tempfile::tempdir().unwrap();
    let mut bytes: Vec<u8> = [7u32, 9, 7]
        .iter()
        .flat_map(|key| key.to_le_bytes())
        .collect();
    bytes.extend_from_slice(&[1, 2]);
    let path = write(folder.path(), "keys.bin", bytes);
    let format = Some(FormatChoice::Known(FormatKind::KEYS_U32LE));
    let options = ReadOptions {
        format,
        ..ReadOptions::default()
    };
    let (trace, summary) = read_good(&[path], &options);
    assert_eq!(trace.requests.object, [0, 1, 0]);
    assert_eq!(trace.requests.time_us, [0, 1, 2]);
    assert_eq!(trace.origin, hotset_trace::TraceOrigin::Untimed);
    assert_eq!(trace.objects.path.get(1), b"9");
    assert_eq!(trace.objects.size, [4096, 4096]);
    assert!(trace.clients.is_empty());
    assert_eq!(summary.rejected_lines, 1);
}

#[test]
fn caller_can_stop_the_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.log", get(1, "/a").repeat(200_000));
    let mut calls = 0;
    let stopped = read(&[path], &ReadOptions::default(), &mut |progress| {
        calls += 1;
        assert!(progress.bytes <= progress.total_bytes.unwrap());
        if calls == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(matches!(stopped, Err(ReadError::Interrupted)));
    assert_eq!(calls, 2);
}

#[test]
fn requests_without_a_target_are_kept_and_counted() {
    let text = [
        get(1, "/a"),
        get(2, "/a"),
        get(3, "/a"),
        get(4, "/a"),
        line("c", 5, "-", 408, "0"),
    ];
    let (trace, summary) = read_text(&text.concat(), &ReadOptions::default());
    assert_eq!(
        summary.lines,
        trace.requests.len() as u64 + summary.rejected_lines + summary.without_request
    );
}

#[test]
fn a_large_log_of_mixed_formats_is_not_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let head: String = (0..1000).map(|i| get(i, "/a")).collect();
    let rest = "{\"level\":\"info\"}\n".repeat(1_000_000);
    let path = write(folder.path(), "access.log", head + &rest);
    let mut seen = 0;
    let error = read(&[path], &ReadOptions::default(), &mut |progress| {
        seen = progress.bytes;
        ControlFlow::Continue(())
    })
    .expect_err("mixed formats");
    one_line_naming(&error, "10000 of its first 11000 lines");
    assert!(seen < 2_000_000, "{seen} bytes were read");
}

#[test]
fn a_share_of_rejects_below_the_stated_one_is_never_an_error_on_the_way() {
    let odd = "{\"level\":\"info\"}\n";
    let log: String = (0..30_000)
        .flat_map(|_| std::iter::repeat_n(get(1, "/a"), 10).chain([odd.to_owned()]))
        .collect();
    let (_, summary) = read_text(&log, &ReadOptions::default());
    assert_eq!(summary.rejected_lines, 30_000);
}

#[test]
fn a_custom_format_that_does_not_fit_is_to_be_corrected() {
    use hotset_trace::formats::custom::Pattern;
    use hotset_trace::read::FormatChoice;
    let folder = tempfile::tempdir().unwrap();
    let log: String = (0..50).map(|i| get(i, "/a")).collect();
    let path = write(folder.path(), "access.log", log);
    let pattern = Pattern::compile("%h %>s \"%r\"", None).unwrap();
    let options = ReadOptions {
        format: Some(FormatChoice::Custom(pattern)),
        ..ReadOptions::default()
    };
    let error = read_with(&[path], &options).expect_err("another format");
    one_line_naming(&error, "correct the format string");
}

#[test]
fn sizes_beyond_any_file_are_rejected_and_never_added_up() {
    let good: String = (0..50).map(|i| get(i, "/a")).collect();
    for size in [
        "1125899906842625",
        "9223372036854775808",
        "18446744073709551615",
    ] {
        let absurd = line("10.0.0.1", 60, "GET /b HTTP/1.1", 200, size);
        let (trace, summary) = read_text(&(absurd + &good), &ReadOptions::default());
        assert_eq!((trace.requests.len(), summary.rejected_lines), (50, 1));
        assert_eq!(summary.sources[0].rejected[0].reason, "bad size");
    }
}

#[test]
fn sizes_that_add_up_to_more_than_can_be_counted_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let large = |path: &str| {
        line(
            "10.0.0.1",
            1,
            &format!("GET {path} HTTP/1.1"),
            200,
            "1125899906842624",
        )
    };
    let many_files: String = (0..8200).map(|i| large(&format!("/{i}"))).collect();
    let many_reads = large("/a").repeat(8200);
    let once_large = large("/a") + &get(1, "/a").repeat(8200);
    for (name, log) in [
        ("files.log", many_files),
        ("reads.log", many_reads),
        ("size.log", once_large),
    ] {
        let path = write(folder.path(), name, log);
        let error = error_of(&[path]);
        assert!(matches!(error, ReadError::TooLarge { .. }), "{error:?}");
        one_line_naming(&error, name);
    }
    let (trace, _) = read_text(&large("/a").repeat(8000), &ReadOptions::default());
    assert_eq!(trace.requests.len(), 8000);
}

fn as_combined(share: Option<f64>) -> ReadOptions {
    use hotset_trace::formats::FormatKind;
    use hotset_trace::read::FormatChoice;
    ReadOptions {
        format: Some(FormatChoice::Known(FormatKind::COMBINED)),
        max_rejected_share: share,
        ..ReadOptions::default()
    }
}

#[test]
fn a_short_log_in_another_format_than_the_one_asked_for_says_why_its_lines_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    for lines in [1, 2, 5, 19, 20] {
        let log = "1431857103.250 250 a TCP_HIT/200 512 GET http://h/a - NONE/- -\n".repeat(lines);
        let path = write(folder.path(), "squid.log", log);
        let error = read_with(&[path], &as_combined(None)).expect_err("another format");
        one_line_naming(
            &error,
            &format!("{lines} of {lines} lines are not in the format combined"),
        );
        one_line_naming(&error, "first: line 1, ");
        one_line_naming(&error, "TCP_HIT/200");
    }
}

#[test]
fn a_short_log_that_is_rejected_for_the_most_part_is_an_error_beside_a_good_one_too() {
    let folder = tempfile::tempdir().unwrap();
    let good = write(folder.path(), "good.log", get(1, "/a").repeat(100));
    let odd = write(folder.path(), "odd.log", get(1, "/a") + "orphan\norphan\n");
    let error = read_with(&[good.clone(), odd.clone()], &as_combined(None)).unwrap_err();
    one_line_naming(&error, "odd.log: 2 of 3 lines");
    let (trace, summary) = read_good(&[good, odd], &as_combined(Some(0.7)));
    assert_eq!((trace.requests.len(), summary.rejected_lines), (101, 2));
}

#[test]
fn the_share_of_rejected_lines_that_is_allowed_is_the_one_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let log = get(1, "/a").repeat(64) + &"orphan\n".repeat(36);
    let path = write(folder.path(), "a.log", log);
    let read = |share| read_with(std::slice::from_ref(&path), &as_combined(share));
    for share in [None, Some(0.0), Some(0.35)] {
        assert!(matches!(read(share), Err(ReadError::MixedFormats { .. })));
    }
    for share in [Some(0.36), Some(1.0)] {
        assert_eq!(read(share).unwrap().1.rejected_lines, 36);
    }
}

#[test]
fn lines_that_are_all_rejected_say_why_whatever_share_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.log", "orphan\n");
    let error = read_with(&[path], &as_combined(Some(1.0))).unwrap_err();
    assert!(matches!(error, ReadError::NoRequests { .. }));
    one_line_naming(&error, "the first rejected is line 1 of");
}

#[test]
fn a_log_that_no_format_reads_says_why_the_best_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(
        folder.path(),
        "a.log",
        get(1, "/a").repeat(2) + "a stray line\n",
    );
    one_line_naming(&error_of(&[path]), "first of the others: ");
}
