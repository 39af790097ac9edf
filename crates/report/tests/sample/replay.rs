//! A replay of two sites.

use std::collections::BTreeMap;

use hotset_outcome::{Distribution, Latencies, Outcome, Provenance, ProvenanceKind, Score};
use hotset_replay::SessionCounts;
use hotset_replay::schedule::{Cut, ScheduleSummary, Skipped, StepsBack};
use hotset_report::replay::{
    PageFigures, ReplayPart, ReplaySecond, ReplaySite, ReplaySizeClass, ReplayView, SessionsView,
    TimeSummary,
};
use hotset_trace::read::ReadSummary;

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

pub fn site(name: &str) -> ReplaySite {
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
        files: 1_159,
        operations: None,
        connections: 4_512,
        largest_connection: 31,
        partial: 45,
        span_us: 26_500_000_000,
        asked_span_us: 26_500_000_000,
        longest_connection_us: 95_000_000,
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
        ..super::reading()
    }
}

pub fn report() -> ReplayView {
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
        asked_rate: Some(71.2),
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

/// Sessions of a shop.
pub fn sessions() -> SessionsView {
    let page = |page: &str, count: u64, us: Option<f64>| PageFigures {
        page: page.into(),
        count,
        mean_us: us,
        p95_us: us.map(|us| 3.0 * us),
        errors: 12,
    };
    SessionsView {
        url: "http://127.0.0.1:8080".into(),
        mix: "shopping".into(),
        clients: 64,
        think_mean_us: 7e6,
        is_paced: true,
        total: part(5_000, 8_000.0),
        pages: vec![
            page("home", 3_000, Some(9_000.0)),
            page("best_sellers", 2_000, None),
            page("buy_confirm", 0, None),
        ],
        pages_per_s: 9.1,
        elapsed_seconds: 548.0,
        sessions: SessionCounts {
            begun: 70,
            ended: 60,
            broken: 2,
            links: 4_000,
            forms: 900,
            posts: 90,
            carried: 9_000,
            filled: 1_100,
            without_link: 30,
            back: 0,
        },
        busy_share: 0.01,
        connections: 66,
        reopened_connections: 2,
        timeline: report().timeline,
        provenance: vec![("Made by".into(), "hotset".into())],
        outcomes: vec![outcome()],
        ..SessionsView::default()
    }
}
