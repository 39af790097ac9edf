//! A replay in the terminal, as a page and as JSON.

mod sample;

use std::collections::BTreeMap;

use hotset_outcome::{Distribution, Latencies, Outcome, Provenance, ProvenanceKind, Score};
use hotset_replay::schedule::{Cut, ScheduleSummary, Skipped, StepsBack};
use hotset_report::replay::{
    ReplayPart, ReplaySecond, ReplaySite, ReplaySizeClass, ReplayView, TimeSummary,
};
use hotset_report::{Page, Sheets, Style, View, display_width};
use hotset_trace::read::ReadSummary;
use serde_json::{Value, json};

fn times(us: f64) -> TimeSummary {
    TimeSummary {
        mean: Some(1.3 * us),
        p50: Some(us),
        p95: Some(4.0 * us),
        p99: Some(9.0 * us),
        max: Some(30.0 * us),
    }
}

fn part(requests: u64, us: f64) -> ReplayPart {
    ReplayPart {
        requests,
        errors: 12,
        errors_by_kind: BTreeMap::from([("status_4xx".into(), 9), ("reset".into(), 3)]),
        wrong_length: 4,
        bytes: requests * 41_211,
        connect_us: times(us / 3.0),
        first_byte_us: times(us),
        from_intended_us: times(3.0 * us),
        total_us: times(2.0 * us),
        late_first_byte_share: Some(0.0123),
    }
}

fn site(name: &str) -> ReplaySite {
    ReplaySite {
        site: name.into(),
        part: part(4_000, 812.0),
    }
}

fn size_class(class: &str, from_bytes: u64, below_bytes: Option<u64>) -> ReplaySizeClass {
    ReplaySizeClass {
        class: class.into(),
        from_bytes,
        below_bytes,
        part: part(2_000, 912.0),
    }
}

fn scheduled() -> ScheduleSummary {
    ScheduleSummary {
        trace_requests: 10_000,
        requests: 8_083,
        connections: 4_512,
        largest_connection: 31,
        partial: 45,
        span_us: 26_500_000_000,
        first_us: 1_431_857_103_000_000,
        skipped: skipped(),
        steps_back: StepsBack {
            sorted: 9_448,
            largest_us: 59_000_000,
        },
        cut: Cut {
            gaps: 3,
            total_us: 90_000_000,
            longest_us: 50_000_000,
        },
    }
}

fn skipped() -> Skipped {
    Skipped {
        head: 42,
        post: 5,
        not_modified: 1_445,
        ..Skipped::default()
    }
}

fn outcome() -> Outcome {
    let distribution = Distribution {
        count: Some(3),
        mean_us: Some(400.0),
        histogram: vec![(100, 1), (200, 1), (900_000, 1)],
        ..Distribution::default()
    };
    let latencies = Latencies {
        first_byte: Some(distribution.clone()),
        from_intended: Some(distribution),
        ..Latencies::default()
    };
    let score = Score {
        latencies,
        ..Score::default()
    };
    let provenance = Provenance::new(ProvenanceKind::Measured);
    Outcome::new("http://127.0.0.1", provenance, score.clone()).with_site("shop", score)
}

fn reading() -> ReadSummary {
    ReadSummary {
        first: "2015-05-17T10:05:03Z".parse().ok(),
        last: "2015-05-17T17:26:43Z".parse().ok(),
        ..sample::reading()
    }
}

fn report() -> ReplayView {
    let second = |second| ReplaySecond {
        second,
        sent: 100,
        answered: 100 - second,
        errors: second,
        bytes: 1 << 20,
        first_byte_mean_us: (second != 3).then_some(812.0),
        from_intended_max_us: 40_000,
    };
    ReplayView {
        url: "http://127.0.0.1:8080/mirror".into(),
        total: part(8_083, 833.0),
        requested_rate: Some(71.2),
        achieved_rate: 70.9,
        elapsed_seconds: 113.7,
        lateness_us: times(20.0),
        busy_share: 0.04,
        connections: 4_512,
        held_connections: 7,
        reopened_connections: 1,
        sites: vec![site("shop"), site("blog\u{1b}[31m<script>")],
        size_classes: vec![
            size_class("< 1 KiB", 0, Some(1024)),
            size_class("≥ 1 GiB", 1 << 30, None),
        ],
        timeline: (0..5).map(second).collect(),
        schedule: scheduled(),
        skipped: skipped(),
        reading: reading(),
        provenance: vec![("Made by".into(), "hotset".into())],
        outcomes: vec![outcome()],
        ..ReplayView::default()
    }
}

#[test]
fn a_replay_in_the_terminal() {
    insta::assert_snapshot!(report().terminal(Style::PLAIN));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let mut wide = report();
    wide.url = format!("http://www.example.com/{}", "long/".repeat(60));
    wide.sites = (0..300)
        .map(|i| site(&"very-long-name.".repeat(i % 9 + 1)))
        .collect();
    for site in &mut wide.sites {
        site.part.requests = 1_234_567_890;
        site.part.errors = 1_234_567_890;
    }
    for width in [80, 100, 160] {
        let text = wide.terminal(Style {
            width: Some(width),
            ..Style::PLAIN
        });
        for line in text.lines() {
            let columns = display_width(line);
            assert!(columns <= width, "{columns} columns of {width}: {line}");
        }
    }
}

#[test]
fn names_from_a_log_neither_colour_the_terminal_nor_run_on_the_page() {
    let text = report().terminal(Style::PLAIN);
    assert!(
        text.chars().all(|c| c == '\n' || !c.is_control()),
        "{text:?}"
    );
    let page = report().page(&[]);
    assert!(
        !page.contains("<script") && page.contains("&lt;script"),
        "{page}"
    );
}

#[test]
fn how_the_trace_was_read_stands_in_the_terminal_on_the_page_and_in_the_json() {
    let span = "requests from 2015-05-17 10:05:03 to 2015-05-17 17:26:43 UTC (7 h 21 min)";
    for text in [report().terminal(Style::PLAIN), report().page(&[])] {
        for words in [
            span,
            "access.log: Apache combined",
            "6 lines left out: no status",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
    let reading = &json_of(&report())["reading"];
    assert_eq!(reading["first"], "2015-05-17T10:05:03Z");
    assert_eq!(reading["rejected_lines"], report().reading.rejected_lines);
}

#[test]
fn tables_for_spreadsheets_have_every_second_and_every_site() {
    let mut report = report();
    report.sites = (0..300).map(|i| site(&format!("site{i}"))).collect();
    let sheets = report.sheets();
    let names: Vec<&str> = sheets.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["times", "sites", "sizes", "seconds", "errors"]);
    let lines = |index: usize| sheets[index].1.csv().unwrap().lines().count();
    assert_eq!(lines(1), 1 + 300 + 1, "all sites are the last");
    assert_eq!(lines(3), 1 + report.timeline.len());
    let seconds = sheets[3].1.csv().unwrap();
    assert!(
        seconds.starts_with(
            "second,sent,answered,errors,received (bytes),\"first byte, mean (microseconds)\","
        ),
        "{seconds}"
    );
}

#[test]
fn a_replay_that_measured_nothing_is_shown_without_figures() {
    let report = ReplayView {
        interrupted: true,
        ..ReplayView::default()
    };
    let text = report.terminal(Style::PLAIN);
    assert!(
        text.starts_with("0 requests in 0 µs: 0/s answered; no errors; interrupted\n"),
        "{text}"
    );
    for text in [text, report.page(&[])] {
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}

#[test]
fn a_client_that_was_the_limit_is_warned_of_on_the_page() {
    let report = ReplayView {
        client_limit: Some("a thread was busy".into()),
        ..report()
    };
    assert!(
        report
            .page(&[])
            .contains("The client was the limit: a thread was busy")
    );
}

fn json_of(report: &ReplayView) -> Value {
    serde_json::from_str(&report.json().unwrap()).unwrap()
}

#[test]
fn the_json_keeps_the_names_that_were_promised() {
    let json = json_of(&report());
    for key in ["requests", "errors", "requested_rate", "achieved_rate"] {
        assert!(json[key].is_number(), "{key}");
    }
    for times in [
        "first_byte_us",
        "from_intended_us",
        "total_us",
        "connect_us",
        "lateness_us",
    ] {
        for key in ["mean", "p50", "p95", "p99"] {
            assert!(json[times][key].is_number(), "{times}.{key}");
        }
    }
    assert_eq!(json["skipped"]["head"], json!(42));
    assert_eq!(json["provenance"]["Made by"], json!("hotset"));
    assert_eq!(json["errors_by_kind"], json!({"reset": 3, "status_4xx": 9}));
}

#[test]
fn the_figures_of_a_part_stand_beside_its_name() {
    let json = json_of(&report());
    let figures = |part: &Value| {
        (
            part["requests"].clone(),
            part["first_byte_us"]["p50"].clone(),
        )
    };
    assert_eq!(figures(&json["sites"][0]), (json!(4_000), json!(812.0)));
    assert_eq!(
        figures(&json["size_classes"][0]),
        (json!(2_000), json!(912.0))
    );
}
