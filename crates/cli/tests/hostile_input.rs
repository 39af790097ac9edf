//! What a hostile stranger or a tired engineer would try: one clear line, nothing lost, nothing half-written.
use hotset_test_support::skip;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Failure, Workplace, combined_line, hotset};

fn with_log() -> Workplace {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(50).as_bytes());
    place
}

#[test]
fn a_result_never_overwrites_what_was_read() {
    let place = with_log();
    let before = fs::read(place.path("a.log")).expect("the log");
    for args in [
        ["plan", "--memory=1MiB", "-o", "a.log", "a.log"],
        ["plan", "--memory=1MiB", "--html", "./a.log", "a.*"],
        ["describe", "--json", "--html", "a.log", "a.log"],
    ] {
        Failure::of(place.hotset(args))
            .has_code(2)
            .says("a.log")
            .says("name another file");
        assert!(fs::read(place.path("a.log")).expect("the log") == before);
    }
}

#[test]
fn two_results_in_one_file_are_a_usage_error() {
    let place = with_log();
    let failure =
        Failure::of(place.hotset(["plan", "--memory=1MiB", "-o", "x", "--html", "x", "a.log"]));
    failure.has_code(2).says("x: named for two results");
}

#[test]
fn a_result_that_cannot_be_written_is_named_before_any_work() {
    let place = Workplace::new();
    fs::create_dir(place.path("folder")).expect("a new folder");
    let missing = place.hotset(["plan", "--memory=1MiB", "-o", "nowhere/p.json", "no.log"]);
    Failure::of(missing)
        .has_code(1)
        .says("no folder nowhere; create it");
    let folder = place.hotset(["plan", "--memory=1MiB", "--html", "folder", "no.log"]);
    Failure::of(folder).has_code(1).says("folder: is a folder");
}

#[test]
fn errors_do_not_send_control_characters_to_the_terminal() {
    let place = Workplace::new();
    let failure = place.hotset(["describe", "a\u{1b}]0;title\u{7}\nb.log"]);
    assert!(
        !failure.stderr[..failure.stderr.len() - 1]
            .iter()
            .any(u8::is_ascii_control)
    );
    Failure::of(failure).has_code(1).says("no such file");
}

#[test]
fn sizes_no_file_has_make_no_command_panic() {
    let place = Workplace::new();
    let sizes = ["1000", "9223372036854775808", "18446744073709551615", "-5"];
    let log: String = (0..600)
        .map(|i| {
            combined_line(&format!("/{}", i % 7), 1234)
                .replace("1234", sizes[if i % 20 == 0 { i / 20 % 4 } else { 0 }])
        })
        .collect();
    place.write("a.log", log.as_bytes());
    for args in [
        ["describe", "--json", "a.log"].as_slice(),
        &["plan", "--memory=1MiB", "--json", "a.log"],
        &["plan", "--memory=18446744073709551615", "--json", "a.log"],
        &["simulate", "trace", "--memory=1MiB", "--json", "a.log"],
    ] {
        place.json(args);
    }
    let large = combined_line("/a", 1 << 50).repeat(9000);
    place.write("large.log", large.as_bytes());
    Failure::of(place.hotset(["plan", "--memory=1MiB", "large.log"]))
        .has_code(1)
        .says("large.log")
        .says("add up to more");
}

#[test]
fn generators_refuse_parameters_that_make_no_trace() {
    let place = Workplace::new();
    for (args, name) in [
        (["zipf", "--alpha=-1"].as_slice(), "alpha"),
        (&["zipf", "--alpha=NaN"], "alpha"),
        (&["zipf", "--objects=0"], "objects"),
        (&["zipf", "--class=5"], "class"),
        (&["zipf", "--working-set=10", "--objects=1000"], "files"),
        (&["zipf", "--rate=0"], "rate"),
        (&["zipf", "--size-correlation=-1.5"], "from -1 to 1"),
        (
            &["zipf", "--class=3", "--size-correlation=NaN"],
            "from -1 to 1",
        ),
        (&["shifting", "--size-correlation=-1"], "between -1 and 1"),
        (&["shifting", "--share=2"], "share"),
        (&["twin", "nyse", "--scale=2"], "scale"),
        (
            &[
                "world-cup",
                "1998-04-30",
                "--alpha=1",
                "--objects=9",
                "--working-set=1M",
                "--scale=2",
            ],
            "scale",
        ),
        (&["world-cup", "1998-08-01"], "1998-07-26"),
        (&["world-cup", "1998-06-30", "--alpha=1"], "--objects"),
        (&["world-cup", "1998-06-30", "--objects=9"], "--working-set"),
        (
            &["average-size", "--size=16000000TiB", "--requests=9"],
            "bytes",
        ),
        (
            &["single-file", "--size=16000000TiB", "--requests=9"],
            "bytes",
        ),
    ] {
        let args = ["generate"].iter().chain(args).chain(&["--log", "a.log"]);
        Failure::of(place.hotset(args)).has_code(2).says(name);
    }
    assert_eq!(place.entries(), Vec::<String>::new());
}

#[test]
fn a_trace_larger_than_memory_is_refused_rather_than_killed_for() {
    if !fs::exists("/proc/meminfo").unwrap_or(false) {
        skip("no /proc/meminfo");
        return;
    }
    let place = Workplace::new();
    // Nobody has the 240 GB that this takes, or then it is the test that is too small.
    for args in [
        ["zipf", "--objects=4294967295"],
        ["average-size", "--objects=4294967295"],
    ] {
        let args = ["generate"].iter().chain(&args).chain(&["--log", "a.log"]);
        Failure::of(place.hotset(args))
            .has_code(1)
            .says("generate fewer");
    }
}

#[test]
fn ctrl_c_stops_the_writing_of_files_and_removes_them() {
    let place = Workplace::new();
    let mut child = Command::new(hotset())
        .args([
            "generate",
            "single-file",
            "--size=4GiB",
            "--requests=10",
            "--files",
            "tree",
        ])
        .current_dir(place.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("hotset starts");
    while fs::read_dir(place.path("tree")).is_err() {
        assert_eq!(child.try_wait().expect("a child"), None, "it has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &pid]).status();
    assert!(kill.expect("kill runs").success());
    let asked = Instant::now();
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    assert!(
        asked.elapsed() < Duration::from_secs(30),
        "{:?}",
        asked.elapsed()
    );
    assert_eq!(place.entries(), Vec::<String>::new());
}

#[test]
fn a_pasted_log_format_directive_is_understood() {
    let place = with_log();
    let directive = "log_format main '$remote_addr - $remote_user [$time_local] \"$request\" '\n  \
                     '$status $body_bytes_sent \"$http_referer\"';";
    let json = place.json(["describe", "--json", "--log-format", directive, "a.log"]);
    assert_eq!(json["total"]["requests"], 50);
}

#[test]
fn a_site_name_that_no_rule_can_hold_is_refused_with_its_line() {
    let place = with_log();
    place.write(
        "s.toml",
        b"[[node]]\nname = \"n\"\nmemory = \"1MiB\"\n[[store]]\nname = \"d\"\nprofile = \"hdd\"\n[[site]]\nname = \"a=b\"\nstore = \"d\"\n",
    );
    Failure::of(place.hotset(["plan", "--scenario", "s.toml", "a.log"]))
        .has_code(1)
        .says("s.toml:8:8")
        .says("`=`");
}

#[test]
fn a_trace_whose_decoder_panics_is_refused_in_one_line() {
    let place = with_log();
    place.succeeds(["import", "a.log", "-o", "a.trace"]);
    let sound = fs::read(place.path("a.trace/requests.parquet")).expect("the requests");
    // A Parquet file ends with its metadata, their length in four bytes and four letters.
    let (_, length) = sound[..sound.len() - 4].split_at(sound.len() - 8);
    let length = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
    let metadata = sound.len() - 8 - length..sound.len() - 8;
    let panics = |at: usize| {
        let mut damaged = sound.clone();
        damaged[at] = 0xff;
        place.write("a.trace/requests.parquet", &damaged);
        let output = place.hotset(["describe", "--json", "a.trace"]);
        if output.status.success() {
            return false;
        }
        let panicked = String::from_utf8_lossy(&output.stderr).contains("its bytes make no sense");
        Failure::of(output)
            .has_code(1)
            .says("a.trace/requests.parquet: ");
        panicked
    };
    assert!(
        metadata.into_iter().any(panics),
        "no damage makes the decoder panic"
    );
}
