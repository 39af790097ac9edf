//! Network file systems over three servers, where Debian's packages are.
use crate::common::{TestLab, bytes, lab};
use hotset_lab::disk::Plain;
use hotset_lab::net::{LinkRate, Network};
use hotset_lab::store::{FileClient, FileServer, GlusterFs, Local, LocalKind, MooseFs, Store};
use hotset_machine::{Need, Requirements};
use hotset_probe::Probe;
use hotset_scenario::{PageKeeping, Profile};
use hotset_test_support::{alone, skip};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const MIB: u64 = 1 << 20;
const RATE: LinkRate = LinkRate::BitsPerS(1_000_000_000);

/// A lab with a network, if the programs are there.
fn lab_with(programs: &[(&str, &str)]) -> Option<(TestLab, Network)> {
    let mut needs: Vec<Need> = programs
        .iter()
        .map(|(program, package)| Need::program(program, package))
        .collect();
    needs.push(Need::Fuse);
    if let Err(error) = Requirements::check(&needs) {
        skip(error);
        return None;
    }
    // Their servers begin with copies of all mounts, which keep the stores of others from being emptied.
    alone();
    let lab = lab()?;
    let network = Network::create(&lab).unwrap();
    Some((lab, network))
}

fn servers(lab: &TestLab, network: &Network) -> Vec<FileServer> {
    let server = |number: usize| {
        let name = format!("store{number}");
        let disk = Plain::create(lab, &name, 700 * MIB).unwrap();
        let disk = Local::create(lab, &name, LocalKind::Xfs, Arc::new(disk)).unwrap();
        FileServer {
            namespace: network.namespace(&name, RATE).unwrap(),
            group: None,
            disk,
        }
    };
    (0..3).map(server).collect()
}

fn disk_reads(disks: &[std::path::PathBuf]) -> Vec<u64> {
    let read = |device: &std::path::PathBuf| {
        let stat = format!(
            "/sys/block/{}/stat",
            device.file_name().unwrap().to_str().unwrap()
        );
        let text = fs::read_to_string(stat).unwrap();
        text.split_whitespace()
            .nth(2)
            .unwrap()
            .parse::<u64>()
            .unwrap()
            * 512
    };
    disks.iter().map(read).collect()
}

/// Files go over the network to all three servers and come back from their disks after the caches are dropped.
fn keeps_files_and_drops_caches(
    store: &dyn Store,
    disks: &[std::path::PathBuf],
    client: &dyn Fn() -> u64,
) {
    let content = bytes(256 << 10);
    for number in 0..60 {
        fs::write(store.path().join(format!("{number}.bin")), &content).unwrap();
    }
    store.drop_and_prove().unwrap();
    let (disks_before, link_before) = (disk_reads(disks), client());
    for number in 0..60 {
        assert_eq!(
            fs::read(store.path().join(format!("{number}.bin"))).unwrap(),
            content
        );
    }
    for (before, after) in disks_before.iter().zip(disk_reads(disks)) {
        assert!(
            after - before >= MIB,
            "a disk read {} bytes",
            after - before
        );
    }
    assert!(
        client() - link_before >= 60 * (256 << 10),
        "the files came over the network"
    );
}

#[test]
fn moosefs_keeps_files_on_three_servers_and_drops_its_caches() {
    let programs = [
        ("mfsmaster", "moosefs-master"),
        ("mfschunkserver", "moosefs-chunkserver"),
        ("mfsmount", "moosefs-client"),
    ];
    let Some((lab, network)) = lab_with(&programs) else {
        return;
    };
    let servers = servers(&lab, &network);
    let disks: Vec<_> = servers
        .iter()
        .map(|server| server.disk.disk().unwrap().device().to_owned())
        .collect();
    let web = network.namespace("web", RATE).unwrap();
    let client = FileClient {
        node: "web".to_owned(),
        namespace: web.clone(),
        group: None,
    };
    let store = MooseFs::create(&lab, "moose", servers, vec![client]).unwrap();
    let received = || web.counters().unwrap().received_bytes;
    keeps_files_and_drops_caches(&store, &disks, &received);
}

#[test]
fn glusterfs_keeps_files_on_three_servers_and_drops_its_caches() {
    let programs = [
        ("glusterd", "glusterfs-server"),
        ("gluster", "glusterfs-cli"),
        ("glusterfs", "glusterfs-client"),
    ];
    let Some((lab, network)) = lab_with(&programs) else {
        return;
    };
    let servers = servers(&lab, &network);
    let disks: Vec<_> = servers
        .iter()
        .map(|server| server.disk.disk().unwrap().device().to_owned())
        .collect();
    let web = network.namespace("web", RATE).unwrap();
    let client = FileClient {
        node: "web".to_owned(),
        namespace: web.clone(),
        group: None,
    };
    let store = GlusterFs::create(&lab, "gluster", servers, vec![client]).unwrap();
    let received = || web.counters().unwrap().received_bytes;
    keeps_files_and_drops_caches(&store, &disks, &received);
    is_probed(&store);
}

/// Its calls are measured, and make a profile that models read.
fn is_probed(store: &dyn Store) {
    let probe = Probe {
        files: vec![(4096, 8), (65_536, 4)],
        large_bytes: 4 << 20,
        blocks: vec![4096, 1 << 20],
        working_sets: vec![65_536, 4 << 20],
        readers: vec![1, 2],
        direct: vec![4096, 65_536],
        in_flight: vec![1, 2],
        written: vec![4096, 65_536],
        synced: vec![4096],
        writers: vec![1, 2],
        idle_ms: vec![5],
        patience: Duration::from_millis(50),
    };
    let findings = probe.measure(store.path(), &|_| true).unwrap();
    assert_eq!(findings.kind(), "fuse.glusterfs");
    for (name, figure) in findings.figures() {
        assert!(figure.low_us > 0.0, "{name}: {figure:?}");
    }
    let mount = findings.mount.as_ref().unwrap();
    assert_eq!(mount.callers.len(), 2);
    let profile = findings.profile().unwrap();
    // Where the kernel drops pages of files that have changed (`FUSE_AUTO_INVAL_DATA`), GlusterFS keeps them over opens by itself.
    match mount.keeping {
        PageKeeping::Kept => assert_ne!(profile.cached, profile.uncached),
        PageKeeping::UntilOpened => assert_eq!(profile.cached, profile.uncached),
        other => panic!("its files have pages in memory: {other:?}"),
    }
    assert!(profile.device.is_some(), "a request is a call");
    let text = findings.comments(&profile) + &profile.to_toml().unwrap();
    let read = Profile::parse(&text, Path::new("mount.toml")).unwrap();
    assert_eq!(read, profile);
    let costs = findings.server_profile().unwrap();
    assert!(costs.files.is_some() && costs.files_client.is_some());
    let left = fs::read_dir(store.path()).unwrap();
    let mut left = left.map(|entry| entry.unwrap().file_name());
    assert!(left.all(|name| !name.to_string_lossy().starts_with(".probe")));
}
