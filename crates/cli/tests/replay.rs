//! `hotset replay` against servers that behave well, badly, or not at all.
use crate::support;

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::server::{Answer, Server, closed_url};
use crate::support::small_disk::SmallDisk;
use crate::support::{Failure, Workplace, hotset};

/// A log line of `client` at so many seconds past 10:05.
fn line(second: u32, client: u32, path: &str, bytes: u64) -> String {
    let (minute, second) = (5 + second / 60, second % 60);
    format!(
        "192.0.2.{client} - - [17/May/2015:10:{minute:02}:{second:02} +0000] \"GET {path} HTTP/1.1\" 200 {bytes} \
         \"-\" \"test\"\n"
    )
}

/// Twelve requests of four clients over four seconds.
fn with_log() -> Workplace {
    let place = Workplace::new();
    let lines = (0..12).map(|i| line(i / 3, i % 4, &format!("/page%20{}.html", i % 5), 100));
    place.write("a.log", lines.collect::<String>().as_bytes());
    place
}

fn replay(place: &Workplace, url: &str, options: &[&str]) -> Output {
    let fixed = ["replay", "--scale", "1000", "a.log", url];
    place.hotset(fixed.iter().chain(options))
}

/// The same, where nothing is sent.
#[track_caller]
fn refused(place: &Workplace, url: &str, options: &[&str]) -> Failure {
    let fixed = ["replay", "--scale", "1000", "a.log", url];
    place.refuses(fixed.iter().chain(options))
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("--json prints JSON")
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8 errors")
}

/// A replay that was reported and yet is a failure: exit code 1, its reason on the last line.
#[track_caller]
fn fails_after_its_report(output: &Output, says: &[&str]) {
    assert_eq!(output.status.code(), Some(1), "{}", errors(output));
    assert!(json(output)["requests"].is_u64());
    let errors = errors(output);
    let last = errors.lines().last().expect("a reason");
    assert!(last.starts_with("hotset: http://127.0.0.1:"), "{errors}");
    says.iter()
        .for_each(|text| assert!(last.contains(text), "{text:?} is not in {last:?}"));
}

#[test]
fn every_request_is_sent_and_measured() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let output = replay(&place, &server.url, &["--json"]);
    assert!(output.status.success(), "{}", errors(&output));
    let json = json(&output);
    assert_eq!(
        (json["requests"].as_u64(), json["errors"].as_u64()),
        (Some(12), Some(0))
    );
    assert_eq!(json["wrong_length"], 0);
    assert_eq!(json["bytes"], 1200);
    for times in [
        "first_byte_us",
        "from_intended_us",
        "total_us",
        "connect_us",
    ] {
        assert!(
            json[times]["p99"].as_f64().is_some_and(|us| us > 0.0),
            "{times}"
        );
    }
    let mut lines: Vec<String> = server
        .requests()
        .iter()
        .map(|head| head.lines().next().expect("a line").into())
        .collect();
    lines.sort();
    let line = |i: usize| format!("GET /page%20{i}.html HTTP/1.1");
    assert_eq!(lines[..3], [line(0), line(0), line(0)]);
    assert_eq!(lines[11], line(4));
}

#[test]
fn the_report_fits_the_terminal_and_goes_into_files() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let output = replay(&place, &server.url, &["-o", "a.json", "--html", "a.html"]);
    assert!(output.status.success(), "{}", errors(&output));
    let text = String::from_utf8(output.stdout).expect("UTF-8 output");
    assert!(text.starts_with("12 requests in"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    let outcomes = hotset_outcome::documents::read(&place.path("a.json")).expect("outcomes");
    assert_eq!(outcomes[0].total.requests, Some(12));
    let page = fs::read_to_string(place.path("a.html")).expect("a page");
    assert!(page.contains("sent … first byte") && !page.contains("NaN"));
}

#[test]
fn what_is_compared_has_the_rate_of_the_report_and_its_seconds() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let sites = ["--site", "even=/page [02468].*", "--json"];
    let output = replay(&place, &server.url, &sites);
    assert!(output.status.success(), "{}", errors(&output));
    let report = json(&output);
    let achieved = report["achieved_rate"].as_f64().expect("a rate");
    let outcome = &report["outcomes"][0];
    let rate = |score: &Value| score["throughput_per_s"].as_f64().expect("a rate");
    assert_eq!(rate(&outcome["total"]), achieved);
    for parts in ["sites", "groups"] {
        let parts = outcome[parts].as_array().expect("parts");
        let sum: f64 = parts.iter().map(rate).sum();
        assert!((sum / achieved - 1.0).abs() < 1e-9, "{sum} of {achieved}");
    }
    assert_eq!(outcome["groups"][0]["kind"], "size");
    assert_eq!(
        outcome["groups"][0]["name"],
        report["size_classes"][0]["class"]
    );
    let seconds = report["timeline"].as_array().expect("seconds");
    let answered: Vec<&Value> = seconds.iter().map(|second| &second["answered"]).collect();
    let kept = &outcome["total"]["timeline"];
    let requests = kept["requests"].as_array().expect("a column");
    assert_eq!(requests.iter().collect::<Vec<_>>(), answered);
    assert_eq!(kept["seconds"][0], 1.0);
}

#[test]
fn the_host_header_is_the_urls_a_name_or_the_site() {
    let place = Workplace::new();
    let line = |second, client| "shop.example:80 ".to_owned() + &line(second, client, "/a", 100);
    place.write("a.log", (line(0, 1) + &line(1, 2)).as_bytes());
    let hosts = |options: &[&str]| {
        let server = Server::start(Answer::Bytes(100));
        assert!(replay(&place, &server.url, options).status.success());
        let heads = server.requests();
        let host = heads[0]
            .lines()
            .find_map(|line| line.strip_prefix("Host: "));
        (
            host.expect("a Host header").to_owned(),
            server.url.replace("http://", ""),
        )
    };
    let (host, address) = hosts(&[]);
    assert_eq!(host, address);
    assert_eq!(hosts(&["--host", "www.example.com"]).0, "www.example.com");
    assert_eq!(hosts(&["--host", "site"]).0, "shop.example");
}

#[test]
fn one_site_of_several_is_sent() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let sites = ["--site", "first=/page 0*", "--site", "first", "--json"];
    let output = replay(&place, &server.url, &sites);
    let json = json(&output);
    assert_eq!(
        (
            json["requests"].as_u64(),
            json["skipped"]["other_sites"].as_u64()
        ),
        (Some(3), Some(9))
    );
    assert_eq!(json["sites"].as_array().map(Vec::len), Some(1));
    assert!(
        !errors(&output).contains("not sent"),
        "what was asked for is no warning: {}",
        errors(&output)
    );
}

#[test]
fn an_unknown_site_gets_the_nearest_name() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let sites = ["--site", "shop=/page 0*", "--site", "shpo"];
    Failure::of(replay(&place, &server.url, &sites))
        .has_code(1)
        .says("`shpo`")
        .says("did you mean `shop`?");
    place.succeeds(["import", "a.log", "-o", "a.trace"]);
    Failure::of(place.hotset(["replay", "--site", "shop", "a.trace", &server.url]))
        .has_code(1)
        .says("a.trace")
        .says("its sites are all");
    assert!(server.requests().is_empty());
}

#[test]
fn other_commands_take_rules_for_sites_only() {
    let place = with_log();
    place
        .refuses(["describe", "--site", "shop", "a.log"])
        .has_code(2)
        .says("NAME=GLOB");
}

#[test]
fn a_url_that_is_none_is_a_usage_error() {
    let place = with_log();
    for url in [
        "b.log",
        "ftp://127.0.0.1/",
        "http://",
        "http://127.0.0.1:99999/",
        "http://a b/",
        "",
    ] {
        refused(&place, url, &[])
            .has_code(2)
            .says("URL")
            .says("http://");
    }
}

#[test]
fn a_host_without_address_is_an_error_before_the_log_is_read() {
    let place = Workplace::new();
    place
        .refuses(["replay", "no.log", "http://server.invalid/"])
        .has_code(1)
        .says("`server.invalid` cannot be resolved");
}

#[test]
fn a_server_that_refuses_is_one_error() {
    let place = with_log();
    place
        .refuses(["replay", "a.log", &closed_url()])
        .has_code(1)
        .says("takes no connections")
        .says("check that a server listens");
}

#[test]
fn a_server_that_resets_fails_after_the_report() {
    let (place, server) = (with_log(), Server::start(Answer::Reset));
    let output = replay(&place, &server.url, &["--json"]);
    fails_after_its_report(&output, &["none of 12 requests was answered", "12 reset"]);
}

#[test]
fn a_server_that_never_answers_fails_after_the_timeout() {
    let (place, server) = (with_log(), Server::start(Answer::Never));
    let output = replay(
        &place,
        &server.url,
        &["--json", "--response-timeout", "100ms"],
    );
    fails_after_its_report(&output, &["12 response timeout", "--response-timeout"]);
}

#[test]
fn a_server_that_ends_in_the_middle_fails_after_the_report() {
    let (place, server) = (with_log(), Server::start(Answer::Half(100)));
    let output = replay(&place, &server.url, &["--json"]);
    fails_after_its_report(&output, &["12 closed early"]);
}

#[test]
fn redirects_are_not_followed() {
    let (place, server) = (with_log(), Server::start(Answer::Redirect));
    let output = replay(&place, &server.url, &["--json"]);
    fails_after_its_report(&output, &["12 redirect", "give the URL they lead to"]);
}

#[test]
fn a_server_without_the_files_is_asked_about() {
    let (place, server) = (with_log(), Server::start(Answer::Missing));
    let output = replay(&place, &server.url, &["--json"]);
    fails_after_its_report(&output, &["12 status 4xx", "the files of the trace"]);
}

#[test]
fn a_slow_server_is_measured_from_when_requests_were_due() {
    let slow = Server::start(Answer::Slow(100, Duration::from_millis(40)));
    let place = with_log();
    let output = replay(&place, &slow.url, &["--json", "--connections-max", "1"]);
    assert!(output.status.success(), "{}", errors(&output));
    let json = json(&output);
    let us = |times: &str, key: &str| json[times][key].as_f64().expect("a time");
    assert!(us("first_byte_us", "p50") >= 40_000.0, "{json:#}");
    // Four connections go through one, one after the other: the last waits for at least nine answers.
    assert!(us("from_intended_us", "p99") >= 9.0 * 40_000.0, "{json:#}");
    assert!(
        errors(&output).contains("3 connections started late"),
        "{}",
        errors(&output)
    );
}

#[test]
fn bodies_of_another_length_are_counted_and_warned_of() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(99)));
    let output = replay(&place, &server.url, &["--json"]);
    assert!(output.status.success());
    assert_eq!(json(&output)["wrong_length"], 12);
    assert!(
        errors(&output).contains("12 of 12 bodies differ in length from the trace"),
        "{}",
        errors(&output)
    );
}

#[test]
fn what_is_not_sent_is_counted_and_warned_of() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let head = line(9, 7, "/page", 100).replace("GET", "HEAD");
    let late = line(70, 7, "/page", 100) + &line(9, 8, "/page", 100);
    let log = fs::read_to_string(place.path("a.log")).expect("the log") + &head + &late;
    place.write("a.log", log.as_bytes());
    let output = replay(&place, &server.url, &["--json"]);
    let skipped = json(&output)["skipped"].clone();
    assert_eq!(
        (skipped["head"].as_u64(), skipped["out_of_order"].as_u64()),
        (Some(1), Some(1))
    );
    let errors = errors(&output);
    assert!(
        errors.contains("warning: 2 of 15 requests are not sent: 1 too far behind"),
        "{errors}"
    );
    assert!(errors.contains("--sort-window"), "{errors}");
}

#[test]
fn a_trace_without_times_is_sent_in_a_closed_loop_only() {
    let (place, server) = (Workplace::new(), Server::start(Answer::Bytes(4096)));
    let keys = (0..40_u32).flat_map(|i| (i % 7).to_be_bytes());
    place.write("keys.bin", &keys.collect::<Vec<u8>>());
    place.succeeds([
        "import",
        "--format",
        "keys-u32be",
        "keys.bin",
        "-o",
        "keys.trace",
    ]);
    Failure::of(place.hotset(["replay", "keys.trace", &server.url]))
        .has_code(1)
        .says("keys.trace")
        .says("no times")
        .says("--clients N");
    let json = place.json([
        "replay",
        "--clients",
        "4",
        "--json",
        "keys.trace",
        &server.url,
    ]);
    assert_eq!(json["requests"], 40);
    assert!(json["requested_rate"].is_null());
}

#[test]
fn equal_times_are_refused() {
    let (place, server) = (Workplace::new(), Server::start(Answer::Bytes(10)));
    place.write(
        "a.log",
        support::combined_line("/a", 10).repeat(50).as_bytes(),
    );
    Failure::of(replay(&place, &server.url, &[]))
        .has_code(1)
        .says("all 50 requests have the same time, 2015-05-17T10:05:03Z")
        .says("--clients N");
}

#[test]
fn nonsense_arguments_are_usage_errors() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    for (option, says) in [
        ("--scale=0", "is not a scale"),
        ("--scale=-2", "is not a scale"),
        ("--scale=NaN", "is not a scale"),
        ("--scale=1e300", "is not a scale"),
        ("--scale=fast", "write a number"),
        ("--from=tomorrow", "2015-05-17T10:05:00Z"),
        ("--gap-max=10", "90s"),
        ("--response-timeout=-1s", "90s"),
        ("--clients=0", "clients"),
        ("--connections-max=0", "connections-max"),
        ("--warm-up=soon", "number of requests"),
        ("--threads=0", "threads"),
        ("--host=a b", "host name"),
        ("--think=1s", "--clients"),
        ("--duration=0s", "nothing is sent in no time"),
        ("--response-timeout=0s", "timeout"),
    ] {
        place
            .refuses(["replay", option, "a.log", &server.url])
            .has_code(2)
            .says(says);
    }
    assert!(server.requests().is_empty());
}

#[test]
fn a_range_that_is_none_is_refused() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    refused(&place, &server.url, &["--from", "2s", "--to", "1s"])
        .has_code(2)
        .says("--from and --to: the start 2015-05-17T10:05:02Z is not before the end 2015-05-17T10:05:01Z");
    refused(&place, &server.url, &["--from", "2016-01-01"])
        .has_code(1)
        .says("12 outside the chosen times")
        .says("the trace goes from 2015-05-17T10:05:00Z to 2015-05-17T10:05:03Z");
}

#[test]
fn part_of_the_trace_is_sent() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let output = replay(
        &place,
        &server.url,
        &["--from", "1s", "--to", "2015-05-17 10:05:03", "--json"],
    );
    assert_eq!(json(&output)["requests"], 6);
    assert_eq!(json(&output)["skipped"]["outside_times"], 6);
}

#[test]
fn more_connections_than_descriptors_are_refused() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let command = format!(
        "ulimit -n 64; exec {} replay --clients 1000 a.log {}",
        hotset().display(),
        server.url
    );
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(place.folder())
        .output();
    Failure::of(output.expect("a shell"))
        .has_code(1)
        .says("1000 connections")
        .says("ulimit -n");
    assert!(server.requests().is_empty());
}

#[test]
fn a_full_disk_leaves_no_file_and_says_so() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let Some(disk) = SmallDisk::mount(place.path("small"), "4k") else {
        return;
    };
    let results: Vec<Output> = [["-o", "small/a.json"], ["--html", "small/a.html"]]
        .iter()
        .map(|options| replay(&place, &server.url, options))
        .collect();
    for (result, file) in results.iter().zip(["small/a.json", "small/a.html"]) {
        assert_eq!(result.status.code(), Some(1));
        let errors = errors(result);
        assert!(
            errors.contains(file) && errors.contains("No space left"),
            "{errors}"
        );
    }
    assert_eq!(disk.names(), [""; 0]);
}

#[test]
fn a_log_is_not_overwritten_by_its_replay() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    refused(&place, &server.url, &["-o", "a.log"])
        .has_code(2)
        .says("name another file");
    assert!(server.requests().is_empty());
}

#[test]
fn ctrl_c_still_reports() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let child = Command::new(hotset())
        .args(["replay", "--json", "--scale", "0.01", "a.log", &server.url])
        .current_dir(place.folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hotset starts");
    while server.requests().is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The first answers are to be read; the next requests are due after more than a minute.
    std::thread::sleep(Duration::from_secs(1));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let json = json(&output);
    assert_eq!(json["interrupted"], true);
    assert!(
        json["requests"].as_u64().is_some_and(|n| n > 0 && n < 12),
        "{json:#}"
    );
    assert!(errors(&output).contains("interrupted; the report is about what was sent until then"));
}

#[test]
fn a_warm_up_that_takes_everything_is_an_error() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let output = replay(&place, &server.url, &["--json", "--warm-up", "12"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors(&output).contains("make --warm-up shorter"),
        "{}",
        errors(&output)
    );
    assert_eq!(server.requests().len(), 12);
}

#[test]
fn one_client_for_all_is_warned_of() {
    let (place, server) = (Workplace::new(), Server::start(Answer::Bytes(100)));
    let lines = (0..150).map(|i| line(i / 75, 1, "/a", 100));
    place.write("a.log", lines.collect::<String>().as_bytes());
    let output = replay(&place, &server.url, &["--json"]);
    assert!(
        errors(&output).contains("a proxy's address"),
        "{}",
        errors(&output)
    );
}

#[test]
fn a_full_standard_output_is_named() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    let output = Command::new(hotset())
        .args(["replay", "--scale", "1000", "a.log", &server.url])
        .current_dir(place.folder())
        .stdout(full.expect("/dev/full"))
        .stderr(Stdio::piped())
        .output()
        .expect("hotset runs");
    assert_eq!(output.status.code(), Some(1));
    let last = errors(&output).lines().last().map(str::to_owned);
    assert!(
        last.as_ref()
            .is_some_and(|last| last.contains("standard output: No space left")),
        "{last:?}"
    );
}

#[test]
fn a_server_without_tls_gets_the_scheme_asked_about() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let url = server.url.replace("http://", "https://");
    place
        .refuses(["replay", "a.log", &url, "--connect-timeout", "300ms"])
        .has_code(1)
        .says("TLS with https://")
        .says("is it http:// there?");
}

#[test]
fn a_condition_that_holds_fails_after_the_report_with_a_code_of_its_own() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let run = |conditions: &[&str]| {
        let options = conditions
            .iter()
            .flat_map(|condition| ["--fail-if", condition]);
        let options: Vec<&str> = options.chain(["--json"]).collect();
        replay(&place, &server.url, &options)
    };
    let passed = run(&[
        "p99>60s",
        "errors>0%",
        "errors>=1",
        "rate<0.001/s",
        "max>=1000000ms",
    ]);
    assert_eq!(passed.status.code(), Some(0), "{}", errors(&passed));
    let failed = run(&["p50>60s", "p999>=1ns", "mean > 0.001us", "rate>0.1/s"]);
    assert_eq!(failed.status.code(), Some(3), "{}", errors(&failed));
    assert_eq!(json(&failed)["requests"], 12, "the report is printed first");
    let errors = errors(&failed);
    let last = errors.lines().last().expect("a reason");
    for text in [
        "--fail-if: p999>=1ns (measured: ",
        "mean > 0.001us (measured: ",
        "rate>0.1/s (measured: ",
    ] {
        assert!(last.contains(text), "{last}");
    }
    assert!(
        !last.contains("p50") && !errors.contains("panicked"),
        "{errors}"
    );
}

#[test]
fn conditions_headers_and_ramps_that_are_none_are_usage_errors() {
    let place = with_log();
    for (option, value, says) in [
        ("--fail-if", "p99", "p99>200ms"),
        ("--fail-if", "p98>1s", "none of p50"),
        ("--fail-if", "p99>200", "ns, us, ms or s"),
        ("--fail-if", "p99>-1ms", "not a value"),
        ("--fail-if", "p99>nanms", "ns, us, ms or s"),
        ("--fail-if", "p99>200%", "ns, us, ms or s"),
        ("--fail-if", "errors>1ms", "errors>1%"),
        ("--fail-if", "rate<100", "rate<100/s"),
        ("-H", "no colon", "Name: value"),
        ("-H", "bad name: x", "not the name of a header"),
        ("-H", "X-A: b\r\nX-C: d", "line break"),
        ("-H", "X\r\nY: d", "not the name of a header"),
        ("-H", "X-A: b\nHost: evil", "line break"),
        ("-H", "host: example.org", "--host NAME"),
        ("-H", "Content-Length: 3", "leave it out"),
        ("--ramp", "30", "500ms"),
    ] {
        let output = replay(&place, "http://127.0.0.1:9/", &[option, value]);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{value:?}: {}",
            errors(&output)
        );
        assert!(
            errors(&output).contains(says),
            "{value:?}: {}",
            errors(&output)
        );
    }
}

#[test]
fn own_headers_are_sent_and_their_values_stay_out_of_the_report() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let options = [
        "-H",
        "Authorization: Bearer s3cret",
        "-H",
        "user-agent:mine",
        "--json",
    ];
    let output = replay(&place, &server.url, &options);
    assert!(output.status.success(), "{}", errors(&output));
    let requests = server.requests();
    let sent = requests
        .iter()
        .find(|request| request.contains("GET /page"))
        .expect("a request");
    assert!(
        sent.contains("\r\nAuthorization: Bearer s3cret\r\n"),
        "{sent}"
    );
    assert!(
        sent.contains("\r\nuser-agent: mine\r\n") && !sent.contains("User-Agent"),
        "{sent}"
    );
    let report = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        !report.contains("s3cret") && report.contains("Authorization: …"),
        "{report}"
    );
}

/// Every connection of the log lasts three of its four seconds.
#[test]
fn a_scale_that_the_connections_cannot_follow_says_what_was_asked_and_why() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let output = replay(&place, &server.url, &["--json"]);
    let report = json(&output);
    let rate = |key: &str| report[key].as_f64().expect("a rate");
    assert!(rate("asked_rate") > 100.0 * rate("requested_rate"));
    let why = report["scale_limit"].as_str().expect("a reason");
    assert!(why.contains("the longest connection lasts"), "{why}");
    let warned = errors(&output);
    let warned = warned.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        warned.contains(why) && warned.contains("--clients N"),
        "{warned}"
    );
    let as_logged = place.hotset(["replay", "a.log", &server.url, "--json"]);
    let report = json(&as_logged);
    assert!(report["scale_limit"].is_null() && report["asked_rate"].is_f64());
}

#[test]
fn a_ramp_is_sent_and_left_out_of_the_figures() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let run = |options: &[&str]| {
        let fixed = [
            "replay",
            "a.log",
            &server.url,
            "--scale",
            "4",
            "--seed",
            "0",
        ];
        place.hotset(fixed.iter().chain(options))
    };
    let plain = json(&run(&["--json"]));
    let ramped = json(&run(&["--ramp", "1s", "--json"]));
    assert_eq!(plain["requests"], 12);
    let recorded = ramped["requests"].as_u64().expect("a number");
    assert!((1..12).contains(&recorded), "{recorded} of 12 are recorded");
    let span = |json: &Value| json["schedule"]["span_us"].as_i64().expect("a span");
    let longer_us = span(&ramped) - span(&plain);
    assert!(
        (1..=500_000).contains(&longer_us),
        "at most half the ramp is added: {longer_us}"
    );
    let text = String::from_utf8(run(&["--ramp", "1s"]).stdout).expect("UTF-8");
    assert!(text.contains("the ramp, the first"), "{text}");
    let clients = run(&["--ramp", "30s", "--json"]);
    assert_eq!(clients.status.code(), Some(1), "nothing is left to record");
    assert!(errors(&clients).contains("make --ramp or --warm-up shorter"));
}

#[test]
fn times_without_a_zone_are_taken_and_shown_in_the_zone() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let zone = ["--time-zone", "+02:00"];
    let from = ["--from", "2015-05-17 12:05:02"];
    let output = replay(&place, &server.url, &[&zone[..], &from].concat());
    let text = String::from_utf8(output.stdout).expect("UTF-8 output");
    assert!(
        text.contains("requests from 2015-05-17 12:05:00 to 2015-05-17 12:05:03 UTC+02:00"),
        "{text}"
    );
    assert!(text.contains("6 of 12 requests"), "{text}");
}

#[test]
fn a_single_site_has_one_row() {
    let (place, server) = (with_log(), Server::start(Answer::Bytes(100)));
    let output = replay(&place, &server.url, &["--csv", "tables"]);
    assert!(output.status.success(), "{}", errors(&output));
    let sites = fs::read_to_string(place.path("tables/sites.csv")).expect("a table");
    let names: Vec<&str> = sites
        .lines()
        .filter_map(|line| line.split(',').next())
        .collect();
    assert_eq!(names, ["site", "all"]);
}
