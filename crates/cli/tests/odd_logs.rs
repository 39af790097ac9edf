//! Broken and odd logs: what is left out is said, and the way on is named.

use crate::support::{Failure, Workplace, combined_line};

/// A log of which 36 % are stray lines.
fn with_strays(place: &Workplace) {
    let log = combined_line("/a", 10).repeat(64) + &"a stray line\n".repeat(36);
    place.write("a.log", log.as_bytes());
}

/// Requests on the first of three days, hour by hour, as `combined` logs them.
fn three_days(place: &Workplace) {
    let line = |hour: u32| {
        let (day, hour) = (1 + hour / 24, hour % 24);
        format!(
            "10.0.0.1 - - [{day:02}/Mar/2026:{hour:02}:00:00 +0000] \"GET /a HTTP/1.1\" 200 9\n"
        )
    };
    let log: String = (0..72).map(line).collect();
    place.write("a.log", log.as_bytes());
}

const READING: [&[&str]; 4] = [
    &["describe"],
    &["plan", "--memory", "64KiB"],
    &["simulate", "trace", "--memory", "64KiB"],
    &["import", "-o", "a.trace", "--replace"],
];

#[test]
fn every_command_that_reads_logs_goes_on_when_told_how_many_rejected_lines_are_allowed() {
    let place = Workplace::new();
    with_strays(&place);
    for command in READING {
        let with =
            |more: &[&'static str]| [command, more, &["--format", "combined", "a.log"]].concat();
        Failure::of(place.hotset(with(&[])))
            .has_code(1)
            .says("36 of 100 lines")
            .says("--max-rejected");
        Failure::of(place.hotset(with(&["--max-rejected", "35%"]))).has_code(1);
        place.succeeds(with(&["--max-rejected", "36%"]));
    }
    let text = place.succeeds([
        "describe",
        "--format",
        "combined",
        "--max-rejected",
        "50%",
        "a.log",
    ]);
    assert!(
        text.contains("36.0 % of the lines could not be read"),
        "{text}"
    );
}

#[test]
fn a_share_of_rejected_lines_is_a_percentage() {
    let place = Workplace::new();
    with_strays(&place);
    for share in ["101%", "-1%", "50", "half", "NaN%"] {
        let option = format!("--max-rejected={share}");
        Failure::of(place.hotset(["describe", &option, "a.log"]))
            .has_code(2)
            .says("percentage from 0 to 100");
    }
}

#[test]
fn a_period_leaves_out_what_lies_outside_and_says_how_much() {
    let place = Workplace::new();
    three_days(&place);
    place.succeeds(["import", "-o", "a.trace", "a.log"]);
    for input in ["a.log", "a.trace"] {
        let args = ["--from", "2026-03-02", "--to", "2026-03-03 00:00", input];
        let text = place.succeeds([&["describe"][..], &args].concat());
        let line = "24 requests before 2026-03-02 00:00:00 and 24 requests at or after 2026-03-03 00:00:00 left out";
        assert!(text.replace('\n', " ").contains(line), "{text}");
        let json = place.json([&["describe", "--json"][..], &args].concat());
        assert_eq!(json["total"]["requests"], 24);
        assert_eq!(json["reading"]["first"], "2026-03-02T00:00:00Z");
        assert_eq!(json["reading"]["last"], "2026-03-02T23:00:00Z");
        assert_eq!(json["reading"]["period"]["before"], 24);
        let plan = place.json([&["plan", "--memory", "64KiB", "--json"][..], &args].concat());
        assert_eq!(plan["reading"]["requests"], 24);
    }
}

#[test]
fn days_of_a_period_and_hours_are_those_of_the_zone() {
    let place = Workplace::new();
    three_days(&place);
    let json = place.json([
        "describe",
        "--json",
        "--time-zone",
        "+02:00",
        "--from",
        "2026-03-02",
        "--to",
        "2026-03-03",
        "a.log",
    ]);
    assert_eq!(json["time_zone"], "UTC+02:00");
    assert_eq!(json["reading"]["first"], "2026-03-01T22:00:00Z");
    assert_eq!(json["reading"]["last"], "2026-03-02T21:00:00Z");
    let text = place.succeeds([
        "describe",
        "--time-zone",
        "Asia/Kolkata",
        "--to",
        "2026-03-01T01:00:00Z",
        "a.log",
    ]);
    assert!(text.contains("05:00–06:00 Asia/Kolkata"), "{text}");
}

#[test]
fn a_period_without_requests_states_the_span_of_the_log() {
    let place = Workplace::new();
    three_days(&place);
    place.succeeds(["import", "-o", "a.trace", "a.log"]);
    for input in ["a.log", "a.trace"] {
        Failure::of(place.hotset(["describe", "--from", "2027-01-01", input]))
            .has_code(1)
            .says("2026-03-01T00:00:00Z to 2026-03-03T23:00:00Z")
            .says("--from");
    }
    Failure::of(place.hotset([
        "describe",
        "--from",
        "2026-03-02",
        "--to",
        "2026-03-02",
        "a.log",
    ]))
    .has_code(2);
    Failure::of(place.hotset(["describe", "--from", "yesterday", "a.log"])).has_code(2);
    Failure::of(place.hotset(["describe", "--time-zone", "UTC+2", "a.log"]))
        .has_code(2)
        .says("Europe/Berlin");
}

const HAPROXY: &str = "192.0.2.1:4000 [10/Mar/2026:12:00:00.250] in be/s1 2/0/1/0/3 200 99 - - ---- 1/1/0/0/0 0/0 \
                       \"GET /a HTTP/1.1\"\n";

#[test]
fn times_without_a_zone_are_those_of_the_zone_that_is_named_in_every_command() {
    let place = Workplace::new();
    place.write("a.log", HAPROXY.repeat(30).as_bytes());
    let text = place.succeeds(["describe", "a.log"]);
    let note = "a.log: times that name no zone are read as UTC; --log-time-zone names another zone";
    assert!(text.contains(note), "{text}");
    let zone = ["--log-time-zone", "Europe/Berlin"];
    let commands: [&[&str]; 4] = [
        &["describe", "--json", "a.log"],
        &["plan", "--memory=4KiB", "--json", "a.log"],
        &["simulate", "trace", "--memory=4KiB", "--json", "a.log"],
        &["import", "--json", "-o", "a.trace", "a.log"],
    ];
    for command in commands {
        let json = place.json([command, &zone].concat());
        let reading = if command[0] == "import" {
            &json
        } else {
            &json["reading"]
        };
        assert_eq!(reading["first"], "2026-03-10T11:00:00.25Z", "{command:?}");
        assert_eq!(reading["sources"][0]["assumed_zone"], "Europe/Berlin");
    }
    Failure::of(place.hotset(["describe", "a.trace", "--log-time-zone", "+01:00"]))
        .has_code(2)
        .says("hotset import");
    Failure::of(place.hotset(["describe", "a.log", "--log-time-zone", "CEST"]))
        .has_code(2)
        .says("Europe/Berlin");
}

#[test]
fn a_zone_that_changes_no_time_is_warned_of() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(30).as_bytes());
    let output = place.hotset(["describe", "a.log", "--log-time-zone", "+01:00"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && told.contains("changes nothing"),
        "{told}"
    );
}

#[test]
fn a_cache_scan_shows_times_in_the_zone() {
    let place = Workplace::new();
    three_days(&place);
    let scan = ["simulate", "trace", "--memory", "64KiB", "a.log"];
    let by_importance = &["--sampled", "50%", "--policy", "two-list"];
    for sampled in [&[][..], &["--sampled", "50%"], by_importance] {
        let zone = ["--time-zone", "+02:00"];
        let text = place.succeeds(scan.iter().chain(&zone).chain(sampled));
        assert!(
            text.contains("2026-03-01 02:00:00 to 2026-03-04 01:00:00 UTC+02:00"),
            "{text}"
        );
    }
}

#[test]
fn an_estimate_from_too_few_files_for_the_memory_says_so() {
    let place = Workplace::new();
    let made = [
        "generate", "twin", "nyse", "--scale", "0.01", "-o", "a.trace",
    ];
    place.succeeds(made);
    let estimate = |memory: &str| {
        let sampled = ["--policy", "two-list", "--sampled", "20%", "a.trace"];
        let args = ["simulate", "trace", "--memory", memory];
        let text = place.succeeds(args.iter().chain(&sampled));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let few = "files of a sample with all that they stand for";
    assert!(estimate("32KiB").contains(few));
    assert!(!estimate("1MiB").contains(few));
}
