//! What the machine must have, and whether it is quiet.

use hotset_machine::cgroup::{CpuSet, Hierarchies, MemoryGroup};
use hotset_machine::systemd::DropIn;
use hotset_machine::{Need, Quietness, Requirements, Watch};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// Asks until `holds` says so, which a busy machine may make late, or for good.
fn eventually<T>(mut ask: impl FnMut() -> T, holds: impl Fn(&T) -> bool) -> T {
    let give_up = Instant::now() + Duration::from_secs(20);
    loop {
        let answer = ask();
        if holds(&answer) || Instant::now() > give_up {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_the_kernel_can_let_go_of_is_not_taken_in_version_2() {
    let folder = tempfile::tempdir().unwrap();
    let stat = "anon 100\nactive_anon 60\ninactive_anon 40\nunevictable 7\nkernel 5000\nslab_reclaimable 4000\n";
    for (file, text) in [("memory.current", "5107\n"), ("memory.stat", stat)] {
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    let group = MemoryGroup::at(folder.path()).unwrap();
    assert_eq!(group.unreclaimable_bytes().unwrap(), 100 + 7 + 1000);
}

#[test]
fn settings_of_a_scope_end_with_the_machine_and_those_of_one_property_have_a_file_of_their_own() {
    let drop_in = |unit: &str| -> DropIn {
        serde_json::from_value(serde_json::json!({ "unit": unit })).unwrap()
    };
    let file = |drop_in: DropIn| drop_in.file().display().to_string();
    assert_eq!(
        file(drop_in("nginx.service")),
        "/etc/systemd/system/nginx.service.d/90-hotset.conf"
    );
    assert_eq!(
        file(drop_in("system.slice").for_property("MemoryMin")),
        "/etc/systemd/system/system.slice.d/90-hotset-MemoryMin.conf"
    );
    assert_eq!(
        file(drop_in("docker-1.scope")),
        "/run/systemd/system/docker-1.scope.d/90-hotset.conf"
    );
}

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
fn without_root_it_says_sudo() {
    if rustix::process::geteuid().is_root() {
        Requirements::check(&[Need::Root]).unwrap();
    } else {
        assert!(lacking(&[Need::Root]).contains("sudo"));
    }
}

/// Processor time of a process until now (proc(5), `utime`; a tick is 10 ms for every program).
fn cpu_us(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let rest = stat.rsplit_once(") ").unwrap().1;
    rest.split(' ').nth(11).unwrap().parse::<u64>().unwrap() * 10_000
}

/// Others compute on a machine that runs tests, and may leave the test little: its figures are held to each other.
#[test]
fn programs_that_compute_are_others_unless_they_are_ones_own_work() {
    let watch = Watch::start().unwrap();
    let mut program = Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .spawn()
        .unwrap();
    let used_us = eventually(|| cpu_us(program.id()), |&used_us| used_us >= 600_000);
    let as_other = watch.finish(0).unwrap();
    let as_own = watch.finish(used_us).unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(as_own.own_cpu_share > 0.0, "{as_own:?}");
    // The kernel samples the machine's time and measures the program's.
    assert!(
        as_other.others_cpu_share > as_own.own_cpu_share / 2.0,
        "{as_other:?} {as_own:?}"
    );
    assert!(
        as_own.others_cpu_share < as_other.others_cpu_share - as_own.own_cpu_share / 2.0,
        "{as_other:?} {as_own:?}"
    );
}

#[test]
fn a_machine_is_quiet_while_others_use_little_of_it() {
    let seen = Watch::start().unwrap().finish(0).unwrap();
    let others = |others_cpu_share| Quietness {
        others_cpu_share,
        ..seen
    };
    assert!(others(0.04).is_quiet());
    assert!(!others(0.5).is_quiet());
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

#[test]
fn the_memory_of_a_group_that_others_made_is_read_without_a_run() {
    let hierarchies = Hierarchies::detect().unwrap();
    let v2 = hierarchies.unified.as_deref();
    let roots = [hierarchies.v1.get("memory").map(PathBuf::as_path), v2];
    let groups = roots.into_iter().flatten();
    let used: Vec<u64> = groups
        .filter_map(|root| MemoryGroup::at(root).ok())
        .map(|group| group.usage().unwrap().total_bytes)
        .collect();
    assert!(used.iter().all(|&bytes| bytes > 0), "{used:?}");
    assert_eq!(!used.is_empty(), hierarchies.v1.contains_key("memory"));
}

#[test]
fn a_folder_that_is_not_a_memory_group_is_refused_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let error = MemoryGroup::at(folder.path()).unwrap_err().to_string();
    assert!(error.contains("not a control group"), "{error}");
    assert!(error.contains(folder.path().to_str().unwrap()), "{error}");
}
