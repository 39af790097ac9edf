//! Every view as it is shown: in the terminal, as JSON, as a page and as tables for spreadsheets.

mod nets;
mod pin;
mod scenarios;

use crate::sample::{self, DescriptionSample, Sample, experiments, live, replay, storage};
use hotset_describe::zipf::NoZipf;
use hotset_live::{PlacerKind, ServerKind};
use hotset_models::files::{ClientResult, FilesResult};
use hotset_models::remote::BothWays;
use hotset_outcome::{
    Bootstrap, Group, GroupKey, GroupKind, Interval, Link, Outcome, Provenance, ProvenanceKind,
    Recorder, Resource, Times, compare,
};
use hotset_plan::{Arm, ClosedLoop, GroupSize, HeldAmount, Lever, TargetResult};
use hotset_probe::Findings;
use hotset_replay::ConformingConnections;
use hotset_replay::schedule::Operations;
use hotset_report::replay::{ReplayView, SessionsView};
use hotset_report::*;
use hotset_scenario::{FigureUnit, ServerCosts, ServerProfile};
use hotset_trace::Zone;
use hotset_trace::read::ReadSummary;
use pin::{pin, pin_page, pin_sheets, pin_text, readable};
use serde_json::json;
use std::path::Path;

#[test]
fn plans() {
    let pin_plan = |name: &str, sample: &Sample| {
        let view = sample.view();
        pin_text(name, &view);
        pin_page(name, &view);
        pin_sheets(name, &view);
    };
    pin_plan("plan", &Sample::new());
    pin_plan("plan-of-nodes", &full_plan());
    let mut given_up = Sample::new();
    given_up.plan.given_up = Some(std::mem::take(&mut given_up.plan.held));
    given_up.plan.sites.truncate(1);
    given_up.plan.sites[0].held_objects = 0;
    given_up.placement.files.clear();
    given_up.advice.clear();
    given_up.plan.total.held_out[Arm::Plan] = sample::score(0.7, 3_200.0, Some(-0.032));
    given_up.previous = Some(sample::placement());
    pin_plan("plan-given-up", &given_up);
    let mut without_size = Sample::new();
    let gain = without_size.plan.curve.first().cloned();
    let plan = &without_size.plan;
    without_size.proposal = Some(plan.proposal(None, 48 << 20, gain.as_ref()));
    pin_plan("plan-without-a-size", &without_size);
    without_size.plan.held = HeldAmount::default();
    without_size.placement.files.clear();
    pin(
        "plan-of-what-fits",
        "terminal",
        &without_size.view().terminal(Style::PLAIN),
    );
    let mut many = Sample::new();
    many.plan.sites = vec![many.plan.sites[0].clone(); 230];
    many.plan.bound.value_us = 1e7;
    many.plan.page_cache_floor_bytes = many.plan.page_cache_bytes;
    let view = many.view();
    pin(
        "plan-of-many-sites",
        "terminal",
        &view.terminal(Style::PLAIN),
    );
    let page = readable(&view.page(&sample::provenance()));
    let notable = |line: &&str| {
        line.starts_with("<p>") || line.starts_with("<caption>") || line.contains(" more")
    };
    pin(
        "plan-of-many-sites",
        "page",
        &page
            .lines()
            .filter(notable)
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    );
}

/// All that may be said of a plan: nodes, groups, targets, weights, setbacks, changes, timings.
fn full_plan() -> Sample {
    let mut sample = Sample::of_two_nodes();
    let group = |memory_bytes| GroupSize {
        memory_bytes,
        floor_bytes: 1 << 20,
    };
    let plan = &mut sample.plan;
    plan.lever = Lever::GroupsAndFiles;
    plan.nodes[0].groups = vec![group(16 << 20), group(8 << 20)];
    plan.rejected = Some(sample::rejected());
    plan.sites[0].weight = 10.0;
    plan.sites[0].closed_loop = Some(ClosedLoop {
        logged_share: 0.68,
        share: 0.73,
        mean_us: 812.0,
    });
    let target = |is_met, needed_bytes| TargetResult {
        target: "p99 < 20ms".to_owned(),
        below_us: 20_000.0,
        page_cache_us: Some(31_000.0),
        plan_us: Some(19_000.0),
        is_met,
        needed_bytes,
    };
    plan.sites[0].targets = vec![target(true, None), target(false, Some(40 << 20))];
    plan.sites[1].targets = vec![target(false, None)];
    plan.sites[1].training_accesses = 0;
    plan.sites[1].held_out[Arm::Plan] = sample::score(0.7, 3_400.0, Some(-0.061));
    plan.curve[1].setbacks = vec![sample::setback()];
    *plan.total.held_out.arms.entry(Arm::Reservations) =
        Some(sample::score(0.7, 3_000.0, Some(0.01)));
    *plan.total.held_out.arms.entry(Arm::Groups) = Some(sample::score(0.71, 2_900.0, Some(0.02)));
    *plan.total.held_out.arms.entry(Arm::GroupsAndFiles) =
        Some(sample::score(0.72, 2_800.0, Some(0.03)));
    let mut previous = sample.placement.clone();
    previous.files.drain(..2);
    previous.files[0].path = "/old.html".into();
    sample.previous = Some(previous);
    sample
}

#[test]
fn descriptions() {
    let pin_description = |name: &str, sample: &DescriptionSample| {
        let view = sample.view();
        pin_text(name, &view);
        pin_page(name, &view);
        pin_sheets(name, &view);
    };
    pin_description("description", &DescriptionSample::new());
    let mut merged = DescriptionSample::new();
    merged.description.left_out = vec!["miss_ratio_curve".into(), "not_found".into()];
    merged.description.total.zipf = None;
    merged.description.total.zipf_missing_because = Some(NoZipf::SeveralPopulations);
    merged.description.total.not_found.count_error = 0;
    merged.description.total.not_found.paths.clear();
    merged.description.lists = Default::default();
    for site in &mut merged.description.sites {
        site.zipf = None;
        site.clients = None;
        site.object_size_bytes = None;
    }
    let site = merged.description.sites[0].clone();
    merged.description.sites.extend(vec![site; 210]);
    pin_description("description-merged", &merged);
}

fn comparison(name: &str, outcomes: &[Outcome]) {
    let side_by_side = compare(outcomes, &Bootstrap::seeded(1)).unwrap();
    let view = ComparisonView {
        side_by_side: &side_by_side,
        outcomes,
    };
    pin_text(name, &view);
    pin_page(name, &view);
    pin_sheets(name, &view);
}

#[test]
fn comparisons() {
    let mut other = sample::outcome();
    other.name = sample::SCRIPT.to_owned();
    let mut third = replay::report().outcomes.remove(0);
    let score = third.total.clone();
    third = third.with_site("blog.example.org", score);
    third.resources = vec![Resource {
        name: "disk".to_owned(),
        utilisation: Some(0.7),
        mean_queue_length: Some(1.3),
        timeline: None,
    }];
    third.links = vec![Link {
        name: "web1".to_owned(),
        sent_bytes: Some(1 << 30),
        ..Link::default()
    }];
    comparison("comparison", &[sample::outcome(), other, third]);
    let quoted = |name: &str, us: f64| {
        let mut outcome = sample::outcome();
        outcome.name = name.to_owned();
        outcome.total = Default::default();
        outcome.groups.clear();
        let score = hotset_outcome::Score {
            throughput_per_s: Some(us),
            ..Default::default()
        };
        outcome.groups = ["4K", "64K"]
            .map(|size| Group {
                key: GroupKey {
                    kind: GroupKind::Size,
                    name: size.to_owned(),
                    operation: None,
                },
                score: score.clone(),
            })
            .into();
        outcome
    };
    comparison(
        "comparison-of-groups",
        &[quoted("table 2", 10.0), quoted("table 3", 20.0)],
    );
}

#[test]
fn replays() {
    let pin_replay = |name: &str, report: &ReplayView| {
        pin_text(name, report);
        pin_page(name, report);
        pin_sheets(name, report);
    };
    pin_replay("replay", &replay::report());
    let mut limited = replay::report();
    limited.client_limit = Some("a thread was busy".to_owned());
    limited.ramp_us = 5e6;
    limited.interrupted = true;
    limited.unfinished = 3;
    limited.requested_rate = None;
    limited.total.errors = 0;
    limited.sites.truncate(1);
    limited.size_classes.truncate(1);
    limited.schedule.operations = Some(Operations {
        static_gets: 5_658,
        dynamic_gets: 2_037,
        posts: 388,
    });
    limited.conforming = ConformingConnections::of(&[38_500.0, 49_000.0, 50_000.0]);
    pin_replay("replay-limited", &limited);
}

#[test]
fn sessions() {
    let pin_sessions = |name: &str, report: &SessionsView| {
        pin_text(name, report);
        pin_page(name, report);
        pin_sheets(name, report);
    };
    let mut report = replay::sessions();
    pin_sessions("sessions", &report);
    report.is_paced = false;
    report.think_mean_us = 0.0;
    report.interrupted = true;
    report.total.errors = 0;
    (report.sessions.broken, report.sessions.without_link) = (0, 0);
    pin_sessions("sessions-at-full-speed", &report);
}

fn samples() -> Samples {
    Samples {
        file_share: 0.01,
        samples: 5,
        seed: 7,
        drawn_by: DrawnBy::Importance,
        access_share: Some(0.012),
        files_held: Some(1.5),
    }
}

fn interval(low: f64, high: f64) -> Interval {
    Interval {
        low,
        high,
        level: 0.95,
    }
}

#[test]
fn traces_through_caches() {
    let mut scan = CacheScanView {
        policy: "sieve".to_owned(),
        unit: "pages".to_owned(),
        memory_bytes: 64 << 20,
        backing: "hdd".to_owned(),
        requests: 10_000,
        hits: 7_344,
        hit_ratio: 0.7344,
        byte_hit_ratio: 0.41,
        mean_us: 3_211.4,
        reading: sample::reading(),
        time_zone: Zone::UTC,
        outcomes: vec![sample::outcome()],
    };
    pin_text("simulate-trace", &scan);
    pin_page("simulate-trace", &scan);
    scan.outcomes.clear();
    pin_page("simulate-trace-without-outcomes", &scan);
    let point = |memory_bytes, hit_ratio| SampledPoint {
        memory_bytes,
        hit_ratio,
        hit_ratio_interval: interval(hit_ratio - 0.1, hit_ratio + 0.1),
    };
    pin_text(
        "simulate-trace-sampled",
        &SampledScanView {
            policy: "lru".to_owned(),
            unit: "pages".to_owned(),
            memory_bytes: 64 << 20,
            requests: 10_000,
            hit_ratio: 0.7344,
            hit_ratio_interval: interval(0.71, 0.75),
            sampled: Samples {
                drawn_by: DrawnBy::Hash,
                access_share: None,
                files_held: None,
                ..samples()
            },
            curve: vec![point(32 << 20, 0.6), point(64 << 20, 0.7344)],
            reading: sample::reading(),
            time_zone: Zone::UTC,
        },
    );
    pin_text(
        "simulate-trace-estimated",
        &EstimatedScanView {
            policy: "lru".to_owned(),
            unit: "pages".to_owned(),
            memory_bytes: 64 << 20,
            backing: "hdd".to_owned(),
            requests: 10_000,
            hit_ratio: 0.7344,
            hit_ratio_interval: interval(0.71, 0.75),
            byte_hit_ratio: 0.4,
            byte_hit_ratio_interval: interval(0.3, 0.5),
            mean_us: 3_211.4,
            mean_us_interval: interval(3_000.0, 3_400.0),
            sampled: samples(),
            reading: sample::reading(),
            time_zone: Zone::UTC,
        },
    );
}

#[test]
fn jobs_of_fio() {
    let (profile, file) = (experiments::profile(), experiments::jobs());
    let results = experiments::simulated(Some(4 << 20));
    let pin_jobs = |name: &str, profile, jobs, results, memory_bytes| {
        let view = FioView {
            profile,
            memory_bytes,
            server: None,
            seed: 7,
            jobs,
            results,
        };
        pin_text(name, &view);
    };
    pin_jobs(
        "simulate-fio",
        &profile,
        &file.jobs,
        &results,
        Some(4 << 20),
    );
    let mut profile = profile.clone();
    if let Some(spec) = &mut profile.file_system {
        spec.kind = "nfs".to_owned();
    }
    let mut uncounted = results.clone();
    uncounted[1].outcome.total = Default::default();
    pin_jobs(
        "simulate-fio-uncounted",
        &profile,
        &file.jobs,
        &uncounted,
        None,
    );
    let plain = experiments::profile();
    let (file, results) = experiments::writing();
    pin_jobs("simulate-fio-writing", &plain, &file.jobs, &results, None);
    let (file, results) = experiments::logged();
    pin_jobs("simulate-fio-of-a-log", &plain, &file.jobs, &results, None);
}

#[test]
fn jobs_of_fio_on_file_servers() {
    let (profile, (file, results)) = (experiments::profile(), experiments::remote());
    let not_modelled = ["link.file1.loss".to_owned()];
    let view = FioView {
        profile: &profile,
        memory_bytes: Some(64 << 20),
        server: Some(FileServerView {
            store: "shared",
            kind: "nfs4",
            client: "web1",
            clients: 2,
            server: "file1",
            read_bytes: 1 << 20,
            write_bytes: 1 << 20,
            server_memory_bytes: 64 << 20,
            are_costs_measured: false,
            not_modelled: &not_modelled,
            striping: None,
            cluster: None,
        }),
        seed: 7,
        jobs: &file.jobs,
        results: &results,
    };
    pin_text("simulate-fio-on-a-file-server", &view);
}

#[test]
fn works_on_file_servers() {
    let client = |name: &str, calls: &[(&'static str, u64)], asked_pages| ClientResult {
        name: name.to_owned(),
        calls: calls.iter().copied().collect(),
        link_bytes: BothWays {
            sent: 1_836,
            received: 14_092,
        },
        link_packets: BothWays {
            sent: 15,
            received: 14,
        },
        asked_pages,
        found_pages: asked_pages / 2,
    };
    let calls = [("access", 2), ("close", 4), ("open", 4), ("read", 4)];
    let result = FilesResult {
        seconds: 4.002,
        clients: vec![
            client("web1", &calls, 8),
            client("we\u{7}b2", &[("write", 1)], 0),
        ],
    };
    let view = FilesView {
        store: "shared",
        kind: "nfs4",
        read_bytes: Some(131_072),
        write_bytes: Some(131_072),
        not_modelled: &[],
        result: &result,
    };
    pin_text("simulate-files", &view);
}

#[test]
fn held_files() {
    let folder = Path::new("/var/lib/hotset/state");
    let lines = "location / {\n    root \"/var/lib/hotset/state/copies/shop\";\n}\n";
    let lines = Lookup {
        lines: Some((ServerKind::Nginx, lines.to_owned())),
    };
    let no_lines = Lookup { lines: None };
    for (name, charge, lookup) in [
        ("apply", json!(null), None),
        ("apply-charged-elsewhere", live::charge(false), None),
        ("apply-of-files-in-memory", live::charge(true), None),
        ("apply-to-a-hot-root", json!(null), Some(&lines)),
        (
            "apply-to-a-hot-root-of-some-server",
            json!(null),
            Some(&no_lines),
        ),
    ] {
        let mut state = live::state(charge);
        state.folders = live::folders();
        pin_text(
            name,
            &AppliedView {
                state: &state,
                folder,
                lookup,
            },
        );
    }
    let preview = live::preview();
    pin_text(
        "preview",
        &PreviewView {
            preview: &preview,
            placer: PlacerKind::Bind,
        },
    );
    let clean = live::clean_teardown();
    for (name, had_state, teardown) in [
        ("release", true, &live::teardown()),
        ("release-of-nothing", true, &clean),
        ("release-without-state", false, &clean),
    ] {
        pin_text(
            name,
            &ReleasedView {
                folder,
                had_state,
                teardown,
            },
        );
    }
}

#[test]
fn statuses() {
    for (name, status, published) in [
        ("status", live::status(0), None),
        (
            "status-degraded",
            live::status(12),
            Some(live::published(false, true)),
        ),
        ("status-placing", live::nothing(true), None),
        ("status-released", live::nothing(false), None),
        ("status-left-out", live::all_left_out(), None),
    ] {
        pin_text(
            name,
            &StatusView {
                status: &status,
                daemon: published.as_ref(),
            },
        );
    }
    for (name, has_read) in [("run", true), ("run-without-reads", false)] {
        let (status, published) = (live::status(1), live::published(true, has_read));
        let status = StatusView {
            status: &status,
            daemon: Some(&published),
        };
        let pid = format!("\"pid\": {}", std::process::id());
        pin(name, "terminal", &status.terminal(Style::PLAIN));
        pin(
            name,
            "json",
            &status.json().unwrap().replace(&pid, "\"pid\": 0"),
        );
        let view = RunView {
            status,
            daemon: &published,
            available_bytes: 3 << 30,
            total_bytes: 8 << 30,
        };
        pin(name, "page", &readable(&view.page(&sample::provenance())));
        let metrics = view.metrics().unwrap();
        let mut metrics: Vec<&str> = metrics.lines().collect();
        metrics.sort_unstable();
        pin(name, "metrics", &metrics.join("\n"));
    }
}

#[test]
fn labs_and_demonstrations() {
    pin_text("lab-up", &LabView(live::inventory()));
    let played = |left| PlayedView {
        tag: "hs1".to_owned(),
        events: vec![live::event()],
        left,
    };
    pin_text("lab-play", &played(0));
    pin_text("lab-play-ended", &played(3));
    pin_text(
        "lab-down",
        &TeardownView {
            tag: "hs1".to_owned(),
            teardown: live::teardown(),
        },
    );
    pin_text(
        "lab-down-clean",
        &TeardownView {
            tag: "hs1".to_owned(),
            teardown: live::clean_teardown(),
        },
    );
    let lab = |tag: &str, inventory| StandingLab {
        tag: tag.to_owned(),
        since: "2026-11-24T09:00:12Z".to_owned(),
        inventory,
    };
    let tool = "hotset 0.1.0".to_owned();
    let data_centres = vec![lab("hs1", Some(live::inventory())), lab("hs0", None)];
    pin_text(
        "lab-list",
        &LabsView {
            tool: tool.clone(),
            data_centres,
        },
    );
    let data_centres = Vec::new();
    pin_text("lab-list-none", &LabsView { tool, data_centres });
    for (name, left_out) in [("demo", 0), ("demo-left-out", 2)] {
        let demonstration = live::demonstration(left_out);
        pin(
            name,
            "terminal",
            &DemonstrationView(&demonstration)
                .document()
                .terminal(Style::PLAIN),
        );
    }
}

#[test]
fn experiments_and_their_points() {
    let tool = "hotset 0.1.0".to_owned();
    pin_text(
        "experiment-points",
        &PointsView {
            tool: tool.clone(),
            points: experiments::items(),
        },
    );
    pin_text(
        "experiments",
        &ExperimentsView {
            tool: tool.clone(),
            experiments: experiments::entries(),
        },
    );
    let profile = ServerProfile {
        source: "experiment server-costs, measured 2026-11-26".to_owned(),
        nginx: Some(ServerCosts {
            request_us: 19.9,
            ns_per_byte: 0.25,
            connection_us: 31.0,
        }),
        ..ServerProfile::default()
    };
    pin_text(
        "experiment-server-profile",
        &ServerProfileView::of(tool.clone(), &profile),
    );
    let mut scores = ExperimentScoresView {
        tool: tool.clone(),
        scores: experiments::scores(),
    };
    pin_text("experiment-scores", &scores);
    scores.scores.scores.clear();
    pin(
        "experiment-scores-without-results",
        "terminal",
        &scores.terminal(Style::PLAIN),
    );
    let mut report = experiments::report();
    pin_text(
        "experiment",
        &ExperimentView {
            tool: tool.clone(),
            report: report.clone(),
        },
    );
    report.points.clear();
    pin(
        "experiment-without-results",
        "terminal",
        &ExperimentView { tool, report }.terminal(Style::PLAIN),
    );
}

#[test]
fn validations() {
    let mut validated = experiments::validated();
    pin_text(
        "validate",
        &ValidationView {
            validated: &validated,
        },
    );
    validated.device.clear();
    validated.mount = Some("nfs4".to_owned());
    pin_text(
        "validate-on-a-mount",
        &ValidationView {
            validated: &validated,
        },
    );
    validated.mount = None;
    validated.cells.clear();
    validated.hits.clear();
    validated.unplaced = None;
    pin_text(
        "validate-without-reads",
        &ValidationView {
            validated: &validated,
        },
    );
}

#[test]
fn probes() {
    let pin_probe = |name: &str, findings: &Findings| {
        let profile = findings.profile();
        pin_text(
            name,
            &ProbeView {
                findings,
                profile: profile.as_ref(),
            },
        );
    };
    pin_probe("probe", &storage::findings(true));
    pin_probe("probe-of-an-unknown-file-system", &storage::findings(false));
    pin_probe("probe-of-a-mount", &storage::findings_of_a_mount());
}

#[test]
fn what_was_generated_and_imported() {
    let generated = |folder: Option<&str>| WorkloadView {
        requests: 10,
        accesses: 9,
        objects: 3,
        object_bytes: 300,
        sites: vec!["one".to_owned(), "two".to_owned()],
        seed: 7,
        trace: Some("one.trace".to_owned()),
        files: folder.map(str::to_owned),
        log: folder.map(str::to_owned),
    };
    pin_text("generate", &generated(None));
    pin_text("generate-with-files", &generated(Some("folder")));
    pin_text("generate-database", &sample::database());
    let reading = sample::reading();
    let sites = ["one".to_owned(), "two".to_owned()];
    for (name, seed, paths) in [
        ("generate-tree", Some(7), 5),
        ("generate-tree-sparse", None, 3),
    ] {
        let tree = FileTreeView {
            requests: 9,
            paths,
            objects: 3,
            object_bytes: 300,
            sites: &sites,
            seed,
            files: "www".to_owned(),
            reading: &reading,
            zone: &Zone::UTC,
        };
        pin_text(name, &tree);
    }
    let manifest = json!({
        "format": "hotset trace", "version": 1, "requests": 9, "accesses": 8, "objects": 3, "clients": 2,
        "connections": 4, "sites": ["shop"], "origin": "timed", "provenance": {},
    });
    for (name, reading) in [
        ("import", full_reading()),
        ("import-of-nothing", ReadSummary::default()),
    ] {
        pin_text(
            name,
            &ImportView {
                folder: "one.trace",
                manifest: &serde_json::from_value(manifest.clone()).unwrap(),
                reading: &reading,
                zone: &Zone::UTC,
                seed: Some(7),
                usage: ResourceUsage {
                    peak_memory_bytes: Some(1 << 20),
                    timings_seconds: vec![("import".into(), 0.5)],
                },
            },
        );
    }
}

/// With every note that there may be.
fn full_reading() -> ReadSummary {
    let mut reading = sample::reading();
    reading.first = "2015-05-17T10:05:03Z".parse().ok();
    reading.last = "2015-05-17T17:26:43Z".parse().ok();
    reading.rejected_lines = 2_000;
    reading.steps_back.count = 3;
    reading.steps_back.largest_us = 1_500_000;
    reading.not_files.query = 4;
    reading.not_files.other_method = 5;
    reading.not_files.not_read_before = 6;
    reading.dropped_with_parameters = 7;
    reading.without_request = 8;
    for i in 0..7 {
        let mut source = reading.sources[0].clone();
        source.file = format!("access.log.{i}");
        source.doubt = Some("times may be of another zone".to_owned());
        source.assumed_zone = Some("UTC".into());
        source.same_as = (i == 6).then(|| "access.log".to_owned());
        reading.sources.push(source);
    }
    reading
}
