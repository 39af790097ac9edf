//! Requests of a stretch of time, and the span of those read.

use super::support::{get, line, paths, read_good, read_text, read_with, write};
use hotset_trace::Period;
use hotset_trace::formats::FormatKind;
use hotset_trace::read::{FormatChoice, ReadError, ReadOptions};
use jiff::Timestamp;

fn at(text: &str) -> Option<Timestamp> {
    Some(text.parse().unwrap())
}

fn within(from: Option<Timestamp>, to: Option<Timestamp>) -> ReadOptions {
    ReadOptions {
        period: Period { from, to },
        ..ReadOptions::default()
    }
}

/// A request each second from the beginning of 17 May 2015.
fn log(seconds: u32) -> String {
    (0..seconds).map(|i| get(i, &format!("/{i}"))).collect()
}

#[test]
fn the_beginning_is_in_the_period_and_the_end_is_not() {
    let options = within(at("2015-05-17T00:00:03Z"), at("2015-05-17T00:00:06Z"));
    let (trace, summary) = read_text(&log(10), &options);
    assert_eq!(paths(&trace), ["/3", "/4", "/5"]);
    assert_eq!((summary.requests, summary.accesses), (3, 3));
    let left_out = summary.period.unwrap();
    assert_eq!(
        (left_out.before, left_out.after, left_out.without_time),
        (3, 4, 0)
    );
    assert_eq!(summary.first, at("2015-05-17T00:00:03Z"));
    assert_eq!(summary.last, at("2015-05-17T00:00:05Z"));
}

#[test]
fn each_end_may_be_open() {
    let from = within(at("2015-05-17T00:00:08Z"), None);
    assert_eq!(paths(&read_text(&log(10), &from).0), ["/8", "/9"]);
    let to = within(None, at("2015-05-17T00:00:02Z"));
    assert_eq!(paths(&read_text(&log(10), &to).0), ["/0", "/1"]);
}

#[test]
fn requests_outside_make_no_site_client_object_or_size() {
    let text = line("early", 0, "GET /a HTTP/1.1", 200, "1000")
        + &line("late", 5, "GET /a HTTP/1.1", 200, "10").repeat(9);
    let (trace, _) = read_text(&text, &within(at("2015-05-17T00:00:05Z"), None));
    assert_eq!((trace.clients.len(), trace.objects.size[0]), (1, 10));
}

#[test]
fn a_period_without_requests_is_an_error_that_states_the_span_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.log", log(10));
    let options = within(at("2016-01-01T00:00:00Z"), None);
    let error = read_with(&[path], &options).unwrap_err();
    assert!(matches!(error, ReadError::NothingInPeriod { .. }));
    let text = error.to_string();
    assert!(
        text.contains("2015-05-17T00:00:00Z to 2015-05-17T00:00:09Z"),
        "{text}"
    );
}

#[test]
fn requests_without_times_lie_in_no_period() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "keys.bin", [1, 0, 0, 0, 2, 0, 0, 0]);
    let options = ReadOptions {
        format: Some(FormatChoice::Known(FormatKind::KEYS_U32LE)),
        ..within(None, at("2016-01-01T00:00:00Z"))
    };
    let text = read_with(&[path], &options).unwrap_err().to_string();
    assert!(text.contains("no times"), "{text}");
}

#[test]
fn the_span_is_that_of_the_times_in_whatever_order_they_are() {
    let text = [get(7, "/a"), get(2, "/b"), get(9, "/c"), get(4, "/d")].concat();
    let (trace, summary) = read_text(&text, &ReadOptions::default());
    assert_eq!(summary.first, at("2015-05-17T00:00:02Z"));
    assert_eq!(summary.last, at("2015-05-17T00:00:09Z"));
    assert_eq!(trace.span(), (summary.first, summary.last));
    assert_eq!(summary.period, None);
}

#[test]
fn a_trace_is_cut_as_its_log_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.log", log(10));
    let options = within(at("2015-05-17T00:00:03Z"), at("2015-05-17T00:00:06Z"));
    let (read, summary) = read_good(std::slice::from_ref(&path), &options);
    let (mut whole, _) = read_good(&[path], &ReadOptions::default());
    let (kept, left_out) = whole.cut(options.period);
    assert_eq!(kept, [3, 4, 5]);
    assert_eq!(Some(left_out), summary.period);
    assert_eq!(paths(&whole), paths(&read));
    assert_eq!(whole.requests.time_us, read.requests.time_us);
}

#[test]
fn the_span_is_kept_in_a_trace_folder_and_may_lack_in_an_older_one() {
    let (_, summary) = read_text(&log(3), &ReadOptions::default());
    let mut json = serde_json::to_value(&summary).unwrap();
    assert_eq!(json["first"], "2015-05-17T00:00:00Z");
    json.as_object_mut().unwrap().remove("first");
    json.as_object_mut().unwrap().remove("last");
    let older: hotset_trace::read::ReadSummary = serde_json::from_value(json).unwrap();
    assert_eq!(older.first, None);
}
