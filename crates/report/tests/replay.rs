//! A replay in the terminal, as a page and as JSON.

use crate::sample;

use hotset_outcome::GroupKind;
use hotset_report::replay::{ReplayView, scale_limit};
use hotset_report::{Page, Sheets, Style, View, display_width};
use sample::replay::{report, site};
use serde_json::{Value, json};

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
fn a_name_that_turns_text_around_is_written_out_in_plots_too() {
    let mut report = report();
    let outcome = report.outcomes.remove(0);
    let shop = outcome.of_kind(GroupKind::Site).next().expect("a site");
    let score = shop.score.clone();
    report.outcomes = vec![outcome.with_site("blog\u{202e}gro.example", score)];
    let page = report.page(&[]);
    assert!(!page.contains('\u{202e}'), "{page}");
    assert!(page.contains("blog%E2%80%AEgro.example"), "{page}");
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

#[test]
fn a_scale_that_the_connections_cannot_follow_is_explained() {
    let mut report = report();
    assert_eq!(scale_limit(&report.schedule), None);
    report.schedule.asked_span_us = report.schedule.span_us / 10;
    report.asked_rate = report.schedule.asked_rate();
    report.scale_limit = scale_limit(&report.schedule);
    let why = report
        .scale_limit
        .clone()
        .expect("a tenth of what is asked");
    assert!(
        why.starts_with("3.05/s are asked for and 0.305/s due: ")
            && why.ends_with("the longest connection lasts 95 s"),
        "{why}"
    );
    let text = report.terminal(Style::PLAIN);
    assert!(
        text.lines()
            .next()
            .expect("a headline")
            .contains(" due (3.05/s asked for)"),
        "{text}"
    );
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [words(&text), words(&report.page(&[]))] {
        assert!(text.contains(&why), "{text}");
    }
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
