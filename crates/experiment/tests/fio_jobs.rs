//! Experiments of kind fio-jobs: what they refuse, and what is shown of jobs that write.

use hotset_experiment::{ErrorSummary, Metric, Report, scores_of};
use hotset_models::fio::Operation;
use hotset_scenario::Profile;
use serde_json::{Value, json};

use crate::place::{Place, Sheet, says};

const NODE: &str = include_str!("samples/fio-jobs/node.toml");

const EXPERIMENT: &str = include_str!("samples/fio-jobs/experiment.toml");

const SCAN: &str = include_str!("samples/fio-jobs/scan.fio");
const CACHED: &str = include_str!("samples/fio-jobs/cached.fio");

#[track_caller]
fn refused(node: &str, experiment: &str, scan: &str, wanted: &str) {
    let place = Place::with(&[
        ("node.toml", node),
        ("experiment.toml", experiment),
        ("scan.fio", scan),
        ("cached.fio", CACHED),
    ]);
    says(place.load(), wanted);
}

#[test]
fn jobs_that_cannot_be_measured_or_simulated_are_refused_before_anything_is_made() {
    for (from, to, wanted) in [
        (
            "\"scan.fio\"",
            "\"none.fio\"",
            "there is no such file; name a job file",
        ),
        (
            "block =",
            "size =",
            "nothing stands for ${block}; add `block` to `values`",
        ),
        (
            "\"64k\"",
            "\"4k\"",
            "two jobs are called scan-4k; put a place such as ${block}",
        ),
        ("[\"load\"]", "[\"lode\"]", "no job is called lode"),
        (
            "rounds = 5",
            "rounds = 5\nset_aside = [\"gone.fio\"]",
            "there is no such file; name a job file",
        ),
        (
            "rounds = 5",
            "rounds = 4",
            "`rounds` in [fio-jobs]: must be from 5 to 1000",
        ),
        ("rounds = 5", "round = 5", "did you mean `rounds`?"),
        (
            "rounds = 5",
            "rounds = 5\ngrown = [{ file = \"a\", size = \"1000\", piece = \"64KiB\" }]",
            "must be whole pages of 4 KiB",
        ),
        (
            "rounds = 5",
            "rounds = 5\ngrown = [{ file = \"a\", size = \"1MiB\", piece = \"512GiB\" }]",
            "`piece` must divide `size`, and be at most 256 MiB",
        ),
        (
            "rounds = 5",
            "rounds = 5\ngrown = [{ file = \"../a\", size = \"1MiB\", piece = \"1MiB\" }]",
            "`../a` is no name of a file",
        ),
    ] {
        assert!(EXPERIMENT.contains(from), "{from}");
        refused(NODE, &EXPERIMENT.replace(from, to), SCAN, wanted);
    }
    let trims = SCAN.replace("rw=read", "rw=trim");
    let wanted = "scan.fio:4: `rw=trim`: trims, which is not modelled; write read, randread, write, randwrite, rw or randrw";
    refused(NODE, EXPERIMENT, &trims, wanted);
    let memory = NODE
        .replace("\"ext4\"\ndisk", "\"tmpfs\"\n#")
        .replace("kind = \"ext4\"", "kind = \"tmpfs\"");
    let wanted = "on tmpfs; jobs are simulated on ext3, ext4 and xfs";
    refused(&memory, EXPERIMENT, SCAN, wanted);
}

const WRITES: &str = r#"name = "writes"
kind = "fio-jobs"
scenario = "node.toml"

[fio-jobs]
jobs = ["synced.fio"]
set_aside = ["aside.fio"]
rounds = 5
"#;

const SYNCED: &str = "[synced]\nrw=write\nbs=4k\nsize=64k\nfsync=4\nend_fsync=1\n";
const ASIDE: &str = "[aside]\nrw=write\nbs=16k\nsize=64k\n";

/// So many rounds of the same figures.
fn rounds(bytes_per_s: f64, mean_us: f64) -> Value {
    let figures = json!({
        "bytes_per_s": bytes_per_s, "reads_per_s": 100.0, "mean_us": mean_us, "p99_us": 2.0 * mean_us,
    });
    vec![figures; 5].into()
}

/// A result of both jobs on a store whose profile is `ssd`.
fn kept() -> Value {
    let profile = Profile::named_or_file("ssd").expect("a built-in profile");
    let written = json!({ "data": 65_536, "journal": 40_960, "metadata": 0 });
    json!({
        "experiment": "writes",
        "store": "ext4",
        "settings": {
            "store": "ext4 on Seeking { bytes_per_s: 255000000 }",
            "memory_bytes": 536_870_912,
            "file_memory_bytes": 520_093_696,
            "cpus": null,
            "rounds": 5,
            "preparing": [],
            "job_files": [SYNCED, ASIDE],
        },
        "date": "2026-11-26",
        "profile": profile,
        "runs": [
            {
                "jobs": [{
                    "job": "synced",
                    "rounds": [],
                    "writes": rounds(4e6, 5.0),
                    "syncs": rounds(0.0, 900.0),
                }],
                "device_bytes": [0, 0, 0, 0, 0],
                "written": vec![written; 5],
            },
            {
                "jobs": [{ "job": "aside", "rounds": [], "writes": rounds(1e9, 16.0) }],
                "device_bytes": [0, 0, 0, 0, 0],
            },
        ],
        "quietness": null,
        "outcomes": [],
    })
}

/// A folder with the experiment of both jobs, without results.
fn place() -> Place {
    Place::with(&[
        ("node.toml", NODE),
        ("experiment.toml", WRITES),
        ("synced.fio", SYNCED),
        ("aside.fio", ASIDE),
    ])
}

/// The same with a result.
fn measured() -> Place {
    let place = place();
    place.write("results/ext4.json", &kept().to_string());
    place
}

fn shown() -> Report {
    measured().show().expect("a result that can be shown")
}

/// The cells of a job, by operation and metric.
fn cells<'r>(report: &'r Report, job: &str) -> Vec<(&'r str, &'r str, &'r Value)> {
    let prediction = report.points[0].prediction.as_ref().expect("a prediction");
    let all = prediction["cells"].as_array().expect("cells").iter();
    let own = all.filter(|cell| cell["job"] == job);
    let text = |cell: &'r Value, key: &str| cell[key].as_str().expect("a name");
    own.map(|cell| (text(cell, "operation"), text(cell, "metric"), cell))
        .collect()
}

#[test]
fn syncs_and_bytes_to_the_device_stand_beside_what_is_simulated() {
    let report = shown();
    let synced = cells(&report, "synced");
    let of = |operation: &str| -> Vec<&str> {
        let own = synced.iter().filter(|it| it.0 == operation);
        own.map(|it| it.1).collect()
    };
    assert_eq!(of("fsync"), ["mean_us", "p99_us"]);
    let times = ["bytes_per_s", "mean_us", "p99_us"];
    let bytes = [
        "written_bytes",
        "written_data_bytes",
        "written_journal_bytes",
    ];
    assert_eq!(of("write")[..6], [times, bytes].concat());
    let data = synced.iter().find(|it| it.1 == "written_data_bytes");
    let data = data.expect("bytes of files").2;
    assert_eq!(
        (&data["measured"], &data["simulated"]),
        (&65_536.0_f64.into(), &65_536.0_f64.into())
    );
    assert_eq!(data["beyond_percent"], 0.0);
    for title in ["Mean time of an fsync", "Journal to the device"] {
        let sheet = Sheet::of(&report, title);
        assert_eq!(sheet.rows.len(), 2, "{title}: {:?}", sheet.rows);
        sheet.row(&["ext4", "synced"]);
    }
}

#[test]
fn jobs_that_were_set_aside_are_summed_up_apart() {
    let report = shown();
    for (job, is_aside) in [("synced", Value::Null), ("aside", true.into())] {
        for (_, metric, cell) in cells(&report, job) {
            assert_eq!(cell["is_set_aside"], is_aside, "{job} {metric}");
        }
    }
    Sheet::of(&report, "Bytes written in a second").row(&["ext4", "aside (set aside)"]);
    let begins = |words: &str| report.remarks.iter().any(|it| it.starts_with(words));
    assert!(
        begins("Error over 3 figures of throughput and mean times"),
        "{:?}",
        report.remarks
    );
    assert!(
        begins("Set aside until the model was done. Error over 2 figures of throughput"),
        "{:?}",
        report.remarks
    );
}

#[test]
fn jobs_of_several_experiments_are_summed_up_by_metric_and_operation() {
    let places = [measured(), measured(), place()];
    let files = places.each_ref().map(|place| place.path("experiment.toml"));
    let summed = scores_of(&files).expect("results that can be summed up");
    let of = |metric: Option<Metric>, operation: Option<Operation>| {
        let mut all = summed.scores.iter();
        let found = all.find(|it| (it.metric, it.operation) == (metric, operation));
        let score = found.unwrap_or_else(|| panic!("{:?}", summed.scores));
        let figures = |errors: Option<ErrorSummary>| errors.map(|it| it.figures);
        (figures(score.known), figures(score.set_aside))
    };
    // The first of all is that of throughput and mean times: of writes and of syncs.
    assert_eq!(of(None, None), (Some(6), Some(4)));
    let writes = of(Some(Metric::MeanUs), Some(Operation::Write));
    assert_eq!(writes, (Some(2), Some(2)));
    let syncs = of(Some(Metric::P99Us), Some(Operation::Fsync));
    assert_eq!(syncs, (Some(2), None), "no job with syncs is set aside");
    let figures: Vec<usize> = summed.experiments.iter().map(|it| it.figures).collect();
    assert_eq!((figures[0], figures[2]), (figures[1], 0), "{figures:?}");
    let one = &summed.experiments[0];
    let times = [one.known, one.set_aside].map(|it| it.map(|errors| errors.figures));
    assert_eq!(times, [Some(3), Some(2)]);
}

#[test]
fn several_experiments_that_cannot_be_used_are_refused() {
    let place = place();
    let files = [place.path("experiment.toml"), place.path("gone.toml")];
    says(scores_of(&files), "gone.toml");
}
