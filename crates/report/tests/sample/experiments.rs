//! Results of experiments, and of jobs that are simulated and measured.

use std::path::Path;

use hotset_document::{Cell, Table};
use hotset_experiment::validate::Accuracy;
use hotset_experiment::{
    Axis, ClaimReport, Deviation, ErrorSummary, ExperimentEntry, FigureScore, Item, MeanResponse,
    Metric, Point, PointReport, Report, ScoredExperiment, Scores, Verdict,
};
use hotset_models::fio::{JobFile, JobResult, Operation, System, simulate, simulate_remote};
use hotset_models::remote::nfs::{Mount, RemoteSystem, Version};
use hotset_models::remote::{CallCosts, Line, NamedLine, Protocol, ServerMachine};
use hotset_scenario::Profile;
use serde_json::json;

pub fn items() -> Vec<Item> {
    let point =
        |cell: &str, arm: &str| Point::default().with(Axis::Cell, cell).with(Axis::Arm, arm);
    vec![
        Item {
            point: point("two sites", "plan"),
            measured: true,
        },
        Item {
            point: point("two sites", "page cache"),
            measured: false,
        },
    ]
}

/// One in part measured, and one that cannot be used.
pub fn entries() -> Vec<ExperimentEntry> {
    let entry = |file: &str, measured, problem: Option<&str>| ExperimentEntry {
        file: file.into(),
        kind: "shared-node",
        points: 7 * usize::from(problem.is_none()),
        measured,
        problem: problem.map(str::to_owned),
    };
    let problem = "pollution/old.toml:3:12: `scenario`: there is no file pollution/node.toml";
    vec![
        entry("pollution/experiment.toml", 3, None),
        entry("pollution/old.toml", 0, Some(problem)),
    ]
}

/// Of two experiments: one with jobs that were set aside, and one without results.
pub fn scores() -> Scores {
    let errors = |figures: usize, median_beyond_percent: f64| ErrorSummary {
        figures,
        median_percent: 4.0,
        p90_percent: 12.0,
        lowest_percent: -15.0,
        highest_percent: 9.0,
        median_beyond_percent,
        p90_beyond_percent: 3.0 * median_beyond_percent,
    };
    let (known, set_aside) = (Some(errors(60, 2.5)), Some(errors(30, 3.5)));
    let experiment = |name: &str, measured, figures| ScoredExperiment {
        name: name.to_owned(),
        points: 5,
        measured,
        figures,
        known: known.filter(|_| figures > 0),
        set_aside: set_aside.filter(|_| figures > 0),
    };
    let group = FigureScore {
        group: "throughput and mean times",
        metric: None,
        operation: None,
        known,
        set_aside,
    };
    let syncs = FigureScore {
        metric: Some(Metric::MeanUs),
        operation: Some(Operation::Fsync),
        set_aside: None,
        ..group.clone()
    };
    Scores {
        experiments: vec![
            experiment("local-write-fsync-every", 4, 90),
            experiment("local-write-sequential", 0, 0),
        ],
        scores: vec![group, syncs],
    }
}

/// Two tables with figures in every unit, one without rows, and remarks.
pub fn report() -> Report {
    let figures = ["12.3 ms", "12346", "12345.600", "12,345", "12.1 KiB"];
    let whole = ["800 µs [700 µs 900 µs] (812 µs)", "", "", "", ""];
    let table = |title: &str, rows: &[(&str, [&'static str; 5])]| {
        let mut table = Table::of(rows)
            .text("cell", |_| "two sites")
            .text("arm", |(label, _)| Cell::from(label));
        let columns = ["mean", "rate", "ratio", "events", "read"];
        for (number, column) in columns.into_iter().enumerate() {
            table = table.figure(column, |(_, figures)| figures[number]);
        }
        (title.to_owned(), table.into())
    };
    Report {
        experiment: "pollution".to_owned(),
        kind: "shared-node",
        scale: 8,
        seed: 7,
        points: vec![PointReport {
            result: json!({ "cell": "two sites", "arm": "plan" }),
            measured: MeanResponse {
                mean_us: Some(800.0),
                base_mean_us: Some(1_000.0),
                ratio: Some(0.8),
                ratio_interval: None,
            },
            prediction: Some(json!({ "hits": 3 })),
            predicted_ratio: Some(0.83),
            agrees: Some(true),
            quoted: Vec::new(),
        }],
        quoted: Default::default(),
        not_measured: [(
            "lustre".to_owned(),
            "its kernel module is missing".to_owned(),
        )]
        .into(),
        claims: vec![ClaimReport {
            says: "up to 40 %".to_owned(),
            source: "the document, section 4".to_owned(),
            figure: "throughput",
            least: Some(1.3),
            most: None,
            at: Some("two sites plan".to_owned()),
            measured: Some(1.2),
            interval: None,
            runs: 1,
            verdict: Verdict::TooFewRuns,
        }],
        remarks: vec!["Ratios within 0.05 agree.".to_owned()],
        outcomes: vec![super::outcome()],
        tables: vec![
            table("Means", &[("plan", figures), ("page cache", whole)]),
            table("Nothing", &[]),
            table("Again", &[("plan", [""; 5])]),
        ],
    }
}

const JOBS: &str = "\
[global]
size=8m
filename=data

[in order]
rw=read
bs=64k

[at random]
stonewall
rw=randread
bs=4k
io_size=1m
";

pub fn profile() -> Profile {
    Profile::named_or_file("hdd").unwrap()
}

pub fn jobs() -> JobFile {
    JobFile::parse(JOBS, Path::new("jobs.fio")).unwrap()
}

pub fn simulated(memory_bytes: Option<u64>) -> Vec<JobResult> {
    let system = System {
        profile: &profile(),
        memory_bytes,
        seed: 7,
    };
    simulate(&jobs().jobs, &system, &|| true).unwrap()
}

/// A job that reads and writes, and syncs its file now and then.
pub fn writing() -> (JobFile, Vec<JobResult>) {
    let text = "[mixed]\nrw=randrw\nrwmixread=75\nbs=4k\nsize=4m\nfsync=64\nend_fsync=1\n";
    let file = JobFile::parse(text, Path::new("mixed.fio")).unwrap();
    let system = System {
        profile: &profile(),
        memory_bytes: None,
        seed: 7,
    };
    let results = simulate(&file.jobs, &system, &|| true).unwrap();
    (file, results)
}

/// A job that reads and writes files of a file server, from two clients.
pub fn remote() -> (JobFile, Vec<JobResult>) {
    let text = "[mixed]\nrw=randrw\nrwmixread=75\nbs=4k\nsize=4m\nfsync=64\n";
    let file = JobFile::parse(text, Path::new("mixed.fio")).unwrap();
    let profile = profile();
    let system = System {
        profile: &profile,
        memory_bytes: Some(64 << 20),
        seed: 7,
    };
    let link = NamedLine {
        name: "file1".to_owned(),
        line: Line {
            bits_per_s: Some(100_000_000),
            delay_ns: 50_000,
            mtu_bytes: 1500,
            rdma_lanes: None,
        },
    };
    let remote = RemoteSystem {
        mount: Mount {
            version: Version::V4 { minor: 2 },
            protocol: Protocol::Tcp,
            read_bytes: 1 << 20,
            write_bytes: 1 << 20,
            attributes_s: None,
            sync: false,
        },
        clients: 2,
        client_costs: CallCosts::ASSUMED,
        client_link: None,
        server_link: Some(link),
        switched: None,
        server: ServerMachine {
            name: "file1".to_owned(),
            profile: &profile,
            memory_bytes: Some(64 << 20),
            processors: 2,
            threads: 8,
            is_async: false,
            costs: CallCosts::ASSUMED,
        },
    };
    let results = simulate_remote(&file.jobs, &system, &remote, &|| true).unwrap();
    (file, results)
}

/// A job that repeats logged reads, of which the log has more than that.
pub fn logged() -> (JobFile, Vec<JobResult>) {
    let folder = tempfile::tempdir().unwrap();
    let log = "fio version 2 iolog\ndata add\ndata open\ndata read 0 4096\ndata trim 0 4096\ndata read 8192 4096\n\
               data trim 8192 4096\ndata close\n";
    std::fs::write(folder.path().join("reads.log"), log).unwrap();
    let text = "[logged]\nrw=read\nsize=1m\nfilename=data\nread_iolog=reads.log\n";
    let mut file = JobFile::parse(text, Path::new("logged.fio")).unwrap();
    file.load_logs(folder.path()).unwrap();
    let system = System {
        profile: &profile(),
        memory_bytes: None,
        seed: 7,
    };
    let results = simulate(&file.jobs, &system, &|| true).unwrap();
    (file, results)
}

fn written(metric: Metric, measured: f64, simulated: f64) -> Deviation {
    Deviation {
        subject: "jobs.fio".to_owned(),
        operation: Operation::Write,
        metric,
        measured,
        low: 0.9 * measured,
        high: 1.1 * measured,
        simulated,
        whole: measured,
    }
}

pub fn validated() -> Accuracy {
    let trimming = "[logs]\nrw=trim\nsize=1m\n";
    Accuracy {
        fio: "fio-3.39".to_owned(),
        cells: vec![
            Deviation {
                subject: "in order".to_owned(),
                operation: Operation::Read,
                metric: Metric::BytesPerS,
                measured: 1.31e8,
                low: 1.2e8,
                high: 1.4e8,
                simulated: 1.5e8,
                whole: 1.0,
            },
            Deviation {
                subject: "in order".to_owned(),
                operation: Operation::Read,
                metric: Metric::MeanUs,
                measured: 470.0,
                low: 431.0,
                high: 502.0,
                simulated: 445.0,
                whole: 1.0,
            },
            Deviation {
                subject: "a log".to_owned(),
                operation: Operation::Write,
                metric: Metric::P99Us,
                measured: 9000.0,
                low: 8000.0,
                high: 9500.0,
                simulated: 12_000.0,
                whole: 1.0,
            },
        ],
        device: vec![Deviation {
            subject: "jobs.fio".to_owned(),
            operation: Operation::Read,
            metric: Metric::DeviceBytes,
            measured: 8e6,
            low: 7.9e6,
            high: 8.1e6,
            simulated: 8.4e6,
            whole: 9e6,
        }],
        written: vec![
            written(Metric::WrittenBytes, 5.2e6, 4.9e6),
            written(Metric::WrittenDataBytes, 4e6, 4e6),
            written(Metric::WrittenMetadataBytes, 1.2e6, 9e5),
        ],
        hits: vec![Deviation {
            subject: "at random".to_owned(),
            operation: Operation::Read,
            metric: Metric::HitShare,
            measured: 0.31,
            low: 0.29,
            high: 0.33,
            simulated: 0.35,
            whole: 1.0,
        }],
        profile: profile(),
        unplaced: Some("FIEMAP is not supported".to_owned()),
        mount: None,
        skipped: JobFile::parse_without_trims(trimming, Path::new("jobs.fio"))
            .unwrap()
            .trimming,
    }
}
