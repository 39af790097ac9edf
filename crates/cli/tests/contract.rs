//! What `--json` prints keeps to the published schemas, and to the keys that other tools rely on.

use crate::support;

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::schema::holds_to;
use crate::support::server::{Answer, Server};
use crate::support::{Failure, Workplace};
use serde_json::{Value, json};

/// A small workload as trace folder and access log.
fn workload(place: &Workplace) {
    let log = ["--log", "a.log", "--log-style", "vhost-combined"];
    let zipf = [
        "generate",
        "zipf",
        "--objects",
        "300",
        "--requests",
        "6000",
        "--working-set",
        "8MiB",
    ];
    place.succeeds(zipf.iter().chain(&["-o", "a.trace"]).chain(&log));
}

/// Every figure of `input` under its schema, and a report page of each.
fn all_outputs_hold(place: &Workplace, input: &str) {
    let describe = ["describe", "--json", "--html", "describe.html", input];
    holds_to("describe.json", &place.json(describe));
    let plan = [
        "plan",
        "--memory",
        "64KiB",
        "--json",
        "--html",
        "plan.html",
        "-o",
        "plan.json",
        input,
    ];
    let plan = place.json(plan);
    holds_to("plan.json", &plan);
    holds_to("import.json", &plan["reading"]);
    let placement = fs::read_to_string(place.path("plan.json")).expect("the plan is written");
    holds_to(
        "placement.json",
        &serde_json::from_str(&placement).expect("JSON"),
    );
    for page in ["describe.html", "plan.html"] {
        let page = fs::read_to_string(place.path(page)).expect("the page is written");
        assert!(!page.contains("NaN") && !page.contains("inf<"), "{page}");
    }
    let simulate = ["simulate", "trace", "--memory", "64KiB", "--json", input];
    let scan = place.json(simulate);
    holds_to("simulate-trace.json", &scan);
    place.write("plan-outcomes.json", plan.to_string().as_bytes());
    place.write("scan-outcomes.json", scan.to_string().as_bytes());
    let compare = [
        "compare",
        "--json",
        "plan-outcomes.json",
        "scan-outcomes.json",
    ];
    holds_to("compare.json", &place.json(compare));
}

#[test]
fn a_single_access_holds_to_the_schemas() {
    let place = Workplace::new();
    place.write(
        "one.log",
        support::combined_line("/a.png", 5_000).as_bytes(),
    );
    all_outputs_hold(&place, "one.log");
    let json = place.json(["describe", "--json", "one.log"]);
    assert!(json["total"]["requests_per_second"]["mean"].is_null());
    assert!(json["total"]["zipf"].is_null());
}

#[test]
fn a_trace_without_times_or_clients_holds_to_the_schemas() {
    let place = Workplace::new();
    let keys = (0..4_000u32).flat_map(|i| (i * i % 97).to_be_bytes());
    place.write("keys.bin", &keys.collect::<Vec<u8>>());
    place.succeeds([
        "import",
        "--format",
        "keys-u32be",
        "keys.bin",
        "-o",
        "keys.trace",
    ]);
    all_outputs_hold(&place, "keys.trace");
    let json = place.json(["describe", "--json", "keys.trace"]);
    for key in [
        "/total/clients",
        "/total/connections",
        "/total/requests_per_second/mean",
    ] {
        assert!(json.pointer(key).is_some_and(Value::is_null), "{key}");
    }
}

#[test]
fn a_site_that_no_file_was_read_of_holds_to_the_schemas() {
    let place = Workplace::new();
    let read = support::combined_line("/a.png", 5_000);
    let missing = read.replace(" 200 ", " 404 ");
    let log = format!("a.example:80 {read}b.example:80 {missing}").repeat(50);
    place.write("a.log", (log + "no log line\n").as_bytes());
    all_outputs_hold(&place, "a.log");
    let json = place.json(["plan", "--memory", "64KiB", "--json", "a.log"]);
    assert!(
        json.pointer("/sites/1/held_out/plan/hit_ratio")
            .is_some_and(Value::is_null)
    );
    let text = place.succeeds(["describe", "a.log"]);
    assert!(
        text.contains("50 requests not for a file: 50 with a status other than"),
        "{text}"
    );
    assert!(text.contains("1 line left out"), "{text}");
}

#[test]
fn a_plan_beside_the_page_cache_of_linux_says_so_and_leaves_the_server_its_memory() {
    let place = Workplace::new();
    workload(&place);
    let json = place.json([
        "plan",
        "--memory=1MiB",
        "--server-memory=256KiB",
        "--page-cache=linux",
        "--json",
        "a.log",
    ]);
    assert_eq!(json["memory_bytes"], 768 * 1024);
    let settings = json["outcomes"][0]["provenance"]["settings"].to_string();
    assert!(settings.contains("linux"), "{settings}");
}

fn has(json: &Value, pointers: &[&str]) {
    for pointer in pointers {
        assert!(
            json.pointer(pointer).is_some_and(|value| !value.is_null()),
            "{pointer} in {json:#}"
        );
    }
}

#[test]
fn describe_prints_its_contract() {
    let place = Workplace::new();
    workload(&place);
    let json = place.json(["describe", "--json", "a.log"]);
    holds_to("describe.json", &json);
    for scope in ["/sites/0", "/total"] {
        let keys = [
            "site",
            "requests",
            "objects",
            "object_bytes",
            "response_bytes",
            "rejected_lines",
            "requests_per_second/mean",
            "requests_per_second/peak_minute",
            "requests_per_connection",
            "bytes_for_percent_of_requests/97",
            "bytes_for_percent_of_requests/98",
            "bytes_for_percent_of_requests/99",
            "zipf/alpha",
            "zipf/low",
            "zipf/high",
        ];
        let pointers: Vec<String> = keys.iter().map(|key| format!("{scope}/{key}")).collect();
        has(
            &json,
            &pointers.iter().map(String::as_str).collect::<Vec<_>>(),
        );
    }
}

#[test]
fn replay_prints_its_contract() {
    let place = Workplace::new();
    workload(&place);
    let server = Server::start(Answer::Bytes(1_000));
    let part = ["replay", "--scale", "10", "--to", "1s", "--json", "a.log"];
    let json = place.json(part.iter().chain(&[server.url.as_str()]));
    holds_to("replay.json", &json);
    let mut pointers: Vec<String> = ["requests", "errors", "requested_rate", "achieved_rate"]
        .map(|key| format!("/{key}"))
        .into();
    for times in ["first_byte_us", "from_intended_us", "total_us"] {
        pointers.extend(["mean", "p50", "p95", "p99"].map(|key| format!("/{times}/{key}")));
    }
    let others = [
        "errors_by_kind",
        "wrong_length",
        "lateness_us",
        "sites/0/first_byte_us/p99",
        "size_classes/0",
    ];
    let more = [
        "timeline/0/sent",
        "skipped/head",
        "provenance/Machine",
        "outcomes/0/total/latencies/first_byte",
    ];
    pointers.extend(others.into_iter().chain(more).map(|key| format!("/{key}")));
    has(
        &json,
        &pointers.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn plan_prints_its_contract_and_writes_its_files() {
    let place = Workplace::new();
    workload(&place);
    let json = place.json([
        "plan",
        "--memory",
        "10%",
        "--json",
        "-o",
        "plan.json",
        "--html",
        "plan.html",
        "--timings",
        "--for-gain",
        "5%",
        "a.log",
    ]);
    holds_to("plan.json", &json);
    has(
        &json,
        &[
            "/memory_bytes",
            "/held/objects",
            "/held/bytes",
            "/page_cache_bytes",
            "/sites/0/site",
            "/sites/0/held_bytes",
            "/sites/0/held_out/accesses",
            "/total/held_out/page_cache/hit_ratio",
            "/total/held_out/page_cache/mean_us",
            "/total/held_out/plan/mean_us",
            "/total/held_out/adaptive/moved_bytes",
            "/sites/0/held_out/adaptive/moved_bytes",
            "/total/held_out/lru/mean_us",
            "/total/held_out/size_threshold/mean_us",
            "/total/held_out/clairvoyant/mean_us",
            "/curve/0/memory_bytes",
            "/curve/0/page_cache/mean_us",
            "/curve/0/plan/mean_us",
        ],
    );
    let placement = fs::read_to_string(place.path("plan.json")).expect("the plan is written");
    let placement: Value = serde_json::from_str(&placement).expect("JSON");
    holds_to("placement.json", &placement);
    let held = json["held"]["objects"].as_u64().expect("a number");
    assert_eq!(
        placement["files"].as_array().expect("a list").len() as u64,
        held
    );
    assert!(held > 0, "a skewed workload has something to hold");
}

#[test]
fn a_plan_in_force_is_kept_where_it_is_as_good() {
    let place = Workplace::new();
    workload(&place);
    let plan = [
        "plan",
        "--memory",
        "10%",
        "--json",
        "a.log",
        "-o",
        "plan.json",
    ];
    let first = place.json(plan);
    let second = place.json(plan.iter().chain(&["--previous", "plan.json"]));
    assert!(first["moved_bytes"].as_u64() > Some(0));
    assert_eq!(second["moved_bytes"], 0);
}

#[test]
fn simulated_jobs_print_their_contract() {
    let place = Workplace::new();
    place.write(
        "jobs.fio",
        b"[global]\nsize=16m\n[scan]\nrw=read\nbs=64k\n[look]\nstonewall\nrw=randread\n",
    );
    let jobs = [
        "simulate",
        "fio",
        "jobs.fio",
        "--profile",
        "ssd",
        "--set",
        "memory=8M",
        "--json",
    ];
    let simulated = place.json(jobs);
    holds_to("simulate-fio.json", &simulated);
    assert_eq!(simulated["jobs"][1]["bottleneck"], "device");
    assert_eq!(simulated, place.json(jobs), "the seed decides");
    let shown = place.succeeds(&jobs[..jobs.len() - 1]);
    assert!(
        shown.contains("2 jobs simulated on ssd with 8 MiB of memory for files"),
        "{shown}"
    );
    let nfs = [
        "--set",
        "file_system.kind=nfs",
        "--set",
        "file_system.block_bytes=4096",
    ];
    let shown = place.succeeds(jobs[..5].iter().chain(&nfs).copied());
    assert!(shown.contains("nfs is not modelled"), "{shown}");
}

#[test]
fn simulated_jobs_say_what_is_known_of_the_device() {
    let place = Workplace::new();
    place.write("jobs.fio", b"[a]\nrw=randread\nsize=1m\n");
    for (profile, kind, says) in [
        (
            "nvme",
            json!("ssd"),
            "The device of nvme is described as in a data sheet, not measured.",
        ),
        (
            "hdd",
            json!(null),
            "hdd has no device: requests wait for the delay of its line for files that are not cached, one after the other",
        ),
    ] {
        let simulate = ["simulate", "fio", "jobs.fio", "--profile", profile];
        let shown = place.succeeds(simulate).replace('\n', " ");
        assert!(shown.contains(says), "{shown}");
        let json = place.json(simulate.into_iter().chain(["--json"]));
        assert_eq!(json["device"], kind);
        assert!(json["source"].is_string());
    }
}

#[test]
fn jobs_that_cannot_be_simulated_are_refused_with_their_line() {
    let place = Workplace::new();
    place.write("write.fio", b"[a]\nrw=write\nsize=1m\n");
    place.write("odd.fio", b"[a]\nrw=read\nsize=1m\nnrfiles=2\n");
    let simulate = |file| Failure::of(place.hotset(["simulate", "fio", file, "--profile", "ssd"]));
    simulate("write.fio")
        .has_code(1)
        .says("write.fio:2: `[a]` has rw=write: writing is not modelled yet");
    simulate("odd.fio")
        .has_code(1)
        .says("odd.fio:4: `nrfiles=2`");
    simulate("none.fio").has_code(1).says("none.fio");
    place.write("jobs.fio", b"[a]\nrw=read\nsize=1m\n");
    for (setting, says) in [
        ("memory=lots", "--set memory=lots: "),
        (
            "parallel=8",
            "`parallel`: unknown key; did you mean `reading.parallel`?",
        ),
        ("reading.processors=0", "must be from 1 to 8192"),
        (
            "uncached.bytes_per_us=500",
            "--set uncached.bytes_per_us=500: changes nothing, since ssd has a device",
        ),
    ] {
        let set = [
            "simulate",
            "fio",
            "jobs.fio",
            "--profile",
            "ssd",
            "--set",
            setting,
        ];
        Failure::of(place.hotset(set)).has_code(1).says(says);
    }
    let bare = [
        "simulate",
        "fio",
        "jobs.fio",
        "--profile",
        "ssd",
        "--set",
        "memory",
    ];
    Failure::of(place.hotset(bare))
        .has_code(2)
        .says("write NAME=VALUE");
}

#[test]
fn simulate_prints_its_contract_from_log_and_from_folder_alike() {
    let place = Workplace::new();
    workload(&place);
    let simulate = |input| {
        place.json([
            "simulate", "trace", "--policy", "lru", "--memory", "1MiB", "--json", input,
        ])
    };
    let (log, folder) = (simulate("a.log"), simulate("a.trace"));
    holds_to("simulate-trace.json", &log);
    has(
        &log,
        &[
            "/requests",
            "/hits",
            "/hit_ratio",
            "/byte_hit_ratio",
            "/mean_us",
        ],
    );
    assert_eq!(log["reading"]["sources"][0]["format"], "vhost-combined");
    for moment in ["first", "last"] {
        assert!(log["reading"][moment].is_string(), "{moment}");
        assert!(folder["reading"][moment].is_string(), "{moment}");
    }
    let figures = |mut json: Value| {
        json["reading"].take();
        json
    };
    assert_eq!(figures(log), figures(folder));
}

#[test]
fn a_sampled_hit_ratio_holds_to_its_contract_and_its_interval_covers_the_exact_one() {
    let place = Workplace::new();
    place.succeeds([
        "generate",
        "zipf",
        "--alpha",
        "0.7",
        "--requests",
        "60000",
        "--objects",
        "6000",
        "-o",
        "z.trace",
    ]);
    let simulate = |more: &[&str]| {
        let args = ["simulate", "trace", "--memory", "20%", "--json", "z.trace"];
        place.json(args.iter().chain(more))
    };
    let exact = simulate(&["--policy", "lru"]);
    let seeded = |seed| simulate(&["--sampled", "20%", "--seed", seed]);
    let sampled = seeded("1");
    holds_to("simulate-trace.json", &sampled);
    assert_eq!(sampled["sampled"]["seed"], 1);
    assert_eq!(sampled, seeded("1"));
    assert_ne!(sampled["curve"], seeded("2")["curve"]);
    let number = |value: &Value| value.as_f64().expect("a number");
    let covers = |of: &Value, exact: &Value| {
        let interval = &of["hit_ratio_interval"];
        (number(&interval["low"])..=number(&interval["high"])).contains(&number(exact))
    };
    assert!(covers(&sampled, &exact["hit_ratio"]), "{exact} {sampled}");
    for point in sampled["curve"].as_array().expect("points") {
        let memory = point["memory_bytes"].to_string();
        let args = [
            "simulate", "trace", "--policy", "lru", "--json", "z.trace", "--memory", &memory,
        ];
        let exact = place.json(args);
        assert!(covers(point, &exact["hit_ratio"]), "{exact} {point}");
    }
}

#[test]
fn an_estimated_page_cache_holds_to_its_contract_and_its_intervals_cover_the_exact_figures() {
    let place = Workplace::new();
    let requests = ["--requests", "60000", "--objects", "6000"];
    let made = ["generate", "zipf", "--alpha", "0.7", "-o", "z.trace"];
    place.succeeds(made.iter().chain(&requests));
    let simulate = |more: &[&str]| {
        let args = [
            "simulate", "trace", "--json", "z.trace", "--memory", "10%", "--policy", "two-list",
        ];
        place.json(args.iter().chain(more))
    };
    let exact = simulate(&[]);
    let sampled = simulate(&["--sampled", "20%", "--seed", "1"]);
    holds_to("simulate-trace.json", &sampled);
    assert_eq!(sampled["sampled"]["drawn_by"], "importance");
    assert_eq!(sampled, simulate(&["--sampled", "20%", "--seed", "1"]));
    for key in ["hit_ratio", "byte_hit_ratio", "mean_us"] {
        let number = |value: &Value| value.as_f64().expect("a number");
        let interval = &sampled[format!("{key}_interval")];
        let covered = number(&interval["low"])..=number(&interval["high"]);
        assert!(
            covered.contains(&number(&exact[key])),
            "{key}: {exact} {sampled}"
        );
    }
}

#[test]
fn import_prints_its_contract_and_loses_nothing() {
    let place = Workplace::new();
    workload(&place);
    let import = [
        "import",
        "a.log",
        "-o",
        "b.trace",
        "--keep-clients",
        "--json",
    ];
    let json = place.json(import.iter().chain(&["--timings"]));
    holds_to("import.json", &json);
    has(
        &json,
        &[
            "/requests",
            "/accesses",
            "/objects",
            "/clients",
            "/peak_memory_bytes",
        ],
    );
    let (log, folder) = (
        place.json(["describe", "--json", "--keep-clients", "a.log"]),
        place.json(["describe", "--json", "b.trace"]),
    );
    assert_eq!(log["sites"], folder["sites"]);
}

#[test]
fn connections_rebuilt_on_import_are_those_that_describe_counts() {
    let place = Workplace::new();
    workload(&place);
    let json = place.json([
        "import",
        "a.log",
        "-o",
        "b.trace",
        "--connections",
        "--json",
    ]);
    let (connections, requests) = (json["connections"].as_u64(), json["requests"].as_u64());
    assert!(connections > Some(0) && connections < requests, "{json}");
    // They are described as stored, not rebuilt from the arrivals that were spread within the second.
    let described = place.json(["describe", "--json", "b.trace"]);
    assert_eq!(described["total"]["connections"], json["connections"]);
}

#[test]
fn generate_prints_its_contract() {
    let place = Workplace::new();
    let json = place.json([
        "generate",
        "zipf",
        "--requests",
        "100",
        "-o",
        "a.trace",
        "--json",
    ]);
    holds_to("generate.json", &json);
}

#[test]
fn every_workload_can_be_generated_stored_logged_and_laid_out_as_files() {
    let workloads: [&[&str]; 6] = [
        &["single-file", "--requests", "50"],
        &[
            "average-size",
            "--objects",
            "20",
            "--size",
            "2KiB",
            "--requests",
            "50",
        ],
        &[
            "zipf",
            "--objects",
            "50",
            "--working-set",
            "200KiB",
            "--requests",
            "500",
        ],
        &[
            "shifting",
            "--objects",
            "50",
            "--working-set",
            "200KiB",
            "--requests",
            "500",
            "--shift-every",
            "100",
        ],
        &["specweb99", "--connections", "1", "--requests", "200"],
        &["twin", "nyse", "--scale", "0.01"],
    ];
    for workload in workloads {
        let place = Workplace::new();
        let output = [
            "-o", "a.trace", "--files", "files", "--log", "a.log", "--json",
        ];
        let json = place.json(["generate"].iter().chain(workload).chain(&output));
        assert!(json["requests"].as_u64() > Some(0), "{workload:?}");
        assert_eq!(
            place.entries(),
            ["a.log", "a.trace", "files"],
            "{workload:?}"
        );
        let described = place.json(["describe", "--json", "a.log"]);
        assert_eq!(
            described["total"]["requests"], json["requests"],
            "{workload:?}"
        );
    }
}

#[test]
fn trace_folders_mix_into_sites() {
    let place = Workplace::new();
    for name in ["shop.trace", "video.trace"] {
        place.succeeds(["generate", "zipf", "--requests", "500", "-o", name]);
    }
    place.succeeds([
        "generate",
        "mix",
        "shop=shop.trace",
        "video=video.trace",
        "-o",
        "both.trace",
    ]);
    let json = place.json(["describe", "--json", "both.trace"]);
    assert_eq!(json["sites"][0]["site"], "shop");
    assert_eq!(json["sites"][1]["site"], "video");
    assert_eq!(json["total"]["requests"], 1000);
    let plan = place.json(["plan", "--memory", "10%", "--json", "both.trace"]);
    let moved = |scope: &str| {
        let pointer = format!("{scope}/held_out/adaptive/moved_bytes");
        plan.pointer(&pointer)
            .and_then(Value::as_u64)
            .expect("a number")
    };
    assert_eq!(moved("/sites/0") + moved("/sites/1"), moved("/total"));
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let place = Workplace::new();
    workload(&place);
    let plan = || {
        let mut json = place.json(["plan", "--memory", "10%", "--seed", "7", "--json", "a.log"]);
        json.as_object_mut()
            .expect("an object")
            .remove("peak_memory_bytes");
        json
    };
    assert_eq!(plan(), plan());
}

#[test]
fn completions_and_manual_page_are_printed() {
    let place = Workplace::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            place.succeeds(["completions", shell]).contains("hotset"),
            "{shell}"
        );
    }
    assert!(place.succeeds(["man"]).contains(".TH"));
}

#[test]
fn terminal_output_fits_100_columns() {
    let place = Workplace::new();
    workload(&place);
    for command in [
        &["plan", "--memory", "10%", "a.log"][..],
        &["describe", "a.log"],
        &["simulate", "trace", "--memory", "10%", "a.log"],
        &["import", "a.log", "-o", "b.trace"],
    ] {
        let output = place.succeeds(command);
        let widest = output.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{command:?}: {widest:?}");
    }
}

#[test]
fn manual_pages_of_all_commands_are_written() {
    let place = Workplace::new();
    place.succeeds(["man", "--dir", "man1"]);
    for page in ["hotset.1", "hotset-plan.1", "hotset-simulate-trace.1"] {
        assert!(place.path("man1").join(page).exists(), "{page}");
    }
}

#[test]
fn a_plan_names_the_modification_time_that_the_file_has() {
    use std::os::unix::fs::MetadataExt;
    let place = Workplace::new();
    let zipf = [
        "generate",
        "zipf",
        "--objects",
        "20",
        "--working-set",
        "200KiB",
    ];
    let output = ["--requests", "2000", "--files", "www", "--log", "a.log"];
    place.succeeds(zipf.iter().chain(&output));
    place.succeeds([
        "plan",
        "--memory",
        "50%",
        "--root",
        "all=www/zipf",
        "--backing",
        "hdd",
        "-o",
        "plan.json",
        "a.log",
    ]);
    let plan: Value =
        serde_json::from_slice(&fs::read(place.path("plan.json")).expect("written")).expect("JSON");
    let file = &plan["files"][0];
    let path = place
        .path("www/zipf")
        .join(file["path"].as_str().expect("text").trim_start_matches('/'));
    let real = fs::metadata(path).expect("the file is there");
    assert_eq!(file["size_bytes"], real.len());
    assert_eq!(
        file["mtime_ns"],
        real.mtime() * 1_000_000_000 + real.mtime_nsec()
    );
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Experiments of the repository that have results.
fn measured_experiments() -> Vec<PathBuf> {
    let folders = entries(&repository().join("experiments"));
    let files = folders.iter().flat_map(|folder| entries(folder));
    files.filter(|file| has_results(file)).collect()
}

/// What is in a folder, sorted; nothing for a file.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    paths
}

/// Whether a file is an experiment whose folder of results has some.
fn has_results(file: &Path) -> bool {
    if file.extension().is_none_or(|extension| extension != "toml") {
        return false;
    }
    let text = fs::read_to_string(file).expect("readable");
    let value = |key: &str| {
        let lines = text.lines().take_while(|line| !line.starts_with('['));
        let mut values = lines.filter_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        values.next().map(|value| value.trim_matches('"'))
    };
    let results = value("results").unwrap_or("results");
    value("kind").is_some() && !entries(&file.with_file_name(results)).is_empty()
}

#[test]
fn measured_experiments_hold_to_their_schema() {
    let files = measured_experiments();
    assert!(files.len() > 10, "{files:?}");
    for file in files {
        let file = file.to_str().expect("UTF-8");
        let place = Workplace::new();
        let json = place.json(["experiment", "show", "--json", file]);
        let points = json["points"].as_array();
        assert!(points.is_some_and(|points| !points.is_empty()), "{file}");
        holds_to("experiment.json", &json);
        holds_to(
            "experiment-list.json",
            &place.json(["experiment", "list", "--json", file]),
        );
    }
}

#[test]
fn experiments_below_the_working_folder_hold_to_their_schema() {
    let place = Workplace::new();
    let node = "[[node]]\nname = \"web\"\nmemory = \"64MiB\"\n";
    place.write("node.toml", node.as_bytes());
    let none = place.succeeds(["experiment", "list"]);
    assert!(none.contains("There is no experiment file"), "{none}");
    let broken = "name = \"a\"\nkind = \"fio-jobs\"\nscenario = \"gone.toml\"\n";
    place.write("a.toml", broken.as_bytes());
    let json = place.json(["experiment", "list", "--json"]);
    holds_to("experiment-list.json", &json);
    assert_eq!(json["experiments"][0]["file"], "a.toml");
    Failure::of(place.hotset(["experiment", "list", "--cell", "0x2"]))
        .has_code(2)
        .says("EXPERIMENT.toml");
}

#[test]
fn kept_results_of_validate_hold_to_its_schema() {
    let folder = repository().join("experiments/local-read-own-disk/results");
    let files: Vec<_> = fs::read_dir(folder).expect("a folder").collect();
    assert!(!files.is_empty(), "the results are there");
    for file in files {
        let text = fs::read(file.expect("a result").path()).expect("readable");
        let kept = serde_json::from_slice(&text).expect("JSON");
        holds_to("validate.json", &kept);
    }
}
