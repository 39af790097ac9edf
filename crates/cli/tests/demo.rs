//! `hotset demo`: the plan is applied to a running server, and nothing of that is left.

use hotset_test_support::skip;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::shown::{blocks, readme, steps};
use crate::support::{Workplace, hotset};

/// Longer than a busy machine takes for anything here.
const PATIENCE: Duration = Duration::from_secs(300);
/// What is said where no plan can be applied.
const LEFT_OUT: &str = "The plan is not applied to a running server here";

/// The demo in `folder`, which it also has for temporary files.
fn demo(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(hotset());
    command.arg("demo").args(more).current_dir(folder);
    command.env("TMPDIR", folder).env("HOME", folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8 output")
}

/// What a demo prints that ends well.
fn printed(output: Output) -> String {
    let errors = text(output.stderr);
    assert!(output.status.success(), "{:?}: {errors}", output.status);
    text(output.stdout)
}

/// Processes that have `folder` in their command lines.
fn processes_of(folder: &Path) -> Vec<PathBuf> {
    let folder = folder.to_str().expect("UTF-8");
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let processes = entries.map(|entry| entry.path().join("cmdline"));
    let is_its = |file: &PathBuf| {
        let line = fs::read(file).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(folder)
    };
    processes.filter(is_its).collect()
}

/// Only the demo's own folder is there, and no process is at work in the other.
fn nothing_is_left(place: &Workplace) {
    assert_eq!(place.entries(), ["hotset-demo"]);
    let end = Instant::now() + PATIENCE;
    while !processes_of(place.folder()).is_empty() {
        assert!(Instant::now() < end, "{:?}", processes_of(place.folder()));
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_plan_is_applied_to_a_running_server_and_everything_is_removed() {
    let place = Workplace::new();
    let output = demo(place.folder(), &["--requests", "400"]).output();
    let said = printed(output.expect("hotset runs"));
    nothing_is_left(&place);
    if said.contains(LEFT_OUT) {
        return skip(&said);
    }
    let (_, table) = said
        .split_once("Predicted and measured\n")
        .expect("a table");
    let lines: Vec<&str> = table.lines().skip(1).take(6).collect();
    let names = ["shop", "", "video", "", "all sites", ""];
    for (line, name) in lines.iter().zip(names) {
        assert!(line.starts_with(name), "{line}");
    }
    // Where the server finds a file is no matter of time: it is as predicted.
    let from_memory = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let end = words.iter().position(|word| *word == "%").expect("a share");
        words[end - 1].parse::<f64>().expect("a number")
    };
    for pair in lines.chunks(2) {
        let (predicted, measured) = (from_memory(pair[0]), from_memory(pair[1]));
        assert!(pair[1].contains("measured"), "{}", pair[1]);
        assert!(predicted > 30.0 && predicted == measured, "{pair:?}");
    }
    for shown in blocks(&readme(), "console demo") {
        steps(&shown).iter().for_each(|step| step.printed(&said));
    }
    // Lines are broken where the folder's name leaves room.
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("the same 400 requests twice"), "{said}");
    assert!(!words.contains("could not be held"), "{said}");
}

/// Sends Ctrl-C once files are being served, or are about to be.
fn interrupt(mut child: Child, place: &Workplace) -> Output {
    let end = Instant::now() + PATIENCE;
    let serves = || {
        let folder = |name: &String| name.starts_with(".hotset-demo.hotset-");
        let mut entries = place.entries().into_iter().filter(folder);
        entries.any(|name| place.path(&name).join("files").exists())
    };
    while !serves() && child.try_wait().expect("a child").is_none() {
        assert!(Instant::now() < end, "never: files are written");
        sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    kill.expect("kill runs");
    child.wait_with_output().expect("it ends")
}

#[test]
fn an_interrupted_demo_leaves_nothing_held_and_nothing_behind() {
    let place = Workplace::new();
    let child = demo(place.folder(), &[]).spawn().expect("hotset runs");
    let output = interrupt(child, &place);
    nothing_is_left(&place);
    let said = text(output.stdout);
    if said.contains(LEFT_OUT) {
        return skip(&said);
    }
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(text(output.stderr).contains("interrupted"));
    // The plan was made before.
    assert!(place.path("hotset-demo/plan.json").exists());
}

#[test]
fn where_files_are_in_memory_anyway_it_says_why_no_plan_is_applied() {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else {
        return skip("there is no /dev/shm");
    };
    let output = demo(folder.path(), &["--requests", "1"]).output();
    let said = printed(output.expect("hotset runs"));
    assert!(said.contains(LEFT_OUT), "{said}");
    assert!(said.contains(folder.path().to_str().unwrap()), "{said}");
    assert!(said.contains("The report is"), "{said}");
}

#[test]
fn a_folder_with_somebodys_log_is_no_demos() {
    let place = Workplace::new();
    fs::create_dir(place.path("logs")).expect("a folder");
    let own = "192.0.2.7 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"a\"\n";
    place.write("logs/access.log", own.as_bytes());
    let output = demo(place.folder(), &["logs", "--requests", "1"]).output();
    let output = output.expect("hotset runs");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("is not a demo's: name another folder"),
        "{said}"
    );
    let kept = fs::read_to_string(place.path("logs/access.log")).expect("the log");
    assert_eq!(kept, own);
}
