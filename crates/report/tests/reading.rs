//! Nothing is dropped silently: what was left out of the figures is said, by reason.

use crate::sample;

use crate::sample::{DescriptionSample, Sample};
use hotset_report::{Page, Style, View};
use hotset_trace::LeftOut;
use hotset_trace::read::{NotFiles, ReadSummary, SourceSummary};
use serde_json::json;

/// A log with one line rejected for `reason`.
fn source(file: &str, reason: &str) -> SourceSummary {
    serde_json::from_value(json!({
        "file": file, "format": "combined", "why": "named so", "site": null, "lines": 10, "requests": 9,
        "without_request": 0, "rejected_lines": 1,
        "rejected": [{ "reason": reason, "count": 1, "examples": [{ "line": 7, "text": "no log line" }] }],
        "steps_back": { "count": 0, "largest_us": 0 },
    }))
    .unwrap()
}

fn described(reading: ReadSummary) -> String {
    let sample = DescriptionSample {
        reading,
        ..DescriptionSample::new()
    };
    sample.view().terminal(Style::PLAIN)
}

#[test]
fn rejected_lines_of_many_logs_are_shown_once_a_reason() {
    let logs = (0..50).map(|i| source(&format!("{i}.log"), "no status"));
    let text = described(ReadSummary {
        sources: logs.chain([source("last.log", "no time")]).collect(),
        ..ReadSummary::default()
    });
    let shown = "
50 lines left out: no status
  0.log:7: no log line
  1.log:7: no log line
  2.log:7: no log line
1 line left out: no time
  last.log:7: no log line
";
    assert!(text.contains(shown), "{text}");
    assert_eq!(text.matches("left out").count(), 2, "{text}");
}

fn counted() -> ReadSummary {
    ReadSummary {
        not_files: NotFiles {
            other_status: 1_203,
            query: 4,
            ..NotFiles::default()
        },
        dropped_with_parameters: 1,
        without_request: 2,
        ..ReadSummary::default()
    }
}

#[test]
fn requests_that_are_not_for_a_file_are_counted_by_reason_wherever_files_are() {
    let line = "1,207 requests not for a file: 1,203 with a status other than 200, 206 and 304, 4 with a query";
    let description = DescriptionSample {
        reading: counted(),
        ..DescriptionSample::new()
    };
    let plan = Sample {
        reading: counted(),
        ..Sample::new()
    };
    for text in [
        description.view().terminal(Style::PLAIN),
        plan.view().terminal(Style::PLAIN),
        description.view().page(&sample::provenance()),
        plan.view().page(&sample::provenance()),
    ] {
        assert!(text.contains(line), "{text}");
        assert!(text.contains("2 lines without a request"), "{text}");
        assert!(text.contains("1 request with a query left out"), "{text}");
    }
}

#[test]
fn what_did_not_happen_is_not_mentioned() {
    let text = described(ReadSummary::default());
    let after_the_headline = text.lines().nth(1);
    assert_eq!(after_the_headline, Some(""), "{text}");
}

#[test]
fn the_time_of_the_requests_stands_before_all_other_notes_in_the_zone_asked_for() {
    let mut sample = DescriptionSample {
        reading: ReadSummary {
            first: Some("2026-02-28T23:00:00Z".parse().unwrap()),
            last: Some("2026-03-01T22:59:59Z".parse().unwrap()),
            ..ReadSummary::default()
        },
        ..DescriptionSample::new()
    };
    sample.description.time_zone = "Europe/Berlin".parse().unwrap();
    let span =
        "requests from 2026-03-01 00:00:00 to 2026-03-01 23:59:59 Europe/Berlin (23 h 59 min)";
    let text = sample.view().terminal(Style::PLAIN);
    assert_eq!(text.lines().nth(1), Some(span), "{text}");
    let page = sample.view().page(&sample::provenance());
    assert!(page.contains(span));
    assert!(page.contains("time (Europe/Berlin)") && page.contains("hour of day (Europe/Berlin)"));
}

#[test]
fn requests_outside_the_period_and_twins_are_told() {
    let twin = SourceSummary {
        same_as: Some("a.log".into()),
        ..source("a.log.gz", "no status")
    };
    let text = described(ReadSummary {
        sources: vec![twin],
        period: Some(LeftOut {
            from: Some("2026-03-01T00:00:00Z".parse().unwrap()),
            before: 12_345,
            after: 1,
            to: Some("2026-04-01T00:00:00Z".parse().unwrap()),
            without_time: 0,
        }),
        ..ReadSummary::default()
    });
    let left_out = "12,345 requests before 2026-03-01 00:00:00 and 1 request at or after 2026-04-01 00:00:00 left out";
    assert!(text.replace('\n', " ").contains(left_out), "{text}");
    assert!(
        text.contains("a.log.gz: not counted, it holds the same as a.log"),
        "{text}"
    );
}

#[test]
fn answers_304_of_files_not_read_before_are_checks_and_not_requests_for_no_file() {
    let text = described(ReadSummary {
        not_files: NotFiles {
            not_read_before: 7,
            query: 2,
            ..NotFiles::default()
        },
        ..ReadSummary::default()
    });
    assert!(
        text.contains("2 requests not for a file: 2 with a query\n"),
        "{text}"
    );
    assert!(
        text.contains("7 requests HEAD or answered 304 (not modified)"),
        "{text}"
    );
}

#[test]
fn many_rejected_lines_are_a_warning_of_their_own() {
    let many = |rejected_lines| {
        described(ReadSummary {
            lines: 100,
            rejected_lines,
            ..ReadSummary::default()
        })
    };
    assert!(many(36).contains("36.0 % of the lines could not be read"));
    assert!(!many(10).contains("could not be read"));
}
