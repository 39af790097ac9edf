//! Nodes: memory, processors, processes and the network between them.

use crate::common::{TestLab, bytes, eventually, lab, shell};
use hotset_lab::disk::{Plain, Throttled};
use hotset_lab::net::{LinkRate, Namespace, Network};
use hotset_lab::store::{Local, LocalKind, Memory, MemoryKind, Store};
use hotset_machine::ControlGroup;
use hotset_machine::cgroup::{CpuSet, DeviceNumber, Hierarchies, IoLimits, Limits};
use hotset_machine::process::{Launch, Process};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;
const SOON: Duration = Duration::from_secs(20);
/// What one processor may keep to itself of a group's counts: pages on their way to the kernel's lists (31 at most,
/// `PAGEVEC_SIZE` in include/linux/pagevec.h) and counts on their way to the group's (64, `MEMCG_CHARGE_BATCH` in
/// include/linux/memcontrol.h). The latter follow within two seconds (`FLUSH_TIME` in mm/memcontrol.c) on today's kernels,
/// the former only when there are more.
const UNCOUNTED_BYTES: u64 = (31 + 64) * 4096;

fn limits(mib: u64) -> Limits {
    Limits {
        memory_bytes: Some(mib * MIB),
        processors: None,
    }
}

#[test]
fn a_nodes_page_cache_counts_against_its_limit_and_can_be_emptied() {
    let Some(lab) = lab() else { return };
    let node = ControlGroup::create(&lab, "web", &limits(48)).unwrap();
    let disk = Plain::create(&lab, "disk", 160 * MIB).unwrap();
    let store = Local::create(&lab, "disk", LocalKind::Ext4, Arc::new(disk)).unwrap();
    fs::write(store.path().join("large"), bytes(100 << 20)).unwrap();
    store.drop_and_prove().unwrap();
    let line = format!("cat {}/large > /dev/null", store.path().display());
    shell("reader", &line)
        .in_group(&node)
        .start(&lab)
        .unwrap()
        .wait(SOON)
        .unwrap();

    let resident = store.cached().unwrap().resident_bytes();
    let usage = eventually(
        || node.usage().unwrap(),
        |usage| resident.abs_diff(usage.cache_bytes) < 4 * MIB,
    );
    assert!(usage.total_bytes <= 48 * MIB, "{usage:?}");
    assert!(usage.cache_bytes > 24 * MIB, "{usage:?}");
    assert!(usage.limit_hits > 0, "{usage:?}");
    assert!(
        resident.abs_diff(usage.cache_bytes) < 4 * MIB,
        "{resident} resident, {usage:?}"
    );

    node.force_empty().unwrap();
    let after = eventually(|| node.usage().unwrap(), |usage| usage.cache_bytes < MIB);
    assert!(after.cache_bytes < MIB, "{after:?}");
    assert!(store.cached().unwrap().resident_bytes() < MIB);
}

#[test]
fn emptying_one_node_leaves_the_cache_of_another() {
    let Some(lab) = lab() else { return };
    let nodes = ["one", "other"].map(|name| ControlGroup::create(&lab, name, &limits(64)).unwrap());
    let disk = Plain::create(&lab, "disk", 64 * MIB).unwrap();
    let store = Local::create(&lab, "disk", LocalKind::Ext4, Arc::new(disk)).unwrap();
    for name in ["one", "other"] {
        fs::write(store.path().join(name), bytes(4 << 20)).unwrap();
    }
    store.drop_and_prove().unwrap();
    for (name, node) in ["one", "other"].iter().zip(&nodes) {
        let line = format!("cat {}/{name} > /dev/null", store.path().display());
        shell(&format!("reads-{name}"), &line)
            .in_group(node)
            .start(&lab)
            .unwrap()
            .wait(SOON)
            .unwrap();
    }
    nodes[0].force_empty().unwrap();
    let resident = |name: &str| {
        hotset_machine::cachestat::of_file(&store.path().join(name))
            .unwrap()
            .resident_bytes()
    };
    assert_eq!((resident("one"), resident("other")), (0, 4 * MIB));
}

#[test]
fn files_in_ramfs_are_charged_to_the_node_that_writes_them_and_cannot_be_evicted() {
    let Some(lab) = lab() else { return };
    let node = ControlGroup::create(&lab, "web", &limits(64)).unwrap();
    let store = Memory::create(&lab, "hot", MemoryKind::Ramfs, 0).unwrap();
    let line = format!(
        "head -c {} /dev/zero > {}/hot",
        16 * MIB,
        store.path().display()
    );
    shell("writer", &line)
        .in_group(&node)
        .on_cpus(CpuSet(vec![0]))
        .start(&lab)
        .unwrap()
        .wait(SOON)
        .unwrap();
    node.force_empty().unwrap();
    let least = 16 * MIB - UNCOUNTED_BYTES;
    let after = eventually(
        || node.usage().unwrap(),
        |usage| usage.cache_bytes >= least && usage.unevictable_bytes >= least,
    );
    assert!(after.cache_bytes >= least, "{after:?}");
    assert!(after.unevictable_bytes >= least, "{after:?}");
}

#[test]
fn a_node_gets_its_share_of_the_processors() {
    let Some(lab) = lab() else { return };
    let limits = Limits {
        memory_bytes: None,
        processors: Some(0.2),
    };
    let node = ControlGroup::create(&lab, "web", &limits).unwrap();
    let line = "while :; do :; done & while :; do :; done";
    let started = Instant::now();
    let process = shell("busy", line).in_group(&node).start(&lab).unwrap();
    thread::sleep(Duration::from_secs(1));
    let used = process.cpu_us().unwrap() as f64 / started.elapsed().as_micros() as f64;
    // Two loops would take two processors, or what others leave of them.
    assert!((0.02..0.3).contains(&used), "{used} processors");
}

#[test]
fn processor_time_of_a_deployment_is_that_of_all_its_programs() {
    let Some(lab) = lab() else { return };
    let node = ControlGroup::create(&lab, "web", &limits(64)).unwrap();
    let line = "(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done); sleep 60";
    let inside = shell("inside", line).in_group(&node).start(&lab).unwrap();
    let outside = shell("outside", line).start(&lab).unwrap();
    let programs = [inside, outside];
    let us = || programs.each_ref().map(|it| it.cpu_us().unwrap());
    let worked = || us().iter().all(|&us| us > 20_000);
    programs[0].wait_until(SOON, worked).unwrap();
    let (before, all, after) = (us(), lab.cpu_us().unwrap(), us());
    let sums = [before, after].map(|us| us.iter().sum::<u64>());
    assert!((sums[0]..=sums[1]).contains(&all), "{all} of {sums:?}");
}

#[test]
fn processor_time_counts_what_a_program_and_its_children_used() {
    let Some(lab) = lab() else { return };
    let line = "(while :; do :; done) & wait";
    let process = shell("busy", line).start(&lab).unwrap();
    process
        .wait_until(SOON, || process.cpu_us().unwrap() > 20_000)
        .unwrap();
    process.check().unwrap();
    assert_eq!(process.members().len(), 2);
    process.stop(SOON).unwrap();
    assert_eq!(process.members(), Vec::<u32>::new());
}

#[test]
fn a_program_that_is_not_there_is_an_error_that_names_it() {
    let Some(lab) = lab() else { return };
    let process = Launch::new("server", "no-such-server").start(&lab).unwrap();
    let error = process.wait_until(SOON, || false).unwrap_err().to_string();
    assert!(error.contains("no-such-server"), "{error}");
}

#[test]
fn a_program_that_ignores_being_asked_is_killed() {
    let Some(lab) = lab() else { return };
    let process = shell(
        "stubborn",
        "trap '' TERM; echo up; while :; do sleep 0.1; done",
    )
    .start(&lab)
    .unwrap();
    process
        .wait_until(SOON, || {
            fs::read_to_string(process.log()).is_ok_and(|log| log.contains("up"))
        })
        .unwrap();
    process.stop(Duration::from_millis(100)).unwrap();
    assert_eq!(process.members(), Vec::<u32>::new());
}

#[test]
fn a_throttled_disk_reads_at_its_ceiling_for_its_node_only() {
    let Some(lab) = lab() else { return };
    let node = Arc::new(ControlGroup::create(&lab, "web", &limits(64)).unwrap());
    let ceiling = IoLimits {
        read_bytes_per_s: Some(20 * MIB),
        reads_per_s: None,
    };
    let disk = Throttled::create(&lab, "disk", 128 * MIB, ceiling, &[Arc::clone(&node)]).unwrap();
    let store = Local::create(&lab, "disk", LocalKind::Ext4, Arc::new(disk)).unwrap();
    fs::write(store.path().join("file"), bytes(40 << 20)).unwrap();
    store.drop_and_prove().unwrap();
    let line = format!("cat {}/file > /dev/null", store.path().display());
    let seconds = |name: &str, group: Option<&ControlGroup>| {
        let began = Instant::now();
        let launch = shell(name, &line);
        let launch = if let Some(group) = group {
            launch.in_group(group)
        } else {
            launch
        };
        launch.start(&lab).unwrap().wait(SOON).unwrap();
        began.elapsed().as_secs_f64()
    };
    // A busy machine makes it longer still.
    let read_bytes = || store.disk().unwrap().counters().unwrap().read_bytes;
    let before = read_bytes();
    let limited = seconds("limited", Some(&node));
    assert!(limited > 1.6, "{limited} s for 40 MiB at 20 MiB/s");
    assert!(read_bytes() >= before + 40 * MIB);

    let read_freely = || {
        store.drop_and_prove().unwrap();
        store.disk().unwrap().set_delays(false).unwrap();
        seconds("free", Some(&node))
    };
    let free = eventually(read_freely, |&seconds| seconds < limited / 2.0);
    assert!(free < limited / 2.0, "{free} s");
}

/// A node that sends a file to whoever connects, as a program of a line.
fn sender(port: u16, mib: u64) -> String {
    format!(
        "exec perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(LocalPort => {port}, Listen => 5, ReuseAddr => 1) \
         or die; while (my $c = $s->accept) {{ print $c (\"x\" x 1048576) for 1..{mib}; close $c }}'"
    )
}

#[test]
fn a_link_carries_what_its_rate_allows_and_counts_it() {
    let Some(lab) = lab() else { return };
    let network = Network::create(&lab).unwrap();
    let namespace = network
        .namespace("web", LinkRate::BitsPerS(100_000_000))
        .unwrap();
    let process = shell("sender", &sender(8080, 8))
        .in_network(namespace.name())
        .start(&lab)
        .unwrap();
    let fetch = || fetched_megabits_per_s(&process, &namespace);
    // The rate bounds it from above on every machine, from below where the machine has time for it.
    let megabits_per_s = eventually(fetch, |&rate| rate > 80.0);
    assert!(
        megabits_per_s > 20.0,
        "{megabits_per_s} Mbit/s of payload over 100 Mbit/s"
    );
}

/// Fetches 8 MiB and looks at what is counted of it.
fn fetched_megabits_per_s(process: &Process, namespace: &Namespace) -> f64 {
    let before = namespace.counters().unwrap();
    let mut connection = None;
    let mut began = Instant::now();
    process
        .wait_until(SOON, || {
            began = Instant::now();
            connection = TcpStream::connect((namespace.address(), 8080)).ok();
            connection.is_some()
        })
        .unwrap();
    let mut received = Vec::new();
    connection.unwrap().read_to_end(&mut received).unwrap();
    let megabits_per_s = received.len() as f64 * 8.0 / 1e6 / began.elapsed().as_secs_f64();
    let after = namespace.counters().unwrap();

    assert_eq!(received.len() as u64, 8 * MIB);
    assert!(
        megabits_per_s < 100.0,
        "{megabits_per_s} Mbit/s of payload over 100 Mbit/s"
    );
    let sent = after.sent_bytes - before.sent_bytes;
    assert!((8 * MIB..9 * MIB).contains(&sent), "{sent} bytes");
    let packets = after.sent_packets - before.sent_packets;
    assert!(
        (8 * MIB / 1500..8 * MIB / 1000).contains(&packets),
        "{packets} packets of at most 1500 bytes"
    );
    assert!(after.received_packets > before.received_packets);
    megabits_per_s
}

#[test]
fn nodes_reach_each_other_and_the_machine_and_keep_their_ports_to_themselves() {
    let Some(lab) = lab() else { return };
    let network = Network::create(&lab).unwrap();
    let web = network.namespace("web", LinkRate::Unlimited).unwrap();
    let proxy = network.namespace("proxy", LinkRate::Unlimited).unwrap();
    let listener = TcpListener::bind((network.address(), 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = shell("web", &sender(port, 1))
        .in_network(web.name())
        .start(&lab)
        .unwrap();
    let fetch = format!(
        "perl -MIO::Socket::INET -e 'my $n = 0; for (1..100) {{ my $c = IO::Socket::INET->new(\"{}:{port}\"); \
         if ($c) {{ while (sysread($c, my $b, 65536)) {{ $n += length $b }} print $n; last }} \
         select undef, undef, undef, 0.05 }}'",
        web.address()
    );
    let fetching = shell("fetch", &fetch)
        .in_network(proxy.name())
        .start(&lab)
        .unwrap();
    fetching.wait(SOON).unwrap();
    assert_eq!(fs::read_to_string(fetching.log()).unwrap(), MIB.to_string());
    serving.check().unwrap();

    let greeting = format!(
        "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(\"{}:{port}\")->print(\"hello\")'",
        network.address()
    );
    let greeter = shell("greeter", &greeting)
        .in_network(proxy.name())
        .start(&lab)
        .unwrap();
    let mut text = String::new();
    listener
        .accept()
        .unwrap()
        .0
        .read_to_string(&mut text)
        .unwrap();
    greeter.wait(SOON).unwrap();
    assert_eq!(text, "hello");
}

/// Two labs that would look for a network's addresses from the same place on.
fn labs_of_one_start() -> Option<[TestLab; 2]> {
    let mut labs = BTreeMap::new();
    loop {
        let lab = lab()?;
        let start = lab.tag()[2..].to_owned();
        if let Some(other) = labs.remove(&start) {
            return Some([lab, other]);
        }
        labs.insert(start, lab);
    }
}

#[test]
fn networks_that_are_made_at_the_same_time_have_addresses_of_their_own() {
    let Some([one, other]) = labs_of_one_start() else {
        return;
    };
    let address = |lab: &TestLab| Network::create(lab).unwrap().address();
    let addresses = thread::scope(|scope| {
        let made = scope.spawn(|| address(&other));
        (address(&one), made.join().unwrap())
    });
    assert_ne!(addresses.0, addresses.1);
}

#[test]
fn two_nodes_of_one_name_are_refused() {
    let Some(lab) = lab() else { return };
    let _node = ControlGroup::create(&lab, "web", &limits(64)).unwrap();
    let error = ControlGroup::create(&lab, "web", &limits(64)).unwrap_err();
    assert!(error.to_string().contains("there already"), "{error}");
}

/// A tree with the files of version 2 as a kernel would show them.
fn tree_of_version_2(root: &Path) -> Hierarchies {
    fs::write(
        root.join("cgroup.controllers"),
        "cpuset cpu io memory pids\n",
    )
    .unwrap();
    fs::write(root.join("cgroup.subtree_control"), "memory pids\n").unwrap();
    Hierarchies {
        unified: Some(root.to_owned()),
        v1: BTreeMap::new(),
    }
}

#[test]
fn version_2_limits_and_counts_through_one_group() {
    let root = tempfile::tempdir().unwrap();
    let Some(lab) = lab() else { return };
    let hierarchies = tree_of_version_2(root.path());
    let wanted = Limits {
        memory_bytes: Some(512 * MIB),
        processors: Some(0.5),
    };
    let node = ControlGroup::create_in(&lab, &hierarchies, "web", &wanted).unwrap();
    let group = root.path().join(lab.name("web"));
    let says = |file: &str| fs::read_to_string(group.join(file)).unwrap();
    assert_eq!(
        fs::read_to_string(root.path().join("cgroup.subtree_control")).unwrap(),
        "+cpu +io"
    );
    assert_eq!(
        (says("memory.max"), says("cpu.max")),
        ("536870912".to_owned(), "5000 10000".to_owned())
    );

    let show = |file: &str, text: &str| {
        fs::File::create(group.join(file))
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap()
    };
    show("memory.current", "4096000\n");
    show("memory.max", "max\n");
    show(
        "memory.stat",
        "anon 100\nfile 3000\nkernel 200\nshmem 10\nunevictable 20\npgmajfault 7\n",
    );
    show("memory.events", "low 0\nhigh 0\nmax 3\noom 0\n");
    let usage = node.usage().unwrap();
    assert_eq!(
        (usage.total_bytes, usage.limit_bytes),
        (4_096_000, u64::MAX)
    );
    assert_eq!(
        (usage.anonymous_bytes, usage.cache_bytes, usage.kernel_bytes),
        (100, 3000, 200)
    );
    assert_eq!((usage.limit_hits, usage.unevictable_bytes), (3, 20));
    let device = DeviceNumber { major: 7, minor: 0 };
    node.limit_io(
        device,
        IoLimits {
            read_bytes_per_s: Some(5000),
            reads_per_s: None,
        },
    )
    .unwrap();
    assert_eq!(says("io.max"), "7:0 rbps=5000 riops=max");
    node.force_empty().unwrap();
    assert_eq!(says("memory.reclaim"), "4096000");
    node.adopt(42).unwrap();
    assert_eq!(says("cgroup.procs"), "42");
    // The kernel would take the files away with the group.
    fs::remove_dir_all(&group).unwrap();
    assert_eq!(lab.teardown().left, Vec::<String>::new());
    assert_eq!(
        fs::read_to_string(root.path().join("cgroup.subtree_control")).unwrap(),
        "-cpu -io"
    );
}

#[test]
fn version_2_without_a_memory_controller_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let Some(lab) = lab() else { return };
    fs::write(root.path().join("cgroup.controllers"), "cpu pids\n").unwrap();
    let hierarchies = Hierarchies {
        unified: Some(root.path().to_owned()),
        v1: BTreeMap::new(),
    };
    let error = ControlGroup::create_in(&lab, &hierarchies, "web", &limits(64)).unwrap_err();
    assert!(error.to_string().contains("memory"), "{error}");
}
