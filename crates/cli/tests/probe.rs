//! `hotset probe`: what cannot be measured is refused, and an interrupt leaves nothing.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Workplace, hotset};
use rustix::process::{Pid, Signal, kill_process};

/// How long a busy machine may take to make a folder, or to remove it.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn a_folder_that_is_none_is_refused() {
    let place = Workplace::new();
    place.write("file", b"");
    for none in ["nowhere", "file"] {
        place
            .refuses(["probe", none])
            .has_code(1)
            .says(none)
            .says("is not a folder; name one on the file system");
    }
}

#[test]
fn a_profile_that_could_not_be_written_is_refused_before_anything_is_measured() {
    let place = Workplace::new();
    fs::create_dir(place.path("store")).unwrap();
    place
        .refuses(["probe", "store", "-o", "none/store.toml"])
        .has_code(1)
        .says("there is no folder none");
    assert_eq!(fs::read_dir(place.path("store")).unwrap().count(), 0);
}

#[test]
fn a_server_profile_is_of_a_network_mount_and_in_a_file_of_its_own() {
    let place = Workplace::new();
    fs::create_dir(place.path("store")).unwrap();
    place
        .refuses(["probe", "store", "--server-profile", "servers.toml"])
        .has_code(1)
        .says("a file system of this machine, which makes no calls")
        .says("name a folder on a network mount");
    place
        .refuses([
            "probe",
            "store",
            "-o",
            "a.toml",
            "--server-profile",
            "a.toml",
        ])
        .says("a.toml: named for two results");
    assert_eq!(fs::read_dir(place.path("store")).unwrap().count(), 0);
}

#[test]
fn an_interrupt_leaves_the_folder_as_it_was() {
    let place = Workplace::new();
    let store = place.path("store");
    fs::create_dir(&store).unwrap();
    let files = || fs::read_dir(&store).unwrap().count();
    let mut probe = std::process::Command::new(hotset());
    probe.arg("probe").arg(&store);
    probe.stdout(Stdio::null()).stderr(Stdio::null());
    let mut probe = probe.spawn().unwrap();
    let started = Instant::now();
    while files() == 0 && started.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_child(&probe);
    kill_process(pid, Signal::INT).unwrap();
    assert_eq!(probe.wait().unwrap().code(), Some(130));
    assert_eq!(files(), 0);
}
