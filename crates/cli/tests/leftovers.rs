//! What an interrupted or killed run leaves is in no later run's way, and is swept by it.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use crate::support::{Failure, Workplace, combined_line, hotset};

/// Longer than a busy machine takes for anything here.
const PATIENCE: Duration = Duration::from_secs(60);

fn temporary(names: &[String]) -> Vec<&String> {
    names
        .iter()
        .filter(|name| name.contains(".hotset-"))
        .collect()
}

fn start(place: &Workplace, args: &[&str]) -> Child {
    let mut command = Command::new(hotset());
    command.args(args).current_dir(place.folder());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().expect("hotset runs")
}

/// Waits until `ready`, which is asked again and again.
fn wait_until(what: &str, ready: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !ready() {
        assert!(Instant::now() < end, "never: {what}");
        sleep(Duration::from_millis(2));
    }
}

fn kill(mut child: Child) {
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

const GENERATE: [&str; 12] = [
    "generate",
    "zipf",
    "--requests",
    "1000",
    "--objects",
    "20000",
    "--working-set",
    "400M",
    "-o",
    "a.trace",
    "--files",
    "www",
];

/// Starts a generation and ends it by `signal` while it writes files.
fn interrupt_generation(place: &Workplace, signal: &str) {
    let mut child = start(place, &GENERATE);
    let files =
        || fs::read_dir(place.path("www")).is_ok_and(|mut entries| entries.next().is_some());
    wait_until("files are written", files);
    let kill = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    assert!(
        !child.wait().expect("it ends").success(),
        "it was still at work"
    );
}

#[test]
fn an_interrupted_generation_can_be_run_again() {
    let place = Workplace::new();
    interrupt_generation(&place, "-INT");
    assert!(place.entries().is_empty(), "{:?}", place.entries());
    interrupt_generation(&place, "-KILL");
    assert!(!temporary(&place.entries()).is_empty());
    let small = GENERATE.map(|word| match word {
        "20000" => "50",
        "400M" => "1M",
        word => word,
    });
    place.succeeds(small);
    assert_eq!(place.entries(), ["a.trace", "www"]);
    let sites = fs::read_dir(place.path("www")).expect("there");
    let names: Vec<_> = sites
        .map(|entry| entry.expect("site").file_name())
        .collect();
    assert_eq!(names, ["zipf"]);
    Failure::of(place.hotset(small))
        .has_code(1)
        .says("already exists");
}

#[test]
fn what_a_killed_import_left_is_swept_and_a_running_one_is_left_alone() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(30).as_bytes());
    let import = ["import", "-o", "a.trace", "-"];
    let (killed, mut running) = (start(&place, &import), start(&place, &import));
    wait_until("both have begun", || temporary(&place.entries()).len() == 2);
    kill(killed);
    place.succeeds(["import", "-o", "a.trace", "a.log"]);
    assert_eq!(
        temporary(&place.entries()).len(),
        1,
        "{:?}",
        place.entries()
    );
    let mut log = running.stdin.take().expect("a pipe");
    log.write_all(combined_line("/b", 10).repeat(30).as_bytes())
        .expect("it reads");
    drop(log);
    assert!(
        !running.wait().expect("it ends").success(),
        "the name is taken by now"
    );
    assert_eq!(place.entries(), ["a.log", "a.trace"]);
}

#[test]
fn a_damaged_trace_folder_is_replaced_on_request_and_a_foreign_one_is_not() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(30).as_bytes());
    let import = ["import", "-o", "a.trace", "a.log"];
    let replace = ["import", "-o", "a.trace", "--replace", "a.log"];
    place.succeeds(import);
    for damage in [
        "{}",
        "not JSON",
        "{\"format\":\"hotset trace\",\"version\":99}",
    ] {
        fs::write(place.path("a.trace/trace.json"), damage).expect("damaged");
        Failure::of(place.hotset(import))
            .has_code(1)
            .says("--replace");
        place.succeeds(replace);
        place.succeeds(["describe", "a.trace"]);
    }
    fs::remove_file(place.path("a.trace/trace.json")).expect("removed");
    place.succeeds(replace);
    fs::write(place.path("a.trace/trace.json"), "{}").expect("damaged");
    fs::write(place.path("a.trace/thesis.tex"), "precious").expect("written");
    Failure::of(place.hotset(replace)).has_code(1);
    assert!(place.path("a.trace/thesis.tex").exists());
    fs::create_dir(place.path("empty")).expect("made");
    Failure::of(place.hotset(["import", "-o", "empty", "--replace", "a.log"])).has_code(1);
}

#[test]
fn a_temporary_file_that_nobody_holds_is_swept_by_the_next_result_of_that_name() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(30).as_bytes());
    let describe = ["describe", "--html", "a.html", "a.log"];
    place.write(".a.html.hotset-Ab12Cd", b"left");
    for other in [
        ".b.html.hotset-Ab12Cd",
        ".a.html.hotset-notes",
        ".a.html.backup",
    ] {
        place.write(other, b"kept");
    }
    place.succeeds(describe);
    let mut expected = [
        "a.log",
        "a.html",
        ".b.html.hotset-Ab12Cd",
        ".a.html.hotset-notes",
        ".a.html.backup",
    ];
    expected.sort_unstable();
    assert_eq!(place.entries(), expected);
    let held = fs::File::create(place.path(".a.html.hotset-Ab12Cd")).expect("made");
    held.lock().expect("locked");
    place.succeeds(describe);
    assert!(
        place.path(".a.html.hotset-Ab12Cd").exists(),
        "another process works on it"
    );
}

/// Sets back when `path` and everything in it changed.
fn set_back(path: &Path, age: Duration) {
    for entry in fs::read_dir(path).into_iter().flatten() {
        set_back(&entry.expect("an entry").path(), age);
    }
    let opened = fs::File::open(path).expect("there");
    opened
        .set_modified(SystemTime::now() - age)
        .expect("its own");
}

const DAYS: Duration = Duration::from_secs(3 * 86_400);

#[test]
fn what_an_older_version_left_is_swept_once_nobody_can_be_at_it() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(30).as_bytes());
    let import = ["import", "-o", "a.trace", "--replace", "a.log"];
    // Older versions lock nothing. They write `new/requests.parquet`.
    let leave = |name: &str, file: &str, age| {
        let folder = place.path(name);
        fs::create_dir_all(folder.join("new")).expect("made");
        fs::write(folder.join(file), "PAR1").expect("written");
        set_back(&folder, age);
    };
    let file = "new/requests.parquet";
    leave(".a.trace.Ab12Cd", file, DAYS);
    leave(".a.trace.Fresh1", file, Duration::from_secs(3_600));
    leave(".b.trace.Ab12Cd", file, DAYS);
    leave(".a.trace.Thesis", "thesis.tex", DAYS);
    leave(".a.trace.InUse1", file, DAYS);
    let in_use = fs::File::open(place.path(".a.trace.InUse1").join(file));
    place.succeeds(import);
    let mut left = [
        "a.log",
        "a.trace",
        ".a.trace.Fresh1",
        ".b.trace.Ab12Cd",
        ".a.trace.Thesis",
        ".a.trace.InUse1",
    ];
    left.sort_unstable();
    assert_eq!(place.entries(), left);
    drop(in_use);
    place.succeeds(import);
    assert!(!place.path(".a.trace.InUse1").exists());
}

#[test]
fn a_trace_that_an_older_version_was_about_to_replace_goes_back() {
    let place = Workplace::new();
    place.write("a.log", combined_line("/a", 10).repeat(30).as_bytes());
    place.succeeds(["import", "-o", "a.trace", "a.log"]);
    let room = place.path(".a.trace.Ab12Cd");
    fs::create_dir(&room).expect("made");
    fs::rename(place.path("a.trace"), room.join("old")).expect("moved");
    set_back(&room, DAYS);
    Failure::of(place.hotset(["import", "-o", "a.trace", "a.log"]))
        .has_code(1)
        .says("--replace");
    assert_eq!(place.entries(), ["a.log", "a.trace"]);
    place.succeeds(["describe", "a.trace"]);
}
