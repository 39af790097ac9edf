//! Two sites with plausible figures, and hostile names among them.

pub mod experiments;
pub mod live;
pub mod nets;
pub mod replay;
pub mod storage;

use hotset_describe::zipf::{ZipfFit, ZipfHead};
use hotset_describe::*;
use hotset_outcome::{Interval, Outcome, ProvenanceKind, Recorder};
use hotset_plan::{
    Advice, Arm, ArmScore, Bound, ByArm, CurvePoint as PlanPoint, DatabaseDivision, HeldAmount,
    HeldOutScores, Lever, NodePlan, Plan, Proposal, RejectedCandidate, Reversal, SampledArm,
    SampledPoint, Setback, SetbackCause, SetbackFigure, SitePlan, StoreAdvice, Timings, TotalPlan,
    Traffic, Validation,
};
use hotset_report::{
    DatabaseTable, DatabaseView, DescriptionView, OnDisk, PlanView, ResourceUsage, StoreBasis,
};
use hotset_scenario::{FilePath, Objective, PlacedFile, Placement, Reason};
use hotset_trace::Zone;
use hotset_trace::read::{NotFound, NotFoundPath, ReadSummary};

/// A path that is a script where it is not escaped.
pub const SCRIPT: &str = "/<script>alert(1)</script>\"'&amp;";

fn rates(phase: f64, step_us: i64, steps: i64) -> RateSeries {
    let wave = |step: i64| (step as f64 / steps as f64 * 22.0 + phase).sin();
    RateSeries {
        start_us: (0..steps)
            .map(|step| 1_431_856_800_000_000 + step * step_us)
            .collect(),
        requests: (0..steps)
            .map(|step| (step_us as f64 / 4e6 * (1.3 + wave(step))) as u64)
            .collect(),
    }
}

fn curve(phase: f64) -> Vec<CurvePoint> {
    let miss = |e: u32| 0.04 + 0.96 / (1.0 + (f64::from(e) - 12.0 + phase).powi(2) / 20.0);
    (12..28)
        .map(|e| CurvePoint {
            cache_bytes: 1 << e,
            miss_ratio: miss(e),
            byte_miss_ratio: miss(e),
        })
        .collect()
}

/// A database that was populated.
pub fn database() -> DatabaseView {
    let table = |name: &str, rows: u64| DatabaseTable {
        name: name.to_owned(),
        rows,
        bytes: 85 * rows,
        checksum: format!("{rows:064x}"),
    };
    DatabaseView {
        application: "tpcw".to_owned(),
        engine: "innodb".to_owned(),
        class: 1,
        tables: vec![
            table("country", 92),
            table("order_line", 156_000),
            table("shopping_cart", 0),
        ],
        estimated_bytes: 104_857_600,
        sessions: vec!["shop.database/sessions/browsing.toml".to_owned()],
        seed: 7,
        folder: "shop.database".to_owned(),
    }
}

pub fn site(site: &str, requests: u64, phase: f64) -> SiteDescription {
    let sizes = SizeQuantiles {
        mean: 48_211.3,
        min: 43,
        p25: 2_112,
        p50: 9_431,
        p75: 31_200,
        p90: 77_012,
        p99: 1_201_222,
        max: 69_192_717,
    };
    let head = ZipfHead {
        alpha: 1.021,
        low: 0.955,
        high: 1.087,
        objects: 214,
        least_accesses: 10,
    };
    let file = |path: &str, accesses| HotFile {
        site: site.to_owned(),
        path: path.to_owned(),
        accesses,
        size_bytes: 3_638,
    };
    SiteDescription {
        site: site.to_owned(),
        requests,
        accesses: requests * 9 / 10,
        not_file_requests: requests / 50,
        not_modified_requests: requests / 20,
        not_modified_without_file: requests / 100,
        rejected_lines: 6,
        clients: Some(requests / 6),
        connections: Some(requests / 4),
        requests_per_connection: Some(4.12),
        objects: requests / 8,
        object_bytes: requests * 17_000,
        response_bytes: requests * 260_000,
        requests_per_second: RequestRate {
            mean: Some(requests as f64 / 302_040.0),
            peak_minute: Some(2.15),
        },
        requests_by_hour_of_day: vec![requests / 24; 24],
        requests_per_hour: rates(phase, 3_600_000_000, 84),
        requests_per_minute: rates(phase, 60_000_000, 84 * 60),
        status_classes: StatusClasses {
            success: requests * 92 / 100,
            redirection: requests * 5 / 100,
            client_error: requests * 3 / 100,
            ..StatusClasses::default()
        },
        object_size_bytes: Some(sizes),
        access_size_bytes: Some(SizeQuantiles {
            p25: 900,
            p50: 3_638,
            p75: 10_100,
            ..sizes
        }),
        bytes_for_percent_of_requests: BytesForPercent {
            p90: 11_200_000,
            p95: 24_412_033,
            p97: 40_120_440,
            p98: 61_040_130,
            p99: 99_300_000,
        },
        one_timers: OneTimers {
            objects: requests / 20,
            object_share: 0.4,
            bytes: requests * 4_000,
            byte_share: 0.235,
        },
        zipf: Some(ZipfFit {
            alpha: 0.873,
            low: 0.861,
            high: 0.886,
            head: Some(head),
        }),
        zipf_missing_because: None,
        miss_ratio_curve: curve(phase),
        hottest: vec![
            file("/favicon.ico", 807),
            file(SCRIPT, 546),
            file("/reset.css", 538),
        ],
        methods: Methods {
            get: requests - 40,
            head: 30,
            post: 10,
            other: 0,
        },
        status_codes: [
            (200, requests * 92 / 100),
            (304, requests * 5 / 100),
            (404, requests * 3 / 100),
        ]
        .into(),
        top_clients: vec![TopClient {
            client: "client 3".to_owned(),
            requests: requests / 10,
            response_bytes: requests * 1_000,
        }],
        not_found: NotFound {
            count_error: 12,
            paths: vec![NotFoundPath {
                site: site.to_owned(),
                path: "/wp-login.php".to_owned(),
                requests: requests / 100,
            }],
        },
    }
}

pub fn description() -> Description {
    let total = site(TOTAL, 10_000, 0.5);
    Description {
        time_zone: Zone::UTC,
        sites: vec![
            site("blog.example.org", 6_812, 0.0),
            site("shop", 3_188, 1.3),
        ],
        lists: Lists {
            hottest: total.hottest.clone(),
            top_clients: total.top_clients.clone(),
            not_found: total.not_found.paths.clone(),
        },
        total,
        left_out: Vec::new(),
        span: Some(TimeSpan {
            first_us: 1_431_856_800_000_000,
            last_us: 1_431_856_800_000_000 + 84 * 3_600_000_000 - 1,
        }),
    }
}

/// A log of which six lines were left out.
pub fn reading() -> ReadSummary {
    let example = "1.2.3.4 - - \x1b[31m\"GET /<script>alert(1)</script>\"";
    let rule =
        "Accesses are GET requests answered 200 or 206; queries are stripped for static types.";
    let source = serde_json::json!({
        "file": "access.log", "format": "Apache combined", "why": "from its first 100 lines", "site": null,
        "lines": 10_006, "requests": 10_000, "without_request": 0, "rejected_lines": 6,
        "rejected": [{ "reason": "no status", "count": 6, "examples": [{ "line": 8_899, "text": example }] }],
        "steps_back": { "count": 0, "largest_us": 0 },
    });
    ReadSummary {
        lines: 10_006,
        requests: 10_000,
        rules: vec![rule.to_owned()],
        sources: vec![serde_json::from_value(source).unwrap()],
        ..ReadSummary::default()
    }
}

pub fn score(hit_ratio: f64, mean_us: f64, gain: Option<f64>) -> ArmScore {
    ArmScore {
        hit_ratio,
        mean_us,
        weighted_mean_us: mean_us,
        p50_us: Some(mean_us / 40.0),
        p95_us: Some(mean_us * 4.0),
        p99_us: Some(mean_us * 6.0),
        gain,
        gain_interval: gain.map(interval_of),
        weighted_gain: gain,
        weighted_gain_interval: gain.map(interval_of),
        moved_bytes: None,
        traffic: Traffic::default(),
    }
}

/// Fewer hits at 2 MiB than at 1 MiB.
pub fn setback() -> Setback {
    Setback {
        arm: Arm::PageCache,
        figure: SetbackFigure::HitRatio,
        than_memory_bytes: 1 << 20,
        than: 0.7,
        cause: SetbackCause::Replacement,
    }
}

/// A point of the curve that was estimated: hit ratios are off by 1.2 % at most, mean responses by 34 µs.
pub fn sampled(point: &PlanPoint) -> SampledPoint {
    let around = |value: f64, off: f64| {
        Some(Interval {
            low: value - off,
            high: value + off,
            level: 0.95,
        })
    };
    let arm = |score: &ArmScore, off: f64| SampledArm {
        hit_ratio: around(score.hit_ratio, off),
        mean_us: around(score.mean_us, 34.0),
        weighted_mean_us: around(score.weighted_mean_us, 34.0),
    };
    SampledPoint {
        access_share: 0.05,
        page_cache: arm(&point.page_cache, 0.004),
        plan: arm(&point.plan, 0.012),
        weighted_gain: around(0.2, 0.01),
    }
}

fn interval_of(gain: f64) -> Interval {
    Interval {
        low: gain - 0.041,
        high: gain + 0.03,
        level: 0.95,
    }
}

fn held_out(accesses: u64, us: f64, gain: f64) -> HeldOutScores {
    let arm = |hit_ratio: f64, gain: f64| score(hit_ratio, us * (1.0 - gain), Some(gain));
    let score = |of: Arm| match of {
        Arm::PageCache => Some(score(0.712, us, None)),
        Arm::Lru => Some(arm(0.70, -0.021)),
        Arm::SizeThreshold => Some(arm(0.73, 0.039)),
        Arm::Reservations | Arm::Groups | Arm::GroupsAndFiles => None,
        Arm::Plan => Some(arm(0.765, gain)),
        Arm::Adaptive => Some(ArmScore {
            moved_bytes: Some(12 << 20),
            ..arm(0.77, gain + 0.018)
        }),
        Arm::Clairvoyant => Some(arm(0.78, gain + 0.03)),
    };
    HeldOutScores {
        accesses,
        arms: ByArm::of(score),
    }
}

fn site_plan(site: &str, accesses: u64, held: u64) -> SitePlan {
    SitePlan {
        site: site.to_owned(),
        weight: 1.0,
        reservation_bytes: 0,
        training_accesses: accesses * 7 / 3,
        held_objects: held,
        held_bytes: held * 140_000,
        group: None,
        targets: Vec::new(),
        closed_loop: None,
        held_out: held_out(accesses, 3_213.0, 0.12),
    }
}

/// A simulated outcome of two sites.
pub fn outcome() -> Outcome {
    let mut provenance = hotset_outcome::Provenance::new(ProvenanceKind::Simulated);
    provenance.seed = Some(7);
    let score = |scale: f64| {
        let mut recorder = Recorder::default();
        (0..900).for_each(|i| recorder.record(i % 3 > 0, 4_096, scale * f64::from(1 + i * i % 97)));
        recorder.score()
    };
    Outcome::new("plan", provenance, score(90.0))
        .with_site("blog.example.org", score(70.0))
        .with_site(SCRIPT, score(110.0))
}

/// A way of using the memory that would starve a site.
pub fn rejected() -> RejectedCandidate {
    RejectedCandidate {
        lever: Lever::GroupsAndFiles,
        held: HeldAmount {
            objects: 312,
            bytes: 43_201_331,
            pages: 10_700,
        },
        site: "shop".to_owned(),
        rate: 0.25,
    }
}

pub fn plan() -> Plan {
    let point = |e: u32| PlanPoint {
        memory_bytes: 1 << e,
        share: 0.9,
        page_cache: score(f64::from(e) / 32.0, 9_000.0 / f64::from(e - 15), None),
        plan: score(
            f64::from(e + 1) / 32.0,
            8_000.0 / f64::from(e - 15),
            Some(0.11 + f64::from(e) / 1e3),
        ),
        setbacks: Vec::new(),
        sampled: None,
        validated: Validation {
            page_cache_mean_us: 0.0,
            plan_mean_us: 0.0,
            missed_targets: 0,
            target_excess: 0.0,
            rejected: false,
        },
    };
    Plan {
        memory_bytes: 64 << 20,
        objective: Objective::Mean,
        lever: Lever::Files,
        held: HeldAmount {
            objects: 312,
            bytes: 43_201_331,
            pages: 10_700,
        },
        given_up: None,
        rejected: None,
        page_cache_bytes: (64 << 20) - 10_700 * 4096,
        page_cache_floor_bytes: 0,
        share: 0.65,
        validated: Validation {
            page_cache_mean_us: 3_000.0,
            plan_mean_us: 2_700.0,
            missed_targets: 0,
            target_excess: 0.0,
            rejected: false,
        },
        bound: Bound {
            value_us: 9.87e6,
            optimum_at_most_us: 1e7,
            distance: 0.013,
        },
        training_accesses: 6_299,
        moved_bytes: 43_201_331,
        seed: 0,
        sites: vec![
            site_plan("blog.example.org", 1_841, 297),
            site_plan("shop", 860, 15),
        ],
        total: TotalPlan {
            held_out: held_out(2_701, 3_100.0, 0.123),
        },
        curve: (20..30).map(point).collect(),
        knee_memory_bytes: Some(1 << 23),
        reversals: vec![Reversal {
            better: Arm::Lru,
            worse: Arm::PageCache,
        }],
        outcomes: vec![outcome()],
        nodes: Vec::new(),
        timings: Timings::default(),
    }
}

fn path(site: &str, i: u32) -> String {
    let long = "/presentations/logstash-monitorama-2013/images/a-very-long-name-of-a-picture-of-a-dashboard";
    match i {
        2 if site == "shop" => SCRIPT.to_owned(),
        3 => format!("{long}/kibana-dashboard3.png"),
        4 => "/\u{202e}gnp\x1b[2J.exe".to_owned(),
        5 => "/日本語/写真.jpg".to_owned(),
        i => format!("/images/{site}-{i}.png"),
    }
}

fn file(site: &str, i: u32) -> PlacedFile {
    let size_bytes = u64::from(900 + i * 4_331);
    PlacedFile {
        site: site.to_owned(),
        path: FilePath::from(path(site, i).as_str()),
        size_bytes,
        mtime_ns: None,
        store: "memory".to_owned(),
        node: "localhost".to_owned(),
        order: i,
        reason: Reason {
            requests_per_hour: Some(41.0 / f64::from(i + 1)),
            requests: u64::from(2_400 / (i + 1)),
            size_bytes,
            saved_us_per_byte: 812.4 / f64::from(i + 1).powi(2),
        },
    }
}

pub fn placement() -> Placement {
    let files = |site, count| (0..count).map(move |i| file(site, i));
    Placement {
        version: Placement::VERSION,
        memory_bytes: 64 << 20,
        nodes: Vec::new(),
        held_pages: 10_700,
        all_files_bytes: None,
        groups: Vec::new(),
        roots: Vec::new(),
        databases: Vec::new(),
        files: files("blog.example.org", 297)
            .chain(files("shop", 15))
            .collect(),
    }
}

fn advice() -> Advice {
    let store = |name: &str, plan_mean_us: f64| StoreAdvice {
        store: name.to_owned(),
        page_cache_mean_us: plan_mean_us * 1.2,
        plan_mean_us,
        held_bytes: 21_000_000,
        sampled: None,
    };
    Advice {
        best: Some("ext3-2004".to_owned()),
        stores: vec![
            store("lustre-2004", 2_200.0),
            store("ext3-2004", 812.0),
            store("pvfs-2004", 1_900.0),
        ],
        hit_ratio: 0.712,
        plan_hit_ratio: 0.765,
        mean_bytes: 48_000.0,
        mean_miss_bytes: 91_344.4,
        requests_per_hour: Some(110.0),
    }
}

/// All that the view of a description takes.
pub struct DescriptionSample {
    pub description: Description,
    pub reading: ReadSummary,
}

impl DescriptionSample {
    pub fn new() -> DescriptionSample {
        DescriptionSample {
            description: description(),
            reading: reading(),
        }
    }

    pub fn view(&self) -> DescriptionView<'_> {
        DescriptionView {
            description: &self.description,
            reading: &self.reading,
        }
    }
}

/// All that the view of a plan takes.
pub struct Sample {
    pub plan: Plan,
    pub nodes: Vec<String>,
    pub passed_over: Vec<String>,
    pub placement: Placement,
    pub on_disk: Vec<OnDisk>,
    pub previous: Option<Placement>,
    pub description: Description,
    pub reading: ReadSummary,
    pub backing: Vec<String>,
    pub store_bases: Vec<StoreBasis>,
    pub advice: Vec<Advice>,
    pub memory_needed: Vec<(f64, Option<u64>)>,
    pub proposal: Option<Proposal>,
    pub databases: Option<DatabaseDivision>,
}

impl Sample {
    pub fn new() -> Sample {
        Sample {
            plan: plan(),
            nodes: vec!["localhost".to_owned()],
            passed_over: Vec::new(),
            placement: placement(),
            on_disk: vec![OnDisk::NoRoot; placement().files.len()],
            previous: None,
            description: description(),
            reading: reading(),
            backing: vec!["hdd".to_owned(), "hdd".to_owned()],
            store_bases: vec![StoreBasis::Named; 2],
            advice: vec![advice(), advice()],
            memory_needed: vec![(0.05, Some(3 << 20)), (0.10, Some(21 << 20)), (0.20, None)],
            proposal: None,
            databases: None,
        }
    }

    /// The same on two nodes behind a proxy.
    pub fn of_two_nodes() -> Sample {
        let node = |memory_bytes, accesses| NodePlan {
            memory_bytes,
            held: HeldAmount {
                objects: 156,
                bytes: 21_600_665,
                pages: 5_350,
            },
            page_cache_bytes: memory_bytes - 5_350 * 4096,
            share: 0.65,
            training_accesses: 3_150,
            held_out: held_out(accesses, 3_100.0, 0.123),
            groups: Vec::new(),
            writers: Vec::new(),
            objects: Vec::new(),
        };
        let mut sample = Sample::new();
        sample.plan.nodes = vec![node(24 << 20, 1_351), node(40 << 20, 1_350)];
        sample.nodes = vec!["web1".to_owned(), SCRIPT.to_owned()];
        sample.passed_over = vec!["front".to_owned()];
        sample
    }

    pub fn view(&self) -> PlanView<'_> {
        PlanView {
            plan: &self.plan,
            nodes: &self.nodes,
            passed_over: &self.passed_over,
            placement: &self.placement,
            on_disk: &self.on_disk,
            changes: self
                .previous
                .as_ref()
                .map(|previous| self.placement.changes_from(previous)),
            description: &self.description,
            reading: &self.reading,
            backing: &self.backing,
            store_bases: &self.store_bases,
            advice: &self.advice,
            memory_needed: &self.memory_needed,
            proposal: self.proposal.as_ref(),
            databases: self.databases.as_ref(),
            usage: ResourceUsage::default(),
        }
    }
}

pub fn provenance() -> Vec<(String, String)> {
    let options = "--memory 64MiB --backing hdd access.log";
    [
        ("version", "hotset 0.1.0"),
        ("seed", "0"),
        ("options", options),
    ]
    .map(|(what, value)| (what.to_owned(), value.to_owned()))
    .into()
}
