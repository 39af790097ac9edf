//! What the machine must have, and whether it is quiet.

mod common;

use hotset_lab::cgroup::{CpuSet, Hierarchies};
use hotset_lab::machine::{Need, Requirements, Watch};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

fn lacking(needs: &[Need]) -> String {
    Requirements::check(needs).unwrap_err().to_string()
}

#[test]
fn everything_that_is_missing_is_told_at_once_with_what_helps() {
    let text = lacking(&[
        Need::program("no-such-server", "no-such-package"),
        Need::program("sh", "dash"),
        Need::program("nor-this", "another-package"),
        Need::Memory { bytes: 1 << 60 },
        Need::Cpu { number: 100_000 },
    ]);
    assert!(
        text.contains(
            "no-such-server, nor-this: `apt-get install another-package no-such-package`"
        ),
        "{text}"
    );
    assert!(!text.contains("dash"), "{text}");
    assert!(
        text.contains("memory") && text.contains("give the nodes less"),
        "{text}"
    );
    assert!(text.contains("processor 100000"), "{text}");
}

#[test]
fn what_is_there_is_not_missed() {
    let needs = [
        Need::program("sh", "dash"),
        Need::Memory { bytes: 1 << 20 },
        Need::Cpu { number: 0 },
        Need::DiskSpace {
            path: PathBuf::from("/tmp/not/made/yet"),
            bytes: 4096,
        },
    ];
    Requirements::check(&needs).unwrap();
}

#[test]
fn a_full_disk_is_refused_with_its_place() {
    let text = lacking(&[Need::DiskSpace {
        path: PathBuf::from("/tmp/not/made/yet"),
        bytes: 1 << 60,
    }]);
    assert!(
        text.contains("disk space") && text.contains("free at /tmp"),
        "{text}"
    );
}

#[test]
fn a_port_that_is_in_use_is_refused_by_its_number() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let text = lacking(&[Need::Port { address }]);
    assert!(text.contains(&address.to_string()), "{text}");
    drop(listener);
    // A program that another test is just starting may hold the socket for a moment.
    let free = || Requirements::check(&[Need::Port { address }]).is_ok();
    assert!((0..100).any(|_| free() || {
        std::thread::sleep(Duration::from_millis(20));
        false
    }));
}

#[test]
fn without_root_it_says_sudo() {
    if common::is_root() {
        Requirements::check(&[Need::Root]).unwrap();
    } else {
        assert!(lacking(&[Need::Root]).contains("sudo"));
    }
}

#[test]
fn others_that_compute_make_the_machine_busy_and_ones_own_work_does_not() {
    let count = std::thread::available_parallelism().unwrap().get();
    let mut others: Vec<_> = (0..count)
        .map(|_| {
            Command::new("sh")
                .args(["-c", "while :; do :; done"])
                .spawn()
                .unwrap()
        })
        .collect();
    let watch = Watch::start().unwrap();
    std::thread::sleep(Duration::from_millis(600));
    let busy = watch.finish(0).unwrap();
    let own = watch.finish(600_000 * count as u64).unwrap();
    for other in &mut others {
        other.kill().unwrap();
        other.wait().unwrap();
    }
    assert!(busy.others_cpu_share > 0.8 && !busy.is_quiet(), "{busy:?}");
    assert!(busy.warning().unwrap().contains("busy"));
    assert!(
        own.others_cpu_share < 0.25 && own.own_cpu_share > 0.7,
        "{own:?}"
    );
}

#[test]
fn processors_are_written_as_the_kernel_reads_them() {
    assert_eq!(CpuSet(vec![0, 2, 3]).to_string(), "0,2,3");
}

#[test]
fn the_machines_control_groups_are_found_where_they_are_mounted() {
    let found = Hierarchies::detect().unwrap();
    for path in found.unified.iter().chain(found.v1.values()) {
        assert!(path.join("cgroup.procs").exists(), "{}", path.display());
    }
}
