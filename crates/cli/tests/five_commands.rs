//! The README's commands of a real server, run as they are printed there beside Debian's nginx on a machine that looks new.
//!
//! They stand in blocks fenced as `console nginx`.

use std::process::Child;
use std::thread;
use std::time::Instant;

use hotset_test_support::skip;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::fresh::FreshMachine;
use crate::support::shown::{Step, blocks, readme, steps};
use crate::support::site::PATIENCE;

const FILES: u64 = 1000;
const FILES_BYTES: &str = "128MiB";
const REQUESTS: u64 = 10_000;
/// Each processor locks and unlocks 31 folios at a time (`PAGEVEC_SIZE`), which read-ahead makes of up to 32 pages, and a group counts them then.
const UNCOUNTED_BYTES: u64 = 31 * 32 * 4096;
/// What the README's plan says of the disk. Other disks have other prices, and are spoken of in other words.
const KIND_OF_DISK: &str = "hdd is a guess, as the disk is virtual";

/// Its command's name, or that it is a preview.
fn deed(step: &Step) -> &str {
    match step.command.contains("--dry-run") {
        true => "preview",
        false => step.command.split(' ').nth(1).expect("a command of hotset"),
    }
}

/// What must be true on the machine after a command.
#[track_caller]
fn is_done(deed: &str, machine: &FreshMachine) {
    let is_held = match deed {
        "plan" | "preview" | "release" => false,
        "apply" | "status" => true,
        other => panic!("the README has no command {other} here"),
    };
    let held = if is_held { machine.planned_bytes() } else { 0 };
    assert_eq!(machine.locked_bytes(), held, "after {deed}");
    if let Some(charged) = machine.charged_bytes() {
        let uncounted = UNCOUNTED_BYTES * thread::available_parallelism().unwrap().get() as u64;
        let apart = charged.abs_diff(held);
        assert!(
            apart <= uncounted,
            "{charged} of nginx' memory group, not {held}, after {deed}"
        );
    }
    assert_eq!(machine.has_a_state(), is_held);
    if is_held {
        assert!(machine.has_the_planned_files_in_memory());
    }
}

/// `hotset run`, which is killed if a test ends before it does.
struct Daemon(Child);

impl Daemon {
    /// Ends it as Ctrl-C does.
    fn ends(mut self) {
        let pid = Pid::from_raw(self.0.id() as i32).expect("a process");
        kill_process(pid, Signal::INT).expect("it lives");
        assert!(self.0.wait().expect("it ends").success());
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ended = self.0.kill().and_then(|()| self.0.wait().map(drop));
    }
}

#[test]
fn the_five_commands_of_the_readme_hold_files_under_debians_nginx_and_take_them_back() {
    let Some(machine) = FreshMachine::start(FILES, FILES_BYTES, REQUESTS) else {
        return;
    };
    machine.ask_for_files();
    let nginx = machine.nginx_pid();
    let page = readme();
    let shown = steps(&blocks(&page, "console nginx")[0]);
    let deeds: Vec<&str> = shown.iter().map(deed).collect();
    assert_eq!(deeds, ["plan", "preview", "apply", "status", "release"]);
    for step in &shown {
        let printed = machine.succeeds(&step.command);
        if deed(step) == "plan" {
            assert!(machine.planned_bytes() > 0, "{printed}");
        }
        match (deed(step), machine.charged_bytes()) {
            ("plan", _) if !printed.contains(KIND_OF_DISK) => {
                skip(format!(
                    "the README's plan is for another kind of disk: {printed}"
                ));
            }
            ("apply", None) => skip("no right to make a memory group for nginx"),
            _ => step.printed(&printed),
        }
        is_done(deed(step), &machine);
    }
    assert_eq!(machine.nginx_pid(), nginx, "nothing was restarted");
}

#[test]
fn the_readmes_daemon_holds_what_debians_nginx_is_asked_for() {
    let Some(machine) = FreshMachine::start(FILES, FILES_BYTES, REQUESTS) else {
        return;
    };
    // The log is there, and has not ended yet.
    machine.ask_for_files();
    let page = readme();
    machine.write("sites.toml", &blocks(&page, "toml sites.toml")[0]);
    let shown = steps(&blocks(&page, "console nginx")[1]);
    let [run] = &shown[..] else {
        panic!("one command")
    };
    assert_eq!(deed(run), "run");
    // `exec`, so that the signal is the daemon's. Its first choice comes after a second instead of a minute.
    let line = format!("exec {} --interval 1s > printed", run.command);
    let mut daemon = Daemon(machine.command(&line).spawn().expect("it starts"));
    let give_up = Instant::now() + PATIENCE;
    while !machine.read("printed").contains("event=held") {
        assert!(Instant::now() < give_up);
        assert_eq!(daemon.0.try_wait().expect("a child"), None, "it has ended");
        machine.ask_for_files();
    }
    assert!(machine.locked_bytes() > 0);
    daemon.ends();
    run.printed(&machine.read("printed"));
    assert_eq!(machine.locked_bytes(), 0);
    assert!(!machine.has_a_state());
}
