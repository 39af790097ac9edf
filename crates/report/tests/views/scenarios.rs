//! Simulated scenarios, and sweeps of them.

use super::pin::{pin_page, pin_text};
use super::*;
use hotset_outcome::Timeline;
use hotset_scenario::{ApplicationProfile, PageProfile};

#[test]
fn simulated_scenarios() {
    let score = |per_s: f64, first_byte_us: f64, us: f64| {
        let mut recorder = Recorder::default();
        let mut first_byte = Times::default();
        for step in 1..=40 {
            recorder.record(step % 4 > 0, 20_000, us * f64::from(step) / 20.0);
            first_byte.record(first_byte_us * f64::from(step) / 20.0);
        }
        let mut score = recorder.score();
        score.throughput_per_s = Some(per_s);
        score.latencies.first_byte = Some(first_byte.distribution());
        score
    };
    let resource = |name: &str, utilisation: f64| Resource {
        name: name.to_owned(),
        utilisation: Some(utilisation),
        mean_queue_length: Some(utilisation * 3.0),
        timeline: None,
    };
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.seed = Some(1);
    let mut outcome = Outcome::new("tiers", provenance, score(812.0, 600.0, 1_900.0))
        .with_site("shop", score(700.0, 500.0, 1_500.0))
        .with_site(sample::SCRIPT, score(112.0, 900.0, 4_000.0));
    outcome.resources = vec![
        resource("front processors", 0.21),
        resource("web1 processors", 0.08),
        resource("web1 disk, arm", 0.93),
        resource("web1 link out", 0.4),
    ];
    outcome.links = vec![Link {
        name: "web1".to_owned(),
        sent_bytes: Some(3 << 30),
        received_bytes: Some(1 << 22),
        ..Link::default()
    }];
    let mut view = ScenarioView {
        scenario: "tiers.toml".to_owned(),
        seed: 1,
        seconds: 41.5,
        warm_up_seconds: 90.0,
        replications: 4,
        is_random: true,
        throughput_interval: Some(Interval {
            low: 804.0,
            high: 820.0,
            level: 0.95,
        }),
        p95_interval: Some(Interval {
            low: 3_500.0,
            high: 3_750.0,
            level: 0.95,
        }),
        stable: true,
        bottleneck: Some(Limit {
            kind: LimitKind::Disk,
            name: "web1".to_owned(),
            utilisation: 0.93,
        }),
        still_waiting: 0,
        saturation_per_s: Some(873.0),
        caches: vec![CacheFigures {
            node: "web1".to_owned(),
            kind: "page-cache".to_owned(),
            hit_ratio: Some(0.75),
            byte_hit_ratio: Some(0.75),
        }],
        calls: Vec::new(),
        pages: Vec::new(),
        advice: vec!["The disk of web1 is busy 93.0 % of the time and saturates first.".to_owned()],
        targets: vec![SimulatedTarget {
            site: "shop".to_owned(),
            target: "p99 < 2 ms".to_owned(),
            below_us: 2_000.0,
            simulated_us: Some(2_925.0),
            is_met: false,
        }],
        not_modelled: vec![
            "node.front.cache".to_owned(),
            "site.shop.reservation".to_owned(),
        ],
        assumed: vec!["Connections are kept and cost nothing.".to_owned()],
        outcomes: vec![outcome],
    };
    pin_text("simulate-scenario", &view);
    view.stable = false;
    view.not_modelled.clear();
    view.targets.clear();
    view.replications = 1;
    view.is_random = false;
    (view.throughput_interval, view.p95_interval) = (None, None);
    view.outcomes[0].groups.truncate(1);
    view.outcomes[0].links.clear();
    pin_text("simulate-scenario-unstable", &view);
    let over_time = |requests: [u64; 2], busy: [f64; 2]| Timeline {
        seconds: vec![1.0, 2.0],
        requests: requests.into(),
        errors: vec![0, 3],
        utilisation: busy.into(),
        ..Timeline::default()
    };
    let outcome = &mut view.outcomes[0];
    outcome.total.errors = Some(3);
    outcome.total.timeline = Some(over_time([10, 0], [0.0; 2]));
    for (at, busy) in [(0, [0.11, 0.0]), (1, [0.22, 0.0]), (2, [0.77, 0.0])] {
        outcome.resources[at].timeline = Some(over_time([0; 2], busy));
    }
    let shown = view.terminal(Style::PLAIN);
    let row = shown.lines().find(|line| line.contains("77.0 %"));
    let row = row.expect("what was busy in the first second");
    assert!(row.contains("22.0 %"), "{shown}");
    assert!(!row.contains("11.0 %"), "{shown}");
}

#[test]
fn what_pages_of_an_application_take() {
    let pages = ApplicationProfile {
        source: "experiment page-costs, measured 2026-11-27".to_owned(),
        pages: vec![PageProfile {
            name: sample::SCRIPT.to_owned(),
            web_us: 80.0,
            application_us: 220.0,
            database_us: 8_500.0,
            page_reads: 12.5,
            log_flushes: 1.4,
            ..PageProfile::default()
        }],
        ..ApplicationProfile::default()
    };
    pin_text(
        "experiment-application-profile",
        &ApplicationProfileView::of("hotset".to_owned(), &pages),
    );
}

/// Pages of an application have a table of their own.
#[test]
fn visited_pages_are_shown_with_their_times() {
    let page = |name: &str, count: u64| VisitedPage {
        page: name.to_owned(),
        count,
        mean_us: Some(12_000.0),
        p95_us: Some(40_000.0),
    };
    let view = ScenarioView {
        scenario: "shop.toml".to_owned(),
        seed: 0,
        seconds: 100.0,
        warm_up_seconds: 50.0,
        replications: 1,
        is_random: true,
        throughput_interval: None,
        p95_interval: None,
        stable: true,
        bottleneck: None,
        still_waiting: 0,
        saturation_per_s: None,
        caches: Vec::new(),
        calls: Vec::new(),
        pages: vec![page(sample::SCRIPT, 20), page("never", 0)],
        advice: Vec::new(),
        targets: Vec::new(),
        not_modelled: Vec::new(),
        assumed: Vec::new(),
        outcomes: Vec::new(),
    };
    let shown = view.terminal(Style::PLAIN);
    assert!(shown.contains("\nPages\n"), "{shown}");
    assert!(!shown.contains("never"), "{shown}");
}

/// A sweep of memory and of file systems, with two sites.
fn sweep() -> SweepView {
    let memories = ["256MiB", "512MiB", "1GiB", "2GiB"];
    let kinds = ["ext4", sample::SCRIPT];
    let site = |name: Option<&str>, us: f64| SiteFigures {
        site: name.map(str::to_owned),
        throughput_per_s: Some(4e6 / us),
        mean_us: Some(us),
        p50_us: Some(us / 4.0),
        p95_us: Some(us * 3.0),
        p99_us: None,
        first_byte_p95_us: Some(us),
        hit_ratio: Some(1.0 - us / 1e5),
        errors: None,
    };
    let point = |at: usize| {
        let us = 40_000.0 / (1.0 + (at / 2) as f64).powi(2) + 100.0 * (at % 2) as f64;
        SweepPoint {
            places: vec![at / 2, at % 2],
            figures: PointFigures {
                sites: vec![
                    site(Some("shop"), us / 2.0),
                    site(Some(sample::SCRIPT), us * 2.0),
                    site(None, us),
                ],
                bottleneck: Some("disk web1".to_owned()),
                stable: at > 0,
                still_waiting: 0,
                not_modelled: Vec::new(),
            },
        }
    };
    let all: Vec<SweepPoint> = (0..8).map(point).collect();
    let chosen = |at: usize, of: usize| ChosenPoint {
        point: at as u64,
        set: [
            ("node.web1.memory".to_owned(), memories[at / 2].to_owned()),
            ("store.disk.kind".to_owned(), kinds[at % 2].to_owned()),
        ]
        .into(),
        figures: all[at].figures.sites[of].clone(),
        bottleneck: Some("disk web1".to_owned()),
    };
    SweepView {
        scenario: "tiers.toml".to_owned(),
        by: SweepBy::Simulate,
        seed: 1,
        points: 8,
        done: 8,
        varied: vec![
            VariedKey {
                path: "node.web1.memory".to_owned(),
                unit: Some(FigureUnit::Bytes),
                values: memories.map(str::to_owned).into(),
                figures: [28, 29, 30, 31].map(|it| f64::from(1u32 << it)).into(),
            },
            VariedKey {
                path: "store.disk.kind".to_owned(),
                unit: None,
                values: kinds.map(str::to_owned).into(),
                figures: Vec::new(),
            },
        ],
        minimised: "node.web1.memory".to_owned(),
        targets: Vec::new(),
        meeting: 8,
        table: Some("a.parquet".to_owned()),
        best: Some(chosen(6, 2)),
        knee: Some(chosen(2, 2)),
        best_of_sites: vec![chosen(6, 0), chosen(6, 1)],
        failing: 0,
        unstable: 1,
        not_modelled: vec!["store.disk.kind".to_owned(), "node.front.cache".to_owned()],
        all,
    }
}

#[test]
fn sweeps() {
    let mut view = sweep();
    pin_text("sweep", &view);
    pin_page("sweep", &view);
    (view.best, view.knee, view.meeting) = (None, None, 0);
    view.best_of_sites.clear();
    view.targets = vec!["shop: p99 < 20 ms".to_owned()];
    pin_text("sweep-without-a-best", &view);
}

/// Means are of requests that did not fail, so a point where some do is none to choose.
#[test]
fn sweeps_show_where_requests_fail() {
    let mut view = sweep();
    view.failing = 1;
    view.all[7].figures.sites[2].errors = Some(31_400);
    assert!(view.all[7].figures.fails() && !view.all[6].figures.fails());
    let shown = view.terminal(Style::PLAIN);
    assert!(
        shown.contains("failed") && shown.contains("31,400"),
        "{shown}"
    );
    assert!(shown.contains("At 1 point requests fail"), "{shown}");
    assert!(
        !sweep().terminal(Style::PLAIN).contains("failed"),
        "{shown}"
    );
}

/// A calculation gives no percentiles, and says what it is.
#[test]
fn sweeps_by_formulas_show_means_alone() {
    let mut view = sweep();
    view.by = SweepBy::Model;
    let sites = view.all.iter_mut().flat_map(|it| &mut it.figures.sites);
    for site in sites {
        (site.p50_us, site.p95_us, site.first_byte_p95_us) = (None, None, None);
    }
    let shown = view.terminal(Style::PLAIN);
    assert!(
        shown.starts_with("tiers.toml at 8 points, by formulas: "),
        "{shown}"
    );
    assert!(shown.contains("The calculation does not follow"), "{shown}");
    assert!(!shown.contains("p95") && !shown.contains("p99"), "{shown}");
}
