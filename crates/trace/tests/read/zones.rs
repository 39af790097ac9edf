//! Times that name no zone are those of the zone that the options name, and the summary says which.

use super::support::{read_with, write};
use hotset_trace::Zone;
use hotset_trace::formats::custom::Pattern;
use hotset_trace::read::{FormatChoice, ReadOptions};
use jiff::Timestamp;
use jiff::civil::DateTime;
use proptest::prelude::*;

fn zone(name: &str) -> Zone {
    name.parse().unwrap()
}

/// The times of a log's requests, and the zone that was assumed.
fn times(log: &str, options: ReadOptions) -> (Vec<String>, Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "a.log", log);
    let (trace, summary) = read_with(&[file], &options).unwrap();
    let times = trace.requests.time_us.iter();
    let times = times.map(|&us| Timestamp::from_microsecond(us).unwrap().to_string());
    (times.collect(), summary.sources[0].assumed_zone.clone())
}

fn in_zone(log: &str, name: Option<&str>) -> (Vec<String>, Option<String>) {
    let options = ReadOptions {
        log_zone: name.map(zone),
        ..ReadOptions::default()
    };
    times(log, options)
}

const HAPROXY: &str = "192.0.2.1:4000 [10/Mar/2026:12:00:00.250] in be/s1 2/0/1/0/3 200 99 - - ---- 1/1/0/0/0 0/0 \
                       \"GET /a HTTP/1.1\"\n";
const COMMON: &str = "192.0.2.1 - - [10/Mar/2026:12:00:00] \"GET /a HTTP/1.1\" 200 99\n";
const JSON: &str = r#"{"time_iso8601":"2026-03-10T12:00:00.250","remote_addr":"192.0.2.1","request":"GET /a HTTP/1.1","status":"200","body_bytes_sent":"99"}"#;
const W3C: &str =
    "#Fields: date-local time-local cs-uri-stem sc-status\n2026-03-10 12:00:00.250 /a 200\n";

#[test]
fn times_without_a_zone_are_utc_unless_a_zone_is_named() {
    for log in [HAPROXY, COMMON, JSON, W3C] {
        let (utc, assumed) = in_zone(log, None);
        assert!(utc[0].starts_with("2026-03-10T12:00:00"), "{log}: {utc:?}");
        assert_eq!(assumed.as_deref(), Some("UTC"), "{log}");
        let (berlin, assumed) = in_zone(log, Some("Europe/Berlin"));
        assert_eq!(berlin[0], utc[0].replace("T12", "T11"), "{log}");
        assert_eq!(assumed.as_deref(), Some("Europe/Berlin"), "{log}");
        let (kolkata, _) = in_zone(log, Some("+05:30"));
        assert_eq!(kolkata[0], utc[0].replace("T12:00", "T06:30"), "{log}");
    }
}

#[test]
fn times_that_name_their_zone_or_are_utc_by_their_format_stay() {
    let logs = [
        COMMON.replace(":00]", ":00 +0200]"),
        JSON.replace(".250\"", ".250Z\""),
        W3C.replace("-local", ""),
        "1771156800.250 12 192.0.2.1 TCP_HIT/200 99 GET http://a.example/a - NONE/- text/html\n"
            .into(),
    ];
    for log in logs {
        let (utc, assumed) = in_zone(&log, None);
        assert_eq!(assumed, None, "{log}");
        assert_eq!(in_zone(&log, Some("Europe/Berlin")), (utc, None), "{log}");
    }
}

#[test]
fn a_format_string_without_a_zone_takes_the_named_one() {
    let pattern = Pattern::compile(
        "$time_local $remote_addr \"$request\" $status $body_bytes_sent",
        Some("%Y-%m-%d %H:%M:%S"),
    );
    let options = ReadOptions {
        format: Some(FormatChoice::Custom(pattern.unwrap())),
        log_zone: Some(zone("America/New_York")),
        ..ReadOptions::default()
    };
    let log = "2026-07-01 08:00:00 192.0.2.1 \"GET /a HTTP/1.1\" 200 9\n";
    let (read, assumed) = times(log, options);
    assert_eq!(read, ["2026-07-01T12:00:00Z"]);
    assert_eq!(assumed.as_deref(), Some("America/New_York"));
}

#[test]
fn an_hour_that_clocks_show_twice_is_the_first_and_one_they_never_show_is_later() {
    let line = |time: &str| COMMON.replace("10/Mar/2026:12:00:00", time);
    let autumn = [
        line("25/Oct/2026:01:30:00"),
        line("25/Oct/2026:02:30:00"),
        line("25/Oct/2026:03:00:00"),
    ];
    let (read, _) = in_zone(&autumn.concat(), Some("Europe/Berlin"));
    let expected = [
        "2026-10-24T23:30:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T02:00:00Z",
    ];
    assert_eq!(read, expected);
    let (read, _) = in_zone(&line("29/Mar/2026:02:30:00"), Some("Europe/Berlin"));
    assert_eq!(read, ["2026-03-29T01:30:00Z"]);
}

proptest! {
    #[test]
    fn every_time_is_that_of_the_zones_clocks(
        name in prop::sample::select(vec!["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Africa/Monrovia"]),
        seconds in prop::collection::vec(-100_000_000i64..4_000_000_000, 1..40),
    ) {
        let shown: Vec<DateTime> = seconds
            .iter()
            .map(|&second| {
                let time = Timestamp::from_second(second).unwrap();
                time.to_zoned(jiff::tz::TimeZone::UTC).datetime()
            })
            .collect();
        let line = |time: &DateTime| {
            COMMON.replace("10/Mar/2026:12:00:00", &time.strftime("%d/%b/%Y:%H:%M:%S").to_string())
        };
        let log: String = shown.iter().map(line).collect();
        let (read, _) = in_zone(&log, Some(name));
        let expected = shown.iter().map(|&time| zone(name).moment(time).unwrap().to_string());
        prop_assert_eq!(read, expected.collect::<Vec<_>>());
    }
}
