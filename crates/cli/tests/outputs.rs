//! Results go where they are told: files, links, devices, pipes, standard output.
use hotset_test_support::skip;
use std::fs::{self, OpenOptions, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Output};

use crate::support::server::{Answer, Server};
use crate::support::{Failure, Workplace, combined_line, hotset};
use serde_json::Value;

fn with_log() -> Workplace {
    let place = Workplace::new();
    let lines: String = (0..300)
        .map(|i| combined_line(&format!("/{}", i % 7), 9_000))
        .collect();
    place.write("a.log", lines.as_bytes());
    place
}

const PLAN: [&str; 3] = ["plan", "--memory=40KiB", "a.log"];

/// Runs a line of bash in which `$hotset` is the command.
fn bash(place: &Workplace, line: &str) -> Option<Output> {
    let mut bash = Command::new("bash");
    bash.env("hotset", hotset()).args(["-c", line]);
    let output = bash.current_dir(place.folder()).output();
    if output.is_err() {
        skip("no bash");
    }
    output.ok()
}

fn is_plan(json: &[u8]) -> bool {
    let plan: Value = serde_json::from_slice(json).expect("one JSON document");
    plan["files"].is_array()
}

#[test]
fn a_result_on_standard_output_stands_there_alone() {
    let place = with_log();
    for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let printed = place.succeeds(PLAN.iter().chain(&["-o", name]));
        assert!(is_plan(printed.as_bytes()), "{name}: {printed}");
    }
    let page = place.succeeds(["describe", "--html", "-", "a.log"]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    let log = place.succeeds(["generate", "zipf", "--requests=20", "--log", "-"]);
    assert_eq!(log.lines().count(), 20);
    assert_eq!(place.entries(), ["a.log"]);
}

#[test]
fn two_results_on_standard_output_are_a_usage_error() {
    let place = with_log();
    for more in [
        ["-o", "-", "--json"].as_slice(),
        &["-o", "/dev/stdout", "--html", "-"],
    ] {
        Failure::of(place.hotset(PLAN.iter().chain(more)))
            .has_code(2)
            .says("named for two results");
    }
    place.succeeds(
        PLAN.iter()
            .chain(&["-o", "/dev/null", "--html", "/dev/null"]),
    );
}

#[test]
fn a_result_goes_into_a_pipe_of_the_shell() {
    let place = with_log();
    let line = "\"$hotset\" plan --memory=40KiB a.log -o >(cat > got.json) --html /dev/stderr 2> page > report \
                && wait $!";
    let Some(output) = bash(&place, line) else {
        return;
    };
    assert!(output.status.success(), "{output:?}");
    assert!(is_plan(&fs::read(place.path("got.json")).expect("written")));
    let page = fs::read_to_string(place.path("page")).expect("written");
    assert!(page.contains("<!DOCTYPE html>"), "{page}");
    let report = fs::read_to_string(place.path("report")).expect("written");
    assert!(
        report.starts_with("If files are read from hdd, holding "),
        "{report}"
    );
}

#[test]
fn a_result_goes_on_behind_what_a_script_has_written() {
    let place = with_log();
    let line =
        "{ echo before; \"$hotset\" plan --memory=40KiB a.log -o /dev/stdout; echo behind; } > all";
    let Some(output) = bash(&place, line) else {
        return;
    };
    assert!(output.status.success(), "{output:?}");
    let all = fs::read_to_string(place.path("all")).expect("written");
    let plan = all
        .strip_prefix("before\n")
        .and_then(|all| all.strip_suffix("behind\n"));
    assert!(is_plan(plan.expect("kept in order").as_bytes()), "{all}");
}

#[test]
fn a_reader_of_a_result_that_goes_away_is_no_error() {
    let place = with_log();
    let line = "\"$hotset\" describe a.log --html - | head -c 10; exit ${PIPESTATUS[0]}";
    let Some(output) = bash(&place, line) else {
        return;
    };
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn files_are_written_and_verdicts_told_whoever_reads_the_result() {
    let place = with_log();
    let line = "\"$hotset\" describe a.log --html - --csv tables | true; exit ${PIPESTATUS[0]}";
    let Some(output) = bash(&place, line) else {
        return;
    };
    assert!(output.status.success(), "{output:?}");
    let tables = fs::read_dir(place.path("tables")).expect("tables");
    assert!(tables.count() > 3);
    // Nothing is held there.
    let line = "\"$hotset\" status --state state | true; exit ${PIPESTATUS[0]}";
    let status = bash(&place, line).expect("as before").status;
    assert_eq!(status.code(), Some(3));
}

#[test]
fn a_file_in_a_closed_folder_is_written_in_place() {
    let place = with_log();
    let rights = |name: &str, mode| {
        fs::set_permissions(place.path(name), Permissions::from_mode(mode)).expect("own file");
    };
    place.write("plan.json", b"old");
    rights("plan.json", 0o666);
    rights(".", 0o755);
    let mut nobody = Command::new(hotset());
    nobody.args(PLAN).args(["-o", "plan.json"]);
    let output = nobody.current_dir(place.folder()).uid(65534).output();
    let Ok(output) = output else {
        skip("no right to become another user, who may run hotset");
        return;
    };
    assert!(output.status.success(), "{output:?}");
    assert!(is_plan(
        &fs::read(place.path("plan.json")).expect("written")
    ));
    assert_eq!(place.entries(), ["a.log", "plan.json"]);
}

#[test]
fn a_full_device_is_named() {
    let place = with_log();
    Failure::of(place.hotset(PLAN.iter().chain(&["-o", "/dev/full"])))
        .has_code(1)
        .says("/dev/full")
        .says("No space left");
}

#[test]
fn an_error_that_nobody_can_be_told_still_ends_as_an_error() {
    let full = OpenOptions::new().write(true).open("/dev/full");
    let mut command = Command::new(hotset());
    command.args(["describe", "no-such.log"]);
    let status = command.stderr(full.expect("/dev/full")).status();
    assert_eq!(status.expect("hotset starts").code(), Some(1));
}

#[test]
fn tables_go_into_a_folder() {
    let place = with_log();
    place.succeeds(PLAN.iter().chain(&["--csv", "tables"]));
    let held = fs::read_to_string(place.path("tables/held-files.csv")).expect("written");
    assert!(
        held.starts_with("file,size (bytes),reads,reads/h,saved µs/byte,node,site\r\n"),
        "{held}"
    );
    place.succeeds(["describe", "a.log", "--csv", "tables"]);
    let codes = fs::read_to_string(place.path("tables/status-codes.csv")).expect("written");
    assert_eq!(codes, "site,status,requests\r\nall,200,300\r\n");
    let plan = place.succeeds(PLAN.iter().chain(&["--json"]));
    place.write("plan.json", plan.as_bytes());
    place.succeeds(["compare", "plan.json", "--csv", "compared"]);
    let served = fs::read_to_string(place.path("compared/served.csv")).expect("written");
    assert!(served.starts_with("outcome,kind,requests,"), "{served}");
    let server = Server::start(Answer::Bytes(9_000));
    let replay = [
        "replay",
        "a.log",
        &server.url,
        "--clients=2",
        "--csv",
        "replayed",
    ];
    place.succeeds(replay);
    let sites = fs::read_to_string(place.path("replayed/sites.csv")).expect("written");
    assert!(
        sites.starts_with("site,requests,errors,received (bytes),"),
        "{sites}"
    );
}

#[test]
fn tables_overwrite_nothing_that_was_read_and_no_file() {
    let place = with_log();
    let log = fs::read(place.path("a.log")).expect("the log");
    place.write("traffic.csv", &log);
    Failure::of(place.hotset(["describe", "traffic.csv", "--csv", "."]))
        .has_code(2)
        .says("traffic.csv");
    Failure::of(place.hotset(["describe", "a.log", "--csv", "a.log"]))
        .has_code(1)
        .says("not a folder");
    assert_eq!(fs::read(place.path("traffic.csv")).expect("there"), log);
}

#[test]
fn columns_sets_the_width_of_a_report() {
    let place = with_log();
    let path = format!("/{}", "folder/".repeat(30));
    place.write("long.log", combined_line(&path, 9).repeat(30).as_bytes());
    let at = |columns: &str| {
        let mut command = Command::new(hotset());
        command
            .args(["describe", "long.log"])
            .env("COLUMNS", columns);
        let output = command
            .current_dir(place.folder())
            .output()
            .expect("hotset runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(at("80").lines().all(|line| line.chars().count() <= 80));
    assert!(!at("80").contains(&path) && at("80").contains('…'));
    assert!(at("").contains(&path) && at("0").contains(&path));
}

#[test]
fn clients_are_numbered_unless_their_addresses_are_kept() {
    let place = with_log();
    let client = |more: &[&str]| {
        let args = ["describe", "--json", "a.log"].iter().chain(more);
        place.json(args)["total"]["top_clients"][0]["client"].clone()
    };
    assert_eq!(client(&[]), "client 1");
    assert_eq!(client(&["--keep-clients"]), "192.0.2.7");
    place.succeeds(["import", "a.log", "-o", "a.trace", "--keep-clients"]);
    let json = place.json(["describe", "--json", "a.trace"]);
    assert_eq!(json["total"]["top_clients"][0]["client"], "192.0.2.7");
    Failure::of(place.hotset(["describe", "--keep-clients", "a.trace"]))
        .has_code(2)
        .says("--keep-clients");
}

#[test]
fn paths_answered_404_are_named_for_logs_and_trace_folders() {
    let place = Workplace::new();
    let missing = |path: &str| combined_line(path, 9).replace(" 200 ", " 404 ");
    let log = combined_line("/a", 9).repeat(30) + &missing("/b?x=1").repeat(3) + &missing("/%63");
    place.write("a.log", log.as_bytes());
    place.succeeds(["import", "a.log", "-o", "a.trace"]);
    for input in ["a.log", "a.trace"] {
        let total = place.json(["describe", "--json", input])["total"].clone();
        let paths = &total["not_found"]["paths"];
        assert_eq!(
            (&paths[0]["path"], &paths[0]["requests"]),
            (&"/b".into(), &3.into())
        );
        assert_eq!(
            (&paths[1]["path"], &paths[1]["requests"]),
            (&"/c".into(), &1.into())
        );
        assert_eq!(total["not_found"]["count_error"], 0);
        assert_eq!(
            total["status_codes"],
            serde_json::json!({"200": 30, "404": 4})
        );
    }
    let plan = place.json(["plan", "--memory=1MiB", "--json", "a.log"]);
    assert!(plan["reading"]["not_found"].is_null(), "it would be long");
}
