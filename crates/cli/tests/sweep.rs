//! Scenarios at the points of a grid: the table is the same however it was made, and what cannot be is refused before anything runs.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Value, json};

use crate::support::schema::holds_to;
use crate::support::small_disk::SmallDisk;
use crate::support::{Failure, Workplace, hotset};

const SCENARIO: &str = "[[client]]\nname = \"crowd\"\nasks = \"web1\"\nclients = 4\nthink = \"1ms\"\n\
    [[node]]\nname = \"web1\"\nmemory = \"1MiB\"\n[[link]]\nnode = \"web1\"\nrate = \"100Mbit\"\n\
    [[store]]\nname = \"disk\"\nprofile = \"hdd\"\ndisk = { kind = \"seeking\", rate = \"39MB\" }\n";

/// A scenario and a small log.
fn workload() -> Workplace {
    let place = Workplace::new();
    let zipf = ["generate", "zipf", "--objects", "100", "--requests", "1500"];
    let more = ["--working-set", "8MiB", "-o", "a.trace", "--log", "a.log"];
    place.succeeds(zipf.iter().chain(&more));
    place.write("tiers.toml", SCENARIO.as_bytes());
    place
}

fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let sweep = ["sweep", "tiers.toml", "a.trace"];
    sweep.iter().chain(more).copied().collect()
}

/// The rows of a table.
fn rows(place: &Workplace, file: &str) -> Vec<Row> {
    let file = fs::File::open(place.path(file)).expect("it is there");
    let reader = SerializedFileReader::new(file).expect("Parquet");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.collect::<Result<_, _>>().expect("rows")
}

fn columns(row: &Row) -> Vec<String> {
    row.get_column_iter()
        .map(|(name, _)| name.clone())
        .collect()
}

fn cell(row: &Row, name: &str) -> Field {
    let found = row.get_column_iter().find(|(of, _)| *of == name);
    found.expect(name).1.clone()
}

fn figure(row: &Row, name: &str) -> f64 {
    match cell(row, name) {
        Field::Double(figure) => figure,
        other => panic!("{name}: {other}"),
    }
}

/// A store that may be local or on servers: that of `experiments/file-system-choice`.
const ANY_KIND: &str = include_str!("../../../experiments/file-system-choice/kinds.toml");

#[test]
fn kinds_of_stores_may_be_local_and_on_servers() {
    let place = workload();
    place.write("tiers.toml", ANY_KIND.as_bytes());
    let kinds = [
        "ext4",
        "ramfs",
        "nfs3",
        "nfs4",
        "pvfs1",
        "orangefs",
        "lustre",
        "glusterfs",
        "moosefs",
    ];
    let vary = format!("store.files.kind={}", kinds.join(","));
    let options = ["--vary", &vary, "-o", "kinds.parquet", "--json"];
    let swept = place.json(sweep(&options));
    holds_to("sweep.json", &swept);
    assert_eq!(swept["done"], json!(kinds.len()), "{swept}");
    let rows = rows(&place, "kinds.parquet");
    for (row, kind) in rows.iter().zip(kinds) {
        assert_eq!(cell(row, "store.files.kind"), Field::Str(kind.to_owned()));
        assert!(figure(row, "throughput_per_s") > 0.0, "{kind}");
    }
    let hits: Vec<f64> = rows.iter().map(|row| figure(row, "hit_ratio")).collect();
    assert_eq!(hits[1], 1.0, "ramfs has all");
    // Clients of PVFS and OrangeFS keep nothing: only requests that overlap find pages.
    let (keep, drop) = ([0, 2, 3, 6, 7, 8], [4, 5]);
    assert!(keep.iter().all(|&at| hits[at] > 0.3), "{hits:?}");
    assert!(drop.iter().all(|&at| hits[at] < 0.3), "{hits:?}");
}

#[test]
fn a_sweep_prints_its_contract_and_has_the_figures_of_single_simulations() {
    let place = workload();
    let vary = [
        "--vary",
        "node.web1.memory=1MiB..16MiB:x4",
        "--vary",
        "store.disk.kind=ext4,xfs",
        "-o",
        "a.parquet",
    ];
    let swept = place.json(sweep(&[&vary[..], &["--json"]].concat()));
    holds_to("sweep.json", &swept);
    assert_eq!((&swept["points"], &swept["done"]), (&json!(6), &json!(6)));
    assert_eq!(swept["table"], "a.parquet");
    assert_eq!(swept["best"]["set"]["node.web1.memory"], "16MiB", "{swept}");
    assert_eq!(swept["minimised"], "node.web1.memory");
    let rows = rows(&place, "a.parquet");
    assert_eq!(
        columns(&rows[0]).join(" "),
        "node.web1.memory store.disk.kind seed site throughput_per_s mean_us p50_us p95_us p99_us first_byte_p95_us hit_ratio \
         errors bottleneck"
    );
    let memory = |row: &Row| figure(row, "node.web1.memory") / f64::from(1 << 20);
    let memories: Vec<f64> = rows.iter().map(memory).collect();
    assert_eq!(memories, [1.0, 1.0, 4.0, 4.0, 16.0, 16.0]);
    assert_eq!(
        cell(&rows[1], "store.disk.kind"),
        Field::Str("xfs".to_owned())
    );
    assert_eq!(cell(&rows[1], "site"), Field::Str("zipf".to_owned()));
    let single = place.json([
        "simulate",
        "scenario",
        "tiers.toml",
        "a.trace",
        "--set",
        "node.web1.memory=4MiB",
        "--set",
        "store.disk.kind=xfs",
        "--json",
    ]);
    let total = &single["outcomes"][0]["total"];
    assert_eq!(json!(figure(&rows[3], "mean_us")), total["mean_us"]);
    assert_eq!(json!(figure(&rows[3], "hit_ratio")), total["hit_ratio"]);
    let p99 = &total["latencies"]["response"]["p99_us"];
    assert_eq!(json!(figure(&rows[3], "p99_us")), *p99);
    let limit = &single["bottleneck"];
    let limit = [&limit["kind"], &limit["name"]].map(|it| it.as_str().unwrap_or_default());
    assert_eq!(cell(&rows[3], "bottleneck"), Field::Str(limit.join(" ")));
    let shown = place.succeeds(sweep(&[&vary[..], &["--html", "a.html"]].concat()));
    let widest = shown.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{shown}");
    let page = fs::read_to_string(place.path("a.html")).expect("a page");
    assert_eq!(page.matches("<svg").count(), 2, "a plot for each key");
    assert_eq!(
        place.entries(),
        ["a.html", "a.log", "a.parquet", "a.trace", "tiers.toml"]
    );
}

#[test]
fn a_sweep_by_formulas_has_the_figures_of_single_calculations() {
    let place = workload();
    let vary = [
        "--by",
        "model",
        "--vary",
        "node.web1.memory=1MiB..16MiB:x4",
        "-o",
        "a.parquet",
    ];
    let swept = place.json(sweep(&[&vary[..], &["--json"]].concat()));
    holds_to("sweep.json", &swept);
    assert_eq!((&swept["by"], &swept["done"]), (&json!("model"), &json!(3)));
    assert_eq!(swept["best"]["set"]["node.web1.memory"], "16MiB", "{swept}");
    let rows = rows(&place, "a.parquet");
    let calculated = ["model", "tiers.toml", "a.trace", "--json"];
    let set = ["--set", "node.web1.memory=4MiB"];
    let single = place.json(calculated.iter().chain(&set).copied());
    let total = &single["outcomes"][0]["total"];
    for name in ["throughput_per_s", "mean_us", "hit_ratio"] {
        assert_eq!(json!(figure(&rows[1], name)), total[name], "{name}");
    }
    let unknown = ["p50_us", "p95_us", "p99_us", "first_byte_p95_us"];
    for name in unknown {
        assert_eq!(cell(&rows[1], name), Field::Null, "{name}");
    }
    let shown = place.succeeds(sweep(&[&vary[..], &["--html", "a.html"]].concat()));
    assert!(
        shown.starts_with("tiers.toml at 3 points, by formulas: "),
        "{shown}"
    );
    assert!(!shown.contains("p95"), "{shown}");
    let target = |target: &'static str| [&vary[..], &["--target", target]].concat();
    place.succeeds(sweep(&target("zipf=mean<1s")));
    Failure::of(place.hotset(sweep(&target("zipf=p95<1s"))))
        .has_code(2)
        .says("--target zipf=p95 < 1 s: formulas give the mean alone");
    let output = place.hotset(sweep(&target("zipf=mean<1us")));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn targets_choose_the_least_point_that_meets_them_or_end_with_3() {
    let place = workload();
    let vary = [
        "--vary",
        "node.web1.memory=1MiB..16MiB:x2",
        "-o",
        "a.parquet",
        "--json",
    ];
    place.succeeds(sweep(&vary));
    let means: Vec<f64> = rows(&place, "a.parquet")
        .iter()
        .map(|it| figure(it, "mean_us"))
        .collect();
    let (third, last) = (means[2], means[4]);
    assert!(third > last, "{means:?}");
    let target = format!("zipf=mean<{}us", third * 1.001);
    let swept = place.json(sweep(&[&vary[..], &["--target", &target]].concat()));
    holds_to("sweep.json", &swept);
    let met = means.iter().filter(|it| **it < third * 1.001).count();
    assert_eq!(swept["meeting"], met);
    let first = means.iter().position(|it| *it < third * 1.001);
    assert_eq!(swept["best"]["point"], json!(first));
    let target = format!("zipf=mean<{}us", last / 2.0);
    let output = place.hotset(sweep(&[&vary[..], &["--target", &target]].concat()));
    assert_eq!(output.status.code(), Some(3));
    let swept: Value = serde_json::from_slice(&output.stdout).expect("the report all the same");
    holds_to("sweep.json", &swept);
    assert_eq!(
        (&swept["best"], &swept["meeting"]),
        (&Value::Null, &json!(0))
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("none of 5 points meets zipf: mean < "),
        "{said}"
    );
}

#[test]
fn a_point_without_responses_is_not_the_best_one() {
    let place = workload();
    // By formulas nothing answers requests that come faster than they are served.
    let nodes = &SCENARIO[SCENARIO.find("[[node]]").expect("a node")..];
    place.write("open.toml", nodes.as_bytes());
    let words = ["sweep", "open.toml", "fast.log", "--by", "model"];
    let vary = [
        "--vary",
        "link.web1.rate=0.01Mbit,0.02Mbit",
        "-o",
        "a.parquet",
    ];
    let fast = ["generate", "zipf", "--objects", "300", "--requests", "3000"];
    let log = ["--rate", "5000", "--log", "fast.log", "-o", "fast"];
    place.succeeds(fast.iter().chain(&log));
    let swept = place.json(words.iter().chain(&vary).chain(&["--json"]));
    assert_eq!(
        (&swept["best"], &swept["failing"]),
        (&Value::Null, &json!(0))
    );
    let said = place.succeeds(words.iter().chain(&vary));
    assert!(
        said.contains("none has responses where requests do not fail"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_swept_is_refused_before_anything_runs() {
    let place = workload();
    for (vary, code, says) in [
        (
            "node.web1.memroy=1MiB,2MiB",
            1,
            "--vary node.web1.memroy=1MiB: `memroy` in [[node]]: unknown key; did you mean `memory`?",
        ),
        (
            "node.web1.memory=1MiB,lots",
            1,
            "--vary node.web1.memory=lots: `memory` in [[node]]: size `lots`",
        ),
        (
            "node.web2.memory=1MiB,2MiB",
            1,
            "there is no such [[node]]; there are: web1",
        ),
        ("store.disk.kind=ext4,zfs", 1, "--vary store.disk.kind=zfs"),
        (
            "store.disk.kind=ext4,moosefs",
            1,
            "store.disk.kind=moosefs: store `disk` is on servers of its own",
        ),
        (
            "client.crowd.clients=1..9:x1.5",
            1,
            "--vary client.crowd.clients=1.5",
        ),
        ("node.web1.memory=1MiB..2MiB", 2, "has no step"),
        (
            "node.web1.cpus=1..100000:x100",
            1,
            "must be from 0.01 to 65536",
        ),
    ] {
        Failure::of(place.hotset(sweep(&["--vary", vary, "-o", "a.parquet"])))
            .has_code(code)
            .says(says);
        assert!(!place.path("a.parquet").exists() && !place.path("a.parquet.points").exists());
    }
    let many = "client.crowd.clients=1..1000:+1";
    let memory = "node.web1.memory=1MiB..1GiB:+1MiB";
    let refused = |more: &[&str]| {
        let vary = ["-o", "a.parquet", "--vary", memory];
        Failure::of(place.hotset(sweep(&[&vary[..], more].concat())))
    };
    refused(&["--vary", many])
        .has_code(1)
        .says("there are 1024000 points, and at most 100000 are simulated");
    refused(&["--vary", "node.web1.memory=1MiB"])
        .has_code(2)
        .says("stands twice");
    refused(&["--vary", "site.zipf.match=/a,/b"])
        .has_code(2)
        .says("a sweep reads them once");
    let target = ["--target", "zipf=p99<1s"];
    refused(&[&target[..], &["--minimise", "link.web1.rate"]].concat())
        .has_code(2)
        .says("is not varied; name one of node.web1.memory");
    refused(&["--target", "shop=p99<1s"])
        .has_code(1)
        .says("the sites are zipf");
    refused(&["--minimise", "node.web1.memory"])
        .has_code(2)
        .says("--target");
}

/// Points that take a while, of which none is like another.
const MANY: [&str; 6] = [
    "--vary",
    "node.web1.memory=1MiB..8MiB:+128KiB",
    "--vary",
    "client.crowd.clients=2,4,6",
    "-o",
    "a.parquet",
];

fn program(place: &Workplace, threads: &str, words: &[&str]) -> Command {
    let mut command = Command::new(hotset());
    command
        .args(words)
        .current_dir(place.folder())
        .env("RAYON_NUM_THREADS", threads);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The table of [`MANY`], made at once by so many threads.
fn whole(place: &Workplace, threads: &str) -> Vec<u8> {
    let output = program(place, threads, &sweep(&MANY))
        .output()
        .expect("hotset runs");
    assert!(output.status.success(), "{}", said(&output));
    let table = fs::read(place.path("a.parquet")).expect("a table");
    fs::remove_file(place.path("a.parquet")).expect("removed");
    table
}

#[test]
fn a_killed_sweep_goes_on_to_the_same_bytes_on_any_number_of_threads() {
    let place = workload();
    let table = whole(&place, "1");
    assert_eq!(whole(&place, "2"), table);
    let kept = place.path("a.parquet.points");
    let lines = || fs::read_to_string(&kept).map_or(0, |it| it.lines().count());
    let mut child = program(&place, "2", &sweep(&MANY))
        .spawn()
        .expect("hotset runs");
    let end = Instant::now() + Duration::from_secs(60);
    while lines() < 3 {
        assert!(Instant::now() < end, "no point was finished");
        sleep(Duration::from_millis(1));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(!place.path("a.parquet").exists(), "it was still at work");
    // As if it had been killed within a line.
    let mut text = fs::read(&kept).expect("points");
    text.extend(b"{\"key\":\"0");
    fs::write(&kept, text).expect("written");
    let output = program(&place, "1", &sweep(&MANY))
        .output()
        .expect("hotset runs");
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        said(&output).contains("a.parquet.points: goes on from"),
        "{}",
        said(&output)
    );
    assert_eq!(fs::read(place.path("a.parquet")).expect("a table"), table);
    assert!(!kept.exists());
}

#[test]
fn kept_points_of_another_scenario_or_log_are_not_used() {
    let place = workload();
    let table = whole(&place, "2");
    let kept = place.path("a.parquet.points");
    // What is kept of another scenario, of which all is finished but the table.
    let slower = SCENARIO.replace("100Mbit", "50Mbit");
    place.write("tiers.toml", slower.as_bytes());
    let interrupted = |place: &Workplace| {
        let mut child = program(place, "2", &sweep(&MANY))
            .spawn()
            .expect("hotset runs");
        while !fs::read_to_string(&kept).is_ok_and(|it| it.lines().count() > 2) {
            sleep(Duration::from_millis(1));
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    };
    interrupted(&place);
    place.write("tiers.toml", SCENARIO.as_bytes());
    let output = program(&place, "2", &sweep(&MANY))
        .output()
        .expect("hotset runs");
    let says = said(&output);
    assert!(
        says.contains(
            "points are of another scenario, other logs or other values, and are not used"
        ),
        "{says}"
    );
    assert!(!says.contains("goes on from"), "{says}");
    assert_eq!(fs::read(place.path("a.parquet")).expect("a table"), table);
}

#[test]
fn points_that_were_simulated_are_not_taken_for_calculated_ones() {
    let place = workload();
    let by_model = [&sweep(&MANY)[..], &["--by", "model"]].concat();
    let run = |threads: &str| {
        let output = program(&place, threads, &by_model).output();
        let output = output.expect("hotset runs");
        assert!(output.status.success(), "{}", said(&output));
        let table = fs::read(place.path("a.parquet")).expect("a table");
        fs::remove_file(place.path("a.parquet")).expect("removed");
        (table, said(&output))
    };
    let (table, _) = run("1");
    let kept = place.path("a.parquet.points");
    let mut child = program(&place, "2", &sweep(&MANY))
        .spawn()
        .expect("hotset runs");
    while !fs::read_to_string(&kept).is_ok_and(|it| it.lines().count() > 2) {
        sleep(Duration::from_millis(1));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let (again, says) = run("2");
    assert!(says.contains("and are not used"), "{says}");
    assert!(!says.contains("goes on from"), "{says}");
    assert_eq!(again, table);
    assert!(!kept.exists());
}

#[test]
fn a_full_disk_is_told_and_the_sweep_goes_on_where_there_is_room() {
    let place = workload();
    let table = whole(&place, "2");
    let Some(disk) = SmallDisk::mount(place.path("small"), "8k") else {
        return;
    };
    let mut words = sweep(&MANY);
    words.pop();
    words.push("small/a.parquet");
    let output = program(&place, "2", &words).output().expect("hotset runs");
    assert_eq!(output.status.code(), Some(1));
    let says = said(&output);
    assert!(
        says.contains("small/a.parquet.points: cannot be written: No space left on device"),
        "{says}"
    );
    assert!(
        says.contains("goes on from the points that are kept"),
        "{says}"
    );
    assert_eq!(disk.names(), ["a.parquet.points"]);
    assert!(disk.shrink("4m"));
    let output = program(&place, "2", &words).output().expect("hotset runs");
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("goes on from"), "{}", said(&output));
    assert_eq!(
        fs::read(place.path("small/a.parquet")).expect("a table"),
        table
    );
    assert_eq!(disk.names(), ["a.parquet"]);
}

#[test]
fn somebodys_file_beside_the_table_stays_as_it_is() {
    let place = workload();
    place.write("a.parquet.points", b"1 2\n3 4\n");
    let vary = ["--vary", "node.web1.memory=1MiB,2MiB", "-o", "a.parquet"];
    Failure::of(place.hotset(sweep(&vary)))
        .has_code(1)
        .says("a.parquet.points: has no points of a sweep");
    let kept = fs::read(place.path("a.parquet.points")).expect("it is there");
    assert_eq!(kept, b"1 2\n3 4\n");
    assert!(!place.path("a.parquet").exists());
}
