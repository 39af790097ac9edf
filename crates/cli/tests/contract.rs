//! What `--json` prints keeps to the published schemas, and to the keys that other tools rely on.

use crate::support;

use std::fs;

use crate::support::Workplace;
use crate::support::schema::holds_to;
use crate::support::server::{Answer, Server};
use serde_json::Value;

/// A small workload as trace folder and access log.
pub fn workload(place: &Workplace) {
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

pub fn has(json: &Value, pointers: &[&str]) {
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
