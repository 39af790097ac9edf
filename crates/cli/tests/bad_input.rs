//! Each kind of bad input gets one clear line, the right exit code, and leaves no file behind.
use hotset_test_support::skip;
use std::fs;
use std::process::{Command, Stdio};

use crate::support::small_disk::SmallDisk;
use crate::support::{Failure, Workplace, combined_line, hotset};

#[test]
fn a_missing_file_is_named() {
    let place = Workplace::new();
    let failure = Failure::of(place.hotset(["plan", "--memory", "1MiB", "nowhere.log"]));
    failure.has_code(1).says("nowhere.log").says("no such file");
}

#[test]
fn an_empty_file_is_refused() {
    let place = Workplace::new();
    place.write("empty.log", b"");
    let failure = Failure::of(place.hotset(["describe", "empty.log"]));
    failure.has_code(1).says("empty.log").says("empty");
}

#[test]
fn a_binary_file_is_refused() {
    let place = Workplace::new();
    let noise: Vec<u8> = (0..4099_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    place.write("noise.log", &noise);
    Failure::of(place.hotset(["describe", "noise.log"]))
        .has_code(1)
        .says("noise.log")
        .says("--format");
}

#[test]
fn a_truncated_gzip_is_refused() {
    let place = Workplace::new();
    let lines: String = (0..2000)
        .map(|i| combined_line(&format!("/{i}.html"), 1000))
        .collect();
    place.write("whole.log", lines.as_bytes());
    let gzip = Command::new("gzip")
        .arg("-k")
        .arg(place.path("whole.log"))
        .status();
    if !gzip.is_ok_and(|s| s.success()) {
        skip("no gzip on this machine");
        return;
    }
    let whole = fs::read(place.path("whole.log.gz")).expect("gzip wrote it");
    place.write("cut.log.gz", &whole[..whole.len() / 2]);
    Failure::of(place.hotset(["describe", "cut.log.gz"]))
        .has_code(1)
        .says("cut.log.gz");
}

#[test]
fn a_directory_that_is_no_trace_is_refused() {
    let place = Workplace::new();
    fs::create_dir(place.path("logs")).expect("a new folder");
    Failure::of(place.hotset(["describe", "logs"]))
        .has_code(1)
        .says("logs")
        .says("directory");
}

#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let place = Workplace::new();
    place.write("secret.log", combined_line("/", 10).as_bytes());
    let path = place.path("secret.log");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("own file");
    if fs::read(&path).is_ok() {
        skip("root reads everything");
        return;
    }
    Failure::of(place.hotset(["describe", "secret.log"]))
        .has_code(1)
        .says("secret.log");
}

#[test]
fn a_log_with_no_usable_request_is_refused() {
    let place = Workplace::new();
    let posts = combined_line("/form", 10).replace("GET", "POST").repeat(50);
    place.write("posts.log", posts.as_bytes());
    Failure::of(place.hotset(["plan", "--memory", "1MiB", "posts.log"]))
        .has_code(1)
        .says("posts.log");
}

#[test]
fn mixed_formats_are_refused_with_the_share() {
    let place = Workplace::new();
    let squid = "1066036250.129 180 10.0.0.1 TCP_MISS/200 4000 GET http://a.example/x - DIRECT/1.1.1.1 text/html\n";
    let mixed: String = (0..400)
        .map(|i| combined_line(&format!("/{i}"), 9) + squid)
        .collect();
    place.write("mixed.log", mixed.as_bytes());
    Failure::of(place.hotset(["describe", "mixed.log"]))
        .has_code(1)
        .says("mixed.log")
        .says("400 of its first 800 lines");
}

#[test]
fn strict_makes_one_rejected_line_an_error_with_its_place() {
    let place = Workplace::new();
    let mut log = combined_line("/a", 10).repeat(200);
    log.insert_str(0, &combined_line("/first", 10));
    log.push_str("not a log line\n");
    place.write("a.log", log.as_bytes());
    place.succeeds(["describe", "a.log"]);
    Failure::of(place.hotset(["describe", "--strict", "a.log"]))
        .has_code(1)
        .says("a.log:202");
}

#[test]
fn nonsense_memory_is_a_usage_error() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(50).as_bytes());
    for memory in ["0", "-1", "4338Mb", "1e3", "", "lots", "0%", "101 potatoes"] {
        let failure = Failure::of(place.hotset(["plan", &format!("--memory={memory}"), "a.log"]));
        failure.has_code(2).says("memory");
    }
    for command in [&["plan"][..], &["simulate", "trace"]] {
        let command = command.iter().chain(&["--memory", "-1", "a.log"]);
        let failure = Failure::of(place.hotset(command));
        failure
            .has_code(2)
            .says("size `-1`: is not a positive number");
    }
}

#[test]
fn a_server_that_needs_more_than_the_memory_is_refused() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(50).as_bytes());
    let plan = ["plan", "--memory=1MiB", "--server-memory=2MiB", "a.log"];
    let failure = Failure::of(place.hotset(plan));
    failure.has_code(1).says("--server-memory").says("2097152");
    let plan = ["plan", "--memory=8M", "--server-memory=8M", "a.log"];
    let failure = Failure::of(place.hotset(plan));
    let says = "needs 8388608 bytes (--server-memory, or `server_memory` of the [[node]]) of its memory of 8388608";
    failure
        .has_code(1)
        .says(says)
        .says("leaves no page of 4096 for files");
}

#[test]
fn a_site_rule_that_matches_nothing_is_named() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(50).as_bytes());
    let failure = Failure::of(place.hotset([
        "plan",
        "--memory",
        "1MiB",
        "--site",
        "shop=/shop/*",
        "a.log",
    ]));
    failure.has_code(1).says("shop=/shop/*");
}

/// A scenario of a node of 1 MiB whose sites `/a*` and all others reserve so much.
fn reserving(sizes: [Option<&str>; 2]) -> String {
    let site = |(name, glob, size): (&str, &str, Option<&str>)| {
        let reservation = size.map(|size| format!("reservation = \"{size}\"\n"));
        let site = format!("[[site]]\nname = \"{name}\"\nmatch = \"{glob}\"\nstore = \"disk\"\n");
        site + &reservation.unwrap_or_default()
    };
    let sites = [("a", "/a*", sizes[0]), ("rest", "/*", sizes[1])].map(site);
    format!(
        "[[node]]\nname = \"web1\"\nmemory = \"1MiB\"\n[[store]]\nname = \"disk\"\nprofile = \"hdd\"\n{}",
        sites.concat()
    )
}

#[test]
fn reservations_larger_than_memory_are_refused_where_they_overflow_before_the_log_is_read() {
    let place = Workplace::new();
    for (sizes, line) in [
        ([Some("2MiB"), None], 11),
        ([Some("700KiB"), Some("300KiB")], 16),
    ] {
        place.write("scenario.toml", reserving(sizes).as_bytes());
        let refused = Failure::of(place.hotset(["plan", "--scenario", "scenario.toml", "no.log"]));
        refused
            .has_code(1)
            .says(&format!(
                "scenario.toml:{line}:15: `reservation` in [[site]]"
            ))
            .says("node `web1` has 1048576");
    }
}

#[test]
fn reservations_are_held_to_the_memory_that_the_options_give() {
    let place = Workplace::new();
    let lines = combined_line("/a", 10) + &combined_line("/b", 10);
    place.write("a.log", lines.repeat(50).as_bytes());
    place.write("scenario.toml", reserving([Some("2MiB"), None]).as_bytes());
    let plan = ["plan", "--scenario", "scenario.toml", "a.log", "--memory"];
    place.succeeds(plan.iter().chain(&["4MiB"]));
    Failure::of(place.hotset(plan.iter().chain(&["2MiB"])))
        .has_code(1)
        .says("scenario.toml:11:15: `reservation` in [[site]]: reservations up to here are 2097152 bytes");
}

#[test]
fn a_reservation_of_all_memory_leaves_the_page_cache_no_room_and_is_refused() {
    let place = Workplace::new();
    let lines = combined_line("/a", 10) + &combined_line("/b", 10);
    place.write("a.log", lines.repeat(50).as_bytes());
    place.write("scenario.toml", reserving([Some("1MiB"), None]).as_bytes());
    let plan = ["plan", "--scenario", "scenario.toml", "a.log"];
    Failure::of(place.hotset(plan))
        .has_code(1)
        .says("scenario.toml:11:15: `reservation` in [[site]]: reservations up to here are 1048576 bytes")
        .says("of which 53248 stay page cache; reserve less");
    place.succeeds(plan.iter().chain(&["--page-cache", "whole-files"]));
}

#[test]
fn a_seed_that_is_none_is_told_what_one_is() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a.png", 5_000).as_bytes());
    for seed in ["-1", "1.5", "x"] {
        Failure::of(place.hotset(["plan", "--memory", "1MiB", "--seed", seed, "a.log"]))
            .has_code(2)
            .says("--seed")
            .says("write a whole number from 0");
    }
}

#[test]
fn a_site_that_the_learning_part_does_not_have_is_named_and_holds_nothing() {
    let place = Workplace::new();
    let old = format!("old.example:80 {}", combined_line("/a", 10)).repeat(80);
    let new = format!("new.example:80 {}", combined_line("/b", 10)).repeat(20);
    place.write("a.log", (old + &new).as_bytes());
    let plan = ["plan", "--memory", "64KiB", "a.log"];
    let text = place.succeeds(plan);
    assert!(
        text.contains("No file of new.example can be held"),
        "{text}"
    );
    let json = place.json(plan.iter().chain(&["--json"]));
    assert_eq!(json["sites"][1]["training_accesses"], 0);
    assert_eq!(json["sites"][1]["held_objects"], 0);
}

#[test]
fn an_unknown_scenario_key_names_the_nearest() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(50).as_bytes());
    place.write(
        "scenario.toml",
        b"[[node]]\nname = \"web1\"\nmemroy = \"1MiB\"\n",
    );
    let failure = Failure::of(place.hotset(["plan", "--scenario", "scenario.toml", "a.log"]));
    failure
        .has_code(1)
        .says("memroy")
        .says("memory")
        .says("scenario.toml:3");
}

#[test]
fn a_full_disk_leaves_no_file() {
    let place = Workplace::new();
    let Some(disk) = SmallDisk::mount(place.path("small"), "64k") else {
        return;
    };
    let lines: String = (0..20_000)
        .map(|i| combined_line(&format!("/dir/{}/page.html", i % 2000), i))
        .collect();
    place.write("a.log", lines.as_bytes());
    let import = place.hotset(["import", "a.log", "-o", "small/a.trace"]);
    let plan = place.hotset(["plan", "--memory", "50%", "a.log", "-o", "small/plan.json"]);
    Failure::of(import)
        .has_code(1)
        .says("small/a.trace")
        .says("No space left");
    Failure::of(plan)
        .has_code(1)
        .says("small/plan.json")
        .says("No space left");
    assert_eq!(disk.names(), [""; 0]);
}

/// Whether a process has a handler for SIGINT, signal 2 (proc(5), `SigCgt`).
fn catches_interrupts(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    caught.is_some_and(|set| set & 0b10 != 0)
}

#[test]
fn ctrl_c_leaves_no_half_written_trace() {
    let place = Workplace::new();
    let mut child = Command::new(hotset())
        .args([
            "generate",
            "zipf",
            "--objects",
            "100000",
            "--requests",
            "30000000",
            "-o",
            "big.trace",
        ])
        .current_dir(place.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("hotset starts");
    // Until it listens, it would end by the signal; and then it is to have begun.
    while !catches_interrupts(child.id()) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .expect("kill runs")
            .success()
    );
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    assert_eq!(place.entries(), Vec::<String>::new());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(50).as_bytes());
    let mut child = Command::new(hotset())
        .args(["describe", "--json", "a.log"])
        .current_dir(place.folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hotset starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_scenario_site_without_traffic_is_named() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(50).as_bytes());
    place.succeeds(["import", "a.log", "-o", "a.trace"]);
    place.write(
        "scenario.toml",
        b"[[node]]\nname = \"web1\"\nmemory = \"1MiB\"\n\n[[store]]\nname = \"disk\"\nprofile = \"hdd\"\n\n[[site]]\nname = \"shop\"\nmatch = \"/*\"\nstore = \"disk\"\nweight = 2\n",
    );
    let failure = Failure::of(place.hotset(["plan", "--scenario", "scenario.toml", "a.trace"]));
    failure.has_code(1).says("`shop`").says("all");
}

#[test]
fn a_log_rule_takes_the_name_or_the_path_of_a_file() {
    let place = Workplace::new();
    fs::create_dir(place.path("logs")).expect("a new folder");
    place.write(
        "logs/shop.log",
        combined_line("/a", 10).repeat(9).as_bytes(),
    );
    place.write(
        "logs/blog.log",
        combined_line("/b", 10).repeat(9).as_bytes(),
    );
    let rules = ["--site", "shop=log:shop*", "--site", "blog=log:logs/blog*"];
    let json = place.json(["describe", "--json", "logs/*.log"].iter().chain(&rules));
    let requests = |site: usize| json["sites"][site]["requests"].clone();
    assert_eq!((requests(0), requests(1)), (9.into(), 9.into()));
}

#[test]
fn a_sample_that_cannot_be_drawn_is_refused() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a.png", 5_000).as_bytes());
    let sampled = |more: &[&str]| {
        let args = ["simulate", "trace", "--memory", "1MiB", "a.log"];
        Failure::of(place.hotset(args.iter().chain(more)))
    };
    for share in ["0%", "100%", "-1%", "0.1", "x"] {
        let option = format!("--sampled={share}");
        sampled(&[option.as_str()]).has_code(2).says("--sampled");
    }
    sampled(&["--sampled", "1%", "--policy", "sieve"])
        .has_code(2)
        .says("--sampled")
        .says("sieve");
    sampled(&["--sampled", "1%", "--backing", "ssd"])
        .has_code(2)
        .says("--backing");
    sampled(&["--seed", "1"]).has_code(2).says("--sampled");
}

#[test]
fn keys_of_a_json_log_that_cannot_be_used_are_refused() {
    let place = Workplace::new();
    let line = r#"{"t":1709649015,"req":{"uri":"/a.png"},"code":200,"out":10}"#;
    place.write("a.log", format!("{line}\n").repeat(30).as_bytes());
    let with = |keys: &str| place.hotset(["describe", "--json-keys", keys, "a.log"]);
    for (keys, says) in [
        ("uri", "FIELD=KEY"),
        ("url=req.uri,status=code", "'url'"),
        ("time=t,status=code", "uri=KEY"),
        ("uri=req.uri", "status=KEY"),
    ] {
        let failure = Failure::of(with(keys));
        failure.has_code(2).says("--json-keys").says(says);
    }
    Failure::of(with("uri=req.url,status=code"))
        .has_code(1)
        .says("a.log")
        .says("req.url")
        .says("req.uri")
        .says("--json-keys");
    Failure::of(with("uri=req.uri,status=out,bytes=req.uri"))
        .has_code(1)
        .says("bad size")
        .says("--json-keys");
    for other in [["--format", "caddy"], ["--log-format", "%h"]] {
        let keys = [
            "describe",
            "--json-keys",
            "uri=req.uri,status=code",
            "a.log",
        ];
        Failure::of(place.hotset(keys.iter().chain(&other)))
            .has_code(2)
            .says("--json-keys")
            .says(other[0]);
    }
    let keys = "time=t,uri=req.uri,status=code,bytes=out";
    let json = place.json(["describe", "--json", "--json-keys", keys, "a.log"]);
    assert_eq!(json["total"]["requests"], 30);
}

#[test]
fn the_name_of_a_format_is_no_format_string() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).as_bytes());
    Failure::of(place.hotset(["describe", "--log-format", "combined", "a.log"]))
        .has_code(2)
        .says("for the format called combined write --format combined");
}

#[test]
fn a_file_that_is_no_net_is_one_error_with_its_line() {
    let place = Workplace::new();
    place.succeeds(["net", "show", "philosophers", "--pnml", "-o", "good.pnml"]);
    let good = fs::read_to_string(place.path("good.pnml")).expect("it is written");
    place.write(
        "capacity.pnml",
        good.replace("initialMarking", "capacity").as_bytes(),
    );
    place.write("log.pnml", combined_line("/a", 10).as_bytes());
    for (file, message) in [
        (
            "capacity.pnml",
            "capacity.pnml: line 12: `capacity` is no element of a place",
        ),
        ("log.pnml", "log.pnml: line 1: "),
        ("missing.pnml", "cannot read missing.pnml"),
    ] {
        Failure::of(place.hotset(["net", "show", file]))
            .has_code(1)
            .says(message);
    }
    let set = ["net", "show", "good.pnml", "--set", "n=3"];
    Failure::of(place.hotset(set))
        .has_code(2)
        .says("a file has no parameters");
    let coloured = ["net", "show", "mm1", "--pnml"];
    Failure::of(place.hotset(coloured))
        .has_code(1)
        .says("queue: PNML");
}

/// A net in a file: a transition that gives a place what another takes.
fn source_and_sink(source: &str) -> String {
    format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"top\"><place id=\"queue\"/>\n\
         <transition id=\"arrive\">{source}</transition><transition id=\"serve\"/>\n\
         <arc id=\"a\" source=\"arrive\" target=\"queue\"/><arc id=\"b\" source=\"queue\" target=\"serve\"/></page></net></pnml>"
    )
}

#[test]
fn a_net_without_time_is_told_the_line_that_gives_it_some() {
    let place = Workplace::new();
    place.write("n.pnml", source_and_sink("").as_bytes());
    let line = "<toolspecific tool=\"hotset\" version=\"1\"><delay law=\"exponential\">0.001</delay></toolspecific>";
    Failure::of(place.hotset(["net", "run", "n.pnml"]))
        .has_code(1)
        .says("n.pnml: arrive: takes no token and has no delay")
        .says(line);
    place.write("n.pnml", source_and_sink(line).as_bytes());
    place.succeeds([
        "net",
        "run",
        "n.pnml",
        "--replications",
        "1",
        "--until",
        "1s",
    ]);
    let checked = place.hotset(["net", "check", "n.pnml"]);
    let said = String::from_utf8_lossy(&checked.stderr);
    assert_eq!(checked.status.code(), Some(1));
    assert!(
        said.contains("queue: the place grows without bound"),
        "{said}"
    );
}

#[test]
fn nonsense_for_a_net_is_a_usage_error() {
    let place = Workplace::new();
    for (arguments, message) in [
        (["mm2", "--seed", "1"], "mm1"),
        (
            ["mm1", "--set", "load=1"],
            "no parameter `load`; it has rho",
        ),
        (["mm1", "--set", "rho=1"], "at least 0.001 and below 1"),
        (["mm1", "--set", "rho"], "such as rho=0.5"),
        (["mm1", "--until", "0s"], "nothing happens in no time"),
        (["mm1", "--replications", "0"], "0 is not in 1..=100000"),
        (["mm1", "--json", "--trace=0"], "0 is not in 1..=1000000"),
    ] {
        let run = ["net", "run"].iter().chain(&arguments);
        Failure::of(place.hotset(run)).has_code(2).says(message);
    }
}

#[test]
fn a_state_space_larger_than_what_is_given_is_reported_as_far_as_it_goes() {
    let place = Workplace::new();
    for (limit, given, message) in [
        ("--max-markings", "100", "has more than 100 markings"),
        ("--memory", "100KiB", "need more than 100 KiB"),
    ] {
        let check = [
            "net",
            "check",
            "philosophers",
            "--set",
            "n=20",
            limit,
            given,
        ];
        let output = place.hotset(check);
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(report.contains("philosophers: at least"), "{report}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_place_that_grows_without_bound_is_named_with_the_firings_that_fill_it() {
    let output = Workplace::new().hotset(["net", "check", "mm1"]);
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        report.contains("Firings after which `queue` holds more and more"),
        "{report}"
    );
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("mm1: queue: the place grows without bound"),
        "{error}"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_file_set_that_memory_cannot_hold_is_refused_before_it_is_made() {
    let place = Workplace::new();
    let many = ["--connections", "100000000", "--requests", "10"];
    let generate = ["generate", "specweb99", "-o", "x.trace"];
    Failure::of(place.hotset(generate.into_iter().chain(many)))
        .has_code(1)
        .says("MB of memory to generate");
    assert!(place.entries().is_empty());
}
